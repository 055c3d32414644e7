#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/core.h>
#include <system_error>

#include "base/json.h"
#include "open/open.h"
#include "rules/shelf.h"

namespace parlor::open {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view rules_suffix = ".rules.md";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Asks for every text once, so that what a module says about itself and what it does are the same
// text even if somebody writes the file meanwhile.
spec::FileReader reading_once(const spec::FileReader& read) {
  auto texts = std::make_shared<std::map<fs::path, std::optional<std::string>>>();
  return [texts, &read](const fs::path& path) {
    std::error_code error;
    fs::path key = fs::weakly_canonical(path, error);
    if (error) key = path;
    const auto found = texts->find(key);
    return found != texts->end() ? found->second : texts->emplace(key, read(path)).first->second;
  };
}

// Puts the game's modules and the files asked for on a shelf. A file that lies there with mistakes
// in its description concerns only whoever asks for it.
tl::expected<rules::Shelf, OpenFailure> fill_shelf(const std::vector<fs::path>& files,
                                                   const std::vector<std::string>& asked,
                                                   const spec::FileReader& read) {
  rules::Shelf shelf;
  OpenFailure failure;
  for (const fs::path& file : files) {
    const Diagnostics problems = shelf.add_file(file, read);
    if (!problems.has_errors()) continue;
    const bool wanted = std::ranges::any_of(asked, [&](const std::string& rule) {
      return file == fs::path{rule} || fmt::format(".{}", file.filename().string())
                                           .ends_with(fmt::format(".{}{}", rule, rules_suffix));
    });
    if (!wanted) continue;
    failure.diagnostics.append(problems);
    failure.texts = shelf.texts();
  }
  if (!failure.diagnostics.has_errors()) return shelf;
  return tl::unexpected(std::move(failure));
}

// Other programs have folders called games, too (/usr/games).
bool holds_games(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{folder, error})
    if (entry.path().extension() == ".md" ||
        is_file(entry.path() / (entry.path().filename().string() + ".md")))
      return true;
  return false;
}

// Where the code of this function lies: a shared library, a Python module, or the program.
fs::path own_folder() {
  Dl_info found{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &found) == 0 || found.dli_fname == nullptr)
    return {};
  return fs::weakly_canonical(found.dli_fname, error).parent_path();
}

// Where games lie, seen from the program and from the library: beside a build, in an installed tree
// (whose libraries may lie in a folder for their machine), or inside a Python package.
std::vector<fs::path> places_of_games() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> out{program / "games", program / "../games",
                            program / "../share/parlor/games"};
  if (const fs::path library = own_folder(); !library.empty())
    for (const char* way : {"games", "../share/parlor/games", "../../share/parlor/games"})
      out.push_back(library / way);
#ifdef PARLOR_SOURCE_DIR
  out.push_back(fs::path{PARLOR_SOURCE_DIR} / "games");
#endif
  return out;
}

tl::expected<CompiledGame, OpenFailure> read_gamedef(const fs::path& file,
                                                     const spec::FileReader& read) {
  const auto text = read(file);
  if (!text)
    return tl::unexpected(
        open_failure(Code::FILE_NOT_FOUND, fmt::format("cannot read `{}`", file.string())));
  const auto json = parse_json(*text);
  if (!json) return tl::unexpected(open_failure(Code::JSON_INVALID, json.error()));
  auto game = spec::gamedef_from_json(*json);
  if (!game) return tl::unexpected(open_failure(Code::JSON_INVALID, game.error()));
  return CompiledGame{{{}, {}, std::move(*game)}, {}};
}

}  // namespace

std::optional<fs::path> games_folder() {
  if (const char* chosen = std::getenv("PARLOR_GAMES"); chosen != nullptr && *chosen != '\0')
    return fs::path{chosen};
  for (const fs::path& folder : places_of_games())
    if (holds_games(folder)) return folder.lexically_normal();
  return std::nullopt;
}

std::map<std::string, fs::path> shipped_games() {
  std::map<std::string, fs::path> out;
  const auto folder = games_folder();
  std::error_code ignored;
  if (!folder) return out;
  for (const auto& entry : fs::directory_iterator{*folder, ignored}) {
    const fs::path& path = entry.path();
    const std::string name = path.stem().string();
    if (is_file(path / (path.filename().string() + ".md")))
      out.emplace(path.filename().string(), path / (path.filename().string() + ".md"));
    else if (path.extension() == ".md" && is_file(path) &&
             !path.filename().string().ends_with(rules_suffix))
      out.emplace(name, path);
  }
  return out;
}

tl::expected<fs::path, OpenFailure> find_game_file(const std::string& name_or_path) {
  const auto shipped = shipped_games();
  if (const auto found = shipped.find(name_or_path); found != shipped.end()) return found->second;
  std::error_code ignored;
  if (fs::exists(name_or_path, ignored)) return fs::path{name_or_path};
  std::vector<std::string> names;
  for (const auto& [name, path] : shipped) names.push_back(name);
  return tl::unexpected(open_failure(
      Code::FILE_NOT_FOUND,
      fmt::format("there is no file `{}` and no shipped game of that name", name_or_path),
      did_you_mean(name_or_path, names)));
}

std::vector<fs::path> module_files(const fs::path& game) {
  std::error_code ignored;
  const bool folder = fs::is_directory(game, ignored);
  const fs::path place = folder ? game : game.has_parent_path() ? game.parent_path() : ".";
  // In a folder of its own a game has all modules there; elsewhere its name tells which are its.
  const bool own = folder || place.filename() == game.stem();
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator{place, ignored}) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(rules_suffix) && (own || name.starts_with(game.stem().string() + ".")))
      out.push_back(fs::canonical(entry.path(), ignored));
  }
  std::ranges::sort(out);
  return out;
}

tl::expected<CompiledGame, OpenFailure> compile_game_file(const fs::path& file,
                                                          const OpenOptions& options, Files files,
                                                          const Folders& include,
                                                          const spec::FileReader& read) {
  if (file.extension() == ".json") {
    if (options.constants.empty() && options.rules.empty()) return read_gamedef(file, read);
    return tl::unexpected(open_failure(
        Code::USAGE, "a compiled game is fixed: --set and --rules need the game's text"));
  }
  std::vector<std::string> asked = options.rules;
  std::vector<fs::path> modules = module_files(file);
  std::error_code ignored;
  for (std::string& rule : asked) {
    if (files == Files::none && rule.find_first_of("/.") != rule.npos)
      return tl::unexpected(open_failure(
          Code::FILE_NOT_FOUND, fmt::format("`{}`: modules are named by their ids here", rule)));
    if (files == Files::none || !is_file(rule)) continue;
    rule = fs::canonical(rule, ignored).string();
    if (std::ranges::find(modules, fs::path{rule}) == modules.end()) modules.emplace_back(rule);
  }
  const spec::FileReader once = reading_once(read);
  const auto shelf = fill_shelf(modules, asked, once);
  if (!shelf) return tl::unexpected(shelf.error());
  const auto ids = shelf->choose(asked);
  if (!ids) return tl::unexpected(OpenFailure{ids.error(), {}});
  spec::CompileOptions compile;
  compile.constants = options.constants;
  compile.read = once;
  compile.include = include;
  for (const std::string& id : *ids) compile.rules.push_back(*shelf->file_of(id));
  return CompiledGame{spec::compile_file(file, compile), shelf->offered()};
}

}  // namespace parlor::open
