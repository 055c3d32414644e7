#include "kernel/secrets.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "game/game.h"
#include "kernel/operands.h"

namespace parlor::kernel {
namespace {

static_assert(spectator_bit == std::uint32_t{1} << max_players);

constexpr std::uint32_t all_viewers = ~std::uint32_t{0};

std::uint32_t sight_of(spec::Visibility visibility, int owner) {
  if (visibility == spec::Visibility::visible_to_all) return all_viewers;
  if (visibility == spec::Visibility::hidden || owner < 0) return 0;
  return std::uint32_t{1} << owner;
}

// The zones an expression may mean, as far as its shape says.
std::vector<int> zones_meant(const Program& p, int node) {
  std::vector<int> all(p.zones.size());
  std::iota(all.begin(), all.end(), 0);
  if (node < 0) return all;
  const Node& n = p.nodes[static_cast<std::size_t>(node)];
  if (n.op == Ex::z_const) return {n.a};
  if (n.op == Ex::z_missing) return {};
  if (n.op == Ex::z_owned) return p.bases[static_cast<std::size_t>(n.a)].zones;
  return all;
}

// Whether the player who chooses sees everything that lies in the zones this expression means.
bool chooser_sees(const Program& p, int node) {
  const Node& n = p.nodes[static_cast<std::size_t>(node)];
  if (n.op == Ex::z_const) return p.zones[static_cast<std::size_t>(n.a)].sight == all_viewers;
  if (n.op != Ex::z_owned) return false;
  const ZoneInfo& zone =
      p.zones[static_cast<std::size_t>(p.bases[static_cast<std::size_t>(n.a)].zones.front())];
  if (zone.sight == all_viewers) return true;
  const Ex whose = p.nodes[static_cast<std::size_t>(n.b)].op;
  return zone.visibility == spec::Visibility::owner &&
         (whose == Ex::p_actor || whose == Ex::p_active);
}

// ---- Zones

// Every way a token can take: from which zones to which.
template <class F>
void each_way(const Program& p, F&& f) {
  for (const Instr& i : p.code) {
    if (i.op == Op::move_token || i.op == Op::move_adjacent)
      f(zones_meant(p, i.b), zones_meant(p, i.c));
    if (i.op == Op::move_all || i.op == Op::draw) f(zones_meant(p, i.a), zones_meant(p, i.b));
    if (i.op == Op::remove_group)
      f(zones_meant(p, p.extra[static_cast<std::size_t>(i.b + 2)]),
        zones_meant(p, p.extra[static_cast<std::size_t>(i.b + 1)]));
    if (i.op == Op::create_token) f(std::vector<int>{}, zones_meant(p, i.a));
  }
  for (std::size_t z = 0; z < p.zones.size(); ++z)
    if (p.zones[z].reshuffle_from >= 0)
      f(std::vector<int>{p.zones[z].reshuffle_from}, std::vector<int>{static_cast<int>(z)});
}

// Explicit chance decides in the open, except where it gives a token in a hidden zone a place or a
// number; and players may be shown what lies there.
bool chance_has_secrets(const Program& p) {
  return std::ranges::any_of(p.code, [](const Instr& i) {
    return i.op == Op::roll || i.op == Op::reveal ||
           ((i.op == Op::move_token || i.op == Op::move_adjacent) &&
            static_cast<spec::ZonePosition>(i.x) == spec::ZonePosition::random);
  });
}

// A pile that nobody looks into and that stays by itself hides nothing but its order, and with
// explicit chance it has none.
bool piles_are_open(const Program& p) {
  if (!p.options.explicit_chance || chance_has_secrets(p)) return false;
  bool open = std::ranges::all_of(p.zones, [](const ZoneInfo& zone) {
    return zone.sight == all_viewers || (zone.sight == 0 && !zone.count_hidden);
  });
  each_way(p, [&](const std::vector<int>& from, const std::vector<int>& to) {
    for (const int a : from)
      for (const int b : to)
        open = open && (a == b || p.zones[static_cast<std::size_t>(a)].sight == all_viewers ||
                        p.zones[static_cast<std::size_t>(b)].sight == all_viewers);
  });
  return open;
}

// Zones without a visible count between which tokens may go unnoticed are one place.
std::vector<int> join_clouds(const Program& p) {
  std::vector<int> group(p.zones.size());
  std::iota(group.begin(), group.end(), 0);
  const auto join = [&](const std::vector<int>& zones) {
    for (const int a : zones)
      for (const int b : zones) {
        const ZoneInfo &one = p.zones[static_cast<std::size_t>(a)],
                       &other = p.zones[static_cast<std::size_t>(b)];
        const int old = group[static_cast<std::size_t>(b)],
                  now = group[static_cast<std::size_t>(a)];
        if (old == now || !one.count_hidden || !other.count_hidden || one.sight != other.sight)
          continue;
        std::ranges::replace(group, old, now);
      }
  };
  each_way(p, [&](std::vector<int> from, const std::vector<int>& to) {
    from.insert(from.end(), to.begin(), to.end());
    join(from);
  });
  return group;
}

void number_places(Program& p) {
  Secrets& s = p.secrets;
  const bool counts_hidden =
      std::ranges::any_of(p.zones, [](const ZoneInfo& zone) { return zone.count_hidden; });
  std::vector<int> group(p.zones.size());
  std::iota(group.begin(), group.end(), 0);
  s.clouds = counts_hidden;
  if (counts_hidden) group = join_clouds(p);
  std::vector<int> place_of_group(p.zones.size(), -1);
  for (std::size_t z = 0; z < p.zones.size(); ++z) {
    if (p.zones[z].sight == all_viewers) continue;
    int& place = place_of_group[static_cast<std::size_t>(group[z])];
    if (place < 0) {
      place = static_cast<int>(s.zones_of_place.size());
      s.zones_of_place.emplace_back();
    }
    p.zones[z].place = place;
    s.zones_of_place[static_cast<std::size_t>(place)].push_back(static_cast<int>(z));
  }
  s.zones_of_place.emplace_back();  // out of play
  s.places = static_cast<int>(s.zones_of_place.size());
  s.set_bytes = (s.places + 7) / 8;
}

// ---- Values

// Where values come from that a player gives or chance makes: by code address, or by action and
// parameter.
struct Source {
  int code = -1, action = -1, param = -1;
  bool token = false;   // who sees the token decides who knows it; the chooser knows which place
  bool stored = false;  // in a property or a secret variable
  bool buried = false;  // says where something goes
  bool open = false;    // is put where everybody sees it
};

class Flow {
 public:
  explicit Flow(Program& p) : p_(p), closed_props_(p.props.size()) {}

