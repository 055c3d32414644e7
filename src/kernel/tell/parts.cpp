// What a data game consists of, for people and tools.
#include "kernel/kernel.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {
namespace {

template <class List>
Json ids_of(const List& list) {
  Json out = Json::array();
  for (const auto& entry : list) out.push_back(entry.id);
  return out;
}

Json zones_of(const std::vector<spec::ZoneDef>& list) {
  Json out = Json::array();
  for (const auto& zone : list) out.push_back(zone.base);
  return out;
}

Json variables_of(const std::vector<spec::VarDef>& list) {
  Json out = Json::array();
  for (const auto& variable : list) out.push_back(variable.name);
  return out;
}

}  // namespace

Json KernelGame::parts() const {
  const spec::GameDef& def = program_->def;
  return {{"phases", ids_of(def.phases)},
          {"actions", ids_of(def.actions)},
          {"zones", zones_of(def.zones)},
          {"tokenTypes", ids_of(def.token_types)},
          {"globalVars", variables_of(def.global_vars)},
          {"perPlayerVars", variables_of(def.per_player_vars)},
          {"zoneVars", variables_of(def.zone_vars)},
          {"triggers", ids_of(def.triggers)},
          {"constants", def.constants},
          {"constantRanges", spec::encoded(spec::Part::of(def.constant_ranges))}};
}

std::string KernelGame::listing() const {
  return disassemble(*program_);
}

}  // namespace parlor::kernel
