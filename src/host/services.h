// What a host takes from outside: time, timers, threads and randomness. The server gives it real
// ones (threads.h), tests give it simulated ones, so that everything a host does can be repeated.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "table/log.h"

namespace parlor::host {

using table::Time;  // milliseconds since 1970
using Task = std::function<void()>;

// Somewhere to run tasks: in the order given, or several at once.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void post(Task task) = 0;
};

// Runs tasks where they are posted, before `post` returns.
class Inline final : public Executor {
 public:
  void post(Task task) override { task(); }
};

// Runs tasks one at a time, in order, on an executor that may have many threads. Whatever is
// touched by the tasks of one strand alone needs no lock.
class Strand : public std::enable_shared_from_this<Strand> {
 public:
  explicit Strand(Executor& executor) : executor_(executor) {}
  void post(Task task);
  // Here and now if nothing runs or waits, else as `post`: for short tasks on threads that can bear
  // them, which saves waking another one.
  void dispatch(Task task);
  bool waiting() const;  // something is still to be run
  void forget();         // when nothing runs any more

 private:
  void run_some();

  Executor& executor_;
  mutable std::mutex mutex_;
  std::deque<Task> waiting_;
  bool scheduled_ = false;
};

using TimerId = std::uint64_t;  // 0: none

class Timers {
 public:
  virtual ~Timers() = default;
  virtual Time now() const = 0;
  // Runs the task at that time or soon after, on a thread of its own choice: tasks only post.
  virtual TimerId at(Time when, Task task) = 0;
  // Afterwards the task does not begin any more, unless it has begun already.
  virtual void cancel(TimerId timer) = 0;
};

// Fills bytes that nobody can foresee.
using Random = std::function<void(std::span<std::uint8_t>)>;

}  // namespace parlor::host
