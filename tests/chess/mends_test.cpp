// What was wrong once and must not be again (C-70 to C-77).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "chess/modifiers/descriptor.h"
#include "chess/pgn.h"
#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::Contains;
using testing::HasSubstr;

ChessTable with_modifiers(const std::string& text, const std::string& fen,
                          std::vector<std::string> rules = {"modifiers"}) {
  const auto book = modifiers::with_modifiers(standard_rulebook(),
                                              "version: 1\nname: Test\n" + text, "test.yaml");
  if (!book) ADD_FAILURE() << book.error().all().front().message;
  return ChessTable(fen, rules, book ? *book : nullptr);
}

std::string why(ChessTable& table, const std::string& move) {
  const auto reason = table.state().why_not(move);
  return reason ? reason->message : "legal";
}

TEST(Promotion, ToATypeThatIsNotOnTheBoard) {  // C-70
  ChessTable table("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", {"cannon"});
  EXPECT_EQ(table.count(), 9u);
  EXPECT_TRUE(table.legal("b7b8c"));
  EXPECT_THAT(why(table, "b7b8n"), HasSubstr("a pawn becomes cannon, queen, rook or bishop there"));
  EXPECT_EQ(perft(table.state(), 1), 9u);
  EXPECT_EQ(perft(table.state(), 3), [&] {
    std::uint64_t nodes = 0;
    for (const CountedMove& branch : divide(table.state(), 3)) nodes += branch.nodes;
    return nodes;
  }());
  table.play("b7b8c");
  EXPECT_EQ(table.game().book().type(table.at("b8").type).id, "cannon");
}

TEST(Cylinder, BerolinaPawnsStepAroundTheEdgeAndCaptureAhead) {  // C-71
  for (const std::vector<std::string>& rules : std::vector<std::vector<std::string>>{
           {"berolina-pawns", "wrap-board"}, {"wrap-board", "berolina-pawns"}}) {
    ChessTable middle("r1bqkb1r/np1ppppp/2n5/2P1p3/8/5Q2/PPPP1PPP/RNB1KBNR w KQkq d6e5 0 5", rules);
    OptionList options;
    middle.state().list_options(options);
    std::vector<std::string> moves;
    for (const Option option : options) moves.push_back(middle.state().option_text(option));
    EXPECT_EQ(std::ranges::count(moves, "c5d6"), 1);  // a step; what it captures stands ahead
    EXPECT_THAT(moves, Contains("a2h3"));
    EXPECT_THAT(moves, Contains("h2a3"));
    ChessTable capture("4k3/8/8/p7/7P/8/8/4K3 w - - 0 1", rules);
    EXPECT_FALSE(capture.legal("h4a5"));  // not sideways, not around the edge
    ChessTable ahead("4k3/8/8/7p/7P/8/8/4K3 w - - 0 1", rules);
    EXPECT_TRUE(ahead.legal("h4h5"));
    // A double step around the edge can be taken on the square it passed.
    ChessTable passing("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1", rules);
    passing.play("a2g4");
    EXPECT_THAT(passing.fen(), HasSubstr(" h3g4 "));
    passing.play("h4h3");
    EXPECT_FALSE(passing.at("g4"));
  }
}

TEST(Order, KingsHealWhatPoisonLeaves) {  // C-71
  for (const std::vector<std::string>& rules :
       std::vector<std::vector<std::string>>{{"piece-hp", "king-heals", "poisoned-squares"},
                                             {"poisoned-squares", "king-heals", "piece-hp"}}) {
    ChessTable table("8/8/8/4K3/8/7p/8/k7 w - - 0 1", rules);
    table.play("Ke4");
    EXPECT_EQ(table.attribute("e4", "Hp"), 1);
    table.play("h2");  // poison comes first: there is nothing left to heal
    EXPECT_EQ(table.reason(), "king-fell");
  }
}

TEST(Save, RightAfterRulesWereSwitched) {  // C-72
  ChessTable table("start");
  table.play("e4");
  const std::vector<rules::Activation> set{{"piece-hp"}, {"king-heals", rules::Scope{1}, 9}};
  ASSERT_TRUE(table.game().set_active_presets(table.state().block(), set));
  const auto loaded = table.game().load(table.state().save());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(*loaded == table.state());
  table.play("d5 exd5");
  EXPECT_EQ(table.attribute("d5", "Hp"), 1);
  EXPECT_TRUE(table.game().load(table.state().save()));
  // What is told about the game has it too.
  const Json log = table.state().view()["log"];
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[1]["rules"], (Json{"piece-hp", "king-heals:white@9"}));
}

