// Clocks: how long a seat may think. Only numbers; what happens at zero is the table's business.
//
//   none            no limit
//   move:S          S seconds for every move
//   days:N          N days for every move
//   fischer:B+I     B seconds for the game, I more for every move made
//   delay:B+D       B seconds for the game; the first D of every move cost nothing
//
// Running clocks are kept as absolute times, so that they go on while nobody looks: after a restart
// the same flag falls at the same moment.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "host/services.h"

namespace parlor::host {

struct ClockRule {
  enum class Kind : std::uint8_t { none, move, fischer, delay, days };
  Kind kind = Kind::none;
  Time base = 0;   // milliseconds; for `move` and `days` of each move
  Time extra = 0;  // increment or delay

  friend bool operator==(const ClockRule&, const ClockRule&) = default;
};
tl::expected<ClockRule, std::string> clock_rule_from_text(std::string_view text);
std::string to_text(const ClockRule& rule);

// What a slow line may cost: half the round trip is given back, within limits.
inline constexpr Time most_lag_given_back = 300;
inline constexpr Time lag_reserve = 2000;
inline constexpr Time lag_regained = 100;  // for every decision

class GameClock {
 public:
  GameClock() = default;
  GameClock(const ClockRule& rule, std::size_t seats);

  // These seats may decide now; `whole_move` where a new move begins. Clocks that run go on.
  void start(std::span<const PlayerId> deciders, bool whole_move, Time now);
  // The seat has decided. `lag` is half its round trip, `at_least` what the decision costs anyway.
  void stop(PlayerId seat, Time now, Time lag = 0, Time at_least = 0);
  // A whole move is done: the increment.
  void reward(PlayerId seat);
  void stop_all(Time now);  // the game is over, or paused
  void refill(PlayerId seat);

  bool limited() const { return rule_.kind != ClockRule::Kind::none; }
  bool running(PlayerId seat) const { return sides_[seat.index()].since.has_value(); }
  Time left(PlayerId seat, Time now) const;
  // The flag that falls next, if any clock runs.
  struct Flag {
    PlayerId seat;
    Time at;
  };
  std::optional<Flag> next_flag() const;

  const ClockRule& rule() const { return rule_; }
  std::size_t seats() const { return sides_.size(); }
  Json to_json() const;
  static std::optional<GameClock> from_json(const ClockRule& rule, const Json& json);

 private:
  struct Side {
    Time left = 0;
    Time free = 0;  // of `delay`: what this move still costs nothing
    Time reserve = lag_reserve;
    std::optional<Time> since;  // running since
  };
  void spend(Side& side, Time used);

  ClockRule rule_;
  std::vector<Side> sides_;
};

}  // namespace parlor::host
