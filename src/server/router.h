// Requests and what they are answered, without sockets: bytes in, an answer out, on whatever thread
// finishes it.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/host.h"
#include "server/gate.h"
#include "server/static_files.h"

namespace parlor::server {

struct HttpRequest {
  std::string method, target, body;
  std::map<std::string, std::string> headers;  // names in small letters
  std::string address;
  bool admin = false;    // came in by the admin's door
  bool relayed = false;  // came from another node, which has looked at limits and origin

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string{} : found->second;
  }
};

struct HttpResponse {
  unsigned status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string type = "application/json";
};
// With what its status asks for: when to try again, which token.
HttpResponse refusal(const Rejection& rejection);
using Respond = std::function<void(HttpResponse)>;

// A part of a target: "/api/v1/tables/abc/log?from=3".
struct Target {
  std::vector<std::string> path;
  std::map<std::string, std::string> query;
};
Target read_target(std::string_view text);  // percent signs decoded

// How many bytes the body of such a request may have.
std::size_t longest_body_of(std::string_view method, std::string_view target);

// The bearer token of a request; empty if there is none.
std::string bearer(const HttpRequest& request);

class Router {
 public:
  Router(host::Host& host, Gate& gate, const ServerSettings& settings);

  void handle(HttpRequest request, Respond respond);
  // How a request gets to the node at an address that runs its table.
  using Forward =
      std::function<void(const std::string& address, const HttpRequest& request, Respond respond)>;
  void set_forward(Forward forward) { forward_ = std::move(forward); }
  // The headers of every answer, pages included.
  static const std::vector<std::pair<std::string, std::string>>& safety_headers();
  // Whether an upgrade to a socket may go on, and for which table.
  tl::expected<std::string, Rejection> socket_table(const HttpRequest& request) const;

 private:
  struct Call;
  using Handler = void (Router::*)(const std::shared_ptr<Call>&);
  struct Route {
    std::string_view method, path;  // "/tables/*/sit"
    Handler handler;
  };
  static const std::vector<Route>& routes();

  void dispatch(HttpRequest request, Respond respond);
  void route(const std::shared_ptr<Call>& call, const Target& target);
  void identify(const std::shared_ptr<Call>& call, Handler handler);
  Respond once_for_key(const HttpRequest& request, Respond respond, bool& answered);

  void list_games(const std::shared_ptr<Call>& call);
  void show_game(const std::shared_ptr<Call>& call);
  void try_options(const std::shared_ptr<Call>& call);
  void make_handle(const std::shared_ptr<Call>& call);
  void rename_handle(const std::shared_ptr<Call>& call);
  void drop_handle(const std::shared_ptr<Call>& call);
  void list_tables(const std::shared_ptr<Call>& call);
  void make_table(const std::shared_ptr<Call>& call);
  void show_table(const std::shared_ptr<Call>& call);
  void sit(const std::shared_ptr<Call>& call);
  void stand(const std::shared_ptr<Call>& call);
  void ready(const std::shared_ptr<Call>& call);
  void seat_bot(const std::shared_ptr<Call>& call);
  void start_table(const std::shared_ptr<Call>& call);
  void kick(const std::shared_ptr<Call>& call);
  void show_log(const std::shared_ptr<Call>& call);
  void show_replay(const std::shared_ptr<Call>& call);
  void upload(const std::shared_ptr<Call>& call);
  void check(const std::shared_ptr<Call>& call);
  void evaluate(const std::shared_ptr<Call>& call);

  HttpResponse metrics() const;
  // At the table of the call, or the refusal is the answer.
  void at_table(const std::shared_ptr<Call>& call,
                std::function<void(const std::shared_ptr<host::Room>&)> work);
  void games_text(std::function<void(const std::string&)> then);

  host::Host& host_;
  Gate& gate_;
  const ServerSettings& settings_;
  StaticFiles files_;
  Forward forward_;

  std::mutex mutex_;
  std::string games_text_;                    // made when first asked for
  std::map<std::string, std::string> pages_;  // of games, by name and number of players
  struct Remembered {
    host::Time at = 0;
    std::optional<HttpResponse> response;
    std::vector<Respond> waiting;
  };
  std::map<std::string, Remembered> remembered_;  // by who, what and Idempotency-Key
};

}  // namespace parlor::server
