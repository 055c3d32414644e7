// The few statistics that evaluation needs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace parlor::play {

struct Interval {
  double low = 0;
  double high = 1;
};

// Wilson's 95% confidence interval for a share; `successes` may count halves.
Interval wilson(double successes, double trials);

// 95% intervals of a mean, and of an evenness (normalised_entropy) of so many choices.
Interval interval_of_mean(std::span<const double> values);
Interval interval_of_evenness(std::span<const std::uint64_t> counts);

// Of the distribution given by counts, in bits, divided by its greatest possible value: 1 means all
// are equally frequent, 0 that only one occurs.
double normalised_entropy(std::span<const std::uint64_t> counts);

struct Summary {
  double mean = 0;
  double deviation = 0;
  double low = 0;  // 5th percentile
  double quarter = 0;
  double median = 0;
  double three_quarters = 0;
  double high = 0;  // 95th percentile
  double least = 0;
  double most = 0;
};
Summary summarise(std::vector<double> values);
double percentile(std::span<const double> sorted, double share);
std::string percent(double share);  // "42%"

}  // namespace parlor::play
