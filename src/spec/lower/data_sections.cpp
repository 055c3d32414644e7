// Sections of what is beside the rules: who sees what, and what is handed on as data.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void keep(Context& cx, Section section) {
  const Node* node = cx.doc.find(section);
  if (node == nullptr || (node->is_list() && node->items.empty())) return;
  nlohmann::json data = read_data(*node);
  if (!data.empty()) cx.game.sections[std::string{section_name(section)}] = std::move(data);
}

// What `_default` says is meant for those that are not named.
constexpr const char* the_others = "_default";

}  // namespace

void check(Reading&, SeenZone& out) {
  // What is said of one of tokens and order alone is meant for both.
  if (out.tokens == Seen::as_declared) out.tokens = out.order;
  if (out.order == Seen::as_declared) out.order = out.tokens;
}

void check(Reading& r, ObserverDef& out) {
  Context& cx = r.cx;
  const std::string& name = r.called->text;
  if (name == "omniscient" || name == "default")
    cx.error(Code::NAME_RESERVED, *r.called, fmt::format("the observer `{}` is built in", name))
        .suggestion = "choose another name";
  const Node& observers = *cx.doc.find(Section::observability)->find("observers");
  if (out.extends.empty() || out.extends == "default" || out.extends == "omniscient" ||
      observers.has(out.extends))
    return;
  std::vector<std::string> names{"default", "omniscient"};
  for (const Entry& entry : observers.entries) names.push_back(entry.key);
  r.at("extends", [&](const Node& node) {
    cx.unknown(Code::WORD_UNKNOWN, node, "observer", out.extends, names);
  });
}

// A surface is one thing, or a family whose members may differ. Each is a word, or what is seen now
// and what agents may look ahead to.
void read_into(Reading& r, const Node& node, const FieldInfo& field, Named<Seen>& out) {
  const auto read = [&](const Node& one) {
    const Node* word = &one;
    if (one.is_map()) {
      Fields fields{r.cx, one, "what is seen of it"};
      fields.allow({"preview"});
      word = fields.optional("current");
    }
    const auto seen = word == nullptr ? std::nullopt : read_enumerator(r, *word, field);
    return seen ? *enum_from_name<Seen>(*seen) : Seen::as_declared;
  };
  if (node.is_map() && !node.has("current") && !node.has("preview"))
    for (const Entry& entry : node.entries) {
      const auto at = r.cx.step(entry.key);
      out[entry.key] = read(entry.value);
    }
  else if (const Seen seen = read(node); seen != Seen::as_declared)
    out[the_others] = seen;
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, ObserverDef&) {
  Named<Seen> unused;
  read_into(r, node, field, unused);
}

namespace {

// What is said to programs that play: only its outline is known here.
void check_agents(Context& cx) {
  const Node* node = cx.doc.find(Section::agents);
  if (node == nullptr) return;
  const auto step = cx.step("agents");
  const auto map_at = [&](std::string_view key, std::string_view what) -> const Node* {
    const Node* found = node->find(key);
    if (found == nullptr || found->is_null() || found->is_map()) return found;
    const auto inner = cx.step(key);
    wrong_shape(cx, *found, what);
    return nullptr;
  };
  map_at("parameters", "a mapping from parameters to what they are");
  map_at("library", "a mapping for the library");
  const Node* profiles = map_at("profiles", "a mapping from names to profiles");
  if (profiles != nullptr)
    for (const Entry& profile : profiles->entries) {
      const auto inner = cx.step("profiles");
      const auto at = cx.step(profile.key);
      if (!profile.value.is_map()) wrong_shape(cx, profile.value, "a mapping for a profile");
    }
  const Node* bindings = map_at("bindings", "a mapping from seats to profiles");
  if (bindings == nullptr) return;
  std::vector<std::string> names;
  if (profiles != nullptr)
    for (const Entry& profile : profiles->entries) names.push_back(profile.key);
  const auto inner = cx.step("bindings");
  for (const Entry& binding : bindings->entries) {
    const auto at = cx.step(binding.key);
    const std::string profile = read_id(cx, binding.value, "the name of a profile");
    if (!profile.empty() && std::ranges::find(names, profile) == names.end())
      cx.unknown(Code::WORD_UNKNOWN, binding.value, "profile", profile, names);
  }
}

}  // namespace

void lower_data_sections(Context& cx) {
  lower_event_decks(cx);
  read_section(cx, Section::observability);
  lower_verbalization(cx);
  read_section(cx, Section::display);
  check_agents(cx);
  for (const Section section :
       {Section::phaseBoundaries, Section::derivedMetrics, Section::victoryStandings})
    read_section(cx, section);
  for (const Section section : {Section::agents, Section::phaseBoundaries, Section::offers})
    keep(cx, section);
}

}  // namespace parlor::spec::lower
