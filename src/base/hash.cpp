#include "base/hash.h"

namespace parlor {
namespace {

// Words are put together byte by byte so that byte order of the machine does not matter.
std::uint64_t read_word(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t hash = hash_combine(seed, bytes.size());
  while (bytes.size() >= 8) {
    hash = hash_combine(hash, read_word(bytes.first(8)));
    bytes = bytes.subspan(8);
  }
  return bytes.empty() ? hash : hash_combine(hash, read_word(bytes));
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span{text.data(), text.size()}), seed);
}

}  // namespace parlor
