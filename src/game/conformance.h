// Tests every promise of game.h on any Game by playing it at random. A new game, native or data, is
// one call in a test:
//
//   EXPECT_THAT(check_conformance(*game), testing::IsEmpty());
//
// Each promise is reported at most once, with the evidence that was met first: the seed and the
// picks (option indices) that lead to the state.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"

namespace parlor {

enum class Promise : std::uint8_t {
  info,          // GameInfo fits the rest: players, seats
  start,         // the game starts, and equal seeds start equally
  determinism,   // the same seed and options give the same states
  decision,      // exactly one decider with options; weights for chance only
  unique,        // no option twice: neither by id nor by text nor by JSON
  found,         // an option is found again by its text, its JSON and its index
  applies,       // every listed option applies, or is refused with a fault and changes nothing
  sound,         // the rules never fault (unless ConformanceOptions::faults allows it)
  refused,       // what is not listed is refused with a reason, and changes nothing
  copy,          // a copy is equal and independent
  hash,          // equal states have equal hashes; different ones mostly do not
  save,          // load(save(s)) equals s and goes on like s
  damaged_save,  // a damaged save is refused, or is a sound state
  listener,      // an EventListener changes nothing
  finished,      // a finished state has no options and an outcome that fits
  observation,   // nothing a viewer can ask for changes with what is hidden from them
  hidden,        // resample_hidden really changes what is hidden, and nothing else
  guess,         // what it makes up follows from what the viewer knows and from the dice alone
  numbers,       // options have numbers of their own that always mean the same
  tensors,       // numbers for a player keep to their bounds and do not tell what is hidden
  counting,      // count_moves counts what move by move counting counts
  allocation,    // the hot loop allocates nothing
  threads,       // threads may share a game
  exception      // nothing throws
};
std::string_view promise_name(Promise promise);

struct Violation {
  Promise promise;
  std::string message;
  Seed seed = 0;
  std::vector<std::size_t> picks;
};
std::ostream& operator<<(std::ostream& out, const Violation& violation);

struct ConformanceOptions {
  Seed seed = 1;                    // of the first game; the others count up
  std::size_t games = 6;            // random games to play
  std::size_t max_decisions = 300;  // of each game
  std::size_t deep_states = 40;     // states per game that get the costly checks, evenly spread
  // Decisions after which one of the games must have come to an end, so that finished states are
  // looked at too; 0: this game may go on for ever.
  std::size_t finish_within = 20'000;
  std::size_t max_options = 24;  // options per state that are tried out, evenly spread
  int worlds = 2;                // made up for every viewer of such a state
  std::size_t threads = 2;
  bool faults = false;  // rules that go wrong are fine, as long as nothing changes by it
  // The number of allocations of this thread so far, if the program counts them; unset: not tested.
  std::function<std::size_t()> allocations;
};

std::vector<Violation> check_conformance(const Game& game, const ConformanceOptions& options = {});

}  // namespace parlor
