#include "generate/plain_game.h"

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/rng.h"

namespace parlor::generate {
namespace {

constexpr std::string_view frame = R"(# A game

```yaml
metadata: {id: plain, players: {min: 2, max: 3}, namedSets: {royal: [king, queen]}}
constants: {most: 5}
globalVars: [{name: pot, type: int, init: 3, min: 0, max: 99}, {name: open, type: boolean, init: true}]
perPlayerVars: [{name: gold, type: int, init: 5, min: 0, max: 50}]
zoneVars: [{name: heat, type: int, init: 0, min: 0, max: 9}]
globalMarkerLattices: [{id: weather, states: [sun, rain, storm], defaultState: sun}]
zones:
  - {macro: grid, args: [3, 3]}
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: discard, owner: none, visibility: public, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
tokenTypes: [{id: card, props: {suit: string, rank: int, face: boolean}}, {id: pawn, props: {owner: int}}]
conditionMacros:
  - {id: rich, params: [{name: who, type: playerSelector}], condition: {op: ">", left: {ref: pvar, player: {param: who}, var: gold}, right: 9}}
effectMacros:
  - {id: reward, params: [{name: amount, type: value}], effects: [{addVar: {scope: pvar, player: actor, var: gold, delta: {param: amount}}}]}
turnStructure: {phases: [{id: main}, {id: upkeep}]}
setup: [{createToken: {type: card, zone: deck, props: {suit: hearts, rank: 1, face: false}}}]
```
)";

Json reference(const char* kind, Json fields) {
  fields["ref"] = kind;
  return fields;
}
Json asked(const char* kind, Json fields = Json::object()) {
  fields["query"] = kind;
  return fields;
}

class PlainGame {
 public:
  explicit PlainGame(std::uint64_t number) : rng_(number, 78) {}

  std::string text() {
    Json actions = Json::array();
    for (std::size_t i = 0, many = 1 + rng_.below(3); i < many; ++i) {
      bound_ = {"$num"};
      actions.push_back({{"id", "act-" + std::to_string(i)},
                         {"phase", Json::array({"main"})},
                         {"params", Json::array({{{"name", "$tok"}, {"domain", tokens(1)}},
                                                 {{"name", "$cell"}, {"domain", places(1)}},
                                                 {{"name", "$who"}, {"domain", asked("players")}},
                                                 {{"name", "$num"}, {"domain", numbers(1)}}})},
                         {"pre", condition(3)},
                         {"effects", effects(3)}});
    }
    const Json end{{"conditions", Json::array({{{"id", "over"},
                                                {"when", of_the_game(2)},
                                                {"result", {{"type", "draw"}}}}})}};
    return std::string{frame} + "\n```yaml\n" + Json{{"actions", actions}}.dump() +
           "\n```\n\n```yaml\n" + Json{{"terminal", end}}.dump() + "\n```\n";
  }

 private:
  // ---- Dice
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[rng_.below(from.size())];
  }
  bool one_in(std::size_t n) { return rng_.below(n) == 0; }
  int digit() { return static_cast<int>(1 + rng_.below(9)); }
  std::string fresh() { return "$x" + std::to_string(++names_); }
  const char* player() { return pick<const char*>({"actor", "active", "left", "right", "$who"}); }
  std::string zone() {
    return pick<std::string>({"deck", "discard", "hand:actor", "hand:$who", "$cell", "cell_1_1"});
  }

  // ---- Numbers
  Json number(int depth) {
    if (depth == 0 || one_in(4)) return leaf();
    const Json left = number(depth - 1);
    switch (rng_.below(6)) {
      case 0:
        return {{"op", pick<const char*>({"/", "floorDiv", "ceilDiv", "mod"})},
                {"left", left},
                {"right", digit()}};
      case 1:
        return {{"aggregate", {{"op", "count"}, {"query", anything(depth - 1)}}}};
      case 2: {
        const std::string bind = fresh();
        const Json query = numbers(depth - 1);
        bound_.push_back(bind);
        const Json each = number(depth - 1);
        bound_.pop_back();
        return {{"aggregate",
                 {{"op", pick<const char*>({"sum", "min", "max"})},
                  {"query", query},
                  {"bind", bind},
                  {"valueExpr", each}}}};
      }
      case 3:
        return {
            {"if", {{"when", condition(depth - 1)}, {"then", left}, {"else", number(depth - 1)}}}};
      default:
        return {{"op", pick<const char*>({"+", "-", "*", "min", "max"})},
                {"left", left},
                {"right", number(depth - 1)}};
    }
  }
  Json leaf() {
    switch (rng_.below(9)) {
      case 0:
        return digit();
      case 1:
        return -digit();
      case 2:
        return reference("gvar", {{"var", "pot"}});
      case 3:
        return reference("pvar", {{"player", player()}, {"var", "gold"}});
      case 4:
        return reference("zoneVar", {{"zone", "$cell"}, {"var", "heat"}});
      case 5:
        return reference("tokenProp", {{"token", "$tok"}, {"prop", "rank"}});
      case 6:
        return Json{{"zoneCount", zone()}};
      case 7:
        return reference("clock", {{"field", pick<const char*>({"turn", "round"})}});
      default:
        return reference("binding", {{"name", pick(bound_)}});
    }
  }

