// What the parts of a Program and of its states are known by: small integers, each kind of its own,
// so that none can be taken for another. -1 is none of them. They have the width that operands and
// the records of states give them, and cost no more than the integer inside.
#pragma once

#include <cassert>
#include <utility>

#include "base/id.h"

namespace parlor::kernel {

using NodeId = Id<struct NodeTag, std::int32_t>;  // an expression
using UnitId = Id<struct UnitTag, std::int32_t>;  // a run of code
using SlotId = Id<struct SlotTag, std::int32_t>;  // where a binding of a unit lies
using VarId = Id<struct VarTag, std::int32_t>;    // a variable, among those of its scope
using ZoneId = Id<struct ZoneTag, std::int32_t>;  // a zone, whose name is the symbol of this number
using TokenId = Id<struct TokenTag, std::int32_t>;  // a token, in the order in which they were made

// An id in the 16 bits that records of states give it.
template <class IdType>
struct Stored {
  std::int16_t value;

  Stored() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it is the id, only narrower.
  constexpr Stored(IdType id) : value(static_cast<std::int16_t>(id.value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator IdType() const { return IdType(value); }
};

// A number in the width that a record gives it: written and read as what it is, and it has to fit.
template <class Int>
struct Small {
  Int value;

  Small() = default;
  template <class Number>
    requires(std::is_integral_v<Number> || std::is_enum_v<Number>)
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Small(Number number) : value(static_cast<Int>(number)) {
    assert(static_cast<Number>(value) == number);
  }

  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator Int() const { return value; }
  template <class Enum>
    requires std::is_enum_v<Enum>
  constexpr explicit operator Enum() const {
    return static_cast<Enum>(value);
  }
  constexpr Small& operator++() { return *this = value + 1; }
  constexpr Small& operator--() { return *this = value - 1; }
  constexpr Small operator++(int) { return std::exchange(*this, value + 1); }
  constexpr Small& operator|=(Int bits) { return *this = value | bits; }
  constexpr Small& operator&=(Int bits) { return *this = value & bits; }
};

// An operand of a Node or an Instr, or a number of the extra table. What it means depends on the
// operation (opcodes.def says it), so it becomes whatever id its reader takes it for; from there
// on it stays that.
struct Operand {
  std::int32_t value = -1;

  constexpr Operand() = default;
  template <class Number>
    requires(std::is_integral_v<Number> || std::is_enum_v<Number>)
  // NOLINTNEXTLINE(google-explicit-constructor): operands are written as what they mean.
  constexpr Operand(Number number) : value(static_cast<std::int32_t>(number)) {}
  template <class Tag>
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Operand(Id<Tag, std::int32_t> id) : value(id.value) {}

  // NOLINTNEXTLINE(google-explicit-constructor): and read as what they mean.
  constexpr operator std::int32_t() const { return value; }
  template <class Tag>
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator Id<Tag, std::int32_t>() const {
    return Id<Tag, std::int32_t>(value);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  constexpr explicit operator Enum() const {
    return static_cast<Enum>(value);
  }
};

// What stands beside the operands, in 16 bits: a flag, a small number, or one of an enumeration.
struct Aside {
  std::uint16_t value = 0;

  constexpr Aside() = default;
  template <class Number>
    requires(std::is_integral_v<Number> || std::is_enum_v<Number>)
  // NOLINTNEXTLINE(google-explicit-constructor): it is written and read as what it means, too.
  constexpr Aside(Number number) : value(static_cast<std::uint16_t>(number)) {}

  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator std::uint16_t() const { return value; }
  template <class Enum>
    requires std::is_enum_v<Enum>
  constexpr explicit operator Enum() const {
    return static_cast<Enum>(value);
  }
};

}  // namespace parlor::kernel
