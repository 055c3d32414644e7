#include "cli/command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <iostream>

namespace parlor::cli {
namespace {

constexpr std::size_t most_legal_shown = 24;

struct Declared {
  CommandSpec spec;
  CLI::App* app = nullptr;
  Run run;
};

std::string quoted_list(std::span<const std::string> names) {
  std::string out;
  for (const auto& name : names) out += fmt::format("{}`{}`", out.empty() ? "" : ", ", name);
  return out;
}

std::string indented(std::string_view text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

void declare_commands(CLI::App& program, Context& context, std::vector<Declared>& out) {
  for (CommandSpec& spec : all_commands()) {
    CLI::App* app = program.add_subcommand(spec.name, spec.summary);
    app->footer("Example:\n" + indented(spec.example));
    Run run = spec.declare(*app);
    app->add_flag("--json", context.json, spec.json_help);
    out.push_back({std::move(spec), app, std::move(run)});
  }
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The first argument that is a flag nobody declared.
std::optional<std::string> unknown_flag(const CLI::App& app) {
  for (const std::string& argument : app.remaining(true))
    if (argument.size() > 1 && argument.front() == '-')
      return argument.substr(0, argument.find('='));
  return std::nullopt;
}

// A command of commands was not told which of them, or one that is not there.
int unknown_verb(Context& context, const Declared& command, const std::vector<CLI::App*>& verbs) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs) names.push_back(verb->get_name());
  const auto given = command.app->remaining();
  const std::string what =
      given.empty() ? fmt::format("`parlor {}` needs to be told what to do", command.spec.name)
                    : fmt::format("`parlor {}` cannot `{}`", command.spec.name, given.front());
  return fail_usage(
      context, fmt::format("{}: {}", what, fmt::join(names, ", ")),
      given.empty() ? std::vector<std::string>{} : did_you_mean(given.front(), names));
}

int usage_error(Context& context, const Declared& command, const std::string& what) {
  const CLI::App* meant = command.app;
  std::string name = command.spec.name;
  const auto verbs = command.app->get_subcommands([](const CLI::App*) { return true; });
  if (const auto told = command.app->get_subcommands(); !told.empty()) {
    meant = told.front();
    name += ' ' + meant->get_name();
  } else if (!verbs.empty()) {
    return unknown_verb(context, command, verbs);
  }
  if (const auto flag = unknown_flag(*command.app))
    return fail_usage(context, fmt::format("`parlor {}` has no option `{}`", name, *flag),
                      did_you_mean(*flag, flag_names(*meant)));
  return fail_usage(context, fmt::format("{}\nsee `parlor {} --help`", what, name));
}

int unknown_command(Context& context, const std::string& name,
                    const std::vector<Declared>& commands) {
  std::vector<std::string> names;
  for (const Declared& command : commands) names.push_back(command.spec.name);
  if (name.starts_with('-'))
    return fail_usage(context,
                      fmt::format("`parlor` has no option `{}`; a command comes first", name));
  return fail_usage(context,
                    fmt::format("there is no command `{}`; `parlor --help` lists them", name),
                    did_you_mean(name, names));
}

// `parlor help [COMMAND]` and `parlor --version` are what people try first.
std::vector<std::string> everyday_forms(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  if (arguments[0] == "--version" || arguments[0] == "-V") arguments[0] = "version";
  if (arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  return arguments;
}

int run_declared(Context& context, Declared& command, std::vector<std::string> arguments) {
  // Known even if parsing stops early, so that a usage error is told in the form asked for.
  context.json = std::ranges::find(arguments, "--json") != arguments.end();
  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  try {
    command.app->parse(arguments);
  } catch (const CLI::CallForHelp&) {
    context.out << command.app->help("parlor");
    return exit_fine;
  } catch (const CLI::ParseError& error) {
    return usage_error(context, command, error.what());
  }
  context.command = command.spec.name;
  for (const CLI::App* verb : command.app->get_subcommands())
    context.command += "." + verb->get_name();
  return command.run(context);
}

void print_legal(std::ostream& err, const Json& legal) {
  err << "legal options:\n";
  std::size_t shown = 0;
  for (const Json& option : legal) {
    if (++shown > most_legal_shown) {
      err << fmt::format("  … and {} more\n", legal.size() - most_legal_shown);
      return;
    }
    Json rest = option;
    rest.erase("index");
    err << fmt::format("  {:>3}  {}\n", canonical(option.value("index", Json{})), canonical(rest));
  }
}

}  // namespace

std::vector<CommandSpec> all_commands() {
  return {
#define COMMAND(name) name##_command(),
#include "cli/commands.def"
#undef COMMAND
  };
}

int run_program(const std::vector<std::string>& arguments, Context& context) {
  CLI::App program{"Parlor: a rules engine for turn-based tabletop games.", "parlor"};
  program.footer(
      "`parlor COMMAND --help` explains a command with an example.\n"
      "GAME is the name of a shipped game (`parlor list`) or a path to a game file.\n"
      "Exit codes: 0 fine, 1 the input has errors, 2 wrong usage.");
  std::vector<Declared> commands;
  declare_commands(program, context, commands);

  std::vector<std::string> args = everyday_forms(arguments);
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    (args.empty() ? context.err : context.out) << program.help("");
    return args.empty() ? exit_usage : exit_fine;
  }
  const std::string name = args.front();
  args.erase(args.begin());
  for (Declared& command : commands)
    if (command.spec.name == name) return run_declared(context, command, std::move(args));
  context.json = std::ranges::find(args, "--json") != args.end();
  return unknown_command(context, name, commands);
}

void print_line(Context& context, const Json& value) {
  context.out << canonical(value) << '\n';
}

void print_json(Context& context, Json answer) {
  if (!answer.contains("ok")) answer["ok"] = true;
  if (!answer.contains("format"))
    answer["format"] =
        fmt::format("parlor.{}.1",
                    answer["ok"] == false && answer.contains("error") ? "error" : context.command);
  print_line(context, answer);
}

int fail(Context& context, const Rejection& rejection, int exit_code) {
  context.err << fmt::format("error[{}]: {}\n", rejection.code, rejection.message);
  if (const auto legal = rejection.details.find("legal"); legal != rejection.details.end())
    print_legal(context.err, *legal);
  if (context.json) print_json(context, {{"ok", false}, {"error", to_json(rejection)}});
  return exit_code;
}

int fail(Context& context, const OpenFailure& failure) {
  context.err << render(failure.diagnostics, failure.texts, context.err_colour);
  int exit_code = exit_input;
  Json error = nullptr;
  for (const Diagnostic& d : failure.diagnostics.all()) {
    if (d.severity != Severity::error) continue;
    // A slip in the command line itself.
    if (d.code == Code::GAME_UNKNOWN || d.code == Code::USAGE) exit_code = exit_usage;
    error = to_json(Rejection{d.code, d.message, {{"alternatives", d.alternatives}}});
    break;
  }
  if (context.json)
    print_json(context,
               {{"ok", false}, {"error", error}, {"diagnostics", to_json(failure.diagnostics)}});
  return exit_code;
}

int fail(Context& context, const Diagnostic& diagnostic, int exit_code) {
  context.err << render(diagnostic, SourceTexts{}, context.err_colour);
  if (context.json)
    print_json(context, {{"ok", false},
                         {"error", to_json(Rejection{diagnostic.code,
                                                     diagnostic.message,
                                                     {{"alternatives", diagnostic.alternatives}}})},
                         {"diagnostics", Json::array({to_json(diagnostic)})}});
  return exit_code;
}

int fail_usage(Context& context, std::string message, std::vector<std::string> alternatives) {
  context.err << fmt::format("error[{}]: {}\n", code_name(Code::USAGE), message);
  if (!alternatives.empty()) context.err << "did you mean: " << quoted_list(alternatives) << '\n';
  if (context.json)
    print_json(
        context,
        {{"ok", false},
         {"error",
          to_json(Rejection{Code::USAGE, std::move(message), {{"alternatives", alternatives}}})}});
  return exit_usage;
}

}  // namespace parlor::cli
