// A vector that only its own id indexes: `Table<ZoneId, ZoneInfo>` cannot be asked for the zone
// with the number of a token. It costs what the vector inside costs.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/id.h"

namespace parlor {

// The ids from one up to another, to loop over.
template <class Key>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = Key;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    constexpr explicit Iterator(Key at) : at_(at) {}
    constexpr Key operator*() const { return at_; }
    constexpr Iterator& operator++() {
      ++at_.value;
      return *this;
    }
    constexpr Iterator operator++(int) { return Iterator(Key(at_.value++)); }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    Key at_;
  };
  constexpr IdRange(Key first, Key behind) : first_(first), behind_(behind) {}
  // So many, from the first there can be.
  constexpr explicit IdRange(std::size_t count) : IdRange(Key(0), Key(count)) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(behind_); }

 private:
  Key first_, behind_;
};

template <class Key, class T>
class Table {
  using Items = std::vector<T>;

 public:
  using value_type = T;
  using reference = typename Items::reference;
  using const_reference = typename Items::const_reference;

  Table() = default;
  explicit Table(std::size_t size, const T& item = T()) : items_(size, item) {}

  reference operator[](Key id) { return items_[id.index()]; }
  const_reference operator[](Key id) const { return items_[id.index()]; }
  // Whether there is something with this id; there is none with the id that means none.
  bool has(Key id) const { return id.index() < items_.size(); }

  Key push_back(T item) {
    items_.push_back(std::move(item));
    return Key(items_.size() - 1);
  }
  // The id that what comes next will have.
  Key next() const { return Key(items_.size()); }
  // Of something that lies in here.
  Key id_of(const T& item) const { return Key(&item - items_.data()); }
  // The first of which this member is so, or none.
  template <class Member, class Wanted>
  Key find(Member member, const Wanted& wanted) const {
    for (const Key id : ids())
      if (std::invoke(member, (*this)[id]) == wanted) return id;
    return Key::none();
  }
  IdRange<Key> ids() const { return IdRange<Key>(items_.size()); }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void resize(std::size_t size, const T& item = T()) { items_.resize(size, item); }
  void assign(std::size_t size, const T& item) { items_.assign(size, item); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void clear() { items_.clear(); }
  void pop_back() { items_.pop_back(); }
  reference back() { return items_.back(); }
  const_reference back() const { return items_.back(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const T* data() const { return items_.data(); }

  friend bool operator==(const Table&, const Table&) = default;

 private:
  Items items_;
};

}  // namespace parlor
