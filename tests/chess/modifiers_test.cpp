// Custom modifiers as data (C-50 to C-54) and the guide's example in both forms.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "chess/modifiers/descriptor.h"
#include "chess_table.h"
#include "shield_preset.h"
#include "source_dir.h"

namespace parlor::chess {
namespace {

using testing::ElementsAre;

std::string header(const std::string& rest) {
  return "version: 1\nname: Test\n" + rest;
}

std::vector<Code> problems(const std::string& text) {
  const auto parsed = modifiers::parse(text, "test.yaml", standard_rulebook());
  std::vector<Code> out;
  for (const Diagnostic& d : parsed.diagnostics.all()) out.push_back(d.code);
  return out;
}

ChessTable table_with(const std::string& text, const std::string& fen,
                      std::vector<std::string> rules = {}) {
  auto book = modifiers::with_modifiers(standard_rulebook(), text, "test.yaml");
  if (!book)
    ADD_FAILURE() << book.error().all().front().path << ": " << book.error().all().front().message;
  rules.emplace_back("modifiers");
  return ChessTable(fen, rules, book ? *book : nullptr);
}

std::string guide() {
  std::ifstream file(PARLOR_SOURCE_DIR + "/docs/house-rules.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string fenced(const std::string& page, const std::string& language) {
  const std::string mark = "```" + language + "\n";
  const auto begin = page.find(mark);
  EXPECT_NE(begin, page.npos);
  const auto end = page.find("```", begin + mark.size());
  return page.substr(begin + mark.size(), end - begin - mark.size());
}

TEST(Guide, ShieldInCodeIsTheOneOfTheTests) {
  std::ifstream file(PARLOR_SOURCE_DIR + "/tests/chess/shield_preset.h");
  std::stringstream text;
  text << file.rdbuf();
  const std::string code = fenced(guide(), "cpp");
  EXPECT_NE(text.str().find(code), std::string::npos);
  EXPECT_LE(std::ranges::count(code, '\n'), 30);
}

TEST(Guide, BothShieldsAreTheSameRule) {
  const char* const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
  ChessTable code(fen, {"shield"}, with_presets({shield_preset()}));
  ChessTable data = table_with(fenced(guide(), "yaml"), fen);
  ChessTable shipped(fen, {"piece-shield"});
  const auto nodes = perft(code.state(), 3);
  EXPECT_EQ(perft(data.state(), 3), nodes);
  EXPECT_EQ(perft(shipped.state(), 3), nodes);
  code.play("Qxf6");
  data.play("Qxf6");
  EXPECT_EQ(code.attribute("f6", "Guard"), 0);
  EXPECT_EQ(data.attribute("f6", "Guard"), 0);
  EXPECT_EQ(code.fen(), data.fen());
}

TEST(Descriptor, MistakesAreDiagnosedAtLoad) {  // C-50
  EXPECT_THAT(problems("{"), ElementsAre(Code::YAML_BRACKETS));
  EXPECT_THAT(problems(""), ElementsAre(Code::MODIFIER_INVALID));
  EXPECT_THAT(problems("- 1\n- two"), ElementsAre(Code::SHAPE_WRONG, Code::SHAPE_WRONG));
  EXPECT_THAT(problems("version: 2\nname: x\nattach: [{to: {pieceType: pawn}, primitives: []}]"),
              ElementsAre(Code::MODIFIER_VERSION));
  const std::string pawn_with = "attach: [{to: {pieceType: pawn}, primitives: [";
  EXPECT_THAT(problems(header(pawn_with + "{on: on-sunrise, do: removePiece}]}]")),
              ElementsAre(Code::MODIFIER_TRIGGER_UNKNOWN));
  EXPECT_THAT(problems(header(pawn_with + "{on: onMove, do: explode}]}]")),
              ElementsAre(Code::MODIFIER_EFFECT_UNKNOWN));
  EXPECT_THAT(problems(header(pawn_with + "{on: onMove, do: removePiece, target: attacker}]}]")),
              ElementsAre(Code::MODIFIER_TARGET_INVALID));
  EXPECT_THAT(problems(header(pawn_with +
                              "{on: onMove, do: addToAttribute, attribute: Mana, amount: 1}]}]")),
              ElementsAre(Code::MODIFIER_INVALID));
  EXPECT_THAT(
      problems(fmt::format("version: 1\nname: {}\n{}]}}]", std::string(41, 'x'), pawn_with)),
      ElementsAre(Code::MODIFIER_INVALID));
}

// Nothing in a file is passed over in silence.
TEST(Descriptor, EverythingWrittenMeansSomething) {  // C-50
  const std::vector<std::string> primitives{
      "{on: onMove, do: removePiece, tagret: self}",
      "{on: onMove, do: spawnPiece, pieceType: pawn, side: mine}",
      "{do: addAura, radius: 1, relation: friend, effects: []}",
      "{do: grantMovePattern, leaps: [[1, 2]], mode: sideways}",
      "{do: grantMovePattern, leaps: 12, slides: [[0, 1]]}",
      "{on: onMove, do: conditional, if: {pieceType: pawn, colour: white}, then: []}",
      "{on: onMove, do: conditional, if: {pieceType: pawn}, then: [{on: onMove, do: "
      "removePiece}]}",
      "{on: onMove, do: removePiece, target: {relation: ally, filter: {kind: pawn}}}"};
  for (const std::string& primitive : primitives)
    EXPECT_EQ(problems(header("attach: [{to: {pieceType: pawn}, primitives: [" + primitive + "]}]"))
                  .size(),
              1u)
        << primitive;
  EXPECT_EQ(problems(header("atach: []\nattach: [{to: {pieceType: pawn}, primitives: []}]")).size(),
            1u);
}

TEST(Descriptor, MistakesHaveAPlaceAndASuggestion) {  // C-50
  const auto parsed =
      modifiers::parse(header("attach:\n  - to: {pieceType: pwan}\n    primitives:\n"
                              "      - {on: onMvoe, do: emitEffect, kind: spark}\n"),
                       "test.yaml", standard_rulebook());
  const auto all = parsed.diagnostics.all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].span.line, 4u);
  EXPECT_EQ(all[0].span.column, 21u);
  EXPECT_THAT(all[0].alternatives, testing::Contains("pawn"));
  EXPECT_EQ(all[1].span.line, 6u);
  EXPECT_EQ(all[1].path, "attach.0.primitives.0.on");
  EXPECT_THAT(all[1].alternatives, testing::Contains("onMove"));
}

TEST(Descriptor, FiftyPrimitivesAndThreeLevels) {  // C-50
  const auto many = [](int n) {
    std::string list;
    for (int i = 0; i < n; ++i) list += "{on: onMove, do: emitEffect, kind: spark},";
    return header("attach: [{to: {pieceType: pawn}, primitives: [" + list + "]}]");
  };
  EXPECT_TRUE(problems(many(50)).empty());
  EXPECT_THAT(problems(many(51)), ElementsAre(Code::MODIFIER_TOO_MANY));
  const auto nested = [](int depth) {
    std::string inner = "{do: emitEffect, kind: spark}";
    for (int i = 1; i < depth; ++i)
      inner = "{do: conditional, if: {pieceType: pawn}, then: [" + inner + "]}";
    inner.insert(1, "on: onMove, ");
    return header("attach: [{to: {pieceType: pawn}, primitives: [" + inner + "]}]");
  };
  EXPECT_TRUE(problems(nested(3)).empty());
  EXPECT_THAT(problems(nested(4)), ElementsAre(Code::MODIFIER_TOO_DEEP));
}

// A descriptor that counts each trigger on white pieces in an attribute of its own.
TEST(Triggers, FireForTheirPieces) {  // C-51
  const std::string text = header(R"(
attributes: [{name: Moved}, {name: Took}, {name: Raised}, {name: Centre}, {name: Ended}, {name: Started}, {name: Gave}, {name: Got}]
attach:
  - to: {pieceTypes: [pawn, knight, bishop, rook, queen, king], colour: white}
    primitives:
      - {on: onMove, do: addToAttribute, attribute: Moved, amount: 1}
      - {on: onCapture, do: addToAttribute, attribute: Took, amount: 1}
      - {on: onPromotion, do: addToAttribute, attribute: Raised, amount: 1}
      - {on: {onMovedOntoSquare: {predicate: centre}}, do: addToAttribute, attribute: Centre, amount: 1}
      - {on: {onTurnEnd: white}, do: addToAttribute, attribute: Ended, amount: 1}
      - {on: onTurnStart, do: addToAttribute, attribute: Started, amount: 1}
      - {on: onCheckDelivered, do: addToAttribute, attribute: Gave, amount: 1}
      - {on: onCheckReceived, do: addToAttribute, attribute: Got, amount: 1}
)");
  ChessTable table = table_with(text, "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
  table.play("O-O");
  EXPECT_EQ(table.attribute("g1", "Moved"), 1);
  EXPECT_EQ(table.attribute("f1", "Moved"), 1);  // the rook too
  EXPECT_EQ(table.attribute("g1", "Ended"), 1);
  EXPECT_EQ(table.attribute("e4", "Started"), -1);
  table.play("Kd8");
  EXPECT_EQ(table.attribute("e4", "Started"), 1);
  table.play("exd5");
  EXPECT_EQ(table.attribute("d5", "Took"), 1);
  EXPECT_EQ(table.attribute("d5", "Centre"), 1);
  table.play("Ke7 Re1");
  EXPECT_EQ(table.attribute("e1", "Gave"), 1);
  EXPECT_EQ(table.attribute("g1", "Got"), -1);
}

TEST(Triggers, DiscoveredAndDoubleChecksCreditTheGivers) {  // C-51
  const std::string text = header(R"(
attributes: [{name: Gave}]
attach:
  - to: {pieceTypes: [knight, rook]}
    primitives: [{on: onCheckDelivered, do: addToAttribute, attribute: Gave, amount: 1}]
)");
  ChessTable discovered = table_with(text, "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1");
  discovered.play("Nc3");
  EXPECT_EQ(discovered.attribute("e1", "Gave"), 1);
  EXPECT_EQ(discovered.attribute("c3", "Gave"), -1);
  ChessTable twice = table_with(text, "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1");
  twice.play("Nd6");
  EXPECT_EQ(twice.attribute("e1", "Gave"), 1);
  EXPECT_EQ(twice.attribute("d6", "Gave"), 1);
}

// Every trigger shifts the digits of one number and adds its own, in an order of the file that is
// not the order of dispatch.
std::string trail_of(const std::vector<std::string>& triggers) {
  std::string primitives;
  int digit = 0;
  for (const std::string& trigger : triggers) {
    ++digit;
    primitives += fmt::format(
        "      - {{on: {0}, do: multiplyAttribute, attribute: Trail, numerator: 10}}\n"
        "      - {{on: {0}, do: addToAttribute, attribute: Trail, amount: {1}}}\n",
        trigger, digit);
  }
  return header(
      "attributes: [{name: Trail, low: 0, high: 9999}]\nattach:\n"
      "  - to: {pieceTypes: [pawn, queen], colour: white}\n    primitives:\n" +
      primitives);
}

TEST(Triggers, DispatchInTheFixedOrder) {  // C-52
  const std::string onto = "{onMovedOntoSquare: {rank: 8}}";
  ChessTable first = table_with(trail_of({"onPromotion", onto, "onMove", "onCapture"}),
                                "1r5k/P7/8/8/8/8/8/K7 w - - 0 1");
  first.play("axb8=Q+");
  EXPECT_EQ(first.attribute("b8", "Trail"), 4321);
  ChessTable second = table_with(trail_of({"onTurnEnd", "onCheckDelivered", "onPromotion"}),
                                 "1r5k/P7/8/8/8/8/8/K7 w - - 0 1");
  second.play("axb8=Q+");
  EXPECT_EQ(second.attribute("b8", "Trail"), 321);
}

// Every trigger says its name; what a listener hears is the order.
class Ear : public EventListener {
 public:
  std::vector<std::string> heard;
  void on_event(const Event& event) override {
    if (event.kind == "tokenDestroyed") heard.emplace_back("retraction");
    if (event.kind != "note" || !event.data.contains("ttl")) return;
    const std::string kind = event.data["effect"];
    if (heard.empty() || heard.back() != kind) heard.push_back(kind);
  }
};

TEST(Triggers, FollowTheWholeOrderInOneMove) {  // C-52
  const std::vector<std::string> triggers{"onTurnStart",      "onTurnEnd",   "onCheckReceived",
                                          "onCheckDelivered", "onPromotion", "onMove",
                                          "onCaptured",       "onCapture",   "onDamaged"};
  std::string primitives;
  for (const std::string& trigger : triggers)
    primitives += fmt::format("      - {{on: {0}, do: emitEffect, kind: {0}}}\n", trigger);
  primitives +=
      "      - {on: {onMovedOntoSquare: {rank: 8}}, do: emitEffect, kind: onto}\n"
      "      - {do: addAura, radius: 1, effects: [{do: emitEffect, kind: aura}]}\n";
  ChessTable table = table_with(
      header("attach:\n  - to: {pieceTypes: [pawn, rook, queen, king]}\n    primitives:\n" +
             primitives),
      "1r5k/P7/8/8/8/8/P7/K7 w - - 0 1");
  Ear ear;
  const Move move = parse_move(table.engine(), "axb8=Q+").value();
  ASSERT_TRUE(table.state().apply(Option{move.bits}, &ear));
  EXPECT_THAT(ear.heard, ElementsAre("onDamaged", "onCapture", "onCaptured", "retraction", "onMove",
                                     "onto", "onPromotion", "aura", "onCheckDelivered",
                                     "onCheckReceived", "onTurnEnd", "onTurnStart"));
}

TEST(Triggers, CheckIsReceivedOnceByRoyals) {  // C-51
  const std::string text = header(R"(
attributes: [{name: Got}]
attach:
  - to: {pieceTypes: [king, rook]}
    primitives: [{on: onCheckReceived, do: addToAttribute, attribute: Got, amount: 1}]
)");
  // Check binds nobody here, so it lasts for several moves: it is received when it begins.
  ChessTable table = table_with(text, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1", {"piece-hp"});
  table.play("Re2");
  EXPECT_EQ(table.attribute("e8", "Got"), 1);
  table.play("Ke7 Kd1");
  EXPECT_EQ(table.attribute("e7", "Got"), 1);
  table.play("Kd7 Kc1 Ke7");
  EXPECT_EQ(table.attribute("e7", "Got"), 2);  // out of it and in again
  EXPECT_EQ(table.attribute("e2", "Got"), -1);
}

TEST(Triggers, MovedByARuleIsMovedToo) {  // C-51: any change of square
  const std::string text = header(R"(
attributes: [{name: Moved}, {name: Edge}]
attach:
  - to: {pieceType: knight}
    primitives: [{on: onMove, do: movePiece, square: a4, target: {relation: ally, filter: {pieceType: rook}}}]
  - to: {pieceType: rook}
    primitives:
      - {on: onMove, do: addToAttribute, attribute: Moved, amount: 1}
      - {on: {onMovedOntoSquare: {predicate: edge}}, do: addToAttribute, attribute: Edge, amount: 1}
)");
  ChessTable table = table_with(text, "4k3/8/8/8/3R4/8/8/1N2K3 w - - 0 1");
  table.play("Nc3");
  EXPECT_EQ(table.at("a4").type, rook);
  EXPECT_EQ(table.attribute("a4", "Moved"), 1);
  EXPECT_EQ(table.attribute("a4", "Edge"), 1);
}

TEST(Triggers, RulesThatMoveEachOtherComeToRest) {  // C-50: never a crash in play
  const std::string text = header(R"(
attach:
  - to: {pieceType: knight}
    primitives:
      - {on: onMove, do: movePiece, square: a4}
      - {on: onMove, do: movePiece, square: h4}
)");
  ChessTable table = table_with(text, "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
  table.play("Nc3");
  EXPECT_TRUE(table.at("a4").type == knight || table.at("h4").type == knight);
}

TEST(Targets, SquaresAlliesAndTheDefender) {  // C-54
  const std::string text = header(R"(
attributes: [{name: Mark}]
attach:
  - to: {pieceType: knight}
    primitives:
      - {on: onMove, do: addToAttribute, attribute: Mark, amount: 1, target: {squares: [e1, e8]}}
      - {on: onMove, do: addToAttribute, attribute: Mark, amount: 5, target: {relation: ally}}
      - {on: onCapture, do: spawnPiece, pieceType: queen, side: enemy, square: h8, target: defender}
)");
  ChessTable table = table_with(text, "4k3/8/8/8/8/2p5/8/1N2K2R w - - 0 1");
  table.play("Nxc3");
  EXPECT_EQ(table.attribute("e1", "Mark"), 6);
  EXPECT_EQ(table.attribute("e8", "Mark"), 1);
  EXPECT_EQ(table.attribute("h1", "Mark"), 5);
  EXPECT_EQ(table.attribute("c3", "Mark"), -1);  // an ally is never the piece itself
  EXPECT_EQ(table.at("h8").side, white);         // the defender's enemy
}

TEST(Effects, ChangePiecesAndTurns) {  // C-53
  const std::string text = header(R"(
attach:
  - to: {pieceType: knight}
    primitives:
      - {on: onCapture, do: setType, pieceType: queen}
      - {on: onCapture, do: extraTurn}
  - to: {pieceType: pawn}
    primitives:
      - {on: onCaptured, do: spawnPiece, pieceType: bishop, square: a8}
      - {on: onCaptured, do: removePiece, target: {relation: enemy, filter: {pieceType: rook}}}
)");
  ChessTable table = table_with(text, "4k3/8/8/3p4/8/4N3/8/R3K3 w - - 0 1");
  table.play("Nxd5");
  EXPECT_EQ(table.at("d5").type, queen);
  EXPECT_EQ(table.at("a8").type, bishop);
  EXPECT_EQ(table.at("a8").side, black);
  EXPECT_FALSE(table.at("a1"));
  EXPECT_EQ(table.engine().turn(), white);
  table.play("Kd1");
  EXPECT_EQ(table.engine().turn(), black);
}

TEST(Effects, DamageReachesTheAttacker) {  // C-53, C-54
  const std::string text = header(R"(
attach:
  - to: {pieceType: pawn}
    primitives: [{on: onCaptured, do: dealDamage, amount: 1, kind: thorns, target: attacker}]
)");
  ChessTable table = table_with(text, "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1");
  table.play("Nxd5");
  EXPECT_FALSE(table.at("d5"));
  EXPECT_FALSE(table.at("e3"));
}

TEST(Effects, AurasUseKingsSteps) {  // C-53
  const std::string text = header(R"(
attributes: [{name: Warmth}]
attach:
  - to: {squares: [e1]}
    primitives:
      - do: addAura
        radius: 1
        effects: [{do: addToAttribute, attribute: Warmth, amount: 1}]
)");
  ChessTable table = table_with(text, "4k3/8/8/8/8/8/3P3P/4K3 w - - 0 1");
  table.play("h3");
  EXPECT_EQ(table.attribute("d2", "Warmth"), 1);
  EXPECT_EQ(table.attribute("h3", "Warmth"), -1);
  EXPECT_EQ(table.attribute("e1", "Warmth"), -1);
}

TEST(Effects, MovePatternsGiveCheckToo) {  // C-30, C-53
  const std::string text = header(R"(
attach:
  - to: {pieceType: rook}
    primitives: [{do: grantMovePattern, leaps: [[1, 2], [2, 1]]}]
)");
  ChessTable table = table_with(text, "8/8/4k3/8/3R4/8/8/4K3 b - - 0 1");
  EXPECT_TRUE(table.engine().in_check(black));
}

TEST(Effects, ConditionsHealAndMultiply) {  // C-53
  const std::string text = header(R"(
attach:
  - to: {pieceType: king}
    primitives:
      - on: onMove
        do: conditional
        if: {op: "<", left: {ref: attribute, name: Hp}, right: 2}
        then: [{do: heal, amount: 5, max: 2}]
        else: [{do: multiplyAttribute, attribute: Hp, numerator: 1, denominator: 2}]
)");
  ChessTable table = table_with(text, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", {"piece-hp"});
  table.play("Kd1");
  EXPECT_EQ(table.attribute("d1", "Hp"), 1);
  table.play("Kd8 Kc1");
  EXPECT_EQ(table.attribute("c1", "Hp"), 2);
}

TEST(Descriptor, CharactersAreCountedAndSinglePiecesAreFew) {  // C-50
  std::string name;
  for (int i = 0; i < 40; ++i) name += "ж";
  EXPECT_TRUE(
      problems("version: 1\nname: " + name + "\nattach: [{to: {pieceType: pawn}, primitives: []}]")
          .empty());
  const auto squares = [](int n) {
    std::string list;
    for (int i = 0; i < n; ++i) list += fmt::format("{}{},", "abcdefgh"[i % 8], 1 + i / 8);
    return header("attach: [{to: {squares: [" + list + "]}, primitives: []}]");
  };
  EXPECT_TRUE(problems(squares(16)).empty());
  EXPECT_THAT(problems(squares(17)), ElementsAre(Code::MODIFIER_INVALID));
}

TEST(Descriptor, DataWithMistakesDoesNotOpen) {
  OpenOptions options;
  options.modifiers.data = Json{{"version", 2}};
  const auto wrong = open_chess(options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().diagnostics.all().front().code, Code::MODIFIER_VERSION);
}

}  // namespace
}  // namespace parlor::chess
