// How states keep ids: in 16 bits, as links that count from 1, as bits of a set.
#include <gtest/gtest.h>

#include "kernel/state/writes.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {
namespace {

static_assert(!std::is_convertible_v<TokenId, ZoneId> && !std::is_constructible_v<ZoneId, TokenId>);
static_assert(!std::is_convertible_v<int, ZoneId> && !std::is_convertible_v<ZoneId, int>);
static_assert(sizeof(Stored<ZoneId>) == 2 && std::is_trivially_copyable_v<Stored<ZoneId>>);

TEST(StateIds, AreTheSameInSixteenBits) {
  for (const ZoneId z : {ZoneId(0), ZoneId(511), ZoneId::none()}) {
    const Stored<ZoneId> stored = z;
    EXPECT_EQ(ZoneId(stored), z);
  }
}

TEST(StateIds, AreLinksThatCountFromOne) {
  EXPECT_TRUE(linked(0).is_none()) << "zero bytes are an empty zone";
  EXPECT_EQ(link_to(TokenId::none()), 0);
  for (const TokenId t : {TokenId(0), TokenId(31'999)}) EXPECT_EQ(linked(link_to(t)), t);
}

TEST(StateIds, AreValuesThatTellZonesFromTokens) {
  EXPECT_EQ(Value::zone(ZoneId(7)), Value::symbol(7)) << "a zone is the symbol of its name";
  EXPECT_EQ(Value::zone(ZoneId(7)).as_zone(), ZoneId(7));
  EXPECT_EQ(Value::token(TokenId(7)).as_token(), TokenId(7));
  EXPECT_NE(Value::zone(ZoneId(7)), Value::token(TokenId(7)));
}

TEST(StateIds, AreBitsOfASet) {
  std::uint64_t words[2] = {};
  put_zone(words, ZoneId(3));
  put_zone(words, ZoneId(64));
  EXPECT_TRUE(has_zone(words, ZoneId(3)));
  EXPECT_FALSE(has_zone(words, ZoneId(4)));
  const auto set = Zones<2>::load(words);
  EXPECT_TRUE(set.has(ZoneId(64)));
  std::vector<ZoneId> zones;
  set.each([&](ZoneId z) { return zones.push_back(z), true; });
  EXPECT_EQ(zones, (std::vector{ZoneId(3), ZoneId(64)}));
  drop_zone(words, ZoneId(64));
  EXPECT_FALSE(has_zone(words, ZoneId(64)));
}

}  // namespace
}  // namespace parlor::kernel
