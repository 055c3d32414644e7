// A value on the heap that behaves like a member: copies deeply, is never empty. It lets a tree
// node hold nodes of its own kind.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace parlor::spec {

template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a box stands for what is in it.
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    *value_ = *other;
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box();  // not constexpr: compilers may ask for that one before T is complete

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

template <class T>
Box<T>::~Box() = default;

// Copies, moves and the end of a type that are compiled once, in nodes.cpp. The nodes are large
// variants of one another: every source that copies one would otherwise compile all of them again.
#define PARLOR_COMPILED_ONCE(Type)  \
  Type();                           \
  Type(const Type&);                \
  Type(Type&&) noexcept;            \
  Type& operator=(const Type&);     \
  Type& operator=(Type&&) noexcept; \
  ~Type();                          \
  friend bool operator==(const Type&, const Type&);
// The same for a node, which is made from any of its shapes and a place.
#define PARLOR_NODE(Type)                                                                      \
  PARLOR_COMPILED_ONCE(Type)                                                                   \
  template <class Shape>                                                                       \
    requires is_shape_of<std::remove_cvref_t<Shape>, Type##Node>                               \
  Type(Shape&& shape, PlaceId place = {}) /* NOLINT(google-explicit-constructor): it is one */ \
      : node(std::forward<Shape>(shape)), at(place) {}

template <class Shape, class Node>
inline constexpr bool is_shape_of = std::is_same_v<Shape, Node>;
template <class Shape, class... Shapes>
inline constexpr bool is_shape_of<Shape, std::variant<Shapes...>> =
    (std::is_same_v<Shape, Shapes> || ...) || std::is_same_v<Shape, std::variant<Shapes...>>;

}  // namespace parlor::spec
