// The weir as plainly as possible: a table of places and five numbers for each player.
#pragma once

#include <climits>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Weir {
  struct Place {
    const char* name;
    int room, wood, stone, food, points, workers;
  };
  static constexpr std::array<Place, 10> places{{{"common", 99, 0, 0, 1, 0, 0},
                                                 {"forest", 2, 2, 0, 0, 0, 0},
                                                 {"quarry", 2, 0, 2, 0, 0, 0},
                                                 {"field", 2, 0, 0, 2, 0, 0},
                                                 {"weir", 1, 0, 0, 3, 0, 0},
                                                 {"sawmill", 1, -3, 0, 0, 4, 0},
                                                 {"bridge", 1, -1, -2, 0, 5, 0},
                                                 {"chapel", 1, -2, -3, 0, 8, 0},
                                                 {"fair", 1, 0, 0, -2, 3, 0},
                                                 {"cottage", 1, -2, -1, 0, 1, 1}}};
  struct Player {
    int wood = 0, stone = 0, food = 3, points = 0, team = 3, home = 3, born = 0;
  };
  std::vector<Player> seats;
  std::array<int, 10> there{};  // workers on each place
  int season = 1, turn = 0;

  static Weir begin(const State& state) {
    Weir out;
    out.seats.resize(state.game().info().players);
    return out;
  }
  int player() const { return turn; }
  Player& at(int who) { return seats[static_cast<std::size_t>(who)]; }
  games::Texts options() const {
    games::Texts out;
    const Player& me = seats[static_cast<std::size_t>(turn)];
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Place& place = places[i];
      if (there[i] < place.room && me.wood + place.wood >= 0 && me.stone + place.stone >= 0 &&
          me.food + place.food >= 0 && me.team + place.workers <= 6)
        out.push_back(fmt::format("send {}", place.name));
    }
    return out;
  }
  void apply(const std::string& option, const State&) {
    std::size_t i = 0;
    while (option.substr(5) != places[i].name) ++i;
    ++there[i];
    Player& me = at(turn);
    --me.home;
    me.wood += places[i].wood, me.stone += places[i].stone, me.food += places[i].food;
    me.points += places[i].points, me.team += places[i].workers, me.born += places[i].workers;
    const int players = static_cast<int>(seats.size());
    if (std::ranges::any_of(seats, [](const Player& p) { return p.home > 0; })) {
      do turn = (turn + 1) % players;
      while (at(turn).home == 0);
      return;
    }
    for (Player& p : seats) {
      const int eating = p.team - std::exchange(p.born, 0);  // the newly born come later
      p.points -= std::max(0, eating - p.food);
      p.food = std::max(0, p.food - eating);
      p.home = p.team;
    }
    there.fill(0);
    turn = season++ % players;
  }
  bool over() const { return season > 6; }
  std::vector<int> winners() const {
    int most = INT_MIN;
    for (const Player& p : seats) most = std::max(most, p.points);
    std::vector<int> out;
    for (std::size_t i = 0; i < seats.size(); ++i)
      if (seats[i].points == most) out.push_back(static_cast<int>(i));
    return out;
  }
  std::string text() const {
    std::string out = fmt::format("{} {}", season, fmt::join(there, ","));
    for (const Player& p : seats)
      out += fmt::format(" | {} {} {} {} {} {}", p.wood, p.stone, p.food, p.points, p.team, p.home);
    return out;
  }
  static std::string text_of(const State& state) {
    const games::Board board = games::board_of(state);
    const Json view = state.view();
    std::array<std::size_t, 10> there{};
    for (std::size_t i = 0; i < places.size(); ++i) there[i] = board.at(places[i].name).size();
    std::string out = fmt::format("{} {}", view["round"].get<int>(), fmt::join(there, ","));
    for (std::size_t i = 0; i < state.game().info().players; ++i) {
      const Json& vars = view["players"][i];
      out += fmt::format(" | {} {} {} {} {} {}", vars["wood"].get<int>(), vars["stone"].get<int>(),
                         vars["food"].get<int>(), vars["points"].get<int>(),
                         vars["team"].get<int>(), board.at(fmt::format("home:{}", i)).size());
    }
    return out;
  }
};

}  // namespace parlor::plain
