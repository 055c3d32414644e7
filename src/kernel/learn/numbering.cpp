// The numbers of the options of a state: asked for at every step by those who learn. Which numbers
// there are is said in actions.cpp.
#include <algorithm>
#include <array>

#include "kernel/kernel.h"
#include "kernel/learn/learning.h"

namespace parlor::kernel {
namespace {}  // namespace

// Options come action by action: what an action adds up is looked up once for a run of them.
template <std::size_t count>
std::size_t ActionNumbers::number_run(std::span<const Option> options, std::size_t first,
                                      std::span<std::uint32_t> out) const {
  struct Part {
    std::uint64_t low, mask, size;
    const std::uint32_t* by_code;
    int bits;
  };
  std::array<Part, std::max<std::size_t>(1, count)> parts{};
  const int index = action_of(options[first]);
  const Action& action = actions_[index];
  for (std::size_t k = 0; k < count; ++k) {
    const Summand& summand = action.summands[k];
    parts[k] = {summand.low, (std::uint64_t{1} << summand.bits) - 1, summand.by_code.size(),
                summand.by_code.data(), summand.bits};
  }
  std::size_t i = first;
  for (; i < options.size() && action_of(options[i]) == index; ++i) {
    std::uint64_t code = options[i].id >> action_bits;
    std::uint32_t number = action.base;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t at = (code & parts[k].mask) - parts[k].low;
      if (at >= parts[k].size || parts[k].by_code[at] == no_action) return first;
      number += parts[k].by_code[at];
      code >>= parts[k].bits;
    }
    out[i] = number;
  }
  return i;
}

bool ActionNumbers::number_by_sums(const OptionList& options, std::span<std::uint32_t> out) const {
  const std::span<const Option> all = options.all();
  for (std::size_t i = 0; i < all.size();) {
    const Action& action = actions_[action_of(all[i])];
    if (!action.is_sum) return false;
    const std::size_t first = i;
    switch (action.summands.size()) {
      case 0:
        i = number_run<0>(all, first, out);
        break;
      case 1:
        i = number_run<1>(all, first, out);
        break;
      case 2:
        i = number_run<2>(all, first, out);
        break;
      case 3:
        i = number_run<3>(all, first, out);
        break;
      default:
        static_assert(most_summands == 4);
        i = number_run<4>(all, first, out);
    }
    if (i == first) return false;
  }
  return true;
}

// The tuples of actions come in the order of nested loops, the last parameter fastest: the rank of
// a value is how many others came before it since a parameter before it changed.
class ActionNumbers::Ranks {
 public:
  Ranks(const ActionNumbers& numbers, const Eyes& eyes) : numbers_(numbers), eyes_(eyes) {}

  // Writes the number, or the steps, of an option; `row` holds no numbers yet.
  template <class ValueOf>
  void number(Machine& machine, std::size_t index, std::span<std::uint32_t> row, ValueOf value_of) {
    const Action& action = numbers_.actions_[index];
    bool changed = index != action_;
    action_ = index;
    std::size_t at = 0, block = action.base + 1;
    bool placed = !action.split || row.size() > action.params.size();
    for (std::size_t k = 0; k < action.params.size(); ++k) {
      const Domain& domain = action.params[k];
      const Value value = value_of(k);
      const bool differs = changed || value != last_[k];
      if (changed) rank_[k] = 0;
      last_[k] = value;
      const std::size_t values = domain.values.size();
      std::size_t place = numbers_.place_of(machine, eyes_, domain, value);
      if (place == no_action) {
        if (differs) ++rank_[k];
        place = values + rank_[k] - 1;
        placed = placed && domain.open && rank_[k] <= most_ranks;
      }
      if (!action.split) {
        at = at * room_of(domain) + place;
      } else if (k + 1 < row.size()) {
        row[k + 1] = block + place;
        block += room_of(domain);
      }
      changed |= differs;
    }
    if (placed)
      row[0] = action.base + at;
    else
      std::ranges::fill(row, no_action);
  }

 private:
  const ActionNumbers& numbers_;
  const Eyes& eyes_;
  std::size_t action_ = ~std::size_t{0};
  std::array<Value, most_params> last_{};
  std::array<std::size_t, most_params> rank_{};
};

std::uint32_t ActionNumbers::place_of(Machine& machine, const Eyes& eyes, const Domain& domain,
                                      Value value) const {
  const int place = domain.values.find(value);
  if (place < 0) return no_action;
  if (hides_ && value.is_token() && !eyes.see(machine.memory(), value.as_token())) return no_action;
  return place;
}

