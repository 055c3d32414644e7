// Card-driven turn order, event decks and free operations: checked for shape and kept as authored.
#pragma once

#include <initializer_list>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

void check_card_driven(Context& cx, const Node& config);
void check_grant(Context& cx, const Node& grant);  // grantFreeOperation
void check_event_decks(Context& cx);

// ---- Shared words
void check_word(Context& cx, const Node& node, std::string_view what,
                std::initializer_list<std::string_view> words);
void check_class(Context& cx, const Node& node);
void check_duration(Context& cx, const Node& node);
// {name, max}: at most so much, or so many, in a parameter of a move.
void check_max_param(Context& cx, const Node& node);

}  // namespace parlor::spec::lower
