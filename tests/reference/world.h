// What the reference evaluator computes with: plain values and a plain state, made of maps, strings
// and vectors. Nothing here is fast; everything here is easy to check against the language.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/rng.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::reference {

using spec::GameDef;
using spec::Int;
using spec::Scalar;

// The rules went wrong while playing: a fault. `code` is the family of section 25.3, e.g.
// "MISSING_BINDING".
struct RuntimeError : std::runtime_error {
  RuntimeError(std::string c, const std::string& message)
      : std::runtime_error(c + ": " + message), code(std::move(c)) {}
  std::string code;
};

// The rules say no: an empty choice, a broken `require`, a stacking limit, a price. Such a move is
// illegal; a RuntimeError is a fault of the rules and makes nothing illegal.
struct Illegal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Section 8: scalars, lists, tokens (an identity, section 0.4) and table rows.
struct TokenItem {
  std::string id;
  friend bool operator==(const TokenItem&, const TokenItem&) = default;
};
struct RowItem {
  std::string table;
  std::size_t row = 0;
  friend bool operator==(const RowItem&, const RowItem&) = default;
};
struct Val;
using List = std::vector<Val>;
struct Val {
  std::variant<Int, bool, std::string, TokenItem, RowItem, List> v;

  // Out of line: quicker to compile, and GCC 12 warns wrongly about inlined moves of this variant.
  Val();
  Val(const Val&);
  Val(Val&&) noexcept;
  Val& operator=(const Val&);
  Val& operator=(Val&&) noexcept;
  ~Val();
  // A value stands for itself wherever one is needed.
  // NOLINTBEGIN(google-explicit-constructor)
  Val(Int value);
  Val(int value);
  Val(bool value);
  Val(std::string value);
  Val(const char* value);
  Val(TokenItem value);
  Val(RowItem value);
  Val(List value);
  Val(const Scalar& value);
  // NOLINTEND(google-explicit-constructor)

  bool is_scalar() const { return v.index() <= 2; }
  friend bool operator==(const Val& a, const Val& b);
};

std::string text_of(const Val& value);  // scalars and tokens; others throw TYPE_MISMATCH
Json json_of(const Val& value);         // tokens as their ids
Scalar scalar_of(const Val& value);     // tokens as their ids
std::string type_name(const Val& value);

using Bindings = std::map<std::string, Val>;

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
  Rng rng;
  std::map<std::string, Usage> usage;
  std::map<std::string, std::map<std::string, std::string>> markers;  // space, lattice, state
  std::map<std::string, std::string> global_markers;
  std::map<std::string, std::vector<RevealGrant>> reveals;
  std::vector<Interrupt> interrupts;
  std::vector<TimedEffect> effects;
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
  List options;                      // as bound, without duplicates
  std::vector<std::size_t> addable;  // indices into options that may be taken now
  bool can_confirm = false;          // choose_n only
};
inline constexpr int confirm_answer = -1;

}  // namespace parlor::reference
