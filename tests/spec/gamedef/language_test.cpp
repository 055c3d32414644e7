// The table of the language: what there is, what fields expect, what binds for whom.
#include "spec/gamedef/language.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "source_dir.h"
#include "spec/gamedef/forms.h"
#include "spec/gamedef/written.h"
#include "spec/lower/construct.h"

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
  // Those of a compiled game, and those that are short for others.
  std::size_t effects = 0, short_effects = 0;
  for (const Construct& construct : language()) effects += construct.family == Family::effect;
  for (const WrittenConstruct& construct : written_constructs())
    short_effects += construct.family == Family::effect && !construct.about.empty();
  EXPECT_EQ(effects, std::variant_size_v<EffectNode> + short_effects);
}

TEST(Language, FieldsSpeakOnlyOfFieldsThereAre) {
  for (const Construct& construct : language())
    for (const FieldInfo& field : construct.fields) {
      const auto there = [&](std::string_view name) {
        return std::ranges::any_of(construct.fields,
                                   [&](const FieldInfo& other) { return other.name == name; });
      };
      const bool around = std::ranges::any_of(language(), [&](const Construct& outer) {
        return outer.family == Family::record && outer.field(field.spec.like) != nullptr;
      });
      EXPECT_TRUE(field.spec.like.empty() || there(field.spec.like) || around) << construct.name();
      const bool somewhere = std::ranges::any_of(language(), [&](const Construct& outer) {
        return outer.family == Family::record && outer.field(field.spec.depends) != nullptr;
      });
      EXPECT_TRUE(field.spec.depends.empty() || there(field.spec.depends) || somewhere)
          << construct.name() << " " << field.spec.depends;
      for (const std::string_view other : {field.spec.later, field.spec.instead})
        EXPECT_TRUE(other.empty() || there(other)) << construct.name() << " " << other;
      for (const std::string_view seen_by : words_of(field.spec.visible))
        EXPECT_TRUE(there(seen_by)) << construct.name() << " " << seen_by;
      EXPECT_TRUE(field.spec.expects != Expects::word || !field.words.empty()) << field.name;
    }
}

TEST(Language, WhatDeclarationsLeaveToCodeIsThere) {
  std::size_t forms = 0;
  for (const Construct& construct : language()) {
    if (construct.form == nullptr) continue;
    EXPECT_TRUE(lower::has_hooks(*construct.form)) << construct.name();
    ++forms;
  }
  EXPECT_GT(forms, 200u);
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

TEST(Language, KeysOfSomeKindsSayOfWhich) {
  const auto where = [](Family family, std::string_view name, std::string_view key) {
    const Construct& construct = *find_construct(family, name);
    return only_where(construct, *construct.field(key));
  };
  EXPECT_EQ(where(Family::effect, "setVar", "player"), "where `scope` is `pvar`");
  EXPECT_EQ(where(Family::value, "aggregate", "bind"), "where `op` is `sum`, `min` or `max`");
  EXPECT_EQ(where(Family::record, "a target", "max"), "unless `n` is given");
  EXPECT_EQ(where(Family::effect, "setVar", "value"), "");
}

std::string read_source(const char* path) {
  std::ifstream in{test::source_dir() + path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

TEST(Language, DocsHaveItsTables) {
  const std::string docs = read_source("/docs/language.md");
  for (const Family family : {Family::effect, Family::condition, Family::value, Family::query})
    EXPECT_NE(docs.find("-->\n" + language_table(family) + "<!-- end of table -->"),
              std::string::npos)
        << "run scripts/language: the table of " << family_name(family) << " has changed";
}

TEST(Language, FuzzersKnowItsWords) {
  const std::string dictionary = read_source("/fuzz/spec.dict");
  for (const std::string& word : language_words())
    EXPECT_NE(dictionary.find('"' + word + ": \""), std::string::npos)
        << "run scripts/language: " << word;
}

TEST(Language, JsonNamesEveryFieldWithWhatItExpects) {
  const nlohmann::json json = language_json();
  std::size_t fields = 0;
  for (const auto& construct : json["constructs"])
    for (const auto& field : construct["fields"]) {
      EXPECT_FALSE(field["expects"].get<std::string>().empty()) << construct["name"];
      ++fields;
    }
  EXPECT_GT(fields, 200u);
}

// Every name that other languages have for a construct leads to one construct of its family.
TEST(Language, NamesOfOtherLanguagesAreClear) {
  for (const Construct& construct : language())
    for (const std::string_view other : words_of(construct.tag.also)) {
      EXPECT_EQ(
          constructs_called(construct.family, other,
                            construct.tag.value.empty() ? std::string_view{} : construct.tag.key),
          std::vector<std::string>{std::string{construct.name()}})
          << other;
      EXPECT_EQ(find_construct(construct.family, other), nullptr) << other;
    }
}

}  // namespace
}  // namespace parlor::spec
