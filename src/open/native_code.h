// Games written as data, compiled (V-12): a game's Program is printed as C++ (kernel/printed),
// compiled with the C++ compiler at hand, and kept in the user's cache folder for the next time.
// The game that comes back plays the same, byte by byte, only faster.
//
//   auto native = open::make_native(game);
//   if (!native.trouble.empty()) std::cerr << native.trouble;   // the interpreter plays
//   play(*native.game);
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "game/game.h"

namespace parlor::open {

struct NativeGame {
  std::shared_ptr<const Game> game;  // the one given, if there was trouble
  std::string trouble;               // why the interpreter plays; empty: compiled code does
  bool compiled_now = false;         // it was not in the cache
};

// What is being done, for those who wait: "compiling hex (31 expressions)".
using NativeProgress = std::function<void(const std::string& what)>;

// The compiler is $PARLOR_CXX, else $CXX, else the first of c++, g++ and clang++ in the PATH. What
// it made lies in $XDG_CACHE_HOME/parlor/native (~/.cache), under a name that depends on the
// printed code, this Parlor, the compiler and the processor. A file there is loaded only if it, and
// the folder, belong to the user and nobody else may write to them. At most 64 files of 256 MB
// together are kept, those used last.
NativeGame make_native(std::shared_ptr<const Game> game, const NativeProgress& progress = {});

}  // namespace parlor::open
