// Which values of a Program may carry what somebody does not know: followed from where they come
// from to where they are kept or shown.
#include <algorithm>
#include <map>
#include <set>

#include "kernel/know/secrets.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {
namespace {

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
  using Slot = std::pair<UnitId, SlotId>;

  void name_sources() {
    unit_of_code_.assign(p_.code.size(), UnitId(0));
    for (const UnitId u : p_.units.ids())
      for (int pc = p_.units[u].entry; pc < p_.units[u].end; ++pc) unit_of_code_[pc] = u;
    for (int a = 0; a < std::ssize(p_.actions); ++a)
      for (int k = 0; k < std::ssize(p_.actions[a].params); ++k) {
        const ParamInfo& param = p_.actions[a].params[k];
        slots_[{p_.actions[a].unit, param.slot}].insert(std::ssize(sources_));
        sources_.push_back({-1, a, k, gives_tokens(param.domain)});
      }
    for (int pc = 0; pc < std::ssize(p_.code); ++pc) {
      const Instr& i = p_.code[pc];
      SlotId slot;
      if (i.op == Op::roll) slot = i.a;
      if (i.op == Op::choose_one) slot = i.d;
      if (i.op == Op::choose_n) slot = p_.extra[i.d + 3];
      if (slot.is_none()) continue;
      slots_[{unit_of_code_[pc], slot}].insert(std::ssize(sources_));
      sources_.push_back({pc, -1, -1, i.op != Op::roll && gives_tokens(i.b)});
    }
  }

  bool gives_tokens(NodeId query) const {
    bool out = false;
    each_part(p_, query, [&](NodeId part) { out |= has(p_.nodes[part].op, trait::tokens); });
    return out && p_.secrets.tokens;
  }

  Set sources_of(UnitId unit, NodeId node) const {
    Set out;
    each_part(p_, node, [&](NodeId part) {
      const Node& n = p_.nodes[part];
      if (n.op != Ex::slot && n.op != Ex::z_slot) return;
      if (const auto found = slots_.find({unit, n.a}); found != slots_.end())
        out.insert(found->second.begin(), found->second.end());
    });
    return out;
  }

  // What bindings take over from each other; true if something was new.
  bool pass() {
    bool more = false;
    const auto flow = [&](UnitId unit, SlotId slot, const Set& from) {
      if (slot.is_none() || from.empty()) return;
      Set& to = slots_[{unit, slot}];
      const std::size_t before = to.size();
      to.insert(from.begin(), from.end());
      more |= to.size() != before;
    };
    for (int pc = 0; pc < std::ssize(p_.code); ++pc) {
      const Instr& i = p_.code[pc];
      const UnitId unit = unit_of_code_[pc];
      if (i.op == Op::bind) flow(unit, i.a, sources_of(unit, i.b));
      if (i.op == Op::loop_begin) flow(unit, i.a, sources_of(unit, i.b));
      SlotId from, to;
      if (i.op == Op::copy_slot) from = i.b, to = i.a;
      if (i.op == Op::loop_next) from = i.a, to = i.b;
      if (from.is_none()) continue;
      if (const auto found = slots_.find({unit, from}); found != slots_.end())
        flow(unit, to, Set(found->second));
    }
    return more;
  }

  const VarInfo& var(int scope, VarId index) const { return p_.vars(scope)[index]; }
  bool is_secret(int scope, VarId index) const {
    return var(scope, index).visibility != spec::Visibility::visible_to_all;
  }

  void look_for_sinks(const Instr& i) {
    const int pc = place_in(p_.code, i);
    const UnitId unit = unit_of_code_[pc];
    const auto note = [&](NodeId node, bool Source::*what) {
      for (const int s : sources_of(unit, node)) sources_[s].*what = true;
    };
    const auto store = [&](NodeId node, bool open) {
      note(node, open ? &Source::open : &Source::stored);
    };
    if (has(i.op, trait::untold)) return;
    switch (i.op) {
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
        for (int k = 0; k < i.c; ++k) store(p_.extra[i.b + 2 * k + 1], false);
        return;
      case Op::set_var:
      case Op::add_var:
        if (i.x != 0) store(i.b, true);
        if (i.d == 1) store(i.a, true);
        return store(i.c, i.d == 1 || !is_secret(i.x, i.a));
      default:
        each_operand(p_, i, [&](NodeId node) { store(node, true); });
    }
  }

  bool is_closed(int source) const {
    const Source& s = sources_[source];
    return s.stored && !s.open && !s.token;
  }

  // Whether somebody may not know the value: it comes from a closed source, or from what is hidden.
  bool doubtful(UnitId unit, NodeId node) const {
    bool out = false;
    each_part(p_, node, [&](NodeId part) {
      const Node& n = p_.nodes[part];
      if (n.op == Ex::gvar) out |= is_secret(0, n.a);
      if (n.op == Ex::pvar) out |= is_secret(1, n.a);
      if (n.op == Ex::zvar) out |= is_secret(2, n.a);
      if (n.op == Ex::token_prop || n.op == Ex::number_of) out |= p_.secrets.tokens;
      if (n.op == Ex::f_test) out |= p_.secrets.tokens;
    });
    for (const int s : sources_of(unit, node)) out |= is_closed(s);
    return out;
  }

