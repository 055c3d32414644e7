// Names to small integers and back. Ids are handed out in order of first appearance, so the same
// text always gives the same ids.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/id.h"

namespace parlor {

template <class IdType>
class Interner {
 public:
  IdType intern(std::string_view name) {
    if (auto found = ids_.find(name); found != ids_.end()) return found->second;
    const IdType id{names_.size()};
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);  // a deque never moves its strings: the view stays good
    return id;
  }

  std::optional<IdType> find(std::string_view name) const {
    auto found = ids_.find(name);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
  }

  std::string_view name(IdType id) const { return names_[id.index()]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, IdType> ids_;
};

}  // namespace parlor
