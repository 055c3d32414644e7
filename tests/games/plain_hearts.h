// Hearts as plainly as possible: four lists of cards.
#pragma once

#include <array>
#include <set>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Hearts {
  using Card = std::pair<int, int>;  // suit (1 clubs, 2 diamonds, 3 spades, 4 hearts) and rank
  std::array<std::set<Card>, 4> hands, taken;
  std::vector<std::pair<int, Card>> trick;  // who played what
  std::array<int, 4> scores{};
  int hand = 1, turn = 0;
  bool passing = true, first = true, broken = false;
  static constexpr bool whole_moves = true;

  template <class T>
  static auto& of(T& list, int who) {
    return list[static_cast<std::size_t>(who)];
  }
  static bool counts(const Card& c) { return c.first == 4 || c == Card{3, 12}; }
  static std::string name(const Card& c) {
    constexpr std::array<const char*, 5> suits{"", "c", "d", "s", "h"};
    return fmt::format("{}{}", suits[static_cast<std::size_t>(c.first)], c.second);
  }
  static Card card(const Json& token) {
    return {token.at("props").at("suit").get<int>(), token.at("props").at("rank").get<int>()};
  }
  static std::set<Card> cards(const Json& view, const std::string& zone) {
    std::set<Card> out;
    for (const Json& token : view.at("zones").at(zone)) out.insert(card(token));
    return out;
  }
  static std::string word(const Json& token) { return name(card(token)); }
  void read_deal(const State& state) {
    const Json view = state.view();
    for (int i = 0; i < 4; ++i) {
      of(hands, i) = cards(view, fmt::format("hand:{}", i));
      EXPECT_EQ(of(hands, i).size(), 13u);
      of(taken, i).clear();
    }
    first = true, broken = false;
    passing = hand % 4 != 0;
    turn = 0;
    if (!passing) lead_clubs();
  }
  void lead_clubs() {
    for (int i = 0; i < 4; ++i)
      if (of(hands, i).contains({1, 2})) turn = i;
  }
  static Hearts begin(const State& state) {
    Hearts out;
    out.read_deal(state);
    return out;
  }
  int player() const { return turn; }
  games::Texts options() const {
    games::Texts out;
    const std::set<Card>& own = of(hands, turn);
    if (passing) return {"pass"};
    const auto all = [&](auto test) { return std::ranges::all_of(own, test); };
    for (const Card& c : own) {
      bool may = true;
      if (trick.empty()) {
        may = first ? c == Card{1, 2}
                    : c.first != 4 || broken || all([](const Card& o) { return o.first == 4; });
      } else if (const int led = trick.front().second.first; c.first != led) {
        may = all([&](const Card& o) { return o.first != led; }) &&
              (!first || !counts(c) || all(counts));
      }
      if (may) out.push_back("play " + name(c));
    }
    return out;
  }
  // All pass at once when the last one has chosen. Which three are the player's choice: whatever
  // somebody has now and had not before came from one hand.
  void pass(const State& after) {
    if (++turn < 4) return;
    const Json view = after.view();
    constexpr std::array<int, 4> distance{0, 1, 3, 2};
    std::array<std::set<Card>, 4> now;
    for (int i = 0; i < 4; ++i) of(now, i) = cards(view, fmt::format("hand:{}", i));
    for (int i = 0; i < 4; ++i) {
      const int to = (i + of(distance, hand % 4)) % 4;
      int passed = 0;
      for (const Card& c : of(now, to))
        if (!of(hands, to).contains(c)) passed += of(hands, i).contains(c) ? 1 : 100;
      EXPECT_EQ(passed, 3);
      EXPECT_EQ(of(now, i).size(), 13u);
    }
    hands = now;
    passing = false;
    lead_clubs();
  }
  void apply(const std::string& option, const State& after) {
    if (option == "pass") return pass(after);
    for (const Card& c : std::set(of(hands, turn)))
      if (option == "play " + name(c)) {
        of(hands, turn).erase(c);
        trick.emplace_back(turn, c);
        broken = broken || c.first == 4;
      }
    turn = (turn + 1) % 4;
    if (trick.size() < 4) return;
    auto best = trick.front();
    for (const auto& played : trick)
      if (played.second.first == best.second.first && played.second > best.second) best = played;
    turn = best.first;
    for (const auto& played : trick) of(taken, turn).insert(played.second);
    trick.clear();
    first = false;
    if (of(hands, turn).empty()) end_hand(after);
  }
  void end_hand(const State& after) {
    for (int i = 0; i < 4; ++i) {
      int points = 0;
      for (const Card& c : of(taken, i)) points += c.first == 4 ? 1 : c == Card{3, 12} ? 13 : 0;
      for (int k = 0; k < 4; ++k)
        if (points == 26 ? k != i : k == i) of(scores, k) += points;
    }
    ++hand;
    if (!over()) read_deal(after);
  }
  bool over() const { return *std::ranges::max_element(scores) >= 100; }
  std::vector<int> winners() const {
    std::vector<int> out;
    for (int i = 0; i < 4; ++i)
      if (of(scores, i) == *std::ranges::min_element(scores)) out.push_back(i);
    return out;
  }
  static std::string names(const std::set<Card>& list) {
    std::string out;
    for (const Card& c : list) out += name(c) + ",";
    return out;
  }
  std::string text() const {
    std::string out = fmt::format("hand {} trick", hand);
    for (const auto& played : trick)
      out += fmt::format(" {}:{}", played.first, name(played.second));
    for (int i = 0; i < 4; ++i)
      out += fmt::format(" | {} {} {}", of(scores, i), names(of(hands, i)), names(of(taken, i)));
    return out;
  }
  static std::string text_of(const State& state) {
    const Json view = state.view();
    std::string out = fmt::format("hand {} trick", view["globals"]["handNumber"].get<int>());
    const Json& trick = view["zones"]["trick:none"];
    for (auto token = trick.rbegin(); token != trick.rend(); ++token)  // the last one lies on top
      out += fmt::format(" {}:{}", (*token)["props"]["by"].get<int>(), name(card(*token)));
    for (int i = 0; i < 4; ++i)
      out += fmt::format(" | {} {} {}",
                         view["players"][static_cast<std::size_t>(i)]["score"].get<int>(),
                         names(cards(view, fmt::format("hand:{}", i))),
                         names(cards(view, fmt::format("taken:{}", i))));
    return out;
  }
};

}  // namespace parlor::plain