  // ---- Conditions
  Json comparison(Json left, Json right) {
    return {{"op", pick<const char*>({"==", "!=", "<", "<=", ">", ">="})},
            {"left", std::move(left)},
            {"right", std::move(right)}};
  }
  // One that mentions no binding.
  Json of_the_game(int depth) {
    if (depth == 0) return comparison(reference("gvar", {{"var", "pot"}}), digit());
    return {{"op", pick<const char*>({"and", "or"})},
            {"args", Json::array({of_the_game(depth - 1), of_the_game(depth - 1)})}};
  }
  Json condition(int depth) {
    if (depth == 0) return comparison(leaf(), leaf());
    switch (rng_.below(11)) {
      case 0:
      case 1: {
        Json args = Json::array();
        for (std::size_t i = 0, many = 2 + rng_.below(2); i < many; ++i)
          args.push_back(condition(depth - 1));
        return {{"op", pick<const char*>({"and", "or"})}, {"args", args}};
      }
      case 2:
        return {{"op", "not"}, {"arg", condition(depth - 1)}};
      case 3:
        return {{"op", "exists"}, {"query", anything(depth - 1)}};
      case 4: {
        const std::string bind = fresh();
        const Json query = numbers(depth - 1);
        bound_.push_back(bind);
        const Json where = condition(depth - 1);
        bound_.pop_back();
        return {{"op", pick<const char*>({"exists", "forAll"})},
                {"query", query},
                {"bind", bind},
                {"where", where}};
      }
      case 5:
        return {{"op", "adjacent"}, {"left", "$cell"}, {"right", "cell_0_1"}};
      case 6:
        return {{"op", "connected"},
                {"from", "cell_0_0"},
                {"to", "$cell"},
                {"via", comparison(Json{{"zoneCount", "$zone"}}, digit())}};
      case 7:
        return {{"op", "in"},
                {"item", reference("tokenProp", {{"token", "$tok"}, {"prop", "suit"}})},
                {"set", Json::array({"hearts", "king"})}};
      case 8:
        return {{"op", pick<const char*>({"==", "!="})},
                {"left", reference("globalMarkerState", {{"marker", "weather"}})},
                {"right", pick<const char*>({"sun", "rain"})}};
      case 9:
        return {{"conditionMacro", "rich"}, {"args", {{"who", player()}}}};
      default:
        return comparison(number(depth - 1), number(depth - 1));
    }
  }

