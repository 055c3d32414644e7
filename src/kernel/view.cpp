// A state as data and as text, for players and tools.
#include <fmt/format.h>

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
Json zone_json(Machine& machine, Viewer viewer, int z) {
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
    if (record.until_turn != 0) entry["expiresAtTurn"] = record.until_turn;
    if (record.until_round != 0) entry["expiresAtRound"] = record.until_round;
    if (record.until_turn_of >= 0) entry["expiresAtNextTurnOf"] = record.until_turn_of;
    if (record.charges >= 0) entry["charges"] = record.charges;
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

Json KernelGame::view(const StateBlock& block, Viewer viewer) const {
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

// ---- Text

namespace {

// How a token looks on a board: its owner's or own initial.
std::string glyph(Machine& machine, int t) {
  const Program& p = machine.program();
  const TypeInfo& type = p.types[machine.memory().token(t).type];
  std::string text = type.id.substr(0, 1);
  for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
    const Value v = machine.memory().prop(t, static_cast<int>(prop));
    const std::string& name = p.props[prop];
    if (name == "symbol" || name == "glyph") return machine.text_of(v);
    if ((name == "owner" || name == "player" || name == "side" || name == "colour" ||
         name == "color") &&
        !v.is_none())
      text = fmt::format("{}{:.1}", p.types.size() > 1 ? text : "", machine.text_of(v));
  }
  return text;
}

std::int64_t attribute(const Program& p, std::size_t z, const char* name, bool& found) {
  for (std::size_t a = 0; a < p.attributes.size(); ++a) {
    const Value v = p.zone_attributes[z * p.attributes.size() + a];
    if (p.attributes[a] == name && v.is_int()) return v.payload();
  }
  found = false;
  return 0;
}

// Boards whose zones know row and column (or q and r) are drawn; gives the zones that were.
std::vector<bool> draw_board(Machine& machine, Viewer viewer, std::string& out) {
  const Program& p = machine.program();
  std::vector<bool> drawn(p.zones.size());
  std::map<std::int64_t, std::map<std::int64_t, std::size_t>> rows;
  bool hex = false;
  for (std::size_t z = 0; z < p.zones.size(); ++z) {
    bool square = true, six = true;
    const std::int64_t row = attribute(p, z, "row", square),
                       column = attribute(p, z, "col", square);
    const std::int64_t q = attribute(p, z, "q", six), r = attribute(p, z, "r", six);
    if (!square && !six) continue;
    drawn[z] = true;
    hex |= !square;
    if (square)
      rows[row][column] = z;
    else
      rows[r][2 * q + r] = z;
  }
  if (rows.empty()) return drawn;
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const auto& [row, columns] : rows) {
    first = std::min(first, columns.begin()->first);
    last = std::max(last, columns.rbegin()->first);
  }
  for (const auto& [row, columns] : rows) {
    out += fmt::format("{:>3} ", row);
    for (std::int64_t c = first; c <= last; ++c) {
      const auto at = columns.find(c);
      if (at == columns.end()) {
        out += hex ? " " : "   ";
        continue;
      }
      const int z = static_cast<int>(at->second);
      const int t = machine.memory().first(z);
      std::string cell = ".";
      if (t >= 0) cell = can_see(machine, viewer, t) ? glyph(machine, t) : "?";
      if (machine.memory().zone(z).count > 1)
        cell += std::to_string(machine.memory().zone(z).count);
      out += hex ? cell : fmt::format("{:>2} ", cell);
    }
    out += "\n";
  }
  if (!hex) {
    out += "    ";
    for (std::int64_t c = first; c <= last; ++c) out += fmt::format("{:>2} ", c);
    out += "\n";
  }
  return drawn;
}

std::string token_text(Machine& machine, int t) {
  const Program& p = machine.program();
  std::string out;
  for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
    const Value v = machine.memory().prop(t, static_cast<int>(prop));
    if (!v.is_none()) out += fmt::format("{}{}", out.empty() ? "(" : ",", machine.text_of(v));
  }
  return fmt::format("{}{}{}", p.types[machine.memory().token(t).type].id, out,
                     out.empty() ? "" : ")");
}

// The tokens of a zone that the viewer sees, as many as fit a line. Those that look the same stand
// together with their number; where order matters only neighbours do. Gives how many were named.
int list_tokens(Machine& machine, Viewer viewer, int z, std::string& out) {
  const bool any_order =
      machine.program().zones[static_cast<std::size_t>(z)].ordering == spec::Ordering::set;
  std::vector<std::pair<std::string, int>> groups;
  int shown = 0;
  for (int t = machine.memory().first(z); t >= 0; t = machine.memory().next(t)) {
    if (!can_see(machine, viewer, t)) continue;
    std::string text = token_text(machine, t);
    auto same = any_order ? std::find_if(groups.begin(), groups.end(),
                                         [&](const auto& g) { return g.first == text; })
                          : groups.end();
    if (!any_order && !groups.empty() && groups.back().first == text) same = groups.end() - 1;
    if (same == groups.end() && groups.size() == 24) break;
    if (same == groups.end())
      groups.emplace_back(std::move(text), 1);
    else
      ++same->second;
    ++shown;
  }
  for (const auto& [text, number] : groups)
    out += number == 1 ? fmt::format(" {}", text) : fmt::format(" {} x{}", text, number);
  return shown;
}

}  // namespace

std::string KernelGame::describe(const StateBlock& block, Viewer viewer) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Header& h = machine.header();
  std::string out =
      fmt::format("{}: turn {}, round {}, phase {}, {} to act\n", info_.name, h.turn, h.round,
                  p.phases[static_cast<std::size_t>(h.phase)].id, info_.seats[h.active]);
  const std::vector<bool> drawn = draw_board(machine, viewer, out);
  for (std::size_t z = 0; z < p.zones.size(); ++z) {
    const int count = machine.memory().zone(static_cast<int>(z)).count;
    if (drawn[z] || count == 0 || p.zones[z].internal) continue;
    out += fmt::format("  {} ({}):", p.zones[z].id, count);
    const int shown = list_tokens(machine, viewer, static_cast<int>(z), out);
    if (shown < count) out += shown == 0 ? " hidden" : " …";
    out += "\n";
  }
  auto line = [&](const std::string& name, const std::vector<VarInfo>& vars, auto read) {
    if (vars.empty()) return;
    out += fmt::format("  {}:", name);
    for (std::size_t i = 0; i < vars.size(); ++i) {
      const std::int64_t v = read(static_cast<int>(i));
      out += fmt::format(" {}={}", vars[i].name,
                         vars[i].boolean ? (v != 0 ? "yes" : "no") : std::to_string(v));
    }
    out += "\n";
  };
  line("game", p.gvars, [&](int v) { return machine.memory().gvar(v); });
  for (int i = 0; i < p.players; ++i)
    line(info_.seats[static_cast<std::size_t>(i)], p.pvars,
         [&](int v) { return machine.memory().pvar(i, v); });
  return out;
}

}  // namespace parlor::kernel
