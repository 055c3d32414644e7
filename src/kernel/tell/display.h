// The section `display` of a game: how a page draws it. The rules never ask for it, and everything
// in it has a default; entries of the wrong shape are as good as none.
#pragma once

#include <initializer_list>
#include <string>

#include "base/json.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

struct Display {
  Json section = Json::object();

  // What stands at a path, e.g. {"tokens", "pawn", "shape"}; null: nothing.
  const Json& at(std::initializer_list<std::string_view> path) const {
    static const Json nothing = nullptr;
    const Json* here = &section;
    for (const std::string_view key : path) {
      const auto found = here->is_object() ? here->find(key) : here->end();
      if (!here->is_object() || found == here->end()) return nothing;
      here = &*found;
    }
    return *here;
  }
  std::string text(std::initializer_list<std::string_view> path,
                   std::string_view otherwise = "") const {
    const Json& found = at(path);
    return found.is_string() ? found.get<std::string>() : std::string(otherwise);
  }
};

inline Display read_display(const spec::GameDef& def) {
  const auto found = def.sections.find("display");
  return found != def.sections.end() && found->is_object() ? Display{*found} : Display{};
}

}  // namespace parlor::kernel
