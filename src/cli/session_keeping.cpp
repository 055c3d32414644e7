// Making, finding and checking sessions.
#include <CLI/App.hpp>
#include <deque>
#include <fmt/core.h>
#include <iostream>
#include <map>
#include <random>
#include <span>

#include "cli/session_verbs.h"
#include "cli/sessions.h"
#include "play/trace.h"

namespace parlor::cli {
namespace {

// ---- new

struct NewOptions {
  std::string store, id, undo, load;
  std::shared_ptr<GameChoice> choice;
};

int run_new(Context& context, const NewOptions& options) {
  auto saved = read_saved(context, options.load);
  if (!saved) return saved.error();
  const auto opening = read_opening(context, *options.choice, *saved);
  if (!opening) return opening.error();
  table::SessionConfig config = session_config(context, *opening, options.id);
  config.start = std::move(*saved);
  std::random_device random;
  if (!options.choice->seed_given) config.seed = Seed{random()} << 32 | random();
  if (!options.undo.empty()) config.allow_undo = options.undo == "on";

  // Games that do not open say so in full before a file is made.
  const auto game = open_game(context, Opening{config.game, config.options, config.seed});
  if (!game) return game.error();
  const auto store = open_store(context, options.store, table::Access::create);
  if (!store) return store.error();
  table::Table table{context.catalog, **store, system_clock()};
  const auto session = table.open(std::move(config));
  if (!session) return fail(context, session.error());
  const GameInfo& info = session->game().info();
  if (context.json)
    print_json(context, {{"ok", true},
                         {"session", session->config().id},
                         {"game", session->config().game},
                         {"players", info.players},
                         {"revision", 0}});
  else
    context.out << fmt::format("Session {} of {} for {} players in {}.\n", session->config().id,
                               info.name, info.players, options.store);
  return exit_fine;
}

// ---- list

int run_list(Context& context, const std::string& file) {
  const auto store = open_store(context, file, table::Access::read);
  if (!store) return store.error();
  const auto listed = (*store)->list();
  if (!listed) return fail(context, listed.error());
  Json out = Json::array();
  for (const table::Listed& one : *listed) {
    const auto record = (*store)->header(one.id);  // logs may be long
    Json line{{"session", one.id}, {"revision", one.revision}, {"updated", one.updated}};
    line["game"] = record ? Json(record->config.game) : Json(nullptr);
    if (!record) line["error"] = to_json(record.error());
    if (!context.json)
      context.out << fmt::format("{:<20} {:<20} {:>5} actions  {}\n", one.id,
                                 record ? record->config.game : "damaged", one.revision,
                                 time_text(one.updated));
    out.push_back(std::move(line));
  }
  if (context.json) print_json(context, {{"sessions", out}});
  return exit_fine;
}

// ---- replay

struct ReplayOptions {
  std::shared_ptr<SessionPlace> place;
  bool migrate = false, trace = false;
  std::string to;
};

// Whose picks come when is the game's to say: where several decide at once they may have been sent
// in any order, and a trace has the one order of the rules.
class PicksInOrder {
 public:
  explicit PicksInOrder(const table::Session& session) {
    add(PlayerId::none(), session.drawn_first());
    for (const table::LogEntry* entry : session.in_force()) {
      add(entry->actor, std::span{entry->options}.first(1));
      add(PlayerId::none(), std::span{entry->options}.subspan(1));
    }
  }
  std::optional<Option> next(PlayerId decider) {
    auto& waiting = of_[decider];
    if (waiting.empty()) return std::nullopt;
    const Option out = waiting.front();
    waiting.pop_front();
    return out;
  }

