// Does a game work, is it fair, is it fun? Agents play it, and this says what was seen: numbers,
// and flags with evidence for what is probably wrong. docs/evaluation.md explains every one of
// them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "play/study.h"

namespace parlor::play {

struct EvaluationOptions {
  std::uint64_t games = 100;        // with the main agents; random games are four times as many
  std::vector<std::string> agents;  // empty: tree search for all seats
  std::size_t iterations = 100;     // of that tree search
  Seed seed = 1;
  unsigned threads = 0;
  std::uint64_t max_decisions = 2000;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::string_view stage, const SimulationProgress&)> progress;
};

struct Flag {
  Code code;
  std::string message;
  Json evidence;
};

// One line of the skill table: `stronger` against `weaker`, changing seats.
struct SkillRow {
  std::string stronger;
  std::string weaker;
  Tally tally;  // of the stronger
  Interval interval;
};

// Somebody who takes one action whenever possible, against random players.
struct Specialist {
  std::string action;
  Tally tally;
  Interval interval;
};

struct ForcedWin {
  PlayerId player;
  int moves;          // of that player
  std::string first;  // what they play first; empty when the opponents move before
};

// A position that came back in a game that did not end.
struct Repetition {
  std::uint64_t game;
  std::uint64_t first;  // decision numbers
  std::uint64_t second;
  std::uint64_t times;  // that this position occurred
  std::vector<std::string> between;
};

struct Metrics {
  Summary length;     // decisions per finished game
  Summary moves;      // whole moves per finished game
  Summary branching;  // options per decision
  double finished = 0;
  double decisive = 0;  // of the finished games, those with one winner
  double draws = 0;
  std::vector<double> seat_scores;  // share of all wins
  std::vector<Interval> seat_intervals;
  double lead_changes = 0;  // per game
  double comebacks = 0;     // of decisive games: the winner was behind after half of it
  double decided_at = 0;    // share of the game after which the later winner stays ahead
  double action_entropy = 0;
  double value_entropy = 0;
  double turnover = 0;  // interaction: options that changed between a player's turns
  double distinct_games = 0;
  double distinct_openings = 0;
  Summary scores;  // what the game was worth to players at its end
  // Of every number above, by the name it has in JSON: 95%, over games.
  std::map<std::string, Interval> intervals;
};

// How even the choices are that the game has: of actions, or where there is only one action, of
// what it is used on.
struct Evenness {
  std::string_view of;  // "actions", "choices"
  double value;
  Interval interval;
};

struct Evaluation {
  GameInfo info;
  std::uint64_t seed = 0;
  Study random;
  Study main;
  Metrics metrics;  // of the main games
  Metrics random_metrics;
  std::vector<SkillRow> skill;
  std::vector<Specialist> specialists;
  std::optional<ForcedWin> forced_win;
  std::vector<Repetition> repetitions;
  std::uint64_t cut_games = 0;  // of random and main games together
  std::vector<std::string> unreachable_actions;
  std::vector<std::string> unused_actions;  // possible, but never chosen by the main agents
  std::vector<std::string> unused_values;
  std::vector<std::string> dominant_actions;  // chosen nearly always when there was something else
  std::vector<Flag> flags;
  double seconds = 0;
  bool complete = true;
};

tl::expected<Evaluation, Diagnostic> evaluate(const Game& game, const EvaluationOptions& options);
Json to_json(const Evaluation& evaluation);
Json to_json(const Flag& flag);

// The agents that are used when none are named: tree search that fits the game.
std::string default_agent(const GameInfo& info, std::size_t iterations);

Evenness evenness(const Evaluation& evaluation);
// What the bots could not know and made up, in sentences; empty: nothing.
std::vector<std::string> guesses(const Evaluation& evaluation);

Metrics measure(const Study& study, std::size_t players);
// The same of some of its games; the evenness is that of all.
Metrics measure(const Study& study, std::span<const GameSample* const> games, std::size_t players);

// Something with the share of games its choosers won, those that differ most from a fair share
// first.
struct WinRate {
  std::string name;
  Fortune fortune;
  double rate;
  Interval interval;
};
std::vector<WinRate> win_rates(const FortuneTable& table, std::size_t players);

}  // namespace parlor::play
