// L-30: what a person at the terminal types and reads.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <unistd.h>

#include "cli/choices.h"
#include "cli/program.h"
#include "cli/prompt.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A folder of one's own that is gone afterwards.
class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("terminal-{}", getpid());
    std::filesystem::create_directories(folder_);
    std::ofstream(file("heap.md")) << R"game(```yaml
metadata: {id: heap, players: 2}
globalVars: {heap: 0..100 = 15}
perPlayerVars: {taken: 0..100}
zones: [{id: table, owner: none, visibility: public, ordering: set}]
turnStructure: {phases: [{id: main, actionDefaults: {afterEffects: [end phase]}}]}
actions:
  - id: take
    phase: main
    params: {$n: "2..min(4, heap)"}
    effects:
      - heap -= $n
      - taken += $n
      - roll 1..6 as $die
      - say: "{actor} takes {$n}"
terminal: {empty: {when: heap < 2, score: true}, scoring: {method: highest, value: taken}}
```
)game";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  Result play(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"play", file("heap.md"), "--as", "all", "--seed", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, input, shipped());
  }
  std::filesystem::path folder_;
};

TEST_F(Terminal, ANumberIsWhatOptionsSayAndAMarkedOneIsAnIndex_L30) {
  const Result said = play("2\nquit\n");
  EXPECT_THAT(said.out, HasSubstr("#0 take 2"));
  EXPECT_THAT(said.out, HasSubstr("player 0 takes 2"));
  EXPECT_THAT(play("#2\nquit\n").out, HasSubstr("player 0 takes 4"));
  EXPECT_THAT(play("0\nquit\n").out, HasSubstr("No option says 0; #0 is an option by its place"));
}

// Of seven cards exactly three, or up to two.
const std::string choosing = R"game(```yaml
metadata: {id: choosing, players: 2}
zones: {hand: public, pile: public stack}
tokenTypes: {card: {name: string}}
globalVars: {total: 0..99}
setup:
  - for: $n in [ace, bee, cat, dog, elk, fox, gnu]
    do: create card in hand with name = $n
turnStructure: {phases: [main]}
actions:
  three:
    effects:
      - choose 3 as $set from hand
      - for: $c in $set
        do: move $c to pile bottom
      - total += 1
      - end phase
  few:
    effects:
      - choose 0..2 as $set from hand
      - for: $c in $set
        do: move $c to pile bottom
      - total += 1
      - end phase
terminal: {done: {when: total > 90, draw: true}}
```
)game";

TEST_F(Terminal, ASetIsNamedInAnyOrderAndKeptInThatOfTheRules_L12) {
  std::ofstream(file("choosing.md")) << choosing;
  const auto play = [&](const std::string& input) {
    return run({"play", file("choosing.md"), "--as", "all", "--seed", "1"}, input, shipped()).out;
  };
  // The last one ends it; whatever the order, the set is the same.
  EXPECT_THAT(play("three\ndog\nace\ngnu\nquit\n"), HasSubstr("pile (3): gnu dog ace"));
  EXPECT_THAT(play("three\ngnu, dog, ace\nquit\n"), HasSubstr("pile (3): gnu dog ace"));
  EXPECT_THAT(play("three\ndog\ndog\nquit\n"), HasSubstr("Not possible"));
  EXPECT_THAT(play("three\ndog\nace\nundo\nbee\ncat\nquit\n"), HasSubstr("pile (3): dog cat bee"));
  // Where fewer will do, one says so.
  EXPECT_THAT(play("few\ndog\ndone\nquit\n"), HasSubstr("pile (1): dog"));
  EXPECT_THAT(play("few\ndone\nquit\n"), HasSubstr("player 1 to act"));
  EXPECT_THAT(play("few\nfox\nbee\nquit\n"), HasSubstr("pile (2): fox bee"));
}

TEST_F(Terminal, AnEvaluationKeepsToItsTime_L30b) {
  const Result result = run(
      {"eval", "connect-four", "--games", "1000000", "--seconds", "0.5", "--json"}, "", shipped());
  const Json json = result.json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_GT(json["randomGames"].get<int>(), 0);
}

TEST_F(Terminal, WhereOptionsHaveNoNumbersANumberIsAnIndex_L30) {
  const Result played = run({"play", "tic-tac-toe", "--as", "all"}, "4\n#0\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("  3  o . .\n  2  . x .\n"));
}

TEST_F(Terminal, SquaresAreCalledAsOnAChessBoard_L30) {
  const Result played = run({"play", "tic-tac-toe", "--as", "all"}, "a3\nb2\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("  3  x . .\n  2  . o .\n  1  . . .\n     a b c\n"));
}

TEST_F(Terminal, RollsAnnouncementsAndNumbersAreTold_L30) {
  const Result played = play("take 3\nquit\n");
  EXPECT_THAT(played.out, testing::ContainsRegex("rolled [1-6]\n"));
  EXPECT_THAT(played.out, HasSubstr("player 0: taken 0 → 3\n"));
  EXPECT_THAT(played.out, HasSubstr("score: player 0 3, player 1 0\n"));
}

// Without a word in the rules.
TEST_F(Terminal, WhatLeavesTheBoardIsAnnounced_L15) {
  std::ofstream(file("fetch.md")) << R"game(```yaml
