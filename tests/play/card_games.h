// Kuhn and Leduc poker, with the deal as chance decisions, for testing play under hidden
// information.
#pragma once

#include <fmt/format.h>

#include "play/native_game.h"

namespace parlor::play::games {

// Three cards, ante 1, one bet of 1. Worth -1/18 to the first player.
struct KuhnPoker {
  std::int8_t cards[2];    // 1..3, 0 not dealt
  std::int8_t history[3];  // 1 pass, 2 bet
  std::int8_t length;

  static GameInfo info() {
    GameInfo info;
    info.id = "native-kuhn-poker";
    info.has_chance = info.explicit_chance = info.hidden_information = true;
    info.actions = {"pass", "bet"};
    return info;
  }
  void start(Rng&) {}
  bool over() const {
    return length == 3 || (length == 2 && !(history[0] == 1 && history[1] == 2));
  }
  Decision decision() const {
    if (cards[1] == 0) return chance_decision();
    if (over()) return {};
    return turn_of(length % 2);
  }
  void list(OptionList& out) const {
    if (cards[1] == 0) {
      for (std::uint64_t card = 1; card <= 3; ++card)
        if (card != static_cast<std::uint64_t>(cards[0])) out.add(Option{card}, 1);
    } else if (!over()) {
      out.add(Option{1});
      out.add(Option{2});
    }
  }
  void apply(std::uint64_t option) {
    const auto value = static_cast<std::int8_t>(option);
    if (cards[0] == 0)
      cards[0] = value;
    else if (cards[1] == 0)
      cards[1] = value;
    else
      history[length++] = value;
  }
  std::int64_t first_gains() const {
    const int stake = (history[0] == 2 || history[1] == 2) ? 2 : 1;
    if (stake == 2) {  // somebody bet: a pass after it folds
      const int last = history[length - 1];
      if (last == 1) return (length - 1) % 2 == 0 ? -1 : 1;
    }
    return cards[0] > cards[1] ? stake : -stake;
  }
  Outcome outcome() const {
    Outcome outcome;
    const auto gain = first_gains();
    outcome.returns = {gain, -gain};
    outcome.winners = {PlayerId{gain > 0 ? 0 : 1}};
    outcome.reason = "showdown";
    return outcome;
  }
  void returns(std::span<std::int64_t> out) const {
    out[0] = first_gains();
    out[1] = -out[0];
  }
  Json view(const Viewer& viewer) const {
    Json shown = Json::array();
    for (int i = 0; i < 2; ++i) {
      const bool seen = viewer.sees_all() || viewer.id().index() == static_cast<std::size_t>(i);
      shown.push_back(seen ? cards[i] : (cards[i] != 0 ? -1 : 0));
    }
    return {{"cards", shown}, {"history", history}};
  }
  std::string text(std::uint64_t option) const {
    if (cards[1] == 0) return fmt::format("deal {}", option);
    return option == 1 ? "pass" : "bet";
  }
  void resample(const Viewer& viewer, Rng& rng) {
    for (std::size_t who = 0; who < 2; ++who)  // what is hidden goes back to the deck first
      if (cards[who] != 0 && !viewer.is(PlayerId{who})) cards[who] = -1;
    for (std::size_t who = 0; who < 2; ++who) {
      while (cards[who] == -1) {
        const auto card = static_cast<std::int8_t>(rng.between(1, 3));
        if (card != cards[1 - who]) cards[who] = card;
      }
    }
  }
};

// Six cards (three ranks twice), ante 1, two rounds of betting with raises of 2 and 4, at most two
// raises a round, one public card. Worth about -0.0856 to the first player.
struct LeducPoker {
  std::int8_t cards[3];  // 1..6; rank (card + 1) / 2; cards[2] is public; 0 not dealt
  std::int8_t round;
  std::int8_t raises;
  std::int8_t acted;   // decisions in this round
  std::int8_t folded;  // 0 nobody, otherwise player + 1
  std::int8_t over;
  std::int8_t stakes[2];
  std::int8_t history[12];
  std::int8_t length;