  void run() {
    name_sources();
    while (pass()) {
    }
    for (const Instr& i : p_.code) look_for_sinks(i);
    while (find_doubtful()) {
    }
    record();
  }

 private:
  using Set = std::set<int>;
  using Slot = std::pair<int, int>;  // unit, slot

  void name_sources() {
    unit_of_code_.assign(p_.code.size(), 0);
    for (std::size_t u = 0; u < p_.units.size(); ++u)
      for (int pc = p_.units[u].entry; pc < p_.units[u].end; ++pc)
        unit_of_code_[static_cast<std::size_t>(pc)] = static_cast<int>(u);
    for (std::size_t a = 0; a < p_.actions.size(); ++a)
      for (std::size_t k = 0; k < p_.actions[a].params.size(); ++k) {
        const ParamInfo& param = p_.actions[a].params[k];
        slots_[{p_.actions[a].unit, param.slot}].insert(static_cast<int>(sources_.size()));
        sources_.push_back(
            {-1, static_cast<int>(a), static_cast<int>(k), gives_tokens(param.domain)});
      }
    for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
      const Instr& i = p_.code[pc];
      int slot = -1;
      if (i.op == Op::roll) slot = i.a;
      if (i.op == Op::choose_one) slot = i.d;
      if (i.op == Op::choose_n) slot = p_.extra[static_cast<std::size_t>(i.d + 3)];
      if (slot < 0) continue;
      slots_[{unit_of_code_[pc], slot}].insert(static_cast<int>(sources_.size()));
      sources_.push_back({static_cast<int>(pc), -1, -1, i.op != Op::roll && gives_tokens(i.b)});
    }
  }