 private:
  void add(PlayerId decider, std::span<const Option> picks) {
    of_[decider].insert(of_[decider].end(), picks.begin(), picks.end());
  }
  std::map<PlayerId, std::deque<Option>> of_;
};

// The actions in force as `parlor trace` writes a game.
int print_trace(Context& context, const table::Session& session) {
  const table::SessionConfig& config = session.config();
  auto state = start_game(context, session.game(), config.seed, config.start);
  if (!state) return state.error();
  PicksInOrder picks{session};
  OptionList options;
  std::size_t n = 0;
  for (; !state->finished(); ++n) {
    const auto pick = picks.next(state->decision().player);
    if (!pick) break;
    state->list_options(options);
    const auto picked = std::ranges::find(options, *pick) - options.begin();
    print_line(context, play::trace_line(*state, n, options, static_cast<std::size_t>(picked)));
    if (const auto done = state->apply(*pick); !done) return fail(context, done.error());
  }
  Json last = to_json(Opening{config.game, config.options, config.seed});
  if (!config.start.is_null()) last["start"] = config.start;
  last["outcome"] = state->finished() ? to_json(state->outcome()) : Json(nullptr);
  last["decisions"] = n;
  last["hash"] = hash_hex(state->hash());
  print_line(context, last);
  return exit_fine;
}

int run_migrate(Context& context, const ReplayOptions& options) {
  const auto store = open_store(context, options.place->store, table::Access::write);
  if (!store) return store.error();
  const auto id = choose_session(context, **store, options.place->id);
  if (!id) return id.error();
  if (const auto outside = session_reads_outside(context, **store, *id, options.place->include))
    return *outside;
  table::Table table{context.catalog, **store, system_clock()};
  const auto migration = migrate_session(context, table, **store, *id, options.to);
  return migration ? exit_fine : migration.error();
}

int run_replay_session(Context& context, const ReplayOptions& options) {
  if (options.migrate) return run_migrate(context, options);
  const auto store = open_store(context, options.place->store, table::Access::read);
  if (!store) return store.error();
  const auto id = choose_session(context, **store, options.place->id);
  if (!id) return id.error();
  if (const auto outside = session_reads_outside(context, **store, *id, options.place->include))
    return *outside;
  const table::Table table{context.catalog, **store, system_clock()};
  const auto session = table.resume(*id, table::Trust::nothing);
  if (!session) return fail(context, session.error());
  if (options.trace) return print_trace(context, *session);
  if (context.json)
    print_json(context, {{"ok", true},
                         {"session", *id},
                         {"game", session->config().game},
                         {"entries", session->revision()},
                         {"hash", hash_hex(session->state().hash())}});
  else
    context.out << fmt::format("{}: all {} entries replay to the same states (last hash {})\n", *id,
                               session->revision(), hash_hex(session->state().hash()));
  return exit_fine;
}

}  // namespace

Run declare_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  app.add_option("STORE", options->store, "file with sessions; made if missing")
      ->required()
      ->type_name("");
  options->choice = add_game_options(app, GameArgument::optional);
  app.add_option("--id", options->id, "name of the session (default: a new one)")->type_name("ID");
  app.add_option("--undo", options->undo,
                 "on or off (default: off where it would give knowledge away)")
      ->check(CLI::IsMember({"on", "off"}));
  add_load_option(app, options->load);
  app.get_option("--seed")->description("seed of everything random (default: a new one)");
  return [=](Context& context) { return run_new(context, *options); };
}

Run declare_list(CLI::App& app) {
  auto store = std::make_shared<std::string>();
  app.add_option("STORE", *store, "file with sessions")->required()->type_name("");
  return [store](Context& context) { return run_list(context, *store); };
}

Run declare_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  options->place = add_session_place(app);
  app.add_flag("--trace", options->trace, "write the game as `parlor trace` does");
  app.add_flag("--migrate", options->migrate,
               "replay under the rules of now into another session, and say where it differs");
  app.add_option("--to", options->to, "with --migrate: id of the new session")->type_name("ID");
  return [options](Context& context) { return run_replay_session(context, *options); };
}

Run declare_remove(CLI::App& app) {
  auto place = std::make_shared<SessionPlace>();
  app.add_option("STORE", place->store, "file with sessions")->required()->type_name("");
  app.add_option("--id", place->id, "which session")->required()->type_name("ID");
  return [place](Context& context) {
    const auto store = open_store(context, place->store, table::Access::write);
    if (!store) return store.error();
    if (const auto done = (*store)->remove(place->id); !done) return fail(context, done.error());
    if (context.json)
      print_json(context, {{"ok", true}, {"session", place->id}});
    else
      context.out << fmt::format("Session {} is gone.\n", place->id);
    return exit_fine;
  };
}

}  // namespace parlor::cli
