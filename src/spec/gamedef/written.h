// What a game's text may say that a compiled game no longer has: sections and their entries, macros
// and templates, effects that are short for others. They have no struct, since they are written out
// before the rules mean anything; their fields are declared here, in the words of declare.h. What a
// construct of the compiled game has besides its members stands here, too.
#pragma once

#include <span>
#include <vector>

#include "spec/gamedef/language.h"

namespace parlor::spec {

struct WrittenConstruct {
  Family family = Family::record;
  std::string_view name;
  std::string_view about;  // empty: adds to one there is
  std::vector<WrittenKey> fields;
};

std::span<const WrittenConstruct> written_constructs();

}  // namespace parlor::spec
