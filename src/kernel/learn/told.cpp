#include "kernel/learn/told.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "kernel/tell/wording.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {
namespace {

// The variables that some expression of a part of the rules reads. False: some are known only while
// playing.
bool add_reads(spec::Part rules, std::set<std::string>& out) {
  bool known = true;
  spec::visit_if<spec::GvarRef, spec::PvarRef, spec::ZoneVarRef>(rules, [&](const auto& ref) {
    known = ref.var.kind == spec::Name::Kind::literal;
    if (known) out.insert(ref.var.text);
  });
  spec::each_part(rules, [&](spec::Part part) { known = add_reads(part, out) && known; });
  return known;
}

// The variables with the fingerprint of the position last observed, if a token type is a memory of
// positions: an internal zone has its name, and every number of a token is also a variable
// (spec/expand/memories.h). Otherwise empty.
std::vector<std::string> fingerprint_of(const Program& p, const TypeInfo& type) {
  std::vector<std::string> out;
  const bool kept = std::ranges::any_of(p.zones, [&](const ZoneInfo& zone) {
    return zone.internal && p.bases[zone.base].name == type.id;
  });
  for (std::size_t prop = 0; kept && prop < p.props.size(); ++prop) {
    if (type.column[prop] < 0) continue;
    std::string name = fmt::format("{}-{}", type.id, p.props[prop]);
    if (std::ranges::find(p.gvars, name, &VarInfo::name) == p.gvars.end()) return {};
    out.push_back(std::move(name));
  }
  return out;
}

}  // namespace

Told::Told(const Program& program) {
  std::set<std::string> read, never;
  for (const TypeInfo& type : program.types) {
    const std::vector<std::string> fingerprint = fingerprint_of(program, type);
    types.push_back(fingerprint.empty());
    never.insert(fingerprint.begin(), fingerprint.end());
  }
  bool known = true;
  const spec::GameDef& def = program.def;
  for (const spec::Part part :
       {spec::Part::of(def.actions), spec::Part::of(def.pipelines), spec::Part::of(def.event_decks),
        spec::Part::of(def.hooks), spec::Part::of(def.terminal)})
    known = add_reads(part, read) && known;
  const auto list = [&](const Vars& vars, std::vector<VarId>& out) {
    for (const VarId i : vars.ids()) {
      const bool shown = vars[i].material && !program.wording->omitted.contains(vars[i].name);
      if ((shown || !known || read.contains(vars[i].name)) && !never.contains(vars[i].name))
        out.push_back(i);
    }
  };
  list(program.gvars, globals);
  list(program.pvars, of_players);
  list(program.zvars, of_zones);
}

}  // namespace parlor::kernel
