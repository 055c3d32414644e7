// What people type: names and chat. Text is data and never interpreted; what would disturb how it
// is shown is taken out or refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parlor::host {

// 1 to 24 characters in normal form C, without control characters or blanks at the ends; nothing if
// the text cannot be a name.
std::optional<std::string> clean_name(std::string_view text);
inline constexpr std::size_t longest_chat = 500;  // characters
// 1 to 500 characters, control characters taken out; nothing if too long or nothing is left.
std::optional<std::string> clean_chat(std::string_view text);

}  // namespace parlor::host
