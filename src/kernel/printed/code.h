// What a Program printed as C++ (print.h) is made of: how its functions see a state, what they ask
// the machine for, and the loops they share. It needs nothing but the records of a state, so that
// printed code compiles in a moment.
//
// A printed function answers one expression of the Program and changes nothing, or it makes a whole
// move. Where it meets anything out of the ordinary (a binding without a value, a property that is
// missing, a number too large, no work left) it gives up (`trouble`); the machine then evaluates
// the expression as it was written, or puts the state back and makes the move, which says what is
// wrong. So faults, and what is left behind by them, are the interpreter's alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/state_block.h"
#include "kernel/program/spread.h"
#include "kernel/program/value.h"
#include "kernel/state/follows.h"
#include "kernel/state/reads.h"
#include "kernel/state/records.h"
#include "kernel/state/writes.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// Changes whenever something below does that compiled code and machine must agree about.
inline constexpr std::uint32_t printed_interface = 11;

// What functions and the bodies of loops answer. A condition: no or yes.
inline constexpr int no = 0, yes = 1;
inline constexpr int go_on = 0, stop = 1;
inline constexpr int trouble = 2;
// A move: the next decision is reached; a unit that is called: it has come to its end. Or the
// machine goes on at PrintedView::left.
inline constexpr int done = 0, left_off = 1;
// A trial whose answers are kept: what comes last is asked elsewhere (TrialPlan::tail).
inline constexpr int to_tail = 3;

struct PrintedView;

// A list: items lie one after the other in a vector that may move when lists are made meanwhile.
struct PrintedList {
  const std::vector<Value>* in = nullptr;  // null: this is no list
  std::size_t first = 0, size = 0;
};

// What printed code asks the machine for: expressions it leaves to the interpreter, by their nodes.
struct PrintedCalls {
  int (*test)(PrintedView&, int node);
  Value (*value)(PrintedView&, int node);  // none: trouble
  int (*player)(PrintedView&, int node);   // -1: trouble
  int (*zone)(PrintedView&, int node);     // -1: trouble
  int (*filter)(PrintedView&, int node, int token);
  bool (*set)(PrintedView&, int node, std::uint64_t* words);
  // `body` for each result of a query until it says something else than go_on.
  int (*each)(PrintedView&, int node, int (*body)(void*, Value), void* self);
  PrintedList (*list)(PrintedView&, Value list);
};

// Where compiled code leaves off: the frames the machine goes on with, the innermost first, each
// with its slots behind those of the one before.
struct LeftFrame {
  int unit, pc, acting;
  int steps;  // of a settle: how often it has gone on already
  std::size_t slots;
};
struct PrintedLeft {
  static constexpr std::size_t most_frames = 32, most_slots = 2048;
  LeftFrame frames[most_frames];
  std::uint64_t slots[most_slots];
  std::size_t count = 0, used = 0;

  // The slots of one more frame, all empty; null: there is no room for it.
  Value* add(int unit, int pc, int acting, int steps, std::size_t size) {
    if (count == most_frames || used + size > most_slots) return nullptr;
    frames[count++] = {unit, pc, acting, steps, used};
    auto* const first = reinterpret_cast<Value*>(slots + used);
    for (std::size_t k = 0; k < size; ++k) first[k] = Value{};
    used += size;
    return first;
  }
};

// What moves that may leave off, and whoever tries moves out, need of the machine.
struct PrintedHelp {
  PrintedLeft* left = nullptr;
  // The machine carries out the statements of a unit from one address to another, with the slots of
  // the view. False: it failed, or did not get there.
  bool (*step)(PrintedView&, int unit, int pc, int end, int acting) = nullptr;
  const void* program = nullptr;
  // Copies of a state; what is left of the work of trials; whether somebody wants to hear of
  // options that lead nowhere.
  StateBlock* (*copy)(const StateBlock&) = nullptr;
  void (*forget)(StateBlock* copied) = nullptr;
  std::int64_t tries = 0;
  bool remarks = false;
  // Of trials whose answers are kept: what they look into; whether another token than the last one
  // became another.
  const Reads* reads = nullptr;
  bool moved = false;
  // Whether an option of this action can be carried through, by an answer that is kept or a trial.
  int (*kept)(PrintedView&, int action, std::uint64_t option) = nullptr;
  // The same of all options of an action whose only parameter is a zone: the others are taken out
  // of the set. False: it is not known of each.
  bool (*kept_zones)(PrintedView&, int action, std::uint64_t* zones) = nullptr;
  std::uint64_t listing = 0;     // while it is the same, so is the state
  int unit = 0, slot_count = 0;  // where the machine is asked: whose slots
  // Of triggers that set each other off; the phase or action that the last one hears of.
  int trigger_depth = 0, event = 0;
  // The machine lists the options of one action. False: the list is not for compiled code.
  bool (*list)(PrintedView&, int action, void* list) = nullptr;
  // Whether an action has one; trouble: the machine has more to say about it.
  int (*can)(PrintedView&, int action) = nullptr;
  // Whether an option of an action can be carried through by this pipeline.
  int (*completes)(PrintedView&, int action, std::uint64_t option, int pipeline) = nullptr;
};

