// Which players, zones, names and directions a rule speaks of, and where it was written (PlaceId).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/gamedef/box.h"
#include "spec/gamedef/declare.h"

namespace parlor::spec {

using Scalar = std::variant<Int, bool, std::string>;

// Where a node was written: an index into GameDef::places; 0 is "nowhere".
struct PlaceId {
  std::uint32_t index = 0;
  // Two nodes are the same rule wherever they were written.
  friend bool operator==(PlaceId, PlaceId) { return true; }
};

struct Value;
struct Condition;
struct Query;

// Which player or players. In JSON: a word, a number, or "$binding".
struct PlayerSel {
  enum class Kind : std::uint8_t {
    actor,
    active,
    all,
    all_other,
    left,      // the seat before the actor's
    right,     // the seat after it
    next,      // whose turn comes after the actor's
    previous,  // whose turn came before it
    opponent,  // the other one of two
    id,
    binding
  };
  Kind kind = Kind::active;
  Int id = 0;           // for Kind::id
  std::string binding;  // for Kind::binding, with its `$`
  friend bool operator==(const PlayerSel&, const PlayerSel&) = default;
};

// Which zone or zones. In JSON: "deck:none", "hand:actor", "$binding" or {"zoneExpr": value}.
struct ZoneSel {
  enum class Kind : std::uint8_t {
    exact,       // `text` is a full zone id: "deck:none", "hand:2"
    owned,       // the zones of base `text` that belong to `owner`
    binding,     // `text` is a binding, with its `$`, holding a zone id or a list of them
    expression,  // `expr` gives a zone id, or a selector to resolve while playing
  };
  Kind kind = Kind::exact;
  std::string text;
  PlayerSel owner;
  std::vector<Value> expr;  // exactly one for Kind::expression
  friend bool operator==(const ZoneSel&, const ZoneSel&);
};

// A name that may be known only while playing, e.g. of a variable. In JSON: text or a {"ref": …}.
struct Name {
  enum class Kind : std::uint8_t { literal, binding, grant_context };
  Kind kind = Kind::literal;
  std::string text;
  friend bool operator==(const Name&, const Name&) = default;
};

// A direction on a board: a name, a binding, several names, every direction the board has ("all";
// "orthogonal" and "diagonal" on grids), or a value that gives its name.
struct DirectionSel {
  enum class Kind : std::uint8_t { names, binding, all, expression };
  Kind kind = Kind::all;
  std::vector<std::string> names;
  std::string binding;
  std::vector<Value> expr;  // exactly one for Kind::expression
  friend bool operator==(const DirectionSel&, const DirectionSel&);
};

}  // namespace parlor::spec
