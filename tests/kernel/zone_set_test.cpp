// Sets of zones as words, and options written from them. What compiled code does with
// wider instructions is compared with the interpreter's in tests/games/native_test.cpp.
#include "kernel/state/zone_set.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace parlor::kernel {
namespace {

template <int W>
Zones<W> some_zones(Rng& rng, std::size_t one_in) {
  Zones<W> out = Zones<W>::all(false);
  for (int z = 0; z < 64 * W; ++z)
    if (rng.below(one_in) == 0) out.put(z);
  return out;
}

template <int W>
void write_and_compare() {
  Rng rng(W);
  for (int round = 0; round < 40; ++round) {
    const Zones<W> set = round == 0   ? Zones<W>::all(true)
                         : round == 1 ? Zones<W>::all(false)
                                      : some_zones<W>(rng, 1 + rng.below(20));
    const int shift = static_cast<int>(rng.between(12, 40));
    const std::int64_t base = -rng.between(0, 3);
    const std::uint64_t id = rng.below(4096);
    std::uint64_t written[64 * W];
    std::uint64_t* const end = write_zones(written, set, id, shift, base);
    std::vector<std::uint64_t> wanted;
    for (int z = 0; z < 64 * W; ++z)
      if (set.has(z)) wanted.push_back(id | static_cast<std::uint64_t>(z - base) << shift);
    ASSERT_EQ(std::vector<std::uint64_t>(written, end), wanted);
  }
}

TEST(ZoneSets, AreWrittenAsOptionsInOrder) {
  write_and_compare<1>();
  write_and_compare<2>();
  write_and_compare<4>();
  write_and_compare<8>();
}

template <int W>
void put_and_drop() {
  Rng rng(W + 7);
  Zones<W> set = Zones<W>::all(false);
  std::uint64_t words[W] = {};
  for (int n = 0; n < 500; ++n) {
    const ZoneId z(rng.below(64 * W));
    if (rng.below(2) == 0)
      set.put(z), put_zone(words, z);
    else
      set.drop(z), drop_zone(words, z);
    for (int w = 0; w < W; ++w) ASSERT_EQ(set.w[w], words[w]);
  }
}

TEST(ZoneSets, ArePutTogetherZoneByZone) {
  put_and_drop<1>();
  put_and_drop<2>();
  put_and_drop<4>();
  put_and_drop<8>();
}

}  // namespace
}  // namespace parlor::kernel
