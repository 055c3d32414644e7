// Games whose house rules can be switched while they are played. Most games are opened with their
// rules once and for all; one that can do more derives from this as well, and whoever holds a Game
// asks with `switches_rules`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor {

class SwitchesRules {
 public:
  virtual ~SwitchesRules() = default;
  // The rules in force in a state, as `id[{…}][:scope][@turns]`.
  virtual std::vector<std::string> rules_in_force(const StateBlock& block) const = 0;
  // Puts exactly these in force from here on. A refusal says everything that is wrong with them and
  // changes nothing.
  virtual Applied set_rules(StateBlock& block, std::span<const std::string> rules) const = 0;
};

// Nothing: the rules of this game are those it was opened with.
inline const SwitchesRules* switches_rules(const Game& game) {
  return dynamic_cast<const SwitchesRules*>(&game);
}
// The same as an answer: what `set_rules` says, or that there is no such thing.
inline Applied set_rules(State& state, std::span<const std::string> rules) {
  if (const SwitchesRules* game = switches_rules(state.game()))
    return game->set_rules(state.block(), rules);
  return tl::unexpected(
      Rejection{Code::RULE_WHOLE_GAME, "the rules of this game are those it was opened with"});
}

}  // namespace parlor
