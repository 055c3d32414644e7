// What goes over the line: frames of the socket and bodies of requests, to and from data. Pure
// functions: nothing here knows sockets, time or tables. docs/server.md describes the formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/host.h"

namespace parlor::wire {

// ---- Limits of what is read.

inline constexpr std::size_t longest_frame = 16 * 1024;
inline constexpr std::size_t longest_body = 64 * 1024;
inline constexpr std::size_t longest_upload = 256 * 1024;
inline constexpr std::size_t deepest_json = 8;

// JSON from a stranger: valid, not deeper than allowed, an object.
tl::expected<Json, Rejection> read_object(std::string_view text);

// ---- Frames from a client.

struct Hello {
  std::string token, invite;
  bool watch = false;
  bool complete = false;  // options are to carry what follows them
  std::optional<std::uint64_t> since_seq, since_rev;
};
struct ActFrame {
  std::string id;
  std::uint64_t rev = 0;
  Json content;
};
struct WhyFrame {
  std::string id;
  Json request;
};
struct OfferFrame {
  host::OfferKind kind = host::OfferKind::undo;
};
struct AnswerFrame {
  host::OfferKind kind = host::OfferKind::undo;
  bool yes = false;
};
struct ResignFrame {
  std::string id;
};
struct ClaimFrame {
  std::string what;
  std::optional<int> seat;
};
struct QueueFrame {
  std::vector<host::QueuedAct> acts;
};
struct ChatFrame {
  std::string text;
};
struct PingFrame {
  Json c;
};
struct SyncFrame {};  // asks for everything anew

using ClientFrame = std::variant<Hello, ActFrame, WhyFrame, OfferFrame, AnswerFrame, ResignFrame,
                                 ClaimFrame, QueueFrame, ChatFrame, PingFrame, SyncFrame>;

// A frame that cannot be read is refused with its id, as far as it has one.
struct BadFrame {
  std::string id;
  Rejection error;
};
tl::expected<ClientFrame, BadFrame> read_frame(std::string_view text);

// ---- Frames to a client.

std::string encode(const host::Told& told);
std::string encode_pong(const Json& c, host::Time now);
std::string encode_reject(const std::string& id, const Rejection& error);
std::string encode_bye(int code, std::string_view reason, host::Time retry_after);

// ---- Bodies.

struct TableRequest {
  host::TableConfig config;
  std::optional<int> sit;
};
tl::expected<TableRequest, Rejection> read_table_request(const Json& body);
tl::expected<std::string, Rejection> read_text(const Json& body, const char* field);
tl::expected<std::optional<int>, Rejection> read_seat(const Json& body, const char* field = "seat");

Json to_json(const host::HandleRow& handle);  // what its owner may know
Json to_json(const host::TableFacts& facts);
Json to_json(const host::SeatFacts& seat);
Json to_json(const host::ClockFacts& clock);
Json error_body(const Rejection& rejection);
// The HTTP status that goes with a code.
unsigned status_of(const Rejection& rejection);

// A game as the lobby lists it, and in full.
Json game_line(const Game& game);
Json game_page(const Game& game, const host::SceneMade& scene);

}  // namespace parlor::wire
