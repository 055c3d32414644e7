// What each hook may say and how answers combine, registration, the preset's own state, and what
// the hash knows (C-04, C-07, C-10, C-11, C-14, C-31, C-32, C-36).
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* two_pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

std::vector<Code> codes(const Diagnostics& problems) {
  std::vector<Code> out;
  for (const Diagnostic& problem : problems.all()) out.push_back(problem.code);
  return out;
}

TEST(Registration, RefusesDuplicatesUnknownRelationsAndOneSidedEnmity) {  // C-10
  Rulebook book;
  Preset shy = make_preset("shy");
  shy.module.incompatible_with = {"loud"};
  shy.module.requires_ids = {"nobody"};
  EXPECT_THAT(codes(book.add(std::move(shy))), IsEmpty());
  EXPECT_THAT(codes(book.add(make_preset("loud"))), IsEmpty());
  EXPECT_THAT(codes(book.add(make_preset("loud"))), ElementsAre(Code::RULE_DUPLICATE));
  EXPECT_EQ(book.registry().get_all().size(), 2u);
  EXPECT_EQ(book.seal().all().size(), 2u);  // nobody is unknown, loud has nothing against shy
  Rulebook shipped = standard_rulebook();
  EXPECT_THAT(codes(shipped.seal()), IsEmpty());
}

TEST(Activation, OnlyOverlappingScopesCollideOrHelp) {  // C-11
  const auto check = [](std::vector<std::string> rules) {
    OpenOptions options;
    options.rules = std::move(rules);
    const auto game = open_chess(options);
    return game ? std::vector<Code>{} : codes(game.error().diagnostics);
  };
  EXPECT_THAT(check({"double-move:white", "monster-rules:black"}), IsEmpty());
  EXPECT_THAT(check({"double-move:white", "monster-rules"}), ElementsAre(Code::RULE_INCOMPATIBLE));
  EXPECT_THAT(check({"king-heals:white", "piece-hp"}), IsEmpty());
  EXPECT_THAT(check({"king-heals:white", "piece-hp:black"}),
              ElementsAre(Code::RULE_REQUIREMENT_MISSING));
}

// Which hooks of a rule for White are asked when a pawn of `mover` takes one of the other side.
std::vector<std::string> asked_of_white(Side mover) {
  const auto record = std::make_shared<std::vector<std::string>>();
  Preset preset = make_preset("listens");
  const auto note = [record](const char* hook) { record->emplace_back(hook); };
  preset.hooks.on_before_move = [note](Engine&, Move) -> CancelAnswer {
    note("on_before_move");
    return {};
  };
  preset.hooks.on_before_capture = [note](Engine&, const Capture&) {
    note("on_before_capture");
    return false;
  };
  preset.hooks.on_damage = [note](Engine&, const Damage& damage) {
    note("on_damage");
    return DamageAnswer::pass(damage.amount);
  };
  preset.hooks.on_piece_retract = [note](Engine&, const Retraction&) { note("on_piece_retract"); };
  preset.hooks.should_advance_turn = [note](const Engine&, const MoveEvent&, int) {
    note("should_advance_turn");
    return true;
  };
  preset.hooks.on_after_move = [note](Engine&, const MoveEvent&) { note("on_after_move"); };
  preset.hooks.on_turn_start = [note](Engine&, Side) { note("on_turn_start"); };
  ChessTable table(fmt::format("4k3/8/8/3p4/4P3/8/8/4K3 {} - - 0 1", mover == white ? 'w' : 'b'),
                   {"listens:white"}, with_presets({std::move(preset)}));
  const Move capture = parse_move(table.engine(), mover == white ? "exd5" : "dxe4").value();
  record->clear();
  EXPECT_TRUE(table.engine().apply(capture, nullptr, Engine::Purpose::counting));
  return *record;
}

