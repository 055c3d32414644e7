// The shipped games as tests see them: opened by name, read through the public interface only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/game.h"

namespace parlor::games {

// The names of all games in games/, as on the command line.
std::vector<std::string> shipped_names();
// The same, and GAME+MODULE for every module that is shipped with one.
std::vector<std::string> shipped_with_modules();
// Opens a shipped game; a failure to compile fails the test with its diagnostics.
std::shared_ptr<const Game> open_shipped(const std::string& name, const OpenOptions& options = {});

// Opens a shipped game with passages of its text replaced and sections added at its end: how tests
// set up the position they need.
struct Changes {
  std::vector<std::pair<std::string, std::string>> replace = {};
  std::string sections = {};                                      // YAML
  std::vector<std::pair<std::string, std::string>> modules = {};  // id and YAML of further modules
};
std::shared_ptr<const Game> open_changed(const std::string& name, const Changes& changes,
                                         const OpenOptions& options = {});
State start(const Game& game, Seed seed = 1);

// The states after every whole move, in option order; chance inside a move is not followed.
std::vector<State> whole_moves(const State& state);
// What `text` says of each of them, sorted; equal ones as often as there are moves to them.
using Texts = std::vector<std::string>;
Texts results(const State& state, const std::function<std::string(const State&)>& text);

// A text for each of them, e.g. the board, sorted; equal ones as often as there are moves to them.
using Texts = std::vector<std::string>;
Texts results(const State& state, const std::function<std::string(const State&)>& text);

struct Token {
  std::string type;
  Json props;
};
// What lies in every zone, by zone id without the ":none" of unowned zones.
using Board = std::map<std::string, std::vector<Token>>;
Board board_of(const State& state);
Board board_of(const Json& view);
// One character for the token on top of each zone of a rows x columns board, '.' where it is empty.
std::string text_of(const Board& board, const std::string& prefix, int rows, int columns,
                    const std::function<char(const Token&)>& letter);
// 'b' and 'w' (or others) for the owners 0 and 1.
std::function<char(const Token&)> by_owner(char first, char second);
std::int64_t global(const State& state, const std::string& name);

// Opens a game from YAML. `look_ahead`: the kernel's budget, 0 for the usual one.
std::shared_ptr<const Game> open_text(const std::string& yaml, std::int64_t look_ahead = 0);

// Applies what find_option makes of the request; a refusal fails the test.
void take(State& state, const Json& request);
// The texts of all options.
std::vector<std::string> option_texts(const State& state);

// Plays uniformly at random to the end, calling `look` before every whole move.
State play_randomly(const Game& game, Seed seed,
                    const std::function<void(const State&)>& look = nullptr);

}  // namespace parlor::games
