// What is probably meant by text that is none: `&&`, `len(x)`, `x++`, `pot = 3` as a condition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/text/lexer.h"
#include "spec/text/parser.h"

namespace parlor::spec::text {

// The mistake at a token, where something of `wanted` would have been right.
TextError explain_mistake(const std::vector<Token>& tokens, std::size_t at,
                          const std::vector<std::string_view>& wanted, Expect expect);
// The sentences that begin with a word, as somebody would have to write them; empty: there are
// none.
std::string sentence_shapes(std::string_view verb);
// How a function of other languages is said here; empty when nobody knows.
std::string explain_function(std::string_view name);
// The same for what begins a statement.
std::string explain_verb(std::string_view verb, bool is_macro);

}  // namespace parlor::spec::text