TEST(Save, WithAPawnOnTheLastRank) {  // C-72
  ChessTable table = with_modifiers(
      "attach: [{to: {pieceType: knight}, primitives: [{on: onMove, do: spawnPiece, pieceType: "
      "pawn, square: h8}]}]",
      "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
  table.play("Nc3");
  EXPECT_EQ(table.at("h8").type, pawn);
  const auto loaded = table.game().load(table.state().save());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(*loaded == table.state());
  OpenOptions plain;
  plain.position = "4k2P/8/8/8/8/8/8/4K3 w - - 0 1";
  EXPECT_FALSE(open_chess(plain));  // plain chess still has no such thing
}

TEST(Pgn, TellsRulesSwitchedInPlay) {  // C-72
  ChessTable table("start", {"stamina"});
  table.play("e4 d5");
  const std::vector<rules::Activation> hp{{"stamina"}, {"piece-hp"}};
  ASSERT_TRUE(table.game().set_active_presets(table.state().block(), hp));
  table.play("exd5");
  ASSERT_TRUE(table.game().set_active_presets(table.state().block(), {}));
  table.play("Nf6");
  const std::string text = to_pgn(table.state());
  EXPECT_THAT(text, HasSubstr("1. e4 d5 {[%rules stamina,piece-hp]} 2. exd5 {d5 holds with 1 hp} "
                              "{[%rules ]}"));
  const auto back = read_pgn(text);
  ASSERT_TRUE(back) << back.error() << text;
  EXPECT_EQ(back->state.hash(), table.state().hash());
  EXPECT_EQ(to_pgn(back->state), text);
  EXPECT_THAT(read_pgn("1. e4 {[%rules no-such]} e5").error(), HasSubstr("no-such"));
}

TEST(Pgn, HasTheModifiersTheGameWasPlayedWith) {  // C-72
  ChessTable table = with_modifiers(
      "description: He said \"leap\".\nattach:\n  - to: {pieceType: pawn}\n    primitives:\n"
      "      - {do: grantMovePattern, leaps: [[1, 2], [-1, 2]], mode: quiet}\n",
      "start");
  table.play("a2b4 Nf6 b4c6");
  const std::string text = to_pgn(table.state());
  const auto back = read_pgn(text);
  ASSERT_TRUE(back) << back.error() << text;
  EXPECT_EQ(back->state.hash(), table.state().hash());
  EXPECT_EQ(to_pgn(back->state), text);
  EXPECT_EQ(back->game->info().fingerprint, [&] {
    ChessTable same = with_modifiers(
        "# another layout of the same\ndescription: 'He said \"leap\".'\nattach: [{to: {pieceType: "
        "pawn}, primitives: [{do: grantMovePattern, mode: quiet, leaps: [[1, 2], [-1, 2]]}]}]",
        "start");
    return same.game().info().fingerprint;
  }());
}

TEST(Pgn, AClaimedDrawReadsBackClaimed) {  // C-72
  ChessTable table("start");
  table.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  ASSERT_TRUE(table.state().try_apply(find_option(table.state(), "claim-draw").value()));
  const auto back = read_pgn(to_pgn(table.state()));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->state.outcome().reason, "threefold-repetition");
}

TEST(Fen, BerolinaEnPassantIsReadInBothOrdersAndToldApart) {  // C-72
  const std::string board = "4k3/8/8/2p1p3/3P4/8/8/4K3 w - ";
  ChessTable right(board + "d6e5 0 1", {"berolina-pawns"});
  ChessTable turned(board + "e5d6 0 1", {"berolina-pawns"});
  ChessTable other(board + "d6c5 0 1", {"berolina-pawns"});
  EXPECT_EQ(right.fen(), turned.fen());
  EXPECT_EQ(right.engine().key(), turned.engine().key());
  EXPECT_NE(right.engine().key(), other.engine().key());
  EXPECT_THAT(ChessTable(board + "c5d6 0 1", {"berolina-pawns"}).fen(), HasSubstr(" d6c5 "));
}

