// A Program: a GameDef linked for a number of players. Names are numbers, effects are code,
// expressions are nodes, everything in a state has a fixed offset. Made by `link`, never written to
// afterwards.
#pragma once

#include <fmt/core.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/interner.h"
#include "base/position.h"
#include "kernel/program/flow_info.h"
#include "kernel/program/ids.h"
#include "kernel/program/plans.h"
#include "kernel/program/tables.h"
#include "kernel/program/value.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

class NativeModule;
struct PrintedCode;  // printed/code.h
struct PrintedFunction;

enum class Op : std::uint16_t {
#define STATEMENT(name, traits, help) name,
#define EXPRESSION(name, gives, traits, help)
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};
enum class Ex : std::uint16_t {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) name,
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};
const char* op_name(Op op);
const char* ex_name(Ex ex);

// A choice of a special activity, and the word for none.
inline constexpr std::uint16_t activity_choice = 2;
inline constexpr const char* no_activity = "none";

inline constexpr int action_bits = 12;  // of an option id: which action; the rest are parameters

struct Node {
  Ex op = Ex::no;
  Aside x = {};
  Operand a = {}, b = {}, c = {}, d = {};
  std::uint32_t place = 0;
};
struct Instr {
  Op op = Op::ret;
  Aside x = {};
  Operand a = {}, b = {}, c = {}, d = {};
  std::uint32_t place = 0;
};

// A run of code with its own slots.
struct UnitInfo {
  std::string name;
  int entry = 0;
  int end = 0;
  int slots = 0;
  bool can_refuse = false;  // something in it may make the move illegal
  // Statements that may, and look at nothing that the move changes before it comes to them. Empty
  // unless these are all that may: then they are asked in the state the move begins with.
  std::vector<int> refuses_at_start = {};
  bool sure_until_then = false;  // and nothing can fault before
  SlotId activity = {};          // of an operation: which special activity goes with it
  // Names and their slots, for those who read the bindings of a move from outside: everything that
  // is ever declared, and what is chosen or given as a parameter.
  std::vector<std::pair<Symbol, SlotId>> names = {}, params = {};
};

// What a condition right behind a chooseN asks of a sum over what is selected: `sign` × sum + rest,
// compared with 0. Selections whose sum can come to nothing good are not tried (plan/bounds.cpp,
// run/hopeless.cpp).
struct SumBound {
  Ex relation = Ex::less_equal;
  int sign = 1;
  SlotId item = {};
  NodeId value = {};  // what the item adds; none: one each
  std::vector<std::pair<int, NodeId>>
      rest;  // sign and node of what does not depend on the selection
};

enum class ItemKind : std::uint8_t { unknown, zone, token, player, boolean, symbol, integer, row };

