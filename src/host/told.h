// Everything a table says, as data. How it is written down is somebody else's business (src/wire).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/archive.h"
#include "host/change.h"

namespace parlor::host {

inline constexpr int nobody = -1;

struct ClockFacts {
  std::string rule = "none";
  std::vector<Time> left;     // one per seat, at `now`
  std::vector<bool> running;  // one per seat
  Time now = 0;
  std::optional<Time> deadline;  // when the next flag falls
  bool paused = false;
};

struct SeatFacts {
  SeatKind kind = SeatKind::open;
  std::string name;   // of the seat in the game, e.g. "white"
  std::string who;    // the handle's name
  std::string agent;  // of a bot
  bool ready = false, connected = false, stand_in = false;
};

enum class OfferKind : std::uint8_t { undo, draw, rematch, pause, abort };
std::string_view offer_kind_name(OfferKind kind);
std::optional<OfferKind> offer_kind_named(std::string_view name);

struct OfferFacts {
  OfferKind kind = OfferKind::undo;
  int by = nobody;
  std::vector<int> agreed, waiting;
};

// What everybody may know of a table.
struct TableFacts {
  std::string id, game, game_name, creator;
  TableConfig config;
  TableState state = TableState::open;
  std::vector<SeatFacts> seats;
  Json result = nullptr;
  Time created = 0, updated = 0;
};

// What one viewer sees of one revision.
struct Moment {
  std::uint64_t rev = 0;
  StagePtr state = {};  // nothing: the game has not begun
  Json decision = nullptr, outcome = nullptr;
  ClockFacts clock;
};

struct Welcome {
  int you = nobody;
  std::uint64_t rev = 0, seq = 0;
  Time now = 0;
  Json limits;  // what a client must keep to
  TableFacts table;
};
struct Sync {
  std::uint64_t seq = 0;
  std::string scene;
  Moment moment;
  TableState table_state = TableState::open;
  std::vector<SeatFacts> seats;
  std::vector<OfferFacts> offers;
  std::vector<ChatRow> chat;
};
struct Ack {
  std::string id;
  std::uint64_t rev = 0;
};
struct Update {
  std::uint64_t seq = 0;
  int by = nobody;
  std::string deed;
  ChoiceTold choice;
  ChangePtr change = std::make_shared<const ChangeText>();
  std::uint64_t rev = 0;
  Json decision = nullptr;
  std::string view_hash;
  ClockFacts clock;
};
struct Reject {
  std::string id;
  std::uint64_t rev = 0;
  Rejection error;
};
struct WhyTold {
  std::string id;
  std::uint64_t rev = 0;
  bool legal = false;
  Json reason = nullptr;
};
struct Presence {
  std::uint64_t seq = 0;
  int seat = nobody;
  bool on = false;
};
struct ChatTold {
  std::uint64_t seq = 0;
  ChatRow row;
};
struct SeatsTold {
  std::uint64_t seq = 0;
  TableState table_state = TableState::open;
  std::vector<SeatFacts> seats;
};
struct OffersTold {
  std::uint64_t seq = 0;
  std::vector<OfferFacts> offers;
  std::string ended;  // the kind of an offer that is no more, and why
  std::string how;    // "accepted", "refused", "withdrawn"
};
struct ClockTold {
  std::uint64_t seq = 0;
  ClockFacts clock;
};
struct Over {
  std::uint64_t seq = 0;
  Json outcome;
  TableState table_state = TableState::finished;
  std::optional<Seed> seed;
};
struct QueueTold {  // what a seat has queued, or that it was dropped
  std::uint64_t seq = 0;
  std::size_t waiting = 0;
  std::optional<Rejection> dropped;
};
struct RematchTold {
  std::uint64_t seq = 0;
  std::string table;
  int seat = nobody;
  std::string seat_token;  // for the one who sits there
};

using Told = std::variant<Welcome, Sync, Ack, Update, Reject, WhyTold, Presence, ChatTold,
                          SeatsTold, OffersTold, ClockTold, Over, QueueTold, RematchTold>;

struct Frame {
  std::uint64_t seq = 0;  // 0: not one that is counted
  std::string text;
};
using FramePtr = std::shared_ptr<const Frame>;
using Encode = std::string (*)(const Told& told);

// Somebody who is connected. Called on the table's strand; must not wait.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void hear(FramePtr frame) = 0;
  // Nothing more will come.
  virtual void dismiss(int code, std::string reason, Time retry_after) = 0;
};
using ListenerPtr = std::shared_ptr<Listener>;

}  // namespace parlor::host