TEST(Descriptor, WhatTheGuideRefusesIsRefused) {  // C-73
  for (const std::string primitive :
       {"{on: {onMove: {squares: [e4]}}, do: removePiece}",
        "{on: {onTurnStart: {color: white}}, do: removePiece}",
        "{on: {onTurnEnd: green}, do: removePiece}",
        "{on: {onMovedOntoSquare: {squares: [e4], predicate: edge}}, do: removePiece}",
        "{on: onMove, do: removePiece, target: {relation: ally, filter: {pieceType: pawn, "
        "squares: [e4]}}}",
        "{do: seedAttribute, attribute: Hp, value: 99}"}) {
    const auto parsed =
        modifiers::parse("version: 1\nname: Test\nattach: [{to: {pieceType: pawn}, primitives: [" +
                             primitive + "]}]",
                         "test.yaml", standard_rulebook());
    EXPECT_EQ(parsed.diagnostics.all().size(), 1u) << primitive;
  }
}

TEST(Attributes, MoreThanFitAreRefusedByName) {  // C-73
  Preset many = make_preset("many");
  for (int i = 0; i < 60; ++i) many.attributes.push_back({fmt::format("A{}", i)});
  Rulebook book = standard_rulebook();
  EXPECT_TRUE(book.add(many).empty());
  many.module.id = "more";
  for (Attribute& attribute : many.attributes) attribute.name += "x";
  const Diagnostics refused = book.add(many);
  ASSERT_EQ(refused.all().size(), 1u);
  EXPECT_EQ(refused.all()[0].code, Code::CHESS_NO_ROOM);
  EXPECT_THAT(refused.all()[0].message, HasSubstr("at most 64 fit"));
}

TEST(Attributes, FortyAreKeptSavedAndHashed) {  // C-73
  Preset many = make_preset("many");
  for (int i = 0; i < 40; ++i) many.attributes.push_back({fmt::format("A{}", i), -100, 100});
  many.hooks.on_after_move = [](Engine& engine, const MoveEvent& event) {
    for (std::size_t i = 0; i < 40; ++i)
      engine.set_attribute(engine.now(event.piece), engine.own_attribute(i),
                           static_cast<int>(i) - 20);
  };
  ChessTable table("start", {"many"}, with_presets({std::move(many)}));
  table.play("e4");
  EXPECT_EQ(table.engine().get(table.at("e4").id, "A0"), -20);
  EXPECT_EQ(table.engine().get(table.at("e4").id, "A20"), 0);
  EXPECT_EQ(table.engine().get(table.at("e4").id, "A39"), 19);
  EXPECT_FALSE(table.engine().contains(table.at("d2").id, "A20"));
  EXPECT_TRUE(table.game().load(table.state().save()).value() == table.state());
}

// A preset that keeps a diary: a text, a list, a long key, and as many numbers as it is told to.
Preset diary(int numbers, std::size_t bytes) {
  Preset preset = make_preset("diary");
  preset.state_bytes = bytes;
  preset.hooks.on_after_move = [numbers](Engine& engine, const MoveEvent& event) {
    Json visited = engine.state_value("squares visited by anybody at all");
    if (visited.is_null()) visited = Json::array();
    visited.push_back(square_name(event.landed));
    engine.set_state("squares visited by anybody at all", visited);
    engine.set_state("last words", Json("“" + square_name(event.move.from()) + "”"));
    for (int i = 0; i < numbers; ++i) engine.set_state(fmt::format("n{}", i), i);
  };
  return preset;
}

TEST(PresetState, HoldsTextsListsAndManyNumbers) {  // C-73
  ChessTable table("start", {"diary"}, with_presets({diary(100, 4096)}));
  table.play("e4 e5 Nf3");
  const Engine engine = table.engine();
  const SelfScope self(engine, 0);
  EXPECT_EQ(engine.state_value("squares visited by anybody at all"), (Json{"e4", "e5", "f3"}));
  EXPECT_EQ(engine.state_value("last words"), "“g1”");
  EXPECT_EQ(engine.state("n99"), 99);
  EXPECT_EQ(engine.all_state().size(), 102u);
  const State loaded = table.game().load(table.state().save()).value();
  EXPECT_TRUE(loaded == table.state());
  EXPECT_EQ(loaded.hash(), table.state().hash());
}

