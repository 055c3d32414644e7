// How what viewers know of tokens follows what happens to these, so that places where a token may
// be stay right (know/knowledge.h says what is kept and why). States of any game and printed code
// run these same lines; what they know of the game comes from `Shape`, as in writes.h, and besides:
//
//   viewers(), set_bytes(), mask_bytes()   how many
//   bit_of(viewer)         of a viewer in the masks of tokens
//   made()                 how many tokens ever were
//   sight_bytes(t)         where a token's masks begin: known, shown, and then its sets of places,
//                          one for each viewer; so many bytes further are those of the next token:
//   token_bytes()
//   sees(z)                mask of those who see a zone (none: out of play, where nobody does)
//   place_of(z)            see Secrets; -1: everybody sees it
//   hides_count(z)         of a zone in play
//   each_zone_of(place, f) f(z) for the zones of a place
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernel/program/ids.h"
#include "kernel/state/records.h"
#include "kernel/state/writes.h"

namespace parlor::kernel {

// How a token was taken from where it lay.
enum class Taken : std::uint8_t {
  by_place,  // everybody can tell from where in the zone
  by_face,   // whoever knows a token knows whether it was taken
  by_pick    // only those can tell who see it, and who picked it
};

// What saves going through all tokens again and again. What was found out last about places: of
// everything that these viewers do not know and that may be in the one place, they know already
// that it may be in the other. Five cards that are drawn one after the other change nothing after
// the first. And, if that is wanted, what was put off: of everything they do not know these viewers
// know that it is not in a place any more. Mostly it may be there again a moment later (a hand is
// laid down, and a new one is drawn), and both are done in one go.
struct Mixed {
  std::uint32_t viewers = 0;  // by their numbers
  int from = -1, to = -1;
  bool puts_off = false;
  std::uint32_t put_off = 0;  // by their numbers
  int emptied = -1;
};

inline std::uint32_t read_mask(const std::uint8_t* from, std::uint32_t width) {
  if (width == 1) return *from;
  std::uint32_t bits = 0;
  if (width == 2)
    std::memcpy(&bits, from, 2);
  else
    std::memcpy(&bits, from, 4);
  return bits;
}
inline void write_mask(std::uint8_t* to, std::uint32_t width, std::uint32_t bits) {
  if (width == 1)
    *to = static_cast<std::uint8_t>(bits);
  else if (width == 2)
    std::memcpy(to, &bits, 2);
  else
    std::memcpy(to, &bits, 4);
}

template <class Shape>
class Follows {
 public:
  Follows(const Shape& shape, Mixed& mixed) : s_(shape), mixed_(mixed) {}

  // A token has come into being; these know what it is.
  [[gnu::always_inline]] void created(TokenId t, std::uint32_t known) {
    const int place = s_.place_of(zone_of(t));
    write(t, {known, 0});
    for (int v = 0; v < s_.viewers(); ++v) put_unknown(t, v, place);
  }

  // It was in `from` and is now where its record says (none: out of play). `picks` chose it. The
  // answer is who can tell from where in its zone it was taken.
  [[gnu::always_inline]] std::uint32_t moved(TokenId t, ZoneId from, Taken how,
                                             std::uint32_t picks) {
    const ZoneId to = zone_of(t);
    Masks own = masks(t);
    const std::uint32_t here = s_.sees(from) | own.shown, there = s_.sees(to);
    own.shown = 0;
    const int from_place = s_.place_of(from), to_place = s_.place_of(to);
    const bool was_alone = !from.is_none() && !hides(from) && s_.zone(from).count == 0;
    const bool all_trace = (how != Taken::by_pick && !hides(from)) || was_alone;
    if (const std::uint32_t all = everybody();
        (there & all) == all || (all_trace && (own.known & all) == all && !hides(to))) {
      own.known |= there & all;  // everybody knows it, before or after
      write(t, own, all, to_place);
      close_place(from);
      return all & ~there;
    }
    const std::uint32_t traced = all_trace ? ~std::uint32_t{0} : here | picks;
    std::uint32_t unsure = 0, follow = 0;  // by number
    for (int v = 0; v < s_.viewers(); ++v) {
      const std::uint32_t bit = s_.bit_of(v);
      if ((there & bit) != 0) {  // whoever sees it arrive knows what has gone
        own.known |= bit;
        put(t, v, to_place);
        continue;
      }
      if ((traced & bit) != 0) {
        follow |= bit;
      } else {
        if (!from.is_none()) {
          write(t, own);
          forget_order(from, v);
          own = masks(t);  // it may lie there again
        }
        if ((own.known & bit) != 0) {
          own.known &= ~bit;
          put_unknown(t, v, from_place);
        }
      }
      if ((own.known & bit) == 0) {
        unsure |= 1u << v;
      } else if (hides(to) && (picks & bit) == 0) {  // which of the zones, is not told
        own.known &= ~bit;
        put_unknown(t, v, to_place);
      } else {
        put(t, v, to_place);
      }
    }
    write(t, own);
    mix(unsure, from_place, to_place);
    close_place(from);
    return follow;
  }

