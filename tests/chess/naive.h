// A second, deliberately naive chess with house rules (C-62). It shares nothing with the engine: it
// reads a FEN into letters, walks square by square, and finds attacks by listing every move.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace parlor::chess::naive {

struct Rules {
  bool wrap = false;        // files wrap around
  int bounce = 0;           // 1: off the sides once; 2: off all edges twice
  bool leap_twice = false;  // knights
  bool immune_knights = false;
  int berolina = 0;              // 2: captures sideways too
  std::string_view royal = "K";  // letters
  bool weak_kings = false;       // two kings are not royal
  bool safe_royals = true;       // own royals must not be left attacked, others not be taken
  std::string_view raise = "QRBN";
  bool castling = true;
  bool forced_captures = false;
  int hit_points = 1;
  bool king_heals = false;
  bool poison = false;
  bool explosive = false;                 // rooks
  bool split = false;                     // queens
  bool berserk = false;                   // Z may go on after a capture
  std::array<int, 2> moves_a_turn{1, 1};  // White's, Black's
  bool capture_wins = false;
  bool promotion_wins = false;
  bool empty_ends = false;  // a side without pieces ends the game
  char extinct = 0;         // so does one without these
};

struct Move {
  int from = 0, to = 0;
  char promotion = 0;
  int victim = -1;  // the square of what is captured
  bool castling = false;
  bool double_step = false;
  bool pass = false;
};

struct Position {
  std::array<char, 64> on{};  // 0 or a letter, upper case for White
  std::array<int, 64> points{};
  std::array<bool, 4> rights{};  // KQkq
  bool white = true;
  int ep = -1, ep_victim = -1;
  int half_moves = 0;
  int again = -1;  // the berserker that goes on
  bool over = false;
};

inline char& at(Position& p, int square) {
  return p.on[static_cast<std::size_t>(square)];
}
inline char at(const Position& p, int square) {
  return p.on[static_cast<std::size_t>(square)];
}
inline int& points(Position& p, int square) {
  return p.points[static_cast<std::size_t>(square)];
}
inline char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
inline bool own(const Position& p, int square, bool white) {
  const char c = at(p, square);
  return c != 0 && (c < 'a') == white;
}
inline bool enemy(const Position& p, int square, bool white) {
  return at(p, square) != 0 && !own(p, square, white);
}
inline int square_of(std::string_view name) {
  return (name[1] - '1') * 8 + (name[0] - 'a');
}

inline Position read(const std::string& fen, const Rules& rules) {
  Position p;
  std::istringstream in(fen);
  std::string placement, turn, castling, ep;
  in >> placement >> turn >> castling >> ep;
  int rank = 7, file = 0;
  for (const char c : placement) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      points(p, rank * 8 + file) = rules.hit_points;
      at(p, rank * 8 + file++) = c;
    }
  }
  p.white = turn == "w";
  for (std::size_t i = 0; i < 4; ++i) p.rights[i] = castling.find("KQkq"[i]) != std::string::npos;
  if (ep != "-") {
    p.ep = square_of(ep);
    p.ep_victim = ep.size() == 4 ? square_of(ep.substr(2)) : p.ep + (p.white ? -8 : 8);
  }
  return p;
}

// One step; -1 when it leaves the board.
inline int step(int square, int df, int dr, bool wrap) {
  int file = square % 8 + df;
  const int rank = square / 8 + dr;
  if (wrap) file = (file + 8) % 8;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return -1;
  return rank * 8 + file;
}

