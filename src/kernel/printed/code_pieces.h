// Pieces of printed functions: the loops they share, and what they look up.
#pragma once

#include "kernel/printed/code.h"

namespace parlor::kernel {

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

// The tokens of a zone from the top. `zones` and `tokens` are offsets of records, `size` is that of
// a token. The work is taken elsewhere.
template <class Body>
int each_paid_token(PrintedView& v, std::size_t zones, std::size_t tokens, std::size_t size,
                    int zone, const Body& body) {
  // Read member by member, as they are written: processors wait where more is read than was just
  // written.
  int t = v.ref<ZoneRecord>(zones + place(zone) * sizeof(ZoneRecord)).head - 1;
  for (; t >= 0; t = v.ref<TokenRecord>(tokens + place(t) * size).next - 1)
    if (const int r = body(t); r != go_on) return r;
  return go_on;
}
template <class Body>
int each_token(PrintedView& v, std::size_t zones, std::size_t tokens, std::size_t size, int zone,
               const Body& body) {
  if (!v.spend(v.ref<ZoneRecord>(zones + place(zone) * sizeof(ZoneRecord)).count)) return trouble;
  return each_paid_token(v, zones, tokens, size, zone, body);
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
         v.ref<TokenRecord>(tokens + place(item.payload()) * size).zone >= 0;
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
