// The hook surface: order of both pipelines, aggregation, scope, activation (C-10 to C-15, C-30 to
// C-36).
#include <algorithm>
#include <gmock/gmock.h>

#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::ElementsAre;
using Record = std::shared_ptr<std::vector<std::string>>;

// Writes down every question it is asked and answers with "no opinion".
Preset recorder(std::string id, Record record) {
  Preset preset = make_preset(id);
  preset.disturbs = false;
  Hooks& h = preset.hooks;
  const auto note = [record, id](const char* hook) { record->push_back(id + "." + hook); };
  h.on_activate = [note](Engine&) { note("on_activate"); };
  h.on_deactivate = [note](Engine&) { note("on_deactivate"); };
  h.override_piece_moves = [note](const Engine&, const Piece&) -> std::optional<MoveSet> {
    note("override_piece_moves");
    return std::nullopt;
  };
  h.transform_move_generator = [note](const Engine&, const Piece&, Targets targets) {
    note("transform_move_generator");
    return targets;
  };
  h.get_extra_moves = [note](const Engine&, const Piece&, MoveSet&) { note("get_extra_moves"); };
  h.filter_moves = [note](const Engine&, const Piece&, MoveSet&) { note("filter_moves"); };
  h.should_filter_self_check = [note](const Engine&, Side) {
    note("should_filter_self_check");
    return true;
  };
  h.filter_legal_moves = [note](const Engine&, Side, MoveList&) { note("filter_legal_moves"); };
  h.get_royal_pieces = [note](const Engine&, Side) -> std::optional<Bitboard> {
    note("get_royal_pieces");
    return std::nullopt;
  };
  h.on_before_move = [note](Engine&, Move) -> CancelAnswer {
    note("on_before_move");
    return {};
  };
  h.on_before_capture = [note](Engine&, const Capture&) {
    note("on_before_capture");
    return false;
  };
  h.on_damage = [note](Engine&, const Damage& damage) {
    note("on_damage");
    return DamageAnswer::pass(damage.amount);
  };
  h.on_piece_spawn = [note](Engine&, const Piece&) { note("on_piece_spawn"); };
  h.on_piece_retract = [note](Engine&, const Retraction&) { note("on_piece_retract"); };
  h.on_after_move = [note](Engine&, const MoveEvent&) { note("on_after_move"); };
  h.on_turn_start = [note](Engine&, Side) { note("on_turn_start"); };
  h.should_advance_turn = [note](const Engine&, const MoveEvent&, int) {
    note("should_advance_turn");
    return true;
  };
  h.on_check_game_result = [note](const Engine&) {
    note("on_check_game_result");
    return Verdict::no_opinion();
  };
  h.describe_move_effect = [note](const Engine&, const MoveEvent&) {
    note("describe_move_effect");
    return std::string{};
  };
  return preset;
}

Record new_record() {
  return std::make_shared<std::vector<std::string>>();
}

// Each entry once, in order of its first appearance.
std::vector<std::string> firsts(const std::vector<std::string>& entries) {
  std::vector<std::string> out;
  for (const std::string& entry : entries)
    if (std::ranges::find(out, entry) == out.end()) out.push_back(entry);
  return out;
}

// Questions of the query are asked in between; keep those of the application.
std::vector<std::string> applied(const std::vector<std::string>& entries) {
  std::vector<std::string> out;
  for (const std::string& entry : entries)
    if (entry.find("moves") == entry.npos && entry.find("royal") == entry.npos &&
        entry.find("generator") == entry.npos && entry.find("self_check") == entry.npos)
      out.push_back(entry);
  return out;
}

constexpr const char* small_fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

TEST(HookOrder, MoveQuery) {  // section 3
  const Record record = new_record();
  ChessTable table(small_fen, {"r"}, with_presets({recorder("r", record)}));
  record->clear();
  MoveList moves;
  table.engine().legal_moves(moves);
  // Step 3 tries captures out on a copy; what is asked there belongs to the application.
  std::erase_if(*record, [](const std::string& entry) {
    return entry == "r.on_before_capture" || entry == "r.on_damage" ||
           entry == "r.on_piece_retract";
  });
  EXPECT_THAT(firsts(*record), ElementsAre("r.get_royal_pieces", "r.override_piece_moves",
                                           "r.transform_move_generator", "r.get_extra_moves",
                                           "r.filter_moves", "r.should_filter_self_check",
                                           "r.filter_legal_moves", "r.on_before_move"));
}

