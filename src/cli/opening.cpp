#include "cli/opening.h"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "base/files.h"
#include "chess/chess.h"
#include "open/open.h"
#include "rules/rules.h"

namespace parlor::cli {
namespace {

// Why a move of a list is refused, as richly as the game can say it, and what would be legal.
Rejection explain_refusal(const State& state, const Json& move, std::size_t number,
                          Rejection refused) {
  Json legal = refused.details.value("legal", Json::array());
  if (auto reason = state.why_not(move)) refused = std::move(*reason);
  refused.message =
      fmt::format("move {} of the list, {}: {}", number, canonical(move), refused.message);
  refused.details["move"] = number;
  if (!refused.details.contains("legal")) refused.details["legal"] = std::move(legal);
  return refused;
}

// --set and --rules: what changes the rules themselves.
void add_content_options(CLI::App& app, GameChoice& choice) {
  app.add_option("--set", choice.constants,
                 "override a constant of the game: name=value; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  app.add_option("--rules", choice.rules,
                 "house rules and expansions: id[:scope][@turns] or a file; comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID,…");
  add_include_option(app, choice.include);
}

// What was read although it could be written better: chess remembers it of modifiers.
void tell_hints(Context& context, const Game& game) {
  const auto* chess = dynamic_cast<const chess::ChessGame*>(&game);
  if (chess == nullptr || chess->hints().diagnostics.empty()) return;
  context.err << render(chess->hints().diagnostics, chess->hints().texts, context.err_colour);
}

bool lies_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  const auto way = std::filesystem::weakly_canonical(path, error)
                       .lexically_relative(std::filesystem::weakly_canonical(folder, error));
  return !error && !way.empty() && *way.begin() != "..";
}

}  // namespace

void add_include_option(CLI::App& app, std::vector<std::string>& include) {
  app.add_option("--include", include,
                 "a folder whose files may be imported, besides the game's own; repeatable")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
}

std::shared_ptr<GameChoice> add_game_options(CLI::App& app, GameArgument argument) {
  auto choice = std::make_shared<GameChoice>();
  auto* game =
      app.add_option("GAME", choice->game, "name of a shipped game, or a path to a game file")
          ->type_name("");
  if (argument == GameArgument::required) game->required();
  app.add_option("--players", choice->players,
                 "number of players (default: as few as the rules allow)")
      ->check(CLI::Range(std::size_t{1}, max_players))
      ->type_name("N");
  app.add_option("--seed", choice->seed, "seed of everything random (default 0)")
      ->type_name("S")
      ->each([choice = choice.get()](const std::string&) { choice->seed_given = true; });
  add_content_options(app, *choice);
  app.add_option("--position", choice->position,
                 "start from this position, in the game's own text (chess: FEN)");
  app.add_option("--layout", choice->layout, "start from a named set-up");
  app.add_option("--modifiers", choice->modifiers, "file with custom modifiers");
  app.add_flag("--explicit-chance", choice->explicit_chance,
               "show randomness as decisions of chance");
  return choice;
}

std::shared_ptr<GameChoice> add_file_options(CLI::App& app) {
  auto choice = std::make_shared<GameChoice>();
  app.add_option("FILE", choice->game, "path to a game file, or the name of a shipped game")
      ->required()
      ->type_name("");
  add_content_options(app, *choice);
  return choice;
}

bool says_how_to_open(const GameChoice& choice) {
  return choice.players != 0 || !choice.constants.empty() || !choice.rules.empty() ||
         !choice.position.empty() || !choice.layout.empty() || !choice.modifiers.empty() ||
         choice.explicit_chance;
}

