// Go with positional superko and area scoring, as plainly as possible: a text per position and a
// set of all earlier ones.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace parlor::naive {

struct Go {
  int size = 9;
  std::string board;  // '.', 'b', 'w'; row 0 first
  char player = 'b';
  int passes = 0;
  std::set<std::string> seen;

  explicit Go(int side) : size(side), board(static_cast<std::size_t>(side * side), '.') {
    seen.insert(board);
  }

  std::vector<int> neighbours(int point) const {
    std::vector<int> out;
    if (point >= size) out.push_back(point - size);
    if (point + size < size * size) out.push_back(point + size);
    if (point % size > 0) out.push_back(point - 1);
    if (point % size < size - 1) out.push_back(point + 1);
    return out;
  }
  char at(const std::string& on, int point) const { return on[static_cast<std::size_t>(point)]; }

  // The points reached from one over equal points, and everything that lies around them.
  struct Chain {
    std::set<int> points;
    std::set<char> around;
  };
  Chain chain(const std::string& on, int point) const {
    Chain out;
    std::vector<int> open{point};
    out.points.insert(point);
    while (!open.empty()) {
      const int from = open.back();
      open.pop_back();
      for (const int next : neighbours(from)) {
        if (at(on, next) != at(on, point))
          out.around.insert(at(on, next));
        else if (out.points.insert(next).second)
          open.push_back(next);
      }
    }
    return out;
  }

  char other() const { return player == 'b' ? 'w' : 'b'; }

  // The board after placing a stone, or nothing if that is not allowed.
  std::string after(int point) const {
    if (at(board, point) != '.') return {};
    std::string next = board;
    next[static_cast<std::size_t>(point)] = player;
    for (const int beside : neighbours(point)) {
      if (at(next, beside) != other()) continue;
      const Chain group = chain(next, beside);
      if (group.around.count('.') == 0)
        for (const int captured : group.points) next[static_cast<std::size_t>(captured)] = '.';
    }
    if (chain(next, point).around.count('.') == 0 || seen.count(next) != 0) return {};
    return next;
  }

  std::vector<Go> moves() const {
    std::vector<Go> out;
    if (passes == 2) return out;
    for (int point = 0; point < size * size; ++point) {
      const std::string next = after(point);
      if (next.empty()) continue;
      Go game = *this;
      game.board = next;
      game.seen.insert(next);
      game.passes = 0;
      game.player = other();
      out.push_back(game);
    }
    Go pass = *this;
    ++pass.passes;
    pass.player = other();
    out.push_back(pass);
    return out;
  }

  int area(char colour) const {
    int count = 0;
    for (int point = 0; point < size * size; ++point) {
      if (at(board, point) == colour) ++count;
      if (at(board, point) == '.' && chain(board, point).around == std::set<char>{colour}) ++count;
    }
    return count;
  }
};

}  // namespace parlor::naive
