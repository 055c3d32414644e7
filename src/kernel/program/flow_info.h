// What a game's card-driven turn order, its event cards and its free operations are, linked: part
// of a Program (link_flow.cpp makes it).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/program/ids.h"
#include "kernel/program/value.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

using spec::ActionClass;

// At most so much in a parameter of a move; by its name without `$`.
struct ParamLimit {
  std::string name;
  std::int64_t max = 0;
};
struct RestrictionInfo {
  int action = -1;                               // -1: any
  ActionClass action_class = ActionClass::none;  // none: any
  bool blocked = false;
  bool limits = false;
  ParamLimit limit;
};
struct LastingInfo {
  std::string id;
  Symbol symbol = -1;
  spec::Duration duration = spec::Duration::turn;
  UnitId teardown = {};
  std::vector<RestrictionInfo> restrictions;
};

struct DeckInfo {
  std::string id;
  Symbol symbol = -1;
  ZoneId draw = {}, discard = {};
};
struct CardInfo {
  std::string id;
  Symbol symbol = -1;
  int deck = -1;
  std::vector<std::string> tags;
  bool orders = false;              // it has a list of seats
  std::vector<std::uint8_t> order;  // players
  UnitId instruction = {};          // its unshaded side, when it comes up as a coup card
  int first_move = 0, moves = 0;    // among EventMoves
};
// One way to play a card: a side, and a branch of it if it has some.
struct EventMove {
  int card = -1;
  bool shaded = false;
  Symbol branch = -1;
  UnitId unit = {};
  std::vector<int> needs_usable;  // grants with requireUsableForEventPlay
};
// The four parameters of an event move, in the first slots of its unit.
inline constexpr const char* event_params[] = {"eventCardId", "eventDeckId", "side", "branch"};

struct OverrideInfo {
  int seat = -1;  // -1: whoever acts
  bool eligible = true;
  bool next = false;  // on the next card
};

struct GrantInfo {
  static constexpr int self = -1, same = -2;
  std::string id;
  std::string name;  // the id, or where it stands
  int seat = self, as = same;
  ActionClass action_class = ActionClass::operation;
  std::vector<bool> actions;
  NodeId filter = {};  // condition on a zone, with slots of its own
  UnitId filter_unit = {};
  SlotId zone_slot = {};
  bool filter_reads_state = false;  // or only what never changes during a move
  std::vector<NodeId> fills;        // of the granting unit, kept when issued
  bool names_bindings = false;      // moveZoneBindings
  std::vector<std::string> bindings;
  struct Interpretation {
    NodeId filter = {};
    std::vector<std::pair<int, Value>> assign;  // property, value
  };
  std::vector<Interpretation> interpretations;
  int views = 0;  // grants that show tokens alike have the same number; 0: as they are
  UnitId filter_of_tokens_unit = {};
  bool during_monsoon = false;
  int uses = 1;
  spec::Viability viability = spec::Viability::emit_always;
  spec::Completion completion = spec::Completion::optional;
  bool must_change = false, resumes = false;
  Symbol batch = -1;
  int step = 0;
  bool strict = true;
  Symbol captures = -1, requires_from = -1;
  std::vector<std::pair<Symbol, NodeId>> context;  // key, value
  std::uint32_t place = 0;

  bool blocks() const { return completion != spec::Completion::optional; }
};

struct MonsoonInfo {
  int action = -1;
  bool limits = false;  // one parameter
  ParamLimit limit;
  bool totals = false;
  std::vector<std::string> names;
  std::int64_t most = 0;
  Symbol override_token = -1;
};
struct SelectorInfo {
  int action = -1;
  ActionClass action_class = ActionClass::none;
  std::string card;
  std::vector<std::string> tags_all, tags_any;
  std::vector<std::pair<std::string, Value>> params;
};
struct RewardInfo {
  int seat = -1;
  VarId var = {};
  std::int64_t amount = 0;
};
// A special activity that may go with an operation.
struct ActivityInfo {
  int action = -1;
  // Steps of its order that the operation leaves as they are, before any that might fault: what
  // they say no to before it, they say no to at any point of it.
  std::vector<int> settled = {};
};
// What the parameters of the two must have to do with each other.
struct ConstraintInfo {
  bool subset = false;  // otherwise disjoint
  std::string operation, activity;
};

struct FlowInfo {
  bool cards = false;   // the order is card-driven
  bool events = false;  // there are event cards
  bool any() const { return cards || events; }
  Symbol word_of(ActionClass c) const { return class_words[static_cast<std::size_t>(c)]; }
  int event_action = -1;
  Symbol none = -1;  // the word for no activity
  Symbol class_words[7] = {}, side_words[2] = {};
  bool grants_act = false;      // freeOperationsAreActs
  bool instructs = false;       // a coup card's unshaded side is carried out when it comes up
  std::uint32_t everybody = 0;  // players that take part
  std::vector<std::uint8_t> seats;
  ZoneId played = {}, lookahead = {}, leader = {}, draw = {}, discard = {};
  bool course = false;          // there are slots for cards to go through
  bool orders_by_card = false;  // cardSeatOrderMetadataKey
  int card_prop = -1, coup_prop = -1;
  std::vector<ActionClass> class_of;  // by action
  std::vector<std::pair<ActionClass, std::vector<ActionClass>>> matrix;
  std::vector<RewardInfo> rewards;
  bool monsoons = false;
  bool monsoon_blocks_pivotal = true;
  std::vector<MonsoonInfo> monsoon;
  std::vector<bool> pivotal;  // by action
  bool pivotal_before_acts = true, pivotal_not_before_coup = true;
  Symbol pivotal_override = -1;
  bool ranks = false;
  std::vector<int> rank_of;                                          // by player
  std::vector<std::pair<SelectorInfo, SelectorInfo>> cancellations;  // winner, canceled
  std::vector<bool> coup_phase;                                      // by phase
  std::vector<bool> omitted;                                         // in the last round
  int first_coup_phase = -1;                                         // of the plan's list
  std::int64_t most_rounds = -1;                                     // in a row; -1: any number
  std::vector<std::uint8_t> coup_order;
  std::vector<DeckInfo> decks;
  std::vector<CardInfo> card_infos;
  std::vector<EventMove> event_moves;
  std::vector<LastingInfo> lasting;
  std::vector<GrantInfo> grants;
  std::vector<OverrideInfo> overrides;
  std::vector<UnitId> deferred;
  std::vector<std::vector<ActivityInfo>> activities;     // by action
  std::vector<std::vector<ConstraintInfo>> constraints;  // by pipeline of an activity
  int grant_values = 0;                                  // values a grant keeps
  int deferred_values = 0;                               // values a deferred event keeps
  bool any_filter = false, any_interpretation = false;
  bool refuses = false;  // what follows a move may make it illegal
  UnitId flow_unit = {}, boundary_unit = {}, expire_unit = {};
  UnitId lapse_unit = {}, release_unit = {};  // after a grant that nobody could use
};

}  // namespace parlor::kernel
