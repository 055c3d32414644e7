// Numbers for those who learn: every shipped game has a fixed number for everything that can be
// chosen, and numbers that say what a player sees.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "base/hash.h"
#include "games/shipped.h"
#include "open/open.h"
#include "source_dir.h"

namespace parlor::games {
namespace {

std::shared_ptr<const Game> open_any(const std::string& name) {
  if (name == "chess") return open::catalog().open("chess").value();
  if (name.starts_with("chess+")) {
    OpenOptions options;
    options.rules = {name.substr(6)};
    return open::catalog().open("chess", options).value();
  }
  return open_shipped(name);
}

std::vector<std::string> numbered_games() {
  std::vector<std::string> out = shipped_with_modules();
  out.emplace_back("chess");
  out.emplace_back("chess+cannon");
  return out;
}

class Numbers : public testing::TestWithParam<std::string> {};

TEST_P(Numbers, AreFixedAndFewEnough_P01_P03) {
  const ActionSpace space = open_any(GetParam())->action_space();
  EXPECT_EQ(space.kind, ActionSpace::Kind::fixed);
  EXPECT_GT(space.size, 0u);
  EXPECT_LE(space.size, ActionSpace::most);
}

TEST_P(Numbers, HaveNamesThatAreFoundAgain_P62) {
  const auto game = open_any(GetParam());
  std::set<std::string> names;
  const std::size_t size = game->action_space().size;
  for (std::size_t i = 0; i < size; ++i) {
    const std::string name = game->action_name(i);
    EXPECT_TRUE(names.insert(name).second) << name;
    if (i % 7 != 0 && size > 2000) continue;  // each is a search
    ASSERT_EQ(game->action_named(name), std::optional(i)) << name;
  }
  EXPECT_EQ(game->action_name(size), "");
  for (const char* wrong : {"", " ", "no such thing", "choose", "choose zone", "move", "a1", "~0"})
    if (!names.contains(wrong)) {
      EXPECT_EQ(game->action_named(wrong), std::nullopt) << wrong;
    }
}

// A golden file for each game: whoever has learnt something has learnt it by these numbers. Changes
// on purpose: PARLOR_REGENERATE=1.
TEST_P(Numbers, StayWhatTheyAre_P62) {
  const auto game = open_any(GetParam());
  const std::size_t size = game->action_space().size;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum = hash_combine(sum, hash_text(game->action_name(i)));
  std::string text = fmt::format("{} numbers, all names {:016x}\n", size, sum);
  for (std::size_t k = 0; k <= 24; ++k) {
    const std::size_t i = k * (size - 1) / 24;
    if (k != 0 && i == (k - 1) * (size - 1) / 24) continue;
    text += fmt::format("{} {}\n", i, game->action_name(i));
  }
  for (const TensorPart& part : game->tensor_parts()) {
    std::string shape;
    for (const std::size_t length : part.shape) shape += fmt::format(" {}", length);
    text += fmt::format("tensor {}:{} ({})\n", part.name, shape, part.layout);
  }
  const std::filesystem::path file =
      std::filesystem::path(test::source_dir()) / "tests/games/numbers" / (GetParam() + ".txt");
  if (std::getenv("PARLOR_REGENERATE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::stringstream kept;
  kept << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, kept.str()) << "the numbers of " << GetParam() << " are others";
}

// What follows from a state: decider, numbers of the options, returns.
std::string consequences(const State& state, OptionList& options) {
  const Decision decision = state.decision();
  std::string out = fmt::format("{} {}", static_cast<int>(decision.kind), decision.player.value);
  if (decision.kind == DecisionKind::finished)
    return out + fmt::format(" {}", canonical(to_json(state.outcome())));
  state.list_options(options);
  std::vector<std::uint32_t> numbers(options.size());
  state.game().action_indices(state.block(), options, numbers);
  std::ranges::sort(numbers);
  for (const std::uint32_t number : numbers) out += fmt::format(" {}", number);
  return out;
}

// P-05: where everybody sees everything, states with equal numbers have the same decider, options
// and results. Not so in Go, where it matters which positions there were before.
TEST_P(Numbers, SayEnough_P05) {
  const auto game = open_any(GetParam());
  if (game->info().hidden_information || game->info().has_chance)
    GTEST_SKIP() << "not everything is seen in " << GetParam();
  if (GetParam() == "go") GTEST_SKIP() << "superko: what stood there before is not in the numbers";
  std::map<std::vector<float>, std::string> met;
  std::size_t again = 0;
  OptionList options;
  for (Seed seed = 0; seed < 30; ++seed) {
    State state = start(*game, 1);
    Rng rng(seed);
    std::vector<float> seen(tensor_size(*game));
    for (int n = 0; n < 60; ++n) {
      const PlayerId viewer = state.finished() ? PlayerId{0u} : state.decision().player;
      game->observe(state.block(), viewer, seen);
      const std::string follows = consequences(state, options);
      const auto [known, fresh] = met.emplace(seen, follows);
      again += fresh ? 0 : 1;
      ASSERT_EQ(known->second, follows) << state.describe();
      if (state.finished()) break;
      state.list_options(options);
      // Few different choices, so that games meet again.
      ASSERT_TRUE(state.apply(options[rng.below(std::min<std::size_t>(options.size(), 3))]));
    }
  }
  EXPECT_GT(again, 20u) << "no two games met: nothing was tested";
}

INSTANTIATE_TEST_SUITE_P(Games, Numbers, testing::ValuesIn(numbered_games()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-' || c == '+') c = '_';
  return name;
});

// P-62: rules mean the same in whatever order they are given, and so do numbers.
TEST(NumbersOfChess, DoNotDependOnTheOrderOfHouseRules_P62) {
  OpenOptions one, other;
  one.rules = {"cannon", "berserker"};
  other.rules = {"berserker", "cannon"};
  const auto a = open::catalog().open("chess", one).value(),
             b = open::catalog().open("chess", other).value();
  ASSERT_EQ(a->action_space().size, b->action_space().size);
  for (std::size_t i = 0; i < a->action_space().size; i += 101)
    EXPECT_EQ(a->action_name(i), b->action_name(i));
}

// P-02: castling has the number of its text, and every move of plain chess has the same number
// where house rules are in force.
TEST(NumbersOfChess, AreThoseOfTheMovesTexts_P02) {
  const auto plain = open::catalog().open("chess").value();
  OpenOptions with;
  with.rules = {"cannon"};
  const auto ruled = open::catalog().open("chess", with).value();
  for (const char* move : {"e2e4", "e1g1", "a7a8q", "h2h1n"})
    EXPECT_EQ(plain->action_named(move), ruled->action_named(move)) << move;
  EXPECT_EQ(plain->action_space().size, 64u * 64 * 5 + 2);
  State state = start(*plain);
  for (const char* move : {"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"}) take(state, move);
  const auto castles = state.option_of_action(*plain->action_named("e1g1"));
  ASSERT_TRUE(castles);
  EXPECT_EQ(state.option_text(*castles), "e1g1");
  EXPECT_EQ(state.action_index(*castles), *plain->action_named("e1g1"));
  EXPECT_FALSE(state.option_of_action(*plain->action_named("e1c1")));
}

}  // namespace
}  // namespace parlor::games
