#include "base/rng.h"

#include <array>
#include <gtest/gtest.h>

namespace parlor {
namespace {

// Computed with an independent implementation (Python integers) of the published recurrence.
TEST(Rng, GivesTheReferenceStream) {
  struct Case {
    std::uint64_t seed;
    std::array<std::uint64_t, 5> words;
  };
  const Case cases[] = {
      {0,
       {0x6c95836298ef2ba0, 0x81c8a96038d5adcf, 0x8f596b4a65382b52, 0x69be5c6e451060eb,
        0xe04a137ce2933621}},
      {1,
       {0x6c95836298ef2ba0, 0x006174ff02b108d1, 0x5fb57e1b6358d7ff, 0x295be46c8183cbb6,
        0xf728a33e88b3fcea}},
      {42,
       {0xba5909abdeb2f2e0, 0x6131c7d2a2dabe94, 0x6182f1eef548858b, 0xb0bc3847b67e2341,
        0xcb17407ae4b8eb69}},
      {18446744073709551615u,
       {0x936a7c9d6710d460, 0xbe28bfae53f4b8ed, 0x23dff70e4cc7bf40, 0x52c6859bbbcb998d,
        0x1a9d7f07f68f4fff}},
  };
  for (const Case& c : cases) {
    Rng rng{c.seed};
    for (const std::uint64_t word : c.words) EXPECT_EQ(rng.next(), word) << "seed " << c.seed;
  }
}

TEST(Rng, BoundedIntegersMatchTheReference) {
  Rng rng{std::uint64_t{42}};
  const std::array<std::int64_t, 12> dice{5, 5, 6, 6, 4, 3, 1, 5, 2, 5, 4, 4};
  for (const std::int64_t face : dice) EXPECT_EQ(rng.between(1, 6), face);
  const std::int64_t top = (std::int64_t{1} << 62) + 12345;  // makes rejection likely
  EXPECT_EQ(rng.between(0, top), 453719550960537832);
  EXPECT_EQ(rng.between(0, top), 1168076960698497142);
  EXPECT_EQ(rng.between(0, top), 1029219994161740481);
  EXPECT_EQ(rng.between(7, 7), 7);  // still draws a word
  EXPECT_EQ(rng.next(), 14677798079844577721u);
}

TEST(Rng, BoundedIntegersAreUnbiased) {
  Rng rng{std::uint64_t{7}};
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

}  // namespace
}  // namespace parlor
