#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/core.h>
#include <system_error>

#include "base/json.h"
#include "open/open.h"
#include "open/shelf.h"
#include "open/source_folder.h"

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
tl::expected<Shelf, OpenFailure> fill_shelf(const std::vector<fs::path>& files,
                                            const std::vector<std::string>& asked,
                                            const spec::FileReader& read) {
  Shelf shelf;
  OpenFailure failure;
  for (const fs::path& file : files) {
    const Diagnostics problems = shelf.add_file(file, read);
    if (!problems.has_errors()) continue;
    const bool wanted = std::ranges::any_of(asked, [&](const std::string& text) {
      const std::string rule = text.substr(0, text.find_first_of(":@"));
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

// The path of a module file or library, and what may follow it: `:scope` and `@turns`.
struct PathAsked {
  std::string path, rest;
};
PathAsked split_path(const std::string& text) {
  for (const std::string_view end : {rules_suffix, std::string_view{".so"}})
    if (const auto at = text.rfind(end); at != text.npos)
      return {text.substr(0, at + end.size()), text.substr(at + end.size())};
  return {text, {}};
}

// Native modules on the shelf; those asked for by the path of their library are called by their ids
// from then on. A library that cannot be loaded concerns only whoever asks for it.
std::optional<OpenFailure> add_natives(Shelf& shelf, const kernel::NativeModules& natives,
                                       const std::vector<fs::path>& libraries,
                                       std::vector<std::string>& asked) {
  OpenFailure failure;
  for (const auto& module : natives) failure.diagnostics.append(shelf.add_native(module));
  for (const fs::path& library : libraries) {
    const auto by_path = std::ranges::find_if(asked, [&](const std::string& rule) {
      std::error_code error;
      const PathAsked given = split_path(rule);
      return given.path.ends_with(".so") && fs::weakly_canonical(given.path, error) == library;
    });
    const bool by_name = std::ranges::any_of(asked, [&](const std::string& rule) {
      return rule.substr(0, rule.find_first_of(":@")) == library.stem();
    });
    const auto module = load_module(library);
    if (!module) {
      if (by_name || by_path != asked.end()) failure.diagnostics.add(module.error());
      continue;
    }
    if (by_path != asked.end()) *by_path = (*module)->info().id + split_path(*by_path).rest;
    if (shelf.native((*module)->info().id) == nullptr)
      failure.diagnostics.append(shelf.add_native(*module));
  }
  if (!failure.diagnostics.has_errors()) return std::nullopt;
  return failure;
}

// What the seats of a game are called: by their names, else by numbers.
std::vector<std::string> seats_of(const spec::GameDef& game) {
  std::vector<std::string> out = game.seats;
  for (spec::Int i = 0; game.seats.empty() && i < game.metadata.max_players && i < 16; ++i)
    out.push_back(std::to_string(i));
  return out;
}

// Native modules extend the game; whom every module binds and for how long is written into it.
void put_in_force(const std::vector<rules::Request>& chosen, const Shelf& shelf,
                  CompiledGame& out) {
  spec::GameDef& game = *out.result.game;
  for (const rules::Request& request : chosen)
    if (auto native = shelf.native(request.id)) out.natives.push_back(std::move(native));
  Diagnostics problems = kernel::extend(game, out.natives);
  const std::vector<std::string> seats = seats_of(game);
  for (const rules::Request& request : chosen) {
    const auto scope = rules::scope_of(request, seats);
    if (!scope) {
      problems.add(scope.error());
      continue;
    }
    const auto module = std::ranges::find(game.modules, request.id, &spec::ModuleInfo::id);
    if (module == game.modules.end()) continue;
    for (std::size_t seat = 0; seat < seats.size() && *scope != rules::Scope{}; ++seat)
      if (scope->covers(seat)) module->seats.push_back(static_cast<spec::Int>(seat));
    if (request.turns) module->turns = *request.turns;
  }
  if (!problems.has_errors()) return;
  out.result.diagnostics.append(problems);
  out.result.game.reset();
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
  if (const char* sources = source_folder()) out.push_back(fs::path{sources} / "games");
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
                                                          const spec::FileReader& read,
                                                          const kernel::NativeModules& natives) {
  if (file.extension() == ".json") {
    if (options.constants.empty() && options.rules.empty()) return read_gamedef(file, read);
    return tl::unexpected(open_failure(
        Code::USAGE, "a compiled game is fixed: --set and --rules need the game's text"));
  }
  std::vector<std::string> asked = options.rules;
  std::vector<fs::path> modules = module_files(file), libraries = module_libraries();
  std::error_code ignored;
  for (std::string& rule : asked) {
    if (files == Files::none && rule.find_first_of("/.") != rule.npos)
      return tl::unexpected(open_failure(
          Code::FILE_NOT_FOUND, fmt::format("`{}`: modules are named by their ids here", rule)));
    if (files == Files::none) continue;
    const PathAsked given = split_path(rule);
    if (!is_file(given.path)) continue;
    const fs::path path = fs::canonical(given.path, ignored);
    if (path.extension() == ".so") {
      libraries.push_back(path);
      continue;
    }
    rule = path.string() + given.rest;
    if (std::ranges::find(modules, path) == modules.end()) modules.push_back(path);
  }
  const spec::FileReader once = reading_once(read);
  auto shelf = fill_shelf(modules, asked, once);
  if (!shelf) return tl::unexpected(shelf.error());
  if (auto failed = add_natives(*shelf, natives, libraries, asked))
    return tl::unexpected(std::move(*failed));
  const auto chosen = shelf->choose(asked);
  if (!chosen) return tl::unexpected(OpenFailure{chosen.error(), {}});
  spec::CompileOptions compile;
  compile.constants = options.constants;
  compile.read = once;
  compile.include = include;
  compile.unused = true;
  for (const rules::Request& request : *chosen)
    if (const fs::path* module = shelf->file_of(request.id)) compile.rules.push_back(*module);
  CompiledGame out{spec::compile_file(file, compile), shelf->offered()};
  if (out.result.game) put_in_force(*chosen, *shelf, out);
  return out;
}

}  // namespace parlor::open
