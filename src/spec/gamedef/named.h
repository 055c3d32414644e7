// Things by their names, in byte order of these: an object in JSON.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace parlor::spec {

template <class T>
class Named {
 public:
  using Entry = std::pair<std::string, T>;
  using Thing = T;

  // What is called so, which is made if there is nothing.
  T& operator[](std::string_view name) {
    const auto place = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
    if (place != entries_.end() && place->first == name) return place->second;
    return entries_.emplace(place, std::string{name}, T{})->second;
  }
  const T* find(std::string_view name) const {
    const auto place = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
    return place != entries_.end() && place->first == name ? &place->second : nullptr;
  }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  Entry& at(std::size_t index) { return entries_[index]; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace parlor::spec
