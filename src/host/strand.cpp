#include "host/services.h"

namespace parlor::host {

void Strand::post(Task task) {
  {
    const std::lock_guard lock{mutex_};
    waiting_.push_back(std::move(task));
    if (scheduled_) return;
    scheduled_ = true;
  }
  executor_.post([self = shared_from_this()] { self->run_some(); });
}

void Strand::dispatch(Task task) {
  {
    const std::lock_guard lock{mutex_};
    if (scheduled_) return waiting_.push_back(std::move(task));
    scheduled_ = true;
  }
  task();
  {
    const std::lock_guard lock{mutex_};
    scheduled_ = !waiting_.empty();
    if (!scheduled_) return;
  }
  executor_.post([self = shared_from_this()] { self->run_some(); });
}

bool Strand::waiting() const {
  const std::lock_guard lock{mutex_};
  return !waiting_.empty();
}

void Strand::forget() {
  std::deque<Task> forgotten;
  const std::lock_guard lock{mutex_};
  forgotten.swap(waiting_);
}

// A few tasks, then the others get their turn.
void Strand::run_some() {
  constexpr int at_once = 16;
  for (int done = 0; done < at_once; ++done) {
    Task task;
    {
      const std::lock_guard lock{mutex_};
      if (waiting_.empty()) {
        scheduled_ = false;
        return;
      }
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
  executor_.post([self = shared_from_this()] { self->run_some(); });
}

}  // namespace parlor::host
