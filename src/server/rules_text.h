// The text of a game's rules for people: Markdown as HTML in which nothing can run.
#pragma once

#include <string>

#include "base/json.h"

namespace parlor::server {

Json rules_html(const std::string& game);  // null: the game has no text

}  // namespace parlor::server
