// Whole games as text: PGN with the active presets in tags and their effects as comments.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "chess/chess.h"

namespace parlor::chess {

// Tags given here replace the defaults ("White", "Event" and so on).
std::string to_pgn(const State& state, const std::map<std::string, std::string>& tags = {});

struct ImportedGame {
  std::shared_ptr<const ChessGame> game;
  State state;
  std::map<std::string, std::string> tags;
};
// Reads the first game of the text and plays its moves; variations and comments are skipped. The
// error says which move or tag is wrong.
tl::expected<ImportedGame, std::string> read_pgn(std::string_view text);

}  // namespace parlor::chess
