// How pieces go, as data. A kind of piece has ways: a step that is taken once (a leap) or again and
// again (a slide). Ways are written for a piece that looks up the board; Black's are turned around.
//
// What the board is like (whether its files wrap around) is no part of a way. Compiled for a board,
// ways become a Reach: tables that say where a piece can go and whom it attacks, whatever stands on
// the board. So rules about pieces and rules about the board combine in any order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "chess/pawns.h"

namespace parlor::chess::inline PARLOR_BOARD {

// Where a piece can go without capturing, and where it can capture.
struct Targets {
  Bitboard quiet = 0;
  Bitboard capture = 0;
};

struct Way {
  enum class Mode : std::uint8_t { both, quiet, capture };

  std::int8_t file = 0;   // of one step
  std::int8_t rank = 0;   // forward is positive
  std::uint8_t most = 1;  // steps; 0: to the edge of the board
  Mode mode = Mode::both;
  std::uint8_t first = 1;     // the first step to stop at; the squares before it must be empty
  bool initial = false;       // only from the rank on which pawns begin
  bool hops = false;          // captures behind exactly one piece, whosever it is
  bool off_ends = false;      // bounces off the first and last rank too
  std::uint8_t bounces = 0;   // how often a slide may turn back at an edge; a corner is two
  std::int8_t then_file = 0;  // a second step, from an empty square, not back to the origin
  std::int8_t then_rank = 0;

  bool slides() const { return most != 1; }
  bool diagonal() const { return file != 0 && (file == rank || file == -rank); }
  friend auto operator<=>(const Way&, const Way&) = default;
};
using Ways = std::vector<Way>;

// The ways of the FIDE pieces; a pawn's en passant, promotion and a king's castling are the
// engine's.
Ways fide_ways(PieceType type);
// All turns and reflections of a leap, each once: leaps(1, 2) are the knight's.
Ways leaps(int file, int rank, Way::Mode mode = Way::Mode::both);
Ways slides(int file, int rank, Way::Mode mode = Way::Mode::both);
Ways operator+(Ways one, const Ways& other);
// Ways in Betza's notation: atoms W F D N A H R B Q K, before them m or c (only to move, only to
// capture), p (captures over a piece), f b l r s v (forwards, backwards, left, right, sideways,
// along the file), after them how often (none: once; sliders: to the edge). "mRcpR" is the cannon.
tl::expected<Ways, std::string> betza_ways(std::string_view text);

// One line along which a piece captures: nothing may stand between, or exactly one piece.
struct Line {
  Bitboard between = 0;
  bool hops = false;
  bool open(Bitboard occupied) const {
    return hops ? count(between & occupied) == 1 : (between & occupied) == 0;
  }
};

class Reach {
 public:
  Reach(const Ways& ways, bool wraps, Side side);

  Targets targets(Square from, Bitboard occupied, Bitboard enemies) const;
  // The squares a double step ends on, and those on which a pawn captures going forward.
  Bitboard double_steps(Square from) const { return double_steps_[from]; }
  Bitboard forward_captures(Square from) const { return forward_captures_[from]; }
  // The lines along which a piece on `from` captures what stands on `target`.
  std::span<const Line> lines(Square from, Square target) const {
    const Range range = line_ranges_[from * std::size_t{board_squares} + target];
    return {lines_.data() + range.begin, range.count};
  }
  bool attacks(Square from, Square target, Bitboard occupied) const {
    for (const Line& line : lines(from, target))
      if (line.open(occupied)) return true;
    return false;
  }
  // From where a square can be captured at all.
  Bitboard origins(Square target) const { return origins_[target]; }

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  // Squares one after the other; the first `through` of them are only passed.
  struct Path {
    std::uint32_t begin = 0;
    std::uint8_t length = 0;
    std::uint8_t through = 0;
    Way::Mode mode = Way::Mode::both;
    bool hops = false;
  };
  void add(Square from, const Way& way, const std::vector<Square>& squares);
  void add_lines(Square from);
  void walk(const Path& path, Bitboard occupied, Targets& out) const;

  BySquare<Bitboard> leap_quiet_{};
  BySquare<Bitboard> leap_capture_{};
  BySquare<Bitboard> double_steps_{};
  BySquare<Bitboard> forward_captures_{};
  BySquare<Bitboard> origins_{};
  BySquare<Range> path_ranges_{};
  std::vector<Path> paths_;
  std::vector<Square> squares_;
  std::vector<Range> line_ranges_;  // by from and target
  std::vector<Line> lines_;
};

// What one preset says about how pieces go.
struct Movement {
  struct Change {
    TypeSet types = 0;
    Ways ways = {};
    bool instead = false;  // of what those types do otherwise; several such changes add up
  };
  bool wraps = false;  // the first file lies next to the last
  std::vector<Change> changes = {};
  TypeSet bouncing = 0;  // diagonal slides of these types turn back at edges
  std::uint8_t bounces = 0;
  bool off_ends = false;

  bool empty() const { return !wraps && changes.empty() && bouncing == 0; }
};

// How everybody goes with the presets in force. Nothing for a type that goes as FIDE has it.
struct MovementSet {
  std::array<std::array<std::shared_ptr<const Reach>, max_types>, 2> reach;
  std::array<TypeSet, 2> moved{};  // the types that have one

  const Reach* of(Side side, PieceType type) const { return reach[side][type].get(); }
};

}  // namespace parlor::chess::inline PARLOR_BOARD
