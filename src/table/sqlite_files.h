// What SQLite leaves to those who use it: opening a store that cannot be written, the journal of a
// process that was killed, and limits on the size of files.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace parlor::table {

// A copy of a store in a folder of its own, removed with it.
class TemporaryCopy {
 public:
  explicit TemporaryCopy(const std::filesystem::path& file);
  ~TemporaryCopy();
  TemporaryCopy(const TemporaryCopy&) = delete;
  TemporaryCopy& operator=(const TemporaryCopy&) = delete;
  std::filesystem::path file() const { return folder_ / "store"; }

 private:
  std::filesystem::path folder_;
};

// A database opened for reading, whatever the permissions of its folder. Throws.
struct ReadOnlyDatabase {
  explicit ReadOnlyDatabase(const std::filesystem::path& file);
  std::unique_ptr<TemporaryCopy> copy;  // where the journal could not be used in place
  std::unique_ptr<SQLite::Database> database;
};

// SQLite stops reading its journal (FILE-wal) at the first frame that is not as it was written, and
// takes what follows for a write that a crash cut off. That is right for the last transaction only:
// whatever came before it had been acknowledged. Says what is wrong if more would be lost.
std::optional<std::string> find_journal_damage(const std::filesystem::path& file);

// While it lives, a write beyond the limit on file sizes fails as an error, instead of the signal
// that ends the process.
class FileSizeErrors {
 public:
  FileSizeErrors();
  ~FileSizeErrors();
  FileSizeErrors(const FileSizeErrors&) = delete;
  FileSizeErrors& operator=(const FileSizeErrors&) = delete;

 private:
  sigset_t before_;
  bool pending_before_ = false;
};

}  // namespace parlor::table
