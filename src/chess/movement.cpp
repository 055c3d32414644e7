#include "chess/movement.h"

#include <algorithm>

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// One step on a board whose files may wrap around; nothing where it leaves the board.
Square step_from(Square from, int file, int rank, bool wraps) {
  int to_file = file_of(from) + file;
  const int to_rank = rank_of(from) + rank;
  if (wraps) to_file = (to_file % board_files + board_files) % board_files;
  return on_board(to_file, to_rank) ? square_at(to_file, to_rank) : no_square;
}

// The squares of a slide, which may turn back at edges. It never comes to a square twice.
std::vector<Square> slide_squares(Square from, const Way& way, bool wraps, int up) {
  std::vector<Square> out;
  int file = way.file;
  int rank = way.rank * up;
  int bounces = way.bounces;
  Square at = from;
  while (way.most == 0 || out.size() < way.most) {
    const bool off_side = !wraps && (file_of(at) + file < 0 || file_of(at) + file >= board_files);
    const bool off_end = rank_of(at) + rank < 0 || rank_of(at) + rank >= board_ranks;
    bounces -= (off_side ? 1 : 0) + (off_end ? 1 : 0);
    if ((off_side || off_end) && (bounces < 0 || (off_end && !way.off_ends))) break;
    if (off_side) file = -file;
    if (off_end) rank = -rank;
    at = step_from(at, file, rank, wraps);
    if (at == no_square || at == from || std::ranges::find(out, at) != out.end()) break;
    out.push_back(at);
  }
  return out;
}

std::vector<Square> squares_of_way(Square from, const Way& way, bool wraps, Side side) {
  const int up = side == white ? 1 : -1;
  if (way.then_file == 0 && way.then_rank == 0) return slide_squares(from, way, wraps, up);
  const Square middle = step_from(from, way.file, way.rank * up, wraps);
  if (middle == no_square) return {};
  const Square end = step_from(middle, way.then_file, way.then_rank * up, wraps);
  if (end == no_square || end == from) return {};
  return {middle, end};
}

Ways turned(int file, int rank, std::uint8_t most, Way::Mode mode) {
  Ways out;
  for (const auto& [f, r] : {std::pair(file, rank), std::pair(rank, file)})
    for (const int a : {1, -1})
      for (const int b : {1, -1}) {
        Way way;
        way.file = static_cast<std::int8_t>(a * f);
        way.rank = static_cast<std::int8_t>(b * r);
        way.most = most;
        way.mode = mode;
        if (std::ranges::find(out, way) == out.end()) out.push_back(way);
      }
  return out;
}

Ways pawn_ways() {
  Way step;
  step.rank = 1;
  step.mode = Way::Mode::quiet;
  Way twice = step;
  twice.most = twice.first = 2;
  twice.initial = true;
  Way east = step;
  east.file = 1;
  east.mode = Way::Mode::capture;
  Way west = east;
  west.file = -1;
  return {step, twice, east, west};
}

}  // namespace

Ways leaps(int file, int rank, Way::Mode mode) {
  return turned(file, rank, 1, mode);
}
Ways slides(int file, int rank, Way::Mode mode) {
  return turned(file, rank, 0, mode);
}
Ways operator+(Ways one, const Ways& other) {
  for (const Way& way : other)
    if (std::ranges::find(one, way) == one.end()) one.push_back(way);
  return one;
}

Ways fide_ways(PieceType type) {
  switch (type) {
    case pawn:
      return pawn_ways();
    case knight:
      return leaps(1, 2);
    case bishop:
      return slides(1, 1);
    case rook:
      return slides(1, 0);
    case queen:
      return slides(1, 1) + slides(1, 0);
    case king:
      return leaps(1, 1) + leaps(1, 0);
    default:
      return {};
  }
}

Reach::Reach(const Ways& ways, bool wraps, Side side)
    : line_ranges_(std::size_t{board_squares} * board_squares) {
  for (Square from = 0; from < board_squares; ++from) {
    path_ranges_[from].begin = static_cast<std::uint32_t>(paths_.size());
    for (const Way& way : ways) {
      if (way.initial && rank_of(from) != pawn_rank(side)) continue;
      add(from, way, squares_of_way(from, way, wraps, side));
    }
    path_ranges_[from].count = static_cast<std::uint32_t>(paths_.size() - path_ranges_[from].begin);
    add_lines(from);
  }
}

void Reach::add(Square from, const Way& way, const std::vector<Square>& squares) {
  const bool second = way.then_file != 0 || way.then_rank != 0;
  const std::size_t through = second ? 1 : way.first - std::size_t{1};
  if (squares.size() <= through) return;
  for (std::size_t i = through; i < squares.size(); ++i) {
    if (way.initial && way.mode == Way::Mode::quiet) double_steps_[from] |= bit(squares[i]);
    if (way.mode != Way::Mode::quiet && way.rank > 0) forward_captures_[from] |= bit(squares[i]);
  }
  if (squares.size() == 1 && !way.hops) {
    if (way.mode != Way::Mode::capture) leap_quiet_[from] |= bit(squares[0]);
    if (way.mode != Way::Mode::quiet) leap_capture_[from] |= bit(squares[0]);
    return;
  }
  Path path;
  path.begin = static_cast<std::uint32_t>(squares_.size());
  path.length = static_cast<std::uint8_t>(squares.size());
  path.through = static_cast<std::uint8_t>(through);
  path.mode = way.mode;
  path.hops = way.hops;
  squares_.insert(squares_.end(), squares.begin(), squares.end());
  paths_.push_back(path);
}

