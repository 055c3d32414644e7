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
#include "spec/gamedef/material.h"

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

inline constexpr FieldSpec number_of_players =
    is::count.from(1).to(64).hint("write `players: 2`, or `players: 2..4` for two to four");
struct Metadata {
  PARLOR_RECORD("metadata", "", "What the game is called, and for how many it is.")
  std::string id;
  std::string name;
  std::string description;
  Int min_players = 2;
  Int max_players = 2;
  Int max_trigger_depth = 8;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the game's id"));
                visit("name", self.name, beside, is::text.named("the game's name").optional());
                visit("description", self.description, beside,
                      is::text.named("a description").optional());
                visit("minPlayers", self.min_players, number_of_players.within("players", "min"));
                visit("maxPlayers", self.max_players, number_of_players.within("players", "max"));
                visit("maxTriggerDepth", self.max_trigger_depth, is::count.from(1).optional());)
  PARLOR_WRITTEN({"namedSets", is::data.optional().by_hand()},
                 {"defaultScenarioAssetId", is::id.optional()})
  PARLOR_CHECKED
};

// What holds for every action of a phase sees what those bind.
constexpr FieldSpec phase_default(const FieldSpec& what) {
  return what.of_a_move().by_hand().after("then").optional();
}
struct PhaseDef {
  PARLOR_RECORD("a phase", "", "A phase of a turn, or an interrupt.")
  std::string id;
  Effects on_enter, on_exit;
  std::optional<Condition> default_pre;
  Effects after_effects;
  std::optional<bool> simultaneous;  // all hand in one move, then all happen and the phase ends
  Effects then;                      // once they have happened
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a phase"));
                visit("onEnter", self.on_enter, is::effects.afresh().optional());
                visit("onExit", self.on_exit, is::effects.afresh().optional());
                visit("defaultPre", self.default_pre,
                      phase_default(is::condition).inside("actionDefaults", "pre"));
                visit("afterEffects", self.after_effects,
                      phase_default(is::effects).inside("actionDefaults", "afterEffects"));
                visit("simultaneous", self.simultaneous, is::flag.optional());
                visit("then", self.then, is::effects.afresh().optional());)
  PARLOR_CHECKED
};

