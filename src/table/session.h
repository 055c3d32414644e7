// A game being played: who may do what now, what has been done, and how to get back there.
//
// A Session wraps one State and adds what people playing together need: a revision that counts
// accepted actions, action ids that make retries harmless, a log from which the whole game can be
// replayed byte for byte, undo and redo, and observations that show a player only what the rules
// allow. Time comes from an injected clock and is never part of the game's state or hash.
//
//   Session session = Session::create(game, config, clock).value();
//   auto answer = session.act({.session = "s1", .action_id = "a1", .actor = PlayerId{0},
//                              .type = "place", .payload = {{"cell", "cell_1_1:none"}}});
//   if (!answer) …                       // a Rejection; nothing has changed
//
// Storing is somebody else's work (store.h): a Session hands out LogEntries and Snapshots and can
// be made again from them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor::table {

using Time = std::int64_t;  // milliseconds since 1970, as the clock says
using Clock = std::function<Time()>;

// How the game was opened: enough to open it again.
struct SessionConfig {
  std::string id;
  std::string game;
  std::vector<std::string> rules;
  std::map<std::string, std::string> constants;
  Seed seed = 0;
  std::size_t players = 0;
  // Undo gives knowledge away in games with dice or hidden cards: there it must be asked for.
  std::optional<bool> allow_undo;

  friend bool operator==(const SessionConfig&, const SessionConfig&) = default;
};
Json to_json(const SessionConfig& config);
tl::expected<SessionConfig, Rejection> session_config_from_json(const Json& json);

// What a player sends. `type` is an action's name with its parameters as payload; inside a move it
// is "choose" with {"value"} or {"confirm": true}; "option" with {"index"} works everywhere.
struct ActionEnvelope {
  std::string session;
  std::string action_id;  // chosen by the sender, unique in the session
  PlayerId actor;
  std::string type;
  Json payload = Json::object();
  std::optional<std::uint64_t> expected_revision = std::nullopt;
};

struct LogEntry {
  std::uint64_t revision = 0;  // after this entry
  std::string action_id;
  Time at = 0;
  PlayerId actor;
  std::string type;
  Json payload;
  std::vector<Option> options = {};  // what was applied, chance included; empty for undo and redo
  Json events = Json::array();
  std::uint64_t hash = 0;  // of the state after it

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};
Json to_json(const LogEntry& entry);
tl::expected<LogEntry, Rejection> log_entry_from_json(const Json& json);

// What the actor gets back; the same again for a repeated action id.
struct Answer {
  std::uint64_t revision = 0;
  Json events;  // without the names of tokens, if the game hides any
  std::uint64_t hash = 0;
  bool repeated = false;
};

// A saved state to start loading from.
struct Snapshot {
  std::uint64_t revision = 0;
  Json state;
};

class Session {
 public:
  static tl::expected<Session, Rejection> create(std::shared_ptr<const Game> game,
                                                 SessionConfig config, Clock clock);
  // Makes a session again from its log. With a snapshot only the entries after it are applied;
  // every hash on the way is checked.
  static tl::expected<Session, Rejection> restore(
      std::shared_ptr<const Game> game, SessionConfig config, Clock clock, Time created,
      std::vector<LogEntry> log, const std::optional<Snapshot>& snapshot = std::nullopt);

  // Keeps an accepted entry somewhere safe before it is answered; refusing it refuses the action.
  using Keep = std::function<Applied(const Session& after, const LogEntry& entry)>;
  tl::expected<Answer, Rejection> act(const ActionEnvelope& envelope, const Keep& keep = {});

  // Undo takes back the latest action that is still in force, redo brings it back; both are logged
  // and raise the revision like any action.
  bool undo_allowed() const;
  std::size_t undo_depth() const { return position_; }
  std::size_t redo_depth() const { return line_.size() - position_; }

  const SessionConfig& config() const { return config_; }
  const Game& game() const { return *game_; }
  const State& state() const { return state_; }
  std::uint64_t revision() const { return log_.size(); }
  const std::vector<LogEntry>& log() const { return log_; }
  Time created() const { return created_; }
  Time updated() const { return log_.empty() ? created_ : log_.back().at; }

  Snapshot snapshot() const { return {revision(), state_.save()}; }
  // Everything, for tools and storage: session, revision, times, config, state, log.
  Json to_json() const;
  // What one player may know: the view, the decision and, if it is theirs, its options.
  Json observation(PlayerId player) const;

 private:
  Session(std::shared_ptr<const Game> game, SessionConfig config, Clock clock, State state);

  const LogEntry* find_action(const std::string& action_id) const;
  Answer answer_to(const LogEntry& entry, bool repeated) const;
  std::optional<Rejection> check(const ActionEnvelope& envelope) const;
  tl::expected<LogEntry, Rejection> play(const ActionEnvelope& envelope);
  tl::expected<LogEntry, Rejection> step_back(const ActionEnvelope& envelope);
  tl::expected<LogEntry, Rejection> step_forward(const ActionEnvelope& envelope);
  // Chance decisions are nobody's to make: they are drawn from the session's own stream at once.
  Applied resolve_chance(State& state, std::vector<Option>& applied, EventListener* listener);
  tl::expected<State, Rejection> state_at(std::size_t position) const;
  // The bookkeeping of `line_` and `position_` for an entry, without touching the state.
  void follow(const LogEntry& entry);
  void commit(LogEntry entry);

  std::shared_ptr<const Game> game_;
  SessionConfig config_;
  Clock clock_;
  Time created_ = 0;
  State state_;
  std::vector<LogEntry> log_;
  std::map<std::string, std::size_t> entry_of_action_;  // action id to log index
  std::vector<std::vector<Option>> line_;               // the moves in force, then those to redo
  std::size_t position_ = 0;                            // how many of `line_` are in force
};

}  // namespace parlor::table
