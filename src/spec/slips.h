// What authors who know other languages, or a language model that does, write for things that have
// another name here. Spelling does not lead from `gte` to `>=` or from `moves` to `actions`; these
// lists do, so that did-you-mean has an answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace parlor::spec {

enum class SlipOf : std::uint8_t {
  section,
  key,
  word,  // of an enumeration: owners, types, scopes …
  effect,
  condition,   // the `op` of a condition
  arithmetic,  // the `op` of a value
  filter,      // the `op` of a token filter
  player,
  reference,
  query,
  parameter_type,  // of an effect macro
};

// Everything that may have been meant, best first.
std::vector<std::string> meant_by(SlipOf what, std::string_view written);

// The first of those that is among the names that would be right here; or nothing.
std::string meant_among(SlipOf what, std::string_view written,
                        const std::vector<std::string>& right);

// Turns a guess by spelling into what was surely meant. False when nothing is known about it.
bool correct_slip(Diagnostic& diagnostic, SlipOf what, std::string_view written,
                  const std::vector<std::string>& right);

}  // namespace parlor::spec
