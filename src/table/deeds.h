// What the contents of envelopes must look like, and what results outside the rules come to.
#pragma once

#include "table/session.h"

namespace parlor::table {

// Whether a seat does it; the others come from the table itself.
bool is_of_a_seat(Deed deed);
// Whether it changes the game's state and so can be taken back.
bool moves_on(Deed deed);
// Whether it ends the session.
bool is_result(Deed deed);

// What is wrong with the form of the content, whatever the state.
std::optional<Rejection> check_content(const ActionEnvelope& envelope, std::size_t players);
// Of content that was checked.
std::vector<PlayerId> agreed_seats(const Json& content);
std::vector<std::string> rules_of(const Json& content);
Outcome result_of(const LogEntry& entry, const Stakes& stakes, std::size_t players);

}  // namespace parlor::table
