// Canonical JSON read in place: an object of objects as pieces of its text. For those who look at
// few parts of a large text, and would take longer to read it whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlor {

struct JsonMember {
  std::string_view key;    // with its quotes, as it is written
  std::string_view value;  // canonical JSON
};
using JsonMembers = std::vector<JsonMember>;

struct JsonPart : JsonMember {
  JsonMembers inside;  // if the value is an object

  bool is_object() const { return value.starts_with('{'); }
};
using JsonParts = std::vector<JsonPart>;

// Of an object in canonical JSON, in its order; nothing of anything else. The text must live on.
JsonParts json_parts(std::string_view object);
// The part under a key that is written without quotes; nothing: there is none.
const JsonPart* json_part(const JsonParts& parts, std::string_view key);
// Whether one written key stands before another in canonical JSON.
bool json_key_less(std::string_view a, std::string_view b);
// What a written key says.
std::string json_key_text(std::string_view written);

}  // namespace parlor
