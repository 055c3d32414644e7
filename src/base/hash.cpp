#include "base/hash_chains.h"
#include "base/wide_vectors.h"

namespace parlor {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  each_hashed_word(bytes, [&](std::uint64_t word) { seed = hash_combine(seed, word); });
  return seed;
}

PARLOR_WIDE_VECTORS
void hash_chains(std::span<const HashRow> rows, HashRow& hashes) {
  HashRow now = rows[0];
  for (const HashRow& words : rows.subspan(1))
    for (std::size_t lane = 0; lane < hash_lanes; ++lane)
      now[lane] = hash_combine(now[lane], words[lane]);
  hashes = now;
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span{text.data(), text.size()}), seed);
}

}  // namespace parlor
