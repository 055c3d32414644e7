// Sets of shipped rules that go together, for properties that must hold for all of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/chess.h"

namespace parlor::chess {

inline std::vector<std::string> all_rule_ids() {
  std::vector<std::string> out;
  for (const auto& module : standard_rulebook().registry().get_all()) out.push_back(module.id);
  return out;
}

inline bool compatible(const std::vector<rules::Activation>& set) {
  return standard_rulebook().registry().check(set).empty();
}

// `wanted` rules if so many are found; a quarter are for one side only, a quarter end by
// themselves.
inline std::vector<rules::Activation> random_rules(Rng& rng, std::size_t wanted) {
  static const std::vector<std::string> ids = all_rule_ids();
  std::vector<rules::Activation> set;
  for (std::size_t tries = 0; tries < 40 && set.size() < wanted; ++tries) {
    rules::Activation next{ids[rng.below(ids.size())]};
    if (rng.below(4) == 0) next.scope.seats = static_cast<std::uint16_t>(1 + rng.below(2));
    if (rng.below(4) == 0) next.turns = static_cast<std::uint32_t>(1 + rng.below(20));
    set.push_back(next);
    if (!compatible(set)) set.pop_back();
  }
  return set;
}

// Every rule alone (with what it needs) and every pair that goes together.
inline std::vector<std::vector<rules::Activation>> all_pairs() {
  const auto ids = all_rule_ids();
  std::vector<std::vector<rules::Activation>> out;
  for (std::size_t a = 0; a < ids.size(); ++a)
    for (std::size_t b = a; b < ids.size(); ++b) {
      std::vector<rules::Activation> set{{ids[a]}};
      if (a != b) set.push_back({ids[b]});
      if (!compatible(set)) set.push_back({"piece-hp"});
      if (compatible(set)) out.push_back(std::move(set));
    }
  return out;
}

inline std::string names_of(const std::vector<rules::Activation>& set) {
  std::string out;
  for (const rules::Activation& rule : set) out += rules::to_text(rule, seat_names()) + " ";
  return out;
}

// From the start, or from a position with much to do.
inline std::shared_ptr<const ChessGame> open_with(const std::vector<rules::Activation>& set,
                                                  std::string fen = "") {
  ChessConfig config;
  config.rules = set;
  config.house_rules = true;
  config.fen = std::move(fen);
  return ChessGame::open(std::move(config)).value();
}

}  // namespace parlor::chess
