#include "cli/pages.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"

namespace parlor::cli {
namespace {

CommandPage page_of(const CLI::App& app) {
  CommandPage page{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    FlagPage flag;
    flag.names = option->get_name(false, true);
    flag.value = option->get_items_expected_max() > 0 ? option->get_type_name() : "";
    if (const auto colon = flag.value.find(':'); colon != flag.value.npos) flag.value.resize(colon);
    flag.help = option->get_description();
    for (const std::string& name : option->get_lnames()) flag.long_names.push_back("--" + name);
    (option->get_positional() ? page.positionals : page.flags).push_back(std::move(flag));
  }
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    page.verbs.push_back(page_of(*verb));
  return page;
}

}  // namespace

std::vector<CommandPage> command_pages() {
  std::vector<CommandPage> out;
  for (const CommandSpec& spec : all_commands()) {
    CLI::App app{spec.summary, spec.name};
    const Run run = spec.declare(app);  // keeps what the options are read into
    bool json = false;
    app.add_flag("--json", json, spec.json_help);
    CommandPage page = page_of(app);
    page.name = spec.name;
    page.example = spec.example;
    out.push_back(std::move(page));
  }
  return out;
}

}  // namespace parlor::cli
