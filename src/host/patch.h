// The difference of two views: `before` with the patch applied is `after`, byte for byte.
//
// A patch is an object. Where both views have an object under a key, the patch has the entries of
// it that changed, whole; other values that changed stand there whole. "-" lists what is gone, as
// [key] or [key, key inside].
#pragma once

#include "base/json.h"
#include "base/json_members.h"

namespace parlor::host {

// Of views as canonical JSON, as canonical JSON: texts are compared faster than what they say.
std::string make_patch(const JsonParts& before, const JsonParts& after);
// False if it is no patch that fits.
bool apply_patch(Json& state, const Json& patch);

}  // namespace parlor::host
