// A second, independent implementation of the game language: a deliberately naive evaluator that
// walks the GameDef tree. It exists to be compared with the kernel, decision by decision: same
// options in the same order, same view after every option, same outcome, same random numbers.
//
// What it decides where the language leaves room is listed in tests/reference/README.md.
#pragma once

#include <memory>

#include "game/game.h"
#include "reference/run.h"

namespace parlor::reference {

class ReferenceGame;

// A state and, in the middle of a move, the move so far. `now` is what a viewer sees.
struct ReferenceState {
  World base;  // at the last decision that started a move
  World now;
  // After the moves of a simultaneous phase: that phase, and the turn.
  std::optional<std::pair<std::string, spec::Int>> together;
  bool starting = false;                   // the choices belong to set-up
  std::optional<Move> move;                // being made
  std::vector<int> answers;                // given so far inside it
  std::vector<std::optional<Val>> values;  // the same by what was chosen; nothing: a confirm
  std::optional<Pending> pending;          // the choice to be made now
  std::vector<Submission> submissions;
};

// One option: its JSON form, and what it means.
struct Choice {
  Json json;
  std::optional<Move> move;
  int answer = 0;
};

class ReferenceGame {
 public:
  // Zero players: as few as the game allows.
  explicit ReferenceGame(GameDef def, int players = 0);

  ReferenceState start(Seed seed) const;
  Decision decision(const ReferenceState& state) const;
  std::vector<Choice> options(const ReferenceState& state) const;
  // Throws RuntimeError, or Illegal where luck led into a dead end, and leaves the state as it was.
  void apply(ReferenceState& state, const Choice& choice) const;
  Outcome outcome(const ReferenceState& state) const;
  Outcome several_winners(Run& run, const Ending& ending, Outcome out) const;
  Json view(const ReferenceState& state) const;
  // The ids of the tokens in a zone that a player sees (section 27).
  const Rules& rules() const { return *rules_; }

 private:
  Json flow_view(const World& w) const;
  void go_on(ReferenceState& state) const;
  void submit(ReferenceState& state) const;
  void carry_out(const Submission& submission, World& w) const;
  bool simultaneous(const World& w) const {
    return rules_->def.turn_order.kind == spec::TurnOrderKind::simultaneous ||
           rules_->phase(w.phase)->simultaneous.value_or(false);
  }

  std::unique_ptr<Rules> rules_;
};

}  // namespace parlor::reference
