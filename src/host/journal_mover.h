// Brings what an archive's journal holds into its database while others go on writing.
//
// SQLite does that by itself after a commit, on the thread that commits: all who wait for their
// acts to be kept then wait for some thousand pages to reach the disk as well.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace parlor::host {

class JournalMover {
 public:
  // Watches the commits of `writer`, which must outlive it.
  JournalMover(const std::filesystem::path& file, SQLite::Database& writer);
  ~JournalMover();
  JournalMover(const JournalMover&) = delete;
  JournalMover& operator=(const JournalMover&) = delete;

  // On the thread that writes, after each commit. A journal begins anew only when nothing of it is
  // left to move; while commits keep coming only the one who commits can bring that about.
  void after_commit();

 private:
  static int committed(void* self, sqlite3* database, const char* name, int pages);
  void run();

  SQLite::Database& writer_;
  SQLite::Database database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int pages_ = 0;  // in the journal
  int moved_ = 0;  // of them, as far as is known
  bool wanted_ = false, ending_ = false;
  std::thread thread_;
};

}  // namespace parlor::host
