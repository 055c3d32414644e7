// Backgammon turns as plainly as possible, from the side of the player to move: points 1 to 24 in
// that player's own numbering, 25 the bar, 0 off the board.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace parlor::naive {

struct Backgammon {
  std::array<int, 26> mine{};
  std::array<int, 26> theirs{};  // in the same numbering; their bar is 0, their goal is 25

  static Backgammon start() {
    Backgammon game;
    game.mine[24] = game.theirs[1] = 2;
    game.mine[13] = game.theirs[12] = 5;
    game.mine[8] = game.theirs[17] = 3;
    game.mine[6] = game.theirs[19] = 5;
    return game;
  }
  friend auto operator<=>(const Backgammon&, const Backgammon&) = default;

  bool play(int from, int die) {
    if (mine[static_cast<std::size_t>(from)] == 0) return false;
    if (mine[25] > 0 && from != 25) return false;
    const int to = from - die;
    if (to > 0) {
      const auto goal = static_cast<std::size_t>(to);
      if (theirs[goal] > 1) return false;
      if (theirs[goal] == 1) {
        theirs[goal] = 0;
        ++theirs[0];
      }
      ++mine[goal];
    } else {
      int furthest = 25;
      while (mine[static_cast<std::size_t>(furthest)] == 0) --furthest;
      if (furthest > 6 || (to < 0 && furthest > from)) return false;
      ++mine[0];
    }
    --mine[static_cast<std::size_t>(from)];
    return true;
  }

  // All positions after a turn with these dice, each with the pips that were used to reach it.
  void explore(std::vector<int> dice, int used, std::map<int, std::set<Backgammon>>& ends) const {
    bool stuck = true;
    for (std::size_t i = 0; i < dice.size(); ++i) {
      if (i > 0 && dice[i] == dice[i - 1]) continue;
      std::vector<int> rest = dice;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      for (int from = 1; from <= 25; ++from) {
        Backgammon next = *this;
        if (!next.play(from, dice[i])) continue;
        stuck = false;
        next.explore(rest, used + dice[i], ends);
      }
    }
    if (stuck) ends[used].insert(*this);
  }

  // The distinct positions a player may leave: as many pips as possible must be played.
  std::set<Backgammon> turns(int first, int second) const {
    std::vector<int> dice{first, second};
    if (first == second) dice = {first, first, first, first};
    std::map<int, std::set<Backgammon>> ends;
    explore(dice, 0, ends);
    return ends.rbegin()->second;
  }
};

}  // namespace parlor::naive
