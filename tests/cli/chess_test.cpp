// Chess on the command line: every option in every command that opens a game, and what people see.
#include "chess/chess.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

Result chess_run(const std::vector<std::string>& arguments, const std::string& input = "") {
  Catalog catalog;
  chess::register_chess(catalog, open::read_modifiers);
  return run(arguments, input, catalog);
}

// A modifier file that lasts as long as the test.
class ModifierFile {
 public:
  explicit ModifierFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("parlor_modifiers_{}.yaml", getpid())) {
    std::ofstream{path_} << text;
  }
  ~ModifierFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const std::string leaping_pawns =
    "version: 1\nname: Leaping pawns\nattach:\n  - to: {pieceType: pawn}\n    primitives:\n"
    "      - {do: grantMovePattern, leaps: [[1, 2], [-1, 2]], mode: quiet}\n";

const std::string two_pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

// How each option changes the first position: so many moves.
struct Case {
  std::vector<std::string> options;
  std::size_t moves;
};
std::vector<Case> cases(const std::string& modifiers) {
  return {{{"--rules", "berolina-pawns"}, 30},
          {{"--layout", "monster"}, 10},
          {{"--position", two_pawns}, 7},
          {{"--modifiers", modifiers}, 34},
          {{"--rules", "knights-leap-twice:white@4", "--layout", "chess960:518"}, 30}};
}

