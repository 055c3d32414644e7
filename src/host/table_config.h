// What a table is set up with: the game, and how it is to be played there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "host/clock.h"
#include "host/codes.h"

namespace parlor::host {

enum class Visibility : std::uint8_t { open, unlisted, closed };  // "public", "unlisted", "private"
enum class AtZero : std::uint8_t { lose, bot, random, first };
enum class ChatRule : std::uint8_t { off, players, all };
enum class SeatChoice : std::uint8_t { pick, fixed, random };

struct Spectators {
  bool allowed = true;
  Time delay = 0;  // what they see is as old as this
  friend bool operator==(const Spectators&, const Spectators&) = default;
};

// What shall be done on a seat to begin with.
struct SeatWish {
  bool bot = false;
  std::string agent;
  friend bool operator==(const SeatWish&, const SeatWish&) = default;
};

struct TableConfig {
  std::string game;
  OpenOptions options;
  Visibility visibility = Visibility::open;
  ClockRule clock;
  AtZero at_zero = AtZero::lose;
  Spectators spectators;
  ChatRule chat = ChatRule::players;
  bool undo = true;  // may be asked for, where the game allows it
  SeatChoice seat_choice = SeatChoice::pick;
  std::optional<Time> claim_after;  // default: a minute, ten for `days`
  bool reveal = true;               // once it is over everybody may see everything
  std::vector<SeatWish> seats;

  Time claims_after() const {
    if (claim_after) return *claim_after;
    return clock.kind == ClockRule::Kind::days ? 600'000 : 60'000;
  }
  friend bool operator==(const TableConfig&, const TableConfig&) = default;
};

// As in `POST /tables`. Reading takes names only: nothing in it can be the path of a file.
Json to_json(const TableConfig& config);
tl::expected<TableConfig, Rejection> table_config_from_json(const Json& json);

std::string_view visibility_name(Visibility visibility);

}  // namespace parlor::host
