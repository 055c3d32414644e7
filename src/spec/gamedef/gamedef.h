// GameDef: a game, compiled. What the spec compiler makes and the kernel runs. It is a plain tree
// of values; `to_json` and `gamedef_from_json` turn it into canonical JSON and back without loss,
// so a compiled game can be shipped without its text.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "rules/rules.h"
#include "spec/gamedef/card_driven.h"
#include "spec/gamedef/looks.h"

namespace parlor::spec {

// A line of the authored text, for messages while playing. `via` is the place of the macro
// invocation this node came through (0: none).
struct PlaceRecord {
  std::string file;
  Int line = 0;
  Int column = 0;
  std::string path;  // in the document: "actions.3.pre"
  Int via = 0;
  std::string reason = {};  // what people are told when the condition here does not hold
  PARLOR_FIELDS(visit("file", self.file); visit("line", self.line); visit("column", self.column);
                visit("path", self.path); visit("via", self.via); visit("reason", self.reason);)
};

// Another one reads and writes another JSON.
inline constexpr int gamedef_version = 2;

struct Metadata {
  std::string id;
  std::string name;
  std::string description;
  Int min_players = 2;
  Int max_players = 2;
  Int max_trigger_depth = 8;
  PARLOR_FIELDS(visit("id", self.id); visit("name", self.name, beside);
                visit("description", self.description, beside);
                visit("minPlayers", self.min_players); visit("maxPlayers", self.max_players);
                visit("maxTriggerDepth", self.max_trigger_depth);)
};

enum class Visibility : std::uint8_t {
  visible_to_all,
  owner,
  hidden
};  // JSON: public, owner, hidden

// One of declared texts (`enum`) is kept as its place among them; a player, zone or token as its
// number, -1: none of them.
enum class VarType : std::uint8_t { integer, boolean, enumeration, player, zone, token };
struct VarDef {
  std::string name;
  VarType type = VarType::integer;
  Int init = 0;  // booleans: 0 or 1
  Int min = 0;
  Int max = 1;
  bool material = true;
  Visibility visibility = Visibility::visible_to_all;  // owner: the player, or the zone's owner
  std::vector<std::string> values = {};                // enumeration
  PARLOR_FIELDS(visit("name", self.name); visit("type", self.type); visit("init", self.init);
                visit("min", self.min); visit("max", self.max); visit("material", self.material);
                visit("visibility", self.visibility); visit("values", self.values);)
};

enum class ZoneOwner : std::uint8_t { none, player };
enum class Ordering : std::uint8_t { stack, queue, set };
enum class ZoneKind : std::uint8_t { board, aux };
enum class DrawFrom : std::uint8_t { top, bottom, random };

struct Attribute {
  std::string name;
  std::variant<Int, bool, std::string, std::vector<std::string>> value;
  PARLOR_FIELDS(visit("name", self.name); visit("value", self.value);)
};
struct DeckBehavior {
  DrawFrom draw_from = DrawFrom::top;
  std::string reshuffle_from;  // full zone id or base of an owned zone; empty: never
  PARLOR_FIELDS(visit("drawFrom", self.draw_from); visit("reshuffleFrom", self.reshuffle_from);)
};
// A step in a named direction: `to` is a full zone id.
struct DirectionLink {
  std::string direction;
  std::string to;
  PARLOR_FIELDS(visit("direction", self.direction); visit("to", self.to);)
};
// A zone or, when owned by players, one zone per player: `<base>:none` or `<base>:<player>`.
struct ZoneDef {
  std::string base;
  ZoneOwner owner = ZoneOwner::none;
  Visibility visibility = Visibility::visible_to_all;
  Ordering ordering = Ordering::set;
  ZoneKind kind = ZoneKind::aux;
  bool internal = false;
  bool count_hidden = false;  // whoever does not see the tokens is not told how many there are
  std::string category;
  std::vector<Attribute> attributes;    // byte order of names
  std::vector<std::string> neighbours;  // full ids of unowned zones, byte order, already symmetric
  std::vector<DirectionLink> directions;  // in order of GameDef::directions
  std::optional<DeckBehavior> deck;
  PlaceId at;
  PARLOR_FIELDS(visit("base", self.base); visit("owner", self.owner);
                visit("visibility", self.visibility); visit("ordering", self.ordering);
                visit("zoneKind", self.kind); visit("isInternal", self.internal);
                visit("countHidden", self.count_hidden); visit("category", self.category);
                visit("attributes", self.attributes); visit("neighbours", self.neighbours);
                visit("directions", self.directions); visit("deck", self.deck);
                visit("at", self.at);)
};
// A direction a board knows, and the one that leads back (empty: none). `group` is "orthogonal",
// "diagonal" or empty.
struct DirectionDef {
  std::string name;
  std::string opposite;
  std::string group;
  PARLOR_FIELDS(visit("name", self.name); visit("opposite", self.opposite);
                visit("group", self.group);)
};

enum class PropType : std::uint8_t { integer, string, boolean };
struct PropDef {
  std::string name;
  PropType type = PropType::integer;
  PARLOR_FIELDS(visit("name", self.name); visit("type", self.type);)
};
struct PropAssign {
  std::string prop;
  Scalar value;
  PARLOR_FIELDS(visit("prop", self.prop); visit("value", self.value);)
};
struct ZoneEntryRule {
  std::optional<ZoneKind> zone_kind;
  std::optional<std::string> category;
  std::vector<PropAssign> set;
  PARLOR_FIELDS(visit("zoneKind", self.zone_kind); visit("category", self.category);
                visit("set", self.set);)
};
struct PropTransition {
  PARLOR_RECORD("a transition", "", "What a property of a token may become.")
  std::string prop;
  std::string from, to;
  PARLOR_FIELDS(visit("prop", self.prop, is::id.named("a property"));
                visit("from", self.from, is::text.named("a value"));
                visit("to", self.to, is::text.named("a value"));)
};
struct TokenTypeDef {
  std::string id;
  std::vector<PropDef> props;  // byte order of names
  std::string seat;            // empty: none
  std::vector<ZoneEntryRule> on_zone_entry;
  std::vector<PropTransition> transitions;
  PARLOR_FIELDS(visit("id", self.id); visit("props", self.props); visit("seat", self.seat);
                visit("onZoneEntry", self.on_zone_entry); visit("transitions", self.transitions);)
};

struct LatticeConstraint {
  Condition when;  // `$space` bound
  std::vector<std::string> allowed_states;
  PARLOR_FIELDS(visit("when", self.when); visit("allowedStates", self.allowed_states);)
};
struct MarkerLattice {
  std::string id;
  std::vector<std::string> states;
  std::string default_state;
  std::vector<LatticeConstraint> constraints;
  PARLOR_FIELDS(visit("id", self.id); visit("states", self.states);
                visit("defaultState", self.default_state); visit("constraints", self.constraints);)
};
struct SpaceMarker {
  std::string space, marker, state;
  PARLOR_FIELDS(visit("spaceId", self.space); visit("markerId", self.marker);
                visit("state", self.state);)
};
struct StackingConstraint {
  std::string id, description;
  std::vector<std::string> zones;        // full ids, resolved from the space filter
  std::vector<std::string> piece_types;  // token type ids, resolved from the piece filter
  Int max_count = 0;                     // 0: prohibited
  PARLOR_FIELDS(visit("id", self.id); visit("description", self.description, beside);
                visit("zones", self.zones); visit("pieceTypes", self.piece_types);
                visit("maxCount", self.max_count);)
};

struct TableDef {
  std::string id;                         // "<assetId>::<dotted.path>"
  std::vector<PropDef> columns;           // byte order of names
  std::vector<std::vector<Scalar>> rows;  // one value per column; missing ones are not allowed
  PARLOR_FIELDS(visit("id", self.id); visit("columns", self.columns); visit("rows", self.rows);)
};

struct PhaseDef {
  PARLOR_RECORD("a phase", "", "A phase of a turn, or an interrupt.")
  std::string id;
  Effects on_enter, on_exit;
  std::optional<Condition> default_pre;
  Effects after_effects;
  std::optional<bool> simultaneous;  // all hand in one move, then all happen and the phase ends
  Effects then;                      // once they have happened
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a phase"));
                visit("onEnter", self.on_enter, is::effects.optional());
                visit("onExit", self.on_exit, is::effects.optional());
                visit("defaultPre", self.default_pre,
                      is::condition.optional().inside("actionDefaults", "pre"));
                visit("afterEffects", self.after_effects,
                      is::effects.optional().inside("actionDefaults", "afterEffects"));
                visit("simultaneous", self.simultaneous, is::flag.optional());
                visit("then", self.then, is::effects.optional());)
};

