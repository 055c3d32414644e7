// Pieces that move differently.
#include "chess/presets/presets.h"

namespace parlor::chess::presets {
namespace {

struct Step {
  int file, rank;
};
constexpr std::array<Step, 4> diagonals{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Step, 4> orthogonals{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Step, 8> knight_leaps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

// What a pawn of this side could take: enemies, and the square an enemy pawn has just passed.
Bitboard pawn_prey(const Board& board, Side side) {
  Bitboard prey = board.of(other(side));
  if (board.ep != no_square && has(prey, board.ep_victim)) prey |= bit(board.ep);
  return prey;
}

Bitboard forward(Bitboard set, Side side) {
  return side == white ? north(set) : south(set);
}

// Berolina pawns step diagonally and capture straight ahead; their double step is diagonal as well.
Targets berolina(const Board& board, const Piece& piece) {
  const Bitboard empty = ~board.occupied();
  const Bitboard here = forward(bit(piece.square), piece.side);
  Targets out;
  for (auto* const sideways : {&east, &west}) {
    const Bitboard step = (*sideways)(here)&empty;
    out.quiet |= step;
    if (rank_of(piece.square) == pawn_rank(piece.side))
      out.quiet |= (*sideways)(forward(step, piece.side)) & empty;
  }
  out.capture = here & pawn_prey(board, piece.side);
  return out;
}

Preset berolina_pawns(bool sideways) {
  Preset preset =
      sideways ? describe("berolina-pawns-2", "Berolina pawns with sideways captures", "movement",
                          "Pawns step diagonally and capture straight ahead or sideways.")
               : describe("berolina-pawns", "Berolina pawns", "movement",
                          "Pawns step diagonally forward and capture straight ahead.");
  preset.shapes = types(pawn);
  preset.reach = 1;
  preset.hooks.transform_move_generator = [sideways](const Engine& engine, const Piece& piece,
                                                     Targets targets) {
    if (piece.type != pawn) return targets;
    Targets out = berolina(engine.board(), piece);
    if (sideways)
      out.capture |= (east(bit(piece.square)) | west(bit(piece.square))) &
                     engine.board().of(other(piece.side));
    return out;
  };
  return preset;
}

// Walks one diagonal that turns back at edges. `all_edges`: also off the first and last rank.
Bitboard bounce(Square from, Step step, Bitboard occupied, int bounces, bool all_edges) {
  Bitboard visited = bit(from);
  int file = file_of(from);
  int rank = rank_of(from);
  while (true) {
    const bool off_side = file + step.file < 0 || file + step.file > 7;
    const bool off_end = rank + step.rank < 0 || rank + step.rank > 7;
    bounces -= (off_side ? 1 : 0) + (off_end ? 1 : 0);  // a corner is two edges at once
    if (bounces < 0 || (off_end && !all_edges)) break;
    if (off_side) step.file = -step.file;
    if (off_end) step.rank = -step.rank;
    file += step.file;
    rank += step.rank;
    const Square square = square_at(file, rank);
    if (has(visited, square)) break;  // no square twice, the origin included
    visited |= bit(square);
    if (has(occupied, square)) break;
  }
  return visited & ~bit(from);
}

Preset bouncing_pieces(bool everywhere) {
  Preset preset =
      everywhere ? describe("bouncing-pieces-2", "Bouncing pieces on all edges", "movement",
                            "Diagonals of bishops and queens reflect off all edges, at most twice.")
                 : describe("bouncing-pieces", "Bouncing pieces", "movement",
                            "Diagonals of bishops and queens reflect once off the a- and h-files.");
  preset.shapes = types(bishop, queen);
  preset.hooks.transform_move_generator = [everywhere](const Engine& engine, const Piece& piece,
                                                       Targets targets) {
    if (piece.type != bishop && piece.type != queen) return targets;
    const Bitboard occupied = engine.board().occupied();
    for (const Step step : diagonals) {
      const Bitboard reach = bounce(piece.square, step, occupied, everywhere ? 2 : 1, everywhere);
      targets.quiet |= reach & ~occupied;
      targets.capture |= reach & engine.board().of(other(piece.side));
    }
    return targets;
  };
  return preset;
}

// ---- The cylinder: the a-file lies next to the h-file.

Bitboard leap_around(Square from, Step step) {
  const int rank = rank_of(from) + step.rank;
  if (rank < 0 || rank > 7) return 0;
  return bit(square_at((file_of(from) + step.file + 8) & 7, rank));
}

Bitboard slide_around(Square from, Step step, Bitboard occupied) {
  Bitboard out = 0;
  Square at = from;
  while (true) {
    const Bitboard next = leap_around(at, step);
    if (next == 0 || next == bit(from)) return out;  // off the board, or once around an empty rank
    out |= next;
    at = first(next);
    if ((next & occupied) != 0) return out;
  }
}

Bitboard around(const Piece& piece, Bitboard occupied) {
  Bitboard out = 0;
  const bool diagonal = piece.type == bishop || piece.type == queen;
  const bool straight = piece.type == rook || piece.type == queen;
  for (const Step step : diagonals) {
    if (diagonal) out |= slide_around(piece.square, step, occupied);
    if (piece.type == king) out |= leap_around(piece.square, step);
  }
  for (const Step step : orthogonals) {
    if (straight) out |= slide_around(piece.square, step, occupied);
    if (piece.type == king) out |= leap_around(piece.square, step);
  }
  if (piece.type == knight)
    for (const Step step : knight_leaps) out |= leap_around(piece.square, step);
  return out;
}

Preset wrap_board() {
  Preset preset = describe("wrap-board", "Cylinder board", "movement",
                           "The a-file is next to the h-file: everything moves around the edge.");
  preset.shapes = fide_types;
  preset.hooks.transform_move_generator = [](const Engine& engine, const Piece& piece,
                                             Targets targets) {
    const Board& board = engine.board();
    if (piece.type == pawn) {
      const int up = piece.side == white ? 1 : -1;
      const Bitboard strikes =
          leap_around(piece.square, {1, up}) | leap_around(piece.square, {-1, up});
      targets.capture |= strikes & pawn_prey(board, piece.side);
      return targets;
    }
    const Bitboard reach = around(piece, board.occupied());
    targets.quiet |= reach & ~board.occupied();
    targets.capture |= reach & board.of(other(piece.side));
    return targets;
  };
  return preset;
}

Preset knights_leap_twice() {
  Preset preset =
      describe("knights-leap-twice", "Knights leap twice", "movement",
               "A knight may leap a second time from an empty square, capturing only at the end.");
  preset.shapes = types(knight);
  preset.reach = 4;
  preset.hooks.get_extra_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    if (piece.type != knight) return;
    const Board& board = engine.board();
    Bitboard reach = 0;
    for (const Square middle : squares_of(knight_attacks(piece.square) & ~board.occupied()))
      reach |= knight_attacks(middle);
    reach &= ~bit(piece.square);
    moves.quiet |= reach & ~board.occupied();
    moves.capture |= reach & board.of(other(piece.side));
  };
  return preset;
}

Preset knight_immunity() {
  Preset preset = describe("knight-immunity", "Knight immunity", "movement",
                           "Knights cannot be captured; with a scope, not by that side.");
  preset.hooks.filter_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    moves.capture &= ~engine.board().of(other(piece.side), knight);
  };
  return preset;
}

}  // namespace

void movement(std::vector<Preset>& out) {
  out.push_back(berolina_pawns(false));
  out.push_back(berolina_pawns(true));
  out.push_back(bouncing_pieces(false));
  out.push_back(bouncing_pieces(true));
  out.push_back(wrap_board());
  out.push_back(knights_leap_twice());
  out.push_back(knight_immunity());
}

}  // namespace parlor::chess::presets
