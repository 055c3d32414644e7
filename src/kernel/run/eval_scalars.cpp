// Scalar tapes: values and conditions of nothing but numbers, names and tokens (plan/scalars.cpp).
#include "kernel/run/machine.h"

namespace parlor::kernel {

// What the steps of a tape give: one function for each line of program/scalars.def, all of them
// part of the loop below. No value: the tape is given up.
struct Evaluator::Scalars {
  struct In {
    const ScalarStep& step;
    Value a, b;

    bool numbers() const { return a.is_int() && b.is_int(); }
    bool truths() const { return a.is_bool() && b.is_bool(); }
    bool texts() const { return a.tag() == Tag::text || b.tag() == Tag::text; }
    ZoneId zone() const { return a.as_zone(); }
  };

  Evaluator& machine;
  const Value* slots;
  const std::uint64_t* made;  // by the steps before

  static Value truth(bool sure, bool holds) { return sure ? Value::boolean(holds) : Value{}; }
  static Value number(bool sure, std::int64_t n) {
    return sure && n <= max_int && n >= -max_int ? Value::integer(n) : Value{};
  }
  // A variable: a number, or true or false.
  static Value of_var(const In& in, std::int64_t n) {
    return in.step.b != 0 ? Value::boolean(n != 0) : Value::integer(n);
  }

  Value constant(const In& in) const { return in.step.fixed; }
  Value slot(const In& in) const { return slots[in.step.arg]; }
  Value zone_slot(const In& in) const {
    const Value v = slots[in.step.arg];
    return v.is_symbol() && v.payload() < machine.p_->zone_count ? v : Value{};
  }
  Value active(const In&) const { return Value::integer(machine.active_); }
  Value actor(const In&) const { return Value::integer(machine.actor_); }
  Value gvar(const In& in) const { return of_var(in, machine.memory_.gvar(VarId(in.step.arg))); }
  Value pvar(const In& in) const {
    const std::int64_t who = in.a.payload();
    if (!in.a.is_int() || who < 0 || who >= machine.p_->players) return {};
    return of_var(in, machine.memory_.pvar(who, VarId(in.step.arg)));
  }
  Value zvar(const In& in) const {
    return Value::integer(machine.memory_.zvar(in.zone(), VarId(in.step.arg)));
  }
  Value zone_count(const In& in) const {
    machine.note_read(in.zone());
    return Value::integer(machine.memory_.zone(in.zone()).count);
  }
  Value token_prop(const In& in) const {
    const Value token = in.step.b != 0 ? slots[in.step.arg >> 12] : in.a;
    const int prop = in.step.arg & 0xfff;
    if (!token.is_token() || token.payload() >= machine.header().tokens) return {};
    const TokenRecord& record = machine.memory_.token(token.as_token());
    const TypeInfo& type = machine.p_->types[record.type];
    const int column = type.column[prop];
    if (record.zone < 0 || column < 0) return {};
    const std::int32_t cell = reinterpret_cast<const std::int32_t*>(&record + 1)[column];
    if (cell == missing_cell) return {};
    const CellType kind = type.cell[prop];
    return kind == CellType::integer ? Value::integer(cell)
                                     : machine.memory_.decode_cell(kind, cell);
  }
  Value zone_attribute(const In& in) const {
    const Program& p = *machine.p_;
    const Value v = p.zone_attributes[in.a.payload() * p.attributes.size() + in.step.arg];
    return v.is_list() ? Value{} : v;
  }
  Value add(const In& in) const { return number(in.numbers(), in.a.payload() + in.b.payload()); }
  Value subtract(const In& in) const {
    return number(in.numbers(), in.a.payload() - in.b.payload());
  }
  Value multiply(const In& in) const {
    std::int64_t n = 0;
    const bool large = __builtin_mul_overflow(in.a.payload(), in.b.payload(), &n);
    return number(in.numbers() && !large, n);
  }
  Value minimum(const In& in) const {
    return number(in.numbers(), std::min(in.a.payload(), in.b.payload()));
  }
  Value maximum(const In& in) const {
    return number(in.numbers(), std::max(in.a.payload(), in.b.payload()));
  }
  Value equal(const In& in) const { return truth(!in.texts(), in.a == in.b); }
  Value not_equal(const In& in) const { return truth(!in.texts(), !(in.a == in.b)); }
  Value less(const In& in) const { return truth(in.numbers(), in.a.payload() < in.b.payload()); }
  Value less_equal(const In& in) const {
    return truth(in.numbers(), in.a.payload() <= in.b.payload());
  }
  Value greater(const In& in) const { return truth(in.numbers(), in.a.payload() > in.b.payload()); }
  Value greater_equal(const In& in) const {
    return truth(in.numbers(), in.a.payload() >= in.b.payload());
  }
  Value negate(const In& in) const { return truth(in.a.is_bool(), in.a.payload() == 0); }
  Value both(const In& in) const {
    return truth(in.truths(), (in.a.payload() & in.b.payload()) != 0);
  }
  Value either(const In& in) const {
    return truth(in.truths(), (in.a.payload() | in.b.payload()) != 0);
  }
  Value select(const In& in) const {
    const Value when{made[in.step.arg]};
    if (!when.is_bool()) return {};
    return when.payload() != 0 ? in.a : in.b;
  }
  // Whether this is the end of it, the loop asks.
  Value stop_no(const In& in) const { return in.a.is_bool() ? in.a : Value{}; }
  Value stop_yes(const In& in) const { return in.a.is_bool() ? in.a : Value{}; }
};

// Flattened: what a step works with stays in registers.
[[gnu::flatten]] Value Evaluator::play_scalar(int tape) {
  const auto [first, count] = p_->scalar_tapes[tape];
  if (move_.grant != 0) return {};  // a grant may take tokens for something else
  // Not filled beforehand: a step asks only for what steps before it made, or for the first.
  std::uint64_t made[max_scalar_tape];
  made[0] = 0;
  const Scalars run{*this, &slot(SlotId(0)), made};
  const ScalarStep* step = &p_->scalar_steps[first];
  std::uint64_t* next = made;
  Value out;
  for (const ScalarStep* const end = step + count; step != end; ++step, *next++ = out.bits) {
    const Scalars::In in{*step, Value{made[step->a]}, Value{made[step->b]}};
    switch (step->op) {
#define SCALAR(name, help)                                                      \
  case ScalarOp::name:                                                          \
    out = run.name(in);                                                         \
    if (out.is_none()) return {};                                               \
    if (ScalarOp::name == ScalarOp::stop_no && out.payload() == 0) return out;  \
    if (ScalarOp::name == ScalarOp::stop_yes && out.payload() != 0) return out; \
    break;
#include "kernel/program/scalars.def"
#undef SCALAR
    }
  }
  return out;
}

}  // namespace parlor::kernel
