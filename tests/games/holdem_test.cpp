// Texas hold'em against an independent accountant: every pot that is paid out in random play must
// be what a plain reading of the rules says.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "games/shipped.h"

namespace parlor::games {
namespace {

constexpr const char* holdem = "texas-holdem";

struct Card {
  int rank = 0;
  std::string suit;
};

// Comparable value of five cards: category, then ranks by how often they occur and how high they
// are.
std::vector<int> value_of(std::array<Card, 5> cards) {
  std::map<int, int> count;
  for (const Card& card : cards) ++count[card.rank];
  std::vector<std::pair<int, int>> groups;
  for (const auto& [rank, n] : count) groups.emplace_back(n, rank);
  std::ranges::sort(groups, std::greater{});
  const bool flush =
      std::ranges::all_of(cards, [&](const Card& c) { return c.suit == cards[0].suit; });
  std::vector<int> ranks;
  for (const auto& [n, rank] : groups) ranks.push_back(rank);
  bool straight = groups.size() == 5 && ranks[0] - ranks[4] == 4;
  if (ranks == std::vector<int>{14, 5, 4, 3, 2}) {
    straight = true;
    ranks = {5};
  }
  int category = 1;
  if (straight && flush)
    category = 9;
  else if (groups[0].first == 4)
    category = 8;
  else if (groups[0].first == 3 && groups[1].first == 2)
    category = 7;
  else if (flush)
    category = 6;
  else if (straight)
    category = 5;
  else if (groups[0].first == 3)
    category = 4;
  else if (groups[0].first == 2 && groups[1].first == 2)
    category = 3;
  else if (groups[0].first == 2)
    category = 2;
  ranks.insert(ranks.begin(), category);
  return ranks;
}

std::vector<int> best_of(const std::vector<Card>& cards) {
  std::vector<int> best;
  std::vector<bool> take(cards.size(), false);
  std::fill(take.begin(), take.begin() + 5, true);
  do {
    std::array<Card, 5> five;
    for (std::size_t i = 0, n = 0; i < cards.size(); ++i)
      if (take[i]) five[n++] = cards[i];
    best = std::max(best, value_of(five));
  } while (std::prev_permutation(take.begin(), take.end()));
  return best;
}

struct Seat {
  std::int64_t chips = 0, committed = 0;
  bool in_hand = false;
  std::vector<Card> cards;
};

// The rule book: a pot for every different stake of the players still in, made of what everybody
// put in between it and the one before; odd chips to the first winners left of the button.
std::vector<std::int64_t> payouts(const std::vector<Seat>& seats, const std::vector<Card>& board,
                                  int button) {
  std::vector<std::int64_t> paid(seats.size(), 0);
  std::set<std::int64_t> stakes;
  for (const Seat& seat : seats)
    if (seat.in_hand) stakes.insert(seat.committed);
  std::int64_t below = 0;
  for (const std::int64_t stake : stakes) {
    std::int64_t pot = 0;
    for (const Seat& seat : seats) pot += std::clamp(seat.committed, below, stake) - below;
    std::vector<std::size_t> contenders;
    for (std::size_t i = 1; i <= seats.size(); ++i) {  // in order from the left of the button
      const std::size_t p = (static_cast<std::size_t>(button) + i) % seats.size();
      if (seats[p].in_hand && seats[p].committed >= stake) contenders.push_back(p);
    }
    if (contenders.size() > 1) {
      std::map<std::size_t, std::vector<int>> values;
      std::vector<int> top;
      for (const std::size_t p : contenders) {
        std::vector<Card> seven = seats[p].cards;
        seven.insert(seven.end(), board.begin(), board.end());
        top = std::max(top, values[p] = best_of(seven));
      }
      std::erase_if(contenders, [&](std::size_t p) { return values[p] != top; });
    }
    const auto n = static_cast<std::int64_t>(contenders.size());
    for (std::int64_t i = 0; i < n; ++i)
      paid[contenders[static_cast<std::size_t>(i)]] += pot / n + (i < pot % n ? 1 : 0);
    below = stake;
  }
  return paid;
}

// Follows one applied action event by event and checks the moment the pots are paid.
class Accountant : public EventListener {
 public:
  explicit Accountant(const Json& view) {
    button_ = view["globals"]["button"];
    for (std::size_t p = 0; p < view["players"].size(); ++p) {
      const Json& vars = view["players"][p];
      Seat seat{vars["chips"], vars["committed"], vars["inHand"], {}};
      for (const Json& card : view["zones"]["hand:" + std::to_string(p)])
        seat.cards.push_back(card_of(card));
      seats_.push_back(std::move(seat));
    }
    for (const auto& [zone, tokens] : view["zones"].items())
      for (const Json& card : tokens) by_id_[card["id"]] = card_of(card);
    for (const Json& card : view["zones"]["board:none"]) board_.push_back(card_of(card));
  }

