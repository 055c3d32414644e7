// Where things stand in lists, as the numbers others keep of them; -1 is nowhere. What has an id of
// its own is listed in a Table (base/table.h), which says the same as ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace parlor {

// The first that is `wanted`, or of which this member is.
template <class List, class Wanted, class Member = std::identity>
int position_of(const List& list, const Wanted& wanted, Member member = {}) {
  const auto found = std::ranges::find(list, wanted, member);
  return found == std::ranges::end(list) ? -1 : static_cast<int>(found - std::ranges::begin(list));
}

// What stands there.
template <class List>
auto& item_at(List& list, int place) {
  return list[static_cast<std::size_t>(place)];
}

// Of something that lies in the list.
template <class List>
int place_in(const List& list, const typename List::value_type& item) {
  return static_cast<int>(&item - std::data(list));
}

// Puts something at the end, and says where that is.
template <class T>
int append(std::vector<T>& list, typename std::vector<T>::value_type item) {
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

}  // namespace parlor