TEST(HookOrder, MoveApplication) {  // section 3: the eleven steps, durations between 6 and 8
  const Record record = new_record();
  Preset brief = make_preset("brief");
  brief.hooks.on_deactivate = [record](Engine&) { record->push_back("brief.on_deactivate"); };
  ChessTable table(small_fen, {"r", "brief@1"},
                   with_presets({recorder("r", record), std::move(brief)}));
  const Move capture = parse_move(table.engine(), "exd5").value();
  record->clear();
  ASSERT_TRUE(table.engine().apply(capture, nullptr));
  EXPECT_THAT(
      firsts(applied(*record)),
      ElementsAre("r.on_before_move", "r.on_before_capture", "r.on_damage", "r.on_piece_retract",
                  "r.should_advance_turn", "brief.on_deactivate", "r.on_after_move",
                  "r.on_turn_start", "r.on_check_game_result", "r.describe_move_effect"));
}

TEST(HookOrder, FollowsTheActiveList) {  // C-13
  const Record record = new_record();
  const auto book = with_presets({recorder("a", record), recorder("b", record)});
  ChessTable table(small_fen, {"b", "a"}, book);
  auto seen = applied(firsts(*record));
  seen.resize(4);
  EXPECT_THAT(seen, ElementsAre("b.on_activate", "a.on_activate", "b.on_check_game_result",
                                "a.on_check_game_result"));
}

TEST(HookOrder, VetoedTurnsDoNotStartOne) {
  const Record record = new_record();
  Preset again = make_preset("again");
  again.hooks.should_advance_turn = [](const Engine&, const MoveEvent&, int half_moves) {
    return half_moves >= 2;
  };
  ChessTable table(small_fen, {"again", "r"},
                   with_presets({recorder("r", record), std::move(again)}));
  record->clear();
  table.play("Kd2");
  EXPECT_EQ(std::ranges::count(*record, "r.on_turn_start"), 0);
  EXPECT_EQ(std::ranges::count(*record, "r.should_advance_turn"), 0);  // the first false decides
  EXPECT_EQ(table.engine().turn(), white);
  table.play("Kd3");
  EXPECT_EQ(std::ranges::count(*record, "r.on_turn_start"), 1);
  EXPECT_EQ(table.engine().turn(), black);
}

TEST(Activation, IsAllOrNothingAndListsEveryViolation) {  // C-11
  const Record record = new_record();
  ChessTable table(small_fen, {"r"}, with_presets({recorder("r", record)}));
  record->clear();
  const std::vector<rules::Activation> bad{
      {"nobody"}, {"king-heals"}, {"double-move"}, {"monster-rules"}};
  const State before = table.state();
  auto done = table.game().set_active_presets(table.state().block(), bad);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().all().size(), 3u);
  EXPECT_TRUE(table.state() == before);
  EXPECT_TRUE(record->empty());
}

TEST(Activation, DropsFirstThenActivatesInOrder) {  // C-11
  const Record record = new_record();
  const auto book =
      with_presets({recorder("a", record), recorder("b", record), recorder("c", record)});
  ChessTable table(small_fen, {"a", "b"}, book);
  record->clear();
  const std::vector<rules::Activation> next{{"c"}, {"b"}};
  ASSERT_TRUE(table.game().set_active_presets(table.state().block(), next));
  const auto seen = applied(*record);
  ASSERT_GE(seen.size(), 2u);
  EXPECT_EQ(seen[0], "a.on_deactivate");
  EXPECT_EQ(seen[1], "c.on_activate");
  EXPECT_EQ(std::ranges::count(*record, "b.on_activate"), 0);  // it stays
}

TEST(Activation, DurationsTickWithEachMove) {  // C-12
  ChessTable table("start", {"berolina-pawns@2"});
  EXPECT_TRUE(table.legal("e2d3"));
  table.play("e2d3 e7d6");
  EXPECT_FALSE(table.engine().is_active("berolina-pawns"));
  EXPECT_FALSE(table.legal("a2b3"));
}

