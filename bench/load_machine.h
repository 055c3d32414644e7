// What the machine does by itself, beside what a program measured on it: how long its disk takes
// and how long it did not run us. A figure that is missed by what is found here is not the
// program's.
#pragma once

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parlor::load {

inline double percentile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

// Milliseconds for which somebody else had the processors of this virtual machine, since it began.
inline double stolen_ms() {
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;  // "cpu"
  double ticks = 0;
  for (int field = 1; field <= 8 && stat >> word; ++field)
    if (field == 8) ticks = std::stod(word);
  return 1000 * ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// How long it takes in milliseconds to write a few pages and to have them on the disk, one after
// the other at the pace of a busy store; in that folder, and nobody else writes meanwhile.
inline std::vector<double> disk_alone(const std::filesystem::path& folder, double seconds) {
  using Clock = std::chrono::steady_clock;
  const std::filesystem::path file = folder / ("probe-" + std::to_string(getpid()));
  const int open_file = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  std::vector<double> out;
  const std::string pages(4 * 4096, 'x');
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  for (auto next = Clock::now(); next < until; next += std::chrono::milliseconds{2}) {
    std::this_thread::sleep_until(next);
    const auto began = Clock::now();
    if (write(open_file, pages.data(), pages.size()) < 0 || fdatasync(open_file) != 0) break;
    out.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
  }
  close(open_file);
  std::filesystem::remove(file);
  return out;
}

}  // namespace parlor::load
