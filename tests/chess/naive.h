// A second, deliberately naive move generator for chess with some house rules (C-62). It shares
// nothing with the engine: it reads a FEN into letters and walks square by square.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace parlor::chess::naive {

struct Rules {
  bool wrap = false;        // files wrap around
  int bounce = 0;           // 1: off the sides once; 2: off all edges twice
  bool leap_twice = false;  // knights
  bool safe_kings = true;   // own king must not be left attacked, enemy king cannot be taken
  bool immune_knights = false;
};

struct Move {
  int from, to;
  char promotion = 0;
  bool en_passant = false;
  bool castling = false;
};

struct Position {
  std::array<char, 64> on{};  // 0 or a letter, upper case for White
  bool white = true;
  std::string castling;
  int ep = -1;
};

inline Position read(const std::string& fen) {
  Position p;
  std::istringstream in(fen);
  std::string placement, turn, ep;
  in >> placement >> turn >> p.castling >> ep;
  int rank = 7, file = 0;
  for (const char c : placement) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      p.on[static_cast<std::size_t>(rank * 8 + file++)] = c;
    }
  }
  p.white = turn == "w";
  if (ep != "-") p.ep = (ep[1] - '1') * 8 + (ep[0] - 'a');
  return p;
}

inline char at(const Position& p, int square) {
  return p.on[static_cast<std::size_t>(square)];
}
inline bool own(const Position& p, int square, bool white) {
  const char c = at(p, square);
  return c != 0 && (std::isupper(static_cast<unsigned char>(c)) != 0) == white;
}
inline bool enemy(const Position& p, int square, bool white) {
  return at(p, square) != 0 && !own(p, square, white);
}

// One step; -1 when it leaves the board.
inline int step(int square, int df, int dr, bool wrap) {
  int file = square % 8 + df;
  const int rank = square / 8 + dr;
  if (wrap) file = (file + 8) % 8;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return -1;
  return rank * 8 + file;
}

inline void slide(const Position& p, const Rules& rules, int from, int df, int dr, bool diagonal,
                  std::set<int>& out) {
  const bool white = own(p, from, true);
  std::set<int> seen{from};
  int at_square = from;
  int bounces = diagonal ? rules.bounce : 0;
  while (true) {
    int next = step(at_square, df, dr, rules.wrap);
    if (next < 0) {
      if (!diagonal || rules.bounce == 0) return;
      const bool side = at_square % 8 + df < 0 || at_square % 8 + df > 7;
      const bool end = at_square / 8 + dr < 0 || at_square / 8 + dr > 7;
      if (rules.bounce == 1 && end) return;
      bounces -= int(side) + int(end);
      if (bounces < 0) return;
      if (side) df = -df;
      if (end) dr = -dr;
      next = step(at_square, df, dr, false);
    }
    if (seen.count(next) != 0 || own(p, next, white)) return;
    seen.insert(next);
    out.insert(next);
    if (at(p, next) != 0) return;
    at_square = next;
  }
}

inline void officer(const Position& p, const Rules& rules, int from, std::set<int>& out) {
  const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(at(p, from))));
  const bool white = own(p, from, true);
  const auto leap = [&](int df, int dr) {
    const int to = step(from, df, dr, rules.wrap);
    if (to >= 0 && to != from && !own(p, to, white)) out.insert(to);
  };
  for (int df = -1; df <= 1; ++df)
    for (int dr = -1; dr <= 1; ++dr) {
      if (df == 0 && dr == 0) continue;
      const bool diagonal = df != 0 && dr != 0;
      if (kind == 'Q' || (kind == 'B' && diagonal) || (kind == 'R' && !diagonal))
        slide(p, rules, from, df, dr, diagonal, out);
      if (kind == 'K') leap(df, dr);
    }
  if (kind != 'N') return;
  for (int df = -2; df <= 2; ++df)
    for (int dr = -2; dr <= 2; ++dr) {
      if (std::abs(df) + std::abs(dr) != 3) continue;
      leap(df, dr);
      const int middle = step(from, df, dr, rules.wrap);
      if (!rules.leap_twice || middle < 0 || at(p, middle) != 0) continue;
      for (int df2 = -2; df2 <= 2; ++df2)
        for (int dr2 = -2; dr2 <= 2; ++dr2) {
          if (std::abs(df2) + std::abs(dr2) != 3) continue;
          const int to = step(middle, df2, dr2, false);
          if (to >= 0 && to != from && !own(p, to, white)) out.insert(to);
        }
    }
}

