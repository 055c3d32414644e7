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
  PARLOR_FIELDS(visit("scope", self.scope); visit("var", self.var); visit("player", self.player);
                visit("zone", self.zone);)
  friend bool operator==(const VarCell&, const VarCell&) = default;
};

// ---- Variables
struct SetVar {
  PARLOR_TAG("setVar", "")
  VarCell cell;
  Value value;
  PARLOR_FIELDS(visit("cell", self.cell); visit("value", self.value);)
  friend bool operator==(const SetVar&, const SetVar&) = default;
};
struct AddVar {
  PARLOR_TAG("addVar", "")
  VarCell cell;
  Value delta;
  PARLOR_FIELDS(visit("cell", self.cell); visit("delta", self.delta);)
  friend bool operator==(const AddVar&, const AddVar&) = default;
};
struct TransferVar {
  PARLOR_TAG("transferVar", "")
  VarCell from, to;
  Value amount;
  std::optional<Value> min, max;
  std::string actual_bind;  // empty: none
  PARLOR_FIELDS(visit("from", self.from); visit("to", self.to); visit("amount", self.amount);
                visit("min", self.min); visit("max", self.max);
                visit("actualBind", self.actual_bind);)
  friend bool operator==(const TransferVar&, const TransferVar&) = default;
};
struct SetActivePlayer {
  PARLOR_TAG("setActivePlayer", "")
  PlayerSel player;
  PARLOR_FIELDS(visit("player", self.player);)
  friend bool operator==(const SetActivePlayer&, const SetActivePlayer&) = default;
};

// ---- Tokens
enum class ZonePosition : std::uint8_t { top, bottom, random };
struct MoveToken {
  PARLOR_TAG("moveToken", "")
  std::string token;  // a binding
  ZoneSel from, to;
  ZonePosition position = ZonePosition::top;
  PARLOR_FIELDS(visit("token", self.token); visit("from", self.from); visit("to", self.to);
                visit("position", self.position);)
  friend bool operator==(const MoveToken&, const MoveToken&) = default;
};
struct MoveTokenAdjacent {
  PARLOR_TAG("moveTokenAdjacent", "")
  std::string token;
  ZoneSel from;
  std::optional<ZoneSel> direction;  // the neighbour to go to
  PARLOR_FIELDS(visit("token", self.token); visit("from", self.from);
                visit("direction", self.direction);)
  friend bool operator==(const MoveTokenAdjacent&, const MoveTokenAdjacent&) = default;
};
struct MoveAll {
  PARLOR_TAG("moveAll", "")
  ZoneSel from, to;
  std::optional<Condition> filter;  // `$token` bound
  PARLOR_FIELDS(visit("from", self.from); visit("to", self.to); visit("filter", self.filter);)
  friend bool operator==(const MoveAll&, const MoveAll&) = default;
};
struct Draw {
  PARLOR_TAG("draw", "")
  ZoneSel from, to;
  Value count;
  PARLOR_FIELDS(visit("from", self.from); visit("to", self.to); visit("count", self.count);)
  friend bool operator==(const Draw&, const Draw&) = default;
};
struct Shuffle {
  PARLOR_TAG("shuffle", "")
  ZoneSel zone;
  // Empty: the game's own random numbers. Otherwise a stream of its own, made from the game's seed
  // and this name, so that what else is random in the game does not change the order.
  std::string stream;
  PARLOR_FIELDS(visit("zone", self.zone); visit("stream", self.stream);)
  friend bool operator==(const Shuffle&, const Shuffle&) = default;
};
struct PropValue {
  std::string prop;
  Value value;
  PARLOR_FIELDS(visit("prop", self.prop); visit("value", self.value);)
  friend bool operator==(const PropValue&, const PropValue&) = default;
};
struct CreateToken {
  PARLOR_TAG("createToken", "")
  std::string type;
  ZoneSel zone;
  std::vector<PropValue> props;  // in byte order of the names
  PARLOR_FIELDS(visit("type", self.type); visit("zone", self.zone); visit("props", self.props);)
  friend bool operator==(const CreateToken&, const CreateToken&) = default;
};
struct DestroyToken {
  PARLOR_TAG("destroyToken", "")
  std::string token;
  PARLOR_FIELDS(visit("token", self.token);)
  friend bool operator==(const DestroyToken&, const DestroyToken&) = default;
};
struct SetTokenProp {
  PARLOR_TAG("setTokenProp", "")
  std::string token;
  std::string prop;
  Value value;
  PARLOR_FIELDS(visit("token", self.token); visit("prop", self.prop); visit("value", self.value);)
  friend bool operator==(const SetTokenProp&, const SetTokenProp&) = default;
};
struct Reveal {
  PARLOR_TAG("reveal", "")
  ZoneSel zone;
  PlayerSel to;
  std::optional<TokenFilter> filter;
  bool lasting = false;  // tokens that arrive later are shown, too
  PARLOR_FIELDS(visit("zone", self.zone); visit("to", self.to); visit("filter", self.filter);
                visit("lasting", self.lasting);)
  friend bool operator==(const Reveal&, const Reveal&) = default;
};
struct Conceal {
  PARLOR_TAG("conceal", "")
  ZoneSel zone;
  std::optional<PlayerSel> from;
  std::optional<TokenFilter> filter;
  PARLOR_FIELDS(visit("zone", self.zone); visit("from", self.from); visit("filter", self.filter);)
  friend bool operator==(const Conceal&, const Conceal&) = default;
};

