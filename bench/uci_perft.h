// `go perft` of other chess engines, for comparison in the same run: nodes per second of processor
// time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace parlor::bench {

struct PerftSpeed {
  std::uint64_t nodes = 0;
  double seconds = 0;
  double per_second() const { return seconds > 0 ? static_cast<double>(nodes) / seconds : 0; }
};

inline double child_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Nothing when the engine is not installed or does not count. `position` and `options` are as in
// UCI: "startpos", "fen …"; lines that end in \\n. The time is the child's own, start-up included.
inline std::optional<PerftSpeed> uci_perft(const std::string& program, const std::string& position,
                                           int depth, const std::string& options = "") {
  const double begin = child_cpu_seconds();
  const std::string command =
      fmt::format("printf '{}position {}\\ngo perft {}\\nquit\\n' | {} 2>/dev/null", options,
                  position, depth, program);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  PerftSpeed speed;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    unsigned long long nodes = 0;
    if (std::sscanf(line, "Nodes searched: %llu", &nodes) == 1) speed.nodes = nodes;
  }
  pclose(pipe);
  speed.seconds = child_cpu_seconds() - begin;
  if (speed.nodes == 0) return std::nullopt;
  return speed;
}

}  // namespace parlor::bench
