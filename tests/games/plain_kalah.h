// Kalah as plainly as possible: fourteen numbers in a ring.
#pragma once

#include <array>
#include <numeric>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Kalah {
  // 0 to 5 South's houses, 6 South's store, 7 to 12 North's houses, 13 North's store.
  std::array<int, 14> pits{4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0};
  int turn = 0;

  static std::string name(int pit) {
    if (pit % 7 == 6) return pit == 6 ? "south-store" : "north-store";
    return fmt::format("{}{}", pit < 6 ? 's' : 'n', pit % 7 + 1);
  }
  static Kalah begin(const State&) { return {}; }
  int player() const { return turn; }
  int in_houses(int side) const {
    return std::accumulate(pits.begin() + 7 * side, pits.begin() + 7 * side + 6, 0);
  }
  bool over() const { return in_houses(0) == 0 || in_houses(1) == 0; }
  std::vector<int> winners() const {
    const int south = pits[6] + in_houses(0), north = pits[13] + in_houses(1);
    if (south == north) return {0, 1};
    return {south > north ? 0 : 1};
  }
  games::Texts options() const {
    games::Texts out;
    for (int i = 7 * turn; i < 7 * turn + 6; ++i)
      if (pits[static_cast<std::size_t>(i)] > 0) out.push_back("sow " + name(i));
    return out;
  }
  void apply(const std::string& option, const State&) {
    int at = 7 * turn;
    while ("sow " + name(at) != option) ++at;
    int hand = std::exchange(pits[static_cast<std::size_t>(at)], 0);
    const int own = 7 * turn + 6, other = 7 * (1 - turn) + 6;
    while (hand > 0) {
      at = (at + 1) % 14;
      if (at == other) continue;
      ++pits[static_cast<std::size_t>(at)];
      --hand;
    }
    const auto across = static_cast<std::size_t>(12 - at);
    if (at / 7 == turn && at != own && pits[static_cast<std::size_t>(at)] == 1 &&
        pits[across] > 0) {
      pits[static_cast<std::size_t>(own)] += 1 + pits[across];
      pits[static_cast<std::size_t>(at)] = pits[across] = 0;
    }
    if (at != own) turn = 1 - turn;
  }
  std::string text() const { return fmt::format("{}", fmt::join(pits, " ")); }
  static std::string text_of(const State& state) {
    const games::Board board = games::board_of(state);
    std::array<std::size_t, 14> pits{};
    for (int i = 0; i < 14; ++i) pits[static_cast<std::size_t>(i)] = board.at(name(i)).size();
    return fmt::format("{}", fmt::join(pits, " "));
  }
};

}  // namespace parlor::plain