// ---- Control
struct If {
  PARLOR_TAG("if", "")
  Condition when;
  Effects then;
  Effects otherwise;
  PARLOR_FIELDS(visit("when", self.when); visit("then", self.then); visit("else", self.otherwise);)
  friend bool operator==(const If&, const If&);
};
// A move on whose way the condition does not hold is illegal.
struct Require {
  PARLOR_TAG("require", "")
  Condition condition;
  PARLOR_FIELDS(visit("condition", self.condition);)
  friend bool operator==(const Require&, const Require&) = default;
};
struct Let {
  PARLOR_TAG("let", "")
  std::string bind;
  Value value;
  Effects in;
  PARLOR_FIELDS(visit("bind", self.bind); visit("value", self.value); visit("in", self.in);)
  friend bool operator==(const Let&, const Let&);
};
struct BindValue {
  PARLOR_TAG("bindValue", "")
  std::string bind;
  Value value;
  PARLOR_FIELDS(visit("bind", self.bind); visit("value", self.value);)
  friend bool operator==(const BindValue&, const BindValue&) = default;
};
struct ForEach {
  PARLOR_TAG("forEach", "")
  std::string bind;
  Query over;
  Effects effects;
  std::optional<Value> limit;
  std::string count_bind;  // empty exactly if there is no `in`
  Effects in;
  PARLOR_FIELDS(visit("bind", self.bind); visit("over", self.over); visit("effects", self.effects);
                visit("limit", self.limit); visit("countBind", self.count_bind);
                visit("in", self.in);)
  friend bool operator==(const ForEach&, const ForEach&);
};
// Repeats `effects` as long as `when` holds, at most `limit` times; one more round wanted than that
// is a run-time error. Bindings made in one round are gone in the next, unless made before the
// loop.
struct While {
  PARLOR_TAG("while", "")
  Condition when;
  Effects effects;
  Value limit;
  PARLOR_FIELDS(visit("when", self.when); visit("effects", self.effects);
                visit("limit", self.limit);)
  friend bool operator==(const While&, const While&);
};
struct Reduce {
  PARLOR_TAG("reduce", "")
  std::string item_bind, acc_bind, result_bind;
  Query over;
  Value initial, next;
  std::optional<Value> limit;
  Effects in;
  PARLOR_FIELDS(visit("itemBind", self.item_bind); visit("accBind", self.acc_bind);
                visit("resultBind", self.result_bind); visit("over", self.over);
                visit("initial", self.initial); visit("next", self.next);
                visit("limit", self.limit); visit("in", self.in);)
  friend bool operator==(const Reduce&, const Reduce&);
};
struct RemovalGroup {
  std::string bind;
  Query over;
  ZoneSel to;
  std::optional<ZoneSel> from;
  std::string count_bind;
  PARLOR_FIELDS(visit("bind", self.bind); visit("over", self.over); visit("to", self.to);
                visit("from", self.from); visit("countBind", self.count_bind);)
  friend bool operator==(const RemovalGroup&, const RemovalGroup&) = default;
};
struct RemoveByPriority {
  PARLOR_TAG("removeByPriority", "")
  Value budget;
  std::vector<RemovalGroup> groups;
  std::string remaining_bind;
  Effects in;
  PARLOR_FIELDS(visit("budget", self.budget); visit("groups", self.groups);
                visit("remainingBind", self.remaining_bind); visit("in", self.in);)
  friend bool operator==(const RemoveByPriority&, const RemoveByPriority&);
};
struct EvaluateSubset {
  PARLOR_TAG("evaluateSubset", "")
  Query source;
  Value subset_size;
  std::string subset_bind;
  Effects compute;
  Value score;
  std::string result_bind;
  std::string best_subset_bind;  // empty: none
  Effects in;
  PARLOR_FIELDS(visit("source", self.source); visit("subsetSize", self.subset_size);
                visit("subsetBind", self.subset_bind); visit("compute", self.compute);
                visit("scoreExpr", self.score); visit("resultBind", self.result_bind);
                visit("bestSubsetBind", self.best_subset_bind); visit("in", self.in);)
  friend bool operator==(const EvaluateSubset&, const EvaluateSubset&);
};

