// The storage of a half-made move: its way into the state's block and back, lists, faults.
#include "kernel/run/half_move.h"

#include <cstring>

namespace parlor::kernel {

Value HalfMove::fail(Code code, std::uint32_t place, const char* what, Value first, Value second) {
  if (!failed_) fault_ = Fault{code, place, what, first, second};
  failed_ = true;
  return {};
}

bool HalfMove::refuse(Code code, std::uint32_t place, const char* what, Value first, Value second) {
  if (!failed_) fault_ = Fault{code, place, what, first, second, true};
  failed_ = true;
  return false;
}

bool HalfMove::refuse_condition(std::uint32_t place, const char* what, NodeId condition) {
  if (!failed_) fault_ = Fault{Code::RUN_STAGE, place, what, {}, {}, true, condition};
  failed_ = true;
  return false;
}

void HalfMove::report(std::string_view kind, Json data, std::uint32_t seen_by, Json outside) {
  report(kind, std::move(data), seen_by, std::move(outside), {});
}

void HalfMove::report(std::string_view kind, Json data, std::uint32_t seen_by, Json outside,
                      const About& about) {
  if (listener_ == nullptr) return;
  Audience audience = audience_of(memory_, seen_by, about);
  listener_->on_event(Event{kind, std::move(data), std::move(audience), std::move(outside)});
}

// Phases without effects have no unit.
void HalfMove::call_unit(UnitId unit) {
  if (!unit.is_none()) push_frame(unit, header().active, header().active);
}

// ---- Lists. A list in the arena is its length, then its items.

void HalfMove::notice_end(Value list) const {
  for (SelectionWatch* watch = watch_; watch != nullptr; watch = watch->outer)
    if (list.is_list() && watch->list == list.payload()) watch->noticed = true;
}

void HalfMove::put_at(Value list, std::size_t index, Value item) {
  if (index < list_size(list) && list.payload() < constant_list) own_items(list)[index] = item;
}

// Lists and texts stay until the move is over.
bool HalfMove::take_arena(std::size_t words) {
  if (arena_.size() + words <= most_arena) return spend(words, 0);
  fail(Code::RUN_TOO_MANY, 0, "one move makes too many lists and texts");
  return false;
}

Value HalfMove::make_list(std::span<const Value> items) {
  if (!take_arena(1 + items.size())) return {};
  const auto handle = std::ssize(arena_);
  arena_.push_back(Value{items.size()});
  arena_.insert(arena_.end(), items.begin(), items.end());
  return Value::list(handle);
}

Value HalfMove::make_blank_list(std::size_t size) {
  if (!take_arena(1 + size)) return {};
  const auto handle = std::ssize(arena_);
  arena_.resize(arena_.size() + 1 + size);
  arena_[handle] = Value{size};
  return Value::list(handle);
}

// ---- Storage
namespace {
template <class Items>
const std::byte* take(const std::byte* from, Items& to, std::int32_t count) {
  to.resize(count);
  const std::size_t bytes = sizeof(to[0]) * to.size();
  if (count != 0) std::memcpy(static_cast<void*>(to.data()), from, bytes);
  return from + bytes;
}
}  // namespace

void HalfMove::fetch_move() {
  const StateBlock& block = memory_.block();
  const std::byte* end = block.data() + block.size();
  MoveTail tail;
  std::memcpy(&tail, end - sizeof(MoveTail), sizeof(MoveTail));
  const std::byte* at = end - header().vm_bytes;
  at = take(at, frames_, tail.frames);
  std::memcpy(static_cast<void*>(slots_.data()), at, sizeof(Value) * tail.slots);
  at += sizeof(Value) * tail.slots;
  at = take(at, arena_, tail.arena);
  at = take(at, events_, tail.events);
  at = take(at, templates_, tail.templates);
  origin_.resize(tail.origin);
  if (tail.origin != 0) std::memcpy(origin_.data(), at, origin_.size());
  slot_top_ = tail.slots;
  if (!frames_.empty()) load_frame();
  if (p_->flow.cards) move_ = flow().move;
}

// Only lists and texts that a slot, a name or an event still holds are kept, in the order in which
// they are held: how a move came to where it waits makes no difference to the state. A list that
// was kept leaves behind where it is now, in the word that holds its length.
namespace {
constexpr std::uint64_t kept_elsewhere = std::uint64_t{1} << 63;
}

void HalfMove::keep(Value& held) {
  const Value v = held;
  if (v.tag() != Tag::list && v.tag() != Tag::text) [[likely]]
    return;
  if (v.payload() < (v.is_list() ? constant_list : kept_text)) held = keep_list(v);
}

// Of the arena.
Value HalfMove::keep_list(Value v) {
  const bool text = v.tag() == Tag::text;
  const auto at = static_cast<std::size_t>(v.payload());
  const std::uint64_t size = arena_[at].bits;
  if ((size & kept_elsewhere) != 0)
    return Value::make(v.tag(), static_cast<std::int64_t>(size & ~kept_elsewhere));
  const std::size_t words = text ? (size + 7) / 8 : size, to = tidy_.size();
  const auto from = arena_.begin() + static_cast<std::ptrdiff_t>(at);
  tidy_.insert(tidy_.end(), from, from + static_cast<std::ptrdiff_t>(1 + words));
  arena_[at] = Value{to | kept_elsewhere};
  for (std::size_t k = to + 1; !text && k < to + 1 + words; ++k) {
    Value item = tidy_[k];
    keep(item);  // may make room
    tidy_[k] = item;
  }
  return Value::make(v.tag(), static_cast<std::int64_t>(to));
}

void HalfMove::tidy_lists() {
  if (arena_.empty()) return;
  tidy_.clear();
  for (Value& held : std::span(slots_).first(static_cast<std::size_t>(slot_top_))) keep(held);
  for (TemplateBinding& name : templates_) {
    for (Value& key : name.keys) keep(key);
    keep(name.value);
  }
  for (Happening& event : events_) {
    keep(event.before);
    keep(event.after);
  }
  arena_.swap(tidy_);
}

void HalfMove::store_move() {
  if (trial_ == Trial::none) tidy_lists();  // trials go on with lists they have in mind
  StateBlock& block = memory_.block();
  const std::size_t fixed = memory_.texts_begin() + header().text_bytes;
  const MoveTail tail{frames_.size(), slot_top_,         arena_.size(),
                      events_.size(), templates_.size(), origin_.size()};
  const std::size_t bytes = frames_.size() * sizeof(Frame) + slot_top_ * sizeof(Value) +
                            arena_.size() * sizeof(Value) + events_.size() * sizeof(Happening) +
                            templates_.size() * sizeof(TemplateBinding) + origin_.size() +
                            sizeof(MoveTail);
  block.resize(fixed + bytes);
  memory_.rebase();
  header().vm_bytes = bytes;
  std::byte* at = block.data() + fixed;
  auto put = [&](const void* from, std::size_t size) {
    if (size != 0) std::memcpy(at, from, size);
    at += size;
  };
  put(frames_.data(), frames_.size() * sizeof(Frame));
  put(slots_.data(), slot_top_ * sizeof(Value));
  put(arena_.data(), arena_.size() * sizeof(Value));
  put(events_.data(), events_.size() * sizeof(Happening));
  put(templates_.data(), templates_.size() * sizeof(TemplateBinding));
  put(origin_.data(), origin_.size());
  put(&tail, sizeof(MoveTail));
}

}  // namespace parlor::kernel