  void on_event(const Event& event) override {
    if (done_) return;
    if (event.kind == "tokenMoved" && event.data["to"] == "board:none")
      board_.push_back(by_id_.at(event.data["token"]));
    if (event.kind != "varChanged" || !event.data.contains("player")) return;
    const std::string var = event.data["var"];
    Seat& seat = seats_[event.data["player"].get<std::size_t>()];
    const Json& now = event.data["new"];
    // The first chips that anybody gets begin the payment.
    if (var == "chips" && now.get<std::int64_t>() > seat.chips && due_.empty())
      for (std::size_t p = 0; const std::int64_t share : payouts(seats_, board_, button_))
        due_.push_back(seats_[p++].chips + share);
    if (var == "chips") seat.chips = now;
    if (var == "committed") seat.committed = now;
    if (var == "inHand") seat.in_hand = now;
    if (due_.empty() || std::ranges::any_of(seats_, [](const Seat& s) { return s.committed > 0; }))
      return;
    for (std::size_t p = 0; p < seats_.size(); ++p)
      EXPECT_EQ(seats_[p].chips, due_[p]) << "player " << p;
    done_ = true;
  }

  bool paid() const { return done_; }

 private:
  static Card card_of(const Json& token) {
    return {token["props"]["rank"], token["props"]["suit"]};
  }

  std::vector<Seat> seats_;
  std::vector<Card> board_;
  std::map<std::string, Card> by_id_;
  std::vector<std::int64_t> due_;
  int button_ = 0;
  bool done_ = false;
};

std::int64_t chips_on_the_table(const Json& view) {
  std::int64_t total = 0;
  for (const Json& vars : view["players"])
    total += vars["chips"].get<std::int64_t>() + vars["committed"].get<std::int64_t>();
  return total;
}

void play_and_check(std::size_t players, Seed seed, int& payments) {
  OpenOptions options;
  options.players = players;
  const auto game = open_shipped(holdem, options);
  State state = start(*game, seed);
  Rng rng{seed};
  OptionList list;
  while (!state.finished()) {
    const Json view = state.view();
    ASSERT_EQ(chips_on_the_table(view), static_cast<std::int64_t>(players) * 1000);
    state.list_options(list);
    // All-ins end games so fast that other sizes never meet: take them rarely.
    Option option = list[rng.below(list.size())];
    if (state.option_text(option).starts_with("all-in") && rng.below(4) != 0)
      option = list[rng.below(list.size())];
    Accountant accountant{view};
    ASSERT_TRUE(state.apply(option, &accountant).has_value());
    payments += accountant.paid() ? 1 : 0;
  }
  EXPECT_EQ(chips_on_the_table(state.view()), static_cast<std::int64_t>(players) * 1000);
  EXPECT_EQ(state.outcome().winners.size(), 1u);
}

TEST(TexasHoldem, PotsAreWhatTheRuleBookSays) {
  int payments = 0;
  for (std::size_t players = 2; players <= 10; ++players)
    for (Seed seed = 1; seed <= 3; ++seed) play_and_check(players, seed, payments);
  EXPECT_GT(payments, 50);
}

TEST(TexasHoldem, TheButtonPostsTheSmallBlindHeadsUp) {
  const auto game = open_shipped(holdem);
  const Json view = start(*game).view();
  const auto button = view["globals"]["button"].get<std::size_t>();
  EXPECT_EQ(view["players"][button]["bet"], 10);
  EXPECT_EQ(view["players"][1 - button]["bet"], 20);
  EXPECT_EQ(view["active"], button);  // and speaks first
}

TEST(TexasHoldem, HandsAreHiddenFromOthers) {
  const auto game = open_shipped(holdem);
  const Json seen = start(*game).view(Viewer::player(PlayerId{0}));
  EXPECT_EQ(seen["zones"]["hand:0"].size(), 2u);
  EXPECT_FALSE(seen["zones"]["hand:1"].is_array() && seen["zones"]["hand:1"].size() == 2 &&
               seen["zones"]["hand:1"][0].contains("props"));
}

// The list offers a few sizes between the smallest full raise and all chips.
TEST(TexasHoldem, RaisesAreFullRaises) {
  const auto game = open_shipped(holdem);
  State state = start(*game);
  OptionList list;
  state.list_options(list);
  EXPECT_LE(list.size(), 8u + 4u);
  for (const Option option : list) {
    const Json json = state.option_json(option);
    if (json["action"] == "raise") {
      EXPECT_GE(json["params"]["to"], 40);
    }
  }
}

// The published numbers of all 2,598,960 five-card hands.
TEST(SlowTexasHoldem, AllFiveCardHandsClassifyToTheKnownFrequencies) {
  const auto game = open_shipped("../tests/games/hand-frequencies");
  State state = start(*game);
  OptionList list;
  while (!state.finished()) {
    state.list_options(list);
    ASSERT_TRUE(state.apply(list[0]).has_value());
  }
  const auto count = [&](const char* name) { return global(state, name); };
  EXPECT_EQ(count("royal"), 4);
  EXPECT_EQ(count("category9"), 36 + 4);
  EXPECT_EQ(count("category8"), 624);
  EXPECT_EQ(count("category7"), 3744);
  EXPECT_EQ(count("category6"), 5108);
  EXPECT_EQ(count("category5"), 10200);
  EXPECT_EQ(count("category4"), 54912);
  EXPECT_EQ(count("category3"), 123552);
  EXPECT_EQ(count("category2"), 1098240);
  EXPECT_EQ(count("category1"), 1302540);
}

}  // namespace
}  // namespace parlor::games
