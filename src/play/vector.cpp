#include "play/vector.h"

#include <algorithm>

#include "game/stepwise.h"
#include "game/streams.h"

namespace parlor::play {

namespace {
constexpr std::uint64_t opponent_stream = 77;
constexpr std::size_t line = 64;  // bytes that come from memory at once

void fetch_lines(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += line) __builtin_prefetch(bytes.data() + at, 1);
}

bool has_gaps(std::span<const std::uint32_t> numbers) {
  std::uint32_t found = 0;  // without looking where: several are compared at once
  for (const std::uint32_t number : numbers) found |= number == no_action ? 1u : 0u;
  return found != 0;
}

// Four at a time: it takes most of what a step adds to a move where there are many options.
void mark(std::uint8_t* bytes, std::span<const std::uint32_t> numbers, std::uint8_t value) {
  const std::uint32_t* at = numbers.data();
  const std::uint32_t* const end = at + numbers.size();
  for (; end - at >= 4; at += 4) {
    bytes[at[0]] = value;
    bytes[at[1]] = value;
    bytes[at[2]] = value;
    bytes[at[3]] = value;
  }
  for (; at != end; ++at) bytes[*at] = value;
}
}  // namespace

tl::expected<std::unique_ptr<VectorTable>, Diagnostic> VectorTable::make(
    std::shared_ptr<const Game> game, VectorOptions options) {
  game = stepwise(std::move(game));  // actions without a number of their own could not be given
  std::vector<AgentMaker> makers(game->info().players);
  for (const auto& [seat, text] : options.opponents) {
    if (seat >= makers.size())
      return tl::unexpected(
          Diagnostic{Code::AGENT_SEATS, Severity::error, "there is no such seat"});
    auto maker = find_agent(text, *game);
    if (!maker) return tl::unexpected(maker.error());
    if ((*maker)()->needs_history())
      return tl::unexpected(Diagnostic{Code::AGENT_UNFIT, Severity::error,
                                       "an agent that must see the whole game cannot play here"});
    makers[seat] = std::move(*maker);
  }
  if (std::ranges::none_of(makers, [](const AgentMaker& maker) { return !maker; }))
    return tl::unexpected(
        Diagnostic{Code::AGENT_SEATS, Severity::error, "no seat is left for a learner"});
  options.rows = std::max<std::size_t>(1, options.rows);
  options.threads = std::clamp(options.threads, 1u, 256u);
  // A game that cannot start is said so once, here.
  if (auto first = game->start(derive_seed(derive_seed(options.seed, 0), 0)); !first)
    return tl::unexpected(Diagnostic{Code::INTERNAL, Severity::error, first.error().message});
  return std::unique_ptr<VectorTable>(
      new VectorTable(std::move(game), std::move(options), std::move(makers)));
}

VectorTable::VectorTable(std::shared_ptr<const Game> game, VectorOptions options,
                         std::vector<AgentMaker> makers)
    : game_(std::move(game)),
      options_(std::move(options)),
      makers_(std::move(makers)),
      players_(game_->info().players),
      actions_(game_->action_space().size),
      complete_(game_->action_space().complete),
      numbers_(tensor_size(*game_)),
      hands_(options_.threads),
      crew_(options_.threads) {
  const std::size_t rows = options_.rows;
  const std::size_t viewers = options_.observed == Observed::nobody    ? 0
                              : options_.observed == Observed::decider ? 1
                                                                       : players_;
  const bool small = options_.numbers == Numbers::bytes;
  const auto make_room = [&](std::vector<float>& floats, std::vector<std::uint8_t>& bytes,
                             std::size_t count) {
    small ? bytes.resize(count * numbers_) : floats.resize(count * numbers_);
  };
  make_room(observations, small_observations, rows * viewers);
  if (options_.masks == Masks::bits)
    mask_bits.resize(rows * mask_words());
  else
    mask.resize(rows * actions_);
  player.resize(rows);
  reward.resize(rows * players_);
  terminated.resize(rows);
  truncated.resize(rows);
  if (options_.autoreset == Autoreset::same_step && viewers != 0)
    make_room(final_observations, small_final_observations, rows * players_);
  final_returns.resize(rows * players_);
  episode.assign(rows, -1);
  rows_.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    rows_.emplace_back(*game_);
    rows_.back().standing.resize(players_);
  }
  for (const TensorPart& part : game_->tensor_parts())
    if (small) {
      low_.insert(low_.end(), part.size(), part.low);
      range_.insert(range_.end(), part.size(), 255.0F / std::max(1e-6F, part.high - part.low));
    }
  for (Hands& hands : hands_) {
    if (small) hands.numbers.resize(numbers_);
    for (const AgentMaker& maker : makers_) hands.agents.push_back(maker ? maker() : nullptr);
  }
  if (!game_->info().has_chance && !game_->init(first_, options_.seed)) first_.resize(0);
  reset();
}

