#include "cli/viewers.h"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <optional>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

std::optional<PlayerId> seat_called(const GameInfo& info, const std::string& text) {
  for (std::size_t i = 0; i < info.players; ++i)
    if (text == std::to_string(i) || (i < info.seats.size() && text == info.seats[i]))
      return PlayerId{i};
  return std::nullopt;
}

std::optional<Viewer> viewer_called(const GameInfo& info, const std::string& text) {
  if (text.empty()) return Viewer::everything();
  if (text == "spectator") return Viewer::observer();
  if (const auto seat = seat_called(info, text)) return Viewer::player(*seat);
  const auto declared = [&](const std::string& name) {
    return std::ranges::find(info.observers, name) != info.observers.end();
  };
  if (declared(text)) return Viewer::observer(text);
  const auto colon = text.find(':');
  if (colon == std::string::npos || !declared(text.substr(colon + 1))) return std::nullopt;
  if (const auto seat = seat_called(info, text.substr(0, colon)))
    return Viewer::player(*seat, text.substr(colon + 1));
  return std::nullopt;
}

}  // namespace

std::shared_ptr<std::string> add_viewer_option(CLI::App& app) {
  auto text = std::make_shared<std::string>();
  app.add_option("--viewer", *text,
                 "show only what this viewer may see: a seat, spectator, an observer of the game, "
                 "or SEAT:OBSERVER")
      ->type_name("VIEWER");
  return text;
}

tl::expected<Viewer, int> read_viewer(Context& context, const Game& game, const std::string& text) {
  const GameInfo& info = game.info();
  if (auto viewer = viewer_called(info, text)) return std::move(*viewer);
  std::vector<std::string> names = info.seats;
  names.insert(names.end(), info.observers.begin(), info.observers.end());
  names.emplace_back("spectator");
  return tl::unexpected(
      fail_usage(context,
                 fmt::format("--viewer {}: this is no seat (0 to {}), no observer of the game and "
                             "not `spectator`",
                             text, info.players - 1),
                 did_you_mean(text, names)));
}

Json state_told(const State& state, const Viewer& viewer) {
  Json out = state.view(viewer);
  out["viewHash"] = hash_hex(state.view_hash(viewer));
  out["decision"] = decision_to_json(state, viewer);
  out["outcome"] = state.finished() ? to_json(state.outcome()) : Json(nullptr);
  if (viewer.sees_all()) out["hash"] = hash_hex(state.hash());
  return out;
}

}  // namespace parlor::cli
