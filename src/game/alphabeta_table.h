// What the search of alphabeta.h shares between threads and remembers from one search to the next:
// values, the table of positions met before, and the watch that ends it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace parlor::alphabeta {

using Value = std::int64_t;
using MoveId = std::uint32_t;
inline constexpr MoveId no_move = std::numeric_limits<MoveId>::max();

inline constexpr Value win = 1'000'000'000;
inline constexpr Value decided = win / 4;  // values beyond: the game is won or lost
inline constexpr Value infinite = std::numeric_limits<Value>::max() / 4;

enum class Bound : std::uint8_t { none, exact, at_least, at_most };

// What is known of positions met before. Several searches may use it at the same time: an entry
// that two of them wrote at once is taken for none.
class Table {
 public:
  struct Entry {
    Value value = 0;
    MoveId move = no_move;
    int depth = 0;
    Bound bound = Bound::none;
  };
  explicit Table(std::size_t most_entries);  // rounded down to a power of two
  static constexpr std::size_t entry_bytes = 24;

  void clear();
  void begin_search() { age_ = static_cast<std::uint8_t>(age_ + 1); }
  std::optional<Entry> find(std::uint64_t key) const;
  // It will be asked for in a moment: memory is slow.
  void expect(std::uint64_t key) const { __builtin_prefetch(&slots_[key & mask_]); }
  void store(std::uint64_t key, Entry entry);
  int permille_full() const;  // with entries of this search

 private:
  struct Slot {
    std::atomic<std::uint64_t> check, value, rest;
  };
  std::unique_ptr<Slot[]> slots_;
  std::size_t mask_ = 0;
  std::uint8_t age_ = 0;
};

// How long a search may think. Others may change that, or end it, while it runs.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;
  // Where there is something that says so, it also ends when the answer is no longer wanted.
  explicit Watch(const std::atomic<bool>* wanted = nullptr)
      : began_(Clock::now()), wanted_(wanted) {}

  std::chrono::microseconds elapsed() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began_);
  }
  // From now on: after `soft` nothing new is begun, after `hard` everything ends.
  void allow(std::chrono::microseconds soft, std::chrono::microseconds hard);
  void stop() { stop_.store(true, std::memory_order_relaxed); }

  bool stopped() const {
    return stop_.load(std::memory_order_relaxed) ||
           (wanted_ != nullptr && !wanted_->load(std::memory_order_relaxed));
  }
  bool timed() const { return hard_.load(std::memory_order_relaxed) != never; }
  bool over() const { return stopped() || (timed() && elapsed().count() >= hard_); }
  bool late() const { return stopped() || (timed() && elapsed().count() >= soft_); }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  Clock::time_point began_;
  const std::atomic<bool>* wanted_;
  std::atomic<std::int64_t> soft_ = never;
  std::atomic<std::int64_t> hard_ = never;
  std::atomic<bool> stop_ = false;
};

}  // namespace parlor::alphabeta
