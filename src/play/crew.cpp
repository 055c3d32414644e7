#include "play/crew.h"

#include <algorithm>

namespace parlor::play {
namespace {

// About 50 µs: longer than a step's threads differ, shorter than anybody notices.
constexpr int looks = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Until the number is another; gives that.
std::uint32_t await_change(const std::atomic<std::uint32_t>& number, std::uint32_t known,
                           int patience) {
  for (; patience > 0; --patience) {
    if (const std::uint32_t now = number.load(std::memory_order_acquire); now != known) return now;
    pause();
  }
  number.wait(known, std::memory_order_acquire);
  return number.load(std::memory_order_acquire);
}

}  // namespace

Crew::Crew(unsigned threads) : shares_(std::max(1u, threads)) {
  // Where threads share processors, whoever watches keeps another from working.
  patience_ = threads <= std::thread::hardware_concurrency() ? looks : 0;
  for (unsigned i = 1; i < threads; ++i) members_.emplace_back([this, i] { live(i); });
}

Crew::~Crew() {
  leave_ = true;
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  for (std::thread& member : members_) member.join();
}

void Crew::call(Task task, std::size_t rows) {
  task_ = task;
  const std::size_t pieces = (rows + piece - 1) / piece;
  for (std::size_t w = 0; w < shares_.size(); ++w) {
    const auto from = [&](std::size_t worker) {
      return std::min(rows, pieces * worker / shares_.size() * piece);
    };
    shares_[w].next.store(from(w), std::memory_order_relaxed);
    shares_[w].end = w + 1 < shares_.size() ? from(w + 1) : rows;
  }
  busy_.store(static_cast<std::uint32_t>(members_.size()), std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  take_pieces(0);
  for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;)
    left = await_change(busy_, left, patience_);
}

void Crew::take_pieces(std::size_t worker) {
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    Share& share = shares_[(worker + k) % shares_.size()];
    // Asked first: whoever adds to a number takes it away from the processor that has it.
    while (share.next.load(std::memory_order_relaxed) < share.end) {
      const std::size_t first = share.next.fetch_add(piece, std::memory_order_relaxed);
      if (first >= share.end) break;
      task_.work(task_.self, first, std::min(share.end, first + piece), worker);
    }
  }
}

void Crew::live(std::size_t worker) {
  for (std::uint32_t answered = 0;;) {
    answered = await_change(calls_, answered, patience_);
    if (leave_) return;
    take_pieces(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

}  // namespace parlor::play
