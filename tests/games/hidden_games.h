// The games that hide something: those that are shipped, and small ones made for tests, each of
// which hides in another way.
#pragma once

#include <string>
#include <vector>

#include "games/shipped.h"

namespace parlor::games {

// As open_shipped takes them. Fails the test when there are fewer than there should be.
std::vector<std::string> hidden_test_games();
std::vector<std::string> all_games();  // every shipped game, with its modules, and those above
// Those of them that hide something: by name, as lists of tests are made whenever any test is run.
std::vector<std::string> hiding_games();
// Whether it can be opened with explicit chance: not where players pick unseen tokens out of a
// shuffled zone.
bool has_explicit_form(const std::string& game);

std::string file_name(const std::string& game);

}  // namespace parlor::games
