// What happens on the way to a decision, for people at a terminal: rolls, cards that are shown,
// what the rules announce, and whose numbers changed.
#pragma once

#include <map>
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
  // Prints what has been heard since the last time.
  void tell();
  // Seats in their colours, where the terminal has colours.
  std::string painted(const std::string& text) const;

 private:
  struct Change {
    Json before, after;
  };
  void hear_change(const Json& data);
  std::string seat_colour(std::size_t seat) const;

  Context& context_;
  const Game& game_;
  Viewer viewer_ = Viewer::observer();
  std::map<std::string, std::string> shown_vars_;  // of players, by name: what they are called
  std::vector<std::string> lines_;
  std::vector<std::string> rolls_;
  std::map<std::pair<std::size_t, std::string>, Change> changes_;
};

}  // namespace parlor::cli