enum class TurnOrderKind : std::uint8_t { round_robin, fixed_order, simultaneous, card_driven };
struct TurnOrder {
  PARLOR_RECORD("turnOrder", "", "Who comes next.")
  TurnOrderKind kind = TurnOrderKind::round_robin;
  std::vector<std::string> order;      // fixed_order, as authored
  std::optional<CardDrivenDef> cards;  // card_driven
  PARLOR_FIELDS(visit("type", self.kind, is::word.named("turn order"));
                visit("order", self.order,
                      is::seats.where("type", "fixedOrder").by_hand().some("the order is empty"));
                visit("cards", self.cards,
                      is::record.called("config").where("type", "cardDriven"));)
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
                visit("max", self.max, is::count.from(0));
                visit("per", self.per, is::id.by_hand().optional());
                visit("shared", self.shared,
                      is::id.named("the name actions share a limit by").optional());)
  PARLOR_WRITTEN({"id", is::id.optional()})
};
struct ParamDef {
  PARLOR_RECORD("a parameter", "", "A parameter of an action: one result of a query.")
  std::string name;
  Query domain;
  PARLOR_FIELDS(visit("name", self.name, is::id.by_hand().after("domain"));
                visit("domain", self.domain, is::query);)
};
// What an action costs its executor: per-player variables. Timed effects may raise or lower it; the
// action is legal only if it can be paid.
struct PriceItem {
  std::string var;
  Value amount;
  PARLOR_FIELDS(visit("var", self.var); visit("amount", self.amount);)
};
struct ActionDef {
  PARLOR_RECORD("an action", "", "What a player may do.")
  std::string id;
  PlayerSel actor, executor = {PlayerSel::Kind::actor, 0, {}};
  std::vector<std::string> phases;
  std::vector<std::string> capabilities, tags;
  std::vector<ParamDef> params;
  std::optional<Condition> pre;
  std::vector<PriceItem> price;
  Effects cost, effects;
  std::vector<LimitDef> limits;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of an action"));
                visit("actor", self.actor, is::players.after("params").optional());
                visit("executor", self.executor, is::players.after("params").optional());
                visit("phase", self.phases,
                      is::phases.by_hand().some("an action needs at least one phase").optional());
                visit("capabilities", self.capabilities,
                      is::texts.named("a list of capabilities").optional());
                visit("tags", self.tags, is::texts.named("a list of tags").optional());
                visit("params", self.params, is::records.once("parameter").optional());
                visit("pre", self.pre, is::condition.by_hand().optional());
                visit("price", self.price, is::number.by(is::player_var).optional());
                visit("cost", self.cost, is::effects.optional());
                visit("effects", self.effects, is::effects.optional());
                visit("limits", self.limits,
                      is::records.hint("write [{scope: turn, max: 1}]").optional());
                visit("at", self.at);)
  PARLOR_CHECKED
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
  PARLOR_FIELDS(
      visit("id", self.id, is::id.named("the id of a pipeline"));
      visit("actionId", self.action, is::action);
      visit("applicability", self.applicability, is::condition.after("stages").optional());
      visit("legality", self.legality, is::condition.after("stages").optional());
      visit("costValidation", self.cost_validation, is::condition.after("stages").optional());
      visit("costEffects", self.cost_effects, is::effects.after("stages").optional());
      visit("stages", self.stages,
            is::records.by_hand().some("a pipeline needs at least one stage"));
      visit("partial", self.partial,
            is::word.named("atomicity")
                .words("atomic partial")
                .truth("partial")
                .called("atomicity")
                .optional());
      visit("accompanyingOps", self.accompanying_ops,
            is::actions.named("`any` or a list of actions").by_hand().optional());
      visit("compoundParamConstraints", self.param_constraints, is::records.optional());
      visit("linkedWindows", self.linked_windows, is::texts.named("a list of windows").optional());
      visit("targeting", self.targeting, is::data.by_hand().optional()); visit("at", self.at);)
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
// What only some events say.
constexpr FieldSpec of_event(const FieldSpec& what, std::string_view key, std::string_view events) {
  return what.inside("event", key).where("event", events).optional();
}
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
                visit("event", self.event, is::word.named("event").within("event", "type"));
                visit("phase", self.phase, of_event(is::phase, "phase", "phaseEnter phaseExit"));
                visit("action", self.action, of_event(is::action, "action", "actionResolved"));
                visit("zone", self.zone, of_event(is::zone_id.by_hand(), "zone", "tokenEntered"));
                visit("var", self.var,
                      of_event(is::id.named("the name of a variable"), "var", "varChanged"));
                visit("scope", self.scope,
                      of_event(is::word.named("scope").words("global perPlayer=pvar"), "scope",
                               "varChanged"));
                visit("player", self.player, of_event(is::count.by_hand(), "player", "varChanged"));
                visit("match", self.match, is::condition.optional());
                visit("when", self.when, is::condition.optional());
                visit("effects", self.effects, is::effects); visit("at", self.at);)
  PARLOR_BEGUN
  PARLOR_CHECKED
};