std::vector<std::string> with(std::vector<std::string> command,
                              const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(ChessCommands, TakeEveryOption) {
  const ModifierFile file(leaping_pawns);
  for (const Case& c : cases(file.path())) {
    SCOPED_TRACE(c.options[0] + " " + c.options[1]);
    const Result counted = chess_run(with({"perft", "chess", "1", "--json"}, c.options));
    EXPECT_EQ(counted.json()["nodes"], c.moves) << counted.out << counted.err;
    const Result state = chess_run(with({"state", "chess", "--json"}, c.options));
    EXPECT_EQ(state.json()["decision"]["options"].size(), c.moves);
    const Result simulated = chess_run(
        with({"sim", "chess", "--games", "2", "--max-decisions", "10", "--json"}, c.options));
    EXPECT_EQ(simulated.exit_code, 0) << simulated.err;
    const Result traced = chess_run(with({"trace", "chess", "--max-decisions", "2"}, c.options));
    const Json first = parse_json(traced.out.substr(0, traced.out.find('\n'))).value();
    EXPECT_EQ(first["options"].size(), c.moves);
    const Result played =
        chess_run(with({"play", "chess", "--as", "all", "--json"}, c.options), "quit\n");
    EXPECT_EQ(played.exit_code, 0) << played.err;
    const Json shown = parse_json(played.out.substr(0, played.out.find('\n'))).value();
    EXPECT_THAT(played.out, HasSubstr(fmt::format("\"index\":{}", c.moves - 1)));
    EXPECT_THAT(played.out, testing::Not(HasSubstr(fmt::format("\"index\":{}", c.moves))));
  }
}

TEST(ChessCommands, DivideListsEveryFirstMove) {
  const Result result =
      chess_run({"perft", "chess", "2", "--rules", "berolina-pawns", "--divide", "--json"});
  EXPECT_EQ(result.json()["nodes"], 900);
  EXPECT_THAT(chess_run({"perft", "chess", "2", "--rules", "berolina-pawns", "--divide"}).out,
              HasSubstr("e2d3"));
}

TEST(ChessCommands, PerftCountsMovesUnlessAskedForClaims) {  // C-76
  const std::vector<std::string> late{"--position", "8/8/8/3k4/8/3QK3/8/8 b - - 120 100", "--json"};
  EXPECT_EQ(chess_run(with({"perft", "chess", "3"}, late)).json()["nodes"], 423);
  const Json divided = chess_run(with({"perft", "chess", "3", "--divide"}, late)).json();
  EXPECT_EQ(divided["nodes"], 423);
  EXPECT_FALSE(divided["divide"].contains("claim-draw"));
  const Json claims = chess_run(with({"perft", "chess", "1", "--divide", "--claims"}, late)).json();
  EXPECT_TRUE(claims["divide"].contains("claim-draw"));
}

TEST(ChessCommands, ModifierFilesAreRulesAmongOthers) {  // C-74
  const ModifierFile file(
      "version: 1\nname: Strong queens\nattach:\n  - to: {pieceType: queen}\n    primitives:\n"
      "      - {do: seedAttribute, attribute: Hp, value: 3}\n");
  const auto queen_points = [](const std::vector<std::string>& options) -> Json {
    const Json state = chess_run(with({"state", "chess", "--json"}, options)).json();
    for (const Json& piece : state["zones"]["board"])
      if (piece["type"] == "queen") return piece["props"].value("Hp", Json());
    return nullptr;
  };
  EXPECT_EQ(queen_points({"--rules", "piece-hp", "--modifiers", file.path()}), 3);
  EXPECT_EQ(queen_points({"--rules", "modifiers,piece-hp", "--modifiers", file.path()}), 3);
  EXPECT_EQ(queen_points({"--rules", "piece-hp," + file.path()}), 3);
  EXPECT_EQ(queen_points({"--rules", file.path() + ":black@9,piece-hp"}),
            2);  // the first is White's
  EXPECT_THAT(chess_run({"perft", "chess", "1", "--rules", "/nowhere/queens.yaml"}).err,
              HasSubstr("/nowhere/queens.yaml"));
}

TEST(ChessCommands, RulesTakeParameters) {  // C-85
  const auto points = [](const std::string& rules) -> Json {
    const Json state = chess_run({"state", "chess", "--json", "--rules", rules}).json();
    return state["zones"]["board"][0]["props"].value("Hp", Json());
  };
  EXPECT_EQ(points("piece-hp{points: 4},stamina"), 4);
  EXPECT_EQ(points("piece-hp"), 2);
  EXPECT_THAT(chess_run({"state", "chess", "--rules", "piece-hp{points: 40}"}).err,
              HasSubstr("a number from 1 to 9"));
}

TEST(ChessCommands, PgnIsReadAndWritten) {  // C-85
  const Result read = chess_run(
      {"pgn", "-", "--json"}, "[White \"A\"]\n[Rules \"three-check\"]\n\n1. e4 f6 2. Qh5+ g6 *\n");
  EXPECT_EQ(read.json()["tags"]["White"], "A");
  EXPECT_EQ(read.json()["rules"][0], "three-check");
  EXPECT_EQ(read.json()["moves"], Json({"e2e4", "f7f6", "d1h5", "g7g6"}));
  EXPECT_THAT(read.json()["fen"].get<std::string>(), HasSubstr(" 2+3 "));
  EXPECT_THAT(chess_run({"pgn", "-"}, "1. e4 e5 2. Qh7 *\n").err, HasSubstr("half-move 3"));
  const Result written =
      chess_run({"pgn", "--moves", "-", "--tag", "White=Me"}, "[\"e2e4\", \"e7e5\"]");
  EXPECT_THAT(written.out, HasSubstr("[White \"Me\"]"));
  EXPECT_THAT(written.out, HasSubstr("1. e4 e5"));
}

TEST(ChessCommands, PlayTellsWhatBotsChooseAsDataToo) {  // C-77
  const Result result =
      chess_run({"play", "chess", "--as", "white", "--bots", "random", "--json"}, "e2e4\nquit\n");
  std::vector<Json> lines;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) lines.push_back(parse_json(line).value());
  ASSERT_GE(lines.size(), 3u) << result.out;
  EXPECT_EQ(lines[1]["decider"], 1);
  EXPECT_EQ(lines[1]["chosen"]["action"], "move");
  EXPECT_EQ(lines[1]["chosen"]["params"]["from"], lines[1]["text"].get<std::string>().substr(0, 2));
}

TEST(ChessCommands, WhyNamesTheRule) {  // C-77
  const Result result = chess_run({"why", "chess", "--rules", "knight-immunity", "--position",
                                   "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5"});
  EXPECT_THAT(result.out, HasSubstr("knight-immunity: Knights cannot be captured"));
}

