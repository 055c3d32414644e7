#include "chess/bag.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// In front of each entry; the payload follows, then the key, then zeros up to a multiple of eight.
struct Header {
  std::uint16_t size = 0;
  std::uint8_t preset = 0;
  std::uint8_t packed = 0;
  std::uint16_t key_size = 0;
  std::uint16_t payload_size = 0;
};
static_assert(sizeof(Header) == 8);

constexpr std::size_t longest = 4096;  // key or payload; far more than fits beside others

bool is_scalar(const Json& value) {
  return value.is_number_integer() || value.is_string();
}

}  // namespace

bool Bag::can_hold(const Json& value) {
  return is_scalar(value) || (value.is_array() && std::ranges::all_of(value, is_scalar));
}

Json Bag::Entry::value() const {
  if (!packed) return number;
  return Json::parse(text);
}

Bag::Entry Bag::entry_at(std::size_t offset) const {
  Header header;
  std::memcpy(&header, bytes_ + offset, sizeof header);
  const auto* const payload = reinterpret_cast<const char*>(bytes_ + offset + sizeof header);
  Entry out;
  out.size = header.size;
  out.preset = header.preset;
  out.packed = header.packed != 0;
  out.key = {payload + header.payload_size, header.key_size};
  if (out.packed)
    out.text = {payload, header.payload_size};
  else
    std::memcpy(&out.number, payload, sizeof out.number);
  return out;
}

std::size_t Bag::place_of(std::uint8_t preset, std::string_view key, bool& found) const {
  std::size_t at = 0;
  while (at < size_) {
    const Entry entry = entry_at(at);
    const auto order = std::pair(entry.preset, entry.key) <=> std::pair(preset, key);
    found = order == 0;
    if (order >= 0) return at;
    at += entry.size;
  }
  found = false;
  return at;
}

std::optional<Bag::Entry> Bag::find(std::uint8_t preset, std::string_view key) const {
  bool found = false;
  const std::size_t at = place_of(preset, key, found);
  if (!found) return std::nullopt;
  return entry_at(at);
}

std::optional<std::int64_t> Bag::number(std::uint8_t preset, std::string_view key) const {
  const auto entry = find(preset, key);
  if (!entry || entry->packed) return std::nullopt;
  return entry->number;
}

Json Bag::value(std::uint8_t preset, std::string_view key) const {
  const auto entry = find(preset, key);
  return entry ? entry->value() : Json();
}

bool Bag::set(std::uint8_t preset, std::string_view key, std::int64_t value) {
  return put(preset, key, false, {reinterpret_cast<const char*>(&value), sizeof value});
}

bool Bag::set(std::uint8_t preset, std::string_view key, const Json& value) {
  if (value.is_number_integer()) return set(preset, key, value.get<std::int64_t>());
  return can_hold(value) && put(preset, key, true, canonical(value));
}

bool Bag::put(std::uint8_t preset, std::string_view key, bool packed, std::string_view payload) {
  if (key.empty() || key.size() > longest || payload.size() > longest) return false;
  bool found = false;
  const std::size_t at = place_of(preset, key, found);
  const std::size_t old_size = found ? entry_at(at).size : 0;
  const std::size_t new_size = (sizeof(Header) + payload.size() + key.size() + 7) / 8 * 8;
  if (size_ - old_size + new_size > capacity_) return false;
  resize(at, old_size, new_size);
  const Header header{static_cast<std::uint16_t>(new_size), preset, packed,
                      static_cast<std::uint16_t>(key.size()),
                      static_cast<std::uint16_t>(payload.size())};
  std::byte* to = bytes_ + at;
  std::memset(to, 0, new_size);
  std::memcpy(to, &header, sizeof header);
  std::memcpy(to + sizeof header, payload.data(), payload.size());
  std::memcpy(to + sizeof header + payload.size(), key.data(), key.size());
  return true;
}

void Bag::erase(std::uint8_t preset, std::string_view key) {
  bool found = false;
  const std::size_t at = place_of(preset, key, found);
  if (found) resize(at, entry_at(at).size, 0);
}

void Bag::clear(std::uint8_t preset) {
  for (std::size_t at = 0; at < size_;) {
    const Entry entry = entry_at(at);
    if (entry.preset == preset)
      resize(at, entry.size, 0);
    else
      at += entry.size;
  }
}

// Bytes beyond the end are zero again, so that equal bags are equal bytes.
void Bag::resize(std::size_t offset, std::size_t old_size, std::size_t new_size) {
  const std::size_t end = size_;
  std::memmove(bytes_ + offset + new_size, bytes_ + offset + old_size, end - offset - old_size);
  const std::size_t new_end = end - old_size + new_size;
  if (new_end < end) std::memset(bytes_ + new_end, 0, end - new_end);
  size_ = static_cast<std::uint16_t>(new_end);
}

std::uint64_t Bag::hash() const {
  std::uint64_t out = 0;
  for (std::size_t at = 0; at < size_;) {
    const Entry entry = entry_at(at);
    const auto payload =
        entry.packed ? hash_text(entry.text, 1) : static_cast<std::uint64_t>(entry.number);
    out ^= hash_combine(hash_text(entry.key, entry.preset), payload);
    at += entry.size;
  }
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
