// What happened on the board during a move, in the words that all games share (docs/kernel.md,
// "What a listener hears"). House rules may move, turn, hurt or make any piece, so what is told
// follows from the two positions, and nothing can be forgotten; only how somebody died and what
// rules have to say is heard while it happens.
#pragma once

#include <set>
#include <string>

#include "game/scene.h"

namespace parlor::chess {

// Keeps what is heard during a move until the move is made: one that is refused tells nothing.
class MoveTeller : public EventListener {
 public:
  explicit MoveTeller(EventListener& listener) : listener_(listener) {}
  void on_event(const Event& event) override {
    if (event.kind == "tokenDestroyed") gone_.insert(event.data["token"].get<std::string>());
    heard_.on_event(event);
  }
  bool told_gone(const std::string& token) const { return gone_.contains(token); }
  void tell(std::string_view kind, Json data) { listener_.on_event({kind, std::move(data)}); }
  void tell_heard() {
    for (HeardEvent& event : heard_.take()) tell(event.kind, std::move(event.data));
  }

 private:
  EventListener& listener_;
  EventRecorder heard_;
  std::set<std::string> gone_;
};

}  // namespace parlor::chess