metadata: {id: fetch, players: 2}
zones:
  cell: grid(2, 2)
  deck: hidden stack
  hand: private
  box: public
tokenTypes: {card: {name: string}, man: {name: string}}
perPlayerVars: {points: 0..9}
setup: [create card in deck with name = ace, create man in cell_0_0 with name = pawn]
turnStructure: {phases: {main: {actionDefaults: {afterEffects: end phase}}}}
actions:
  fetch: {pre: occupied(deck), effects: [draw 1 from deck to hand:actor]}
  capture: {pre: occupied(cell_0_0), effects: [move all from cell_0_0 to box, points += 1]}
  wait: {effects: []}
terminal: {late: {when: turn > 4, score: true}, scoring: [points]}
```
)game";
  const Result played = run({"play", file("fetch.md"), "--as", "all", "--seed", "1"},
                            "fetch\n#9\ncapture\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("off the board: pawn"));
  EXPECT_THAT(played.out, HasSubstr("there is no #9 in the list"));
}

// Others see that somebody draws and how much, and not what; whoever draws is told.
TEST_F(Terminal, DrawsAreAnnouncedToThoseWhoDoNotSeeThem_L15) {
  std::ofstream(file("draws.md")) << R"game(```yaml
metadata: {id: draws, players: 2}
zones: {deck: hidden stack, hand: private, row: public}
tokenTypes: {card: {name: string}}
setup: [create 9 card in deck with name = ace]
turnStructure: {phases: {main: {actionDefaults: {afterEffects: end phase}}}}
actions:
  fetch: {effects: draw 2 from deck to hand:actor}
  one: {effects: draw 1 from deck to hand:actor}
  show: {effects: draw 1 from deck to row}
terminal: {late: {when: turn > 6, draw: true}}
```
)game";
  const auto lived = [&](const char* seat) {
    return run({"play", file("draws.md"), "--as", seat, "--seed", "1", "--bots", "random"},
               "fetch\none\nquit\n", shipped())
        .out;
  };
  EXPECT_THAT(lived("0"), HasSubstr("  player 0 draws 2 cards: ace, ace\n"));
  EXPECT_THAT(lived("0"), HasSubstr("  player 0 draws ace\n"));
  // At one keyboard, what everybody may know.
  EXPECT_THAT(lived("all"), HasSubstr("  player 0 draws 2 cards\n"));
  EXPECT_THAT(lived("all"), HasSubstr("  player 1 draws a card\n"));
  const std::string open =
      run({"play", file("draws.md"), "--as", "all", "--seed", "1"}, "show\nquit\n", shipped()).out;
  EXPECT_THAT(open, HasSubstr("  row: ace\n"));
  EXPECT_THAT(open, Not(HasSubstr("round"))) << "rules without rounds";
}

// With simple turns a round is over when everybody had theirs; it is told where the rules ask for
// rounds.
TEST_F(Terminal, EndsOfRoundsAreAnnouncedWhereTheRulesSpeakOfThem_L15) {
  std::ofstream(file("rounds.md")) << R"game(```yaml
