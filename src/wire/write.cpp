// From data to text.
#include <fmt/core.h>

#include "base/json_text.h"
#include "wire/wire.h"

namespace parlor::wire {
namespace {

using namespace host;

Json seat_or_null(int seat) {
  return seat < 0 ? Json(nullptr) : Json(seat);
}

Json seats_json(const std::vector<SeatFacts>& seats) {
  Json out = Json::array();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    out.push_back(to_json(seats[i]));
    out.back()["seat"] = i;
  }
  return out;
}

Json offers_json(const std::vector<OfferFacts>& offers) {
  Json out = Json::array();
  for (const OfferFacts& offer : offers)
    out.push_back({{"kind", offer_kind_name(offer.kind)},
                   {"by", offer.by},
                   {"agreed", offer.agreed},
                   {"waiting", offer.waiting}});
  return out;
}

Json chat_json(const ChatRow& row) {
  return {{"channel", row.channel},
          {"author", row.author},
          {"seat", seat_or_null(row.seat)},
          {"text", row.text},
          {"at", row.at}};
}

// ---- One function for each kind of frame.

Json frame(const Welcome& told) {
  return {{"t", "welcome"},
          {"you", seat_or_null(told.you)},
          {"rev", told.rev},
          {"seq", told.seq},
          {"now", told.now},
          {"limits", told.limits},
          {"table", to_json(told.table)}};
}
Json frame(const Ack& told) {
  return {{"t", "ack"}, {"id", told.id}, {"rev", told.rev}};
}
Json frame(const Reject& told) {
  return {{"t", "reject"},
          {"id", told.id.empty() ? Json(nullptr) : Json(told.id)},
          {"rev", told.rev},
          {"error", parlor::to_json(told.error)}};
}
Json frame(const WhyTold& told) {
  return {{"t", "why"},
          {"id", told.id},
          {"rev", told.rev},
          {"legal", told.legal},
          {"reason", told.reason}};
}
Json frame(const Presence& told) {
  return {{"t", "presence"}, {"seq", told.seq}, {"seat", told.seat}, {"on", told.on}};
}
Json frame(const ChatTold& told) {
  Json out = chat_json(told.row);
  out["t"] = "chat";
  out["seq"] = told.seq;
  return out;
}
Json frame(const SeatsTold& told) {
  return {{"t", "seats"},
          {"seq", told.seq},
          {"seats", seats_json(told.seats)},
          {"tableState", table_state_name(told.table_state)}};
}
Json frame(const OffersTold& told) {
  Json out{{"t", "offers"}, {"seq", told.seq}, {"offers", offers_json(told.offers)}};
  if (!told.ended.empty()) out["ended"] = {{"kind", told.ended}, {"how", told.how}};
  return out;
}
Json frame(const ClockTold& told) {
  return {{"t", "clock"}, {"seq", told.seq}, {"clock", to_json(told.clock)}};
}
Json frame(const Over& told) {
  Json out{{"t", "over"},
           {"seq", told.seq},
           {"outcome", told.outcome},
           {"tableState", table_state_name(told.table_state)}};
  // A text: 64 bits are more than numbers of JavaScript hold.
  if (told.seed) out["seed"] = std::to_string(*told.seed);
  return out;
}
Json frame(const QueueTold& told) {
  if (told.dropped)
    return {{"t", "queuedDropped"},
            {"seq", told.seq},
            {"waiting", told.waiting},
            {"error", parlor::to_json(*told.dropped)}};
  return {{"t", "queued"}, {"seq", told.seq}, {"waiting", told.waiting}};
}
Json frame(const RematchTold& told) {
  Json out{{"t", "rematch"},
           {"seq", told.seq},
           {"table", told.table},
           {"seat", seat_or_null(told.seat)}};
  if (!told.seat_token.empty()) out["seatToken"] = told.seat_token;
  return out;
}

// ---- The large frames, of which there are most: written without gathering their parts first.

template <class T>
std::string text(const T& told) {
  return canonical(frame(told));
}
std::string text(const Sync& told) {
  Json chat = Json::array();
  for (const ChatRow& row : told.chat) chat.push_back(chat_json(row));
  const host::StagePtr& stage = told.moment.state;
  return ObjectText(stage ? stage->text.size() + 2048 : 0)
      .put("chat", chat)
      .put("clock", to_json(told.moment.clock))
      .put("decision", told.moment.decision)
      .put("offers", offers_json(told.offers))
      .put("outcome", told.moment.outcome)
      .put("rev", told.moment.rev)
      .put("scene", told.scene.empty() ? Json(nullptr) : Json(told.scene))
      .put("seats", seats_json(told.seats))
      .put("seq", told.seq)
      .put_written("state", stage ? std::string_view{stage->text} : "null")
      .put("t", "sync")
      .put("tableState", table_state_name(told.table_state))
      .put("viewHash", stage ? stage->hash : std::string{})
      .done();
}
std::string text(const Update& told) {
  return ObjectText(told.change->events.size() + told.change->patch.size() + 1024)
      .put("by", seat_or_null(told.by))
      .put("clock", to_json(told.clock))
      .put("decision", told.decision)
      .put("deed", told.deed)
      .put_written("events", told.change->events)
      .put("hidden", told.choice.hidden)
      .put("label", told.choice.label)
      .put_written("patch", told.change->patch)
      .put("rev", told.rev)
      .put("seq", told.seq)
      .put("t", "update")
      .put("viewHash", told.view_hash)
      .done();
}

}  // namespace