// ---- Choices and chance
struct ChooseOne {
  PARLOR_TAG("chooseOne", "")
  std::string bind;  // may hold {placeholders}
  Query options;
  std::optional<PlayerSel> chooser;
  PARLOR_FIELDS(visit("bind", self.bind); visit("options", self.options);
                visit("chooser", self.chooser);)
  friend bool operator==(const ChooseOne&, const ChooseOne&) = default;
};
struct ChooseN {
  PARLOR_TAG("chooseN", "")
  std::string bind;
  Query options;
  Value min, max;  // `n: k` is min = max = k
  bool ordered = false;
  std::optional<PlayerSel> chooser;
  PARLOR_FIELDS(visit("bind", self.bind); visit("options", self.options); visit("min", self.min);
                visit("max", self.max); visit("ordered", self.ordered);
                visit("chooser", self.chooser);)
  friend bool operator==(const ChooseN&, const ChooseN&) = default;
};
struct RollRandom {
  PARLOR_TAG("rollRandom", "")
  std::string bind;
  Value min, max;
  Effects in;
  PARLOR_FIELDS(visit("bind", self.bind); visit("min", self.min); visit("max", self.max);
                visit("in", self.in);)
  friend bool operator==(const RollRandom&, const RollRandom&);
};

// ---- Markers
struct SetMarker {
  PARLOR_TAG("setMarker", "")
  ZoneSel space;
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("space", self.space); visit("marker", self.marker);
                visit("state", self.state);)
  friend bool operator==(const SetMarker&, const SetMarker&) = default;
};
struct ShiftMarker {
  PARLOR_TAG("shiftMarker", "")
  ZoneSel space;
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("space", self.space); visit("marker", self.marker);
                visit("delta", self.delta);)
  friend bool operator==(const ShiftMarker&, const ShiftMarker&) = default;
};
struct SetGlobalMarker {
  PARLOR_TAG("setGlobalMarker", "")
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("marker", self.marker); visit("state", self.state);)
  friend bool operator==(const SetGlobalMarker&, const SetGlobalMarker&) = default;
};
struct ShiftGlobalMarker {
  PARLOR_TAG("shiftGlobalMarker", "")
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("marker", self.marker); visit("delta", self.delta);)
  friend bool operator==(const ShiftGlobalMarker&, const ShiftGlobalMarker&) = default;
};
struct FlipGlobalMarker {
  PARLOR_TAG("flipGlobalMarker", "")
  Value marker, state_a, state_b;
  PARLOR_FIELDS(visit("marker", self.marker); visit("stateA", self.state_a);
                visit("stateB", self.state_b);)
  friend bool operator==(const FlipGlobalMarker&, const FlipGlobalMarker&) = default;
};

