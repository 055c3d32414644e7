// Games being played, from outside: positions, move lists, saved states, traces, logs, protocols.
#include "fuzz/play_targets.h"

#include <fmt/core.h>
#include <sstream>

#include "base/hex.h"
#include "chess/chess.h"
#include "chess/pgn.h"
#include "chess/uci.h"
#include "cli/command.h"
#include "fuzz/play.h"
#include "open/open.h"
#include "table/session.h"
#include "tests/opened_once.h"

namespace parlor::fuzz {
namespace {

// Each game is opened once: compiling one takes a thousand times as long as reading a list of
// moves.
const Catalog& catalog() {
  static const Catalog real = open::catalog();
  static const Catalog all = test::opened_once(real);
  return all;
}

struct OpenedGame {
  std::string name;
  std::shared_ptr<const Game> game;
};

// Native and data, with hidden cards, dice, choices inside moves, simultaneous moves, house rules.
const std::vector<OpenedGame>& games() {
  static const std::vector<OpenedGame> all = [] {
    std::vector<OpenedGame> out;
    const auto add = [&](std::string name, const OpenOptions& options, std::string label = "") {
      auto game = catalog().open(name, options);
      if (!game) broken("shipped games open", name);
      out.push_back({label.empty() ? std::move(name) : std::move(label), *game});
    };
    for (const char* name : {"tic-tac-toe", "pig", "leduc-poker", "market", "texas-holdem",
                             "coalition", "backgammon", "insurgency"})
      add(name, {});
    for (const char* name : {"leduc-poker", "backgammon"}) {
      OpenOptions options;
      options.explicit_chance = true;
      add(name, options, fmt::format("{}-explicit", name));
    }
    add("chess", {});
    OpenOptions options;
    options.rules = {"double-move", "exploding-pieces"};
    if (catalog().open("chess", options)) add("chess", options, "chess-ruled");
    return out;
  }();
  return all;
}

// The game named by a first line "@name", and the rest.
const OpenedGame* named_game(std::string_view& text) {
  if (!text.starts_with('@')) return &games().front();
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view name = text.substr(1, end - 1);
  text.remove_prefix(std::min(end + 1, text.size()));
  for (const OpenedGame& entry : games())
    if (entry.name == name) return &entry;
  return nullptr;
}

// The state after some decisions at random, or the last one that was reached.
State played(const Game& game, std::size_t decisions, std::uint64_t seed) {
  State state = game.start(seed).value();
  Rng rng{seed};
  OptionList options;
  for (std::size_t n = 0; n < decisions && !state.finished(); ++n) {
    state.list_options(options);
    State next = state;
    if (!next.apply(options[draw_option(options, rng)])) break;
    state = std::move(next);
  }
  return state;
}

// Runs a command of the program with this text as its standard input. Whatever is wrong is said
// with a code, and it is never the program's own fault.
void run_command(const std::vector<std::string>& arguments, std::string_view input) {
  std::istringstream in{std::string{input}};
  std::ostringstream out, err;
  cli::Context context{.catalog = catalog(), .in = in, .out = out, .err = err};
  const int code = cli::run_program(arguments, context);
  const std::string said = err.str();
  if (code != 0 && said.find("error[") == std::string::npos) broken("a failure has a code", said);
  if (said.find("error[INTERNAL]") != std::string::npos) broken("nothing is INTERNAL", said);
}

}  // namespace

// ---- Chess

void run_fen(std::string_view text) {
  OpenOptions options;
  options.position = std::string{text.substr(0, text.find('\n'))};
  if (options.position.empty()) return;
  const Opened game = chess::open_chess(options);
  if (game) return play(**game, 12, 1);
  if (!game.error().diagnostics.has_errors()) broken("a game that does not open says why");
}

std::vector<std::string> fen_seeds() {
  return {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "8/8/8/4k3/8/8/8/R3K3 w - - 100 80",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
          "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
          "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1"};
}

void run_pgn(std::string_view text) {
  const auto game = chess::read_pgn(text);
  if (!game) {
    if (game.error().empty()) broken("a refusal says why");
    return;
  }
  look_at(game->state);
  const auto again = chess::read_pgn(chess::to_pgn(game->state));
  if (!again) broken("what is written as PGN can be read", again.error());
}

std::vector<std::string> pgn_seeds() {
  std::vector<std::string> out;
  for (const OpenedGame& entry : games())
    if (entry.name.starts_with("chess"))
      for (std::uint64_t seed = 1; seed < 4; ++seed)
        out.push_back(chess::to_pgn(played(*entry.game, 20 * seed, seed)));
  out.push_back(
      "[Event \"x\"]\n[FEN \"8/8/8/4k3/8/8/8/R3K3 w - - 0 1\"]\n\n"
      "1. O-O-O {a comment} Kf4 (1... Ke4 2. Rd8) 2. Rd4+ $1 Ke3 1/2-1/2\n");
  return out;
}

// Searches are kept short; how long one takes is up to whoever asks.
void run_uci(std::string_view text) {
  std::istringstream lines{std::string{text}};
  std::string input;
  std::size_t searches = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t go = line.find("go");
    if (go != std::string::npos) {
      if (++searches > 3) continue;
      for (std::size_t at = line.find("perft"); at != std::string::npos;
           at = line.find("perft", at + 1))
        line.replace(at, 5, "depth");
      line += " nodes 300";
    }
    input += line + "\n";
  }
  std::istringstream in{input};
  std::ostringstream out;
  chess::run_uci(in, out, {});
}

