// Fences, sections and imports: language sections 2.1 to 2.4.
#include <fmt/format.h>

#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

TEST(Fences, AreFoundInOneScan) {
  const FrontResult r = read_game_text(
      "text ```yaml\nconstants: {a: 1}\n``` more\n"
      "```\nglobalVars: [{name: x}]\n```\n"
      "```\njust a note\n```\n"
      "```json\n{\"setup\": 1}\n```\n"
      "````yml\nsetup: [{x: 1}]\n````\n");
  EXPECT_EQ(section_text(r, Section::constants), "{a: 1}");
  EXPECT_EQ(section_text(r, Section::globalVars), R"([{name: "x"}])");
  EXPECT_EQ(section_text(r, Section::setup), R"([{x: 1}])");
}

TEST(Fences, ALabelWithMoreOnItsLineIsNoFence) {
  const FrontResult r = read_game_text("```yaml title=x\nconstants: {a: 1}\n");
  EXPECT_EQ(codes(r), Codes{"FENCE_IGNORED 1:1"});
  EXPECT_EQ(section_text(r, Section::constants), "");
}

TEST(Fences, UnclosedTildesAndBackticksInsideAreSaid) {
  EXPECT_EQ(codes(read_game_text("a\n\n```yaml\nconstants: {a: 1}\n")),
            Codes{"FENCE_UNCLOSED 3:1"});
  EXPECT_EQ(codes(read_game_text("~~~yaml\nconstants: {a: 1}\n~~~\n")), Codes{"FENCE_IGNORED 1:1"});
  EXPECT_EQ(codes(read_game_text("```yaml\nconstants: {a: 1}  # ``` x\n"))[0],
            "FENCE_BACKTICKS 2:22");
}

TEST(Fences, LimitsAreDiagnostics) {
  FrontOptions small;
  small.limits.blocks_per_file = 1;
  small.limits.block_bytes = 40;
  small.limits.file_bytes = 200;
  const std::string block = "```yaml\nconstants: {a: 1}\n```\n";
  EXPECT_EQ(codes(read_game_text(block + "```yaml\nsetup: []\n```\n", small)),
            Codes{"LIMIT_BLOCKS 4:1"});
  EXPECT_EQ(codes(read_game_text("```yaml\nconstants: {abcdefghijklmnopqrstuvwxyz: 12345}\n```\n",
                                 small)),
            Codes{"LIMIT_BLOCK_SIZE 1:1"});
  EXPECT_EQ(codes(read_game_text(std::string(300, 'x'), small)), Codes{"LIMIT_FILE_SIZE 1:1"});
}

TEST(Text, WhatIsNotTextIsRefused) {
  EXPECT_EQ(codes(read_game_text("ok\n\xff\xfe\n")), Codes{"TEXT_ENCODING 2:1"});
  EXPECT_EQ(codes(read_game_text(std::string_view{"a\0b", 3})),
            Codes{"TEXT_CONTROL_CHARACTER 1:2"});
  EXPECT_EQ(codes(read_game_text("\xed\xa0\x80")), Codes{"TEXT_ENCODING 1:1"});  // a surrogate
  EXPECT_EQ(codes(read_game_text("\xef\xbb\xbf```yaml\nconstants: {a: 1}\n```\n")), Codes{});
  EXPECT_EQ(codes(read_game_text("\xef\xbb\xbf"
                                 "constants: {a: 1}",
                                 {}, "game.yaml")),
            Codes{});
}

TEST(Text, OneVeryLongLineIsFine) {
  const std::string line =
      "```yaml\nmetadata: {description: \"" + std::string(500'000, 'x') + "\"}\n```\n";
  EXPECT_EQ(codes(read_game_text(line)), Codes{});
}

TEST(Sections, ThreeWaysToNameOne) {
  const FrontResult r = read_game_text(
      fenced("section: metadata\nid: x\nplayers: {min: 2, max: 2}") +
      fenced("constants: {a: 1}\nsetup: [{s: 1}]") + fenced("phases: [{id: main}]") +
      fenced("type: roundRobin") + fenced("conditions: [{when: true, result: {type: draw}}]"));
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::metadata), R"({id: "x", players: {min: 2, max: 2}})");
  EXPECT_EQ(section_text(r, Section::turnStructure), R"({phases: [{id: "main"}]})");
  EXPECT_EQ(section_text(r, Section::turnOrder), R"({type: "roundRobin"})");
  EXPECT_NE(section_text(r, Section::terminal), "");
}

