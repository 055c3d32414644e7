// What a Program hides, from whom, and which of its values may carry it.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

inline constexpr std::uint32_t spectator_bit = std::uint32_t{1} << 16;  // see Audience

inline constexpr std::uint32_t all_viewers = ~std::uint32_t{0};
// Who sees what is declared so; `owner` is a player or -1.
std::uint32_t sight_of(spec::Visibility visibility, int owner);

// Fills `program.secrets` and what hangs on it: the sight and place of zones, slots beside bindings
// that may hold what somebody does not know, option ids that name tokens by their place. Called
// when all code is there and before states are laid out.
void find_secrets(Program& program);
// The part of it about values (secret_values.cpp): which variables, properties and bindings may
// carry what somebody does not know.
void follow_secret_values(Program& program);

// Whether players pick tokens they do not see out of zones that are shuffled.
bool picks_from_pools(const Program& program);

}  // namespace parlor::kernel