VectorTable::~VectorTable() = default;

tl::expected<std::unique_ptr<VectorTable>, Diagnostic> VectorTable::clone() const {
  auto made = make(game_, options_);
  if (!made) return made;
  VectorTable& copy = **made;
  copy.rows_ = rows_;
  copy.observations = observations;
  copy.small_observations = small_observations;
  copy.mask = mask;
  copy.mask_bits = mask_bits;
  copy.player = player;
  copy.reward = reward;
  copy.terminated = terminated;
  copy.truncated = truncated;
  copy.final_observations = final_observations;
  copy.small_final_observations = small_final_observations;
  copy.final_returns = final_returns;
  copy.episode = episode;
  return made;
}

// Masks are written when several rows are through: most of their places are far away, and what is
// played meanwhile would often wait until they have come.
template <class Work>
void VectorTable::each_row(Work work) {
  constexpr std::size_t several = 16;
  crew_.run(rows_.size(), [&](std::size_t first, std::size_t end, std::size_t worker) {
    for (; first < end; first += several) {
      const std::size_t last = std::min(first + several, end);
      for (std::size_t row = first; row < last; ++row) {
        if (row + 1 < end) fetch(row + 1);
        work(row, hands_[worker]);
      }
      for (std::size_t row = first; row < last; ++row) write_mask(row);
    }
  });
}

// Rows lie apart, and all of them together are more than a processor keeps close: what the next row
// needs is on its way while this one is played. States are changed at their beginning and, where
// they remember what was done, at their end.
void VectorTable::fetch(std::size_t index) const {
  constexpr std::size_t most_lines = 16, last_lines = 8;
  const Row& row = rows_[index];
  const std::span<const std::byte> bytes = row.state.block().bytes();
  fetch_lines(bytes.first(std::min(bytes.size(), most_lines * line)));
  if (bytes.size() > most_lines * line)
    fetch_lines({bytes.data() + bytes.size() - last_lines * line, (last_lines + 1) * line});
  fetch_lines(std::as_bytes(row.options.all()));
  fetch_lines(std::as_bytes(std::span(row.numbers)));
  fetch_lines(std::as_bytes(std::span(row.shown)));
}

void VectorTable::reset(std::span<const std::uint8_t> which) {
  each_row([&](std::size_t row, Hands& hands) {
    if (!which.empty() && which[row] == 0) return;
    terminated[row] = truncated[row] = 0;
    std::fill_n(&reward[row * players_], players_, 0.0F);
    begin(row, hands);
    show(row, hands);
  });
}

void VectorTable::restart(Seed seed) {
  options_.seed = seed;
  std::ranges::fill(episode, -1);
  reset();
}

void VectorTable::begin(std::size_t index, Hands& hands) {
  Row& row = rows_[index];
  row.seed =
      derive_seed(derive_seed(options_.seed, index), static_cast<std::uint64_t>(++episode[index]));
  row.chance = chance_stream(row.seed);
  row.decisions = 0;
  if (first_.size() != 0) {
    row.state.block() = first_;
    row.over = false;
  } else {
    row.state.block().resize(0);
    row.over = !game_->init(row.state.block(), row.seed).has_value();
  }
  std::ranges::fill(row.standing, 0);
  if (options_.rewards == Rewards::standing) game_->standing(row.state.block(), row.standing);
  if (row.over) return;
  row.state.list_options(row.options);
  advance(index, hands);
}

