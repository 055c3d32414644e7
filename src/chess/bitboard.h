// Sets of squares, and what the FIDE pieces attack. On 8×8 a set is a 64-bit word, and slider
// attacks are one multiplication and one table read; larger boards have longer sets and look along
// rays.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "chess/geometry.h"
#include "chess/wide_set.h"

namespace parlor::chess::inline PARLOR_BOARD {

inline constexpr bool one_word = board_squares <= 64;
using Bitboard =
    std::conditional_t<one_word, std::uint64_t, WideSet<(one_word ? 128 : board_squares)>>;
static_assert(board_squares == 64 || !one_word, "a word must end where the board does");

constexpr Bitboard bit(Square square) {
  return sets::of(Bitboard{}, square);
}
constexpr bool has(const Bitboard& set, Square square) {
  return sets::has(set, square);
}
constexpr int count(const Bitboard& set) {
  return sets::count(set);
}
// Of sets that are not empty.
constexpr Square first(const Bitboard& set) {
  return static_cast<Square>(sets::first(set));
}
constexpr Square last(const Bitboard& set) {
  return static_cast<Square>(sets::last(set));
}
constexpr Bitboard without_first(const Bitboard& set) {
  return sets::without_first(set);
}
constexpr bool several(const Bitboard& set) {
  return without_first(set) != 0;
}
constexpr Square pop(Bitboard& set) {
  const Square square = first(set);
  set = without_first(set);
  return square;
}

// `for (Square s : squares_of(set))`, lowest first.
struct SquareRange {
  struct Iterator {
    Bitboard left;
    constexpr Square operator*() const { return first(left); }
    constexpr Iterator& operator++() {
      left = without_first(left);
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return left != other.left; }
  };
  Bitboard set;
  constexpr Iterator begin() const { return {set}; }
  constexpr Iterator end() const { return {0}; }
};
constexpr SquareRange squares_of(const Bitboard& set) {
  return {set};
}

inline constexpr Bitboard first_rank = Bitboard{(1u << board_files) - 1};
inline constexpr Bitboard first_file = [] {
  Bitboard out = 0;
  for (int rank = 0; rank < board_ranks; ++rank) out |= bit(square_at(0, rank));
  return out;
}();
constexpr Bitboard rank_bb(int rank) {
  return first_rank << (board_files * rank);
}
constexpr Bitboard file_bb(int file) {
  return first_file << file;
}
inline constexpr Bitboard last_file = file_bb(board_files - 1);
inline constexpr Bitboard edge_squares =
    first_file | last_file | first_rank | rank_bb(board_ranks - 1);
inline constexpr Bitboard light_squares = [] {
  Bitboard out = 0;
  for (int rank = 0; rank < board_ranks; ++rank)
    for (int file = 0; file < board_files; ++file)
      if ((file + rank) % 2 == 1) out |= bit(square_at(file, rank));
  return out;
}();
// The four squares in the middle.
inline constexpr Bitboard centre_squares = [] {
  Bitboard out = 0;
  for (const int rank : {(board_ranks - 1) / 2, board_ranks / 2})
    for (const int file : {(board_files - 1) / 2, board_files / 2})
      out |= bit(square_at(file, rank));
  return out;
}();

constexpr Bitboard north(const Bitboard& set) {
  return set << board_files;
}
constexpr Bitboard south(const Bitboard& set) {
  return set >> board_files;
}
constexpr Bitboard east(const Bitboard& set) {
  return (set & ~last_file) << 1;
}
constexpr Bitboard west(const Bitboard& set) {
  return (set & ~first_file) >> 1;
}

// The squares a slider attacks, on 8×8: blockers are multiplied into the number of a table entry.
struct Magic {
  std::uint64_t mask;
  std::uint64_t factor;
  const std::uint64_t* table;
  unsigned shift;
  std::uint64_t attacks(std::uint64_t occupied) const {
    return table[((occupied & mask) * factor) >> shift];
  }
};
// And elsewhere: four rays, two of which lead to higher squares, each cut off at the first blocker.
struct Rays {
  std::array<Bitboard, 4> ray;  // to higher squares, the same, to lower squares, the same
};
using SliderTable = std::conditional_t<one_word, Magic, Rays>;
template <class Entry>
using BySquare = std::array<Entry, board_squares>;

// Filled once before main; read-only afterwards.
struct AttackTables {
  BySquare<SliderTable> bishop, rook;
  BySquare<Bitboard> knight, king;
  std::array<BySquare<Bitboard>, 2> pawn;  // [side][square]
  BySquare<BySquare<Bitboard>> between;    // squares strictly between two on one line
  BySquare<BySquare<Bitboard>> line;       // the whole line through both; 0 if none
};
namespace detail {
extern AttackTables attack_tables;
}

template <class Table>
Bitboard slider_attacks(const BySquare<Table>& tables, Square from, const Bitboard& occupied) {
  if constexpr (std::is_same_v<Table, Magic>) {
    return tables[from].attacks(occupied);
  } else {
    Bitboard out = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Bitboard& ray = tables[from].ray[i];
      const Bitboard blockers = ray & occupied;
      out |= ray;
      if (blockers != 0) out &= ~tables[i < 2 ? first(blockers) : last(blockers)].ray[i];
    }
    return out;
  }
}
inline Bitboard bishop_attacks(Square from, const Bitboard& occupied) {
  return slider_attacks(detail::attack_tables.bishop, from, occupied);
}
inline Bitboard rook_attacks(Square from, const Bitboard& occupied) {
  return slider_attacks(detail::attack_tables.rook, from, occupied);
}
inline Bitboard queen_attacks(Square from, const Bitboard& occupied) {
  return bishop_attacks(from, occupied) | rook_attacks(from, occupied);
}
inline Bitboard knight_attacks(Square from) {
  return detail::attack_tables.knight[from];
}
inline Bitboard king_attacks(Square from) {
  return detail::attack_tables.king[from];
}
inline Bitboard pawn_attacks(int side, Square from) {
  return detail::attack_tables.pawn[static_cast<std::size_t>(side)][from];
}
inline Bitboard between(Square a, Square b) {
  return detail::attack_tables.between[a][b];
}
inline Bitboard line(Square a, Square b) {
  return detail::attack_tables.line[a][b];
}

// The squares from `from` in one direction up to and including the first occupied one.
Bitboard ray(Square from, int file_step, int rank_step, Bitboard occupied);

}  // namespace parlor::chess::inline PARLOR_BOARD
