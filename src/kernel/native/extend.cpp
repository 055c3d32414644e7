// What native modules add to a game, and what they may not touch.
#include <algorithm>
#include <fmt/core.h>

#include "kernel/module.h"

namespace parlor::kernel {
namespace {

void unowned(std::string message, const std::string& better, Diagnostics& out) {
  Diagnostic diagnostic{Code::MODULE_NAME_UNOWNED, Severity::error, std::move(message)};
  if (!better.empty()) diagnostic.alternatives.push_back(better);
  out.add(std::move(diagnostic));
}

void meddles(const std::string& module, const std::string& section, Diagnostics& out) {
  out.add(
      {.code = Code::MODULE_SECTION_CONFLICT,
       .message = fmt::format("module `{}` changes `{}`, which is the game's", module, section)});
}

// One module's work: every part of the game before and after it. What may grow is compared and then
// taken out of both; whatever still differs in the end was the game's.
class Inspection {
 public:
  Inspection(std::string module, spec::GameDef before, spec::GameDef after, Diagnostics& out)
      : module_(std::move(module)),
        before_(std::move(before)),
        after_(std::move(after)),
        out_(out) {}

  void run() {
    using Def = spec::GameDef;
    named(&Def::global_vars, &spec::VarDef::name, "globalVars");
    named(&Def::per_player_vars, &spec::VarDef::name, "perPlayerVars");
    named(&Def::zone_vars, &spec::VarDef::name, "zoneVars");
    named(&Def::zones, &spec::ZoneDef::base, "zones");
    named(&Def::token_types, &spec::TokenTypeDef::id, "tokenTypes");
    named(&Def::actions, &spec::ActionDef::id, "actions");
    named(&Def::pipelines, &spec::PipelineDef::id, "actionPipelines");
    named(&Def::triggers, &spec::TriggerDef::id, "triggers");
    named(&Def::hooks, &spec::HookDef::id, "hooks");
    named(&Def::timed_effects, &spec::TimedEffectDef::id, "effects");
    named(&Def::tables, &spec::TableDef::id, "dataAssets");
    named(&Def::global_marker_lattices, &spec::MarkerLattice::id, "globalMarkerLattices");
    grown(before_.setup, after_.setup, "setup");
    grown(before_.rounds.reset_each_round, after_.rounds.reset_each_round, "rounds");
    grown(before_.places, after_.places, "places");
    constants();
    rest();
  }

 private:
  template <class Item>
  bool grown(std::vector<Item>& before, std::vector<Item>& after, const char* section) {
    const bool kept =
        after.size() >= before.size() && std::equal(before.begin(), before.end(), after.begin());
    if (!kept) meddles(module_, section, out_);
    before.clear();
    after.clear();
    return kept;
  }

  template <class Item>
  void named(std::vector<Item> spec::GameDef::*list, std::string Item::*name, const char* section) {
    std::vector<std::string> added;
    for (std::size_t i = (before_.*list).size(); i < (after_.*list).size(); ++i)
      added.push_back((after_.*list)[i].*name);
    if (grown(before_.*list, after_.*list, section))
      for (const std::string& given : added) own(given);
  }

  void own(const std::string& given) {
    if (given.starts_with(module_ + ".")) return;
    unowned(fmt::format("`{}` is declared by module `{}`, so it must begin with `{}.`", given,
                        module_, module_),
            fmt::format("{}.{}", module_, given), out_);
  }

  void constants() {
    for (const auto& [name, value] : after_.constants.items())
      if (!before_.constants.contains(name)) own(name);
    for (const auto& [name, value] : before_.constants.items())
      if (!after_.constants.contains(name) || after_.constants[name] != value)
        meddles(module_, fmt::format("constants.{}", name), out_);
    before_.constants = after_.constants = Json::object();
  }

  void rest() {
    const Json before = spec::to_json(before_), after = spec::to_json(after_);
    for (const auto& [section, value] : after.items())
      if (!before.contains(section) || before[section] != value) meddles(module_, section, out_);
    for (const auto& [section, value] : before.items())
      if (!after.contains(section)) meddles(module_, section, out_);
  }

  std::string module_;
  spec::GameDef before_, after_;
  Diagnostics& out_;
};

// Whether these go together with what the game has already.
Diagnostics check_together(const spec::GameDef& game, const NativeModules& modules) {
  Diagnostics out;
  std::vector<rules::Module> all(game.modules.begin(), game.modules.end());
  const std::size_t files = all.size();
  for (const auto& module : modules) {
    const rules::Module info = module->info();
    rules::Registry probe;
    out.append(probe.add(info));
    const auto same = std::ranges::find(all, info.id, &rules::Module::id);
    // A module may be half data, half code: then the file has said who it is.
    if (same == all.end())
      all.push_back(info);
    else if (std::cmp_greater_equal(same - all.begin(), files))
      out.add({.code = Code::RULE_DUPLICATE,
               .message = fmt::format("there are two modules `{}`", info.id)});
  }
  std::vector<rules::Activation> set;
  for (const rules::Module& module : all) set.push_back(rules::activation_of(module));
  if (!out.has_errors()) out.append(rules::Registry::of_strangers(all).check(set));
  return out;
}

}  // namespace

Diagnostics extend(spec::GameDef& game, const NativeModules& modules) {
  Diagnostics out = check_together(game, modules);
  if (out.has_errors()) return out;
  NativeModules sorted = modules;
  std::ranges::sort(sorted, {}, [](const auto& module) {
    const rules::Module info = module->info();
    return std::pair{info.order.value_or(0), info.id};
  });
  for (const auto& module : sorted) {
    const rules::Module info = module->info();
    const spec::GameDef before = game;
    module->extend(game);
    Inspection(info.id, before, game, out).run();
    for (std::size_t i = before.hooks.size(); i < game.hooks.size(); ++i)
      game.hooks[i].module = info.id;
    if (std::ranges::find(game.modules, info.id, &spec::ModuleInfo::id) == game.modules.end())
      game.modules.push_back(module->info());
  }
  return out;
}

}  // namespace parlor::kernel
