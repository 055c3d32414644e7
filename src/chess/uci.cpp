#include "chess/uci.h"

#include <algorithm>
#include <fmt/core.h>
#include <istream>
#include <mutex>
#include <ostream>
#include <sstream>
#include <thread>

#include "chess/chess.h"
#include "chess/notation.h"
#include "chess/search.h"

namespace parlor::chess {
namespace {

class UciFront {
 public:
  UciFront(std::istream& in, std::ostream& out, OpenOptions options)
      : in_(in), out_(out), options_(std::move(options)) {
    open(options_);
  }
  ~UciFront() { halt(); }

  void run() {
    std::string line;
    while (std::getline(in_, line)) {
      std::istringstream words(line);
      std::string command;
      words >> command;
      if (command == "quit") return;
      obey(command, words);
    }
    if (thread_.joinable()) thread_.join();  // the input ended: let the last search finish
  }

 private:
  void obey(const std::string& command, std::istringstream& words) {
    if (command == "uci") return introduce();
    if (command == "isready") return say("readyok");
    if (command == "stop") return halt();
    if (command == "d") return show();
    if (command == "go") return go(words);
    if (command == "ucinewgame") return begin();
    if (command == "position") return set_position(words);
    if (command == "setoption") return set_option(words);
    // What the protocol has but this engine has no use for is passed over; a search goes on.
    if (command.empty() || command == "debug" || command == "ponderhit" || command == "register")
      return;
    say(fmt::format("info string unknown command {}", command));
  }

  void show() {
    halt();
    say(state_ ? state_->describe() : "no position");
  }
  void begin() {
    halt();
    open(options_);
  }

  void introduce() {
    say("id name Parlor chess");
    say("id author the Parlor authors");
    say("option name Rules type string default <empty>");
    say("option name Layout type string default classic");
    say("option name UCI_Chess960 type check default false");
    say("uciok");
  }

  void say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    out_ << text << '\n' << std::flush;
  }

  void halt() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    stop_ = false;
  }

  bool open(const OpenOptions& options) {
    auto opened = open_chess(options);
    if (!opened) {
      for (const Diagnostic& problem : opened.error().diagnostics.all())
        say(fmt::format("info string error: {}", problem.message));
      return false;
    }
    state_.reset();
    game_ = *opened;
    state_ = game_->start(0).value();
    return true;
  }

  void set_position(std::istringstream& words) {
    halt();
    OpenOptions options = options_;
    std::string word;
    words >> word;
    if (word == "fen") {
      std::string fen;
      while (words >> word && word != "moves") fen += (fen.empty() ? "" : " ") + word;
      options.position = fen;
      options.layout.clear();
    } else {
      words >> word;  // "moves", if anything
    }
    if (!open(options)) return;
    while (words >> word) {
      const auto move = parse_move(engine(), word);
      if (!move || !state_->apply(Option{move->bits}))
        return say(fmt::format("info string illegal move {}", word));
    }
  }

  void set_option(std::istringstream& words) {
    halt();
    std::string word;
    std::string name;
    std::string value;
    words >> word;
    while (words >> word && word != "value") name += (name.empty() ? "" : " ") + word;
    while (words >> word) value += (value.empty() ? "" : " ") + word;
    if (value == "<empty>") value.clear();
    if (name == "Layout") {
      options_.layout = value;
    } else if (name == "Rules") {
      options_.rules.clear();
      std::istringstream list(value);
      while (std::getline(list, word, ',')) options_.rules.push_back(word);
    } else {
      return;
    }
    open(options_);
  }

  Engine engine() const { return static_cast<const ChessGame&>(*game_).engine(state_->block()); }

  void go(std::istringstream& words) {
    halt();
    if (!state_) return say("bestmove 0000");
    SearchLimits limits;
    limits.stop = &stop_;
    std::array<std::int64_t, 2> clock{};
    std::array<std::int64_t, 2> bonus{};
    bool limited = false;
    std::string word;
    while (words >> word) {
      std::int64_t number = 0;
      if (word == "infinite" || word == "ponder") {
        limited = true;
        continue;
      }
      if (word == "searchmoves") {
        read_moves(words, limits.only);
        continue;
      }
      if (!(words >> number)) break;
      limited = true;
      if (word == "perft") return perft(static_cast<int>(number));
      if (word == "depth") limits.depth = static_cast<int>(std::clamp<std::int64_t>(number, 1, 64));
      if (word == "mate")
        limits.depth = static_cast<int>(std::clamp<std::int64_t>(2 * number - 1, 1, 63));
      if (word == "nodes") limits.nodes = static_cast<std::uint64_t>(number);
      if (word == "movetime") limits.time = std::chrono::milliseconds(number);
      if (word == "wtime") clock[0] = number;
      if (word == "btime") clock[1] = number;
      if (word == "winc") bonus[0] = number;
      if (word == "binc") bonus[1] = number;
    }
    const Side us = engine().turn();
    if (clock[us] > 0)
      limits.time =
          std::chrono::milliseconds(std::max<std::int64_t>(clock[us] / 30 + bonus[us] / 2, 5));
    if (!limited) limits.depth = 5;
    thread_ = std::thread([this, limits] { think(limits); });
  }

  // Legal moves up to the first word that is none, which is left for the caller.
  void read_moves(std::istringstream& words, std::vector<Move>& out) const {
    std::string word;
    for (auto at = words.tellg(); words >> word; at = words.tellg()) {
      const auto move = parse_move(engine(), word);
      if (!move) {
        words.seekg(at);
        return;
      }
      out.push_back(*move);
    }
  }

  void think(const SearchLimits& limits) {
    const Engine root = engine();
    const SearchReport found =
        search(root, limits, [&](const SearchReport& report) { say(info(report)); });
    say(fmt::format("bestmove {}", found.line.empty() ? "0000" : to_uci(root, found.line.front())));
  }

  // The line is written move by move on a copy: castling and promotions depend on the position.
  std::string info(const SearchReport& report) const {
    std::string score = fmt::format("cp {}", report.score);
    if (std::abs(report.score) > mate_bound) {
      const int plies = mate_score - std::abs(report.score);
      score = fmt::format("mate {}", (report.score > 0 ? 1 : -1) * (plies + 1) / 2);
    }
    std::string line;
    State copy = *state_;
    for (const Move move : report.line) {
      line += ' ';
      line += copy.option_text(Option{move.bits});
      if (!copy.apply(Option{move.bits})) break;
    }
    const auto milliseconds = report.time.count();
    return fmt::format(
        "info depth {} score {} nodes {} nps {} time {} pv{}", report.depth, score, report.nodes,
        report.nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(milliseconds, 1)),
        milliseconds, line);
  }

  void perft(int depth) {
    OptionList options;
    state_->list_options(options);
    std::uint64_t total = 0;
    for (const Option option : options) {
      State child = *state_;
      if (!child.apply(option)) continue;
      const std::uint64_t nodes = parlor::perft(child, depth - 1);
      total += nodes;
      say(fmt::format("{}: {}", state_->option_text(option), nodes));
    }
    say(fmt::format("\nNodes searched: {}\n", total));
  }

  std::istream& in_;
  std::ostream& out_;
  OpenOptions options_;
  std::shared_ptr<const Game> game_;
  std::optional<State> state_;
  std::thread thread_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
};

}  // namespace

void run_uci(std::istream& in, std::ostream& out, const OpenOptions& options) {
  UciFront(in, out, options).run();
}

}  // namespace parlor::chess
