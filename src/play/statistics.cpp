#include "play/statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace parlor::play {

namespace {
constexpr double z95 = 1.959964;
}  // namespace

Interval wilson(double successes, double trials) {
  if (trials <= 0) return {};
  constexpr double z = z95;
  const double share = successes / trials;
  const double scale = 1 + z * z / trials;
  const double centre = (share + z * z / (2 * trials)) / scale;
  const double spread =
      z / scale * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials));
  return {std::max(0.0, centre - spread), std::min(1.0, centre + spread)};
}

Interval interval_of_mean(std::span<const double> values) {
  if (values.empty()) return {0, 0};
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double spread = count < 2 ? 0 : z95 * std::sqrt(squares / (count - 1) / count);
  return {mean - spread, mean + spread};
}

// The delta method: the variance of -log p over the choices, divided by their number.
Interval interval_of_evenness(std::span<const std::uint64_t> counts) {
  const double evenness = normalised_entropy(counts);
  double total = 0, mean = 0, squares = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  if (counts.size() < 2 || total == 0) return {evenness, evenness};
  for (const auto count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / total, bits = -std::log2(share);
    mean += share * bits;
    squares += share * bits * bits;
  }
  const double spread = z95 * std::sqrt(std::max(0.0, squares - mean * mean) / total) /
                        std::log2(static_cast<double>(counts.size()));
  return {std::max(0.0, evenness - spread), std::min(1.0, evenness + spread)};
}

double normalised_entropy(std::span<const std::uint64_t> counts) {
  double total = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  if (counts.size() < 2 || total == 0) return 0;
  double bits = 0;
  for (const auto count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / total;
    bits -= share * std::log2(share);
  }
  return bits / std::log2(static_cast<double>(counts.size()));
}

double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = at - static_cast<double>(below);
  return sorted[below] * (1 - part) + sorted[above] * part;
}

Summary summarise(std::vector<double> values) {
  Summary summary;
  if (values.empty()) return summary;
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  for (const double value : values) summary.mean += value / count;
  for (const double value : values)
    summary.deviation += (value - summary.mean) * (value - summary.mean) / count;
  summary.deviation = std::sqrt(summary.deviation);
  summary.low = percentile(values, 0.05);
  summary.quarter = percentile(values, 0.25);
  summary.median = percentile(values, 0.5);
  summary.three_quarters = percentile(values, 0.75);
  summary.high = percentile(values, 0.95);
  summary.least = values.front();
  summary.most = values.back();
  return summary;
}

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

}  // namespace parlor::play
