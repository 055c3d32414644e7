// Agents: players that are programs. An agent sees a State and its options and picks one of them.
//
//   auto maker = find_agent("mcts:iters=2000,c=1.2", game);    // a Diagnostic if it cannot be
//   auto agent = (*maker)();                                    // one per seat and thread
//   agent->begin(state, seat, seed);
//   std::size_t index = agent->choose(state, options);
//
// The promises
//   * Deterministic: the same game, seat, seed and decisions give the same choices, unless the
//     budget was given as time.
//   * Fair: what the seat cannot see, and the outcome of future chance, never influence a choice.
//     An agent never gets the true state of a game that hides something: `Agent` itself, the one
//     place where agents meet a game, hands on a world made from what the seat knows
//     (`Game::resample_hidden`). So a choice follows from that and from the agent's seed alone.
//   * `choose` allocates nothing once its buffers are warm.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/hash.h"
#include "game/game.h"
#include "play/dice.h"

namespace parlor::play {

class Agent {
 public:
  virtual ~Agent() = default;

  // A new game begins at `state`; the agent plays `seat`. All its randomness comes from `seed`.
  void begin(const State& state, PlayerId seat, Seed seed) {
    seat_ = seat;
    if (blind_)
      rng_ = Rng(seed);
    else
      begin_looking(state, seed);
  }
  // The index of the chosen option. `options` are those of `state`, whose decider is the seat.
  std::size_t choose(const State& state, const OptionList& options) {
    if (blind_) return pick_blindly(options);
    return guesses_ ? choose_in_made_up_world(state, options) : decide(state, options);
  }
  // Somebody (this agent, another, or chance) chose `option`, which led to `after`. Needed only by
  // agents that say so.
  void observe(Option option, const State& after);
  virtual bool needs_history() const { return false; }
  // One that picks at random without looking: pick_below of an Rng(seed) is all it does.
  bool is_blind() const { return blind_; }
  // From now on a choice ends early when this turns false; nobody wants to know then what it was.
  // It must be there as long as the agent chooses.
  void think_while(const std::atomic<bool>* wanted) { wanted_ = wanted; }

 protected:
  Agent() = default;
  // One that picks at random without looking at all. No state has to be made up for it, and nobody
  // has to be asked: it plays millions of games a second.
  struct Blind {};
  explicit Agent(Blind) : blind_(true) {}

  // What others chose in a game that hides something.
  static constexpr Option unseen{~std::uint64_t{0}};

  // What kinds of agents implement. `seen` is the state, if the game hides nothing, and otherwise a
  // world the seat cannot tell from it; `options` are those of `seen`.
  virtual void sit_down(const State& seen, PlayerId seat, Seed seed) = 0;
  virtual std::size_t decide(const State& seen, const OptionList& options) = 0;
  virtual void follow(Option option, const State& seen);
  std::size_t pick_blindly(const OptionList& options) { return pick_below(rng_, options.size()); }
  const std::atomic<bool>* wanted() const { return wanted_; }  // null: always
  bool unwanted() const { return wanted_ != nullptr && !wanted_->load(std::memory_order_relaxed); }

 private:
  const State& seen_by_seat(const State& state) { return guesses_ ? made_up_world(state) : state; }
  void begin_looking(const State& state, Seed seed);
  const State& made_up_world(const State& state);
  std::size_t choose_in_made_up_world(const State& state, const OptionList& options);

  const std::atomic<bool>* wanted_ = nullptr;
  bool blind_ = false;
  bool guesses_ = false;  // it looks, and there is something it may not see
  PlayerId seat_;
  PlayerId decider_;  // as far as `observe` has followed
  Rng rng_;
  std::optional<State> world_;
  OptionList own_;
};

using AgentMaker = std::function<std::unique_ptr<Agent>()>;

// One number that shapes an agent, e.g. `iters` of `mcts`.
struct AgentParameter {
  std::string_view name;
  double fallback;
  double low;
  double high;
  std::string_view help;
};

// The numbers an agent was asked for, with the defaults filled in.
class AgentSettings {
 public:
  explicit AgentSettings(std::span<const AgentParameter> parameters);
  double number(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  bool set(std::string_view name, double value);  // false: no such parameter

 private:
  std::span<const AgentParameter> parameters_;
  std::vector<double> values_;
};

// A kind of agent: a row of the one table in agent.cpp.
struct AgentKind {
  std::string_view name;
  std::string_view help;
  std::span<const AgentParameter> parameters;
  // Why this kind cannot play such a game; empty when it can.
  std::string (*unfit)(const GameInfo& info);
  // Does what can be done once for all seats and games; fails with the reason.
  tl::expected<AgentMaker, std::string> (*prepare)(const Game& game, const AgentSettings& settings);
};
std::span<const AgentKind> agent_kinds();

// `name` or `name:key=value,key=value`.
tl::expected<AgentMaker, Diagnostic> find_agent(std::string_view text, const Game& game);
// Splits "random,mcts:iters=100,c=2,random" into three: `key=value` belongs to the agent before it.
std::vector<std::string> split_agents(std::string_view text);
// Whether `find_agents` would understand them. Nothing is prepared, which takes solvers long.
tl::expected<void, Diagnostic> check_agents(std::span<const std::string> texts, const Game& game);
// One maker per seat: a single text serves all seats. Other counts are a Diagnostic.
tl::expected<std::vector<AgentMaker>, Diagnostic> find_agents(std::span<const std::string> texts,
                                                              const Game& game);

// Several streams of randomness from one seed, e.g. one per game and seat.
class SeedStreams {
 public:
  constexpr explicit SeedStreams(Seed seed) : mixed_(mix(seed + 1)) {}
  constexpr Seed operator[](std::uint64_t stream) const { return hash_combine(mixed_, stream); }

  // For those who keep them by the word they consist of.
  constexpr std::uint64_t mixed() const { return mixed_; }
  static constexpr SeedStreams of_mixed(std::uint64_t mixed) {
    SeedStreams out(0);
    out.mixed_ = mixed;
    return out;
  }

 private:
  std::uint64_t mixed_;
};
[[gnu::always_inline]] constexpr inline Seed derive_seed(Seed seed, std::uint64_t stream) {
  return SeedStreams(seed)[stream];
}

}  // namespace parlor::play