  static GameInfo info() {
    GameInfo info;
    info.id = "native-leduc-poker";
    info.has_chance = info.explicit_chance = info.hidden_information = true;
    info.actions = {"fold", "call", "raise"};
    return info;
  }
  void start(Rng&) { stakes[0] = stakes[1] = 1; }
  bool dealing() const { return cards[0] == 0 || cards[1] == 0 || (round == 1 && cards[2] == 0); }
  int player() const { return acted % 2; }
  Decision decision() const {
    if (over != 0) return {};
    return dealing() ? chance_decision() : turn_of(player());
  }
  void list(OptionList& out) const {
    if (over != 0) return;
    if (dealing()) {
      for (std::int8_t card = 1; card <= 6; ++card)
        if (card != cards[0] && card != cards[1])
          out.add(Option{static_cast<std::uint64_t>(card)}, 1);
      return;
    }
    if (stakes[player()] < stakes[1 - player()]) out.add(Option{0});
    out.add(Option{1});
    if (raises < 2) out.add(Option{2});
  }
  void apply(std::uint64_t option) {
    if (dealing()) {
      cards[cards[0] == 0 ? 0 : cards[1] == 0 ? 1 : 2] = static_cast<std::int8_t>(option);
      return;
    }
    const int me = player();
    history[length++] = static_cast<std::int8_t>(option + 1);
    if (option == 0) {
      folded = static_cast<std::int8_t>(me + 1);
      over = 1;
      return;
    }
    stakes[me] = stakes[1 - me];
    ++acted;
    if (option == 2) {
      stakes[me] = static_cast<std::int8_t>(stakes[me] + (round == 0 ? 2 : 4));
      ++raises;
    } else if (acted >= 2) {
      if (round == 1) {
        over = 1;
      } else {
        round = 1;
        acted = raises = 0;
      }
    }
  }
  int strength(int who) const {
    const int rank = (cards[who] + 1) / 2;
    return rank == (cards[2] + 1) / 2 ? 10 + rank : rank;
  }
  std::int64_t first_gains() const {
    if (folded != 0) return folded == 1 ? -stakes[0] : stakes[1];
    if (strength(0) == strength(1)) return 0;
    return strength(0) > strength(1) ? stakes[1] : -stakes[0];
  }
  Outcome outcome() const {
    Outcome outcome;
    const auto gain = first_gains();
    outcome.returns = {gain, -gain};
    if (gain != 0) outcome.winners = {PlayerId{gain > 0 ? 0 : 1}};
    outcome.reason = folded != 0 ? "fold" : "showdown";
    return outcome;
  }
  void returns(std::span<std::int64_t> out) const {
    out[0] = first_gains();
    out[1] = -out[0];
  }
  Json view(const Viewer& viewer) const {
    Json shown = Json::array();
    for (int i = 0; i < 3; ++i) {
      const bool seen =
          viewer.sees_all() || i == 2 || viewer.id().index() == static_cast<std::size_t>(i);
      // Suits never matter: a rank is all there is to know, which also keeps the tree small.
      shown.push_back(seen ? (cards[i] + 1) / 2 : (cards[i] != 0 ? -1 : 0));
    }
    return {{"cards", shown}, {"history", history}, {"stakes", stakes}, {"round", round}};
  }
  std::string text(std::uint64_t option) const {
    if (dealing()) return fmt::format("deal {}", option);
    return option == 0 ? "fold" : option == 1 ? "call" : "raise";
  }
  void resample(const Viewer& viewer, Rng& rng) {
    for (std::size_t who = 0; who < 2; ++who)
      if (cards[who] != 0 && !viewer.is(PlayerId{who})) cards[who] = -1;
    for (std::size_t who = 0; who < 2; ++who)
      while (cards[who] == -1) {
        const auto card = static_cast<std::int8_t>(rng.between(1, 6));
        if (card != cards[1 - who] && card != cards[2]) cards[who] = card;
      }
  }
};

}  // namespace parlor::play::games
