// The stored forms of sessions. Reading checks everything: a store may have been damaged.
#include "table/log.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "base/hash.h"
#include "base/hex.h"
#include "base/json_text.h"

namespace parlor::table {
namespace {

tl::unexpected<Rejection> damaged(std::string_view what) {
  return tl::unexpected(
      Rejection{Code::STORE_DAMAGED, fmt::format("the stored {} is damaged", what)});
}

// 64-bit numbers as text: JSON readers elsewhere keep only 53 bits.
std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

// The readers below throw what the callers catch: a missing key, a wrong type or a bad number.
struct Unreadable : std::exception {};

std::uint64_t read_hex(const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  const auto value = parse_hex(text);
  if (!value || text.size() != 16) throw Unreadable{};
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t read_count(const Json& json) {
  if (!json.is_number_unsigned() && !(json.is_number_integer() && json >= 0)) throw Unreadable{};
  return json.get<std::uint64_t>();
}

std::int64_t read_number(const Json& json) {
  if (!json.is_number_integer()) throw Unreadable{};
  return json.get<std::int64_t>();
}

PlayerId read_player(const Json& json) {
  if (json.is_null()) return PlayerId::none();
  const std::uint64_t value = read_count(json);
  if (value >= max_players) throw Unreadable{};
  return PlayerId{value};
}

constexpr std::array<std::string_view, 9> deed_names{
    "act", "undo", "redo", "rules", "resign", "timeout", "drawAgreed", "abandoned", "adjudicated"};

// Every act is written down twice, once for its chain and once for the store, so the text is made
// without values in between.
std::string text_of(const LogEntry& entry, const std::uint64_t* chain) {
  Json options = Json::array();
  for (const Option option : entry.options) options.push_back(hex(option.id));
  ObjectText out(512);
  out.put("action", entry.action_id);
  if (entry.actor.is_none())
    out.put_null("actor");
  else
    out.put("actor", entry.actor.value);
  out.put("at", entry.at);
  if (chain != nullptr) out.put("chain", hex(*chain));
  if (!entry.chosen.is_null()) out.put("chosen", entry.chosen);
  out.put("content", entry.content)
      .put("deed", deed_name(entry.deed))
      .put_written("events", entry.events)
      .put("hash", hex(entry.hash))
      .put("options", options)
      .put("revision", entry.revision);
  if (entry.starts_move) out.put("startsMove", true);
  if (entry.view_hash) out.put("viewHash", hex(*entry.view_hash));
  return out.done();
}

std::uint64_t check_of(const Snapshot& snapshot) {
  return hash_combine(hash_text(canonical(snapshot.state), snapshot.chain), snapshot.revision);
}

}  // namespace

std::string_view deed_name(Deed deed) {
  return deed_names[static_cast<std::size_t>(deed)];
}

std::optional<Deed> deed_named(std::string_view name) {
  for (std::size_t i = 0; i < deed_names.size(); ++i)
    if (deed_names[i] == name) return static_cast<Deed>(i);
  return std::nullopt;
}

Json to_json(const SessionConfig& config) {
  Json out = to_json(config.options);
  out["session"] = config.id;
  out["game"] = config.game;
  out["seed"] = hex(config.seed);
  if (!config.start.is_null()) out["start"] = config.start;
  if (config.allow_undo) out["allowUndo"] = *config.allow_undo;
  if (config.stakes != Stakes{})
    out["stakes"] = {{"loser", config.stakes.loser},
                     {"others", config.stakes.others},
                     {"draw", config.stakes.draw}};
  if (!config.about.is_null()) out["about"] = config.about;
  return out;
}

tl::expected<SessionConfig, Rejection> session_config_from_json(const Json& json) {
  try {
    auto options = open_options_from_json(json);
    if (!options) return damaged("session");
    SessionConfig config;
    config.id = json.at("session").get<std::string>();
    config.game = json.at("game").get<std::string>();
    config.options = std::move(*options);
    config.seed = read_hex(json.at("seed"));
    config.start = json.value("start", Json(nullptr));
    if (json.contains("allowUndo")) config.allow_undo = json["allowUndo"].get<bool>();
    if (json.contains("stakes"))
      config.stakes = {read_number(json["stakes"].at("loser")),
                       read_number(json["stakes"].at("others")),
                       read_number(json["stakes"].at("draw"))};
    config.about = json.value("about", Json(nullptr));
    return config;
  } catch (const std::exception&) {
    return damaged("session");
  }
}

std::string to_text(const LogEntry& entry) {
  return text_of(entry, &entry.chain);
}

Json to_json(const LogEntry& entry) {
  return Json::parse(to_text(entry));
}

tl::expected<LogEntry, Rejection> log_entry_from_json(const Json& json) {
  try {
    const auto deed = deed_named(json.at("deed").get_ref<const std::string&>());
    if (!deed || !json.at("events").is_array()) return damaged("log entry");
    LogEntry entry{.revision = read_count(json.at("revision")),
                   .action_id = json.at("action").get<std::string>(),
                   .at = read_number(json.at("at")),
                   .actor = read_player(json.at("actor")),
                   .deed = *deed,
                   .content = json.at("content"),
                   .chosen = json.value("chosen", Json(nullptr)),
                   .starts_move = json.value("startsMove", false),
                   .events = canonical(json.at("events")),
                   .hash = read_hex(json.at("hash")),
                   .chain = read_hex(json.at("chain"))};
    if (json.contains("viewHash")) entry.view_hash = read_hex(json["viewHash"]);
    for (const Json& option : json.at("options")) entry.options.push_back(Option{read_hex(option)});
    return entry;
  } catch (const std::exception&) {
    return damaged("log entry");
  }
}

Snapshot make_snapshot(std::uint64_t revision, std::uint64_t chain, const State& state) {
  Snapshot out{revision, chain, state.save(), 0};
  out.check = check_of(out);
  return out;
}

bool is_intact(const Snapshot& snapshot) {
  return snapshot.check == check_of(snapshot);
}

Json to_json(const Snapshot& snapshot) {
  return {{"revision", snapshot.revision},
          {"chain", hex(snapshot.chain)},
          {"state", snapshot.state},
          {"check", hex(snapshot.check)}};
}

tl::expected<Snapshot, Rejection> snapshot_from_json(const Json& json) {
  try {
    return Snapshot{read_count(json.at("revision")), read_hex(json.at("chain")), json.at("state"),
                    read_hex(json.at("check"))};
  } catch (const std::exception&) {
    return damaged("snapshot");
  }
}

Time last_touched(Time created, const std::vector<LogEntry>& log) {
  Time out = created;
  for (const LogEntry& entry : log) out = std::max(out, entry.at);
  return out;
}

Json header_to_json(const Record& record) {
  return {{"config", to_json(record.config)},
          {"created", record.created},
          {"fingerprint", hex(record.fingerprint)}};
}

tl::expected<Record, Rejection> header_from_json(const Json& json) {
  try {
    auto config = session_config_from_json(json.at("config"));
    if (!config) return tl::unexpected(std::move(config.error()));
    Record out{.config = std::move(*config)};
    out.created = read_number(json.at("created"));
    out.fingerprint = read_hex(json.at("fingerprint"));
    return out;
  } catch (const std::exception&) {
    return damaged("session");
  }
}

std::uint64_t first_link(const Record& record) {
  return hash_text(canonical(header_to_json(record)));
}

std::uint64_t next_link(std::uint64_t chain, const LogEntry& entry) {
  return hash_text(text_of(entry, nullptr), chain);
}

std::optional<Rejection> find_damage(const Record& record) {
  const auto found = [](std::string message) {
    return Rejection{Code::STORE_DAMAGED, std::move(message)};
  };
  std::uint64_t chain = first_link(record);
  for (std::size_t i = 0; i < record.log.size(); ++i) {
    const LogEntry& entry = record.log[i];
    if (entry.revision != i + 1)
      return found(
          fmt::format("log entry {} is missing: revision {} follows", i + 1, entry.revision));
    chain = next_link(chain, entry);
    if (chain != entry.chain)
      return found(i == 0 ? "the session's settings or log entry 1 are not what was written"
                          : fmt::format("log entry {} is not what was written", i + 1));
  }
  if (chain != record.chain)
    return found(fmt::format("the log ends after entry {}, but more was written or its end altered",
                             record.log.size()));
  for (const Snapshot& snapshot : record.snapshots)
    if (snapshot.revision > record.log.size() && is_intact(snapshot))
      return found(fmt::format("there is a snapshot of revision {}, but the log ends at {}",
                               snapshot.revision, record.log.size()));
  return std::nullopt;
}

}  // namespace parlor::table