TEST(Scope, DecidesWhichQuestionsAreAsked) {  // C-14
  EXPECT_THAT(asked_of_white(white),
              ElementsAre("on_before_move", "on_before_capture", "on_piece_retract",
                          "should_advance_turn", "on_after_move"));
  EXPECT_THAT(asked_of_white(black),
              ElementsAre("on_damage", "on_piece_retract", "should_advance_turn", "on_after_move",
                          "on_turn_start"));
}

TEST(PresetState, IsNamespacedSavedAndClearedAfterDeactivation) {  // C-04
  const auto farewell = std::make_shared<std::optional<std::int64_t>>();
  const auto keeper = [farewell](std::string id, std::int64_t value) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.on_activate = [value](Engine& engine) {
      engine.set_state("mine", value);
      engine.set_state("spare", 1);
      engine.delete_state("spare");
    };
    preset.hooks.on_deactivate = [farewell](Engine& engine) { *farewell = engine.state("mine"); };
    return preset;
  };
  const auto book = with_presets({keeper("one", 11), keeper("two", 22)});
  ChessTable table("start", {"one@1", "two"}, book);
  const auto bag = [](const Engine& engine, std::uint8_t index) {
    const SelfScope self(engine, index);
    return engine.all_state();
  };
  using Pairs = std::vector<std::pair<std::string, Json>>;
  EXPECT_EQ(bag(table.engine(), 0), (Pairs{{"mine", 11}}));
  EXPECT_EQ(bag(table.engine(), 1), (Pairs{{"mine", 22}}));
  const State loaded = table.game().load(table.state().save()).value();
  EXPECT_TRUE(loaded == table.state());
  table.play("e4");
  EXPECT_EQ(*farewell, 11);  // still there for the last word
  EXPECT_EQ(bag(table.engine(), 0), (Pairs{{"mine", 22}}));
}

TEST(Hash, KnowsAttributesAndActiveRules) {  // C-07
  ChessTable one("start", {"piece-hp"});
  ChessTable two("start", {"piece-hp"});
  EXPECT_EQ(one.state().hash(), two.state().hash());
  two.engine().insert(two.at("e2").id, "Hp", 1);
  Engine engine = two.engine();
  ASSERT_TRUE(engine.apply(parse_move(engine, "a3").value(), nullptr));
  one.play("a3");
  EXPECT_NE(one.engine().key(), two.engine().key());
  EXPECT_NE(ChessTable("start", {"piece-shield"}).engine().key(),
            ChessTable("start").engine().key());
  EXPECT_NE(ChessTable("start", {"coregal"}).engine().key(),
            ChessTable("start", {"coregal:white"}).engine().key());
}

TEST(Combining, TransformsChainAndExtraMovesAreMergedAndPromote) {
  Preset mirror = make_preset("mirror");  // rooks go where the chain said, and only forward
  mirror.hooks.transform_move_generator = [](const Engine&, const Piece& piece, Targets targets) {
    if (piece.type == rook) targets.quiet &= first_file;
    return targets;
  };
  Preset shorten = make_preset("shorten");
  shorten.hooks.transform_move_generator = [](const Engine&, const Piece& piece, Targets targets) {
    if (piece.type == rook) targets.quiet &= king_attacks(piece.square);
    return targets;
  };
  Preset jump = make_preset("jump");  // pawns may also step two squares, wherever they are
  jump.hooks.get_extra_moves = [](const Engine&, const Piece& piece, MoveSet& moves) {
    if (piece.type == pawn && piece.side == white && piece.square < 48)
      moves.quiet |= bit(static_cast<Square>(piece.square + 16));
  };
  const auto book = with_presets({std::move(mirror), std::move(shorten), jump, [&] {
                                    Preset again = jump;
                                    again.module.id = "jump-too";
                                    return again;
                                  }()});
  ChessTable rooks("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", {"mirror", "shorten"}, book);
  EXPECT_TRUE(rooks.legal("a4a5") && rooks.legal("a4a3"));
  EXPECT_FALSE(rooks.legal("a4a6") || rooks.legal("a4b4"));
  ChessTable pawns("8/8/P7/8/k7/8/8/K7 w - - 0 1", {"jump", "jump-too"}, book);
  EXPECT_TRUE(pawns.legal("a6a8q") && pawns.legal("a6a8n"));
  EXPECT_FALSE(pawns.legal("a6a8"));
  EXPECT_EQ(pawns.count(), 3u + 1 + 4);  // king, step, one set of promotions
}

