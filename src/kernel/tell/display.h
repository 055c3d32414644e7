// What a game says of how a page draws it. The rules never ask for it.
#pragma once

#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

inline const spec::Display& display_of(const spec::GameDef& def) {
  static const spec::Display nothing;
  return def.display ? *def.display : nothing;
}

}  // namespace parlor::kernel
