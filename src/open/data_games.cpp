#include <fmt/core.h>

#include "kernel/kernel.h"
#include "open/open.h"

namespace parlor::open {
namespace {

// What only other kinds of games understand.
std::optional<OpenFailure> useless_option(const std::filesystem::path& file,
                                          const OpenOptions& options) {
  for (const auto& [flag, given] : {std::pair{"--position", !options.position.empty()},
                                    {"--layout", !options.layout.empty()},
                                    {"--modifiers", !options.modifiers.empty()}})
    if (given)
      return open_failure(Code::USAGE, fmt::format("{} means nothing to {}, a game written as data",
                                                   flag, file.stem().string()));
  return std::nullopt;
}

}  // namespace

Opened open_game_file(const std::filesystem::path& file, const OpenOptions& options, Files files,
                      const Folders& include, const kernel::NativeModules& natives) {
  if (auto useless = useless_option(file, options)) return tl::unexpected(std::move(*useless));
  auto compiled = compile_game_file(file, options, files, include, spec::read_file, natives);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  spec::CompileResult& result = compiled->result;
  if (!result.game)
    return tl::unexpected(OpenFailure{std::move(result.diagnostics), std::move(result.texts)});
  kernel::KernelOptions kernel_options;
  kernel_options.players = options.players;
  kernel_options.explicit_chance = options.explicit_chance;
  kernel_options.offered = std::move(compiled->offered);
  kernel_options.modules = std::move(compiled->natives);
  auto game = kernel::open_game(std::move(*result.game), kernel_options);
  if (!game) return tl::unexpected(OpenFailure{std::move(game.error()), std::move(result.texts)});
  return std::shared_ptr<const Game>{std::move(*game)};
}

}  // namespace parlor::open
