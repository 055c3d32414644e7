// The types of effect macro parameters, and whether an argument fits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "spec/node.h"

namespace parlor::spec {

struct ParamType {
  enum class Kind : std::uint8_t {
    string,
    number,
    value,
    effect,
    effects,
    condition,
    query,
    binding_name,
    binding_template,
    zone_selector,
    player_selector,
    token_selector,
    one_of,        // {kind: enum | literals, values}
    trait_value,   // {kind: tokenTraitValue, prop}
    trait_values,  // {kind: tokenTraitValues, prop}
  };
  Kind kind = Kind::value;
  std::vector<Node> values;  // one_of
  std::string prop;          // trait_value(s)
};

// The type a `type:` node declares; nothing when it is none.
std::optional<ParamType> read_param_type(const Node& type);
// Names of the simple types, for suggestions.
std::span<const std::string_view> param_type_names();
// What to do about a parameter `name` whose `type` is none of them.
void suggest_param_type(Diagnostic& diagnostic, std::string_view name, const Node& type);
// "a list of effects", "a string", …
std::string type_text(const ParamType& type);

enum class Fit : std::uint8_t { fits, wrong_type, wrong_value };
// An argument that is still `{param: …}` fits anything.
Fit fits(const Node& argument, const ParamType& type);

}  // namespace parlor::spec
