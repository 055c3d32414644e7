// A game written down decision by decision, as JSON lines:
// {"n","decider","kind","options","picked", "hash"} for each decision and the outcome as the last
// line.
#pragma once

#include <filesystem>
#include <fstream>

#include "play/simulation.h"

namespace parlor::play {

class TraceWriter final : public GameObserver {
 public:
  explicit TraceWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void open(std::uint64_t game_index);  // the file of the next game: game-000000.jsonl
  void on_decision(const State& state, const OptionList& options, std::size_t picked) override;
  void on_end(const State& state, const GameRecord& record) override;

 private:
  std::filesystem::path folder_;
  std::ofstream file_;
  std::uint64_t number_ = 0;
};

}  // namespace parlor::play
