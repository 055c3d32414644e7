// The typed form of what a game does: effects. See expressions.h for how nodes look in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "spec/gamedef/expressions.h"
#include "spec/gamedef/grants.h"

namespace parlor::spec {

struct Effect;
using Effects = std::vector<Effect>;

// One variable cell: of the game, of a player, or of a zone.
struct VarCell {
  enum class Scope : std::uint8_t { global, per_player, zone };
  Scope scope = Scope::global;
  Name var;
  std::optional<PlayerSel> player;  // exactly for per_player
  std::optional<ZoneSel> zone;      // exactly for zone
  PARLOR_RECORD("an endpoint of transferVar", "", "A variable of the game, a player or a zone.")
  PARLOR_FIELDS(visit("scope", self.scope, is::word.named("scope"));
                visit("var", self.var, is::variable.by_hand());
                visit("player", self.player, is::player.where("scope", "pvar"));
                visit("zone", self.zone, is::zone.where("scope", "zoneVar"));)
  PARLOR_CHECKED
};

// ---- Variables
struct SetVar {
  PARLOR_TAG("setVar", "", "Gives a variable of the game, of a player or of a zone a value.",
             "set assign")
  VarCell cell;
  Value value;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("cell", self.cell, is::record.whole());
                visit("value", self.value, is::value.of("var"));)
};
struct AddVar {
  PARLOR_TAG("addVar", "", "Adds to a variable; it stays within its bounds.", "increment add")
  VarCell cell;
  Value delta;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("cell", self.cell, is::record.whole());
                visit("delta", self.delta, is::number);)
};
struct TransferVar {
  PARLOR_TAG(
      "transferVar", "",
      "Moves an amount from one variable to another, as far as there is some and room for it.",
      "transfer")
  VarCell from, to;
  Value amount;
  std::optional<Value> min, max;
  std::string actual_bind;  // empty: none
  PARLOR_FIELDS(visit("from", self.from, is::cell); visit("to", self.to, is::cell);
                visit("amount", self.amount, is::number);
                visit("min", self.min, is::number.optional());
                visit("max", self.max, is::number.optional());
                visit("actualBind", self.actual_bind,
                      is::binder.a(Kind::integer).optional().help("how much it was"));)
};
// For a new round or hand: what setVar does, with the number that the declaration has already.
struct ResetVar {
  PARLOR_TAG("resetVar", "", "Gives a variable the value again that it began with.",
             "reset clearVar resetCounter")
  VarCell cell;
  PARLOR_FIELDS(visit("cell", self.cell, is::record.whole());)
};
struct SetActivePlayer {
  PARLOR_TAG("setActivePlayer", "", "Makes a player the active one.", "nextPlayer setPlayer")
  PlayerSel player;
  PARLOR_FIELDS(visit("player", self.player, is::player);)
};

