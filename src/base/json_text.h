// Canonical JSON at the end of a text that grows, for those who write many values in a row.
#pragma once

#include "base/json.h"

namespace parlor {

void write_canonical(const Json& value, std::string& out);

}  // namespace parlor
