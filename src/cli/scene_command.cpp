#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/opening.h"
#include "game/scene.h"

namespace parlor::cli {
namespace {

void print_scene(Context& context, const Json& scene) {
  context.out << fmt::format("{} ({}), scene {}\n", scene["name"].get<std::string>(),
                             scene["game"].get<std::string>(), scene_hash(scene));
  for (const Json& board : scene["boards"])
    context.out << fmt::format("  board {}: {}, {} cells, {} lines\n",
                               board["id"].get<std::string>(), board["shape"].get<std::string>(),
                               board["cells"].size(), board["edges"].size());
  for (const Json& area : scene["areas"])
    context.out << fmt::format("  area {}: {} at the {}\n", area["title"].get<std::string>(),
                               area["layout"].get<std::string>(), area["place"].get<std::string>());
  for (const auto& [id, token] : scene["tokens"].items())
    context.out << fmt::format("  token {}: {}\n", id, token["shape"].get<std::string>());
}

int run_scene(Context& context, const GameChoice& choice) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  const Json scene = scene_of(**game);
  if (context.json)
    print_json(context, scene);
  else
    print_scene(context, scene);
  return exit_fine;
}

}  // namespace

CommandSpec scene_command() {
  return {.name = "scene",
          .summary =
              "Say what there is to draw of a game: boards with the place of every cell, "
              "areas, looks of tokens",
          .example = "parlor scene breakthrough --json",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            return [=](Context& context) { return run_scene(context, *choice); };
          }};
}

}  // namespace parlor::cli
