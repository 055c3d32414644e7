#include <CLI/App.hpp>
#include <fmt/core.h>

#include "chess/pgn.h"
#include "cli/opening.h"

namespace parlor::cli {
namespace {

struct PgnOptions {
  std::string file;   // to read
  std::string moves;  // of a game to write
  std::vector<std::string> tags;
};

Json game_json(const chess::ImportedGame& imported) {
  const StateBlock& block = imported.state.block();
  return {{"tags", imported.tags},
          {"rules", imported.game->info().rules},
          {"moves", imported.chess().moves_made(block)},
          {"fen", imported.chess().fen(block)},
          {"finished", imported.state.finished()},
          {"reason", imported.state.finished() ? Json(imported.state.outcome().reason) : nullptr},
          {"hash", hash_hex(imported.state.hash())}};
}

// Reads every game of the text. With --json one line each, else the games as Parlor writes them.
int read_games(Context& context, const PgnOptions& options) {
  const auto text = read_text(context, options.file);
  if (!text) return fail(context, text.error());
  std::string_view rest = *text;
  for (int number = 1; rest.find_first_not_of(" \t\r\n") != rest.npos; ++number) {
    const std::string_view before = rest;
    const auto imported = chess::read_pgn(before, &rest);
    if (!imported)
      return fail(context, Rejection{Code::CHESS_PGN_INVALID,
                                     fmt::format("game {}: {}", number, imported.error())});
    if (context.json)
      print_json(context, game_json(*imported));
    else
      context.out << (number > 1 ? "\n" : "") << chess::to_pgn(imported->state, imported->tags);
    if (rest.size() == before.size()) break;
  }
  return exit_fine;
}

// Writes the game that a list of moves makes.
int write_game(Context& context, const GameChoice& choice, const PgnOptions& options) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  auto state = start_game(context, **game, choice.seed);
  if (!state) return state.error();
  const auto moves = read_moves(context, options.moves);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();
  std::map<std::string, std::string> tags;
  for (const std::string& tag : options.tags) {
    const auto equals = tag.find('=');
    if (equals == tag.npos)
      return fail_usage(context, fmt::format("--tag: `{}` is not NAME=VALUE", tag));
    tags[tag.substr(0, equals)] = tag.substr(equals + 1);
  }
  const std::string text = chess::to_pgn(*state, tags);
  if (context.json)
    print_json(context, {{"pgn", text}});
  else
    context.out << text;
  return exit_fine;
}

}  // namespace

CommandSpec pgn_command() {
  return {.name = "pgn",
          .summary = "Read games of chess from PGN, or write one",
          .example = "parlor pgn game.pgn --json; parlor pgn --rules atomic --moves moves.json",
          .declare = [](CLI::App& app) -> Run {
            auto options = std::make_shared<PgnOptions>();
            auto choice = std::make_shared<GameChoice>();
            choice->game = "chess";
            auto* const file = app.add_option("file", options->file, "PGN to read; - is the input");
            app.add_option("--moves", options->moves,
                           "moves of a game to write, as a JSON list; - is the input")
                ->excludes(file);
            app.add_option("--tag", options->tags, "a tag of the game that is written: NAME=VALUE")
                ->allow_extra_args(false);
            app.add_option("--rules", choice->rules, "house rules of the game that is written")
                ->delimiter(',')
                ->allow_extra_args(false);
            app.add_option("--layout", choice->layout, "its set-up");
            app.add_option("--position", choice->position, "or its FEN");
            return [=](Context& context) {
              if (!options->file.empty()) return read_games(context, *options);
              return write_game(context, *choice, *options);
            };
          },
          .json_help = "reading: one object a game; writing: {\"pgn\"}"};
}

}  // namespace parlor::cli
