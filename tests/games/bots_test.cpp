// How strong the agents are at shipped games, and that they play fair at shipped card games.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

#include "games/shipped.h"
#include "play/dice.h"
#include "play/simulation.h"

namespace parlor::games {
namespace {

// The first agent's tally over games in which the two take turns in sitting first.
play::Tally duel(const std::string& name, const std::string& first, const std::string& second,
                 std::uint64_t count) {
  const auto game = open_shipped(name);
  play::SimulationOptions options;
  options.games = count;
  options.agents = {first, second};
  options.rotate = true;
  return play::simulate(*game, options).value().agents[0];
}

TEST(BotStrength, MctsBeatsRandomAtConnectFour) {
  EXPECT_GE(duel("connect-four", "mcts:iters=100", "random", 100).score(), 0.95);
}

TEST(SlowBotStrength, MctsBeatsRandomAtBreakthrough) {
  EXPECT_GE(duel("breakthrough", "mcts:iters=100", "random", 60).score(), 0.95);
}

TEST(SlowBotStrength, MctsBeatsRandomAtReversi) {
  EXPECT_GE(duel("reversi", "mcts:iters=60", "random", 40).score(), 0.95);
}

// Greedy looks at what the rules declare: here nothing but a variable of the players tells who is
// ahead, and nobody's score counts in the end.
TEST(Greedy, LooksAtAVariableOfThePlayersWhereThereIsNoScore) {
  const auto take_gold = [](int amount) {
    return fmt::format(
        "  - {{id: take-{0}, phase: [main], effects: [{{addVar: {{scope: pvar, player: "
        "actor, var: gold, delta: {0}}}}}, {{advancePhase: {{}}}}]}}\n",
        amount);
  };
  const auto game = open_text(
      "metadata: {id: heap, players: {min: 2, max: 2}}\n"
      "zones: [{id: table, owner: none, visibility: public, ordering: set}]\n"
      "perPlayerVars: [{name: gold, type: int, init: 0, min: 0, max: 99}]\n"
      "turnStructure: {phases: [{id: main}]}\n"
      "actions:\n" +
      take_gold(1) + take_gold(5) + take_gold(3) +
      "terminal: {conditions: [{when: {op: \">\", left: {ref: clock, field: turn}, right: 8}, "
      "result: {type: draw}}]}\n");
  const auto agent = play::find_agent("greedy", *game).value()();
  State state = start(*game);
  OptionList options;
  for (Seed seed = 1; seed <= 6; ++seed) {  // the last moves end the game, whatever they are
    state.list_options(options);
    agent->begin(state, state.decision().player, seed);
    const Option chosen = options[agent->choose(state, options)];
    EXPECT_EQ(state.option_text(chosen), "take-5");
    ASSERT_TRUE(state.apply(chosen));
  }
}

// And where there is no such variable either, at the pieces on the board.
TEST(Greedy, CountsPiecesWhereNothingElseTells) {
  const auto game = open_shipped("breakthrough");
  const auto agent = play::find_agent("greedy", *game).value()();
  const auto pieces = [](const State& state) {
    std::size_t count = 0;
    for (const auto& [zone, tokens] : board_of(state))
      count += zone.starts_with("cell") ? tokens.size() : 0;
    return count;
  };
  int captures = 0;
  for (Seed seed = 1; seed <= 3; ++seed)
    play_randomly(*game, seed, [&](const State& state) {
      OptionList options;
      state.list_options(options);
      bool wins = false, takes = false, leaves = false;
      for (const State& next : whole_moves(state)) {
        wins = wins || next.finished();
        (pieces(next) < pieces(state) ? takes : leaves) = true;
      }
      if (wins || !takes || !leaves) return;
      agent->begin(state, state.decision().player, seed);
      State next = state;
      ASSERT_TRUE(next.apply(options[agent->choose(state, options)]));
      EXPECT_LT(pieces(next), pieces(state));
      ++captures;
    });
  EXPECT_GE(captures, 10);
}

TEST(SlowBotStrength, MctsNeverLosesTicTacToeAgainstOptimalPlay) {
  const play::Tally tally = duel("tic-tac-toe", "mcts:iters=3000", "alphabeta:depth=9", 1000);
  EXPECT_EQ(tally.losses, 0U);
  EXPECT_EQ(tally.shared, 1000U);
}

// The table of docs/bots.md.
TEST(SlowBotStrength, MoreIterationsWinMore) {
  struct Row {
    int more, fewer;
    std::uint64_t games;
  };
  for (const Row row : {Row{40, 10, 200}, Row{160, 40, 200}, Row{640, 160, 100}}) {
    const double score = duel("connect-four", fmt::format("mcts:iters={}", row.more),
                              fmt::format("mcts:iters={}", row.fewer), row.games)
                             .score();
    std::cout << fmt::format("{} iterations against {}: {:.1f}%\n", row.more, row.fewer,
                             100 * score);
    EXPECT_GT(score, 0.6) << row.more;
  }
}

// ---- What is hidden is guessed from what is seen; that choices do not depend on it is proved for
// all games in fair_bots_test.cpp.

// A state that the player to move cannot tell from `state`, but in which something else is hidden.
State otherwise_hidden(const State& state, PlayerId player) {
  State other = state;
  for (std::uint64_t seed = 1; seed < 100 && other.view() == state.view(); ++seed) {
    Rng rng(seed);
    other.game().resample_hidden(other.block(), Viewer::player(player), rng);
  }
  EXPECT_NE(other.view(), state.view());
  EXPECT_EQ(other.view(Viewer::player(player)), state.view(Viewer::player(player)));
  return other;
}

// After `moves` random decisions, at a player's decision with something to choose.
State somewhere(const Game& game, int moves, Seed seed) {
  State state = start(game, seed);
  OptionList options;
  Rng rng(seed);
  for (int i = 0; !state.finished(); ++i) {
    state.list_options(options);
    const bool here = state.decision().kind != DecisionKind::chance && options.size() > 1;
    if (i >= moves && here) return state;
    EXPECT_TRUE(state.apply(options[draw_option(options, rng)]).has_value());
  }
  return somewhere(game, moves / 2, seed + 1);
}

// Every card the other may hold is equally likely, whatever they hold.
TEST(HiddenCards, AreGuessedUniformly) {
  const auto game = open_shipped("leduc-poker");
  const State state = start(*game, 3);
  const PlayerId player = state.decision().player;
  const std::string other_hand = fmt::format("hand:{}", 1 - player.value);
  std::map<std::string, int> times;
  Rng rng(5);
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds; ++i) {
    State guess = state;
    game->resample_hidden(guess.block(), Viewer::player(player), rng);
    ++times[guess.view()["zones"][other_hand][0]["id"].get<std::string>()];
  }
  EXPECT_EQ(times.size(), 5U);
  for (const auto& [card, count] : times) EXPECT_NEAR(count, rounds / 5.0, 80) << card;
}

// The deck-builder's players know which cards they bought: a guess keeps every player's cards.
TEST(HiddenCards, StayWithTheirOwner) {
  const auto game = open_shipped("market");
  const State state = somewhere(*game, 60, 1);
  const auto cards = [](const State& s, int player) {
    std::set<std::string> ids;
    const Json zones = s.view()["zones"];
    for (const char* zone : {"deck", "hand", "discard", "played"})
      for (const Json& token : zones.value(fmt::format("{}:{}", zone, player), Json::array()))
        ids.insert(token["id"].get<std::string>());
    return ids;
  };
  const State other = otherwise_hidden(state, state.decision().player);
  EXPECT_EQ(cards(state, 0), cards(other, 0));
  EXPECT_EQ(cards(state, 1), cards(other, 1));
}

}  // namespace
}  // namespace parlor::games