metadata: {id: rounds, players: 2}
globalVars: {best: 0..9}
perPlayerVars: {leader: player, favourite: zone}
zones: {hill: {is: public, zoneKind: board}, dale: {is: public, zoneKind: board}}
turnStructure: {phases: {main: {actionDefaults: {afterEffects: end phase}}}}
actions:
  follow: {params: {$to: cells}, effects: [choose $whom from players, leader = $whom, favourite = $to]}
terminal: {late: {when: round > 3, draw: true}}
```
)game";
  const std::string told = run({"play", file("rounds.md"), "--as", "all", "--seed", "1"},
                               "follow hill\nplayer 1\nfollow dale\nplayer 0\nquit\n", shipped())
                               .out;
  EXPECT_THAT(told, HasSubstr("rounds: turn 1, round 1, player 0 to act"));
  EXPECT_THAT(told, HasSubstr("#0 player 0    #1 player 1")) << "players are chosen by name";
  EXPECT_THAT(told, HasSubstr("  round 1 is over\n"));
  EXPECT_THAT(told, HasSubstr("player 0: favourite nowhere → hill, leader nobody → player 1"));
}

// What is typed and is none of the options is answered in words of the game.
TEST_F(Terminal, WhatIsNoOptionIsAnsweredInWordsOfTheGame_L30) {
  EXPECT_THAT(play("take 9\nquit\n").out,
              HasSubstr("Not possible: `take 9` is none of the options. There is take 2, take 3, "
                        "take 4.\n"));
  EXPECT_THAT(play("dance\nquit\n").out,
              HasSubstr("Not possible: `dance` is none of the options; `options` lists them.\n"));
}

// Where the game says why, nobody wants a code beside it (L-14).
TEST_F(Terminal, AReasonOfTheGameStandsAlone_L14) {
  std::ofstream(file("bribe.md")) << R"game(```yaml
metadata: {id: bribe, players: 2}
perPlayerVars: {gold: 0..9 = 2}
turnStructure: {phases: [main]}
actions:
  wait: {effects: [gold += 1, end phase]}
  bribe: {pre: {when: gold >= 3, reason: a bribe costs three gold}, effects: gold -= 3}
