// How an option of an action selection is a number: the action, and how its parameters stand behind
// it, so many bits each, counted from the least value.
#pragma once

#include "game/game.h"
#include "kernel/program/program.h"

namespace parlor::kernel {

inline constexpr std::uint64_t action_mask = (std::uint64_t{1} << action_bits) - 1;
inline int action_of(Option option) {
  return static_cast<int>(option.id & action_mask);
}
// Its parameters; of an event, which move of a card it is.
inline std::uint64_t params_of(const Program& p, Option option) {
  return option.id >> (action_bits + p.variant_bits);
}

inline std::uint64_t encode(const ParamInfo& param, Value v) {
  return static_cast<std::uint64_t>(v.payload() - param.base);
}

inline Value decode(const ParamInfo& param, std::uint64_t code) {
  const std::int64_t n = static_cast<std::int64_t>(code) + param.base;
  switch (param.kind) {
    case ItemKind::token:
      return Value::token(TokenId(n));
    case ItemKind::boolean:
      return Value::boolean(n != 0);
    case ItemKind::zone:
    case ItemKind::symbol:
      return Value::symbol(static_cast<Symbol>(n));
    default:
      return Value::integer(n);
  }
}

}  // namespace parlor::kernel
