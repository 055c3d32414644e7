// Other ways to win.
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

constexpr std::string_view winner_key = "winner";

// A preset that remembers the winner when a move has done something decisive.
template <class Decisive>
void win_by_move(Preset& preset, std::string_view reason, Decisive decisive) {
  preset.disturbs = false;
  preset.hooks.on_after_move = [decisive](Engine& engine, const MoveEvent& event) {
    if (engine.in_scope(event.mover) && decisive(event)) engine.set_state(winner_key, event.mover);
  };
  preset.hooks.on_check_game_result = [reason](const Engine& engine) {
    const auto winner = engine.state(winner_key);
    return winner ? Verdict::win(static_cast<Side>(*winner), reason) : Verdict::no_opinion();
  };
}

// The side to move loses first: the other one took its last piece.
Verdict loss_without(const Engine& engine, std::string_view reason, auto&& pieces_of) {
  for (const Side side : {engine.turn(), other(engine.turn())})
    if (engine.in_scope(side) && pieces_of(side) == 0) return Verdict::win(other(side), reason);
  return Verdict::no_opinion();
}

Preset suicide() {
  Preset preset = describe(
      "suicide-chess", "Suicide chess", "objective",
      "Captures are forced, kings are ordinary, and whoever has no pieces or no moves wins.");
  preset.royal_types = TypeSet{0};
  preset.promotes_also = types(king);
  preset.hooks.filter_legal_moves = [](const Engine& engine, Side, MoveList& moves) {
    const auto captures = [&](Move move) {
      return move.kind() == MoveKind::en_passant ||
             (move.kind() != MoveKind::castling && !engine.board().empty(move.to()));
    };
    moves.remove_if([](Move move) { return move.kind() == MoveKind::castling; });
    if (std::ranges::any_of(moves, captures))
      moves.remove_if([&](Move move) { return !captures(move); });
  };
  preset.appraisal.material = -100;
  preset.appraisal.captures_forced = true;
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    if (engine.pieces(engine.turn()) == 0) return Verdict::win(engine.turn(), "no-pieces");
    if (engine.pieces(other(engine.turn())) == 0)
      return Verdict::win(other(engine.turn()), "no-pieces");
    if (!engine.has_legal_move()) return Verdict::win(engine.turn(), "no-moves");
    return Verdict::no_opinion();
  };
  return preset;
}

Preset capture_all() {
  Preset preset =
      describe("capture-all", "Capture all", "objective",
               "Kings are ordinary: take every enemy piece to win; stalemate is a draw.");
  preset.royal_types = TypeSet{0};
  preset.promotes_also = types(king);
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    return loss_without(engine, "all-captured", [&](Side side) { return engine.pieces(side); });
  };
  return preset;
}

Preset extinction() {
  Preset preset = describe(
      "extinction-chess", "Extinction", "objective",
      "Whoever loses the last piece of the target type (pawns) loses; the king stays royal.");
  preset.parameters = {
      {"target", Parameter::Kind::piece_type, pawn, 0, 0, "what must not die out"}};
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    const auto target = static_cast<PieceType>(engine.state("target").value_or(pawn));
    return loss_without(engine, "extinction",
                        [&](Side side) { return engine.board().of(side, target); });
  };
  // The fewer are left, the more each of them matters.
  preset.appraisal.bonus = [](const Engine& engine, Side side) {
    const auto target = static_cast<PieceType>(engine.state("target").value_or(pawn));
    const int left = count(engine.board().of(side, target));
    return engine.in_scope(side) && left > 0 ? -600 / left : 0;
  };
  return preset;
}

Preset last_piece_standing() {
  Preset preset = describe(
      "last-piece-standing", "Last piece standing", "objective",
      "Kings are ordinary; a side without pieces loses, and if one cannot move more pieces win.");
  preset.royal_types = TypeSet{0};
  preset.promotes_also = types(king);
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    const Verdict gone =
        loss_without(engine, "last-piece", [&](Side side) { return engine.pieces(side); });
    if (gone.kind == Verdict::Kind::terminal || engine.has_legal_move()) return gone;
    const int balance = count(engine.pieces(white)) - count(engine.pieces(black));
    if (balance == 0) return Verdict::draw("equal-pieces");
    return Verdict::win(balance > 0 ? white : black, "more-pieces");
  };
  return preset;
}

}  // namespace

void objectives(std::vector<Preset>& out) {
  Preset promotion = describe("first-promotion-wins", "First promotion wins", "objective",
                              "The first side to promote a pawn wins.");
  win_by_move(promotion, "promotion", [](const MoveEvent& event) { return event.promoted; });
  promotion.appraisal.bonus = [](const Engine& engine, Side side) {
    constexpr std::array<int, 8> nearer{0, 0, 5, 15, 45, 130, 350, 0};
    int out = 0;
    for (const Square square : squares_of(engine.board().of(side, pawn)))
      out += nearer[static_cast<std::size_t>(
          std::clamp(7 - (board_ranks - 1 - rank_for(side, square)), 0, 7))];
    return engine.in_scope(side) ? out : 0;
  };
  out.push_back(std::move(promotion));

  Preset capture =
      describe("capture-to-win", "Capture to win", "objective", "The first capture wins.");
  win_by_move(capture, "first-capture",
              [](const MoveEvent& event) { return event.is_capture() && event.target_died; });
  out.push_back(std::move(capture));

  out.push_back(suicide());
  out.push_back(capture_all());
  out.push_back(extinction());
  out.push_back(last_piece_standing());
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
