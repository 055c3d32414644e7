// Love Letter as plainly as possible: a hand of ranks for each player and a deck of ranks.
#pragma once

#include <optional>

#include "games/side_by_side.h"

namespace parlor::plain {

struct LoveLetter {
  using Ranks = std::vector<int>;
  static constexpr std::array<const char*, 9> names{
      "", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"};
  struct Player {
    Ranks hand, played;
    bool in = true, safe = false;
    int affection = 0;
  };
  std::vector<Player> seats;
  Ranks deck, aside, open;
  int turn = 0;
  // In the middle of a turn: the card played, and whom it was played on.
  int card = 0;
  std::optional<int> target;
  bool choosing = false;

  static Ranks ranks(const games::Board& board, const std::string& zone) {
    Ranks out;
    for (const games::Token& token : board.at(zone))
      out.push_back(token.props.at("rank").get<int>());
    return out;
  }
  // What was dealt; who began has drawn already.
  void read_deal(const State& state) {
    const games::Board board = games::board_of(state);
    deck = ranks(board, "deck");
    aside = ranks(board, "aside");
    open = ranks(board, "open");
    for (std::size_t i = 0; i < seats.size(); ++i) {
      seats[i].hand = ranks(board, fmt::format("hand:{}", i));
      seats[i].played.clear();
      seats[i].in = true;
      seats[i].safe = false;
      EXPECT_EQ(seats[i].hand.size(), static_cast<int>(i) == turn ? 2u : 1u);
    }
    EXPECT_EQ(aside.size(), 1u);
    EXPECT_EQ(open.size(), seats.size() == 2 ? 3u : 0u);
    EXPECT_EQ(deck.size() + aside.size() + open.size() + seats.size() + 1, 16u);
  }
  static LoveLetter begin(const State& state) {
    LoveLetter out;
    out.seats.resize(state.game().info().players);
    out.read_deal(state);
    return out;
  }
  Player& at(int who) { return seats[static_cast<std::size_t>(who)]; }
  const Player& at(int who) const { return seats[static_cast<std::size_t>(who)]; }
  int players() const { return static_cast<int>(seats.size()); }
  int player() const { return turn; }

  std::vector<int> targets() const {
    std::vector<int> out;
    for (int i = 0; i < players(); ++i)
      if (at(i).in && !at(i).safe && (i != turn || card == 5)) out.push_back(i);
    return out;
  }
  games::Texts options() const {
    games::Texts out;
    if (choosing && !target)
      for (const int who : targets()) out.push_back(std::to_string(who));
    if (choosing && target)
      for (std::size_t rank = 2; rank <= 8; ++rank) out.emplace_back(names[rank]);
    if (choosing) return out;
    const Ranks& hand = at(turn).hand;
    const auto has = [&](int rank) { return std::ranges::find(hand, rank) != hand.end(); };
    for (const int rank : hand)
      if (rank == 7 || !has(7) || !(has(5) || has(6)))
        out.push_back(fmt::format("play {}", names[static_cast<std::size_t>(rank)]));
    return out;
  }
  void lay_down(int who) {
    for (const int rank : std::exchange(at(who).hand, {})) at(who).played.push_back(rank);
  }
  void out(int who) {
    lay_down(who);
    at(who).in = false;
  }
  static int draw(Ranks& from) {
    const int rank = from.front();
    from.erase(from.begin());
    return rank;
  }
  void apply(const std::string& option, const State& after) {
    if (!choosing) {
      const std::string name = option.substr(5);
      card = static_cast<int>(std::ranges::find(names, name) - names.begin());
      at(turn).hand.erase(std::ranges::find(at(turn).hand, card));
      at(turn).played.push_back(card);
      target.reset();
      if (card == 8) out(turn);
      if (card == 4) at(turn).safe = true;
      choosing = (card == 5 || card == 6 || card <= 3) && !targets().empty();
      if (!choosing) end_turn(after);
      return;
    }
    if (!target) {
      target = std::stoi(option);
      if (card == 1) return;  // and a guess
      choosing = false;
      Player &me = at(turn), &other = at(*target);
      if (card == 6) std::swap(me.hand, other.hand);
      if (card == 5) {
        const bool princess = other.hand == Ranks{8};
        if (princess) out(*target);
        if (!princess) {
          lay_down(*target);
          other.hand = {draw(deck.empty() ? aside : deck)};
        }
      }
      if (card == 3 && me.hand != other.hand) out(me.hand > other.hand ? *target : turn);
      return end_turn(after);
    }
    choosing = false;
    if (option == names[static_cast<std::size_t>(at(*target).hand.front())]) out(*target);
    end_turn(after);
  }
  void end_turn(const State& after) {
    std::vector<int> left;
    for (int i = 0; i < players(); ++i)
      if (at(i).in) left.push_back(i);
    if (left.size() > 1 && !deck.empty()) {
      do turn = (turn + 1) % players();
      while (!at(turn).in);
      at(turn).safe = false;
      at(turn).hand.push_back(draw(deck));
      return;
    }
    const auto worth = [&](int who) {
      int sum = 0;
      for (const int rank : at(who).played) sum += rank;
      return std::pair{at(who).hand.front(), sum};
    };
    auto best = worth(left.front());
    for (const int who : left) best = std::max(best, worth(who));
    for (const int who : left)
      if (worth(who) == best) {
        ++at(who).affection;
        turn = who;
      }
    if (!over()) read_deal(after);
  }
  int goal() const { return players() == 2 ? 7 : players() == 3 ? 5 : 4; }
  bool over() const {
    return std::ranges::any_of(seats, [&](const Player& p) { return p.affection >= goal(); });
  }
  std::vector<int> winners() const {
    int most = 0;
    for (const Player& p : seats) most = std::max(most, p.affection);
    std::vector<int> out;
    for (int i = 0; i < players(); ++i)
      if (at(i).affection == most) out.push_back(i);
    return out;
  }
  static std::string sorted(Ranks ranks) {
    std::ranges::sort(ranks);
    return fmt::format("{}", fmt::join(ranks, ","));
  }
  std::string text() const {
    std::string out = fmt::format("deck {} aside {}", fmt::join(deck, ","), sorted(aside));
    for (const Player& p : seats)
      out += fmt::format(" | {} {} {} {} {}", sorted(p.hand), sorted(p.played), p.in, p.safe,
                         p.affection);
    return out;
  }
  static std::string text_of(const State& state) {
    const Json view = state.view();
    const games::Board board = games::board_of(view);
    std::string out = fmt::format("deck {} aside {}", fmt::join(ranks(board, "deck"), ","),
                                  sorted(ranks(board, "aside")));
    for (std::size_t i = 0; i < state.game().info().players; ++i) {
      const Json& vars = view["players"][i];
      out += fmt::format(" | {} {} {} {} {}", sorted(ranks(board, fmt::format("hand:{}", i))),
                         sorted(ranks(board, fmt::format("played:{}", i))),
                         vars["playing"].get<bool>(), vars["safe"].get<bool>(),
                         vars["affection"].get<int>());
    }
    return out;
  }
};

}  // namespace parlor::plain
