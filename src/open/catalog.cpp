#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/modifiers/descriptor.h"
#include "open/open.h"

namespace parlor::open {

Catalog catalog(Files files, kernel::NativeModules natives) {
  Catalog out;
  chess::register_chess(out, files == Files::by_path ? chess::ModifierReader(read_modifiers)
                                                     : chess::ModifierReader());
  for (const auto& [name, file] : shipped_games())
    out.add(name, [file = file, files, natives](const std::string&, const OpenOptions& options) {
      return open_game_file(file, options, files, {}, natives);
    });
  if (files == Files::by_path)
    out.set_file_opener([files, natives](const std::string& path, const OpenOptions& options) {
      return open_game_file(path, options, files, {}, natives);
    });
  return out;
}

tl::expected<Modifiers, OpenFailure> read_modifiers(const std::filesystem::path& file) {
  auto text = spec::read_file(file);
  if (!text)
    return tl::unexpected(
        open_failure(Code::FILE_NOT_FOUND, fmt::format("cannot read `{}`", file.string())));
  auto data = chess::modifiers::read_data(*text, file.string());
  if (data) return Modifiers{std::move(*data), std::move(*text), file.string()};
  OpenFailure failure{std::move(data.error()), {}};
  failure.texts.add(file.string(), std::move(*text));
  return tl::unexpected(std::move(failure));
}

}  // namespace parlor::open
