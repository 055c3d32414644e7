// Sealed bids as plainly as possible.
#pragma once

#include "games/side_by_side.h"

namespace parlor::plain {

struct Auction {
  std::vector<int> store;  // what each lot is worth, the next one first
  int block = 0, sold = 0;
  std::vector<int> coins, worth, bids;

  static std::vector<int> lots(const games::Board& board, const std::string& zone) {
    std::vector<int> out;
    for (const games::Token& lot : board.at(zone)) out.push_back(lot.props.at("worth").get<int>());
    return out;
  }
  static Auction begin(const State& state) {
    const games::Board board = games::board_of(state);
    Auction out;
    out.store = lots(board, "store");
    out.block = lots(board, "block").front();
    EXPECT_EQ(out.store.size(), 14u);
    out.coins.assign(state.game().info().players, 20);
    out.worth.assign(state.game().info().players, 0);
    return out;
  }
  int player() const { return static_cast<int>(bids.size()); }
  games::Texts options() const {
    games::Texts out;
    for (int i = 0; i <= coins[bids.size()]; ++i) out.push_back(fmt::format("bid {}", i));
    return out;
  }
  void apply(const std::string& option, const State&) {
    bids.push_back(std::stoi(option.substr(4)));
    if (bids.size() < coins.size()) return;
    const int high = *std::ranges::max_element(bids);
    if (std::ranges::count(bids, high) == 1) {
      const auto buyer = static_cast<std::size_t>(std::ranges::find(bids, high) - bids.begin());
      worth[buyer] += block;
      for (std::size_t i = 0; i < coins.size(); ++i)
        coins[i] += i == buyer ? -high : high / (static_cast<int>(coins.size()) - 1);
    }
    bids.clear();
    block = ++sold < 12 ? store.front() : 0;
    if (sold < 12) store.erase(store.begin());
  }
  bool over() const { return sold == 12; }
  std::vector<int> winners() const {
    std::vector<int> points, out;
    for (std::size_t i = 0; i < coins.size(); ++i) points.push_back(worth[i] + coins[i] / 5);
    for (std::size_t i = 0; i < coins.size(); ++i)
      if (points[i] == *std::ranges::max_element(points)) out.push_back(static_cast<int>(i));
    return out;
  }
  std::string text() const {
    return fmt::format("{} {} {} {}", block, fmt::join(store, ","), fmt::join(coins, ","),
                       fmt::join(worth, ","));
  }
  static std::string text_of(const State& state) {
    const games::Board board = games::board_of(state);
    const Json view = state.view();
    std::vector<int> coins, worth;
    for (std::size_t i = 0; i < state.game().info().players; ++i) {
      coins.push_back(view["players"][i]["coins"].get<int>());
      int sum = 0;
      for (const int lot : lots(board, fmt::format("bought:{}", i))) sum += lot;
      worth.push_back(sum);
    }
    const auto block = lots(board, "block");
    return fmt::format("{} {} {} {}", block.empty() ? 0 : block.front(),
                       fmt::join(lots(board, "store"), ","), fmt::join(coins, ","),
                       fmt::join(worth, ","));
  }
};

}  // namespace parlor::plain