TEST(Activation, StateAndAttributesGoWithThePreset) {  // C-03, C-04
  ChessTable table("start", {"piece-hp@1", "extinction-chess"});
  EXPECT_EQ(table.attribute("e2", "Hp"), 2);
  table.play("e4");
  EXPECT_EQ(table.attribute("e4", "Hp"), -1);
  EXPECT_THAT(table.engine().effective_piece_attrs(), ElementsAre("type", "colour", "square"));
}

TEST(Scope, BindsOnlyItsSide) {  // C-14
  ChessTable table("start", {"berolina-pawns:white"});
  EXPECT_TRUE(table.legal("e2d3"));
  table.play("e2d3");
  EXPECT_TRUE(table.legal("e5"));
  EXPECT_FALSE(table.legal("e7d6"));
}

TEST(Scope, APresetMayFlipItsOwn) {  // C-14
  Preset flip = make_preset("flip");
  flip.hooks.filter_moves = [](const Engine&, const Piece& piece, MoveSet& moves) {
    if (piece.type == knight) moves.quiet = moves.capture = 0;
  };
  flip.hooks.on_after_move = [](Engine& engine, const MoveEvent&) {
    engine.set_scope(rules::Scope{static_cast<std::uint16_t>(engine.in_scope(white) ? 2 : 1)});
  };
  ChessTable table("start", {"flip:white"}, with_presets({std::move(flip)}));
  EXPECT_EQ(table.count(), 16u);
  table.play("e4");
  EXPECT_EQ(table.count(), 16u);  // now Black's knights rest
  table.play("e5");
  EXPECT_FALSE(table.legal("Nf3"));
}

TEST(Cancel, LeavesNoTraceAndIsNotOffered) {
  Preset touchy = make_preset("touchy");
  touchy.attributes = {{"Mood", 0, 9}};
  touchy.hooks.on_before_move = [](Engine& engine, Move move) -> CancelAnswer {
    engine.set_state("asked", 1);
    engine.set_attribute(engine.piece_at(move.from()), engine.own_attribute(0), 5);
    return {engine.board().type_on(move.from()) == knight, "knights rest"};
  };
  ChessTable table("start", {"touchy"}, with_presets({std::move(touchy)}));
  EXPECT_EQ(table.count(), 16u);
  const State before = table.state();
  const auto refused = table.engine().apply(Move{parse_square("g1"), parse_square("f3")}, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "CHESS_MOVE_CANCELLED");
  EXPECT_EQ(refused.error().message, "knights rest");
  EXPECT_TRUE(table.state() == before);
}

TEST(Override, FirstAnswerWinsAndFiltersStillRun) {
  const auto step = [](std::string id, int up) {
    Preset preset = make_preset(std::move(id));
    preset.hooks.override_piece_moves = [up](const Engine&,
                                             const Piece& piece) -> std::optional<MoveSet> {
      if (piece.type != rook) return std::nullopt;
      MoveSet out;
      out.quiet = bit(static_cast<Square>(piece.square + up));
      return out;
    };
    return preset;
  };
  Preset filter = make_preset("not-b4");
  filter.hooks.filter_moves = [](const Engine&, const Piece&, MoveSet& moves) {
    moves.quiet &= ~bit(parse_square("b4"));
  };
  const auto book = with_presets({step("one", 1), step("two", 2), std::move(filter)});
  ChessTable table("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", {"one"}, book);
  EXPECT_TRUE(table.legal("a4b4"));
  EXPECT_FALSE(table.legal("a4a5"));
  ChessTable both("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", {"two", "one"}, book);
  EXPECT_TRUE(both.legal("a4c4"));
  EXPECT_FALSE(both.legal("a4b4"));
  ChessTable filtered("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", {"one", "not-b4"}, book);
  EXPECT_FALSE(filtered.legal("a4b4"));
}

TEST(Attacks, ComeFromThePipeline) {  // C-30
  // A rook on the h-file checks around the edge only on the cylinder.
  const char* const guarded = "8/8/8/kn5R/8/8/8/4K3 b - - 0 1";
  EXPECT_TRUE(ChessTable(guarded, {"wrap-board"}).engine().in_check(black));
  EXPECT_FALSE(ChessTable(guarded).engine().in_check(black));
  // A piece without stamina gives no check.
  Preset tired = make_preset("tired");
  tired.hooks.filter_moves = [](const Engine&, const Piece& piece, MoveSet& moves) {
    if (piece.type == rook) moves.quiet = moves.capture = 0;
  };
  const auto book = with_presets({std::move(tired)});
  EXPECT_FALSE(
      ChessTable("8/8/8/k6R/8/8/8/4K3 b - - 0 1", {"tired"}, book).engine().in_check(black));
}

