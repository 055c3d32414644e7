// How tokens come, go and change, and variables are set, so that lists of zones, zone sets and the
// incremental hash stay right. Memory and printed code run these same lines; what they know of the
// game comes from `Shape`: Memory looks it up in the Program, printed code has it as constants.
//
//   hash(), tokens()            of the header, by reference
//   zone(z), token(t)           records, by reference
//   columns()                   cells of a token, which lie behind its record
//   key(t, part)                multiplier of the hash: 0 its place, 1 its type, from 2 its cells
//   has_features()              whether there are zone sets that tokens are in
//   each_feature(t, f)          f(words) for the sets of the zones where a token like this lies
//   every_feature(f)            the same for all sets
//   keeps_more()                than these sets: then
//   count(t, z, sign), note(t, z), refresh(z)   sums, and what zones may hold
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "kernel/program/value.h"
#include "kernel/state/records.h"

namespace parlor::kernel {

// A multiplier of the hash of tokens: those of the first ones are in a table.
inline std::uint64_t token_key(const std::uint64_t* table, std::size_t size, std::size_t index) {
  return index < size ? table[index] : (mix(index + 0x51ed2701) | 1);
}
inline std::uint64_t placement_of(const TokenRecord& record) {
  return (static_cast<std::uint64_t>(record.zone + 1) << 16) + record.next;
}
inline std::uint64_t cell_term(std::int32_t cell) {
  // Missing is 0 in the hash, so that a new token starts with nothing to add.
  return cell == missing_cell ? 0 : static_cast<std::uint64_t>(cell) + 0x100000001u;
}
// The cell for a word or a token; missing_cell: neither is one, or only the machine finds it.
inline std::int32_t cell_of_word(Value value) {
  const std::int64_t n = value.payload();
  if (value.is_symbol()) return static_cast<std::int32_t>(n);
  if (value.tag() == Tag::text && n >= kept_text)
    return static_cast<std::int32_t>(n - kept_text) + first_text_cell;
  return value.is_token() ? static_cast<std::int32_t>(-n - 1) : missing_cell;
}
inline std::int32_t cell_of_number(std::int64_t n) {
  return n > INT32_MIN && n <= INT32_MAX ? static_cast<std::int32_t>(n) : missing_cell;
}
// Links of records: the number of a token + 1, 0 for none.
inline TokenId linked(std::uint16_t link) {
  return TokenId(link - 1);
}
inline std::uint16_t link_to(TokenId t) {
  return static_cast<std::uint16_t>(t.value + 1);
}
// A token among its neighbours in the order of a zone.
inline void link_neighbours(TokenRecord& record, std::span<const TokenId> order, std::size_t i) {
  record.prev = link_to(i == 0 ? TokenId::none() : order[i - 1]);
  record.next = link_to(i + 1 == order.size() ? TokenId::none() : order[i + 1]);
}
inline std::int32_t* cells_of(TokenRecord& record) {
  return reinterpret_cast<std::int32_t*>(&record + 1);
}

// The number of a token in a zone of this weight goes into a sum or (sign -1) out of it.
// missing_cell: the token lacks it.
inline void count_number(SumRecord& record, std::int32_t cell, std::int64_t addend,
                         std::int64_t weight, std::int64_t modulus, int sign) {
  if (cell == missing_cell) {
    record.odd += sign;
    return;
  }
  std::int64_t number = addend + cell;
  if (number >= modulus || number <= -modulus) number %= modulus;
  // Below 2^31 × 2^31, whatever the number.
  record.sum = (record.sum + number * weight * sign) % modulus;
  if (record.sum < 0) record.sum += modulus;
}

// What a zone may hold: one bit for each of so many mixed values of its tokens' numbers. Numbers
// are mixed by multiplying alone, since many are asked for at a time; the first bits are the best
// mixed.
inline constexpr int seen_bits = 11;
inline constexpr std::size_t seen_words = (std::size_t{1} << seen_bits) / 64;
inline constexpr std::uint64_t number_keys[] = {0x9e3779b97f4a7c15, 0xd1342543de82ef95,
                                                0xaf251af3b0f025b5, 0xc6bc279692b5c323};
inline std::uint64_t mixed_numbers(std::span<const std::int64_t> numbers) {
  std::uint64_t mixed = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    mixed += static_cast<std::uint64_t>(numbers[i]) * number_keys[i];
  return mixed;
}
inline std::size_t seen_bit(std::uint64_t mixed) {
  return static_cast<std::size_t>(mixed >> (64 - seen_bits));
}
inline std::size_t seen_bit(std::span<const std::int64_t> numbers) {
  return seen_bit(mixed_numbers(numbers));
}

template <class Shape>
class Writes {
 public:
  explicit Writes(const Shape& shape) : s_(shape) {}

