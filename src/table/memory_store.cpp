#include <fmt/core.h>

#include "table/store.h"

namespace parlor::table {
namespace {

class MemoryStore : public Store {
 public:
  Applied create(const Record& record) override {
    if (sessions_.try_emplace(record.config.id, record).second) return {};
    return tl::unexpected(Rejection{
        Code::SESSION_EXISTS, fmt::format("there already is a session {}", record.config.id)});
  }

  std::vector<Applied> append(std::span<const Append> batch) override {
    std::vector<Applied> out;
    for (const Append& one : batch) out.push_back(keep(one));
    return out;
  }

  tl::expected<Record, Rejection> load(const std::string& session) const override {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return tl::unexpected(unknown(session));
    return found->second;
  }

  tl::expected<std::vector<Listed>, Rejection> list() const override {
    std::vector<Listed> out;
    for (const auto& [id, record] : sessions_)
      out.push_back({id, last_touched(record.created, record.log), record.log.size()});
    return out;
  }

  Applied remove(const std::string& session) override {
    if (sessions_.erase(session) == 0) return tl::unexpected(unknown(session));
    return {};
  }

 private:
  static Rejection unknown(const std::string& session) {
    return {Code::SESSION_UNKNOWN, fmt::format("there is no session {}", session)};
  }

  Applied keep(const Append& one) {
    const auto found = sessions_.find(one.session);
    if (found == sessions_.end()) return tl::unexpected(unknown(one.session));
    Record& record = found->second;
    if (one.entry.revision != record.log.size() + 1)
      return tl::unexpected(
          Rejection{Code::REVISION_CONFLICT,
                    fmt::format("somebody else acted: the session is at revision {} by now",
                                record.log.size()),
                    {{"revision", record.log.size()}}});
    record.log.push_back(one.entry);
    record.chain = one.entry.chain;
    if (!one.snapshot) return {};
    record.snapshots.insert(record.snapshots.begin(), *one.snapshot);
    if (record.snapshots.size() > snapshots_kept) record.snapshots.resize(snapshots_kept);
    return {};
  }

  std::map<std::string, Record> sessions_;
};

}  // namespace

std::unique_ptr<Store> memory_store() {
  return std::make_unique<MemoryStore>();
}

}  // namespace parlor::table
