// Deliberately bad little games. Each has exactly one defect.
#pragma once

#include <fmt/format.h>

#include "play/board_games.h"

namespace parlor::play::games {

inline GameInfo named(std::string id, std::vector<std::string> actions) {
  GameInfo info;
  info.id = std::move(id);
  info.actions = std::move(actions);
  return info;
}

// A lamp that is switched for ever.
struct EndlessLamp {
  std::int8_t lit;
  std::int8_t player;
  static GameInfo info() { return named("endless-lamp", {"switch", "leave"}); }
  void start(Rng&) {}
  Decision decision() const { return turn_of(player); }
  void list(OptionList& out) const {
    out.add(Option{0});
    out.add(Option{1});
  }
  void apply(std::uint64_t option) {
    lit = static_cast<std::int8_t>(lit ^ static_cast<std::int8_t>(option));
    player = static_cast<std::int8_t>(1 - player);
  }
  Outcome outcome() const { return {}; }
  Json view(const Viewer&) const { return {{"lit", lit}, {"active", player}}; }
  std::string text(std::uint64_t option) const { return option == 1 ? "switch" : "leave"; }
};

// Tic-tac-toe on two cells: afterwards both players pass for ever.
struct EndlessPassing {
  std::int8_t filled;
  std::int8_t player;
  static GameInfo info() { return named("endless-passing", {"place", "pass"}); }
  void start(Rng&) {}
  Decision decision() const { return turn_of(player); }
  void list(OptionList& out) const { out.add(Option{filled < 2 ? 1U : 0U}); }
  void apply(std::uint64_t option) {
    filled = static_cast<std::int8_t>(filled + static_cast<std::int8_t>(option));
    player = static_cast<std::int8_t>(1 - player);
  }
  Outcome outcome() const { return {}; }
  Json view(const Viewer&) const {
    return {{"filled", filled}, {"active", player}, {"turn", filled}};
  }
  std::string text(std::uint64_t option) const { return option == 1 ? "place" : "pass"; }
};

// A number that only ever grows.
struct EndlessCounting {
  std::int64_t total;
  std::int8_t player;
  static GameInfo info() { return named("endless-counting", {"add"}); }
  void start(Rng&) {}
  Decision decision() const { return turn_of(player); }
  void list(OptionList& out) const {
    out.add(Option{1});
    out.add(Option{2});
  }
  void apply(std::uint64_t option) {
    total += static_cast<std::int64_t>(option);
    player = static_cast<std::int8_t>(1 - player);
  }
  Outcome outcome() const { return {}; }
  Json view(const Viewer&) const { return {{"total", total}, {"active", player}}; }
  std::string text(std::uint64_t option) const { return fmt::format("add {}", option); }
};

// Tic-tac-toe in which nobody may fill the last two cells.
struct StuckTicTacToe : TicTacToe {
  static GameInfo info() { return named("stuck-tic-tac-toe", {"place"}); }
  void list(OptionList& out) const {
    if (moves < 7) TicTacToe::list(out);
  }
};

// Eight times each: gold is worth three, wood and stone one.
struct GoldRush {
  std::int8_t points[2];
  std::int8_t turns;
  static GameInfo info() { return named("gold-rush", {"gold", "wood", "stone"}); }
  void start(Rng&) {}
  Decision decision() const { return turns == 16 ? Decision{} : turn_of(turns % 2); }
  void list(OptionList& out) const {
    if (turns == 16) return;
    for (std::uint64_t i = 0; i < 3; ++i) out.add(Option{i});
  }
  void apply(std::uint64_t option) {
    auto& mine = points[turns % 2];
    mine = static_cast<std::int8_t>(mine + (option == 0 ? 3 : 1));
    ++turns;
  }
  int winner() const { return points[0] > points[1] ? 0 : points[1] > points[0] ? 1 : 2; }
  Outcome outcome() const { return two_player_outcome(winner(), "counted"); }
  bool standing(std::span<std::int64_t> out) const {
    out[0] = points[0];
    out[1] = points[1];
    return true;
  }
  Json view(const Viewer&) const { return {{"points", points}, {"turns", turns}}; }
  std::string text(std::uint64_t option) const {
    return option == 0 ? "gold" : option == 1 ? "wood" : "stone";
  }
};

// Fifteen matches, take one to three; whoever says "stop" wins. The first player can at once.
template <int winner_seat>
struct StopAtOnce {
  std::int8_t matches;
  std::int8_t player;
  std::int8_t stopped;
  static GameInfo info() {
    return named(winner_seat == 0 ? "stop-at-once" : "stop-in-reply", {"take", "stop"});
  }
  void start(Rng&) { matches = 15; }
  bool over() const { return stopped != 0 || matches <= 0; }
  Decision decision() const { return over() ? Decision{} : turn_of(player); }
  void list(OptionList& out) const {
    if (over()) return;
    for (std::uint64_t i = 1; i <= 3; ++i) out.add(Option{i});
    if (player == winner_seat) out.add(Option{0});
  }
  void apply(std::uint64_t option) {
    if (option == 0) {
      stopped = 1;
      return;
    }
    matches = static_cast<std::int8_t>(matches - static_cast<std::int8_t>(option));
    player = static_cast<std::int8_t>(1 - player);
  }
  Outcome outcome() const { return two_player_outcome(stopped ? winner_seat : 2, "stopped"); }
  Json view(const Viewer&) const { return {{"matches", matches}, {"active", player}}; }
  std::string text(std::uint64_t option) const {
    return option == 0 ? "stop" : fmt::format("take {}", option);
  }
};

// A race in which every step is equally long and one seat has a head start.
template <int head_start>
struct UnfairRace {
  static constexpr int length = 8;
  std::int8_t steps[2];
  std::int8_t path[2 * length];
  std::int8_t turns;
  static GameInfo info() { return named(head_start == 0 ? "race-first" : "race-second", {"step"}); }
  void start(Rng&) { steps[1] = head_start; }
  int winner() const { return steps[0] >= length ? 0 : steps[1] >= length ? 1 : 2; }
  Decision decision() const { return winner() != 2 ? Decision{} : turn_of(turns % 2); }
  void list(OptionList& out) const {
    if (winner() != 2) return;
    for (std::uint64_t i = 0; i < 3; ++i) out.add(Option{i});
  }
  void apply(std::uint64_t option) {
    path[turns] = static_cast<std::int8_t>(option);
    ++steps[turns % 2];
    ++turns;
  }
  Outcome outcome() const { return two_player_outcome(winner(), "arrived"); }
  Json view(const Viewer&) const { return {{"steps", steps}, {"path", path}}; }
  std::string text(std::uint64_t option) const { return fmt::format("step {}", option); }
};

// Tic-tac-toe that declares an action nobody can ever take.
struct DeadActionTicTacToe : TicTacToe {
  static GameInfo info() { return named("dead-action-tic-tac-toe", {"place", "teleport"}); }
};

// Tic-tac-toe in which the middle cell sets off a chain of triggers that never ends by itself.
struct RunawayTicTacToe : TicTacToe {
  static GameInfo info() { return named("runaway-tic-tac-toe", {"place"}); }
  Applied fallible_apply(std::uint64_t cell, EventListener* listener) {
    TicTacToe::apply(cell);
    if (cell == 4 && listener != nullptr)
      listener->on_event(
          {"triggerTruncated", {{"trigger", "echo"}, {"message", "an echo was cut off"}}});
    return {};
  }
};

}  // namespace parlor::play::games
