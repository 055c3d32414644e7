// How steps of many games are divided among threads.
#include "play/crew.h"

#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <numeric>

namespace parlor::play {
namespace {

// How often each row was worked on. Rows are divided, so nobody else writes to the same place.
std::vector<int> counts_after(Crew& crew, std::size_t rows, int calls) {
  std::vector<int> counts(rows);
  for (int n = 0; n < calls; ++n)
    crew.run(rows, [&](std::size_t first, std::size_t end, std::size_t) {
      for (std::size_t row = first; row < end; ++row) ++counts[row];
    });
  return counts;
}

TEST(Crew, WorksOnEveryRowOnce_P33) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    Crew crew(threads);
    for (const std::size_t rows : {1u, 15u, 16u, 17u, 33u, 100u, 256u, 1000u})
      EXPECT_EQ(counts_after(crew, rows, 50), std::vector<int>(rows, 50))
          << threads << " threads, " << rows << " rows";
  }
}

TEST(Crew, WorkersHaveNumbersBelowTheirCount_P33) {
  constexpr std::size_t threads = 4;
  Crew crew(threads);
  std::array<std::size_t, threads> rows_of{};
  for (int n = 0; n < 200; ++n)
    crew.run(500, [&](std::size_t first, std::size_t end, std::size_t worker) {
      rows_of.at(worker) += end - first;
    });
  EXPECT_EQ(std::accumulate(rows_of.begin(), rows_of.end(), std::size_t{0}), 200u * 500u);
}

// Whoever is done takes what others have not begun.
TEST(Crew, HelpsWhoeverIsHeldUp_P33) {
  Crew crew(2);
  std::array<std::size_t, 2> rows_of{};
  std::atomic<bool> asker_begun = false, rest_done = false;
  const auto say = [](std::atomic<bool>& what) {
    what = true;
    what.notify_all();
  };
  crew.run(64, [&](std::size_t first, std::size_t end, std::size_t worker) {
    rows_of.at(worker) += end - first;
    if (worker == 0) {
      say(asker_begun);
      rest_done.wait(false);
    } else {
      asker_begun.wait(false);
      if (rows_of[0] + rows_of[1] == 64) say(rest_done);
    }
  });
  EXPECT_EQ(rows_of[0], 16u);
  EXPECT_EQ(rows_of[1], 48u);
}

TEST(Crew, WakesThoseWhoHaveGoneToSleep_P33) {
  Crew crew(3);
  for (int n = 0; n < 5; ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(counts_after(crew, 300, 1), std::vector<int>(300, 1));
  }
}

TEST(Crew, LeavesWithoutEverHavingWorked_P33) {
  for (int n = 0; n < 100; ++n) Crew crew(4);
}

}  // namespace
}  // namespace parlor::play
