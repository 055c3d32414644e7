#include "spec/keys.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/slips.h"

namespace parlor::spec {

bool Keys::knows(std::string_view key) const {
  return std::ranges::find(known_, key) != known_.end();
}

Diagnostic& Keys::error(Code code, const Origin& origin, std::string message) {
  return report_.error(code, origin, std::move(message), path_);
}

std::vector<std::string> Keys::known_keys() const {
  std::vector<std::string> out;
  for (const std::string_view key : known_)
    if (std::ranges::find(out, key) == out.end()) out.emplace_back(key);
  return out;
}

// Something else stands where a mapping should: show how it is written.
void Keys::report_shape() {
  Diagnostic& d =
      error(Code::SHAPE_WRONG, node_.origin,
            fmt::format("expected a mapping for {}, but this is {}", what_, spec::describe(node_)));
  if (!hint_.empty()) {
    d.suggestion = hint_;
  } else if (missing_.size() == 1 && node_.is_scalar() && !node_.is_null()) {
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

bool Keys::check(const Explained& explained) {
  const std::size_t before = report_.errors();
  if (!node_.is_map()) {
    report_shape();
    return false;
  }
  std::vector<std::string> missing;
  for (const std::string_view key : missing_)
    if (std::ranges::find(missing, key) == missing.end()) missing.emplace_back(key);
  std::vector<const Entry*> foreign;  // keys that resemble nothing
  for (const Entry& entry : node_.entries) {
    if (std::ranges::find(known_, entry.key) != known_.end() || is_compiler_mark(entry.key))
      continue;
    if (explain(entry, missing)) continue;
    if (is_prose(entry))
      report_.warning(Code::KEY_FOR_PEOPLE, {entry.key_place, node_.origin.expansion},
                      prose_message(what_, entry.key), path_);
    else
      foreign.push_back(&entry);
  }
  if (foreign.empty())
    report_missing(missing, explained);
  else
    report_foreign(foreign, missing);
  return report_.errors() == before;
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
std::vector<std::string> Keys::renamed(const Entry& entry,
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
bool Keys::explain(const Entry& entry, std::vector<std::string>& missing) {
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
  for (const auto& [key, instead] : replaced_)
    if (key == alternatives.front()) std::erase(missing, instead);
  error(Code::KEY_UNKNOWN, {entry.key_place, node_.origin.expansion},
        fmt::format("{} has no key `{}`", what_, entry.key))
      .alternatives = std::move(alternatives);
  return true;
}

// Keys that belong to something else, and what is missing because of that, are one mistake.
void Keys::report_foreign(const std::vector<const Entry*>& foreign,
                          const std::vector<std::string>& missing) {
  std::vector<std::string> keys;
  for (const Entry* entry : foreign) keys.push_back(entry->key);
  Diagnostic& d =
      error(Code::KEY_UNKNOWN, {foreign.front()->key_place, node_.origin.expansion},
            fmt::format("{} has no key{} {}", what_, keys.size() > 1 ? "s" : "", name_list(keys)));
  const std::vector<std::string> known = known_keys();
  if (const std::string_view hint = key_hint(what_, keys.front()); !hint.empty())
    d.suggestion = hint;
  else if (known.empty())
    d.suggestion = fmt::format("{} takes no keys", what_);
  else if (missing.empty())
    d.suggestion = fmt::format("use {}", name_list(known, "or"));
  else if (missing.size() == known.size())
    d.suggestion = fmt::format("it needs {}", name_list(missing));
  else
    d.suggestion =
        fmt::format("it needs {}, and its keys are {}", name_list(missing), name_list(known));
}

void Keys::report_missing(const std::vector<std::string>& missing, const Explained& explained) {
  std::vector<std::string> absent;
  for (const std::string& key : missing) {
    const Entry* entry = node_.find_entry(key);
    if (entry == nullptr) {
      absent.push_back(key);
      continue;
    }
    error(Code::KEY_MISSING, entry->value.origin, fmt::format("`{}` of {} is empty", key, what_))
        .suggestion = fmt::format("give `{}` a value", key);
  }
  if (absent.empty() || (explained && explained(absent))) return;
  Diagnostic& d =
      error(Code::KEY_MISSING, node_.origin, fmt::format("{} needs {}", what_, name_list(absent)));
  std::string lines;
  for (const std::string& key : absent)
    lines += fmt::format("{}`{}:`",
                         lines.empty()          ? ""
                         : key == absent.back() ? " and "
                                                : ", ",
                         key);
  d.suggestion = fmt::format("add {}", lines);
}

bool only_keys(const Node& map, std::span<const std::string_view> allowed, std::string_view what,
               const std::string& path, Report& report) {
  if (!map.is_map()) return true;
  Keys keys{report, map, what, path};
  keys.allow(allowed);
  return keys.check();
}

}  // namespace parlor::spec
