// The frame of the `parlor` program. A command is one file, NAME_command.cpp, with one function
// `CommandSpec NAME_command()`, and one line in commands.def; the rest (help, nearest suggestions,
// exit codes, error output) is done here once.
//
//   CommandSpec hello_command() {
//     return {.name = "hello",
//             .summary = "Greet a player",
//             .example = "parlor hello --name Ada",
//             .declare = [](CLI::App& app) -> Run {
//               auto name = std::make_shared<std::string>();   // lives as long as the returned Run
//               app.add_option("--name", *name, "whom to greet");
//               return [name](Context& context) {
//                 context.out << "Hello, " << *name << "!\n";
//                 return exit_fine;
//               };
//             }};
//   }
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "game/catalog.h"

namespace CLI {
class App;
}

namespace parlor::cli {

// 0 fine, 1 the input has errors, 2 wrong usage: an interface that scripts rely on.
inline constexpr int exit_fine = 0;
inline constexpr int exit_input = 1;
inline constexpr int exit_usage = 2;

// Everything a command may touch, so that tests can call commands in-process.
struct Context {
  const Catalog& catalog;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Colour out_colour = Colour::never;
  Colour err_colour = Colour::never;
  bool interactive = false;  // standard input and output are a terminal
  bool json = false;         // --json was given; set before a command runs
  std::string command = {};  // what runs, e.g. "sim" or "session.show"
};

using Run = std::function<int(Context&)>;

struct CommandSpec {
  std::string name;
  std::string summary;
  std::string example;                    // one or more lines, shown in --help
  std::function<Run(CLI::App&)> declare;  // adds options and says what to do with them
  std::string json_help = "print the result as JSON";
};

#define COMMAND(name) CommandSpec name##_command();
#include "cli/commands.def"
#undef COMMAND

std::vector<CommandSpec> all_commands();

// The whole program: `arguments` without the program's name. Returns the exit code.
int run_program(const std::vector<std::string>& arguments, Context& context);
// The same as a process: streams, colours, the catalog with files by path.
int run_process(int argc, char** argv);

// ---- How failures are told: always in words on `err`, and with --json also as one object
// {"ok": false, "error": {"code","message","details"}, "diagnostics"?} on `out`.

int fail(Context& context, const Rejection& rejection, int exit_code = exit_input);
int fail(Context& context, const OpenFailure& failure);
int fail(Context& context, const Diagnostic& diagnostic, int exit_code = exit_input);
int fail_usage(Context& context, std::string message, std::vector<std::string> alternatives = {});

// The answer of a command: an object, with `ok` and with its format, "parlor.COMMAND.1", unless it
// has one of its own. docs/schemas describes each.
void print_json(Context& context, Json answer);
// A line that is a part of something: of a trace, a file, another program's input.
void print_line(Context& context, const Json& value);

}  // namespace parlor::cli
