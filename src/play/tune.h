// Searching for constants that make a game better: values are drawn, the game is opened with them,
// agents play it, and an objective judges what was seen. The best trial of every kind of game (by
// length and branching) is kept, so that the archive shows what the rules can be, not just one
// optimum.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "game/catalog.h"
#include "play/evaluation.h"

namespace parlor::play {

// A constant and the values it may take: `name=500..2000`, or `name=500..2000:100` for steps of
// 100.
struct TuneRange {
  std::string name;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t step = 1;
};
tl::expected<TuneRange, Diagnostic> parse_range(std::string_view text);

// `balance`, `decisive`, `drama`, `variety`, `skill`, `length=N` or `branching=N`; several are
// separated by commas and multiplied. Each gives 0 to 1; games that do not end count nothing.
struct Objective {
  std::string name;
  double target = 0;
};
tl::expected<std::vector<Objective>, Diagnostic> parse_objectives(std::string_view text);
double judge(const Metrics& metrics, double skill, const std::vector<Objective>& objectives);

struct TuneOptions {
  std::vector<TuneRange> ranges;
  std::vector<Objective> objectives;
  std::size_t trials = 30;
  std::uint64_t games = 40;         // per trial
  std::uint64_t budget = 2000;      // games to tell the best trial from the next one
  std::vector<std::string> agents;  // empty: tree search with few iterations
  std::size_t iterations = 40;
  Seed seed = 1;
  unsigned threads = 0;
  std::uint64_t max_decisions = 2000;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::size_t done, std::size_t trials, double best)> progress;
};

struct Trial {
  std::map<std::string, std::int64_t> constants;
  Metrics metrics;
  double skill = 0;  // score against random play, when asked for
  double score = 0;
  Interval interval;        // of the score, 95%
  std::uint64_t games = 0;  // it stands on
  std::string failure;      // the game could not be opened with these values
};

struct Tuning {
  std::string game;
  std::string name;           // of the game, for people
  std::string aims;           // the objectives as text
  std::vector<Trial> trials;  // in the order they were made
  std::size_t best = 0;
  std::optional<std::size_t> next;   // the second best, with which the best was compared
  bool decided = false;              // the best is surely better than the next
  std::vector<std::size_t> archive;  // the best trial of each cell
  bool complete = true;
};

using TuneOpener = std::function<Opened(const std::map<std::string, std::int64_t>& constants)>;

// Fails when the first trials cannot even be opened, with the game's own diagnostics.
tl::expected<Tuning, OpenFailure> tune(const TuneOpener& open, const TuneOptions& options);
Json to_json(const Tuning& tuning);
std::string html_report(const Tuning& tuning);

}  // namespace parlor::play
