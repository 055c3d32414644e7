// Maps without coordinates get the same picture everywhere.
#include "game/graph_layout.h"

#include <gtest/gtest.h>

namespace parlor {
namespace {

std::vector<std::vector<int>> ring(int size) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i)
    out[static_cast<std::size_t>(i)] = {(i + 1) % size, (i + size - 1) % size};
  return out;
}

std::int64_t square_distance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(GraphLayout, NeighboursLieAboutOneUnitApart) {  // W-03
  const auto graph = ring(8);
  const std::vector<Point> places = lay_out_graph(graph);
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (const int next : graph[i]) {
      const std::int64_t apart = square_distance(places[i], places[static_cast<std::size_t>(next)]);
      EXPECT_GT(apart, 700 * 700);
      EXPECT_LT(apart, 1400 * 1400);
    }
}

TEST(GraphLayout, IsTheSameEveryTime) {  // W-03
  EXPECT_EQ(lay_out_graph(ring(11)), lay_out_graph(ring(11)));
  const std::vector<Point> two = lay_out_graph({{1}, {0}});
  EXPECT_NEAR(static_cast<double>(square_distance(two[0], two[1])), 1000.0 * 1000.0, 3000.0);
}

TEST(GraphLayout, PartsThatAreNotConnectedLieSideBySide) {  // W-03
  const std::vector<Point> places = lay_out_graph({{1}, {0}, {3}, {2}, {}});
  EXPECT_GT(places[2].x, places[0].x);
  EXPECT_GT(places[4].x, places[2].x);
  EXPECT_TRUE(lay_out_graph({}).empty());
}

}  // namespace
}  // namespace parlor
