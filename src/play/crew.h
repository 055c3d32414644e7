// Threads that do the same kind of work again and again, each time divided by rows: what a table of
// many games does at every step. A step takes a few dozen microseconds, about as long as waking a
// thread that sleeps, so they watch for work for a moment before they sleep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace parlor::play {

class Crew {
 public:
  // The one who asks works along and is one of the threads.
  explicit Crew(unsigned threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Calls work(first, end, worker) for pieces of 0…rows, every row once, and returns when all are
  // done. Every worker has a part of its own, so that rows stay near the processor that had them
  // the last time; whoever is done helps the others.
  template <class Work>
  void run(std::size_t rows, Work&& work) {
    if (members_.empty() || rows <= piece) return work(0, rows, 0);
    call({[](void* self, std::size_t first, std::size_t end, std::size_t worker) {
            (*static_cast<std::remove_reference_t<Work>*>(self))(first, end, worker);
          },
          &work},
         rows);
  }

 private:
  static constexpr std::size_t piece = 16;  // rows that are taken at once
  static constexpr std::size_t line = 64;   // bytes that processors hand to each other

  struct Task {
    void (*work)(void* self, std::size_t first, std::size_t end, std::size_t worker) = nullptr;
    void* self = nullptr;
  };
  struct alignas(line) Share {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  void call(Task task, std::size_t rows);
  void live(std::size_t worker);
  void take_pieces(std::size_t worker);

  std::vector<std::thread> members_;
  std::vector<Share> shares_;  // by worker
  Task task_;
  int patience_ = 0;  // looks before somebody who waits goes to sleep
  alignas(line) std::atomic<std::uint32_t> calls_ = 0;  // changes when there is work, or none ever
  alignas(line) std::atomic<std::uint32_t> busy_ = 0;
  bool leave_ = false;
};

}  // namespace parlor::play
