// The real services: threads, the system's clock, the system's randomness.
#pragma once

#include <condition_variable>
#include <map>
#include <thread>
#include <vector>

#include "host/services.h"

namespace parlor::host {

class ThreadPool final : public Executor {
 public:
  // `niceness` is added to that of the threads: searches give way to everything else.
  explicit ThreadPool(std::size_t threads, int niceness = 0);
  ~ThreadPool() override;
  // Finishes what was begun and forgets the rest, also what is posted later.
  void stop();
  void post(Task task) override;
  std::size_t waiting() const;

 private:
  void run(int niceness);

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

class SystemTimers final : public Timers {
 public:
  SystemTimers();
  ~SystemTimers() override;
  void stop();  // nothing begins any more
  Time now() const override;
  // The clock of somebody else who counts, e.g. a database, minus this machine's.
  void set_offset(Time offset) { offset_ = offset; }
  TimerId at(Time when, Task task) override;
  void cancel(TimerId timer) override;

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::pair<Time, TimerId>, Task> waiting_;
  std::map<TimerId, Time> when_;
  TimerId last_ = 0;
  bool stopping_ = false;
  std::atomic<Time> offset_ = 0;
  std::thread thread_;
};

void system_random(std::span<std::uint8_t> out);

}  // namespace parlor::host