  bool find_doubtful() {
    bool more = false;
    for (int pc = 0; pc < std::ssize(p_.code); ++pc) {
      const Instr& i = p_.code[pc];
      const UnitId unit = unit_of_code_[pc];
      const auto prop = [&](int index, NodeId node) {
        if (closed_props_[index] || !doubtful(unit, node)) return;
        closed_props_[index] = more = true;
      };
      if (i.op == Op::set_prop) prop(i.x, i.b);
      for (int k = 0; i.op == Op::create_token && k < i.c; ++k)
        prop(p_.extra[i.b + 2 * k], p_.extra[i.b + 2 * k + 1]);
      const bool writes = i.op == Op::set_var || i.op == Op::add_var;
      if (writes && i.d != 1 && is_secret(i.x, i.a) && doubtful(unit, i.c))
        more |= closed_vars_.insert({i.x, i.a}).second;
    }
    return more;
  }

  static void mark(const Source& source, std::vector<bool>& code,
                   std::vector<std::vector<bool>>& params) {
    if (source.code >= 0)
      code[source.code] = true;
    else
      params[source.action][source.param] = true;
  }

  void record() {
    Secrets& s = p_.secrets;
    s.closed_code.assign(p_.code.size(), false);
    for (const ActionInfo& action : p_.actions)
      s.closed_params.emplace_back(action.params.size(), false);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (!is_closed(k)) continue;
      mark(sources_[k], s.closed_code, s.closed_params);
    }
    s.buried_code.assign(p_.code.size(), false);
    s.buried_params = s.closed_params;
    for (const Source& source : sources_)
      if (s.clouds && source.buried && !source.open) mark(source, s.buried_code, s.buried_params);
    for (const auto& [slot, from] : slots_) {
      if (!std::ranges::any_of(
              from, [&](int source) { return is_closed(source) || sources_[source].token; }))
        continue;
      UnitInfo& unit = p_.units[slot.first];
      s.shadow_of_slot[slot] = SlotId(unit.slots);
      unit.slots += 3;
    }
    s.shadows_of_unit.resize(p_.units.size());
    for (const auto& [of, shadow] : s.shadow_of_slot) {
      auto& slots = s.shadows_of_unit[of.first];
      slots.resize(std::max(slots.size(), of.second.index() + 1), -1);
      slots[of.second.index()] = shadow.value;
    }
    s.shadows = !s.shadow_of_slot.empty();
    if (s.shadows) find_questions_of_tokens();
    s.column_of_prop.assign(p_.props.size(), -1);
    s.words.resize(p_.props.size());
    for (std::size_t prop = 0; prop < p_.props.size(); ++prop) {
      if (!closed_props_[prop]) continue;
      s.column_of_prop[prop] = append(s.props, prop);
    }
    collect_words();
    record_variables();
  }

  void find_questions_of_tokens() {
    std::vector<bool>& asks = p_.secrets.asks_tokens;
    asks.assign(p_.nodes.size(), false);
    for (const NodeId node : p_.nodes.ids())
      each_part(p_, node, [&](NodeId part) {
        const Ex op = p_.nodes[part].op;
        asks[node.index()] = asks[node.index()] || op == Ex::f_test || op == Ex::number_of;
      });
  }

  // The texts a property may be given: those written where it is set, and those that may be chosen
  // there.
  void collect_words() {
    for (int pc = 0; pc < std::ssize(p_.code); ++pc) {
      const Instr& i = p_.code[pc];
      const auto take = [&](int prop, NodeId node) {
        if (!closed_props_[prop]) return;
        std::set<Symbol> found;
        words_of(node, found);
        for (const int source : sources_of(unit_of_code_[pc], node)) {
          const Source& from = sources_[source];
          if (from.code >= 0)
            words_of(p_.code[from.code].b, found);
          else
            words_of(p_.actions[from.action].params[from.param].domain, found);
        }
        auto& words = p_.secrets.words[prop];
        for (const Symbol word : found)
          if (std::ranges::find(words, word) == words.end()) words.push_back(word);
      };
      if (i.op == Op::set_prop) take(i.x, i.b);
      for (int k = 0; i.op == Op::create_token && k < i.c; ++k)
        take(p_.extra[i.b + 2 * k], p_.extra[i.b + 2 * k + 1]);
    }
  }
  void words_of(NodeId node, std::set<Symbol>& out) const {
    each_part(p_, node, [&](NodeId part) {
      const Node& n = p_.nodes[part];
      const auto take = [&](Value v) {
        if (v.is_symbol()) out.insert(v.index());
      };
      if (n.op == Ex::constant) take(p_.constants[n.a]);
      if (n.op == Ex::q_values)
        for (const Value v : p_.lists[n.a]) take(v);
    });
  }

  void record_variables() {
    Secrets& s = p_.secrets;
    s.cell_sight.assign(p_.var_keys.size(), all_viewers);
    s.number_of_cell.assign(p_.var_keys.size(), -1);
    int cell = 0;
    const auto note = [&](int scope, VarId index, int owner) {
      s.cell_sight[cell] = sight_of(var(scope, index).visibility, owner);
      if (closed_vars_.contains({scope, index})) {
        s.number_of_cell[cell] = std::ssize(s.cells);
        s.cells.push_back(cell);
      }
      ++cell;
    };
    for (const VarId v : p_.gvars.ids()) note(0, v, -1);
    for (int player = 0; player < p_.players; ++player)
      for (const VarId v : p_.pvars.ids()) note(1, v, player);
    for (const ZoneInfo& zone : p_.zones)
      for (const VarId v : p_.zvars.ids()) note(2, v, zone.owner);
  }

  Program& p_;
  std::vector<Source> sources_;
  std::vector<UnitId> unit_of_code_;
  std::map<Slot, Set> slots_;
  std::vector<bool> closed_props_;
  std::set<std::pair<int, VarId>> closed_vars_;  // scope, variable
};

}  // namespace

void follow_secret_values(Program& p) {
  Flow(p).run();
}

}  // namespace parlor::kernel
