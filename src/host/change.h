// What became of one stage when the next is told: written once for all who saw the same.
#pragma once

#include "host/contract.h"

namespace parlor::host {

struct ChangeText {
  std::string events = "[]", patch = "{}";  // canonical JSON
};
using ChangePtr = std::shared_ptr<const ChangeText>;

// From the text of a stage to another stage of the same viewer; `told` is what they may know of
// what happened. Of the stage before only the parts are read that it is about.
ChangePtr make_change(const SceneNames& names, std::string_view before, const Stage& after,
                      Json told);

}  // namespace parlor::host
