// The numbers of the evaluation, in hundredths of a pawn. Fitted by least squares to what a strong
// engine says about positions from games; the shape of the evaluation (evaluate.cpp) is our own.
#pragma once

#include <array>

namespace parlor::chess {

// A value in the middle game and one in the endgame; what counts lies between.
struct Worth {
  int mid = 0;
  int end = 0;
  constexpr Worth& operator+=(Worth more) {
    mid += more.mid;
    end += more.end;
    return *this;
  }
  friend constexpr Worth operator+(Worth one, Worth other) { return one += other; }
  friend constexpr Worth operator*(Worth worth, int factor) {
    return {worth.mid * factor, worth.end * factor};
  }
};

struct Weights {
  // By type, pawn to king.
  std::array<Worth, 7> piece{
      {{}, {85, 110}, {325, 310}, {340, 325}, {475, 540}, {1000, 980}, {400, 400}}};
  // By type and rank, seen from the own side; by type and file, from the edge to the middle.
  std::array<std::array<Worth, 8>, 7> rank{};
  std::array<std::array<Worth, 4>, 7> file{};
  // For each square a piece can go to that no enemy pawn strikes.
  std::array<Worth, 6> room{{{}, {}, {5, 4}, {5, 5}, {2, 4}, {1, 2}}};
  // For each square next to the other king that a piece strikes, if it does not do so alone.
  std::array<Worth, 6> press{{{}, {}, {12, 0}, {12, 0}, {24, 0}, {45, 0}}};
  Worth to_move{12, 8};
  Worth bishop_pair{28, 45};
  Worth open_file{24, 12};  // of a rook
  Worth half_open_file{12, 8};
  Worth isolated{-12, -14};  // pawns
  Worth doubled{-8, -20};
  Worth backed{8, 6};
  std::array<Worth, 8> passed{{{}, {2, 8}, {4, 14}, {12, 30}, {32, 58}, {62, 105}, {105, 170}, {}}};
  std::array<Worth, 8> passed_stopped{};  // more of a passed pawn that something stands before
  Worth passed_their_king{0, 4};          // for each step of distance and rank beyond the third
  Worth passed_our_king{0, -2};
  Worth outpost{15, 8};             // a backed knight that no pawn can drive away
  Worth struck_by_pawn{-25, -20};   // an officer that an enemy pawn strikes
  Worth struck_by_minor{-15, -15};  // rook or queen
  Worth hanging{-15, -15};          // struck and not backed
  std::array<Worth, 5> shelter{
      {{0, 0}, {-8, 0}, {-16, 0}, {-22, 0}, {-32, 0}}};  // pawn near … no pawn
  std::array<Worth, 4> storm{
      {{-8, 0}, {-14, 0}, {-6, 0}, {0, 0}}};  // enemy pawns close to the king
};

inline constexpr Weights weights{};

}  // namespace parlor::chess
