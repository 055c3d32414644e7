// What must hold for every game the kernel runs, tried on random small games: bounds, tokens, hash,
// saving at every decision, refusals, copies in the middle of a move, threads.
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "game/secrecy.h"
#include "generate/random_game.h"
#include "kernel/open.h"
#include "rounds.h"
#include "secrecy/sessions.h"

namespace parlor {
namespace {

using generate::GamePlan;

constexpr int most_decisions = 25;

// Calls `look` at every decision of a random game, and plays on.
template <class Look>
void along_random_play(const Game& game, Seed seed, const Look& look) {
  Rng pick(seed);
  State state = game.start(seed).value();
  OptionList options;
  for (int n = 0; n < most_decisions && !state.finished(); ++n) {
    state.list_options(options);
    RC_ASSERT(!options.empty());
    look(state, options);
    // Where the rules go wrong over an option, another one is taken.
    const std::size_t first = pick.below(options.size());
    bool made = false;
    for (std::size_t i = 0; i < options.size() && !made; ++i) {
      const Applied applied = state.apply(options[(first + i) % options.size()]);
      RC_ASSERT(applied.has_value() || applied.error().fault);
      made = applied.has_value();
    }
    if (!made) return;
  }
  state.list_options(options);  // none, if it is finished
  look(state, options);
}

template <class Look>
void for_random_games(const char* what, const Look& look) {
  const bool good = rc::check(what, [&] {
    const GamePlan plan = *generate::game_plans();
    const auto game = open_kernel(generate::make_game(plan));
    look(*game, static_cast<Seed>(*rc::gen::inRange(0, 1000)), generate::make_game(plan));
  });
  EXPECT_TRUE(good);
}

TEST(KernelProperties, VariablesStayWithinTheirBounds) {
  for_random_games("bounds hold", [](const Game& game, Seed seed, const spec::GameDef& def) {
    along_random_play(game, seed, [&](const State& state, const OptionList&) {
      const Json view = state.view();
      for (const auto& var : def.global_vars) {
        if (var.type == spec::VarType::boolean) continue;
        const auto value = view["globals"][var.name].get<spec::Int>();
        RC_ASSERT(value >= var.min && value <= var.max);
      }
      for (const Json& player : view["players"])
        for (const auto& var : def.per_player_vars) {
          const auto value = player[var.name].get<spec::Int>();
          RC_ASSERT(value >= var.min && value <= var.max);
        }
    });
  });
}

// T-10, for rules nobody thought of. Where options depend on what is hidden in ways that no world
// was found for, nothing can be compared; that must stay rare.
TEST(KernelProperties, TellNobodyMoreThanTheyMayKnow) {
  int compared = 0, given_up = 0;
  for_random_games("nothing leaks", [&](const Game& game, Seed seed, const spec::GameDef&) {
    const auto& kernel = dynamic_cast<const kernel::KernelGame&>(game);
    Rng rng(seed);
    int n = 0;
    along_random_play(game, seed, [&](const State& state, const OptionList&) {
      if (n++ % 8 != 0) return;
      for (const Viewer& viewer : viewers_of(game)) {
        const auto before = kernel.worlds_given_up();
        const auto leak = find_leak(state, viewer, rng, {.worlds = 1});
        const bool fits = kernel.worlds_given_up() == before;
        ++(fits ? compared : given_up);
        if (leak && fits)
          RC_FAIL(viewer_name(viewer) + " learns in " + leak->where + ": " + leak->message);
      }
    });
  });
  EXPECT_GT(compared, test::rounds(150));
  EXPECT_LT(given_up * 10, compared);
}

// The same of sessions, which go on alike in both worlds.
TEST(KernelProperties, SessionsTellNobodyMoreThanTheyMayKnow) {
  test::SessionSearch search{.decisions = 3};
  for_random_games("no session leaks", [&](const Game& game, Seed seed, const spec::GameDef&) {
    const auto& kernel = dynamic_cast<const kernel::KernelGame&>(game);
    const std::shared_ptr<const Game> borrowed{std::shared_ptr<const Game>{}, &game};
    Rng rng(seed);
    int n = 0;
    along_random_play(game, seed, [&](const State& state, const OptionList&) {
      if (n++ % 12 != 0 || state.finished()) return;
      for (const Viewer& viewer : viewers_of(game)) {
        const auto before = kernel.worlds_given_up();
        const auto leak = test::find_session_leak(borrowed, state, viewer, rng, search);
        if (leak && kernel.worlds_given_up() == before)
          RC_FAIL(viewer_name(viewer) + " learns in " + leak->where + ": " + leak->message);
      }
    });
  });
  EXPECT_GT(search.pairs, test::rounds(150));
  EXPECT_GT(search.shared, test::rounds(150));
}

TEST(KernelProperties, EveryTokenIsInExactlyOnePlace) {
  for_random_games("tokens are once", [](const Game& game, Seed seed, const spec::GameDef&) {
    along_random_play(game, seed, [&](const State& state, const OptionList&) {
      std::set<std::string> seen;
      const Json zones = state.view()["zones"];
      for (const Json& zone : zones)
        for (const Json& token : zone)
          RC_ASSERT(seen.insert(token["id"].get<std::string>()).second);
    });
  });
}

TEST(KernelProperties, SavesAndLoadsAtEveryDecisionWithTheSameHash) {
  for_random_games("load(save(s)) is s", [](const Game& game, Seed seed, const spec::GameDef&) {
    along_random_play(game, seed, [&](const State& state, const OptionList& options) {
      const auto loaded = game.load(state.save());
      RC_ASSERT(loaded.has_value());
      RC_ASSERT(*loaded == state);
      // Loading computes the hash anew, playing keeps it up to date: they must agree.
      RC_ASSERT(loaded->hash() == state.hash());
      OptionList again;
      loaded->list_options(again);
      RC_ASSERT(std::equal(again.begin(), again.end(), options.begin(), options.end()));
    });
  });
}

TEST(KernelProperties, OfferedOptionsApplyAndOthersChangeNothing) {
  for_random_games("offers are true", [](const Game& game, Seed seed, const spec::GameDef&) {
    along_random_play(game, seed, [&](const State& state, const OptionList& options) {
      for (const Option option : options) {
        State copy = state;
        const Applied applied = copy.apply(option);
        RC_ASSERT(applied.has_value() || (applied.error().fault && copy == state));
      }
      State same = state;
      const Option wrong{0x7fff'ffff'ffff'fff1};
      RC_ASSERT(!same.try_apply(wrong).has_value());
      RC_ASSERT(same == state);
      RC_ASSERT(same.hash() == state.hash());
    });
  });
}

TEST(KernelProperties, CopiesInTheMiddleOfAMoveGoTheSameWay) {
  for_random_games("copies are equal", [](const Game& game, Seed seed, const spec::GameDef&) {
    along_random_play(game, seed, [&](const State& state, const OptionList& options) {
      if (options.empty() || state.decision().starts_move) return;
      State one = state, other = state;
      Rng left(seed), right(seed);
      OptionList list;
      for (int n = 0; n < 6 && !one.finished(); ++n) {
        one.list_options(list);
        const bool first = one.apply(list[left.below(list.size())]).has_value();
        other.list_options(list);
        const bool second = other.apply(list[right.below(list.size())]).has_value();
        RC_ASSERT(first == second);
        RC_ASSERT(one == other);
        RC_ASSERT(one.hash() == other.hash());
      }
    });
  });
}

// The hashes along one random game.
std::vector<std::uint64_t> hashes(const Game& game, Seed seed) {
  std::vector<std::uint64_t> out;
  Rng pick(seed);
  State state = game.start(seed).value();
  OptionList options;
  for (int n = 0; n < most_decisions && !state.finished(); ++n) {
    out.push_back(state.hash());
    state.list_options(options);
    if (!state.apply(options[pick.below(options.size())])) break;
  }
  out.push_back(state.hash());
  return out;
}

TEST(KernelProperties, ManyThreadsPlayTheSameGamesAsOne) {
  for_random_games("threads agree", [](const Game& game, Seed seed, const spec::GameDef&) {
    std::vector<std::vector<std::uint64_t>> alone, together(3);
    for (Seed i = 0; i < 3; ++i) alone.push_back(hashes(game, seed + i));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 3; ++i)
      threads.emplace_back([&, i] { together[i] = hashes(game, seed + i); });
    for (std::thread& thread : threads) thread.join();
    RC_ASSERT(alone == together);
  });
}

}  // namespace
}  // namespace parlor
