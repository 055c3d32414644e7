// Places for the nodes of a graph that has none, so that neighbours lie about one unit apart.
// Whole numbers throughout: the same graph gets the same picture on every machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace parlor {

struct Point {
  std::int64_t x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// `neighbours` by node. In thousandths of a unit; the least x and y are 0. Parts of the graph that
// are not connected lie side by side.
std::vector<Point> lay_out_graph(const std::vector<std::vector<int>>& neighbours);

}  // namespace parlor
