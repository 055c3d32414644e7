// Macros: condition macros are pure substitution; effect macros are spliced into effect lists and
// keep the bindings they make to themselves (see hygiene.h). Everything happens at compile time:
// afterwards no macro, param or declaration is left.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

inline constexpr std::size_t condition_macro_depth = 12;
inline constexpr std::size_t effect_macro_depth = 10;

void expand_condition_macros(Expander& expander);
void expand_effect_macros(Expander& expander);

// ---- what both kinds share

// `{param: name}`: the name, or nothing if the node is no such thing.
const Node* param_name(const Node& node);

using Arguments = std::vector<std::pair<std::string, const Node*>>;

// Replaces `{param: p}` by the arguments throughout `node`. Lists that come from a parameter which
// stands as an element of a list are spliced into that list when `splice` says so. Arguments are
// copied as they are: nothing inside them is replaced.
void substitute(Node& node, const Arguments& args, bool splice);

// How many nodes `substitute` would make of `node`.
std::size_t count_substituted(const Node& node, const Arguments& args);

}  // namespace parlor::spec