terminal: {late: {when: turn > 9, draw: true}}
```
)game";
  const Result played = run({"play", file("bribe.md"), "--as", "all", "--seed", "1"},
                            "why bribe\nbribe\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("> Not possible: a bribe costs three gold\n"
                                    "player 0> Not possible: a bribe costs three gold\n"));
  EXPECT_EQ(run({"why", file("bribe.md"), "bribe"}, "", shipped()).out,
            "\"bribe\" is not legal: a bribe costs three gold\n");
  const Json reason = run({"why", file("bribe.md"), "bribe", "--json"}, "", shipped()).json();
  EXPECT_EQ(reason["reason"]["code"], "ACTION_CONDITION");
  EXPECT_EQ(reason["reason"]["details"]["reason"], "a bribe costs three gold");
}

TEST_F(Terminal, CellsAreListedAsPeopleCount_L30) {
  const std::string hex = run({"play", "hex", "--as", "all"}, "quit\n", shipped()).out;
  EXPECT_THAT(hex, testing::ContainsRegex("#0 place a1 .*#1 place a2 .*#2 place a3 "));
  EXPECT_THAT(hex, testing::ContainsRegex("place a9 .*place a10 .*place a11 "));
  const std::string walls = run({"play", "quoridor", "--as", "all"}, "quit\n", shipped()).out;
  EXPECT_THAT(walls, testing::ContainsRegex("wall a1 .*horizontal-wall a2 "));
  // Rows from the top are an order, too.
  const std::string marks = run({"play", "tic-tac-toe", "--as", "all"}, "quit\n", shipped()).out;
  EXPECT_THAT(marks, HasSubstr("#0 place a3    #1 place b3"));
}

TEST_F(Terminal, ChessNamesHouseRulesOnlyWhereThereAreSome_L30) {
  const auto shown = [](std::vector<std::string> rules) {
    std::vector<std::string> arguments{"play", "chess", "--as", "all"};
    arguments.insert(arguments.end(), rules.begin(), rules.end());
    return run(arguments, "quit\n", shipped()).out;
  };
  EXPECT_THAT(shown({}), Not(HasSubstr("rules:")));
  EXPECT_THAT(shown({"--rules", "atomic"}), HasSubstr("rules: "));
}

TEST_F(Terminal, HoldemSaysWhoWinsAPotAndWithWhat_L15) {
  const auto told = [](const std::string& input) {
    return run({"play", "texas-holdem", "--as", "all", "--players", "2", "--seed", "5"}, input,
               shipped())
        .out;
  };
  EXPECT_THAT(told("fold\nquit\n"),
              testing::ContainsRegex("player [01] wins 30: everybody else has folded"));
  EXPECT_THAT(told("call\ncheck\ncheck\ncheck\ncheck\ncheck\ncheck\ncheck\nquit\n"),
              testing::ContainsRegex("player [01] wins 40 with [a-z ]+\n"));
}

// Suits are typed as letters.
TEST_F(Terminal, CardsCanBeTyped_L30) {
  const std::string shown = run({"play", "hearts", "--as", "0", "--seed", "5", "--bots", "random"},
                                "pass\nqd\nquit\n", shipped())
                                .out;
  EXPECT_THAT(shown, HasSubstr("1 of 3: Q♦\n"));
}

TEST_F(Terminal, SeveralMovesAreTakenBackAtOnce_L30) {
  const Result played = play("take 2\ntake 3\ntake 4\nundo 3\nundo 2\nquit\n");
  EXPECT_THAT(played.out, HasSubstr("heap=6"));
  EXPECT_THAT(played.out.substr(played.out.find("heap=6")), HasSubstr("heap=15"));
  EXPECT_THAT(played.out, HasSubstr("There is nothing to take back."));
  EXPECT_THAT(play("undo many\nquit\n").out, HasSubstr("`undo N`"));
}

TEST_F(Terminal, HintAndLog_L30) {
  const Result played = play("hint\ntake 2\ntake 3\nlog\nquit\n", {"--bots", "random"});
  EXPECT_THAT(played.out, testing::ContainsRegex("A bot would choose: take [234]\n"));
  EXPECT_THAT(played.out, testing::ContainsRegex("1 +player 0 +take 2\n"));
  EXPECT_THAT(played.out, testing::ContainsRegex("2 +player 1 +take 3\n"));
}

TEST_F(Terminal, AGameIsSavedInTheMiddleAndTakenUpAgain_L30) {
  const std::string kept = file("kept.db");
  const Result played = play(fmt::format("take 2\nsave {}\ntake 3\nquit\n", kept));
  EXPECT_THAT(played.out, HasSubstr("Kept in " + kept));
  const Result again = run({"play", "--resume", kept}, "quit\n", shipped());
  EXPECT_THAT(again.out, HasSubstr("heap=10")) << again.err;
  EXPECT_THAT(play("resume nowhere.db\nquit\n").out, HasSubstr("There is no game kept in"));
}

TEST_F(Terminal, ControlCharactersAreNeverEchoed_L30) {
  const Result played = play("\x1b[31mred\x07\xc2\x9b\nquit\n");
  EXPECT_THAT(played.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(played.out, Not(HasSubstr("\x07")));
  EXPECT_THAT(played.out, Not(HasSubstr("\xc2\x9b")));
  EXPECT_EQ(cli::without_controls("a\tb\x7f ü"), "a b ü");
}

TEST_F(Terminal, WhatFitsSeveralOptionsListsThem_L32) {
  const Result played =
      run({"play", "nine-mens-morris", "--as", "all"}, "place\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("`place` fits 24 options: place a1, place a4"));
}

TEST_F(Terminal, AQuoridorWallLooksLikeOne_L30) {
  const Result played = run({"play", "quoridor", "--as", "all"},
                            "horizontal-wall e8\nvertical-wall a1\nquit\n", shipped());
  EXPECT_THAT(played.out, HasSubstr("───────"));
  EXPECT_THAT(played.out, HasSubstr("│"));
  EXPECT_THAT(played.out, HasSubstr("     a   b   c   d   e   f   g   h   i\n"));
}

TEST_F(Terminal, AKalahBoardHasTwoRowsAndTheStoresBeside_L30) {
  const Result played = run({"play", "kalah", "--as", "all"}, "quit\n", shipped());
  EXPECT_THAT(played.out, testing::ContainsRegex("n6 +n5 +n4 +n3 +n2 +n1\n +4 +4 +4 +4 +4 +4\n"));
}

// L-30: while one selection goes on an option keeps its number.
TEST_F(Terminal, NumbersDoNotShiftWhileASelectionGoesOn_L30) {
  const Result played =
      run({"play", "hearts", "--as", "all", "--seed", "3"}, "pass\n#2\n#5\n#9\nquit\n", shipped());
  const std::regex ninth("#9 ([^ \\n]+)");
  std::vector<std::string> beside;  // what stands beside #9, list after list
  for (std::sregex_iterator at(played.out.begin(), played.out.end(), ninth), end; at != end; ++at)
    beside.push_back((*at)[1]);
  ASSERT_GE(beside.size(), 3u) << played.out;
  EXPECT_EQ(beside[1], beside[0]);
  EXPECT_EQ(beside[2], beside[0]);
}

// L-31
TEST_F(Terminal, ANewGameIsWrittenAndCanBePlayedAtOnce_L31) {
  const std::string game = file("my-game.md");
  const Result written = run({"new", file("my-game")});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("parlor play " + game));
  EXPECT_EQ(run({"check", game}, "", shipped()).out, game + ": no errors\n");
  EXPECT_EQ(run({"fmt", "--check", game}, "", shipped()).exit_code, 0) << "as it would be laid out";
  const Result simulated = run({"sim", game, "--games", "20"}, "", shipped());
  EXPECT_THAT(simulated.out, HasSubstr("board-full 20 (100.0%)"));
  const Result again = run({"new", game});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is there already"));
  EXPECT_EQ(run({"new", file("My Game")}).exit_code, 2);
}

// L-31: the commands of the tutorial, on the tutorial's own blocks.
TEST_F(Terminal, TheTutorialsCommandsWork_L31) {
  const std::string game = file("last-stone.md");
  std::filesystem::copy_file(source_dir() + "/docs/tutorial.md", game);
  std::ifstream in(game);
  std::vector<std::vector<std::string>> commands;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("    parlor ")) continue;
    std::istringstream words(line.substr(11));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;)
      arguments.push_back(word == "last-stone.md" ? game : word);
    commands.push_back(arguments);
  }
  ASSERT_GE(commands.size(), 4u);
  for (const auto& arguments : commands) {
    const Result done = run(arguments, "take 3\nquit\n", shipped());
    EXPECT_EQ(done.exit_code, 0) << arguments[0] << ": " << done.err;
    EXPECT_EQ(done.err, "") << arguments[0];
  }
}

// L-32
TEST_F(Terminal, RulesOfAFileSuggestACommandThatWorks_L32) {
  const Result listed =
      run({"rules", source_dir() + "/games/coalition/coalition.md"}, "", shipped());
  EXPECT_THAT(listed.out, HasSubstr("Try: parlor play " + source_dir() +
                                    "/games/coalition/coalition.md --rules economy"));
  const Result unknown = run({"info", "chess", "--rules", "atomik"}, "", shipped());
  EXPECT_THAT(unknown.err, HasSubstr("`parlor rules GAME` lists"));
}

}  // namespace
}  // namespace parlor::test
