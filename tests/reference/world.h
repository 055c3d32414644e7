// What the reference evaluator computes with: plain values and a plain state, made of maps, strings
// and vectors. Nothing here is fast; everything here is easy to check against the language.
#pragma once

#include "reference/table.h"
#include "reference/values.h"

namespace parlor::reference {

struct Token {
  std::string id, type;
  std::map<std::string, Scalar> props;
};
struct Usage {
  Int turn = 0, phase = 0, game = 0;
};
struct RevealGrant {
  bool all = false;
  std::vector<int> observers;  // sorted; empty when `all`
  std::string filter;          // canonical text of the filter; empty: none
  friend bool operator==(const RevealGrant&, const RevealGrant&) = default;
};
struct Interrupt {
  std::string phase, resume;
};
// An effect in force for a while (M-30). Nothing: no owner, no target, no end.
struct TimedEffect {
  std::string kind;
  std::optional<int> owner, until_turn_of;
  std::optional<Val> target;
  Int from_turn = 0, from_round = 0;
  std::optional<Int> until_turn, until_round, charges;
};

// The whole state of a game at rest (sections 17.1 and 24).
struct World {
  std::map<std::string, Val> globals;
  std::vector<std::map<std::string, Val>> players;
  std::map<std::string, std::map<std::string, Val>> zone_vars;  // by zone id
  std::map<std::string, std::vector<Token>> zones;              // index 0 is the top
  Int next_ordinal = 0;
  std::string phase;
  int active = 0;
  Int turn = 1, round = 1, turn_in_round = 1;
  int round_start = 0;
  std::size_t order_index = 0, round_index = 0;  // of fixedOrder: now, and where the round began
  // What the rules said about turns to come (L-03, L-13).
  std::vector<int> order, next_order;  // empty: by seats, as before
  std::vector<int> extra_turns;        // the next first
  std::map<int, Int> skips;
  std::optional<int> next_start, goes_on_after;
  bool round_ends = false;
  int turn_of = 0;  // while moves of a simultaneous phase are handed in
  Rng rng;
  std::map<std::string, Usage> usage;
  std::map<std::string, std::map<std::string, Int>> counts;           // of limits, by scope (L-05)
  std::map<std::string, std::map<std::string, std::string>> markers;  // space, lattice, state
  std::map<std::string, std::string> global_markers;
  std::map<std::string, std::vector<RevealGrant>> reveals;
  std::vector<Interrupt> interrupts;
  std::vector<TimedEffect> effects;
  Table table;         // of card-driven games
  bool stuck = false;  // no phase offers anybody a move: the game is over
};

// What an event tells triggers (section 21).
struct Happening {
  spec::EventKind kind = spec::EventKind::turn_start;
  std::string phase, action, zone, scope, var;
  std::optional<int> player;
  Val old_value, new_value;
};

// A choice that the rules need before they can go on.
struct Pending {
  bool choose_n = false;
  int player = 0;
  List options;                            // as bound, without duplicates
  std::vector<std::size_t> addable;        // indices into options that may be taken now
  bool can_confirm = false;                // choose_n only
  std::optional<std::size_t> last_resort;  // an option for when no other leads anywhere
};
inline constexpr int confirm_answer = -1;

}  // namespace parlor::reference
