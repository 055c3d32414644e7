// Going through the rules, whatever they are made of.
#pragma once

#include "spec/gamedef/node_traits.h"

namespace parlor::spec {

template <class T>
inline constexpr bool is_boxed = false;
template <class T>
inline constexpr bool is_boxed<Box<T>> = true;
template <class T>
inline constexpr bool is_choice_of = false;
template <class... Ts>
inline constexpr bool is_choice_of<std::variant<Ts...>> = true;

// Calls `visit` with everything directly inside a part of the rules.
template <class T, class Visit>
void each_part(const T& part, const Visit& visit) {
  if constexpr (IsNode<T>) {
    visit(part.node);
  } else if constexpr (is_boxed<T>) {
    visit(*part);
  } else if constexpr (is_choice_of<T>) {
    std::visit([&](const auto& one) { visit(one); }, part);
  } else if constexpr (IsVector<T>::value && !std::is_same_v<T, std::vector<bool>>) {
    for (const auto& item : part) visit(item);
  } else if constexpr (IsOptional<T>::value) {
    if (part) visit(*part);
  } else if constexpr (std::is_same_v<T, TokenFilter>) {
    visit(part.test.value);
    visit(part.args);
  } else if constexpr (std::is_same_v<T, ZoneSel>) {
    visit(part.expr);
  } else if constexpr (std::is_same_v<T, DirectionSel>) {
    visit(part.expr);
  } else if constexpr (std::is_same_v<T, ConcatValue>) {
    visit(part.parts);
  } else if constexpr (HasFields<T>) {
    T::fields(part, [&](const char*, const auto& member, auto...) { visit(member); });
  }
}

// Whether something of this type stands anywhere in a part of the rules.
template <class Wanted>
struct Mentions {
  bool found = false;
  template <class T>
  void look_at(const T& part) {
    if constexpr (std::is_same_v<T, Wanted>) found = true;
    if (!found) each_part(part, [&](const auto& inner) { look_at(inner); });
  }
};
template <class Wanted, class T>
bool mentions(const T& part) {
  Mentions<Wanted> out;
  out.look_at(part);
  return out.found;
}

}  // namespace parlor::spec
