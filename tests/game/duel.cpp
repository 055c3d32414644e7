#include "game/duel.h"

#include <fmt/core.h>
#include <numeric>

#include "base/hash.h"
#include "game/duel_state.h"

namespace parlor::test {
namespace {

constexpr std::uint64_t play_id = 100, swap_id = 101, heads_id = 200, tails_id = 201;

void shuffle(std::span<std::uint8_t> cards, Rng& rng) {
  for (std::size_t i = cards.size(); i > 1; --i) std::swap(cards[i - 1], cards[rng.below(i)]);
}

// A played card is on the table; when both are, the round is scored.
void score_round(DuelState& s) {
  s.active ^= 1;
  if (s.table[s.active] == 0) return;
  s.active = s.table[0] > s.table[1] ? 0 : 1;
  ++s.score[s.active];
  s.table = {};
  s.phase = ++s.round == DuelState::rounds ? Phase::finished : Phase::action;
}

// A card that is played is seen by all, one that is swapped by its owner only.
void tell(EventListener& listener, const DuelState& s, std::uint8_t card) {
  const Audience owner = Audience::of_bits(std::uint32_t{1} << s.active);
  const bool open = s.phase == Phase::play_card;
  listener.on_event({"cardMoved", Json{{"player", s.active}, {"card", card}},
                     open ? Audience::everybody() : owner,
                     Json{{"player", s.active}, {"hidden", true}}});
}

// The bytes of a saved state in the order of the struct, for saving and loading alike.
template <class Visit>
void each_field(DuelState& s, Visit visit) {
  visit("deck", s.deck, std::uint8_t{8});
  visit("hand0", s.hands[0], std::uint8_t{8});
  visit("hand1", s.hands[1], std::uint8_t{8});
  visit("table", s.table, std::uint8_t{8});
  visit("score", s.score, std::uint8_t{3});
  visit("swapped", s.swapped, std::uint8_t{1});
}

// Whether the fields fit together: every card exists once, counts agree.
bool sound(const DuelState& s) {
  std::array<int, DuelState::cards + 1> seen{};
  const std::size_t held =
      static_cast<std::size_t>(std::ranges::count_if(s.deck, [](auto c) { return c != 0; }));
  if (s.deck_size != 2 || held != 2 || s.deck[0] == 0 || s.deck[1] == 0) return false;
  for (const auto card : s.deck) ++seen[card];
  for (const auto& hand : s.hands)
    for (const auto card : hand) ++seen[card];
  for (const auto card : s.table) ++seen[card];
  for (std::size_t card = 1; card < seen.size(); ++card)
    if (seen[card] > 1) return false;
  if (s.active > 1 || s.round > DuelState::rounds || s.score[0] + s.score[1] != s.round)
    return false;
  if ((s.phase == Phase::finished) != (s.round == DuelState::rounds)) return false;
  if (s.phase == Phase::coin && s.round + s.table[0] + s.table[1] != 0) return false;
  if (s.phase == Phase::swap_card && s.swapped[s.active] != 0) return false;
  if (s.table[s.active] != 0) return false;
  for (std::size_t p = 0; p < 2; ++p) {
    const auto left = std::ranges::count_if(s.hands[p], [](auto c) { return c != 0; });
    const int played = s.round + (s.table[p] != 0 ? 1 : 0);
    if (left + played != static_cast<int>(DuelState::hand_size)) return false;
  }
  return true;
}

}  // namespace

Duel::Duel() {
  info_.id = "duel";
  info_.name = "Duel";
  info_.description = "Three cards each; the higher card scores.";
  info_.seats = {"red", "blue"};
  info_.has_chance = true;
  info_.explicit_chance = true;
  info_.hidden_information = true;
  info_.actions = {"play", "swap"};
  info_.fingerprint = 0xd0e1;
}

Applied Duel::init(StateBlock& block, Seed seed) const {
  block.resize(sizeof(DuelState));
  auto& s = block.as<DuelState>();
  std::iota(s.deck.begin(), s.deck.end(), std::uint8_t{1});
  Rng rng{seed};
  shuffle(s.deck, rng);
  s.deck_size = DuelState::cards;
  for (auto& hand : s.hands)
    for (auto& card : hand) card = std::exchange(s.deck[--s.deck_size], std::uint8_t{0});
  return {};
}

Decision Duel::decision(const StateBlock& block) const {
  const auto& s = block.as<DuelState>();
  switch (s.phase) {
    case Phase::coin:
      return {DecisionKind::chance, PlayerId::none(), false};
    case Phase::action:
      return {DecisionKind::action, PlayerId{s.active}, true};
    case Phase::play_card:
    case Phase::swap_card:
      return {DecisionKind::choose_one, PlayerId{s.active}, false};
    case Phase::finished:
      break;
  }
  return {};
}

void Duel::list_options(const StateBlock& block, OptionList& out) const {
  const auto& s = block.as<DuelState>();
  if (s.phase == Phase::coin) {
    out.add(Option{heads_id}, 2);
    out.add(Option{tails_id}, 1);
  } else if (s.phase == Phase::action) {
    out.add(Option{play_id});
    if (s.swapped[s.active] == 0) out.add(Option{swap_id});
  } else if (s.phase != Phase::finished) {
    for (std::uint8_t card = 1; card <= DuelState::cards; ++card)
      if (std::ranges::find(s.hands[s.active], card) != s.hands[s.active].end())
        out.add(Option{card});
  }
}

Applied Duel::apply(StateBlock& block, Option option, EventListener* listener) const {
  auto& s = block.as<DuelState>();
  if (s.phase == Phase::coin) {
    s.active = option.id == heads_id ? 0 : 1;
    s.phase = Phase::action;
  } else if (s.phase == Phase::action) {
    s.phase = option.id == play_id ? Phase::play_card : Phase::swap_card;
  } else {
    auto& hand = s.hands[s.active];
    const auto card = static_cast<std::uint8_t>(option.id);
    auto& slot = *std::ranges::find(hand, card);
    if (listener != nullptr) tell(*listener, s, card);
    if (s.phase == Phase::play_card) {
      slot = 0;
      s.table[s.active] = card;
      s.phase = Phase::action;
      score_round(s);
    } else {
      slot = std::exchange(s.deck[0], s.deck[1]);
      s.deck[1] = card;
      s.swapped[s.active] = 1;
      s.phase = Phase::action;
    }
  }
  return {};
}

Outcome Duel::outcome(const StateBlock& block) const {
  const auto& s = block.as<DuelState>();
  const std::uint8_t winner = s.score[0] > s.score[1] ? 0 : 1;
  Outcome out;
  out.returns = {winner == 0 ? 1 : -1, winner == 0 ? -1 : 1};
  out.winners = {PlayerId{winner}};
  out.reason = "score";
  return out;
}

std::uint64_t Duel::hash(const StateBlock& block) const {
  return hash_bytes(block.bytes());
}

Json Duel::save_block(const StateBlock& block) const {
  DuelState s = block.as<DuelState>();
  Json out{{"deckSize", s.deck_size},
           {"active", s.active},
           {"round", s.round},
           {"phase", static_cast<int>(s.phase)}};
  each_field(s, [&](const char* name, const auto& field, std::uint8_t) { out[name] = field; });
  return out;
}

Applied Duel::load_block(const Json& saved, StateBlock& block) const {
  block.resize(sizeof(DuelState));
  auto& s = block.as<DuelState>();
  bool fine = saved.is_object();
  const auto number = [&](const Json& from, std::uint8_t most) -> std::uint8_t {
    const bool fits = from.is_number_integer() && from >= 0 && from <= most;
    fine = fine && fits;
    return fits ? from.get<std::uint8_t>() : std::uint8_t{0};
  };
  const auto named = [&](const char* name, std::uint8_t most) {
    return fine && saved.contains(name) ? number(saved[name], most) : number(nullptr, 0);
  };
  s.deck_size = named("deckSize", 8);
  s.active = named("active", 1);
  s.round = named("round", 3);
  s.phase = static_cast<Phase>(named("phase", 4));
  each_field(s, [&](const char* name, auto& field, std::uint8_t most) {
    fine = fine && saved.contains(name) && saved[name].is_array() &&
           saved[name].size() == field.size();
    for (std::size_t i = 0; fine && i < field.size(); ++i) field[i] = number(saved[name][i], most);
  });
  if (!fine || !sound(s))
    return tl::unexpected(Rejection{Code::STATE_INVALID, "this is no state of a Duel"});
  return {};
}

Json Duel::view(const StateBlock& block, const Viewer& viewer) const {
  const auto& s = block.as<DuelState>();
  Json players = Json::array();
  for (std::size_t p = 0; p < 2; ++p) {
    Json player{{"score", s.score[p]}, {"swapped", s.swapped[p] != 0}};
    if (viewer.sees_all() || viewer.is(PlayerId{p})) player["hand"] = s.hands[p];
    players.push_back(std::move(player));
  }
  Json out{{"active", s.active}, {"round", s.round}, {"table", s.table}, {"players", players}};
  if (viewer.sees_all()) out["deck"] = s.deck;
  return out;
}

std::string Duel::describe(const StateBlock& block, const Viewer& viewer) const {
  const auto& s = block.as<DuelState>();
  std::string out = fmt::format("round {} of {}\n", s.round + 1, DuelState::rounds);
  for (std::size_t p = 0; p < 2; ++p) {
    out += fmt::format("{:<5} {} points, ", info_.seats[p], s.score[p]);
    for (const auto card : s.hands[p])
      if (card != 0)
        out += viewer.sees_all() || viewer.is(PlayerId{p}) ? std::to_string(card) + " " : "? ";
    if (s.table[p] != 0) out += fmt::format("played {}", s.table[p]);
    out += '\n';
  }
  return out;
}

std::string Duel::option_text(const StateBlock&, Option option, const Viewer&) const {
  switch (option.id) {
    case play_id:
      return "play";
    case swap_id:
      return "swap";
    case heads_id:
      return "heads";
    case tails_id:
      return "tails";
    default:
      return fmt::format("card {}", option.id);
  }
}

Json Duel::option_json(const StateBlock& block, Option option, const Viewer& viewer) const {
  if (option.id == play_id || option.id == swap_id)
    return {{"action", option_text(block, option, viewer)}, {"params", Json::object()}};
  if (option.id == heads_id || option.id == tails_id)
    return {{"value", option_text(block, option, viewer)}};
  return {{"value", option.id}};
}

ChoiceTold Duel::choice_told(const StateBlock& before, Option option, const StateBlock& after,
                             const Viewer& viewer) const {
  const bool open = before.as<DuelState>().phase != Phase::swap_card;
  if (!open) return Game::choice_told(before, option, after, viewer);
  return {option_label(before, option, viewer), false};
}

void Duel::resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const {
  auto& s = block.as<DuelState>();
  std::array<std::uint8_t*, DuelState::cards> slots{};
  std::array<std::uint8_t, DuelState::cards> cards{};
  std::size_t count = 0;
  const auto hide = [&](std::uint8_t& card) {
    if (card == 0) return;
    cards[count] = card;
    slots[count++] = &card;
  };
  for (auto& card : s.deck) hide(card);
  for (std::size_t p = 0; p < 2; ++p)
    if (!viewer.is(PlayerId{p}))
      for (auto& card : s.hands[p]) hide(card);
  // From one order, so that the result does not depend on what was there.
  std::ranges::sort(std::span{cards}.first(count));
  shuffle(std::span{cards}.first(count), rng);
  for (std::size_t i = 0; i < count; ++i) *slots[i] = cards[i];
}

std::optional<std::uint64_t> Duel::count_moves(const StateBlock& block, int depth) const {
  const auto& s = block.as<DuelState>();
  if (depth != 1 || s.phase != Phase::action) return std::nullopt;
  const auto held = std::ranges::count_if(s.hands[s.active], [](auto c) { return c != 0; });
  return static_cast<std::uint64_t>(held) * (s.swapped[s.active] == 0 ? 2 : 1);
}

}  // namespace parlor::test
