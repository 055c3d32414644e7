// The difference of two views: `before` with the patch applied is `after`, byte for byte.
//
// A patch is an object. Where both views have an object under a key, the patch has the entries of
// it that changed, whole; other values that changed stand there whole. "-" lists what is gone, as
// [key] or [key, key inside].
#pragma once

#include "base/json.h"

namespace parlor::host {

Json make_patch(const Json& before, const Json& after);
// False if it is no patch that fits.
bool apply_patch(Json& state, const Json& patch);

}  // namespace parlor::host