TEST(Royals, UnionAndEmptyContribution) {  // C-31
  EXPECT_EQ(count(ChessTable("start", {"coregal", "knightmate-rules"}).engine().royals(white)), 4);
  ChessTable none("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", {"capture-all"});
  EXPECT_EQ(none.engine().royals(white), 0u);
  EXPECT_FALSE(none.engine().in_check(white));
  EXPECT_TRUE(none.legal("Kd1"));  // next to the rook's line is fine
}

TEST(Damage, ReducedAmountsPassOn) {  // C-32
  Preset armour = make_preset("armour");
  armour.hooks.on_damage = [](Engine&, const Damage& damage) {
    return DamageAnswer::pass(damage.amount - 1);
  };
  Preset never = make_preset("never");
  bool asked = false;
  never.hooks.on_damage = [&asked](Engine&, const Damage&) {
    asked = true;
    return DamageAnswer::killed();
  };
  ChessTable table(small_fen, {"armour", "never"},
                   with_presets({std::move(armour), std::move(never)}));
  table.play("exd5");
  EXPECT_FALSE(asked);
  EXPECT_EQ(table.at("d5").side, black);  // survived: the attacker stays and the turn goes on
  EXPECT_EQ(table.at("e4").side, white);
  EXPECT_EQ(table.engine().turn(), black);
}

