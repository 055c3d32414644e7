// The search of game/alphabeta.h for chess. It plays through the same pipelines as everybody else,
// so every house rule counts; what to try first and who stands better come from evaluate.h, by the
// rules in force.
#pragma once

#include <functional>

#include "chess/any_board.h"
#include "chess/engine.h"
#include "game/alphabeta.h"
#include "game/thinker.h"

namespace parlor::chess::inline PARLOR_BOARD {

using SearchLimits = LimitsOf<Move>;
using SearchReport = ReportOf<Move>;

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
