// Positions as text: FEN with X-FEN castling, and the set-ups that have a name.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "chess/preset.h"

namespace parlor::chess::inline PARLOR_BOARD {

class Engine;

// Whether pawns may stand on the first and last rank, where only house rules can put them.
enum class EndRankPawns : std::uint8_t { refused, welcome };

// What a FEN says that only some rules know: pieces in hand, checks still to give, who was
// promoted.
struct FenExtras {
  std::string holdings;
  std::string before_clock;
  Bitboard promoted = 0;
  bool empty() const { return holdings.empty() && before_clock.empty() && promoted == 0; }
};

// Reads a FEN; the last two fields may be missing. Castling is KQkq for the outermost rook or a
// file letter for any other. The error says what is wrong and in which field.
tl::expected<Board, std::string> parse_fen(std::string_view text, const Rulebook& book,
                                           EndRankPawns end_rank_pawns = EndRankPawns::refused,
                                           FenExtras* extras = nullptr);
// An en-passant victim that does not stand straight behind its square is named too, e.g. "d3e4";
// read are both orders.
std::string to_fen(const Board& board, const Rulebook& book, const FenExtras& extras = {});
// With all that the rules in force keep.
std::string to_fen(const Engine& engine);

struct Layout {
  std::string name;
  std::string description;
  std::string fen;
  std::string rules = {};  // the preset it is meant for, used when none is asked for
};
const std::vector<Layout>& named_layouts();
// A named set-up, or "chess960:N" with N from 0 to 959.
tl::expected<Layout, Diagnostic> find_layout(std::string_view name);
// The back rank of Fischer random chess by its number.
std::string chess960_back_rank(int number);

}  // namespace parlor::chess::inline PARLOR_BOARD
