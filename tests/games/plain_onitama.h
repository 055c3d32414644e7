// Onitama as plainly as possible: a board of 25 letters and cards as pictures of where they lead.
#pragma once

#include <array>
#include <map>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Onitama {
  // Five rows from the far side to the near one, as on the printed cards; the piece stands in the
  // middle.
  static const std::map<std::string, std::string>& cards() {
    static const std::map<std::string, std::string> all{
        {"tiger", "..x.. ..... ..o.. ..x.. ....."},  {"dragon", "..... x...x ..o.. .x.x. ....."},
        {"frog", "..... .x... x.o.. ...x. ....."},   {"rabbit", "..... ...x. ..o.x .x... ....."},
        {"crab", "..... ..x.. x.o.x ..... ....."},   {"elephant", "..... .x.x. .xox. ..... ....."},
        {"goose", "..... .x... .xox. ...x. ....."},  {"rooster", "..... ...x. .xox. .x... ....."},
        {"monkey", "..... .x.x. ..o.. .x.x. ....."}, {"mantis", "..... .x.x. ..o.. ..x.. ....."},
        {"horse", "..... ..x.. .xo.. ..x.. ....."},  {"ox", "..... ..x.. ..ox. ..x.. ....."},
        {"crane", "..... ..x.. ..o.. .x.x. ....."},  {"boar", "..... ..x.. .xox. ..... ....."},
        {"eel", "..... .x... ..ox. .x... ....."},    {"cobra", "..... ...x. .xo.. ...x. ....."}};
    return all;
  }
  static bool blue_seal(const std::string& card) {
    static const std::vector<std::string> blue{"tiger",  "rabbit", "crab",  "goose",
                                               "monkey", "ox",     "crane", "eel"};
    return std::ranges::find(blue, card) != blue.end();
  }

  std::string board = "bbBbb...............rrRrr";
  std::array<std::vector<std::string>, 2> hands;
  std::string beside;
  int turn = 0;

  static std::vector<std::string> names(const games::Board& zones, const std::string& zone) {
    std::vector<std::string> out;
    for (const games::Token& card : zones.at(zone))
      out.push_back(card.props.at("name").get<std::string>());
    std::ranges::sort(out);
    return out;
  }
  static Onitama begin(const State& state) {
    const games::Board zones = games::board_of(state);
    Onitama out;
    out.hands = {names(zones, "hand:0"), names(zones, "hand:1")};
    out.beside = names(zones, "beside").front();
    out.turn = blue_seal(out.beside) ? 1 : 0;
    return out;
  }
  int player() const { return turn; }
  bool own(int cell) const {
    const char c = board[static_cast<std::size_t>(cell)];
    return turn == 0 ? c == 'r' || c == 'R' : c == 'b' || c == 'B';
  }
  static std::string cell(int at) { return fmt::format("cell_{}_{}", at / 5, at % 5); }

  games::Texts options() const {
    games::Texts out;
    for (const std::string& card : hands[static_cast<std::size_t>(turn)])
      for (int from = 0; from < 25; ++from) {
        if (!own(from)) continue;
        const std::string& picture = cards().at(card);
        for (int r = 0; r < 5; ++r)
          for (int c = 0; c < 5; ++c) {
            if (picture[static_cast<std::size_t>(6 * r + c)] != 'x') continue;
            const int side = turn == 0 ? 1 : -1;  // Blue sits on the other side
            const int row = from / 5 + side * (r - 2), column = from % 5 + side * (c - 2);
            if (row < 0 || row > 4 || column < 0 || column > 4 || own(5 * row + column)) continue;
            out.push_back(fmt::format("move {} {} {}", card, cell(from), cell(5 * row + column)));
          }
      }
    if (out.empty())
      for (const std::string& card : hands[static_cast<std::size_t>(turn)])
        out.push_back("exchange " + card);
    return out;
  }
  void apply(const std::string& option, const State&) {
    const auto words = games::words_of(option);
    if (words[0] == "move") {
      const auto place = [](const std::string& name) {
        return static_cast<std::size_t>(5 * (name[5] - '0') + name[7] - '0');
      };
      board[place(words[3])] = std::exchange(board[place(words[2])], '.');
    }
    auto& hand = hands[static_cast<std::size_t>(turn)];
    *std::ranges::find(hand, words[1]) = std::exchange(beside, words[1]);
    std::ranges::sort(hand);
    turn = 1 - turn;
  }
  bool over() const { return !winners().empty(); }
  std::vector<int> winners() const {
    if (board.find('B') == std::string::npos || board[2] == 'R') return {0};
    if (board.find('R') == std::string::npos || board[22] == 'B') return {1};
    return {};
  }
  std::string text() const {
    return fmt::format("{} {} / {} / {}", board, fmt::join(hands[0], ","), fmt::join(hands[1], ","),
                       beside);
  }
  static std::string text_of(const State& state) {
    const games::Board zones = games::board_of(state);
    const std::string board = games::text_of(zones, "cell", 5, 5, [](const games::Token& piece) {
      const bool master = piece.props.at("master").get<bool>();
      return piece.props.at("owner") == 0 ? (master ? 'R' : 'r') : (master ? 'B' : 'b');
    });
    return fmt::format("{} {} / {} / {}", board, fmt::join(names(zones, "hand:0"), ","),
                       fmt::join(names(zones, "hand:1"), ","),
                       fmt::join(names(zones, "beside"), ","));
  }
};

}  // namespace parlor::plain
