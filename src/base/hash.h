// 64-bit hashing. `mix` scrambles a word (a bijection, good enough for Zobrist-style keys made on
// the fly); `hash_bytes` is for whole blocks. Both give the same values on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parlor {

constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  x ^= x >> 31;
  return x;
}

// The key of a feature in an incremental hash: XOR together the keys of all features that hold.
constexpr std::uint64_t feature_key(std::uint64_t feature, std::uint64_t value) {
  return mix(mix(feature + 0x9e3779b97f4a7c15) ^ (value * 0xd6e8feb86659fd93 + 0xa0761d6478bd642f));
}

constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed * 0x9e3779b97f4a7c15 + value + 0x632be59bd9b4e019);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

}  // namespace parlor
