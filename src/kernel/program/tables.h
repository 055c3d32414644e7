// The tables of a Program: what the rules declare, with names as numbers. Each is made once, by the
// linker.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/table.h"
#include "kernel/program/ids.h"
#include "kernel/program/value.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

struct VarInfo {
  std::string name;
  bool boolean = false;
  std::int64_t init = 0, min = 0, max = 0;
  bool material = true;
  spec::Visibility visibility = spec::Visibility::visible_to_all;
  std::vector<std::string> texts = {};  // of a variable that keeps the place of a text among them
  bool player = false;                  // a player, -1: nobody
  spec::VarType type = spec::VarType::integer;
};

using Vars = Table<VarId, VarInfo>;

struct ZoneInfo {
  std::string id;  // its symbol is the zone's index
  int base = -1;
  int owner = -1;  // player, or -1
  spec::Visibility visibility = spec::Visibility::visible_to_all;
  spec::Ordering ordering = spec::Ordering::set;
  spec::ZoneKind kind = spec::ZoneKind::aux;
  bool internal = false;
  bool count_hidden = false;
  std::uint32_t sight = ~0u;  // viewers who see its tokens, as the bits of an Audience
  int place = -1;             // see Secrets; -1: everybody sees it
  Symbol category = -1;
  std::vector<ZoneId> neighbours;  // ascending
  std::vector<ZoneId> steps;       // by direction; none: off the board
  bool deck = false;
  spec::DrawFrom draw_from = spec::DrawFrom::top;
  ZoneId reshuffle_from = {};
};
struct BaseInfo {
  std::string name;
  bool owned = false;
  std::vector<ZoneId> zones;  // one, or one per player
};

enum class CellType : std::uint8_t { integer, symbol, boolean };
struct EntryRule {
  std::optional<spec::ZoneKind> kind;  // of the zones it holds for; none: of all
  Symbol category = -1;
  std::vector<std::pair<int, Value>> set;  // property, value
};
struct TypeInfo {
  std::string id;
  Symbol symbol = -1;
  Symbol seat = -1;
  std::vector<std::int16_t> column;  // by property; -1: this type has no such property
  std::vector<CellType> cell;        // by property
  std::vector<bool> given;           // by property: whoever makes a token of this type gives it
  std::vector<EntryRule> entry;
  // The features a token of this type may have, with their first cell to compare.
  struct FeatureTest {
    int feature = 0;
    std::uint32_t offset = 0;  // of the feature's words in a state
    int column = -1;           // -1: nothing to compare
    std::int32_t cell = 0;
    bool more = false;  // there is more to compare
  };
  std::vector<FeatureTest> feature_tests;
  struct Transition {
    int prop;
    Value from, to;
  };
  std::vector<Transition> transitions;
};

struct LatticeInfo {
  std::string id;
  std::vector<Symbol> states;
  int initial = 0;
  struct Constraint {
    NodeId when = {};  // slot 0 of unit `unit` is $space
    std::vector<int> allowed;
  };
  std::vector<Constraint> constraints;
  UnitId unit = {};
};

struct TableInfo {
  std::string id;
  std::vector<std::string> columns;
  std::vector<Value> cells;  // row-major
  int rows = 0;
  // By column: (value, row), ordered; empty if some row lacks it or rows cannot be found by it.
  std::vector<std::vector<std::pair<std::uint64_t, int>>> rows_by_column = {};
};

// How often actions were used, where more than the three counters of each is asked for: for each
// player or zone by itself, for several actions together, or for a round.
struct LimitCount {
  std::string shared;  // the name actions share it by, or the action's id
  spec::LimitScope scope;
  enum class Per : std::uint8_t { nothing, player, zone } per;
  int first = 0, size = 0;  // counters
};
struct LimitInfo {
  spec::LimitScope scope;
  std::int64_t max;
  int count = -1;  // a LimitCount; -1: the action's own counter of this scope
  int param = -1;  // whose zone is counted by itself
};

struct TriggerInfo {
  std::string id;
  spec::EventKind event;
  int phase = -1, action = -1, player = -1;
  ZoneId zone = {};
  int scope = -1;  // 0 global, 1 per player, 2 zone
  Symbol var = -1;
  NodeId match = {}, when = {};
  UnitId unit = {};
  // Slots of what the event says: phase/action/zone, scope, var, player, old, new.
  SlotId slots[6] = {};
  std::uint32_t place = 0;
};
struct TerminalInfo {
  std::string id;
  NodeId when = {};
  spec::ResultKind result = spec::ResultKind::draw;
  NodeId player = {};
  NodeId winners = {};   // condition on each player as the actor, for a win of several
  int seat_player = -1;  // checkpoints without margins
  bool by_margins = false;
  bool in_any_phase = true;
  std::vector<bool> in_phase;  // of a checkpoint that is asked in some only
};
struct StackingInfo {
  std::string id;
  Table<ZoneId, bool> zones;
  std::vector<bool> types;
  std::int64_t max = 0;
};
struct EffectKindInfo {
  std::string id;
  Symbol symbol = -1;
  std::vector<bool> blocks;                                // by action
  std::vector<std::pair<int, std::int64_t>> deltas;        // modifier name -> value, by `modifier`
  std::vector<std::pair<VarId, std::int64_t>> cost_delta;  // by variable of players
  std::vector<bool> prices;                                // by action: whose price that changes
  std::int64_t charges = -1;
};
struct HookInfo {
  std::string id, code, message, event;
  std::vector<std::pair<std::string, NodeId>> details;  // name, value
  NodeId when = {};
};
struct MarginInfo {
  int player = -1;
  std::string seat;
  NodeId value = {};
};
// What clients and agents are shown and no rule reads.
struct MetricInfo {
  std::string id;
  NodeId value = {};
};
struct StandingInfo {
  std::string seat;
  int player = -1;
  std::int64_t threshold = 0;
  NodeId value = {};
};

}  // namespace parlor::kernel
