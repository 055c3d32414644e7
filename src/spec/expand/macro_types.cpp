#include "spec/expand/macro_types.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/expand/macros.h"
#include "spec/gamedef/language.h"
#include "spec/slips.h"

namespace parlor::spec {
namespace {

using ParamKind = ParamType::Kind;

struct TypeName {
  std::string_view name;
  ParamKind kind;
  std::string_view text;
};

constexpr std::array type_names{
    TypeName{"string", ParamKind::string, "a string"},
    TypeName{"number", ParamKind::number, "a number"},
    TypeName{"value", ParamKind::value, "a value"},
    TypeName{"effect", ParamKind::effect, "one effect"},
    TypeName{"effects", ParamKind::effects, "a list of effects"},
    TypeName{"condition", ParamKind::condition, "a condition"},
    TypeName{"query", ParamKind::query, "a query"},
    TypeName{"bindingName", ParamKind::binding_name, "a binding name such as `$x`"},
    TypeName{"bindingTemplate", ParamKind::binding_template, "a binding name or template"},
    TypeName{"zoneSelector", ParamKind::zone_selector, "a zone selector"},
    TypeName{"playerSelector", ParamKind::player_selector, "a player selector"},
    TypeName{"tokenSelector", ParamKind::token_selector, "a token binding such as `$t`"},
};

constexpr auto names_only = [] {
  std::array<std::string_view, type_names.size()> out{};
  for (std::size_t i = 0; i < type_names.size(); ++i) out[i] = type_names[i].name;
  return out;
}();

bool is_binding(const Node& node) {
  return node.is_string() && node.text.size() > 1 && node.text[0] == '$';
}

bool one_of(const Node& node, const std::vector<Node>& values) {
  return std::ranges::any_of(values, [&](const Node& value) { return same_value(value, node); });
}

// A list that is known only while playing.
bool is_list_ref(const Node& node) {
  const auto ref = node.find_string("ref");
  return ref == "binding" || ref == "grantContext" || ref == "namedSet";
}

// An effect where a value should be, or the other way round (L-22). `if` may be either.
bool does_something(const Node& node) {
  return node.is_map() && std::ranges::any_of(node.entries, [](const Entry& entry) {
           return entry.key == "macro" ||
                  (entry.key != "if" && find_construct(Family::effect, entry.key) != nullptr);
         });
}
bool computes(const Node& node) {
  return std::ranges::any_of(
      std::to_array<std::string_view>({"ref", "op", "query", "aggregate", "concat", "zoneCount",
                                       "item", "rank", "distance", "components", "largestComponent",
                                       "longestPath", "numberOf", "zoneAt", "tokenAt"}),
      [&](std::string_view key) { return node.has(key); });
}

bool has_shape(const Node& node, ParamKind kind) {
  switch (kind) {
    case ParamKind::string:
      return node.is_string();
    case ParamKind::number:
      return node.is_integer() || node.is_real();
    case ParamKind::value:
      return !node.is_null() && !node.has("query") && !does_something(node);
    case ParamKind::effect:
      return node.is_map() && !computes(node);
    case ParamKind::effects:
      return node.is_list() || (node.is_map() && node.has("macro"));
    case ParamKind::condition:
      return node.is_boolean() ||
             (node.is_map() && (node.has("op") || node.has("ref") || node.has("conditionMacro")));
    case ParamKind::query:
      return node.is_map() && node.has("query");
    case ParamKind::binding_name:
      return is_binding(node);
    case ParamKind::binding_template:
      return node.is_string();
    case ParamKind::zone_selector:
      return node.is_string() || node.is_map();
    case ParamKind::player_selector:
      return node.is_string() || node.is_map() || node.is_integer();
    case ParamKind::token_selector:
      return is_binding(node);
    case ParamKind::one_of:
      return node.is_scalar();
    case ParamKind::trait_value:
      return node.is_map() || (node.is_scalar() && !node.is_null());
    case ParamKind::trait_values:
      return is_list_ref(node) ||
             (node.is_list() && std::ranges::all_of(node.items, [](const Node& item) {
                return item.is_scalar() || param_name(item) != nullptr;
              }));
  }
  return false;
}

}  // namespace

std::optional<ParamType> read_param_type(const Node& type) {
  if (type.is_string()) {
    const auto found = std::ranges::find(type_names, type.text, &TypeName::name);
    if (found == type_names.end()) return std::nullopt;
    return ParamType{found->kind, {}, {}};
  }
  const auto kind = type.find_string("kind");
  if (!kind) return std::nullopt;
  if (*kind == "enum" || *kind == "literals") {
    const Node* values = type.find("values");
    if (values == nullptr || !values->is_list() || values->items.empty()) return std::nullopt;
    return ParamType{ParamKind::one_of, values->items, {}};
  }
  if (*kind == "tokenTraitValue" || *kind == "tokenTraitValues") {
    const auto prop = type.find_string("prop");
    if (!prop) return std::nullopt;
    return ParamType{*kind == "tokenTraitValue" ? ParamKind::trait_value : ParamKind::trait_values,
                     {},
                     std::string{*prop}};
  }
  return std::nullopt;
}

std::span<const std::string_view> param_type_names() {
  return names_only;
}

void suggest_param_type(Diagnostic& diagnostic, std::string_view name, const Node& type) {
  const std::vector<std::string> names(names_only.begin(), names_only.end());
  const bool swapped = std::ranges::any_of(names, [&](const std::string& known) {
    return known == name || known == fmt::format("{}Selector", name);
  });
  // `rich(who player)`: the other way round than people of some languages write it.
  if (swapped && type.is_string() && type.text != name) {
    diagnostic.suggestion = fmt::format("the type comes first: `{} {}`", name, type.text);
    return;
  }
  if (type.is_string()) {
    diagnostic.alternatives = did_you_mean(type.text, names);
    correct_slip(diagnostic, SlipOf::parameter_type, type.text, names);
  }
  if (diagnostic.alternatives.empty())
    diagnostic.suggestion = fmt::format("the types are {}", name_list(names));
}

std::string type_text(const ParamType& type) {
  const auto found = std::ranges::find(type_names, type.kind, &TypeName::kind);
  if (found != type_names.end()) return std::string{found->text};
  if (type.kind == ParamKind::one_of) {
    std::string values;
    for (const Node& value : type.values)
      values += fmt::format("{}{}", values.empty() ? "" : ", ", to_text(value));
    return "one of " + values;
  }
  return fmt::format("{} of the token prop `{}`",
                     type.kind == ParamKind::trait_value ? "a value" : "a list of values",
                     type.prop);
}

Fit fits(const Node& argument, const ParamType& type) {
  if (param_name(argument) != nullptr) return Fit::fits;
  if (!has_shape(argument, type.kind)) return Fit::wrong_type;
  if (type.kind == ParamKind::one_of)
    return one_of(argument, type.values) ? Fit::fits : Fit::wrong_value;
  return Fit::fits;
}

}  // namespace parlor::spec