inline std::vector<Move> pseudo(const Position& p, const Rules& rules, bool white) {
  std::vector<Move> out;
  for (int from = 0; from < 64; ++from) {
    if (!own(p, from, white)) continue;
    if (std::toupper(static_cast<unsigned char>(at(p, from))) != 'P') {
      std::set<int> targets;
      officer(p, rules, from, targets);
      for (const int to : targets) out.push_back({from, to});
      continue;
    }
    const int up = white ? 1 : -1;
    const auto add = [&](int to, bool ep) {
      if (to / 8 == (white ? 7 : 0))
        for (const char c : {'q', 'r', 'b', 'n'}) out.push_back({from, to, c, ep});
      else
        out.push_back({from, to, 0, ep});
    };
    const int one = step(from, 0, up, false);
    if (one >= 0 && at(p, one) == 0) {
      add(one, false);
      const int two = step(one, 0, up, false);
      if (from / 8 == (white ? 1 : 6) && at(p, two) == 0) add(two, false);
    }
    for (const int side : {-1, 1}) {
      const int to = step(from, side, up, rules.wrap);
      if (to < 0) continue;
      if (enemy(p, to, white)) add(to, false);
      if (to == p.ep && at(p, to) == 0 && white == p.white && to / 8 == (white ? 5 : 2))
        add(to, true);
    }
  }
  if (rules.immune_knights)
    std::erase_if(out, [&](const Move& m) {
      return std::toupper(static_cast<unsigned char>(at(p, m.to))) == 'N';
    });
  return out;
}

inline bool attacked(const Position& p, const Rules& rules, int square, bool by_white) {
  const auto moves = pseudo(p, rules, by_white);
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& m) { return m.to == square && at(p, square) != 0; });
}

inline bool king_attacked(const Position& p, const Rules& rules, bool white) {
  for (int square = 0; square < 64; ++square)
    if (at(p, square) == (white ? 'K' : 'k') && attacked(p, rules, square, !white)) return true;
  return false;
}

inline Position played(Position p, const Move& m) {
  if (m.en_passant) p.on[static_cast<std::size_t>(m.to + (p.white ? -8 : 8))] = 0;
  char piece = at(p, m.from);
  if (m.promotion != 0)
    piece = p.white ? static_cast<char>(std::toupper(static_cast<unsigned char>(m.promotion)))
                    : m.promotion;
  p.on[static_cast<std::size_t>(m.to)] = piece;
  p.on[static_cast<std::size_t>(m.from)] = 0;
  p.ep = -1;
  return p;
}

inline void castle(const Position& p, const Rules& rules, std::vector<Move>& out) {
  const int home = p.white ? 0 : 56;
  const int from = home + 4;
  for (const char right : {'K', 'Q'}) {
    const char wanted =
        p.white ? right : static_cast<char>(std::tolower(static_cast<unsigned char>(right)));
    if (p.castling.find(wanted) == std::string::npos) continue;
    const bool short_side = right == 'K';
    bool clear = true;
    for (int file = short_side ? 5 : 1; file < (short_side ? 7 : 4); ++file)
      clear = clear && at(p, home + file) == 0;
    if (!clear) continue;
    const int direction = short_side ? 1 : -1;
    bool safe = true;
    for (int i = 0; rules.safe_kings && i <= 2; ++i) {
      Position q = p;
      std::swap(q.on[static_cast<std::size_t>(from)],
                q.on[static_cast<std::size_t>(from + i * direction)]);
      safe = safe && !attacked(q, rules, from + i * direction, !p.white);
    }
    if (safe) out.push_back({from, from + 2 * direction, 0, false, true});
  }
}

inline std::string name(const Move& m) {
  std::string out;
  for (const int square : {m.from, m.to}) {
    out += static_cast<char>('a' + square % 8);
    out += static_cast<char>('1' + square / 8);
  }
  if (m.promotion != 0) out += m.promotion;
  return out;
}

// All legal moves as UCI text, sorted.
inline std::vector<std::string> legal(const Position& p, const Rules& rules) {
  std::vector<Move> moves = pseudo(p, rules, p.white);
  castle(p, rules, moves);
  std::vector<std::string> out;
  for (const Move& m : moves) {
    const bool takes_king = at(p, m.to) == 'K' || at(p, m.to) == 'k';
    if (rules.safe_kings && takes_king && !m.castling) continue;
    if (rules.safe_kings && !m.castling && king_attacked(played(p, m), rules, p.white)) continue;
    out.push_back(name(m));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace parlor::chess::naive
