// `go perft` of other chess engines, for comparison in the same run: nodes per second of processor
// time, without the time they take to start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

// The programs compared with: Debian's, or newer ones that were built elsewhere.
inline std::string program_named(const char* variable, const char* usual) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? given : usual;
}
inline std::string stockfish() {
  return program_named("PARLOR_STOCKFISH", "/usr/games/stockfish");
}
inline std::string fairy_stockfish() {
  return program_named("PARLOR_FAIRY_STOCKFISH", "/usr/games/fairy-stockfish");
}
// What a program calls itself.
inline std::string name_of(const std::string& program) {
  FILE* pipe = popen(fmt::format("printf 'uci\\nquit\\n' | {} 2>/dev/null", program).c_str(), "r");
  std::string name = program;
  char line[512];
  while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr)
    if (std::strncmp(line, "id name ", 8) == 0) {
      name = line + 8;
      name.erase(name.find_last_not_of("\r\n") + 1);
    }
  if (pipe != nullptr) pclose(pipe);
  return name;
}

// One run, start-up included.
inline PerftAnswer uci_run(const std::string& program, const std::string& position, int depth,
                           const std::string& options) {
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

// `position` and `options` are as in UCI: "startpos", "fen …"; lines that end in \\n. What a run of
// depth 1 takes is start-up and does not count.
inline PerftAnswer uci_perft(const std::string& program, const std::string& position, int depth,
                             const std::string& options = "") {
  auto answer = uci_run(program, position, depth, options);
  if (!answer) return answer;
  double startup = answer->seconds;
  for (int run = 0; run < 3; ++run)
    if (const auto idle = uci_run(program, position, 1, options))
      startup = std::min(startup, idle->seconds);
  answer->seconds -= startup;
  return answer;
}

}  // namespace parlor::bench