TEST(Combining, TheFirstConsumerOwnsTheCapture) {
  bool second_asked = false;
  Preset swap = make_preset("swap");  // the pawns change sides, nobody moves
  swap.hooks.on_before_capture = [](Engine& engine, const Capture& capture) {
    engine.set_side(capture.target, capture.attacker.side);
    return true;
  };
  Preset late = make_preset("late");
  late.hooks.on_before_capture = [&](Engine&, const Capture&) { return second_asked = true; };
  ChessTable table(two_pawns, {"swap", "late"}, with_presets({std::move(swap), std::move(late)}));
  second_asked = false;
  table.play("exd5");
  EXPECT_FALSE(second_asked);
  EXPECT_EQ(table.at("d5").side, white);
  EXPECT_EQ(table.at("e4").side, white);
}

TEST(Combining, ADamageConsumerDecidesWhoDies) {
  const auto fate = [](std::string id, bool dies) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.on_damage = [dies](Engine&, const Damage&) {
      return dies ? DamageAnswer::killed() : DamageAnswer::survived();
    };
    return preset;
  };
  const auto book = with_presets({fate("doom", true), fate("luck", false)});
  EXPECT_EQ(ChessTable(two_pawns, {"doom", "luck"}, book).play("exd5").at("d5").side, white);
  EXPECT_EQ(ChessTable(two_pawns, {"luck", "doom"}, book).play("exd5").at("d5").side, black);
}

TEST(Combining, OneNoSwitchesTheSelfCheckFilterOff) {
  const auto filter = [](std::string id, bool on) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.should_filter_self_check = [on](const Engine&, Side) { return on; };
    return preset;
  };
  const auto book = with_presets({filter("careful", true), filter("bold", false)});
  const std::string pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
  EXPECT_FALSE(ChessTable(pinned, {"careful"}, book).legal("Nc3"));
  EXPECT_TRUE(ChessTable(pinned, {"careful", "bold"}, book).legal("Nc3"));
  EXPECT_FALSE(ChessTable(pinned, {"bold:black"}, book).legal("Nc3"));
}

TEST(Combining, ATerminalVerdictWinsOverOngoing) {
  const auto judge = [](std::string id, Verdict verdict) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.on_check_game_result = [verdict](const Engine& engine) {
      return engine.turn() == black ? verdict : Verdict::no_opinion();
    };
    return preset;
  };
  const auto book = with_presets({judge("calm", Verdict::ongoing()),
                                  judge("white-wins", Verdict::win(white, "because")),
                                  judge("black-wins", Verdict::win(black, "so"))});
  EXPECT_EQ(ChessTable("start", {"calm", "white-wins", "black-wins"}, book).play("e4").reason(),
            "because");
  EXPECT_EQ(ChessTable("start", {"black-wins", "white-wins"}, book).play("e4").reason(), "so");
  EXPECT_EQ(ChessTable("start", {"calm"}, book).play("e4").result(), Result::ongoing);
}

