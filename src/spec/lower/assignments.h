// What the text notation assigns to: `gold += 2`, `$space.support = active`, `pay 3 gold to left`.
#pragma once

#include <optional>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// {target, value} or {target, delta}: what the target is decides which effect it is.
EffectNode read_assignment(Context& cx, const Node& node, bool adds);
// The variable that an endpoint of transferVar names, as {scope, var, …}. A player stands for the
// same variable of that player. Reported and nothing when it is no variable.
std::optional<Node> endpoint_cell(Context& cx, const Node& node, const Node* from);
// Reads what stands under the key of an effect (effects.cpp).
EffectNode read_effect_as(Context& cx, std::string_view effect, const Node& body);

}  // namespace parlor::spec::lower
