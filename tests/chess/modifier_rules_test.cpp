// What rules as data can say (C-86, A-22): the five files of examples/chess, and each new word.
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "chess/chess.h"
#include "chess/modifiers/descriptor.h"
#include "chess/trial.h"
#include "source_dir.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Rulebook> book_with(const std::string& text) {
  auto book = modifiers::with_modifiers(standard_rulebook(), text, "test.yaml", "house");
  EXPECT_TRUE(book) << (book ? "" : book.error().all().front().message);
  return book ? *book : nullptr;
}
Trial trial_with(const std::string& text, const std::string& fen,
                 std::vector<std::string> more = {}) {
  more.emplace_back("house");
  return Trial(fen, more, book_with(text));
}
std::string example(const std::string& name) {
  std::ifstream in(PARLOR_SOURCE_DIR + "/examples/chess/" + name + ".yaml");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
// One primitive or more, attached to a type.
std::string attached(const std::string& type, const std::string& primitives) {
  return "{version: 1, name: x, attach: [{to: {pieceType: " + type + "}, primitives: [" +
         primitives + "]}]}";
}

TEST(Examples, PawnsExplodeInTheMiddle) {  // C-86
  Trial trial = trial_with(example("exploding-pawns"), "4k3/8/8/8/3nN3/8/4P2r/4K3 w - - 0 1");
  trial.play("e2e3");
  EXPECT_TRUE(trial.at("e3"));
  Trial bang = trial_with(example("exploding-pawns"), "4k3/8/8/2b5/8/3PN3/4P3/4K3 w - - 0 1");
  bang.play("d3d4");
  EXPECT_FALSE(bang.at("d4"));
  EXPECT_FALSE(bang.at("e3"));
  EXPECT_FALSE(bang.at("c5"));
  EXPECT_TRUE(bang.at("e2"));
}

TEST(Examples, AQueenThatCapturedThriceRestsForTwoTurns) {  // C-86
  Trial trial = trial_with(example("tired-queens"), "k7/8/8/8/ppp5/8/8/Q3K3 w - - 0 1");
  trial.play("a1a4 a8b7 a4b4 b7c7 b4c4");
  EXPECT_EQ(trial.refusal(), "");
  for (int turn = 0; turn < 2; ++turn) {
    trial.play(turn == 0 ? "c7d7" : "d7c7");
    EXPECT_FALSE(trial.legal("c4c5")) << turn;
    trial.play(turn == 0 ? "e1e2" : "e2e1");
  }
  trial.play("c7d7");
  EXPECT_TRUE(trial.legal("c4c5"));
}

TEST(Examples, CastlingThroughCheck) {  // C-86
  const std::string through = "4kr2/8/8/8/8/8/8/4K2R w K - 0 1";
  EXPECT_FALSE(Trial(through).legal("e1g1"));
  EXPECT_TRUE(trial_with(example("castling-through-check"), through).legal("e1g1"));
  const std::string out_of = "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1";
  EXPECT_TRUE(trial_with(example("castling-through-check"), out_of).legal("e1g1"));
  const std::string into = "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1";
  EXPECT_FALSE(trial_with(example("castling-through-check"), into).legal("e1g1"));
  // Where other rules have their say about moves, too.
  EXPECT_TRUE(
      trial_with(example("castling-through-check"), through, {"wrap-board"}).legal("e1g1") ||
      !Trial(through, {"wrap-board"}).legal("e1d1"));
}

TEST(Examples, EachPlayerMaySkipOnce) {  // C-86
  Trial trial = trial_with(example("skip-once"), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  trial.play("pass");
  EXPECT_EQ(trial.refusal(), "");
  EXPECT_TRUE(trial.legal("pass"));
  trial.play("e8e7");
  EXPECT_FALSE(trial.legal("pass"));
  trial.play("a1a7");
  EXPECT_FALSE(trial.legal("pass"));  // not in check
  trial.play("e7e6 a7a8");
  EXPECT_TRUE(trial.legal("pass"));
}

TEST(Examples, KnightsHaveTwoHitPoints) {  // C-86
  Trial trial = trial_with(example("tough-knights"), "4k3/8/8/8/n7/8/8/R3K3 w - - 0 1");
  trial.play("a1a4");
  EXPECT_EQ(trial.at("a4").type, knight);
  EXPECT_EQ(trial.at("a1").type, rook);
  trial.play("e8e7 a1a4");
  EXPECT_EQ(trial.at("a4").type, rook);
}

TEST(ModifierWords, WinLoseAndDraw) {  // C-86
  for (const auto& [word, result] :
       {std::pair{"win", Result::white_wins}, std::pair{"lose", Result::black_wins},
        std::pair{"draw", Result::draw}}) {
    Trial trial =
        trial_with(attached("rook", std::string("{on: {onMovedOntoSquare: {squares: [a8]}}, do: ") +
                                        word + "}"),
                   "4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1");
    trial.play("a1a7");
    EXPECT_EQ(trial.result(), Result::ongoing);
    trial.play("e8d8 a7a8");
    EXPECT_EQ(trial.result(), result) << word;
  }
}

TEST(ModifierWords, MovesAreForbiddenAndAdded) {  // C-86
  Trial calm = trial_with(attached("rook", "{do: forbidMoves, mode: capture}"),
                          "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1");
  EXPECT_FALSE(calm.legal("a1a4"));
  EXPECT_TRUE(calm.legal("a1a3"));
  Trial far = trial_with(attached("rook", "{do: forbidMoves, if: {predicate: edge}}"),
                         "4k3/8/8/8/8/8/1R6/R3K3 w - - 0 1");
  EXPECT_FALSE(far.legal("a1a3"));
  EXPECT_TRUE(far.legal("b2b3"));
  Trial knighted = trial_with(attached("rook", "{do: grantMovePattern, betza: mNcpR}"),
                              "4k3/r7/8/P7/8/8/8/R3K3 w - - 0 1");
  EXPECT_TRUE(knighted.legal("a1b3"));
  EXPECT_TRUE(knighted.legal("a1a7"));  // over the pawn
}

TEST(ModifierWords, TargetsByPlaceTypeAndColour) {  // C-86
  const auto after = [](const std::string& target) {
    Trial trial =
        trial_with(attached("rook", "{on: onMove, do: removePiece, target: " + target + "}"),
                   "4k3/8/8/4n3/4p3/3p1p2/8/K3R2B w - - 0 1");
    trial.play("e1e2");
    std::string gone;
    for (const char* square : {"d3", "f3", "e4", "e5", "h1"})
      if (!trial.at(square)) gone += std::string(square) + " ";
    return gone;
  };
  EXPECT_EQ(after("{where: neighbours}"), "d3 f3 ");
  EXPECT_EQ(after("{where: sameFile, relation: enemy, filter: {pieceType: knight}}"), "e5 ");
  EXPECT_EQ(after("{relation: any, filter: {colour: white, pieceType: bishop}}"), "h1 ");
  EXPECT_EQ(after("{where: inFront}"), "");
}

TEST(ModifierWords, NewPieceTypes) {  // C-86
  Trial trial = trial_with(
      "{version: 1, name: x, pieces: [{id: camel-rider, letter: G, betza: FcN2, value: 400}]}",
      "4k3/8/8/8/8/8/8/G3K3 w - - 0 1");
  EXPECT_TRUE(trial.legal("a1b2"));
  EXPECT_FALSE(trial.legal("a1b3"));
  EXPECT_THAT(trial.fen(), HasSubstr("G3K3"));
}

TEST(ModifierWords, MistakesHavePlaces) {  // C-86
  const auto wrong = [](const std::string& text) {
    const auto book = modifiers::with_modifiers(standard_rulebook(), text, "test.yaml", "house");
    return book ? std::string() : book.error().all().front().message;
  };
  EXPECT_THAT(wrong("{version: 1, name: x, passes: many}"), HasSubstr("whole number"));
  EXPECT_THAT(wrong("{version: 1, name: x, castling: always}"), HasSubstr("no castling"));
  EXPECT_THAT(wrong("{version: 1, name: x, pieces: [{id: q, letter: K, betza: W}]}"),
              HasSubstr("taken"));
  EXPECT_THAT(wrong(attached("rook", "{do: grantMovePattern, betza: xyz}")),
              HasSubstr("means nothing"));
  EXPECT_THAT(wrong(attached("rook", "{on: onMove, do: freeze, turns: 0}")),
              HasSubstr("from 1 to 90"));
  EXPECT_THAT(wrong(attached("rook", "{on: onMove, do: frieze}")), HasSubstr("no effect"));
}

// A-22: the game language's operators and spelling.
TEST(ModifierWords, AreSpelledLikeTheGameLanguage) {
  const std::string armor = "{ref: attribute, name: Armor}";
  for (const std::string& condition :
       {"{op: '==', left: " + armor + ", right: 1}", "{op: '<', left: 0, right: " + armor + "}",
        "{op: and, args: [{op: '>=', left: " + armor + ", right: 1}, {pieceType: rook}]}",
        std::string("{op: or, args: [{pieceType: queen}, {op: not, arg: {pieceType: king}}]}"),
        std::string("{op: '==', left: {ref: rank}, right: 2}"),
        std::string("{op: '!=', left: {ref: file}, right: {ref: rank}}"), std::string("{file: a}"),
        std::string("{rank: 2}")}) {
    const std::string text = attached(
        "rook",
        "{do: seedAttribute, attribute: Armor, value: 1}, {on: onMove, do: conditional, if: " +
            condition + ", then: [{do: setType, pieceType: queen}]}");
    EXPECT_TRUE(modifiers::parse(text, "test.yaml", standard_rulebook()).diagnostics.empty())
        << condition;
    Trial trial = trial_with(text, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    trial.play("a1a2");
    EXPECT_EQ(trial.at("a2").type, queen) << condition;
  }
}

// A-22: what was written before means the same, and every place where it stands gets a hint.
TEST(ModifierWords, TheOldSpellingIsReadWithHints) {
  const auto hints = [](const std::string& text) {
    const auto parsed = modifiers::parse(text, "test.yaml", standard_rulebook());
    EXPECT_FALSE(parsed.diagnostics.has_errors()) << text;
    std::vector<std::string> out;
    for (const Diagnostic& d : parsed.diagnostics.all()) {
      EXPECT_EQ(d.code, Code::MODIFIER_INVALID);
      EXPECT_EQ(d.severity, Severity::warning);
      EXPECT_GT(d.span.line, 0u);
      out.push_back(d.suggestion);
    }
    return out;
  };
  const auto one = [&](const std::string& text) {
    const auto all = hints(text);
    EXPECT_EQ(all.size(), 1u) << text;
    return all.empty() ? std::string() : all.front();
  };
  EXPECT_THAT(one(attached("rook", "{on: on-move, do: removePiece}")), HasSubstr("`onMove`"));
  EXPECT_THAT(one(attached("rook", "{on: onMove, do: remove-piece}")), HasSubstr("`removePiece`"));
  EXPECT_THAT(one(attached("rook", "{on: {on-turn-end: white}, do: removePiece}")),
              HasSubstr("`onTurnEnd`"));
  EXPECT_THAT(one(attached("rook", "{on: {onMovedOntoSquare: {predicate: rank-4}}, do: win}")),
              HasSubstr("`rank: 4`"));
  const auto tested = [](const std::string& condition) {
    return attached("rook",
                    "{do: seedAttribute, attribute: Armor, value: 1}, {on: onMove, do: "
                    "conditional, if: " +
                        condition + ", then: [{do: setType, pieceType: queen}]}");
  };
  EXPECT_THAT(one(tested("{attribute: Armor, op: ge, value: 1}")),
              HasSubstr("{op: \">=\", left: {ref: attribute, name: Armor}, right: 1}"));
  EXPECT_THAT(one(tested("{op: eq, left: {ref: attribute, name: Armor}, right: 1}")),
              HasSubstr("`==`"));
  EXPECT_THAT(one(tested("{all: [{pieceType: rook}]}")), HasSubstr("{op: and, args: […]}"));
  EXPECT_THAT(one(tested("{any: [{pieceType: rook}]}")), HasSubstr("{op: or, args: […]}"));
  EXPECT_THAT(one(tested("{not: {pieceType: king}}")), HasSubstr("{op: not, arg: …}"));
  for (const char* condition :
       {"{attribute: Armor, op: ge, value: 1}", "{all: [{attribute: Armor, op: eq, value: 1}]}",
        "{not: {pieceType: king}}", "{op: not, args: [{pieceType: king}]}"}) {
    Trial trial = trial_with(tested(condition), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    trial.play("a1a2");
    EXPECT_EQ(trial.at("a2").type, queen) << condition;
  }
}

// A-22: what is wrong with a shape is said in the words, and with the codes, of the game language.
TEST(ModifierWords, MistakesAreThoseOfTheGameLanguage) {
  const auto first = [](const std::string& text) {
    const auto parsed = modifiers::parse(text, "test.yaml", standard_rulebook());
    EXPECT_EQ(parsed.diagnostics.all().size(), 1u) << text;
    return parsed.diagnostics.empty() ? Diagnostic{.code = Code::INTERNAL, .message = ""}
                                      : parsed.diagnostics.all().front();
  };
  EXPECT_EQ(first("{version: 1, name: x, atach: []}").code, Code::KEY_UNKNOWN);
  EXPECT_EQ(first("{version: 1, name: x}").code, Code::KEY_MISSING);
  EXPECT_EQ(first("{version: 1, name: x, passes: 100}").code, Code::NUMBER_RANGE);
  EXPECT_EQ(first("{version: 1, name: x, passes: 1, castling: always}").code, Code::WORD_UNKNOWN);
  EXPECT_EQ(first(attached("rook", "{on: onMove, do: setType}")).code, Code::KEY_MISSING);
  EXPECT_EQ(first(attached("rook", "{on: onMove, do: setType, pieceType: rok}")).alternatives,
            std::vector<std::string>{"rook"});
  const Diagnostic slip = first(attached(
      "rook", "{on: onMove, do: conditional, if: {op: '=', left: {ref: rank}, right: 1}}"));
  EXPECT_EQ(slip.code, Code::OPERATOR_UNKNOWN);
  EXPECT_EQ(slip.alternatives, std::vector<std::string>{"=="});
}

// A-22: whoever opens a game with an old file learns it there, too.
TEST(ModifierWords, HintsAreKeptWithTheGame) {
  OpenOptions options;
  options.modifiers.data =
      Json::parse(R"({"version": 1, "name": "x", "attach": [{"to": {"pieceType": "rook"},
                      "primitives": [{"on": "on-move", "do": "win"}]}]})");
  const auto game = open_chess(options);
  ASSERT_TRUE(game);
  const auto& chess = dynamic_cast<const ChessGame&>(**game);
  ASSERT_EQ(chess.hints().diagnostics.all().size(), 1u);
  EXPECT_THAT(chess.hints().diagnostics.all().front().suggestion, HasSubstr("`onMove`"));
}

}  // namespace
}  // namespace parlor::chess
