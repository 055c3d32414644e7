// The manual page, in the language of man(1), made from what the commands declare.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <iostream>

#include "base/version.h"
#include "cli/command.h"
#include "cli/pages.h"

namespace parlor::cli {
namespace {

// Texts as roff would have them: nothing at the start of a line or behind a backslash is a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

void write_flag(std::ostream& out, const FlagPage& flag) {
  out << ".TP\n.B " << roff(flag.names);
  if (!flag.value.empty()) out << " \\fI" << roff(flag.value) << "\\fR";
  out << '\n' << (flag.help.empty() ? "\\&" : roff(flag.help)) << '\n';
}

void write_command(std::ostream& out, const std::string& before, const CommandPage& page) {
  out << ".SS " << roff(before + page.name) << '\n' << roff(page.summary) << ".\n";
  for (const FlagPage& positional : page.positionals) write_flag(out, positional);
  for (const FlagPage& flag : page.flags) write_flag(out, flag);
  if (!page.example.empty() && page.verbs.empty()) {
    out << ".PP\nExample:\n.PP\n.nf\n.RS\n";
    std::string_view rest = page.example.starts_with("Example:\n")
                                ? std::string_view(page.example).substr(9)
                                : std::string_view(page.example);
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      out << roff(rest.substr(0, end)) << '\n';
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    out << ".RE\n.fi\n";
  }
  for (const CommandPage& verb : page.verbs) write_command(out, before + page.name + ' ', verb);
}

void write_manual(std::ostream& out) {
  out << fmt::format(".TH PARLOR 1 \"\" \"parlor {}\" \"User Commands\"\n", parlor_version())
      << ".SH NAME\nparlor \\- a rules engine for turn\\-based tabletop games\n"
         ".SH SYNOPSIS\n.B parlor\n.I COMMAND\n.RI [ OPTIONS ]\n"
         ".SH DESCRIPTION\n"
         "Rules are data, house rules are modules: parlor checks a game, plays it, lets bots play "
         "it\n"
         "and says whether it works, is fair and is fun.\n.PP\n"
         ".I GAME\nis the name of a shipped game (see\n.BR \"parlor list\" )\n"
         "or a path to a game file.\n.SH COMMANDS\n";
  for (const CommandPage& page : command_pages()) write_command(out, "", page);
  out << ".SH \"EXIT STATUS\"\n.TP\n.B 0\nfine\n.TP\n.B 1\nthe input has errors\n"
         ".TP\n.B 2\nwrong usage\n"
         ".SH ENVIRONMENT\n.TP\n.B PARLOR_GAMES\nthe folder in which shipped games are looked for\n"
         ".TP\n.B NO_COLOR\nif set, nothing is coloured\n";
}

}  // namespace

CommandSpec manual_command() {
  return {.name = "manual",
          .summary = "Print the manual page, for man(1)",
          .example = "parlor manual > parlor.1 && man ./parlor.1",
          .declare = [](CLI::App&) -> Run {
            return [](Context& context) {
              if (!context.json) {
                write_manual(context.out);
                return exit_fine;
              }
              Json commands = Json::array();
              for (const CommandPage& page : command_pages())
                commands.push_back({{"name", page.name}, {"summary", page.summary}});
              print_json(context, {{"commands", std::move(commands)}});
              return exit_fine;
            };
          },
          .json_help = "print the commands with their summaries as JSON"};
}

}  // namespace parlor::cli