  bool gives_tokens(int query) const {
    bool out = false;
    each_part(p_, query, [&](int part) {
      const Ex op = p_.nodes[static_cast<std::size_t>(part)].op;
      out |= op == Ex::q_tokens || op == Ex::q_map_tokens || op == Ex::q_adjacent_tokens;
    });
    return out && p_.secrets.tokens;
  }

  Set sources_of(int unit, int node) const {
    Set out;
    each_part(p_, node, [&](int part) {
      const Node& n = p_.nodes[static_cast<std::size_t>(part)];
      if (n.op != Ex::slot && n.op != Ex::z_slot) return;
      if (const auto found = slots_.find({unit, n.a}); found != slots_.end())
        out.insert(found->second.begin(), found->second.end());
    });
    return out;
  }

  // What bindings take over from each other; true if something was new.
  bool pass() {
    bool more = false;
    const auto flow = [&](int unit, int slot, const Set& from) {
      if (slot < 0 || from.empty()) return;
      Set& to = slots_[{unit, slot}];
      const std::size_t before = to.size();
      to.insert(from.begin(), from.end());
      more |= to.size() != before;
    };
    for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
      const Instr& i = p_.code[pc];
      const int unit = unit_of_code_[pc];
      if (i.op == Op::bind) flow(unit, i.a, sources_of(unit, i.b));
      if (i.op == Op::loop_begin) flow(unit, i.a, sources_of(unit, i.b));
      const int from = i.op == Op::copy_slot ? i.b : i.op == Op::loop_next ? i.a : -1;
      const int to = i.op == Op::copy_slot ? i.a : i.op == Op::loop_next ? i.b : -1;
      if (from < 0) continue;
      if (const auto found = slots_.find({unit, from}); found != slots_.end())
        flow(unit, to, Set(found->second));
    }
    return more;
  }

  const VarInfo& var(int scope, int index) const {
    const auto& vars = scope == 0 ? p_.gvars : scope == 1 ? p_.pvars : p_.zvars;
    return vars[static_cast<std::size_t>(index)];
  }
  bool is_secret(int scope, int index) const {
    return var(scope, index).visibility != spec::Visibility::visible_to_all;
  }

  void look_for_sinks(const Instr& i) {
    const auto pc = static_cast<std::size_t>(&i - p_.code.data());
    const int unit = unit_of_code_[pc];
    const auto note = [&](int node, bool Source::*what) {
      for (const int s : sources_of(unit, node)) sources_[static_cast<std::size_t>(s)].*what = true;
    };
    const auto store = [&](int node, bool open) {
      note(node, open ? &Source::open : &Source::stored);
    };
    switch (i.op) {
      case Op::jump_unless:
      case Op::fail_unless:
      case Op::while_next:
      case Op::bind:
      case Op::bind_template:
      case Op::loop_begin:
      case Op::choose_one:
      case Op::choose_n:
      case Op::roll:
        return;  // tells nothing by itself
      case Op::set_prop:
        store(i.a, true);
        return store(i.b, false);
      case Op::move_token:
        note(i.c, &Source::buried);
        return store(i.b, true);  // who sees the token is told about it
      case Op::move_all:
      case Op::draw:
        note(i.b, &Source::buried);
        store(i.a, true);
        return store(i.c, true);
      case Op::create_token:
        note(i.a, &Source::buried);
        for (int k = 0; k < i.c; ++k)
          store(p_.extra[static_cast<std::size_t>(i.b + 2 * k + 1)], false);
        return;
      case Op::set_var:
      case Op::add_var:
        if (i.x != 0) store(i.b, true);
        if (i.d == 1) store(i.a, true);
        return store(i.c, i.d == 1 || !is_secret(i.x, i.a));
      default:
        each_operand(p_, i, [&](int node) { store(node, true); });
    }
  }

  bool is_closed(int source) const {
    const Source& s = sources_[static_cast<std::size_t>(source)];
    return s.stored && !s.open && !s.token;
  }