TEST(Sections, ListsFromSeveralBlocksAreJoinedInOrder) {
  const FrontResult r = read_game_text(fenced("setup: [{a: 1}, {b: 1}]") + "text" +
                                       fenced("setup: [{c: 1}]\nzones: []"));
  EXPECT_EQ(section_text(r, Section::setup), R"([{a: 1}, {b: 1}, {c: 1}])");
}

TEST(Sections, UnknownNamesAreErrorsWithTheNearest) {
  const FrontResult r = read("setup: []\nacitons: []\nnonsense: 1");
  ASSERT_EQ(codes(r), (Codes{"SECTION_UNKNOWN 3:1", "SECTION_UNKNOWN 4:1"}));
  EXPECT_EQ(r.diagnostics.all()[0].alternatives.front(), "actions");
  EXPECT_EQ(codes(read("zonse: []")), Codes{"SECTION_UNKNOWN 2:1"});
  EXPECT_EQ(codes(read("section: action\nid: x")), Codes{"SECTION_UNKNOWN 2:10"});
  // A block that is nothing of ours is only pointed out.
  const FrontResult other = read("recipe: soup");
  EXPECT_EQ(codes(other), Codes{"SECTION_AMBIGUOUS 2:1"});
  EXPECT_FALSE(other.diagnostics.has_errors());
}

TEST(Sections, WrongShapesDoNotVanish) {
  EXPECT_EQ(codes(read("actions: {id: x}")), Codes{"SECTION_SHAPE 2:10"});
  EXPECT_EQ(codes(read("metadata: [1]")), Codes{"SECTION_SHAPE 2:11"});
  EXPECT_EQ(codes(read("section: actions\nitems: []")), Codes{"SECTION_SHAPE 2:10"});
  EXPECT_EQ(codes(read("- id: x\n- id: y")), Codes{"SECTION_SHAPE 2:1"});
  EXPECT_EQ(codes(read("metadata: {id: a}\nactions:\n")), Codes{});
}

TEST(Sections, ASecondSingletonIsAnError) {
  const FrontResult r = read_game_text(fenced("constants: {a: 1}") + fenced("constants: {b: 1}"));
  ASSERT_EQ(codes(r), Codes{"SECTION_DUPLICATE 5:1"});
  EXPECT_EQ(r.diagnostics.all()[0].related[0].span.line, 2u);
}

TEST(Imports, AreMergedBeforeTheImporterAndOnce) {
  const FrontResult r =
      read_files({{"game.md", fenced("imports: [sub/a.md, sub/b.md]\nsetup: [{main: 1}]")},
                  {"sub/a.md", fenced("imports: [b.md]\nsetup: [{a: 1}]")},
                  {"sub/b.md", fenced("imports: [../c.yaml]\nsetup: [{b: 1}]")},
                  {"c.yaml", "setup: [{c: 1}]\nconstants: {k: 1}"}},
                 "game.md");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::setup), R"([{c: 1}, {b: 1}, {a: 1}, {main: 1}])");
  EXPECT_EQ(section_text(r, Section::imports), "");
}

TEST(Imports, CyclesShowTheChain) {
  const FrontResult r = read_files({{"game.md", fenced("imports: [a.md]")},
                                    {"a.md", fenced("imports: [b.md]")},
                                    {"b.md", fenced("imports: [a.md]")}},
                                   "game.md");
  ASSERT_EQ(only_codes(r), std::vector{Code::IMPORT_CYCLE});
  EXPECT_NE(r.diagnostics.all()[0].message.find("a.md -> b.md -> a.md"), std::string::npos);
  EXPECT_EQ(r.diagnostics.all()[0].span.file, "b.md");
}

TEST(Imports, MissingFilesAndNonsenseAreReported) {
  const FrontResult r =
      read_files({{"game.md", fenced("imports:\n  - gone.md\n  - 3\n  - /etc/x.md")}}, "game.md");
  EXPECT_EQ(codes(r), (Codes{"IMPORT_NOT_FOUND 3:5", "IMPORT_INVALID 4:5", "IMPORT_INVALID 5:5"}));
  EXPECT_EQ(only_codes(read_files({}, "game.md")), std::vector{Code::IMPORT_NOT_FOUND});
}

TEST(Imports, StayInTheFolderOfTheFirstFile) {  // T-31
  const std::map<std::string, std::string> files{
      {"games/game.md", fenced("imports: [part/a.md]")},
      {"games/part/a.md", fenced("imports: [../../secret.md, ../b.md, ../../games/b.md]")},
      {"games/b.md", fenced("setup: [{b: 1}]")},
      {"secret.md", fenced("setup: [{secret: 1}]")}};
  const FrontResult r = read_files(files, "games/game.md");
  EXPECT_EQ(codes(r), Codes{"IMPORT_OUTSIDE 2:11"}) << rendered(r);
  EXPECT_NE(rendered(r).find("--include"), std::string::npos);
}

