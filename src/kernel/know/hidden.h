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

// What there is to deal, as far as a viewer knows, and a way to deal it.
struct DealPlan {
  struct Slot {
    ZoneId zone;
    int place;
    TokenId token;  // that lies there
    TokenId next;   // that will
  };
  int places = 0;
  std::vector<TokenId> unknown;       // tokens
  std::vector<std::uint8_t> may;      // by token and place: 1, it may be there
  std::vector<Slot> slots;            // by zone, from the top
  std::vector<std::vector<int>> all;  // by place: numbers of its slots

  // Gives every slot a token that may lie there, `next`; false: this time it could not be done.
  bool assign(Rng& rng);

 private:
  bool allowed(TokenId token, int place) const {
    return may[static_cast<std::size_t>(token.value * places + place)] != 0;
  }
  std::size_t room_for(TokenId token) const;
  bool place_token(TokenId token, int depth, Rng& rng);

  std::vector<std::vector<int>> open_;                    // by place: slots that are still free
  std::vector<std::pair<std::size_t, TokenId>> in_turn_;  // room and token, the least room first
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
  bool assign();
  void carry_out();  // the plan
  void deal_tokens();
  void draw_values();
  void draw_variables();
  void reseed();

 private:
  using Slot = DealPlan::Slot;

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

// What a viewer is told by what they may do, or by how the game has ended.
struct Evidence {
  OptionList options;
  Json places;
  std::optional<Outcome> ended;
};

// The worlds of one state and viewer, made again and again by a search: the plan is made once, and
// where tokens alone are dealt, and few, so is each world. What comes out, and what is drawn for
// it, is what dealing anew would give.
class Worlds {
 public:
  enum class Verdict : std::uint8_t { unknown, fits, contradicts };

  static Worlds& of_this_thread();
  // Whether worlds of this state differ in nothing but where tokens lie.
  static bool can_keep(const Program& program, const StateBlock& block);
  // Whether it is this state that was looked at last, by this viewer.
  bool knows(const Program& program, const StateBlock& block, const Eyes& eyes) const;
  void look_at(const Program& program, const StateBlock& block, const Eyes& eyes);
  // Makes `block`, the state itself or one of its worlds, a world. Whether it fits is kept with it.
  Verdict& deal(const Program& program, StateBlock& block, const Eyes& eyes, Rng& rng);

  Evidence evidence;  // in the state that was looked at

 private:
  static constexpr std::size_t most_kept = 256, most_tokens = 6;
  struct Kept {
    std::uint64_t key = 0;  // of the tokens in the slots
    StateBlock block;
    Verdict verdict = Verdict::unknown;
  };

  std::uint64_t key() const;
  void carry_out(const Program& program, StateBlock& block, const Eyes& eyes, Rng& rng);

  std::uint64_t serial_ = 0;  // of the Program; 0: none
  int viewer_ = -1;
  const Profile* profile_ = nullptr;
  StateBlock real_;
  DealPlan plan_;
  std::vector<Kept> kept_;  // the first `worlds_` of them
  std::size_t worlds_ = 0;
  Verdict other_ = Verdict::unknown;  // of a world that is not kept
};

}  // namespace parlor::kernel
