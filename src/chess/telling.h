// What happened on the board during a move, in the words that all games share (docs/kernel.md,
// "What a listener hears"). House rules may move, turn, hurt or make any piece, so what is told
// follows from the two positions, and nothing can be forgotten; only how somebody died and what
// rules have to say is heard while it happens.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "chess/geometry.h"
#include "game/scene.h"

namespace parlor::chess::inline PARLOR_BOARD {

// Keeps what is heard during a move until the move is made: one that is refused tells nothing.
class MoveTeller : public EventListener {
 public:
  explicit MoveTeller(EventListener& listener) : listener_(listener) {}
  void on_event(const Event& event) override {
    if (event.kind == "tokenDestroyed")
      gone_[event.data["token"].get<std::string>()] = event.data["from"].get<std::string>();
    heard_.on_event(event);
  }
  bool told_gone(const std::string& token) const { return gone_.contains(token); }
  // Where a piece that is no more stood last; empty: nothing was said of it.
  std::string died_at(const std::string& token) const {
    const auto found = gone_.find(token);
    return found == gone_.end() ? std::string() : found->second;
  }
  void tell(std::string_view kind, Json data) { listener_.on_event({kind, std::move(data)}); }
  // All but the end of those who were not there when the move began: nobody has seen them.
  void tell_heard(const std::function<bool(const std::string&)>& was_there) {
    for (HeardEvent& event : heard_.take())
      if (event.kind != "tokenDestroyed" || was_there(event.data["token"].get<std::string>()))
        tell(event.kind, std::move(event.data));
  }

 private:
  EventListener& listener_;
  EventRecorder heard_;
  std::map<std::string, std::string> gone_;
};

}  // namespace parlor::chess::inline PARLOR_BOARD
