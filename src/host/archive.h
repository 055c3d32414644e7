// Where a host keeps what must survive it: handles, tables with their seats, logs and chats.
//
// What is to be kept together is written together: a Group is kept whole or not at all, and what
// was answered is on the disk. Reading and writing may happen on different threads.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/table_config.h"
#include "table/store.h"

namespace parlor::host {

struct HandleRow {
  std::string id, name;
  std::string token_hash;
  Time created = 0, seen = 0;
  friend bool operator==(const HandleRow&, const HandleRow&) = default;
};

enum class SeatKind : std::uint8_t { open, human, bot };
std::string_view seat_kind_name(SeatKind kind);

struct SeatRow {
  SeatKind kind = SeatKind::open;
  std::string handle;  // id
  std::string name;    // of the handle, as it was when they sat down
  std::string agent;
  std::string token_hash;
  bool ready = false;
  friend bool operator==(const SeatRow&, const SeatRow&) = default;
};

enum class TableState : std::uint8_t { open, playing, finished, abandoned };
std::string_view table_state_name(TableState state);
std::optional<TableState> table_state_named(std::string_view name);

struct TableRow {
  std::string id;
  TableConfig config;
  TableState state = TableState::open;
  std::string creator;           // a handle's id
  std::string invite_hash = {};  // of a private table
  Time created = 0, updated = 0;
  Json result = nullptr;
  Json clock = nullptr;  // GameClock::to_json, "paused" …
  std::optional<Time> deadline = {};
  std::uint64_t epoch = 0;  // how often it was taken into memory
  std::vector<SeatRow> seats = {};
  friend bool operator==(const TableRow&, const TableRow&) = default;
};

struct ChatRow {
  std::string channel;  // "players" or "spectators"
  std::string author;
  std::string text;
  Time at = 0;
  int seat = -1;
  friend bool operator==(const ChatRow&, const ChatRow&) = default;
};

// A game somebody has sent: its texts, and what they were compiled to.
struct UploadRow {
  std::string id, owner;  // a handle's id
  Json files, compiled;
  std::string fingerprint;
  Time created = 0;
  bool suspended = false;  // it ran for too long
  friend bool operator==(const UploadRow&, const UploadRow&) = default;
};

// One thing to keep.
struct PutHandle {
  HandleRow row;
};
struct DropHandle {
  std::string id;
};
struct Fence {  // what follows is for whoever took the table last (cluster.h)
  std::string table;
  std::uint64_t epoch = 0;
};
struct PutTable {  // the row and its seats, new or changed
  TableRow row;
};
struct BeginLog {  // the game begins
  std::string table;
  table::Record record;  // without entries
};
struct AppendEntry {
  std::string table;
  table::LogEntry entry;
  std::optional<table::Snapshot> snapshot;
};
struct PutChat {
  std::string table;
  ChatRow row;
};
struct DropTable {
  std::string id;
};
struct PutUpload {
  UploadRow row;
};
struct SuspendUpload {
  std::string id;
};
using Write = std::variant<PutUpload, SuspendUpload, PutHandle, DropHandle, Fence, PutTable,
                           BeginLog, AppendEntry, PutChat, DropTable>;
using Group = std::vector<Write>;

class Archive {
 public:
  virtual ~Archive() = default;
  // Keeps the groups that can be kept, in one transaction, and answers for each.
  virtual std::vector<Applied> write(std::span<const Group> groups) = 0;

  template <class T>
  using Read = tl::expected<T, Rejection>;
  virtual Read<std::optional<HandleRow>> handle_of_token(const std::string& token_hash) const = 0;
  virtual Read<std::optional<TableRow>> table(const std::string& id) const = 0;
  // Tables in these states, newest first.
  virtual Read<std::vector<TableRow>> tables(const std::vector<TableState>& states,
                                             std::size_t most) const = 0;
  virtual Read<table::Record> log(
      const std::string& table) const = 0;  // what Session::restore takes
  virtual Read<std::optional<UploadRow>> upload(const std::string& id) const = 0;
  virtual Read<std::vector<ChatRow>> chat(const std::string& table) const = 0;  // the last 200
};

std::unique_ptr<Archive> memory_archive();

// Called at every step of writing, with its name: tests end the process there.
using FaultPoint = std::function<void(std::string_view)>;
tl::expected<std::unique_ptr<Archive>, Rejection> sqlite_archive(const std::filesystem::path& file,
                                                                 FaultPoint fault = {});

}  // namespace parlor::host
