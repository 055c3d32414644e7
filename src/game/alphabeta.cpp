#include "game/alphabeta.h"

namespace parlor::alphabeta {

Table::Table(std::size_t most_entries) {
  const std::size_t size = std::bit_floor(std::max<std::size_t>(most_entries, 2));
  slots_ = std::make_unique<Slot[]>(size);
  mask_ = size - 1;
}

void Table::clear() {
  for (std::size_t i = 0; i <= mask_; ++i) {
    slots_[i].check.store(0, std::memory_order_relaxed);
    slots_[i].value.store(0, std::memory_order_relaxed);
    slots_[i].rest.store(0, std::memory_order_relaxed);
  }
  age_ = 0;
}

namespace {

// The smaller half of an entry: move, depth, bound, age.
constexpr std::uint64_t packed(const Table::Entry& entry, std::uint8_t age) {
  return std::uint64_t{entry.move} |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.depth)) << 32 |
         static_cast<std::uint64_t>(entry.bound) << 48 | std::uint64_t{age} << 56;
}
constexpr Bound bound_in(std::uint64_t rest) {
  return static_cast<Bound>(rest >> 48 & 0xff);
}
constexpr int depth_in(std::uint64_t rest) {
  return static_cast<std::int16_t>(rest >> 32 & 0xffff);
}
constexpr std::uint8_t age_in(std::uint64_t rest) {
  return static_cast<std::uint8_t>(rest >> 56);
}

}  // namespace

std::optional<Table::Entry> Table::find(std::uint64_t key) const {
  const Slot& slot = slots_[key & mask_];
  const std::uint64_t value = slot.value.load(std::memory_order_relaxed);
  const std::uint64_t rest = slot.rest.load(std::memory_order_relaxed);
  if ((slot.check.load(std::memory_order_relaxed) ^ value ^ rest) != key ||
      bound_in(rest) == Bound::none)
    return std::nullopt;
  return Entry{static_cast<Value>(value), static_cast<MoveId>(rest), depth_in(rest),
               bound_in(rest)};
}

void Table::store(std::uint64_t key, Entry entry) {
  Slot& slot = slots_[key & mask_];
  const std::uint64_t old_value = slot.value.load(std::memory_order_relaxed);
  const std::uint64_t old = slot.rest.load(std::memory_order_relaxed);
  const bool same = (slot.check.load(std::memory_order_relaxed) ^ old_value ^ old) == key &&
                    bound_in(old) != Bound::none;
  // Deep results of this search are worth more than shallow new ones.
  const bool keep = bound_in(old) != Bound::none && age_in(old) == age_ &&
                    depth_in(old) > entry.depth + (same ? 3 : 0) && entry.bound != Bound::exact;
  if (keep) return;
  if (same && entry.move == no_move) entry.move = static_cast<MoveId>(old);
  const auto value = static_cast<std::uint64_t>(entry.value);
  const std::uint64_t rest = packed(entry, age_);
  slot.check.store(key ^ value ^ rest, std::memory_order_relaxed);
  slot.value.store(value, std::memory_order_relaxed);
  slot.rest.store(rest, std::memory_order_relaxed);
}

int Table::permille_full() const {
  const std::size_t sample = std::min<std::size_t>(mask_ + 1, 1000);
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    const std::uint64_t rest = slots_[i].rest.load(std::memory_order_relaxed);
    if (bound_in(rest) != Bound::none && age_in(rest) == age_) ++used;
  }
  return static_cast<int>(used * 1000 / sample);
}

void Watch::allow(std::chrono::microseconds soft, std::chrono::microseconds hard) {
  const std::int64_t now = elapsed().count();
  soft_ = now + soft.count();
  hard_ = now + hard.count();
}

namespace detail {
namespace {

constexpr int sixteenths_of_log2(int number) {
  const int whole = std::bit_width(static_cast<unsigned>(number)) - 1;
  return 16 * whole + ((number - (1 << whole)) * 16 >> whole);
}

constexpr auto reductions = [] {
  std::array<std::array<std::int8_t, 64>, 64> out{};
  for (int depth = 1; depth < 64; ++depth)
    for (int number = 1; number < 64; ++number)
      out[static_cast<std::size_t>(depth)][static_cast<std::size_t>(number)] =
          static_cast<std::int8_t>(
              (160 + sixteenths_of_log2(depth) * sixteenths_of_log2(number) / 5) / 256);
  return out;
}();

}  // namespace

int reduction(int depth, int number) {
  return reductions[static_cast<std::size_t>(std::clamp(depth, 1, 63))]
                   [static_cast<std::size_t>(std::clamp(number, 1, 63))];
}

}  // namespace detail
}  // namespace parlor::alphabeta
