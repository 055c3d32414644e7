// The numbers of the evaluation, in hundredths of a pawn. Fitted by least squares to what a strong
// engine says about positions from games; the shape of the evaluation (evaluate.cpp) is our own.
#pragma once

#include <array>

#include "chess/geometry.h"

namespace parlor::chess::inline PARLOR_BOARD {

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
      {{}, {76, 94}, {319, 247}, {318, 257}, {420, 471}, {813, 869}, {400, 400}}};
  // By type and rank, seen from the own side; by type and file, from the edge to the middle.
  std::array<std::array<Worth, 8>, 7> rank{
      {{{{}, {}, {}, {}, {}, {}, {}, {}}},
       {{{}, {-9, 2}, {-12, -4}, {-10, -3}, {4, 4}, {8, -3}, {9, -12}, {}}},
       {{{-20, -26}, {-4, -10}, {1, 6}, {10, 33}, {14, -7}, {28, -22}, {-17, -10}, {-54, -17}}},
       {{{-22, 0}, {6, -1}, {-6, 6}, {2, 12}, {6, -8}, {15, -44}, {-27, -23}, {-40, -19}}},
       {{{-11, -34}, {-49, -18}, {-12, -25}, {-32, 8}, {-21, -1}, {-1, -10}, {-11, -16}, {-1, 8}}},
       {{{-26, -60}, {-17, -59}, {-34, 5}, {-47, 0}, {-31, 10}, {-25, -2}, {-22, 9}, {-35, -28}}},
       {{{54, -44},
         {15, -21},
         {-23, -5},
         {-61, -51},
         {-39, -38},
         {-9, -26},
         {-3, -26},
         {0, -42}}}}};
  std::array<std::array<Worth, 4>, 7> file{{{{{}, {}, {}, {}}},
                                            {{{-14, -2}, {1, 2}, {6, -4}, {-2, -12}}},
                                            {{{-31, -16}, {-14, -19}, {-4, -15}, {6, -10}}},
                                            {{{-21, -18}, {-16, -22}, {-15, -19}, {-13, -16}}},
                                            {{{-45, -25}, {-46, -4}, {-31, -14}, {-5, -19}}},
                                            {{{-58, -9}, {-66, -29}, {-56, -40}, {-56, -44}}},
                                            {{{25, -63}, {3, -51}, {-45, -38}, {-40, -44}}}}};
  // For each square a piece can go to that no enemy pawn strikes.
  std::array<Worth, 6> room{{{}, {}, {8, 6}, {6, 7}, {5, 5}, {6, 3}}};
  // For each square next to the other king that a piece strikes, if it does not do so alone.
  std::array<Worth, 6> press{{{}, {}, {4, 0}, {6, 0}, {11, 0}, {46, 0}}};
  Worth to_move{25, 15};
  Worth bishop_pair{75, 14};
  Worth open_file{41, -4};  // of a rook
  Worth half_open_file{24, 2};
  Worth isolated{-9, 1};  // pawns
  Worth doubled{-5, -22};
  Worth backed{11, 1};
  std::array<Worth, 8> passed{{{}, {-2, 9}, {-13, 4}, {14, 3}, {26, 18}, {56, 79}, {114, 158}, {}}};
  std::array<Worth, 8> passed_stopped{{{},
                                       {-25, -17},
                                       {-18, -41},
                                       {14, -36},
                                       {-24, -7},
                                       {4, -24},
                                       {8, -75},
                                       {}}};  // more of a passed pawn that something stands before
  Worth passed_their_king{-1, 8};             // for each step of distance and rank beyond the third
  Worth passed_our_king{-2, -3};
  Worth outpost{31, 26};            // a backed knight that no pawn can drive away
  Worth struck_by_pawn{-68, -61};   // an officer
  Worth struck_by_minor{-50, -42};  // rook or queen
  Worth hanging{-26, -40};          // struck and not backed
  std::array<Worth, 5> shelter{{{33, -16},
                                {21, -20},
                                {32, -41},
                                {10, -19},
                                {-10, -19}}};  // a pawn near before the king … none
  std::array<Worth, 4> storm{{{-5, 52}, {-25, -1}, {-12, -4}, {-8, 4}}};  // enemy pawns close to it
};

inline constexpr Weights weights{};

}  // namespace parlor::chess::inline PARLOR_BOARD
