// Counterfactual regret minimisation: near-equilibrium strategies for small two-player games whose
// chance shows as decisions, with the exact exploitability of what was found.
//
// An information set is what a player has seen so far: the sequence of different views they had and
// the options they chose themselves. `InformationSet` computes its key, for the solver and at play.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "game/game.h"

namespace parlor::play {

class InformationSet {
 public:
  void begin(const State& state, PlayerId player);
  // `decider` chose `option` (none: chance), which led to `after`.
  void follow(PlayerId decider, Option option, const State& after);
  std::uint64_t key() const { return key_; }

 private:
  void look(const State& state);

  PlayerId player_;
  std::uint64_t key_ = 0;
  std::uint64_t last_view_ = 0;
};

struct CfrSettings {
  std::size_t iterations = 1000;
  bool plus = true;
  std::size_t most_nodes = 2'000'000;
  const std::atomic<bool>* cancel = nullptr;  // true: what was found so far is the solution
};

class CfrSolution {
 public:
  // What each player gets when both follow the solution.
  double value(PlayerId player) const { return values_[player.index()]; }
  // How much a perfect opponent gains on average over the two seats; 0 is an equilibrium.
  double exploitability() const { return exploitability_; }
  std::size_t information_sets() const { return strategies_.size(); }
  std::size_t nodes() const { return nodes_; }

  struct Choice {
    Option option;
    double probability;
  };
  // Null for an information set that the game tree does not have.
  const std::vector<Choice>* strategy(std::uint64_t key) const;

 private:
  friend class CfrSolver;
  std::unordered_map<std::uint64_t, std::vector<Choice>> strategies_;
  std::array<double, 2> values_{};
  double exploitability_ = 0;
  std::size_t nodes_ = 0;
};

// Fails with the reason when the game is no such game or its tree is too large.
tl::expected<std::shared_ptr<const CfrSolution>, std::string> solve(const Game& game,
                                                                    const CfrSettings& settings);

}  // namespace parlor::play