// A state as printed code sees it.
struct PrintedView {
  std::byte* base = nullptr;
  Value* slots = nullptr;
  std::int64_t* work = nullptr;  // what is left of it
  const PrintedCalls* calls = nullptr;
  void* machine = nullptr;
  int active = 0, actor = 0;
  // Only of moves, which have no machine: the state, multipliers of its hash, where the machine
  // goes on, and how many units are called one inside the other.
  StateBlock* block = nullptr;
  const std::uint64_t *var_keys = nullptr, *token_keys = nullptr;
  std::size_t token_key_count = 0;
  int depth = 0;
  Mixed* mixed = nullptr;  // of the whole move
  PrintedHelp* help = nullptr;

  template <class T>
  T at(std::size_t offset) const {
    T out;
    std::memcpy(&out, base + offset, sizeof out);
    return out;
  }
  // The same, to write to.
  template <class T>
  T& ref(std::size_t offset) const {
    return *reinterpret_cast<T*>(base + offset);
  }
  // Whether a zone is in the set that lies there.
  bool has(std::size_t set, int zone) const {
    const auto z = static_cast<std::size_t>(zone);
    return (at<std::uint64_t>(set + z / 64 * 8) >> (z % 64) & 1) != 0;
  }
  // False: there is not as much work left.
  bool spend(std::int64_t amount) { return (*work -= amount) >= 0; }
};

// ---- The functions of a Program
using PrintedTruth = int (*)(PrintedView&);
using PrintedValue = int (*)(PrintedView&, Value& out);
// Who gets the results of a query; false: no more are wanted.
struct PrintedVisit {
  bool (*call)(void*, Value);
  void* self;
  bool operator()(Value item) const { return call(self, item); }
};
using PrintedQuery = int (*)(PrintedView&, PrintedVisit);

// A move, by the option that begins it. Slots are written where the machine goes on.
using PrintedMove = int (*)(PrintedView&, std::uint64_t option);

// Whether a move can be carried through, tried on a copy of the state: yes or no. It begins with
// the option, or goes on where a choice (its code address) was answered.
using PrintedTrial = int (*)(PrintedView&, std::uint64_t option, int answered, Value answer);

// All options of an action selection in a phase, in order.
struct PrintedOptions {
  std::uint64_t *next = nullptr, *end = nullptr;  // room at the end of the list
  void* list = nullptr;
  void (*more)(PrintedOptions&, std::size_t count) = nullptr;  // at least so much room
  void (*close)(PrintedOptions&) = nullptr;                    // no room: the list ends at `next`
  std::size_t left = 0;  // how many there may be, besides whole sets of zones

  bool add(std::uint64_t id) {
    if (left == 0) return false;
    --left;
    make_room(1);
    *next++ = id;
    return true;
  }
  template <int W>
  void add_zones(const Zones<W>& set, std::uint64_t id, int shift, std::int64_t base) {
    make_room(64 * W);
    next = write_zones(next, set, id, shift, base);
  }
  template <int W, std::size_t count>
  void add_ways(const Zones<W> (&may)[count], const std::uint64_t (&ids)[count], int shift) {
    make_room(64 * W * count + 1);
    next = write_ways(next, may, ids, count, shift);
  }
  void make_room(std::size_t count) {
    if (static_cast<std::size_t>(end - next) < count) [[unlikely]]
      more(*this, count);
  }
};
using PrintedListing = int (*)(PrintedView&, PrintedOptions&);

// evaluateSubset: all subsets of `size` of the items, and the first of those with the highest
// score, by the numbers of its items.
inline constexpr std::size_t most_subset_items = 64;
struct PrintedBest {
  std::int64_t score = 0;
  std::size_t items[most_subset_items];
};
using PrintedSubsets = int (*)(PrintedView&, const Value* items, std::size_t count,
                               std::size_t size, PrintedBest& best);

