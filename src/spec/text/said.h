// The rules of a compiled game in the text notation, piece by piece: for those who ask why
// something is refused or what a game has become (E-26).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

class Said {
 public:
  // The game has to outlive it. Nothing is done before something is asked for.
  explicit Said(const GameDef& game) : game_(game) {}

  // The condition, value or query that stands at a place; empty if none does, or if only the tree
  // notation can say it.
  const std::string& at(std::uint32_t place) const;

 private:
  void read() const;

  const GameDef& game_;
  mutable std::once_flag read_;
  mutable std::map<std::uint32_t, std::string> texts_;
};

}  // namespace parlor::spec
