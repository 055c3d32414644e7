#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"
#include "host/codes.h"

namespace parlor::cli {
namespace {

struct Explained {
  std::string_view name, help;
};

// What the compiler and the games say, and what tables and servers say.
std::vector<Explained> all_explained() {
  std::vector<Explained> out;
  for (const Code code : all_codes()) out.push_back({code_name(code), code_help(code)});
  for (const host::CodeHelp& code : host::table_codes()) out.push_back({code.name, code.help});
  return out;
}

Json code_to_json(const Explained& code) {
  return {{"code", code.name}, {"help", code.help}};
}

int explain_all(Context& context) {
  if (context.json) {
    Json list = Json::array();
    for (const Explained& code : all_explained()) list.push_back(code_to_json(code));
    print_json(context, {{"codes", list}});
    return exit_fine;
  }
  for (const Explained& code : all_explained())
    context.out << fmt::format("{}\n    {}\n", code.name, code.help);
  return exit_fine;
}

int explain_one(Context& context, std::string name) {
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  std::vector<std::string> names;
  for (const Explained& code : all_explained()) {
    names.emplace_back(code.name);
    if (code.name != name) continue;
    if (context.json)
      print_json(context, code_to_json(code));
    else
      context.out << fmt::format("{}: {}\n", code.name, code.help);
    return exit_fine;
  }
  return fail_usage(context, fmt::format("there is no code `{}`; `parlor explain` lists all", name),
                    did_you_mean(name, names));
}

}  // namespace

CommandSpec explain_command() {
  return {.name = "explain",
          .summary = "Say what a diagnostic or rejection code means; without a code, list them all",
          .example = "parlor explain GAME_UNKNOWN",
          .declare = [](CLI::App& app) -> Run {
            auto code = std::make_shared<std::string>();
            app.add_option("CODE", *code, "the code, as printed in brackets after `error`");
            return [code](Context& context) {
              return code->empty() ? explain_all(context) : explain_one(context, *code);
            };
          }};
}

}  // namespace parlor::cli
