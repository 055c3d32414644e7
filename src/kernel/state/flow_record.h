// The turn-flow record: what a state of a card-driven game knows beyond its zones and variables. It
// is part of the flat block (Layout::flow) and exists only where a game has cards. What comes and
// goes, the records below it, lies behind the tokens (open_records.cpp).
#pragma once

#include <cstdint>

#include "kernel/program/flow_info.h"
#include "kernel/program/ids.h"

namespace parlor::kernel {

inline constexpr int max_grants = 32;
inline constexpr int max_lasting = 32;
inline constexpr int max_deferred = 8;
inline constexpr int max_captured = 8;
inline constexpr int max_broken = 4;

// The move being made, as far as the card knows it. All zero: none.
struct MoveContext {
  ActionClass action_class = ActionClass::none;
  Small<std::uint8_t> grant = 0;  // place among the grants + 1; 0: not free
  Small<std::uint8_t> owner = 0;  // who decides
  Small<std::uint8_t> as = 0;     // who carries it out
  Small<std::int16_t> action = -1;
  Small<std::int16_t> activity = -1;  // special activity that goes with it, once it is chosen
  Small<std::int16_t> timing = -1;    // 0 before, 1 + k after stage k, after_stages at the end
  Small<std::int16_t> pipeline = -1;  // of the activity
  Small<std::int16_t> kept = -1;      // first slot of the operation for what the activity chose
  Small<std::uint8_t> made = 0;       // 1: the activity was carried out
  Small<std::uint8_t> judged = 0;     // 1: `grant` is what authorises the move
};
inline constexpr std::int16_t after_stages = 10'000;

struct FlowRecord {
  Small<std::uint8_t> seats = 0;  // of the order
  Small<std::uint8_t> order[16] = {};
  Small<std::uint8_t> acts = 0;                 // on this card that were no passes
  ActionClass first_class = ActionClass::none;  // of the first of them
  Small<std::uint8_t> stalled = 0;
  Small<std::uint16_t> eligible = 0, acted = 0, passed = 0;  // players; who passed has acted too
  Small<std::uint16_t> next_named = 0, next_eligible = 0;    // queued for the next card
  Small<std::uint16_t> coup_rounds = 0;                      // in a row
  Small<std::uint8_t> grants = 0, lasting = 0, deferred = 0, captured = 0;
  // Of the boundary that is being crossed.
  Small<std::uint8_t> boundaries = 0, handed_off = 0, moved = 0, promoted = 0;
  Small<std::uint8_t> was_coup = 0, broken = 0;
  std::uint16_t spare = 0;
  std::uint32_t serial = 0;  // of the move being made: what it issues belongs together
  std::uint32_t issued = 0;
  std::int32_t broken_batch[max_broken] = {};
  MoveContext move;
};
struct GrantRecord {
  Small<std::int16_t> def;
  Small<std::uint8_t> seat, as;
  Small<std::int16_t> step;
  Small<std::uint16_t> uses;
  std::int32_t batch;    // symbol; -1: none
  std::uint32_t source;  // serial of the move that issued it
  std::uint32_t number;  // the how-manieth grant of the game
  std::uint32_t values;  // so many Values follow, at most FlowInfo::grant_values
};
struct LastingRecord {
  Small<std::int16_t> def;
  Small<std::int16_t> turns, rounds;  // boundaries to go; -1: does not count these
  std::int16_t spare;
};
struct DeferredRecord {
  Small<std::int16_t> def;
  Small<std::uint8_t> player;
  Small<std::uint8_t> values;
  std::uint32_t source;
  // followed by FlowInfo::deferred_values Values
};
struct CapturedRecord {
  std::int32_t batch, key;  // symbols
  std::uint32_t source;
  std::uint32_t spare;
  // followed by a zone set
};

}  // namespace parlor::kernel