// ---- Tokens
enum class ZonePosition : std::uint8_t { top, bottom, random };
struct MoveToken {
  PARLOR_TAG("moveToken", "", "Moves a token from one zone to another.", "move")
  std::string token;  // a binding
  ZoneSel from, to;
  ZonePosition position = ZonePosition::top;
  PARLOR_FIELDS(visit("token", self.token, is::token); visit("from", self.from, is::zone);
                visit("to", self.to, is::zone);
                visit("position", self.position, is::word.named("position").optional());)
};
struct MoveTokenAdjacent {
  PARLOR_TAG("moveTokenAdjacent", "", "Moves a token to a neighbouring zone.")
  std::string token;
  ZoneSel from;
  std::optional<ZoneSel> direction;  // the neighbour to go to
  PARLOR_FIELDS(visit("token", self.token, is::token); visit("from", self.from, is::zone);
                visit("direction", self.direction,
                      is::zone.optional().help("the neighbour to go to"));)
};
struct MoveAll {
  PARLOR_TAG("moveAll", "",
             "Moves all tokens of a zone, or those a condition on `$token` holds for.")
  ZoneSel from, to;
  std::optional<Condition> filter;  // `$token` bound
  PARLOR_FIELDS(visit("from", self.from, is::zone); visit("to", self.to, is::zone);
                visit("filter", self.filter, is::condition.with("$token", Kind::token).optional());)
};
struct Draw {
  PARLOR_TAG("draw", "",
             "Moves so many tokens from one zone to another, from where the first one gives.",
             "deal drawCard")
  ZoneSel from, to;
  Value count;
  PARLOR_FIELDS(visit("from", self.from, is::zone); visit("to", self.to, is::zone);
                visit("count", self.count,
                      is::number.from(0, "nobody can draw fewer than 0 tokens"));)
};
struct Shuffle {
  PARLOR_TAG("shuffle", "", "Puts the tokens of a zone in a random order.")
  ZoneSel zone;
  // Empty: the game's own random numbers. Otherwise a stream of its own, made from the game's seed
  // and this name, so that what else is random in the game does not change the order.
  std::string stream;
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("stream", self.stream, is::id.named("the name of a stream").optional());)
};
struct PropValue {
  std::string prop;
  Value value;
  PARLOR_FIELDS(visit("prop", self.prop); visit("value", self.value);)
};
struct CreateToken {
  PARLOR_TAG("createToken", "", "Makes a token of a type in a zone.", "create spawn placeToken")
  std::string type;
  ZoneSel zone;
  std::vector<PropValue> props;  // in byte order of the names
  PARLOR_WRITTEN({"propsFrom", is::record.optional().by_hand().help("every property the table has"),
                  "propsFrom"})
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("type", self.type, is::token_type); visit("zone", self.zone, is::zone);
                visit("props", self.props, is::token_props.optional());)
};
struct DestroyToken {
  PARLOR_TAG("destroyToken", "", "Takes a token out of the game.", "destroy removeToken remove")
  std::string token;
  PARLOR_FIELDS(visit("token", self.token, is::token);)
};
struct SetTokenProp {
  PARLOR_TAG("setTokenProp", "", "Gives a property of a token a value.", "setProp")
  std::string token;
  std::string prop;
  Value value;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("token", self.token, is::token); visit("prop", self.prop, is::token_prop);
                visit("value", self.value, is::value.of("prop"));)
};
struct Reveal {
  PARLOR_TAG("reveal", "", "Shows the tokens of a zone to players until they are concealed.")
  ZoneSel zone;
  PlayerSel to;
  std::optional<TokenFilter> filter;
  bool lasting = false;  // tokens that arrive later are shown, too
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("zone", self.zone, is::zone); visit("to", self.to, is::players);
                visit("filter", self.filter, is::token_filter.optional());
                visit("lasting", self.lasting,
                      is::flag.optional().help("tokens that arrive later are shown, too"));)
};
struct Conceal {
  PARLOR_TAG("conceal", "", "Ends what `reveal` began.")
  ZoneSel zone;
  std::optional<PlayerSel> from;
  std::optional<TokenFilter> filter;
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("from", self.from, is::players.optional());
                visit("filter", self.filter, is::token_filter.optional());)
};

