// Scalar tapes: values and conditions of nothing but numbers, names and tokens (plan/scalars.cpp).
#include "kernel/run/machine.h"

namespace parlor::kernel {

Value Evaluator::play_scalar(int tape) {
  const auto [first, count] = p_->scalar_tapes[static_cast<std::size_t>(tape)];
  if (move_.grant != 0) return {};  // a grant may take tokens for something else
  // Not filled beforehand: a step asks only for what steps before it made, or for the first.
  std::uint64_t made[max_scalar_tape];
  made[0] = 0;
  const ScalarStep* const steps = &p_->scalar_steps[static_cast<std::size_t>(first)];
  for (int i = 0; i < count; ++i) {
    const ScalarStep& step = steps[i];
    const Value a{made[step.a]}, b{made[step.b]};
    Value out;
    std::int64_t number = 0;
    switch (step.op) {
      case ScalarOp::constant:
        out = step.fixed;
        made[i] = out.bits;
        continue;
      case ScalarOp::slot:
        out = slot(step.arg);
        if (out.is_none()) return {};
        made[i] = out.bits;
        continue;
      case ScalarOp::zone_slot:
        out = slot(step.arg);
        if (!out.is_symbol() || out.payload() >= p_->zone_count) return {};
        made[i] = out.bits;
        continue;
      case ScalarOp::active:
        out = Value::integer(active_);
        made[i] = out.bits;
        continue;
      case ScalarOp::actor:
        out = Value::integer(actor_);
        made[i] = out.bits;
        continue;
      case ScalarOp::gvar:
        number = memory_.gvar(step.arg);
        out = step.b != 0 ? Value::boolean(number != 0) : Value::integer(number);
        made[i] = out.bits;
        continue;
      case ScalarOp::pvar:
        if (!a.is_int() || a.payload() < 0 || a.payload() >= p_->players) return {};
        number = memory_.pvar(static_cast<int>(a.payload()), step.arg);
        out = step.b != 0 ? Value::boolean(number != 0) : Value::integer(number);
        made[i] = out.bits;
        continue;
      case ScalarOp::zvar:
        out = Value::integer(memory_.zvar(static_cast<int>(a.payload()), step.arg));
        made[i] = out.bits;
        continue;
      case ScalarOp::zone_count:
        out = Value::integer(memory_.zone(static_cast<int>(a.payload())).count);
        made[i] = out.bits;
        continue;
      case ScalarOp::token_prop: {
        if (!a.is_token() || a.payload() >= header().tokens) return {};
        const auto t = static_cast<int>(a.payload());
        const TokenRecord& record = memory_.token(t);
        const TypeInfo& type = p_->types[record.type];
        const int column = type.column[static_cast<std::size_t>(step.arg)];
        if (record.zone < 0 || column < 0) return {};
        const std::int32_t cell = memory_.cells(t)[column];
        const CellType kind = type.cell[static_cast<std::size_t>(step.arg)];
        out = kind == CellType::integer && cell != missing_cell ? Value::integer(cell)
                                                                : memory_.decode_cell(kind, cell);
        if (out.is_none()) return {};
        made[i] = out.bits;
        continue;
      }
      case ScalarOp::zone_attribute:
        out = p_->zone_attributes[static_cast<std::size_t>(a.payload()) * p_->attributes.size() +
                                  static_cast<std::size_t>(step.arg)];
        if (out.is_none() || out.is_list()) return {};
        made[i] = out.bits;
        continue;
      case ScalarOp::equal:
      case ScalarOp::not_equal:
        if (a.tag() == Tag::text || b.tag() == Tag::text) return {};
        out = Value::boolean((a == b) == (step.op == ScalarOp::equal));
        made[i] = out.bits;
        continue;
      case ScalarOp::negate:
        if (!a.is_bool()) return {};
        out = Value::boolean(a.payload() == 0);
        made[i] = out.bits;
        continue;
      case ScalarOp::both:
        if (!a.is_bool() || !b.is_bool()) return {};
        out = Value::boolean((a.payload() & b.payload()) != 0);
        made[i] = out.bits;
        continue;
      case ScalarOp::either:
        if (!a.is_bool() || !b.is_bool()) return {};
        out = Value::boolean((a.payload() | b.payload()) != 0);
        made[i] = out.bits;
        continue;
      case ScalarOp::select: {
        const Value when{made[step.arg]};
        if (!when.is_bool()) return {};
        out = when.payload() != 0 ? a : b;
        made[i] = out.bits;
        continue;
      }
      case ScalarOp::stop_no:
        if (!a.is_bool()) return {};
        if (a.payload() == 0) return a;
        out = a;
        made[i] = out.bits;
        continue;
      case ScalarOp::stop_yes:
        if (!a.is_bool()) return {};
        if (a.payload() != 0) return a;
        out = a;
        made[i] = out.bits;
        continue;
      default:
        break;
    }
    if (!a.is_int() || !b.is_int()) return {};
    const std::int64_t left = a.payload(), right = b.payload();
    switch (step.op) {
      case ScalarOp::less:
        out = Value::boolean(left < right);
        made[i] = out.bits;
        continue;
      case ScalarOp::less_equal:
        out = Value::boolean(left <= right);
        made[i] = out.bits;
        continue;
      case ScalarOp::greater:
        out = Value::boolean(left > right);
        made[i] = out.bits;
        continue;
      case ScalarOp::greater_equal:
        out = Value::boolean(left >= right);
        made[i] = out.bits;
        continue;
      case ScalarOp::add:
        number = left + right;
        break;
      case ScalarOp::subtract:
        number = left - right;
        break;
      case ScalarOp::multiply:
        if (__builtin_mul_overflow(left, right, &number)) return {};
        break;
      case ScalarOp::minimum:
        number = std::min(left, right);
        break;
      default:
        number = std::max(left, right);
        break;
    }
    if (number > max_int || number < -max_int) return {};
    made[i] = Value::integer(number).bits;
  }
  return Value{made[count - 1]};
}

}  // namespace parlor::kernel