  // Whether somebody may not know the value: it comes from a closed source, or from what is hidden.
  bool doubtful(int unit, int node) const {
    bool out = false;
    each_part(p_, node, [&](int part) {
      const Node& n = p_.nodes[static_cast<std::size_t>(part)];
      if (n.op == Ex::gvar) out |= is_secret(0, n.a);
      if (n.op == Ex::pvar) out |= is_secret(1, n.a);
      if (n.op == Ex::zvar) out |= is_secret(2, n.a);
      if (n.op == Ex::token_prop) out |= p_.secrets.tokens;
      if (n.op == Ex::f_test) out |= p_.secrets.tokens;
    });
    for (const int s : sources_of(unit, node)) out |= is_closed(s);
    return out;
  }

  bool find_doubtful() {
    bool more = false;
    for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
      const Instr& i = p_.code[pc];
      const int unit = unit_of_code_[pc];
      const auto prop = [&](int index, int node) {
        if (closed_props_[static_cast<std::size_t>(index)] || !doubtful(unit, node)) return;
        closed_props_[static_cast<std::size_t>(index)] = more = true;
      };
      if (i.op == Op::set_prop) prop(i.x, i.b);
      for (int k = 0; i.op == Op::create_token && k < i.c; ++k)
        prop(p_.extra[static_cast<std::size_t>(i.b + 2 * k)],
             p_.extra[static_cast<std::size_t>(i.b + 2 * k + 1)]);
      const bool writes = i.op == Op::set_var || i.op == Op::add_var;
      if (writes && i.d != 1 && is_secret(i.x, i.a) && doubtful(unit, i.c))
        more |= closed_vars_.insert({i.x, i.a}).second;
    }
    return more;
  }

  static void mark(const Source& source, std::vector<bool>& code,
                   std::vector<std::vector<bool>>& params) {
    if (source.code >= 0)
      code[static_cast<std::size_t>(source.code)] = true;
    else
      params[static_cast<std::size_t>(source.action)][static_cast<std::size_t>(source.param)] =
          true;
  }

  void record() {
    Secrets& s = p_.secrets;
    s.closed_code.assign(p_.code.size(), false);
    for (const ActionInfo& action : p_.actions)
      s.closed_params.emplace_back(action.params.size(), false);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (!is_closed(static_cast<int>(k))) continue;
      mark(sources_[k], s.closed_code, s.closed_params);
    }
    s.buried_code.assign(p_.code.size(), false);
    s.buried_params = s.closed_params;
    for (const Source& source : sources_)
      if (s.clouds && source.buried && !source.open) mark(source, s.buried_code, s.buried_params);
    for (const auto& [slot, from] : slots_) {
      if (!std::ranges::any_of(from, [&](int source) {
            return is_closed(source) || sources_[static_cast<std::size_t>(source)].token;
          }))
        continue;
      UnitInfo& unit = p_.units[static_cast<std::size_t>(slot.first)];
      s.shadow_of_slot[slot] = unit.slots;
      unit.slots += 3;
    }
    s.shadows_of_unit.resize(p_.units.size());
    for (const auto& [of, shadow] : s.shadow_of_slot) {
      auto& slots = s.shadows_of_unit[static_cast<std::size_t>(of.first)];
      slots.resize(std::max(slots.size(), static_cast<std::size_t>(of.second) + 1), -1);
      slots[static_cast<std::size_t>(of.second)] = static_cast<std::int16_t>(shadow);
    }
    s.shadows = !s.shadow_of_slot.empty();
    s.column_of_prop.assign(p_.props.size(), -1);
    s.words.resize(p_.props.size());
    for (std::size_t prop = 0; prop < p_.props.size(); ++prop) {
      if (!closed_props_[prop]) continue;
      s.column_of_prop[prop] = static_cast<int>(s.props.size());
      s.props.push_back(static_cast<int>(prop));
    }
    collect_words();
    record_variables();
  }

  // The texts a property may be given: those written where it is set, and those that may be chosen
  // there.
  void collect_words() {
    for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
      const Instr& i = p_.code[pc];
      const auto take = [&](int prop, int node) {
        if (!closed_props_[static_cast<std::size_t>(prop)]) return;
        std::set<Symbol> found;
        words_of(node, found);
        for (const int source : sources_of(unit_of_code_[pc], node)) {
          const Source& from = sources_[static_cast<std::size_t>(source)];
          if (from.code >= 0)
            words_of(p_.code[static_cast<std::size_t>(from.code)].b, found);
          else
            words_of(p_.actions[static_cast<std::size_t>(from.action)]
                         .params[static_cast<std::size_t>(from.param)]
                         .domain,
                     found);
        }
        auto& words = p_.secrets.words[static_cast<std::size_t>(prop)];
        for (const Symbol word : found)
          if (std::ranges::find(words, word) == words.end()) words.push_back(word);
      };
      if (i.op == Op::set_prop) take(i.x, i.b);
      for (int k = 0; i.op == Op::create_token && k < i.c; ++k)
        take(p_.extra[static_cast<std::size_t>(i.b + 2 * k)],
             p_.extra[static_cast<std::size_t>(i.b + 2 * k + 1)]);
    }
  }
  void words_of(int node, std::set<Symbol>& out) const {
    each_part(p_, node, [&](int part) {
      const Node& n = p_.nodes[static_cast<std::size_t>(part)];
      const auto take = [&](Value v) {
        if (v.is_symbol()) out.insert(static_cast<Symbol>(v.payload()));
      };
      if (n.op == Ex::constant) take(p_.constants[static_cast<std::size_t>(n.a)]);
      if (n.op == Ex::q_values)
        for (const Value v : p_.lists[static_cast<std::size_t>(n.a)]) take(v);
    });
  }

  void record_variables() {
    Secrets& s = p_.secrets;
    const auto globals = static_cast<int>(p_.gvars.size()),
               per_player = static_cast<int>(p_.pvars.size()),
               per_zone = static_cast<int>(p_.zvars.size());
    const int all =
        globals + p_.players * per_player + static_cast<int>(p_.zones.size()) * per_zone;
    s.cell_sight.assign(static_cast<std::size_t>(all), all_viewers);
    s.number_of_cell.assign(static_cast<std::size_t>(all), -1);
    const auto note = [&](int scope, int index, int cell, int owner) {
      s.cell_sight[static_cast<std::size_t>(cell)] = sight_of(var(scope, index).visibility, owner);
      if (!closed_vars_.contains({scope, index})) return;
      s.number_of_cell[static_cast<std::size_t>(cell)] = static_cast<int>(s.cells.size());
      s.cells.push_back(cell);
    };
    for (int v = 0; v < globals; ++v) note(0, v, v, -1);
    for (int player = 0; player < p_.players; ++player)
      for (int v = 0; v < per_player; ++v) note(1, v, globals + player * per_player + v, player);
    for (int z = 0; z < static_cast<int>(p_.zones.size()); ++z)
      for (int v = 0; v < per_zone; ++v)
        note(2, v, globals + p_.players * per_player + z * per_zone + v,
             p_.zones[static_cast<std::size_t>(z)].owner);
  }

  Program& p_;
  std::vector<Source> sources_;
  std::vector<int> unit_of_code_;
  std::map<Slot, Set> slots_;
  std::vector<bool> closed_props_;
  std::set<std::pair<int, int>> closed_vars_;  // scope, variable
};