void ActionNumbers::number(Machine& machine, const Eyes& eyes, const OptionList& options,
                           std::span<std::uint32_t> all, std::size_t width) const {
  const DecisionKind kind = machine.header().decision;
  const Rows out{all, width};
  if (steps_ > 1) std::ranges::fill(all, no_action);
  if (space_.kind == ActionSpace::Kind::ordinal || kind == DecisionKind::chance) {
    for (std::size_t i = 0; i < options.size(); ++i)
      out[i] = i < ActionSpace::ordinal_options || kind == DecisionKind::chance ? i : no_action;
  } else if (kind == DecisionKind::action) {
    number_moves(machine, eyes, options, out);
  } else {
    number_choices(machine, eyes, options, out);
  }
}

void ActionNumbers::number_moves(Machine& machine, const Eyes& eyes, const OptionList& options,
                                 Rows out) const {
  if (out.width == 1 && number_by_sums(options, out.all)) return;
  Ranks ranks(*this, eyes);
  bool packed = true;
  for (std::size_t i = 0; i < options.size() && packed; ++i) {
    const int index = action_of(options[i]);
    const ActionInfo& info = p_.actions[index];
    const bool event = index == p_.flow.event_action;
    packed = info.packed || info.params.empty() || !info.pipelines.empty() || event;
    const std::size_t own = info.pipelines.empty() ? info.params.size() : 0;
    std::uint64_t code = options[i].id >> (action_bits + p_.variant_bits);
    ranks.number(machine, index, out.row(i), [&](std::size_t k) {
      if (k >= own) return card_value(machine, options[i], k - own);
      if (event) return event_value(options[i], k);
      const ParamInfo& param = info.params[k];
      const std::uint64_t own = code & ((std::uint64_t{1} << param.bits) - 1);
      code >>= param.bits;
      return decode(param, own);
    });
  }
  if (packed) return;
  // Parameters that are not part of the option's id are seen while the moves are listed again.
  Ranks again(*this, eyes);
  std::size_t next = 0;
  machine.each_move([&](Option option) {
    if (next >= options.size()) return false;
    if (options[next] != option) return true;  // another cancels it
    const int index = action_of(option);
    const ActionInfo& info = p_.actions[index];
    const bool event = index == p_.flow.event_action;
    const std::size_t own = info.pipelines.empty() ? info.params.size() : 0;
    again.number(machine, index, out.row(next++), [&](std::size_t k) {
      if (k >= own) return card_value(machine, option, k - own);
      if (event) return event_value(option, k);
      return machine.slot(info.params[k].slot);
    });
    return true;
  });
  std::ranges::fill(out.all.subspan(next * out.width), no_action);
}

void ActionNumbers::number_choices(Machine& machine, const Eyes& eyes, const OptionList& options,
                                   Rows out) const {
  const Domain& domain = choices_.at(machine.top().pc);
  std::size_t rank = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (machine.is_confirm(options[i])) {
      out[i] = confirm_;
      continue;
    }
    const Value value = machine.option_value(options[i]);
    if (place_of(machine, eyes, domain, value) != no_action) {
      const Block& block = blocks_[kind_of(domain, value, p_.zone_count)];
      out[i] = block.base + block.values.find(value);
    } else {
      const bool room = domain.open && rank < most_ranks;
      out[i] = room ? ranks_ + rank++ : no_action;
    }
  }
}

// ---- The game's side of it.

void KernelGame::action_indices(const StateBlock& block, const OptionList& options,
                                std::span<std::uint32_t> out) const {
  number_options(block, options, out, 1);
}

std::size_t KernelGame::action_steps() const {
  return learning().numbers.steps();
}

void KernelGame::action_paths(const StateBlock& block, const OptionList& options,
                              std::span<std::uint32_t> out) const {
  number_options(block, options, out, action_steps());
}

void KernelGame::number_options(const StateBlock& block, const OptionList& options,
                                std::span<std::uint32_t> out, std::size_t width) const {
  if (options.empty()) return;
  const ActionNumbers& numbers = learning().numbers;
  const bool at_once =
      width == 1 && !program_->simultaneous && block.as<Header>().decision == DecisionKind::action;
  if (at_once && numbers.number_by_sums(options, out)) return;
  Lease room(*program_), lease(*program_);
  lease.machine().attach(readable(at_hand(block, room.block())));
  const Eyes eyes(*program_, profiles_, Viewer::player(decision(block).player));
  numbers.number(lease.machine(), eyes, options, out, width);
}

}  // namespace parlor::kernel
