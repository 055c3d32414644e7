// Random small games, well typed by construction, as GameDef trees. A game is made from a plan: a
// few lists of numbers ("genes"), each of which is read as a sequence of decisions of a generator
// that walks the grammar. Number 0 always means the simplest form and a gene that runs out reads as
// zeros, so shrinking the plan (dropping genes, shortening them, making numbers smaller) shrinks
// the game: fewer actions, fewer effects, smaller expressions.
#pragma once

#include <cstdint>
#include <rapidcheck.h>
#include <vector>

#include "spec/gamedef/gamedef.h"

namespace parlor::generate {

using Gene = std::vector<std::uint8_t>;

struct GamePlan {
  bool faulty = false;         // the rules may go wrong
  Gene frame;                  // players, board, phases, turn order, when the game ends
  std::vector<Gene> actions;   // one action each
  std::vector<Gene> triggers;  // one trigger each
  std::vector<Gene> hooks;     // one hook each
};

spec::GameDef make_game(const GamePlan& plan);

// Games whose rules never go wrong, unless `faulty`.
rc::Gen<GamePlan> game_plans(bool faulty = false);
void showValue(const GamePlan& plan, std::ostream& out);  // the game as JSON

}  // namespace parlor::generate
