// How many sequences of moves there are from the start, rule by rule: what the oracle says (C-61)
// and, where it has no opinion, what the naive generator says (C-62).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "chess/chess.h"
#include "naive.h"

namespace parlor::chess {

struct Count {
  std::string name;
  std::vector<std::string> rules;
  std::string layout;
  std::string fen;
  std::vector<std::uint64_t> nodes;  // by depth, from 1
  naive::Rules how = {};
};

inline std::shared_ptr<const ChessGame> open(const Count& c) {
  OpenOptions options;
  options.rules = c.rules;
  options.layout = c.layout;
  options.position = c.fen;
  const auto game = open_chess(options);
  if (!game) throw std::runtime_error(game.error().diagnostics.all().front().message);
  return std::static_pointer_cast<const ChessGame>(*game);
}

// The same start for the naive generator; set-ups of rules are in the FEN.
inline naive::Position naive_start(const Count& c, const ChessGame& game) {
  const State start = game.start(0).value();
  return naive::read(to_fen(game.position(start.block()).board, game.book()), c.how);
}

inline naive::Rules how(auto&& set) {
  naive::Rules out;
  set(out);
  return out;
}

// Rules the oracle knows. It was asked to depth 4; depth 5 is the naive generator's where the
// packaged oracle does not know the rule.
inline const std::vector<Count>& oracle() {
  using R = naive::Rules;
  static const std::vector<Count> counts{
      {"knightmate",
       {"knightmate-rules"},
       "knightmate",
       "",
       {18, 324, 6765, 139774, 3249033},
       how([](R& r) { r.royal = "N", r.raise = "KQRB"; })},
      {"knightmate on classic",
       {"knightmate-rules"},
       "classic",
       "",
       {20, 396, 8626, 184996, 4371465},
       how([](R& r) { r.royal = "N", r.raise = "KQRB"; })},
      {"coregal", {"coregal"}, "", "", {20, 400, 8882, 195896, 4756867}, how([](R& r) {
         r.royal = "KQ";
       })},
      {"dual king", {"dual-king"}, "", "", {20, 400, 8682, 187762, 4397312}},
      {"weak dual king",
       {"weak-dual-king"},
       "",
       "",
       {20, 400, 8682, 188104, 4419568},
       how([](R& r) { r.weak_kings = true; })},
      {"first promotion",
       {"first-promotion-wins"},
       "pawns-only-no-kings",
       "",
       {16, 256, 3846, 57744, 815968},
       how([](R& r) { r.promotion_wins = true; })},
      {"suicide", {"suicide-chess"}, "", "", {20, 400, 8067, 153299, 2732672}, how([](R& r) {
         r.royal = "", r.raise = "KQRBN", r.castling = false;
         r.forced_captures = r.empty_ends = true;
       })},
      {"capture all", {"capture-all"}, "", "", {20, 400, 8902, 197742, 4897256}, how([](R& r) {
         r.royal = "", r.raise = "KQRBN", r.empty_ends = true;
       })},
      {"extinction", {"extinction-chess"}, "", "", {20, 400, 8902, 197281, 4865609}, how([](R& r) {
         r.extinct = 'P';
       })},
      {"capture to win",
       {"capture-to-win"},
       "",
       "",
       {20, 400, 8902, 196558, 4809021},
       how([](R& r) { r.capture_wins = true; })},
      {"berolina", {"berolina-pawns"}, "", "", {30, 900, 28328, 882717, 29119802}, how([](R& r) {
         r.berolina = 1;
       })},
      {"berolina sideways",
       {"berolina-pawns-2"},
       "",
       "",
       {30, 900, 28328, 883157, 29153364},
       how([](R& r) { r.berolina = 2; })},
      {"cannons for knights", {"cannon"}, "", "", {18, 322, 6778, 142674, 3443940}, how([](R& r) {
         r.raise = "QRBC";
       })},
      {"monster, single moves", {}, "monster", "", {10, 200, 1984, 44146, 442732}},
      {"dual king position",
       {"dual-king"},
       "",
       "3kk3/8/8/8/8/8/4R3/3KK3 b - - 0 1",
       {3, 57, 407, 8460, 74828}},
      {"weak dual king position",
       {"weak-dual-king"},
       "",
       "3kk3/8/8/8/8/8/4R3/3KK3 b - - 0 1",
       {8, 150, 1649, 33845, 392256},
       how([](R& r) { r.weak_kings = true; })},
      {"coregal position",
       {"coregal"},
       "",
       "rn2kb1r/ppp1pppp/6q1/8/2PP2b1/5B2/PP3P1P/R1BQK1NR w KQkq - 0 1",
       {25, 765, 20421, 586489, 16681281},
       how([](R& r) { r.royal = "KQ"; })},
      {"extinction position",
       {"extinction-chess"},
       "",
       "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
       {7, 41, 291, 2121, 15584},
       how([](R& r) { r.extinct = 'P'; })},
  };
  return counts;
}

// Rules it does not know.
inline const std::vector<Count>& counted_naively() {
  using R = naive::Rules;
  // Rules that need something to happen soon are counted from positions in which it does.
  static const std::string kiwipete =
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
  static const std::string rooks = "r3k2r/1pp2pp1/8/p2nN2p/P2RR2P/8/1PP2PP1/4K3 w kq - 0 1";
  static const std::vector<Count> counts{
      {"last piece standing",
       {"last-piece-standing"},
       "",
       "",
       {20, 400, 8902, 197742, 4897256},
       how([](R& r) { r.royal = "", r.raise = "KQRBN", r.empty_ends = true; })},
      {"double moves", {"double-move"}, "", "", {20, 445, 8864, 196646, 4847094}, how([](R& r) {
         r.moves_a_turn = {2, 2};
       })},
      {"monster",
       {"monster-rules:white"},
       "monster",
       "",
       {10, 99, 1976, 19902, 204802},
       how([](R& r) {
         r.moves_a_turn = {2, 1};
       })},
      {"bouncing", {"bouncing-pieces"}, "", "", {20, 392, 8800, 193547, 4861309}, how([](R& r) {
         r.bounce = 1;
       })},
      {"bouncing twice",
       {"bouncing-pieces-2"},
       "",
       "",
       {20, 392, 8800, 193538, 4859866},
       how([](R& r) { r.bounce = 2; })},
      {"cylinder", {"wrap-board"}, "", "", {20, 392, 9162, 211036, 5633208}, how([](R& r) {
         r.wrap = true;
       })},
      {"knights leap twice",
       {"knights-leap-twice"},
       "",
       "",
       {30, 784, 24931, 773771, 26960940},
       how([](R& r) { r.leap_twice = true; })},
      {"knight immunity",
       {"knight-immunity"},
       "",
       "",
       {20, 400, 8898, 197048, 4852473},
       how([](R& r) { r.immune_knights = true; })},
      {"hit points", {"piece-hp"}, "", "", {20, 400, 8902, 197775, 4898841}, how([](R& r) {
         r.hit_points = 2, r.safe_royals = false;
       })},
      {"shields", {"piece-shield"}, "", kiwipete, {48, 2045, 97935, 4086070}, how([](R& r) {
         r.hit_points = 2;
       })},
      {"kings heal",
       {"piece-hp", "king-heals"},
       "",
       kiwipete,
       {48, 2048, 98297, 4120189},
       how([](R& r) { r.hit_points = 2, r.safe_royals = false, r.king_heals = true; })},
      {"poisoned squares",
       {"piece-hp", "poisoned-squares"},
       "",
       "",
       {20, 400, 8937, 199218, 4966828},
       how([](R& r) { r.hit_points = 2, r.safe_royals = false, r.poison = true; })},
      {"explosive rooks", {"explosive-rook"}, "", rooks, {30, 643, 19777, 437398}, how([](R& r) {
         r.explosive = true;
       })},
      {"splitting queens",
       {"queen-splits"},
       "",
       kiwipete,
       {48, 2039, 97102, 4067296},
       how([](R& r) { r.split = true; })},
      {"stamina", {"stamina"}, "", "", {20, 400, 8902, 197281, 4865609}},
      {"berserkers", {"berserker"}, "", "", {22, 484, 11706, 282443, 7444970}, how([](R& r) {
         r.raise = "ZRBN", r.berserk = true;
       })},
  };
  return counts;
}

// Rules together, in both orders: what they mean does not depend on it (C-71). Without counts: the
// naive generator is asked move by move.
inline const std::vector<Count>& together() {
  using R = naive::Rules;
  static const auto cylinder = [](auto&& set) {
    return how([&](R& r) {
      r.wrap = true;
      set(r);
    });
  };
  static const std::vector<Count> counts{
      {"berolina on a cylinder", {"berolina-pawns", "wrap-board"}, "", "", {}, cylinder([](R& r) {
         r.berolina = 1;
       })},
      {"sideways on a cylinder", {"wrap-board", "berolina-pawns-2"}, "", "", {}, cylinder([](R& r) {
         r.berolina = 2;
       })},
      {"no sides to bounce off", {"wrap-board", "bouncing-pieces"}, "", "", {}, cylinder([](R& r) {
         r.bounce = 1;
       })},
      {"bouncing on a cylinder",
       {"bouncing-pieces-2", "wrap-board"},
       "",
       "",
       {},
       cylinder([](R& r) { r.bounce = 2; })},
      {"leaping around", {"knights-leap-twice", "wrap-board"}, "", "", {}, cylinder([](R& r) {
         r.leap_twice = true;
       })},
      {"cannons around", {"cannon", "wrap-board"}, "", "", {}, cylinder([](R& r) {
         r.raise = "QRBC";
       })},
      {"berserkers around", {"wrap-board", "berserker"}, "", "", {}, cylinder([](R& r) {
         r.raise = "ZRBN", r.berserk = true;
       })},
      {"weak kings around", {"weak-dual-king", "wrap-board"}, "", "", {}, cylinder([](R& r) {
         r.weak_kings = true;
       })},
      {"everything that moves",
       {"wrap-board", "knights-leap-twice", "berolina-pawns-2", "bouncing-pieces-2"},
       "",
       "",
       {},
       cylinder([](R& r) { r.leap_twice = true, r.berolina = 2, r.bounce = 2; })},
      {"immune and royal knights that leap",
       {"knights-leap-twice", "coregal", "bouncing-pieces"},
       "",
       "",
       {},
       how([](R& r) { r.leap_twice = true, r.bounce = 1, r.royal = "KQ"; })},
      {"immune knights around",
       {"knight-immunity", "wrap-board", "bouncing-pieces-2"},
       "",
       "",
       {},
       cylinder([](R& r) { r.immune_knights = true, r.bounce = 2; })},
      {"poison and healing",
       {"king-heals", "poisoned-squares", "piece-hp"},
       "",
       "8/5n2/2qk1p2/2p1r3/2bR1P2/2N1K1Q1/1B6/8 w - - 0 1",
       {},
       how([](R& r) { r.hit_points = 2, r.safe_royals = false, r.poison = r.king_heals = true; })},
  };
  return counts;
}

}  // namespace parlor::chess