struct ParamInfo {
  std::string name;
  SlotId slot = {};
  NodeId domain = {};  // a query
  ItemKind kind = ItemKind::unknown;
  int bits = 0;             // width in an option id, if the action is packed
  std::int64_t base = 0;    // subtracted from the payload before packing
  std::int64_t span = -1;   // of integers, when known: the largest minus the smallest
  bool may_repeat = false;  // the domain may give a value twice
};
struct StageInfo {
  NodeId legality = {}, cost = {};
};
struct PipelineInfo {
  std::string id;
  NodeId applicability = {}, legality = {}, cost = {};  // in the slots of the pipeline's unit
  bool partial = false;
  UnitId unit = {};
  int stages = 0;
  bool look_ahead = false;
};
// One question of the order of one action (order.def).
enum class Ask : std::uint8_t {
#define STEP(name, help) name,
#include "kernel/legal/order.def"
#undef STEP
};
const char* ask_name(Ask ask);
struct Step {
  Ask ask = Ask::actor;
  Operand what = {};  // a condition or selector; or which parameter, limit or hook of the action
  int phase = -1;     // asked only in this phase; -1: in all
  bool sure = false;  // cannot fault: what listing found out needs not be asked again
};
// A hook of the rules, or of a native module.
struct HookRef {
  int hook = -1, native = -1;
  NodeId gate = {};  // whether a native module binds the actor now; none: always
};
// Effects that the native half of a module asks for by name, and where its values go.
struct CalledInfo {
  std::string id;
  UnitId unit = {};
  std::vector<std::pair<std::string, SlotId>> slots;  // by name
};
// Whether trying an action out asks for nothing but what lies in certain zones, so that the answer
// holds until one of these changes (plan/trials.cpp, legal/trials.h).
struct TrialPlan {
  // What may come last, and is asked anew each time: kept sums, and conditions on them, on
  // variables and on tokens in a zone of the rules' own.
  struct Step {
    enum class Kind : std::uint8_t { sum, var, ask } kind = Kind::sum;
    SlotId slot = {};        // sum: where it goes; var: what goes there
    Operand what = {};       // sum, variable, or condition
    std::int64_t start = 0;  // of a sum
  };
  bool local = false;
  bool by_zone = false;  // the option is one zone, and its trial the last thing that is asked
  int tail = -1;         // code address from which these come; -1: there are none
  std::vector<Step> steps;
  std::vector<ZoneId> zones;  // that the conditions look into
};
inline constexpr std::size_t most_trial_sums = 4;
struct ActionInfo {
  std::string id;
  Symbol symbol = -1;
  std::vector<bool> in_phase;
  std::vector<ParamInfo> params;
  std::vector<LimitInfo> limits;
  std::vector<Step> order;  // what is asked before it may begin
  int usage = -1;           // first of three counters, or -1 when nothing asks for them
  UnitId unit = {};
  std::vector<int> pipelines;
  bool packed = false;      // parameters fit into the option id
  bool look_ahead = false;  // what it does may turn out illegal: try it on a copy first
  bool is_pass = false;
  // Its options are zones of a set with directions they may go: set, then (direction, set) pairs.
  NodeId ways_from = {};
  std::vector<std::pair<Symbol, NodeId>> ways;
  bool executor_named = false;  // by a parameter
  NodeId quick = {};  // its options are exactly this zone set: listed without evaluating each
  TrialPlan trial;
  std::vector<std::pair<VarId, NodeId>> price;  // of players, amount
  std::vector<HookRef> before, validate;        // hooks that concern it, in order
  std::uint32_t place = 0;
};
struct PhaseInfo {
  std::string id;
  Symbol symbol = -1;
  bool interrupt = false;
  std::vector<int> actions;
  NodeId instant = {};  // the only action is this zone set's options, whatever the state
  bool always = false;  // of one of its actions nothing is asked: somebody can always move
  UnitId enter = {}, exit = {};
  bool together = false;  // moves are handed in, then carried out
  UnitId then = {};       // what comes once they are, and the end of the phase
};
// What a game hides, found when it is linked (secrets.cpp). A game that hides nothing keeps nothing
// of it in its states.
struct Secrets {
  bool any = false;      // something is hidden from a player or from those who only watch
  bool players = false;  // from a player
  bool tokens = false;   // zones are: states remember who knows which token
  bool clouds = false;   // some zone hides even how many tokens it has
  bool forks = false;    // what players may do, or how the game ends, may depend on what is hidden
  int viewers = 0;       // the players, then those who only watch
  // Where an unseen token may be: each zone that somebody does not see into, and out of play (the
  // last). Zones whose count is hidden and that exchange tokens are one place.
  int places = 0;
  std::vector<std::vector<ZoneId>> zones_of_place;
  std::size_t set_bytes = 0;  // of a set of places
  // Players pick tokens they do not see: states remember the course of play (know/course.h), and
  // conditions of Program::certain that hold of it at every decision, early ones too.
  bool course = false;
  std::vector<NodeId> timeless;
  std::vector<int> props;                  // that may hold what somebody does not know
  std::vector<int> column_of_prop;         // by property: its number among these, or -1
  std::vector<std::vector<Symbol>> words;  // by property: the texts it may hold, if it holds texts
  std::vector<int> cells;                  // variables that may hold it: cell numbers
  std::vector<int> number_of_cell;         // by cell: its number among these, or -1
  std::vector<std::uint32_t> cell_sight;   // by cell, if some variable is not public
  // Bindings that may hold it have three slots more, the first of them by unit and slot: the least
  // and the greatest value it could have, and who knows it.
  std::map<std::pair<UnitId, SlotId>, SlotId> shadow_of_slot;
  Table<UnitId, std::vector<std::int16_t>> shadows_of_unit;  // the same by slot; -1: none
  bool shadows = false;                                      // there are some
  // By expression, where there are: it looks at tokens that somebody may not know.
  std::vector<bool> asks_tokens;
  // What is rolled, chosen or given as a parameter here is told only by what it changes: code
  // addresses, and parameters by action.
  std::vector<bool> closed_code;
  std::vector<std::vector<bool>> closed_params;
  // What is chosen here says where a token goes: if that zone hides its count, it is not told.
  std::vector<bool> buried_code;
  std::vector<std::vector<bool>> buried_params;
};