TEST(PresetState, WhatDoesNotFitRefusesTheMoveAndChangesNothing) {  // C-73
  ChessTable table("start", {"diary"}, with_presets({diary(100, 0)}));
  const State before = table.state();
  const auto refused = table.state().apply(find_option(table.state(), "e2e4").value());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "CHESS_NO_ROOM");
  EXPECT_THAT(refused.error().message, HasSubstr("`diary` has no room to keep `n"));
  EXPECT_TRUE(table.state() == before);
  Preset greedy = make_preset("greedy");
  greedy.hooks.on_activate = [](Engine& engine) {
    engine.set_state("all of it", Json(std::string(3000, 'x')));
  };
  ChessTable other("start", {}, with_presets({std::move(greedy)}));
  const State still = other.state();
  const std::vector<rules::Activation> set{{"greedy"}};
  const auto switched = other.game().set_active_presets(other.state().block(), set);
  ASSERT_FALSE(switched);
  EXPECT_EQ(switched.error().all()[0].code, Code::CHESS_NO_ROOM);
  EXPECT_TRUE(other.state() == still);
  Preset huge = make_preset("huge");
  huge.state_bytes = 100000;
  Rulebook book;
  EXPECT_EQ(book.add(huge).all()[0].code, Code::CHESS_NO_ROOM);
}

TEST(Modifiers, SeededValuesWinOverDefaultsInAnyOrder) {  // C-74
  const std::string queens =
      "attach: [{to: {pieceType: queen}, primitives: [{do: seedAttribute, attribute: Hp, value: "
      "3}]}]";
  for (const std::vector<std::string>& rules : std::vector<std::vector<std::string>>{
           {"piece-hp", "modifiers"}, {"modifiers", "piece-hp"}}) {
    ChessTable table = with_modifiers(queens, "start", rules);
    EXPECT_EQ(table.attribute("d1", "Hp"), 3);
    EXPECT_EQ(table.attribute("e1", "Hp"), 2);
    ASSERT_TRUE(table.engine().spawn_piece(queen, white, parse_square("e4")));
    EXPECT_EQ(table.attribute("e4", "Hp"), 3);
  }
}

// A death rattle that takes a neighbour along.
TEST(SelfCheck, SeesDeathRattles) {  // C-75
  const std::string vengeful =
      "attach: [{to: {squares: [e7]}, primitives: [{on: onCaptured, do: removePiece, target: "
      "{squares: [e2]}}]}]";
  // Taking the pawn makes it take the bishop along that shields the king from the rook.
  ChessTable table =
      with_modifiers(vengeful, "k3r3/4p3/3N4/8/8/8/4B3/4K3 w - - 0 1", {"modifiers"});
  EXPECT_TRUE(table.legal("Nxe8"));
  ChessTable exposed =
      with_modifiers(vengeful, "k7/4p3/3N4/8/4r3/8/4B3/4K3 w - - 0 1", {"modifiers"});
  EXPECT_FALSE(exposed.legal("Nf5xe7") || exposed.legal("d6e7"));
  ChessTable knight = with_modifiers(vengeful, "k7/4p3/8/3N4/4r3/8/4B3/4K3 w - - 0 1");
  EXPECT_FALSE(knight.legal("Nxe7"));
  EXPECT_EQ(why(knight, "d5e7"), "d5e7: white would be in check");
  ChessTable plain("k7/4p3/8/3N4/4r3/8/4B3/4K3 w - - 0 1");
  EXPECT_TRUE(plain.legal("Nxe7"));
}

