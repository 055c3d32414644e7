// What kind of thing a value, a binding or a query result is, as far as can be known without
// playing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/gamedef/declare.h"

namespace parlor::spec::lower {

struct Type {
  Kind kind = Kind::unknown;
  Kind item = Kind::unknown;  // of a list
  std::string table = {};     // of a row, or of the rows in a list
  // What a text can be, where that is known: names that are computed are checked by it.
  std::shared_ptr<const std::vector<std::string>> texts = {};

  bool known() const { return kind != Kind::unknown; }
};

inline Type plain(Kind kind) {
  return {kind, Kind::unknown, {}, {}};
}
inline Type one_of(std::vector<std::string> texts) {
  Type out = plain(Kind::string);
  out.texts = std::make_shared<const std::vector<std::string>>(std::move(texts));
  return out;
}
Type list_of(const Type& item);
Type item_of(const Type& list);  // unknown for anything that is no list

bool is_number(const Type& type);  // or may be one
bool is_text(const Type& type);    // or may be some
// Whether a value of one type can ever be equal to, or stand in for, one of the other.
bool compatible(const Type& a, const Type& b);
// The type of something that is either `a` or `b`.
Type either(const Type& a, const Type& b);

// "a whole number", "a list of zones", …
std::string describe(const Type& type);

}  // namespace parlor::spec::lower
