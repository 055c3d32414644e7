#include "cli/progress.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <fmt/core.h>
#include <mutex>
#include <unistd.h>

namespace parlor::cli {
namespace {

std::atomic<bool> interrupted{false};

void on_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Interrupt::Interrupt(double seconds) {
  interrupted = false;
  std::signal(SIGINT, on_interrupt);
  if (seconds <= 0) return;
  clock_ = std::jthread([seconds](const std::stop_token& over) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any ended;
    ended.wait_for(lock, over, std::chrono::duration<double>(seconds), [] { return false; });
    if (!over.stop_requested()) interrupted = true;
  });
}
Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
}
const std::atomic<bool>& Interrupt::stopped() {
  return interrupted;
}

std::function<void(const play::SimulationProgress&)> progress_bar(std::string_view unit) {
  if (isatty(STDERR_FILENO) != 1) return {};
  return [unit](const play::SimulationProgress& progress) {
    constexpr int width = 30;
    const double share = progress.games == 0 ? 1
                                             : static_cast<double>(progress.done) /
                                                   static_cast<double>(progress.games);
    const double rate =
        progress.seconds > 0 ? static_cast<double>(progress.done) / progress.seconds : 0;
    const double left = rate > 0 ? static_cast<double>(progress.games - progress.done) / rate : 0;
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < static_cast<int>(share * width) ? "█" : "░";
    fmt::print(stderr, "\r\033[K{} {:3.0f}%  {} of {} {}  {}/s  {} left", bar, share * 100,
               progress.done, progress.games, unit, short_number(rate), duration(left));
    std::fflush(stderr);
  };
}

void clear_progress_bar() {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K");
}

std::string short_number(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

}  // namespace parlor::cli
