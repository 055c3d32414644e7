// What a GameDef is made of, as data (A-01, A-04).
#include "spec/gamedef/forms.h"

#include <gtest/gtest.h>
#include <set>

namespace parlor::spec {
namespace {

Effect draw_a_card() {
  Draw draw;
  draw.from.text = "deck:none";
  draw.to.text = "hand:0";
  draw.count = Value(Int{1});
  return draw;
}

// {if: …, then: [{for each …: [the effect]}]}
Effect deep_inside(Effect effect) {
  ForEach each;
  each.bind = "$player";
  each.over = Query(PlayersQuery{});
  each.effects.push_back(std::move(effect));
  If choice;
  choice.then.push_back(std::move(each));
  return choice;
}

TEST(Forms, MentionsFindsWhatStandsDeepInside) {
  const Effect effect = deep_inside(draw_a_card());
  EXPECT_TRUE(mentions<Draw>(effect));
  EXPECT_TRUE(mentions<PlayersQuery>(effect));
  EXPECT_TRUE(mentions<If>(effect));
  EXPECT_FALSE(mentions<Shuffle>(effect));
}

TEST(Forms, TwoEffectsAreTheSameWhereAllIsThatTheyList) {
  const Effect one = deep_inside(draw_a_card());
  EXPECT_EQ(one, deep_inside(draw_a_card()));
  Effect other = draw_a_card();
  std::get<Draw>(other.node).count = Value(Int{2});
  EXPECT_NE(one, deep_inside(other));
  EXPECT_NE(one, draw_a_card());
}

TEST(Forms, WhereSomethingWasWrittenDoesNotCount) {
  Effect elsewhere = draw_a_card();
  elsewhere.at.index = 7;
  std::get<Draw>(elsewhere.node).count.at.index = 8;
  EXPECT_EQ(elsewhere, draw_a_card());
}

TEST(Forms, ANodeThatIsAssignedToItselfOrToItsOwnPartStaysWhole) {
  Effect effect = deep_inside(draw_a_card());
  const Effect before = effect;
  const Effect& same = effect;
  effect = same;
  EXPECT_EQ(effect, before);
  const Effect inner = std::get<If>(effect.node).then.front();
  effect = std::get<If>(effect.node).then.front();
  EXPECT_EQ(effect, inner);
  effect = std::move(std::get<ForEach>(effect.node).effects.front());
  EXPECT_EQ(effect, draw_a_card());
}

// Whatever can be reached from a game has a form, and its members lie one behind the other.
void look_into(const Form& form, std::set<const Form*>& seen) {
  if (!seen.insert(&form).second) return;
  std::set<std::pair<std::size_t, std::string_view>> places;
  std::set<std::string_view> names;
  for (const Member& member : form.members) {
    EXPECT_TRUE(names.insert(member.name).second) << member.name;
    for (const auto& [offset, other] : places)
      EXPECT_NE(offset, member.offset) << member.name << " lies where " << other << " does";
    places.emplace(member.offset, member.name);
    look_into(member.form(), seen);
  }
  for (const Alternative& alternative : form.alternatives) look_into(alternative.form(), seen);
  if (form.inside != nullptr) look_into(form.inside(), seen);
}

TEST(Forms, DescribeAllThatAGameIsMadeOf) {
  std::set<const Form*> seen;
  look_into(form_of<GameDef>(), seen);
  EXPECT_GT(seen.size(), 250U);
  for (const Form* node :
       {&form_of<Value>(), &form_of<Condition>(), &form_of<Query>(), &form_of<Effect>()})
    EXPECT_TRUE(seen.contains(node));
  const auto records = std::ranges::count(seen, Form::Sort::record, &Form::sort);
  EXPECT_GT(records, 150);
}

TEST(Forms, AlternativesAreMadeAndFoundAgain) {
  for (const Alternative& alternative : form_of<Effect>().alternatives) {
    Effect effect;
    void* const made = alternative.become(&effect);
    const Part chosen = Part::of(effect).chosen();
    EXPECT_EQ(chosen.at, made);
    EXPECT_EQ(chosen.form, &alternative.form());
  }
}

// What is beside the rules is typed too, comes back from JSON as it was, and is no rule: all but
// who sees what.
TEST(Forms, HaveThingsByTheirNames_A06) {
  GameDef game;
  Display& display = game.display.emplace();
  display.cells["b"].at = {1500, 0};
  display.cells["a"].label = "the first";
  display.board.gaps = false;
  game.verbalization.emplace().values["rank"]["1"] = "";
  game.constant_ranges["size"] = {3, 19};
  const std::uint64_t rules = rules_hash(game);
  EXPECT_EQ(rules, rules_hash(GameDef{}));
  game.observers["judge"].zones["hand"].tokens = Seen::open;
  game.observers["judge"].global_vars["_default"] = Seen::hidden;
  EXPECT_NE(rules, rules_hash(game));

  const auto json = to_json(game);
  EXPECT_EQ(json["display"]["cells"],
            nlohmann::json::parse(R"({"a": {"label": "the first"}, "b": {"at": [1500, 0]}})"));
  EXPECT_EQ(json["observers"]["judge"]["zones"]["hand"]["tokens"], "public");
  EXPECT_EQ(gamedef_from_json(json), game);
  GameDef other = game;
  other.display->cells["c"];
  EXPECT_NE(other, game);
  other = game;
  other.verbalization->values["rank"]["1"] = "ace";
  EXPECT_NE(other, game);
  auto wrong = json;
  wrong["display"]["cells"]["b"]["at"] = "left";
  EXPECT_EQ(gamedef_from_json(wrong).error(), "display.cells.b.at: expected a list");
  wrong = json;
  wrong["display"]["cels"] = nlohmann::json::object();
  EXPECT_EQ(gamedef_from_json(wrong).error(), "display: expected no unknown keys");
}

}  // namespace
}  // namespace parlor::spec
