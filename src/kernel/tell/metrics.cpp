#include "kernel/tell/metrics.h"

#include <fmt/format.h>

namespace parlor::kernel {

namespace {

// Reads the sections, which are kept as data, into numbers of the Program.
class Reader {
 public:
  Reader(const Program& program, Diagnostics& diagnostics) : p_(program), d_(diagnostics) {}

  Metrics run() {
    Metrics out;
    const Json& list = child(p_.def.sections, "derivedMetrics");
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
      path_ = fmt::format("derivedMetrics.{}", i);
      out.metrics.push_back(metric(list[i]));
    }
    const Json& victory = child(p_.def.sections, "victoryStandings");
    if (!victory.is_null()) standings(victory, out);
    return out;
  }

 private:
  void wrong(const std::string& message) {
    Diagnostic diagnostic{Code::LINK_UNSUPPORTED, Severity::error, message};
    diagnostic.path = path_;
    d_.add(std::move(diagnostic));
  }

  static const Json& child(const Json& node, const char* key) {
    static const Json nothing;
    if (!node.is_object()) return nothing;
    const auto found = node.find(key);
    return found == node.end() ? nothing : *found;
  }
  std::string text(const Json& node, const char* key, bool needed = true) {
    const Json& found = child(node, key);
    if (found.is_string()) return found.get<std::string>();
    if (needed) wrong(fmt::format("`{}` must be a name", key));
    return "";
  }
  std::vector<std::string> texts(const Json& node, const char* key) {
    std::vector<std::string> out;
    const Json& list = child(node, key);
    if (!list.is_null() && !list.is_array()) wrong(fmt::format("`{}` must be a list", key));
    if (list.is_array())
      for (const Json& item : list)
        if (item.is_string()) out.push_back(item.get<std::string>());
    return out;
  }

  Value symbol(const std::string& name) const {
    const auto found = p_.symbols.find(name);
    return found ? Value::symbol(static_cast<Symbol>(found->value)) : Value{};
  }
  int zone(const std::string& id) const {
    for (std::size_t z = 0; z < p_.zones.size(); ++z)
      if (p_.zones[z].id == id || p_.zones[z].id == id + ":none") return static_cast<int>(z);
    return -1;
  }
  std::vector<bool> types(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::vector<bool> out(p_.types.size());
    for (const std::string& name : names) {
      bool known = false;
      for (std::size_t t = 0; t < p_.types.size(); ++t)
        if (p_.types[t].id == name) out[t] = known = true;
      if (!known) wrong(fmt::format("there is no token type `{}`", name));
    }
    return out;
  }
  int property(const std::string& name) {
    for (std::size_t i = 0; i < p_.props.size(); ++i)
      if (p_.props[i] == name) return static_cast<int>(i);
    wrong(fmt::format("no token type has a property `{}`", name));
    return -1;
  }

  Value attribute(int z, const std::string& name) const {
    for (std::size_t a = 0; a < p_.attributes.size(); ++a)
      if (p_.attributes[a] == name)
        return p_.zone_attributes[static_cast<std::size_t>(z) * p_.attributes.size() + a];
    return {};
  }
  bool equals(Value have, const Json& want) const {
    if (want.is_boolean()) return have == Value::boolean(want.get<bool>());
    if (want.is_number_integer()) return have == Value::integer(want.get<std::int64_t>());
    return want.is_string() && !have.is_none() && have == symbol(want.get<std::string>());
  }
  bool fits(const Json& filter, int z) {
    const ZoneInfo& info = p_.zones[static_cast<std::size_t>(z)];
    if (!filter.is_object()) return info.kind == spec::ZoneKind::board;
    const auto ids = texts(filter, "zoneIds"), kinds = texts(filter, "zoneKinds"),
               categories = texts(filter, "category");
    const auto has = [](const std::vector<std::string>& list, const std::string& item) {
      return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
    };
    const std::string bare = info.id.substr(0, info.id.find(":none"));
    if (!has(ids, info.id) && !has(ids, bare)) return false;
    if (!has(kinds, info.kind == spec::ZoneKind::board ? "board" : "aux")) return false;
    if (!has(categories, info.category < 0 ? "" : p_.text(info.category))) return false;
    const Json& wanted = child(filter, "attributeEquals");
    if (wanted.is_object())
      for (const auto& [name, value] : wanted.items())
        if (!equals(attribute(z, name), value)) return false;
    return true;
  }
  void weigh(Tally& tally, const Json& filter, const std::string& name) {
    for (int z = 0; z < static_cast<int>(p_.zones.size()); ++z) {
      if (!fits(filter, z)) continue;
      const Value weight = attribute(z, name);
      if (weight.is_none()) continue;  // a zone without it adds nothing
      if (!weight.is_int())
        return wrong(fmt::format("`{}` of {} is not a number", name,
                                 p_.zones[static_cast<std::size_t>(z)].id));
      tally.zones.emplace_back(z, weight.payload());
    }
  }

