#include "host/journal_mover.h"

#include <sqlite3.h>

#include "table/sqlite_files.h"

namespace parlor::host {
namespace {

constexpr int worth_moving = 1000;     // pages
constexpr int worth_beginning = 4000;  // pages: a journal as long as this should begin anew
constexpr int moved_at_once = 200;     // pages that those who wait may wait for

// How many pages of the journal are in the database now. Readers and writers are not held up; what
// cannot be moved now is moved the next time.
int move_pages(SQLite::Database& database) {
  int pages = 0, moved = 0;
  sqlite3_wal_checkpoint_v2(database.getHandle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages,
                            &moved);
  return moved;
}

}  // namespace

JournalMover::JournalMover(const std::filesystem::path& file, SQLite::Database& writer)
    : writer_(writer), database_(file.string(), SQLite::OPEN_READWRITE) {
  database_.exec("PRAGMA synchronous = FULL");
  sqlite3_wal_hook(writer_.getHandle(), &JournalMover::committed, this);
  thread_ = std::thread{[this] { run(); }};
}

JournalMover::~JournalMover() {
  sqlite3_wal_hook(writer_.getHandle(), nullptr, nullptr);
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

int JournalMover::committed(void* self, sqlite3* /*database*/, const char* /*name*/, int pages) {
  auto& mover = *static_cast<JournalMover*>(self);
  {
    const std::lock_guard lock{mover.mutex_};
    if (pages < mover.pages_) mover.moved_ = 0;  // it has begun anew
    mover.pages_ = pages;
    if (pages - mover.moved_ < worth_moving) return SQLITE_OK;
    mover.wanted_ = true;
  }
  mover.changed_.notify_one();
  return SQLITE_OK;
}

void JournalMover::after_commit() {
  {
    const std::lock_guard lock{mutex_};
    if (pages_ < worth_beginning || pages_ - moved_ > moved_at_once) return;
  }
  const int moved = move_pages(writer_);
  const std::lock_guard lock{mutex_};
  moved_ = moved;
}

// What could not be moved waits for the next commit: somebody who reads for long, or a full disk,
// must not keep a core busy.

void JournalMover::run() {
  const table::FileSizeErrors signal_held;
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [&] { return ending_ || wanted_; });
    if (ending_) return;
    wanted_ = false;
    lock.unlock();
    const int moved = move_pages(database_);
    lock.lock();
    if (moved <= pages_) moved_ = moved;  // else the journal has begun anew since
  }
}

}  // namespace parlor::host
