#include "server/relay.h"

#include "host/secrets.h"

namespace parlor::server {
namespace {

constexpr host::Time come_back_soon = 500;

Json request_json(const HttpRequest& request) {
  return {{"method", request.method},
          {"target", request.target},
          {"body", request.body},
          {"headers", request.headers},
          {"address", request.address}};
}

// A peer is believed, but what it says is still read with care: it may be of another version.
std::optional<HttpRequest> request_from(const Json& json) {
  HttpRequest out;
  if (!json.is_object()) return std::nullopt;
  for (const auto& [key, into] :
       {std::pair{"method", &out.method}, std::pair{"target", &out.target},
        std::pair{"body", &out.body}, std::pair{"address", &out.address}}) {
    if (!json.contains(key) || !json[key].is_string()) return std::nullopt;
    *into = json[key].get<std::string>();
  }
  const Json headers = json.value("headers", Json::object());
  for (const auto& [name, value] : headers.items())
    if (value.is_string()) out.headers[name] = value.get<std::string>();
  out.relayed = true;
  return out;
}

Json response_json(const HttpResponse& response) {
  return {{"status", response.status},
          {"headers", response.headers},
          {"body", response.body},
          {"type", response.type}};
}

HttpResponse response_from(const Json& json) {
  HttpResponse out{503, {}, canonical(wire::error_body({Code::INTERNAL, "the other server"}))};
  if (!json.is_object() || !json.value("status", Json()).is_number_unsigned()) return out;
  out.status = json["status"].get<unsigned>();
  if (json.value("body", Json()).is_string()) out.body = json["body"].get<std::string>();
  if (json.value("type", Json()).is_string()) out.type = json["type"].get<std::string>();
  for (const Json& header : json.value("headers", Json::array()))
    if (header.is_array() && header.size() == 2 && header[0].is_string() && header[1].is_string())
      out.headers.emplace_back(header[0].get<std::string>(), header[1].get<std::string>());
  return out;
}

struct Message {
  std::string kind;
  std::uint64_t number = 0;
  Json json;
};
std::optional<Message> message_from(std::string_view text) {
  auto json = parse_json(text);
  if (!json || !json->is_object()) return std::nullopt;
  const Json kind = json->value("k", Json()), number = json->value("c", Json());
  if (!kind.is_string() || !number.is_number_unsigned()) return std::nullopt;
  return Message{kind.get<std::string>(), number.get<std::uint64_t>(), std::move(*json)};
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}
host::Time time_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() ? integer_in(*found, 0, 1'000'000'000).value_or(0) : 0;
}

}  // namespace

// ---- The node that was asked.

RelayAsking::Number RelayAsking::open(const std::string& table, const std::string& address,
                                      std::shared_ptr<Outlet> outlet) {
  const Number number = ++last_;
  outlets_[number] = std::move(outlet);
  line_->send(canonical({{"k", "open"}, {"c", number}, {"table", table}, {"address", address}}));
  return number;
}

void RelayAsking::say(Number number, std::string_view text, host::Time lag) {
  line_->send(canonical({{"k", "text"}, {"c", number}, {"text", text}, {"lag", lag}}));
}

void RelayAsking::hang_up(Number number) {
  if (outlets_.erase(number) > 0) line_->send(canonical({{"k", "close"}, {"c", number}}));
}

void RelayAsking::ask(const HttpRequest& request, Respond respond) {
  const Number number = ++last_;
  asked_[number] = std::move(respond);
  line_->send(canonical({{"k", "ask"}, {"c", number}, {"request", request_json(request)}}));
}

void RelayAsking::on_text(std::string_view text) {
  const auto message = message_from(text);
  if (!message) return;
  if (message->kind == "reply") {
    const auto found = asked_.extract(message->number);
    if (found) found.mapped()(response_from(message->json.value("response", Json())));
    return;
  }
  const auto found = outlets_.find(message->number);
  if (found == outlets_.end()) return;
  if (message->kind == "text")
    found->second->send(
        std::make_shared<const host::Frame>(host::Frame{0, text_in(message->json, "text")}));
  if (message->kind != "close") return;
  const std::shared_ptr<Outlet> outlet = found->second;
  hang_up(message->number);  // the other end forgets it, too
  outlet->close(static_cast<int>(time_in(message->json, "code")), text_in(message->json, "reason"),
                time_in(message->json, "retryAfterMs"));
}

void RelayAsking::on_closed() {
  for (const auto& [number, outlet] : std::exchange(outlets_, {}))
    outlet->close(close_moved, "moved", come_back_soon);
  for (const auto& [number, respond] : std::exchange(asked_, {}))
    respond({503,
             {{"Retry-After", "1"}},
             canonical(wire::error_body(
                 {host::code::TABLE_ELSEWHERE, "the server of this table cannot be reached"}))});
}

// ---- The node that runs the table.

// The way out of a conversation that came over a line.
struct RelayAnswering::Conversation final
    : Outlet,
      std::enable_shared_from_this<RelayAnswering::Conversation> {
  Conversation(std::shared_ptr<Line> to, std::uint64_t its_number,
               std::function<void(host::Task)> how_to_post)
      : line(std::move(to)), number(its_number), poster(std::move(how_to_post)) {}

  void send(host::FramePtr frame) override {
    line->send(canonical({{"k", "text"}, {"c", number}, {"text", frame->text}}));
  }
  void close(int code, std::string reason, host::Time retry_after) override {
    line->send(canonical({{"k", "close"},
                          {"c", number},
                          {"code", code},
                          {"reason", reason},
                          {"retryAfterMs", retry_after}}));
    post([self = shared_from_this()] { self->end(); });
  }
  void post(host::Task task) override { poster(std::move(task)); }
  host::Time lag() const override { return latest_lag; }
  void end() {
    if (dialogue) dialogue->on_closed();
    dialogue.reset();
  }

  std::shared_ptr<Line> line;
  const std::uint64_t number;
  std::function<void(host::Task)> poster;
  std::shared_ptr<Dialogue> dialogue;
  host::Time latest_lag = 0;
};

void RelayAnswering::open(std::uint64_t number, const Json& message) {
  auto conversation = std::make_shared<Conversation>(line_, number, parts_.post);
  // Not relayed again: two nodes that each believe the other has a table would go on for ever.
  conversation->dialogue =
      std::make_shared<Dialogue>(parts_.host, parts_.gate, text_in(message, "table"),
                                 text_in(message, "address"), conversation, Dialogue::Elsewhere{});
  open_[number] = std::move(conversation);
}

void RelayAnswering::ask(std::uint64_t number, const Json& message) {
  const auto request = request_from(message.value("request", Json()));
  const auto answer = [line = line_, number](const HttpResponse& response) {
    line->send(canonical({{"k", "reply"}, {"c", number}, {"response", response_json(response)}}));
  };
  if (!request) return answer(response_from(nullptr));
  parts_.router.handle(*request, answer);
}

void RelayAnswering::on_text(std::string_view text) {
  const auto message = message_from(text);
  if (!message) return;
  if (message->kind == "open") return open(message->number, message->json);
  if (message->kind == "ask") return ask(message->number, message->json);
  const auto found = open_.find(message->number);
  if (found == open_.end()) return;
  const std::shared_ptr<Conversation> conversation = found->second;
  if (message->kind == "close" || !conversation->dialogue) {
    open_.erase(found);
    return conversation->end();
  }
  if (message->kind != "text") return;
  conversation->latest_lag = time_in(message->json, "lag");
  conversation->dialogue->on_text(text_in(message->json, "text"));
}

void RelayAnswering::on_closed() {
  for (const auto& [number, conversation] : std::exchange(open_, {})) conversation->end();
}

// ---- Lines.

std::shared_ptr<RelayAsking> Relays::to(const std::string& address) {
  if (const auto found = by_address_.find(address); found != by_address_.end())
    return found->second;
  // The line speaks to its end through this, which is there before the line is.
  const auto end = std::make_shared<std::shared_ptr<RelayAsking>>();
  const auto line = connect_(
      address,
      [end](std::string_view text) {
        if (*end) (*end)->on_text(text);
      },
      [this, end, address] {
        by_address_.erase(address);
        if (const auto gone = std::exchange(*end, nullptr)) gone->on_closed();
      });
  if (!line) return nullptr;
  *end = std::make_shared<RelayAsking>(line);
  return by_address_[address] = *end;
}

}  // namespace parlor::server
