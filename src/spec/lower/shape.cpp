#include "spec/lower/shape.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/report.h"
#include "spec/slips.h"

namespace parlor::spec::lower {

Fields::Fields(Context& cx, const Node& node, std::string_view what)
    : cx_(cx), node_(node), what_(what), path_(cx.path()) {}

Fields::~Fields() {
  if (silent_) return;
  if (node_.is_map())
    report();
  else
    report_shape();
}

const Node* Fields::optional(std::string_view key) {
  known_.push_back(key);
  const Node* found = node_.find(key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

const Node* Fields::required(std::string_view key) {
  const Node* found = optional(key);
  if (found == nullptr) missing_.push_back(key);
  return found;
}

void Fields::allow(std::initializer_list<std::string_view> keys) {
  known_.insert(known_.end(), keys);
}

std::vector<std::string> Fields::known_keys() const {
  std::vector<std::string> out;
  for (const std::string_view key : known_)
    if (std::ranges::find(out, key) == out.end()) out.emplace_back(key);
  return out;
}

// Something else stands where a mapping should: show how it is written.
void Fields::report_shape() {
  Diagnostic& d = cx_.error_at(
      Code::SHAPE_WRONG, node_.origin, path_,
      fmt::format("expected a mapping for {}, but this is {}", what_, spec::describe(node_)));
  if (missing_.size() == 1 && node_.is_scalar() && !node_.is_null()) {
    d.suggestion = fmt::format("write {{{}: {}}}", missing_.front(),
                               node_.is_string() ? node_.text : to_text(node_));
  } else if (!missing_.empty()) {
    std::string keys;
    // A word alone is the name of what it should describe.
    for (const std::string_view key : missing_)
      keys += fmt::format(
          "{}{}: {}", keys.empty() ? "" : ", ", key,
          keys.empty() && node_.is_string() && (key == "name" || key == "id") ? node_.text : "…");
    d.suggestion = fmt::format("write {{{}}}", keys);
  }
}

void Fields::report() {
  std::vector<std::string> missing;
  for (const std::string_view key : missing_)
    if (std::ranges::find(missing, key) == missing.end()) missing.emplace_back(key);
  std::vector<const Entry*> foreign;  // keys that resemble nothing
  for (const Entry& entry : node_.entries) {
    if (std::ranges::find(known_, entry.key) != known_.end() || is_compiler_mark(entry.key))
      continue;
    if (explain(entry, missing)) continue;
    if (is_prose(entry))
      cx_.warning_at(Code::KEY_FOR_PEOPLE, {entry.key_place, node_.origin.expansion}, path_,
                     prose_message(what_, entry.key));
    else
      foreign.push_back(&entry);
  }
  if (foreign.empty())
    report_missing(missing);
  else
    report_foreign(foreign, missing);
}

namespace {

// Keys that other languages have in this place, and what says the same here.
struct KeyHint {
  std::string_view what, key, hint;
};
constexpr KeyHint key_hints[] = {
    {"a phase", "actions", "an action names its phases itself: `phase: [main]`"},
    {"turnStructure", "activePlayerOrder", "who plays next is said by the section `turnOrder`"},
    {"a zone", "type", "a zone needs no type; `behavior: {type: deck}` makes it a deck"},
    {"a terminal condition", "winner", "write `result: {type: win, player: …}`"},
};

std::string_view key_hint(std::string_view what, std::string_view key) {
  for (const KeyHint& hint : key_hints)
    if (hint.what == what && hint.key == key) return hint.hint;
  return {};
}

}  // namespace

// What the key is called here, if it is known by another name: what is missing, or else the first
// that could be given.
std::vector<std::string> Fields::renamed(const Entry& entry,
                                         const std::vector<std::string>& missing) const {
  std::vector<std::string> out;
  for (std::string& meant : meant_by(SlipOf::key, entry.key)) {
    const bool possible =
        std::ranges::find(known_, meant) != known_.end() && node_.find(meant) == nullptr;
    if (std::ranges::find(missing, meant) != missing.end() || (possible && out.empty()))
      out.push_back(std::move(meant));
  }
  return out;
}

// A key that is probably another one misspelt, or called by another name. That also explains why
// the right one is missing.
bool Fields::explain(const Entry& entry, std::vector<std::string>& missing) {
  if (!key_hint(what_, entry.key).empty()) return false;
  std::vector<std::string> alternatives = did_you_mean(entry.key, known_keys());
  if (std::vector<std::string> names = renamed(entry, missing); !names.empty()) {
    for (const std::string& name : names) std::erase(missing, name);
    alternatives = std::move(names);
  }
  if (alternatives.empty()) return false;
  for (const std::string& alternative : alternatives)
    if (std::erase(missing, alternative) > 0) {
      alternatives = {alternative};
      break;
    }
  cx_.error_at(Code::KEY_UNKNOWN, {entry.key_place, node_.origin.expansion}, path_,
               fmt::format("{} has no key `{}`", what_, entry.key))
      .alternatives = std::move(alternatives);
  return true;
}

// Keys that belong to something else, and what is missing because of that, are one mistake.
void Fields::report_foreign(const std::vector<const Entry*>& foreign,
                            const std::vector<std::string>& missing) {
  std::vector<std::string> keys;
  for (const Entry* entry : foreign) keys.push_back(entry->key);
  Diagnostic& d =
      cx_.error_at(Code::KEY_UNKNOWN, {foreign.front()->key_place, node_.origin.expansion}, path_,
                   fmt::format("{} has no key{} {}", what_, keys.size() > 1 ? "s" : "",
                               quoted_list(keys, "and")));
  const std::vector<std::string> known = known_keys();
  if (const std::string_view hint = key_hint(what_, keys.front()); !hint.empty())
    d.suggestion = hint;
  else if (known.empty())
    d.suggestion = fmt::format("{} takes no keys", what_);
  else if (missing.empty())
    d.suggestion = fmt::format("use {}", quoted_list(known));
  else if (missing.size() == known.size())
    d.suggestion = fmt::format("it needs {}", quoted_list(missing, "and"));
  else
    d.suggestion = fmt::format("it needs {}, and its keys are {}", quoted_list(missing, "and"),
                               quoted_list(known, "and"));
}

// A dash in the middle of an item makes two of it: what the one lacks, the other has.
bool Fields::report_dash(const std::vector<std::string>& missing) {
  const auto [list, at] = cx_.items;
  if (list == nullptr) return false;
  const Node& item = list->items[at];
  const bool body = item.is_map() && item.entries.size() == 1 && &item.entries[0].value == &node_;
  if (&item != &node_ && !body) return false;
  const auto has_what_is_missing = [&](const Node& other) {
    const auto belongs = [&](const Entry& entry) {
      return node_.find(entry.key) == nullptr &&
             std::ranges::find(known_, entry.key) != known_.end();
    };
    return other.is_map() && std::ranges::all_of(other.entries, belongs) &&
           std::ranges::any_of(missing, [&](const std::string& key) { return other.has(key); });
  };
  const Node* torn = nullptr;
  if (at + 1 < list->items.size() && has_what_is_missing(list->items[at + 1]))
    torn = &list->items[at + 1];
  else if (at > 0 && !body && has_what_is_missing(list->items[at - 1]))
    torn = &item;
  if (torn == nullptr || torn->origin.expansion != list->origin.expansion) return false;
  cx_.torn_off.insert(torn);
  const std::string& key = torn->entries.front().key;
  cx_.error_at(
         Code::YAML_DASH, torn->origin, path_,
         fmt::format("the dash before `{}` begins a new item in the middle of {}", key, what_))
      .suggestion = fmt::format("put blanks in the place of the dash before `{}`", key);
  return true;
}

void Fields::report_missing(const std::vector<std::string>& missing) {
  std::vector<std::string> absent;
  for (const std::string& key : missing) {
    const Entry* entry = node_.find_entry(key);
    if (entry == nullptr) {
      absent.push_back(key);
      continue;
    }
    cx_.error_at(Code::KEY_MISSING, entry->value.origin, path_,
                 fmt::format("`{}` of {} is empty", key, what_))
        .suggestion = fmt::format("give `{}` a value", key);
  }
  if (absent.empty() || report_dash(absent)) return;
  Diagnostic& d = cx_.error_at(Code::KEY_MISSING, node_.origin, path_,
                               fmt::format("{} needs {}", what_, quoted_list(absent, "and")));
  std::string lines;
  for (const std::string& key : absent)
    lines += fmt::format("{}`{}:`",
                         lines.empty()          ? ""
                         : key == absent.back() ? " and "
                                                : ", ",
                         key);
  d.suggestion = fmt::format("add {}", lines);
}

void not_a_list(Context& cx, const Node& node, std::string_view what) {
  Diagnostic& d = wrong_shape(cx, node, what);
  if (!node.is_map() || node.entries.empty()) return;
  const Entry& first = node.entries.front();
  if (first.value.is_map() && (what == "a list of phases" || what == "a list of parameters"))
    d.suggestion = fmt::format("write each as a list item with its name in it: `- {}: {}`",
                               what == "a list of parameters" ? "name" : "id", first.key);
  else
    d.suggestion = "put it into a list: begin it with `- `";
}

Diagnostic& wrong_shape(Context& cx, const Node& node, std::string_view wanted) {
  return cx.error(Code::SHAPE_WRONG, node,
                  fmt::format("expected {}, but this is {}", wanted, spec::describe(node)));
}

void report_word(Context& cx, const Node& node, std::string_view what,
                 const std::vector<std::string>& words) {
  if (!node.is_string()) {
    Diagnostic& d = wrong_shape(cx, node, fmt::format("the {}", what));
    d.suggestion = fmt::format("use {}", quoted_list(words));
    return;
  }
  Diagnostic& d = cx.unknown(Code::WORD_UNKNOWN, node, what, node.text, words);
  correct_slip(d, SlipOf::word, node.text, words);
}

std::string read_string(Context& cx, const Node& node, std::string_view what) {
  if (node.is_string()) return node.text;
  Diagnostic& d = wrong_shape(cx, node, what);
  if (node.is_integer() || node.is_boolean() || node.is_real())
    d.suggestion = fmt::format("write it in quotes: \"{}\"", to_text(node));
  return {};
}

std::string read_id(Context& cx, const Node& node, std::string_view what) {
  std::string out = read_string(cx, node, what);
  if (out.empty() && node.is_string())
    cx.error(Code::SHAPE_WRONG, node, fmt::format("{} must not be empty", what));
  return out;
}

bool read_bool(Context& cx, const Node& node, std::string_view what) {
  if (node.is_boolean()) return node.boolean;
  Diagnostic& d = wrong_shape(cx, node, fmt::format("true or false for {}", what));
  for (const std::string_view word : {"yes", "on", "no", "off"})
    if (node.is(word))
      d.suggestion = fmt::format("`{}` is text in YAML 1.2; write `{}`", node.text,
                                 word == "yes" || word == "on" ? "true" : "false");
  if (node.is("true") || node.is("false"))
    d.suggestion = fmt::format("drop the quotes: {}", node.text);
  return false;
}

Int read_int(Context& cx, const Node& node, std::string_view what, Int least, Int most) {
  if (!node.is_integer()) {
    Diagnostic& d = wrong_shape(cx, node, fmt::format("a whole number for {}", what));
    if (node.is_string() && !node.text.empty() &&
        std::ranges::all_of(node.text, [](char c) { return c >= '0' && c <= '9'; }))
      d.suggestion = fmt::format("drop the quotes: {}", node.text);
    else if (node.is_string() && node.text.find(" //") != std::string::npos)
      d.suggestion = "a comment begins with `#`, not with `//`";
    return std::clamp<Int>(0, least, most);
  }
  if (node.integer >= least && node.integer <= most) return node.integer;
  const std::string range = most == max_int     ? fmt::format("at least {}", least)
                            : least == -max_int ? fmt::format("at most {}", most)
                                                : fmt::format("from {} to {}", least, most);
  cx.error(Code::NUMBER_RANGE, node,
           fmt::format("{} must be {}, not {}", what, range, node.integer));
  return std::clamp(node.integer, least, most);
}

std::vector<std::string> read_strings(Context& cx, const Node& node, std::string_view what) {
  std::vector<std::string> out;
  each_item(cx, node, what, [&](const Node& item) {
    if (item.is_string())
      out.push_back(item.text);
    else
      read_string(cx, item, "text");
  });
  return out;
}

std::optional<Scalar> read_scalar(Context& cx, const Node& node, std::string_view what) {
  switch (node.kind) {
    case Node::Kind::integer:
      return Scalar{read_int(cx, node, what)};
    case Node::Kind::boolean:
      return Scalar{node.boolean};
    case Node::Kind::string:
      return Scalar{node.text};
    case Node::Kind::real:
      wrong_shape(cx, node, what).suggestion = "only whole numbers exist in rules";
      return std::nullopt;
    default:
      wrong_shape(cx, node, what);
      return std::nullopt;
  }
}

nlohmann::json read_data(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::boolean:
      return node.boolean;
    case Node::Kind::integer:
      return node.integer;
    case Node::Kind::real:
      return node.real;
    case Node::Kind::string:
      return node.text;
    case Node::Kind::list: {
      auto out = nlohmann::json::array();
      for (const Node& item : node.items) out.push_back(read_data(item));
      return out;
    }
    case Node::Kind::map: {
      auto out = nlohmann::json::object();
      for (const Entry& entry : node.entries) out[entry.key] = read_data(entry.value);
      return out;
    }
  }
  return nullptr;
}

}  // namespace parlor::spec::lower
