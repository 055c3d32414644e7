// The headers printed code needs, as texts (parlor_printed_headers in cmake/parlor.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace parlor::open {

struct PrintedHeader {
  std::string_view path;  // "kernel/printed/code.h"
  std::string_view text;
};
const std::vector<PrintedHeader>& printed_headers();

}  // namespace parlor::open