TEST(SelfCheck, SeesWhatHappensAfterTheMove) {  // C-75
  // Every move of a knight kills its own king's neighbour on e2, or the king itself.
  const std::string doom =
      "attach: [{to: {pieceType: knight}, primitives: [{on: onMove, do: removePiece, target: "
      "{squares: [e2]}}]}]";
  EXPECT_FALSE(with_modifiers(doom, "k3r3/8/8/8/8/8/4B3/1N2K3 w - - 0 1").legal("Nc3"));
  EXPECT_TRUE(with_modifiers(doom, "k2r4/8/8/8/8/8/4B3/1N2K3 w - - 0 1").legal("Nc3"));
  EXPECT_FALSE(with_modifiers(doom, "k7/8/8/8/8/8/4K3/1N6 w - - 0 1").legal("Nc3"));
  // And one that removes the attacker makes a move legal that would not be.
  const std::string rescue =
      "attach: [{to: {pieceType: knight}, primitives: [{on: onMove, do: removePiece, target: "
      "{squares: [e8]}}]}]";
  EXPECT_TRUE(with_modifiers(rescue, "k3r3/8/8/8/8/8/8/1N2K3 w - - 0 1").legal("Nc3"));
}

TEST(SelfCheck, SeesTheStartOfTheNextTurn) {  // C-75
  const std::string text =
      "attach: [{to: {pieceType: rook, colour: black}, primitives: [{on: onTurnStart, do: "
      "removePiece, target: {squares: [e4]}}]}]";
  EXPECT_FALSE(with_modifiers(text, "k3r3/8/8/8/4P3/8/7P/4K3 w - - 0 1").legal("h3"));
  EXPECT_TRUE(with_modifiers(text, "k3r3/8/8/8/4P3/8/4P2P/4K3 w - - 0 1").legal("h3"));
}

TEST(Perft, CountsMovesNotClaims) {  // C-76
  ChessTable table("8/8/8/3k4/8/3QK3/8/8 b - - 120 100");
  EXPECT_EQ(perft(table.state(), 3), 423u);
  EXPECT_NE(perft(table.state(), 3, Counting::all_options), 423u);
  std::uint64_t divided = 0;
  for (const CountedMove& branch : divide(table.state(), 3)) divided += branch.nodes;
  EXPECT_EQ(divided, 423u);
  ChessTable bare("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(bare.reason(), "insufficient-material");
  EXPECT_EQ(perft(bare.state(), 3), 170u);
  EXPECT_EQ(divide(bare.state(), 1).size(), 5u);
  EXPECT_EQ(perft(bare.state(), 3, Counting::all_options), 0u);
  ChessTable old("4k3/8/8/8/8/8/8/R3K3 w Q - 149 100");
  EXPECT_EQ(perft(old.state(), 2), 71u);
  EXPECT_EQ(perft(ChessTable("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").state(), 2), 0u);  // mate is mate
}

TEST(Why, NamesTheHouseRule) {  // C-77
  ChessTable immune("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", {"knight-immunity"});
  EXPECT_THAT(why(immune, "e4d5"), HasSubstr("e4d5: knight-immunity: Knights cannot be captured"));
  ChessTable tired("4k3/8/8/8/8/8/8/4K2R w - - 0 1", {"stamina", "double-move:white"});
  tired.play("Rh2 Rh3");
  tired.play("Ke7");
  EXPECT_THAT(why(tired, "h3h4"), testing::AnyOf(HasSubstr("stamina:"), "legal"));
  ChessTable forced("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"suicide-chess"});
  EXPECT_THAT(why(forced, "e4e5"), HasSubstr("suicide-chess: Captures are forced"));
  ChessTable royal("k3r3/8/8/8/8/8/8/4K3 w - - 0 1", {"stamina"});
  EXPECT_THAT(why(royal, "e1e2"), HasSubstr("white is in check and would still be"));
  EXPECT_THAT(why(royal, "e1e3"), HasSubstr("the king on e1 cannot go to e3"));
}

TEST(Why, SaysTheSameOfAMoveGivenAsData) {  // P-11, P-14
  ChessTable table("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
  const auto reason = [&](const Json& params) {
    const auto refused = table.state().why_not({{"action", "move"}, {"params", params}});
    return refused ? refused->message : "legal";
  };
  EXPECT_EQ(reason({{"from", "e1"}, {"to", "e3"}}), why(table, "e1e3"));
  EXPECT_EQ(reason({{"from", "b7"}, {"to", "b8"}, {"promotion", "king"}}), why(table, "b7b8k"));
  EXPECT_EQ(reason({{"from", "e1"}, {"to", "e2"}}), "legal");
  EXPECT_NE(reason({{"from", "e1"}, {"to", "e2"}, {"slowly", true}}), "legal");
}

}  // namespace
}  // namespace parlor::chess