// ---- Control
inline constexpr std::string_view loop_end = "it is made inside a loop and gone afterwards";
struct If {
  PARLOR_TAG("if", "", "Does one thing or the other.", "when switch case")
  Condition when;
  Effects then;
  Effects otherwise;
  PARLOR_READ_BY_HAND
  PARLOR_FIELDS(visit("when", self.when, is::condition); visit("then", self.then, is::effects);
                visit("else", self.otherwise, is::effects.optional());)
};
// A move on whose way the condition does not hold is illegal.
struct Require {
  PARLOR_TAG("require", "", "Makes a move illegal on whose way the condition does not hold.")
  Condition condition;
  PARLOR_FIELDS(visit("condition", self.condition, is::condition.whole());)
};
struct Let {
  PARLOR_TAG("let", "", "Names a value for the effects in `in`.")
  std::string bind;
  Value value;
  Effects in;
  PARLOR_FIELDS(visit("bind", self.bind, is::binder.of("value").in("in"));
                visit("value", self.value, is::value); visit("in", self.in, is::effects.exports());)
};
struct BindValue {
  PARLOR_TAG("bindValue", "", "Names a value for the effects that follow.", "bind")
  std::string bind;
  Value value;
  PARLOR_FIELDS(visit("bind", self.bind, is::binder.of("value"));
                visit("value", self.value, is::value);)
};
struct ForEach {
  PARLOR_TAG("forEach", "", "Does the effects once for each result of a query.",
             "for foreach loop repeat")
  std::string bind;
  Query over;
  Effects effects;
  std::optional<Value> limit;
  std::string count_bind;  // empty exactly if there is no `in`
  Effects in;
  PARLOR_CHECKED
  PARLOR_FIELDS(
      visit("bind", self.bind, is::binder.of("over").in("effects"));
      visit("over", self.over, is::query);
      visit("effects", self.effects, is::effects.ends(loop_end));
      visit("limit", self.limit, is::number.from(0, "limit must not be negative").optional());
      visit("countBind", self.count_bind, is::binder.a(Kind::integer).in("in").optional()); visit(
          "in", self.in,
          is::effects.ends("it is made inside a forEach, which leaves nothing behind").optional());)
};
// Repeats `effects` as long as `when` holds, at most `limit` times; one more round wanted than that
// is a run-time error. Bindings made in one round are gone in the next, unless made before the
// loop.
struct While {
  PARLOR_TAG("while", "",
             "Repeats the effects as long as a condition holds, at most `limit` times.")
  Condition when;
  Effects effects;
  Value limit;
  PARLOR_FIELDS(visit("when", self.when, is::condition);
                visit("effects", self.effects, is::effects.ends(loop_end));
                visit("limit", self.limit, is::number);)
};
struct Reduce {
  PARLOR_TAG("reduce", "", "Computes one value from the results of a query, one after the other.")
  std::string item_bind, acc_bind, result_bind;
  Query over;
  Value initial, next;
  std::optional<Value> limit;
  Effects in;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("itemBind", self.item_bind, is::binder.of("over").in("next"));
                visit("accBind", self.acc_bind, is::binder.of("initial").in("next"));
                visit("resultBind", self.result_bind, is::binder.of("initial").in("in"));
                visit("over", self.over, is::query); visit("initial", self.initial, is::value);
                visit("next", self.next,
                      is::value.of("initial").ends("it exists only while a reduce runs"));
                visit("limit", self.limit, is::number.optional());
                visit("in", self.in, is::effects.exports());)
};
struct RemovalGroup {
  PARLOR_RECORD("a group of removeByPriority", "", "Tokens to take away, and where they go.")
  std::string bind;
  Query over;
  ZoneSel to;
  std::optional<ZoneSel> from;
  std::string count_bind;
  PARLOR_FIELDS(visit("bind", self.bind, is::binder.a(Kind::token).in("to from"));
                visit("over", self.over, is::token_query);
                visit("to", self.to, is::zone.ends(loop_end));
                visit("from", self.from, is::zone.ends(loop_end).optional());
                visit("countBind", self.count_bind, is::binder.a(Kind::integer).optional());)
};
struct RemoveByPriority {
  PARLOR_TAG("removeByPriority", "",
             "Takes tokens away, group after group, until a budget is spent.")
  Value budget;
  std::vector<RemovalGroup> groups;
  std::string remaining_bind;
  Effects in;
  PARLOR_FIELDS(
      visit("budget", self.budget, is::number);
      visit("groups", self.groups, is::records.some("removeByPriority needs at least one group"));
      visit("remainingBind", self.remaining_bind, is::binder.a(Kind::integer).optional());
      visit("in", self.in,
            is::effects.ends("it is made inside the `in` of a removeByPriority").optional());)
};
struct EvaluateSubset {
  PARLOR_TAG("evaluateSubset", "", "Finds the subset of a given size with the highest score.")
  Query source;
  Value subset_size;
  std::string subset_bind;
  Effects compute;
  Value score;
  std::string result_bind;
  std::string best_subset_bind;  // empty: none
  Effects in;
  PARLOR_FIELDS(
      visit("source", self.source, is::query); visit("subsetSize", self.subset_size, is::number);
      visit("subsetBind", self.subset_bind, is::binder.list_of("source").in("compute scoreExpr"));
      visit("compute", self.compute, is::effects);
      visit("scoreExpr", self.score, is::number.ends("it exists only while a subset is judged"));
      visit("resultBind", self.result_bind, is::binder.a(Kind::integer));
      visit("bestSubsetBind", self.best_subset_bind, is::binder.list_of("source").optional());
      visit("in", self.in, is::effects.ends("it is made inside the `in` of an evaluateSubset"));)
};

// ---- Choices and chance
struct ChooseOne {
  PARLOR_TAG("chooseOne", "", "Lets a player choose one of the results of a query.",
             "choose select")
  std::string bind;  // may hold {placeholders}
  Query options;
  std::optional<PlayerSel> chooser;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("bind", self.bind, is::choice.of("options"));
                visit("options", self.options, is::query);
                visit("chooser", self.chooser, is::player.optional());)
};
struct ChooseN {
  PARLOR_TAG("chooseN", "", "Lets a player choose several of the results of a query.", "chooseMany")
  std::string bind;
  Query options;
  Value min, max;  // `n: k` is min = max = k
  bool ordered = false;
  std::optional<PlayerSel> chooser;
  PARLOR_WRITTEN({"n",
                  is::number.optional().by_hand().help("exactly so many; else `min` and `max`")})
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("bind", self.bind, is::choice.list_of("options"));
                visit("options", self.options, is::query);
                visit("min", self.min, is::number.optional());
                visit("max", self.max, is::number.optional());
                visit("ordered", self.ordered, is::flag.optional());
                visit("chooser", self.chooser, is::player.optional());)
};
struct RollRandom {
  PARLOR_TAG("rollRandom", "",
             "Lets chance choose a number from `min` to `max` for the effects in `in`.",
             "roll random")
  std::string bind;
  Value min, max;
  Effects in;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("bind", self.bind, is::binder.a(Kind::integer).in("in"));
                visit("min", self.min, is::number); visit("max", self.max, is::number);
                visit("in", self.in,
                      is::effects.ends("it exists only in the `in` of its rollRandom"));)
};

