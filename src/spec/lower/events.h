// Card-driven turn order, event decks and free operations.
#pragma once

#include <initializer_list>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

CardDrivenDef read_card_driven(Context& cx, const Node& config);
GrantDef read_grant(Context& cx, const Node& grant);  // grantFreeOperation
// The grants of an event are worked off in order, so each says where it stands; they do not see
// what the event binds.
GrantDef read_event_grant(Context& cx, const Node& grant);
void lower_event_decks(Context& cx);

// ---- Shared words
void check_word(Context& cx, const Node& node, std::string_view what,
                std::initializer_list<std::string_view> words);
ActionClass read_class(Context& cx, const Node& node);
Duration read_duration(Context& cx, const Node& node);
// {name, max}: at most so much, or so many, in a parameter of a move.
MaxParam read_max_param(Context& cx, const Node& node);
std::vector<std::string> read_actions(Context& cx, const Node& node);
// {name: scalar}, in byte order of the names.
std::vector<NamedScalar> read_named_scalars(Context& cx, const Node& node, std::string_view what);

// The node under these keys of the card-driven order's `turnFlow`, if it has one: for sections that
// are read before the turn order.
const Node* find_in_turn_flow(const Context& cx, std::initializer_list<std::string_view> keys);

// Reads every element of a list with `read(cx, item)`.
template <class Item>
std::vector<Item> read_list(Context& cx, const Node& node, std::string_view what,
                            Item (*read)(Context&, const Node&)) {
  std::vector<Item> out;
  each_item(cx, node, what, [&](const Node& item) { out.push_back(read(cx, item)); });
  return out;
}

}  // namespace parlor::spec::lower