struct PrintedFunction {
  // Of subsets the instruction subset_next, of items the one that begins a loop or lets choose, of
  // moves the action, of trials its unit, of listings the phase, of all others the node.
  int at = -1;
  PrintedTruth truth = nullptr;  // one of the eight
  PrintedValue value = nullptr;
  PrintedQuery query = nullptr;
  PrintedSubsets subsets = nullptr;
  PrintedMove move = nullptr;
  PrintedListing listing = nullptr;
  PrintedTrial trial = nullptr;
  PrintedQuery items = nullptr;
  bool late = false;    // of a move: it may give up, or leave off, once it has written something
  bool helped = false;  // of a move or a list: it needs what PrintedHelp has
  // Bindings it makes in slots; they are empty whenever it does not run.
  const std::int16_t* binds = nullptr;
  int bind_count = 0;
};

struct PrintedCode {
  std::uint32_t interface = printed_interface;
  std::uint64_t print = 0;  // of the source without what depends on this number
  const PrintedFunction* functions = nullptr;
  std::size_t count = 0;
};

// ---- Pieces of printed functions

// A cell of text as a value.
inline Value word_of(std::int32_t cell) {
  if (cell >= first_text_cell) return Value::make(Tag::text, kept_text + cell - first_text_cell);
  return cell >= 0 ? Value::symbol(cell) : Value::token(TokenId(-cell - 1));
}

// One with an owner binds only the owner, one aimed at a player only that player.
inline bool binds_player(const EffectRecord& effect, int player) {
  return (effect.owner < 0 || effect.owner == player) &&
         (!effect.target.is_int() || effect.target.payload() == player);
}

