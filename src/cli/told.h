// What happens on the way to a decision, for people at a terminal: rolls, cards that are shown,
// what the rules announce, and whose numbers changed.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "game/game.h"

namespace parlor::cli {

class Told : public EventListener {
 public:
  Told(Context& context, const Game& game);
  void listen_as(const Viewer& viewer) { viewer_ = viewer; }
  void on_event(const Event& event) override;
  // Something was applied: what has moved since then gets its name. Off the board things are called
  // as before, in a hand as they are now.
  void name(const State& before, const State& after);
  // Prints what has been heard since the last time.
  void tell();
  // Seats in their colours, where the terminal has colours.
  std::string painted(const std::string& text) const;

 private:
  struct Change {
    Json before, after;
    std::string before_text = {}, after_text = {};
  };
  struct Move {
    std::string token, from, to;  // empty: not told, or nowhere
    std::size_t line = 0;         // how many lines were there already
  };
  void hear_change(const Json& data);
  void hear_move(const Event& event);
  std::optional<PlayerId> owner_of(const std::string& zone) const;
  bool is_drawn_from(const std::string& zone) const;
  std::string counted(std::size_t count) const;
  void name_lost(const State& before);
  void name_draws(const State& after);
  std::string value_text(const std::string& var, const Json& value, const State& state) const;
  std::string seat_colour(std::size_t seat) const;

  Context& context_;
  const Game& game_;
  Viewer viewer_ = Viewer::observer();
  std::map<std::string, std::string> shown_vars_;  // of players, by name: what they are called
  std::set<std::string> of_players_;               // those of them that hold a player
  std::vector<std::string> lines_;
  std::vector<std::string> rolls_;
  std::set<std::string> laid_open_;  // zones whose tokens were named on a line of their own
  int round_ = 0;                    // that ended
  int counted_ = 0;                  // the round of the last turn that was heard of
  bool rounds_ = false;              // the rules speak of them
  std::string noun_;                 // what is drawn: "card"
  std::map<std::string, std::string> piles_;  // zones nobody looks into, and what they are called
  std::map<std::string, std::string> open_;   // zones of nobody beside the board, likewise
  std::set<std::string> cells_;               // the zones of boards
  std::vector<Move> moves_;                   // without names yet
  std::map<std::pair<std::size_t, std::string>, Change> changes_;
};

}  // namespace parlor::cli
