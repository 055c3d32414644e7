#include "play/dice.h"
#include "play/simulation.h"

namespace parlor::play {
namespace {

// Streams of randomness of one game, besides one for each seat.
constexpr std::uint64_t game_stream = 1000;
constexpr std::uint64_t dice_of_table = 1001;

}  // namespace

void Remarks::on_event(const Event& event) {
  if (event.kind == "phaseSkipped")
    skipped[event.data.value("phase", "")].add({1, game_, seed_, event.data});
  if (event.kind == "triggerTruncated")
    cut_off[event.data.value("trigger", "")].add({1, game_, seed_, event.data});
  if (event.kind == "lookAheadExhausted") ++undecided;
  if (next != nullptr) next->on_event(event);
}

GameTable::GameTable(const Game& game, const std::vector<AgentMaker>& makers, bool rotate)
    : game_(game),
      ends_(dynamic_cast<const ReadsOutcome*>(&game)),
      rotate_(rotate),
      state_(game, StateBlock{}) {
  for (const AgentMaker& maker : makers) {
    agents_.push_back(maker());
    any_history_ = any_history_ || agents_.back()->needs_history();
  }
}

// One decision; false when the game is over for whatever reason.
bool GameTable::step(GameObserver* observer) {
  const Decision decision = state_.decision();
  if (decision.kind == DecisionKind::finished) {
    record_.finished = true;
    return false;
  }
  state_.list_options(options_);
  if (options_.empty()) {
    record_.stuck = true;
    return false;
  }
  std::size_t picked = 0;
  if (decision.kind == DecisionKind::chance) {
    picked = draw_option(options_, dice());
    ++record_.draws_of_chance;
  } else {
    picked = seats_[decision.player.index()]->choose(state_, options_);
    ++record_.decisions;
  }
  if (observer != nullptr) observer->on_decision(state_, options_, picked);
  const Option option = options_[picked];
  if (auto applied = state_.apply(option, &remarks_); !applied) {
    record_.fault = std::move(applied.error());
    return false;
  }
  if (any_history_)
    for (std::size_t seat = 0; seat < agents_.size(); ++seat) seats_[seat]->observe(option, state_);
  return true;
}

Rng& GameTable::dice() {
  return dice_ ? *dice_ : dice_.emplace(dice_seed_);
}

// Setting a game up costs as much as a move or several; where the seed decides nothing it is done
// once.
Applied GameTable::begin(Seed seed) {
  if (first_.size() != 0) {
    state_.block() = first_;
    return {};
  }
  state_.block().resize(0);  // keeps its memory
  Applied begun = game_.init(state_.block(), seed);
  if (begun && !game_.info().has_chance) first_ = state_.block();
  return begun;
}

tl::expected<const GameRecord*, Rejection> GameTable::play(std::uint64_t index, Seed seed,
                                                           std::uint64_t max_decisions,
                                                           GameObserver* observer) {
  const Seed own = derive_seed(seed, index);
  record_.seed = derive_seed(own, game_stream);
  if (auto begun = begin(record_.seed); !begun) return tl::unexpected(begun.error());
  record_.index = index;
  record_.decisions = record_.draws_of_chance = 0;
  record_.finished = record_.stuck = false;
  record_.fault.reset();
  remarks_.next = observer != nullptr ? observer->listener() : nullptr;
  remarks_.begin_game(index, record_.seed);
  for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
    seats_[seat] = agents_[agent_of_seat(seat, index)].get();
    seats_[seat]->begin(state_, PlayerId{seat}, derive_seed(own, seat));
  }
  dice_seed_ = derive_seed(own, dice_of_table);
  dice_.reset();
  if (observer != nullptr) observer->on_start(state_);
  while (record_.decisions + record_.draws_of_chance < max_decisions && step(observer)) {
  }
  // A game may end with the very last decision it is allowed.
  record_.finished = record_.finished || (!record_.fault && state_.finished());
  if (record_.finished && ends_ != nullptr)
    ends_->read_outcome(state_.block(), record_.outcome);
  else if (record_.finished)
    record_.outcome = state_.outcome();
  record_.hash = state_.hash();
  if (observer != nullptr) observer->on_end(state_, record_);
  return &record_;
}

}  // namespace parlor::play
