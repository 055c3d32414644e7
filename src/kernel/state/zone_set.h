// A set of zones as words, computed with in registers: of the plans of queries and of compiled
// code, which knows zones by plain numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "kernel/program/ids.h"

namespace parlor::kernel {

// For each word, written out: a loop would keep sets of several words in memory.
template <int W, class F>
[[gnu::always_inline]] inline void each_word(const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
    (f(static_cast<int>(i)), ...);
  }
  (std::make_index_sequence<W>{});
}

// A set of as many words as there are, in memory.
inline bool has_zone(const std::uint64_t* words, ZoneId z) {
  return (words[z.value >> 6] >> (z.value & 63) & 1) != 0;
}
inline void put_zone(std::uint64_t* words, ZoneId z) {
  words[z.value >> 6] |= std::uint64_t{1} << (z.value & 63);
}
inline void drop_zone(std::uint64_t* words, ZoneId z) {
  words[z.value >> 6] &= ~(std::uint64_t{1} << (z.value & 63));
}

template <int W>
struct Zones {
  std::uint64_t w[W];

  [[gnu::always_inline]] static Zones load(const std::uint64_t* words) {
    Zones z;
    each_word<W>([&](int i) { z.w[i] = words[i]; });
    return z;
  }
  [[gnu::always_inline]] static Zones all(bool on) {
    Zones z;
    each_word<W>([&](int i) { z.w[i] = on ? ~std::uint64_t{0} : 0; });
    return z;
  }
  [[gnu::always_inline]] static Zones one(int zone) {
    Zones z = all(false);
    z.put(zone);
    return z;
  }
  [[gnu::always_inline]] static Zones one(ZoneId zone) { return one(zone.value); }
  [[gnu::always_inline]] friend Zones operator&(Zones a, Zones b) {
    each_word<W>([&](int i) { a.w[i] &= b.w[i]; });
    return a;
  }
  [[gnu::always_inline]] friend Zones operator|(Zones a, Zones b) {
    each_word<W>([&](int i) { a.w[i] |= b.w[i]; });
    return a;
  }
  [[gnu::always_inline]] Zones operator~() const {
    Zones z;
    each_word<W>([&](int i) { z.w[i] = ~w[i]; });
    return z;
  }
  [[gnu::always_inline]] bool any() const {
    std::uint64_t sum = 0;
    each_word<W>([&](int i) { sum |= w[i]; });
    return sum != 0;
  }
  std::int64_t count() const {
    std::int64_t sum = 0;
    each_word<W>([&](int i) { sum += std::popcount(w[i]); });
    return sum;
  }
  bool has(int z) const { return ((w[z >> 6] >> (z & 63)) & 1) != 0; }
  // Word by word, so that a set in registers stays there.
  [[gnu::always_inline]] void put(int z) {
    const std::uint64_t bit = std::uint64_t{1} << (z & 63);
    each_word<W>([&](int i) { w[i] |= z >> 6 == i ? bit : 0; });
  }
  [[gnu::always_inline]] void drop(int z) {
    const std::uint64_t bit = std::uint64_t{1} << (z & 63);
    each_word<W>([&](int i) { w[i] &= ~(z >> 6 == i ? bit : 0); });
  }
  bool has(ZoneId z) const { return has(z.value); }
  [[gnu::always_inline]] void put(ZoneId z) { put(z.value); }
  [[gnu::always_inline]] void drop(ZoneId z) { drop(z.value); }
  // In order, until `f` says false; it takes zones or their numbers.
  template <class F>
  bool each(F&& f) const {
    using Each = std::conditional_t<std::is_invocable_v<F&, ZoneId>, ZoneId, int>;
    for (int i = 0; i < W; ++i)
      for (std::uint64_t left = w[i]; left != 0; left &= left - 1)
        if (!f(Each(i * 64 + __builtin_ctzll(left)))) return false;
    return true;
  }
};

// Every zone takes the place of the one whose index is larger by `turn`, round and round.
template <int W>
[[gnu::always_inline]] inline Zones<W> rotated(Zones<W> set, int turn) {
  if constexpr (W == 1) {
    // `turn` is not negative, which std::rotr would ask.
    const unsigned right = static_cast<unsigned>(turn) & 63;
    set.w[0] = set.w[0] >> right | set.w[0] << (-right & 63);
    return set;
  } else {
    Zones<W> out;
    const int skip = turn >> 6, bits = turn & 63;
    each_word<W>([&](int i) {
      out.w[i] = set.w[(i + skip) & (W - 1)] >> bits | set.w[(i + skip + 1) & (W - 1)]
                                                           << 1 << (63 - bits);
    });
    return out;
  }
}

// The zones from which `length` zones one after the other, each further by `turn`, are all in the
// set: rows of one, two, four ... and then two of these that overlap.
template <int W>
[[gnu::always_inline]] inline Zones<W> rows_from(Zones<W> set, int turn, int length) {
  int have = 1;
  for (; 2 * have <= length; have *= 2) set = set & rotated(set, have * turn & (64 * W - 1));
  return have == length ? set : set & rotated(set, (length - have) * turn & (64 * W - 1));
}

// The zones from which steps in the direction lead into `good`, all zones on the way being in
// `over`.
template <int W>
inline Zones<W> ray_back(Zones<W> over, Zones<W> good, int turn, int longest, Zones<W> valid) {
  // Rows of one, two, four ... zones to pass over, and what they lead to.
  const int once = turn;
  over = over & valid;
  for (int length = 1; length < longest; length *= 2) {
    good = good | (over & rotated(good, turn));
    over = over & rotated(over, turn);
    turn = 2 * turn & (64 * W - 1);
  }
  return rotated(good, once) & valid;
}

