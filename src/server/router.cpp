#include "server/router.h"

#include <charconv>
#include <fmt/core.h>

#include "host/secrets.h"
#include "server/call.h"
#include "server/rules_text.h"

namespace parlor::server {
namespace {

constexpr std::string_view api = "/api/v1";
constexpr host::Time key_kept_for = 600'000;
constexpr std::size_t most_keys = 10'000;

bool writes(std::string_view method) {
  return method != "GET" && method != "HEAD";
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto [end, error] =
          std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
      if (error == std::errc{} && end == text.data() + i + 3) {
        out += static_cast<char>(value);
        i += 2;
        continue;
      }
    }
    out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

Target read_target(std::string_view text) {
  Target out;
  const auto question = std::min(text.find('?'), text.size());
  for (const std::string_view part : parts_of(text.substr(0, question), '/'))
    out.path.push_back(decoded(part));
  if (question == text.size()) return out;
  for (const std::string_view pair : parts_of(text.substr(question + 1), '&')) {
    const auto equals = std::min(pair.find('='), pair.size());
    out.query[decoded(pair.substr(0, equals))] =
        equals == pair.size() ? "" : decoded(pair.substr(equals + 1));
  }
  return out;
}

std::size_t longest_body_of(std::string_view method, std::string_view target) {
  if (method != "POST") return wire::longest_body;
  const std::string_view path = target.substr(0, target.find('?'));
  return path == "/api/v1/check" || path == "/api/v1/eval" || path == "/api/v1/uploads"
             ? wire::longest_upload
             : wire::longest_body;
}

std::string bearer(const HttpRequest& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string value = request.header("authorization");
  return value.starts_with(scheme) ? value.substr(scheme.size()) : std::string{};
}

const std::vector<std::pair<std::string, std::string>>& Router::safety_headers() {
  static const std::vector<std::pair<std::string, std::string>> all{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
       "data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  return all;
}

Router::Router(host::Host& host, Gate& gate, const ServerSettings& settings)
    : host_(host), gate_(gate), settings_(settings), files_(settings.web) {}

const std::vector<Router::Route>& Router::routes() {
  static const std::vector<Route> all{
      {"GET", "games", &Router::list_games},
      {"GET", "games/*", &Router::show_game},
      {"POST", "games/*/options", &Router::try_options},
      {"POST", "handles", &Router::make_handle},
      {"PATCH", "handles/me", &Router::rename_handle},
      {"DELETE", "handles/me", &Router::drop_handle},
      {"GET", "tables", &Router::list_tables},
      {"POST", "tables", &Router::make_table},
      {"GET", "tables/*", &Router::show_table},
      {"POST", "tables/*/sit", &Router::sit},
      {"POST", "tables/*/stand", &Router::stand},
      {"POST", "tables/*/ready", &Router::ready},
      {"POST", "tables/*/bot", &Router::seat_bot},
      {"POST", "tables/*/start", &Router::start_table},
      {"POST", "tables/*/kick", &Router::kick},
      {"GET", "tables/*/log", &Router::show_log},
      {"GET", "tables/*/replay", &Router::show_replay},
      {"POST", "uploads", &Router::upload},
      {"POST", "check", &Router::check},
      {"POST", "eval", &Router::evaluate},
  };
  return all;
}

// ---- From a request to its handler.

void Router::handle(HttpRequest request, Respond respond) {
  // Answers to the same key are the same answer.
  bool answered = false;
  if (writes(request.method) && !request.header("idempotency-key").empty())
    respond = once_for_key(request, std::move(respond), answered);
  if (!answered) dispatch(std::move(request), std::move(respond));
}

void Router::dispatch(HttpRequest request, Respond respond) {
  auto call =
      std::make_shared<Call>(Call{.request = std::move(request), .respond = std::move(respond)});
  const HttpRequest& asked = call->request;
  const std::string path = asked.target.substr(0, asked.target.find('?'));
  const bool reads = !writes(asked.method);
  if (reads && path == "/healthz") return call->answer(200, {{"ok", true}});
  if (reads && path == "/readyz")
    return call->answer(host_.draining() ? 503 : 200, {{"ok", !host_.draining()}});
  if (asked.admin && reads && path == "/metrics") return call->respond(metrics());
  const Asking asking{.origin = call->request.headers["origin"],
                      .host = call->request.headers["host"],
                      .has_origin = !asked.header("origin").empty(),
                      .browser = !asked.header("sec-fetch-site").empty()};
  if (!reads && !asked.relayed && !origin_allowed(asking, settings_.origins))
    return call->refuse({host::code::ORIGIN_REFUSED, "this page may not use the server"});
  if (!asked.relayed)
    if (auto refused =
            gate_.refuse(Doing::request, asked.address, "", host_.services().timers.now()))
      return call->refuse(*refused);
  if (path == api || path.starts_with("/api/v1/")) return route(call, read_target(asked.target));
  if (reads)
    if (const StaticFile* file = files_.find(path)) return call->send_file(*file);
  // People who mistyped an address are told so by the page, programs in JSON.
  const bool person = reads && asked.header("accept").find("text/html") != std::string::npos;
  if (const StaticFile* page = person ? files_.find("/") : nullptr)
    return call->send_file(*page, 404);
  call->refuse({host::code::ROUTE_UNKNOWN, "there is nothing at this address"});
}

void Router::route(const std::shared_ptr<Call>& call, const Target& target) {
  const bool head = call->request.method == "HEAD";
  const std::string method = head ? "GET" : call->request.method;
  bool known = false;
  for (const Route& route : routes()) {
    const auto pattern = parts_of(route.path, '/');
    std::vector<std::string> stars;
    bool fits = pattern.size() + 2 == target.path.size();
    for (std::size_t i = 0; fits && i < pattern.size(); ++i) {
      if (pattern[i] == "*")
        stars.push_back(target.path[i + 2]);
      else
        fits = pattern[i] == target.path[i + 2];
    }
    if (!fits) continue;
    known = true;
    if (route.method != method) continue;
    call->query = target.query;
    call->stars = std::move(stars);
    call->token = bearer(call->request);
    if (writes(method)) {
      if (call->request.body.size() > longest_body_of(method, call->request.target))
        return call->refuse({host::code::REQUEST_TOO_LARGE, "the body is too large"});
      auto body = call->request.body.empty() ? tl::expected<Json, Rejection>{Json::object()}
                                             : wire::read_object(call->request.body);
      if (!body) return call->refuse(body.error());
      call->body = std::move(*body);
    }
    // Who they are and what they want is asked of the archive, which may take a while: not on this
    // thread.
    host_.services().tables.post(
        [this, call, handler = route.handler] { identify(call, handler); });
    return;
  }
  if (known) {
    call->respond(
        {405,
         {},
         canonical(wire::error_body({host::code::ROUTE_UNKNOWN, "not with this method"}))});
    return;
  }
  call->refuse({host::code::ROUTE_UNKNOWN, "there is nothing at this address"});
}

void Router::identify(const std::shared_ptr<Call>& call, Handler handler) {
  auto caller = host_.caller(call->token, call->request.header("parlor-invite"));
  if (!caller) return call->refuse(caller.error());
  call->caller = std::move(*caller);
  if (const auto invite = call->body.find("invite");
      invite != call->body.end() && invite->is_string())
    call->caller.invite_hash = host::sha256(invite->get<std::string>());
  (this->*handler)(call);
}

Respond Router::once_for_key(const HttpRequest& request, Respond respond, bool& answered) {
  const std::string key = host::sha256(
      request.method + "\n" + request.target + "\n" + bearer(request) + "\n" +
      (bearer(request).empty() ? request.address : "") + "\n" + request.header("idempotency-key"));
  const host::Time now = host_.services().timers.now();
  const std::lock_guard lock{mutex_};
  if (remembered_.size() >= most_keys)
    std::erase_if(remembered_, [&](const auto& one) {
      return one.second.response && now - one.second.at > key_kept_for;
    });
  auto [place, fresh] = remembered_.try_emplace(key);
  if (!fresh && place->second.response && now - place->second.at > key_kept_for) {
    place->second = {};
    fresh = true;
  }
  if (!fresh) {
    answered = true;
    if (place->second.response)
      respond(*place->second.response);
    else
      place->second.waiting.push_back(std::move(respond));
    return {};
  }
  place->second.at = now;
  return [this, key, respond = std::move(respond)](const HttpResponse& response) {
    std::vector<Respond> waiting;
    {
      const std::lock_guard inner{mutex_};
      Remembered& mine = remembered_[key];
      mine.response = response;
      waiting = std::move(mine.waiting);
      // Whoever was too fast or came at a bad moment may try again with the same key.
      if (response.status == 429 || response.status >= 500) remembered_.erase(key);
    }
    respond(response);
    for (const Respond& other : waiting) other(response);
  };
}

tl::expected<std::string, Rejection> Router::socket_table(const HttpRequest& request) const {
  const Target target = read_target(request.target);
  const bool fits = target.path.size() == 5 && target.path[0] == "api" && target.path[1] == "v1" &&
                    target.path[2] == "tables" && target.path[4] == "ws";
  if (!fits) return tl::unexpected(Rejection{host::code::ROUTE_UNKNOWN, "there is no socket here"});
  const std::string origin = request.header("origin"), host = request.header("host");
  const Asking asking{.origin = origin,
                      .host = host,
                      .has_origin = !origin.empty(),
                      .browser = !request.header("sec-fetch-site").empty()};
  if (!origin_allowed(asking, settings_.origins))
    return tl::unexpected(
        Rejection{host::code::ORIGIN_REFUSED, "this page may not use the server"});
  return target.path[3];
}

HttpResponse Router::metrics() const {
  const auto gauges = host_.gauges();
  const host::Counters& counters = host_.counters();
  std::string out;
  const auto line = [&](std::string_view name, std::uint64_t value) {
    out += fmt::format("parlor_{} {}\n", name, value);
  };
  line("sockets", gate_.sockets());
  line("tables", gauges.tables);
  line("rooms", gauges.rooms);
  line("bot_queue", gauges.bot_queue);
  line("acts_total", counters.acts);
  line("acts_refused_total", counters.refused);
  line("frames_total", counters.updates);
  line("games_started_total", counters.started);
  line("games_finished_total", counters.finished);
  line("store_waiting", gauges.writes_waiting);
  line("store_groups_total", gauges.writes.groups);
  line("store_transactions_total", gauges.writes.transactions);
  line("store_microseconds_total", gauges.writes.microseconds);
  const Gate::ActTimes acts = gate_.act_times();
  for (std::size_t i = 0; i < acts.bounds.size(); ++i)
    out += fmt::format("parlor_act_milliseconds_bucket{{le=\"{}\"}} {}\n", acts.bounds[i],
                       acts.at_most[i]);
  out += fmt::format("parlor_act_milliseconds_bucket{{le=\"+Inf\"}} {}\n", acts.count);
  line("act_milliseconds_count", acts.count);
  out += fmt::format("parlor_act_milliseconds_sum {:.3f}\n", acts.sum);
  for (const auto& [what, count] : gate_.refused())
    out += fmt::format("parlor_refused_total{{reason=\"{}\"}} {}\n", what, count);
  return {200, {}, out, "text/plain; version=0.0.4"};
}

}  // namespace parlor::server