  void by_marker(Tally& tally, const std::string& marker, const Json& config,
                 const std::string& fallback) {
    for (std::size_t l = 0; l < p_.lattices.size(); ++l)
      if (p_.lattices[l].id == marker) tally.lattice = static_cast<int>(l);
    if (tally.lattice < 0) return wrong(fmt::format("there is no marker `{}`", marker));
    const auto& states = p_.lattices[static_cast<std::size_t>(tally.lattice)].states;
    const auto state = [&](const std::string& name) {
      const Value wanted = symbol(name);
      for (std::size_t s = 0; s < states.size(); ++s)
        if (Value::symbol(states[s]) == wanted) return static_cast<int>(s);
      return -1;
    };
    tally.twice = state(text(config, "activeState"));
    tally.once = state(text(config, "passiveState"));
    tally.unset = state(fallback);
    if (tally.twice < 0 || tally.once < 0)
      wrong(fmt::format("marker `{}` lacks the active or passive state", marker));
  }
  void by_control(Tally& tally, const std::string& control, const Json& groups) {
    tally.seat_prop = property(text(groups, "seatProp"));
    const auto values = [&](const char* key) {
      std::vector<Value> out;
      for (const std::string& seat : texts(groups, key)) out.push_back(symbol(seat));
      return out;
    };
    if (control == "coin") {
      tally.mine = values("coinSeats");
      tally.theirs = values("insurgentSeats");
    } else if (control == "solo") {
      tally.mine = {symbol(text(groups, "soloSeat"))};
      tally.against_all = true;
    } else {
      wrong("`controlFn` must be coin or solo");
    }
  }

  Metric metric(const Json& node) {
    Metric out;
    out.id = text(node, "id");
    const std::string computation = text(node, "computation");
    const Json& runtime = child(node, "runtime");
    if (!runtime.is_object() || text(runtime, "kind", false) != computation) {
      wrong("`runtime.kind` must be the same as `computation`");
      return out;
    }
    const std::string weight = computation == "totalEcon" ? "econ" : "population";
    bool declared = false;
    if (const Json& list = child(node, "requirements"); list.is_array())
      for (const Json& item : list) declared |= text(item, "key", false) == weight;
    if (!declared) wrong(fmt::format("`requirements` must name the attribute `{}`", weight));
    weigh(out.tally, child(node, "zoneFilter"), weight);
    if (computation == "markerTotal") {
      const std::string fallback = text(runtime, "defaultMarkerState", false);
      by_marker(out.tally, text(runtime, "markerId"), child(runtime, "markerConfig"),
                fallback.empty() ? "neutral" : fallback);
    } else {
      by_control(out.tally, text(runtime, "controlFn"), child(runtime, "seatGroupConfig"));
      out.tally.blocked_by = types(texts(runtime, "blockedByTokenTypes"));
      for (const auto& [z, unused] : out.tally.zones)
        out.open &=
            p_.zones[static_cast<std::size_t>(z)].visibility == spec::Visibility::visible_to_all;
    }
    return out;
  }

  void standings(const Json& node, Metrics& out) {
    path_ = "victoryStandings";
    const Json& entries = child(node, "entries");
    if (!entries.is_array()) return wrong("`entries` must be a list");
    out.tie_break = texts(node, "tieBreakOrder");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      path_ = fmt::format("victoryStandings.entries.{}", i);
      out.standings.push_back(standing(node, entries[i]));
    }
  }

  Standing standing(const Json& node, const Json& entry) {
    Standing out;
    out.seat = text(entry, "seat");
    const auto seat = std::find(p_.def.seats.begin(), p_.def.seats.end(), out.seat);
    if (seat != p_.def.seats.end()) out.player = static_cast<int>(seat - p_.def.seats.begin());
    if (const Json& threshold = child(entry, "threshold"); threshold.is_number_integer())
      out.threshold = threshold.get<std::int64_t>();
    else
      wrong("`threshold` must be a whole number");
    const Json& formula = child(entry, "formula");
    const Json& groups = child(node, "seatGroupConfig");
    const std::string type = text(formula, "type");
    weigh(out.tally, Json{}, "population");
    if (type.starts_with("markerTotal")) {
      const Json& config = child(formula, "markerConfig");
      const Json& named = config.is_string() ? child(child(node, "markerConfigs"),
                                                     config.get<std::string>().c_str())
                                             : config;
      by_marker(out.tally, text(node, "markerName"), named,
                text(node, "defaultMarkerState", false));
    } else if (type.starts_with("controlledPopulation")) {
      by_control(out.tally, text(formula, "controlFn"), groups);
    }
    if (type == "markerTotalPlusZoneCount") {
      out.zones = {zone(text(formula, "countZone"))};
      out.types = types(texts(formula, "countTokenTypes"));
      if (out.zones[0] < 0) {
        wrong("`countZone` is no zone of the game");
        out.zones.clear();
      }
    } else if (type == "markerTotalPlusMapBases" || type == "controlledPopulationPlusMapBases") {
      for (int z = 0; z < static_cast<int>(p_.zones.size()); ++z)
        if (p_.zones[static_cast<std::size_t>(z)].kind == spec::ZoneKind::board)
          out.zones.push_back(z);
      out.types = types(texts(formula, "basePieceTypes"));
      out.owner = symbol(text(formula, "baseSeat"));
      out.seat_prop = property(text(groups, "seatProp"));
    } else if (type == "controlledPopulationPlusGlobalVar") {
      const std::string name = text(formula, "varName");
      for (std::size_t v = 0; v < p_.gvars.size(); ++v)
        if (p_.gvars[v].name == name) out.var = static_cast<int>(v);
      if (out.var < 0) wrong(fmt::format("there is no variable `{}`", name));
    } else {
      wrong(fmt::format("there is no formula `{}`", type));
    }
    return out;
  }