  // ---- Queries
  Json tokens(int depth) {
    Json out = one_in(3)
                   ? asked("tokensInMapSpaces")
                   : asked("tokensInZone", {{"zone", pick<const char*>({"deck", "discard"})}});
    if (one_in(2)) out["filter"] = filter(depth);
    if (depth == 0 || !one_in(4)) return out;
    return asked(
        pick<const char*>({"concat"}),
        {{"sources", Json::array({std::move(out), asked("tokensInZone", {{"zone", "discard"}})})}});
  }
  Json filter(int depth) {
    if (depth > 0 && one_in(2))
      return {{"op", pick<const char*>({"and", "or"})},
              {"args", Json::array({filter(depth - 1), filter(depth - 1)})}};
    if (depth > 0 && one_in(4)) return {{"op", "not"}, {"arg", filter(depth - 1)}};
    if (one_in(3)) return {{"field", {{"kind", "tokenType"}}}, {"op", "eq"}, {"value", "card"}};
    if (one_in(2))
      return {{"prop", "rank"}, {"op", pick<const char*>({"eq", "neq"})}, {"value", digit()}};
    return {{"prop", "suit"},
            {"op", pick<const char*>({"in", "notIn"})},
            {"value", Json::array({"hearts"})}};
  }
  Json places(int depth) {
    if (one_in(3)) return asked("adjacentZones", {{"zone", "cell_1_1"}});
    if (one_in(3)) return asked("step", {{"zone", "cell_1_1"}, {"directions", "orthogonal"}});
    Json out = asked("mapSpaces");
    if (depth > 0 && one_in(2)) out["filter"] = comparison(Json{{"zoneCount", "$zone"}}, digit());
    return out;
  }
  Json numbers(int depth) {
    if (depth > 0 && one_in(4)) {
      const std::string bind = fresh();
      const Json source = numbers(depth - 1);
      return asked("filter",
                   {{"source", source},
                    {"bind", bind},
                    {"where", comparison(reference("binding", {{"name", bind}}), digit())}});
    }
    return asked("intsInRange", {{"min", digit()}, {"max", reference("gvar", {{"var", "pot"}})}});
  }
  Json anything(int depth) {
    switch (rng_.below(4)) {
      case 0:
        return tokens(depth);
      case 1:
        return places(depth);
      case 2:
        return numbers(depth);
      default:
        return asked("players");
    }
  }

  // ---- Effects
  Json effects(int depth) {
    Json out = Json::array();
    const std::size_t before = bound_.size();
    for (std::size_t i = 0, many = 1 + rng_.below(3); i < many; ++i) out.push_back(effect(depth));
    bound_.resize(before);
    return out;
  }
  Json cell() {
    if (one_in(2)) return {{"scope", "global"}, {"var", "pot"}};
    return {{"scope", "pvar"}, {"player", player()}, {"var", "gold"}};
  }
  Json block(int depth) {
    const std::string bind = fresh();
    switch (rng_.below(5)) {
      case 0: {
        const Json query = numbers(depth - 1);
        bound_.push_back(bind);
        const Json inner = effects(depth - 1);
        bound_.pop_back();
        return {{"forEach", {{"bind", bind}, {"over", query}, {"effects", inner}}}};
      }
      case 1: {
        const Json value = number(depth - 1);
        bound_.push_back(bind);
        const Json inner = effects(depth - 1);
        bound_.pop_back();
        return {{"let", {{"bind", bind}, {"value", value}, {"in", inner}}}};
      }
      case 2:
        return {{"while",
                 {{"when", condition(depth - 1)},
                  {"limit", digit()},
                  {"effects", effects(depth - 1)}}}};
      case 3:
        return {
            {"rollRandom", {{"bind", bind}, {"min", 1}, {"max", 6}, {"in", effects(depth - 1)}}}};
      default:
        return {{"if",
                 {{"when", condition(depth - 1)},
                  {"then", effects(depth - 1)},
                  {"else", effects(depth - 1)}}}};
    }
  }
  Json effect(int depth) {
    if (depth > 0 && one_in(2)) return block(depth);
    switch (rng_.below(10)) {
      case 0: {
        Json out = cell();
        out["value"] = number(depth);
        return {{"setVar", out}};
      }
      case 1: {
        Json out = cell();
        out["delta"] = number(depth);
        return {{"addVar", out}};
      }
      case 2:
        return {{"transferVar", {{"from", cell()}, {"to", cell()}, {"amount", number(depth)}}}};
      case 3:
        return {{"createToken",
                 {{"type", "pawn"}, {"zone", "$cell"}, {"props", {{"owner", number(depth)}}}}}};
      case 4:
        return {{"moveAll", {{"from", "discard"}, {"to", "deck"}}}};
      case 5:
        return {{"draw", {{"from", "deck"}, {"to", "hand:actor"}, {"count", digit()}}}};
      case 6:
        return {{"require", condition(depth)}};
      case 7:
        return {{"setGlobalMarker", {{"marker", "weather"}, {"state", "rain"}}}};
      case 8:
        return {{"macro", "reward"}, {"args", {{"amount", number(depth)}}}};
      default: {
        const std::string bind = fresh();
        Json out{{"bindValue", {{"bind", bind}, {"value", number(depth)}}}};
        bound_.push_back(bind);
        return out;
      }
    }
  }

  Rng rng_;
  int names_ = 0;
  std::vector<std::string> bound_;  // names of numbers, where the next rule stands
};

}  // namespace

std::string plain_game(std::uint64_t number) {
  return PlainGame{number}.text();
}

}  // namespace parlor::generate