// ---- What players may do

// Whether evaluating an expression may look at something that the player who decides does not see.
class HiddenReads {
 public:
  explicit HiddenReads(const Program& p) : p_(p) {}

  bool found(const ActionInfo* action, int node) {
    action_ = action;
    return node >= 0 && look(node);
  }

 private:
  bool look(int node) {
    const Node& n = p_.nodes[static_cast<std::size_t>(node)];
    switch (n.op) {
      case Ex::gvar:
        return secret(p_.gvars, n.a);
      case Ex::pvar:
        return secret(p_.pvars, n.a) || look(n.b);
      case Ex::zvar:
        return secret(p_.zvars, n.a) || look(n.b);
      case Ex::gvar_named:
      case Ex::pvar_named:
      case Ex::zvar_named:
        return any_secret();
      case Ex::token_prop:
      case Ex::token_type:
      case Ex::token_id:
        return p_.secrets.tokens && !seen_param(n.a);
      case Ex::f_test:
        return p_.secrets.tokens;
      case Ex::q_tokens:
        if (chooser_sees(p_, n.a)) return false;
        break;
      case Ex::zone_count:
        for (const int z : zones_meant(p_, n.a))
          if (p_.zones[static_cast<std::size_t>(z)].count_hidden) return true;
        break;
      case Ex::b_feature:
      case Ex::b_family:
      case Ex::b_within:
      case Ex::b_without:
      case Ex::b_player:
        return p_.secrets.tokens;
      default:
        break;
    }
    bool out = false;
    each_operand(p_, n, [&](int part) { out = out || look(part); });
    return out;
  }
  bool secret(const std::vector<VarInfo>& vars, int index) const {
    return vars[static_cast<std::size_t>(index)].visibility != spec::Visibility::visible_to_all;
  }
  bool any_secret() const {
    const auto closed = [](const VarInfo& var) {
      return var.visibility != spec::Visibility::visible_to_all;
    };
    return std::ranges::any_of(p_.gvars, closed) || std::ranges::any_of(p_.pvars, closed) ||
           std::ranges::any_of(p_.zvars, closed);
  }
  // A token that the action's own parameter names, out of a zone the decider sees.
  bool seen_param(int node) const {
    const Node& n = p_.nodes[static_cast<std::size_t>(node)];
    if (action_ == nullptr || n.op != Ex::slot) return false;
    for (const ParamInfo& param : action_->params) {
      if (param.slot != n.a) continue;
      const Node& domain = p_.nodes[static_cast<std::size_t>(param.domain)];
      return domain.op == Ex::q_tokens && chooser_sees(p_, domain.a);
    }
    return false;
  }