// Numbers of zones, tokens and variables are small.
inline std::size_t place(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// The tokens of a zone from the top. `records` and `tokens` are offsets, `size` is that of a token.
template <class Body>
int each_token(PrintedView& v, std::size_t zones, std::size_t tokens, std::size_t size, int zone,
               const Body& body) {
  const auto record = v.at<ZoneRecord>(zones + place(zone) * sizeof(ZoneRecord));
  if (!v.spend(record.count)) return trouble;
  for (int t = record.head - 1; t >= 0; t = v.at<TokenRecord>(tokens + place(t) * size).next - 1)
    if (const int r = body(t); r != go_on) return r;
  return go_on;
}

template <class Body>
int each_of(PrintedView& v, int node, const Body& body) {
  return v.calls->each(
      v, node, [](void* self, Value item) { return (*static_cast<const Body*>(self))(item); },
      const_cast<Body*>(&body));
}

template <class Body>
int each_item(PrintedView& v, Value list, const Body& body) {
  const PrintedList items = v.calls->list(v, list);
  if (items.in == nullptr || !v.spend(static_cast<std::int64_t>(items.size))) return trouble;
  for (std::size_t i = 0; i < items.size; ++i)
    if (const int r = body((*items.in)[items.first + i]); r != go_on) return r;
  return go_on;
}

// Whether this is a token in play. `tokens` is the offset of their records, `size` that of one.
inline bool in_play(const PrintedView& v, Value item, std::size_t count, std::size_t tokens,
                    std::size_t size) {
  return item.is_token() && place(item.payload()) < count &&
         v.at<TokenRecord>(tokens + place(item.payload()) * size).zone >= 0;
}

// The body gets each subset, whether it is the last one, and gives its score. `work` is what the
// interpreter counts for one.
template <class Item, class Body>
int each_subset(PrintedView& v, const Item* items, std::size_t count, std::size_t size,
                std::int64_t work, PrintedBest& best, const Body& body) {
  std::size_t at[most_subset_items];
  Item subset[most_subset_items];
  for (std::size_t k = 0; k < size; ++k) subset[k] = items[at[k] = k];
  for (bool first = true;; first = false) {
    std::size_t turn = size;  // the first item that is another one in the next subset, plus one
    while (turn > 0 && at[turn - 1] == count - size + turn - 1) --turn;
    std::int64_t score = 0;
    if (!v.spend(work) || body(subset, turn == 0, score) != go_on) return trouble;
    if (first || score > best.score) {
      best.score = score;
      for (std::size_t k = 0; k < size; ++k) best.items[k] = at[k];
    }
    if (turn == 0) return go_on;
    subset[turn - 1] = items[++at[turn - 1]];
    for (; turn < size; ++turn) subset[turn] = items[at[turn] = at[turn - 1] + 1];
  }
}

// From `low` to `high`, which is always among them.
template <class Body>
int each_number(PrintedView& v, std::int64_t low, std::int64_t high, std::int64_t step,
                const Body& body) {
  if (step <= 0 || low > high) return go_on;
  if ((high - low) / step >= 100'000) return trouble;
  for (std::int64_t n = low; n <= high; n += step) {
    if (!v.spend(1)) return trouble;
    if (const int r = body(n); r != go_on) return r;
  }
  return (high - low) % step == 0 ? go_on : body(high);
}

// A few numbers of a range (program/spread.h): the required ones, of which there are so many with
// both ends, lie in an array with room for the others.
inline constexpr std::size_t most_spread = 64;
template <class Body>
int each_spread(PrintedView& v, const Spread& range, std::int64_t* numbers, std::size_t count,
                const Body& body) {
  if (range.step <= 0 || range.min > range.max || range.most < 1 ||
      (range.most < 2 && range.min < range.max))
    return go_on;
  const std::int64_t steps = (range.max - range.min) / range.step;
  if (steps > 10'000 || range.most + 8 > static_cast<std::int64_t>(most_spread) || !v.spend(steps))
    return trouble;
  std::size_t required = 0;
  for (std::size_t k = 0; k < count; ++k)
    if (numbers[k] >= range.min && numbers[k] <= range.max) numbers[required++] = numbers[k];
  required = require_numbers(numbers, required);
  const std::size_t found =
      spread_numbers(range, numbers, required, optional_numbers(range, numbers, required));
  for (std::size_t k = 0; k < found; ++k)
    if (const int r = body(numbers[k]); r != go_on) return r;
  return go_on;
}

template <class Item, class Body>
int each_listed(const Item* items, std::size_t count, const Body& body) {
  for (std::size_t i = 0; i < count; ++i)
    if (const int r = body(items[i]); r != go_on) return r;
  return go_on;
}

// The same of a few: their number is known, and so the loop is written out.
template <std::size_t count, class Item, class Body>
[[gnu::always_inline]] inline int each_of_few(const Item* items, const Body& body) {
  int r = go_on;
  [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
    (((r = body(items[k])) == go_on) && ...);
  }
  (std::make_index_sequence<count>{});
  return r;
}

template <class Body>
int each_index(int count, const Body& body) {
  for (int i = 0; i < count; ++i)
    if (const int r = body(i); r != go_on) return r;
  return go_on;
}

// The zones of a set, in order.
template <int W, class Body>
int each_bit(const Zones<W>& set, const Body& body) {
  int r = go_on;
  set.each([&](int z) { return (r = body(z)) == go_on; });
  return r;
}

// Whether a row of so many zones goes through one: `ways` are directions and their opposites (-1:
// none) in the columns of `steps`, `holds` says yes or no of a zone. Circles end where they began,
// or after as many steps as there are zones.
template <class Holds>
int line_through(const std::int16_t* steps, std::size_t directions, const std::int16_t (*ways)[2],
                 std::size_t count, int start, std::int64_t length, int zones, const Holds& holds) {
  if (length <= 0) return no;
  if (const int first = holds(start); first != yes) return first;
  for (std::size_t k = 0; k < count; ++k) {
    std::int64_t run = 1;
    for (const int way : ways[k]) {
      if (way < 0) continue;
      const auto next = [&](int z) { return steps[place(z) * directions + place(way)]; };
      int left = zones;
      for (int z = next(start); z >= 0 && z != start && left-- > 0; z = next(z)) {
        const int answer = holds(z);
        if (answer == trouble) return trouble;
        if (answer == no) break;
        ++run;
      }
    }
    if (run >= length) return yes;
  }
  return no;
}

// The zones a walk comes to that goes only through some, ring by ring: those it goes through and,
// `outside`, those it stops at. `beside` are sets, one for each zone; `most`: rings at most, or -1;
// `reads`, if there is one, hears of all that were looked at.
template <int W, class Body>
int each_connected(PrintedView& v, const std::uint64_t* beside, int start, const Zones<W>& through,
                   std::int64_t most, bool with_start, bool outside, const Reads* reads,
                   const Body& body) {
  std::int16_t queue[64 * W];
  std::size_t size = 0, ring_end = 1;
  Zones<W> seen = Zones<W>::all(false);
  seen.put(start);
  queue[size++] = static_cast<std::int16_t>(start);
  int r = with_start ? body(start) : go_on;
  for (std::size_t i = 0; r == go_on && i < size; ++i) {
    if (i == ring_end) {
      ring_end = size;
      --most;
    }
    if (most == 0) break;
    const Zones<W> around = Zones<W>::load(beside + place(queue[i]) * W);
    if (!v.spend(around.count())) return trouble;
    if (reads != nullptr) reads->note_zones(around & ~seen);
    const Zones<W> next = around & ~seen & (outside ? Zones<W>::all(true) : through);
    seen = seen | next;
    next.each([&](int z) {
      if (through.has(z)) queue[size++] = static_cast<std::int16_t>(z);
      return (r = body(z)) == go_on;
    });
  }
  return r;
}

// What has this key in a table that is ordered by keys.
struct Keyed {
  std::uint64_t key;
  int item;
};
template <class Body>
int each_keyed(const Keyed* table, std::size_t count, std::uint64_t key, const Body& body) {
  std::size_t first = 0;
  while (count > 0) {
    const std::size_t half = count / 2;
    if (table[first + half].key < key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  for (const Keyed* at = table + first; at->key == key; ++at)  // the last key is like no other
    if (const int r = body(at->item); r != go_on) return r;
  return go_on;
}

// A unit with more slots is not printed, nor are units called one inside the other so often.
inline constexpr int most_move_slots = 256, most_calls = 30;

// What a loop of statements goes through: found before its first round.
inline constexpr std::size_t most_loop_items = 128;
template <class Item>
struct LoopItems {
  std::conditional_t<std::is_same_v<Item, Value>, std::uint64_t, Item> items[most_loop_items];
  std::size_t size = 0, next = 0;
  bool add(Item item) {
    if (size == most_loop_items) return false;
    if constexpr (std::is_same_v<Item, Value>)
      items[size++] = item.bits;
    else
      items[size++] = item;
    return true;
  }
  Item at(std::size_t index) const { return Item{items[index]}; }
  bool has(Item item) const {
    for (std::size_t k = 0; k < size; ++k)
      if (at(k) == item) return true;
    return false;
  }

  LoopItems() {}  // what is not there yet is not set either, as it would be by default
  LoopItems(const LoopItems& other) : size(other.size), next(other.next) {
    std::memcpy(items, other.items, size * sizeof items[0]);
  }
  LoopItems& operator=(const LoopItems&) = delete;
};

// The machine lists the options of one action.
inline bool list_by_machine(PrintedView& v, PrintedOptions& options, int action) {
  options.close(options);
  return v.help->list(v, action, options.list);
}

struct CopiedState {
  PrintedView& v;
  StateBlock* state;
  ~CopiedState() {
    if (state != nullptr) v.help->forget(state);
  }
};

// Whether an option can be carried through, tried on a copy.
inline int try_out(PrintedView& v, PrintedTrial trial, std::uint64_t option) {
  const CopiedState scratch{v, v.help->copy(*v.block)};
  PrintedView own = v;
  own.block = scratch.state;
  own.base = scratch.state->data();
  own.work = &v.help->tries;
  return trial(own, option, -1, Value{});
}

// A choice in a trial: whether one of its answers leads on. `find` finds so many of them, and
// `body` goes on with one, in locals of its own. Most choices lead on with their first answer, so
// the others are found only where it does not.
template <class Locals, class Item, class Find, class Body>
int each_way(PrintedView& v, const Locals& locals, LoopItems<Item>& answers, const Find& find,
             const Body& body) {
  if (find(1) == trouble) return trouble;
  if (answers.size == 0) return no;
  const CopiedState kept{v, v.help->copy(*v.block)};
  for (std::size_t k = 0; k < answers.size; ++k) {
    Locals own = locals;
    if (const int r = body(own, answers.at(k)); r != no) return r;
    *v.block = *kept.state;
    v.base = v.block->data();
    if (k == 0 && find(most_loop_items + 1) == trouble) return trouble;
  }
  return no;
}

// So many steps in one direction; -1: off the board. After more steps than there are zones it goes
// round in a circle: only the rest of them counts.
inline int walk_steps(const std::int16_t* steps, std::size_t directions, int z,
                      std::size_t direction, std::int64_t count, int zones) {
  const auto next = [&](int at) { return steps[place(at) * directions + direction]; };
  const auto walk = [&](std::int64_t left) {
    for (; left > 0 && z >= 0; --left) z = next(z);
  };
  if (count > zones) {
    walk(zones);
    if (z < 0) return z;
    std::int64_t round = 1;
    for (int at = next(z); at != z; at = next(at)) ++round;
    count = (count - zones) % round;
  }
  walk(count);
  return z;
}

// A ray from a zone in one direction, which has so many columns in `steps`; the body says whether
// it goes on.
template <class Body>
int each_on_ray(const std::int16_t* steps, std::size_t directions, int start, std::size_t direction,
                std::int64_t most, const Body& body) {
  int z = start;
  for (std::int64_t count = 0; count < most; ++count) {
    z = steps[place(z) * directions + direction];
    if (z < 0 || z == start) return go_on;
    bool further = true;
    if (const int r = body(z, further); r != go_on) return r;
    if (!further) return go_on;
  }
  return go_on;
}

}  // namespace parlor::kernel
