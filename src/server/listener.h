// Sockets: accepts connections, reads requests and frames within limits, writes answers. The only
// part that knows them; the rest of the server is behind Router and Dialogue.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/dialogue.h"
#include "server/journal.h"
#include "server/router.h"

namespace parlor::server {

class Listener {
 public:
  Listener(host::Host& host, Router& router, Gate& gate, Journal& journal,
           const ServerSettings& settings, const host::Cluster* cluster = nullptr);
  ~Listener();

  // Binds to ADDRESS:PORT and begins to accept. The port it got, or what went wrong.
  tl::expected<unsigned short, std::string> listen(const std::string& where, bool admin);
  // Runs until `stop`. SIGINT and SIGTERM call `on_signal`, if there is one, on this thread.
  void run(std::function<void()> on_signal);
  // No more connections; those there are stay.
  void stop_accepting();
  void stop();
  // Runs the task on the thread of `run`, at once or after some milliseconds.
  void after(host::Time milliseconds, host::Task task);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parlor::server
