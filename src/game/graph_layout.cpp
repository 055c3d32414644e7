// Stress majorisation (Gansner, Koren, North 2004) from a fixed start: every node is pulled to
// where its distances on paper are most like its distances in the graph, nearer ones counting more.
#include "game/graph_layout.h"

#include <algorithm>

namespace parlor {
namespace {

constexpr std::int64_t unit = 1000;
constexpr std::int64_t fine = 64;  // parts of a thousandth to compute with

std::int64_t root(std::int64_t n) {
  std::int64_t out = 0;
  for (std::int64_t bit = std::int64_t{1} << 31; bit != 0; bit >>= 1)
    if (out + bit <= n / (out + bit)) out += bit;
  return out;
}

// Steps from one node to all of a component; the nodes in the order they are reached.
std::vector<int> reach(const std::vector<std::vector<int>>& neighbours, int from,
                       std::vector<int>& steps) {
  std::ranges::fill(steps, -1);
  std::vector<int> order{from};
  steps[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int next : neighbours[static_cast<std::size_t>(order[i])])
      if (steps[static_cast<std::size_t>(next)] < 0) {
        steps[static_cast<std::size_t>(next)] = steps[static_cast<std::size_t>(order[i])] + 1;
        order.push_back(next);
      }
  return order;
}

// A spiral of whole numbers: no two nodes at one place, later ones further out.
Point spiral(std::size_t index) {
  static constexpr std::int64_t ways[8][2] = {{1000, 0},  {707, 707},   {0, 1000},  {-707, 707},
                                              {-1000, 0}, {-707, -707}, {0, -1000}, {707, -707}};
  const auto& way = ways[index * 3 % 8];
  const auto far = static_cast<std::int64_t>(index) * 60;
  return {way[0] * far * fine / 100 + static_cast<std::int64_t>(index), way[1] * far * fine / 100};
}

class Component {
 public:
  Component(const std::vector<std::vector<int>>& neighbours, std::vector<int> nodes)
      : nodes_(std::move(nodes)), places_(nodes_.size()) {
    std::vector<int> steps(neighbours.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      reach(neighbours, nodes_[i], steps);
      for (const int other : nodes_) distances_.push_back(steps[static_cast<std::size_t>(other)]);
      places_[i] = spiral(i);
    }
  }

  void settle() {
    const std::size_t size = nodes_.size();
    const std::size_t rounds = size < 60 ? 400 : std::max<std::size_t>(20, 1'440'000 / size / size);
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < size; ++i) places_[i] = pulled(i);
  }

  // Moves it so that its least corner is at `x`, 0; gives where it ends.
  std::int64_t put(std::int64_t x, std::vector<Point>& out) const {
    Point least = places_.front();
    std::int64_t right = INT64_MIN;
    for (const Point& p : places_) least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Point p{x + (places_[i].x - least.x) / fine, (places_[i].y - least.y) / fine};
      out[static_cast<std::size_t>(nodes_[i])] = p;
      right = std::max(right, p.x);
    }
    return right;
  }

 private:
  Point pulled(std::size_t i) const {
    std::int64_t weights = 0;
    Point sum;
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      const std::int64_t steps = distances_[i * nodes_.size() + j];
      if (j == i || steps <= 0) continue;
      const std::int64_t weight = std::max<std::int64_t>(1, 3600 / (steps * steps));
      const std::int64_t dx = places_[i].x - places_[j].x, dy = places_[i].y - places_[j].y;
      const std::int64_t apart = std::max<std::int64_t>(1, root(dx * dx + dy * dy));
      const std::int64_t wanted = steps * unit * fine;
      sum.x += weight * (places_[j].x + dx * wanted / apart);
      sum.y += weight * (places_[j].y + dy * wanted / apart);
      weights += weight;
    }
    return weights == 0 ? places_[i] : Point{sum.x / weights, sum.y / weights};
  }

  std::vector<int> nodes_;
  std::vector<Point> places_;
  std::vector<std::int64_t> distances_;
};

}  // namespace

std::vector<Point> lay_out_graph(const std::vector<std::vector<int>>& neighbours) {
  std::vector<Point> out(neighbours.size());
  std::vector<bool> placed(neighbours.size());
  std::vector<int> steps(neighbours.size());
  std::int64_t x = 0;
  for (std::size_t start = 0; start < neighbours.size(); ++start) {
    if (placed[start]) continue;
    std::vector<int> nodes = reach(neighbours, static_cast<int>(start), steps);
    for (const int node : nodes) placed[static_cast<std::size_t>(node)] = true;
    Component component(neighbours, std::move(nodes));
    component.settle();
    x = component.put(x, out) + 2 * unit;
  }
  return out;
}

}  // namespace parlor
