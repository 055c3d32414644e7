#include "base/json_members.h"

#include "base/json.h"

namespace parlor {
namespace {

// One pass over a text that is known to be canonical; with any other it ends, and says nothing of
// use.
class Walk {
 public:
  explicit Walk(std::string_view json) : json_(json) {}

  // `take(key, begin)` leaves the place just behind the value that begins there.
  template <class Take>
  void members(const Take& take) {
    ++at_;  // {
    while (at_ < json_.size() && json_[at_] == '"') {
      const std::size_t from = at_;
      skip_text();
      const std::string_view key = json_.substr(from, at_ - from);
      ++at_;  // :
      take(key);
      if (at_ < json_.size() && json_[at_] == ',') ++at_;
    }
    ++at_;  // }
  }
  std::string_view value() {
    const std::size_t from = at_;
    skip_value();
    return from < json_.size() ? json_.substr(from, at_ - from) : std::string_view{};
  }
  std::string_view since(std::size_t from) const {
    return from < json_.size() ? json_.substr(from, at_ - from) : std::string_view{};
  }
  std::size_t at() const { return at_; }
  bool at_object() const { return at_ < json_.size() && json_[at_] == '{'; }

 private:
  void skip_text() {
    for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_)
      if (json_[at_] == '\\') ++at_;
    ++at_;
  }
  void skip_value() {
    for (int depth = 0; at_ < json_.size();) {
      switch (json_[at_]) {
        case '"':
          skip_text();
          if (depth == 0) return;
          break;
        case '{':
        case '[':
          ++depth;
          ++at_;
          break;
        case '}':
        case ']':
          if (depth == 0) return;
          ++at_;
          if (--depth == 0) return;
          break;
        case ',':
          if (depth == 0) return;
          [[fallthrough]];
        default:
          ++at_;
      }
    }
  }

  const std::string_view json_;
  std::size_t at_ = 0;
};

bool is_plain(std::string_view key) {
  return key.size() >= 2 && key.find('\\') == std::string_view::npos;
}

}  // namespace

JsonParts json_parts(std::string_view object) {
  JsonParts out;
  Walk walk(object);
  if (!walk.at_object()) return out;
  walk.members([&](std::string_view key) {
    JsonPart& part = out.emplace_back();
    part.key = key;
    const std::size_t from = walk.at();
    if (walk.at_object())
      walk.members([&](std::string_view inner) { part.inside.push_back({inner, walk.value()}); });
    else
      walk.value();
    part.value = walk.since(from);
  });
  return out;
}

const JsonPart* json_part(const JsonParts& parts, std::string_view key) {
  for (const JsonPart& part : parts)
    if (part.key.size() == key.size() + 2 && part.key.substr(1, key.size()) == key) return &part;
  return nullptr;
}

bool json_key_less(std::string_view a, std::string_view b) {
  if (is_plain(a) && is_plain(b)) return a.substr(1, a.size() - 2) < b.substr(1, b.size() - 2);
  return json_key_text(a) < json_key_text(b);
}

std::string json_key_text(std::string_view written) {
  if (is_plain(written)) return std::string{written.substr(1, written.size() - 2)};
  const auto text = parse_json(written);
  return text && text->is_string() ? text->get<std::string>() : std::string{};
}

}  // namespace parlor
