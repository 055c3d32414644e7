// A set of zones as words, computed with in registers: of the plans of queries and of compiled
// code.
#pragma once

#include <bit>
#include <cstdint>

namespace parlor::kernel {

template <int W>
struct Zones {
  std::uint64_t w[W];

  static Zones load(const std::uint64_t* words) {
    Zones z;
    for (int i = 0; i < W; ++i) z.w[i] = words[i];
    return z;
  }
  static Zones all(bool on) {
    Zones z;
    for (int i = 0; i < W; ++i) z.w[i] = on ? ~std::uint64_t{0} : 0;
    return z;
  }
  friend Zones operator&(Zones a, Zones b) {
    for (int i = 0; i < W; ++i) a.w[i] &= b.w[i];
    return a;
  }
  friend Zones operator|(Zones a, Zones b) {
    for (int i = 0; i < W; ++i) a.w[i] |= b.w[i];
    return a;
  }
  Zones operator~() const {
    Zones z;
    for (int i = 0; i < W; ++i) z.w[i] = ~w[i];
    return z;
  }
  bool any() const {
    std::uint64_t sum = 0;
    for (int i = 0; i < W; ++i) sum |= w[i];
    return sum != 0;
  }
  std::int64_t count() const {
    std::int64_t sum = 0;
    for (int i = 0; i < W; ++i) sum += std::popcount(w[i]);
    return sum;
  }
  bool has(int z) const { return ((w[z >> 6] >> (z & 63)) & 1) != 0; }
  void put(int z) { w[z >> 6] |= std::uint64_t{1} << (z & 63); }
  void drop(int z) { w[z >> 6] &= ~(std::uint64_t{1} << (z & 63)); }
  template <class F>
  bool each(F&& f) const {
    for (int i = 0; i < W; ++i)
      for (std::uint64_t left = w[i]; left != 0; left &= left - 1)
        if (!f(i * 64 + __builtin_ctzll(left))) return false;
    return true;
  }
};

// Every zone takes the place of the one whose index is larger by `turn`, round and round.
template <int W>
inline Zones<W> rotated(Zones<W> set, int turn) {
  if constexpr (W == 1) {
    set.w[0] = std::rotr(set.w[0], turn);
    return set;
  } else {
    Zones<W> out;
    const int skip = turn >> 6, bits = turn & 63;
    for (int i = 0; i < W; ++i)
      out.w[i] = set.w[(i + skip) & (W - 1)] >> bits | set.w[(i + skip + 1) & (W - 1)]
                                                           << 1 << (63 - bits);
    return out;
  }
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

}  // namespace parlor::kernel
