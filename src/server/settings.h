// What a server is started with. Everything has a default; `--config FILE` and the options of
// `parlor serve` change it.
#pragma once

#include <string>
#include <vector>

#include "host/room.h"

namespace parlor::server {

struct Limits {
  host::Rate requests{20, 1'000};
  host::Rate handles{60, 3'600'000};
  host::Rate tables{30, 3'600'000};
  host::Rate acts{10, 1'000};
  host::Rate why{5, 1'000};
  std::size_t sockets_per_address = 20;
  std::size_t sockets = 20'000;
  std::size_t waiting_frames = 64;
  std::size_t waiting_bytes = 256 * 1024;
  host::Time header_within = 10'000;
  host::Time hello_within = 5'000;
  host::Time ping_every = 30'000;
};

struct ServerSettings {
  std::string listen = "127.0.0.1:8080";
  std::string admin;                       // where /metrics is; empty: nowhere
  std::string store = "sqlite:parlor.db";  // or "memory", "postgres:CONNINFO"
  std::string node;                        // among several on one database; empty: made up
  std::string peer;                        // where other nodes reach it; empty: as `listen`
  int lease_seconds = 10;                  // how long a node that says nothing keeps its tables
  std::string web;                         // folder with the page; empty: none
  std::vector<std::string> origins;        // pages of other hosts that may use this server
  std::vector<std::string> proxies;        // addresses whose X-Forwarded-For is believed
  std::size_t table_threads = 0;           // 0: as many as there are cores
  std::size_t bot_threads = 0;             // 0: all cores but one
  std::string program = "/proc/self/exe";  // looks at texts of others, in a process of its own
  bool uploads = false;                    // whether people may send games
  Limits limits;
  host::Settings host;
};

// Reads a JSON object with any of: listen, admin, store, node, peer, leaseSeconds, web, origins,
// proxies, tableThreads, botThreads, botDelayMs, uploads, limits {requestsPerSecond,
// handlesPerHour, tablesPerHour, actsPerSecond, whyPerSecond, socketsPerAddress, sockets}.
tl::expected<void, std::string> read_settings(const Json& json, ServerSettings& settings);

}  // namespace parlor::server
