#include "kernel/run/zone_numbers.h"

#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

constexpr std::size_t most_inputs = 6;

// What a scalar tape takes from the state, apart from the zone.
struct Inputs {
  SlotId slot;  // of the zone
  bool fits = false;
  std::uint8_t steps[most_inputs] = {};
  std::size_t count = 0;
};

class NumberedZones {
 public:
  const ZonesByNumbers* find(Evaluator& m, NodeId condition, int tape, SlotId slot) {
    const Program& p = m.program();
    if (serial_ != p.serial) forget(p);
    Inputs& inputs = inputs_[tape];
    if (inputs.slot != slot) inputs = inputs_of(p, tape, slot);
    if (!inputs.fits) return nullptr;
    std::uint64_t key[most_inputs];
    if (!read(m, tape, inputs, key)) return nullptr;
    std::uint64_t mixed = tape;
    for (std::size_t i = 0; i < inputs.count; ++i) mixed = (mixed + key[i]) * 0x9e3779b97f4a7c15u;
    Entry& entry = entries_[mixed >> (64 - entry_bits)];
    if (entry.tape != tape || !std::equal(key, key + inputs.count, entry.key)) {
      entry.tape = tape;
      std::copy_n(key, inputs.count, entry.key);
      ask_all(m, condition, slot, entry.zones);
    }
    return &entry.zones;
  }

 private:
  static constexpr int entry_bits = 10;
  struct Entry {
    int tape = -1;
    std::uint64_t key[most_inputs];
    ZonesByNumbers zones;
  };

  void forget(const Program& p) {
    serial_ = p.serial;
    entries_.assign(std::size_t{1} << entry_bits, {});
    inputs_.assign(p.scalar_tapes.size(), {});
  }

  static Inputs inputs_of(const Program& p, int tape, SlotId slot) {
    Inputs out;
    out.slot = slot;
    const auto [first, count] = p.scalar_tapes[tape];
    bool of_zone[max_scalar_tape] = {};  // depends on the zone
    bool leaf[max_scalar_tape] = {};     // a constant, a player or a binding
    bool asks_zone = false;
    for (int i = 0; i < count; ++i) {
      const ScalarStep& step = p.scalar_steps[first + i];
      bool input = false;
      switch (step.op) {
        case ScalarOp::constant:
          leaf[i] = true;
          break;
        case ScalarOp::slot:
        case ScalarOp::zone_slot:
          leaf[i] = SlotId(step.arg) != slot;
          if (step.op == ScalarOp::slot && SlotId(step.arg) == slot) return out;
          of_zone[i] = !leaf[i];
          input = leaf[i];
          break;
        case ScalarOp::active:
        case ScalarOp::actor:
          leaf[i] = input = true;
          break;
        case ScalarOp::gvar:
          input = true;
          break;
        case ScalarOp::pvar:
          if (!leaf[step.a]) return out;
          input = true;
          break;
        case ScalarOp::token_prop:
          if (step.b == 0 || SlotId(step.arg >> 12) == slot) return out;
          input = true;
          break;
        case ScalarOp::zone_attribute:
          of_zone[i] = of_zone[step.a];
          asks_zone |= of_zone[i];
          if (!of_zone[i] && !leaf[step.a]) return out;
          break;
        case ScalarOp::zvar:
        case ScalarOp::zone_count:
          return out;
        default:
          of_zone[i] = true;  // it may; nothing is taken from the state
          break;
      }
      if (!input) continue;
      if (out.count == most_inputs) return out;
      out.steps[out.count++] = i;
    }
    out.fits = asks_zone;
    return out;
  }

  // False: something is missing.
  static bool read(Evaluator& m, int tape, const Inputs& inputs, std::uint64_t* key) {
    const Program& p = m.program();
    const std::int32_t first = p.scalar_tapes[tape].first;
    const auto value_of = [&](const ScalarStep& step) {
      switch (step.op) {
        case ScalarOp::constant:
          return step.fixed;
        case ScalarOp::active:
          return Value::integer(m.active());
        case ScalarOp::actor:
          return Value::integer(m.actor());
        default:
          return m.slot(SlotId(step.arg));
      }
    };
    for (std::size_t i = 0; i < inputs.count; ++i) {
      const ScalarStep& step = p.scalar_steps[first + inputs.steps[i]];
      Value v;
      if (step.op == ScalarOp::gvar) {
        v = Value::integer(m.memory().gvar(VarId(step.arg)));
      } else if (step.op == ScalarOp::pvar) {
        const Value who = value_of(p.scalar_steps[first + step.a]);
        if (!who.is_int() || who.payload() < 0 || who.payload() >= p.players) return false;
        v = Value::integer(m.memory().pvar(who.index(), VarId(step.arg)));
      } else if (step.op == ScalarOp::token_prop) {
        const Value token = m.slot(SlotId(step.arg >> 12));
        if (!token.is_token() || token.payload() >= m.header().tokens) return false;
        const TokenId t = token.as_token();
        if (m.memory().zone_of(t).is_none()) return false;
        v = m.memory().prop(t, step.arg & 0xfff);
      } else {
        v = value_of(step);
      }
      if (v.is_none() || v.is_list() || v.tag() == Tag::text) return false;
      key[i] = v.bits;
    }
    return true;
  }

  static void ask_all(Evaluator& m, NodeId condition, SlotId slot, ZonesByNumbers& out) {
    const Program& p = m.program();
    std::fill_n(out.holds, most_words, 0);
    std::fill_n(out.answered, most_words, 0);
    for (const ZoneId z : p.zones.ids()) {
      m.slot(slot) = Value::zone(z);
      const Truth holds = m.test(condition);
      if (holds == Truth::fault)
        m.clear_fault();
      else
        put_zone(out.answered, z);
      if (holds == Truth::yes) put_zone(out.holds, z);
    }
    m.slot(slot) = {};
  }

  std::uint64_t serial_ = 0;
  std::vector<Inputs> inputs_;  // by tape
  std::vector<Entry> entries_;
};

int tape_of(const Node& n) {
  switch (n.op) {
    case Ex::all_of:
    case Ex::any_of:
      return n.d < 0 ? n.c.value : -1;
    case Ex::not_of:
    case Ex::equal:
    case Ex::not_equal:
    case Ex::less:
    case Ex::less_equal:
    case Ex::greater:
    case Ex::greater_equal:
      return n.c;
    default:
      return -1;
  }
}

}  // namespace

const ZonesByNumbers* zones_by_numbers(Evaluator& machine, NodeId condition, SlotId slot) {
  const Program& p = machine.program();
  const int tape = tape_of(p.nodes[condition]);
  if (tape < 0 || p.zones.size() > most_words * 64 || machine.move_context().grant != 0)
    return nullptr;
  thread_local NumberedZones zones;
  return zones.find(machine, condition, tape, slot);
}

}  // namespace parlor::kernel