enum class TurnOrderKind : std::uint8_t { round_robin, fixed_order, simultaneous, card_driven };
struct TurnOrder {
  TurnOrderKind kind = TurnOrderKind::round_robin;
  std::vector<std::string> order;      // fixed_order, as authored
  std::optional<CardDrivenDef> cards;  // card_driven
  PARLOR_FIELDS(visit("type", self.kind); visit("order", self.order); visit("cards", self.cards);)
};

enum class LimitScope : std::uint8_t { turn, phase, game, round };
struct LimitDef {
  PARLOR_RECORD("a limit", "", "How often an action may be done.")
  LimitScope scope = LimitScope::turn;
  Int max = 1;
  std::string per;     // "player": for each executor; a parameter: for each zone it names
  std::string shared;  // uses of all actions with a limit of this name count together
  PARLOR_FIELDS(visit("scope", self.scope,
                      is::word.named("limit scope").words("turn phase round game"));
                visit("max", self.max, is::count.from(0, {})); visit("per", self.per);
                visit("shared", self.shared,
                      is::id.named("the name actions share a limit by").optional());)
  PARLOR_WRITTEN({"id", is::id.optional()})
};
struct ParamDef {
  PARLOR_RECORD("a parameter", "", "A parameter of an action: one result of a query.")
  std::string name;
  Query domain;
  PARLOR_FIELDS(visit("name", self.name, is::id.named("the name of a parameter"));
                visit("domain", self.domain, is::query);)
};
// What an action costs its executor: per-player variables. Timed effects may raise or lower it; the
// action is legal only if it can be paid.
struct PriceItem {
  PARLOR_RECORD("a price", "", "What an action costs of one variable.")
  std::string var;
  Value amount;
  PARLOR_FIELDS(visit("var", self.var); visit("amount", self.amount, is::number);)
};
struct ActionDef {
  PARLOR_RECORD("an action", "", "What a player may do.")
  std::string id;
  PlayerSel actor, executor;
  std::vector<std::string> phases;
  std::vector<std::string> capabilities, tags;
  std::vector<ParamDef> params;
  std::optional<Condition> pre;
  std::vector<PriceItem> price;
  Effects cost, effects;
  std::vector<LimitDef> limits;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of an action"));
                visit("actor", self.actor, is::players);
                visit("executor", self.executor, is::player);
                visit("phase", self.phases, is::phase);
                visit("capabilities", self.capabilities, is::texts.optional());
                visit("tags", self.tags, is::texts.optional());
                visit("params", self.params, is::records.optional());
                visit("pre", self.pre, is::condition.optional()); visit("price", self.price);
                visit("cost", self.cost, is::effects.optional());
                visit("effects", self.effects, is::effects);
                visit("limits", self.limits, is::records.optional()); visit("at", self.at);)
};
struct StageDef {
  PARLOR_RECORD("a stage", "", "A stage of an action pipeline.")
  std::string name;
  std::optional<Condition> legality, cost_validation;
  Effects effects;
  PARLOR_FIELDS(visit("stage", self.name, is::text.named("the name of a stage").optional());
                visit("legality", self.legality, is::condition.optional());
                visit("costValidation", self.cost_validation, is::condition.optional());
                visit("effects", self.effects, is::effects.optional());)
};
struct ParamConstraint {
  PARLOR_RECORD("a parameter constraint", "", "How what two parts of a move choose goes together.")
  std::string relation, operation_param, special_activity_param;
  PARLOR_FIELDS(visit("relation", self.relation,
                      is::word.named("relation").words("disjoint subset"));
                visit("operationParam", self.operation_param, is::id.named("a parameter"));
                visit("specialActivityParam", self.special_activity_param,
                      is::id.named("a parameter"));)
};
struct PipelineDef {
  PARLOR_RECORD("an action pipeline", "", "An action in stages.")
  std::string id, action;
  std::optional<Condition> applicability, legality, cost_validation;
  Effects cost_effects;
  std::vector<StageDef> stages;
  bool partial = false;                                      // atomicity
  std::optional<std::vector<std::string>> accompanying_ops;  // none: any
  std::vector<ParamConstraint> param_constraints;
  std::vector<std::string> linked_windows;
  nlohmann::json targeting;  // kept, never enforced
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a pipeline"));
                visit("actionId", self.action, is::id);
                visit("applicability", self.applicability, is::condition.optional());
                visit("legality", self.legality, is::condition.optional());
                visit("costValidation", self.cost_validation, is::condition.optional());
                visit("costEffects", self.cost_effects, is::effects.optional());
                visit("stages", self.stages, is::records); visit("partial", self.partial);
                visit("accompanyingOps", self.accompanying_ops);
                visit("compoundParamConstraints", self.param_constraints);
                visit("linkedWindows", self.linked_windows); visit("targeting", self.targeting);
                visit("at", self.at);)
};

