// One table: who sits there, the game they play, and what everybody is told about it.
//
// A Room belongs to its strand: everything below is called there and nowhere else. Nothing in it
// waits. What changes is handed to the writer, and what is said about it (answers, frames) goes out
// once it is kept, in order; so whoever was told something finds it after a crash.
//
//   rooms for people   sit, stand, ready, seat_bot, start, kick            room_seats.cpp
//   playing            act, why, queue, undo by consent, results           room_play.cpp
//   around it          offers, claims, chat, presence                      room_offers.cpp,
//   room_people.cpp time               clocks, flags, bots room_time.cpp what is told channels,
//   updates, syncs                            room_told.cpp
#pragma once

#include <map>
#include <optional>
#include <set>

#include "host/bots.h"
#include "host/channel.h"
#include "host/games.h"
#include "host/rates.h"
#include "host/writer.h"

namespace parlor::host {

template <class T>
using Done = std::function<void(tl::expected<T, Rejection>)>;

struct Settings {
  Time bot_delay = 300;  // between moves of bots, so that people can follow
  BotLimits bots;
  BotLimits bots_of_uploads{.milliseconds = 200, .iterations = 2'000};
  std::string stand_in = "greedy";  // plays for those who are away
  std::uint64_t snapshot_every = 32;
  std::size_t queue_most = 4;
  Time queued_act_costs = 100;
  Rate chat{5, 10'000};
  Json limits_told = Json::object();  // to whoever connects: what they must keep to
};

// For metrics.
struct Counters {
  std::atomic<std::uint64_t> acts = 0, refused = 0, updates = 0, started = 0, finished = 0;
};

// What rooms share.
struct Services {
  Timers& timers;
  Executor& tables;
  Writer& writer;
  Archive& archive;
  Games& games;
  Bots& bots;
  Random random;
  Encode encode;
  Settings settings;
  Counters* counters = nullptr;
  // To the host: what everybody may know has changed; a table to be added; this room is of no use
  // any more and must be taken from the archive again.
  std::function<void(const TableFacts&)> changed = {};
  std::function<void(TableRow)> added = {};
  std::function<void(const std::string& id)> lost = {};
  // A game that somebody has sent ran for too long.
  std::function<void(const std::string& game)> ran_away = {};

  const BotLimits& limits_of(const std::string& game) const {
    return is_upload(game) ? settings.bots_of_uploads : settings.bots;
  }
};

// Who asks, as far as tokens tell.
struct Caller {
  std::optional<HandleRow> handle;
  std::string token_hash;   // of the token they sent, whatever it is for
  std::string invite_hash;  // of a private table
};

struct Sat {
  int seat = nobody;
  std::string seat_token;
};

struct JoinRequest {
  Caller caller;
  bool watch = false;
  std::optional<std::uint64_t> since;  // the last seq they have
  bool complete = false;               // options are to carry what follows them
};

struct ActRequest {
  std::string id;
  std::uint64_t rev = 0;
  Json content;
  Time lag = 0;  // half the round trip
};

struct QueuedAct {
  Json content;
  std::optional<std::uint64_t> after;  // not before this revision
  Json only_if = nullptr;              // only if this was the latest act of somebody else
};

class Room : public std::enable_shared_from_this<Room> {
 public:
  // `fresh`: made just now and not in the archive yet.
  static std::shared_ptr<Room> make(Services& services, TableRow row, bool fresh);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  Strand& strand() { return *strand_; }
  const std::string& id() const { return row_.id; }

  // ---- On the strand. Answers come once they are true for good.

  // Takes the game from the archive if it is not here yet.
  Applied load();
  // Keeps a fresh table.
  void keep_first(std::optional<HandleRow> sitter, std::optional<int> seat, Done<Sat> done);
  bool admits(const Caller& caller) const;
  std::optional<PlayerId> seat_of(const Caller& caller) const;
  TableFacts facts() const;

  void sit(const Caller& caller, std::optional<int> seat, Done<Sat> done);
  void stand(const Caller& caller, Done<TableFacts> done);
  void ready(const Caller& caller, bool is_ready, Done<TableFacts> done);
  void seat_bot(const Caller& caller, int seat, const std::string& agent, Done<TableFacts> done);
  void start(const Caller& caller, Done<TableFacts> done);
  void kick(const Caller& caller, int seat, Done<TableFacts> done);

  // The entries from a revision on; everything once it is over, if the table says so.
  tl::expected<Json, Rejection> log_for(const Caller& caller, std::uint64_t from) const;
  tl::expected<std::string, Rejection> replay(const Caller& caller) const;

  void join(ListenerPtr listener, const JoinRequest& request, Done<int> done);
  void leave(const Listener* listener);
  void act(const ListenerPtr& from, PlayerId seat, const ActRequest& request);
  void why(const ListenerPtr& from, int seat, const std::string& id, const Json& request);
  void resync(const ListenerPtr& from, int seat);
  void offer(const ListenerPtr& from, PlayerId seat, OfferKind kind);
  void answer(const ListenerPtr& from, PlayerId seat, OfferKind kind, bool yes);
  void resign(const ListenerPtr& from, PlayerId seat, const std::string& id);
  void claim(const ListenerPtr& from, PlayerId seat, const std::string& what,
             std::optional<int> against);
  void queue(const ListenerPtr& from, PlayerId seat, std::vector<QueuedAct> acts);
  void chat(const ListenerPtr& from, int seat, const std::string& who, const std::string& text);
  // Another node has the table: nothing that happened here since is true.
  void moved() { fail({code::TABLE_ELSEWHERE, "another server has taken the table over"}); }
  std::uint64_t epoch() const { return row_.epoch; }
  // Everybody is told to go; nothing happens here any more.
  void close(int code, const std::string& reason, Time retry_after);

  bool idle() const;  // nobody is here and nothing is on its way
  std::optional<Time> deadline() const { return row_.deadline; }
  bool over() const { return row_.state >= TableState::finished; }

 private:
  Room(Services& services, TableRow row, bool fresh);

  struct Offer {
    OfferKind kind;
    PlayerId by;
    std::set<std::size_t> agreed;
  };
  struct SeatLife {
    std::optional<Time> away_since;
    bool stand_in = false;
    std::deque<QueuedAct> queued;
    std::uint64_t thinking = ~std::uint64_t{0};  // the revision a bot thinks about
    std::shared_ptr<std::atomic<bool>> wanted;
  };

  // ---- room_told.cpp
  std::size_t players() const { return row_.seats.size(); }
  std::size_t spectators() const { return players(); }  // the channel of those who watch
  Channel& channel_of(int seat) {
    return channels_[seat < 0 ? spectators() : static_cast<std::size_t>(seat)];
  }
  Viewer viewer_of(std::size_t channel) const;
  std::vector<SeatFacts> seat_facts() const;
  std::vector<OfferFacts> offer_facts() const;
  ClockFacts clock_facts() const;
  // Stages of one state, each made when somebody first needs it, unless a channel still has it:
  // where nothing is hidden one serves all.
  class Stages {
   public:
    Stages(const Room& room, const State& state, std::uint64_t revision)
        : room_(room), state_(state), revision_(revision) {}
    StagePtr of(std::size_t channel);

   private:
    StagePtr kept(std::size_t slot) const;

    const Room& room_;
    const State& state_;
    const std::uint64_t revision_;
    std::map<std::size_t, StagePtr> made_;
  };
  Moment look(std::size_t channel, Stages& stages) const;
  Sync sync_of(std::size_t channel);
  void tell(std::size_t channel, Told told);                          // one kind of viewer
  void tell_everybody(const std::function<Told(std::size_t)>& what);  // each in their own words
  void tell_players(const std::function<Told(std::size_t)>& what);
  void at_channel(std::size_t channel, std::function<void()> work);  // now, or later if delayed
  void reply(const ListenerPtr& to, const Told& told);               // not counted
  void refuse(const ListenerPtr& to, const std::string& id, Rejection rejection);
  bool delayed(std::size_t channel) const;
  bool heard(std::size_t channel) const;  // somebody listens, or will be told later
  void tell_afresh(std::size_t channel);  // everything, whatever they had
  // Tells one channel what was done; `had` is what its listeners see, nothing if that is not known.
  void tell_change(std::size_t channel, const StagePtr& had, Moment moment, Update update);
  void show(std::size_t channel, Moment moment);  // what its listeners have from now on
  void tell_update(const table::LogEntry& entry, const State& before);
  std::map<std::uint64_t, ChoiceTold> choices_told(const Viewer& viewer) const;
  ChoiceTold choice_of(const table::LogEntry& entry, const State& before,
                       const Viewer& viewer) const;
  void tell_seats();
  void tell_offers(std::string ended, std::string how);
  void tell_over();

  // ---- room.cpp: what is said once it is kept.
  using Sorry = std::function<void(const Rejection&)>;
  void say(Task task, Sorry otherwise = {});
  void keep(Write write) { writes_.push_back(std::move(write)); }
  void row_changed() { row_dirty_ = true; }
  void flush();
  void kept(Applied answer);
  void fail(const Rejection& rejection);
  template <class T>
  void finish(Done<T> done, T value);  // flushes, then answers

  // ---- room_seats.cpp
  std::optional<Rejection> not_open() const;
  std::optional<Rejection> not_creator(const Caller& caller) const;
  void start_if_ready();
  Applied begin();
  void empty_seat(std::size_t seat);
  Sat take_seat(std::size_t seat, const HandleRow& who);
  tl::expected<std::size_t, Rejection> choose_seat(std::optional<int> wish) const;

  // ---- room_play.cpp
  struct Charge {
    PlayerId seat = {};  // none: nobody's clock
    Time lag = 0, at_least = 0;
  };
  // Does something to the game and everything that follows from it. `accepted` is called before
  // anybody is told.
  tl::expected<table::Answer, Rejection> do_deed(
      table::ActionEnvelope envelope, const Charge& charge,
      const std::function<void(std::uint64_t)>& accepted);
  table::ActionEnvelope envelope(table::Deed deed, Json content, PlayerId actor = {}) const;
  void follow_with_clock(const table::LogEntry& entry, const Charge& charge);
  void end_table(TableState state);
  void give_up_on_rules();  // the game does not come to an end of a single act
  std::optional<Rejection> not_playing() const;
  void settle();  // keeps, tells, and lets clocks, bots and queued acts go on
  bool play_queued();

  // ---- room_offers.cpp
  std::optional<Rejection> offer_refused(PlayerId seat, OfferKind kind) const;
  std::vector<std::size_t> asked(const Offer& offer) const;
  Offer* find_offer(OfferKind kind);
  void drop_offer(OfferKind kind, const std::string& how);
  void accept_if_agreed(OfferKind kind);
  void accept(Offer offer);
  void ask_bots_for_draw(const Offer& offer);
  void make_rematch();
  void offers_after_act(PlayerId actor);

  // ---- room_time.cpp
  bool plays_itself(std::size_t seat) const;
  void arm_timer();
  void flag_fell();
  void decide_for(PlayerId seat);
  void schedule_bots();
  void ask_bot(PlayerId seat, const std::string& agent);
  void bot_chose(PlayerId seat, std::uint64_t revision, Bots::Choice choice);
  void play_anything(PlayerId seat);
  void pause(bool on);
  void later(Time when, std::function<void(Room&)> work);

  Services& services_;
  std::shared_ptr<Strand> strand_;
  TableRow row_;
  bool fresh_;
  std::shared_ptr<const Game> game_;
  std::optional<table::Session> session_;
  ScenePtr scene_;
  std::vector<Channel> channels_;
  std::vector<SeatLife> lives_;
  std::vector<Offer> offers_;
  std::vector<ChatRow> chat_;
  Buckets chat_rate_;
  GameClock clock_;
  bool paused_ = false;
  TimerId timer_ = 0;
  Time last_act_ = 0;
  bool rematch_made_ = false;

  struct Batch {
    std::vector<std::pair<Task, Sorry>> says;
  };
  std::vector<std::pair<Task, Sorry>> unsaid_;
  Group writes_;
  bool row_dirty_ = false;
  std::deque<Batch> in_flight_;
  bool gone_ = false;
};

template <class T>
void Room::finish(Done<T> done, T value) {
  say([done, value] { done(value); },
      [done](const Rejection& rejection) { done(tl::unexpected(rejection)); });
  settle();
}

}  // namespace parlor::host
