#include "host/clock.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace parlor::host {
namespace {

constexpr Time second = 1000, day = 24 * 3600 * second;
constexpr Time longest_base = 366 * day, most_days = 60;

std::optional<Time> whole_number(std::string_view text, Time low, Time high) {
  Time value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    return std::nullopt;
  return value;
}

tl::unexpected<std::string> no_clock(std::string_view text) {
  return tl::unexpected(fmt::format(
      "`{}` is no clock; clocks are none, move:SECONDS, fischer:BASE+INCREMENT, delay:BASE+DELAY "
      "and days:N",
      text));
}

}  // namespace

tl::expected<ClockRule, std::string> clock_rule_from_text(std::string_view text) {
  if (text == "none") return ClockRule{};
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return no_clock(text);
  const std::string_view name = text.substr(0, colon), numbers = text.substr(colon + 1);
  if (name == "move")
    if (const auto seconds = whole_number(numbers, 1, longest_base / second))
      return ClockRule{ClockRule::Kind::move, *seconds * second, 0};
  if (name == "days")
    if (const auto days = whole_number(numbers, 1, most_days))
      return ClockRule{ClockRule::Kind::days, *days * day, 0};
  if (name != "fischer" && name != "delay") return no_clock(text);
  const auto plus = numbers.find('+');
  if (plus == std::string_view::npos) return no_clock(text);
  const auto base = whole_number(numbers.substr(0, plus), 0, longest_base / second);
  const auto extra = whole_number(numbers.substr(plus + 1), 0, 24 * 3600);
  if (!base || !extra || *base + *extra == 0) return no_clock(text);
  const auto kind = name == "delay" ? ClockRule::Kind::delay : ClockRule::Kind::fischer;
  return ClockRule{kind, *base * second, *extra * second};
}

std::string to_text(const ClockRule& rule) {
  switch (rule.kind) {
    case ClockRule::Kind::none:
      return "none";
    case ClockRule::Kind::move:
      return fmt::format("move:{}", rule.base / second);
    case ClockRule::Kind::days:
      return fmt::format("days:{}", rule.base / day);
    case ClockRule::Kind::fischer:
      return fmt::format("fischer:{}+{}", rule.base / second, rule.extra / second);
    case ClockRule::Kind::delay:
      return fmt::format("delay:{}+{}", rule.base / second, rule.extra / second);
  }
  return "none";
}

GameClock::GameClock(const ClockRule& rule, std::size_t seats) : rule_(rule), sides_(seats) {
  // Without anything on the clock the first increment is there to begin with.
  const Time first = rule.kind == ClockRule::Kind::fischer && rule.base == 0 ? rule.extra : 0;
  for (Side& side : sides_) side.left = rule.base + first;
}

void GameClock::refill(PlayerId seat) {
  if (rule_.kind == ClockRule::Kind::move || rule_.kind == ClockRule::Kind::days)
    sides_[seat.index()].left = rule_.base;
}

void GameClock::start(std::span<const PlayerId> deciders, bool whole_move, Time now) {
  if (!limited()) return;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    const bool decides = std::ranges::find(deciders, PlayerId{i}) != deciders.end();
    if (!decides || side.since) continue;
    if (whole_move) {
      refill(PlayerId{i});
      side.free = rule_.kind == ClockRule::Kind::delay ? rule_.extra : 0;
      side.reserve = std::min(lag_reserve, side.reserve + lag_regained);
    }
    side.since = now;
  }
}

void GameClock::spend(Side& side, Time used) {
  const Time free = std::min(used, side.free);
  side.free -= free;
  side.left = std::max<Time>(0, side.left - (used - free));
}

void GameClock::stop(PlayerId seat, Time now, Time lag, Time at_least) {
  if (!limited()) return;
  Side& side = sides_[seat.index()];
  if (!side.since) return;
  const Time elapsed = std::max<Time>(0, now - *side.since);
  const Time given =
      std::clamp<Time>(std::min({lag, most_lag_given_back, side.reserve}), 0, elapsed);
  side.reserve -= given;
  spend(side, std::max(elapsed - given, at_least));
  side.since.reset();
}

void GameClock::reward(PlayerId seat) {
  if (rule_.kind == ClockRule::Kind::fischer) sides_[seat.index()].left += rule_.extra;
}

void GameClock::stop_all(Time now) {
  for (std::size_t i = 0; i < sides_.size(); ++i) stop(PlayerId{i}, now);
}

Time GameClock::left(PlayerId seat, Time now) const {
  Side side = sides_[seat.index()];
  if (!side.since) return side.left;
  const Time used = std::max<Time>(0, now - *side.since);
  return std::max<Time>(0, side.left - std::max<Time>(0, used - side.free));
}

std::optional<GameClock::Flag> GameClock::next_flag() const {
  std::optional<Flag> out;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (!sides_[i].since) continue;
    const Time at = *sides_[i].since + sides_[i].left + sides_[i].free;
    if (!out || at < out->at) out = Flag{PlayerId{i}, at};
  }
  return out;
}

Json GameClock::to_json() const {
  Json out = Json::array();
  for (const Side& side : sides_)
    out.push_back({{"left", side.left},
                   {"free", side.free},
                   {"reserve", side.reserve},
                   {"since", side.since ? Json(*side.since) : Json(nullptr)}});
  return out;
}

std::optional<GameClock> GameClock::from_json(const ClockRule& rule, const Json& json) {
  if (!json.is_array()) return std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 53;
  GameClock out{rule, json.size()};
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_object()) return std::nullopt;
    const auto number = [&](const char* key) {
      return integer_in(json[i].value(key, Json()), 0, most);
    };
    const auto left = number("left"), free = number("free"), reserve = number("reserve");
    if (!left || !free || !reserve) return std::nullopt;
    out.sides_[i] = {*left, *free, *reserve, number("since")};
  }
  return out;
}

}  // namespace parlor::host
