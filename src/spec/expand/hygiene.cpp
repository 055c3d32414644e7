#include "spec/expand/hygiene.h"

#include <algorithm>
#include <set>

#include "spec/gamedef/language.h"

namespace parlor::spec {
namespace {

bool letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool name_character(char c) {
  return letter_or_digit(c) || c == '_' || c == '-';
}

void collect(const Node& node, std::vector<std::string>& out) {
  for (const Node& item : node.items) collect(item, out);
  for (const Entry& entry : node.entries) {
    const Node& value = entry.value;
    if (value.is_string() && value.text.starts_with('$') && is_binder_key(entry.key) &&
        std::ranges::find(out, value.text) == out.end())
      out.push_back(value.text);
    collect(value, out);
  }
}

}  // namespace

bool is_binder_key(std::string_view key) {
  static const std::set<std::string_view> keys = [] {
    std::set<std::string_view> out;
    for (const Construct& construct : language())
      for (const FieldInfo& field : construct.fields)
        if (field.spec.binds()) out.insert(field.key);
    return out;
  }();
  return keys.contains(key);
}

std::vector<std::string> declared_bindings(const Node& node) {
  std::vector<std::string> out;
  collect(node, out);
  return out;
}

void Renaming::add(const std::string& name, std::string replacement) {
  const std::size_t brace = name.find('{');
  if (brace != std::string::npos && brace > 1) {
    // `$moved@{$space}` is referred to with other placeholders too; what they share is the front.
    const std::size_t cut = replacement.find('{');
    if (cut != std::string::npos) {
      prefixes_.emplace_back(name.substr(0, brace), replacement.substr(0, cut));
      std::ranges::sort(prefixes_, [](const auto& a, const auto& b) {
        return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a < b;
      });
    }
  }
  names_.insert_or_assign(name, std::move(replacement));
}

std::string Renaming::of(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? name : found->second;
}

std::string Renaming::rewrite_parts(std::string_view text) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out += text[at++];
      continue;
    }
    // The front of a templated name, also of one inside another's placeholder.
    const auto templated = std::ranges::find_if(
        prefixes_, [&](const auto& prefix) { return text.substr(at).starts_with(prefix.first); });
    if (templated != prefixes_.end()) {
      out += templated->second;
      at += templated->first.size();
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && name_character(text[end])) ++end;
    while (end > at + 1 && text[end - 1] == '-') --end;
    const std::string_view name = text.substr(at, end - at);
    const auto found = names_.find(name);
    out += found == names_.end() ? name : std::string_view{found->second};
    at = end;
  }
  return out;
}

std::string Renaming::rewrite(const std::string& text) const {
  if (const auto found = names_.find(text); found != names_.end()) {
    const std::size_t brace = found->second.find('{');
    if (brace == std::string::npos) return found->second;
    return found->second.substr(0, brace) +
           rewrite_parts(std::string_view{found->second}.substr(brace));
  }
  return rewrite_parts(text);
}

void Renaming::apply(Node& node) const {
  if (names_.empty()) return;
  if (node.is_string() && node.text.find('$') != std::string::npos) node.text = rewrite(node.text);
  // A binding may be mentioned without its `$` in the text notation; the word may also mean
  // something else, so it stays beside what the binding is called now.
  if (const Node* ref = node.find("ref"); ref != nullptr && ref->is("name") && !node.has("local"))
    if (const Node* name = node.find("name"); name != nullptr && name->is_string())
      if (const auto found = names_.find("$" + name->text); found != names_.end())
        node.set("local", Node::of_string(found->second, name->origin));
  for (Node& item : node.items) apply(item);
  for (Entry& entry : node.entries) apply(entry.value);
}

std::string local_name(std::string_view macro, std::string_view path, std::string_view name) {
  std::string out = "$__macro_";
  for (const std::string_view part : {macro, path}) {
    for (const char c : part) out += letter_or_digit(c) ? c : '_';
    out += '_';
  }
  out += name.substr(name.starts_with('$') ? 1 : 0);
  return out;
}

}  // namespace parlor::spec
