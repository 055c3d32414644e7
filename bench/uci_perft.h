// `go perft` of other chess engines, for comparison in the same run: nodes per second of processor
// time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tl/expected.hpp>

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

// The speed, or why there is none, in a few words.
using PerftAnswer = tl::expected<PerftSpeed, std::string>;

// How a shell reports the end of its last command: 127 when there is no such program, 128 and the
// number of the signal that ended it.
inline std::string why_silent(int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code == 127) return "not installed";
  if (code > 128) return fmt::format("crashed (signal {})", code - 128);
  return "does not count moves";
}

// `position` and `options` are as in UCI: "startpos", "fen …"; lines that end in \\n. The time is
// the child's own, start-up included.
inline PerftAnswer uci_perft(const std::string& program, const std::string& position, int depth,
                             const std::string& options = "") {
  const double begin = child_cpu_seconds();
  // The braces keep the shell quiet too when the program crashes.
  const std::string command =
      fmt::format("{{ printf '{}position {}\\ngo perft {}\\nquit\\n' | {}; }} 2>/dev/null", options,
                  position, depth, program);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return tl::unexpected(std::string("cannot be started"));
  PerftSpeed speed;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    unsigned long long nodes = 0;
    if (std::sscanf(line, "Nodes searched: %llu", &nodes) == 1) speed.nodes = nodes;
  }
  const int status = pclose(pipe);
  speed.seconds = child_cpu_seconds() - begin;
  if (speed.nodes == 0) return tl::unexpected(why_silent(status));
  return speed;
}

}  // namespace parlor::bench
