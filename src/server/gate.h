// Who may come in, and how often. Any thread may ask.
#pragma once

#include <array>
#include <map>
#include <mutex>

#include "server/settings.h"

namespace parlor::server {

enum class Doing : std::uint8_t { request, handle, table, act, why };

class Gate {
 public:
  explicit Gate(const Limits& limits);

  // Counts it for the address and, if known, for the handle or seat. The rejection says how long to
  // wait.
  std::optional<Rejection> refuse(Doing what, const std::string& address, const std::string& token,
                                  host::Time now);
  // False: too many sockets of this address, or altogether.
  bool open_socket(const std::string& address);
  void close_socket(const std::string& address);
  std::size_t sockets() const;
  void note_slow();                                      // a reader that was sent away
  std::map<std::string, std::uint64_t> refused() const;  // by what
  // How long acts took from the socket to their answer, as a histogram: how many took at most so
  // many milliseconds.
  void note_act(double milliseconds);
  struct ActTimes {
    static constexpr std::array<double, 9> bounds{1, 2, 5, 10, 20, 50, 100, 250, 1000};
    std::array<std::uint64_t, bounds.size()> at_most{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  ActTimes act_times() const;

 private:
  Limits limits_;
  mutable std::mutex mutex_;
  std::vector<host::Buckets> buckets_;  // one per Doing
  std::map<std::string, std::size_t> sockets_;
  std::size_t all_sockets_ = 0;
  std::map<std::string, std::uint64_t> refused_;
  ActTimes act_times_;
};

// Whether what was sent comes from a page of this server, of one that is allowed, or of none.
struct Asking {
  std::string_view origin, host;
  bool has_origin = false;
  bool browser = false;  // sends headers that only browsers send
};
bool origin_allowed(const Asking& asking, const std::vector<std::string>& others);

}  // namespace parlor::server