// Squares in order of discovery, each once.
class Squares {
 public:
  bool has(int square) const { return std::find(begin(), end(), square) != end(); }
  void add(int square) {
    if (!has(square)) squares_[size_++] = square;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const int* begin() const { return squares_.data(); }
  const int* end() const { return squares_.data() + size_; }

 private:
  std::array<int, 64> squares_;
  std::size_t size_ = 0;
};

inline void slide(const Position& p, const Rules& rules, int from, int df, int dr, Squares& out) {
  const bool white = own(p, from, true);
  const bool diagonal = df != 0 && dr != 0;
  Squares seen;
  seen.add(from);
  int here = from;
  int bounces = diagonal ? rules.bounce : 0;
  while (true) {
    int next = step(here, df, dr, rules.wrap);
    if (next < 0) {
      if (!diagonal || rules.bounce == 0) return;
      const bool side = !rules.wrap && (here % 8 + df < 0 || here % 8 + df > 7);
      const bool end = here / 8 + dr < 0 || here / 8 + dr > 7;
      if (rules.bounce == 1 && end) return;
      bounces -= int(side) + int(end);
      if (bounces < 0) return;
      if (side) df = -df;
      if (end) dr = -dr;
      next = step(here, df, dr, rules.wrap);
    }
    if (seen.has(next) || own(p, next, white)) return;
    seen.add(next);
    out.add(next);
    if (at(p, next) != 0) return;
    here = next;
  }
}

// A cannon goes like a rook and takes what stands behind exactly one piece.
inline void cannon(const Position& p, const Rules& rules, int from, int df, int dr, Squares& out) {
  const bool white = own(p, from, true);
  const auto next = [&](int square) {  // around the board it ends where it began
    const int to = step(square, df, dr, rules.wrap);
    return to == from ? -1 : to;
  };
  int here = next(from);
  for (; here >= 0 && at(p, here) == 0; here = next(here)) out.add(here);
  if (here >= 0) here = next(here);
  while (here >= 0 && at(p, here) == 0) here = next(here);
  if (here >= 0 && enemy(p, here, white)) out.add(here);
}

inline void knight_moves(const Position& p, const Rules& rules, int from, bool twice,
                         Squares& out) {
  const bool white = own(p, from, true);
  for (int df = -2; df <= 2; ++df)
    for (int dr = -2; dr <= 2; ++dr) {
      if (std::abs(df) + std::abs(dr) != 3) continue;
      const int to = step(from, df, dr, rules.wrap);
      if (to < 0) continue;
      if (!own(p, to, white)) out.add(to);
      if (!twice || at(p, to) != 0) continue;
      for (int df2 = -2; df2 <= 2; ++df2)
        for (int dr2 = -2; dr2 <= 2; ++dr2) {
          if (std::abs(df2) + std::abs(dr2) != 3) continue;
          const int end = step(to, df2, dr2, rules.wrap);
          if (end >= 0 && end != from && !own(p, end, white)) out.add(end);
        }
    }
}

inline void officer(const Position& p, const Rules& rules, int from, Squares& out) {
  const char kind = upper(at(p, from));
  const bool white = own(p, from, true);
  for (int df = -1; df <= 1; ++df)
    for (int dr = -1; dr <= 1; ++dr) {
      if (df == 0 && dr == 0) continue;
      const bool diagonal = df != 0 && dr != 0;
      if (kind == 'Q' || (kind == 'B' && diagonal) || (kind == 'R' && !diagonal))
        slide(p, rules, from, df, dr, out);
      if (kind == 'C' && !diagonal) cannon(p, rules, from, df, dr, out);
      if (kind != 'K' && kind != 'Z') continue;
      const int to = step(from, df, dr, rules.wrap);
      if (to >= 0 && to != from && !own(p, to, white)) out.add(to);
    }
  if (kind == 'N' || kind == 'Z')
    knight_moves(p, rules, from, rules.leap_twice && kind == 'N', out);
}

inline void pawn_moves(const Position& p, const Rules& rules, int from, std::vector<Move>& out) {
  const bool white = own(p, from, true);
  const int up = white ? 1 : -1;
  const bool home = from / 8 == (white ? 1 : 6);
  const auto add = [&](Move m) {
    if (m.to / 8 != (white ? 7 : 0)) return out.push_back(m);
    for (const char c : rules.raise) {
      m.promotion = c;
      out.push_back(m);
    }
  };
  for (const int side : {-1, 0, 1}) {
    const bool takes = (side == 0) == (rules.berolina != 0);
    const int to = step(from, side, up, rules.wrap);
    if (to < 0) continue;
    if (takes) {
      if (enemy(p, to, white)) add({from, to, 0, to});
      if (to == p.ep && at(p, to) == 0 && white == p.white && enemy(p, p.ep_victim, white))
        add({from, to, 0, p.ep_victim});
    } else if (at(p, to) == 0) {
      add({from, to});
      const int two = step(to, side, up, rules.wrap);
      if (home && two >= 0 && at(p, two) == 0) add({from, two, 0, -1, false, true});
    }
  }
  if (rules.berolina != 2) return;
  for (const int side : {-1, 1})
    if (const int to = step(from, side, 0, rules.wrap); to >= 0 && enemy(p, to, white))
      add({from, to, 0, to});
}

inline void pseudo(const Position& p, const Rules& rules, bool white, std::vector<Move>& out) {
  out.clear();
  for (int from = 0; from < 64; ++from) {
    if (!own(p, from, white)) continue;
    if (upper(at(p, from)) == 'P') {
      pawn_moves(p, rules, from, out);
      continue;
    }
    Squares targets;
    officer(p, rules, from, targets);
    for (const int to : targets) out.push_back({from, to, 0, at(p, to) != 0 ? to : -1});
  }
  if (rules.immune_knights)
    std::erase_if(out,
                  [&](const Move& m) { return m.victim >= 0 && upper(at(p, m.victim)) == 'N'; });
}

inline bool attacked(const Position& p, const Rules& rules, int square, bool by_white) {
  static std::vector<Move> moves;
  pseudo(p, rules, by_white, moves);
  return std::any_of(moves.begin(), moves.end(), [&](const Move& m) { return m.victim == square; });
}

inline Squares royals(const Position& p, const Rules& rules, bool white) {
  Squares out;
  for (int square = 0; square < 64; ++square)
    if (own(p, square, white) && rules.royal.find(upper(at(p, square))) != rules.royal.npos)
      out.add(square);
  if (rules.weak_kings && out.size() > 1) out.clear();
  return out;
}

inline bool in_check(const Position& p, const Rules& rules, bool white) {
  const auto guarded = royals(p, rules, white);
  if (guarded.empty()) return false;
  static std::vector<Move> moves;
  pseudo(p, rules, !white, moves);
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& m) { return guarded.has(m.victim); });
}