enum class ResultKind : std::uint8_t { win, loss_all, draw, score };
struct TerminalCondition {
  PARLOR_RECORD("a terminal condition", "", "How the game ends.")
  std::string id;  // "terminal.<index>" unless named
  Condition when;
  ResultKind result = ResultKind::draw;
  std::optional<PlayerSel> player;   // for win
  std::optional<Condition> winners;  // for win of several: actor = each player in turn
  PARLOR_FIELDS(
      visit("id", self.id, is::id.named("the id of a condition").optional());
      visit("when", self.when, is::condition);
      visit("result", self.result, is::word.named("result").inside("result", "type"));
      visit("player", self.player,
            is::player.inside("result", "player").where("result", "win").unless("winners"));
      visit("winners", self.winners,
            is::query.inside("result", "players").where("result", "win").by_hand().optional());)
  PARLOR_CHECKED
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
                visit("tieBreaks", self.tie_breaks, is::records.optional());)
};
struct Terminal {
  PARLOR_RECORD("terminal", "", "When a game ends, and who has won then.")
  std::vector<TerminalCondition> conditions;
  std::vector<Checkpoint> checkpoints;
  std::vector<Margin> margins;
  bool ranking_ascending = false;
  std::vector<std::string> tie_break_order;
  std::optional<Scoring> scoring;
  PARLOR_FIELDS(visit("conditions", self.conditions, is::records.afresh());
                visit("checkpoints", self.checkpoints, is::records.afresh().optional());
                visit("margins", self.margins, is::records.afresh().optional());
                visit("rankingAscending", self.ranking_ascending,
                      is::word.named("order")
                          .words("desc asc")
                          .truth("asc")
                          .inside("ranking", "order")
                          .optional());
                visit("tieBreakOrder", self.tie_break_order,
                      is::seats.inside("ranking", "tieBreakOrder").optional());
                visit("scoring", self.scoring, is::record.afresh().optional());)
  PARLOR_CHECKED
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
                visit("costDelta", self.cost_delta, is::count.by(is::player_var).optional());
                visit("costActions", self.cost_actions, is::actions.optional());
                visit("modifiers", self.modifiers, is::count.by(is::text).optional());
                visit("charges", self.charges, is::count.from(1, {}).optional());)
};
struct RoundsDef {
  PARLOR_RECORD("rounds", "", "What belongs to a round.")
  bool rotate_start_player = false;
  std::vector<std::string> reset_each_round;  // variables set back to their initial value
  std::optional<bool> by_phases;  // the phases are those of the round, which the rules end
  PARLOR_FIELDS(visit("rotateStartPlayer", self.rotate_start_player, is::flag.optional());
                visit("resetEachRound", self.reset_each_round, is::variables.optional());
                visit("byPhases", self.by_phases, is::flag.optional());)
  PARLOR_CHECKED
};

// What a module file adds to the pipeline of one action (M-10); the points are those of
// rules/hooks.def. Empty `actions`: every action.
enum class HookPoint : std::uint8_t {
#define HOOK(name, word, help) name,
#include "rules/hooks.def"
};
constexpr FieldSpec of_rejection(const FieldSpec& what, std::string_view key) {
  return what.within("reject", key).where("point", "validate");
}
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
  bool idle = false;  // for no action at all: it never runs
  PARLOR_FIELDS(
      visit("id", self.id, is::id.named("the id of a hook"));
      visit("module", self.module, is::id.named("the id of a module").optional());
      visit("point", self.point, is::word.named("hook point").called("at"));
      visit("actions", self.actions, is::actions.by_hand().optional());
      visit("when", self.when,
            is::condition.where("point", "beforeValidate validate apply after").optional());
      visit("code", self.code, of_rejection(is::id.named("the code of a rejection"), "code"));
      visit("message", self.message, beside,
            of_rejection(is::text.named("a message"), "message").optional());
      visit("details", self.details,
            of_rejection(is::value.by(is::key).by_hand(), "details").optional());
      visit("effects", self.effects, is::effects.where("point", "apply called").after("binds"));
      visit("event", self.event,
            is::id.named("the name of an event").where("point", "beforeValidate after"));
      visit("binds", self.binds,
            is::texts.named("a list of names that begin with $")
                .where("point", "called")
                .by_hand()
                .optional());
      visit("at", self.at);)
  PARLOR_WRITTEN({"show", is::value.by(is::key).where("point", "snapshot").by_hand()})
};
// A module as a game keeps it.
struct ModuleInfo : rules::Module {
  PARLOR_RECORD("a module", "", "What a module is called, and what it goes with.")
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a module"));
                visit("version", self.version, is::text.named("a version").by_hand().optional());
                visit("name", self.name, beside, is::text.named("a name").optional());
                visit("description", self.description, beside,
                      is::text.named("a description").optional());
                visit("category", self.category, beside, is::text.named("a category").optional());
                visit("requires", self.requires_ids,
                      is::texts.named("a list of modules").optional());
                visit("incompatibleWith", self.incompatible_with,
                      is::texts.named("a list of modules").optional());
                visit("order", self.order, is::count.optional()); visit("seats", self.seats);
                visit("turns", self.turns);)
  PARLOR_CHECKED
};

