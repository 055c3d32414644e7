// What is true of an operation, as its line of opcodes.def says: everything that looks at a Program
// asks here instead of naming the operations it means. Most traits of an expression are about the
// operation alone: an expression has one if all that it is made of has it, too.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

// What evaluating an expression gives.
enum class Gives : std::uint8_t { value, condition, query, filter, player, zone, directions, set };

using Traits = std::uint32_t;

namespace trait {

inline constexpr Traits none = 0;

// -- of expressions
// The same as long as the state, the players and the bindings in it are (plan/memos.cpp). These of
// its operands are numbers that make it what it is.
inline constexpr Traits pure = 1u << 0;
inline constexpr Traits by_a = 1u << 1;
inline constexpr Traits by_b = 1u << 2;
inline constexpr Traits by_c = 1u << 3;
// Asks for nothing but what lies in zones, which is noted while it runs (HalfMove::note_read).
inline constexpr Traits local = 1u << 4;
// May be asked at the end of a trial, of variables and sums that are kept (plan/trials.cpp).
inline constexpr Traits late = 1u << 5;
// Whoever knows what it is made of knows its answer.
inline constexpr Traits open = 1u << 6;
// Can be asked of an earlier time, knowing only what lay where (know/secrets.cpp).
inline constexpr Traits timeless = 1u << 7;
// Known when linking, for each zone and player (plan/relations.cpp).
inline constexpr Traits fixed = 1u << 8;
// Known before a selection is made, if no binding made since is in it (plan/bounds.cpp).
inline constexpr Traits early = 1u << 9;
// Cannot fault (plan/sure.cpp).
inline constexpr Traits sure = 1u << 10;
// Of zone sets: computed in registers, without asking a condition; and one without parts.
inline constexpr Traits words = 1u << 11 | sure;
inline constexpr Traits leaf = 1u << 12 | words;
// Zone sets with it are shared if they mean the same; others may say what such a set means.
inline constexpr Traits shared = 1u << 13;
// Worth a function of compiled code.
inline constexpr Traits printed = 1u << 14;
// Kept while the state does not change: d is its memo.
inline constexpr Traits memo = 1u << 15 | printed;
// Two numbers make one. The greatest and the least of them come from the greatest and the least of
// the two.
inline constexpr Traits arithmetic = 1u << 16 | printed;
inline constexpr Traits corners = 1u << 17;
// Logic and numbers alone.
inline constexpr Traits plain = pure | local | late | open | timeless;
inline constexpr Traits comparison = 1u << 18 | plain | printed;
// Of queries: all results are tokens of zones; may give the same twice, or in an order of its own.
inline constexpr Traits tokens = 1u << 19;
inline constexpr Traits repeats = 1u << 20;

// -- of statements, beside `local`
// Afterwards everything a condition can read is as it was.
inline constexpr Traits reads = 1u << 21;
// Compiled code does it without changing the state.
inline constexpr Traits still = 1u << 22;
// Tells nobody anything by itself.
inline constexpr Traits untold = 1u << 23;
// Asks nobody and leads nowhere else: the machine can do it for compiled code.
inline constexpr Traits by_machine = 1u << 24;

inline constexpr Traits of_statements[] = {
#define STATEMENT(name, traits, help) traits,
#define EXPRESSION(name, gives, traits, help)
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};
inline constexpr Traits of_expressions[] = {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) traits,
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};

}  // namespace trait

constexpr bool has(Op op, Traits wanted) {
  return (trait::of_statements[static_cast<std::size_t>(op)] & wanted) == wanted;
}
constexpr bool has(Ex op, Traits wanted) {
  return (trait::of_expressions[static_cast<std::size_t>(op)] & wanted) == wanted;
}

constexpr Gives gives(Ex op) {
  constexpr Gives all[] = {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) Gives::gives,
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
  };
  return all[static_cast<std::size_t>(op)];
}

}  // namespace parlor::kernel
