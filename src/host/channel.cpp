#include "host/channel.h"

#include <algorithm>

namespace parlor::host {

bool Channel::live(Time now) const {
  return attended() || (left_at_ && now - *left_at_ < remembered_for);
}

void Channel::deliver(const FramePtr& frame) {
  delivered_ = frame->seq;
  ring_.push_back(frame);
  ring_bytes_ += frame->text.size();
  while (ring_.size() > frames_kept || (ring_bytes_ > bytes_kept && ring_.size() > 1)) {
    ring_bytes_ -= ring_.front()->text.size();
    ring_.pop_front();
  }
  for (const ListenerPtr& listener : listeners_) listener->hear(frame);
}

std::optional<std::vector<FramePtr>> Channel::missed(std::uint64_t since) const {
  std::vector<FramePtr> out;
  if (since > delivered_) return std::nullopt;
  std::uint64_t expected = since + 1;
  for (const FramePtr& frame : ring_) {
    if (frame->seq <= since) continue;
    if (frame->seq != expected++) return std::nullopt;
    out.push_back(frame);
  }
  // Skipped ones have a number and no frame.
  if (expected != delivered_ + 1) return std::nullopt;
  return out;
}

void Channel::add(ListenerPtr listener) {
  expected_ = std::max(0, expected_ - 1);
  listeners_.push_back(std::move(listener));
}

bool Channel::remove(const Listener* listener, Time now) {
  const auto found = std::ranges::find(listeners_, listener, &ListenerPtr::get);
  if (found == listeners_.end()) return false;
  listeners_.erase(found);
  if (listeners_.empty()) left_at_ = now;
  return true;
}

void Channel::dismiss(int code, const std::string& reason, Time retry_after) {
  const std::vector<ListenerPtr> all = std::move(listeners_);
  listeners_.clear();
  for (const ListenerPtr& listener : all) listener->dismiss(code, reason, retry_after);
}

}  // namespace parlor::host