  // The bytes of a new token, which are those of the last one: on top of a zone (none: in none),
  // with these cells, one for each column.
  [[gnu::always_inline]] void begin_token(TokenId t, int type, ZoneId z, const std::int32_t* own) {
    const std::uint16_t self = link_to(t);
    TokenRecord& record = s_.token(t);
    record = {0, 0, static_cast<std::int16_t>(z.value), static_cast<std::uint16_t>(type)};
    if (!z.is_none()) {
      ZoneRecord& zone = s_.zone(z);
      record.next = zone.head;
      if (record.next != 0)
        s_.token(linked(record.next)).prev = self;
      else
        zone.tail = self;
      zone.head = self;
      ++zone.count;
    }
    std::uint64_t hash =
        s_.key(t, 0) * placement_of(record) + s_.key(t, 1) * static_cast<unsigned>(type + 1);
    for (int c = 0; c < s_.columns(); ++c) {
      cells_of(record)[c] = own[c];
      hash += s_.key(t, 2 + c) * cell_term(own[c]);
    }
    s_.hash() += hash;
  }
  // The same, once everything in its bytes is written.
  [[gnu::always_inline]] void count_token(TokenId t, ZoneId z) {
    if (z.is_none()) return;
    add_features(t, z);
    if (s_.keeps_more()) count_in(t, z);
  }

  // Before a token of the zone, or none: at the end.
  [[gnu::always_inline]] void insert(TokenId t, ZoneId z, TokenId before) {
    const std::uint64_t old = placement_of(s_.token(t));
    link(t, z, before);
    placed(t, old);
  }
  // Out of its zone, into none.
  [[gnu::always_inline]] void remove(TokenId t) {
    const std::uint64_t old = placement_of(s_.token(t));
    unlink(t);
    TokenRecord& record = s_.token(t);
    record.next = record.prev = 0;
    record.zone = -1;
    placed(t, old);
  }
  // Out of its zone into another or the same; `before()` is asked in between.
  template <class Before>
  [[gnu::always_inline]] void move(TokenId t, ZoneId z, const Before& before) {
    const std::uint64_t old = placement_of(s_.token(t));
    unlink(t);
    link(t, z, before());
    placed(t, old);
  }
  // Everything in one zone on top of another, in the order in which it lies.
  void move_all(ZoneId from, ZoneId z) {
    ZoneRecord &source = s_.zone(from), &target = s_.zone(z);
    if (source.count == 0) return;
    const std::uint16_t last = source.tail, below = target.head;
    s_.token(linked(last)).next = below;
    for (std::uint16_t link = source.head;; link = s_.token(linked(link)).next) {
      const TokenId t = linked(link);
      TokenRecord& record = s_.token(t);
      const TokenRecord was{link == last ? std::uint16_t{0} : record.next, record.prev, record.zone,
                            record.type};
      if (s_.keeps_more()) s_.count(t, from, -1);
      record.zone = static_cast<std::int16_t>(z.value);
      placed(t, placement_of(was));
      add_features(t, z);
      if (s_.keeps_more()) count_in(t, z);
      if (link == last) break;
    }
    if (below != 0)
      s_.token(linked(below)).prev = last;
    else
      target.tail = last;
    target.head = source.head;
    target.count = static_cast<std::uint16_t>(target.count + source.count);
    source = {0, 0, 0};
    if (s_.keeps_more()) s_.refresh(from);
    if (s_.has_features()) refresh_features(from);
  }
  // Everything in one zone into another, all of whose tokens are then in this order.
  void gather(ZoneId from, ZoneId z, std::span<const TokenId> order) {
    for (const TokenId t : order) {
      TokenRecord& record = s_.token(t);
      if (record.zone != from.value) continue;
      if (s_.keeps_more()) s_.count(t, from, -1);
      if (s_.has_features()) drop_features(t, from);
    }
    ZoneRecord &source = s_.zone(from), &target = s_.zone(z);
    target.count = static_cast<std::uint16_t>(target.count + source.count);
    source = {0, 0, 0};
    if (s_.keeps_more()) s_.refresh(from);
    for (std::size_t i = 0; i < order.size(); ++i) {
      TokenRecord& record = s_.token(order[i]);
      const std::uint64_t old = placement_of(record);
      const bool came = record.zone != z.value;
      record.zone = static_cast<std::int16_t>(z.value);
      link_neighbours(record, order, i);
      placed(order[i], old);
      if (!came) continue;
      add_features(order[i], z);
      if (s_.keeps_more()) count_in(order[i], z);
    }
    if (order.empty()) return;
    target.head = link_to(order.front());
    target.tail = link_to(order.back());
  }

  // `featured`: some zone set asks for what the cell holds.
  [[gnu::always_inline]] void write_cell(TokenId t, int column, std::int32_t cell, bool featured) {
    std::int32_t& slot = cells_of(s_.token(t))[column];
    s_.hash() += s_.key(t, 2 + column) * (cell_term(cell) - cell_term(slot));
    const ZoneId z(s_.token(t).zone);
    const bool counts = !z.is_none() && s_.keeps_more();
    if (counts) s_.count(t, z, -1);
    if (!featured || z.is_none()) {
      slot = cell;
    } else if (s_.zone(z).count == 1) {
      drop_features(t, z);
      slot = cell;
      add_features(t, z);
    } else {
      slot = cell;
      refresh_features(z);
    }
    if (!counts) return;
    s_.count(t, z, 1);
    s_.refresh(z);
  }

