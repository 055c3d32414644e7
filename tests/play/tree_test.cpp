// The abilities of the tree search, one by one.
#include "play/tree.h"

#include <chrono>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/agent.h"
#include "play/board_games.h"

namespace parlor::play {
namespace {

using games::NativeGame;
using Child = SearchTree::RootChild;
using Proof = SearchTree::Proof;

std::vector<Child> children_of(const SearchTree& tree) {
  std::vector<Child> children;
  tree.root_children(children);
  return children;
}

std::uint32_t visits_of(const SearchTree& tree) {
  std::uint32_t sum = 0;
  for (const Child& child : children_of(tree)) sum += child.visits;
  return sum;
}

// One choice among many, and only the largest number wins.
struct ManyOptions {
  std::int16_t chosen;
  static GameInfo info() {
    GameInfo info;
    info.id = "many-options";
    return info;
  }
  void start(Rng&) { chosen = -1; }
  Decision decision() const { return chosen >= 0 ? Decision{} : games::turn_of(0); }
  void list(OptionList& out) const {
    for (std::uint64_t i = 0; i < 1000 && chosen < 0; ++i) out.add(Option{i});
  }
  void apply(std::uint64_t option) { chosen = static_cast<std::int16_t>(option); }
  Outcome outcome() const { return games::two_player_outcome(chosen == 999 ? 0 : 1, "chosen"); }
  Json view(const Viewer&) const { return {{"chosen", chosen}}; }
  std::string text(std::uint64_t option) const { return fmt::format("{}", option); }
};

TEST(TreeSearch, LongListsOfOptionsAreWidenedStepByStep) {
  const NativeGame<games::Breakthrough> game;
  const State root = game.start(1).value();
  OptionList options;
  root.list_options(options);
  const auto explored = [&](std::size_t wide, double widening, std::size_t iterations) {
    TreeSettings settings;
    settings.wide = wide;
    settings.widening = widening;
    settings.iterations = iterations;
    SearchTree tree(game, settings);
    tree.begin(1);
    tree.search(root, PlayerId{0});
    return children_of(tree).size();
  };
  ASSERT_GT(options.size(), 12U);
  EXPECT_EQ(explored(options.size(), 0.5, 60), options.size()) << "short lists completely";
  EXPECT_EQ(explored(4, 0.5, 49), 4U + 6U) << "wide + visits^widen";
  EXPECT_EQ(explored(4, 0.0, 49), 4U + 1U);
  EXPECT_EQ(explored(4, 0.5, 4 * options.size()), options.size()) << "the root, if it can be";
}

// All but one of a thousand options lose at once: they are proved lost and make room for others.
TEST(TreeSearch, OptionsThatLoseMakeRoomForOthers) {
  const NativeGame<ManyOptions> game;
  TreeSettings settings;
  settings.wide = 10;
  settings.iterations = 1500;
  SearchTree tree(game, settings);
  tree.begin(1);
  EXPECT_LE(tree.search(game.start(1).value(), PlayerId{0}), 1000U);
  for (const Child& child : children_of(tree))
    EXPECT_EQ(child.proof, child.option.id == 999 ? Proof::win : Proof::loss);
}

// A coin that is good for whoever calls it: heads wins three times in four.
struct Coin {
  std::int8_t called;
  std::int8_t gain;
  static GameInfo info() {
    GameInfo info;
    info.id = "coin";
    info.has_chance = true;
    info.explicit_chance = true;
    return info;
  }
  void start(Rng&) {}
  Decision decision() const {
    if (gain != 0) return {};
    return called == 0 ? games::turn_of(0)
                       : Decision{DecisionKind::chance, PlayerId::none(), false};
  }
  void list(OptionList& out) const {
    if (gain != 0) return;
    if (called == 0) {
      out.add(Option{1});
      out.add(Option{2});
    } else {
      out.add(Option{1}, 3);
      out.add(Option{2}, 1);
    }
  }
  void apply(std::uint64_t option) {
    if (called == 0)
      called = static_cast<std::int8_t>(option);
    else
      gain = static_cast<std::uint64_t>(called) == option ? 1 : -1;
  }
  Outcome outcome() const { return games::two_player_outcome(gain > 0 ? 0 : 1, "tossed"); }
  Json view(const Viewer&) const { return {{"called", called}, {"gain", gain}}; }
  std::string text(std::uint64_t option) const { return option == 1 ? "heads" : "tails"; }
};

TEST(TreeSearch, ChanceIsDrawnByWeight) {
  const NativeGame<Coin> game;
  TreeSettings settings;
  settings.iterations = 2000;
  SearchTree tree(game, settings);
  tree.begin(1);
  tree.search(game.start(1).value(), PlayerId{0});
  for (const Child& child : children_of(tree)) {
    const bool heads = child.option.id == 1;
    EXPECT_NEAR(child.mean, heads ? 0.5 : -0.5, heads ? 0.06 : 0.5);  // tails is hardly tried
    EXPECT_EQ(child.visits > 1000, heads);
    EXPECT_EQ(child.proof, Proof::none) << "luck is no proof";
  }
}

TEST(TreeSearch, StopsAfterItsTime) {
  const NativeGame<games::ConnectFour> game;
  TreeSettings settings;
  settings.iterations = 0;
  settings.milliseconds = 30;
  SearchTree tree(game, settings);
  tree.begin(1);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_GT(tree.search(game.start(1).value(), PlayerId{0}), 0U);
  const auto used = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(used, std::chrono::milliseconds(30));
  EXPECT_LT(used, std::chrono::seconds(3));
}

// V-22: a limit for a whole move is enough to end every search, and no iterations have to be given.
TEST(TreeSearch, AMoveWithALimitOnTimeComes) {
  const NativeGame<games::ConnectFour> game;
  const auto maker = find_agent("mcts:iters=0,move=20", game);
  ASSERT_TRUE(maker);
  const auto agent = (*maker)();
  State state = game.start(1).value();
  OptionList options;
  for (int move = 0; move < 6; ++move) {
    agent->begin(state, state.decision().player, 1);
    state.list_options(options);
    const std::size_t choice = agent->choose(state, options);
    ASSERT_LT(choice, options.size());
    ASSERT_TRUE(state.apply(options[choice]));
  }
}

TEST(TreeSearch, KeepsWhatItKnowsFromOneDecisionToTheNext) {
  const NativeGame<games::ConnectFour> game;
  for (const bool reuse : {true, false}) {
    TreeSettings settings;
    settings.iterations = 500;
    settings.reuse = reuse;
    SearchTree tree(game, settings);
    tree.begin(1);
    State state = game.start(1).value();
    tree.search(state, PlayerId{0});
    std::uint32_t known = 0;
    for (const Child& child : children_of(tree))
      if (child.option.id == 3) known = child.visits;
    ASSERT_GT(known, 20U);
    ASSERT_TRUE(state.apply(Option{3}));
    tree.advance(Option{3}, state);
    tree.search(state, PlayerId{1});
    // The visit that made the node belongs to none of its children.
    EXPECT_EQ(visits_of(tree), reuse ? 500 + known - 1 : 500U);
  }
}

State tic_tac_toe_after(const Game& game, std::initializer_list<std::uint64_t> moves) {
  State state = game.start(1).value();
  for (const std::uint64_t move : moves) EXPECT_TRUE(state.apply(Option{move}));
  return state;
}

TEST(TreeSearch, AProvedWinEndsTheSearch) {
  const NativeGame<games::TicTacToe> game;
  TreeSettings settings;
  settings.iterations = 20'000;
  SearchTree tree(game, settings);
  tree.begin(1);
  // x x .
  // o o .
  // . . .   x to move
  EXPECT_LT(tree.search(tic_tac_toe_after(game, {0, 3, 1, 4}), PlayerId{0}), 1000U);
  for (const Child& child : children_of(tree))
    EXPECT_EQ(child.proof == Proof::win, child.option.id == 2);
}

TEST(TreeSearch, AForkIsProvedWonAndMissingItLost) {
  const NativeGame<games::TicTacToe> game;
  TreeSettings settings;
  settings.iterations = 20'000;
  SearchTree tree(game, settings);
  tree.begin(1);
  // x . .
  // . o .
  // . . x   o to move: a corner loses to a fork, an edge draws
  tree.search(tic_tac_toe_after(game, {0, 4, 8}), PlayerId{1});
  for (const Child& child : children_of(tree))
    EXPECT_EQ(child.proof, child.option.id % 2 == 0 ? Proof::loss : Proof::none) << child.option.id;
}

TEST(TreeSearch, SideBySideIsDeterministicAndFindsTheSame) {
  const NativeGame<games::TicTacToe> game;
  const State state = tic_tac_toe_after(game, {0, 4, 8});
  OptionList options;
  state.list_options(options);
  const auto agent = find_agent("mcts:iters=3000,threads=3", game).value()();
  std::size_t first = 0;
  for (int round = 0; round < 3; ++round) {
    agent->begin(state, PlayerId{1}, 5);
    const std::size_t choice = agent->choose(state, options);
    if (round == 0) first = choice;
    EXPECT_EQ(choice, first);
    EXPECT_EQ(options[choice].id % 2, 1U) << "an edge";
  }
}

}  // namespace
}  // namespace parlor::play
