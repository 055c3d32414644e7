#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "host/archive.h"

namespace parlor::host {
namespace {

constexpr std::size_t chat_kept = 200;

class MemoryArchive final : public Archive {
 public:
  std::vector<Applied> write(std::span<const Group> groups) override {
    const std::lock_guard lock{mutex_};
    std::vector<Applied> out;
    for (const Group& group : groups) out.push_back(keep(group));
    return out;
  }

  Read<std::optional<HandleRow>> handle_of_token(const std::string& token_hash) const override {
    const std::lock_guard lock{mutex_};
    const auto found = handle_of_hash_.find(token_hash);
    if (found == handle_of_hash_.end()) return std::nullopt;
    return handles_.at(found->second);
  }

  Read<std::optional<TableRow>> table(const std::string& id) const override {
    const std::lock_guard lock{mutex_};
    const auto found = tables_.find(id);
    if (found == tables_.end()) return std::nullopt;
    return found->second;
  }

  Read<std::vector<TableRow>> tables(const std::vector<TableState>& states,
                                     std::size_t most) const override {
    const std::lock_guard lock{mutex_};
    std::vector<TableRow> out;
    for (const auto& [id, row] : tables_)
      if (std::ranges::find(states, row.state) != states.end()) out.push_back(row);
    std::ranges::sort(out, [](const TableRow& a, const TableRow& b) {
      return std::tie(b.updated, a.id) < std::tie(a.updated, b.id);
    });
    if (out.size() > most) out.resize(most);
    return out;
  }

  Read<table::Record> log(const std::string& table) const override {
    const std::lock_guard lock{mutex_};
    return sessions_->load(table);
  }

  Read<std::optional<UploadRow>> upload(const std::string& id) const override {
    const std::lock_guard lock{mutex_};
    const auto found = uploads_.find(id);
    if (found == uploads_.end()) return std::nullopt;
    return found->second;
  }

  Read<std::vector<ChatRow>> chat(const std::string& table) const override {
    const std::lock_guard lock{mutex_};
    const auto found = chats_.find(table);
    return found == chats_.end() ? std::vector<ChatRow>{} : found->second;
  }

 private:
  // Entries are the only thing that can be refused, so they come first.
  Applied keep(const Group& group) {
    for (const Write& write : group)
      if (const auto* begun = std::get_if<BeginLog>(&write)) {
        if (auto done = sessions_->create(begun->record); !done) return done;
      } else if (const auto* append = std::get_if<AppendEntry>(&write)) {
        if (auto done = sessions_->append({append->table, append->entry, append->snapshot}); !done)
          return done;
      }
    for (const Write& write : group) std::visit([&](const auto& one) { put(one); }, write);
    return {};
  }
  void put(const PutHandle& one) {
    if (const auto old = handles_.find(one.row.id); old != handles_.end())
      handle_of_hash_.erase(old->second.token_hash);
    handles_[one.row.id] = one.row;
    handle_of_hash_[one.row.token_hash] = one.row.id;
  }
  void put(const DropHandle& one) {
    const auto old = handles_.find(one.id);
    if (old == handles_.end()) return;
    handle_of_hash_.erase(old->second.token_hash);
    handles_.erase(old);
  }
  void put(const PutUpload& one) { uploads_[one.row.id] = one.row; }
  void put(const SuspendUpload& one) {
    if (const auto found = uploads_.find(one.id); found != uploads_.end())
      found->second.suspended = true;
  }
  void put(const Fence&) {}  // nobody else is here
  void put(const PutTable& one) { tables_[one.row.id] = one.row; }
  void put(const DropTable& one) {
    tables_.erase(one.id);
    chats_.erase(one.id);
    (void)sessions_->remove(one.id);  // it may never have begun
  }
  void put(const BeginLog&) {}
  void put(const AppendEntry&) {}
  void put(const PutChat& one) {
    auto& rows = chats_[one.table];
    rows.push_back(one.row);
    if (rows.size() > chat_kept) rows.erase(rows.begin());
  }

  mutable std::mutex mutex_;
  std::map<std::string, HandleRow> handles_;
  std::map<std::string, std::string> handle_of_hash_;
  std::map<std::string, TableRow> tables_;
  std::map<std::string, UploadRow> uploads_;
  std::map<std::string, std::vector<ChatRow>> chats_;
  std::unique_ptr<table::Store> sessions_ = table::memory_store();
};

}  // namespace

std::unique_ptr<Archive> memory_archive() {
  return std::make_unique<MemoryArchive>();
}

}  // namespace parlor::host
