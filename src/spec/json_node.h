// Rules written as JSON, as nodes that all stand at one origin.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spec/node.h"

namespace parlor::spec {

Node to_node(const nlohmann::json& json, const Origin& origin);

}  // namespace parlor::spec