  const Program& p_;
  Diagnostics& d_;
  std::string path_;
};

// The seat of a token: its property, or what its type says.
Value seat_of(const Memory& memory, int t, int seat_prop) {
  const Value own = seat_prop < 0 ? Value{} : memory.prop(t, seat_prop);
  if (!own.is_none()) return own;
  const Symbol seat = memory.program().types[memory.token(t).type].seat;
  return seat < 0 ? Value{} : Value::symbol(seat);
}

bool controls(const Memory& memory, const Tally& tally, int z) {
  std::int64_t mine = 0, theirs = 0;
  const auto in = [](const std::vector<Value>& list, Value v) {
    return !v.is_none() && std::find(list.begin(), list.end(), v) != list.end();
  };
  for (int t = memory.first(z); t >= 0; t = memory.next(t)) {
    if (!tally.blocked_by.empty() && tally.blocked_by[memory.token(t).type]) return false;
    const Value seat = seat_of(memory, t, tally.seat_prop);
    if (in(tally.mine, seat))
      ++mine;
    else if (tally.against_all || in(tally.theirs, seat))
      ++theirs;
  }
  return mine > theirs;
}

}  // namespace

Metrics link_metrics(const Program& program, Diagnostics& diagnostics) {
  return Reader(program, diagnostics).run();
}

std::int64_t evaluate(const Memory& memory, const Tally& tally) {
  std::int64_t sum = 0;
  for (const auto& [z, weight] : tally.zones) {
    if (tally.lattice < 0) {
      if (controls(memory, tally, z)) sum += weight;
      continue;
    }
    int state = memory.marker(z, tally.lattice);
    if (state < 0) state = tally.unset;
    if (state >= 0) sum += weight * (state == tally.twice ? 2 : state == tally.once ? 1 : 0);
  }
  return sum;
}

std::int64_t score_of(const Memory& memory, const Standing& standing) {
  std::int64_t score = evaluate(memory, standing.tally);
  if (standing.var >= 0) score += memory.gvar(standing.var);
  for (const int z : standing.zones)
    for (int t = memory.first(z); t >= 0; t = memory.next(t)) {
      const bool kind = standing.types.empty() || standing.types[memory.token(t).type];
      const bool owner =
          standing.seat_prop < 0 || seat_of(memory, t, standing.seat_prop) == standing.owner;
      score += kind && owner ? 1 : 0;
    }
  return score;
}

Json metrics_json(const Memory& memory, const Metrics& metrics, const Eyes& eyes) {
  Json out = Json::object();
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    if (eyes.see_metric(static_cast<int>(i), metric.open))
      out[metric.id] = evaluate(memory, metric.tally);
  }
  return out;
}

Json standings_json(const Memory& memory, const Metrics& metrics) {
  struct Line {
    std::int64_t margin, score;
    std::size_t rank;
    const Standing* standing;
  };
  std::vector<Line> lines;
  for (const Standing& standing : metrics.standings) {
    const std::int64_t score = score_of(memory, standing);
    const auto rank = std::find(metrics.tie_break.begin(), metrics.tie_break.end(), standing.seat);
    lines.push_back({score - standing.threshold, score,
                     static_cast<std::size_t>(rank - metrics.tie_break.begin()), &standing});
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tie(b.margin, a.rank, a.standing->seat) <
           std::tie(a.margin, b.rank, b.standing->seat);
  });
  Json out = Json::array();
  for (const Line& line : lines)
    out.push_back({{"seat", line.standing->seat},
                   {"score", line.score},
                   {"threshold", line.standing->threshold},
                   {"margin", line.margin}});
  return out;
}

}  // namespace parlor::kernel