  // Everybody sees what comes into it.
  bool is_open(ZoneId z) const { return (~s_.sees(z) & everybody()) == 0; }
  // Everything in one zone lies on top of an open one now, so many tokens.
  void moved_openly(ZoneId from, ZoneId to, int count) {
    const std::uint32_t all = everybody();
    TokenId t = first(to);
    for (; count > 0; --count, t = next(t)) {
      write(t, {masks(t).known | all, 0}, all, s_.place_of(to));
    }
    close_place(from);
  }

  // Everybody sees the one zone and knows what lies there, and everybody can tell that it goes into
  // the other.
  bool can_gather(ZoneId z, std::span<const TokenId> tokens, ZoneId to) const {
    if (s_.place_of(z) >= 0 || hides(z) || hides(to)) return false;
    const std::uint32_t all = everybody();
    bool open = true;
    for (const TokenId t : tokens) {
      const Masks own = masks(t);
      open = open && (own.known & all) == all && own.shown == 0;
    }
    return open;
  }
  // All of them go there.
  void gathered(std::span<const TokenId> tokens, ZoneId to) {
    for (const TokenId t : tokens) write(t, masks(t), everybody(), s_.place_of(to));
  }

  // Nobody who does not see the zone knows any more what lies where in it. The answer is who knew.
  std::uint32_t shuffled(ZoneId z) {
    std::uint32_t losers = 0;
    for (TokenId t = first(z); !t.is_none(); t = next(t)) losers |= mixed_up(t, z, losers);
    return losers;
  }
  // The same where it is known which tokens are all of its.
  void shuffled(ZoneId z, std::span<const TokenId> tokens) {
    std::uint32_t losers = 0;
    for (const TokenId t : tokens) losers |= mixed_up(t, z, losers);
  }

  // It may be in this place only; -1: where everybody sees it.
  void put(TokenId t, int viewer, int place) {
    const auto size = static_cast<std::size_t>(s_.set_bytes());
    std::uint8_t* const set = sets(t) + static_cast<std::size_t>(viewer) * size;
    if (size == 1) {
      *set = static_cast<std::uint8_t>(place >= 0 ? 1 << place : 0);
      return;
    }
    std::memset(set, 0, size);
    if (place >= 0) set[place >> 3] = static_cast<std::uint8_t>(1 << (place & 7));
  }
  // The same of one that the viewer does not know.
  void put_unknown(TokenId t, int viewer, int place) {
    forgets(s_.bit_of(viewer), place);
    put(t, viewer, place);
  }

  // Those of these viewers who know all that is left in a place know of everything else that it is
  // not there.
  [[gnu::always_inline]] void close_place(ZoneId z, std::uint32_t among = ~std::uint32_t{0}) {
    if (z.is_none()) return;
    const int place = s_.place_of(z);
    if (place < 0) return;
    std::uint32_t blind = everybody() & among & ~s_.sees(z);
    s_.each_zone_of(place, [&](ZoneId zone) {
      for (TokenId t = first(zone); blind != 0 && !t.is_none(); t = next(t))
        blind &= masks(t).known;
    });
    if (blind == 0) return;
    std::uint32_t viewers = 0;
    for (int v = 0; v < s_.viewers(); ++v)
      if ((blind & s_.bit_of(v)) != 0) viewers |= 1u << v;
    rule_out(viewers, place);
  }
  // Nothing that these (by number) do not know is in this place.
  void rule_out(std::uint32_t viewers, int place) {
    if (place == mixed_.to) mixed_.viewers &= ~viewers;
    if (!mixed_.puts_off) return clear(viewers, place);
    if (mixed_.emptied != place) catch_up();
    mixed_.put_off |= viewers;
    mixed_.emptied = place;
  }
  // Does what was put off.
  void catch_up() {
    if (mixed_.put_off != 0) clear(mixed_.put_off, mixed_.emptied);
    mixed_.put_off = 0;
    mixed_.emptied = -1;
  }

 private:
  void clear(std::uint32_t viewers, int place) {
    if (has_lanes()) return change_lanes(viewers, place, [=](auto& sets) { sets >>= place; });
    const auto gone = static_cast<std::uint8_t>(~(1 << (place & 7)));
    each_unknown(viewers, [=](std::uint8_t* set) { set[place >> 3] &= gone; });
  }