tl::expected<Opening, int> read_opening(Context& context, const GameChoice& choice,
                                        const Json& saved) {
  if (choice.game.empty()) {
    if (!saved.is_object() || !saved.contains("opening"))
      return tl::unexpected(fail_usage(context, "GAME is required: which game is it?"));
    if (says_how_to_open(choice))
      return tl::unexpected(
          fail_usage(context,
                     "the saved state says how its game was opened; to say it yourself, "
                     "name the GAME too"));
    auto opening = opening_from_json(saved["opening"]);
    if (!opening)
      return tl::unexpected(fail(context, Rejection{Code::STATE_INVALID,
                                                    "the saved state does not say how its game "
                                                    "was opened: " +
                                                        opening.error()}));
    opening->include.assign(choice.include.begin(), choice.include.end());
    opening->native = native_of(choice.native);
    if (const auto outside = names_file_outside(context.catalog, *opening))
      return tl::unexpected(fail(context, *outside));
    if (choice.seed_given) opening->seed = choice.seed;
    return std::move(*opening);
  }
  Opening out{choice.game,
              {},
              choice.seed,
              {choice.include.begin(), choice.include.end()},
              native_of(choice.native)};
  OpenOptions& options = out.options;
  options.players = choice.players;
  for (const std::string& assignment : choice.constants) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      return tl::unexpected(
          fail_usage(context, fmt::format("--set needs name=value, not `{}`", assignment)));
    options.constants[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  options.rules = rules::joined_braces(choice.rules);
  options.position = choice.position;
  options.layout = choice.layout;
  options.explicit_chance = choice.explicit_chance;
  if (choice.modifiers.empty()) return out;
  auto modifiers = open::read_modifiers(choice.modifiers);
  if (!modifiers) return tl::unexpected(fail(context, modifiers.error()));
  options.modifiers = std::move(*modifiers);
  return out;
}

Opened open_game(const Catalog& catalog, const Opening& opening) {
  if (!opening.include.empty())
    if (const auto file = open::find_game_file(opening.game))
      return open::open_game_file(*file, opening.options, open::Files::by_path, opening.include);
  return catalog.open(opening.game, opening.options);
}

tl::expected<std::shared_ptr<const Game>, int> open_game(Context& context, const Opening& opening) {
  auto opened = open_game(context.catalog, opening);
  if (!opened) return tl::unexpected(fail(context, opened.error()));
  tell_hints(context, **opened);
  if (opening.native == Native::yes) return make_native(context, std::move(*opened));
  return std::move(*opened);
}

tl::expected<std::shared_ptr<const Game>, int> open_game(Context& context,
                                                         const GameChoice& choice) {
  const auto opening = read_opening(context, choice);
  if (!opening) return tl::unexpected(opening.error());
  return open_game(context, *opening);
}

tl::expected<State, int> start_game(Context& context, const Game& game, Seed seed,
                                    const Json& saved) {
  auto state = saved.is_null() ? game.start(seed) : game.load(saved);
  if (!state) return tl::unexpected(fail(context, state.error()));
  return std::move(*state);
}

void add_load_option(CLI::App& app, std::string& path) {
  app.add_option("--load", path,
                 "begin with a state that `parlor state --save` wrote; - reads standard input")
      ->type_name("FILE");
}

tl::expected<Json, int> read_saved(Context& context, const std::string& path) {
  if (path.empty()) return Json(nullptr);
  const auto text = read_text(context, path);
  if (!text) return tl::unexpected(fail(context, text.error()));
  auto json = parse_json(*text);
  if (json && json->is_object()) return std::move(*json);
  return tl::unexpected(
      fail(context, Rejection{Code::STATE_INVALID, fmt::format("`{}` is not a saved state{}", path,
                                                               json ? "" : ": " + json.error())}));
}

Json saved_with_opening(const State& state, const Opening& opening) {
  Json out = state.save();
  out["opening"] = to_json(opening);
  return out;
}

Json to_json(const Opening& opening) {
  Json out = to_json(opening.options);
  out["game"] = opening.game;
  out["seed"] = opening.seed;
  return out;
}

tl::expected<Opening, std::string> opening_from_json(const Json& json) {
  auto options = open_options_from_json(json);
  if (!options) return tl::unexpected(std::move(options.error()));
  try {
    const Json& seed = json.at("seed");
    if (!seed.is_number_unsigned()) return tl::unexpected<std::string>("`seed` is no seed");
    return Opening{json.at("game").get<std::string>(), std::move(*options), seed.get<Seed>()};
  } catch (const Json::exception& error) {
    return tl::unexpected<std::string>(error.what());
  }
}

std::optional<Rejection> names_file_outside(const Catalog& catalog, const Opening& opening) {
  std::vector<std::string> files;
  const std::vector<std::string> names = catalog.names();
  if (std::ranges::find(names, opening.game) == names.end()) files.push_back(opening.game);
  for (const std::string& rule : opening.options.rules)
    if (rule.find_first_of("/.") != std::string::npos) files.push_back(rule);
  for (const std::string& file : files) {
    const bool allowed =
        lies_below(file, ".") || std::ranges::any_of(opening.include, [&](const auto& folder) {
          return lies_below(file, folder);
        });
    if (!allowed)
      return Rejection{
          Code::FILE_OUTSIDE,
          fmt::format("it names the file `{}`, which is outside the current folder; if "
                      "that may be read, add --include and its folder",
                      file)};
  }
  return std::nullopt;
}

tl::expected<std::string, Rejection> read_text(Context& context, const std::string& path) {
  auto text = path == "-" ? read_stream(context.in) : read_file(path);
  if (text) return std::move(*text);
  if (text.error() == FileProblem::missing)
    return tl::unexpected(Rejection{Code::FILE_NOT_FOUND, fmt::format("cannot open `{}`", path)});
  return tl::unexpected(Rejection{
      Code::FILE_TOO_LARGE, fmt::format("`{}` has more than {} bytes", path, max_file_bytes)});
}

tl::expected<std::vector<Json>, int> read_moves(Context& context, const std::string& path) {
  if (path.empty()) return std::vector<Json>{};
  const auto text = read_text(context, path);
  if (!text) return tl::unexpected(fail(context, text.error()));
  const auto json = parse_json(*text);
  if (!json) return tl::unexpected(fail(context, Rejection{Code::JSON_INVALID, json.error()}));
  if (!json->is_array())
    return tl::unexpected(
        fail(context, Rejection{Code::JSON_INVALID,
                                "moves are a JSON list; each entry is an option index, or "
                                "{\"action\",\"params\"}, or {\"value\"}, or an option's text"}));
  return std::vector<Json>(json->begin(), json->end());
}

tl::expected<void, int> apply_moves(Context& context, State& state, const std::vector<Json>& moves,
                                    EventListener* listener) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    auto option = find_option(state, moves[i]);
    if (!option)
      return tl::unexpected(
          fail(context, explain_refusal(state, moves[i], i, std::move(option.error()))));
    if (auto done = state.apply(*option, listener); !done)
      return tl::unexpected(fail(context, done.error()));
  }
  return {};
}

std::string hash_hex(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

}  // namespace parlor::cli
