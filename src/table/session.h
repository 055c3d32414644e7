// A game being played: who may do what now, what has been done, and how to get back there.
//
// A Session wraps one State and adds what people playing together need: a revision that counts what
// was accepted, ids that make sending again harmless, a log from which the whole game can be
// replayed byte for byte, undo and redo, results that the rules know nothing of (somebody resigns),
// and observations that show a player only what the rules allow. Time comes from an injected clock
// and is never part of the game's state or hash.
//
//   Session session = Session::create(game, config, clock).value();
//   auto answer = session.act({.session = "s1", .action_id = "a1", .actor = PlayerId{0},
//                              .content = {{"action", "place"}, {"params", {{"cell", "a1"}}}}});
//   if (!answer) …                       // a Rejection; nothing has changed
//
// Storing is somebody else's work (store.h): a Session hands out a Record and can be made again
// from it. A Session is for one thread at a time; many may share a Game.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "table/history.h"
#include "table/log.h"

namespace parlor::table {

using Clock = std::function<Time()>;

// What somebody sends. `content` depends on the deed:
//
//   act          what find_option takes: {"action", "params"}, {"value"}, {"index": 3}, "e2e4"
//   undo         {"to"?: a revision, "agreed"?: [seats]}   without `to` the latest action
//   redo         {"agreed"?: [seats]}                      the action that was taken back last
//   rules        {"rules": [texts], "agreed": [every seat]}   others are in force from here on
//   resign       {}
//   timeout      {"seat"}           who had no time left
//   drawAgreed   {"agreed": [every seat]}
//   abandoned    {"seat"?}          who left; nobody in particular otherwise
//   adjudicated  {"returns": [one per seat], "winners"?: [seats], "reason"?}
//
// Only a seat acts, undoes, redoes, changes the rules and resigns. The others come from the table
// itself, with no actor. `agreed` is the word of whoever runs the session that these seats
// consented.
struct ActionEnvelope {
  std::string session;
  std::string action_id;  // chosen by the sender, unique among those of the same actor
  PlayerId actor = {};
  Deed deed = Deed::act;
  Json content = Json::object();
  // What the sender decided on. Another revision is refused, unless since then only others have
  // handed in moves and whoever sends this is asked the same and sees the same but for who has.
  std::optional<std::uint64_t> expected_revision = std::nullopt;
};

// What the actor gets back; the same again for a repeated action id.
struct Answer {
  std::uint64_t revision = 0;
  Json events;                  // as the actor is told them
  std::uint64_t view_hash = 0;  // of what the actor sees then; the state's own would tell more
  bool repeated = false;
};

// Those who tell players in words of their own what happened need no more than the revision.
enum class Answering : std::uint8_t { in_full, by_revision };

// How a session ended, and who says so.
struct Ending {
  Outcome outcome;
  enum class By : std::uint8_t { rules, table } by = By::rules;
};
Json to_json(const Ending& ending);  // the outcome with "by": "rules" or "table"

// Where a replay under other rules went another way than the log.
struct Difference {
  std::uint64_t revision = 0;
  std::string what;
};
struct Migration;

class Session {
 public:
  static tl::expected<Session, Rejection> create(std::shared_ptr<const Game> game,
                                                 SessionConfig config, Clock clock);
  // Makes a session again. The chain of the log and the state it leads to are checked; a snapshot
  // only saves time, and one that is damaged is a remark. Costs about as much as the actions since
  // the latest snapshot.
  static tl::expected<Session, Rejection> restore(std::shared_ptr<const Game> game, Record record,
                                                  Clock clock);
  // Does the same again under rules that have changed, as far as that is possible, in a session of
  // another id, and says where it differs.
  static tl::expected<Migration, Rejection> migrate(std::shared_ptr<const Game> game,
                                                    const Record& record, std::string id,
                                                    Clock clock);

  // Keeps an accepted entry somewhere safe before it is answered; refusing it refuses the action.
  using Keep = std::function<Applied(const LogEntry& entry, const State& after)>;
  tl::expected<Answer, Rejection> act(const ActionEnvelope& envelope, const Keep& keep = {},
                                      Answering answering = Answering::in_full);

