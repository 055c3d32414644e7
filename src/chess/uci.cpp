#include "chess/uci.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <istream>
#include <iterator>
#include <mutex>
#include <ostream>
#include <sstream>
#include <thread>

#include "chess/chess.h"
#include "chess/notation.h"
#include "chess/search.h"

namespace parlor::chess {
namespace {

// What `go` was asked to do.
struct GoOrder {
  SearchLimits limits;
  std::array<std::int64_t, 2> clock{};
  std::array<std::int64_t, 2> bonus{};
  std::optional<int> perft;
  bool limited = false;

  void set(std::string_view word, std::int64_t number) {
    limited = true;
    if (word == "perft") perft = static_cast<int>(std::clamp<std::int64_t>(number, 1, 64));
    if (word == "depth") limits.depth = static_cast<int>(std::clamp<std::int64_t>(number, 1, 64));
    if (word == "mate")
      limits.depth = static_cast<int>(2 * std::clamp<std::int64_t>(number, 1, 32) - 1);
    if (word == "nodes")
      limits.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(number, 1));
    if (word == "movetime") limits.time = std::chrono::milliseconds(within_a_year(number));
    if (word == "wtime") clock[white] = within_a_year(number);
    if (word == "btime") clock[black] = within_a_year(number);
    if (word == "winc") bonus[white] = within_a_year(number);
    if (word == "binc") bonus[black] = within_a_year(number);
  }

  // Whether the search ends by itself, without anybody saying `stop`.
  bool endless() const {
    return limited && limits.depth == SearchLimits{}.depth &&
           limits.nodes == SearchLimits{}.nodes && limits.time == SearchLimits{}.time &&
           clock == std::array<std::int64_t, 2>{};
  }

 private:
  static std::int64_t within_a_year(std::int64_t milliseconds) {
    return std::clamp<std::int64_t>(milliseconds, 1, 31'536'000'000);
  }
};

bool is_go_word(std::string_view word) {
  constexpr std::string_view words[] = {"searchmoves", "ponder", "infinite", "perft", "depth",
                                        "mate",        "nodes",  "movetime", "wtime", "btime",
                                        "winc",        "binc",   "movestogo"};
  return std::ranges::find(words, word) != std::end(words);
}

std::optional<std::int64_t> number_at(const std::vector<std::string>& words, std::size_t index) {
  if (index >= words.size()) return std::nullopt;
  const std::string& text = words[index];
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class UciFront {
 public:
  UciFront(std::istream& in, std::ostream& out, OpenOptions options, const ModifierReader& read)
      : in_(in), out_(out), options_(std::move(options)), read_(read) {
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
    // The input ended: a search with an end of its own may come to it, nobody stops the others.
    if (endless_) halt();
    if (thread_.joinable()) thread_.join();
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
    auto opened = open_chess(options, read_);
    if (!opened) {
      for (const Diagnostic& problem : opened.error().diagnostics.all())
        say(fmt::format("info string error: {}", problem.message));
      return false;
    }
    auto started = (*opened)->start(0);
    if (!started) {
      say(fmt::format("info string error: {}", started.error().message));
      return false;
    }
    state_ = std::move(*started);
    game_ = *opened;
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
    const auto last_game = game_;
    const auto last_state = state_;
    if (!open(options)) return;
    while (words >> word) {
      const auto move = parse_move(engine(), word);
      if (move && state_->apply(Option{move->bits})) continue;
      state_ = last_state;  // all of it or nothing
      game_ = last_game;
      return say(fmt::format("info string illegal move {}: the position stays as it was", word));
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
    OpenOptions wanted = options_;
    if (name == "Layout") {
      wanted.layout = value;
    } else if (name == "UCI_Chess960") {
      chess960_ = value == "true";
      return;
    } else if (name == "Rules") {
      wanted.rules.clear();
      std::istringstream list(value);
      while (std::getline(list, word, ',')) wanted.rules.push_back(word);
    } else {
      return;
    }
    if (open(wanted)) options_ = std::move(wanted);  // what cannot be opened is not kept
  }

  Engine engine() const { return engine_of(*state_); }
  Engine engine_of(const State& state) const {
    return static_cast<const ChessGame&>(*game_).engine(state.block());
  }

  void go(std::istringstream& words) {
    halt();
    if (!state_) return say("bestmove 0000");
    const GoOrder order = read_go(words);
    if (order.perft) return perft(*order.perft);
    SearchLimits limits = order.limits;
    limits.stop = &stop_;
    const Side us = engine().turn();
    if (order.clock[us] > 0)
      limits.time = std::chrono::milliseconds(
          std::max<std::int64_t>(order.clock[us] / 30 + order.bonus[us] / 2, 5));
    if (!order.limited) limits.depth = 5;
    endless_ = order.endless();
    thread_ = std::thread([this, limits] { think(limits); });
  }

  // What makes no sense is named and passed over; the rest of the line still counts.
  GoOrder read_go(std::istringstream& line) {
    GoOrder order;
    const std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "infinite" || word == "ponder") {
        order.limited = true;
      } else if (word == "searchmoves") {
        while (i + 1 < words.size() && !is_go_word(words[i + 1]))
          read_root_move(words[++i], order.limits.only);
      } else if (!is_go_word(word)) {
        say(fmt::format("info string unknown word {}", word));
      } else if (const auto number = number_at(words, i + 1)) {
        order.set(word, *number);
        ++i;
      } else {
        say(fmt::format("info string {} needs a number", word));
      }
    }
    return order;
  }
  void read_root_move(const std::string& word, std::vector<Move>& out) {
    if (const auto move = parse_move(engine(), word))
      out.push_back(*move);
    else
      say(fmt::format("info string illegal move {}", word));
  }

  void think(const SearchLimits& limits) {
    const Engine root = engine();
    const SearchReport found =
        search(root, limits, [&](const SearchReport& report) { say(info(report)); });
    say(fmt::format("bestmove {}", found.line.empty() ? "0000" : text(root, found.line.front())));
  }

  // With UCI_Chess960 all castling is written as the king taking its rook.
  std::string text(const Engine& at, Move move) const {
    if (chess960_ && move.kind() == MoveKind::castling)
      return square_name(move.from()) + square_name(move.to());
    return to_uci(at, move);
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
      line += text(engine_of(copy), move);
      if (!copy.apply(Option{move.bits})) break;
    }
    const auto milliseconds = report.time.count();
    return fmt::format(
        "info depth {} score {} nodes {} nps {} time {} pv{}", report.depth, score, report.nodes,
        report.nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(milliseconds, 1)),
        milliseconds, line);
  }

  void perft(int depth) {
    std::uint64_t total = 0;
    for (const auto& [move, nodes] : engine().divide(depth)) {
      total += nodes;
      say(fmt::format("{}: {}", text(engine(), move), nodes));
    }
    say(fmt::format("\nNodes searched: {}\n", total));
  }

  std::istream& in_;
  std::ostream& out_;
  OpenOptions options_;
  ModifierReader read_;
  std::shared_ptr<const Game> game_;
  std::optional<State> state_;
  std::thread thread_;
  std::atomic<bool> stop_ = false;
  bool chess960_ = false;
  bool endless_ = false;  // the last search stops only when told to
  std::mutex mutex_;
};

}  // namespace

void run_uci(std::istream& in, std::ostream& out, const OpenOptions& options,
             const ModifierReader& read) {
  UciFront(in, out, options, read).run();
}

}  // namespace parlor::chess
