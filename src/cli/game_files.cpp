#include "cli/game_files.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>
#include <system_error>

namespace parlor::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view rules_suffix = ".rules.md";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Rules files that belong to a game: in its own folder all, beside a one-file game
// NAME.ID.rules.md.
std::map<std::string, fs::path> rules_of(const fs::path& game) {
  std::map<std::string, fs::path> out;
  std::error_code ignored;
  const fs::path folder = game.has_parent_path() ? game.parent_path() : fs::path{"."};
  for (const auto& entry : fs::directory_iterator{folder, ignored}) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(rules_suffix)) continue;
    std::string id = name.substr(0, name.size() - rules_suffix.size());
    const std::string prefix = game.stem().string() + ".";
    if (id.starts_with(prefix)) id = id.substr(prefix.size());
    out.emplace(std::move(id), entry.path());
  }
  return out;
}

tl::expected<fs::path, OpenFailure> find_rule(const fs::path& game, const std::string& rule) {
  if (is_file(rule)) return fs::path{rule};
  // Scope and duration are for rules that can have them; a rules file binds everybody for good.
  const std::string id = rule.substr(0, rule.find_first_of(":@"));
  const auto known = rules_of(game);
  if (const auto found = known.find(id); found != known.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, path] : known) names.push_back(name);
  return tl::unexpected(open_failure(
      Code::RULE_UNKNOWN,
      fmt::format("there is no rules file `{}` and the game offers no rule of that name", rule),
      did_you_mean(id, names)));
}

}  // namespace

std::optional<fs::path> games_folder() {
  std::error_code error;
  if (const char* chosen = std::getenv("PARLOR_GAMES"); chosen != nullptr && *chosen != '\0')
    return fs::path{chosen};
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder :
       {program / "games", program / "../games", program / "../share/parlor/games",
        fs::path{PARLOR_SOURCE_DIR} / "games"})
    if (fs::is_directory(folder, error)) return folder.lexically_normal();
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

tl::expected<spec::CompileResult, OpenFailure> compile_game_file(
    const fs::path& file, const std::map<std::string, std::string>& constants,
    const std::vector<std::string>& rules) {
  spec::CompileOptions options;
  options.constants = constants;
  for (const std::string& rule : rules) {
    auto path = find_rule(file, rule);
    if (!path) return tl::unexpected(std::move(path.error()));
    options.rules.push_back(std::move(*path));
  }
  return spec::compile_file(file, options);
}

}  // namespace parlor::cli
