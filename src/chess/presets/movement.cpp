// Pieces that move differently.
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

Way pawn_way(int file, int rank, Way::Mode mode) {
  Way way;
  way.file = static_cast<std::int8_t>(file);
  way.rank = static_cast<std::int8_t>(rank);
  way.mode = mode;
  return way;
}

// Berolina pawns step diagonally and capture straight ahead; their double step is diagonal as well.
Preset berolina_pawns(bool sideways) {
  Preset preset =
      sideways ? describe("berolina-pawns-2", "Berolina pawns with sideways captures", "movement",
                          "Pawns step diagonally and capture straight ahead or sideways.")
               : describe("berolina-pawns", "Berolina pawns", "movement",
                          "Pawns step diagonally forward and capture straight ahead.");
  Ways ways{pawn_way(0, 1, Way::Mode::capture)};
  for (const int file : {1, -1}) {
    Way step = pawn_way(file, 1, Way::Mode::quiet);
    ways.push_back(step);
    step.most = step.first = 2;
    step.initial = true;
    ways.push_back(step);
    if (sideways) ways.push_back(pawn_way(file, 0, Way::Mode::capture));
  }
  preset.movement.changes = {{types(pawn), std::move(ways), true}};
  return preset;
}

Preset bouncing_pieces(bool everywhere) {
  Preset preset =
      everywhere ? describe("bouncing-pieces-2", "Bouncing pieces on all edges", "movement",
                            "Diagonals of bishops and queens reflect off all edges, at most twice.")
                 : describe("bouncing-pieces", "Bouncing pieces", "movement",
                            "Diagonals of bishops and queens reflect once off the a- and h-files.");
  preset.movement.bouncing = types(bishop, queen);
  preset.movement.bounces = everywhere ? 2 : 1;
  preset.movement.off_ends = everywhere;
  return preset;
}

Preset wrap_board() {
  Preset preset = describe("wrap-board", "Cylinder board", "movement",
                           "The a-file is next to the h-file: everything moves around the edge.");
  preset.movement.wraps = true;
  return preset;
}

Preset knights_leap_twice() {
  Preset preset =
      describe("knights-leap-twice", "Knights leap twice", "movement",
               "A knight may leap a second time from an empty square, capturing only at the end.");
  Ways twice;
  for (const Way& first : leaps(1, 2))
    for (const Way& second : leaps(1, 2)) {
      Way way = first;
      way.then_file = second.file;
      way.then_rank = second.rank;
      twice.push_back(way);
    }
  preset.movement.changes = {{types(knight), std::move(twice), false}};
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

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
