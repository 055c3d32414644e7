#include "rules/native.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::rules {
namespace {

void unowned(std::string message, const std::string& better, Diagnostics& out) {
  Diagnostic diagnostic{Code::MODULE_NAME_UNOWNED, Severity::error, std::move(message)};
  if (!better.empty()) diagnostic.alternatives.push_back(better);
  out.add(std::move(diagnostic));
}

// One list of the game before and after a module has been at work.
template <class Item>
void check_list(const std::string& module, const std::vector<Item>& before,
                const std::vector<Item>& after, std::string Item::*name, Diagnostics& out) {
  const bool kept =
      after.size() >= before.size() && std::equal(before.begin(), before.end(), after.begin());
  if (!kept)
    return unowned(fmt::format("module `{}` changes what is not its own", module), {}, out);
  for (std::size_t i = before.size(); i < after.size(); ++i)
    if (const std::string& given = after[i].*name; !given.starts_with(module + "."))
      unowned(fmt::format("`{}` is declared by module `{}`, so it must begin with `{}.`", given,
                          module, module),
              fmt::format("{}.{}", module, given), out);
}

void check_ownership(const std::string& module, const spec::GameDef& before,
                     const spec::GameDef& after, Diagnostics& out) {
  check_list(module, before.global_vars, after.global_vars, &spec::VarDef::name, out);
  check_list(module, before.per_player_vars, after.per_player_vars, &spec::VarDef::name, out);
  check_list(module, before.zone_vars, after.zone_vars, &spec::VarDef::name, out);
  check_list(module, before.zones, after.zones, &spec::ZoneDef::base, out);
  check_list(module, before.token_types, after.token_types, &spec::TokenTypeDef::id, out);
  check_list(module, before.actions, after.actions, &spec::ActionDef::id, out);
  check_list(module, before.pipelines, after.pipelines, &spec::PipelineDef::id, out);
  check_list(module, before.triggers, after.triggers, &spec::TriggerDef::id, out);
  check_list(module, before.hooks, after.hooks, &spec::HookDef::id, out);
  check_list(module, before.timed_effects, after.timed_effects, &spec::TimedEffectDef::id, out);
}

}  // namespace

Diagnostics extend(spec::GameDef& game, const kernel::NativeModules& modules) {
  Diagnostics out;
  Shelf shelf;
  std::vector<std::string> ids;
  kernel::NativeModules sorted = modules;
  std::ranges::sort(sorted, {}, [](const auto& module) { return module->info().id; });
  for (const spec::ModuleInfo& info : game.modules) {
    out.append(shelf.add(info));
    ids.push_back(info.id);
  }
  // A module may be half data, half code: then the file has said who it is.
  const std::size_t files = ids.size();
  for (const auto& module : sorted) {
    const std::string id = module->info().id;
    if (std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(files), id) !=
        ids.begin() + static_cast<std::ptrdiff_t>(files))
      continue;
    out.append(shelf.add(module->info()));
    ids.push_back(id);
  }
  if (const auto chosen = shelf.choose(ids); !chosen && !out.has_errors())
    out.append(chosen.error());
  if (out.has_errors()) return out;
  for (const auto& module : sorted) {
    const std::string id = module->info().id;
    const spec::GameDef before = game;
    module->extend(game);
    check_ownership(id, before, game, out);
    for (std::size_t i = before.hooks.size(); i < game.hooks.size(); ++i) game.hooks[i].module = id;
    if (std::ranges::find(game.modules, id, &spec::ModuleInfo::id) == game.modules.end())
      game.modules.push_back(module->info());
  }
  return out;
}

}  // namespace parlor::rules
