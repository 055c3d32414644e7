// The texts of a game as the page has them: in memory, by name.
#pragma once

#include "base/json.h"
#include "spec/spec.h"

namespace parlor::wasm {

// Compiles {"files": {name: text}, "main": name, "modules": [names], "constants": {name: value}}.
// Anything that is not of this form counts as not given.
spec::CompileResult compile_texts(const Json& request);

}  // namespace parlor::wasm
