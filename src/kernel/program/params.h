// How the parameters of an option stand in its id: so many bits each, counted from the least value.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

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