TEST(Spawn, OccupiedSquaresAreRefused) {  // C-33
  ChessTable table("start");
  const auto refused = table.engine().spawn_piece(queen, white, parse_square("e2"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "CHESS_SPAWN_REFUSED");
  const auto born = table.engine().spawn_piece(queen, white, parse_square("e4"));
  ASSERT_TRUE(born);
  EXPECT_EQ(born->id, 33);
  EXPECT_EQ(table.at("e4").id, 33);
}

TEST(DoubleMoves, EnPassantComesFromTheLastHalfMove) {  // C-34
  ChessTable table("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"double-move"});
  table.play("e4 Kd1");
  EXPECT_FALSE(table.legal("dxe3"));
  ChessTable last("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"double-move"});
  last.play("Kd1 e4");
  EXPECT_TRUE(last.legal("dxe3"));
  last.play("Kd8");
  EXPECT_FALSE(last.legal("dxe3"));  // only for the first half-move
}

TEST(DoubleMoves, WithoutAMoveTheTurnPasses) {  // C-34
  // After h3 nothing of White's can move, so Black is to move at once.
  ChessTable table("8/8/8/8/7p/1k6/p6P/K7 w - - 0 1", {"double-move"});
  table.play("h3");
  EXPECT_EQ(table.engine().turn(), black);
  EXPECT_EQ(table.engine().half_moves(), 0);
  table.play("Kc3");
  EXPECT_EQ(table.engine().turn(), black);
}

TEST(Suppressed, NoMoveIsADraw) {  // C-35
  Preset calm = make_preset("calm");
  calm.hooks.on_check_game_result = [](const Engine&) { return Verdict::ongoing(); };
  const auto book = with_presets({std::move(calm)});
  ChessTable table("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", {"calm"}, book);  // would be mate
  EXPECT_EQ(table.result(), Result::draw);
  EXPECT_EQ(table.reason(), "no-moves");
}

TEST(PieceTypes, RegisteredTypesCheckAndMate) {  // C-36
  ChessTable cannon("4k3/4p3/8/8/8/8/4C3/4K3 b - - 0 1");
  EXPECT_TRUE(cannon.engine().in_check(black));
  EXPECT_EQ(cannon.fen(), "4k3/4p3/8/8/8/8/4C3/4K3 b - - 0 1");
  ChessTable mate("7k/6pp/8/4Z3/8/8/8/K7 w - - 0 1");
  EXPECT_TRUE(mate.legal("Zg6"));
  mate.play("Zg6");  // covers g8 as a knight would not, h8 as a knight does
  EXPECT_TRUE(mate.engine().in_check(black));
}

TEST(Entities, APieceKeepsItsIdForLife) {  // C-01
  ChessTable table("r3k2r/1P1p4/8/4P3/8/8/8/R3K2R b KQkq - 0 1");
  const auto pawn = table.at("e5").id, king = table.at("e1").id, rook = table.at("h1").id;
  const auto victim = table.at("d7").id, climber = table.at("b7").id, corner = table.at("a8").id;
  EXPECT_GT(std::min({pawn, king, rook, victim, climber, corner}), 0);
  table.play("d5 exd6");
  EXPECT_EQ(table.at("d6").id, pawn);
  EXPECT_FALSE(table.engine().piece(victim)) << "taken in passing";
  EXPECT_FALSE(table.engine().contains(victim, "square"));
  table.play("Kf7 O-O+ Kg7 bxa8=Q");
  EXPECT_EQ(table.at("g1").id, king);
  EXPECT_EQ(table.at("f1").id, rook);
  EXPECT_EQ(table.at("a8").id, climber) << "promoted, and still the same piece";
  EXPECT_EQ(table.engine().get(climber, "type"), queen);
  EXPECT_FALSE(table.engine().piece(corner));
  const State copy = table.state();
  EXPECT_TRUE(copy == table.state());
}

TEST(Facts, ShowTheSameData) {  // C-02
  ChessTable table("4k3/8/8/8/8/8/8/4K3 w - - 0 1", {"piece-hp"});
  const auto facts = table.engine().all_facts();
  ASSERT_EQ(facts.size(), 8u);
  EXPECT_EQ(facts[0], (Fact{1, "type", king}));
  EXPECT_EQ(facts[1], (Fact{1, "colour", white}));
  EXPECT_EQ(facts[2], (Fact{1, "square", 4}));
  EXPECT_EQ(facts[3], (Fact{1, "Hp", 2}));
  Engine engine = table.engine();
  EXPECT_TRUE(engine.insert(1, "Hp", 99));
  EXPECT_EQ(engine.get(1, "Hp"), 9);  // the bound
  EXPECT_TRUE(engine.retract(1, "Hp"));
  EXPECT_FALSE(engine.contains(1, "Hp"));
  EXPECT_FALSE(engine.insert(1, "Mana", 1));
  EXPECT_FALSE(engine.insert(77, "Hp", 1));
  EXPECT_TRUE(engine.insert(1, "square", 12));
  EXPECT_EQ(table.at("e2").id, 1);
}

TEST(Effects, NobodyListeningIsFine) {  // C-06
  struct Listener : EventListener {
    std::vector<std::string> kinds;
    void on_event(const Event& event) override {
      if (event.kind == "note" && event.data.contains("ttl")) kinds.push_back(event.data["effect"]);
    }
  };
  ChessTable quiet(small_fen, {"piece-hp"});
  ChessTable heard(small_fen, {"piece-hp"});
  const Move capture = parse_move(quiet.engine(), "exd5").value();
  Listener listener;
  ASSERT_TRUE(quiet.state().apply(Option{capture.bits}));
  ASSERT_TRUE(heard.state().apply(Option{capture.bits}, &listener));
  EXPECT_THAT(listener.kinds, ElementsAre("damage"));
  EXPECT_EQ(quiet.state().hash(), heard.state().hash());
}

TEST(Effects, AreSaidInSentencesOrNotAtAll) {  // C-06, C-77
  struct Listener : EventListener {
    std::vector<std::string> said;
    void on_event(const Event& event) override {
      if (event.kind == "note" && event.data["text"] != "") said.push_back(event.data["text"]);
    }
  };
  const auto said = [](std::vector<std::string> rules) {
    ChessTable table(small_fen, std::move(rules));
    Listener listener;
    const Move capture = parse_move(table.engine(), "exd5").value();
    EXPECT_TRUE(table.state().apply(Option{capture.bits}, &listener));
    return listener.said;
  };
  EXPECT_THAT(said({"cannon"}), ElementsAre()) << "the move says what it takes";
  EXPECT_THAT(said({"piece-hp"}),
              ElementsAre("the pawn on d5 survives capture", "d5 holds with 1 hp"));
  EXPECT_THAT(said({"piece-shield"}),
              ElementsAre("the shield on d5 breaks", "the pawn on d5 survives capture"));
}

}  // namespace
}  // namespace parlor::chess
