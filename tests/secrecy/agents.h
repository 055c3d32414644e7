// Looks for agents that know too much: what one chooses follows from what its seat knows and from
// its own random numbers, so in two worlds that its seat cannot tell apart it chooses the same.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "play/agent.h"

namespace parlor::test {

// Somebody at a seat, as a table meets them. Tests replace it by ones that peek.
class Sitting {
 public:
  virtual ~Sitting() = default;
  virtual void begin(const State& state, PlayerId seat, Seed seed) = 0;
  virtual std::size_t choose(const State& state, const OptionList& options) = 0;
  virtual void observe(Option, const State&) {}
};
using MakeSitting = std::function<std::unique_ptr<Sitting>()>;
MakeSitting sitting(play::AgentMaker maker);

// A world this player cannot tell from this one, in which something else is hidden, if there is
// any.
std::optional<State> world_like(const State& state, PlayerId player);

struct Peeking {
  std::string message;
};
struct PeekSearch {
  Seed games = 6;
  int decisions = 12;  // looked at in each
  int compared = 0;    // choices
  int enough = 0;      // of those: no further game is begun; 0: all are played
};
// Plays at random and asks at every decision, in the true world and in another.
std::optional<Peeking> find_peeking(const Game& game, const MakeSitting& make, PeekSearch& search);

// A whole game, from `start` on, with whatever everybody chose.
struct Course {
  State start;
  std::span<const Option> options;
};
// Lets somebody sit through both, which look the same to the seat, and choose at the end.
std::optional<Peeking> find_peeking_after(const Course& one, const Course& other, PlayerId seat,
                                          Seed seed, const MakeSitting& make);

}  // namespace parlor::test
