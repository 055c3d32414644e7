#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/viewers.h"
#include "game/scene.h"
#include "game/streams.h"
#include "play/trace.h"

namespace parlor::cli {
namespace {

struct TraceOptions {
  std::string picks, load;
  std::shared_ptr<std::string> viewer;
  std::size_t max_decisions = 100'000;
  bool events = false;
};

// Who picks when no list says so: every player and chance at random from their own stream.
class RandomPicks {
 public:
  RandomPicks(Seed seed, std::size_t players) : chance_(chance_stream(seed)) {
    for (std::size_t i = 0; i < players; ++i) players_.push_back(agent_stream(seed, PlayerId{i}));
  }
  std::size_t pick(const Decision& decision, const OptionList& options) {
    return draw_option(options,
                       decision.player.is_none() ? chance_ : players_[decision.player.index()]);
  }

 private:
  Rng chance_;
  std::vector<Rng> players_;
};

// The index a list of picks asks for, or nothing if it is not legal (which was reported).
tl::expected<std::size_t, int> picked_index(Context& context, const State& state,
                                            const OptionList& options, const Json& pick) {
  auto option = find_option(state, pick);
  if (!option) return tl::unexpected(fail(context, option.error()));
  return static_cast<std::size_t>(std::ranges::find(options, *option) - options.begin());
}

// One decision as a viewer is told it: the options if it was theirs, then what was chosen and what
// happened as far as they may know. With `stages` the events suffice to get from one picture of the
// table to the next (game/scene.h).
class Told : public EventListener {
 public:
  Told(const Game& game, Viewer viewer, bool stages) : viewer_(std::move(viewer)), stages_(stages) {
    if (stages_) names_ = SceneNames(scene_of(game));
  }

  void on_event(const Event& event) override { heard_.on_event(event); }
  Json events(const State& before, const State& after) {
    const std::vector<HeardEvent> heard = heard_.take();
    if (stages_)
      return told_events(names_, heard, stage_of(before, viewer_), stage_of(after, viewer_),
                         viewer_);
    Json out = Json::array();
    for (const HeardEvent& event : heard)
      if (Json told = event_told({event.kind, event.data, event.seen_by, event.outside}, viewer_);
          !told.is_null())
        out.push_back(std::move(told));
    return out;
  }
  Json line(const State& before, std::size_t number, Option option, const State& after) {
    Json out{
        {"n", number},
        {"viewHash", hash_hex(before.view_hash(viewer_))},
        {"decision", stages_ ? typed_decision(before, viewer_) : decision_to_json(before, viewer_)},
        {"events", events(before, after)}};
    ChoiceTold told = before.game().choice_told(before.block(), option, after.block(), viewer_);
    out["told"] = std::move(told.label);
    if (told.hidden) out["hidden"] = true;
    return out;
  }

 private:
  Viewer viewer_;
  bool stages_;
  SceneNames names_;
  EventRecorder heard_;
};

Json last_line(const Opening& opening, const Json& saved, const State& state,
               std::size_t decisions) {
  Json last = to_json(opening);
  if (!saved.is_null()) last["start"] = saved;
  last["players"] = state.game().info().players;
  last["outcome"] = state.finished() ? to_json(state.outcome()) : Json(nullptr);
  last["decisions"] = decisions;
  last["hash"] = hash_hex(state.hash());
  return last;
}

// Neither the seed nor the hash: both would tell what is hidden.
Json last_line_for(const Viewer& viewer, const std::string& game, const State& state,
                   std::size_t decisions) {
  return {{"game", game},
          {"players", state.game().info().players},
          {"outcome", state.finished() ? to_json(state.outcome()) : Json(nullptr)},
          {"decisions", decisions},
          {"viewHash", hash_hex(state.view_hash(viewer))}};
}

int run_trace(Context& context, const GameChoice& choice, const TraceOptions& options) {
  const auto saved = read_saved(context, options.load);
  if (!saved) return saved.error();
  const auto opening = read_opening(context, choice, *saved);
  if (!opening) return opening.error();
  const auto game = open_game(context, *opening);
  if (!game) return game.error();
  const auto viewer = read_viewer(context, **game, *options.viewer);
  if (!viewer) return viewer.error();
  auto state = start_game(context, **game, opening->seed, *saved);
  if (!state) return state.error();
  const auto picks = read_moves(context, options.picks);
  if (!picks) return picks.error();
  const bool listed = !options.picks.empty();
  const std::size_t end =
      listed ? std::min(options.max_decisions, picks->size()) : options.max_decisions;

  RandomPicks random{opening->seed, (*game)->info().players};
  OptionList list;
  std::optional<Rejection> fault;  // the rules went wrong: the trace ends there, and says so
  Told told{**game, *viewer, options.events};
  std::size_t n = 0;
  for (; n < end && !state->finished() && !fault; ++n) {
    state->list_options(list);
    std::size_t picked = 0;
    if (listed) {
      const auto index = picked_index(context, *state, list, (*picks)[n]);
      if (!index) return index.error();
      picked = *index;
    } else {
      picked = random.pick(state->decision(), list);
    }
    const State before = *state;
    if (auto done = state->apply(list[picked], &told); !done) fault = std::move(done.error());
    if (viewer->sees_all()) {
      Json line = play::trace_line(before, n, list, picked);
      if (options.events) line["events"] = told.events(before, *state);
      print_line(context, line);
    }
    if (!viewer->sees_all()) print_line(context, told.line(before, n, list[picked], *state));
  }
  if (listed && n < picks->size() && state->finished())
    return fail(context,
                Rejection{Code::GAME_FINISHED,
                          fmt::format("the game was over after {} of {} picks", n, picks->size())});
  if (!viewer->sees_all()) {
    print_line(context, last_line_for(*viewer, opening->game, *state, n));
    return exit_fine;
  }
  Json last = last_line(*opening, *saved, *state, n);
  if (fault) last["fault"] = parlor::to_json(*fault);
  print_line(context, last);
  if (!fault) return exit_fine;
  context.err << fmt::format("the rules went wrong at decision {}: {}: {}\n", n - 1, fault->code,
                             fault->message);
  return exit_input;
}

}  // namespace

CommandSpec trace_command() {
  return {
      .name = "trace",
      .summary =
          "Play a game at random, or by a list of picks, and write every decision as a JSON line",
      .example = "parlor trace tic-tac-toe --seed 7 > game.jsonl && parlor replay game.jsonl",
      .declare = [](CLI::App& app) -> Run {
        auto choice = add_game_options(app, GameArgument::optional);
        auto options = std::make_shared<TraceOptions>();
        add_native_option(app, choice->native);
        app.add_option(
            "--picks", options->picks,
            "JSON list of picks, as a moves file, instead of random ones; - reads standard input");
        options->viewer = add_viewer_option(app);
        add_load_option(app, options->load);
        app.add_flag("--events", options->events,
                     "with what happened at each decision, as a page is told it");
        app.add_option("--max-decisions", options->max_decisions, "stop after so many decisions")
            ->capture_default_str();
        return [=](Context& context) { return run_trace(context, *choice, *options); };
      },
      .json_help = "accepted for uniformity: a trace is always JSON lines"};
}

}  // namespace parlor::cli