  const Program& p_;
  const ActionInfo* action_ = nullptr;
};

bool options_fork(const Program& p) {
  HiddenReads reads(p);
  const auto code = [&](const ActionInfo* action, int unit) {
    const UnitInfo& info = p.units[static_cast<std::size_t>(unit)];
    bool out = false;
    for (int pc = info.entry; pc < info.end; ++pc)
      each_operand(p, p.code[static_cast<std::size_t>(pc)],
                   [&](int node) { out = out || reads.found(action, node); });
    return out;
  };
  for (const ActionInfo& action : p.actions) {
    for (const ParamInfo& param : action.params)
      if (reads.found(&action, param.domain)) return true;
    for (const Step& step : action.order)
      if ((step.ask == Ask::pre || step.ask == Ask::phase_pre) && reads.found(&action, step.what))
        return true;
    for (const auto& [var, node] : action.price)
      if (reads.found(&action, node)) return true;
    if (!action.validate.empty() || code(&action, action.unit)) return true;
    for (const int index : action.pipelines) {
      const PipelineInfo& pipeline = p.pipelines[static_cast<std::size_t>(index)];
      if (reads.found(nullptr, pipeline.applicability) || reads.found(nullptr, pipeline.legality) ||
          reads.found(nullptr, pipeline.cost) || code(nullptr, pipeline.unit))
        return true;
    }
  }
  return std::ranges::any_of(p.terminals, [&](const TerminalInfo& terminal) {
    return reads.found(nullptr, terminal.when);
  });
}

// Whether a condition on one token asks for nothing but that token and what everybody sees: whoever
// knows the token knows the answer.
bool asks_only_the_token(const Program& p, int node, int slot) {
  bool out = true;
  each_part(p, node, [&](int part) {
    const Node& n = p.nodes[static_cast<std::size_t>(part)];
    const auto open = [](const VarInfo& var) {
      return var.visibility == spec::Visibility::visible_to_all;
    };
    switch (n.op) {
      case Ex::slot:
        out = out && n.a == slot;
        return;
      case Ex::gvar:
        out = out && open(p.gvars[static_cast<std::size_t>(n.a)]);
        return;
      case Ex::pvar:
        out = out && open(p.pvars[static_cast<std::size_t>(n.a)]);
        return;
      case Ex::constant:
      case Ex::token_prop:
      case Ex::token_type:
      case Ex::clock:
      case Ex::active_player:
      case Ex::p_actor:
      case Ex::p_active:
      case Ex::p_id:
      case Ex::player_number:
      case Ex::add:
      case Ex::subtract:
      case Ex::multiply:
      case Ex::minimum:
      case Ex::maximum:
      case Ex::yes:
      case Ex::no:
      case Ex::all_of:
      case Ex::any_of:
      case Ex::not_of:
      case Ex::equal:
      case Ex::not_equal:
      case Ex::less:
      case Ex::less_equal:
      case Ex::greater:
      case Ex::greater_equal:
      case Ex::in_list:
        return;
      default:
        out = false;
    }
  });
  return out;
}

