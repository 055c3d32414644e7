#include "kernel/know/secrets.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "game/game.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"
#include "kernel/program/ways.h"

namespace parlor::kernel {
namespace {

static_assert(spectator_bit == std::uint32_t{1} << max_players);

// Whether the player who chooses sees everything that lies in the zones this expression means.
bool chooser_sees(const Program& p, NodeId node) {
  const Node& n = p.nodes[node];
  if (n.op == Ex::z_const) return p.zones[n.a].sight == all_viewers;
  if (n.op != Ex::z_owned) return false;
  const ZoneInfo& zone = p.zones[p.bases[n.a].zones.front()];
  if (zone.sight == all_viewers) return true;
  const Ex whose = p.nodes[n.b].op;
  return zone.visibility == spec::Visibility::owner &&
         (whose == Ex::p_actor || whose == Ex::p_active);
}

// ---- Zones

// Explicit chance decides in the open, except where it gives a token in a hidden zone a place or a
// number; and players may be shown what lies there.
bool chance_has_secrets(const Program& p) {
  return std::ranges::any_of(p.code, [](const Instr& i) {
    return i.op == Op::roll || i.op == Op::reveal ||
           ((i.op == Op::move_token || i.op == Op::move_adjacent) &&
            spec::ZonePosition{i.x} == spec::ZonePosition::random);
  });
}

// A pile that nobody looks into and that stays by itself hides nothing but its order, and with
// explicit chance it has none.
bool piles_are_open(const Program& p) {
  if (!p.options.explicit_chance || chance_has_secrets(p)) return false;
  bool open = std::ranges::all_of(p.zones, [](const ZoneInfo& zone) {
    return zone.sight == all_viewers || (zone.sight == 0 && !zone.count_hidden);
  });
  each_way(p, [&](const std::vector<ZoneId>& from, const std::vector<ZoneId>& to) {
    for (const ZoneId a : from)
      for (const ZoneId b : to)
        open =
            open && (a == b || p.zones[a].sight == all_viewers || p.zones[b].sight == all_viewers);
  });
  return open;
}

// Zones without a visible count between which tokens may go unnoticed are one place.
Table<ZoneId, int> join_clouds(const Program& p) {
  Table<ZoneId, int> group(p.zones.size());
  std::iota(group.begin(), group.end(), 0);
  const auto join = [&](const std::vector<ZoneId>& zones) {
    for (const ZoneId a : zones)
      for (const ZoneId b : zones) {
        const ZoneInfo &one = p.zones[a], &other = p.zones[b];
        const int old = group[b], now = group[a];
        if (old == now || !one.count_hidden || !other.count_hidden || one.sight != other.sight)
          continue;
        std::ranges::replace(group, old, now);
      }
  };
  each_way(p, [&](std::vector<ZoneId> from, const std::vector<ZoneId>& to) {
    from.insert(from.end(), to.begin(), to.end());
    join(from);
  });
  return group;
}

void number_places(Program& p) {
  Secrets& s = p.secrets;
  const bool counts_hidden =
      std::ranges::any_of(p.zones, [](const ZoneInfo& zone) { return zone.count_hidden; });
  Table<ZoneId, int> group(p.zones.size());
  std::iota(group.begin(), group.end(), 0);
  s.clouds = counts_hidden;
  if (counts_hidden) group = join_clouds(p);
  std::vector<int> place_of_group(p.zones.size(), -1);
  for (const ZoneId z : p.zones.ids()) {
    if (p.zones[z].sight == all_viewers) continue;
    int& place = place_of_group[group[z]];
    if (place < 0) {
      place = std::ssize(s.zones_of_place);
      s.zones_of_place.emplace_back();
    }
    p.zones[z].place = place;
    s.zones_of_place[place].push_back(z);
  }
  s.zones_of_place.emplace_back();  // out of play
  s.places = std::ssize(s.zones_of_place);
  s.set_bytes = (s.zones_of_place.size() + 7) / 8;
}

// ---- What players may do

// Whether evaluating an expression may look at something that the player who decides does not see.
class HiddenReads {
 public:
  explicit HiddenReads(const Program& p) : p_(p) {}

  bool found(const ActionInfo* action, NodeId node) {
    action_ = action;
    return !node.is_none() && look(node);
  }

