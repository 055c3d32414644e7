#include <bit>
#include <cstring>

#include "base/hash_side_by_side.h"

namespace parlor {
namespace {

// Words are put together byte by byte so that byte order of the machine does not matter.
std::uint64_t read_word(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}
// A whole one: where the machine has the same order, it lies there as it is.
std::uint64_t read_whole_word(const std::byte* bytes) {
  if constexpr (std::endian::native != std::endian::little) return read_word({bytes, 8});
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t hash = hash_combine(seed, bytes.size());
  while (bytes.size() >= 8) {
    hash = hash_combine(hash, read_whole_word(bytes.data()));
    bytes = bytes.subspan(8);
  }
  return bytes.empty() ? hash : hash_combine(hash, read_word(bytes));
}

void hash_side_by_side(const std::array<const std::byte*, hash_lanes>& runs, std::size_t size,
                       HashLanes& hashes) {
  static_assert(hash_lanes == 4);
  std::uint64_t a = hashes[0], b = hashes[1], c = hashes[2], d = hashes[3];
  const auto take_in = [](std::uint64_t& hash, std::uint64_t word) {
    hash = hash_combine(hash, word);
#if defined(__x86_64__)
    // In a register of its own: vectors multiply such words only in many steps.
    asm("" : "+r"(hash));
#endif
  };
  const auto take_in_all = [&](auto&& word_of) {
    take_in(a, word_of(runs[0]));
    take_in(b, word_of(runs[1]));
    take_in(c, word_of(runs[2]));
    take_in(d, word_of(runs[3]));
  };
  take_in_all([&](const std::byte*) { return size; });
  std::size_t done = 0;
  for (; size - done >= 8; done += 8)
    take_in_all([&](const std::byte* run) { return read_whole_word(run + done); });
  if (done < size)
    take_in_all([&](const std::byte* run) { return read_word({run + done, size - done}); });
  hashes = {a, b, c, d};
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span{text.data(), text.size()}), seed);
}

}  // namespace parlor