enum class EventKind : std::uint8_t {
  phase_enter,
  phase_exit,
  turn_start,
  turn_end,
  round_start,
  round_end,
  action_resolved,
  token_entered,
  var_changed
};
struct TriggerDef {
  PARLOR_RECORD("a trigger", "", "What happens when something happened.")
  std::string id;
  EventKind event = EventKind::turn_start;
  std::optional<std::string> phase, action, zone, var;
  std::optional<VarCell::Scope> scope;
  std::optional<Int> player;
  std::optional<Condition> match, when;
  Effects effects;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a trigger").optional());
                visit("event", self.event); visit("phase", self.phase);
                visit("action", self.action); visit("zone", self.zone); visit("var", self.var);
                visit("scope", self.scope); visit("player", self.player);
                visit("match", self.match, is::condition.optional());
                visit("when", self.when, is::condition.optional());
                visit("effects", self.effects, is::effects); visit("at", self.at);)
};

enum class ResultKind : std::uint8_t { win, loss_all, draw, score };
struct TerminalCondition {
  PARLOR_RECORD("a terminal condition", "", "How the game ends.")
  std::string id;  // "terminal.<index>" unless named
  Condition when;
  ResultKind result = ResultKind::draw;
  std::optional<PlayerSel> player;   // for win
  std::optional<Condition> winners;  // for win of several: actor = each player in turn
  PARLOR_FIELDS(visit("id", self.id); visit("when", self.when, is::condition);
                visit("result", self.result); visit("player", self.player);
                visit("winners", self.winners, is::condition.optional());)
};
struct Checkpoint {
  PARLOR_RECORD("a checkpoint", "", "How a card-driven game ends.")
  std::string id, seat, timing;  // duringCoup or finalCoup
  std::vector<std::string> phases;
  Condition when;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a checkpoint"));
                visit("seat", self.seat, is::seat);
                visit("timing", self.timing,
                      is::word.named("timing").words("duringCoup finalCoup"));
                visit("phases", self.phases, is::phases.optional());
                visit("when", self.when, is::condition);)
};
struct Margin {
  PARLOR_RECORD("a margin", "", "How far a seat is from victory.")
  std::string seat;
  Value value;
  PARLOR_FIELDS(visit("seat", self.seat, is::seat); visit("value", self.value, is::number);)
};
// Who is ahead: whoever has the most, or the least.
inline constexpr FieldSpec scoring_method =
    is::word.named("scoring method").words("highest lowest").truth("highest").called("method");
