// Many tables in one process: who may sit at them, which there are, and where each one is run.
//
//   host::Host host{{.timers = timers, .tables = pool, …}};
//   host.start();                                            // takes in what the archive has
//   host.make_handle("ann", [](auto made) { … });
//   host.at_table(id, caller, [](Room& room) { room.sit(…); }, [](Rejection) { … });
//
// Any thread may call a Host. Answers come on whatever thread finished the work.
#pragma once

#include <map>
#include <mutex>

#include "host/cluster.h"
#include "host/room.h"

namespace parlor::host {

struct HostParts {
  Timers& timers;
  Executor& tables;  // where rooms run
  Executor& bots;
  Executor& writing;  // one at a time
  Archive& archive;
  Games& games;
  Random random;
  Encode encode;
  Settings settings = {};
  Cluster* cluster = nullptr;  // other nodes write to the archive too
};

struct MadeHandle {
  HandleRow handle;
  std::string token;
};

struct MadeTable {
  TableFacts table;
  Sat sat;
  std::string invite;  // of a private table
};

struct TablePage {
  std::vector<TableFacts> tables;
  std::string next;  // empty: that was all
};

class Host {
 public:
  explicit Host(HostParts parts);
  ~Host();  // when its executors run nothing any more

  // Takes in the tables that are open or being played, without loading their games.
  Applied start();

  // ---- Handles.
  void make_handle(const std::string& name, Done<MadeHandle> done);
  void rename_handle(const HandleRow& handle, const std::string& name, Done<HandleRow> done);
  void drop_handle(const HandleRow& handle, Done<bool> done);
  // Who sent these; either may be empty.
  tl::expected<Caller, Rejection> caller(const std::string& token, const std::string& invite) const;

  // ---- Tables.
  void make_table(const Caller& caller, const TableConfig& config, std::optional<int> sit,
                  Done<MadeTable> done);
  // Runs `work` on the table's strand. A table that is not there and one that the caller may not
  // know of are refused alike.
  void at_table(const std::string& id, const Caller& caller,
                std::function<void(const std::shared_ptr<Room>&)> work,
                std::function<void(Rejection)> sorry);
  // Public tables, newest first.
  tl::expected<TablePage, Rejection> list(const std::vector<TableState>& states,
                                          const std::string& game, const std::string& after) const;

  // Nothing new begins, everybody is told to come back, and what was begun is kept.
  void drain(int code, const std::string& reason, Time retry_after);
  bool draining() const { return draining_; }
  bool quiet() const { return writer_.waiting() == 0; }
  void leave();  // when it is quiet: gives the tables to other nodes

  struct Gauges {
    std::size_t tables = 0, rooms = 0, bot_queue = 0, writes_waiting = 0;
    Writer::Counts writes;
  };
  Gauges gauges() const;
  const Counters& counters() const { return counters_; }
  Services& services() { return services_; }
  // Rooms where nobody is leave the memory. Called now and then by a timer.
  void sweep();

 private:
  struct Entry {
    TableFacts facts;
    std::shared_ptr<Room> room;  // empty: in the archive only
    TimerId touch = 0;           // wakes it when a flag must fall
  };
  void add_room(const TableRow& row, std::shared_ptr<Room> room);
  std::shared_ptr<Room> find_room(const std::string& id) const;
  tl::expected<std::shared_ptr<Room>, Rejection> fetch_room(const std::string& id);
  void name_by_game(TableFacts& facts) const;
  void touch(const std::string& id);
  void touch_at(Entry& entry, const std::string& id, Time when);
  void schedule_sweep();
  void sweep_some(std::vector<std::weak_ptr<Room>> rooms);
  void at_memory(const std::shared_ptr<Room>& room, const Caller& caller,
                 std::function<void(const std::shared_ptr<Room>&)> work,
                 std::function<void(Rejection)> sorry);
  // ---- Among other nodes.
  void every(Time interval, TimerId Host::*timer, void (Host::*work)());
  void renew_leases();
  void adopt_orphans();
  tl::expected<TableRow, Rejection> take_row(const std::string& id);
  void evict(const std::shared_ptr<Room>& room);
  tl::expected<TableRow, Rejection> new_row(const Caller& caller, const TableConfig& config,
                                            std::string& invite);

  HostParts parts_;
  Writer writer_;
  Bots bots_;
  Counters counters_;
  Services services_;
  mutable std::mutex mutex_;
  std::mutex fetch_mutex_;  // taken before `mutex_`
  std::map<std::string, Entry> tables_;
  std::atomic<bool> draining_ = false;
  TimerId sweep_timer_ = 0, lease_timer_ = 0, orphan_timer_ = 0;
  std::shared_ptr<std::atomic<bool>> alive_ = std::make_shared<std::atomic<bool>>(true);
};

}  // namespace parlor::host
