// T-10: sessions tell a viewer the same in worlds this viewer cannot tell apart: answers, events,
// the log so far and its replay, hashes of views, refusals of legal, illegal and nonsensical
// requests. For every game that hides something, every seat, spectators and declared observers.
#include <gtest/gtest.h>

#include "games/hidden_games.h"
#include "rounds.h"
#include "secrecy/sessions.h"

namespace parlor::games {
namespace {

// From some states along random play on.
void look_for_session_leaks(const std::shared_ptr<const Game>& game, Seed seed,
                            test::SessionSearch& search) {
  State state = start(*game, seed);
  Rng rng(seed);
  OptionList options;
  constexpr int decisions = 24;
  for (int n = 0; n < decisions && !state.finished(); ++n) {
    const bool between = state.decision().kind == DecisionKind::chance;
    if ((n < 3 || n % 5 == 0) && !between)
      for (const Viewer& viewer : viewers_of(*game))
        if (const auto leak = test::find_session_leak(game, state, viewer, rng, search))
          FAIL() << "seed " << seed << ", after " << n << " decisions, " << viewer_name(viewer)
                 << ", " << leak->where << ": " << leak->message;
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[draw_option(options, rng)]));
  }
}

class SessionSecrecy : public testing::TestWithParam<std::string> {};

TEST_P(SessionSecrecy, SessionsInWorldsThatLookTheSameTellTheSame) {
  constexpr int pairs = 12, shared = 10;  // at least
  test::SessionSearch search;
  for (const bool explicit_chance : {false, true}) {
    if (explicit_chance && !has_explicit_form(GetParam())) continue;
    OpenOptions options;
    options.explicit_chance = explicit_chance;
    const auto game = open_shipped(GetParam(), options);
    for (Seed seed = 1; seed <= (explicit_chance ? 1 : 2); ++seed) {
      look_for_session_leaks(game, seed, search);
      if (test::enough(search.pairs >= pairs && search.shared >= shared)) break;
    }
  }
  EXPECT_GE(search.pairs, pairs);
  EXPECT_GE(search.shared, shared) << "they part too soon to compare much";
}

TEST(HidingGames, AreThoseThatSaySo) {
  std::vector<std::string> hiding;
  for (const std::string& name : all_games())
    if (open_shipped(name)->info().hidden_information) hiding.push_back(name);
  EXPECT_EQ(hiding, hiding_games());
}

INSTANTIATE_TEST_SUITE_P(Games, SessionSecrecy, testing::ValuesIn(hiding_games()),
                         [](const auto& info) { return file_name(info.param); });

}  // namespace
}  // namespace parlor::games
