// Strong ids: small integers that cannot be mixed up. `Id<struct ZoneTag>` and
// `Id<struct TokenTag>` are different types with the same cost as the integer inside.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>  // std::hash
#include <type_traits>

namespace parlor {

template <class Tag, class Int = std::uint32_t>
struct Id {
  using Integer = Int;
  static constexpr Int none_value = static_cast<Int>(-1);

  Int value = none_value;

  constexpr Id() = default;
  constexpr explicit Id(Int v) : value(v) {}
  template <class Other>
    requires(!std::is_same_v<Other, Int> && std::is_integral_v<Other>)
  constexpr explicit Id(Other v) : value(static_cast<Int>(v)) {}

  static constexpr Id none() { return Id{}; }
  constexpr bool is_none() const { return value == none_value; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }

  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace parlor

template <class Tag, class Int>
struct std::hash<parlor::Id<Tag, Int>> {
  std::size_t operator()(parlor::Id<Tag, Int> id) const noexcept {
    return std::hash<Int>{}(id.value);
  }
};