// ---- Playing

inline void clear(Position& p, int square) {
  at(p, square) = 0;
  points(p, square) = 0;
}
inline void shift(Position& p, int from, int to) {
  if (from == to) return;
  at(p, to) = at(p, from);
  points(p, to) = points(p, from);
  clear(p, from);
}
// True if it falls.
inline bool hurt(Position& p, int square) {
  if (at(p, square) == 0 || --points(p, square) > 0) return false;
  clear(p, square);
  return true;
}

inline void castle(Position& p, const Move& m) {
  const int home = m.from / 8 * 8;
  const bool short_side = m.to > m.from;
  const int tower = home + (short_side ? 7 : 0);
  shift(p, m.from, m.to);
  shift(p, tower, home + (short_side ? 5 : 3));
}

// Where the piece stands afterwards, and whether it took its victim.
struct Landing {
  int square;
  bool killed = false;
};
inline Landing capture(Position& p, const Rules& rules, const Move& m) {
  const char piece = upper(at(p, m.from));
  const bool white = p.white;
  const bool killed = hurt(p, m.victim);
  if (rules.explosive && piece == 'R')
    for (int i = -2; i <= 2; ++i) {
      if (i == 0) continue;
      for (const int hit : {step(m.victim, i, 0, false), step(m.victim, 0, i, false)})
        if (hit >= 0 && hit != m.from) hurt(p, hit);
    }
  if (!killed) return {m.from};
  if (rules.split && piece == 'Q') {
    at(p, m.from) = white ? 'B' : 'b';
    at(p, m.to) = white ? 'R' : 'r';
    points(p, m.from) = points(p, m.to) = rules.hit_points;
    return {m.from, true};
  }
  shift(p, m.from, m.to);
  return {m.to, true};
}

inline void keep_rights(Position& p, const Position& before) {
  for (std::size_t i = 0; i < 4; ++i) {
    const int home = i < 2 ? 0 : 56;
    for (const int square : {home + 4, home + (i % 2 == 0 ? 7 : 0)})
      if (at(p, square) != at(before, square)) p.rights[i] = false;
  }
}

inline void after_move(Position& p, const Rules& rules, bool mover) {
  if (rules.poison)
    for (const int square : {27, 28, 35, 36}) hurt(p, square);
  if (rules.king_heals)
    for (int square = 0; square < 64; ++square)
      if (own(p, square, !mover) && upper(at(p, square)) == 'K' &&
          !attacked(p, rules, square, mover))
        points(p, square) = std::min(points(p, square) + 1, 3);
}

inline bool lacks(const Position& p, bool white, char letter) {
  for (int square = 0; square < 64; ++square)
    if (own(p, square, white) && (letter == 0 || upper(at(p, square)) == letter)) return false;
  return true;
}

inline void end_turn(Position& p, const Move& m, int landed) {
  if (m.double_step && landed == m.to) {
    int side = m.to % 8 - m.from % 8;  // around the edge it is the short way
    if (side > 2) side -= 8;
    if (side < -2) side += 8;
    p.ep = step(m.from, side / 2, (m.to / 8 - m.from / 8) / 2, true);
    p.ep_victim = m.to;
  }
  p.white = !p.white;
  p.half_moves = 0;
  p.again = -1;
}

inline std::vector<Move> legal(const Position& p, const Rules& rules);

