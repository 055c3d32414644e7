// Damages texts the way people and programs do: by tokens, lines and JSON values, not only by
// bytes. A fuzzer that flips bytes spends its time on texts that are not even YAML; this one mostly
// makes texts that are read to the end and say something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace parlor::fuzz {

// Another text near `text`, never longer than `most`. `other` is a text to borrow tokens from.
std::string mutate(std::string_view text, std::string_view other, std::size_t most, Rng& rng);

}  // namespace parlor::fuzz
