// What a plain (unquoted) YAML scalar means: the YAML 1.2 core schema, nothing else.
#pragma once

#include <string_view>

#include "spec/node.h"

namespace parlor::spec {

struct ScalarProblem {
  bool out_of_range = false;  // an integer beyond ±(2^53 - 1)
};

// `yes`, `no`, `on`, `off` are strings here; whole numbers written as 2.0 or 1e3 are integers.
Node resolve_plain(std::string_view text, Origin origin, ScalarProblem& problem);

// yes, no, on, off in any usual case: words that older YAML read as booleans.
bool looks_like_boolean(std::string_view text);

}  // namespace parlor::spec