// ---- Markers
struct SetMarker {
  PARLOR_TAG("setMarker", "", "Sets a marker of a space to a state.")
  ZoneSel space;
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("space", self.space, is::zone); visit("marker", self.marker, is::marker);
                visit("state", self.state, is::marker_state.of("marker"));)
};
struct ShiftMarker {
  PARLOR_TAG("shiftMarker", "", "Moves a marker of a space so many states on.")
  ZoneSel space;
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("space", self.space, is::zone); visit("marker", self.marker, is::marker);
                visit("delta", self.delta, is::number);)
};
struct SetGlobalMarker {
  PARLOR_TAG("setGlobalMarker", "", "Sets a marker of the game to a state.")
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("marker", self.marker, is::global_marker);
                visit("state", self.state, is::global_marker_state.of("marker"));)
};
struct ShiftGlobalMarker {
  PARLOR_TAG("shiftGlobalMarker", "", "Moves a marker of the game so many states on.")
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("marker", self.marker, is::global_marker);
                visit("delta", self.delta, is::number);)
};
struct FlipGlobalMarker {
  PARLOR_TAG("flipGlobalMarker", "",
             "Turns a marker of the game from one of two states to the other.")
  Value marker, state_a, state_b;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("marker", self.marker, is::global_marker);
                visit("stateA", self.state_a, is::global_marker_state.of("marker"));
                visit("stateB", self.state_b, is::global_marker_state.of("marker"));)
};

// ---- Phases and turns
struct GotoPhaseExact {
  PARLOR_TAG("gotoPhaseExact", "", "Goes to a phase at once.", "gotoPhase setPhase")
  std::string phase;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("phase", self.phase, is::phase);)
};
struct AdvancePhase {
  PARLOR_TAG("advancePhase", "", "Ends the phase; after the last one, the turn.",
             "nextPhase endPhase")
  PARLOR_FIELDS()
};
struct EndTurn {
  PARLOR_TAG("endTurn", "", "Ends the turn, whatever phases it still had.", "nextTurn passTurn")
  PARLOR_FIELDS()
};
struct EndRound {
  PARLOR_TAG("endRound", "", "Ends the turn and with it the round.", "nextRound")
  PARLOR_CHECKED
  PARLOR_FIELDS()
};
struct ExtraTurn {
  PARLOR_TAG("extraTurn", "", "Gives a player a turn after this one, before the order goes on.",
             "bonusTurn anotherTurn")
  PlayerSel player;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("player", self.player, is::player);)
};
struct SkipTurn {
  PARLOR_TAG("skipTurn", "", "The next turn of a player is passed over.", "loseTurn missTurn")
  PlayerSel player;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("player", self.player, is::player);)
};
struct SetStartPlayer {
  PARLOR_TAG("setStartPlayer", "", "Says who begins the next round.", "startPlayer firstPlayer")
  PlayerSel player;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("player", self.player, is::player);)
};
struct SetTurnOrder {
  PARLOR_TAG("setTurnOrder", "",
             "Orders the turns of the next round by a number of each player, who is the `actor` "
             "there; equals stay in the order they have.",
             "turnOrder sortPlayers")
  Value by;
  bool descending = false;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("by", self.by, is::number);
                visit("descending", self.descending, is::flag.optional());)
};
struct PushInterruptPhase {
  PARLOR_TAG("pushInterruptPhase", "",
             "Enters an interrupt phase and says where to go on after it.")
  std::string phase, resume_phase;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("phase", self.phase, is::phase);
                visit("resumePhase", self.resume_phase, is::phase);)
};
struct PopInterruptPhase {
  PARLOR_TAG("popInterruptPhase", "", "Ends an interrupt phase.")
  PARLOR_FIELDS()
};
// Kept as authored; run by the event-card part of the kernel.
struct GrantFreeOperation {
  PARLOR_TAG("grantFreeOperation", "", "Lets a seat carry out a move for free.")
  GrantDef grant;
  PARLOR_FIELDS(visit("grant", self.grant, is::grant.whole());)
};

