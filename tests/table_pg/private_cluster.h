// A PostgreSQL of our own: made for one run of the tests, in a folder of its own, by an ordinary
// user, on a Unix socket. Nothing of the machine's own databases is touched.
#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <unistd.h>

#include "table_pg/connection.h"
#include "table_pg/table_pg.h"

namespace parlor::test {

class PrivateCluster {
 public:
  // Nothing if PostgreSQL is not installed.
  static PrivateCluster* get() {
    static PrivateCluster one;
    return one.running_ ? &one : nullptr;
  }
  ~PrivateCluster() {
    if (running_) run(fmt::format("{}/pg_ctl -D {}/data -m immediate stop", programs_, folder_));
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  // A fresh database; what libpq takes.
  std::string database() {
    const std::string name = fmt::format("parlor_{}", ++made_);
    table_pg::Connection line{conninfo("postgres")};
    line.script("CREATE DATABASE " + name);
    return conninfo(name);
  }

 private:
  PrivateCluster() {
    programs_ = find_programs();
    if (programs_.empty()) return;
    std::string name = "/tmp/parlor-pg-XXXXXX";
    folder_ = mkdtemp(name.data());
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    if (geteuid() == 0 && std::system(fmt::format("chown nobody {}", folder_).c_str()) != 0) return;
    running_ =
        run(fmt::format("{}/initdb -D {}/data -A trust -U parlor --no-sync -E UTF8 --locale=C",
                        programs_, folder_)) &&
        run(fmt::format("{0}/pg_ctl -D {1}/data -l {1}/log -w -o \"-k {1} -h '' -c fsync=off "
                        "-c max_connections=60\" start",
                        programs_, folder_));
  }
  static std::string find_programs() {
    namespace fs = std::filesystem;
    std::error_code error;
    std::string found;
    for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error))
      if (fs::exists(version.path() / "bin/initdb")) found = (version.path() / "bin").string();
    return found;
  }
  // As an ordinary user: PostgreSQL does not run as root.
  static bool run(const std::string& command) {
    const std::string quiet = command + " >/dev/null 2>&1";
    if (geteuid() != 0) return std::system(quiet.c_str()) == 0;
    std::string quoted;
    for (const char c : quiet) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return std::system(fmt::format("cd /tmp && runuser -u nobody -- sh -c '{}'", quoted).c_str()) ==
           0;
  }
  std::string conninfo(const std::string& name) const {
    return fmt::format("host={} user=parlor dbname={}", folder_, name);
  }

  std::string programs_, folder_;
  bool running_ = false;
  std::atomic<int> made_ = 0;
};

#define NEED_POSTGRES()                 \
  if (PrivateCluster::get() == nullptr) \
  GTEST_SKIP() << "PostgreSQL is not installed or does not start here (apt install postgresql)"

}  // namespace parlor::test
