// What an author sees of a mistake: text with a code frame, JSON, and names that were probably
// meant.
#include "base/diagnostics.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/json.h"

namespace parlor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SourceTexts game_text() {
  SourceTexts texts;
  texts.add("game.md", "zones:\n  - id: hand\n\tto: hnad  \r\n");
  return texts;
}

Diagnostic misspelt() {
  return {.code = Code::GAME_UNKNOWN,
          .message = "there is no zone `hnad`",
          .path = "actions.0.effects.1.to",
          .span = {.file = "game.md", .line = 3, .column = 6, .end_column = 10},
          .suggestion = "declare it under `zones`",
          .alternatives = {"hand", "band"}};
}

TEST(Diagnostics, RenderAsACodeFrameWithACaretUnderTheMistake) {
  EXPECT_EQ(render(misspelt(), game_text(), Colour::never),
            "error[GAME_UNKNOWN]: there is no zone `hnad`\n"
            " --> game.md:3:6  (actions.0.effects.1.to)\n"
            "  |\n"
            "3 |  to: hnad  \n"
            "  |      ^^^^\n"
            "help: declare it under `zones`\n"
            "did you mean: `hand`, `band`\n");
}

TEST(Diagnostics, ShowRelatedPlacesWithTheirOwnFrame) {
  Diagnostic d = misspelt();
  d.suggestion.clear();
  d.alternatives.clear();
  d.related.push_back(
      {"in the expansion of macro `pay`", {.file = "game.md", .line = 1, .column = 1}});
  EXPECT_EQ(render(d, game_text(), Colour::never),
            "error[GAME_UNKNOWN]: there is no zone `hnad`\n"
            " --> game.md:3:6  (actions.0.effects.1.to)\n"
            "  |\n"
            "3 |  to: hnad  \n"
            "  |      ^^^^\n"
            "note: in the expansion of macro `pay` (game.md:1:1)\n"
            "  |\n"
            "1 | zones:\n"
            "  | ^\n");
}

TEST(Diagnostics, WithoutAPlaceHaveNoFrame) {
  Diagnostic d{.code = Code::FILE_NOT_FOUND, .message = "cannot open `x`"};
  EXPECT_EQ(render(d, {}, Colour::never), "error[FILE_NOT_FOUND]: cannot open `x`\n");
  d.path = "metadata";
  EXPECT_EQ(render(d, {}, Colour::never),
            "error[FILE_NOT_FOUND]: cannot open `x`\n --> (metadata)\n");
}

TEST(Diagnostics, ACaretNeverLeavesTheQuotedLine) {
  SourceTexts texts;
  texts.add("f", "ab\n");
  Diagnostic d{.code = Code::USAGE, .message = "m", .span = {.file = "f", .line = 1, .column = 90}};
  EXPECT_THAT(render(d, texts, Colour::never), testing::EndsWith("1 | ab\n  |   ^\n"));
  d.span.line = 7;  // no such line: no frame
  EXPECT_EQ(render(d, texts, Colour::never), "error[USAGE]: m\n --> f:7:90\n");
}

TEST(Diagnostics, VeryLongLinesAreShownAroundTheMistake) {
  SourceTexts texts;
  std::string line(10'001, 'a');
  line[5000] = 'X';
  texts.add("f", line);
  const Diagnostic d{
      .code = Code::USAGE, .message = "m", .span = {.file = "f", .line = 1, .column = 5001}};
  const std::string text = render(d, texts, Colour::never);
  EXPECT_LT(text.size(), 400u);
  EXPECT_THAT(text, testing::HasSubstr("aXa"));
}

TEST(Diagnostics, AreCountedAtTheEnd) {
  Diagnostics list;
  list.add(misspelt());
  list.add({.code = Code::USAGE, .severity = Severity::warning, .message = "odd"});
  EXPECT_THAT(render(list, {}, Colour::never), testing::EndsWith("\n1 error, 1 warning\n"));
  EXPECT_EQ(render(Diagnostics{}, {}, Colour::never), "");
}

TEST(Diagnostics, ColourIsUsedOnlyWhenAskedFor) {
  EXPECT_THAT(render(misspelt(), game_text(), Colour::never),
              testing::Not(testing::HasSubstr("\033[")));
  EXPECT_THAT(render(misspelt(), game_text(), Colour::always),
              testing::HasSubstr("\033[1;31merror"));
}

TEST(Diagnostics, NoColourOnPipesOrWithNoColorSet) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(colour_for(ends[1]), Colour::never);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(colour_for(ends[1]), Colour::never);
  // On a terminal NO_COLOR decides.
  const int terminal = posix_openpt(2 /* O_RDWR */);
  if (terminal >= 0) {
    EXPECT_EQ(colour_for(terminal), Colour::never);
    ::unsetenv("NO_COLOR");
    EXPECT_EQ(colour_for(terminal), Colour::always);
  }
  ::unsetenv("NO_COLOR");
}

TEST(Diagnostics, JsonHasTheDocumentedKeys) {
  EXPECT_EQ(
      canonical(to_json(misspelt())),
      R"({"alternatives":["hand","band"],"code":"GAME_UNKNOWN","column":6,"file":"game.md","line":3,)"
      R"("message":"there is no zone `hnad`","path":"actions.0.effects.1.to","severity":"error",)"
      R"("suggestion":"declare it under `zones`"})");
  EXPECT_TRUE(to_json(Diagnostic{.code = Code::USAGE, .message = "m"})["suggestion"].is_null());
}

TEST(Diagnostics, SortIntoSourceOrderAndLoseDuplicates) {
  Diagnostics list;
  Diagnostic late = misspelt();
  late.span.line = 9;
  list.add(late);
  list.add(misspelt());
  list.add(misspelt());
  list.sort();
  ASSERT_EQ(list.all().size(), 2u);
  EXPECT_EQ(list.all()[0].span.line, 3u);
  EXPECT_TRUE(list.has_errors());
  EXPECT_FALSE(Diagnostics{}.has_errors());
}

TEST(Codes, AreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const Code code : all_codes()) {
    EXPECT_TRUE(names.insert(code_name(code)).second) << code_name(code);
    EXPECT_GE(code_help(code).size(), 20u) << code_name(code);
    EXPECT_EQ(find_code(code_name(code)), code);
  }
  EXPECT_EQ(find_code("NO_SUCH_CODE"), std::nullopt);
}

TEST(EditDistance, CountsSlipsOfThePen) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("hnad", "hand"), 1u);  // a transposition is one slip
}

TEST(DidYouMean, NamesTheNearestFirst) {
  const std::vector<std::string> names{"hand", "band", "deck", "Hand", "discard"};
  EXPECT_THAT(did_you_mean("hnad", names), ElementsAre("Hand", "hand"));
  EXPECT_THAT(did_you_mean("dek", names), ElementsAre("deck"));
  EXPECT_THAT(did_you_mean("zzzzzz", names), IsEmpty());
  EXPECT_THAT(did_you_mean(std::string(10'000, 'x'), names), IsEmpty());
}

}  // namespace
}  // namespace parlor
