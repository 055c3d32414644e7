// T-10, T-17, S-10 to S-12: what the program and its sessions tell a viewer is the same in worlds
// that this viewer cannot tell apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "game/secrecy.h"
#include "source_dir.h"
#include "table/session.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string file_of(const std::string& name) {
  const std::string hidden = source_dir() + "/tests/games/hidden/" + name + ".md";
  return name.starts_with("kuhn") || name.starts_with("leduc") ? name : hidden;
}

std::string viewer_argument(const Viewer& viewer) {
  return viewer.id().is_none() ? "spectator" : std::to_string(viewer.id().value);
}

// After some random decisions.
State on_the_way(const Game& game, int decisions, Seed seed) {
  State state = game.start(seed).value();
  Rng rng(seed);
  OptionList options;
  for (int n = 0; n < decisions && !state.finished(); ++n) {
    state.list_options(options);
    EXPECT_TRUE(state.apply(options[draw_option(options, rng)]));
  }
  return state;
}

class ViewersOfTheProgram : public testing::TestWithParam<const char*> {};

TEST_P(ViewersOfTheProgram, AreToldTheSameInWorldsTheyCannotTellApart) {
  const std::string file = file_of(GetParam());
  const auto game = shipped().open(file, {}).value();
  Rng rng(3);
  for (int decisions = 0; decisions < 4; ++decisions) {
    const State state = on_the_way(*game, decisions, 5);
    for (const Viewer& viewer : viewers_of(*game)) {
      State world = state;
      game->resample_hidden(world.block(), viewer, rng);
      for (const bool json : {false, true}) {
        const auto told = [&](const State& which) {
          std::vector<std::string> arguments{"state", file,       "--load",
                                             "-",     "--viewer", viewer_argument(viewer)};
          if (json) arguments.emplace_back("--json");
          return run(arguments, canonical(which.save()), shipped());
        };
        const Result one = told(state), other = told(world);
        ASSERT_EQ(one.exit_code, 0) << one.err;
        EXPECT_EQ(one.out, other.out);
        EXPECT_EQ(one.err, other.err);
        EXPECT_THAT(one.out, Not(HasSubstr(json ? "\"hash\"" : "\nhash ")));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Games, ViewersOfTheProgram,
                         testing::Values("kuhn-poker", "leduc-poker", "rock-paper-scissors",
                                         "guess-the-die", "old-maid", "bluff-dice", "blind-auction",
                                         "thief", "pairs", "treasure"));

TEST(ViewersOfATrace, GetNoSavedStateAndNoSeed) {
  EXPECT_NE(run({"state", "kuhn-poker", "--viewer", "0", "--save"}, "", shipped()).exit_code, 0);
  const Result trace =
      run({"trace", "kuhn-poker", "--seed", "3", "--viewer", "spectator"}, "", shipped());
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_THAT(trace.out, Not(HasSubstr("\"seed\"")));
  EXPECT_THAT(trace.out, Not(HasSubstr("\"hash\"")));
  EXPECT_THAT(trace.out, HasSubstr("\"viewHash\""));
}

// Two deals that look the same to a player, played the same way, in sessions.
TEST(SessionsOfHiddenGames, TellTheSameWhateverTheOthersHold) {
  const std::shared_ptr<const Game> game = shipped().open("kuhn-poker", {}).value();
  const Viewer viewer = Viewer::player(PlayerId{0});
  const auto session_of = [&](Seed seed) {
    table::SessionConfig config{.id = "s", .game = "kuhn-poker", .seed = seed};
    config.options.players = 2;
    return table::Session::create(game, config, [] { return table::Time{1}; }).value();
  };
  table::Session one = session_of(1);
  int compared = 0;
  for (Seed seed = 2; seed < 40 && compared == 0; ++seed) {
    table::Session other = session_of(seed);
    if (other.observation(viewer) != one.observation(viewer)) continue;
    if (other.state().view() == one.state().view()) continue;
    for (int n = 0; !one.over() && !other.over(); ++n) {
      ASSERT_EQ(one.observation(viewer), other.observation(viewer));
      const PlayerId actor = one.state().decision().player;
      const table::ActionEnvelope envelope{.session = "s",
                                           .action_id = std::to_string(n),
                                           .actor = actor,
                                           .deed = table::Deed::act,
                                           .content = Json{{"index", 0}}};
      table::ActionEnvelope nonsense = envelope;
      nonsense.action_id += "x";
      nonsense.actor = PlayerId{0};
      nonsense.content = Json{{"action", "nothing"}};
      ASSERT_EQ(to_json(one.act(nonsense).error()), to_json(other.act(nonsense).error()));
      const auto answer = one.act(envelope), others = other.act(envelope);
      ASSERT_TRUE(answer && others);
      if (one.over() || other.over()) break;  // cards are shown at the end
      if (viewer.is(actor)) {
        ASSERT_EQ(answer->events, others->events);
        ASSERT_EQ(answer->view_hash, others->view_hash);
      }
      ASSERT_EQ(one.entry_for(one.log().back(), viewer),
                other.entry_for(other.log().back(), viewer));
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace parlor::test
