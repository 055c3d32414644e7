// The table of the language: what there is, what fields expect, what binds for whom.
#include "spec/gamedef/language.h"

#include <gtest/gtest.h>
#include <set>

#include "spec/gamedef/node_traits.h"

namespace parlor::spec {
namespace {

std::vector<std::string> order(Family family, std::string_view name) {
  std::vector<std::string> out;
  const Construct* construct = find_construct(family, name);
  if (construct == nullptr) return out;
  for (const ReadStep& step : construct->steps)
    out.push_back((step.opens ? "[" : "") + std::string{construct->fields[step.field].name} +
                  (step.closes ? "]" : ""));
  return out;
}

TEST(Language, SaysWhatAFieldExpects) {
  EXPECT_EQ(expected(Family::effect, "forEach", "over"), Expects::query);
  EXPECT_EQ(expected(Family::effect, "forEach", "effects"), Expects::effects);
  EXPECT_EQ(expected(Family::effect, "if", "when"), Expects::condition);
  EXPECT_EQ(expected(Family::effect, "setVar", "value"), Expects::value);
  EXPECT_EQ(expected(Family::effect, "setVar", "scope"), Expects::word);
  EXPECT_EQ(expected(Family::effect, "require", ""), Expects::condition);
  EXPECT_EQ(expected(Family::effect, "chooseN", "n"), Expects::value);
  EXPECT_EQ(expected(Family::condition, ">=", "left"), Expects::value);
  EXPECT_EQ(expected(Family::value, "pvar", "player"), Expects::player);
  EXPECT_EQ(expected(Family::query, "mapSpaces", "filter"), Expects::zone_filter);
  EXPECT_EQ(expected(Family::query, "ray", "while"), Expects::condition);
  EXPECT_EQ(expected(Family::query, "zonesInDirection", "while"), std::nullopt);
  EXPECT_EQ(expected(Family::record, "an action", "pre"), Expects::condition);
  EXPECT_EQ(expected(Family::record, "a parameter", "domain"), Expects::query);
  EXPECT_EQ(expected(Family::effect, "forEach", "over2"), std::nullopt);
}

TEST(Language, HasEveryShapeOfEveryNodeWithItsHelp) {
  std::set<std::pair<Family, std::string>> seen;
  for (const Construct& construct : language()) {
    EXPECT_FALSE(construct.tag.about.empty()) << construct.name();
    EXPECT_TRUE(seen.emplace(construct.family, construct.name()).second ||
                construct.family == Family::value)
        << construct.name();
  }
  std::size_t effects = 0;
  for (const Construct& construct : language()) effects += construct.family == Family::effect;
  EXPECT_EQ(effects, std::variant_size_v<EffectNode>);
}

TEST(Language, FieldsSpeakOnlyOfFieldsThereAre) {
  for (const Construct& construct : language())
    for (const FieldInfo& field : construct.fields) {
      const auto there = [&](std::string_view name) {
        return std::ranges::any_of(construct.fields,
                                   [&](const FieldInfo& other) { return other.name == name; });
      };
      EXPECT_TRUE(field.spec.like.empty() || there(field.spec.like)) << construct.name();
      for (const std::string_view seen_by : words_of(field.spec.visible))
        EXPECT_TRUE(there(seen_by)) << construct.name() << " " << seen_by;
      EXPECT_TRUE(field.spec.expects != Expects::word || !field.words.empty()) << field.name;
    }
}

TEST(Language, BindersAreReadAfterWhatTheyNameAndBeforeWhoSeesThem) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(order(Family::effect, "forEach"),
            (Names{"over", "limit", "[bind", "effects]", "[countBind", "in]"}));
  EXPECT_EQ(order(Family::effect, "reduce"), (Names{"over", "initial", "limit", "[itemBind",
                                                    "accBind", "next]", "[resultBind", "in]"}));
  EXPECT_EQ(order(Family::effect, "evaluateSubset"),
            (Names{"source", "subsetSize", "[subsetBind", "compute", "scoreExpr]", "resultBind",
                   "bestSubsetBind", "[in]"}));
  EXPECT_EQ(order(Family::value, "assetField"), (Names{"tableId", "row", "field"}));
}

}  // namespace
}  // namespace parlor::spec
