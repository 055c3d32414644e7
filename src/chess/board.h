// The board of a position: where the pieces stand, whose turn it is, castling, en passant, clocks.
// It knows how pieces are put, removed and moved, and nothing about which moves are legal.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/hash.h"
#include "chess/bitboard.h"

namespace parlor::chess::inline PARLOR_BOARD {

enum Side : std::uint8_t { white, black };
constexpr Side other(Side side) {
  return side == white ? black : white;
}
constexpr std::array<Side, 2> both_sides{white, black};
constexpr const char* side_name(Side side) {
  return side == white ? "white" : "black";
}

// The FIDE types have fixed numbers; further types are registered from `first_registered` on.
enum PieceType : std::uint8_t {
  no_type,
  pawn,
  knight,
  bishop,
  rook,
  queen,
  king,
  first_registered
};
inline constexpr std::size_t max_types = 16;

using TypeSet = std::uint16_t;
constexpr TypeSet types(std::same_as<PieceType> auto... type) {
  return static_cast<TypeSet>((0u | ... | (1u << type)));
}
constexpr bool includes(TypeSet set, PieceType type) {
  return (set >> type & 1) != 0;
}
inline constexpr TypeSet fide_types = types(pawn, knight, bishop, rook, queen, king);
inline constexpr TypeSet all_types = 0xfffe;
inline constexpr TypeSet fide_promotions = types(knight, bishop, rook, queen);

// What stands on a square in one byte; 0 is nothing.
using PieceCode = std::uint8_t;
constexpr PieceCode code_of(PieceType type, Side side) {
  return static_cast<PieceCode>(type | side << 4);
}
constexpr PieceType type_of(PieceCode code) {
  return static_cast<PieceType>(code & 15);
}
constexpr Side side_of(PieceCode code) {
  return static_cast<Side>(code >> 4);
}

enum class MoveKind : std::uint8_t {
  normal,
  double_step,  // of a pawn: the square in the middle can be captured en passant
  en_passant,   // the victim stands elsewhere than the target
  castling,     // from the king's square to the rook's square
  pass,         // the turn goes on without a move; only where a rule offers it
  claim_draw,   // not a move on the board
  rules,        // nor this: in the log, that other rules are in force from here on
  drop          // a piece of the promotion's type comes from the hand; from and to are its square
};

// A move in 26 bits (32 on boards with more than 64 squares): from, to, promotion, kind, the
// victim's square of an en-passant capture.
struct Move {
  std::uint32_t bits = 0;

  constexpr Move() = default;
  constexpr explicit Move(std::uint32_t raw) : bits(raw) {}
  constexpr Move(Square from, Square to, MoveKind kind = MoveKind::normal,
                 PieceType promotion = no_type, Square victim = 0)
      : bits(static_cast<std::uint32_t>(from) | static_cast<std::uint32_t>(to) << wide |
             static_cast<std::uint32_t>(promotion) << 2 * wide |
             static_cast<std::uint32_t>(kind) << (2 * wide + 4) |
             static_cast<std::uint32_t>(victim) << (2 * wide + 8)) {}
  static constexpr Move claim_draw() { return {0, 0, MoveKind::claim_draw}; }

 private:
  static constexpr unsigned wide = one_word ? 6 : 8;  // a square
  static constexpr std::uint32_t mask = (1u << wide) - 1;

 public:
  constexpr Square from() const { return bits & mask; }
  constexpr Square to() const { return bits >> wide & mask; }
  // The number of the pair of squares, in words that several moves at once are worked out with.
  constexpr std::uint32_t way() const {
    return (bits & mask) * std::uint32_t{board_squares} + (bits >> wide & mask);
  }
  constexpr PieceType promotion() const { return static_cast<PieceType>(bits >> 2 * wide & 15); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>(bits >> (2 * wide + 4) & 15); }
  constexpr Square victim() const { return bits >> (2 * wide + 8) & mask; }
  friend constexpr auto operator<=>(Move, Move) = default;
};

// The moves of one query, on the stack. Far more than any reachable position has fit; what does not
// fit is dropped rather than written beyond the end.
class MoveList {
 public:
  void add(Move move) {
    if (size_ < moves_.size()) moves_[size_++] = move;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](std::size_t index) const { return moves_[index]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  std::span<const Move> all() const { return {moves_.data(), size_}; }
  bool contains(Move move) const {
    for (const Move m : *this)
      if (m == move) return true;
    return false;
  }
  template <class Predicate>
  void remove_if(Predicate predicate) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i)
      if (!predicate(moves_[i])) moves_[kept++] = moves_[i];
    size_ = kept;
  }

 private:
  // Left uninitialised on purpose: clearing four kilobytes would cost more than listing the moves.
  union {
    std::array<Move, 1024> moves_;
  };
  std::size_t size_ = 0;

 public:
  MoveList() {}
};

enum class Wing : std::uint8_t { king_side, queen_side };
constexpr std::size_t castle_index(Side side, Wing wing) {
  return static_cast<std::size_t>(side) * 2 + static_cast<std::size_t>(wing);
}

// Keys of the incremental hash.
namespace zobrist {
constexpr std::uint64_t piece(PieceCode code, Square square) {
  return feature_key(1, static_cast<std::uint64_t>(code) * board_squares + square);
}
inline constexpr auto pieces = [] {
  std::array<BySquare<std::uint64_t>, 32> out{};
  for (std::size_t code = 0; code < 32; ++code)
    for (Square square = 0; square < board_squares; ++square)
      out[code][square] = piece(static_cast<PieceCode>(code), square);
  return out;
}();
constexpr std::uint64_t castling(unsigned rights) {
  return rights == 0 ? 0 : feature_key(2, rights);
}
// A victim straight behind the square is what FIDE has; any other makes another right.
constexpr std::uint64_t en_passant(Square square, Square victim) {
  if (square == no_square) return 0;
  const bool straight = file_of(square) == file_of(victim);
  return feature_key(3, straight ? square : square | std::uint64_t{victim} << 8);
}
inline constexpr std::uint64_t black_to_move = feature_key(4, 1);
}  // namespace zobrist