struct TieBreak {
  PARLOR_RECORD("a tie-break", "", "What decides between players with the same score.")
  bool highest = true;
  Value value;
  PARLOR_FIELDS(visit("highest", self.highest, scoring_method.optional());
                visit("value", self.value, is::number);)
};
struct Scoring {
  PARLOR_RECORD("scoring", "", "What the players have at the end.")
  bool highest = true;
  Value value;                       // actor = each player in turn
  std::vector<TieBreak> tie_breaks;  // one after the other
  PARLOR_FIELDS(visit("highest", self.highest, scoring_method);
                visit("value", self.value, is::number);
                visit("tieBreaks", self.tie_breaks,
                      is::records.named("a list of tie-breaks").optional());)
};
struct Terminal {
  std::vector<TerminalCondition> conditions;
  std::vector<Checkpoint> checkpoints;
  std::vector<Margin> margins;
  bool ranking_ascending = false;
  std::vector<std::string> tie_break_order;
  std::optional<Scoring> scoring;
  PARLOR_FIELDS(visit("conditions", self.conditions); visit("checkpoints", self.checkpoints);
                visit("margins", self.margins); visit("rankingAscending", self.ranking_ascending);
                visit("tieBreakOrder", self.tie_break_order); visit("scoring", self.scoring);)
};

