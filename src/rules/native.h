// Native modules on a game written as data: the same composition rules as for module files.
#pragma once

#include "kernel/module.h"
#include "rules/shelf.h"

namespace parlor::rules {

// Lets every module add its parts to the game, in the order of ids. Reports names a module does not
// own, and things it changed that were there before (M-02). Requirements and incompatibilities,
// also with the modules the game has already, are checked like those of files.
Diagnostics extend(spec::GameDef& game, const kernel::NativeModules& modules);

}  // namespace parlor::rules
