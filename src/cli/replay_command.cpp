#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>
#include <sstream>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

struct Trace {
  std::vector<Json> decisions;
  Json end;  // the last line
};

tl::expected<Trace, Rejection> read_trace(Context& context, const std::string& path) {
  auto text = read_text(context, path);
  if (!text) return tl::unexpected(std::move(text.error()));
  Trace trace;
  std::istringstream lines{*text};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    auto json = parse_json(line);
    if (!json || !json->is_object())
      return tl::unexpected(Rejection{
          Code::JSON_INVALID,
          fmt::format("line {} of the trace: {}", number, json ? "not an object" : json.error())});
    if (json->contains("picked"))
      trace.decisions.push_back(std::move(*json));
    else
      trace.end = std::move(*json);
  }
  if (!trace.end.is_object())
    return tl::unexpected(
        Rejection{Code::JSON_INVALID, "the trace has no last line with the outcome"});
  return trace;
}

Rejection mismatch(std::size_t n, std::string_view what, const Json& recorded,
                   const Json& replayed) {
  return {Code::TRACE_MISMATCH,
          fmt::format("decision {}: {} is {}, the trace says {}", n, what, canonical(replayed),
                      canonical(recorded)),
          {{"n", n}, {"what", what}, {"recorded", recorded}, {"replayed", replayed}}};
}

// What differs between a recorded decision and the one the state is at, if anything.
std::optional<Rejection> compare(const Json& line, const State& state, const OptionList& options,
                                 std::size_t n) {
  const Decision decision = state.decision();
  const Json replayed{
      {"hash", hash_hex(state.hash())},
      {"decider", decision.player.is_none() ? Json("chance") : Json(decision.player.value)},
      {"kind", decision_kind_name(decision.kind)},
      {"options", options_to_json(state, options)}};
  for (const char* key : {"decider", "kind", "options", "hash"})
    if (line.contains(key) && line[key] != replayed[key])
      return mismatch(n, key, line[key], replayed[key]);
  return std::nullopt;
}

tl::expected<void, Rejection> replay(State& state, const Trace& trace) {
  OptionList options;
  for (std::size_t n = 0; n < trace.decisions.size(); ++n) {
    const Json& line = trace.decisions[n];
    state.list_options(options);
    if (options.empty()) return tl::unexpected(mismatch(n, "the game being over", false, true));
    if (auto different = compare(line, state, options, n))
      return tl::unexpected(std::move(*different));
    auto option = find_option(state, line["picked"]);
    if (!option) return tl::unexpected(mismatch(n, "the pick being legal", true, false));
    if (auto done = state.apply(*option); !done) {
      // The trace ends where the rules went wrong, and they must go wrong in the same way.
      const Json recorded = trace.end.value("fault", Json(nullptr));
      const Json replayed = parlor::to_json(done.error());
      if (recorded == replayed && n + 1 == trace.decisions.size()) break;
      return tl::unexpected(recorded.is_null() ? std::move(done.error())
                                               : mismatch(n, "the fault", recorded, replayed));
    }
  }
  const std::size_t n = trace.decisions.size();
  const Json outcome = state.finished() ? to_json(state.outcome()) : Json(nullptr);
  if (trace.end.contains("outcome") && trace.end["outcome"] != outcome)
    return tl::unexpected(mismatch(n, "the outcome", trace.end["outcome"], outcome));
  const Json hash = hash_hex(state.hash());
  if (trace.end.contains("hash") && trace.end["hash"] != hash)
    return tl::unexpected(mismatch(n, "the last hash", trace.end["hash"], hash));
  return {};
}

int run_replay(Context& context, const std::string& path, const std::vector<std::string>& include,
               const std::string& native) {
  const auto trace = read_trace(context, path);
  if (!trace) return fail(context, trace.error());
  auto opening = opening_from_json(trace->end);
  if (!opening)
    return fail(context,
                Rejection{Code::JSON_INVALID,
                          "the last line of the trace does not name the game: " + opening.error()});
  opening->include.assign(include.begin(), include.end());
  opening->native = native_of(native);
  if (const auto outside = names_file_outside(context.catalog, *opening))
    return fail(context, *outside);
  const auto game = open_game(context, *opening);
  if (!game) return game.error();
  auto state = start_game(context, **game, opening->seed, trace->end.value("start", Json(nullptr)));
  if (!state) return state.error();
  if (const auto done = replay(*state, *trace); !done) return fail(context, done.error());
  if (context.json)
    print_json(context, {{"ok", true},
                         {"game", opening->game},
                         {"decisions", trace->decisions.size()},
                         {"hash", hash_hex(state->hash())}});
  else
    context.out << fmt::format("{}: all {} decisions replay to the same states (last hash {})\n",
                               opening->game, trace->decisions.size(), hash_hex(state->hash()));
  return exit_fine;
}

}  // namespace

CommandSpec replay_command() {
  return {.name = "replay",
          .summary = "Replay a trace, check every hash and say where it first differs",
          .example = "parlor trace tic-tac-toe --seed 7 > game.jsonl && parlor replay game.jsonl",
          .declare = [](CLI::App& app) -> Run {
            auto path = std::make_shared<std::string>();
            app.add_option("TRACE", *path,
                           "a file written by `parlor trace`; - reads standard input")
                ->required();
            auto include = std::make_shared<std::vector<std::string>>();
            add_include_option(app, *include);
            auto native = std::make_shared<std::string>("no");
            add_native_option(app, *native);
            return [=](Context& context) { return run_replay(context, *path, *include, *native); };
          }};
}

}  // namespace parlor::cli
