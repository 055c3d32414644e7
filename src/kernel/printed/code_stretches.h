// Stretches: what the machine that runs a unit carries out of it by printed code.
#pragma once

#include "kernel/printed/code_moves.h"

namespace parlor::kernel {

inline constexpr std::size_t most_list_values = 1 << 20;  // in the lists of one move
inline constexpr std::size_t most_stretch_items = 10'000;

// Statements of a unit, one after the other, in the slots and lists of the machine that runs it. So
// they may begin wherever the machine stands, and each is carried out as a whole or not at all:
// where one cannot be, or is not printed, the machine goes on with it.
struct Stretch {
  int pc = 0;     // where it begins, and where the machine goes on
  int steps = 0;  // of a settle: how often it has gone on already
  // Looking ahead: it ends where nothing that comes may refuse, and luck is the machine's; somebody
  // wants to know whether the end of a list is noticed.
  bool stops = false, foresees_nothing = false, watched = false;
  bool decides = false;  // it may go on to the next decision
  bool wrote = false;    // something in the state may be another than the machine thinks
  int stepped = go_on;   // what became of the last statement that the machine carried out
  std::vector<Value>* lists = nullptr;
};
// Before the machine looks at the state.
inline void tell_machine(PrintedView& v, Stretch& at) {
  if (at.wrote) v.calls->wrote(v);
  at.wrote = false;
}
// A list of the machine's with these items; false: there is no room for it.
inline bool add_list(PrintedView& v, std::vector<Value>& lists, const std::uint64_t* items,
                     std::size_t count, Value& list) {
  if (lists.size() + 1 + count > most_list_values || !v.spend(static_cast<std::int64_t>(1 + count)))
    return false;
  list = Value::list(static_cast<std::int64_t>(lists.size()));
  lists.push_back(Value{count});
  for (std::size_t k = 0; k < count; ++k) lists.push_back(Value{items[k]});
  return true;
}
// How many items are in a list; what is none has none.
inline std::size_t listed(PrintedView& v, const std::vector<Value>& lists, Value list) {
  if (!list.is_list()) return 0;
  if (list.payload() >= constant_list) return v.calls->list(v, list).size;
  const auto at = static_cast<std::size_t>(list.payload());
  return at < lists.size() ? lists[at].bits : 0;
}
// The first item of a loop's cursor that is still to come; false: it is not there.
inline bool next_listed(PrintedView& v, const std::vector<Value>& lists, const Value* cursor,
                        Value& item) {
  const Value list = cursor[0];
  const std::size_t index = place(cursor[1].payload());
  if (index >= listed(v, lists, list)) return false;
  if (list.payload() < constant_list) {
    item = lists[static_cast<std::size_t>(list.payload()) + 1 + index];
    return true;
  }
  const PrintedList constant = v.calls->list(v, list);
  item = (*constant.in)[constant.first + index];
  return true;
}

// Tokens are moved at many places of few moves: what that takes is compiled once.
template <class Shape>
[[gnu::noinline]] void make_token_by_call(PrintedView& v, int type, int z,
                                          const std::int32_t* own) {
  make_token<Shape>(v, type, z, own);
}
template <class Shape>
[[gnu::noinline]] void move_token_by_call(PrintedView& v, int token, int z, bool top, Going going) {
  move_token<Shape>(v, token, z, top, going);
}
template <class Shape>
[[gnu::noinline]] void place_before_by_call(PrintedView& v, TokenId t, int z, TokenId before,
                                            Going going) {
  place_before<Shape>(v, t, z, before, going);
}
template <class Shape>
[[gnu::noinline]] void drop_token_by_call(PrintedView& v, int token, Going going) {
  drop_token<Shape>(v, token, going);
}

}  // namespace parlor::kernel
