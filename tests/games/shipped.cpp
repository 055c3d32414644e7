#include "games/shipped.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

#include "kernel/kernel.h"
#include "open/open.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::games {
namespace {

void follow(const State& state, std::vector<State>& out) {
  OptionList options;
  state.list_options(options);
  for (const Option option : options) {
    State next = state;
    const Applied applied = next.apply(option);
    EXPECT_TRUE(applied.has_value()) << state.option_text(option);
    if (!applied) continue;
    const Decision decision = next.decision();
    if (decision.kind == DecisionKind::finished || decision.kind == DecisionKind::chance ||
        decision.starts_move)
      out.push_back(std::move(next));
    else
      follow(next, out);
  }
}

// A game is a file, or a folder with a file of the same name in it.
std::string path_of(const std::string& name) {
  const std::string games = test::source_dir() + "/games/";
  const std::string in_folder = games + name + "/" + name + ".md";
  return std::filesystem::exists(in_folder) ? in_folder : games + name + ".md";
}

std::shared_ptr<const Game> open_file(const std::filesystem::path& path,
                                      const OpenOptions& options) {
  // Games that only tests play borrow from those that are shipped.
  auto game =
      open::open_game_file(path, options, open::Files::none, {test::source_dir() + "/games"});
  if (game) return *game;
  throw std::runtime_error(render(game.error().diagnostics, game.error().texts, Colour::never));
}

}  // namespace

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{test::source_dir() + "/games"})
    if (const std::string name = entry.path().stem().string();
        std::filesystem::exists(path_of(name)))
      names.push_back(name);
  std::ranges::sort(names);
  return names;
}

std::shared_ptr<const Game> open_shipped(const std::string& name, const OpenOptions& options) {
  const std::size_t plus = name.find('+');
  if (plus == std::string::npos) return open_file(path_of(name), options);
  OpenOptions with = options;
  with.rules.push_back(name.substr(plus + 1));
  return open_file(path_of(name.substr(0, plus)), with);
}

std::vector<std::string> shipped_with_modules() {
  std::vector<std::string> out;
  for (const std::string& name : shipped_names()) {
    out.push_back(name);
    const std::filesystem::path path = path_of(name);
    if (path.parent_path().filename() != name) continue;
    for (const auto& entry : std::filesystem::directory_iterator{path.parent_path()})
      if (const std::string file = entry.path().filename().string(); file.ends_with(".rules.md"))
        out.push_back(name + "+" + file.substr(0, file.size() - 9));
  }
  std::ranges::sort(out);
  return out;
}

std::shared_ptr<const Game> open_changed(const std::string& name, const Changes& changes,
                                         const OpenOptions& options) {
  namespace fs = std::filesystem;
  const fs::path original = path_of(name);
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path place = fs::path{::testing::TempDir()} / fmt::format("{}-{}", test, getpid());
  const fs::path folder = place / original.stem();  // so that modules there are the game's own
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator{original.parent_path()})
    if (entry.path().extension() == ".md")  // what it may import
      fs::copy_file(entry, folder / entry.path().filename(), fs::copy_options::overwrite_existing);
  std::stringstream text;
  text << std::ifstream(original).rdbuf();
  std::string changed = text.str();
  for (const auto& [from, to] : changes.replace) {
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << name << " does not say: " << from;
    if (at != std::string::npos) changed.replace(at, from.size(), to);
  }
  const fs::path file = folder / original.filename();
  std::ofstream(file) << changed << "\n```yaml\n" << changes.sections << "\n```\n";
  OpenOptions with = options;
  for (const auto& [id, yaml] : changes.modules) {
    std::ofstream(folder / (id + ".rules.md")) << "```yaml\n" << yaml << "\n```\n";
    with.rules.push_back(id);
  }
  auto game = open_file(file, with);
  fs::remove_all(place);
  return game;
}

std::shared_ptr<const Game> open_text(const std::string& yaml, std::int64_t look_ahead) {
  auto compiled = spec::compile_text("```yaml\n" + yaml + "\n```\n");
  if (!compiled.game)
    throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
  kernel::LinkOptions options;
  if (look_ahead > 0) options.look_ahead = look_ahead;
  auto program = kernel::link(std::move(*compiled.game), 0, options);
  if (!program) throw std::runtime_error(render(program.error(), compiled.texts, Colour::never));
  return std::make_shared<const kernel::KernelGame>(*program);
}

void take(State& state, const Json& request) {
  const auto option = find_option(state, request);
  if (!option) {
    ADD_FAILURE() << request << ": " << option.error().message;
    return;
  }
  const Applied applied = state.apply(*option);
  EXPECT_TRUE(applied.has_value()) << request << ": " << applied.error().message;
}

std::vector<std::string> option_texts(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options) out.push_back(state.option_text(option));
  return out;
}

State start(const Game& game, Seed seed) {
  auto state = game.start(seed);
  if (!state) throw std::runtime_error(state.error().message);
  return *std::move(state);
}

std::vector<State> whole_moves(const State& state) {
  std::vector<State> out;
  if (!state.finished()) follow(state, out);
  return out;
}

Texts results(const State& state, const std::function<std::string(const State&)>& text) {
  Texts out;
  for (const State& next : whole_moves(state)) out.push_back(text(next));
  std::ranges::sort(out);
  return out;
}

Board board_of(const State& state) {
  return board_of(state.view());
}

Board board_of(const Json& view) {
  Board out;
  for (const auto& [zone, tokens] : view.at("zones").items()) {
    std::vector<Token>& there = out[zone.substr(0, zone.find(":none"))];
    for (const Json& token : tokens)
      there.push_back({token.at("type").get<std::string>(), token.value("props", Json::object())});
  }
  return out;
}

std::string text_of(const Board& board, const std::string& prefix, int rows, int columns,
                    const std::function<char(const Token&)>& letter) {
  std::string out;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto zone = board.find(fmt::format("{}_{}_{}", prefix, row, column));
      out += zone == board.end() || zone->second.empty() ? '.' : letter(zone->second.front());
    }
  return out;
}

std::function<char(const Token&)> by_owner(char first, char second) {
  return [=](const Token& token) { return token.props.at("owner") == 0 ? first : second; };
}

std::int64_t global(const State& state, const std::string& name) {
  return state.view().at("globals").at(name).get<std::int64_t>();
}

State play_randomly(const Game& game, Seed seed, const std::function<void(const State&)>& look) {
  State state = start(game, seed);
  Rng rng(seed ^ 0x5eed);
  OptionList options;
  while (!state.finished()) {
    if (look && state.decision().starts_move) look(state);
    state.list_options(options);
    if (options.empty()) {
      ADD_FAILURE() << "no options in an unfinished state";
      break;
    }
    const Applied applied = state.apply(options[draw_option(options, rng)]);
    if (!applied) {
      ADD_FAILURE() << applied.error().message;
      break;
    }
  }
  return state;
}

}  // namespace parlor::games
