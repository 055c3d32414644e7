// The reference evaluator on its own: what it plays must be sound before it can judge anything.
#include <gtest/gtest.h>
#include <set>

#include "generate/random_game.h"
#include "reference/reference_game.h"

namespace parlor {
namespace {

using generate::GamePlan;
using reference::ReferenceGame;
using reference::ReferenceState;

void expect_sound(const ReferenceGame& game, const ReferenceState& state) {
  const auto& def = game.rules().def;
  for (const auto& var : def.global_vars) {
    const auto* value = std::get_if<spec::Int>(&state.now.globals.at(var.name).v);
    if (value) RC_ASSERT(*value >= var.min && *value <= var.max);
  }
  std::set<std::string> seen;
  for (const auto& [zone, tokens] : state.now.zones)
    for (const auto& token : tokens) RC_ASSERT(seen.insert(token.id).second);
}

TEST(Reference, PlaysRandomGamesToTheEnd) {
  rc::check("random games end, within their bounds", [] {
    const GamePlan plan = *generate::game_plans();
    const ReferenceGame game(generate::make_game(plan));
    const std::uint64_t seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    Rng pick(seed);
    ReferenceState state = game.start(seed);
    int decisions = 0;
    while (game.decision(state).kind != DecisionKind::finished && decisions < 60) {
      expect_sound(game, state);
      const auto options = game.options(state);
      RC_ASSERT(!options.empty());
      ++decisions;
      try {
        game.apply(state, options[pick.below(options.size())]);
      } catch (const std::exception&) {
        break;  // luck led where the rules refuse what was offered: a fault, and it is said
      }
    }
    RC_CLASSIFY(decisions >= 60, "cut off");
    RC_CLASSIFY(!plan.actions.empty(), "with actions");
  });
}

}  // namespace
}  // namespace parlor
