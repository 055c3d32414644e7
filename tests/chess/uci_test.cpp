// UCI as chess programs expect it (C-80).
#include "chess/uci.h"

#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>
#include <sstream>
#include <thread>

#include "chess/uci_go.h"
#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;

std::string uci_answers(const std::string& commands) {
  std::istringstream in(commands);
  std::ostringstream out;
  run_uci(in, out, {});
  return out.str();
}

TEST(Uci, SpeaksTheProtocol) {
  const std::string counted = uci_answers(
      "uci\nisready\nposition startpos moves g1f3 g8f6 f3g1 f6g8\ngo perft 3\n"
      "setoption name Rules value berolina-pawns\nposition startpos\ngo perft 3\nquit\n");
  EXPECT_THAT(counted, HasSubstr("uciok\nreadyok\n"));
  EXPECT_THAT(counted, HasSubstr("Nodes searched: 8902"));
  EXPECT_THAT(counted, HasSubstr("Nodes searched: 28328"));
  EXPECT_THAT(uci_answers("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 2\n"),
              HasSubstr("bestmove a1a8"));
  EXPECT_THAT(uci_answers("setoption name Rules value nonsense\n"), HasSubstr("info string error"));
}

TEST(Uci, SearchesAsFarAsAskedUnlessStopped) {  // C-80
  // The end of the input waits for the search, and what is asked meanwhile does not disturb it.
  const std::string patient =
      uci_answers("position startpos moves e2e4 e7e5\ngo depth 3\nisready\nponderhit\ndebug on\n");
  EXPECT_THAT(patient, HasSubstr("readyok"));
  EXPECT_THAT(patient, HasSubstr("info depth 3"));
  EXPECT_THAT(patient, testing::Not(HasSubstr("unknown command")));
  // `stop` and `quit` end it at once, with the best move so far.
  for (const char* word : {"stop", "quit"}) {
    const std::string hasty =
        uci_answers(fmt::format("position startpos\ngo infinite\n{}\n", word));
    EXPECT_THAT(hasty, HasSubstr("bestmove ")) << word;
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(uci_answers("position startpos\ngo movetime 50\n"), HasSubstr("bestmove "));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THAT(uci_answers("position startpos\ngo searchmoves a2a3 h2h3 depth 2\n"),
              testing::ContainsRegex("bestmove (a2a3|h2h3)"));
  EXPECT_THAT(uci_answers("position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\ngo mate 3\n"),
              HasSubstr("score mate 3"));
}

// One word that makes no sense does not take the rest of the line with it.
TEST(Uci, GoNamesMistakesAndReadsOn) {
  const std::string moves =
      uci_answers("position startpos\ngo searchmoves e2e5 a2a3 zz h2h3 depth 2\n");
  EXPECT_THAT(moves, HasSubstr("info string illegal move e2e5"));
  EXPECT_THAT(moves, HasSubstr("info string illegal move zz"));
  EXPECT_THAT(moves, testing::ContainsRegex("bestmove (a2a3|h2h3)"));
  EXPECT_THAT(moves, HasSubstr("info depth 2"));
  EXPECT_THAT(moves, testing::Not(HasSubstr("info depth 3")));
  const std::string words = uci_answers("position startpos\ngo quickly depth two depth 1\n");
  EXPECT_THAT(words, HasSubstr("info string unknown word quickly"));
  EXPECT_THAT(words, HasSubstr("info string depth needs a number"));
  EXPECT_THAT(words, testing::Not(HasSubstr("info depth 2")));
}

TEST(Uci, Chess960CastlesByTakingTheRook) {
  const std::string position = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  EXPECT_THAT(uci_answers(position + "\ngo perft 1\n"), HasSubstr("e1g1: 1"));
  const std::string answers = uci_answers("setoption name UCI_Chess960 value true\n" + position +
                                          "\ngo perft 1\n" + position + " moves e1h1\nd\n");
  EXPECT_THAT(answers, HasSubstr("e1h1: 1"));
  EXPECT_THAT(answers, HasSubstr("e1a1: 1"));
  EXPECT_THAT(answers, testing::Not(HasSubstr("e1g1: 1")));
  EXPECT_THAT(answers, HasSubstr("R4RK1 b"));
}

TEST(Uci, BadPositionsLeaveTheLastOne) {
  const std::string answers = uci_answers(
      "position startpos moves e2e4\nposition fen garbage\nsetoption name Layout value none\n"
      "position startpos moves d2d4 e2e5\ngo perft 1\nfrobnicate\n");
  EXPECT_THAT(answers, HasSubstr("info string illegal move e2e5: the position stays as it was"));
  EXPECT_THAT(answers, HasSubstr("info string error: FEN: a FEN has 6 fields"));
  EXPECT_THAT(answers, HasSubstr("info string error: there is no layout `none`"));
  EXPECT_THAT(answers, HasSubstr("e7e5: 1"));  // still after 1. e4
  EXPECT_THAT(answers, HasSubstr("info string unknown command frobnicate"));
}

// Commands that come one after the other in time: a line "wait 50" is fifty milliseconds.
class SlowScript : public std::streambuf {
 public:
  explicit SlowScript(const std::string& text) : lines_(text) {}

 private:
  int_type underflow() override {
    while (std::getline(lines_, line_)) {
      if (line_.starts_with("wait ")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(line_.substr(5))));
        continue;
      }
      line_ += '\n';
      setg(line_.data(), line_.data(), line_.data() + line_.size());
      return traits_type::to_int_type(line_[0]);
    }
    return traits_type::eof();
  }
  std::istringstream lines_;
  std::string line_;
};

