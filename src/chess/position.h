// Everything a chess state holds, as one flat block of bytes:
//
//   Position up to `extra_key`      board, entities, result: all that plain chess needs
//   ... up to `tail`                with house rules: active presets and dispatch lists
//   the tail                        as the rulebook needs it: one column of 64 values per declared
//                                   attribute, then the state presets keep (bag.h)
//   the move log                    grows at the end (log.h)
//
// A game without presets stores only the first part; copying a state copies what is used.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "chess/board.h"

namespace parlor::chess::inline PARLOR_BOARD {

using EntityId = std::uint16_t;  // positive and stable for a piece's whole life; 0 is nobody
// How views and events call it.
inline std::string token_name(EntityId id) {
  return "piece_" + std::to_string(id);
}
using Slot = std::uint8_t;  // the row of an entity in the columns; reused after its death

// The moments at which presets are asked; preset.h says what each means.
enum class Hook : std::uint8_t {
#define CHESS_HOOK(name, scope, help) name,
#include "rules/hooks.def"
};
inline constexpr std::size_t hook_count = 0
#define CHESS_HOOK(name, scope, help) +1
#include "rules/hooks.def"
    ;

inline constexpr std::size_t max_active = 32;
inline constexpr std::size_t max_attributes = 64;       // of all rules of a book together
inline constexpr std::size_t max_state_bytes = 8192;    // of all presets together
inline constexpr std::size_t usual_state_bytes = 1024;  // without anybody asking for more

struct ActivePreset {
  std::uint8_t preset;  // index in the rulebook
  std::uint8_t scope;   // one bit per side
  std::uint16_t turns;  // left; 0: without end
  friend bool operator==(const ActivePreset&, const ActivePreset&) = default;
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
  std::uint64_t attributes;                      // columns of active presets
  std::uint64_t movement;                        // how pieces go: the key of Rulebook::movements
  std::uint8_t durations;                        // some preset ends by itself
  std::uint8_t any_hook;                         // something is in force that is more than declared
  std::uint8_t pipeline;   // some preset has a say in what a move does, not only in which there are
  std::uint8_t disturbed;  // what a move sets off can change who stands where
  std::array<std::uint8_t, 2> castle_freely;  // by side: out of check and through it
  std::array<std::uint8_t, 2> reserved;
  // The active presets that ask for nothing in lists of moves while no preset keeps state.
  std::uint32_t sleepers;
  std::array<std::uint8_t, 4> more_reserved;
};

struct Position {
  Board board;
  BySquare<Slot> slot_on;      // by square; 0 where nothing stands
  BySquare<Square> square_of;  // by slot
  BySquare<EntityId> id_of;    // by slot; 0: the slot is free
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
  std::uint8_t reserved;
  std::uint16_t bag_size;  // bytes of the tail that hold preset state
  std::array<std::uint8_t, 4> more_reserved;
  std::array<ActivePreset, max_active> active;

  // ---- Columns and preset state. A cell of a column is 0 where a piece has no value.
  static constexpr std::size_t column_bytes = board_squares * sizeof(std::int16_t);
  alignas(8) std::array<std::byte, max_attributes * column_bytes + max_state_bytes> tail;

  std::int16_t& cell(std::size_t column, Slot slot) {
    return reinterpret_cast<std::int16_t*>(tail.data())[column * board_squares + slot];
  }
  std::int16_t cell(std::size_t column, Slot slot) const {
    return reinterpret_cast<const std::int16_t*>(tail.data())[column * board_squares + slot];
  }
};
static_assert(std::is_trivially_copyable_v<Position>);

// A cell of a column: 0 is no value, so those from 0 up are moved by one.
constexpr std::int16_t cell_of(int value) {
  return static_cast<std::int16_t>(value < 0 ? value : value + 1);
}
constexpr int value_in(std::int16_t cell) {
  return cell < 0 ? cell : cell - 1;
}

inline constexpr std::size_t plain_size = offsetof(Position, extra_key);
// With so many columns and bytes of preset state.
constexpr std::size_t ruled_size(std::size_t attributes, std::size_t state_bytes) {
  return offsetof(Position, tail) + attributes * Position::column_bytes + state_bytes;
}
static_assert(plain_size % 8 == 0 && ruled_size(0, 0) % 8 == 0);

}  // namespace parlor::chess::inline PARLOR_BOARD