std::string encode(const Told& told) {
  return std::visit([](const auto& one) { return text(one); }, told);
}

std::string encode_pong(const Json& c, Time now) {
  return canonical({{"t", "pong"}, {"c", c}, {"now", now}});
}

std::string encode_reject(const std::string& id, const Rejection& error) {
  return canonical({{"t", "reject"},
                    {"id", id.empty() ? Json(nullptr) : Json(id)},
                    {"error", parlor::to_json(error)}});
}

std::string encode_bye(int code, std::string_view reason, Time retry_after) {
  return canonical(
      {{"t", "bye"}, {"code", code}, {"reason", reason}, {"retryAfterMs", retry_after}});
}

// ---- Bodies.

Json to_json(const HandleRow& handle) {
  return {{"id", handle.id}, {"name", handle.name}};
}

Json to_json(const SeatFacts& seat) {
  Json out{{"kind", seat_kind_name(seat.kind)},
           {"name", seat.name},
           {"ready", seat.ready},
           {"connected", seat.connected}};
  if (seat.kind == SeatKind::human) out["handle"] = seat.who;
  if (seat.kind == SeatKind::bot) out["agent"] = seat.agent;
  if (seat.stand_in) out["standIn"] = true;
  return out;
}

Json to_json(const ClockFacts& clock) {
  Json out{{"rule", clock.rule}, {"now", clock.now}};
  if (clock.paused) out["paused"] = true;
  if (clock.left.empty()) return out;
  out["left"] = clock.left;
  out["running"] = Json::array();
  for (std::size_t i = 0; i < clock.running.size(); ++i)
    if (clock.running[i]) out["running"].push_back(i);
  out["deadline"] = clock.deadline ? Json(*clock.deadline) : Json(nullptr);
  return out;
}

Json to_json(const TableFacts& facts) {
  Json out = host::to_json(facts.config);
  out["id"] = facts.id;
  out["state"] = table_state_name(facts.state);
  out["gameName"] = facts.game_name;
  out["seats"] = seats_json(facts.seats);
  out["result"] = facts.result;
  out["created"] = facts.created;
  out["updated"] = facts.updated;
  return out;
}

Json error_body(const Rejection& rejection) {
  Json out{{"ok", false}, {"error", parlor::to_json(rejection)}};
  if (rejection.details.is_object() && rejection.details.contains("diagnostics"))
    out["diagnostics"] = rejection.details["diagnostics"];
  return out;
}

unsigned status_of(const Rejection& rejection) {
  struct Row {
    std::string_view code;
    unsigned status;
  };
  using namespace host::code;
  static const Row rows[]{{TOKEN_MISSING, 401},
                          {TOKEN_INVALID, 401},
                          {NOT_ALLOWED, 403},
                          {ORIGIN_REFUSED, 403},
                          {TABLE_UNKNOWN, 404},
                          {ROUTE_UNKNOWN, 404},
                          {code_name(Code::GAME_UNKNOWN), 404},
                          {SEAT_TAKEN, 409},
                          {TABLE_STATE, 409},
                          {code_name(Code::REVISION_CONFLICT), 409},
                          {code_name(Code::ACTION_ID_REUSED), 409},
                          {REQUEST_TOO_LARGE, 413},
                          {code_name(Code::PLAYERS_UNSUPPORTED), 422},
                          {CONSTANT_FIXED, 422},
                          {code_name(Code::NUMBER_RANGE), 422},
                          {code_name(Code::AGENT_UNKNOWN), 422},
                          {code_name(Code::AGENT_UNFIT), 422},
                          {code_name(Code::AGENT_PARAMETER), 422},
                          {RATE_LIMITED, 429},
                          {DRAINING, 503},
                          {TABLE_ELSEWHERE, 503},
                          {code_name(Code::STORE_FAILED), 503},
                          {code_name(Code::STORE_DAMAGED), 503},
                          {code_name(Code::INTERNAL), 500}};
  for (const Row& row : rows)
    if (rejection.code == row.code) return row.status;
  if (rejection.details.is_object() && rejection.details.contains("diagnostics")) return 422;
  return 400;
}

// ---- Games.

Json game_line(const Game& game) {
  const GameInfo& info = game.info();
  return {{"id", info.id},
          {"name", info.name},
          {"description", info.description},
          {"players", {{"min", info.min_players}, {"max", info.max_players}}},
          {"seats", info.seats},
          {"chance", info.has_chance},
          {"hiddenInformation", info.hidden_information}};
}

Json game_page(const Game& game, const host::SceneMade& scene) {
  Json out = game_line(game);
  out["rules"] = Json::array();
  for (const OfferedRule& rule : game.offered_rules())
    out["rules"].push_back(parlor::to_json(rule));
  out["observers"] = game.info().observers;
  out["fingerprint"] = fmt::format("{:016x}", game.info().fingerprint);
  out["constants"] = scene.scene.value("constants", Json::array());
  out["scene"] = scene.scene;
  out["sceneHash"] = scene.hash;
  return out;
}

}  // namespace parlor::wire
