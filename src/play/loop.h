// The one loop in which programs play: simulation and evaluation, playouts of searches, and what
// measures how fast a game is (V-08). Who decides, who listens and who counts is the table's
// business; whatever a table leaves to `Random` costs nothing.
#pragma once

#include <cstdint>
#include <utility>

#include "game/game.h"
#include "play/dice.h"

namespace parlor::play {

// Why a game is not played on.
enum class Stop : std::uint8_t {
  finished,     // it is over
  long_enough,  // as many decisions were made as were asked for
  broken_off,   // the table has had enough
  stuck,        // the decider has no option
  fault         // the rules went wrong
};

// A table at which everything is picked at random and nobody takes notes. Other tables derive from
// it and replace what they do themselves.
struct Random {
  Rng& rng;

  // Asked before each decision, with the number of those made.
  bool goes_on(std::uint64_t) { return true; }
  std::size_t pick(const Decision&, const State&, const OptionList& options) {
    return pick_option(rng, options);
  }
  EventListener* listener() { return nullptr; }
  // With how many options there were.
  void applied(Option, std::size_t, const State&) {}
  void refused(Rejection&&) {}
};

// Plays on for at most so many decisions. `options` are those of the state, and room that is used
// again.
template <class Table>
Stop play_on_from(State& state, OptionList& options, std::uint64_t most, Table&& table) {
  for (std::uint64_t made = 0; made < most; ++made) {
    const Decision decision = state.decision();
    if (decision.kind == DecisionKind::finished) return Stop::finished;
    if (!table.goes_on(made)) return Stop::broken_off;
    if (options.empty()) return Stop::stuck;
    const Option option = options[table.pick(decision, state, options)];
    const std::size_t offered = options.size();
    if (Applied done = state.apply_and_list(option, options, table.listener()); !done) {
      table.refused(std::move(done.error()));
      return Stop::fault;
    }
    table.applied(option, offered, state);
  }
  // A game may end with the very last decision it is allowed.
  return state.finished() ? Stop::finished : Stop::long_enough;
}

// The same where they are not listed yet.
template <class Table>
Stop play_on(State& state, OptionList& options, std::uint64_t most, Table&& table) {
  state.list_options(options);
  return play_on_from(state, options, most, std::forward<Table>(table));
}

}  // namespace parlor::play
