// A server in this process, on a free port.
#pragma once

#include <sstream>
#include <thread>

#include "open/open.h"
#include "server/line.h"
#include "server/server.h"

namespace parlor::test {

inline server::ServerSettings free_settings() {
  server::ServerSettings out;
  out.listen = "127.0.0.1:0";
  out.admin = "127.0.0.1:0";
  out.store = "memory";
  out.host.bot_delay = 0;
  server::Limits& limits = out.limits;
  for (host::Rate* rate :
       {&limits.requests, &limits.handles, &limits.tables, &limits.acts, &limits.why})
    rate->most = 1e9;
  limits.sockets_per_address = 10'000;
  return out;
}

class Running {
 public:
  explicit Running(const server::ServerSettings& settings = free_settings())
      : server_(std::make_unique<server::Server>(catalog(), settings, journal)) {
    const auto started = server_->start();
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    port = server_->port();
    admin = server_->admin_port();
    thread_ = std::thread([this] { server_->run(false); });
  }
  ~Running() { stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_->drain();
    thread_.join();
    server_.reset();
  }

  std::string handle(const std::string& name) {
    return ask(port, "POST", "/api/v1/handles", "", {{"name", name}}).json().value("token", "");
  }
  Json table(const std::string& token, const Json& config) {
    return ask(port, "POST", "/api/v1/tables", token, config).json();
  }
  Reply post(const std::string& path, const std::string& token, const Json& body = Json::object()) {
    return ask(port, "POST", "/api/v1/tables/" + path, token, body);
  }

  unsigned short port = 0, admin = 0;
  std::ostringstream journal;

 private:
  static const Catalog& catalog() {
    static const Catalog all = open::catalog(open::Files::none);
    return all;
  }
  std::unique_ptr<server::Server> server_;
  std::thread thread_;
};

}  // namespace parlor::test
