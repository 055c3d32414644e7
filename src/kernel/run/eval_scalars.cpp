// Scalar tapes: values and conditions of nothing but numbers, names and tokens (plan/scalars.cpp).
#include "kernel/run/machine.h"

namespace parlor::kernel {

// What the steps of a tape do: one function for each line of program/scalars.def. They are part of
// the loop below.
struct Evaluator::Scalars {
  enum class Then : std::uint8_t { go_on, stop, give_up };

  Evaluator& machine;
  const Value* slots;
  const std::uint64_t* made;  // by the steps before
  const ScalarStep* step = nullptr;
  Value a = {}, b = {}, out = {};  // of this step

  Then give(Value v) { return out = v, Then::go_on; }
  Then give(bool holds) { return give(Value::boolean(holds)); }
  Then give_unless(bool odd, Value v) { return odd ? Then::give_up : give(v); }
  Then give_number(std::int64_t n) {
    return give_unless(n > max_int || n < -max_int, Value::integer(n));
  }
  // A variable: a number, or true or false.
  Then give_var(std::int64_t n) {
    return give(step->b != 0 ? Value::boolean(n != 0) : Value::integer(n));
  }
  bool numbers() const { return a.is_int() && b.is_int(); }
  bool truths() const { return a.is_bool() && b.is_bool(); }
  bool texts() const { return a.tag() == Tag::text || b.tag() == Tag::text; }
  int zone() const { return static_cast<int>(a.payload()); }

  Then constant() { return give(step->fixed); }
  Then slot() {
    const Value v = slots[step->arg];
    return give_unless(v.is_none(), v);
  }
  Then zone_slot() {
    const Value v = slots[step->arg];
    return give_unless(!v.is_symbol() || v.payload() >= machine.p_->zone_count, v);
  }
  Then active() { return give(Value::integer(machine.active_)); }
  Then actor() { return give(Value::integer(machine.actor_)); }
  Then gvar() { return give_var(machine.memory_.gvar(step->arg)); }
  Then pvar() {
    if (!a.is_int() || a.payload() < 0 || a.payload() >= machine.p_->players) return Then::give_up;
    return give_var(machine.memory_.pvar(static_cast<int>(a.payload()), step->arg));
  }
  Then zvar() { return give(Value::integer(machine.memory_.zvar(zone(), step->arg))); }
  Then zone_count() {
    machine.note_read(zone());
    return give(Value::integer(machine.memory_.zone(zone()).count));
  }
  Then token_prop() {
    const Value token = step->b != 0 ? slots[step->arg >> 12] : a;
    const int prop = step->arg & 0xfff;
    if (!token.is_token() || token.payload() >= machine.header().tokens) return Then::give_up;
    const TokenRecord& record = machine.memory_.token(static_cast<int>(token.payload()));
    const TypeInfo& type = machine.p_->types[record.type];
    const int column = type.column[prop];
    if (record.zone < 0 || column < 0) return Then::give_up;
    const std::int32_t cell = reinterpret_cast<const std::int32_t*>(&record + 1)[column];
    if (cell == missing_cell) return Then::give_up;
    const CellType kind = type.cell[prop];
    return give(kind == CellType::integer ? Value::integer(cell)
                                          : machine.memory_.decode_cell(kind, cell));
  }
  Then zone_attribute() {
    const Program& p = *machine.p_;
    const Value v = p.zone_attributes[a.payload() * p.attributes.size() + step->arg];
    return give_unless(v.is_none() || v.is_list(), v);
  }
  Then add() { return numbers() ? give_number(a.payload() + b.payload()) : Then::give_up; }
  Then subtract() { return numbers() ? give_number(a.payload() - b.payload()) : Then::give_up; }
  Then multiply() {
    std::int64_t n = 0;
    if (!numbers() || __builtin_mul_overflow(a.payload(), b.payload(), &n)) return Then::give_up;
    return give_number(n);
  }
  Then minimum() {
    return numbers() ? give_number(std::min(a.payload(), b.payload())) : Then::give_up;
  }
  Then maximum() {
    return numbers() ? give_number(std::max(a.payload(), b.payload())) : Then::give_up;
  }
  Then equal() { return texts() ? Then::give_up : give(a == b); }
  Then not_equal() { return texts() ? Then::give_up : give(!(a == b)); }
  Then less() { return numbers() ? give(a.payload() < b.payload()) : Then::give_up; }
  Then less_equal() { return numbers() ? give(a.payload() <= b.payload()) : Then::give_up; }
  Then greater() { return numbers() ? give(a.payload() > b.payload()) : Then::give_up; }
  Then greater_equal() { return numbers() ? give(a.payload() >= b.payload()) : Then::give_up; }
  Then negate() { return a.is_bool() ? give(a.payload() == 0) : Then::give_up; }
  Then both() { return truths() ? give((a.payload() & b.payload()) != 0) : Then::give_up; }
  Then either() { return truths() ? give((a.payload() | b.payload()) != 0) : Then::give_up; }
  Then select() {
    const Value when{made[step->arg]};
    return give_unless(!when.is_bool(), when.payload() != 0 ? a : b);
  }
  Then stop_no() { return stop_at(0); }
  Then stop_yes() { return stop_at(1); }
  Then stop_at(std::int64_t truth) {
    if (!a.is_bool()) return Then::give_up;
    out = a;
    return a.payload() == truth ? Then::stop : Then::go_on;
  }
};

Value Evaluator::play_scalar(int tape) {
  const auto [first, count] = p_->scalar_tapes[tape];
  if (move_.grant != 0) return {};  // a grant may take tokens for something else
  // Not filled beforehand: a step asks only for what steps before it made, or for the first.
  std::uint64_t made[max_scalar_tape];
  made[0] = 0;
  Scalars run{*this, &slot(0), made};
  run.step = &p_->scalar_steps[first];
  std::uint64_t* next = made;
  for (const ScalarStep* const end = run.step + count; run.step != end; ++run.step) {
    run.a = Value{made[run.step->a]};
    run.b = Value{made[run.step->b]};
    Scalars::Then then = Scalars::Then::go_on;
    switch (run.step->op) {
#define SCALAR(name, help) \
  case ScalarOp::name:     \
    then = run.name();     \
    break;
#include "kernel/program/scalars.def"
#undef SCALAR
    }
    if (then == Scalars::Then::give_up) return {};
    if (then == Scalars::Then::stop) break;
    *next++ = run.out.bits;
  }
  return run.out;
}

}  // namespace parlor::kernel
