// Sets of zones as words: options written from them, steps and walks. What compiled code does with
// wider instructions is compared with the interpreter's in tests/games/native_test.cpp.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "kernel/state/reads.h"

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

// A board of so many rows and columns: neighbours as sets, and the same as rotations.
template <int W>
struct Grid {
  int rows, columns;
  std::vector<std::uint64_t> neighbours = std::vector<std::uint64_t>(64u * W * W);
  Zones<W> not_last = Zones<W>::all(false), not_first = not_last, not_top = not_last,
           not_bottom = not_last;

  Grid(int r, int c) : rows(r), columns(c) {
    for (int z = 0; z < rows * columns; ++z) {
      const auto join = [&](int other, Zones<W>& from) {
        from.put(z);
        put_zone(&neighbours[static_cast<std::size_t>(z) * W], ZoneId(other));
      };
      if (z % columns + 1 < columns) join(z + 1, not_last);
      if (z % columns > 0) join(z - 1, not_first);
      if (z / columns > 0) join(z - columns, not_top);
      if (z / columns + 1 < rows) join(z + columns, not_bottom);
    }
  }
  Zones<W> operator()(Zones<W> set) const {
    return (rotated(set, 1) & not_last) | (rotated(set, 64 * W - 1) & not_first) |
           (rotated(set, 64 * W - columns) & not_top) | (rotated(set, columns) & not_bottom);
  }
};

// A walk comes to the same by rotations as by a table, and to what one finds zone by zone; what it
// notes suffices to know its answer.
template <int W>
void walk_and_compare(int rows, int columns) {
  const Grid<W> grid(rows, columns);
  const BesideInTable table{grid.neighbours.data()};
  Rng rng(static_cast<Seed>(rows * columns));
  Zones<W> board = Zones<W>::all(false);
  for (int z = 0; z < rows * columns; ++z) board.put(z);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const Zones<W> through = some_zones<W>(rng, 1 + rng.below(3)) & board,
                   wanted = some_zones<W>(rng, 1 + rng.below(60)) & board;
    const ZoneId start(rng.below(static_cast<std::size_t>(rows * columns)));
    for (int i = 0; i < W; ++i)
      ASSERT_EQ(zones_beside(table.neighbours, through).w[i], grid(through).w[i]);
    std::vector<int> queue = {start.value};
    Zones<W> seen = Zones<W>::one(start);
    bool reaches = false;
    for (std::size_t k = 0; k < queue.size(); ++k)
      Zones<W>::load(&grid.neighbours[static_cast<std::size_t>(queue[k]) * W]).each([&](int z) {
        if (seen.has(z)) return true;
        seen.put(z);
        reaches = reaches || wanted.has(z);
        if (through.has(z)) queue.push_back(z);
        return true;
      });
    const Zones<W> from = Zones<W>::one(start);
    ASSERT_EQ(walk_reaches(table, from, through, wanted), reaches);
    ASSERT_EQ(walk_reaches(grid, from, through, wanted), reaches);
    const NotedWalk<W> one = walk_noting(table.neighbours, table, start, through, wanted),
                       other = walk_noting(table.neighbours, grid, start, through, wanted);
    ASSERT_EQ(one.found, reaches);
    ASSERT_EQ(other.found, reaches);
    ASSERT_EQ(one.end, other.end);
    for (int i = 0; i < W; ++i) ASSERT_EQ(one.zones.w[i], other.zones.w[i]);
    if (one.has_way) {
      ++found;
      ASSERT_TRUE(walk_reaches(table, from, one.zones, Zones<W>::one(one.end)));
      ASSERT_FALSE((one.zones & ~through).any());
    }
    const int beside = beside_in(table.neighbours, start.value, wanted);
    Zones<W> first = grid(from) & wanted;
    ASSERT_EQ(beside >= 0, first.any());
    if (beside >= 0) {
      ASSERT_EQ(beside, first_of(first).value);
    }
  }
  EXPECT_GT(found, 50);
}

TEST(ZoneSets, AreWalkedThroughByRotationsAsByATable) {
  walk_and_compare<1>(8, 8);
  walk_and_compare<1>(5, 7);
  walk_and_compare<2>(9, 9);
  walk_and_compare<4>(15, 15);
  walk_and_compare<8>(19, 19);
}

}  // namespace
}  // namespace parlor::kernel
