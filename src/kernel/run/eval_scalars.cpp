// Scalar tapes: values and conditions of nothing but numbers, names and tokens (plan/scalars.cpp).
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// Both are numbers.
bool numbers(Value a, Value b) {
  return a.is_int() && b.is_int();
}
Value truth(bool holds) {
  return Value::boolean(holds);
}

}  // namespace

Value Evaluator::play_scalar(int tape) {
  const auto [first, count] = p_->scalar_tapes[static_cast<std::size_t>(tape)];
  if (move_.grant != 0) return {};  // a grant may take tokens for something else
  // Not filled beforehand: a step asks only for what steps before it made, or for the first.
  std::uint64_t made[max_scalar_tape];
  made[0] = 0;
  const ScalarStep* step = &p_->scalar_steps[static_cast<std::size_t>(first)];
  const ScalarStep* const end = step + count;
  const Value* const slots = &slot(0);
  std::uint64_t* next = made;
  Value out;
  for (; step != end; ++step, *next++ = out.bits) {
    const Value a{made[step->a]}, b{made[step->b]};
    std::int64_t number = 0;
    switch (step->op) {
      case ScalarOp::constant:
        out = step->fixed;
        continue;
      case ScalarOp::slot:
        out = slots[step->arg];
        if (out.is_none()) return {};
        continue;
      case ScalarOp::zone_slot:
        out = slots[step->arg];
        if (!out.is_symbol() || out.payload() >= p_->zone_count) return {};
        continue;
      case ScalarOp::active:
        out = Value::integer(active_);
        continue;
      case ScalarOp::actor:
        out = Value::integer(actor_);
        continue;
      case ScalarOp::gvar:
        number = memory_.gvar(step->arg);
        out = step->b != 0 ? truth(number != 0) : Value::integer(number);
        continue;
      case ScalarOp::pvar:
        if (!a.is_int() || a.payload() < 0 || a.payload() >= p_->players) return {};
        number = memory_.pvar(static_cast<int>(a.payload()), step->arg);
        out = step->b != 0 ? truth(number != 0) : Value::integer(number);
        continue;
      case ScalarOp::zvar:
        out = Value::integer(memory_.zvar(static_cast<int>(a.payload()), step->arg));
        continue;
      case ScalarOp::zone_count:
        note_read(static_cast<int>(a.payload()));
        out = Value::integer(memory_.zone(static_cast<int>(a.payload())).count);
        continue;
      case ScalarOp::token_prop: {
        const Value token = step->b != 0 ? slots[step->arg >> 12] : a;
        const auto prop = static_cast<std::size_t>(step->arg & 0xfff);
        if (!token.is_token() || token.payload() >= header().tokens) return {};
        const auto t = static_cast<int>(token.payload());
        const TokenRecord& record = memory_.token(t);
        const TypeInfo& type = p_->types[record.type];
        const int column = type.column[prop];
        if (record.zone < 0 || column < 0) return {};
        const std::int32_t cell = reinterpret_cast<const std::int32_t*>(&record + 1)[column];
        if (cell == missing_cell) return {};
        const CellType kind = type.cell[prop];
        out = kind == CellType::integer ? Value::integer(cell) : memory_.decode_cell(kind, cell);
        continue;
      }
      case ScalarOp::zone_attribute:
        out = p_->zone_attributes[static_cast<std::size_t>(a.payload()) * p_->attributes.size() +
                                  static_cast<std::size_t>(step->arg)];
        if (out.is_none() || out.is_list()) return {};
        continue;
      case ScalarOp::equal:
        if (a.tag() == Tag::text || b.tag() == Tag::text) return {};
        out = truth(a == b);
        continue;
      case ScalarOp::not_equal:
        if (a.tag() == Tag::text || b.tag() == Tag::text) return {};
        out = truth(!(a == b));
        continue;
      case ScalarOp::negate:
        if (!a.is_bool()) return {};
        out = truth(a.payload() == 0);
        continue;
      case ScalarOp::both:
        if (!a.is_bool() || !b.is_bool()) return {};
        out = truth((a.payload() & b.payload()) != 0);
        continue;
      case ScalarOp::either:
        if (!a.is_bool() || !b.is_bool()) return {};
        out = truth((a.payload() | b.payload()) != 0);
        continue;
      case ScalarOp::select: {
        const Value when{made[step->arg]};
        if (!when.is_bool()) return {};
        out = when.payload() != 0 ? a : b;
        continue;
      }
      case ScalarOp::stop_no:
        if (!a.is_bool()) return {};
        if (a.payload() == 0) return a;
        out = a;
        continue;
      case ScalarOp::stop_yes:
        if (!a.is_bool()) return {};
        if (a.payload() != 0) return a;
        out = a;
        continue;
      case ScalarOp::less:
        if (!numbers(a, b)) return {};
        out = truth(a.payload() < b.payload());
        continue;
      case ScalarOp::less_equal:
        if (!numbers(a, b)) return {};
        out = truth(a.payload() <= b.payload());
        continue;
      case ScalarOp::greater:
        if (!numbers(a, b)) return {};
        out = truth(a.payload() > b.payload());
        continue;
      case ScalarOp::greater_equal:
        if (!numbers(a, b)) return {};
        out = truth(a.payload() >= b.payload());
        continue;
      case ScalarOp::add:
        if (!numbers(a, b)) return {};
        number = a.payload() + b.payload();
        break;
      case ScalarOp::subtract:
        if (!numbers(a, b)) return {};
        number = a.payload() - b.payload();
        break;
      case ScalarOp::multiply:
        if (!numbers(a, b) || __builtin_mul_overflow(a.payload(), b.payload(), &number)) return {};
        break;
      case ScalarOp::minimum:
        if (!numbers(a, b)) return {};
        number = std::min(a.payload(), b.payload());
        break;
      case ScalarOp::maximum:
        if (!numbers(a, b)) return {};
        number = std::max(a.payload(), b.payload());
        break;
    }
    if (number > max_int || number < -max_int) return {};
    out = Value::integer(number);
  }
  return out;
}

}  // namespace parlor::kernel
