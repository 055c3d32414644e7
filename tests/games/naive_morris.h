// Nine men's morris as plainly as possible: three concentric squares of eight points.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace parlor::naive {

struct Morris {
  // Points by name; the lines of three are the mills, neighbours on a line are adjacent.
  static constexpr std::array<const char*, 24> names = {
      "a1", "a4", "a7", "b2", "b4", "b6", "c3", "c4", "c5", "d1", "d2", "d3",
      "d5", "d6", "d7", "e3", "e4", "e5", "f2", "f4", "f6", "g1", "g4", "g7"};
  static constexpr std::array<std::array<int, 3>, 16> lines = {{{0, 1, 2},
                                                                {3, 4, 5},
                                                                {6, 7, 8},
                                                                {9, 10, 11},
                                                                {12, 13, 14},
                                                                {15, 16, 17},
                                                                {18, 19, 20},
                                                                {21, 22, 23},
                                                                {0, 9, 21},
                                                                {3, 10, 18},
                                                                {6, 11, 15},
                                                                {1, 4, 7},
                                                                {16, 19, 22},
                                                                {8, 12, 17},
                                                                {5, 13, 20},
                                                                {2, 14, 23}}};

  std::string board = std::string(24, '.');
  char player = 'w';
  int white_hand = 9;
  int black_hand = 9;

  char other() const { return player == 'w' ? 'b' : 'w'; }
  int& hand() { return player == 'w' ? white_hand : black_hand; }
  int hand() const { return player == 'w' ? white_hand : black_hand; }
  char at(int point) const { return board[static_cast<std::size_t>(point)]; }
  char& at(int point) { return board[static_cast<std::size_t>(point)]; }
  int men(char colour) const {
    int count = 0;
    for (const char c : board) count += c == colour;
    return count;
  }
  static bool adjacent(int a, int b) {
    for (const auto& line : lines)
      if ((line[0] == a && line[1] == b) || (line[1] == a && line[0] == b) ||
          (line[1] == a && line[2] == b) || (line[2] == a && line[1] == b))
        return true;
    return false;
  }
  bool in_mill(int point) const {
    for (const auto& line : lines)
      if ((line[0] == point || line[1] == point || line[2] == point) && at(line[0]) == at(point) &&
          at(line[1]) == at(point) && at(line[2]) == at(point))
        return true;
    return false;
  }

  // A man has just arrived on `point`: the results of taking whatever may be taken.
  void finish(int point, std::vector<Morris>& out) const {
    Morris next = *this;
    next.player = other();
    if (!in_mill(point)) {
      out.push_back(next);
      return;
    }
    bool loose = false;
    for (int i = 0; i < 24; ++i) loose = loose || (at(i) == other() && !in_mill(i));
    for (int i = 0; i < 24; ++i) {
      if (at(i) != other() || (loose && in_mill(i))) continue;
      Morris taken = next;
      taken.at(i) = '.';
      out.push_back(taken);
    }
  }

  std::vector<Morris> moves() const {
    std::vector<Morris> out;
    const bool flying = men(player) == 3;
    if (hand() == 0 && men(player) < 3) return out;
    for (int to = 0; to < 24; ++to) {
      if (at(to) != '.') continue;
      if (hand() > 0) {
        Morris next = *this;
        next.at(to) = player;
        --next.hand();
        next.finish(to, out);
        continue;
      }
      for (int from = 0; from < 24; ++from) {
        if (at(from) != player || (!flying && !adjacent(from, to))) continue;
        Morris next = *this;
        next.at(from) = '.';
        next.at(to) = player;
        next.finish(to, out);
      }
    }
    return out;
  }
};

}  // namespace parlor::naive