// An announcement. The state stays as it is: it is an event `note`, kept in the log.
struct Say {
  PARLOR_TAG("say", "", "Tells players something; it is kept in the log.",
             "announce message print notify log tell")
  std::vector<Value> text;      // one after the other; players are told by name
  std::optional<PlayerSel> to;  // none: everybody
  PARLOR_FIELDS(visit("text", self.text, is::spoken.or_alone());
                visit("to", self.to, is::players.optional());)
};

// ---- Timed effects (their definitions are in GameDef::timed_effects)
struct StartEffect {
  PARLOR_TAG("startEffect", "", "Puts a timed effect in force.")
  std::string effect;
  std::optional<PlayerSel> owner;
  std::optional<Value> target;  // a player, zone id, token id or variable name
  std::optional<Value> starts_at_turn, starts_at_round;
  std::optional<Value> expires_at_turn, expires_at_round;
  std::optional<PlayerSel> expires_at_next_turn_of;
  std::optional<Value> charges;
  PARLOR_FIELDS(visit("effect", self.effect, is::timed_effect);
                visit("owner", self.owner, is::player.optional());
                visit("target", self.target, is::value.optional());
                visit("startsAtTurn", self.starts_at_turn,
                      is::number.inside("starts", "turn").optional());
                visit("startsAtRound", self.starts_at_round,
                      is::number.inside("starts", "round").optional());
                visit("expiresAtTurn", self.expires_at_turn,
                      is::number.inside("expires", "turn")
                          .from(1, "the first turn is turn 1",
                                "for the end of this turn write {op: +, left: {ref: clock, field: "
                                "turn}, right: 1}")
                          .optional());
                visit("expiresAtRound", self.expires_at_round,
                      is::number.inside("expires", "round")
                          .from(1, "the first round is round 1",
                                "for the end of this round write {op: +, left: {ref: clock, field: "
                                "round}, right: 1}")
                          .optional());
                visit("expiresAtNextTurnOf", self.expires_at_next_turn_of,
                      is::player.inside("expires", "nextTurnOf").optional());
                visit("charges", self.charges,
                      is::number
                          .from(1, "an effect has at least one charge",
                                "leave `charges` out for an effect that is not used up")
                          .optional());)
};
struct EndEffect {
  PARLOR_TAG("endEffect", "", "Ends a timed effect.")
  std::string effect;
  std::optional<PlayerSel> owner;
  std::optional<Value> target;
  PARLOR_FIELDS(visit("effect", self.effect, is::timed_effect);
                visit("owner", self.owner, is::player.optional());
                visit("target", self.target, is::value.optional());)
};

// Every effect there is: what EffectNode is one of, and what the linker has a meaning for.
// clang-format off
#define PARLOR_EFFECTS(EACH) \
  EACH(SetVar) EACH(AddVar) EACH(TransferVar) EACH(ResetVar) EACH(SetActivePlayer) \
  EACH(MoveToken) EACH(MoveTokenAdjacent) EACH(MoveAll) EACH(Draw) EACH(Shuffle) EACH(CreateToken) \
  EACH(DestroyToken) EACH(SetTokenProp) EACH(Reveal) EACH(Conceal) EACH(If) EACH(Require) \
  EACH(Let) EACH(BindValue) EACH(ForEach) EACH(While) EACH(Reduce) EACH(RemoveByPriority) \
  EACH(EvaluateSubset) EACH(ChooseOne) EACH(ChooseN) EACH(RollRandom) EACH(SetMarker) \
  EACH(ShiftMarker) EACH(SetGlobalMarker) EACH(ShiftGlobalMarker) EACH(FlipGlobalMarker) \
  EACH(GotoPhaseExact) EACH(AdvancePhase) EACH(EndTurn) EACH(EndRound) EACH(ExtraTurn) \
  EACH(SkipTurn) EACH(SetStartPlayer) EACH(SetTurnOrder) EACH(PushInterruptPhase) \
  EACH(PopInterruptPhase) EACH(GrantFreeOperation) EACH(Say) EACH(StartEffect) EACH(EndEffect)
// clang-format on
using EffectNode = OneOf<void PARLOR_EFFECTS(PARLOR_NEXT)>;
struct Effect {
  EffectNode node;
  PlaceId at;
  PARLOR_NODE(Effect)
};

}  // namespace parlor::spec
