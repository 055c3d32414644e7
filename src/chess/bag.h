// The state presets keep: whole numbers, texts and lists of both by name, packed into the tail of a
// position. Entries are sorted by preset and name, so equal contents are equal bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "chess/geometry.h"

namespace parlor::chess::inline PARLOR_BOARD {

// A view of those bytes; `size` says how many are in use and is kept up to date. What does not fit
// is refused and changes nothing.
class Bag {
 public:
  Bag(std::byte* bytes, std::uint16_t& size, std::size_t capacity)
      : bytes_(bytes), size_(size), capacity_(capacity) {}

  std::optional<std::int64_t> number(std::uint8_t preset, std::string_view key) const;
  Json value(std::uint8_t preset, std::string_view key) const;  // null if there is none
  bool set(std::uint8_t preset, std::string_view key, std::int64_t value);
  bool set(std::uint8_t preset, std::string_view key, const Json& value);
  void erase(std::uint8_t preset, std::string_view key);
  void clear(std::uint8_t preset);
  std::uint64_t hash() const;

  // Calls `visit(preset, key, value)` for every entry, in order.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t at = 0; at < size_;) {
      const Entry entry = entry_at(at);
      visit(entry.preset, entry.key, entry.value());
      at += entry.size;
    }
  }

  // Whole numbers, texts, and lists of them.
  static bool can_hold(const Json& value);

 private:
  struct Entry {
    std::size_t size = 0;  // in bytes, all of it
    std::uint8_t preset = 0;
    bool packed = false;  // the value is JSON text
    std::string_view key;
    std::string_view text;    // of a packed value
    std::int64_t number = 0;  // of any other
    Json value() const;
  };
  Entry entry_at(std::size_t offset) const;
  // Where the entry is, or where it belongs.
  std::size_t place_of(std::uint8_t preset, std::string_view key, bool& found) const;
  std::optional<Entry> find(std::uint8_t preset, std::string_view key) const;
  bool put(std::uint8_t preset, std::string_view key, bool packed, std::string_view payload);
  void resize(std::size_t offset, std::size_t old_size, std::size_t new_size);

  std::byte* bytes_;
  std::uint16_t& size_;
  std::size_t capacity_;
};

}  // namespace parlor::chess::inline PARLOR_BOARD
