#include "game/conformance_ends.h"

#include <fmt/core.h>

#include "game/tells_ends.h"

namespace parlor {

std::optional<std::string> find_misread_end(const State& finished, EndsMet& met) {
  const auto* ends = dynamic_cast<const TellsEnds*>(&finished.game());
  if (ends == nullptr) return std::nullopt;
  const Json outcome = to_json(finished.outcome());
  Outcome read{.returns = {1, 2, 3}, .winners = {PlayerId{0}}, .reason = "before", .places = {1}};
  ends->read_outcome(finished.block(), read);
  if (to_json(read) != outcome) return "read_outcome() differs from outcome()";
  if (const auto ending = ends->ending(finished.block()); ending != TellsEnds::no_ending) {
    const auto [known, fresh] = met.outcomes.emplace(ending, outcome);
    if (!fresh && known->second != outcome)
      return fmt::format("ending {} is {} here and {} elsewhere", ending, canonical(outcome),
                         canonical(known->second));
  }
  std::vector<HashRow> rows(1);
  rows.resize(ends->hash_words(finished.block(), HashLane(rows, 0)));
  if (rows.empty() || ends->hash_words(finished.block(), HashLane(rows, 0)) != rows.size())
    return "hash_words() cannot say how many there are";
  HashRow hashes;
  hash_chains(rows, hashes);
  if (hashes[0] != finished.hash()) return "hash_words() are of another hash";
  return std::nullopt;
}

}  // namespace parlor
