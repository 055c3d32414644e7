// Other worlds: what could be true as well, as far as a viewer knows.
//
// A world is made from what the viewer knows (knowledge.h) and from dice, never from what is really
// hidden. Unknown tokens are dealt anew among the places where they may be; rolled and chosen
// values are drawn anew from their bounds; what others have handed in is replaced by random legal
// moves; so are the numbers still to come. Where the options of the viewer, the end of the game or
// what the rules call certain depend on hidden things, worlds that contradict what the viewer sees
// are thrown away, up to a limit. docs/hidden-information.md says what is remembered and what is
// not.
#pragma once

#include "kernel/know/observers.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

inline constexpr int most_worlds = 200;  // tried, before one is taken that may not fit

// Deals once. Gives false where there is nothing to deal.
class Dealer {
 public:
  Dealer(Machine& machine, const Eyes& eyes, Rng& rng)
      : m_(machine), memory_(machine.memory()), p_(machine.program()), eyes_(eyes), rng_(rng) {}

  void deal_tokens();
  void draw_values();
  void draw_variables();
  void reseed();

 private:
  struct Slot {
    int zone, place;
    int token;  // that lies there
    int next;   // that will
  };

  void find_unknown();
  void find_slots();
  bool assign();
  bool assign_by_course();
  bool place_token(int token, int depth);
  std::size_t room_for(int token) const;
  bool allowed(int token, int place) const;
  void move_tokens();
  void move_knowledge();

  Machine& m_;
  Memory& memory_;
  const Program& p_;
  const Eyes& eyes_;
  Rng& rng_;
  std::vector<int> unknown_;            // tokens
  std::vector<Slot> slots_;             // by zone, from the top
  std::vector<std::vector<int>> open_;  // by place: numbers of slots that are still free
  std::vector<std::vector<int>> all_;   // by place: numbers of its slots
};

}  // namespace parlor::kernel