std::string slow_answers(const std::string& commands) {
  SlowScript script(commands);
  std::istream in(&script);
  std::ostringstream out;
  run_uci(in, out, {});
  return out.str();
}

// The last line beginning so.
std::string last_line(const std::string& text, const std::string& beginning) {
  std::istringstream lines(text);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(beginning)) found = line;
  return found;
}

const std::string mate_in_one = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\n";

TEST(Uci, InfiniteAnswersOnlyAfterStop) {  // C-80
  const std::string answers =
      slow_answers(mate_in_one + "go infinite\nwait 150\nisready\nwait 50\nstop\n");
  EXPECT_LT(answers.find("readyok"), answers.find("bestmove a1a8"));
  EXPECT_NE(answers.find("bestmove a1a8"), std::string::npos);
}

TEST(Uci, PonderingAnswersAfterPonderhitOrStop) {  // C-80
  for (const char* word : {"ponderhit", "stop"}) {
    const std::string answers =
        slow_answers(mate_in_one + "go ponder wtime 1000 btime 1000\nwait 150\nisready\nwait 50\n" +
                     word + "\nwait 50\n");
    EXPECT_LT(answers.find("readyok"), answers.find("bestmove a1a8")) << word;
    EXPECT_NE(answers.find("bestmove a1a8"), std::string::npos) << word;
  }
  // After the hit the clock counts: the search ends by itself.
  const std::string timed = slow_answers(
      "position startpos moves e2e4 e7e5\ngo ponder wtime 600 btime 600\nwait 50\nponderhit\n");
  EXPECT_THAT(timed, HasSubstr("bestmove "));
}

