// English draughts written as plainly as possible, independent of the language: a board of 64
// characters and recursion. The shipped game must have exactly the same moves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parlor::naive {

struct Draughts {
  std::string board = std::string(64, '.');  // b w men, B W kings; row 0 first
  char player = 'b';

  static Draughts start() {
    Draughts game;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        if ((row + column) % 2 == 1 && (row < 3 || row > 4))
          game.board[row * 8 + column] = row < 3 ? 'b' : 'w';
    return game;
  }

  char at(int row, int column) const {
    return row < 0 || row > 7 || column < 0 || column > 7 ? '#' : board[row * 8 + column];
  }
  void put(int row, int column, char piece) { board[row * 8 + column] = piece; }
  static char colour(char piece) {
    if (piece == 'b' || piece == 'B') return 'b';
    if (piece == 'w' || piece == 'W') return 'w';
    return piece;
  }
  static bool may_go(char piece, int rise) {
    return piece == 'B' || piece == 'W' || (piece == 'b' ? rise > 0 : rise < 0);
  }
  char other() const { return player == 'b' ? 'w' : 'b'; }
  // Puts a piece down; true when that makes it a king.
  bool land(int row, int column, char piece) {
    const bool crowned = (piece == 'b' && row == 7) || (piece == 'w' && row == 0);
    put(row, column, crowned ? (piece == 'b' ? 'B' : 'W') : piece);
    return crowned;
  }

  // Every board after jumping on from here to the end of the move; false if there is no jump.
  bool jumps_from(int row, int column, std::vector<Draughts>& out) const {
    bool any = false;
    const char piece = at(row, column);
    for (const int rise : {-1, 1})
      for (const int side : {-1, 1}) {
        if (!may_go(piece, rise) || colour(at(row + rise, column + side)) != other() ||
            at(row + 2 * rise, column + 2 * side) != '.')
          continue;
        any = true;
        Draughts next = *this;
        next.put(row, column, '.');
        next.put(row + rise, column + side, '.');
        const bool crowned = next.land(row + 2 * rise, column + 2 * side, piece);
        if (crowned || !next.jumps_from(row + 2 * rise, column + 2 * side, out)) {
          next.player = other();
          out.push_back(next);
        }
      }
    return any;
  }

  std::vector<Draughts> moves() const {
    std::vector<Draughts> out;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        if (colour(at(row, column)) == player) jumps_from(row, column, out);
    if (!out.empty()) return out;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        const char piece = at(row, column);
        if (colour(piece) != player) continue;
        for (const int rise : {-1, 1})
          for (const int side : {-1, 1}) {
            if (!may_go(piece, rise) || at(row + rise, column + side) != '.') continue;
            Draughts next = *this;
            next.put(row, column, '.');
            next.land(row + rise, column + side, piece);
            next.player = other();
            out.push_back(next);
          }
      }
    return out;
  }
};

}  // namespace parlor::naive
