#include "game/catalog.h"

#include <cassert>
#include <filesystem>
#include <fmt/core.h>

namespace parlor {

Json to_json(const OpenOptions& options) {
  Json out{{"players", options.players}};
  if (!options.rules.empty()) out["rules"] = options.rules;
  if (!options.constants.empty()) out["set"] = options.constants;
  if (!options.position.empty()) out["position"] = options.position;
  if (!options.layout.empty()) out["layout"] = options.layout;
  if (!options.modifiers.empty()) out["modifiers"] = options.modifiers.data;
  if (options.explicit_chance) out["explicitChance"] = true;
  return out;
}

tl::expected<OpenOptions, std::string> open_options_from_json(const Json& json) {
  try {
    OpenOptions options;
    const auto players = json.value("players", std::int64_t{0});
    if (players < 0 || players > static_cast<std::int64_t>(max_players))
      return tl::unexpected<std::string>(fmt::format("`players` is {}", players));
    options.players = static_cast<std::size_t>(players);
    options.rules = json.value("rules", options.rules);
    options.constants = json.value("set", options.constants);
    options.position = json.value("position", "");
    options.layout = json.value("layout", "");
    options.modifiers.data = json.value("modifiers", Json(nullptr));
    options.explicit_chance = json.value("explicitChance", false);
    if (!options.modifiers.empty() && !options.modifiers.data.is_structured())
      return tl::unexpected<std::string>("`modifiers` must be the modifiers themselves, as data");
    return options;
  } catch (const Json::exception& error) {
    return tl::unexpected<std::string>(error.what());
  }
}

OpenFailure open_failure(Code code, std::string message, std::vector<std::string> alternatives) {
  OpenFailure failure;
  Diagnostic diagnostic{
      .code = code, .message = std::move(message), .alternatives = std::move(alternatives)};
  failure.diagnostics.add(std::move(diagnostic));
  return failure;
}

void Catalog::add(std::string name, Opener opener) {
  [[maybe_unused]] const bool fresh = openers_.emplace(std::move(name), std::move(opener)).second;
  assert(fresh && "two games of one name");
}

void Catalog::set_file_opener(Opener opener) {
  file_opener_ = std::move(opener);
}

Opened Catalog::open(const std::string& name_or_path, const OpenOptions& options) const {
  if (const auto found = openers_.find(name_or_path); found != openers_.end())
    return found->second(name_or_path, options);
  std::error_code ignored;
  if (file_opener_ && std::filesystem::exists(name_or_path, ignored))
    return file_opener_(name_or_path, options);
  return tl::unexpected(
      open_failure(Code::GAME_UNKNOWN,
                   fmt::format("there is no game `{}` and no file of that name", name_or_path),
                   did_you_mean(name_or_path, names())));
}

std::vector<std::string> Catalog::names() const {
  std::vector<std::string> out;
  for (const auto& [name, opener] : openers_) out.push_back(name);
  return out;
}

}  // namespace parlor
