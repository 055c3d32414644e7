#include "cli/data_games.h"

#include <fmt/core.h>

#include "cli/game_files.h"
#include "kernel/kernel.h"

namespace parlor::cli {
namespace {

namespace fs = std::filesystem;

// What only other kinds of games understand.
std::optional<OpenFailure> useless_option(const fs::path& file, const OpenOptions& options) {
  for (const auto& [flag, text] : {std::pair{"--position", &options.position},
                                   {"--layout", &options.layout},
                                   {"--modifiers", &options.modifiers}})
    if (!text->empty())
      return open_failure(Code::USAGE, fmt::format("{} means nothing to {}, a game written as data",
                                                   flag, file.stem().string()));
  return std::nullopt;
}

}  // namespace

Opened open_data_game(const fs::path& file, const OpenOptions& options) {
  if (auto useless = useless_option(file, options)) return tl::unexpected(std::move(*useless));
  auto compiled = compile_game_file(file, options.constants, options.rules);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  spec::CompileResult& result = compiled->result;
  if (!result.game)
    return tl::unexpected(OpenFailure{std::move(result.diagnostics), std::move(result.texts)});
  kernel::KernelOptions kernel_options;
  kernel_options.players = options.players;
  kernel_options.explicit_chance = options.explicit_chance;
  kernel_options.offered = std::move(compiled->offered);
  auto game = kernel::open_game(std::move(*result.game), kernel_options);
  if (!game) return tl::unexpected(OpenFailure{std::move(game.error()), std::move(result.texts)});
  return std::shared_ptr<const Game>{std::move(*game)};
}

void register_data_games(Catalog& catalog) {
  for (const auto& [name, file] : shipped_games())
    catalog.add(name, [file = file](const std::string&, const OpenOptions& options) {
      return open_data_game(file, options);
    });
  catalog.set_file_opener([](const std::string& path, const OpenOptions& options) {
    return open_data_game(path, options);
  });
}

}  // namespace parlor::cli
