#include "host/rates.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cmath>

namespace parlor::host {

std::optional<Time> Buckets::take(const std::string& who, Time now) {
  if (buckets_.size() >= sweep_at_) forget_full_ones(now);
  Bucket& bucket = buckets_.try_emplace(who, Bucket{rate_.most, now}).first->second;
  const double per_ms = rate_.most / static_cast<double>(rate_.period);
  const double gained = static_cast<double>(std::max<Time>(0, now - bucket.at)) * per_ms;
  bucket.tokens = std::min(rate_.most, bucket.tokens + gained);
  bucket.at = std::max(bucket.at, now);
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return std::nullopt;
  }
  return std::max<Time>(1, static_cast<Time>(std::ceil((1 - bucket.tokens) / per_ms)));
}

void Buckets::forget_full_ones(Time now) {
  std::erase_if(buckets_, [&](const auto& entry) { return now - entry.second.at >= rate_.period; });
  sweep_at_ = std::max<std::size_t>(1024, 2 * buckets_.size());
}

std::string address_group(std::string_view address) {
  std::array<unsigned char, 16> bytes{};
  const std::string text{address};
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return text;
  constexpr std::array<unsigned char, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  std::array<char, INET6_ADDRSTRLEN> out{};
  if (std::equal(mapped.begin(), mapped.end(), bytes.begin()))  // an IPv4 address in disguise
    return inet_ntop(AF_INET, bytes.data() + 12, out.data(), out.size());
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return std::string{inet_ntop(AF_INET6, bytes.data(), out.data(), out.size())} + "/64";
}

}  // namespace parlor::host
