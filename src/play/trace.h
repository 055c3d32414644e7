// A game written down decision by decision, as JSON lines:
// {"n","decider","kind","options","picked", "hash"} for each decision and the outcome as the last
// line.
#pragma once

#include <filesystem>
#include <fstream>

#include "play/simulation.h"

namespace parlor::play {

Json trace_line(const State& state, std::size_t number, const OptionList& options,
                std::size_t picked);

// Writes each game of a simulation to its own file, which `parlor replay` can check.
class TraceWriter final : public GameObserver {
 public:
  // `opening` says how the game was opened; the last line of every trace repeats it.
  TraceWriter(std::filesystem::path folder, Json opening)
      : folder_(std::move(folder)), opening_(std::move(opening)) {}

  void open(std::uint64_t game_index);  // the file of the next game: game-000000.jsonl
  void on_decision(const State& state, const OptionList& options, std::size_t picked) override;
  void on_end(const State& state, const GameRecord& record) override;

 private:
  std::filesystem::path folder_;
  Json opening_;
  std::ofstream file_;
  std::uint64_t number_ = 0;
};

}  // namespace parlor::play
