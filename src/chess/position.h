// Everything a chess state holds, as one flat block of bytes:
//
//   Position up to `house_rules`    board, entities, result: all that plain chess needs
//   ... up to `present`             with house rules: active presets, dispatch lists, preset state
//   ... attribute columns           one column of 64 values per declared attribute
//   the move log                    grows at the tail (log.h)
//
// A game without presets stores only the first part; copying a state copies what is used.
#pragma once

#include <cstddef>
#include <type_traits>

#include "chess/board.h"

namespace parlor::chess {

using EntityId = std::uint16_t;  // positive and stable for a piece's whole life; 0 is nobody
using Slot = std::uint8_t;       // the row of an entity in the columns; reused after its death

// The moments at which presets are asked; preset.h says what each means.
enum class Hook : std::uint8_t {
  on_activate,
  on_deactivate,
  override_piece_moves,
  transform_move_generator,
  get_extra_moves,
  filter_moves,
  should_filter_self_check,
  filter_legal_moves,
  get_royal_pieces,
  on_before_move,
  on_before_capture,
  on_damage,
  on_piece_spawn,
  on_piece_retract,
  on_after_move,
  on_turn_start,
  should_advance_turn,
  on_check_game_result,
  describe_move_effect
};
inline constexpr std::size_t hook_count = 19;

inline constexpr std::size_t max_active = 32;
inline constexpr std::size_t max_attributes = 16;
inline constexpr std::size_t max_bag_entries = 24;
inline constexpr std::size_t max_bag_key = 22;

struct ActivePreset {
  std::uint8_t preset;  // index in the rulebook
  std::uint8_t scope;   // one bit per side
  std::uint16_t turns;  // left; 0: without end
  friend bool operator==(const ActivePreset&, const ActivePreset&) = default;
};

// One value of a preset's own state; entries are sorted by preset and key.
struct BagEntry {
  std::int64_t value;
  std::uint8_t preset;
  std::array<char, max_bag_key + 1> key;  // zero-terminated
};

enum class Result : std::uint8_t { ongoing, white_wins, black_wins, draw };
constexpr Result win_for(Side side) {
  return side == white ? Result::white_wins : Result::black_wins;
}

// What follows from the active presets alone, worked out whenever they change.
struct Dispatch {
  // Per hook and side the active presets that implement it, as bits in order of the active list.
  // Hooks that are not scope-aware have the same list for both sides.
  std::array<std::array<std::uint32_t, 2>, hook_count> lists;
  std::array<TypeSet, 2> royal_types;  // declared royal types
  std::array<TypeSet, 2> promotions;
  std::array<TypeSet, 2> shaped;                 // types whose moves some hook shapes
  std::array<std::uint8_t, 2> reach;             // how far shaped pieces can strike
  std::array<std::uint8_t, 2> royalty_declared;  // some preset said which types are royal
  std::uint16_t attributes;                      // columns of active presets
  std::uint8_t durations;                        // some preset ends by itself
  std::uint8_t any_hook;                         // some list is not empty
  std::uint8_t pipeline;  // some preset has a say in what a move does, not only in which there are
  std::array<std::uint8_t, 3> reserved;
};

struct Position {
  Board board;
  std::array<Slot, 64> slot_on;      // by square; 0 where nothing stands
  std::array<Square, 64> square_of;  // by slot
  std::array<EntityId, 64> id_of;    // by slot; 0: the slot is free
  EntityId next_id;
  std::uint8_t half_moves;   // already made in this turn
  std::uint8_t repetitions;  // how often this position has stood on the board, now included
  std::uint8_t had_royals;   // bit per side
  Result result;
  std::array<char, 34> reason;  // why the game ended, zero-terminated

  // ---- With house rules only.
  std::uint64_t extra_key;  // hash of attributes, preset state and active presets
  Dispatch dispatch;
  std::uint8_t active_count;
  std::uint8_t bag_count;
  std::array<std::uint8_t, 6> reserved;
  std::array<ActivePreset, max_active> active;
  std::array<BagEntry, max_bag_entries> bag;

  // ---- Attributes: which columns hold a value for a slot, and the columns.
  std::array<std::uint16_t, 64> present;
  std::array<std::array<std::int16_t, 64>, max_attributes> columns;
};
static_assert(std::is_trivially_copyable_v<Position>);

inline constexpr std::size_t plain_size = offsetof(Position, extra_key);
constexpr std::size_t ruled_size(std::size_t attributes) {
  return offsetof(Position, columns) + attributes * sizeof(std::array<std::int16_t, 64>);
}
static_assert(plain_size % 8 == 0 && ruled_size(0) % 8 == 0);

}  // namespace parlor::chess