struct Layout {
  std::uint32_t globals = 0, players = 0, zone_vars = 0;  // int64 cells
  std::uint32_t markers = 0, global_markers = 0;          // int16 cells, -1 unset
  std::uint32_t usage = 0;                                // uint32 cells
  std::uint32_t zones = 0;                                // ZoneRecord
  std::uint32_t features = 0;                             // zone sets
  std::uint32_t sums = 0;                                 // SumRecord of Program::sums
  std::uint32_t seen = 0;                                 // bits of Program::seen
  std::uint32_t pools = 0;                                // bytes per zone: order not yet known
  std::uint32_t turn_plan = 0;                            // TurnPlan
  std::uint32_t submissions = 0;                          // Submission per player
  std::uint32_t interrupts = 0;                           // int16 pairs
  std::uint32_t reveals = 0;                              // RevealRecord, those that last
  std::uint32_t ranges = 0;                               // VarRange of Secrets::cells
  std::uint32_t course = 0;                               // CourseRecord, where Secrets::course
  std::uint32_t effects = 0;                              // EffectRecord
  std::uint32_t flow = 0;                                 // FlowRecord
  // Records behind the tokens. A grant has so many bytes where it is saved, with all its room.
  std::uint32_t grant_size = 0, deferred_size = 0, captured_size = 0;
  bool captures = false;     // there may be captured zones
  std::uint32_t tokens = 0;  // TokenRecord
  std::uint32_t token_size = 0;
  std::uint32_t sight = 0;              // in a token's record, where somebody does not see all
  std::uint32_t mask_bytes = 0;         // of each mask of a TokenSight
  std::uint32_t masks = 0, places = 0;  // where they lie, and the sets of places, in the record
  std::uint32_t before = 0;             // in a token's record, where Secrets::course: TokenBefore
};

struct LinkOptions {
  bool explicit_chance = false;
  bool plan = true;                     // false: every query is evaluated plainly
  std::int64_t budget = 1'000'000;      // instructions of one apply
  std::int64_t look_ahead = 2'000'000;  // instructions of one look-ahead
  std::int64_t listing = 5'000'000;     // the same for everything else that asks the rules once
  std::vector<std::shared_ptr<const NativeModule>> natives = {};
};

struct Wording;    // wording.h
struct Observers;  // know/observers.h

struct Program {
  spec::GameDef def;
  std::shared_ptr<const Wording> wording;      // what things are called when people read them
  std::shared_ptr<const Observers> observers;  // null: the rules declare none
  int players = 2;
  LinkOptions options;
  bool tries_everything = false;  // as asked for by LinkOptions::plan: nothing is known beforehand

  Interner<Id<struct SymbolTag, Symbol>> symbols;
  std::vector<Value> constants;
  std::vector<std::vector<Value>> lists;  // constant lists
  Table<NodeId, Node> nodes;
  std::vector<Instr> code;
  std::vector<Operand> extra;
  std::vector<bool> refuses;  // by code address: may make the move illegal
  // By code address: whether anything in its unit that comes after it may. In the last round of its
  // loops: nothing that stands behind it may.
  enum class Safety : std::uint8_t { none, in_last_round, always };
  std::vector<Safety> safe_after;
  // Loops in which something may, an inner one before those around it.
  struct RefusingLoop {
    SlotId cursor = {};  // its slots, see Op::loop_begin; none: how often it goes is not known
    std::int32_t around = -1;  // the next loop outwards
  };
  std::vector<RefusingLoop> refusing_loops;
  std::vector<std::int32_t> loop_at;  // by code address: the innermost of these, or -1
  Table<UnitId, UnitInfo> units;
  std::map<int, std::string> choice_names;          // by code address: what the choice there binds
  std::map<int, std::vector<SumBound>> sum_bounds;  // by code address of a chooseN