// Players who win together and share their scores.
struct TeamDef {
  std::string id;
  std::vector<Int> players;
  PARLOR_FIELDS(visit("id", self.id); visit("players", self.players);)
};

// Numbers that people and agents are shown; no rule reads them.
struct MetricDef {
  std::string id;
  Value value;
  PARLOR_FIELDS(visit("id", self.id); visit("value", self.value);)
};
struct StandingDef {
  std::string seat;
  Int threshold = 0;
  Value value;
  PARLOR_FIELDS(visit("seat", self.seat); visit("threshold", self.threshold);
                visit("value", self.value);)
};
struct Standings {
  std::vector<StandingDef> entries;
  std::vector<std::string> tie_break_order;
  PARLOR_FIELDS(visit("entries", self.entries); visit("tieBreakOrder", self.tie_break_order);)
};

struct GameDef {
  PARLOR_RECORD("a game", "", "The sections of a game.")
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
  PARLOR_FIELDS(
      visit("metadata", self.metadata, is::record); visit("constants", self.constants);
      visit("seats", self.seats); visit("teams", self.teams);
      visit("globalVars", self.global_vars, is::records.once("variable").optional());
      visit("perPlayerVars", self.per_player_vars, is::records.once("variable").optional());
      visit("zoneVars", self.zone_vars, is::records.once("variable").optional());
      visit("zones", self.zones, is::records.once("zone").optional());
      visit("directions", self.directions, is::records.once("direction").optional());
      visit("tokenTypes", self.token_types, is::records.once("token type").optional());
      visit("markerLattices", self.marker_lattices);
      visit("globalMarkerLattices", self.global_marker_lattices,
            is::records.once("global marker").optional());
      visit("spaceMarkers", self.space_markers);
      visit("stackingConstraints", self.stacking_constraints); visit("tables", self.tables);
      visit("setup", self.setup, is::effects.afresh().optional());
      visit("phases", self.phases,
            is::records.within("turnStructure", "phases").some("a game needs at least one phase"));
      visit("interrupts", self.interrupts,
            is::records.inside("turnStructure", "interrupts").optional());
      visit("turnOrder", self.turn_order, is::record.optional());
      visit("rounds", self.rounds, is::record.optional());
      visit("actions", self.actions, is::records.of_a_move());
      visit("actionPipelines", self.pipelines, is::records.of_a_move().once("pipeline").optional());
      visit("triggers", self.triggers, is::records.afresh().once("trigger").optional());
      visit("terminal", self.terminal, is::record);
      visit("timedEffects", self.timed_effects,
            is::records.called("effects").once("timed effect").optional());
      visit("eventDecks", self.event_decks, is::records.optional());
      visit("hooks", self.hooks, is::records.of_a_move().once("hook").optional());
      visit("modules", self.modules); visit("metrics", self.metrics);
      visit("standings", self.standings);
      visit("certain", self.certain,
            is::conditions.afresh().inside("observability", "certain").optional());
      visit("observers", self.observers,
            is::record.by(is::text).inside("observability", "observers").optional());
      visit("verbalization", self.verbalization, beside, is::record.optional());
      visit("display", self.display, beside, is::record.optional());
      visit("constantRanges", self.constant_ranges, beside);
      visit("sections", self.sections, beside); visit("places", self.places, beside);)
  PARLOR_WRITTEN({"derivedMetrics",
                  is::records.afresh().once("derived metric").by_hand().optional(),
                  "a derived metric"},
                 {"victoryStandings", is::record.by_hand().optional(), "victoryStandings"},
                 {"phaseBoundaries", is::records.once("phase boundary").by_hand().optional(),
                  "a phase boundary"},
                 {"module", is::record.optional(), "a module"})
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