// A kind of timed effect (M-30): what it does while it is in force.
struct NamedModifier {
  std::string name;
  Int value = 0;
  PARLOR_FIELDS(visit("name", self.name); visit("value", self.value);)
};
struct TimedEffectDef {
  PARLOR_RECORD("a timed effect", "", "What holds for a number of turns or rounds.")
  std::string id;
  std::string source_kind, source_ref;
  std::vector<std::string> block_actions;
  std::vector<NamedModifier> cost_delta;  // by variable name
  std::vector<std::string> cost_actions;  // whose price it changes; none: every price
  std::vector<NamedModifier> modifiers;
  std::optional<Int> charges;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a timed effect"));
                visit("sourceKind", self.source_kind,
                      is::id.named("a kind").inside("source", "kind"));
                visit("sourceRef", self.source_ref,
                      is::id.named("a reference").inside("source", "ref").optional());
                visit("blockActions", self.block_actions, is::actions.optional());
                visit("costDelta", self.cost_delta, is::count.optional());
                visit("costActions", self.cost_actions, is::actions.optional());
                visit("modifiers", self.modifiers, is::count.optional());
                visit("charges", self.charges, is::count.from(1, {}).optional());)
  PARLOR_CHECKED
};
struct RoundsDef {
  bool rotate_start_player = false;
  std::vector<std::string> reset_each_round;  // variables set back to their initial value
  std::optional<bool> by_phases;  // the phases are those of the round, which the rules end
  PARLOR_FIELDS(visit("rotateStartPlayer", self.rotate_start_player);
                visit("resetEachRound", self.reset_each_round); visit("byPhases", self.by_phases);)
};

// What a module file adds to the pipeline of one action (M-10); the points are those of
// rules/hooks.def. Empty `actions`: every action.
enum class HookPoint : std::uint8_t {
#define HOOK(name, word, help) name,
#include "rules/hooks.def"
};
struct HookDef {
  PARLOR_RECORD("a hook", "", "What a module adds to the order of one action.")
  std::string id, module;
  HookPoint point = HookPoint::validate;
  std::vector<std::string> actions;
  std::optional<Condition> when;  // validate: reject when this holds
  std::string code, message;      // validate: the rejection
  std::vector<PropValue>
      details;        // validate: named values of the rejection; snapshot: what it shows
  Effects effects;    // apply, called
  std::string event;  // before_validate, after: the event to add
  std::vector<std::string> binds;  // called: the names that whoever calls it gives values to
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id); visit("module", self.module); visit("point", self.point);
                visit("actions", self.actions); visit("when", self.when, is::condition.optional());
                visit("code", self.code); visit("message", self.message, beside);
                visit("details", self.details);
                visit("effects", self.effects, is::effects.optional()); visit("event", self.event);
                visit("binds", self.binds); visit("at", self.at);)
};
// A module as a game keeps it.
struct ModuleInfo : rules::Module {
  PARLOR_FIELDS(visit("id", self.id); visit("version", self.version);
                visit("name", self.name, beside); visit("description", self.description, beside);
                visit("category", self.category, beside); visit("requires", self.requires_ids);
                visit("incompatibleWith", self.incompatible_with); visit("order", self.order);
                visit("seats", self.seats); visit("turns", self.turns);)
};

// Players who win together and share their scores.
struct TeamDef {
  std::string id;
  std::vector<Int> players;
  PARLOR_FIELDS(visit("id", self.id); visit("players", self.players);)
};

// Numbers that people and agents are shown; no rule reads them.
struct MetricDef {
  PARLOR_RECORD("a derived metric", "", "A number that people and agents are shown.")
  std::string id;
  Value value;
  PARLOR_FIELDS(visit("id", self.id, is::id); visit("value", self.value, is::number);)
};
struct StandingDef {
  PARLOR_RECORD("an entry of victoryStandings", "", "How near to victory a seat is.")
  std::string seat;
  Int threshold = 0;
  Value value;
  PARLOR_FIELDS(visit("seat", self.seat, is::id); visit("threshold", self.threshold);
                visit("value", self.value, is::number);)
};
struct Standings {
  std::vector<StandingDef> entries;
  std::vector<std::string> tie_break_order;
  PARLOR_FIELDS(visit("entries", self.entries); visit("tieBreakOrder", self.tie_break_order);)
};