  Vars gvars, pvars, zvars;  // by scope: 0 of the game, 1 of players, 2 of zones
  const Vars& vars(int scope) const { return scope == 0 ? gvars : scope == 1 ? pvars : zvars; }
  Table<ZoneId, ZoneInfo> zones;
  std::vector<BaseInfo> bases;
  std::vector<std::string> attributes;
  std::vector<Value> zone_attributes;  // zone-major; none: missing
  std::vector<std::string> directions;
  std::vector<Symbol> direction_symbols;
  std::vector<int> opposite;                      // by direction; -1: none
  std::vector<std::int16_t> direction_of_symbol;  // -1: none
  std::vector<std::string> props;
  std::vector<TypeInfo> types;
  std::vector<LatticeInfo> lattices, global_lattices;
  struct InitialMarker {
    ZoneId zone;
    int lattice, state;
  };
  std::vector<InitialMarker> initial_markers;
  std::vector<TableInfo> tables;
  std::vector<StackingInfo> stacking;
  Table<ZoneId, std::vector<int>> stacking_of_zone;
  std::vector<PhaseInfo> phases;  // ordinary first, then interrupts
  int ordinary_phases = 0;
  std::vector<ActionInfo> actions;
  std::vector<PipelineInfo> pipelines;
  std::vector<TriggerInfo> triggers;
  std::vector<std::vector<int>> triggers_of_event;  // by EventKind
  std::vector<TerminalInfo> terminals;              // checkpoints, then conditions
  std::vector<MarginInfo> margins;
  std::vector<MetricInfo> metrics;
  std::vector<StandingInfo> standings;
  NodeId score = {};
  VarId score_var = {};  // of players, where that is the score
  UnitId terminal_unit = {};
  std::vector<EffectKindInfo> effect_kinds;
  std::vector<std::string> modifiers;
  std::vector<HookInfo> hooks;
  std::vector<CalledInfo> called;
  std::vector<HookRef> before_anything;           // before-validate hooks for every action
  std::vector<std::vector<HookRef>> after_hooks;  // by operand of Op::settle
  std::vector<std::pair<std::string, HookRef>> snapshot_hooks;  // by module, in their order
  std::vector<std::shared_ptr<const NativeModule>> natives;     // in the order of ids
  std::vector<int> turn_sequence;                               // fixed order; -1: the player stays
  std::vector<std::pair<int, VarId>> round_resets;              // (scope, variable)
  std::vector<std::vector<std::uint64_t>> zone_sets;
  std::vector<std::uint64_t> set_words;          // of zone_sets, one after the other
  std::vector<std::vector<ZoneId>> set_members;  // of zone_sets
  std::vector<std::string> reveal_filters;       // canonical text, of reveals that last
  std::vector<NodeId> reveal_filter_nodes;
  Secrets secrets;
  std::vector<NodeId> certain;  // conditions everybody may rely on
  UnitId certain_unit = {};

  std::vector<Feature> features;
  std::vector<int> feature_of_prop;  // by property: 1 if some feature reads it
  std::vector<KeptSum> sums;
  std::vector<PropTest> prop_tests;
  Table<NodeId, PropFilter> prop_filters;
  std::vector<SeenFilter> seen;
  Table<NodeId, ZoneKey> zone_keys;  // of `exists` and q_zones
  std::vector<ZoneRelation> relations;
  std::vector<ScanKey> scan_keys;
  Table<NodeId, std::int32_t> scan_key_of;  // of b_scan, or -1; empty: no scan has one
  std::vector<Memo> memos;
  // By attribute: the zones that have it, ordered by its value; empty if it is a list somewhere.
  std::vector<std::vector<std::pair<std::uint64_t, ZoneId>>> zones_by_attribute;
  std::vector<LineTable> lines;
  std::vector<ShiftInfo> shifts;               // by direction
  std::vector<std::uint64_t> neighbour_words;  // of each zone, as sets
  int kept_sets = 0;                           // b_keep nodes
  std::vector<SetStep> set_steps;
  Table<NodeId, SetTape> tapes;
  std::vector<ScalarStep> scalar_steps;
  std::vector<SetTape> scalar_tapes;

  std::vector<Symbol> seat_symbols;  // of the seats' names
  FlowInfo flow;
  int variant_bits = 0;  // of an option id, between the action and its parameters

  Layout layout;
  std::size_t words = 1;  // of a zone set
  int zone_count = 0;
  int columns = 0;  // of a token
  std::size_t usage_cells = 0;
  std::vector<LimitCount> limit_counts;
  std::vector<std::pair<NodeId, bool>> tie_breaks;  // of the score: value, the highest wins
  UnitId setup_unit = {}, advance_unit = {}, settle_unit = {}, modules_unit = {};
  UnitId shown_unit = {};                           // of metrics and standings
  UnitId turn_end_unit = {};                        // the end of a turn in any of its phases
  std::vector<std::uint64_t> var_keys, token_keys;  // multipliers of the incremental hash
  bool emits_var_events = false, emits_token_events = false;
  bool tokens_stay = false;  // no token ever leaves play
  bool keeps_more = false;   // than features: sums, or filters of what zones hold
  bool has_chance = false;
  bool order_matters_in_pools = false;
  bool uses_reveals = false, uses_effects = false, uses_streams = false;
  bool simultaneous = false;    // some phase is `together`
  bool reorders_turns = false;  // setTurnOrder stands somewhere in the rules
  bool uses_turn_plan = false;  // TurnPlan
  bool phased_rounds = false;   // phases belong to the round, turns pass inside them
  bool simple_turns = false;    // advancing is passing the turn: nothing happens on the way
  std::uint64_t fingerprint = 0;
  std::uint64_t serial = 0;  // no other Program that was linked has the same