std::vector<std::string> uci_seeds() {
  return {"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 2\nd\nquit\n",
          "position fen 8/8/8/4k3/8/8/8/R3K3 w - - 100 80 moves a1a8\ngo movetime 5\nstop\n",
          "setoption name Rules value berolina-pawns\nposition startpos\ngo nodes 50\n",
          "setoption name Layout value chess960:518\nsetoption name UCI_Chess960 value true\n"
          "position startpos moves e2e4\ngo wtime 100 btime 100 winc 1 binc 1 searchmoves e7e5\n",
          "go infinite\nstop\ngo mate 2\ngo perft 2\n"};
}

// ---- Saved states: the checksum is made to fit, so that what is behind it is reached.

void run_save(std::string_view text) {
  const OpenedGame* entry = named_game(text);
  const auto json = parse_json(text);
  if (entry == nullptr || !json) return;
  Json saved{
      {"format", "parlor-state"},       {"version", 2},
      {"game", entry->game->info().id}, {"fingerprint", to_hex(entry->game->info().fingerprint)},
      {"check", save_check(*json)},     {"state", *json}};
  const auto state = entry->game->load(saved);
  if (!state) return check_refusal(state.error());
  look_at(*state);
  Rng rng{std::uint64_t{11}};
  play_on(*state, 12, rng);
  if (entry->name.starts_with("chess")) (void)chess::to_pgn(*state);
}

std::vector<std::string> save_seeds() {
  std::vector<std::string> out;
  for (const OpenedGame& entry : games())
    for (const std::size_t decisions : {0, 1, 5, 20, 60, 2000})
      out.push_back(
          fmt::format("@{}\n{}", entry.name,
                      canonical(played(*entry.game, decisions, decisions + 1).save()["state"])));
  return out;
}

// ---- Traces and moves, through the program

void run_trace(std::string_view text) {
  run_command({"replay", "-"}, text);
}

std::vector<std::string> trace_seeds() {
  std::vector<std::string> out;
  for (const char* name : {"tic-tac-toe", "pig", "leduc-poker", "chess"}) {
    std::istringstream in;
    std::ostringstream text, err;
    cli::Context context{.catalog = catalog(), .in = in, .out = text, .err = err};
    cli::run_program({"trace", name, "--max-decisions", "6"}, context);
    out.push_back(text.str());
  }
  return out;
}

void run_moves(std::string_view text) {
  const OpenedGame* entry = named_game(text);
  if (entry == nullptr) return;
  const std::string& name = entry->game->info().id;
  run_command({"state", name, "--moves", "-"}, text);
  run_command({"trace", name, "--picks", "-", "--max-decisions", "20"}, text);
  const std::string request{text.substr(0, 400)};
  if (request.find('\0') == std::string::npos && !request.empty() && request.front() != '-')
    run_command({"why", name, request}, "");
}