TEST(Uci, NeverTakesMoreThanAThirdOfTheClock) {  // C-80
  for (const std::int64_t clock : {0, 1, 9, 30, 100, 1000, 60'000, 3'600'000})
    for (const std::int64_t bonus : {0, 10, 1000, 100'000})
      for (const std::int64_t moves : {0, 1, 2, 10, 40, 100}) {
        std::vector<std::string> words{"wtime", std::to_string(clock), "winc",
                                       std::to_string(bonus)};
        if (moves != 0) words.insert(words.end(), {"movestogo", std::to_string(moves)});
        const auto time = allowance(read_go(words), white, 10).value();
        EXPECT_LE(time.hard, std::chrono::milliseconds(clock) / 3);
        EXPECT_LE(time.soft, time.hard);
        EXPECT_FALSE(allowance(read_go(words), black, 10));
      }
  // With few moves to the next control more is spent on each.
  const auto share = [](const char* moves) {
    return allowance(read_go({"wtime", "60000", "movestogo", moves}), white, 10).value().soft;
  };
  EXPECT_GT(share("2"), 3 * share("30"));
}

TEST(Uci, AnEmptyClockIsAnsweredAtOnce) {  // C-80
  for (const char* go : {"go wtime 0 btime 0", "go wtime -50 btime 1000", "go movetime 0"}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(uci_answers(fmt::format("position startpos\n{}\n", go)), HasSubstr("bestmove "));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << go;
  }
}

TEST(Uci, TellsWhatProgramsShow) {  // C-80
  const std::string answers = uci_answers("position startpos\ngo depth 4\n");
  EXPECT_THAT(
      last_line(answers, "info depth 4"),
      testing::ContainsRegex("^info depth 4 seldepth [0-9]+ score cp -?[0-9]+ nodes [0-9]+ nps "
                             "[0-9]+ hashfull [0-9]+ time [0-9]+ pv [a-h][1-8]"));
  EXPECT_THAT(uci_answers(mate_in_one + "go depth 4\n"), HasSubstr("score mate 1"));
  EXPECT_THAT(uci_answers("position fen 6k1/5ppp/8/8/8/8/r7/1r4K1 w - - 0 1\ngo depth 4\n"),
              HasSubstr("bestmove 0000"));
  const std::string options = uci_answers("uci\n");
  for (const char* name : {"Hash", "Threads", "MultiPV", "Clear Hash", "Ponder", "UCI_Variant",
                           "UCI_AnalyseMode", "UCI_Chess960", "Move Overhead"})
    EXPECT_THAT(options, HasSubstr(fmt::format("option name {} type", name)));
}

TEST(Uci, SeveralLinesAreTheBestInOrder) {  // C-80
  const std::string answers =
      uci_answers("setoption name MultiPV value 3\nposition startpos\ngo depth 5\n");
  std::vector<int> scores;
  std::set<std::string> moves;
  for (int rank = 1; rank <= 3; ++rank) {
    std::istringstream lines(answers);
    std::string found;
    for (std::string line; std::getline(lines, line);)
      if (line.find(fmt::format(" multipv {} ", rank)) != std::string::npos) found = line;
    ASSERT_FALSE(found.empty()) << answers;
    scores.push_back(std::stoi(found.substr(found.find(" cp ") + 4)));
    moves.insert(found.substr(found.find(" pv ") + 4, 4));
  }
  EXPECT_EQ(moves.size(), 3u);
  EXPECT_GE(scores[0], scores[1]);
  EXPECT_GE(scores[1], scores[2]);
}

TEST(Uci, TableThreadsAndVariants) {  // C-80
  const std::string answers = uci_answers(
      "setoption name Hash value 1\nsetoption name Threads value 2\nsetoption name Clear Hash\n"
      "setoption name Hash value many\nposition startpos\ngo depth 6\n");
  EXPECT_THAT(answers, HasSubstr("info depth 6"));
  EXPECT_THAT(answers, HasSubstr("bestmove "));
  EXPECT_THAT(answers, HasSubstr("info string Hash needs a number"));
  EXPECT_THAT(uci_answers("setoption name UCI_Variant value knightmate\nposition startpos\n"
                          "go perft 2\n"),
              HasSubstr("Nodes searched: 324"));
  EXPECT_THAT(uci_answers("setoption name UCI_Variant value antichess\nposition startpos\n"
                          "go perft 4\n"),
              HasSubstr("Nodes searched: 153299"));
  EXPECT_THAT(uci_answers("setoption name UCI_Variant value none\n"),
              HasSubstr("info string error: there is no variant none"));
}

}  // namespace
}  // namespace parlor::chess
