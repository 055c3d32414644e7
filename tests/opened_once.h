// A catalog whose games are compiled once for all tests of a process, however often they are asked
// for: what most tests are about begins when a game is open, and with sanitizers opening one takes
// a second.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "game/catalog.h"

namespace parlor::test {

// The names of `real`, which must live as long. What opens is remembered by name and options, but
// for games opened with rules or modifiers: those may be files that a test writes anew.
class OpenedOnce {
 public:
  explicit OpenedOnce(const Catalog& real) : real_(real) {}

  Opened open(const std::string& name, const OpenOptions& options) {
    if (!options.rules.empty() || !options.modifiers.empty()) return real_.open(name, options);
    const std::pair key{name, canonical(to_json(options))};
    {
      const std::lock_guard lock(guard_);
      if (const auto found = opened_.find(key); found != opened_.end()) return found->second;
    }
    Opened game = real_.open(name, options);
    if (!game) return game;
    const std::lock_guard lock(guard_);
    return opened_.emplace(key, *std::move(game)).first->second;
  }

 private:
  const Catalog& real_;
  std::mutex guard_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Game>> opened_;
};

inline Catalog opened_once(const Catalog& real) {
  const auto games = std::make_shared<OpenedOnce>(real);
  Catalog out;
  for (const std::string& name : real.names())
    out.add(name, [games](const std::string& asked, const OpenOptions& options) {
      return games->open(asked, options);
    });
  return out;
}

}  // namespace parlor::test
