// Many games, played to their end by agents, on all cores.
//
// Game number i always gets the same seeds, derived from (seed, i), and everything that is counted
// is an integer sum: the result depends neither on the number of threads nor on who was faster.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "game/game.h"
#include "game/tells_ends.h"
#include "play/agent.h"
#include "play/beginnings.h"

namespace parlor::play {

// How one game went.
struct GameRecord {
  std::uint64_t index = 0;
  Seed seed = 0;                // with which the game was started
  std::uint64_t decisions = 0;  // of players
  std::uint64_t draws_of_chance = 0;
  bool finished = false;           // false: cut off, stuck or faulted
  bool stuck = false;              // unfinished, but the decider had no option
  std::optional<Rejection> fault;  // the rules went wrong; nobody wins such a game
  // When finished: how; and the number of that ending, if it is one of those that many games share
  // (TellsEnds).
  const Outcome* outcome = nullptr;
  std::uint32_t ending = TellsEnds::no_ending;
};

// Watches games of one thread. Each call happens between listing the options and applying one.
class GameObserver {
 public:
  virtual ~GameObserver() = default;
  virtual void on_start(const State&) {}
  virtual void on_decision(const State&, const OptionList&, std::size_t) {}
  virtual void on_end(const State&, const GameRecord&) {}
  virtual EventListener* listener() { return nullptr; }
};

// Something that the rules left out in silence, and the first game that shows it: a phase in which
// nothing could be carried through, triggers that set each other off without end.
struct SkipTally {
  std::uint64_t times = 0;
  std::uint64_t first_game = 0;
  Seed seed = 0;  // of that game
  Json event;     // what was told of it: docs/kernel.md has its keys
  void add(const SkipTally& other);
};

// What is remarkable about the rules in the games of one thread, counted. Passes everything on to
// another listener, if there is one.
class Remarks final : public EventListener {
 public:
  // `game`: the one that is played.
  explicit Remarks(const GameRecord& game) : game_(game) { pass_on_to(nullptr); }
  void on_event(const Event& event) override;
  void pass_on_to(EventListener* next) {
    next_ = next;
    only_remarks_ = next == nullptr || next->only_remarks();
  }

  std::map<std::string, SkipTally> skipped;  // by phase
  std::map<std::string, SkipTally> cut_off;  // by trigger
  std::uint64_t undecided = 0;

 private:
  const GameRecord& game_;
  EventListener* next_ = nullptr;
};

// One thread's table: plays one game after the other with the same agents and buffers.
class GameTable {
 public:
  // Seat s of game i is played by maker (s + i) mod n if `rotate`, otherwise by maker s.
  GameTable(const Game& game, const std::vector<AgentMaker>& makers, bool rotate);

  // The record is good until the next call. Fails if the rules' own set-up fails.
  tl::expected<const GameRecord*, Rejection> play(std::uint64_t index, Seed seed,
                                                  std::uint64_t max_decisions,
                                                  GameObserver* observer = nullptr);
  const GameRecord& record() const { return record_; }
  // Of the game played last.
  const StateBlock& last_state() const { return state_.block(); }
  // The outcomes met so far that many games share, by the number of their ending; null: not met.
  std::span<const std::unique_ptr<const Outcome>> endings() const { return endings_; }
  Remarks& remarks() { return remarks_; }
  std::size_t agent_of_seat(std::size_t seat, std::uint64_t index) const {
    return rotate_ ? (seat + index) % agents_.size() : seat;
  }

 private:
  struct Watched;
  struct Unwatched;
  void take_seats();
  Applied set_up(Seed seed);
  template <class Table>
  void play_to_the_end(std::uint64_t max_decisions, Table table);
  void read_end();
  Rng& dice();

