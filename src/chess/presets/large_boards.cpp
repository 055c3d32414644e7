// What is played on boards larger than 8×8, with the pieces that are there: the archbishop (bishop
// and knight in one) and the chancellor (rook and knight).
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

struct Compounds {
  PieceType archbishop, chancellor;
};

// How many of a type a side can have by promotion: as many as it began with.
int most_of(PieceType type) {
  return type == knight || type == bishop || type == rook ? 2 : 1;
}

[[maybe_unused]] Preset capablanca(const Compounds& types_here) {
  Preset preset =
      describe("capablanca", "Capablanca chess", "board",
               "Ten files, with an archbishop and a chancellor; pawns may become them.");
  preset.layout = "capablanca";
  preset.promotes_also = types(types_here.archbishop, types_here.chancellor);
  return preset;
}

// Pawns may be promoted on the last three ranks and must be on the last one, only to what the side
// has lost; without anything lost they wait before it.
[[maybe_unused]] Preset grand_chess(const Compounds& types_here) {
  Preset preset = describe("grand-chess", "Grand chess", "board",
                           "Ten by ten squares, an archbishop and a chancellor; pawns become what "
                           "was lost, on the last three ranks.");
  preset.layout = "grand-chess";
  preset.promotes_also = types(types_here.archbishop, types_here.chancellor);
  preset.shapes = types(pawn);
  preset.reach = 1;
  preset.hooks.get_extra_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    if (piece.type != pawn || !engine.in_scope(piece.side)) return;
    for (std::size_t number = knight; number < engine.book().type_count(); ++number)
      if (const auto type = static_cast<PieceType>(number);
          count(engine.board().of(piece.side, type)) >= most_of(type))
        moves.promotions &= static_cast<TypeSet>(~types(type));
    const int up = piece.side == white ? 1 : -1;
    moves.may_promote =
        rank_bb(last_rank(piece.side) - up) | rank_bb(last_rank(piece.side) - 2 * up);
  };
  preset.hooks.filter_legal_moves = [](const Engine& engine, Side side, MoveList& moves) {
    if (!engine.in_scope(side)) return;
    moves.remove_if([&](Move move) {
      return move.kind() == MoveKind::normal && move.promotion() == no_type &&
             engine.board().type_on(move.from()) == pawn && rank_of(move.to()) == last_rank(side);
    });
  };
  return preset;
}

}  // namespace

void large_boards([[maybe_unused]] Rulebook& book, [[maybe_unused]] std::vector<Preset>& out) {
  if constexpr (board_squares > 64) {
    const Compounds found{*book.add_type(type_info("archbishop", "Archbishop", 'A', {"A", "a"}, 800,
                                                   slides(1, 1) + leaps(1, 2))),
                          *book.add_type(type_info("chancellor", "Chancellor", 'C', {"C", "c"}, 850,
                                                   slides(1, 0) + leaps(1, 2)))};
    out.push_back(board_ranks == 8 ? capablanca(found) : grand_chess(found));
  }
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