TEST(ChessCommands, PlayShowsBoardHitPointsAndEffects) {
  const Result result = chess_run(
      {"play", "chess", "--rules", "piece-hp,king-heals", "--position", two_pawns, "--as", "all"},
      "exd5\nKe7\nquit\n");
  EXPECT_THAT(result.out, HasSubstr("8    ·   · ♚ ·   ·\n"));
  EXPECT_THAT(result.out, HasSubstr("white: Hp 2 each\n"));
  EXPECT_THAT(result.out, HasSubstr("black: ♟d5 Hp 1, ♚e8 Hp 3\n"));
  EXPECT_THAT(result.out, HasSubstr("rules: piece-hp, king-heals\n"));
  EXPECT_THAT(result.out, HasSubstr("last move: e4d5 (d5 holds with 1 hp)\n"));
  // Whoever comes back after the other side's answer still sees what the own move did.
  EXPECT_THAT(result.out, HasSubstr("last moves: e4d5 (d5 holds with 1 hp), e8e7\n"));
}

TEST(ChessCommands, PlaySaysWhatStandsInTheWay) {
  const Result result = chess_run(
      {"play", "chess", "--position", "4k3/P7/8/8/4r3/8/4R3/4K3 w - - 0 1", "--as", "all"},
      "e8e7\nd4d5\ne1e3\ne2d2\na7a8\nNf3\nquit\n");
  for (const char* reason :
       {"e8e7: the king on e8 is not white's", "d4d5: there is nothing on d4",
        "e1e3: the king on e1 cannot go to e3", "e2d2: white would be in check",
        "a7a8: say what the pawn becomes, as in a7a8q",
        "Not possible: `Nf3` is not a legal move here"})
    EXPECT_THAT(result.out, HasSubstr(reason));
}

TEST(ChessCommands, RulesAsDataForTools) {
  const Result result = chess_run({"rules", "chess", "--json"});
  const Json rules = result.json()["rules"];
  ASSERT_TRUE(rules.is_array()) << result.out;
  EXPECT_EQ(rules.size(), 35u);
  for (const Json& rule : rules) {
    for (const char* key : {"id", "name", "description", "category"})
      EXPECT_FALSE(rule[key].get<std::string>().empty()) << rule;
    EXPECT_TRUE(rule["requires"].is_array() && rule["incompatibleWith"].is_array()) << rule;
  }
  const std::string text = chess_run({"rules", "chess"}).out;
  EXPECT_THAT(text, HasSubstr("needs piece-hp"));
  EXPECT_THAT(text, HasSubstr("not with"));
}

TEST(ChessCommands, MistakesAreExplained) {
  const ModifierFile file(
      "version: 1\nname: Bad\nattach: [{to: {pieceType: pawn}, primitives: "
      "[{on: on-sunrise, do: removePiece}]}]\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--position", "8/8/8 w - - 0 1"}, "3 ranks instead of 8"},
      {{"--rules", "berolina-pawn"}, "berolina-pawns"},
      {{"--rules", "double-move,monster-rules"}, "monster-rules"},
      {{"--rules", "king-heals"}, "piece-hp"},
      {{"--layout", "clasic"}, "classic"},
      {{"--layout", "chess960:960"}, "numbered from 0 to 959"},
      {{"--layout", "monster", "--position", two_pawns}, "not both"},
      {{"--modifiers", "/nowhere.yaml"}, "/nowhere.yaml"},
      {{"--modifiers", file.path()}, "on-sunrise"}};
  for (const auto& [options, hint] : mistakes) {
    const Result result = chess_run(with({"perft", "chess", "1"}, options));
    EXPECT_NE(result.exit_code, 0) << hint;
    EXPECT_THAT(result.out + result.err, HasSubstr(hint));
  }
}

