// Games played by compiled rules and by the interpreter side by side (V-13).
#pragma once

#include <memory>
#include <set>
#include <string>

#include "game/game.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::games {

// Compiled code lies beside the test program, so that what did not change is not compiled again.
void keep_code_beside_tests();
// The same game by compiled code; fails the test where it cannot be compiled.
std::shared_ptr<const Game> native(const std::shared_ptr<const Game>& game);

// Plays this many decisions from a seed with both. Every now and then what each has becomes the
// other's: a save, loaded there.
void play_with_both(const Game& plain_game, const Game& fast_game, Seed seed, int decisions);
void compare_game(const std::string& name, int games, int decisions);
// A game that may have nothing in it worth compiling; whether it had.
bool compare_def(const spec::GameDef& def, int games, int decisions);

// The functions whose names begin so, without that.
std::set<std::string> printed_functions(const Game& game, const std::string& prefix);

}  // namespace parlor::games