void mark_telling_filters(Program& p) {
  for (Instr& i : p.code)
    if (i.op == Op::move_all && i.c >= 0) i.x = asks_only_the_token(p, i.c, i.d) ? 1 : 0;
}

// An option id must not tell which token lies in a place the decider does not see into: such
// options are numbered in the order in which they are listed.
void number_unseen_options(Program& p) {
  for (ActionInfo& action : p.actions) {
    // Whoever chooses carries it out, unless a step names somebody else.
    const bool by_active = std::ranges::all_of(action.order, [&](const Step& step) {
      if (step.ask != Ask::executor) return true;
      const Ex op = p.nodes[static_cast<std::size_t>(step.what)].op;
      return op == Ex::p_active || op == Ex::p_actor;
    });
    for (const ParamInfo& param : action.params) {
      if (param.kind != ItemKind::token) continue;
      const Node& domain = p.nodes[static_cast<std::size_t>(param.domain)];
      const bool seen = domain.op == Ex::q_tokens && chooser_sees(p, domain.a) && by_active;
      if (!seen) action.packed = false;
    }
  }
}

}  // namespace

// Whether players pick tokens they do not see out of zones that are shuffled. With explicit chance
// such a zone has no order, so its places mean nothing.
bool picks_from_pools(const Program& p) {
  std::set<int> shuffled;
  for (const Instr& i : p.code)
    if (i.op == Op::shuffle)
      for (const int z : zones_meant(p, i.a)) shuffled.insert(z);
  const auto picks = [&](int query) {
    bool out = false;
    each_part(p, query, [&](int part) {
      const Node& n = p.nodes[static_cast<std::size_t>(part)];
      if (n.op != Ex::q_tokens || chooser_sees(p, n.a)) return;
      for (const int z : zones_meant(p, n.a))
        out |= shuffled.contains(z) && p.zones[static_cast<std::size_t>(z)].sight != all_viewers;
    });
    return out;
  };
  for (const ActionInfo& action : p.actions)
    for (const ParamInfo& param : action.params)
      if (param.kind == ItemKind::token && picks(param.domain)) return true;
  return std::ranges::any_of(p.code, [&](const Instr& i) {
    return (i.op == Op::choose_one || i.op == Op::choose_n) && picks(i.b);
  });
}

void find_secrets(Program& p) {
  Secrets& s = p.secrets;
  s.viewers = p.players + 1;
  const bool together = p.simultaneous && p.players > 1;
  const std::uint32_t players = (std::uint32_t{1} << p.players) - 1;
  bool closed_zones = false, closed_vars = false;
  for (ZoneInfo& zone : p.zones) {
    zone.sight = sight_of(zone.visibility, zone.owner);
    closed_zones |= zone.sight != all_viewers;
  }
  s.tokens = closed_zones && !piles_are_open(p);
  s.players = together;
  for (const ZoneInfo& zone : p.zones) s.players |= s.tokens && (zone.sight & players) != players;
  for (const auto* vars : {&p.gvars, &p.pvars, &p.zvars})
    for (const VarInfo& var : *vars) {
      closed_vars |= var.visibility != spec::Visibility::visible_to_all;
      s.players |= var.visibility == spec::Visibility::hidden ||
                   (var.visibility == spec::Visibility::owner && p.players > 1);
    }
  s.any = s.tokens || closed_vars || together;
  if (!s.any) return;
  number_places(p);
  Flow(p).run();
  s.forks = options_fork(p) || !p.def.certain.empty();
  if (s.tokens) number_unseen_options(p);
  if (s.tokens) mark_telling_filters(p);
}

}  // namespace parlor::kernel
