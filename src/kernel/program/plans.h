// What planning finds in the expressions of a Program (plan/), as tables: zone sets that are kept
// up to date, sums, filters, zones looked up by what they have, and runs of steps without branches.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/table.h"
#include "kernel/program/ids.h"
#include "kernel/program/value.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

// A set of zones with at least one token that satisfies one simple test; kept up to date by every
// write to a token, and only if some expression of the game reads it.
struct Feature {
  int type = -1;                                    // of the token; -1: any
  std::vector<std::pair<int, std::int32_t>> cells;  // property and its value; all must hold
};

// A number kept up to date by every write to a token: the sum over the tokens in some zones of the
// zone's weight × (a property + addend), modulo something. It is what a `reduce` comes to that
// takes in one zone after the other by `number × factor + content, modulo` (plan/sums.cpp), so the
// fingerprint of a position costs no more than what a move changes.
struct KeptSum {
  int zones = -1;           // constant zone set
  int prop = -1;            // -1: every token counts `addend`
  std::int64_t addend = 0;  // what a token counts besides its property
  std::int64_t factor = 1, modulus = 1;
  std::int64_t whole = 1;  // factor to the number of zones: what the first number counts
  Table<ZoneId, std::int64_t> weights;  // -1: it is not among them
};

// A filter that asks for properties and types and nothing else: how many tests, and where they
// begin in Program::prop_tests. None: it is asked as it stands.
struct PropTest {
  int prop = -1;  // -1: the type
  NodeId value = {};
  spec::FilterOp op = spec::FilterOp::eq;
  std::uint32_t place = 0;
};
struct PropFilter {
  std::int32_t first = 0, count = 0;
};
inline constexpr int most_prop_tests = 4;

// Which tokens a zone may hold, by some of their properties: one bit for each of many mixed values.
// Where the bit is not set there is none, and nobody has to look for one.
struct SeenFilter {
  ZoneId zone = {};
  std::vector<int> props;  // numbers, in every type that has them
};

// Zones a query asks for by an attribute: only those with this value can be among its results.
struct ZoneKey {
  int attribute = -1;  // -1: there is no such thing
  NodeId value = {};   // does not look at the zone
};

// A number that depends on nothing but a zone, at most one other zone and whose turn it is, found
// for all of them when linking: how far one lies from the other, forward for the player (V-06).
struct ZoneRelation {
  SlotId other = {};       // of the other zone; none: there is no other
  std::int64_t least = 0;  // of the numbers
  std::int64_t span = 0;   // and how many from there
  // By player, other zone and number: the zones it holds for, as words. One more set behind each
  // row of numbers: zones for which there is no number.
  std::vector<std::uint64_t> zones;
};
// What a condition asked zone by zone asks first: whether such a number is one of these. Zones for
// which it is not need not be asked.
struct ScanKey {
  int relation = -1;
  std::vector<NodeId> wanted;  // they do not look at the zone
};

// A costly expression that depends on the state, the players and at most two bindings: it is
// computed once for each of their values while nothing is written. Expressions that mean the same
// have the same number.
struct Memo {
  int number = -1;
  SlotId slots[2] = {};
};

// A planned zone set has at most so many words, so that it can be computed with in registers.
inline constexpr std::size_t most_words = 8;
// Options that are a set of so many words are kept in the state.
inline constexpr std::size_t instant_words = 4;

// A direction as an operation on zone sets. A step changes a zone's index by a number; zones with
// the same number are one group, and a step back of a group is one rotation. Boards whose names
// sort as they lie have one group for each direction.
struct ShiftInfo {
  struct Group {
    std::uint64_t from[most_words] = {};
    int turn = 0;  // to rotate right by
  };
  std::vector<Group> groups;
  std::uint64_t valid[most_words] = {};  // zones from which there is a step
  int longest = 0;                       // steps one after the other; -1: they go round
};
// Rows of `length` zones along some directions (of two opposite ones, only one is needed).
struct LineTable {
  struct Way {
    int direction = 0;
    int turn = -1;                          // of the direction, if it has only one group
    std::uint64_t starts[most_words] = {};  // zones from which the row stays on the board
  };
  int length = 0;
  int board = 0;  // zone set of all zones that count
  // Zones are numbered by their names, which on a wide board is not how they lie (10 comes before
  // 2). Rotated by these groups they do, and every way is one turn of it; starts are meant so too.
  std::vector<ShiftInfo::Group> order;
  std::vector<Way> ways;
};

// A zone set as a run of steps without branches: step i gives the i-th set, the last is the result.
enum class SetOp : std::uint8_t {
  words,       // arg: constant set
  feature,     // arg: offset of its words in a state
  player,      // arg: first feature in the extra table, a: as b_player's b
  active,      // arg: everything while this is the active player; a 1: while it is not
  keep,        // arg: node
  node,        // arg: node, evaluated by itself
  complement,  // a
  both,        // a, b
  either,      // a, b
  less,        // a without b
  shift,       // a, turn, arg: constant set of zones from which there is a step
  ray,         // over a to b, turn, longest, arg as in shift
  far_shift,   // a, arg: direction of several groups
  far_ray,     // over a to b, arg: direction of several groups
};
struct SetStep {
  SetOp op = SetOp::words;
  Small<std::uint8_t> longest = 0;
  Small<std::int16_t> turn = 0;
  Small<std::int16_t> a = 0, b = 0;
  std::int32_t arg = 0;
};
struct SetTape {
  std::int32_t first = 0, count = 0;  // count 0: there is none
};
inline constexpr int max_tape = 64;

// A value or condition of nothing but numbers, names and tokens as a run of steps without calls:
// step i gives the i-th value, the last is the result. Where a step meets anything out of the
// ordinary (a binding without a value, a property that is missing, a number too large) the run is
// given up, and the expression is evaluated as it stands, which says what is wrong.
enum class ScalarOp : std::uint8_t {
#define SCALAR(name, help) name,
#include "kernel/program/scalars.def"
#undef SCALAR
};
struct ScalarStep {
  ScalarOp op = ScalarOp::constant;
  std::uint8_t a = 0, b = 0;
  std::int32_t arg = 0;
  Value fixed = {};
};
inline constexpr int max_scalar_tape = 32;

}  // namespace parlor::kernel
