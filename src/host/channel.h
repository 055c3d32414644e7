// What one kind of viewer is told: the people on one seat, or everybody who watches. It counts what
// it says and keeps the latest, so that somebody who was cut off gets what they missed.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "host/told.h"

namespace parlor::host {

class Channel {
 public:
  explicit Channel(std::uint64_t epoch) : seq_(epoch << 24), delivered_(seq_) {}

  // ---- When something happens.
  std::uint64_t next_seq() { return ++seq_; }
  std::uint64_t seq() const { return seq_; }
  // Something was not told because nobody listens: whoever comes back needs everything.
  void skip() {
    delivered_ = ++seq_;
    ring_.clear();
    ring_bytes_ = 0;
    last.reset();
  }
  bool attended() const { return !listeners_.empty() || expected_ > 0; }
  // Somebody listens, or did a moment ago.
  bool live(Time now) const;
  void expect() { ++expected_; }  // somebody is joining

  // ---- When it is safe to say.
  void deliver(const FramePtr& frame);
  // What came after `since` and is still there; nothing if that is not all of it.
  std::optional<std::vector<FramePtr>> missed(std::uint64_t since) const;
  void add(ListenerPtr listener);
  bool remove(const Listener* listener, Time now);  // false: was not there
  const std::vector<ListenerPtr>& listeners() const { return listeners_; }
  void dismiss(int code, const std::string& reason, Time retry_after);

  // What the listeners have; nothing: not known. A long stage is kept only if it is told with a
  // delay: otherwise it is the stage of the table, which can be made again.
  std::optional<Moment> last;
  bool complete = false;  // somebody here wants options with what follows them

 private:
  static constexpr std::size_t frames_kept = 256, bytes_kept = 8 * 1024;
  static constexpr Time remembered_for = 120'000;

  std::uint64_t seq_;
  std::uint64_t delivered_;
  std::deque<FramePtr> ring_;
  std::size_t ring_bytes_ = 0;
  std::vector<ListenerPtr> listeners_;
  std::optional<Time> left_at_;
  int expected_ = 0;
};

}  // namespace parlor::host
