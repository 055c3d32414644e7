#include "chess/uci.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <fmt/core.h>
#include <istream>
#include <iterator>
#include <mutex>
#include <ostream>
#include <sstream>
#include <thread>

#include "chess/search.h"
#include "chess/uci_go.h"
#include "chess/variants.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// A number that an option may be set to.
struct UciSpin {
  std::string_view name;
  std::int64_t value;
  std::int64_t low;
  std::int64_t high;
};

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
    if (command == "ponderhit") return ponder_hit();
    // What the protocol has but this engine has no use for is passed over; a search goes on.
    if (command.empty() || command == "debug" || command == "register") return;
    say(fmt::format("info string unknown command {}", command));
  }

  void show() {
    halt();
    say(state_ ? state_->describe() : "no position");
  }
  void begin() {
    halt();
    if (analyst_) analyst_->forget();
    open(options_);
  }

  void introduce() {
    say("id name Parlor chess");
    say("id author the Parlor authors");
    for (const UciSpin& spin : spins_)
      say(fmt::format("option name {} type spin default {} min {} max {}", spin.name, spin.value,
                      spin.low, spin.high));
    say("option name Clear Hash type button");
    say("option name Ponder type check default false");
    say("option name UCI_Chess960 type check default false");
    say("option name UCI_AnalyseMode type check default false");
    std::string variants;
    for (const KnownVariant& variant : known_variants)
      variants += fmt::format(" var {}", variant.name);
    say("option name UCI_Variant type combo default chess" + variants);
    say("option name Rules type string default <empty>");
    say("option name Layout type string default classic");
    say("uciok");
  }

  void say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    out_ << text << '\n' << std::flush;
  }

  // Ends a search; it answers with what it has.
  void halt() {
    if (watch_) watch_->stop();
    release();
    if (thread_.joinable()) thread_.join();
  }
  // An answer that was not to be given yet may be.
  void release() {
    {
      const std::lock_guard lock(hold_mutex_);
      held_ = false;
    }
    hold_changed_.notify_all();
  }
  // The move that was expected has been played: from now on the clock runs.
  void ponder_hit() {
    if (!pondering_) return;
    pondering_ = false;
    if (ponder_allowance_) watch_->allow(ponder_allowance_->soft, ponder_allowance_->hard);
    endless_ = ponder_endless_;
    if (!endless_) release();
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
    set_game(*opened, std::move(*started));
    return true;
  }
  // Each board has its own way to think.
  void set_game(std::shared_ptr<const Game> game, std::optional<State> state) {
    if (!game) {
      state_.reset();
      return game_.reset();
    }
    const AnyChess* const last = game_ ? &chess() : nullptr;
    const AnyChess& next = *any_chess(*game);
    if (last == nullptr || last->files() != next.files() || last->ranks() != next.ranks())
      analyst_ = next.analyst(table_entries(), static_cast<std::size_t>(spin("Threads")));
    state_ = std::move(state);
    game_ = std::move(game);
  }
  std::size_t table_entries() const {
    return Analyst::entries_in(static_cast<std::size_t>(spin("Hash")));
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
      const auto move = game_->option_meant(state_->block(), word);
      if (move && state_->apply(*move)) continue;
      set_game(last_game, last_state);  // all of it or nothing
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
    if (name == "Clear Hash" && analyst_) return analyst_->forget();
    if (name == "UCI_Chess960") chess960_ = value == "true";
    if (name == "UCI_AnalyseMode") analysing_ = value == "true";
    for (UciSpin& spin : spins_)
      if (spin.name == name) return set_spin(spin, value);
    if (name == "UCI_Variant" || name == "Layout" || name == "Rules") set_rules(name, value);
  }

  void set_spin(UciSpin& spin, const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size())
      return say(fmt::format("info string {} needs a number", spin.name));
    spin.value = std::clamp(value, spin.low, spin.high);
    if (!analyst_) return;
    if (spin.name == "Hash") analyst_->set_table(table_entries());
    if (spin.name == "Threads") analyst_->set_threads(static_cast<std::size_t>(spin.value));
  }

  // What cannot be opened is not kept.
  void set_rules(const std::string& name, const std::string& value) {
    OpenOptions wanted = options_;
    std::string rules = value;
    if (name == "UCI_Variant") {
      const KnownVariant* variant = variant_named(value);
      if (variant == nullptr)
        return say(fmt::format("info string error: there is no variant {}", value));
      rules = variant->rules;
      wanted.layout = variant->layout;
    }
    if (name == "Layout") {
      wanted.layout = value;
    } else {
      wanted.rules = rules::split_rules(rules);
    }
    if (!open(wanted)) return;
    options_ = std::move(wanted);
    analyst_->forget();
  }

  const AnyChess& chess() const { return *any_chess(*game_); }

  void go(std::istringstream& line) {
    halt();
    const std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
    const GoOrder order = read_go(words);
    for (const std::string& mistake : order.mistakes) say("info string " + mistake);
    if (!state_) return say("bestmove 0000");
    if (order.perft) return perft(*order.perft);
    watch_ = std::make_unique<alphabeta::Watch>();
    const auto time = allowance(order, to_move(), spin("Move Overhead"));
    const bool bare = words.empty();  // `go` alone: a quick look
    endless_ = !bare && (order.endless() || order.ponder);
    pondering_ = order.ponder;
    ponder_allowance_ = time;
    ponder_endless_ = order.endless();
    if (time && !order.ponder && !order.infinite) watch_->allow(time->soft, time->hard);
    held_ = endless_;
    AnyAnalyst::Limits limits = limits_of(order);
    if (bare) limits.depth = 6;
    limits.hurry = time.has_value() && !analysing_;
    thread_ = std::thread([this, limits, mate = order.mate] { think(limits, mate); });
  }

  Side to_move() const {
    return !state_->finished() && state_->decision().player == PlayerId{1} ? black : white;
  }

  AnyAnalyst::Limits limits_of(const GoOrder& order) {
    AnyAnalyst::Limits limits;
    if (order.depth) limits.depth = *order.depth;
    // Mates may be found later than at their own depth: not every move is looked at equally.
    if (order.mate) limits.depth = std::min(limits.depth, 2 * *order.mate + 11);
    limits.nodes = order.nodes.value_or(0);
    limits.lines = static_cast<std::size_t>(spin("MultiPV"));
    limits.watch = watch_.get();
    for (const std::string& word : order.only)
      if (const auto move = game_->option_meant(state_->block(), word))
        limits.only.push_back(*move);
      else
        say(fmt::format("info string illegal move {}", word));
    return limits;
  }

  void think(const AnyAnalyst::Limits& limits, std::optional<int> mate) {
    const auto found = analyst_->think(*state_, limits, [&](const ReportOf<Option>& report) {
      say(info(report, limits.lines > 1));
      if (mate && report.score > mate_bound && mate_score - report.score <= 2 * *mate - 1)
        limits.watch->stop();
    });
    std::unique_lock lock(hold_mutex_);
    hold_changed_.wait(lock, [&] { return !held_; });
    std::string answer = found.line.empty() ? "0000" : text(*state_, found.line.front());
    if (found.line.size() > 1) {
      State next = *state_;
      if (next.apply(found.line[0])) answer += " ponder " + text(next, found.line[1]);
    }
    say("bestmove " + answer);
  }

  // With UCI_Chess960 all castling is written as the king taking its rook.
  std::string text(const State& at, Option move) const {
    return chess().write_move(at.block(), move, chess960_);
  }

  // The line is written move by move on a copy: castling and promotions depend on the position.
  std::string info(const ReportOf<Option>& report, bool several) const {
    std::string score = fmt::format("cp {}", report.score);
    if (std::abs(report.score) > mate_bound) {
      const int plies = mate_score - std::abs(report.score);
      score = fmt::format("mate {}", (report.score > 0 ? 1 : -1) * (plies + 1) / 2);
    }
    std::string line;
    State copy = *state_;
    for (const Option move : report.line) {
      line += ' ';
      line += text(copy, move);
      if (!copy.apply(move)) break;
    }
    const auto microseconds = std::max<std::int64_t>(watch_->elapsed().count(), 1);
    return fmt::format(
        "info depth {} seldepth {}{} score {} nodes {} nps {} hashfull {} time {} pv{}",
        report.depth, report.deepest, several ? fmt::format(" multipv {}", report.rank + 1) : "",
        score, report.nodes, report.nodes * 1'000'000 / static_cast<std::uint64_t>(microseconds),
        report.permille_full, microseconds / 1000, line);
  }

  void perft(int depth) {
    std::uint64_t total = 0;
    for (const CountedMove& counted : divide(*state_, depth)) {
      total += counted.nodes;
      const auto move = game_->option_meant(state_->block(), counted.move);
      say(fmt::format("{}: {}", move ? text(*state_, *move) : counted.move, counted.nodes));
    }
    say(fmt::format("\nNodes searched: {}\n", total));
  }

  std::istream& in_;
  std::ostream& out_;
  OpenOptions options_;
  ModifierReader read_;
  std::shared_ptr<const Game> game_;
  std::optional<State> state_;
  std::int64_t spin(std::string_view name) const {
    return std::ranges::find(spins_, name, &UciSpin::name)->value;
  }

  std::array<UciSpin, 4> spins_{{{"Hash", 16, 1, 4096},
                                 {"Threads", 1, 1, 64},
                                 {"MultiPV", 1, 1, 256},
                                 {"Move Overhead", 10, 0, 5000}}};
  std::unique_ptr<AnyAnalyst> analyst_;  // of the board that is played on
  std::thread thread_;
  std::unique_ptr<alphabeta::Watch> watch_;  // of the last search
  bool chess960_ = false;
  bool analysing_ = false;
  bool endless_ = false;  // the last search stops only when told to
  bool pondering_ = false;
  bool ponder_endless_ = false;
  std::optional<Allowance> ponder_allowance_;
  std::mutex mutex_;
  std::mutex hold_mutex_;
  std::condition_variable hold_changed_;
  bool held_ = false;  // the answer must wait for `stop` or `ponderhit`
};

}  // namespace

void run_uci(std::istream& in, std::ostream& out, const OpenOptions& options,
             const ModifierReader& read) {
  UciFront(in, out, options, read).run();
}

}  // namespace parlor::chess::inline PARLOR_BOARD
