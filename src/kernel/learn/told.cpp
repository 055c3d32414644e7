#include "kernel/learn/told.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

// The variables that some expression of a part of the rules reads. False: some are known only while
// playing.
bool add_reads(const Json& rules, std::set<std::string>& out) {
  bool known = true;
  if (rules.is_object() && rules.contains("ref"))
    if (const auto name = rules.find("var"); name != rules.end()) {
      known = name->is_string();
      if (known) out.insert(name->get<std::string>());
    }
  if (rules.is_structured())
    for (const Json& part : rules) known = add_reads(part, out) && known;
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
  const Json rules = to_json(program.def);
  for (const char* part : {"actions", "actionPipelines", "eventDecks", "hooks", "terminal"})
    if (rules.contains(part)) known = add_reads(rules[part], read) && known;
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
