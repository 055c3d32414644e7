// Memories, `require`, `createToken` with a count, boards given by lines: what they are written out
// to, and what is said about mistakes.
#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

const std::string small =
    "zones: [{macro: grid, args: [1, 1]}, "
    "{macro: memory, id: boards, of: {query: mapSpaces}, by: {zoneCount: $zone}}]\n"
    "tokenTypes: [{id: pawn, props: {owner: int}}]\n";

TEST(Memories, BecomeAZoneATokenTypeVariablesAndPlainEffects) {
  const FrontResult r =
      read(small + "setup: [{remember: {memory: boards}}, {forget: {memory: boards}}]");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_NE(section_text(r, Section::zones).find("boards"), std::string::npos);
  EXPECT_EQ(section_text(r, Section::zones).find("macro"), std::string::npos);
  EXPECT_NE(section_text(r, Section::tokenTypes).find("boards"), std::string::npos);
  EXPECT_NE(section_text(r, Section::globalVars).find("boards-high"), std::string::npos);
  const std::string setup = section_text(r, Section::setup);
  EXPECT_EQ(setup.find("remember"), std::string::npos);
  EXPECT_NE(setup.find("reduce"), std::string::npos);
  EXPECT_NE(setup.find("destroyToken"), std::string::npos);
}

TEST(Memories, WorkInsideMacros) {
  const FrontResult r = read(small + R"(
conditionMacros: [{id: new, params: [], condition: {op: "==", left: {ref: timesSeen, memory: boards}, right: 0}}]
effectMacros: [{id: note, params: [], exports: [], effects: [{if: {when: {conditionMacro: new}, then: [{remember: {memory: boards}}]}}]}]
setup: [{macro: note, args: {}}]
)");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_NE(section_text(r, Section::setup).find("tokensInZone"), std::string::npos);
}

TEST(Memories, MistakesAreNamed) {
  const auto said = [](const std::string& text) {
    std::vector<std::string> out;
    const FrontResult r = read(text);
    for (const Diagnostic& d : r.diagnostics.all()) out.push_back(d.message);
    return out;
  };
  EXPECT_EQ(said(small + "setup: [{remember: {memory: board}}]"),
            Codes{"there is no memory `board`"});
  EXPECT_EQ(said(small + "setup: [{remember: boards}]"),
            Codes{"`remember` needs the name of a memory"});
  EXPECT_EQ(codes(read(small + "setup: [{remember: {memory: boards, twice: true}}]")),
            Codes{"KEY_UNKNOWN 4:37"});
  EXPECT_EQ(said("tokenTypes: []\nzones: [{macro: memory, id: a, of: {query: mapSpaces}}]").size(),
            1u);
  EXPECT_EQ(said("zones: [{macro: memory, id: a, of: {query: mapSpaces}, by: 1}]"),
            Codes{"a memory needs the section `tokenTypes`"});
}

TEST(LineBoards, GiveEveryPointBothWays) {
  const FrontResult r = read("zones: [{macro: lines, args: {e: [[a, b]], s: [[b, c]]}}]");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& zones = *r.doc.find(Section::zones);
  ASSERT_EQ(zones.items.size(), 3u);
  const Node& b = zones.items[1];
  EXPECT_EQ(b.find_string("id"), "b");
  EXPECT_EQ(to_text(*b.find("directions")),
            to_text(*read("constants: {s: c, w: a}").doc.find(Section::constants)));
}

TEST(LineBoards, OppositesAreTheDeclaredOnes) {
  const FrontResult r = read(
      "directions: [{name: up, opposite: down}, {name: down, opposite: up}]\n"
      "zones: [{macro: lines, args: {up: [[a, b]]}}]");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& b = r.doc.find(Section::zones)->items[1];
  EXPECT_EQ(b.find("directions")->find_string("down"), "a");
}

TEST(LineBoards, MistakesAreNamed) {
  EXPECT_EQ(codes(read("zones: [{macro: lines, args: [3, 3]}]")), Codes{"BOARD_INVALID 2:30"});
  EXPECT_EQ(codes(read("zones: [{macro: lines, args: {e: [[a]]}}]")), Codes{"BOARD_INVALID 2:35"});
  EXPECT_EQ(codes(read("zones: [{macro: lines, args: {e: [[a, b], [a, c]]}}]")),
            Codes{"BOARD_INVALID 2:47"});
}

TEST(Builtins, CountIsWrittenOut) {
  const FrontResult r = read(
      "setup:\n"
      "  - createToken: {type: pawn, zone: a, count: 3}");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  const std::string setup = section_text(r, Section::setup);
  EXPECT_NE(setup.find("forEach"), std::string::npos);
  EXPECT_EQ(setup.find("count"), std::string::npos);
}

}  // namespace
}  // namespace parlor::spec::testing
