// A game of chess as those see it who need not know how large its board is: the UCI front, PGN and
// the command line. ChessGame derives from it on every board (geometry.h); whoever holds a Game
// asks with `any_chess`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor::alphabeta {
class Watch;
}

namespace parlor::chess {

// What a search is asked for. `MoveType`: Move of one board, or Option, which is the same on all.
template <class MoveType>
struct LimitsOf {
  int depth = 100;
  std::uint64_t nodes = 0;          // 0: no limit
  std::vector<MoveType> only = {};  // moves to look at first of all; none: every legal one
  std::size_t lines = 1;            // how many of the best moves are wanted
  bool hurry = false;               // answer at once where there is only one move
  alphabeta::Watch* watch = nullptr;
};

template <class MoveType>
struct ReportOf {
  int depth = 0;
  int deepest = 0;  // half-moves looked ahead
  // In hundredths of a pawn, for the side to move; beyond mate_bound: a forced result.
  int score = 0;
  std::size_t rank = 0;  // of this line: the best has 0
  std::uint64_t nodes = 0;
  int permille_full = 0;  // of the table
  std::vector<MoveType> line = {};
};
inline constexpr int mate_score = 30000;
inline constexpr int mate_bound = 29000;

// Looks ahead, and remembers what it has seen from one search to the next. For games on one board.
class AnyAnalyst {
 public:
  using Limits = LimitsOf<Option>;
  using Report = std::function<void(const ReportOf<Option>&)>;

  virtual ~AnyAnalyst() = default;
  virtual void set_table(std::size_t entries) = 0;
  virtual void set_threads(std::size_t count) = 0;
  virtual void forget() = 0;
  virtual ReportOf<Option> think(const State& state, const Limits& limits,
                                 const Report& report) = 0;
};

// "White", "Event" and so on.
using PgnTags = std::map<std::string, std::string>;

class AnyChess {
 public:
  virtual ~AnyChess() = default;
  virtual int files() const = 0;
  virtual int ranks() const = 0;
  virtual std::string fen(const StateBlock& block) const = 0;
  // The moves that led here, as UCI writes them.
  virtual std::vector<std::string> moves_made(const StateBlock& block) const = 0;
  // As UCI writes it; with `takes_rook` all castling is the king taking its rook.
  virtual std::string write_move(const StateBlock& block, Option option, bool takes_rook) const = 0;
  virtual std::unique_ptr<AnyAnalyst> analyst(std::size_t entries, std::size_t threads) const = 0;
  virtual std::string pgn(const State& state, const PgnTags& tags) const = 0;
};

// Nothing: it is another game.
inline const AnyChess* any_chess(const Game& game) {
  return dynamic_cast<const AnyChess*>(&game);
}

}  // namespace parlor::chess
