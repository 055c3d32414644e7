#include <gtest/gtest.h>

#include "base/json.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {
namespace {

// One GameDef that uses a node of every family.
GameDef sample() {
  GameDef game;
  game.metadata = {
      .id = "sample", .name = "Sample", .description = "", .min_players = 2, .max_players = 4};
  game.places = {{}, {.file = "game.md", .line = 3, .column = 5, .path = "actions.0"}};
  game.global_vars = {{.name = "pot", .type = VarType::integer, .init = 0, .min = 0, .max = 100}};
  ZoneDef hand;
  hand.base = "hand";
  hand.owner = ZoneOwner::player;
  hand.visibility = Visibility::owner;
  hand.attributes = {{"n", Int{3}}, {"tags", std::vector<std::string>{"a", "b"}}};
  hand.deck = DeckBehavior{DrawFrom::random, "discard:none"};
  game.zones = {hand};

  Value pot{GvarRef{{Name::Kind::literal, "pot"}}, PlaceId{1}};
  Value sum{Arith{ArithOp::modulo, pot, Value{Int{2}, {}}}, {}};
  Query hands{
      TokensInZoneQuery{{ZoneSel::Kind::owned, "hand", {PlayerSel::Kind::actor, 0, ""}, {}}, {}},
      {}};
  std::get<TokensInZoneQuery>(hands.node)
      .filter.push_back({TokenFilter::Kind::none_of,
                         {},
                         {{TokenFilter::Kind::test,
                           {TokenTest::Field::prop, "suit", FilterOp::in,
                            Value{ListLiteral{{std::string{"h"}, std::string{"s"}}}, {}}},
                           {},
                           PlaceId{1}}},
                         {}});
  Condition condition{
      AllOf{{Condition{Compare{CompareOp::less_equal, sum, Value{ConcatValue{{pot, pot}}, {}}}, {}},
             Condition{Not{Condition{true, {}}}, PlaceId{1}},
             Condition{Exists{hands, "$t", {Condition{false, {}}}}, {}}}},
      {}};
  ActionDef action;
  action.id = "bet";
  action.phases = {"main"};
  action.pre = condition;
  action.params = {{"card", hands}};
  ForEach loop;
  loop.bind = "$t";
  loop.over = hands;
  loop.effects = {Effect{SetVar{{VarCell::Scope::global, {Name::Kind::binding, "$v"}, {}, {}}, pot},
                         PlaceId{1}},
                  Effect{AdvancePhase{}, {}}};
  action.effects = {Effect{If{condition, {Effect{loop, {}}}, {}}, {}}};
  action.price = {{"coins", pot}};
  HookDef hook;
  hook.id = "tax.poor";
  hook.code = "TAX_POOR";
  hook.details = {{"pot", pot}};
  game.hooks = {hook};
  action.at = PlaceId{1};
  game.actions = {action};
  game.terminal.conditions = {{.id = "end",
                               .when = condition,
                               .result = ResultKind::win,
                               .player = PlayerSel{PlayerSel::Kind::binding, 0, "$p"},
                               .winners = condition}};
  game.teams = {{"odd", {1, 3}}};
  return game;
}

TEST(GameDefJson, RoundTripsWithoutLoss) {
  const GameDef game = sample();
  const Json json = to_json(game);
  const auto back = gamedef_from_json(json);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_TRUE(*back == game);
  EXPECT_EQ(canonical(to_json(*back)), canonical(json));  // places too, which == does not compare
}

TEST(GameDefJson, RefusesUnknownKeysWithThePath) {
  Json json = to_json(sample());
  json["actions"][0]["colour"] = "red";
  EXPECT_EQ(gamedef_from_json(json).error(), "actions.0: expected no unknown keys");
}

TEST(GameDefJson, RefusesWrongTypesWithThePath) {
  Json json = to_json(sample());
  json["globalVars"][0]["min"] = "low";
  EXPECT_EQ(gamedef_from_json(json).error(),
            "globalVars.0.min: expected a whole number between -(2^53 - 1) and 2^53 - 1");
  json = to_json(sample());
  json["actions"][0]["effects"][0] = {{"explode", Json::object()}};
  EXPECT_EQ(gamedef_from_json(json).error(),
            "actions.0.effects.0: expected a known kind of value, condition, query or effect");
}

TEST(GameDefJson, RefusesOtherDocumentsAndVersions) {
  EXPECT_FALSE(gamedef_from_json(Json::array()).has_value());
  Json json = to_json(sample());
  json["version"] = 99;
  EXPECT_FALSE(gamedef_from_json(json).has_value());
}

TEST(GameDefSchema, NamesEveryTopLevelKeyAndEffect) {
  const Json schema = gamedef_schema();
  const Json json = to_json(sample());
  for (const auto& [key, ignored] : json.items())
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  EXPECT_EQ(schema["$defs"]["effect"]["anyOf"].size(), std::variant_size_v<EffectNode>);
}

}  // namespace
}  // namespace parlor::spec
