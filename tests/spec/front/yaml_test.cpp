// YAML as game files use it: the core schema, exact places, and messages that say what to do.
#include <fmt/format.h>

#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

const Node* constant(const FrontResult& result, std::string_view name) {
  const Node* constants = result.doc.find(Section::constants);
  return constants == nullptr ? nullptr : constants->find(name);
}

TEST(Yaml, ResolvesTheCoreSchema) {
  const FrontResult r = read(R"(
metadata:
  a: [1, -2, +3, 0x1F, 0o17, 007]
  b: [true, True, TRUE, false]
  c: [null, ~, Null]
  d: ["1", 'true', yes-man, 1.5, 2.0, 1e3, .5]
  e:)");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::metadata),
            R"({a: [1, -2, 3, 31, 15, 7], b: [true, true, true, false], c: [null, null, null], )"
            R"(d: ["1", "true", "yes-man", 1.5, 2, 1000, .5], e: null})");
}

TEST(Yaml, KnowsWhereEveryNodeStands) {
  const FrontResult r = read("actions:\n  - id: go\n    limits: [{scope: turn, max: 3}]");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& action = r.doc.find(Section::actions)->items[0];
  const auto at = [](const Node& node) {
    const Place& p = node.origin.place;
    return fmt::format("{}:{}-{}", p.line, p.column, p.end_column);
  };
  EXPECT_EQ(at(action), "3:5-7");
  EXPECT_EQ(at(*action.find("id")), "3:9-11");
  const Node& limit = action.find("limits")->items[0];
  EXPECT_EQ(at(*action.find("limits")), "4:13-36");
  EXPECT_EQ(at(limit), "4:14-35");
  EXPECT_EQ(at(*limit.find("max")), "4:33-34");
  EXPECT_EQ(limit.find_entry("max")->key_place.column, 28u);
}

TEST(Yaml, CountsColumnsInBytesAfterOtherScripts) {
  const FrontResult r = read("metadata: {name: \"Größe\", id: [x}");
  ASSERT_EQ(r.diagnostics.all().size(), 1u);
  EXPECT_EQ(r.diagnostics.all()[0].span.line, 2u);
}

TEST(Yaml, WindowsLineEndsAreFine) {
  const FrontResult r =
      read_game_text("# Game\r\n```yaml\r\nconstants:\r\n  a: 1\r\n  b: two\r\n```\r\n");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::constants), R"({a: 1, b: "two"})");
  EXPECT_EQ(constant(r, "b")->origin.place.line, 5u);
}

TEST(Yaml, AliasesAreCopiesAndSayWhereTheyAreUsed) {
  const FrontResult r = read("metadata:\n  a: &x {k: [1, 2]}\n  b: *x");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::metadata), "{a: {k: [1, 2]}, b: {k: [1, 2]}}");
  const Node& copy = *r.doc.find(Section::metadata)->find("b");
  EXPECT_EQ(copy.origin.place.line, 3u);
  ASSERT_NE(copy.origin.expansion, 0u);
  EXPECT_EQ(r.doc.source.expansion(copy.origin.expansion).invocation.line, 4u);
}

