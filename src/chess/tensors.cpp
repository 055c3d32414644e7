// A chess position as numbers: planes of pieces, mine and theirs, then a few numbers about the
// game. What presets keep for themselves is not part of it (docs/python.md).
#include <algorithm>

#include "chess/chess.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr float clock_scale = automatic_clock;
constexpr std::size_t fide_count = 6;

// Planes of pieces: every type, mine, then theirs.
std::size_t piece_types(const ChessGame& game) {
  return game.ruled() ? game.book().type_count() - 1 : fide_count;
}

}  // namespace

void ChessGame::list_tensor_parts() {
  const std::size_t types = piece_types(*this),
                    attributes = ruled_ ? book_->attributes().size() : 0;
  tensor_parts_.push_back(
      {"board", {2 * types + 1 + attributes, board_ranks, board_files}, "plane rank file", -1, 1});
  // My turn, over; castling: mine, theirs, king's side first; fifty moves, repetitions, whether a
  // draw can be claimed, whether this is the second half of a double move; I am black.
  tensor_parts_.push_back({"clock", {11}, "number", 0, 1});
  if (ruled_) tensor_parts_.push_back({"rules", {book_->preset_count(), 2}, "preset side", 0, 1});
}

void ChessGame::observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const {
  const Position& p = position(block);
  const Board& board = p.board;
  const auto me = static_cast<Side>(viewer.value == 0 ? white : black);
  std::ranges::fill(out, 0.0F);
  const std::size_t types = piece_types(*this);
  for (const Square square : squares_of(board.occupied())) {
    const std::size_t side = board.side_on(square) == me ? 0 : 1;
    out[(side * types + board.type_on(square) - 1) * board_squares + square] = 1;
  }
  std::size_t at = 2 * types * board_squares;
  if (board.ep != no_square) out[at + board.ep] = 1;
  at += board_squares;
  if (ruled_) {
    for (std::size_t column = 0; column < book_->attributes().size();
         ++column, at += board_squares) {
      const Attribute& attribute = book_->attributes()[column];
      const int most = std::max({1, std::abs(attribute.low), std::abs(attribute.high)});
      for (const Square square : squares_of(board.occupied()))
        if (const std::int16_t cell = p.cell(column, p.slot_on[square]); cell != 0)
          out[at + square] = static_cast<float>(value_in(cell)) / static_cast<float>(most);
    }
  }
  const bool over = p.result != Result::ongoing;
  out[at++] = !over && board.turn == me ? 1 : 0;
  out[at++] = over ? 1 : 0;
  for (const Side side : {me, other(me)})
    for (const Wing wing : {Wing::king_side, Wing::queen_side})
      out[at++] = board.can_castle(side, wing) ? 1 : 0;
  out[at++] = std::min(1.0F, static_cast<float>(board.clock) / clock_scale);
  out[at++] = std::min(1.0F, static_cast<float>(p.repetitions) / 5.0F);
  out[at++] = !over && claimable(p) ? 1 : 0;
  out[at++] = static_cast<float>(std::min<int>(p.half_moves, 3)) / 3.0F;
  out[at++] = me == black ? 1 : 0;
  if (!ruled_) return;
  for (std::size_t i = 0; i < p.active_count; ++i)
    for (std::size_t side = 0; side < 2; ++side)
      out[at + p.active[i].preset * std::size_t{2} + side] =
          static_cast<float>(p.active[i].scope >> (side == 0 ? me : other(me)) & 1);
}

}  // namespace parlor::chess::inline PARLOR_BOARD