// ---- Phases and turns
struct GotoPhaseExact {
  PARLOR_TAG("gotoPhaseExact", "")
  std::string phase;
  PARLOR_FIELDS(visit("phase", self.phase);)
  friend bool operator==(const GotoPhaseExact&, const GotoPhaseExact&) = default;
};
struct AdvancePhase {
  PARLOR_TAG("advancePhase", "")
  PARLOR_FIELDS()
  friend bool operator==(const AdvancePhase&, const AdvancePhase&) = default;
};
struct PushInterruptPhase {
  PARLOR_TAG("pushInterruptPhase", "")
  std::string phase, resume_phase;
  PARLOR_FIELDS(visit("phase", self.phase); visit("resumePhase", self.resume_phase);)
  friend bool operator==(const PushInterruptPhase&, const PushInterruptPhase&) = default;
};
struct PopInterruptPhase {
  PARLOR_TAG("popInterruptPhase", "")
  PARLOR_FIELDS()
  friend bool operator==(const PopInterruptPhase&, const PopInterruptPhase&) = default;
};
// Kept as authored; run by the event-card part of the kernel.
struct GrantFreeOperation {
  PARLOR_TAG("grantFreeOperation", "")
  GrantDef grant;
  PARLOR_FIELDS(visit("grant", self.grant);)
  friend bool operator==(const GrantFreeOperation&, const GrantFreeOperation&) = default;
};

// ---- Timed effects (their definitions are in GameDef::timed_effects)
struct StartEffect {
  PARLOR_TAG("startEffect", "")
  std::string effect;
  std::optional<PlayerSel> owner;
  std::optional<Value> target;  // a player, zone id, token id or variable name
  std::optional<Value> starts_at_turn, starts_at_round;
  std::optional<Value> expires_at_turn, expires_at_round;
  std::optional<PlayerSel> expires_at_next_turn_of;
  std::optional<Value> charges;
  PARLOR_FIELDS(visit("effect", self.effect); visit("owner", self.owner);
                visit("target", self.target); visit("startsAtTurn", self.starts_at_turn);
                visit("startsAtRound", self.starts_at_round);
                visit("expiresAtTurn", self.expires_at_turn);
                visit("expiresAtRound", self.expires_at_round);
                visit("expiresAtNextTurnOf", self.expires_at_next_turn_of);
                visit("charges", self.charges);)
  friend bool operator==(const StartEffect&, const StartEffect&) = default;
};
struct EndEffect {
  PARLOR_TAG("endEffect", "")
  std::string effect;
  std::optional<PlayerSel> owner;
  std::optional<Value> target;
  PARLOR_FIELDS(visit("effect", self.effect); visit("owner", self.owner);
                visit("target", self.target);)
  friend bool operator==(const EndEffect&, const EndEffect&) = default;
};

using EffectNode =
    std::variant<SetVar, AddVar, TransferVar, SetActivePlayer, MoveToken, MoveTokenAdjacent,
                 MoveAll, Draw, Shuffle, CreateToken, DestroyToken, SetTokenProp, Reveal, Conceal,
                 If, Require, Let, BindValue, ForEach, While, Reduce, RemoveByPriority,
                 EvaluateSubset, ChooseOne, ChooseN, RollRandom, SetMarker, ShiftMarker,
                 SetGlobalMarker, ShiftGlobalMarker, FlipGlobalMarker, GotoPhaseExact, AdvancePhase,
                 PushInterruptPhase, PopInterruptPhase, GrantFreeOperation, StartEffect, EndEffect>;
struct Effect {
  EffectNode node;
  PlaceId at;
  PARLOR_NODE(Effect)
};

PARLOR_SAME(If, x.when, x.then, x.otherwise)
PARLOR_SAME(Let, x.bind, x.value, x.in)
PARLOR_SAME(ForEach, x.bind, x.over, x.effects, x.limit, x.count_bind, x.in)
PARLOR_SAME(While, x.when, x.effects, x.limit)
PARLOR_SAME(Reduce, x.item_bind, x.acc_bind, x.result_bind, x.over, x.initial, x.next, x.limit,
            x.in)
PARLOR_SAME(RemoveByPriority, x.budget, x.groups, x.remaining_bind, x.in)
PARLOR_SAME(EvaluateSubset, x.source, x.subset_size, x.subset_bind, x.compute, x.score,
            x.result_bind, x.best_subset_bind, x.in)
PARLOR_SAME(RollRandom, x.bind, x.min, x.max, x.in)

}  // namespace parlor::spec
