// A rule that a game offers and a table may choose.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace parlor {

// A house rule, preset or expansion that a game can be opened with (`--rules id`).
struct OfferedRule {
  std::string id;
  std::string name;
  std::string description;
  std::string category;
  std::vector<std::string> needs;              // ids of rules that must be active too
  std::vector<std::string> incompatible_with;  // ids of rules that must not be active
  Json details = Json::object();               // anything else worth knowing, for --json
};
Json to_json(const OfferedRule& rule);

}  // namespace parlor
