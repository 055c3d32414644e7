// From text to data.
#include <array>
#include <fmt/core.h>

#include "wire/wire.h"

namespace parlor::wire {
namespace {

constexpr std::size_t longest_id = 64;
constexpr std::int64_t most_number = std::int64_t{1} << 53;

Rejection invalid(std::string message, std::string_view field = {}) {
  Json details = Json::object();
  if (!field.empty()) details["field"] = field;
  return {host::code::REQUEST_INVALID, std::move(message), std::move(details)};
}

// How deep brackets nest, without building anything.
std::size_t nesting(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool inside_text = false, escaped = false;
  for (const char c : text) {
    if (escaped) {
      escaped = false;
    } else if (inside_text) {
      escaped = c == '\\';
      if (c == '"') inside_text = false;
    } else if (c == '"') {
      inside_text = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

// Takes the fields of a frame and remembers what is wrong first.
class FrameReader {
 public:
  explicit FrameReader(const Json& json) : json_(json) {}

  std::string text(const char* key, std::size_t longest, bool needed) {
    const Json* const found = find(key, needed);
    if (found == nullptr) return {};
    if (found->is_string() && found->get_ref<const std::string&>().size() <= longest) return *found;
    wrong(key, fmt::format("must be a text of at most {} bytes", longest));
    return {};
  }
  // Chosen by the client. Those that begin with `~` are the table's own.
  std::string id(bool needed) {
    std::string out = text("id", longest_id, needed);
    if ((needed && out.empty()) || out.starts_with('~'))
      wrong("id", "must be a text of 1 to 64 bytes that does not begin with `~`");
    return out;
  }
  std::optional<std::uint64_t> number(const char* key, bool needed) {
    const Json* const found = find(key, needed);
    if (found == nullptr) return std::nullopt;
    if (const auto value = integer_in(*found, 0, most_number))
      return static_cast<std::uint64_t>(*value);
    wrong(key, "must be a whole number");
    return std::nullopt;
  }
  // What is meant by an act: the number of an option, or a request in words.
  Json meant(bool numbers) {
    if (numbers && json_.contains("option")) {
      const auto option = number("option", true);
      return option ? Json{{"index", *option}} : Json();
    }
    const Json* const request = find("request", true);
    if (request == nullptr) return {};
    if (request->is_object() || request->is_string()) return *request;
    wrong("request", "must be an object or a text");
    return {};
  }
  host::OfferKind offer_kind() {
    const auto kind = host::offer_kind_named(text("kind", 20, true));
    if (!kind) wrong("kind", "must be undo, draw, rematch, pause or abort");
    return kind.value_or(host::OfferKind::undo);
  }
  bool flag(const char* key) {
    const Json* const found = find(key, true);
    if (found != nullptr && !found->is_boolean()) wrong(key, "must be true or false");
    return found != nullptr && found->is_boolean() && found->get<bool>();
  }
  const Json* find(const char* key, bool needed) {
    const auto found = json_.find(key);
    if (found != json_.end() && !found->is_null()) return &*found;
    if (needed) wrong(key, "is missing");
    return nullptr;
  }
  void wrong(std::string_view key, std::string_view what) {
    if (!error) error = invalid(fmt::format("`{}` {}", key, what), key);
  }

  std::optional<Rejection> error;

 private:
  const Json& json_;
};

ClientFrame read_hello(FrameReader& in) {
  Hello out{.token = in.text("token", 200, false),
            .invite = in.text("invite", 200, false),
            .watch = false,
            .complete = false,
            .since_seq = {},
            .since_rev = {}};
  const std::string as = in.text("as", 10, false);
  if (!as.empty() && as != "seat" && as != "watch") in.wrong("as", "must be `seat` or `watch`");
  out.watch = as == "watch";
  if (in.find("complete", false) != nullptr) out.complete = in.flag("complete");
  if (const Json* since = in.find("since", false)) {
    if (!since->is_object()) in.wrong("since", "must be an object");
    FrameReader inner{*since};
    if (since->is_object()) {
      out.since_seq = inner.number("seq", false);
      out.since_rev = inner.number("rev", false);
    }
    if (inner.error) in.error = inner.error;
  }
  return out;
}

ClientFrame read_act(FrameReader& in) {
  ActFrame out;
  out.id = in.id(true);
  out.rev = in.number("rev", true).value_or(0);
  out.content = in.meant(true);
  return out;
}

ClientFrame read_why(FrameReader& in) {
  WhyFrame out;
  out.id = in.id(true);
  out.request = in.meant(true);
  return out;
}

ClientFrame read_offer(FrameReader& in) {
  return OfferFrame{in.offer_kind()};
}

ClientFrame read_answer(FrameReader& in) {
  AnswerFrame out;
  out.kind = in.offer_kind();
  out.yes = in.flag("yes");
  return out;
}

ClientFrame read_resign(FrameReader& in) {
  return ResignFrame{in.id(false)};
}

ClientFrame read_claim(FrameReader& in) {
  ClaimFrame out{.what = in.text("what", 10, true), .seat = {}};
  if (const auto seat = in.number("seat", false)) {
    if (*seat < max_players)
      out.seat = static_cast<int>(*seat);
    else
      in.wrong("seat", "is no seat");
  }
  return out;
}

ClientFrame read_queue(FrameReader& in) {
  QueueFrame out;
  const Json* const acts = in.find("acts", true);
  if (acts == nullptr) return out;
  if (!acts->is_array() || acts->size() > 64) {
    in.wrong("acts", "must be a list");
    return out;
  }
  for (const Json& act : *acts) {
    if (!act.is_object()) {
      in.wrong("acts", "must be objects with a `request`");
      break;
    }
    FrameReader one{act};
    host::QueuedAct queued;
    // Numbers of options mean something only for the decision that lists them.
    queued.content = one.meant(false);
    queued.after = one.number("after", false);
    if (const Json* condition = one.find("if", false)) {
      if (condition->is_object() && condition->contains("act"))
        queued.only_if = (*condition)["act"];
      else
        one.wrong("if", "must be {\"act\": …}");
    }
    if (one.error) in.error = one.error;
    out.acts.push_back(std::move(queued));
  }
  return out;
}

ClientFrame read_chat(FrameReader& in) {
  return ChatFrame{in.text("text", 4096, true)};
}

ClientFrame read_ping(FrameReader& in) {
  const Json* const c = in.find("c", false);
  if (c != nullptr && !c->is_primitive()) in.wrong("c", "must be a number or a text");
  return PingFrame{c == nullptr || !c->is_primitive() ? Json() : *c};
}

ClientFrame read_sync(FrameReader&) {
  return SyncFrame{};
}

struct FrameKind {
  std::string_view name;
  ClientFrame (*read)(FrameReader&);
};
constexpr std::array frame_kinds{FrameKind{"hello", read_hello},   FrameKind{"act", read_act},
                                 FrameKind{"why", read_why},       FrameKind{"offer", read_offer},
                                 FrameKind{"answer", read_answer}, FrameKind{"resign", read_resign},
                                 FrameKind{"claim", read_claim},   FrameKind{"queue", read_queue},
                                 FrameKind{"chat", read_chat},     FrameKind{"ping", read_ping},
                                 FrameKind{"sync", read_sync}};

// So that even a refusal can be told apart by who sent the frame.
std::string id_of(const Json& json) {
  const auto id = json.find("id");
  if (id == json.end() || !id->is_string()) return {};
  return id->get<std::string>().substr(0, longest_id);
}

}  // namespace

tl::expected<Json, Rejection> read_object(std::string_view text) {
  if (nesting(text) > deepest_json)
    return tl::unexpected(
        invalid(fmt::format("the JSON is nested deeper than {} levels", deepest_json)));
  auto json = parse_json(text);
  if (!json) return tl::unexpected(Rejection{Code::JSON_INVALID, std::move(json.error())});
  if (!json->is_object()) return tl::unexpected(invalid("must be a JSON object"));
  return std::move(*json);
}

tl::expected<ClientFrame, BadFrame> read_frame(std::string_view text) {
  if (text.size() > longest_frame)
    return tl::unexpected(BadFrame{{},
                                   {host::code::REQUEST_TOO_LARGE,
                                    fmt::format("a frame has at most {} bytes", longest_frame)}});
  const auto json = read_object(text);
  if (!json) return tl::unexpected(BadFrame{{}, json.error()});
  FrameReader in{*json};
  const std::string kind = in.text("t", 20, true);
  for (const FrameKind& known : frame_kinds) {
    if (known.name != kind) continue;
    ClientFrame frame = known.read(in);
    if (in.error) return tl::unexpected(BadFrame{id_of(*json), *in.error});
    return frame;
  }
  return tl::unexpected(BadFrame{
      id_of(*json), in.error.value_or(invalid(fmt::format("there is no frame `{}`", kind), "t"))});
}

tl::expected<TableRequest, Rejection> read_table_request(const Json& body) {
  auto config = host::table_config_from_json(body);
  if (!config) return tl::unexpected(std::move(config.error()));
  auto sit = read_seat(body, "sit");
  if (!sit) return tl::unexpected(std::move(sit.error()));
  return TableRequest{std::move(*config), *sit};
}

tl::expected<std::string, Rejection> read_text(const Json& body, const char* field) {
  const auto found = body.find(field);
  if (found != body.end() && found->is_string()) return found->get<std::string>();
  return tl::unexpected(invalid(fmt::format("`{}` must be a text", field), field));
}

tl::expected<std::optional<int>, Rejection> read_seat(const Json& body, const char* field) {
  const auto found = body.find(field);
  if (found == body.end() || found->is_null()) return std::optional<int>{};
  if (const auto seat = integer_in(*found, 0, static_cast<std::int64_t>(max_players) - 1))
    return std::optional<int>{static_cast<int>(*seat)};
  return tl::unexpected(invalid(fmt::format("`{}` must be the number of a seat", field), field));
}

}  // namespace parlor::wire
