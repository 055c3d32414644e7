// A set of squares of a board with more than 64 of them, with the operators a 64-bit word has.
// Whatever would leave the board is gone, as it is there.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace parlor::chess {

template <int squares>
struct WideSet {
  static constexpr std::size_t words = (squares + 63) / 64;
  static constexpr std::uint64_t last_word =
      squares % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (squares % 64)) - 1;

  std::array<std::uint64_t, words> word{};

  constexpr WideSet() = default;
  // The first 64 squares: mostly none, or a single one that is then shifted.
  constexpr WideSet(std::uint64_t low) { word[0] = low; }  // NOLINT: like a word

  static constexpr WideSet of(unsigned square) {
    WideSet out;
    out.word[square / 64] = std::uint64_t{1} << (square % 64);
    return out;
  }
  constexpr bool has(unsigned square) const {
    return (word[square / 64] >> (square % 64) & 1) != 0;
  }
  constexpr int count() const {
    int out = 0;
    for (const std::uint64_t part : word) out += std::popcount(part);
    return out;
  }
  constexpr unsigned first() const {  // of a set that is not empty
    std::size_t i = 0;
    while (i + 1 < words && word[i] == 0) ++i;
    return static_cast<unsigned>(i * 64) + static_cast<unsigned>(std::countr_zero(word[i]));
  }
  constexpr unsigned last() const {
    std::size_t i = words - 1;
    while (i > 0 && word[i] == 0) --i;
    return static_cast<unsigned>(i * 64) + 63 - static_cast<unsigned>(std::countl_zero(word[i]));
  }
  constexpr WideSet without_first() const {
    WideSet out = *this;
    for (std::uint64_t& part : out.word)
      if (part != 0) {
        part &= part - 1;
        break;
      }
    return out;
  }

  constexpr WideSet& operator&=(const WideSet& other) {
    for (std::size_t i = 0; i < words; ++i) word[i] &= other.word[i];
    return *this;
  }
  constexpr WideSet& operator|=(const WideSet& other) {
    for (std::size_t i = 0; i < words; ++i) word[i] |= other.word[i];
    return *this;
  }
  constexpr WideSet& operator^=(const WideSet& other) {
    for (std::size_t i = 0; i < words; ++i) word[i] ^= other.word[i];
    return *this;
  }
  friend constexpr WideSet operator&(WideSet a, const WideSet& b) { return a &= b; }
  friend constexpr WideSet operator|(WideSet a, const WideSet& b) { return a |= b; }
  friend constexpr WideSet operator^(WideSet a, const WideSet& b) { return a ^= b; }
  friend constexpr WideSet operator~(WideSet a) {
    for (std::uint64_t& part : a.word) part = ~part;
    a.word[words - 1] &= last_word;
    return a;
  }
  friend constexpr WideSet operator<<(const WideSet& a, int distance) {
    WideSet out;
    const auto whole = static_cast<std::size_t>(distance) / 64;
    const unsigned rest = static_cast<unsigned>(distance) % 64;
    for (std::size_t i = whole; i < words; ++i) {
      out.word[i] = a.word[i - whole] << rest;
      if (rest != 0 && i > whole) out.word[i] |= a.word[i - whole - 1] >> (64 - rest);
    }
    out.word[words - 1] &= last_word;
    return out;
  }
  friend constexpr WideSet operator>>(const WideSet& a, int distance) {
    WideSet out;
    const auto whole = static_cast<std::size_t>(distance) / 64;
    const unsigned rest = static_cast<unsigned>(distance) % 64;
    for (std::size_t i = 0; i + whole < words; ++i) {
      out.word[i] = a.word[i + whole] >> rest;
      if (rest != 0 && i + whole + 1 < words) out.word[i] |= a.word[i + whole + 1] << (64 - rest);
    }
    return out;
  }
  friend constexpr bool operator==(const WideSet&, const WideSet&) = default;
};

// What both kinds of sets are asked, in one spelling.
namespace sets {

constexpr std::uint64_t of(std::uint64_t, unsigned square) {
  return std::uint64_t{1} << square;
}
constexpr bool has(std::uint64_t set, unsigned square) {
  return (set >> square & 1) != 0;
}
constexpr int count(std::uint64_t set) {
  return std::popcount(set);
}
constexpr unsigned first(std::uint64_t set) {
  return static_cast<unsigned>(std::countr_zero(set));
}
constexpr unsigned last(std::uint64_t set) {
  return 63 - static_cast<unsigned>(std::countl_zero(set));
}
constexpr std::uint64_t without_first(std::uint64_t set) {
  return set & (set - 1);
}

template <int squares>
constexpr WideSet<squares> of(const WideSet<squares>&, unsigned square) {
  return WideSet<squares>::of(square);
}
template <int squares>
constexpr bool has(const WideSet<squares>& set, unsigned square) {
  return set.has(square);
}
template <int squares>
constexpr int count(const WideSet<squares>& set) {
  return set.count();
}
template <int squares>
constexpr unsigned first(const WideSet<squares>& set) {
  return set.first();
}
template <int squares>
constexpr unsigned last(const WideSet<squares>& set) {
  return set.last();
}
template <int squares>
constexpr WideSet<squares> without_first(const WideSet<squares>& set) {
  return set.without_first();
}

}  // namespace sets

}  // namespace parlor::chess
