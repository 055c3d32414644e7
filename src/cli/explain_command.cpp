#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"

namespace parlor::cli {
namespace {

Json code_to_json(Code code) {
  return {{"code", code_name(code)}, {"help", code_help(code)}};
}

int explain_all(Context& context) {
  if (context.json) {
    Json list = Json::array();
    for (const Code code : all_codes()) list.push_back(code_to_json(code));
    print_json(context, list);
    return exit_fine;
  }
  for (const Code code : all_codes())
    context.out << fmt::format("{}\n    {}\n", code_name(code), code_help(code));
  return exit_fine;
}

int explain_one(Context& context, std::string name) {
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (const auto code = find_code(name)) {
    if (context.json)
      print_json(context, code_to_json(*code));
    else
      context.out << fmt::format("{}: {}\n", code_name(*code), code_help(*code));
    return exit_fine;
  }
  std::vector<std::string> names;
  for (const Code known : all_codes()) names.emplace_back(code_name(known));
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