TEST(Yaml, AliasBombsAreRefused) {
  std::string text = "metadata:\n  l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i)
    text += fmt::format("  l{}: &l{} [*l{}, *l{}, *l{}, *l{}, *l{}, *l{}, *l{}, *l{}, *l{}]\n", i,
                        i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
  const FrontResult r = read(text);
  ASSERT_EQ(r.diagnostics.all().size(), 1u);
  EXPECT_EQ(r.diagnostics.all()[0].code, Code::YAML_ALIAS_BUDGET);
}

TEST(Yaml, DeepNestingIsRefusedNotCrashedOn) {
  const std::string open(100'000, '[');
  const FrontResult r = read(fmt::format("metadata: {}", open));
  ASSERT_EQ(r.diagnostics.all().size(), 1u);
  EXPECT_EQ(r.diagnostics.all()[0].code, Code::YAML_NESTING);
  const std::string some(200, '['), close(200, ']');
  EXPECT_EQ(codes(read(fmt::format("setup: {}{}", some, close))), Codes{});
}

TEST(Yaml, DuplicateKeysAreAllReported) {
  const FrontResult r = read("constants:\n  a: 1\n  b: 2\n  a: 3\n  b: 4");
  EXPECT_EQ(codes(r), (Codes{"YAML_DUPLICATE_KEY 5:3", "YAML_DUPLICATE_KEY 6:3"}));
}

TEST(Yaml, DuplicateKeysAreFoundInLargeMappingsToo) {
  std::string text = "constants:\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("  k{}: {}\n", i, i);
  text += "  k777: 1\n";
  const FrontResult r = read(text);
  EXPECT_EQ(codes(r), (Codes{"YAML_DUPLICATE_KEY 20003:3"}));
}

struct YamlMistake {
  const char* yaml;
  const char* code;  // and place
};

class YamlMistakes : public ::testing::TestWithParam<YamlMistake> {};

TEST_P(YamlMistakes, AreExplained) {
  const FrontResult r = read(GetParam().yaml);
  EXPECT_EQ(codes(r), Codes{GetParam().code}) << rendered(r);
  for (const Diagnostic& d : r.diagnostics.all()) EXPECT_FALSE(d.suggestion.empty()) << rendered(r);
}

INSTANTIATE_TEST_SUITE_P(
    Usual, YamlMistakes,
    ::testing::Values(
        YamlMistake{"metadata:\n\tid: x", "YAML_TAB 3:1"},
        YamlMistake{"metadata:\n  id: x\n\tplayers: 2", "YAML_TAB 4:1"},
        YamlMistake{"metadata:\n  description: Note: this breaks", "YAML_COLON 3:16"},
        YamlMistake{"metadata:\n  name: \"the \"best\" game\"", "YAML_QUOTES 3:15"},
        YamlMistake{"metadata:\n  name: 'it's'", "YAML_QUOTES 3:13"},
        YamlMistake{"metadata:\n  name: \"no end\n  id: x", "YAML_QUOTES 3:9"},
        YamlMistake{"metadata:\n  name: \"C:\\games\"", "YAML_ESCAPE 3:12"},
        YamlMistake{"setup:\n  -shuffle", "YAML_DASH 3:3"},
        YamlMistake{"actions:\n  -id: x", "YAML_DASH 3:3"},
        YamlMistake{"actions:\n  - id: x\n    phase: [main\n    pre: null", "YAML_BRACKETS 4:12"},
        YamlMistake{"metadata: {id: x, players: {min: 2, max: 4}", "YAML_BRACKETS 2:11"},
        YamlMistake{"metadata: {id: x players: 2}", "YAML_BRACKETS 2:25"},
        YamlMistake{"metadata:\n  id: x\n players: {min: 2, max: 2}", "YAML_INDENTATION 4:2"},
        YamlMistake{"metadata:\n  id: x\n    players: {min: 2, max: 2}", "YAML_INDENTATION 4:5"},
        YamlMistake{"metadata:\n  players:\n    min:2\n    max: 4", "YAML_COLON_SPACE 4:5"},
        YamlMistake{"metadata: {id: x, players: {min:2, max: 4}}", "YAML_COLON_SPACE 2:29"},
        YamlMistake{"metadata:\n  id x\n  name: y", "YAML_COLON_MISSING 3:3"},
        YamlMistake{"metadata:\n  name: @home", "YAML_CHARACTER 3:9"},
        YamlMistake{"metadata:\n  name: *home", "YAML_ALIAS_UNKNOWN 3:9"},
        YamlMistake{"metadata:\n  name: !str x", "YAML_TAG 3:9"},
        YamlMistake{"metadata:\n  description: |\n      one\n    two\n  id: x",
                    "YAML_BLOCK_TEXT 5:5"},
        YamlMistake{"metadata:\n  id: x\n---\nsetup: []", "YAML_DOCUMENTS 4:1"},
        YamlMistake{"metadata:\n  <<: {id: x}", "YAML_MERGE_KEY 3:3"},
        YamlMistake{"metadata:\n  {id}: x", "YAML_KEY 3:3"},
        YamlMistake{"constants:\n  big: 99999999999999999999", "YAML_NUMBER_RANGE 3:8"},
        YamlMistake{"metadata:\n  id: x\n  open: yes", "YAML_BOOLEAN_WORD 4:9"},
        YamlMistake{"setup: - shuffle: {zone: deck}", "YAML_INDENTATION 2:8"},
        YamlMistake{"metadata:\n  id: x\n- setup", "YAML_INDENTATION 4:1"},
        YamlMistake{"metadata:\n  name: some text\n    - deck", "YAML_MULTILINE_TEXT 4:5"}));

}  // namespace
}  // namespace parlor::spec::testing