 private:
  bool look(NodeId node) {
    const Node& n = p_.nodes[node];
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
      case Ex::number_of:  // of a token, which it may be
        return p_.secrets.tokens && !seen_param(n.a);
      case Ex::f_test:
        return p_.secrets.tokens;
      case Ex::q_tokens:
        if (chooser_sees(p_, n.a)) return false;
        break;
      case Ex::zone_count:
        for (const ZoneId z : zones_meant(p_, n.a))
          if (p_.zones[z].count_hidden) return true;
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
    each_operand(p_, n, [&](NodeId part) { out = out || look(part); });
    return out;
  }
  bool secret(const Vars& vars, VarId index) const {
    return vars[index].visibility != spec::Visibility::visible_to_all;
  }
  bool any_secret() const {
    const auto closed = [](const VarInfo& var) {
      return var.visibility != spec::Visibility::visible_to_all;
    };
    return std::ranges::any_of(p_.gvars, closed) || std::ranges::any_of(p_.pvars, closed) ||
           std::ranges::any_of(p_.zvars, closed);
  }
  // A token that the action's own parameter names, out of a zone the decider sees.
  bool seen_param(NodeId node) const {
    const Node& n = p_.nodes[node];
    if (action_ == nullptr || n.op != Ex::slot) return false;
    for (const ParamInfo& param : action_->params) {
      if (param.slot != n.a) continue;
      const Node& domain = p_.nodes[param.domain];
      return domain.op == Ex::q_tokens && chooser_sees(p_, domain.a);
    }
    return false;
  }

