// Numbers for everything that can be chosen in a game written as data, made from the rules alone:
// each action has the product of what its parameters can be, all choices inside moves share one
// block for each kind of value, and one number confirms a selection. So a number means the same in
// every state, and whoever learns can keep what was learnt.
//
// What a parameter can be follows from its query: zones, directions, names, players, booleans,
// numbers between declared bounds, tokens by their number. What does not (a raise of up to all the
// chips one has, a token made while playing) is numbered by its rank among the values offered.
//
// An action whose product is too large for a table is chosen in steps: one number for the action,
// then a block of numbers for each parameter (ActionSpace::Kind::factored).
#pragma once

#include "kernel/know/observers.h"
#include "kernel/program/params.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

inline constexpr std::size_t most_ranks = 32;  // values without a place of their own
inline constexpr std::size_t most_params = 16;
inline constexpr std::size_t most_summands = 4;  // of an option numbered by its id alone

// A set of values that a query can give, with a number for each.
class ValueNumbers {
 public:
  // False: there is no room for it, because it lies too far from the others.
  bool add(Value value);
  void add_all(const ValueNumbers& other);
  // -1: not one of them.
  int find(Value value) const {
    const Table& table = tables_[static_cast<std::size_t>(value.tag())];
    const std::int64_t at = value.payload() - table.low;
    return at >= 0 && at < static_cast<std::int64_t>(table.place.size())
               ? table.place[static_cast<std::size_t>(at)]
               : -1;
  }
  std::size_t size() const { return values_.size(); }
  Value at(std::size_t number) const { return values_[number]; }

 private:
  struct Table {
    std::int64_t low = 0;
    std::vector<std::int32_t> place;  // by payload from `low` on; -1: none
  };
  std::vector<Value> values_;
  std::array<Table, 8> tables_;
};

// What a query can give. `open`: other values too, which are known only while playing.
struct Domain {
  ValueNumbers values;
  bool open = false;
  bool players = false;  // its integers are players
};

class ActionNumbers {
 public:
  // `token_names` are those of the tokens that exist from the start, if no others ever come.
  ActionNumbers(const Program& program, std::vector<std::string> token_names, bool hides);

  ActionSpace space() const { return space_; }
  std::size_t steps() const { return steps_; }
  // The machine looks at the state whose options these are.
  // Options about tokens that `eyes`, the decider's, do not see go by their place. A row of `width`
  // numbers is written for each option: 1, or `steps()`, which tells all steps.
  void number(Machine& machine, const Eyes& eyes, const OptionList& options,
              std::span<std::uint32_t> out, std::size_t width = 1) const;
  // The same without looking at the state, where the options of an action decision are numbered by
  // their ids alone. False: they are not; what was written means nothing then.
  bool number_by_sums(const OptionList& options, std::span<std::uint32_t> out) const;
  std::string name(std::size_t index) const;
  std::optional<std::size_t> named(std::string_view name) const;

  const Domain& domain_of(std::size_t action, std::size_t param) const {
    return actions_[action].params[param];
  }
  // The choices of the rules by code address, and what can be chosen there.
  const std::map<int, Domain>& choices() const { return choices_; }

 private:
  enum Kind : std::uint8_t { zone, name_of_something, player, number_value, flag, token, kinds };
  // What a parameter whose values are all known adds to the number, by its code in the option's id.
  struct Summand {
    int bits = 0;
    std::uint64_t low = 0;               // the lowest code
    std::vector<std::uint32_t> by_code;  // from there on; no_action: not one of its values
  };
  struct Action {
    std::size_t base = 0, size = 1;
    std::vector<Domain> params;
    bool split = false;  // chosen in steps: `base`, then a block for each parameter
    // True: the number is `base` and a sum over the option's id, whatever else is offered.
    bool is_sum = false;
    std::vector<Summand> summands;
  };
  struct Block {
    std::size_t base = 0;
    ValueNumbers values;
  };
  class Ranks;
  // The numbers of one option after the other.
  struct Rows {
    std::span<std::uint32_t> all;
    std::size_t width = 1;
    std::uint32_t& operator[](std::size_t i) const { return all[i * width]; }
    std::span<std::uint32_t> row(std::size_t i) const { return all.subspan(i * width, width); }
  };
  static std::size_t room_of(const Domain& domain) {  // numbers
    return domain.values.size() + (domain.open ? most_ranks : 0);
  }
  static std::size_t size_in_steps(const Action& action);
  // Numbers the options from `first` on that are of the same action, which has `count` summands;
  // gives the first of another, or `first` if some value has no number of its own.
  template <std::size_t count>
  std::size_t number_run(std::span<const Option> options, std::size_t first,
                         std::span<std::uint32_t> out) const;
  bool split_large_ones(std::size_t others);
  std::string step_name(std::size_t action, std::size_t at) const;

  void find_summands(Action& action, const ActionInfo& info) const;
  void number_moves(Machine& machine, const Eyes& eyes, const OptionList& options, Rows out) const;
  void number_choices(Machine& machine, const Eyes& eyes, const OptionList& options,
                      Rows out) const;
  std::uint32_t place_of(Machine& machine, const Eyes& eyes, const Domain& domain,
                         Value value) const;
  std::string text_of(Value value) const;
  std::optional<std::size_t> match(const Action& action, std::size_t param,
                                   std::string_view rest) const;
  static Kind kind_of(const Domain& domain, Value value, int zones);
  void add_event_domains(Action& action) const;
  void add_card_domains(std::size_t index, Action& action) const;
  Value word(std::string_view text) const;
  Value card_value(const Machine& machine, Option option, std::size_t k) const;
  Value event_value(Option option, std::size_t k) const;

  const Program& p_;
  std::vector<std::string> tokens_;
  bool hides_;
  ActionSpace space_;
  std::size_t steps_ = 1;
  std::vector<Action> actions_;
  std::map<int, Domain> choices_;
  std::array<Block, kinds> blocks_;
  std::size_t ranks_ = 0, confirm_ = 0;  // first number of values without a place; confirming
  std::string choose_ = "choose";        // no action is called this
};

// What a query of the program can give, whatever the state. `tokens` exist; -1: any number.
Domain domain_of_query(const Program& program, NodeId node, int tokens);

}  // namespace parlor::kernel
