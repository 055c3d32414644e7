#include "host/games.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::host {
namespace {

// Boards, hands and counters grow with constants, and a stranger chooses them: they may go as far
// as the game says and no further. `parts` are those of the game without them.
std::optional<Rejection> find_unfit_constant(const Json& parts, const OpenOptions& options) {
  const Json usual = parts.value("constants", Json::object());
  const Json ranges = parts.value("constantRanges", Json::object());
  for (const auto& [name, text] : options.constants) {
    if (!usual.contains(name) || usual[name].is_boolean()) continue;
    const auto wanted = usual[name].is_string() ? Json(text) : parse_json(text).value_or(nullptr);
    if (wanted == usual[name]) continue;
    Json details{{"field", "constants"}, {"name", name}};
    if (!ranges.contains(name))
      return Rejection{code::CONSTANT_FIXED,
                       fmt::format("the constant `{}` cannot be changed here: the game declares no "
                                   "range for it",
                                   name),
                       std::move(details)};
    const auto low = ranges[name]["min"].get<std::int64_t>();
    const auto high = ranges[name]["max"].get<std::int64_t>();
    if (integer_in(wanted, low, high)) continue;
    details.update(ranges[name]);
    return Rejection{
        Code::NUMBER_RANGE,
        fmt::format("the constant `{}` must be a whole number from {} to {}", name, low, high),
        std::move(details)};
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::shared_ptr<const Game>, Rejection> Games::open_new(
    const std::string& name, const OpenOptions& options) const {
  if (is_upload(name) && open_upload_) return open_upload_(name, options);
  const std::vector<std::string> known = catalog_.names();
  if (std::ranges::find(known, name) == known.end())
    return tl::unexpected(Rejection{Code::GAME_UNKNOWN,
                                    fmt::format("there is no game `{}`", name),
                                    {{"alternatives", did_you_mean(name, known)}}});
  auto game = catalog_.open(name, options);
  if (!game)
    return tl::unexpected(Rejection{game.error().diagnostics.all().front().code,
                                    game.error().diagnostics.all().front().message,
                                    {{"diagnostics", to_json(game.error().diagnostics)}}});
  return *game;
}

std::shared_ptr<const Game> Games::find_opened(const std::string& key, std::uint64_t& forgotten) {
  const std::lock_guard lock{mutex_};
  forgotten = forgotten_;
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  latest_first_.splice(latest_first_.begin(), latest_first_, found->second);
  return found->second->second;
}

tl::expected<std::shared_ptr<const Game>, Rejection> Games::open(const std::string& name,
                                                                 const OpenOptions& options) {
  const std::string key = name + "\n" + canonical(to_json(options));
  std::uint64_t forgotten = 0;
  if (auto opened = find_opened(key, forgotten)) return opened;
  // Without the lock: compiling takes long, and tables of other games are not to wait for it.
  auto game = open_new(name, options);
  if (!game) return game;
  const std::lock_guard lock{mutex_};
  // Somebody may have asked for the same meanwhile; then theirs is everybody's.
  if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second->second;
  // It may be what was forgotten meanwhile; then it is for this one table only.
  if (is_upload(name) && forgotten != forgotten_) return game;
  latest_first_.emplace_front(key, *game);
  by_key_[key] = latest_first_.begin();
  if (latest_first_.size() > kept_) {
    by_key_.erase(latest_first_.back().first);
    latest_first_.pop_back();
  }
  return *game;
}

tl::expected<std::shared_ptr<const Game>, Rejection> Games::open_as_asked(
    const std::string& name, const OpenOptions& options) {
  if (!options.constants.empty()) {
    OpenOptions usual = options;
    usual.constants.clear();
    const auto game = open(name, usual);
    if (!game) return game;
    if (auto unfit = find_unfit_constant((*game)->parts(), options))
      return tl::unexpected(std::move(*unfit));
  }
  return open(name, options);
}

void Games::forget(const std::string& name) {
  const std::lock_guard lock{mutex_};
  ++forgotten_;
  for (auto entry = latest_first_.begin(); entry != latest_first_.end();) {
    if (!entry->first.starts_with(name + "\n")) {
      ++entry;
      continue;
    }
    by_key_.erase(entry->first);
    entry = latest_first_.erase(entry);
  }
}

ScenePtr Games::scene(const std::shared_ptr<const Game>& game) {
  const auto find_or_keep = [&](ScenePtr made) -> ScenePtr {
    const std::lock_guard lock{mutex_};
    std::erase_if(scenes_, [](const auto& one) { return one.second.first.expired(); });
    auto& [whose, kept] = scenes_[game.get()];
    if (!kept && made) kept = std::move(made);
    whose = game;
    return kept;
  };
  if (ScenePtr kept = find_or_keep(nullptr)) return kept;
  return find_or_keep(make_scene(*game));
}

}  // namespace parlor::host
