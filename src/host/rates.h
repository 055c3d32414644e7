// How often somebody may do something. A bucket holds `most` tokens and gets them back evenly over
// `period`; whoever finds it empty is told how long to wait.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host/services.h"

namespace parlor::host {

struct Rate {
  double most = 0;
  Time period = 1000;
};

class Buckets {
 public:
  explicit Buckets(Rate rate) : rate_(rate) {}
  // Nothing: go ahead. Otherwise the milliseconds until the next token.
  std::optional<Time> take(const std::string& who, Time now);
  std::size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens;
    Time at;
  };
  // Buckets that are full again are as good as none.
  void forget_full_ones(Time now);

  Rate rate_;
  std::map<std::string, Bucket> buckets_;
  std::size_t sweep_at_ = 1024;
};

// Whom an address counts as: an IPv6 address as its /64, since anybody has one of those.
std::string address_group(std::string_view address);

}  // namespace parlor::host
