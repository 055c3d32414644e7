// The section `verbalization`: what things are called. Other programs write much into it that means
// nothing here, so that entries of the wrong shape are as good as none.
#include "base/json.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

using Json = nlohmann::json;

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : canonical(value);
}

const Json& object_at(const Json& section, const char* key) {
  static const Json nothing = Json::object();
  const auto found = section.find(key);
  return found != section.end() && found->is_object() ? *found : nothing;
}

Named<std::string> read_texts(const Json& texts) {
  Named<std::string> out;
  for (const auto& [name, text] : texts.items())
    if (text.is_primitive()) out[name] = plain_text(text);
  return out;
}

NumberedPlace read_place(const Json& place) {
  const auto text = [&](const char* key) {
    const auto found = place.find(key);
    return found != place.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  return {text("zone"), text("prop")};
}

}  // namespace

void lower_verbalization(Context& cx) {
  const Node* node = cx.doc.find(Section::verbalization);
  if (node == nullptr || !node->is_map() || node->entries.empty()) return;
  const Json section = read_data(*node);
  Verbalization& out = cx.game.verbalization.emplace();
  out.labels = read_texts(object_at(section, "labels"));
  out.tokens = read_texts(object_at(section, "tokens"));
  out.details = read_texts(object_at(section, "details"));
  out.board = read_texts(object_at(section, "board"));
  out.options = read_texts(object_at(section, "options"));
  for (const auto& [prop, texts] : object_at(section, "values").items())
    if (texts.is_object()) out.values[prop] = read_texts(texts);
  for (const auto& [action, place] : object_at(section, "places").items())
    if (place.is_object()) out.places[action] = read_place(place);
  if (const auto legend = section.find("legend"); legend != section.end() && legend->is_string())
    out.legend = legend->get<std::string>();
  if (const auto omit = section.find("omit"); omit != section.end() && omit->is_array())
    for (const Json& name : *omit) out.omit.push_back(plain_text(name));
}

}  // namespace parlor::spec::lower
