// hash_bytes of several runs of the same length at once. A hash is a chain of multiplications each
// of which waits for the one before; four chains side by side take little longer than one.
#pragma once

#include <array>

#include "base/hash.h"

namespace parlor {

inline constexpr std::size_t hash_lanes = 4;
using HashLanes = std::array<std::uint64_t, hash_lanes>;

// Replaces each hash by hash_bytes({runs[i], size}, hashes[i]).
void hash_side_by_side(const std::array<const std::byte*, hash_lanes>& runs, std::size_t size,
                       HashLanes& hashes);

}  // namespace parlor
