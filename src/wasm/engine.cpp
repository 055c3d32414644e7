// The engine for a browser: games, bots and everything a page is told, behind a few functions that
// take and give JSON as text. One thread, no files; a page runs it in a worker (web/src/worker.ts).
//
// A text given stays the caller's (parlor_alloc, parlor_free); a text returned stays valid until
// the next call. A viewer is a player's number, -1 for somebody who only watches, -2 for one who
// sees everything.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>

#include "chess/chess.h"
#include "chess/modifiers/descriptor.h"
#include "chess/pgn.h"
#include "game/scene.h"
#include "kernel/kernel.h"
#include "play/agent.h"
#include "play/evaluation.h"
#include "play/trace.h"
#include "spec/gamedef/gamedef.h"
#ifdef PARLOR_READS_TEXTS
#include "wasm/texts.h"
#endif

#ifdef __wasm__
#define EXPORT(name) extern "C" __attribute__((export_name(#name), used))

// Nothing here throws on purpose; where the standard library would, the instance ends, and the page
// starts another from the last save.
extern "C" {
void* __cxa_allocate_exception(std::size_t) {
  std::abort();
}
void __cxa_throw(void*, void*, void (*)(void*)) {
  std::abort();
}
}

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

// Modifiers are YAML, which this build does not read.
tl::expected<std::shared_ptr<const Rulebook>, Diagnostics> with_modifiers(
    const Rulebook&, const std::string&, const std::string&, const std::string&, Diagnostics*) {
  Diagnostics problems;
  problems.add({.code = Code::USAGE, .message = "modifiers cannot be read in a browser"});
  return tl::unexpected(std::move(problems));
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
#else  // as a library of this machine, for tests and measurements
#define EXPORT(name) extern "C" __attribute__((visibility("default"), used))
#endif

namespace parlor::wasm {
namespace {

struct Playing {
  std::shared_ptr<const Game> game;
  Json scene;
  SceneNames names;
  std::optional<State> state;
};
std::map<int, Playing> tables;
int next_table = 1;
std::string answer_room;

const char* give(const Json& json) {
  answer_room = canonical(json);
  return answer_room.c_str();
}
const char* refuse(const std::string& code, const std::string& message) {
  return give({{"ok", false}, {"error", {{"code", code}, {"message", message}}}});
}
const char* refuse(const Rejection& rejection) {
  Json out = to_json(rejection);
  return give({{"ok", false}, {"error", std::move(out)}});
}
const char* refuse(const Diagnostics& problems) {
  return refuse(std::string(code_name(problems.all().front().code)),
                problems.all().front().message);
}

Playing* table_of(int handle) {
  const auto found = tables.find(handle);
  return found == tables.end() ? nullptr : &found->second;
}

Viewer viewer_of(int number) {
  if (number == -2) return Viewer::everything();
  return number < 0 ? Viewer::observer()
                    : Viewer::player(PlayerId{static_cast<std::size_t>(number)});
}

Json info_json(const Game& game) {
  const GameInfo& info = game.info();
  Json rules = Json::array();
  for (const OfferedRule& rule : game.offered_rules()) rules.push_back(to_json(rule));
  return {{"id", info.id},
          {"name", info.name},
          {"description", info.description},
          {"players", {{"min", info.min_players}, {"max", info.max_players}}},
          {"hidden", info.hidden_information},
          {"chance", info.has_chance},
          {"rules", std::move(rules)}};
}

// How a table looks to somebody now.
Json look(const State& state, const Viewer& viewer) {
  return {{"stage", stage_of(state, viewer)},
          {"decision", typed_decision(state, viewer)},
          {"outcome", state.finished() ? to_json(state.outcome()) : Json(nullptr)},
          {"hash", fmt::format("{:016x}", state.hash())}};
}

const char* opened(std::shared_ptr<const Game> game) {
  Playing table;
  table.scene = scene_of(*game);
  table.names = SceneNames(table.scene);
  Json info = info_json(*game);
  table.game = std::move(game);
  const int handle = next_table++;
  tables.emplace(handle, std::move(table));
  return give({{"ok", true}, {"table", handle}, {"info", std::move(info)}});
}

const char* open_def(spec::GameDef def, const Json& request) {
  kernel::KernelOptions options;
  options.players = static_cast<std::size_t>(
      integer_in(request.value("players", Json(0)), 0, static_cast<int>(max_players)).value_or(0));
  auto game = kernel::open_game(std::move(def), options);
  if (!game) return refuse(game.error());
  return opened(std::move(*game));
}

}  // namespace
}  // namespace parlor::wasm

using namespace parlor;
using namespace parlor::wasm;

EXPORT(parlor_alloc) char* parlor_alloc(std::size_t size) {
  return static_cast<char*>(std::malloc(size));
}
EXPORT(parlor_free) void parlor_free(char* text) {
  std::free(text);
}

#ifdef PARLOR_READS_TEXTS
// {"files": {name: text}, "main": name} as POST /check of a server: what the compiler has to say.
EXPORT(parlor_check) const char* parlor_check(const char* text) {
  const auto request = parse_json(text);
  if (!request || !request->is_object()) return refuse("USAGE", "not a request");
  const spec::CompileResult result = compile_texts(*request);
  return give(
      {{"ok", result.game.has_value()}, {"diagnostics", parlor::to_json(result.diagnostics)}});
}
#endif

// {"game": "chess", "rules": [...]}, {"def": a compiled game, "players": n}, or the texts of a
// game:
// {"files", "main", "modules": [names of files], "constants": {name: value}, "players": n}.
EXPORT(parlor_open) const char* parlor_open(const char* text) {
  const auto request = parse_json(text);
  if (!request || !request->is_object()) return refuse("USAGE", "not a request");
#ifdef PARLOR_READS_TEXTS
  if (request->contains("files")) {
    spec::CompileResult result = compile_texts(*request);
    if (!result.game) return refuse(result.diagnostics);
    return open_def(std::move(*result.game), *request);
  }
#endif
  if (request->contains("def")) {
    auto def = spec::gamedef_from_json((*request)["def"]);
    if (!def) return refuse("GAMEDEF_INVALID", def.error());
    return open_def(std::move(*def), *request);
  }
  OpenOptions options;
  for (const Json& rule : request->value("rules", Json::array()))
    if (rule.is_string()) options.rules.push_back(rule.get<std::string>());
  if (const Json layout = request->value("layout", Json("")); layout.is_string())
    options.layout = layout.get<std::string>();
  auto game = chess::open_chess(options);
  if (!game) return refuse(game.error().diagnostics);
  return opened(std::move(*game));
}

EXPORT(parlor_scene) const char* parlor_scene(int handle) {
  const Playing* table = table_of(handle);
  return table == nullptr ? refuse("USAGE", "no such table")
                          : give({{"ok", true}, {"scene", table->scene}});
}

EXPORT(parlor_start) const char* parlor_start(int handle, double seed) {
  Playing* table = table_of(handle);
  if (table == nullptr) return refuse("USAGE", "no such table");
  auto state = table->game->start(static_cast<Seed>(seed));
  if (!state) return refuse(state.error());
  table->state = std::move(*state);
  return give({{"ok", true}});
}

EXPORT(parlor_view) const char* parlor_view(int handle, int viewer) {
  const Playing* table = table_of(handle);
  if (table == nullptr || !table->state) return refuse("USAGE", "no such game");
  Json out = look(*table->state, viewer_of(viewer));
  out["ok"] = true;
  return give(out);
}

EXPORT(parlor_decision) const char* parlor_decision(int handle, int viewer, int depth) {
  const Playing* table = table_of(handle);
  if (table == nullptr || !table->state) return refuse("USAGE", "no such game");
  DecisionDetail detail;
  detail.depth = depth;
  return give(
      {{"ok", true}, {"decision", typed_decision(*table->state, viewer_of(viewer), detail)}});
}

EXPORT(parlor_apply) const char* parlor_apply(int handle, int viewer, int index) {
  Playing* table = table_of(handle);
  if (table == nullptr || !table->state) return refuse("USAGE", "no such game");
  const Viewer eyes = viewer_of(viewer);
  State& state = *table->state;
  OptionList options;
  state.list_options(options);
  if (index < 0 || static_cast<std::size_t>(index) >= options.size())
    return refuse("OPTION_ILLEGAL", "there is no such option now");
  const State before = state;
  const Option option = options[static_cast<std::size_t>(index)];
  EventRecorder recorder;
  if (auto done = state.apply(option, &recorder); !done) return refuse(done.error());
  const PlayerId by = before.decision().player;
  Json out = look(state, eyes);
  out["ok"] = true;
  out["by"] = by.is_none() ? Json(nullptr) : Json(by.value);
  ChoiceTold told = table->game->choice_told(before.block(), option, state.block(), eyes);
  out["label"] = std::move(told.label);
  if (told.hidden) out["hidden"] = true;
  out["starts"] = before.decision().starts_move;
  out["events"] =
      told_events(table->names, recorder.heard(), stage_of(before, eyes), out["stage"], eyes);
  return give(out);
}

EXPORT(parlor_why) const char* parlor_why(int handle, int viewer, const char* text) {
  const Playing* table = table_of(handle);
  const auto request = parse_json(text);
  if (table == nullptr || !table->state || !request) return refuse("USAGE", "no such game");
  const auto reason = table->state->why_not(*request, viewer_of(viewer));
  if (!reason) return give({{"ok", true}, {"legal", true}});
  return give({{"ok", true}, {"legal", false}, {"reason", to_json(*reason)}});
}

EXPORT(parlor_save) const char* parlor_save(int handle) {
  const Playing* table = table_of(handle);
  if (table == nullptr || !table->state) return refuse("USAGE", "no such game");
  return give({{"ok", true}, {"state", table->state->save()}});
}

EXPORT(parlor_load) const char* parlor_load(int handle, const char* text) {
  Playing* table = table_of(handle);
  const auto saved = parse_json(text);
  if (table == nullptr || !saved) return refuse("USAGE", "no such table");
  auto state = table->game->load(*saved);
  if (!state) return refuse(state.error());
  table->state = std::move(*state);
  return give({{"ok", true}});
}

// What an agent would choose; chance is drawn by its weights.
EXPORT(parlor_bot) const char* parlor_bot(int handle, const char* agent, double seed) {
  const Playing* table = table_of(handle);
  if (table == nullptr || !table->state) return refuse("USAGE", "no such game");
  const State& state = *table->state;
  OptionList options;
  state.list_options(options);
  if (options.empty()) return refuse("GAME_FINISHED", "the game is over");
  const PlayerId seat = state.decision().player;
  if (seat.is_none()) {
    Rng rng(static_cast<Seed>(seed), 1);
    return give({{"ok", true}, {"option", draw_option(options, rng)}});
  }
  auto maker = play::find_agent(agent, *table->game);
  if (!maker) return refuse(std::string(code_name(maker.error().code)), maker.error().message);
  const auto bot = (*maker)();
  bot->begin(state, seat, static_cast<Seed>(seed));
  return give({{"ok", true}, {"option", bot->choose(state, options)}});
}

// A game from its seed and what was chosen, as lines that `parlor replay` checks; the last one
// lacks only what the game was opened with, which the page knows.
EXPORT(parlor_trace) const char* parlor_trace(int handle, double seed, const char* text) {
  const Playing* table = table_of(handle);
  const auto picks = parse_json(text);
  if (table == nullptr || !picks || !picks->is_array()) return refuse("USAGE", "no such game");
  auto state = table->game->start(static_cast<Seed>(seed));
  if (!state) return refuse(state.error());
  std::string lines;
  OptionList options;
  for (std::size_t n = 0; n < picks->size(); ++n) {
    state->list_options(options);
    const auto pick = integer_in((*picks)[n], 0, static_cast<int>(options.size()) - 1);
    if (!pick) return refuse("OPTION_ILLEGAL", fmt::format("choice {} is no option there", n));
    const auto picked = static_cast<std::size_t>(*pick);
    lines += canonical(play::trace_line(*state, n, options, picked)) + "\n";
    if (auto done = state->apply(options[picked]); !done) return refuse(done.error());
  }
  return give({{"ok", true},
               {"lines", std::move(lines)},
               {"end",
                {{"players", table->game->info().players},
                 {"outcome", state->finished() ? to_json(state->outcome()) : Json(nullptr)},
                 {"decisions", picks->size()},
                 {"hash", fmt::format("{:016x}", state->hash())}}}});
}

// A game of chess as it stands, for other programs.
EXPORT(parlor_pgn) const char* parlor_pgn(int handle) {
  const Playing* table = table_of(handle);
  if (table == nullptr || !table->state || chess::any_chess(*table->game) == nullptr)
    return refuse("USAGE", "no game of chess");
  return give({{"ok", true}, {"pgn", chess::to_pgn(*table->state)}});
}

// The data of `parlor eval --json`, from a few games.
EXPORT(parlor_evaluate)
const char* parlor_evaluate(int handle, int games, int iterations, double seed) {
  const Playing* table = table_of(handle);
  if (table == nullptr) return refuse("USAGE", "no such table");
  play::EvaluationOptions options;
  options.games = static_cast<std::uint64_t>(std::clamp(games, 1, 10'000));
  options.iterations = static_cast<std::size_t>(std::clamp(iterations, 1, 10'000));
  options.seed = static_cast<Seed>(seed);
  options.threads = 1;
  const auto evaluation = play::evaluate(*table->game, options);
  if (!evaluation)
    return refuse(std::string(code_name(evaluation.error().code)), evaluation.error().message);
  return give({{"ok", true}, {"evaluation", play::to_json(*evaluation)}});
}

EXPORT(parlor_close) void parlor_close(int handle) {
  tables.erase(handle);
}
