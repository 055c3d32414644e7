// A state as data, for players and tools.
#include "kernel/hidden.h"
#include "kernel/kernel.h"
#include "kernel/machine.h"
#include "kernel/metrics.h"

namespace parlor::kernel {

namespace {

Json token_json(Machine& machine, int t) {
  const Program& p = machine.program();
  Json props = Json::object();
  for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
    const Value v = machine.memory().prop(t, static_cast<int>(prop));
    if (!v.is_none()) props[p.props[prop]] = machine.json_of(v);
  }
  const TypeInfo& type = p.types[machine.memory().token(t).type];
  return {{"id", machine.text_of(Value::token(t))}, {"type", type.id}, {"props", std::move(props)}};
}

// A zone as this viewer sees it: its tokens, how many there are, or both.
Json zone_json(Machine& machine, const Viewer& viewer, int z) {
  Json seen = Json::array();
  for (int t = machine.memory().first(z); t >= 0; t = machine.memory().next(t))
    if (can_see(machine, viewer, t)) seen.push_back(token_json(machine, t));
  const int count = machine.memory().zone(z).count;
  if (static_cast<int>(seen.size()) == count) return seen;
  if (seen.empty()) return count;
  return {{"count", count}, {"visible", std::move(seen)}};
}

Json vars_json(const std::vector<VarInfo>& vars, auto read) {
  Json out = Json::object();
  for (std::size_t i = 0; i < vars.size(); ++i) {
    const std::int64_t v = read(static_cast<int>(i));
    out[vars[i].name] = vars[i].boolean ? Json(v != 0) : Json(v);
  }
  return out;
}

Json effects_json(Machine& machine) {
  const Program& p = machine.program();
  Json out = Json::array();
  for (int k = 0; k < machine.header().effects; ++k) {
    const EffectRecord& record = machine.memory().at<EffectRecord>(p.layout.effects)[k];
    Json entry{{"effect", p.effect_kinds[static_cast<std::size_t>(record.kind)].id},
               {"createdAtTurn", record.created}};
    const spec::TimedEffectDef& def = p.def.timed_effects[static_cast<std::size_t>(record.kind)];
    if (!def.source_kind.empty())
      entry["source"] = {{"kind", def.source_kind}, {"ref", def.source_ref}};
    if (record.owner >= 0) entry["owner"] = record.owner;
    if (!record.target.is_none()) entry["target"] = machine.json_of(record.target);
    if (record.from_turn != 0) entry["startsAtTurn"] = record.from_turn;
    if (record.from_round != 0) entry["startsAtRound"] = record.from_round;
    if (record.until_turn != never) entry["expiresAtTurn"] = record.until_turn;
    if (record.until_round != never) entry["expiresAtRound"] = record.until_round;
    if (record.until_turn_of >= 0) entry["expiresAtNextTurnOf"] = record.until_turn_of;
    if (record.charges >= 0) entry["charges"] = record.charges;
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

Json KernelGame::view(const StateBlock& block, const Viewer& viewer) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Memory& memory = machine.memory();
  const Header& h = machine.header();
  Json zones = Json::object(), zone_vars = Json::object(), markers = Json::object(),
       global_markers = Json::object();
  for (int z = 0; z < static_cast<int>(p.zones.size()); ++z) {
    const std::string& id = p.zones[static_cast<std::size_t>(z)].id;
    zones[id] = zone_json(machine, viewer, z);
    if (!p.zvars.empty())
      zone_vars[id] = vars_json(p.zvars, [&](int i) { return memory.zvar(z, i); });
    for (int l = 0; l < static_cast<int>(p.lattices.size()); ++l)
      if (const int state = memory.marker(z, l); state >= 0)
        markers[id][p.lattices[static_cast<std::size_t>(l)].id] =
            p.text(p.lattices[static_cast<std::size_t>(l)].states[static_cast<std::size_t>(state)]);
  }
  for (int l = 0; l < static_cast<int>(p.global_lattices.size()); ++l) {
    const LatticeInfo& lattice = p.global_lattices[static_cast<std::size_t>(l)];
    global_markers[lattice.id] =
        p.text(lattice.states[static_cast<std::size_t>(memory.global_marker(l))]);
  }
  Json players = Json::array();
  for (int i = 0; i < p.players; ++i)
    players.push_back(vars_json(p.pvars, [&](int v) { return memory.pvar(i, v); }));
  Json out = {{"phase", p.phases[static_cast<std::size_t>(h.phase)].id},
              {"turn", h.turn},
              {"round", h.round},
              {"active", int{h.active}},
              {"globals", vars_json(p.gvars, [&](int v) { return memory.gvar(v); })},
              {"players", std::move(players)},
              {"zones", std::move(zones)},
              {"zoneVars", std::move(zone_vars)},
              {"markers", std::move(markers)},
              {"globalMarkers", std::move(global_markers)},
              {"effects", effects_json(machine)}};
  if (!metrics_->metrics.empty())
    out["metrics"] = metrics_json(memory, *metrics_, viewer.sees_all());
  if (!metrics_->standings.empty() && (viewer.sees_all() || !info_.hidden_information))
    out["standings"] = standings_json(memory, *metrics_);
  // Hooks see everything, so what they derive is only for those who do.
  if (viewer.sees_all())
    if (Json modules = machine.module_snapshots(); !modules.empty())
      out["modules"] = std::move(modules);
  return out;
}

}  // namespace parlor::kernel
