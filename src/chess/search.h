// The search of game/alphabeta.h for chess. It plays through the same pipelines as everybody else,
// so every house rule counts; what to try first and who stands better come from evaluate.h, by the
// rules in force.
#pragma once

#include <functional>

#include "chess/engine.h"
#include "game/alphabeta.h"
#include "game/thinker.h"

namespace parlor::chess::inline PARLOR_BOARD {

struct SearchLimits {
  int depth = 100;
  std::uint64_t nodes = 0;      // 0: no limit
  std::vector<Move> only = {};  // moves to look at first of all; none: every legal one
  std::size_t lines = 1;        // how many of the best moves are wanted
  bool hurry = false;           // answer at once where there is only one move
  alphabeta::Watch* watch = nullptr;
};

struct SearchReport {
  int depth = 0;
  int deepest = 0;  // half-moves looked ahead
  // In hundredths of a pawn, for the side to move; beyond mate_bound: a forced result.
  int score = 0;
  std::size_t rank = 0;  // of this line: the best has 0
  std::uint64_t nodes = 0;
  int permille_full = 0;  // of the table
  std::vector<Move> line;
};
inline constexpr int mate_score = 30000;
inline constexpr int mate_bound = 29000;

// Remembers what it has seen from one search to the next.
class Analyst {
 public:
  using Report = std::function<void(const SearchReport&)>;

  explicit Analyst(std::size_t table_entries = default_entries, std::size_t threads = 1);
  ~Analyst();
  Analyst(const Analyst&) = delete;
  Analyst& operator=(const Analyst&) = delete;

  static constexpr std::size_t default_entries = std::size_t{1} << 18;
  static std::size_t entries_in(std::size_t megabytes) {
    return megabytes * 1024 * 1024 / alphabeta::Table::entry_bytes;
  }

  void set_table(std::size_t entries);
  void set_threads(std::size_t count);
  void forget();

  // Deepens until a limit is reached; `report` hears about every line of every finished depth. The
  // line is empty only if there is no legal move. `past`: hashes of the positions before this one.
  // `order` may shuffle the moves of the root. With one thread, and no limit of time, the same
  // calls give the same answers.
  SearchReport think(const Engine& engine, std::span<const std::uint64_t> past,
                     const SearchLimits& limits, const Report& report = {}, Rng* order = nullptr);

 private:
  struct Mind;
  alphabeta::Table table_;
  std::vector<std::unique_ptr<Mind>> minds_;  // one a thread
};

// One search, nothing remembered.
SearchReport search(const Engine& engine, const SearchLimits& limits);

}  // namespace parlor::chess::inline PARLOR_BOARD
