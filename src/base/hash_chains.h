// Hashes as chains: the first word as it is, then hash_combine with each of the others. A chain is
// one multiplication after the other, each of which waits for the one before; many side by side
// take little longer than one, and where the processor multiplies eight words at once, not even
// that.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "base/hash.h"

namespace parlor {

inline constexpr std::size_t hash_lanes = 32;
using HashRow = std::array<std::uint64_t, hash_lanes>;  // a word of each chain

// Where the words of one of these chains go. What there is no room for is dropped. As large as two
// registers: it is handed on once for every hash.
class HashLane {
 public:
  HashLane(std::span<HashRow> rows, std::size_t lane)
      : first_(rows.data()->data() + lane), rows_(rows.size()) {}

  std::size_t rows() const { return rows_; }
  std::uint64_t* first() const { return first_; }  // the others follow at a distance of hash_lanes
  void put(std::size_t row, std::uint64_t word) const {
    if (row < rows_) first_[row * hash_lanes] = word;
  }

 private:
  std::uint64_t* first_;
  std::size_t rows_;
};

// All chains are as long as there are rows, of which there is at least one.
void hash_chains(std::span<const HashRow> rows, HashRow& hashes);

// How many words there are of so many bytes.
constexpr std::size_t hashed_words(std::size_t bytes) {
  return 1 + (bytes + 7) / 8;
}
// The words by which hash_bytes goes on from its seed: the length, then the bytes. Words are put
// together so that the byte order of the machine does not matter.
template <class Take>
[[gnu::always_inline]] inline void each_hashed_word(std::span<const std::byte> bytes, Take&& take) {
  take(std::uint64_t{bytes.size()});
  const auto read = [](std::span<const std::byte> from) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
      word |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
    return word;
  };
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little)
      std::memcpy(&word, bytes.data(), sizeof word);
    else
      word = read(bytes.first(8));
    take(word);
  }
  if (!bytes.empty()) take(read(bytes));
}

}  // namespace parlor
