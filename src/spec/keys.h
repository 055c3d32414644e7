// The keys of a mapping, compared with those it may have and those it needs. One mapping gets as
// few diagnostics as it has mistakes: a misspelt key also explains why the right one is missing.
#pragma once

#include <functional>

#include "spec/report.h"

namespace parlor::spec {

class Keys {
 public:
  // `what` names the construct in messages: "moveToken", "an action"; `path` is the mapping's.
  Keys(Report& report, const Node& node, std::string_view what, std::string path)
      : report_(report), node_(node), what_(what), path_(std::move(path)) {}

  // Keys that are fine.
  void allow(std::span<const std::string_view> keys) {
    known_.insert(known_.end(), keys.begin(), keys.end());
  }
  void allow(std::string_view key) { known_.push_back(key); }
  // Of those, one that must be there, or another one in its place, and is not.
  void miss(std::string_view key, std::string_view or_else = {}) {
    missing_.push_back(key);
    if (!or_else.empty()) replaced_.push_back({or_else, key});
  }
  // How it is written, for those who write something else altogether.
  void hint(std::string_view text) { hint_ = text; }
  bool knows(std::string_view key) const;
  const std::string& path() const { return path_; }

  // Reports what is wrong; true when nothing is. `explained` may know better why keys are missing,
  // and says so itself.
  using Explained = std::function<bool(const std::vector<std::string>& missing)>;
  bool check(const Explained& explained = {});

 private:
  void report_shape();
  std::vector<std::string> renamed(const Entry& entry,
                                   const std::vector<std::string>& missing) const;
  bool explain(const Entry& entry, std::vector<std::string>& missing);
  void report_foreign(const std::vector<const Entry*>& foreign,
                      const std::vector<std::string>& missing);
  void report_missing(const std::vector<std::string>& missing, const Explained& explained);
  std::vector<std::string> known_keys() const;
  Diagnostic& error(Code code, const Origin& origin, std::string message);

  Report& report_;
  const Node& node_;
  std::string_view what_, hint_ = {};
  std::string path_;
  std::vector<std::string_view> known_, missing_;
  std::vector<std::pair<std::string_view, std::string_view>> replaced_;
};

// For a mapping that is read elsewhere: only these keys. True when it has no other.
bool only_keys(const Node& map, std::span<const std::string_view> allowed, std::string_view what,
               const std::string& path, Report& report);

}  // namespace parlor::spec
