#include "cli/sitting.h"

#include <fmt/core.h>
#include <random>

#include "chess/chess.h"
#include "game/thinker.h"

namespace parlor::cli {
namespace {

// Short enough to be typed again.
Seed new_seed() {
  return std::random_device{}();
}

}  // namespace

tl::expected<Bots, int> make_bots(Context& context, const Game& game, const std::string& text) {
  std::vector<std::string> texts = play::split_agents(text);
  if (text == "strong") {
    texts = {"random"};
    // All bots between two moves of a person together take less than two seconds, whatever the
    // game; where a few thousand games are played sooner, they answer sooner.
    const double move =
        1800.0 / static_cast<double>(std::max<std::size_t>(1, game.info().players - 1));
    for (const char* kind : {"mcts", "ismcts"})
      if (const std::string bot = fmt::format("{}:iters=4000,move={:.0f},depth=300", kind, move);
          play::find_agent(bot, game))
        texts = {bot};
    // A game that knows how it is played well.
    if (game.thinker(1) != nullptr) texts = {"alphabeta:depth=60,nodes=30000"};
  }
  auto makers = play::find_agents(texts, game);
  if (!makers) {
    OpenFailure failure;
    failure.diagnostics.add(std::move(makers.error()));
    return tl::unexpected(fail(context, failure));
  }
  Bots bots;
  for (const play::AgentMaker& make : *makers) bots.push_back(make());
  return bots;
}

tl::expected<Sitting, int> begin_sitting(Context& context, const GameChoice& choice,
                                         const PlayOptions& options) {
  const auto saved = read_saved(context, options.load);
  if (!saved) return tl::unexpected(saved.error());
  auto opening = read_opening(context, choice, *saved);
  if (!opening) return tl::unexpected(opening.error());
  // Unlike simulations, an evening at the table is a new one every time (T-03).
  if (!choice.seed_given) opening->seed = new_seed();
  // Chess leaves room for rules that are switched on later if it is opened with any.
  if (opening->game == "chess" && saved->is_null() && opening->options.rules.empty() &&
      opening->options.modifiers.empty())
    opening->options.rules.emplace_back(chess::room_for_rules);
  const auto game = open_game(context, *opening);
  if (!game) return tl::unexpected(game.error());
  const auto moves = read_moves(context, options.moves);
  if (!moves) return tl::unexpected(moves.error());
  table::SessionConfig config = session_config(context, *opening, options.id);
  config.start = *saved;
  config.allow_undo = true;
  config.about = {{"as", options.seats}, {"bots", options.bots}};
  if (!moves->empty()) {
    auto state = start_game(context, **game, opening->seed, *saved);
    if (!state) return tl::unexpected(state.error());
    if (const auto done = apply_moves(context, *state, *moves); !done)
      return tl::unexpected(done.error());
    config.start = state->save();
  }
  Sitting out{.file = options.save};
  out.store = table::memory_store();
  if (!options.save.empty()) {
    auto store = open_store(context, options.save, table::Access::create);
    if (!store) return tl::unexpected(store.error());
    out.store = std::move(*store);
  }
  out.table = std::make_unique<table::Table>(context.catalog, *out.store, system_clock());
  auto session = out.table->open(std::move(config));
  if (!session) return tl::unexpected(fail(context, session.error()));
  out.session = std::move(*session);
  return out;
}

tl::expected<Sitting, int> resume_sitting(Context& context, const PlayOptions& options,
                                          const std::vector<std::string>& include) {
  auto store = open_store(context, options.resume, table::Access::write);
  if (!store) return tl::unexpected(store.error());
  const auto id = options.id.empty() ? latest_session(context, **store) : options.id;
  if (!id) return tl::unexpected(id.error());
  if (const auto outside = session_reads_outside(context, **store, *id, include))
    return tl::unexpected(*outside);
  Sitting out{.file = options.resume, .store = std::move(*store)};
  out.table = std::make_unique<table::Table>(context.catalog, *out.store, system_clock());
  if (options.migrate) {
    auto migration = migrate_session(context, *out.table, *out.store, *id, "");
    if (!migration) return tl::unexpected(migration.error());
    out.session = std::move(migration->session);
    return out;
  }
  auto session = out.table->resume(*id);
  if (!session)
    return tl::unexpected(fail(
        context,
        with_a_way_on(session.error(), fmt::format("parlor play --resume {}", options.resume))));
  tell_remarks(context, *session);
  out.session = std::move(*session);
  return out;
}

void recall_seats(const table::Session& session, PlayOptions& options) {
  const Json& about = session.config().about;
  if (!about.is_object()) return;
  if (!options.seats_given) options.seats = about.value("as", options.seats);
  if (!options.bots_given) options.bots = about.value("bots", options.bots);
}

}  // namespace parlor::cli
