// The surveyors as plainly as possible: who left a milestone where, and a search through all ways.
#pragma once

#include <functional>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Surveyors {
  static constexpr int size = 6;
  struct Cell {
    int row = 0, col = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Seat {
    Cell here, camp;
    std::array<int, 4> pack{6, 2, 2, 3};  // boots, horses, axes, sails
  };
  static constexpr std::array<const char*, 4> ways{"boots", "horses", "axes", "sails"};
  static constexpr std::array<Cell, 4> straight{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};  // n e s w
  static constexpr std::array<Cell, 4> slant{{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}}};

  std::vector<Seat> seats;
  std::array<std::array<int, size>, size> owner{};  // of the milestone or surveyor there, 0: free
  int turn = 0, done = 0, rests = 0, wind = 0;

  static Surveyors begin(const State& state) {
    Surveyors out;
    constexpr std::array<Cell, 4> corners{{{0, 0}, {5, 5}, {0, 5}, {5, 0}}};
    for (std::size_t i = 0; i < state.game().info().players; ++i) {
      out.seats.push_back({corners[i], corners[i]});
      out.at(corners[i]) = static_cast<int>(i) + 1;
    }
    return out;
  }
  int& at(Cell c) {
    return owner[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)];
  }
  int at(Cell c) const {
    return owner[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)];
  }
  static bool inside(Cell c) { return c.row >= 0 && c.row < size && c.col >= 0 && c.col < size; }
  static Cell plus(Cell a, Cell b, int times = 1) {
    return {a.row + times * b.row, a.col + times * b.col};
  }
  int player() const { return turn; }
  const Seat& me() const { return seats[static_cast<std::size_t>(turn)]; }

  std::vector<Cell> reached(std::size_t way) const {
    std::vector<Cell> out;
    const auto add = [&](Cell to) {
      if (inside(to) && at(to) == 0) out.push_back(to);
    };
    if (me().pack[way] == 0) return out;
    for (std::size_t i = 0; i < 4; ++i) {
      if (way == 0) add(plus(me().here, straight[i]));
      if (way == 1) add(plus(me().here, straight[i], 2));
      if (way == 2) add(plus(me().here, slant[i]));
      if (way == 3 && static_cast<int>(i) == wind) add(plus(me().here, straight[i]));
    }
    return out;
  }
  games::Texts options() const {
    games::Texts out;
    for (std::size_t way = 0; way < 4; ++way)
      for (const Cell to : reached(way))
        out.push_back(fmt::format("travel {} cell_{}_{}", ways[way], to.row, to.col));
    if (out.empty()) out.push_back("rest");
    return out;
  }
  void apply(const std::string& option, const State&) {
    if (option == "rest") {
      ++rests;
    } else {
      const std::vector<std::string> words = games::words_of(option);
      const Cell to{words[2][5] - '0', words[2][7] - '0'};
      Seat& seat = seats[static_cast<std::size_t>(turn)];
      for (std::size_t way = 0; way < 4; ++way) seat.pack[way] -= words[1] == ways[way];
      at(to) = turn + 1;
      seat.here = to;
      rests = 0;
    }
    turn = (turn + 1) % static_cast<int>(seats.size());
    if (turn == 0) wind = (wind + 1) % 4;
  }
  bool over() const { return rests == static_cast<int>(seats.size()); }

  // By row and column, so that no cell is met twice.
  using Marks = std::array<std::array<bool, size>, size>;
  int longest_from(Cell c, int who, Marks& met) const {
    bool& mark = met[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)];
    mark = true;
    int best = 0;
    for (const Cell step : straight)
      if (const Cell next = plus(c, step);
          inside(next) && at(next) == who &&
          !met[static_cast<std::size_t>(next.row)][static_cast<std::size_t>(next.col)])
        best = std::max(best, longest_from(next, who, met));
    mark = false;
    return best + 1;
  }
  int fill(Cell c, int who, Marks& met) const {
    bool& mark = met[static_cast<std::size_t>(c.row)][static_cast<std::size_t>(c.col)];
    if (mark || at(c) != who) return 0;
    mark = true;
    int out = 1;
    for (const Cell step : straight)
      if (const Cell next = plus(c, step); inside(next)) out += fill(next, who, met);
    return out;
  }
  std::pair<int, int> worth(int who) const {
    int longest = 0, groups = 0, largest = 0;
    Marks filled{};
    for (int row = 0; row < size; ++row)
      for (int col = 0; col < size; ++col) {
        if (at({row, col}) != who + 1) continue;
        Marks met{};
        longest = std::max(longest, longest_from({row, col}, who + 1, met));
        const int group = fill({row, col}, who + 1, filled);
        groups += group > 0;
        largest = std::max(largest, group);
      }
    const Seat& seat = seats[static_cast<std::size_t>(who)];
    const int apart =
        std::abs(seat.here.row - seat.camp.row) + std::abs(seat.here.col - seat.camp.col);
    return {longest + (apart == 1 ? 3 : 0) - groups + 1, largest};
  }
  std::vector<int> winners() const {
    std::vector<int> out;
    std::pair<int, int> best{-1000, 0};
    for (int i = 0; i < static_cast<int>(seats.size()); ++i) best = std::max(best, worth(i));
    for (int i = 0; i < static_cast<int>(seats.size()); ++i)
      if (worth(i) == best) out.push_back(i);
    return out;
  }
  std::string text() const {
    std::string out = fmt::format("{} {}", "nesw"[wind], rests);
    for (const Seat& seat : seats)
      out += fmt::format(" | {} at {} {}", fmt::join(seat.pack, " "), seat.here.row, seat.here.col);
    for (const auto& row : owner) out += fmt::format(" {}", fmt::join(row, ""));
    return out;
  }
  static std::string text_of(const State& state) {
    const Json view = state.view();
    std::string out = fmt::format("{} {}", view["globals"]["wind"].get<std::string>(),
                                  view["globals"]["rests"].get<int>());
    for (const Json& vars : view["players"]) {
      const std::string here = vars["here"].get<std::string>();
      for (const Json& token : view["zones"][here])
        if (token["id"] == vars["surveyor"]) {
          const Json& pack = token["props"];
          out += fmt::format(" | {} {} {} {} at {} {}", pack["boots"].get<int>(),
                             pack["horses"].get<int>(), pack["axes"].get<int>(),
                             pack["sails"].get<int>(), here[5], here[7]);
        }
    }
    for (int row = 0; row < size; ++row) {
      out += ' ';
      for (int col = 0; col < size; ++col) {
        const Json& there = view["zones"][fmt::format("cell_{}_{}:none", row, col)];
        out += there.empty() ? "0" : std::to_string(there[0]["props"]["owner"].get<int>() + 1);
      }
    }
    return out;
  }
};

}  // namespace parlor::plain
