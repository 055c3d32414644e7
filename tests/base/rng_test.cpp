#include "base/rng.h"

#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "base/hex.h"

namespace parlor {
namespace {

// Computed with an independent implementation (Python integers): seeding as in rng.h, then the
// published recurrence.
TEST(Rng, GivesTheReferenceStream) {
  struct Case {
    std::uint64_t seed;
    std::uint64_t stream;
    std::array<std::uint64_t, 3> words;
  };
  const Case cases[] = {
      {0u, 0u, {0x839bfb65cfe69a82, 0x6e38dcca4bf71b93, 0x3436c7143486229d}},
      {1u, 0u, {0x1406138215810c8a, 0xe8278a0574b0c5bd, 0x4f633aee93046e59}},
      {42u, 0u, {0x6f0d097710f1b91d, 0xefe77d100b6ffde2, 0x6f09d665c8806344}},
      {18446744073709551615u, 0u, {0x6aaee1a3e2cbb1e0, 0xbf33c8ddae482b44, 0x6be94a7d9e18afc7}},
      {42u, 1u, {0x7ab604d8527be44e, 0x50a7602ba8148b7c, 0x63af6ff3e3522ffd}},
      {0u, 18446744073709551615u, {0x5344714fcbefbeac, 0xb459f1907f31f407, 0xf522735acc3953c8}},
  };
  for (const Case& c : cases) {
    Rng rng(c.seed, c.stream);
    for (const std::uint64_t word : c.words)
      EXPECT_EQ(rng.next(), word) << "seed " << c.seed << ", stream " << c.stream;
  }
}

TEST(Rng, BoundedIntegersMatchTheReference) {
  Rng rng{42};
  const std::array<std::int64_t, 12> dice{4, 1, 1, 4, 4, 5, 5, 5, 6, 2, 6, 3};
  for (const std::int64_t face : dice) EXPECT_EQ(rng.between(1, 6), face);
  const std::int64_t top = (std::int64_t{1} << 62) + 12345;  // makes rejection likely
  for (const std::int64_t number :
       {std::int64_t{4166814965613007046}, std::int64_t{1040665458481129007},
        std::int64_t{4274614674602626893}})
    EXPECT_EQ(rng.between(0, top), number);
  EXPECT_EQ(rng.between(7, 7), 7);  // still draws a word
  EXPECT_EQ(rng.next(), 18064621568122008207u);
}

TEST(Rng, BoundedIntegersAreUnbiased) {
  Rng rng{7};
  std::array<int, 3> counts{};
  for (int i = 0; i < 300'000; ++i) ++counts[rng.below(3)];
  for (const int count : counts) EXPECT_NEAR(count, 100'000, 1'500);  // over five sigma
}

TEST(Rng, HexTextRoundTrips) {
  const Uint128 value = (Uint128{0x0123456789abcdef} << 64) | 0xfedcba9876543210;
  EXPECT_EQ(to_hex(value), "123456789abcdeffedcba9876543210");
  EXPECT_EQ(parse_hex(to_hex(value)).value(), value);
  EXPECT_FALSE(parse_hex("").has_value());
  EXPECT_FALSE(parse_hex("xyz").has_value());
  EXPECT_FALSE(parse_hex(std::string(33, '1')).has_value());
}

// ---- T-02: whoever seeds a generator and draws gets fair numbers from the first one on.

// How far a chi-square of `counts` lies from its mean, in standard deviations of the normal
// distribution that the cube root follows (Wilson and Hilferty). Thousands of such values are
// looked at below, with fixed seeds: a fair generator stays below 5 in all of them.
double surprise(std::span<const int> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = total / static_cast<double>(counts.size());
  double chi = 0;
  for (const int count : counts) chi += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size() - 1);
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(chi / freedom) - (1 - spread)) / std::sqrt(spread);
}
constexpr double too_surprising = 5;

// A family of generators, one for each number.
struct Family {
  const char* name;
  std::function<Rng(std::uint64_t)> member;
};
std::vector<Family> families() {
  return {{"consecutive seeds", [](std::uint64_t i) { return Rng(i); }},
          {"random seeds", [](std::uint64_t i) { return Rng(mix(i * 0x2545f4914f6cdd1d + 99)); }},
          {"seeds that differ in the high bits", [](std::uint64_t i) { return Rng(i << 48); }},
          {"streams of one seed", [](std::uint64_t i) { return Rng(0, i); }},
          {"one stream of consecutive seeds", [](std::uint64_t i) { return Rng(i, 1); }},
          {"named streams", [](std::uint64_t i) { return Rng(7, hash_text("deck", i)); }},
          {"children", [](std::uint64_t i) { return Rng(i).child(); }},
          {"second children", [](std::uint64_t i) {
             Rng parent(i);
             parent.child();
             return parent.child();
           }}};
}

TEST(Seeding, EveryDrawIsFairFromTheFirstOn) {  // T-01, T-02
  for (const Family& family : families())
    for (std::int64_t range = 2; range <= 100; ++range) {
      std::array<std::vector<int>, 4> counts;
      for (auto& c : counts) c.assign(static_cast<std::size_t>(range), 0);
      for (std::uint64_t i = 0; i < 10'000; ++i) {
        Rng rng = family.member(i);
        for (int draw = 1; draw <= 10; ++draw) {
          const auto value = static_cast<std::size_t>(rng.between(0, range - 1));
          if (draw <= 3) ++counts[static_cast<std::size_t>(draw - 1)][value];
          if (draw == 10) ++counts[3][value];
        }
      }
      for (std::size_t k = 0; k < counts.size(); ++k)
        ASSERT_LT(surprise(counts[k]), too_surprising)
            << family.name << ", range " << range << ", draw " << (k < 3 ? k + 1 : 10);
    }
}

TEST(Seeding, NeighboursHaveNothingInCommon) {  // T-01: seeds 2k and 2k+1 shared their first number
  for (const Family& family : families())
    for (const std::uint64_t distance : {1, 2, 3, 64, 256}) {
      std::vector<int> pairs(36);
      std::array<int, 64> equal_bits{};
      for (std::uint64_t i = 0; i < 10'000; ++i) {
        Rng a = family.member(i), b = family.member(i + distance);
        ++pairs[static_cast<std::size_t>(a.between(0, 5) * 6 + b.between(0, 5))];
        const std::uint64_t same = ~(a.next() ^ b.next());
        for (std::size_t bit = 0; bit < 64; ++bit)
          equal_bits[bit] += static_cast<int>((same >> bit) & 1);
      }
      ASSERT_LT(surprise(pairs), too_surprising) << family.name << " at " << distance;
      for (const int equal : equal_bits)
        ASSERT_NEAR(equal, 5'000, 50 * too_surprising) << family.name << " at " << distance;
    }
}

TEST(Seeding, EveryCardMayEndUpAnywhere) {  // T-02: of 52 cards only 13 ever reached the bottom
  for (const Family& family : families())
    for (std::size_t cards = 2; cards <= 52; ++cards) {
      std::vector<std::vector<int>> places(cards, std::vector<int>(cards));
      std::vector<std::size_t> deck(cards);
      for (std::uint64_t i = 0; i < 1'500; ++i) {
        Rng rng = family.member(i);
        std::iota(deck.begin(), deck.end(), 0);
        for (std::size_t k = cards - 1; k > 0; --k) std::swap(deck[k], deck[rng.below(k + 1)]);
        for (std::size_t place = 0; place < cards; ++place) ++places[deck[place]][place];
      }
      for (std::size_t card = 0; card < cards; ++card)
        ASSERT_LT(surprise(places[card]), too_surprising)
            << family.name << ", card " << card << " of " << cards;
    }
}

TEST(Seeding, NoTwoSeedsOrStreamsGiveTheSameGenerator) {
  std::vector<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (std::uint64_t stream = 0; stream < 300; ++stream)
      first.push_back(Rng(seed, stream).next());
  std::ranges::sort(first);
  EXPECT_EQ(std::ranges::adjacent_find(first), first.end());
}

}  // namespace
}  // namespace parlor
