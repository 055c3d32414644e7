// The options every command shares that opens a game, reads moves or picks a seed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/native.h"
#include "game/seats.h"

namespace parlor::cli {

// GAME, --players, --set, --rules, --include, --position, --layout, --modifiers, --explicit-chance
// and --seed as given on a command line.
struct GameChoice {
  std::string game;
  std::size_t players = 0;
  std::vector<std::string> constants;  // name=value
  std::vector<std::string> rules;
  std::vector<std::string> include;  // folders
  std::string position;
  std::string layout;
  std::string modifiers;  // a file
  bool explicit_chance = false;
  Seed seed = 0;
  bool seed_given = false;
  std::string native = "no";  // --native, where a command has it
};

// Adds the positional GAME (unless told otherwise) and the shared options to a command.
enum class GameArgument { required, optional };
std::shared_ptr<GameChoice> add_game_options(CLI::App& app,
                                             GameArgument argument = GameArgument::required);

// For commands that only read a game's text: FILE, --set, --rules and --include.
std::shared_ptr<GameChoice> add_file_options(CLI::App& app);
// --include alone.
void add_include_option(CLI::App& app, std::vector<std::string>& include);

// What was asked for as data: enough to start the same game again, anywhere.
struct Opening {
  std::string game;
  OpenOptions options;
  Seed seed = 0;
  // Folders whose files the game may import. Whoever sits at the command line allows that, so it is
  // never part of what is stored.
  std::vector<std::filesystem::path> include = {};
  // Whether compiled code runs it: no part of what is stored either. `automatic` is for commands
  // that know how much they will play.
  Native native = Native::no;
};
// As traces keep it, and back.
Json to_json(const Opening& opening);
tl::expected<Opening, std::string> opening_from_json(const Json& json);
// A trace or a saved game comes from anywhere and must not choose what is read on this machine: the
// files it names lie in the current folder or in one of `opening.include`. Otherwise a Rejection.
std::optional<Rejection> names_file_outside(const Catalog& catalog, const Opening& opening);

// Here and below: on failure everything was said already and the value is the exit code.
// Whether something was given that only makes sense together with GAME.
bool says_how_to_open(const GameChoice& choice);
// A saved state says how its game was opened: with one, GAME may be left out.
tl::expected<Opening, int> read_opening(Context& context, const GameChoice& choice,
                                        const Json& saved = nullptr);
Opened open_game(const Catalog& catalog, const Opening& opening);
tl::expected<std::shared_ptr<const Game>, int> open_game(Context& context, const Opening& opening);
tl::expected<std::shared_ptr<const Game>, int> open_game(Context& context,
                                                         const GameChoice& choice);
// Starts it with the seed, or where it was saved. The state refers to `game`, which the caller
// keeps alive.
tl::expected<State, int> start_game(Context& context, const Game& game, Seed seed,
                                    const Json& saved = nullptr);

// --load FILE: a state that `parlor state --save` wrote; null if there is none.
void add_load_option(CLI::App& app, std::string& path);
tl::expected<Json, int> read_saved(Context& context, const std::string& path);
// A state as `--save` writes it: with how its game was opened.
Json saved_with_opening(const State& state, const Opening& opening);

// A JSON list of moves from a file, or from standard input for "-". An empty path means no moves.
tl::expected<std::vector<Json>, int> read_moves(Context& context, const std::string& path);
// Applies them in order; the first that is not legal is reported with its number, the reason and
// the legal options.
tl::expected<void, int> apply_moves(Context& context, State& state, const std::vector<Json>& moves,
                                    EventListener* listener = nullptr);

// The text of a file; "-" is standard input.
tl::expected<std::string, Rejection> read_text(Context& context, const std::string& path);

// "0x"-less hexadecimal with 16 digits, as hashes are shown everywhere.
std::string hash_hex(std::uint64_t hash);

}  // namespace parlor::cli
