// A small, sound alpha-beta search. It plays through the same pipelines as everybody else, so every
// house rule counts; only its guess of who stands better is about material and the centre.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "chess/engine.h"

namespace parlor::chess {

struct SearchLimits {
  int depth = 64;
  std::uint64_t nodes = 0;            // 0: no limit
  std::chrono::milliseconds time{0};  // 0: no limit
  const std::atomic<bool>* stop = nullptr;
  std::vector<Move> only = {};  // moves to look at first of all; none: every legal one
};

struct SearchReport {
  int depth = 0;
  // In hundredths of a pawn, for the side to move; beyond mate_bound: a forced result.
  int score = 0;
  std::uint64_t nodes = 0;
  std::chrono::milliseconds time{0};
  std::vector<Move> line;
};
inline constexpr int mate_score = 30000;
inline constexpr int mate_bound = 29000;

// Deepens until a limit is reached; `report` hears about every finished depth. The line is empty
// only if there is no legal move.
SearchReport search(const Engine& engine, const SearchLimits& limits,
                    const std::function<void(const SearchReport&)>& report = {});
// Material and centre, for the side to move.
int evaluate(const Engine& engine);

}  // namespace parlor::chess
