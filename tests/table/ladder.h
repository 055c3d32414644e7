// A game made to exercise sessions: three players, moves of one or two decisions, chance decisions,
// and actions that have the names of what can be done to a session.
#pragma once

#include "base/hash.h"
#include "play/native_game.h"

namespace parlor::table {

struct Ladder {
  static constexpr int players = 3, length = 60;
  std::uint64_t sum;
  std::uint16_t moves;
  std::uint8_t half;    // inside a move of two decisions
  std::uint8_t chance;  // a die is to fall

  static GameInfo info() {
    GameInfo info;
    info.id = "ladder";
    info.players = info.min_players = info.max_players = players;
    info.has_chance = info.explicit_chance = true;
    info.actions = {"undo", "redo", "option", "choose"};
    return info;
  }
  void start(Rng& rng) {
    sum = rng.next();
    chance = 1;
  }
  Decision decision() const {
    if (chance != 0) return {DecisionKind::chance, PlayerId::none(), false};
    if (moves == length) return {};
    return {half != 0 ? DecisionKind::choose_one : DecisionKind::action, PlayerId{moves % players},
            half == 0};
  }
  void list(OptionList& out) const {
    if (chance != 0)
      for (std::uint64_t i = 0; i < 6; ++i) out.add(Option{i}, 1);
    else if (moves < length)
      for (std::uint64_t i = 0; i < 4; ++i) out.add(Option{i});
  }
  void apply(std::uint64_t option) {
    sum = mix(sum * 31 + option + 1);
    if (chance != 0) {
      chance = 0;
    } else if (half == 0 && option == 1) {
      half = 1;
    } else {
      half = 0;
      ++moves;
      chance = option == 3 ? 1 : 0;
    }
  }
  Outcome outcome() const { return {{1, -1, -1}, {PlayerId{0}}, "length"}; }
  void returns(std::span<std::int64_t> out) const { out[0] = 1, out[1] = out[2] = -1; }
  Json view(const Viewer&) const { return {{"sum", sum}, {"moves", moves}}; }
  std::string text(std::uint64_t option) const {
    constexpr const char* names[] = {"undo", "redo", "option", "choose"};
    return fmt::format("{} {}", names[option % 4], option);
  }
};
using LadderGame = play::games::NativeGame<Ladder>;

}  // namespace parlor::table
