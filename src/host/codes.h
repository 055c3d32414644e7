// The codes of refusals at tables: `Rejection{code::SEAT_TAKEN, "somebody sits there already"}`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace parlor::host {

namespace code {
#define CODE(name, help) inline const std::string name = #name;
#include "host/codes.def"
#undef CODE
}  // namespace code

struct CodeHelp {
  std::string_view name, help;
};
std::span<const CodeHelp> table_codes();  // in the order of the list

}  // namespace parlor::host
