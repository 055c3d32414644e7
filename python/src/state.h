// A game and a state of it as Python holds them.
#pragma once

#include <memory>
#include <pybind11/numpy.h>
#include <vector>

#include "convert.h"

namespace parlor::python {

using Floats = py::array_t<float, py::array::c_style>;

struct OpenGame {
  std::shared_ptr<const Game> game;
  Json opening;  // as given, enough to open it again
  bool from_text = false;

  std::vector<py::ssize_t> tensor_shape() const;
  // Whether states mean the same in both: the same way of opening led to the same rules.
  bool same_as(const OpenGame& other) const;
};

// A state with what led to it. The options are listed once and kept until the next apply.
class OpenState {
 public:
  OpenState(std::shared_ptr<const OpenGame> game, State state, Seed seed)
      : game_(std::move(game)), state_(std::move(state)), first_(state_.block()), seed_(seed) {}

  const std::shared_ptr<const OpenGame>& open_game() const { return game_; }
  const Game& game() const { return *game_->game; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  Seed seed() const { return seed_; }
  // The decisions since the state it was made with.
  const std::vector<Option>& history() const { return history_; }
  State beginning() const { return {game(), first_}; }

  const OptionList& options();
  const std::vector<std::uint32_t>& numbers();
  // The option of a number; IndexError or parlor.Rejected when it is none.
  Option option_of(std::int64_t action);
  void apply(Option option);
  // The same decisions from the same beginning, in another opening of the same game.
  OpenState in(const std::shared_ptr<const OpenGame>& game) const {
    OpenState out(game, State(*game->game, state_.block()), seed_);
    out.first_ = first_;
    out.history_ = history_;
    return out;
  }
  void replaced() { listed_ = false; }  // the state was written to from outside
  // The state is as if the game had begun with it.
  void forget() {
    history_.clear();
    first_ = state_.block();
  }

 private:
  void list();

  std::shared_ptr<const OpenGame> game_;
  State state_;
  StateBlock first_;
  Seed seed_;
  std::vector<Option> history_;
  bool listed_ = false;
  OptionList options_;
  std::vector<std::uint32_t> numbers_;
};

// A state for a game that was opened in the same way, perhaps in another process; ValueError if it
// was opened in another.
OpenState adopted(const std::shared_ptr<OpenGame>& game, const OpenState& state);

void bind_state(py::class_<OpenState>& state);

// Any integer, cut to 64 bits.
Seed seed_from(const py::handle& seed);

// The player a number means; IndexError if there is none.
PlayerId player_of(const Game& game, std::int64_t player);

}  // namespace parlor::python
