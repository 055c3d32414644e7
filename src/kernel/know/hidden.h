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

#include <array>

#include "kernel/know/observers.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

inline constexpr int most_worlds = 200;  // tried, before one is taken that may not fit

constexpr std::size_t factorial(std::size_t n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

// What there is to deal, as far as a viewer knows, and a way to deal it.
class DealPlan {
 public:
  struct Slot {
    ZoneId zone;
    int place;
    TokenId token;  // that lies there
    TokenId next;   // that will
  };
  std::vector<TokenId> unknown;
  std::vector<Slot> slots;  // by zone, from the top; as many

  void begin(int places, std::size_t tokens);
  void may_be(TokenId token, int place) { may_[at(token, place)] = 1; }
  // Everything is there now.
  void settle();

  // Gives every slot a token that may lie there, `next`; false: this time it could not be done.
  bool assign(Rng& rng);

  // Where tokens are few, what was assigned is one number.
  bool is_short() const { return slots.size() <= most_short; }
  std::uint64_t assigned() const;
  // And where each may be wherever there is a slot, this draws the same as `assign`; `take` carries
  // the number over into the slots.
  bool is_free() const { return anywhere_ && is_short(); }
  std::uint64_t assign_free(Rng& rng) { return assign_free_(*this, rng); }
  void take(std::uint64_t assigned);

 private:
  std::size_t at(TokenId token, int place) const {
    return token.index() * static_cast<std::size_t>(places_) + static_cast<std::size_t>(place);
  }
  bool allowed(TokenId token, int place) const { return may_[at(token, place)] != 0; }
  std::size_t room_for(TokenId token) const;
  void reset();
  int take_slot(std::size_t place, std::size_t which);
  bool place_token(TokenId token, int depth, Rng& rng);
  void put_in_turn();
  std::uint64_t find_slots(std::size_t drawn);
  template <std::size_t count>
  static std::uint64_t assign_so_many(DealPlan& plan, Rng& rng);
  void assign_anywhere(Rng& rng);

  static constexpr std::size_t most_short = 6;
  int places_ = 0;
  std::vector<std::uint8_t> may_;  // by token and place: 1, it may be there
  bool anywhere_ = false;          // every unknown token may be wherever there is a slot
  // Numbers of slots by place, and where those of each place begin; of those that are free, each
  // place has the first so many.
  std::vector<int> by_place_, free_;
  std::vector<std::size_t> begins_, left_;
  std::vector<TokenId> turns_;                            // unknown tokens, in random order
  std::vector<std::pair<std::size_t, TokenId>> in_turn_;  // room and token, the least room first
  // For few: by what is drawn, the slots that are taken in turn, a byte each.
  static constexpr std::uint64_t unknown_slots = ~std::uint64_t{0};
  std::array<std::uint64_t, factorial(most_short)> taken_slots_;
  std::uint64_t (*assign_free_)(DealPlan& plan, Rng& rng) = nullptr;
};

// Deals once.
class Dealer {
 public:
  Dealer(Machine& machine, const Eyes& eyes, Rng& rng, DealPlan& plan)
      : m_(machine),
        memory_(machine.memory()),
        p_(machine.program()),
        eyes_(eyes),
        rng_(rng),
        plan_(plan) {}

  void make_plan();
  // By the plan, which was made of this state.
  void deal_tokens();
  void carry_out();  // what the plan has assigned
  void draw_values();
  void draw_variables();

 private:
  using Slot = DealPlan::Slot;

  bool assign();
  bool assign_by_course();
  void move_tokens();
  void move_knowledge();

  Machine& m_;
  Memory& memory_;
  const Program& p_;
  const Eyes& eyes_;
  Rng& rng_;
  DealPlan& plan_;
};

// Numbers still to come, in a Header: nobody may foresee them.
void reseed(const Program& program, Rng& luck, std::uint64_t& seed, Rng& rng);

}  // namespace parlor::kernel
