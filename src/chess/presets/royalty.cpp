// Who must not be lost.
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {

void royalty(std::vector<Preset>& out) {
  Preset knightmate =
      describe("knightmate-rules", "Knightmate", "royalty",
               "Knights are royal and kings are not; pawns promote to king instead of knight.");
  knightmate.royal_types = types(knight);
  knightmate.promotes_also = types(king);
  knightmate.promotes_not = types(knight);
  out.push_back(std::move(knightmate));

  Preset coregal = describe("coregal", "Coregal", "royalty", "Queens are royal as well as kings.");
  coregal.royal_types = types(king, queen);
  out.push_back(std::move(coregal));

  Preset dual = describe("dual-king", "Dual king", "royalty",
                         "Every king is royal: none may be left attacked.");
  dual.royal_types = types(king);
  dual.layout = "dual-classic";
  out.push_back(std::move(dual));

  // While a side has two or more kings it contributes nobody, so its self-check filter is off too.
  Preset weak = describe("weak-dual-king", "Weak dual king", "royalty",
                         "Kings are royal only once a side is down to its last one.");
  weak.layout = "dual-classic";
  weak.hooks.get_royal_pieces = [](const Engine& engine, Side side) -> std::optional<Bitboard> {
    if (!engine.in_scope(side)) return std::nullopt;
    const Bitboard kings = engine.board().of(side, king);
    return several(kings) ? 0 : kings;
  };
  out.push_back(std::move(weak));
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
