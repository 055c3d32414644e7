#include "host/writer.h"

#include <chrono>

namespace parlor::host {

void Writer::submit(Group group, std::function<void(Applied)> then) {
  {
    const std::lock_guard lock{mutex_};
    waiting_.push_back({std::move(group), std::move(then)});
    if (scheduled_) return;
    scheduled_ = true;
  }
  executor_.post([this] { drain(); });
}

void Writer::drain() {
  while (drain_once()) {
  }
}

bool Writer::drain_once() {
  std::vector<Group> groups;
  std::vector<std::function<void(Applied)>> thens;
  {
    const std::lock_guard lock{mutex_};
    while (!waiting_.empty() && groups.size() < at_once) {
      groups.push_back(std::move(waiting_.front().group));
      thens.push_back(std::move(waiting_.front().then));
      waiting_.pop_front();
    }
  }
  const auto began = std::chrono::steady_clock::now();
  std::vector<Applied> answers = archive_.write(groups);
  const auto took = std::chrono::steady_clock::now() - began;
  for (std::size_t i = 0; i < thens.size(); ++i) thens[i](std::move(answers[i]));
  const std::lock_guard lock{mutex_};
  counts_.groups += groups.size();
  ++counts_.transactions;
  counts_.microseconds += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  return scheduled_ = !waiting_.empty();
}

std::size_t Writer::waiting() const {
  const std::lock_guard lock{mutex_};
  return waiting_.size() + (scheduled_ ? 1 : 0);
}

void Writer::forget() {
  const std::lock_guard lock{mutex_};
  waiting_.clear();
}

Writer::Counts Writer::counts() const {
  const std::lock_guard lock{mutex_};
  return counts_;
}

}  // namespace parlor::host
