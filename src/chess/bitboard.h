// Sets of squares as 64-bit words, and what the FIDE pieces attack. Squares count from a1 = 0
// along the ranks to h8 = 63. Slider attacks are one multiplication and one table read.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace parlor::chess {

using Bitboard = std::uint64_t;
using Square = std::uint8_t;
inline constexpr Square no_square = 64;

constexpr Bitboard bit(Square square) {
  return Bitboard{1} << square;
}
constexpr bool has(Bitboard set, Square square) {
  return (set >> square & 1) != 0;
}
constexpr int count(Bitboard set) {
  return std::popcount(set);
}
constexpr Square first(Bitboard set) {
  return static_cast<Square>(std::countr_zero(set));
}
constexpr bool several(Bitboard set) {
  return (set & (set - 1)) != 0;
}
constexpr Square pop(Bitboard& set) {
  const Square square = first(set);
  set &= set - 1;
  return square;
}

// `for (Square s : squares_of(set))`, lowest first.
struct SquareRange {
  struct Iterator {
    Bitboard left;
    constexpr Square operator*() const { return first(left); }
    constexpr Iterator& operator++() {
      left &= left - 1;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return left != other.left; }
  };
  Bitboard set;
  constexpr Iterator begin() const { return {set}; }
  constexpr Iterator end() const { return {0}; }
};
constexpr SquareRange squares_of(Bitboard set) {
  return {set};
}

constexpr int file_of(Square square) {
  return square & 7;
}
constexpr int rank_of(Square square) {
  return square >> 3;
}
constexpr Square square_at(int file, int rank) {
  return static_cast<Square>(rank * 8 + file);
}
constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

inline constexpr Bitboard file_a = 0x0101010101010101;
inline constexpr Bitboard file_h = file_a << 7;
inline constexpr Bitboard light_squares = 0x55aa55aa55aa55aa;
constexpr Bitboard rank_bb(int rank) {
  return Bitboard{0xff} << (8 * rank);
}

constexpr Bitboard north(Bitboard set) {
  return set << 8;
}
constexpr Bitboard south(Bitboard set) {
  return set >> 8;
}
constexpr Bitboard east(Bitboard set) {
  return (set & ~file_h) << 1;
}
constexpr Bitboard west(Bitboard set) {
  return (set & ~file_a) >> 1;
}

struct Magic {
  Bitboard mask;
  Bitboard factor;
  const Bitboard* table;
  unsigned shift;
  Bitboard attacks(Bitboard occupied) const { return table[((occupied & mask) * factor) >> shift]; }
};

// Filled once before main; read-only afterwards.
struct AttackTables {
  std::array<Magic, 64> bishop, rook;
  std::array<Bitboard, 64> knight, king;
  std::array<std::array<Bitboard, 64>, 2> pawn;      // [side][square]
  std::array<std::array<Bitboard, 64>, 64> between;  // squares strictly between two on one line
  std::array<std::array<Bitboard, 64>, 64> line;     // the whole line through both; 0 if none
};
namespace detail {
extern AttackTables attack_tables;
}

inline Bitboard bishop_attacks(Square from, Bitboard occupied) {
  return detail::attack_tables.bishop[from].attacks(occupied);
}
inline Bitboard rook_attacks(Square from, Bitboard occupied) {
  return detail::attack_tables.rook[from].attacks(occupied);
}
inline Bitboard queen_attacks(Square from, Bitboard occupied) {
  return bishop_attacks(from, occupied) | rook_attacks(from, occupied);
}
inline Bitboard knight_attacks(Square from) {
  return detail::attack_tables.knight[from];
}
inline Bitboard king_attacks(Square from) {
  return detail::attack_tables.king[from];
}
inline Bitboard pawn_attacks(int side, Square from) {
  return detail::attack_tables.pawn[side][from];
}
inline Bitboard between(Square a, Square b) {
  return detail::attack_tables.between[a][b];
}
inline Bitboard line(Square a, Square b) {
  return detail::attack_tables.line[a][b];
}

// The squares from `from` in one direction up to and including the first occupied one.
Bitboard ray(Square from, int file_step, int rank_step, Bitboard occupied);

}  // namespace parlor::chess
