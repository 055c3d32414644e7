// What a shell needs to complete commands, flags and the names of games. Games are asked for when
// somebody presses the key, so that new ones are known.
#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

#include "cli/command.h"
#include "cli/pages.h"

namespace parlor::cli {
namespace {

std::vector<std::string> words_of(const CommandPage& page) {
  std::vector<std::string> out;
  for (const CommandPage& verb : page.verbs) out.push_back(verb.name);
  for (const FlagPage& flag : page.flags)
    out.insert(out.end(), flag.long_names.begin(), flag.long_names.end());
  return out;
}

bool takes_game(const CommandPage& page) {
  return !page.positionals.empty() && page.positionals.front().names.starts_with("GAME");
}

// One line for each command and verb: "session new) words…".
template <class Write>
void each_command(Write write) {
  for (const CommandPage& page : command_pages()) {
    write(page.name, page);
    for (const CommandPage& verb : page.verbs) write(page.name + ' ' + verb.name, verb);
  }
}

void write_bash(std::ostream& out) {
  std::string names, cases, games;
  for (const CommandPage& page : command_pages()) names += page.name + ' ';
  each_command([&](const std::string& name, const CommandPage& page) {
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", name, fmt::join(words_of(page), " "));
    if (takes_game(page)) games += fmt::format("{}\"{}\"", games.empty() ? "" : "|", name);
  });
  out << "# bash completion for parlor\n"
         "_parlor() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words command=${COMP_WORDS[1]}\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      << fmt::format("    COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n    return\n  fi\n",
                     names)
      << "  [ \"$command\" = session ] && [ \"$COMP_CWORD\" -gt 2 ] && command=\"session "
         "${COMP_WORDS[2]}\"\n"
         "  case $command in\n"
      << cases
      << "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  [[ $current == -* ]] && return\n"
         "  case $command in\n    "
      << games << ") COMPREPLY+=($(compgen -W \"$(parlor completion games)\" -- \"$current\")) ;;\n"
      << "  esac\n"
         "  COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _parlor parlor\n";
}

}  // namespace

CommandSpec completion_command() {
  return {.name = "completion",
          .summary = "Print what bash (or zsh, with bashcompinit) needs to complete commands",
          .example = "source <(parlor completion bash)",
          .declare = [](CLI::App& app) -> Run {
            auto what = std::make_shared<std::string>();
            app.add_option("WHAT", *what, "bash, or games: the names of the shipped games")
                ->required()
                ->check(CLI::IsMember({"bash", "games"}));
            return [what](Context& context) {
              std::ostringstream text;
              const std::vector<std::string> names = context.catalog.names();
              if (*what == "bash")
                write_bash(text);
              else
                for (const std::string& name : names) text << name << '\n';
              if (context.json)
                print_json(context,
                           *what == "bash" ? Json{{"text", text.str()}} : Json{{"games", names}});
              else
                context.out << text.str();
              return exit_fine;
            };
          }};
}

}  // namespace parlor::cli