// Sorted by target, so that each target's lines are one range.
void Reach::add_lines(Square from) {
  std::vector<std::pair<Square, Line>> found;
  for (const Square target : squares_of(leap_capture_[from])) found.push_back({target, {}});
  const Range range = path_ranges_[from];
  for (std::size_t p = range.begin; p < std::size_t{range.begin} + range.count; ++p) {
    const Path& path = paths_[p];
    if (path.mode == Way::Mode::quiet) continue;
    Line line{0, path.hops};
    for (std::size_t i = 0; i < path.length; ++i) {
      const Square square = squares_[path.begin + i];
      if (i >= path.through && (!path.hops || i > 0)) found.push_back({square, line});
      line.between |= bit(square);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<Square, Line>::first);
  for (const auto& [target, line] : found) {
    Range& lines = line_ranges_[from * std::size_t{board_squares} + target];
    if (lines.count == 0) lines.begin = static_cast<std::uint32_t>(lines_.size());
    ++lines.count;
    lines_.push_back(line);
    origins_[target] |= bit(from);
  }
}

void Reach::walk(const Path& path, Bitboard occupied, Targets& out) const {
  const Square* at = squares_.data() + path.begin;
  const Square* const end = at + path.length;
  const Square* const landing = at + path.through;
  for (; at != end && !has(occupied, *at); ++at)
    if (at >= landing && path.mode != Way::Mode::capture) out.quiet |= bit(*at);
  if (path.mode == Way::Mode::quiet || at == end) return;
  if (path.hops)  // the next piece behind this one
    for (++at; at != end && !has(occupied, *at);) ++at;
  if (at != end && at >= landing) out.capture |= bit(*at);
}

Targets Reach::targets(Square from, Bitboard occupied, Bitboard enemies) const {
  Targets out{leap_quiet_[from] & ~occupied, leap_capture_[from]};
  const Range range = path_ranges_[from];
  for (std::size_t p = range.begin; p < std::size_t{range.begin} + range.count; ++p)
    walk(paths_[p], occupied, out);
  out.capture &= enemies;
  return out;
}

namespace {

struct BetzaAtom {
  char letter;
  std::vector<std::pair<int, int>> steps;
  bool slides = false;
};

const std::vector<BetzaAtom>& betza_atoms() {
  static const std::vector<BetzaAtom> atoms{{'W', {{1, 0}}},         {'F', {{1, 1}}},
                                            {'D', {{2, 0}}},         {'N', {{1, 2}}},
                                            {'A', {{2, 2}}},         {'H', {{3, 0}}},
                                            {'K', {{1, 0}, {1, 1}}}, {'R', {{1, 0}}, true},
                                            {'B', {{1, 1}}, true},   {'Q', {{1, 0}, {1, 1}}, true}};
  return atoms;
}

bool betza_direction(const Way& way, std::string_view wanted) {
  if (wanted.empty()) return true;
  for (const char c : wanted) {
    const bool fits = (c == 'f' && way.rank > 0) || (c == 'b' && way.rank < 0) ||
                      (c == 'l' && way.file < 0) || (c == 'r' && way.file > 0) ||
                      (c == 's' && way.file != 0 && way.rank == 0) ||
                      (c == 'v' && way.rank != 0 && way.file == 0);
    if (fits) return true;
  }
  return false;
}

}  // namespace

tl::expected<Ways, std::string> betza_ways(std::string_view text) {
  Ways out;
  std::string directions;
  Way::Mode mode = Way::Mode::both;
  bool hops = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'm' || c == 'c') {
      mode = c == 'm' ? Way::Mode::quiet : Way::Mode::capture;
      continue;
    }
    if (c == 'p') {
      hops = true;
      continue;
    }
    if (std::string_view("fblrsv").find(c) != std::string_view::npos) {
      directions += c;
      continue;
    }
    const auto& atoms = betza_atoms();
    const auto atom = std::ranges::find(atoms, c, &BetzaAtom::letter);
    if (atom == atoms.end())
      return tl::unexpected("`" + std::string(1, c) + "` means nothing in a way of moving");
    int most = atom->slides ? 0 : 1;
    if (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '7') most = text[++i] - '0';
    if (hops && (most == 1 || mode != Way::Mode::capture))
      return tl::unexpected(std::string("`p` goes with captures of sliders, as in cpR"));
    for (const auto& [file, rank] : atom->steps)
      for (Way way : leaps(file, rank, mode)) {
        way.most = static_cast<std::uint8_t>(most);
        way.hops = hops;
        if (betza_direction(way, directions)) out.push_back(way);
      }
    directions.clear();
    mode = Way::Mode::both;
    hops = false;
  }
  if (out.empty()) return tl::unexpected(std::string("it names no way to move"));
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
