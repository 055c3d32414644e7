// Everything that waits to be kept at one moment is kept together: one trip to the disk for many
// tables.
#pragma once

#include <atomic>
#include <mutex>

#include "host/archive.h"
#include "host/codes.h"
#include "host/services.h"

namespace parlor::host {

class Writer {
 public:
  // One task at a time is posted to `executor`, so it may run them anywhere.
  Writer(Archive& archive, Executor& executor) : archive_(archive), executor_(executor) {}

  // Calls back, on the executor, once the group is kept or refused. Groups are kept in order.
  void submit(Group group, std::function<void(Applied)> then);
  std::size_t waiting() const;  // 0: everything is kept

  void forget();  // when nothing runs any more

  // For metrics: groups, transactions, and how long all of them took.
  struct Counts {
    std::uint64_t groups = 0, transactions = 0, microseconds = 0;
  };
  Counts counts() const;

 private:
  void drain();
  bool drain_once();  // false: nothing waits any more

  static constexpr std::size_t at_once = 64;
  Archive& archive_;
  Executor& executor_;
  mutable std::mutex mutex_;
  struct Waiting {
    Group group;
    std::function<void(Applied)> then;
  };
  std::deque<Waiting> waiting_;
  bool scheduled_ = false;
  Counts counts_;
};

}  // namespace parlor::host