std::vector<std::string> moves_seeds() {
  std::vector<std::string> out{"[0, 1, 2]", "[]", "[{\"index\": 3}]",
                               "[{\"action\":\"place\",\"params\":{\"cell\":\"cell_1_1:none\"}}]",
                               "@chess\n[\"e2e4\", \"e5\", {\"action\":\"move\"}, 0, \"Nf3\"]"};
  for (const OpenedGame& entry : games()) {
    Json moves = Json::array();
    State state = entry.game->start(0).value();
    Rng rng{std::uint64_t{5}};
    OptionList options;
    for (int n = 0; n < 6 && !state.finished(); ++n) {
      state.list_options(options);
      const Option option = options[draw_option(options, rng)];
      moves.push_back(n % 2 == 0 ? state.option_json(option) : Json(state.option_text(option)));
      if (!state.apply(option)) break;
    }
    out.push_back(fmt::format("@{}\n{}", entry.name, canonical(moves)));
  }
  return out;
}

// ---- Sessions as JSON: {header, log, snapshot}

// The record that a text stands for, with links and checks made to fit: what is behind them is
// meant.
tl::expected<table::Record, Rejection> vouched_record(const Json& json) {
  const auto part = [&](const char* key) { return json.value(key, Json(nullptr)); };
  auto record = table::header_from_json(part("header"));
  if (!record) return record;
  record->chain = table::first_link(*record);
  for (const Json& line : part("log")) {
    auto entry = table::log_entry_from_json(line);
    if (!entry) return tl::unexpected(entry.error());
    entry->chain = table::next_link(record->chain, *entry);
    record->chain = entry->chain;
    record->log.push_back(std::move(*entry));
  }
  if (auto snapshot = table::snapshot_from_json(part("snapshot"))) {
    if (snapshot->revision > 0 && snapshot->revision <= record->log.size())
      snapshot->chain = record->log[snapshot->revision - 1].chain;
    record->snapshots.push_back(std::move(*snapshot));
  }
  return record;
}

void run_session(std::string_view text) {
  const OpenedGame* entry = named_game(text);
  const auto json = parse_json(text);
  if (entry == nullptr || !json || !json->is_object()) return;
  const auto record = vouched_record(*json);
  if (!record) return check_refusal(record.error());
  const auto clock = [] { return table::Time{1}; };
  if (const auto migrated = table::Session::migrate(entry->game, *record, "other", clock);
      !migrated)
    check_refusal(migrated.error());
  auto session = table::Session::restore(entry->game, *record, clock);
  if (!session) return check_refusal(session.error());
  (void)canonical(session->to_json());
  for (std::size_t p = 0; p < entry->game->info().players; ++p)
    (void)canonical(session->observation(Viewer::player(PlayerId{p})));
  (void)canonical(session->observation(Viewer::observer()));
  for (const table::LogEntry& line : record->log) {
    (void)canonical(session->entry_for(line, Viewer::observer()));
    table::ActionEnvelope envelope{.session = record->config.id,
                                   .action_id = line.action_id + "+",
                                   .actor = line.actor,
                                   .deed = line.deed,
                                   .content = line.content};
    const std::uint64_t before = session->revision();
    if (const auto done = session->act(envelope); !done) {
      check_refusal(done.error());
      if (session->revision() != before) broken("a refusal changes nothing");
    }
    envelope.action_id = line.action_id;  // again
    if (const auto done = session->act(envelope); !done) check_refusal(done.error());
  }
}

std::vector<std::string> session_seeds() {
  std::vector<std::string> out;
  for (const OpenedGame& entry : games()) {
    if (entry.name.ends_with("-explicit") || entry.name == "insurgency") continue;
    table::SessionConfig config;
    config.id = "s";
    config.game = entry.game->info().id;
    config.seed = 5;
    config.allow_undo = true;
    auto session = table::Session::create(entry.game, config, [] { return table::Time{1}; });
    if (!session) continue;
    Rng rng{std::uint64_t{9}};
    for (int n = 0; n < 8 && !session->state().finished(); ++n) {
      OptionList options;
      session->state().list_options(options);
      const std::size_t pick = draw_option(options, rng);
      (void)session->act({.session = "s",
                          .action_id = fmt::format("a{}", n),
                          .actor = session->state().decision().player,
                          .deed = n == 4 ? table::Deed::undo : table::Deed::act,
                          .content = n == 4 ? Json::object() : Json{{"index", pick}}});
    }
    const table::Record record = session->record();
    Json log = Json::array();
    for (const table::LogEntry& line : record.log) log.push_back(table::to_json(line));
    out.push_back(fmt::format("@{}\n{}", entry.name,
                              canonical({{"header", table::header_to_json(record)},
                                         {"log", log},
                                         {"snapshot", table::to_json(session->snapshot())}})));
  }
  return out;
}

}  // namespace parlor::fuzz
