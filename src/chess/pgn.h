// Whole games as text: PGN with the active presets in the tag Rules, rules as data in the tag
// Modifiers (the descriptors themselves, as JSON), what rules did as comments, and rules switched
// on in play as comments of the form {[%rules piece-hp,king-heals@9]}.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "chess/chess.h"

namespace parlor::chess::inline PARLOR_BOARD {

// Tags given here replace the defaults ("White", "Event" and so on).
std::string to_pgn(const State& state, const std::map<std::string, std::string>& tags = {});

struct ImportedGame {
  std::shared_ptr<const ChessGame> game;
  State state;
  std::map<std::string, std::string> tags;
};
// Reads the first game of the text and plays its moves; variations and other comments are skipped.
// The error says which move or tag is wrong. `rest`: the text after the game, if somebody wants it.
tl::expected<ImportedGame, std::string> read_pgn(std::string_view text,
                                                 std::string_view* rest = nullptr);

}  // namespace parlor::chess::inline PARLOR_BOARD