// Everything up to the change of turn.
inline Landing moved(Position& p, const Rules& rules, const Move& m) {
  p.ep = p.ep_victim = -1;
  p.again = -1;
  if (m.pass) return {m.from};
  const Position before = p;
  Landing landing{m.to};
  if (m.castling)
    castle(p, m);
  else if (m.victim >= 0)
    landing = capture(p, rules, m);
  else
    shift(p, m.from, m.to);
  if (m.promotion != 0 && landing.square == m.to)
    at(p, m.to) = p.white ? m.promotion : static_cast<char>(m.promotion - 'A' + 'a');
  keep_rights(p, before);
  return landing;
}

inline Position played(Position p, const Rules& rules, const Move& m) {
  const bool mover = p.white;
  const bool had[2] = {!royals(p, rules, false).empty(), !royals(p, rules, true).empty()};
  const bool berserker = upper(at(p, m.from)) == 'Z';
  const Landing landing = moved(p, rules, m);
  ++p.half_moves;
  const bool goes_on = rules.berserk && berserker && landing.killed && p.half_moves == 1;
  const bool more = p.half_moves < rules.moves_a_turn[mover ? 0 : 1];
  if (goes_on) p.again = landing.square;
  if (!goes_on && !more) end_turn(p, m, landing.square);
  after_move(p, rules, mover);
  if ((goes_on || more) && legal(p, rules).empty()) end_turn(p, m, landing.square);
  if (rules.capture_wins && landing.killed) p.over = true;
  if (rules.promotion_wins && m.promotion != 0) p.over = true;
  for (const bool white : {false, true}) {
    if (rules.empty_ends && lacks(p, white, 0)) p.over = true;
    if (rules.extinct != 0 && lacks(p, white, rules.extinct)) p.over = true;
    if (had[white ? 1 : 0] && royals(p, rules, white).empty() && !rules.weak_kings) p.over = true;
  }
  return p;
}

// ---- Legal moves

inline void add_castling(const Position& p, const Rules& rules, std::vector<Move>& out) {
  const int from = p.white ? 4 : 60;
  for (const bool short_side : {true, false}) {
    if (!p.rights[(p.white ? 0u : 2u) + (short_side ? 0u : 1u)]) continue;
    bool clear_path = true;
    for (int square = from + (short_side ? 1 : -3); square < from + (short_side ? 3 : 0); ++square)
      clear_path = clear_path && at(p, square) == 0;
    if (!clear_path) continue;
    const int direction = short_side ? 1 : -1;
    const auto guarded = royals(p, rules, p.white);
    bool safe = true;
    if (rules.safe_royals && guarded.has(from))
      for (int i = 0; i <= 2; ++i) {
        Position q = p;
        shift(q, from, from + i * direction);
        safe = safe && !attacked(q, rules, from + i * direction, !p.white);
      }
    if (safe) out.push_back({from, from + 2 * direction, 0, -1, true});
  }
}

inline bool allowed(const Position& p, const Rules& rules, const Move& m) {
  if (!rules.safe_royals) return true;
  if (m.victim >= 0) {
    const auto untouchable = royals(p, rules, !p.white);
    if (untouchable.has(m.victim)) return false;
  }
  Position after = p;
  moved(after, rules, m);
  if (rules.explosive && royals(after, rules, p.white).size() < royals(p, rules, p.white).size())
    return false;
  return !in_check(after, rules, p.white);
}

inline std::vector<Move> legal(const Position& p, const Rules& rules) {
  std::vector<Move> out;
  if (p.over) return out;
  out.reserve(64);
  pseudo(p, rules, p.white, out);
  if (rules.castling) add_castling(p, rules, out);
  if (p.again >= 0) {
    std::erase_if(out, [&](const Move& m) { return m.from != p.again; });
    out.push_back({p.again, p.again, 0, -1, false, false, true});
  }
  std::erase_if(out, [&](const Move& m) { return !allowed(p, rules, m); });
  const auto takes = [](const Move& m) { return m.victim >= 0; };
  if (rules.forced_captures && std::any_of(out.begin(), out.end(), takes))
    std::erase_if(out, [&](const Move& m) { return !takes(m); });
  return out;
}

inline std::uint64_t perft(const Position& p, const Rules& rules, int depth) {
  const auto moves = legal(p, rules);
  if (depth == 1) return moves.size();
  std::uint64_t nodes = 0;
  for (const Move& m : moves) nodes += perft(played(p, rules, m), rules, depth - 1);
  return nodes;
}

// As UCI writes it.
inline std::string name(const Move& m) {
  if (m.pass) return "pass";
  std::string out;
  for (const int square : {m.from, m.to}) {
    out += static_cast<char>('a' + square % 8);
    out += static_cast<char>('1' + square / 8);
  }
  if (m.promotion != 0) out += static_cast<char>(m.promotion - 'A' + 'a');
  return out;
}

}  // namespace parlor::chess::naive