TEST(Imports, MayComeFromFoldersThatWereAdded) {  // T-31
  const std::map<std::string, std::string> files{
      {"games/game.md", fenced("imports: [../shared/a.md, deck.md]")},
      {"shared/a.md", fenced("imports: [more/b.md]\nsetup: [{a: 1}]")},
      {"shared/more/b.md", fenced("setup: [{b: 1}]")},
      {"shared/deck.md", fenced("setup: [{deck: 1}]")},
      {"games/more/b.md", fenced("setup: [{wrong: 1}]")}};
  EXPECT_EQ(only_codes(read_files(files, "games/game.md")),
            (std::vector{Code::IMPORT_OUTSIDE, Code::IMPORT_NOT_FOUND}));
  FrontOptions options;
  options.include = {"shared"};
  const FrontResult r = read_files(files, "games/game.md", options);
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::setup), R"([{b: 1}, {a: 1}, {deck: 1}])");
}

TEST(Imports, AThousandFilesAreTheMost) {
  std::map<std::string, std::string> files;
  std::string imports = "imports:\n";
  for (int i = 0; i < 1'002; ++i) {
    files[fmt::format("part{}.md", i)] = "";
    imports += fmt::format("  - part{}.md\n", i);
  }
  files["game.md"] = fenced(imports);
  // The game's own file is the first of them.
  EXPECT_EQ(codes(read_files(files, "game.md")), Codes{"LIMIT_FILES 1002:5"});
}

TEST(Imports, ASingletonInTwoFilesIsAConflict) {
  const FrontResult r = read_files({{"game.md", fenced("imports: [a.md]\nconstants: {a: 1}")},
                                    {"a.md", fenced("constants: {b: 1}")}},
                                   "game.md");
  EXPECT_EQ(codes(r), Codes{"IMPORT_SINGLETON_CONFLICT 3:1"});
}

TEST(Imports, PartsOfAnEventDeckAreJoined) {
  const std::string part =
      "eventDecks: [{{id: d, drawZone: {}, discardZone: out, cards: [{{id: {}}}]}}]";
  const auto deck = [&](std::string_view zone, std::string_view card) {
    return fmt::format(
        "eventDecks: [{{id: d, drawZone: {}, discardZone: out, cards: [{{id: {}}}]}}]", zone, card);
  };
  const FrontResult r = read_files({{"game.md", fenced("imports: [a.md]\n" + deck("pile", "c2"))},
                                    {"a.md", fenced(deck("pile", "c1"))}},
                                   "game.md");
  EXPECT_EQ(
      section_text(r, Section::eventDecks),
      R"([{id: "d", drawZone: "pile", discardZone: "out", cards: [{id: "c1"}, {id: "c2"}]}])");
  const FrontResult bad = read_files({{"game.md", fenced("imports: [a.md]\n" + deck("heap", "c2"))},
                                      {"a.md", fenced(deck("pile", "c1"))}},
                                     "game.md");
  EXPECT_EQ(only_codes(bad), std::vector{Code::IMPORT_DECK_CONFLICT});
}

TEST(Modules, AreMergedAfterTheGame) {  // M-04
  FrontOptions options;
  options.modules = {"more.md"};
  const std::map<std::string, std::string> files{
      {"game.md", fenced("setup: [{base: 1}]\nmetadata: {id: g}\nimports: [part.md]")},
      {"part.md", fenced("setup: [{part: 1}]")},
      {"more.md", fenced("module: {id: more, version: 1}\nsetup: [{extra: 1}]")}};
  const FrontResult r = read_files(files, "game.md", options);
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::setup), R"([{part: 1}, {base: 1}, {extra: 1}])");
  ASSERT_EQ(r.doc.modules.size(), 1u);
  EXPECT_EQ(r.doc.modules[0].find_string("id"), "more");
  std::map<std::string, std::string> clash = files;
  clash["more.md"] = fenced("module: {id: more}\nmetadata: {id: other}");
  EXPECT_EQ(only_codes(read_files(clash, "game.md", options)),
            std::vector{Code::MODULE_SECTION_CONFLICT});
}

TEST(Diagnostics, AreCutOffVisibly) {
  FrontOptions few;
  few.limits.diagnostics = 3;
  const FrontResult r = read("actoins: []\nsetup: []\nzonse: []\nactionz: []\ntrigers: []", few);
  EXPECT_EQ(only_codes(r), (std::vector{Code::SECTION_UNKNOWN, Code::SECTION_UNKNOWN,
                                        Code::DIAGNOSTICS_TRUNCATED}));
}

}  // namespace
}  // namespace parlor::spec::testing