  // One of the tokens of a zone that is shuffled: who loses it, of whom these have lost others.
  [[gnu::always_inline]] std::uint32_t mixed_up(TokenId t, ZoneId z, std::uint32_t losers) {
    const std::uint32_t sees = s_.sees(z);
    const Masks own = masks(t);
    const std::uint32_t lost = own.known & ~sees;
    if (lost == 0) return 0;
    if ((lost & ~losers) != 0) forgets(lost, s_.place_of(z));
    write(t, {own.known & sees, own.shown & sees}, lost, s_.place_of(z));
    return lost;
  }
  // Something that these do not know any more is put into this place: what was found out or put off
  // was about everything else.
  void forgets(std::uint32_t who, int place) {
    if (place == mixed_.emptied) catch_up();
    if (place != mixed_.from) return;
    for (int v = 0; v < s_.viewers(); ++v)
      if ((who & s_.bit_of(v)) != 0) mixed_.viewers &= ~(1u << v);
  }
  struct Masks {
    std::uint32_t known, shown;
  };
  Masks masks(TokenId t) const {
    const std::uint8_t* from = s_.sight_bytes(t);
    const std::uint32_t width = s_.mask_bytes();
    return {read_mask(from, width), read_mask(from + width, width)};
  }
  void write(TokenId t, const Masks& own) const {
    std::uint8_t* to = s_.sight_bytes(t);
    const std::uint32_t width = s_.mask_bytes();
    write_mask(to, width, own.known);
    write_mask(to + width, width, own.shown);
  }
  // The same, and for those of the mask `who` it may be in this place only. What lies in eight
  // bytes is written at once: processors wait where more is read than was just written.
  void write(TokenId t, const Masks& own, std::uint32_t who, int place) {
    if (!has_lanes()) {
      write(t, own);
      for (int v = 0; v < s_.viewers(); ++v)
        if ((who & s_.bit_of(v)) != 0) put(t, v, place);
      return;
    }
    std::uint64_t lanes = 0;
    for (int v = 0; v < s_.viewers(); ++v)
      lanes |= std::uint64_t{who >> std::countr_zero(s_.bit_of(v)) & 1} << (8 * v + masks_size);
    std::uint64_t record = record_at(s_.sight_bytes(t));
    record &= ~(lanes * 0xff | 0xffff);
    record |= own.known | own.shown << 8 | (place >= 0 ? lanes << place : 0);
    std::memcpy(s_.sight_bytes(t), &record, sizeof record);
  }
  std::uint8_t* sets(TokenId t) const { return s_.sight_bytes(t) + 2 * s_.mask_bytes(); }
  ZoneId zone_of(TokenId t) const { return ZoneId(s_.token(t).zone); }
  TokenId first(ZoneId z) const { return linked(s_.zone(z).head); }
  TokenId next(TokenId t) const { return linked(s_.token(t).next); }
  std::uint32_t everybody() const {
    std::uint32_t out = 0;
    for (int v = 0; v < s_.viewers(); ++v) out |= s_.bit_of(v);
    return out;
  }
  bool hides(ZoneId z) const { return !z.is_none() && s_.hides_count(z); }

  void forget_order(ZoneId z, int viewer) {
    const std::uint32_t bit = s_.bit_of(viewer);
    for (TokenId t = first(z); !t.is_none(); t = next(t)) {
      const Masks own = masks(t);
      if ((own.known & bit) == 0) continue;
      write(t, {own.known & ~bit, own.shown & ~bit});
      put_unknown(t, viewer, s_.place_of(z));
    }
  }

