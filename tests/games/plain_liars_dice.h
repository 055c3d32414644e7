// Liar's dice as plainly as possible: a list of dice for each player, and a bid.
#pragma once

#include "games/side_by_side.h"

namespace parlor::plain {

struct LiarsDice {
  std::vector<std::vector<int>> cups;
  int count = 0, face = 0, bidder = 0, turn = 0;

  static std::vector<std::vector<int>> read(const State& state) {
    const games::Board board = games::board_of(state);
    std::vector<std::vector<int>> out;
    for (std::size_t i = 0; i < state.game().info().players; ++i) {
      out.emplace_back();
      for (const games::Token& die : board.at(fmt::format("cup:{}", i)))
        out.back().push_back(die.props.at("face").get<int>());
    }
    return out;
  }
  static LiarsDice begin(const State& state) {
    LiarsDice out;
    out.cups = read(state);
    for (const auto& cup : out.cups) EXPECT_EQ(cup.size(), 5u);
    return out;
  }
  int players() const { return static_cast<int>(cups.size()); }
  std::vector<int>& cup(int who) { return cups[static_cast<std::size_t>(who)]; }
  int dice() const {
    int out = 0;
    for (const auto& cup : cups) out += static_cast<int>(cup.size());
    return out;
  }
  int player() const { return turn; }
  games::Texts options() const {
    games::Texts out;
    for (int n = 1; n <= dice(); ++n)
      for (int f = 1; f <= 6; ++f)
        if (n > count || (n == count && f > face)) out.push_back(fmt::format("bid {} {}", n, f));
    if (count > 0) out.emplace_back("liar");
    return out;
  }
  void pass_on() {
    do turn = (turn + 1) % players();
    while (cup(turn).empty());
  }
  void apply(const std::string& option, const State& after) {
    if (option != "liar") {
      std::sscanf(option.c_str(), "bid %d %d", &count, &face);
      bidder = turn;
      return pass_on();
    }
    int there = 0;
    for (const auto& cup : cups)
      for (const int pips : cup) there += pips == face || pips == 1;
    const int loser = there < count ? bidder : turn;
    cup(loser).pop_back();
    const auto rolled = read(after);
    for (int i = 0; i < players(); ++i) {
      EXPECT_EQ(rolled[static_cast<std::size_t>(i)].size(), cup(i).size());
      cup(i) = rolled[static_cast<std::size_t>(i)];
    }
    count = face = 0;
    turn = loser;
    if (cup(turn).empty() && !over()) pass_on();
  }
  bool over() const { return winners().size() == 1; }
  std::vector<int> winners() const {
    std::vector<int> out;
    for (int i = 0; i < players(); ++i)
      if (!cups[static_cast<std::size_t>(i)].empty()) out.push_back(i);
    return out;
  }
  std::string text() const { return fmt::format("{} {} {}", count, face, fmt::join(cups, " ")); }
  static std::string text_of(const State& state) {
    return fmt::format("{} {} {}", games::global(state, "bidCount"),
                       games::global(state, "bidFace"), fmt::join(read(state), " "));
  }
};

}  // namespace parlor::plain
