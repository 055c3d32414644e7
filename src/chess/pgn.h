// Whole games as text: PGN with the active presets in the tag Rules, rules as data in the tag
// Modifiers (the descriptors themselves, as JSON), what rules did as comments, and rules switched
// on in play as comments of the form {[%rules piece-hp,king-heals@9]}.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "chess/any_board.h"

namespace parlor::chess {

// Of a game of chess on any board. Tags given here replace the defaults.
std::string to_pgn(const State& state, const PgnTags& tags = {});

struct ImportedGame {
  std::shared_ptr<const Game> game;  // of chess, on the board that its tags ask for
  State state;
  PgnTags tags;

  const AnyChess& chess() const { return *any_chess(*game); }
};
using ReadPgn = tl::expected<ImportedGame, std::string>;
// Reads the first game of the text and plays its moves; variations and other comments are skipped.
// The error says which move or tag is wrong. `rest`: the text after the game, if somebody wants it.
ReadPgn read_pgn(std::string_view text, std::string_view* rest = nullptr);

// The same on one board. pgn.cpp defines it, once for each.
template <int files, int ranks>
ReadPgn read_pgn_on(std::string_view text, std::string_view* rest);

}  // namespace parlor::chess
