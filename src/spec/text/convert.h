// Small rewritings of nodes that the text notation needs: what a condition is as a token filter,
// what a name is as an owner, how a sentence's element is called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/expand/build.h"
#include "spec/node.h"

namespace parlor::spec::text {

// A bare word as the text itself: in lists, and for states.
Node plain_text(const Node& node);
// What stands before a dot, as selectors write it: "$card", "left", "usa".
Node owner_of(const Node& node);
// `hand:actor` where a value is needed.
Node zone_value(const Build& build, std::string_view zone);
// Whether a node asks something: a condition rather than a value.
bool asks(const Node& node);
// `empty` and `occupied` of a zone.
Node fullness(const Build& build, std::string_view word, Node zone);
// 0 - x, or the negative number.
Node negated(const Build& build, Node value);

// A condition on the element as a filter of tokens or rows; nothing when it asks more than they
// can.
std::optional<Node> token_filter(const Node& condition, std::string_view element);
std::optional<Node> row_filter(const Node& condition, std::string_view element);
// Both filters, joined with `and`.
Node joined_filters(const Build& build, Node first, Node second);

// What the results of a query are called when the sentence gives them no name: "$token", "$zone"…
std::string_view element_name(const Node& query);
// True for the queries of tokens that have a `filter`.
bool filters_tokens(const Node& query);

}  // namespace parlor::spec::text
