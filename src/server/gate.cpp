#include "server/gate.h"

#include <algorithm>
#include <array>

namespace parlor::server {
namespace {

constexpr std::array<const char*, 5> doings{"requests", "handles", "tables", "acts", "why"};

}  // namespace

Gate::Gate(const Limits& limits) : limits_(limits) {
  for (const host::Rate& rate :
       {limits.requests, limits.handles, limits.tables, limits.acts, limits.why})
    buckets_.emplace_back(rate);
}

std::optional<Rejection> Gate::refuse(Doing what, const std::string& address,
                                      const std::string& token, host::Time now) {
  const auto place = static_cast<std::size_t>(what);
  const std::lock_guard lock{mutex_};
  std::optional<host::Time> wait;
  // Several people behind one address act on their own account.
  const bool by_token = what == Doing::act || what == Doing::why;
  if (!by_token || token.empty())
    wait = buckets_[place].take("a:" + host::address_group(address), now);
  if (!wait && !token.empty()) wait = buckets_[place].take("t:" + token, now);
  if (!wait) return std::nullopt;
  ++refused_[doings[place]];
  return Rejection{host::code::RATE_LIMITED,
                   "too many " + std::string{doings[place]} + "; wait a little",
                   {{"retryAfterMs", *wait}}};
}

bool Gate::open_socket(const std::string& address) {
  const std::lock_guard lock{mutex_};
  std::size_t& count = sockets_[host::address_group(address)];
  if (count >= limits_.sockets_per_address || all_sockets_ >= limits_.sockets) {
    ++refused_["sockets"];
    if (count == 0) sockets_.erase(host::address_group(address));
    return false;
  }
  ++count;
  ++all_sockets_;
  return true;
}

void Gate::close_socket(const std::string& address) {
  const std::lock_guard lock{mutex_};
  const auto found = sockets_.find(host::address_group(address));
  if (found == sockets_.end()) return;
  --all_sockets_;
  if (--found->second == 0) sockets_.erase(found);
}

void Gate::note_act(double milliseconds) {
  const std::lock_guard lock{mutex_};
  for (std::size_t i = 0; i < ActTimes::bounds.size(); ++i)
    if (milliseconds <= ActTimes::bounds[i]) ++act_times_.at_most[i];
  ++act_times_.count;
  act_times_.sum += milliseconds;
}

Gate::ActTimes Gate::act_times() const {
  const std::lock_guard lock{mutex_};
  return act_times_;
}

void Gate::note_slow() {
  const std::lock_guard lock{mutex_};
  ++refused_["slow"];
}

std::size_t Gate::sockets() const {
  const std::lock_guard lock{mutex_};
  return all_sockets_;
}

std::map<std::string, std::uint64_t> Gate::refused() const {
  const std::lock_guard lock{mutex_};
  return refused_;
}

bool origin_allowed(const Asking& asking, const std::vector<std::string>& others) {
  if (!asking.has_origin) return !asking.browser;
  if (std::ranges::find(others, asking.origin) != others.end()) return true;
  for (const std::string_view scheme : {"http://", "https://"})
    if (asking.origin.starts_with(scheme) && !asking.host.empty() &&
        asking.origin.substr(scheme.size()) == asking.host)
      return true;
  return false;
}

}  // namespace parlor::server
