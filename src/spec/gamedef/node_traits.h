// What the JSON writer, the JSON reader and the schema maker need to know about the types of a
// GameDef, so that each can be a handful of cases.
#pragma once

#include <type_traits>

#include "spec/gamedef/enum_names.h"

namespace parlor::spec {

template <class T>
concept HasFields = requires(T& t) { T::fields(t, [](auto&&...) {}); };
template <class T>
concept HasTag = requires { T::tag; };
template <class T>
concept IsEnum = std::is_enum_v<T>;
// Nodes that carry their place beside a variant of shapes.
template <class T>
concept IsNode = std::is_same_v<T, Value> || std::is_same_v<T, Condition> ||
                 std::is_same_v<T, Query> || std::is_same_v<T, Effect>;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Fields that are simply left out when they are empty.
template <class T>
inline constexpr bool omitted_when_empty =
    std::disjunction_v<IsVector<T>, IsOptional<T>, std::is_same<T, std::string>,
                       std::is_same<T, PlaceId>>;

template <class T>
bool is_empty_field(const T& value) {
  if constexpr (IsVector<T>::value || std::is_same_v<T, std::string>)
    return value.empty();
  else if constexpr (IsOptional<T>::value)
    return !value.has_value();
  else if constexpr (std::is_same_v<T, PlaceId>)
    return value.index == 0;
  else
    return false;
}

// Calls `visit` with the std::type_identity of each alternative of a variant.
template <class Variant, class Visit, std::size_t... I>
void each_alternative(Visit&& visit, std::index_sequence<I...>) {
  (visit(std::type_identity<std::variant_alternative_t<I, Variant>>{}), ...);
}
template <class Variant, class Visit>
void each_alternative(Visit&& visit) {
  each_alternative<Variant>(visit, std::make_index_sequence<std::variant_size_v<Variant>>{});
}

}  // namespace parlor::spec
