// A value at run time: 64 bits with a tag. Text is a symbol of the Program (zone ids are the first
// symbols, so a zone value *is* its index), a token is its number in the token table, a list is a
// handle into the machine's arena or the Program's constants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/program/ids.h"

namespace parlor::kernel {

using Symbol = std::int32_t;

enum class Tag : std::uint8_t { none, integer, boolean, symbol, token, list, row, text };

struct Value {
  std::uint64_t bits = 0;

  static constexpr Value make(Tag tag, std::int64_t payload) {
    return Value{(static_cast<std::uint64_t>(payload) << 3) | static_cast<std::uint64_t>(tag)};
  }
  static constexpr Value integer(std::int64_t n) { return make(Tag::integer, n); }
  static constexpr Value boolean(bool b) { return make(Tag::boolean, b ? 1 : 0); }
  static constexpr Value symbol(Symbol s) { return make(Tag::symbol, s); }
  static constexpr Value zone(ZoneId z) { return make(Tag::symbol, z.value); }
  static constexpr Value token(TokenId t) { return make(Tag::token, t.value); }
  static constexpr Value list(std::int64_t handle) { return make(Tag::list, handle); }
  static constexpr Value row(std::int32_t table, std::int32_t index) {
    return make(Tag::row, (std::int64_t{table} << 24) | index);
  }

  constexpr Tag tag() const { return static_cast<Tag>(bits & 7); }
  constexpr std::int64_t payload() const { return static_cast<std::int64_t>(bits) >> 3; }
  // The number of a symbol or player, or any number known to be that small.
  constexpr std::int32_t index() const { return static_cast<std::int32_t>(payload()); }
  // Where what a list or text holds begins, in the machine's arena or behind the state's tokens.
  constexpr std::size_t handle() const { return static_cast<std::size_t>(payload()); }
  // What a symbol that names a zone, and what a token is.
  constexpr ZoneId as_zone() const { return ZoneId(index()); }
  constexpr TokenId as_token() const { return TokenId(index()); }
  constexpr bool is_none() const { return bits == 0; }
  constexpr bool is_int() const { return tag() == Tag::integer; }
  constexpr bool is_bool() const { return tag() == Tag::boolean; }
  constexpr bool is_symbol() const { return tag() == Tag::symbol; }
  constexpr bool is_token() const { return tag() == Tag::token; }
  constexpr bool is_list() const { return tag() == Tag::list; }

  friend constexpr bool operator==(Value, Value) = default;
};

inline constexpr std::int64_t max_int = (std::int64_t{1} << 53) - 1;

// List handles with this bit are lists of the Program, others live in the machine's arena.
inline constexpr std::int64_t constant_list = std::int64_t{1} << 40;
// Text handles from here on are texts that the state keeps (Memory::kept_text).
inline constexpr std::int64_t kept_text = std::int64_t{1} << 40;
inline constexpr std::size_t longest_text = 4096;  // bytes of a text made while playing

}  // namespace parlor::kernel
