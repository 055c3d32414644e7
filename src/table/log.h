// What is kept of a session: how it was set up, what was done, and states to start loading from.
// All of it is plain data with a JSON form, and every entry is chained to the one before, so that
// whatever is lost or altered on the way shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/catalog.h"

namespace parlor::table {

using Time = std::int64_t;  // milliseconds since 1970, as the clock says

// What a result outside the rules is worth.
struct Stakes {
  std::int64_t loser = -1;
  std::int64_t others = 1;
  std::int64_t draw = 0;
  friend bool operator==(const Stakes&, const Stakes&) = default;
};

// How the game was opened and begun: enough to do it again.
struct SessionConfig {
  std::string id = {};
  std::string game = {};
  OpenOptions options = {};  // players, rules, constants, chance, position, layout, modifiers
  Seed seed = 0;
  Json start = {};  // a saved state to begin with; null: where the rules begin
  // Undo gives knowledge away in games with dice or hidden cards: there it must be asked for.
  std::optional<bool> allow_undo = {};
  Stakes stakes = {};
  Json about = {};  // whatever the one who hosts it wants to remember, e.g. who sits where

  friend bool operator==(const SessionConfig&, const SessionConfig&) = default;
};
Json to_json(const SessionConfig& config);
tl::expected<SessionConfig, Rejection> session_config_from_json(const Json& json);

// What can be done to a session. The last five end it without touching the game's state.
enum class Deed : std::uint8_t {
  act,
  undo,
  redo,
  rules,
  resign,
  timeout,
  draw_agreed,
  abandoned,
  adjudicated
};
std::string_view deed_name(Deed deed);  // as in JSON: "act", "drawAgreed", …
std::optional<Deed> deed_named(std::string_view name);

struct LogEntry {
  std::uint64_t revision = 0;  // after this entry
  std::string action_id;
  Time at = 0;
  PlayerId actor;  // none: the table itself
  Deed deed = Deed::act;
  Json content;                      // as it was sent
  Json chosen = nullptr;             // act: the option meant, as option_json has it for a tool
  bool starts_move = false;          // act: began a whole move
  std::vector<Option> options = {};  // act: what was applied, chance included
  // A list as canonical JSON, since logs stay in memory and events are seldom asked for again: of
  // {"kind","data"}, and "seenBy": [seats, "spectators"] with what "outside" are told, if not all
  // see
  std::string events = "[]";
  std::uint64_t hash = 0;  // of the state after it
  // Of what its actor sees of that state, if whoever runs the session tells it.
  std::optional<std::uint64_t> view_hash = {};
  std::uint64_t chain = 0;  // of everything above and the chain before

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};
Json to_json(const LogEntry& entry);
std::string to_text(const LogEntry& entry);  // the same as canonical JSON, at once
tl::expected<LogEntry, Rejection> log_entry_from_json(const Json& json);

// A saved state to start loading from, tied to one log by the chain there.
struct Snapshot {
  std::uint64_t revision = 0;
  std::uint64_t chain = 0;
  Json state;
  std::uint64_t check = 0;  // of everything above

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};
Snapshot make_snapshot(std::uint64_t revision, std::uint64_t chain, const State& state);
bool is_intact(const Snapshot& snapshot);
Json to_json(const Snapshot& snapshot);
tl::expected<Snapshot, Rejection> snapshot_from_json(const Json& json);

// A session as it is kept.
struct Record {
  SessionConfig config;
  Time created = 0;
  std::uint64_t fingerprint = 0;  // of the rules it is played by
  std::vector<LogEntry> log = {};
  std::uint64_t chain = 0;                // after the last entry, kept apart from the log
  std::vector<Snapshot> snapshots = {};   // newest first
  std::vector<std::string> remarks = {};  // what could not be read and is not needed

  friend bool operator==(const Record&, const Record&) = default;
};

// When it was last touched. Clocks may go back; this does not.
Time last_touched(Time created, const std::vector<LogEntry>& log);

// What there is before the first entry: config, time and fingerprint.
Json header_to_json(const Record& record);
tl::expected<Record, Rejection> header_from_json(const Json& json);

// The chain before the first entry, and after an entry.
std::uint64_t first_link(const Record& record);
std::uint64_t next_link(std::uint64_t chain, const LogEntry& entry);
// Says where the log does not hang together, or that its end is missing.
std::optional<Rejection> find_damage(const Record& record);

}  // namespace parlor::table