  // Undo takes back actions that are in force, redo brings back one that was taken back; both are
  // entries of the log and raise the revision. An action belongs to the seat that took it: others
  // need that seat's consent. Results cannot be taken back.
  bool undo_allowed() const;
  std::size_t undo_depth() const { return history_.position(); }
  std::size_t redo_depth() const { return history_.length() - history_.position(); }
  // What `to` must be to take back the seat's last whole move, with all that followed.
  std::optional<std::uint64_t> before_last_move_of(PlayerId seat) const;

  bool over() const { return ended_ || state_.finished(); }
  std::optional<Ending> ending() const;

  const SessionConfig& config() const { return *config_; }
  const Game& game() const { return *game_; }
  const State& state() const { return state_; }
  std::uint64_t revision() const { return log_.size(); }
  const std::vector<LogEntry>& log() const { return log_; }
  // Nothing if the actor has used no such id.
  const LogEntry* find_action(PlayerId actor, const std::string& action_id) const;
  std::vector<const LogEntry*> in_force() const;  // the acts that led here, in order
  // What chance drew before the first act; it follows from the seed and is in no entry.
  const std::vector<Option>& drawn_first() const { return drawn_first_; }
  Time created() const { return created_; }
  Time updated() const { return last_touched(created_, log_); }
  // What restoring had to do without, in words.
  const std::vector<std::string>& remarks() const { return remarks_; }

  Record record() const;  // without snapshots
  Snapshot snapshot() const { return make_snapshot(revision(), chain(), state_); }
  // Everything, for tools: session, revision, times, config, state, ending, log.
  Json to_json() const;
  // What somebody may know: the view, the decision and, if it is theirs, its options.
  Json observation(const Viewer& viewer) const;
  // What happened, {"kind","data"} each, and the whole entry as somebody may know them.
  Json events_for(const LogEntry& entry, const Viewer& viewer) const;
  Json entry_for(const LogEntry& entry, const Viewer& viewer) const;

 private:
  Session(std::shared_ptr<const Game> game, SessionConfig config, Clock clock, State state);

  // An entry with everything but its hash and chain, and the state after it.
  struct Step {
    LogEntry entry;
    State after;
  };

  // ---- session.cpp: doing something. Nothing changes until `commit`.
  std::optional<Rejection> check(const ActionEnvelope& envelope) const;
  bool asked_the_same(PlayerId player, std::uint64_t since);
  tl::expected<Step, Rejection> step(LogEntry entry);
  tl::expected<State, Rejection> asking(PlayerId player) const;
  tl::expected<Step, Rejection> play(LogEntry entry) const;
  tl::expected<Step, Rejection> walk(LogEntry entry);
  tl::expected<Step, Rejection> switch_rules(LogEntry entry) const;
  std::optional<Rejection> consent_missing(const LogEntry& entry, std::size_t target) const;
  tl::expected<Step, Rejection> choose(LogEntry entry, State state, Option option,
                                       std::span<const Option> drawn) const;
  // Chance decisions are nobody's to make: they are drawn from the session's own stream at once, or
  // as they were `drawn` before.
  Applied resolve_chance(State& state, std::vector<Option>& applied, EventListener* listener,
                         std::span<const Option> drawn = {}) const;
  std::uint64_t chain() const;
  void seal(Step& step, Answering answering = Answering::in_full) const;
  void commit(Step step);
  void note(LogEntry entry);  // all of `commit` but the state

  // ---- told.cpp
  Answer answer_to(const LogEntry& entry, bool repeated, Answering answering) const;

  // ---- restore.cpp
  Applied take_in(std::vector<LogEntry> log);
  void use_snapshots(const std::vector<Snapshot>& snapshots);
  tl::expected<Step, Rejection> repeat(const LogEntry& old);

  std::shared_ptr<const Game> game_;
  std::shared_ptr<const SessionConfig> config_;  // never changes; copies share it
  Clock clock_;
  Time created_ = 0;
  State state_;
  std::vector<Option> drawn_first_;
  std::vector<LogEntry> log_;
  std::map<std::pair<PlayerId, std::string>, std::size_t> entry_of_action_;  // to log index
  History history_;
  std::optional<Outcome> ended_;  // by a result outside the rules
  std::vector<std::string> remarks_;
};

struct Migration {
  Session session;
  std::vector<Difference> differences;
  std::uint64_t entries = 0, carried_over = 0;  // of the old log; fewer if one was refused
};

}  // namespace parlor::table