  // Puts the tokens of a zone into this order. They are all of its tokens.
  void reorder(ZoneId z, std::span<const TokenId> order) {
    ZoneRecord& zone = s_.zone(z);
    for (std::size_t i = 0; i < order.size(); ++i) {
      TokenRecord& record = s_.token(order[i]);
      const std::uint64_t old = placement_of(record);
      link_neighbours(record, order, i);
      placed(order[i], old);
    }
    if (order.empty()) return;
    zone.head = link_to(order.front());
    zone.tail = link_to(order.back());
  }

  void placed(TokenId t, std::uint64_t before) {
    s_.hash() += s_.key(t, 0) * (placement_of(s_.token(t)) - before);
  }
  [[gnu::always_inline]] void add_features(TokenId t, ZoneId z) {
    const std::uint64_t bit = std::uint64_t{1} << (z.value & 63);
    s_.each_feature(t, [&](std::uint64_t* words) { words[z.value >> 6] |= bit; });
  }
  void refresh_features(ZoneId z) {
    const std::uint64_t bit = std::uint64_t{1} << (z.value & 63);
    s_.every_feature([&](std::uint64_t* words) { words[z.value >> 6] &= ~bit; });
    for (TokenId t = linked(s_.zone(z).head); !t.is_none(); t = linked(s_.token(t).next))
      add_features(t, z);
  }

 private:
  // Among the tokens of a zone, and out of them again; what its own links and zone add to the hash
  // is left to the caller.
  [[gnu::always_inline]] void link(TokenId t, ZoneId z, TokenId before) {
    ZoneRecord& zone = s_.zone(z);
    TokenRecord& record = s_.token(t);
    const std::uint16_t self = link_to(t);
    record.zone = static_cast<std::int16_t>(z.value);
    if (before.is_none()) {
      record.next = 0;
      record.prev = zone.tail;
      zone.tail = self;
    } else {
      record.next = link_to(before);
      record.prev = s_.token(before).prev;
      s_.token(before).prev = self;
    }
    if (record.prev == 0)
      zone.head = self;
    else
      lead_to(linked(record.prev), self);
    ++zone.count;
    add_features(t, z);
    if (s_.keeps_more()) count_in(t, z);
  }
  [[gnu::always_inline]] void unlink(TokenId t) {
    const TokenRecord& record = s_.token(t);
    const ZoneId z(record.zone);
    ZoneRecord& zone = s_.zone(z);
    if (record.prev != 0)
      lead_to(linked(record.prev), record.next);
    else
      zone.head = record.next;
    if (record.next != 0)
      s_.token(linked(record.next)).prev = record.prev;
    else
      zone.tail = record.prev;
    --zone.count;
    if (s_.keeps_more()) {
      s_.count(t, z, -1);
      s_.refresh(z);
    }
    if (!s_.has_features()) return;
    if (zone.count == 0)
      drop_features(t, z);
    else
      refresh_features(z);
  }
  // Another token comes after this one.
  void lead_to(TokenId t, std::uint16_t next) {
    const std::uint64_t old = placement_of(s_.token(t));
    s_.token(t).next = next;
    placed(t, old);
  }
  void count_in(TokenId t, ZoneId z) {
    s_.count(t, z, 1);
    s_.note(t, z);
  }
  // The only token of a zone, as it is now, takes its features with it.
  [[gnu::always_inline]] void drop_features(TokenId t, ZoneId z) {
    const std::uint64_t bit = std::uint64_t{1} << (z.value & 63);
    s_.each_feature(t, [&](std::uint64_t* words) { words[z.value >> 6] &= ~bit; });
  }

  const Shape& s_;
};

// Multipliers of the hash for what is counted.
inline std::uint64_t usage_key(std::size_t cell) {
  return mix(0x7573616765u + cell) | 1;
}

// A cell of a variable or marker, whose share of the hash is `key` times its value.
template <class T>
inline void write_hashed(std::uint64_t& hash, std::uint64_t key, T& cell, T value) {
  hash += key * (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(cell));
  cell = value;
}

// The turn passes to the next seat: what a header keeps of it.
struct Clock {
  std::uint8_t& active;
  std::uint8_t round_start;
  std::int32_t &turn, &round, &turn_in_round;
};
// Whoever comes next; whether a round begins with it. A round ends when it would be the turn of
// whoever began it.
inline bool pass_to_next_seat(const Clock& clock, int players) {
  const int next = clock.active + 1 == players ? 0 : clock.active + 1;
  clock.active = static_cast<std::uint8_t>(next);
  ++clock.turn;
  if (next != clock.round_start) {
    ++clock.turn_in_round;
    return false;
  }
  ++clock.round;
  clock.turn_in_round = 1;
  return true;
}

}  // namespace parlor::kernel
