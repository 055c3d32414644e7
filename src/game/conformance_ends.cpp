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
  constexpr std::size_t enough = 6;
  if (met.states.size() == enough) return std::nullopt;
  met.states.push_back(finished.block());
  std::vector<std::uint64_t> hashes(met.states.size());
  ends->hash_each(met.states, hashes);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (hashes[i] != finished.game().hash(met.states[i])) return "hash_each() differs from hash()";
  return std::nullopt;
}

}  // namespace parlor
