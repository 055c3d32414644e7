// Zone sets as conditions, queries and options ask for them (set_plan.h).
#include "kernel/run/set_plan.h"

namespace parlor::kernel {

// Apart, so that small boards do not save registers that only large ones need.
template <class F>
[[gnu::noinline]] auto Evaluator::with_more_words(F& f) {
  return p_->words == 2   ? f(SetPlan<2>(*this))
         : p_->words == 4 ? f(SetPlan<4>(*this))
                          : f(SetPlan<8>(*this));
}
template <class F>
auto Evaluator::with_width(F&& f) {
  return p_->words == 1 ? f(SetPlan<1>(*this)) : with_more_words(f);
}

Truth Evaluator::any_bit(NodeId node) {
  const bool any = with_width([&](auto plan) { return plan.any(node); });
  return failed_ ? Truth::fault : any ? Truth::yes : Truth::no;
}

Value Evaluator::count_bits(NodeId node) {
  const std::int64_t count = with_width([&](auto plan) { return plan.of(node).count(); });
  return failed_ ? Value{} : Value::integer(count);
}

Truth Evaluator::any_connected(const Node& n) {
  const ZoneId start = zone(n.a);
  if (start.is_none()) return Truth::fault;
  const bool found = with_width([&](auto plan) { return plan.reaches(n, start); });
  return failed_ ? Truth::fault : found ? Truth::yes : Truth::no;
}

bool Evaluator::query_bits(NodeId node, Visit visit) {
  return with_width([&](auto plan) {
    if (reads_ != nullptr) [[unlikely]]
      plan.note_set(node);
    if (const Node& n = p_->nodes[node]; n.op == Ex::b_scan && n.x == 1)
      return plan.each_scanned(n, [&](ZoneId z) { return visit(Value::zone(z)); });
    const auto set = plan.of(node);
    return !failed_ && set.each([&](ZoneId z) { return visit(Value::zone(z)); });
  });
}

// A list of the first result, or of none. Where zones are asked one by one, those behind it are
// not.
Value Statements::first_result(NodeId node) {
  Value first;
  std::size_t found = 0;
  auto take = [&](Value v) {
    first = v;
    found = 1;
    return false;
  };
  const Node& n = p_->nodes[node];
  if (n.op == Ex::q_bits && p_->nodes[n.a].op == Ex::b_scan) {
    if (!spend(1, n.place)) return {};
    with_width([&](auto plan) {
      return plan.each_scanned(p_->nodes[n.a], [&](ZoneId z) { return take(Value::zone(z)); });
    });
  } else {
    each(node, take);
  }
  return failed_ ? Value{} : make_list({&first, found});
}

Truth Evaluator::line_bits(const Node& n) {
  const bool found = with_width([&](auto plan) { return plan.line(n); });
  return failed_ ? Truth::fault : found ? Truth::yes : Truth::no;
}

void Evaluator::list_bits(NodeId node, std::uint64_t id, int shift, std::int64_t base,
                          OptionList& out) {
  with_width([&](auto plan) {
    const auto set = plan.of(node);
    if (failed_) return false;
    const std::size_t before = out.size();
    std::uint64_t* const first = &out.grow(std::size(set.w) * 64).data()->id;
    out.shrink(before + (write_zones(first, set, id, shift, base) - first));
    return true;
  });
}

// The ways one zone may go.
bool Evaluator::query_ways(const Node& n, Visit visit) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return false;
  const Operand* e = &p_->extra[n.b];
  for (int i = 0; i < n.c; ++i) {
    std::uint64_t words[most_words];
    if (!zone_bits(e[2 * i + 1], words)) return false;
    if (!has_zone(words, z)) continue;
    if (!visit(Value::symbol(p_->direction_symbols[e[2 * i]]))) return false;
  }
  return true;
}

// One zone asked of a set: features are looked up, anything else is computed.
Truth Evaluator::zone_in(const Node& n) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return Truth::fault;
  const Node& set = p_->nodes[n.b];
  int feature = set.op == Ex::b_feature  ? set.a.value
                : set.op == Ex::b_player ? player_feature(set.a, set.b)
                                         : -1;
  if (set.op == Ex::b_family) {
    const Value v = value(set.b);
    if (failed_) return Truth::fault;
    const Operand* e = &p_->extra[set.a];
    const std::int32_t cell = Memory::encode_cell(CellType{e[0]}, v);
    for (int i = 0; i < e[1] && feature < 0; ++i)
      if (e[2 + 2 * i] == cell) feature = e[3 + 2 * i];
    // A value nobody keeps a set of: only what lies in this zone matters.
    if (feature < 0) {
      bool found = false;
      all_tokens(z, set.c, [&](Value) { return !(found = true); });
      return failed_ ? Truth::fault : found ? Truth::yes : Truth::no;
    }
  }
  std::uint64_t words[most_words];
  const std::uint64_t* from = words;
  if (feature >= 0)
    from = memory_.feature(feature);
  else if (!zone_bits(n.b, words))
    return Truth::fault;
  const bool in = has_zone(from, z);
  if (reads_ != nullptr) [[unlikely]]
    with_width([&](auto plan) { return plan.note_member(n.b, z, in), true; });
  return in ? Truth::yes : Truth::no;
}

// A zone and a way: for each way the zones that may go it, computed once for all zones.
bool Evaluator::list_ways(const ActionInfo& action, std::uint64_t id, int shift, OptionList* out) {
  return with_width([&](auto plan) {
    const auto from = plan.of(action.ways_from);
    if (failed_ || !from.any()) return false;
    using Set = decltype(plan.of(NodeId()));
    Set may[16];
    std::uint64_t ids[16];
    std::size_t count = 0;
    const int second = shift + action.params[0].bits;
    for (const auto& [way, set] : action.ways) {
      may[count] = from & plan.of(set);
      if (!may[count].any()) continue;
      if (out == nullptr) return !failed_;
      ids[count++] = id | static_cast<std::uint64_t>(way) << second;
    }
    if (failed_ || count == 0) return false;
    const std::size_t before = out->size();
    // One more than there can be: what is written last may not count.
    std::uint64_t* const first = &out->grow(count * 64 * std::size(from.w) + 1).data()->id;
    out->shrink(before + (write_ways(first, may, ids, count, shift) - first));
    return true;
  });
}

bool Evaluator::find_instant(NodeId node) {
  return with_width([&](auto plan) {
    const auto set = plan.of(node);
    if (failed_ || !set.any()) return false;
    std::copy_n(set.w, std::min(std::size(set.w), instant_words), header().instant);
    return true;
  });
}

bool Evaluator::zone_bits(NodeId node, std::uint64_t* out) {
  return with_width([&](auto plan) {
    const auto set = plan.of(node);
    std::copy(std::begin(set.w), std::end(set.w), out);
    return !failed_;
  });
}

}  // namespace parlor::kernel