  const Game& game_;
  const TellsEnds* ends_;  // null: the game makes a new outcome each time
  bool rotate_;
  bool any_history_ = false;
  bool all_blind_ = true;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::array<Agent*, max_players> seats_{};
  std::array<Rng, max_players> blind_;  // what agents pick with that are nothing more than that
  State state_;
  StateBlock first_;  // where every game begins, if luck has no part in it; empty: not known yet
  OptionList options_;
  Beginnings beginnings_;    // of this game, and of some that probably come next
  std::optional<Rng> dice_;  // of this game's chance decisions, once there is one
  GameRecord record_;
  Outcome own_end_;  // of a game that shares it with no other
  std::vector<std::unique_ptr<const Outcome>> endings_;
  Remarks remarks_{record_};
};

struct SimulationProgress {
  std::uint64_t done = 0;
  std::uint64_t games = 0;
  std::uint64_t decisions = 0;
  double seconds = 0;
};

struct SimulationOptions {
  std::uint64_t games = 100;
  std::uint64_t first_game = 0;  // numbers of the games are first_game, first_game + stride ...
  std::uint64_t stride = 1;
  Seed seed = 1;
  unsigned threads = 0;  // 0: one per core
  std::uint64_t max_decisions = 100'000;
  std::vector<std::string> agents{"random"};
  bool rotate = false;
  std::filesystem::path traces;   // one JSON-lines file per game; empty: none
  Json opening = Json::object();  // how the game was opened, for the traces
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const SimulationProgress&)> progress;  // about ten times a second
  // One observer for each thread, made by the caller and merged by it afterwards.
  std::function<GameObserver*(unsigned thread)> observer;
};

// What one seat, or one agent when seats rotate, achieved.
struct Tally {
  std::uint64_t games = 0;
  std::uint64_t wins = 0;    // sole winner
  std::uint64_t shared = 0;  // draw, or one of several winners
  std::uint64_t losses = 0;
  std::int64_t returns = 0;
  std::uint64_t returns_squared = 0;
  std::uint64_t points = 0;  // a win shared among the winners, or among all if nobody won
  static constexpr std::uint64_t points_of_win = 720'720;  // can be shared by 1 to 16 without rest
  // The share of all wins: 1 / players when all are equally good.
  double score() const {
    return games == 0 ? 0
                      : static_cast<double>(points) / static_cast<double>(points_of_win * games);
  }
  double mean_return() const {
    return games == 0 ? 0 : static_cast<double>(returns) / static_cast<double>(games);
  }
  // So many games that ended like this.
  void count(const Outcome& outcome, std::size_t player, std::size_t players,
             std::uint64_t times = 1);
  void add(const Tally& other);
};

// One way in which the rules went wrong, by code and place, and the first game that shows it.
struct FaultTally {
  std::uint64_t games = 0;
  std::uint64_t first_game = 0;
  Seed seed = 0;                // of that game
  std::uint64_t decisions = 0;  // before it happened
  Json rejection;               // {"code", "message", "details"}
  void add(const FaultTally& other);
};

struct SimulationResult {
  std::uint64_t games = 0;
  std::uint64_t decisions = 0;
  std::uint64_t draws_of_chance = 0;
  std::uint64_t unfinished = 0;  // cut off at max_decisions
  std::uint64_t stuck = 0;       // no legal option in an unfinished state
  std::uint64_t failed = 0;      // the rules went wrong
  std::uint64_t shortest = 0;    // in players' decisions
  std::uint64_t longest = 0;
  std::uint64_t checksum = 0;  // over number, length and last state of every game
  std::vector<Tally> seats;
  std::vector<Tally> agents;
  std::map<std::string, std::uint64_t, std::less<>> outcomes;  // by reason, faults as "error:CODE"
  std::map<std::string, FaultTally> faults;                    // by code and place
  std::map<std::string, SkipTally> skipped;                    // by phase
  std::map<std::string, SkipTally> cut_off;                    // by trigger
  std::uint64_t undecided = 0;  // times that looking ahead gave up over an option of a phase
  double seconds = 0;
  bool complete = true;  // false: cancelled

  void add(const SimulationResult& other);  // commutative
};
Json to_json(const SimulationResult& result);

// Everything that `add` needs, for results that come from elsewhere: restore(record(r)) adds up
// like r itself.
Json record(const SimulationResult& result);
SimulationResult restore(const Json& recorded);

tl::expected<SimulationResult, Diagnostic> simulate(const Game& game,
                                                    const SimulationOptions& options);

}  // namespace parlor::play
