// Watching games closely: what evaluation and tuning know about a set of games with the same
// agents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "play/playout.h"
#include "play/simulation.h"
#include "play/statistics.h"

namespace parlor::play {

// How often something was possible and how often it was chosen, in decisions.
struct Usage {
  std::uint64_t offered = 0;
  std::uint64_t chosen = 0;
  std::uint64_t contested = 0;  // offered together with something else
  std::uint64_t preferred = 0;  // chosen although something else was possible
};
using UsageTable = std::map<std::string, Usage>;

// What became of those who chose something: in how many games a player did, and how many of them
// that player won; wins are shared.
struct Fortune {
  std::uint64_t games = 0;
  double wins = 0;
};
using FortuneTable = std::map<std::string, Fortune>;

// Who was how far ahead at one decision.
struct Moment {
  std::uint32_t decision;
  std::array<float, max_players> worth;      // the game's own measure, or the expected result
  std::array<float, max_players> advantage;  // over the mean of the others
};

struct GameSample {
  std::uint64_t index = 0;
  std::uint32_t decisions = 0;
  std::uint32_t moves = 0;  // whole ones: an action with all its choices
  bool finished = false;
  std::vector<std::uint8_t> winners;
  std::vector<double> scores;            // what the game was worth to each, if it ended
  std::vector<std::uint32_t> branching;  // per decision
  std::vector<Moment> moments;
  std::uint64_t sequence = 0;  // equal for equal games
  std::uint64_t opening = 0;   // equal for equal first two decisions
  double turnover = 0;         // mean share of options that changed between a player's turns
};

struct Study {
  std::string agents;
  SimulationResult result;
  std::vector<GameSample> games;  // in order of their numbers
  UsageTable actions;
  UsageTable values;  // parameters and choices
  FortuneTable action_wins, value_wins;
  FortuneTable opening_wins;  // by what a player chose first
  bool has_standing = false;  // moments are the game's own measure, not an estimate by playouts
};

struct StudyOptions {
  std::uint64_t games = 100;
  Seed seed = 1;
  unsigned threads = 0;
  std::uint64_t max_decisions = 2000;
  std::vector<std::string> agents{"random"};
  bool rotate = false;
  bool moments = false;       // also see who leads
  std::size_t playouts = 16;  // per estimate, where the game has no measure of its own
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const SimulationProgress&)> progress;
};

tl::expected<Study, Diagnostic> study(const Game& game, const StudyOptions& options);

// The action of an option: its "action", or "choose" for a choice inside a move.
std::string action_name(const Json& option);

}  // namespace parlor::play
