// Sums over a selection (T-29). "Any of thirty cards that together cost no more than there is gold"
// has a billion sets to try, but what a sum can still come to is known at once: an item after which
// every sum is too large is not worth trying, nor are the sets that contain it.
#include <set>

#include "kernel/link/linker.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// Reads the statements behind one chooseN for conditions that compare a sum over what it selects.
class BoundFinder {
 public:
  BoundFinder(const Program& program, int pc)
      : p_(program), pc_(pc), selected_{program.extra[at(program.code[at(pc)].d + 3)]} {}

  std::vector<SumBound> run(int end) {
    for (int pc = pc_ + 1; pc < end && follow(p_.code[at(pc)]); ++pc) {
    }
    return std::move(found_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  const Node& node(int n) const { return p_.nodes[at(n)]; }

  // False: what comes after this may see another state, or is not always run.
  bool follow(const Instr& i) {
    switch (i.op) {
      case Op::bind:
        made_.insert(i.a);
        if (node(i.b).op == Ex::slot && selected_.contains(node(i.b).a)) selected_.insert(i.a);
        names_[i.a] = i.b;
        return true;
      case Op::copy_slot:
        made_.insert(i.a);
        if (selected_.contains(i.b)) selected_.insert(i.a);
        return true;
      case Op::fail_unless:
        condition(i.a);
        return true;
      case Op::judge:
        if (i.b == 0) condition(i.a);
        return true;
      case Op::mark_events:
      case Op::drop_events:
        return true;
      default:
        return false;
    }
  }

  void condition(int n) {
    const Node& c = node(n);
    if (c.op == Ex::all_of)
      for (int i = 0; i < c.b; ++i) condition(p_.extra[at(c.a + i)]);
    if (c.op != Ex::less && c.op != Ex::less_equal && c.op != Ex::greater &&
        c.op != Ex::greater_equal && c.op != Ex::equal)
      return;
    SumBound bound;
    bound.relation = c.op;
    int sums = 0;
    if (linear(c.a, 1, bound, sums) && linear(c.b, -1, bound, sums) && sums == 1)
      found_.push_back(std::move(bound));
  }

  // Takes an expression apart into the sum and what is added to it.
  bool linear(int n, int sign, SumBound& out, int& sums) {
    const Node& e = node(n);
    if (e.op == Ex::add || e.op == Ex::subtract)
      return linear(e.a, sign, out, sums) && linear(e.b, e.op == Ex::add ? sign : -sign, out, sums);
    if (e.op == Ex::slot && !selected_.contains(e.a))
      if (const auto name = names_.find(e.a); name != names_.end())
        return linear(name->second, sign, out, sums);
    const bool sum = e.op == Ex::fold && e.x == 1;
    if ((sum || e.op == Ex::count) && goes_through_selection(e.a)) {
      out.sign = sign;
      out.item = sum ? e.b : -1;
      out.value = sum ? e.c : -1;
      ++sums;
      return !sum || independent(e.c, e.b);
    }
    out.rest.emplace_back(sign, n);
    return independent(n, -1);
  }

  bool goes_through_selection(int query) const {
    const Node& q = node(query);
    return q.op == Ex::q_list && node(q.a).op == Ex::slot && selected_.contains(node(q.a).a);
  }

  bool known(int slot, int item) const {
    return slot == item || (!selected_.contains(slot) && !made_.contains(slot));
  }

  // Nothing in it is known only once the selection is made.
  bool independent(int n, int item) const {
    const Node& e = node(n);
    switch (e.op) {
      case Ex::constant:
      case Ex::gvar:
      case Ex::clock:
      case Ex::active_player:
      case Ex::p_actor:
      case Ex::p_active:
      case Ex::p_left:
      case Ex::p_right:
      case Ex::p_id:
      case Ex::z_const:
        return true;
      case Ex::slot:
      case Ex::z_slot:
        return known(e.a, item);
      case Ex::pvar:
      case Ex::zvar:
      case Ex::z_owned:
        return independent(e.b, item);
      case Ex::p_slot:
      case Ex::z_value:
      case Ex::token_zone:
      case Ex::zone_count:
      case Ex::token_prop:
      case Ex::zone_attribute:
      case Ex::asset_field:
        return independent(e.a, item);
      case Ex::add:
      case Ex::subtract:
      case Ex::multiply:
      case Ex::divide:
      case Ex::floor_div:
      case Ex::ceil_div:
      case Ex::minimum:
      case Ex::maximum:
        return independent(e.a, item) && independent(e.b, item);
      default:
        return false;
    }
  }

  const Program& p_;
  int pc_;
  std::set<int> selected_;    // slots that hold the selection
  std::set<int> made_;        // slots that are bound after it
  std::map<int, int> names_;  // what they stand for
  std::vector<SumBound> found_;
};

}  // namespace

void Linker::find_sum_bounds() {
  for (const UnitInfo& unit : p_.units)
    for (int pc = unit.entry; pc < unit.end; ++pc)
      if (p_.code[static_cast<std::size_t>(pc)].op == Op::choose_n)
        if (auto bounds = BoundFinder(p_, pc).run(unit.end); !bounds.empty())
          p_.sum_bounds[pc] = std::move(bounds);
}

namespace {

// What the sum of a selection can come to when it is made larger by `least` to `most` of the items
// that are left.
struct Reach {
  std::int64_t low = 0, high = 0;
};

Reach reach(std::int64_t sum, std::vector<std::int64_t>& left, std::int64_t least,
            std::int64_t most) {
  std::sort(left.begin(), left.end());
  const auto size = static_cast<std::int64_t>(left.size());
  Reach out{sum, sum};
  for (std::int64_t k = 0; k < std::min(most, size); ++k) {
    const std::int64_t small = left[static_cast<std::size_t>(k)];
    const std::int64_t large = left[static_cast<std::size_t>(size - 1 - k)];
    if (k < least || small < 0) out.low += small;
    if (k < least || large > 0) out.high += large;
  }
  return out;
}

bool can_hold(Ex relation, std::int64_t low, std::int64_t high) {
  switch (relation) {
    case Ex::less:
      return low < 0;
    case Ex::less_equal:
      return low <= 0;
    case Ex::greater:
      return high > 0;
    case Ex::greater_equal:
      return high >= 0;
    default:
      return low <= 0 && high >= 0;
  }
}

}  // namespace

// What the items of the pending chooseN add to a sum, into weights_, and what is added to that.
// False: it cannot be computed now, and then nothing is said about it.
bool Machine::weigh(const SumBound& bound, Value options, std::int64_t& rest) {
  weights_.assign(list_size(options), 1);
  for (std::size_t k = 0; k < weights_.size() && bound.value >= 0; ++k) {
    slot(bound.item) = list_at(options, k);
    if (!integer(bound.value, weights_[k])) break;
  }
  if (bound.item >= 0) slot(bound.item) = {};
  rest = 0;
  for (const auto& [sign, node] : bound.rest) {
    std::int64_t term = 0;
    if (failed_ || !integer(node, term)) break;
    rest += sign * term;
  }
  const bool fine = !failed_;
  clear_fault();
  return fine;
}

// Leaves out of the answers to the pending chooseN those after which some sum can come to nothing
// good.
void Machine::drop_hopeless(OptionList& answers) {
  constexpr std::size_t most_items = 400;
  const auto found = p_->sum_bounds.find(frames_.back().pc);
  if (found == p_->sum_bounds.end()) return;
  const Selection now = selection();
  if (list_size(now.options) > most_items) return;
  const auto count = static_cast<std::int64_t>(list_size(now.selected));
  for (const SumBound& bound : found->second) {
    std::int64_t rest = 0, sum = 0;
    if (!weigh(bound, now.options, rest)) continue;
    for (std::size_t k = 0; k < list_size(now.selected); ++k)
      sum += weights_[static_cast<std::size_t>(list_at(now.selected, k).payload())];
    hopeful_.clear();
    for (const Option option : answers) {
      Reach range{sum, sum};
      if (!is_confirm(option)) {
        const auto index = static_cast<std::size_t>(option.id);
        left_.clear();
        for (std::size_t k = now.ordered ? 0 : index + 1; k < weights_.size(); ++k)
          if (k != index && !is_selected(k)) left_.push_back(weights_[k]);
        range = reach(sum + weights_[index], left_, now.min - count - 1, now.max - count - 1);
      }
      const std::int64_t low = rest + (bound.sign > 0 ? range.low : -range.high);
      const std::int64_t high = rest + (bound.sign > 0 ? range.high : -range.low);
      if (can_hold(bound.relation, low, high)) hopeful_.push_back(option);
    }
    answers.clear();
    for (const Option option : hopeful_) answers.add(option);
  }
}

}  // namespace parlor::kernel