// C-85: `rules add X` in a running game, kept with the session and taken back with it.
TEST(ChessProgram, RulesAreSwitchedWhilePlaying) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("parlor_switched_rules_{}.db", getpid());
  std::filesystem::remove(file);
  const Result played = chess_run({"play", "chess", "--as", "0,1", "--save", file.string()},
                                  "rules\ne2e4\nrules add piece-hp\nd7d5\ne4d5\nquit\n");
  EXPECT_EQ(played.exit_code, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("No house rules are in force."));
  EXPECT_THAT(played.out, HasSubstr("In force: piece-hp"));
  // The pawn on d5 has lost a point and stands; so does the one that hit it.
  EXPECT_THAT(played.out, HasSubstr("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR b"));
  const Result resumed = chess_run({"play", "--resume", file.string()},
                                   "rules\nrules drop piece-hp\nd5e4\nundo\nundo\nundo\nquit\n");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("In force: piece-hp"));
  EXPECT_THAT(resumed.out, HasSubstr("rnbqkbnr/ppp1pppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR w"));
  // Three moves taken back, and with the last of them the change of rules made before it; what was
  // added before the first of them is in force again.
  const Result back = chess_run({"play", "--resume", file.string()}, "rules\nquit\n");
  EXPECT_THAT(back.out, HasSubstr("In force: piece-hp"));
  EXPECT_THAT(back.out, HasSubstr("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
  std::filesystem::remove(file);
}

TEST(ChessProgram, RulesThatCannotBeAddedChangeNothing) {  // C-85
  const Result wrong = chess_run(
      {"play", "chess", "--as", "0,1", "--rules", "coregal"},
      "rules add nonsense\nrules add suicide-chess\nrules drop stamina\nrules shout\nquit\n");
  EXPECT_EQ(wrong.exit_code, 0);
  EXPECT_THAT(wrong.out, HasSubstr("[RULE_UNKNOWN]"));
  EXPECT_THAT(wrong.out, HasSubstr("[RULE_INCOMPATIBLE]"));
  EXPECT_THAT(wrong.out, HasSubstr("stamina is not in force."));
  EXPECT_THAT(wrong.out, HasSubstr("In force: coregal"));
  const Result json = chess_run({"play", "chess", "--as", "0,1", "--json"},
                                "rules add three-check{checks: 5}\nquit\n");
  EXPECT_THAT(json.out, HasSubstr(R"("rules":["three-check{checks: 5}"]})"));
}

// A-22: hints about the old spelling reach whoever opens a game with the file, or checks it.
TEST(ChessProgram, TellsHowModifiersAreWrittenNow) {
  const ModifierFile file(
      "version: 1\nname: x\nattach: [{to: {pieceType: pawn}, primitives: "
      "[{on: on-move, do: remove-piece}]}]\n");
  const Result opened = chess_run({"perft", "chess", "1", "--modifiers", file.path()});
  EXPECT_EQ(opened.exit_code, 0);
  EXPECT_THAT(opened.err, HasSubstr("warning[MODIFIER_INVALID]"));
  EXPECT_THAT(opened.err, HasSubstr("write `onMove`"));
  const Result checked = chess_run({"check", file.path()});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("write `removePiece`"));
  const ModifierFile wrong(
      "version: 1\nname: x\nattach: [{to: {pieceType: pawn}, primitives: [{on: onMvoe, do: "
      "win}]}]\n");
  EXPECT_EQ(chess_run({"check", wrong.path()}).exit_code, 1);
}

// C-87: large boards through the same door.
TEST(ChessProgram, PlaysOnLargerBoards) {
  const Result counted = chess_run({"perft", "chess", "2", "--layout", "capablanca"});
  EXPECT_THAT(counted.out, HasSubstr("784 nodes")) << counted.err;
  const Result grand = chess_run({"play", "chess", "--rules", "grand-chess", "--as", "0,1"},
                                 "a3a5\nj8j6\nundo\nquit\n");
  EXPECT_EQ(grand.exit_code, 0) << grand.err;
  EXPECT_THAT(grand.out, HasSubstr("10/10/P9/10/1PPPPPPPPP"));
  EXPECT_NE(chess_run({"pgn", "chess", "--layout", "capablanca"}).exit_code, 0);
}

}  // namespace
}  // namespace parlor::test
