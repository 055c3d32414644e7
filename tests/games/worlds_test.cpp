// T-11: other worlds are possible ones, all of them come up, and as often as they should. What is
// possible, and how likely, is counted by playing the game in all ways (histories.h).
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>

#include "game/secrecy.h"
#include "game/streams.h"
#include "games/hidden_games.h"
#include "games/histories.h"
#include "kernel/kernel.h"
#include "kernel/state/memory.h"

namespace parlor::games {
namespace {

constexpr int samples = 2000;

struct Share {
  std::size_t worlds = 0;  // possible ones
  double chi_square = 0;   // of the samples, against how likely they are
  std::string impossible;  // a world that came up and cannot be
  std::string missing;     // one that should have come up and did not
  double least = 1;        // smallest ratio of how often to how likely
};

// Worlds that are too rare for the test of chi-square count as one.
Share compare(const Worlds& exact, const Worlds& found, int times) {
  Share out;
  for (const auto& [world, share] : found)
    if (!exact.contains(world)) out.impossible = world;
  double rare = 0, rare_seen = 0;
  const auto add = [&](double share, double seen) {
    ++out.worlds;
    out.chi_square += times * (seen - share) * (seen - share) / share;
  };
  for (const auto& [world, share] : exact) {
    const auto at = found.find(world);
    const double seen = at == found.end() ? 0 : at->second;
    constexpr double surely = 15;  // times that it is expected
    if (seen == 0 && times * share > surely) out.missing = world;
    out.least = std::min(out.least, seen / share);
    if (times * share >= 5) {
      add(share, seen);
    } else {
      rare += share;
      rare_seen += seen;
    }
  }
  if (rare > 0) add(rare, rare_seen);
  return out;
}

// Far out in the tail (about one in 100,000) for so many degrees of freedom (Wilson and Hilferty).
double chi_square_limit(std::size_t freedom) {
  const double n = static_cast<double>(freedom), spread = 2.0 / (9.0 * n);
  return n * std::pow(1 - spread + 4.27 * std::sqrt(spread), 3);
}

struct Small {
  std::string game;
  std::map<std::string, std::string> constants = {};
};

std::shared_ptr<const Game> open_small(const Small& small) {
  OpenOptions options;
  options.explicit_chance = true;
  options.constants = small.constants;
  return open_shipped(small.game, options);
}

class SmallWorlds : public testing::TestWithParam<Small> {};

TEST_P(SmallWorlds, AreThePossibleOnesAndAsLikelyAsTheyShouldBe) {
  const auto game = open_small(GetParam());
  std::size_t compared = 0;
  for (Seed seed = 1; seed <= 3; ++seed) {
    const State start = games::start(*game, seed);
    State state = start;
    std::vector<Option> taken;
    Rng rng(seed);
    OptionList options;
    while (!state.finished()) {
      const Decision decision = state.decision();
      state.list_options(options);
      if (decision.kind != DecisionKind::chance) {
        for (const Viewer& viewer : viewers_of(*game)) {
          const Worlds exact = worlds_of(histories_like(start, taken, viewer));
          ASSERT_TRUE(exact.contains(world_of(state))) << "what is true is possible";
          if (exact.size() < 2) continue;
          const Share share =
              compare(exact, resampled_worlds(state, viewer, samples, seed), samples);
          const std::string where =
              fmt::format("seed {}, after {} choices, {}", seed, taken.size(), viewer_name(viewer));
          ASSERT_EQ(share.impossible, "") << where << "\nreally " << world_of(state);
          if (samples / exact.size() > 40) {
            EXPECT_GT(share.least, 0.2) << where << share.missing;
          }
          EXPECT_EQ(share.missing, "") << where;
          if (share.worlds > 1) {
            EXPECT_LT(share.chi_square, chi_square_limit(share.worlds - 1))
                << where << ", " << exact.size() << " worlds";
          }
          ++compared;
        }
      }
      taken.push_back(options[draw_option(options, rng)]);
      ASSERT_TRUE(state.apply(taken.back()));
    }
  }
  EXPECT_GE(compared, 3U) << "there was little to compare";
}

INSTANTIATE_TEST_SUITE_P(Of, SmallWorlds,
                         testing::Values(Small{"kuhn-poker"}, Small{"leduc-poker"},
                                         Small{"../tests/games/hidden/guess-the-die"},
                                         Small{"../tests/games/hidden/rock-paper-scissors",
                                               {{"rounds", "1"}}},
                                         Small{"../tests/games/hidden/blind-auction"}),
                         [](const auto& info) { return file_name(info.param.game); });

// Old maid has no explicit form. What its first state can be is counted over many deals: those that
// look the same to a player, against the worlds made up for one of them.
TEST(DealtWorlds, OfOldMaidComeUpAsOftenAsTheyAreDealt) {
  OpenOptions options;
  options.players = 3;
  options.constants = {{"ranks", "2"}};
  const auto game = open_shipped("../tests/games/hidden/old-maid", options);
  const Viewer viewer = Viewer::player(PlayerId{0});
  struct Look {
    std::optional<State> one;
    std::map<std::string, int> worlds;
    int deals = 0;
  };
  std::map<std::string, Look> looks;
  constexpr Seed deals = 12'000;
  for (Seed seed = 1; seed <= deals; ++seed) {
    const State state = start(*game, seed);
    if (state.finished()) continue;
    Look& look = looks[told_at(state, viewer)];
    if (!look.one) look.one = state;
    ++look.worlds[world_of(state)];
    ++look.deals;
  }
  int compared = 0;
  for (const auto& [told, look] : looks) {
    if (look.deals < 300 || look.worlds.size() < 2) continue;
    const Worlds found = resampled_worlds(*look.one, viewer, look.deals, 5);
    double chi_square = 0;  // of two samples of the same size
    for (const auto& [world, share] : found)
      ASSERT_TRUE(look.worlds.contains(world)) << "cannot be dealt: " << world;
    for (const auto& [world, count] : look.worlds) {
      const auto at = found.find(world);
      const double other = at == found.end() ? 0 : at->second * look.deals;
      chi_square += (count - other) * (count - other) / (count + other);
    }
    EXPECT_LT(chi_square, chi_square_limit(look.worlds.size() - 1)) << told;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

// ---- Old maid, as cards change hands

// What a viewer is told, whatever the order in which hands happen to lie.
std::string told_of_hands(const State& state, const Viewer& viewer) {
  Json view = state.view(viewer);
  for (auto& [id, tokens] : view["zones"].items())
    if (tokens.is_array())
      std::ranges::sort(tokens.get_ref<Json::array_t&>(), {},
                        [](const Json& token) { return canonical(token); });
  view["decider"] = state.decision().player.value;
  return canonical(view);
}

// A way it can have gone so far, and how likely it is beside others.
struct Possible {
  State state;
  double weight;
};
// By what lies where; hands are shuffled before anybody draws, so their order is none.
using Possibilities = std::map<std::string, Possible>;

void add_possible(Possibilities& all, State state, double weight) {
  const std::string key = told_of_hands(state, Viewer::everything());
  const auto [at, is_new] = all.try_emplace(key, Possible{std::move(state), 0});
  at->second.weight += weight;
}

// Every way a game can be dealt. Cards lie equally often in every place.
Possibilities deals_of(const Game& game) {
  Possibilities out;
  constexpr Seed deals = 5'000;  // of 210: every one comes up
  for (Seed seed = 1; seed <= deals; ++seed) add_possible(out, start(game, seed), 1);
  for (auto& [key, one] : out) one.weight = 1;
  return out;
}
// Those that look like this one.
Possibilities deals_like(const Possibilities& deals, const State& real, const Viewer& viewer) {
  const std::string told = told_of_hands(real, viewer);
  Possibilities out;
  for (const auto& [key, one] : deals)
    if (told_of_hands(one.state, viewer) == told) out.emplace(key, one);
  return out;
}

// Somebody has drawn a card, any of those there were being equally likely.
Possibilities after_draw(const Possibilities& before, const std::string& told,
                         const Viewer& viewer) {
  Possibilities out;
  OptionList options;
  for (const auto& [key, one] : before) {
    one.state.list_options(options);
    for (const Option option : options) {
      State state = one.state;
      if (state.apply(option) && told_of_hands(state, viewer) == told)
        add_possible(out, std::move(state), one.weight / static_cast<double>(options.size()));
    }
  }
  return out;
}

Worlds shares_of(const Possibilities& all) {
  double sum = 0;
  for (const auto& [key, one] : all) sum += one.weight;
  Worlds out;
  for (const auto& [key, one] : all) out[world_of(one.state)] += one.weight / sum;
  return out;
}

// However often cards have changed hands: everything that can be comes up, as often as it should,
// and nothing else. Nobody is thought to hold what would have been laid down earlier.
TEST(DealtWorlds, OfOldMaidAreExactHoweverOftenCardsHaveChangedHands) {
  OpenOptions options;
  options.players = 3;
  options.constants = {{"ranks", "3"}};
  const auto game = open_shipped("../tests/games/hidden/old-maid", options);
  const Possibilities deals = deals_of(*game);
  int dealt = 0, drawn = 0;
  for (Seed seed = 1; seed <= 5; ++seed)
    for (const Viewer& viewer : viewers_of(*game)) {
      State state = start(*game, seed);
      Rng rng(seed);
      OptionList list;
      Possibilities possible = deals_like(deals, state, viewer);
      for (int draws = 0; draws < 9 && !state.finished(); ++draws) {
        const Worlds exact = shares_of(possible);
        ASSERT_TRUE(exact.contains(world_of(state))) << "what is true is possible";
        const Share share = compare(exact, resampled_worlds(state, viewer, samples, seed), samples);
        const std::string where =
            fmt::format("seed {}, after {} draws, {}", seed, draws, viewer_name(viewer));
        EXPECT_EQ(share.missing, "") << where;
        EXPECT_EQ(share.impossible, "") << where;
        if (share.worlds > 1) {
          EXPECT_LT(share.chi_square, chi_square_limit(share.worlds - 1)) << where;
          ++(draws == 0 ? dealt : drawn);
        }
        state.list_options(list);
        ASSERT_TRUE(state.apply(list[draw_option(list, rng)]));
        possible = after_draw(possible, told_of_hands(state, viewer), viewer);
      }
    }
  EXPECT_GE(dealt, 8);
  EXPECT_GE(drawn, 15);
}

// With a whole pack there are too many deals to count. Still, whoever draws a card that stays in
// the hand knows that its twin was not where it came from.
TEST(DealtWorlds, OfAWholePackHaveNoPairThatWouldHaveBeenLaidDown) {
  OpenOptions options;
  options.players = 4;
  options.constants = {{"ranks", "12"}};
  const auto game = open_shipped("../tests/games/hidden/old-maid", options);
  int asked = 0;
  for (Seed seed = 1; seed <= 4; ++seed) {
    State state = start(*game, seed);
    Rng rng(seed);
    OptionList list;
    for (int draws = 0; draws < 12 && !state.finished(); ++draws) {
      const PlayerId drawer = state.decision().player;
      const Viewer viewer = Viewer::player(drawer);
      const Json hands = state.view()["zones"];
      const std::string own = fmt::format("hand:{}", drawer.value);
      state.list_options(list);
      const Option taken = list[draw_option(list, rng)];
      const int from = state.option_json(taken)["params"]["$from"].get<int>();
      ASSERT_TRUE(state.apply(taken));
      const Json now = state.view()["zones"][own];
      if (now.size() <= hands[own].size()) continue;  // a pair was laid down
      for (const Json& card : now) {
        if (std::ranges::find(hands[own], card) != hands[own].end()) continue;
        for (int n = 0; n < 20; ++n, ++asked) {
          State world = state;
          game->resample_hidden(world.block(), viewer, rng);
          for (const Json& other : world.view()["zones"][fmt::format("hand:{}", from)])
            ASSERT_NE(other["props"], card["props"]) << "seed " << seed << ", draw " << draws;
        }
      }
    }
  }
  EXPECT_GE(asked, 100);
}

// What it costs is paid where it helps: where somebody picks a token they do not see.
TEST(Courses, AreRememberedWhereTokensArePickedUnseen) {
  std::vector<std::string> remember;
  for (const std::string& name : all_games()) {
    const auto game = open_shipped(name);
    const auto& program = dynamic_cast<const kernel::KernelGame&>(*game).program();
    if (program.secrets.course) remember.push_back(file_name(name));
    EXPECT_EQ(program.layout.course == program.layout.effects, !program.secrets.course) << name;
  }
  EXPECT_EQ(remember,
            (std::vector<std::string>{"marked_deck", "old_maid", "pairs", "pointing", "thief"}));
}

// When there is no more room for the course of play it begins anew; worlds still fit what their
// viewer sees.
TEST(DealtWorlds, FitWhatIsSeenAlsoInLongGames) {
  OpenOptions options;
  options.players = 4;
  options.constants = {{"ranks", "40"}};
  const auto game = open_shipped("../tests/games/hidden/old-maid", options);
  const auto& program = dynamic_cast<const kernel::KernelGame&>(*game).program();
  State state = start(*game, 3);
  Rng rng(3);
  OptionList list;
  int remembered = 0, begun_anew = 0;
  for (int decisions = 0; !state.finished(); ++decisions) {
    const int events = kernel::Memory(program, state.block()).course().events;
    const bool anew = events < remembered;
    begun_anew += anew ? 1 : 0;
    remembered = events;
    if (anew || decisions % 40 == 39)
      for (const Viewer& viewer : viewers_of(*game)) {
        State world = state;
        game->resample_hidden(world.block(), viewer, rng);
        ASSERT_EQ(world.view(viewer), state.view(viewer)) << decisions;
        ASSERT_EQ(canonical(world.save()), canonical(game->load(world.save()).value().save()));
      }
    state.list_options(list);
    ASSERT_TRUE(state.apply(list[draw_option(list, rng)]));
  }
  EXPECT_GE(begun_anew, 1) << "the game was too short";
}

}  // namespace
}  // namespace parlor::games
