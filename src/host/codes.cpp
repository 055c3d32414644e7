#include "host/codes.h"

namespace parlor::host {

std::span<const CodeHelp> table_codes() {
  static constexpr CodeHelp all[]{
#define CODE(name, help) {#name, help},
#include "host/codes.def"
#undef CODE
  };
  return all;
}

}  // namespace parlor::host
