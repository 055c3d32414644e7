// A line on the terminal that tells how far a long job is, and a way to end it early: Ctrl-C asks
// it to stop and give what it has. Nothing is shown when standard error is no terminal.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>

#include "play/simulation.h"

namespace parlor::cli {

// While it lives, Ctrl-C sets `stopped` (a second one ends the program as usual), and so does the
// end of a budget of seconds; 0: there is none.
class Interrupt {
 public:
  explicit Interrupt(double seconds = 0);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static const std::atomic<bool>& stopped();

 private:
  std::jthread clock_;
};

// Draws the bar with rate and estimated time left; empty when nobody would see it.
std::function<void(const play::SimulationProgress&)> progress_bar(std::string_view unit);
void clear_progress_bar();

// 12345678 as "12.3 M".
std::string short_number(double value);

}  // namespace parlor::cli