// Chance and opponents decide until a learner does, or the game is over. The options are listed.
void VectorTable::advance(std::size_t index, Hands& hands) {
  Row& row = rows_[index];
  for (std::uint64_t n = 0;; ++n) {
    const Decision decision = row.state.decision();
    row.over = decision.kind == DecisionKind::finished;
    if (row.over) return;
    row.decider = decision.player;
    if (decision.kind != DecisionKind::chance && !makers_[decision.player.index()]) return;
    std::size_t picked = 0;
    if (decision.kind == DecisionKind::chance) {
      picked = draw_option(row.options, row.chance);
    } else {
      Agent& agent = *hands.agents[decision.player.index()];
      const Seed seed =
          derive_seed(derive_seed(row.seed, opponent_stream), row.decisions * 1024 + n);
      agent.begin(row.state, decision.player, seed);
      picked = agent.choose(row.state, row.options);
    }
    if (!row.state.apply_and_list(row.options[picked], row.options)) {
      row.over = true;
      return;
    }
  }
}

std::size_t VectorTable::find(const Row& row, std::int64_t action) const {
  for (std::size_t i = 0; i < row.numbers.size(); ++i)
    if (row.numbers[i] == action) return i;
  return row.numbers.size();
}

tl::expected<void, IllegalAction> VectorTable::step(std::span<const std::int32_t> actions) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].over) continue;
    rows_[i].picked = find(rows_[i], actions[i]);
    if (rows_[i].picked == rows_[i].numbers.size())
      return tl::unexpected(IllegalAction{i, actions[i]});
  }
  each_row([&](std::size_t row, Hands& hands) { take(row, hands); });
  return {};
}

void VectorTable::take(std::size_t index, Hands& hands) {
  Row& row = rows_[index];
  terminated[index] = truncated[index] = 0;
  float* const rewards = &reward[index * players_];
  std::fill_n(rewards, players_, 0.0F);
  if (row.over) {
    // `same_step` has such rows only where a game was over before a learner could decide.
    if (options_.autoreset != Autoreset::disabled) {
      begin(index, hands);
      show(index, hands);
    }
    return;
  }
  if (row.state.apply_and_list(row.options[row.picked], row.options)) {
    ++row.decisions;
    advance(index, hands);
  } else {
    row.over = true;
  }
  if (options_.rewards == Rewards::standing || row.over) give_rewards(index);
  const bool cut =
      !row.over && options_.max_decisions != 0 && row.decisions >= options_.max_decisions;
  if (row.over || cut) {
    terminated[index] = row.over ? 1 : 0;
    truncated[index] = cut ? 1 : 0;
    finish(index, hands);
  }
  show(index, hands);
}

void VectorTable::give_rewards(std::size_t index) {
  Row& row = rows_[index];
  float* const rewards = &reward[index * players_];
  if (options_.rewards == Rewards::terminal) {
    if (!row.state.finished()) return;  // the rules failed
    std::array<std::int64_t, max_players> returns{};
    game_->returns(row.state.block(), std::span(returns).first(players_));
    for (std::size_t p = 0; p < players_; ++p)
      rewards[p] = static_cast<float>(returns[p]) * options_.reward_scale;
    return;
  }
  std::array<std::int64_t, max_players> now{};
  if (!game_->standing(row.state.block(), std::span(now).first(players_))) return;
  for (std::size_t p = 0; p < players_; ++p) {
    rewards[p] = static_cast<float>(now[p] - row.standing[p]) * options_.reward_scale;
    row.standing[p] = now[p];
  }
}

void VectorTable::finish(std::size_t index, Hands& hands) {
  Row& row = rows_[index];
  std::array<std::int64_t, max_players> returns{};
  if (row.state.finished()) game_->returns(row.state.block(), std::span(returns).first(players_));
  for (std::size_t p = 0; p < players_; ++p)
    final_returns[index * players_ + p] = static_cast<float>(returns[p]);
  if (options_.autoreset != Autoreset::same_step) {
    row.over = true;  // a game that was cut off is over for this table
    return;
  }
  if (options_.observed != Observed::nobody)
    for (std::size_t p = 0; p < players_; ++p)
      look(index, PlayerId{p}, index * players_ + p, final_observations, small_final_observations,
           hands);
  begin(index, hands);
}

