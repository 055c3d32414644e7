#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"
#include "spec/gamedef/language.h"

namespace parlor::cli {
namespace {

constexpr spec::Family families[] = {spec::Family::effect, spec::Family::condition,
                                     spec::Family::value, spec::Family::query,
                                     spec::Family::record};

void print_construct(Context& context, const spec::Construct& construct) {
  context.out << fmt::format("{} {}\n    {}\n", spec::family_name(construct.family),
                             construct.name(), construct.tag.about);
  for (const spec::FieldInfo& field : construct.fields) {
    const std::string_view expects = spec::expects_name(field.spec.expects);
    if (expects.empty()) continue;
    const std::string key = fmt::format("{}{}{}", field.inside, field.inside.empty() ? "" : ".",
                                        field.key.empty() ? "(itself)" : field.key);
    const std::string where = spec::only_where(construct, field);
    context.out << fmt::format("    {:<22} {}{}{}{}{}{}\n", key, expects, where.empty() ? "" : " ",
                               where, field.spec.required ? "" : ", optional",
                               field.spec.about.empty() ? "" : ": ", field.spec.about);
  }
}

int print_named(Context& context, const std::string& name) {
  std::vector<std::string> names;
  bool found = false;
  for (const spec::Construct& construct : spec::language()) {
    names.emplace_back(construct.name());
    if (construct.name() != name) continue;
    print_construct(context, construct);
    found = true;
  }
  if (found) return exit_fine;
  return fail_usage(
      context, fmt::format("the language has no `{}`; `parlor language` lists everything", name),
      did_you_mean(name, names));
}

int print_table(Context& context, const std::string& wanted) {
  for (const spec::Family family : families)
    if (spec::family_name(family) == wanted) {
      context.out << spec::language_table(family);
      return exit_fine;
    }
  return fail_usage(context, fmt::format("there is no table `{}`", wanted),
                    {"effect", "condition", "value", "query", "record"});
}

int print_words(Context& context) {
  for (const std::string& word : spec::language_words()) context.out << word << '\n';
  return exit_fine;
}

int print_names(Context& context) {
  for (const spec::Family family : families) {
    context.out << spec::family_name(family) << '\n';
    for (const spec::Construct& construct : spec::language())
      if (construct.family == family)
        context.out << fmt::format("    {:<24} {}\n", construct.name(), construct.tag.about);
  }
  return exit_fine;
}

}  // namespace

CommandSpec language_command() {
  return {.name = "language",
          .summary = "List the words of the game language, or say what one takes",
          .example = "parlor language forEach\nparlor language --json",
          .declare = [](CLI::App& app) -> Run {
            struct Options {
              std::string word, table;
              bool words = false;
            };
            auto options = std::make_shared<Options>();
            app.add_option("WORD", options->word, "an effect, condition, value, query or record");
            app.add_option("--table", options->table,
                           "the table of a family in Markdown: effect, condition, value, query or "
                           "record");
            app.add_flag("--words", options->words, "every word by itself, for dictionaries");
            return [options](Context& context) {
              if (context.json) {
                print_json(context, spec::language_json());
                return exit_fine;
              }
              if (!options->table.empty()) return print_table(context, options->table);
              if (options->words) return print_words(context);
              return options->word.empty() ? print_names(context)
                                           : print_named(context, options->word);
            };
          },
          .json_help = "print everything as JSON, for editors: names, fields, what each expects"};
}

}  // namespace parlor::cli