  const Program& p_;
  const ActionInfo* action_ = nullptr;
};

bool has_choices(const Program& p, const UnitInfo& unit) {
  return std::any_of(p.code.begin() + unit.entry, p.code.begin() + unit.end,
                     [](const Instr& i) { return i.op == Op::choose_one || i.op == Op::choose_n; });
}

// Whether what runs here has a say in what may be done: it lets somebody choose, or may make the
// move illegal. What else effects look at shows only when they are carried out.
bool has_a_say(const Program& p, const UnitInfo& unit) {
  return p.flow.cards || unit.can_refuse || has_choices(p, unit);
}

bool options_fork(const Program& p) {
  HiddenReads reads(p);
  const auto code = [&](const ActionInfo* action, const UnitInfo& unit) {
    bool out = false;
    for (int pc = unit.entry; pc < unit.end && has_a_say(p, unit); ++pc)
      each_operand(p, p.code[pc], [&](NodeId node) { out = out || reads.found(action, node); });
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
    if (!action.validate.empty() || code(&action, p.units[action.unit])) return true;
    for (const int index : action.pipelines) {
      const PipelineInfo& pipeline = p.pipelines[index];
      if (reads.found(nullptr, pipeline.applicability) || reads.found(nullptr, pipeline.legality) ||
          reads.found(nullptr, pipeline.cost) || code(nullptr, p.units[pipeline.unit]))
        return true;
    }
  }
  for (const EventMove& event : p.flow.event_moves)
    if (code(nullptr, p.units[event.unit])) return true;
  // Choices of phases and triggers.
  for (const UnitId unit : p.units.ids()) {
    const bool of_action = std::ranges::any_of(
        p.actions, [&](const ActionInfo& action) { return action.unit == unit; });
    if (!of_action && has_choices(p, p.units[unit]) && code(nullptr, p.units[unit])) return true;
  }
  return std::ranges::any_of(p.terminals, [&](const TerminalInfo& terminal) {
    return reads.found(nullptr, terminal.when);
  });
}

// Whether a condition on one token asks for nothing but that token and what everybody sees: whoever
// knows the token knows the answer.
bool asks_only_the_token(const Program& p, NodeId node, int slot) {
  bool out = true;
  each_part(p, node, [&](NodeId part) {
    const Node& n = p.nodes[part];
    const auto open = [](const VarInfo& var) {
      return var.visibility == spec::Visibility::visible_to_all;
    };
    switch (n.op) {
      case Ex::slot:
        out = out && n.a == slot;
        return;
      case Ex::gvar:
        out = out && open(p.gvars[n.a]);
        return;
      case Ex::pvar:
        out = out && open(p.pvars[n.a]);
        return;
      default:
        out = out && has(n.op, trait::open);
    }
  });
  return out;
}

// Whether a property is what it was when its token was made.
bool is_lasting(const Program& p, int prop) {
  if (p.secrets.column_of_prop[prop] >= 0) return false;
  const bool set = std::ranges::any_of(
      p.code, [&](const Instr& i) { return i.op == Op::set_prop && i.x == prop; });
  return !set && std::ranges::all_of(p.types, [&](const TypeInfo& type) {
    return std::ranges::none_of(type.entry, [&](const EntryRule& rule) {
      return std::ranges::any_of(rule.set, [&](const auto& one) { return one.first == prop; });
    });
  });
}

// Whether a condition asks for nothing but what lies in zones that somebody does not see into:
// then it can be asked of an earlier time, knowing only what lay there.
bool is_timeless(const Program& p, NodeId node) {
  bool out = true;
  const auto closed_zones = [&](NodeId zone) {
    return std::ranges::all_of(zones_meant(p, zone),
                               [&](ZoneId z) { return p.zones[z].place >= 0; });
  };
  each_part(p, node, [&](NodeId part) {
    const Node& n = p.nodes[part];
    switch (n.op) {
      case Ex::token_prop:
        out = out && is_lasting(p, n.b);
        return;
      case Ex::f_test: {
        const auto field = spec::TokenTest::Field{n.a};
        out = out && (field == spec::TokenTest::Field::token_type ||
                      (field == spec::TokenTest::Field::prop && n.b >= 0 && is_lasting(p, n.b)));
        return;
      }
      case Ex::q_tokens:
      case Ex::zone_count:
        out = out && closed_zones(n.a);
        return;
      default:
        out = out && has(n.op, trait::timeless);
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
      const Ex op = p.nodes[step.what].op;
      return op == Ex::p_active || op == Ex::p_actor;
    });
    for (const ParamInfo& param : action.params) {
      if (param.kind != ItemKind::token) continue;
      const Node& domain = p.nodes[param.domain];
      const bool seen = domain.op == Ex::q_tokens && chooser_sees(p, domain.a) && by_active;
      if (!seen) action.packed = false;
    }
  }
}

}  // namespace

std::uint32_t sight_of(spec::Visibility visibility, int owner) {
  if (visibility == spec::Visibility::visible_to_all) return all_viewers;
  if (visibility == spec::Visibility::hidden || owner < 0) return 0;
  return std::uint32_t{1} << owner;
}

// Whether players pick tokens they do not see out of one of these zones.
template <class OneOf>
static bool picks_unseen(const Program& p, OneOf&& one_of) {
  const auto picks = [&](NodeId query) {
    bool out = false;
    each_part(p, query, [&](NodeId part) {
      const Node& n = p.nodes[part];
      if (n.op != Ex::q_tokens || chooser_sees(p, n.a)) return;
      for (const ZoneId z : zones_meant(p, n.a))
        out |= p.zones[z].sight != all_viewers && one_of(z);
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

// With explicit chance a shuffled zone has no order, so its places mean nothing.
bool picks_from_pools(const Program& p) {
  std::set<ZoneId> shuffled;
  for (const Instr& i : p.code)
    if (i.op == Op::shuffle)
      for (const ZoneId z : zones_meant(p, i.a)) shuffled.insert(z);
  return picks_unseen(p, [&](ZoneId z) { return shuffled.contains(z); });
}

// The course is worth remembering where tokens are picked unseen. With explicit chance, where
// counts are hidden and where cards drive the game, places alone are remembered.
static bool has_course(const Program& p) {
  return p.secrets.tokens && !p.secrets.clouds && !p.options.explicit_chance && !p.flow.cards &&
         picks_unseen(p, [](ZoneId) { return true; });
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
  follow_secret_values(p);
  s.forks = options_fork(p) || !p.def.certain.empty();
  if (s.tokens) number_unseen_options(p);
  if (s.tokens) mark_telling_filters(p);
  s.course = has_course(p);
  for (const NodeId node : p.certain)
    if (s.course && is_timeless(p, node)) s.timeless.push_back(node);
}

}  // namespace parlor::kernel