// Half-moves without a capture or pawn move after which a draw may be claimed (the 50-move rule)
// and after which the game is drawn (the 75-move rule).
inline constexpr std::uint16_t claim_clock = 100;
inline constexpr std::uint16_t automatic_clock = 150;

// Trivially copyable, without padding: equal boards are equal bytes.
struct Board {
  std::array<Bitboard, max_types> by_type{};  // [no_type]: all pieces
  std::array<Bitboard, 2> by_side{};
  Bitboard castle_squares = 0;  // where a change takes a castling right away
  std::uint64_t key = 0;        // of pieces, turn, rights and en passant
  BySquare<PieceCode> piece_on{};
  std::array<Square, 2> castle_king{no_square, no_square};
  std::array<Square, 4> castle_rook{no_square, no_square, no_square, no_square};  // by castle_index
  std::uint8_t rights = 0;  // bits by castle_index
  Side turn = white;
  Square ep = no_square;         // where an en-passant capture lands
  Square ep_victim = no_square;  // and whom it takes
  std::uint16_t clock = 0;       // half-moves since the last capture or pawn move
  std::uint16_t full_move = 1;
  // Up to a multiple of eight bytes.
  std::array<std::uint8_t, 2 + (8 - (board_squares + 16 * sizeof(Square)) % 8) % 8> reserved{};

  Bitboard occupied() const { return by_type[no_type]; }
  Bitboard of(Side side) const { return by_side[side]; }
  Bitboard of(PieceType type) const { return by_type[type]; }
  Bitboard of(Side side, PieceType type) const { return by_type[type] & by_side[side]; }
  Bitboard of(TypeSet set) const {
    Bitboard out = 0;
    for (unsigned left = set; left != 0; left &= left - 1)
      out |= by_type[static_cast<std::size_t>(std::countr_zero(left))];
    return out;
  }
  Bitboard of(Side side, TypeSet set) const { return of(set) & by_side[side]; }
  bool empty(Square square) const { return piece_on[square] == 0; }
  PieceType type_on(Square square) const { return type_of(piece_on[square]); }
  Side side_on(Square square) const { return side_of(piece_on[square]); }  // of an occupied square
  bool has_foreign_types() const;  // pieces of registered, non-FIDE types

  void put(Square square, PieceType type, Side side) {
    const PieceCode code = code_of(type, side);
    by_type[no_type] |= bit(square);
    by_type[type] |= bit(square);
    by_side[side] |= bit(square);
    piece_on[square] = code;
    key ^= zobrist::pieces[code][square];
  }
  void remove(Square square) {
    const PieceCode code = piece_on[square];
    by_type[no_type] ^= bit(square);
    by_type[type_of(code)] ^= bit(square);
    by_side[side_of(code)] ^= bit(square);
    piece_on[square] = 0;
    key ^= zobrist::pieces[code][square];
  }
  void shift(Square from, Square to) {
    const PieceCode code = piece_on[from];
    const Bitboard change = bit(from) | bit(to);
    by_type[no_type] ^= change;
    by_type[type_of(code)] ^= change;
    by_side[side_of(code)] ^= change;
    piece_on[from] = 0;
    piece_on[to] = code;
    key ^= zobrist::pieces[code][from] ^ zobrist::pieces[code][to];
  }

  void set_en_passant(Square square, Square victim) {
    key ^= zobrist::en_passant(ep, ep_victim) ^ zobrist::en_passant(square, victim);
    ep = square;
    ep_victim = victim;
  }
  void pass_turn() {
    turn = other(turn);
    key ^= zobrist::black_to_move;
  }
  bool can_castle(Side side, Wing wing) const {
    return (rights >> castle_index(side, wing) & 1) != 0;
  }
  void grant_castling(Side side, Wing wing, Square king_square, Square rook_square);
  // Something changed on these squares: rights that need them are gone.
  void touch(Bitboard squares) {
    if ((squares & castle_squares) != 0) revoke_castling(squares);
  }
  void revoke_castling(Bitboard squares);

  friend bool operator==(const Board&, const Board&) = default;
};
static_assert(std::is_trivially_copyable_v<Board> &&
              std::has_unique_object_representations_v<Board>);

// The rank a side's officers begin on.
constexpr int first_rank_of(Side side) {
  return side == white ? 0 : board_ranks - 1;
}
// How far a square is up the board, for a side.
constexpr int rank_for(Side side, Square square) {
  return side == white ? rank_of(square) : board_ranks - 1 - rank_of(square);
}
// From one rank to the next, for a side.
constexpr int up_for(Side side) {
  return side == white ? board_files : -board_files;
}
// Where the king stands when nobody says otherwise: the e-file, or its neighbour on wider boards.
inline constexpr int king_file = board_files / 2;

// Plays a move as FIDE has it: no hooks, no entities, the turn passes.
void make_move(Board& board, Move move);
// The same without the bookkeeping only whole games need (hash, clocks): for counting.
void make_move_lightly(Board& board, Move move);

std::string square_name(Square square);      // "e4", "j10"
Square parse_square(std::string_view text);  // no_square if it is none
// The square a text begins with, which is then taken off it.
Square take_square(std::string_view& text);

}  // namespace parlor::chess::inline PARLOR_BOARD
