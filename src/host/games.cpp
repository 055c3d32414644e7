#include "host/games.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::host {
namespace {

// Boards, hands and counters grow with constants, and a stranger chooses them. Games do not declare
// ranges: this is as large as the largest board that opens within a second.
constexpr std::int64_t largest_constant = 64;

std::optional<Rejection> find_unfit_constant(const OpenOptions& options) {
  for (const auto& [name, text] : options.constants) {
    const auto value = parse_json(text);
    if (!value || !value->is_number()) continue;
    if (!integer_in(*value, -largest_constant, largest_constant))
      return Rejection{code::REQUEST_INVALID,
                       fmt::format("the constant `{}` must be a whole number from {} to {}", name,
                                   -largest_constant, largest_constant),
                       {{"field", "constants"}}};
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::shared_ptr<const Game>, Rejection> Games::open(const std::string& name,
                                                                 const OpenOptions& options) {
  const std::vector<std::string> known = catalog_.names();
  if (std::ranges::find(known, name) == known.end())
    return tl::unexpected(Rejection{Code::GAME_UNKNOWN,
                                    fmt::format("there is no game `{}`", name),
                                    {{"alternatives", did_you_mean(name, known)}}});
  if (auto unfit = find_unfit_constant(options)) return tl::unexpected(std::move(*unfit));
  const std::string key = name + "\n" + canonical(to_json(options));
  const std::lock_guard lock{mutex_};
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    latest_first_.splice(latest_first_.begin(), latest_first_, found->second);
    return found->second->second;
  }
  auto game = catalog_.open(name, options);
  if (!game)
    return tl::unexpected(Rejection{game.error().diagnostics.all().front().code,
                                    game.error().diagnostics.all().front().message,
                                    {{"diagnostics", to_json(game.error().diagnostics)}}});
  latest_first_.emplace_front(key, *game);
  by_key_[key] = latest_first_.begin();
  if (latest_first_.size() > kept_) {
    by_key_.erase(latest_first_.back().first);
    latest_first_.pop_back();
  }
  return *game;
}

ScenePtr Games::scene(const std::shared_ptr<const Game>& game) {
  const std::lock_guard lock{mutex_};
  std::erase_if(scenes_, [](const auto& one) { return one.second.first.expired(); });
  auto& [whose, made] = scenes_[game.get()];
  if (auto known = made.lock()) return known;
  whose = game;
  ScenePtr fresh = make_scene(*game);
  made = fresh;
  return fresh;
}

}  // namespace parlor::host
