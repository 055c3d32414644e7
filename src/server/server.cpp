#include "server/server.h"

#include <fmt/core.h>
#include <thread>

#include "host/threads.h"
#include "server/listener.h"

namespace parlor::server {
namespace {

constexpr host::Time drain_within = 5'000, look_every = 20;
constexpr host::Time come_back_after = 2'000;

std::size_t cores() {
  return std::max(1u, std::thread::hardware_concurrency());
}

tl::expected<std::unique_ptr<host::Archive>, Rejection> open_store(const std::string& store) {
  constexpr std::string_view sqlite = "sqlite:";
  if (store == "memory") return host::memory_archive();
  if (store.starts_with(sqlite)) return host::sqlite_archive(store.substr(sqlite.size()));
  return tl::unexpected(Rejection{
      Code::USAGE, fmt::format("`{}` is no store; stores are sqlite:FILE and memory", store)});
}

}  // namespace

// From the ground up: what stands further down uses what stands above it.
struct Server::Parts {
  Parts(const Catalog& catalog, ServerSettings wanted, std::ostream& out)
      : settings(std::move(wanted)),
        journal(out, timers),
        games(catalog),
        tables(settings.table_threads != 0 ? settings.table_threads : cores()),
        bots(settings.bot_threads != 0 ? settings.bot_threads
                                       : std::max<std::size_t>(1, cores() - 1),
             10),
        writing(1),
        gate(settings.limits) {}

  ServerSettings settings;
  host::SystemTimers timers;
  Journal journal;
  host::Games games;
  host::ThreadPool tables, bots, writing;
  Gate gate;
  std::unique_ptr<host::Archive> archive;
  std::optional<host::Host> host;
  std::optional<Router> router;
  std::optional<Listener> listener;
  unsigned short port = 0, admin_port = 0;
  host::Time drain_until = 0;
  std::atomic<bool> draining = false;

  void look_whether_done() {
    const bool done = host->quiet() && gate.sockets() == 0;
    if (done || timers.now() >= drain_until) return listener->stop();
    listener->after(look_every, [this] { look_whether_done(); });
  }
};

Server::Server(const Catalog& catalog, ServerSettings settings, std::ostream& journal)
    : parts_(std::make_unique<Parts>(catalog, std::move(settings), journal)) {}

// Threads end first; then nobody uses what they used.
Server::~Server() {
  parts_->timers.stop();
  parts_->bots.stop();
  parts_->tables.stop();
  parts_->writing.stop();
}

Applied Server::start() {
  Parts& p = *parts_;
  auto archive = open_store(p.settings.store);
  if (!archive) return tl::unexpected(std::move(archive.error()));
  p.archive = std::move(*archive);
  p.host.emplace(host::HostParts{.timers = p.timers,
                                 .tables = p.tables,
                                 .bots = p.bots,
                                 .writing = p.writing,
                                 .archive = *p.archive,
                                 .games = p.games,
                                 .random = host::system_random,
                                 .encode = wire::encode,
                                 .settings = p.settings.host});
  if (auto started = p.host->start(); !started) return started;
  p.router.emplace(*p.host, p.gate, p.settings);
  p.listener.emplace(*p.host, *p.router, p.gate, p.journal, p.settings);
  const auto port = p.listener->listen(p.settings.listen, false);
  if (!port) return tl::unexpected(Rejection{Code::USAGE, port.error()});
  p.port = *port;
  if (!p.settings.admin.empty()) {
    const auto admin = p.listener->listen(p.settings.admin, true);
    if (!admin) return tl::unexpected(Rejection{Code::USAGE, admin.error()});
    p.admin_port = *admin;
  }
  p.journal.note("listening", {{"port", p.port}, {"tables", p.host->gauges().tables}});
  return {};
}

unsigned short Server::port() const {
  return parts_->port;
}

unsigned short Server::admin_port() const {
  return parts_->admin_port;
}

void Server::run(bool signals) {
  parts_->listener->run(signals ? std::function<void()>([this] { drain(); })
                                : std::function<void()>());
  parts_->journal.note("stopped");
}

void Server::drain() {
  Parts& p = *parts_;
  if (p.draining.exchange(true)) return;
  p.journal.note("draining", {{"sockets", p.gate.sockets()}});
  p.drain_until = p.timers.now() + drain_within;
  p.listener->stop_accepting();
  p.host->drain(close_draining, "the server is going down", come_back_after);
  p.listener->after(look_every, [&p] { p.look_whether_done(); });
}

}  // namespace parlor::server
