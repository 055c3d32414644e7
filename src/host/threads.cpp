#include "host/threads.h"

#include <chrono>
#include <cstdlib>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

namespace parlor::host {

ThreadPool::ThreadPool(std::size_t threads, int niceness) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([=, this] { run(niceness); });
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  tasks_.clear();
}

void ThreadPool::post(Task task) {
  {
    const std::lock_guard lock{mutex_};
    if (stopping_) return;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

std::size_t ThreadPool::waiting() const {
  const std::lock_guard lock{mutex_};
  return tasks_.size();
}

void ThreadPool::run(int niceness) {
  // On Linux this is a property of the thread, not of the process.
  if (niceness > 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
  std::unique_lock lock{mutex_};
  while (true) {
    wake_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
    if (stopping_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = {};
    lock.lock();
  }
}

SystemTimers::SystemTimers() : thread_([this] { run(); }) {}

SystemTimers::~SystemTimers() {
  stop();
}

void SystemTimers::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Time SystemTimers::now() const {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count() + offset_;
}

TimerId SystemTimers::at(Time when, Task task) {
  const std::lock_guard lock{mutex_};
  const TimerId id = ++last_;
  waiting_.emplace(std::pair{when, id}, std::move(task));
  when_.emplace(id, when);
  wake_.notify_one();
  return id;
}

void SystemTimers::cancel(TimerId timer) {
  const std::lock_guard lock{mutex_};
  const auto found = when_.find(timer);
  if (found == when_.end()) return;
  waiting_.erase({found->second, timer});
  when_.erase(found);
}

void SystemTimers::run() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    const Time time = now();
    if (waiting_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const auto first = waiting_.begin();
    if (const Time left = first->first.first - time; left > 0) {
      // The system's clock may be set; looking again now and then keeps an error short.
      wake_.wait_for(lock, std::chrono::milliseconds{std::min<Time>(left, 1000)});
      continue;
    }
    Task task = std::move(first->second);
    when_.erase(first->first.second);
    waiting_.erase(first);
    lock.unlock();
    task();
    task = {};
    lock.lock();
  }
}

void system_random(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0) std::abort();  // without randomness there are no secrets
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace parlor::host