// ---- Options that are zones, written one after the other; what follows the last is returned.
// `shift` is where the zone stands in the id of an option, counted from `base`. There must be room
// for as many as the set could hold.
#if defined __AVX512VBMI2__ && defined __AVX512BW__
// Compiled for a processor that can: the zones of a word become bytes, those that are not in the
// set being left out by one instruction, and then options, eight at a time.
template <int W>
inline std::uint64_t* write_zones(std::uint64_t* next, const Zones<W>& set, std::uint64_t id,
                                  int shift, std::int64_t base = 0) {
  constexpr int at_once = W < 4 ? W : 4;  // words whose zones are bytes
  const __m128i places = _mm_cvtsi32_si128(shift);
  const __m512i from_0 = _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
      40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
      17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (int first = 0; first < W; first += at_once) {
    std::uint8_t zones[64 * at_once + 64];
    std::size_t count = 0;
    each_word<at_once>([&](int i) {
      const std::uint64_t word = set.w[first + i];
      const __m512i all = _mm512_add_epi8(from_0, _mm512_set1_epi8(static_cast<char>(64 * i)));
      _mm512_storeu_si512(zones + count, _mm512_maskz_compress_epi8(word, all));
      count += static_cast<std::size_t>(std::popcount(word));
    });
    const __m512i ids =
        _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(id)),
                         _mm512_sll_epi64(_mm512_set1_epi64(first * 64 - base), places));
    for (std::size_t k = 0; k < count; k += 8) {
      const __m512i some =
          _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(zones + k)));
      _mm512_storeu_si512(next + k, _mm512_add_epi64(ids, _mm512_sll_epi64(some, places)));
    }
    next += count;
  }
  return next;
}
#elif defined __AVX512F__
// The same eight zones at a time.
template <int W>
inline std::uint64_t* write_zones(std::uint64_t* next, const Zones<W>& set, std::uint64_t id,
                                  int shift, std::int64_t base = 0) {
  const __m512i ids = _mm512_set1_epi64(static_cast<long long>(id));
  const __m512i eight = _mm512_set1_epi64(8);
  const __m128i places = _mm_cvtsi32_si128(shift);
  for (int i = 0; i < W; ++i) {
    __m512i zones = _mm512_add_epi64(_mm512_set1_epi64(i * 64 - base),
                                     _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    for (std::uint64_t left = set.w[i]; left != 0; left >>= 8) {
      const auto some = static_cast<__mmask8>(left);
      const __m512i all = _mm512_or_si512(ids, _mm512_sll_epi64(zones, places));
      _mm512_storeu_si512(next, _mm512_maskz_compress_epi64(some, all));
      next += std::popcount(static_cast<unsigned>(some));
      zones = _mm512_add_epi64(zones, eight);
    }
  }
  return next;
}
#else
template <int W>
inline std::uint64_t* write_zones(std::uint64_t* next, const Zones<W>& set, std::uint64_t id,
                                  int shift, std::int64_t base = 0) {
  for (int i = 0; i < W; ++i) {
    const std::uint64_t word = static_cast<std::uint64_t>(i * 64 - base);
    for (std::uint64_t left = set.w[i]; left != 0; left &= left - 1)
      *next++ = id | (word + static_cast<std::uint64_t>(std::countr_zero(left))) << shift;
  }
  return next;
}
#endif
// Zones of several sets, each with what is to stand in the id besides: zone by zone.
template <int W>
inline std::uint64_t* write_ways(std::uint64_t* next, const Zones<W>* may, const std::uint64_t* ids,
                                 std::size_t count, int shift) {
  Zones<W> some = may[0];
  for (std::size_t k = 1; k < count; ++k) some = some | may[k];
  for (int i = 0; i < W; ++i)
    for (std::uint64_t left = some.w[i]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::uint64_t>(std::countr_zero(left));
      const std::uint64_t zone = (static_cast<std::uint64_t>(i) * 64 + bit) << shift;
      for (std::size_t k = 0; k < count; ++k) {
        *next = ids[k] | zone;
        next += may[k].w[i] >> bit & 1;
      }
    }
  return next;
}

// What lies beside the zones of a set; `neighbours` are sets, one for each zone.
template <int W>
inline Zones<W> zones_beside(const std::uint64_t* neighbours, Zones<W> set) {
  Zones<W> around = Zones<W>::all(false);
  set.each([&](ZoneId z) {
    around = around | Zones<W>::load(neighbours + z.index() * W);
    return true;
  });
  return around;
}

// The first zone beside one that is in a set; -1: there is none.
template <int W>
[[gnu::always_inline]] inline int beside_in(const std::uint64_t* neighbours, int zone,
                                            const Zones<W>& set) {
  const Zones<W> both = Zones<W>::load(neighbours + static_cast<std::size_t>(zone) * W) & set;
  for (int i = 0; i < W; ++i)
    if (both.w[i] != 0) return i * 64 + std::countr_zero(both.w[i]);
  return -1;
}

// The same as something walks can ask; boards whose steps are rotations have another.
struct BesideInTable {
  const std::uint64_t* neighbours;
  template <int W>
  Zones<W> operator()(Zones<W> set) const {
    return zones_beside(neighbours, set);
  }
};

// Whether a walk from what was reached, through zones of one set, comes to a zone of the other.
template <int W, class Beside>
inline bool walk_reaches(const Beside& beside, Zones<W> reached, Zones<W> through, Zones<W> found) {
  for (Zones<W> frontier = reached; frontier.any();) {
    const Zones<W> around = beside(frontier) & ~reached;
    if ((around & found).any()) return true;
    frontier = around & through;
    reached = reached | frontier;
  }
  return false;
}

}  // namespace parlor::kernel
