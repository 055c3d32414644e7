// A tiny native card game, the smallest that needs every part of the interface.
//
// Duel: eight cards 1..8. A coin (chance, two to one for player 0) says who begins. Each player
// holds three cards that the other does not see. A turn is an action with a choice: `play` a card
// face up, or once per game `swap` one for the top card of the deck and go on. When both have
// played, the higher card scores; its owner begins. After three rounds the higher score wins.
#pragma once

#include "game/game.h"

namespace parlor::test {

class Duel : public Game {
 public:
  Duel();

  const GameInfo& info() const override { return info_; }
  Applied init(StateBlock& block, Seed seed) const override;
  Decision decision(const StateBlock& block) const override;
  void list_options(const StateBlock& block, OptionList& out) const override;
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override;
  Outcome outcome(const StateBlock& block) const override;
  std::uint64_t hash(const StateBlock& block) const override;
  Json save_block(const StateBlock& block) const override;
  Applied load_block(const Json& saved, StateBlock& block) const override;
  Json view(const StateBlock& block, const Viewer& viewer) const override;
  std::string describe(const StateBlock& block, const Viewer& viewer) const override;
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override;
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override;
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override;
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override;
  std::optional<std::uint64_t> count_moves(const StateBlock& block, int depth) const override;

 protected:
  GameInfo info_;
};

}  // namespace parlor::test
