#include "chess/board.h"

#include "chess/castling.h"
#include "chess/pawns.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

void castle(Board& board, Move move, Side us) {
  const Castling castling(us, move);
  const PieceType king_type = board.type_on(castling.king);
  const PieceType rook_type = board.type_on(castling.rook);
  board.remove(castling.king);
  board.remove(castling.rook);
  board.put(castling.king_to, king_type, us);
  board.put(castling.rook_to, rook_type, us);
}

}  // namespace

bool Board::has_foreign_types() const {
  return (by_type[pawn] | by_type[knight] | by_type[bishop] | by_type[rook] | by_type[queen] |
          by_type[king]) != by_type[no_type];
}

void Board::grant_castling(Side side, Wing wing, Square king_square, Square rook_square) {
  key ^= zobrist::castling(rights);
  rights |= static_cast<std::uint8_t>(1u << castle_index(side, wing));
  key ^= zobrist::castling(rights);
  castle_king[side] = king_square;
  castle_rook[castle_index(side, wing)] = rook_square;
  castle_squares |= bit(king_square) | bit(rook_square);
}

void Board::revoke_castling(Bitboard squares) {
  key ^= zobrist::castling(rights);
  castle_squares = 0;
  for (const Side side : both_sides) {
    bool any = false;
    for (const Wing wing : {Wing::king_side, Wing::queen_side}) {
      const std::size_t index = castle_index(side, wing);
      if ((rights >> index & 1) == 0) continue;
      const Bitboard needed = bit(castle_king[side]) | bit(castle_rook[index]);
      if ((needed & squares) != 0) {
        rights &= static_cast<std::uint8_t>(~(1u << index));
        castle_rook[index] = no_square;
      } else {
        castle_squares |= needed;
        any = true;
      }
    }
    if (!any) castle_king[side] = no_square;
  }
  key ^= zobrist::castling(rights);
}

void make_move_lightly(Board& board, Move move) {
  const Side us = board.turn;
  board.ep = no_square;
  if (move.kind() == MoveKind::castling) {
    castle(board, move, us);
  } else {
    if (move.kind() == MoveKind::en_passant)
      board.remove(move.victim());
    else if (!board.empty(move.to()))
      board.remove(move.to());
    board.shift(move.from(), move.to());
    if (move.promotion() != no_type) {
      board.remove(move.to());
      board.put(move.to(), move.promotion(), us);
    }
    if (move.kind() == MoveKind::double_step) {
      board.ep = static_cast<Square>((move.from() + move.to()) / 2);
      board.ep_victim = move.to();
    }
  }
  board.touch(bit(move.from()) | bit(move.to()));
  board.turn = other(us);
}

void make_move(Board& board, Move move) {
  const Side us = board.turn;
  const bool quiet = move.kind() == MoveKind::castling ||
                     (board.empty(move.to()) && board.type_on(move.from()) != pawn);
  board.key ^= zobrist::en_passant(board.ep, board.ep_victim);
  make_move_lightly(board, move);
  if (board.ep != no_square && en_passant_takers(board, other(us)) != 0) {
    board.key ^= zobrist::en_passant(board.ep, board.ep_victim);
  } else {
    board.ep = board.ep_victim = no_square;
  }
  board.key ^= zobrist::black_to_move;
  board.clock = quiet ? static_cast<std::uint16_t>(board.clock + 1) : 0;
  if (us == black) ++board.full_move;
}

std::string square_name(Square square) {
  return static_cast<char>('a' + file_of(square)) + std::to_string(rank_of(square) + 1);
}

Square parse_square(std::string_view text) {
  const Square found = take_square(text);
  return text.empty() ? found : no_square;
}

Square take_square(std::string_view& text) {
  if (text.size() < 2 || text[0] < 'a' || text[0] >= 'a' + board_files) return no_square;
  std::size_t length = 1;
  int rank = 0;
  // No more digits than ranks have: 2 is not the beginning of 21 on a small board.
  for (; length < text.size() && text[length] >= '0' && text[length] <= '9'; ++length) {
    const int more = rank * 10 + text[length] - '0';
    if (more == 0 || more > board_ranks) break;
    rank = more;
  }
  if (rank == 0) return no_square;
  const Square found = square_at(text[0] - 'a', rank - 1);
  text.remove_prefix(length);
  return found;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
