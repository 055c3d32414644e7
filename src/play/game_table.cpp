#include "play/loop.h"
#include "play/simulation.h"

namespace parlor::play {
namespace {

// Streams of randomness of one game, besides one for each seat.
constexpr std::uint64_t game_stream = 1000;
constexpr std::uint64_t dice_of_table = 1001;

}  // namespace

void Remarks::on_event(const Event& event) {
  if (event.kind == "phaseSkipped")
    skipped[event.data.value("phase", "")].add({1, game_.index, game_.seed, event.data});
  if (event.kind == "triggerTruncated")
    cut_off[event.data.value("trigger", "")].add({1, game_.index, game_.seed, event.data});
  if (event.kind == "lookAheadExhausted") ++undecided;
  if (next_ != nullptr) next_->on_event(event);
}

GameTable::GameTable(const Game& game, const std::vector<AgentMaker>& makers, bool rotate)
    : game_(game),
      ends_(dynamic_cast<const TellsEnds*>(&game)),
      rotate_(rotate),
      state_(game, StateBlock{}),
      beginnings_(makers.size()) {
  for (const AgentMaker& maker : makers) {
    agents_.push_back(maker());
    any_history_ = any_history_ || agents_.back()->needs_history();
    all_blind_ = all_blind_ && agents_.back()->is_blind();
  }
}

// How the loop of all games (loop.h) is played here: by agents, with whoever watches.
struct GameTable::Watched {
  GameTable& table;
  GameObserver* const observer;
  std::uint64_t decisions = 0, draws_of_chance = 0;

  bool goes_on(std::uint64_t) { return true; }
  std::size_t pick(const Decision& decision, const State& state, const OptionList& options) {
    std::size_t picked = 0;
    if (decision.kind == DecisionKind::chance) {
      picked = draw_option(options, table.dice());
      ++draws_of_chance;
    } else {
      picked = table.seats_[decision.player.index()]->choose(state, options);
      ++decisions;
    }
    if (observer != nullptr) observer->on_decision(state, options, picked);
    return picked;
  }
  EventListener* listener() { return &table.remarks_; }
  void applied(Option option, std::size_t, const State& state) {
    if (!table.any_history_) return;
    for (std::size_t seat = 0; seat < table.agents_.size(); ++seat)
      table.seats_[seat]->observe(option, state);
  }
  void refused(Rejection&& fault) { table.record_.fault = std::move(fault); }
};

// The same where nobody watches, looks or listens.
struct GameTable::Unwatched {
  GameTable& table;
  std::uint64_t decisions = 0, draws_of_chance = 0;

  bool goes_on(std::uint64_t) { return true; }
  std::size_t pick(const Decision& decision, const State&, const OptionList& options) {
    if (decision.kind == DecisionKind::chance) {
      ++draws_of_chance;
      return draw_option(options, table.dice());
    }
    ++decisions;
    return pick_below(table.blind_[decision.player.index()], options.size());
  }
  EventListener* listener() { return &table.remarks_; }
  void applied(Option, std::size_t, const State&) {}
  void refused(Rejection&& fault) { table.record_.fault = std::move(fault); }
};

Rng& GameTable::dice() {
  return dice_ ? *dice_ : dice_.emplace(beginnings_.streams()[dice_of_table]);
}

// Setting a game up costs as much as a move or several; where the seed decides nothing it is done
// once.
Applied GameTable::set_up(Seed seed) {
  state_.block().resize(0);  // keeps its memory
  Applied begun = game_.init(state_.block(), seed);
  if (begun && !game_.info().has_chance) first_ = state_.block();
  return begun;
}

// Most games end in one of a few ways, each of which is read once.
void GameTable::read_end() {
  record_.ending = ends_ == nullptr ? TellsEnds::no_ending : ends_->ending(state_.block());
  if (record_.ending == TellsEnds::no_ending) {
    if (ends_ != nullptr)
      ends_->read_outcome(state_.block(), own_end_);
    else
      own_end_ = state_.outcome();
    record_.outcome = &own_end_;
    return;
  }
  if (record_.ending >= endings_.size()) endings_.resize(record_.ending + 1);
  auto& known = endings_[record_.ending];
  if (known == nullptr) known = std::make_unique<const Outcome>(state_.outcome());
  record_.outcome = known.get();
}

tl::expected<const GameRecord*, Rejection> GameTable::play(std::uint64_t index, Seed seed,
                                                           std::uint64_t max_decisions,
                                                           GameObserver* observer) {
  beginnings_.go_to(seed, index);
  record_.index = index;
  record_.seed = beginnings_.streams()[game_stream];
  if (first_.size() != 0)
    state_.block() = first_;
  else if (auto begun = set_up(record_.seed); !begun)
    return tl::unexpected(std::move(begun.error()));
  if (record_.fault) record_.fault.reset();
  remarks_.pass_on_to(observer != nullptr ? observer->listener() : nullptr);
  dice_.reset();
  if (observer == nullptr && all_blind_) {
    for (std::size_t seat = 0; seat < agents_.size(); ++seat)
      blind_[seat] = beginnings_.generator(seat);
    play_to_the_end(max_decisions, Unwatched{*this});
  } else {
    take_seats();
    if (observer != nullptr) observer->on_start(state_);
    play_to_the_end(max_decisions, Watched{*this, observer});
    if (observer != nullptr) observer->on_end(state_, record_);
  }
  return &record_;
}

void GameTable::take_seats() {
  for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
    seats_[seat] = agents_[agent_of_seat(seat, record_.index)].get();
    seats_[seat]->begin(state_, PlayerId{seat}, beginnings_.streams()[seat]);
  }
}

template <class Table>
void GameTable::play_to_the_end(std::uint64_t max_decisions, Table table) {
  const Stop stop = play_on(state_, options_, max_decisions, table);
  record_.decisions = table.decisions;
  record_.draws_of_chance = table.draws_of_chance;
  record_.finished = stop == Stop::finished;
  record_.stuck = stop == Stop::stuck;
  if (record_.finished) read_end();
}

}  // namespace parlor::play