TEST(Combining, EffectsAreCollectedAndRattlesComeBeforeAttributesGo) {
  int hp_at_death = -1;
  Square born = no_square;
  const auto teller = [](std::string id, std::string text) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.describe_move_effect = [text](const Engine&, const MoveEvent&) { return text; };
    return preset;
  };
  Preset witness = make_preset("witness");
  witness.hooks.on_piece_retract = [&](Engine& engine, const Retraction& gone) {
    hp_at_death = static_cast<int>(engine.get(gone.piece.id, "Hp").value_or(-2));
  };
  witness.hooks.on_piece_spawn = [&](Engine& engine, const Piece& piece) {
    born = static_cast<Square>(engine.get(piece.id, "square").value_or(no_square));
  };
  ChessTable table(two_pawns, {"piece-hp", "witness", "a", "silent", "b"},
                   with_presets({std::move(witness), teller("a", "one"), teller("silent", ""),
                                 teller("b", "two")}));
  table.play("Kd2");
  EXPECT_THAT(table.last_effects(), ElementsAre("one", "two"));
  Engine engine = table.engine();
  engine.remove_piece(table.at("d5"));
  EXPECT_EQ(hp_at_death, 2);
  ASSERT_TRUE(engine.spawn_piece(rook, black, parse_square("a8")));
  EXPECT_EQ(born, parse_square("a8"));
}

TEST(Royals, ASideThatLostThemHasLost) {  // C-31
  Preset bold = make_preset("bold");
  bold.hooks.should_filter_self_check = [](const Engine&, Side) { return false; };
  const auto book = with_presets({std::move(bold)});
  ChessTable table("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", {"bold"}, book);
  table.play("Rxe8");
  EXPECT_EQ(table.result(), win_for(white));
  EXPECT_EQ(table.reason(), "royals-lost");
}

TEST(Damage, EnPassantAndPromotionTakeTheSamePath) {  // C-32
  ChessTable passing("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"piece-hp"});
  passing.play("e4 dxe3");
  EXPECT_EQ(passing.attribute("e4", "Hp"), 1);  // hit, but it stands; so does the attacker
  EXPECT_EQ(passing.at("d4").side, black);
  EXPECT_FALSE(passing.at("e3"));
  ChessTable raising("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"piece-hp"});
  raising.play("axb8=Q");
  EXPECT_EQ(raising.attribute("b8", "Hp"), 1);
  EXPECT_EQ(raising.at("a7").type, pawn);  // no capture, no promotion
  raising.play("Ke7 axb8=Q");
  EXPECT_EQ(raising.at("b8").type, queen);
  EXPECT_EQ(raising.at("b8").side, white);
}

TEST(PieceTypes, ATypeOfYourOwnIsSpawnedWrittenChecksAndMates) {  // C-36
  auto book = std::make_shared<Rulebook>(standard_rulebook());
  TypeInfo amazon{.id = "amazon",
                  .name = "Amazon",
                  .letter = 'A',
                  .symbols = {"A", "a"},
                  .assets = {"pieces/white-amazon.svg", "pieces/black-amazon.svg"},
                  .value = 1200,
                  .targets = [](const Board& board, Square from, Side side) -> Targets {
                    const Bitboard reach =
                        queen_attacks(from, board.occupied()) | knight_attacks(from);
                    return {reach & ~board.occupied(), reach & board.of(other(side))};
                  }};
  const auto type = book->add_type(amazon);
  ASSERT_TRUE(type);
  EXPECT_FALSE(book->add_type(amazon));  // the id is taken
  ChessTable table("7k/8/8/8/8/8/8/K4A2 w - - 0 1", {}, book);
  EXPECT_EQ(table.fen(), "7k/8/8/8/8/8/8/K4A2 w - - 0 1");
  EXPECT_TRUE(table.engine().spawn_piece(*type, black, parse_square("a8")));
  EXPECT_TRUE(table.engine().in_check(white));
  ChessTable mate("7k/8/8/8/8/8/8/K4A2 w - - 0 1", {}, book);
  mate.play("Af6");  // alone: g7 and g8 next to it, h8 along the diagonal, h7 as a knight
  EXPECT_EQ(mate.reason(), "checkmate");
  EXPECT_EQ(mate.state().view()["zones"]["board"][1]["type"], "amazon");
}

}  // namespace
}  // namespace parlor::chess
