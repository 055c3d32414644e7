// Everything together: `parlor serve`.
#pragma once

#include <memory>
#include <ostream>

#include "game/catalog.h"
#include "server/settings.h"

namespace parlor::server {

class Server {
 public:
  // The catalog must be one without files by path.
  Server(const Catalog& catalog, ServerSettings settings, std::ostream& journal);
  ~Server();

  // Opens the store, takes in its tables and listens.
  Applied start();
  unsigned short port() const;
  unsigned short admin_port() const;  // 0: none
  // Until `drain`, or until SIGINT or SIGTERM if `signals`.
  void run(bool signals);
  // Stops accepting, tells everybody to come back, finishes writing, ends `run`. From any thread.
  void drain();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parlor::server
