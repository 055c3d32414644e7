// Moves as people and programs write them.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {

// "e2e4", "e7e8q", castling as "e1g1" (or king takes rook where that is not the classic squares),
// "pass" and "claim-draw".
std::string to_uci(const Engine& engine, Move move);
// The second square of that.
Square written_target(Move move);
// "Nbd7", "exd8=Q+", "O-O", with disambiguation among the legal moves.
std::string to_san(const Engine& engine, Move move);
// The legal move meant by SAN or UCI text; the error says what is wrong.
tl::expected<Move, std::string> parse_move(const Engine& engine, std::string_view text);

}  // namespace parlor::chess::inline PARLOR_BOARD
