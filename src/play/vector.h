// Many games of one kind played side by side, for those who learn: arrays in, arrays out. A row is
// a place where one game after the other is played; every step takes one action for each row.
//
// Game k of row i has the seed derive_seed(derive_seed(seed, i), k), and nothing else is random:
// the arrays depend neither on the number of threads nor on which rows end first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "game/game.h"
#include "play/agent.h"
#include "play/crew.h"

namespace parlor::play {

// What happens to a row whose game is over: the next game begins at once, with the next step
// (whose action is not looked at), or when somebody asks for it.
enum class Autoreset : std::uint8_t { same_step, next_step, disabled };
enum class Observed : std::uint8_t { nobody, decider, everybody };
// Observations as they are, or each number as a byte: 0 at the low end of its part, 255 at the
// high.
enum class Numbers : std::uint8_t { floats, bytes };
// What may be done, a byte for each action, or a bit: action a is bit a % 64 of word a / 64.
enum class Masks : std::uint8_t { bytes, bits };
// Rewards are the returns when a game ends, or every change of how well players stand.
enum class Rewards : std::uint8_t { terminal, standing };

struct VectorOptions {
  std::size_t rows = 1;
  Seed seed = 0;
  Autoreset autoreset = Autoreset::same_step;
  Observed observed = Observed::decider;
  Rewards rewards = Rewards::terminal;
  float reward_scale = 1;  // rewards are multiplied by it
  Numbers numbers = Numbers::floats;
  Masks masks = Masks::bytes;
  std::uint64_t max_decisions = 0;  // of the learners in one game; 0: no limit
  unsigned threads = 1;
  std::map<std::size_t, std::string> opponents;  // agents that play some seats
};

inline constexpr std::int8_t nobody_decides = -4;

struct IllegalAction {
  std::size_t row = 0;
  std::int64_t action = 0;
};

class VectorTable {
 public:
  static tl::expected<std::unique_ptr<VectorTable>, Diagnostic> make(
      std::shared_ptr<const Game> game, VectorOptions options);
  // A copy that goes on by itself.
  tl::expected<std::unique_ptr<VectorTable>, Diagnostic> clone() const;
  ~VectorTable();

  const Game& game() const { return *game_; }
  const VectorOptions& options() const { return options_; }
  std::size_t rows() const { return options_.rows; }
  std::size_t actions() const { return actions_; }
  std::size_t players() const { return players_; }
  std::size_t numbers() const { return numbers_; }  // of one observation
  std::size_t mask_words() const { return (actions_ + 63) / 64; }

  // Begins new games in the rows for which `which` is not 0; in all if it is empty.
  void reset(std::span<const std::uint8_t> which = {});
  // Begins everything anew, as a table that was made with this seed.
  void restart(Seed seed);
  // One action for each row. If one of them is not legal, nothing happens at all.
  tl::expected<void, IllegalAction> step(std::span<const std::int32_t> actions);
  // Plays at random for so many steps, as `step` would; to measure.
  void rollout(std::size_t steps, Seed seed);

  const State& state(std::size_t row) const { return rows_[row].state; }
  void set_state(std::size_t row, const State& state);

  // What is known after a step; all rows one after the other.
  std::vector<float> observations;               // rows x numbers, or rows x players x numbers
  std::vector<std::uint8_t> small_observations;  // the same, if they are bytes
  std::vector<std::uint8_t> mask;                // rows x actions
  std::vector<std::uint64_t> mask_bits;          // rows x mask_words(), if they are bits
  std::vector<std::int8_t> player;               // who decides
  std::vector<float> reward;                     // rows x players
  std::vector<std::uint8_t> terminated, truncated;
  std::vector<float> final_observations;  // rows x players x numbers, where a game just ended
  std::vector<std::uint8_t> small_final_observations;
  std::vector<float> final_returns;  // rows x players
  std::vector<std::int64_t> episode;

 private:
  struct Row {
    State state;
    OptionList options;
    std::vector<std::uint32_t> numbers;  // of the options
    std::vector<std::uint32_t> shown;    // those the mask still has, until it is written anew
    std::size_t picked = 0;              // where the action to take is among them
    Rng chance;
    Seed seed = 0;
    std::uint64_t decisions = 0;
    std::vector<std::int64_t> standing;
    PlayerId decider;
    bool over = false;
    bool gaps = false;  // some option had no number, now or before

    explicit Row(const Game& game) : state(game, StateBlock{}) {}
  };
  // What each thread has for itself.
  struct Hands {
    std::vector<std::unique_ptr<Agent>> agents;  // by seat; none: a learner
    std::vector<float> numbers;                  // of one observation, before they become bytes
  };

  VectorTable(std::shared_ptr<const Game> game, VectorOptions options,
              std::vector<AgentMaker> makers);
  template <class Work>
  void each_row(Work work);
  void fetch(std::size_t index) const;
  void begin(std::size_t index, Hands& hands);
  void take(std::size_t index, Hands& hands);
  void pick(std::size_t index);
  void advance(std::size_t index, Hands& hands);
  void give_rewards(std::size_t index);
  void finish(std::size_t index, Hands& hands);
  void show(std::size_t index, Hands& hands);
  void write_mask(std::size_t index);
  void observe(std::size_t index, Hands& hands);
  // The `place`-th observation of one of the arrays.
  void look(std::size_t index, PlayerId viewer, std::size_t place, std::vector<float>& floats,
            std::vector<std::uint8_t>& bytes, Hands& hands);
  std::size_t find(const Row& row, std::int64_t action) const;

  std::shared_ptr<const Game> game_;
  VectorOptions options_;
  std::vector<AgentMaker> makers_;  // by seat; empty: a learner
  std::vector<float> low_, range_;  // of the numbers of an observation, if they become bytes
  StateBlock first_;  // where every game begins, if nothing in it is random; otherwise empty
  std::size_t players_, actions_;
  bool complete_;  // no option is without a number
  std::size_t numbers_;
  std::vector<Row> rows_;
  std::vector<Hands> hands_;  // by thread
  std::vector<Rng> picks_;    // by row, of a rollout
  Crew crew_;
};

}  // namespace parlor::play