  // One token has gone from a place to another, and these do not know which.
  [[gnu::always_inline]] void mix(std::uint32_t viewers, int from, int to) {
    if (from < 0 || to < 0 || from == to) return;
    if (mixed_.from != from || mixed_.to != to) {
      mixed_.viewers = 0;
      mixed_.from = from;
      mixed_.to = to;
    }
    viewers &= ~mixed_.viewers;
    if (viewers == 0) return;
    mixed_.viewers |= viewers;
    spread(viewers, from, to);
  }
  void spread(std::uint32_t viewers, int from, int to) {
    if (has_lanes() && mixed_.emptied == to && from != to) return respread(viewers, from, to);
    if (mixed_.emptied == from || mixed_.emptied == to) catch_up();
    if (has_lanes())
      return change_lanes(viewers, to, [=](auto& sets) { sets = sets >> from & ~(sets >> to); });
    const auto may = static_cast<std::uint8_t>(1 << (from & 7)),
               then = static_cast<std::uint8_t>(1 << (to & 7));
    each_unknown(viewers, [=](std::uint8_t* set) {
      if ((set[from >> 3] & may) != 0) set[to >> 3] |= then;
    });
  }
  // The same where the other place was emptied before, which was put off: whoever knows of both
  // knows that what may be in the one place may be in the other, and nothing else.
  void respread(std::uint32_t viewers, int from, int to) {
    const std::uint64_t spreads = lanes_of(viewers), empties = lanes_of(mixed_.put_off);
    mixed_.put_off = 0;
    mixed_.emptied = -1;
    change_lanes(~std::uint32_t{0} >> (32 - s_.viewers()), to, [=](auto& sets) {
      const auto may = sets >> from & spreads, did = sets >> to;
      sets = (may & ~did) | (did & ~may & empties);
    });
  }

  // The set of every token that one of these viewers (by number) does not know.
  template <class Body>
  void each_unknown(std::uint32_t viewers, const Body& body) const {
    const std::uint32_t tokens = s_.made();
    for (; viewers != 0; viewers &= viewers - 1) {
      const int viewer = std::countr_zero(viewers);
      const std::uint32_t bit = s_.bit_of(viewer);
      std::uint8_t* at = tokens == 0 ? nullptr : s_.sight_bytes(TokenId(0));
      const auto set = 2 * s_.mask_bytes() + static_cast<std::uint32_t>(viewer * s_.set_bytes());
      for (std::uint32_t k = 0; k < tokens; ++k, at += s_.token_bytes())
        if ((read_mask(at, s_.mask_bytes()) & bit) == 0) body(at + set);
    }
  }

  // The same for all of them together, where masks and sets of a token are eight bytes (five to
  // eight, which are laid out as whole words of four: Linker::lay_out_token): the sets are lanes of
  // one number. `find` says in the lowest bit of a lane whether the place is to be put in or taken
  // out there; mostly it is not, since the places are as mixed as they can be.
  bool has_lanes() const {
    return std::endian::native == std::endian::little && s_.mask_bytes() == 1 &&
           s_.set_bytes() == 1 && s_.viewers() >= 3 && s_.viewers() <= 6;
  }
  static constexpr int masks_size = 16;  // bits before the first lane
  static std::uint64_t lanes_of(std::uint32_t viewers) {
    std::uint64_t lanes = 0;
    for (; viewers != 0; viewers &= viewers - 1)
      lanes |= std::uint64_t{1} << (8 * std::countr_zero(viewers));
    return lanes;
  }
  template <class Find>
  void change_lanes(std::uint32_t viewers, int place, const Find& find) const {
    const std::uint64_t lanes = lanes_of(viewers);
    std::size_t left = s_.made();
    std::uint8_t* at = left == 0 ? nullptr : s_.sight_bytes(TokenId(0));
    const std::size_t size = s_.token_bytes();
    for (; left >= 4; left -= 4, at += 4 * size) {
      Four records = {record_at(at), record_at(at + size), record_at(at + 2 * size),
                      record_at(at + 3 * size)};
      Four found = records >> masks_size;
      find(found);
      found &= lanes;
      if ((found[0] | found[1] | found[2] | found[3]) == 0) [[likely]]
        continue;
      drop_known(records, found);
      records ^= found << (masks_size + place);
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint64_t record = records[k];
        std::memcpy(at + k * size, &record, sizeof record);
      }
    }
    for (; left > 0; --left, at += size) {
      std::uint64_t record = record_at(at), found = record >> masks_size;
      find(found);
      if ((found &= lanes) == 0) continue;
      drop_known(record, found);
      record ^= found << (masks_size + place);
      std::memcpy(at, &record, sizeof record);
    }
  }
  // Four tokens at a time: processors that have no such wide words take them apart. (They are
  // handed over where they lie, since not every function could hand them over otherwise.)
  typedef std::uint64_t Four __attribute__((vector_size(32)));
  static std::uint64_t record_at(const std::uint8_t* at) {
    std::uint64_t record = 0;
    std::memcpy(&record, at, sizeof record);
    return record;
  }
  // Whoever knows the token knows where it may be.
  template <class Record>
  void drop_known(const Record& records, Record& found) const {
    Record unknown = found ^ found;
    for (int v = 0; v < s_.viewers(); ++v)
      unknown |= (~records >> std::countr_zero(s_.bit_of(v)) & 1) << (8 * v);
    found &= unknown;
  }

  const Shape& s_;
  Mixed& mixed_;
};

}  // namespace parlor::kernel
