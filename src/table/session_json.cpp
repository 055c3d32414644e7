// The stored forms of sessions. Reading checks everything: a store may have been damaged.
#include <algorithm>
#include <fmt/core.h>

#include "table/session.h"

namespace parlor::table {
namespace {

tl::unexpected<Rejection> damaged(const char* what) {
  return tl::unexpected(
      Rejection{Code::STATE_INVALID, fmt::format("the stored {} is damaged", what)});
}

// 64-bit numbers as text: JSON readers elsewhere keep only 53 bits.
std::string hex(std::uint64_t value) {
  return to_hex(Uint128{value});
}

std::uint64_t parse_word(const Json& json) {
  return static_cast<std::uint64_t>(parse_hex(json.get<std::string>()).value());
}

}  // namespace

Json to_json(const SessionConfig& config) {
  Json out = {{"session", config.id},    {"game", config.game},      {"rules", config.rules},
              {"set", config.constants}, {"seed", hex(config.seed)}, {"players", config.players}};
  if (config.allow_undo) out["allowUndo"] = *config.allow_undo;
  return out;
}

tl::expected<SessionConfig, Rejection> session_config_from_json(const Json& json) {
  try {
    SessionConfig config{.id = json.at("session"),
                         .game = json.at("game"),
                         .rules = json.at("rules"),
                         .constants = json.at("set"),
                         .seed = parse_word(json.at("seed")),
                         .players = json.at("players"),
                         .allow_undo = std::nullopt};
    if (json.contains("allowUndo")) config.allow_undo = json["allowUndo"].get<bool>();
    return config;
  } catch (const std::exception&) {  // a missing key, a wrong type or a bad number
    return damaged("session");
  }
}

Json to_json(const LogEntry& entry) {
  Json options = Json::array();
  for (const Option option : entry.options) options.push_back(hex(option.id));
  return {{"revision", entry.revision}, {"action", entry.action_id}, {"at", entry.at},
          {"actor", entry.actor.value}, {"type", entry.type},        {"payload", entry.payload},
          {"options", options},         {"events", entry.events},    {"hash", hex(entry.hash)}};
}

tl::expected<LogEntry, Rejection> log_entry_from_json(const Json& json) {
  try {
    LogEntry entry{.revision = json.at("revision"),
                   .action_id = json.at("action"),
                   .at = json.at("at"),
                   .actor = PlayerId{json.at("actor").get<int>()},
                   .type = json.at("type"),
                   .payload = json.at("payload"),
                   .options = {},
                   .events = json.at("events"),
                   .hash = parse_word(json.at("hash"))};
    const auto is_event = [](const Json& event) { return event.is_object(); };
    if (!entry.events.is_array() || !std::ranges::all_of(entry.events, is_event))
      return damaged("log entry");
    for (const Json& option : json.at("options"))
      entry.options.push_back(Option{parse_word(option)});
    return entry;
  } catch (const std::exception&) {
    return damaged("log entry");
  }
}

}  // namespace parlor::table