void VectorTable::write_mask(std::size_t index) {
  const Row& row = rows_[index];
  if (options_.masks == Masks::bits) {
    std::uint64_t* const words = &mask_bits[index * mask_words()];
    for (const std::uint32_t number : row.shown)
      if (number != no_action) words[number / 64] = 0;
    for (const std::uint32_t number : row.numbers)
      if (number != no_action) words[number / 64] |= std::uint64_t{1} << (number % 64);
    return;
  }
  std::uint8_t* const bytes = &mask[index * actions_];
  if (!row.gaps) {
    mark(bytes, row.shown, 0);
    mark(bytes, row.numbers, 1);
    return;
  }
  for (const std::uint32_t number : row.shown)
    if (number != no_action) bytes[number] = 0;
  for (const std::uint32_t number : row.numbers)
    if (number != no_action) bytes[number] = 1;
}

// All but the mask.
void VectorTable::show(std::size_t index, Hands& hands) {
  Row& row = rows_[index];
  row.shown.swap(row.numbers);
  if (row.over) {
    row.numbers.clear();
    player[index] = nobody_decides;
  } else {
    row.numbers.resize(row.options.size());
    row.shown.reserve(row.numbers.capacity());  // they change places
    game_->action_indices(row.state.block(), row.options, row.numbers);
    row.gaps = row.gaps || (!complete_ && has_gaps(row.numbers));
    player[index] = static_cast<std::int8_t>(row.decider.value);
  }
  if (options_.observed != Observed::nobody) observe(index, hands);
}

void VectorTable::look(std::size_t index, PlayerId viewer, std::size_t place,
                       std::vector<float>& floats, std::vector<std::uint8_t>& bytes, Hands& hands) {
  const StateBlock& block = rows_[index].state.block();
  if (options_.numbers == Numbers::floats)
    return game_->observe(block, viewer, std::span(floats).subspan(place * numbers_, numbers_));
  game_->observe(block, viewer, hands.numbers);
  std::uint8_t* const out = bytes.data() + place * numbers_;
  for (std::size_t i = 0; i < numbers_; ++i)
    out[i] = static_cast<std::uint8_t>((hands.numbers[i] - low_[i]) * range_[i] + 0.5F);
}

void VectorTable::observe(std::size_t index, Hands& hands) {
  if (options_.observed == Observed::everybody) {
    for (std::size_t p = 0; p < players_; ++p)
      look(index, PlayerId{p}, index * players_ + p, observations, small_observations, hands);
    return;
  }
  const PlayerId viewer =
      player[index] >= 0 ? PlayerId{static_cast<std::size_t>(player[index])} : PlayerId{0u};
  look(index, viewer, index, observations, small_observations, hands);
}

void VectorTable::pick(std::size_t index) {
  Row& row = rows_[index];
  const std::size_t count = row.numbers.size();
  if (count == 0) return;
  row.picked = pick_below(picks_[index], count);
  if (!row.gaps) return;
  for (std::size_t n = 0; n < count && row.numbers[row.picked] == no_action; ++n)
    row.picked = (row.picked + 1) % count;
}

void VectorTable::rollout(std::size_t steps, Seed seed) {
  picks_.clear();
  for (std::size_t row = 0; row < rows_.size(); ++row) picks_.emplace_back(seed, row);
  for (; steps > 0; --steps)
    each_row([&](std::size_t row, Hands& hands) {
      pick(row);
      take(row, hands);
    });
}

void VectorTable::set_state(std::size_t index, const State& state) {
  Row& row = rows_[index];
  row.state.block() = state.block();
  row.decisions = 0;
  terminated[index] = truncated[index] = 0;
  std::fill_n(&reward[index * players_], players_, 0.0F);
  if (options_.rewards == Rewards::standing) game_->standing(row.state.block(), row.standing);
  Hands& hands = hands_[0];
  row.state.list_options(row.options);
  advance(index, hands);
  show(index, hands);
  write_mask(index);
}

}  // namespace parlor::play