struct GameDef {
  Metadata metadata;
  nlohmann::json constants = nlohmann::json::object();
  std::vector<std::string> seats;  // seat i is player i; empty: players have numbers only
  std::vector<TeamDef> teams;
  std::vector<VarDef> global_vars, per_player_vars, zone_vars;
  std::vector<ZoneDef> zones;
  std::vector<DirectionDef> directions;
  std::vector<TokenTypeDef> token_types;
  std::vector<MarkerLattice> marker_lattices;
  std::vector<MarkerLattice> global_marker_lattices;
  std::vector<SpaceMarker> space_markers;
  std::vector<StackingConstraint> stacking_constraints;
  std::vector<TableDef> tables;
  Effects setup;
  std::vector<PhaseDef> phases, interrupts;
  TurnOrder turn_order;
  RoundsDef rounds;
  std::vector<ActionDef> actions;
  std::vector<PipelineDef> pipelines;
  std::vector<TriggerDef> triggers;
  Terminal terminal;
  std::vector<TimedEffectDef> timed_effects;
  std::vector<EventDeckDef> event_decks;  // by id
  std::vector<HookDef> hooks;
  std::vector<ModuleInfo> modules;
  std::vector<MetricDef> metrics;
  Standings standings;
  // What everybody may rely on at every decision, whatever is hidden (observability.certain).
  std::vector<Condition> certain;
  Named<ObserverDef> observers;
  std::optional<Verbalization> verbalization;
  std::optional<Display> display;
  Named<ConstantRange> constant_ranges;
  // Sections that are for programs beside this one and read by nothing here: agents,
  // phaseBoundaries, offers (which have become actions), metadata.namedSets.
  nlohmann::json sections = nlohmann::json::object();
  std::vector<PlaceRecord> places;  // [0] is "nowhere"
  PARLOR_FIELDS(visit("metadata", self.metadata); visit("constants", self.constants);
                visit("seats", self.seats); visit("teams", self.teams);
                visit("globalVars", self.global_vars); visit("perPlayerVars", self.per_player_vars);
                visit("zoneVars", self.zone_vars); visit("zones", self.zones);
                visit("directions", self.directions); visit("tokenTypes", self.token_types);
                visit("markerLattices", self.marker_lattices);
                visit("globalMarkerLattices", self.global_marker_lattices);
                visit("spaceMarkers", self.space_markers);
                visit("stackingConstraints", self.stacking_constraints);
                visit("tables", self.tables); visit("setup", self.setup);
                visit("phases", self.phases); visit("interrupts", self.interrupts);
                visit("turnOrder", self.turn_order); visit("rounds", self.rounds);
                visit("actions", self.actions); visit("actionPipelines", self.pipelines);
                visit("triggers", self.triggers); visit("terminal", self.terminal);
                visit("timedEffects", self.timed_effects); visit("eventDecks", self.event_decks);
                visit("hooks", self.hooks); visit("modules", self.modules);
                visit("metrics", self.metrics); visit("standings", self.standings);
                visit("certain", self.certain); visit("observers", self.observers);
                visit("verbalization", self.verbalization, beside);
                visit("display", self.display, beside);
                visit("constantRanges", self.constant_ranges, beside);
                visit("sections", self.sections, beside); visit("places", self.places, beside);)
  PARLOR_COMPILED_ONCE(GameDef)
};

// What the rules are, as one number: the same for two texts that differ in file names, order of
// blocks, comments or prose, in where macros stand and how they are called; another for another
// rule. Saved games and traces are valid for games with the same number.
std::uint64_t rules_hash(const GameDef& game);

// Canonical JSON and back. Reading checks shape and types of every field; the error names the path.
nlohmann::json to_json(const GameDef& game);
tl::expected<GameDef, std::string> gamedef_from_json(const nlohmann::json& json);
// The JSON Schema of what to_json writes, made from the same field lists.
nlohmann::json gamedef_schema();

// Single nodes, for tests, tools and messages.
nlohmann::json to_json(const Value& value);
nlohmann::json to_json(const Condition& condition);
nlohmann::json to_json(const Query& query);
nlohmann::json to_json(const Effect& effect);

}  // namespace parlor::spec