  // Only of a Program with compiled code: that code, and the Program it was printed from. Nodes
  // have the same numbers in both; whoever looks at what a node says, and not only at what it is
  // worth now, looks at the one that was written.
  const PrintedCode* printed = nullptr;
  // By action, by phase and by unit; null: none; empty: not one.
  std::vector<const PrintedFunction*> printed_moves = {}, printed_lists = {};
  Table<UnitId, const PrintedFunction*> printed_trials = {};
  std::vector<const PrintedFunction*> printed_items = {};      // by instruction
  std::vector<const PrintedFunction*> printed_stretches = {};  // by instruction, if it begins there
  std::shared_ptr<const Program> written;
  const Program& as_written() const { return written ? *written : *this; }

  const Instr& instr(int pc) const { return code[static_cast<std::size_t>(pc)]; }
  // Every token, of whatever type, has this property.
  bool all_have(int prop) const {
    return std::ranges::all_of(types, [=](const TypeInfo& type) { return type.given[prop]; });
  }
  // The items of a list that is the Program's own.
  const std::vector<Value>& constant_items(Value list) const {
    return lists[static_cast<std::size_t>(list.payload() - constant_list)];
  }
  // The words of a constant zone set.
  const std::uint64_t* words_of(int set) const {
    return set_words.data() + static_cast<std::size_t>(set) * words;
  }
  // The value of an attribute, by its number; none: the zone lacks it.
  Value attribute(ZoneId z, std::size_t number) const {
    return zone_attributes[z.index() * attributes.size() + number];
  }
  ZoneId zone_named(std::string_view id) const {  // none: there is no such zone
    const ZoneId zone(symbol_named(id));
    return zones.has(zone) ? zone : ZoneId::none();
  }
  Symbol symbol_named(std::string_view text) const {  // -1: the rules do not say this
    const auto found = symbols.find(text);
    return found ? found->value : -1;
  }
  std::string_view name(Symbol symbol) const {
    return symbols.name(Id<struct SymbolTag, Symbol>(symbol));
  }
  std::string text(Symbol symbol) const { return std::string(name(symbol)); }
};

// What the rules may do at once is counted in small units: an instruction is several, each thing a
// query looks at is one. So no rules can make a question last for ever, however they are nested.
inline constexpr std::int64_t work_of_instruction = 16;
// A decision has at most so many options; further ones are not listed.
inline constexpr std::size_t most_options = 100'000;
inline constexpr std::int64_t most_numbers = 100'000;  // of one range
inline constexpr std::size_t most_arena = 1 << 20;     // values of lists and texts of one move
inline constexpr std::size_t most_text = 10'000;       // bytes of a text made while playing
inline constexpr int most_slots = 4'000;               // of a unit
inline constexpr int max_interrupts = 8;
inline constexpr int max_reveals = 64;
inline constexpr int max_effects = 64;
inline constexpr std::uint32_t most_tokens = 32'000;  // ever made in a game

// Diagnostics say what the rules ask for and this kernel or number of players cannot do.
tl::expected<std::shared_ptr<const Program>, Diagnostics> link(spec::GameDef def, int players,
                                                               const LinkOptions& options);

// The whole Program as text, one operation a line.
std::string disassemble(const Program& program);

}  // namespace parlor::kernel

// Ids and operands are written as their numbers.
template <class Tag>
struct fmt::formatter<parlor::Id<Tag, std::int32_t>> : fmt::formatter<std::int32_t> {
  auto format(parlor::Id<Tag, std::int32_t> id, auto& context) const {
    return fmt::formatter<std::int32_t>::format(id.value, context);
  }
};
template <class Int>
struct fmt::formatter<parlor::kernel::Small<Int>> : fmt::formatter<int> {
  auto format(parlor::kernel::Small<Int> number, auto& context) const {
    return fmt::formatter<int>::format(number.value, context);
  }
};
template <class Number>
  requires std::is_same_v<Number, parlor::kernel::Operand> ||
           std::is_same_v<Number, parlor::kernel::Aside>
struct fmt::formatter<Number> : fmt::formatter<std::int32_t> {
  auto format(Number number, auto& context) const {
    return fmt::formatter<std::int32_t>::format(number.value, context);
  }
};
