#include "server/server.h"

#include <csignal>
#include <filesystem>
#include <fmt/core.h>
#include <thread>

#include "host/secrets.h"
#include "host/threads.h"
#include "host/words.h"
#include "server/listener.h"
#include "server/uploads.h"
#ifdef PARLOR_POSTGRES
#include "table_pg/table_pg.h"
#endif

namespace parlor::server {
namespace {

constexpr host::Time drain_within = 5'000, look_every = 20;
constexpr host::Time come_back_after = 2'000;

std::size_t cores() {
  return std::max(1u, std::thread::hardware_concurrency());
}

// Where everything is kept, and who else keeps something there.
struct Store {
  std::unique_ptr<host::Archive> archive;
  host::Cluster* cluster = nullptr;
  host::Time clock_offset = 0;
};

tl::expected<Store, Rejection> open_postgres([[maybe_unused]] const std::string& conninfo,
                                             [[maybe_unused]] const ServerSettings& settings) {
#ifdef PARLOR_POSTGRES
  auto made = table_pg::open(
      {.conninfo = conninfo,
       .node = settings.node.empty() ? host::new_id(host::system_random) : settings.node,
       .address = settings.peer.empty() ? settings.listen : settings.peer,
       .lease_seconds = std::max(1, settings.lease_seconds),
       .fresh_key = host::new_token(host::system_random)});
  if (!made) return tl::unexpected(std::move(made.error()));
  Store out;
  out.cluster = made->get();
  out.clock_offset = (*made)->clock_offset();
  out.archive = std::move(*made);
  return out;
#else
  return tl::unexpected(
      Rejection{Code::USAGE, "this program was built without PostgreSQL (libpq-dev)"});
#endif
}

// What clients are told to keep to.
Json limits_told(const ServerSettings& settings) {
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  return {{"frameBytes", wire::longest_frame},
          {"jsonLevels", wire::deepest_json},
          {"chatCharacters", host::longest_chat},
          {"queuedActs", settings.host.queue_most},
          {"actsPerSecond", whole(settings.limits.acts.most)},
          {"whyPerSecond", whole(settings.limits.why.most)},
          {"pingSeconds", settings.limits.ping_every / 1000}};
}

tl::expected<Store, Rejection> open_store(const ServerSettings& settings) {
  constexpr std::string_view sqlite = "sqlite:", postgres = "postgres:";
  const std::string& store = settings.store;
  if (store == "memory") return Store{host::memory_archive()};
  if (store.starts_with(postgres)) return open_postgres(store.substr(postgres.size()), settings);
  if (!store.starts_with(sqlite))
    return tl::unexpected(Rejection{
        Code::USAGE,
        fmt::format("`{}` is no store; stores are sqlite:FILE, postgres:CONNINFO and memory",
                    store)});
  auto made = host::sqlite_archive(store.substr(sqlite.size()));
  if (!made) return tl::unexpected(std::move(made.error()));
  return Store{std::move(*made)};
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
  host::Inline here;
  Gate gate;
  Store store;
  std::optional<host::Host> host;
  std::optional<Router> router;
  std::optional<Listener> listener;
  unsigned short port = 0, admin_port = 0;
  host::Time drain_until = 0;
  std::atomic<bool> draining = false;

  void look_whether_done() {
    const bool done = host->quiet() && gate.sockets() == 0;
    if (done || timers.now() >= drain_until) {
      host->leave();
      return listener->stop();
    }
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
  if (std::error_code ignored;
      !p.settings.web.empty() && !std::filesystem::is_directory(p.settings.web, ignored))
    return tl::unexpected(Rejection{
        Code::USAGE, fmt::format("there is no folder `{}` with the page in it", p.settings.web)});
  p.settings.host.limits_told = limits_told(p.settings);
  auto store = open_store(p.settings);
  if (!store) return tl::unexpected(std::move(store.error()));
  p.store = std::move(*store);
  p.timers.set_offset(p.store.clock_offset);
  if (p.settings.uploads) p.games.set_uploads(upload_opener(*p.store.archive));
  p.host.emplace(host::HostParts{
      .timers = p.timers,
      .tables = p.tables,
      .bots = p.bots,
      // Memory is kept as soon as it is written: no thread for it.
      .writing = p.settings.store == "memory" ? static_cast<host::Executor&>(p.here) : p.writing,
      .archive = *p.store.archive,
      .games = p.games,
      .random = host::system_random,
      .encode = wire::encode,
      .settings = p.settings.host,
      .cluster = p.store.cluster});
  if (auto started = p.host->start(); !started) return started;
  p.router.emplace(*p.host, p.gate, p.settings);
  p.listener.emplace(*p.host, *p.router, p.gate, p.journal, p.settings, p.store.cluster);
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
  // Whoever reads the journal may go; tables stay.
  if (signals) std::signal(SIGPIPE, SIG_IGN);
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
