#include "spec/node.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {

Node Node::of_null(Origin origin) {
  Node out;
  out.origin = origin;
  return out;
}

Node Node::of_boolean(bool value, Origin origin) {
  Node out = of_null(origin);
  out.kind = Kind::boolean;
  out.boolean = value;
  return out;
}

Node Node::of_integer(std::int64_t value, Origin origin) {
  Node out = of_null(origin);
  out.kind = Kind::integer;
  out.integer = value;
  return out;
}

Node Node::of_string(std::string value, Origin origin) {
  Node out = of_null(origin);
  out.kind = Kind::string;
  out.text = std::move(value);
  return out;
}

Node Node::of_list(Origin origin) {
  Node out = of_null(origin);
  out.kind = Kind::list;
  return out;
}

Node Node::of_map(Origin origin) {
  Node out = of_null(origin);
  out.kind = Kind::map;
  return out;
}

const Entry* Node::find_entry(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

const Node* Node::find(std::string_view key) const {
  const Entry* entry = find_entry(key);
  return entry ? &entry->value : nullptr;
}

Node* Node::find(std::string_view key) {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
}

std::optional<std::string_view> Node::find_string(std::string_view key) const {
  const Node* node = find(key);
  return node ? node->as_string() : std::nullopt;
}

std::optional<std::int64_t> Node::find_integer(std::string_view key) const {
  const Node* node = find(key);
  return node ? node->as_integer() : std::nullopt;
}

std::optional<bool> Node::find_boolean(std::string_view key) const {
  const Node* node = find(key);
  return node ? node->as_boolean() : std::nullopt;
}

Node& Node::set(std::string_view key, Node value) {
  if (Node* present = find(key)) {
    *present = std::move(value);
    return *present;
  }
  const Place place = value.origin.place;
  entries.push_back({std::string{key}, place, std::move(value)});
  return entries.back().value;
}

void Node::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

std::optional<std::string_view> Node::as_string() const {
  if (!is_string()) return std::nullopt;
  return text;
}

std::optional<std::int64_t> Node::as_integer() const {
  if (!is_integer()) return std::nullopt;
  return integer;
}

std::optional<bool> Node::as_boolean() const {
  if (!is_boolean()) return std::nullopt;
  return boolean;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::boolean:
      return "a boolean";
    case Node::Kind::integer:
      return "an integer";
    case Node::Kind::real:
      return "a fractional number";
    case Node::Kind::string:
      return "a string";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a mapping";
  }
  return {};
}

std::string describe(const Node& node) {
  constexpr std::size_t longest = 40;
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing (null)";
    case Node::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    case Node::Kind::map:
      if (node.entries.empty()) return "an empty mapping";
      // A word of the text notation that is yet to be resolved.
      if (const Node* ref = node.find("ref"); ref != nullptr && ref->is("name"))
        if (const auto name = node.find_string("name"))
          return fmt::format("the name `{}`", name->substr(0, longest));
      return fmt::format("a mapping with `{}`", node.entries.front().key.substr(0, longest));
    case Node::Kind::string:
      if (node.text.size() > longest)
        return fmt::format("the string \"{}…\"", node.text.substr(0, longest));
      return fmt::format("the string \"{}\"", node.text);
    case Node::Kind::boolean:
    case Node::Kind::integer:
    case Node::Kind::real:
      break;
  }
  return fmt::format("{} {}", kind_name(node.kind), to_text(node));
}

bool same_value(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Node::Kind::null:
      return true;
    case Node::Kind::boolean:
      return a.boolean == b.boolean;
    case Node::Kind::integer:
      return a.integer == b.integer;
    case Node::Kind::real:
      return a.real == b.real;
    case Node::Kind::string:
      return a.text == b.text;
    case Node::Kind::list:
      return std::ranges::equal(a.items, b.items, same_value);
    case Node::Kind::map:
      break;
  }
  return std::ranges::equal(a.entries, b.entries, [](const Entry& x, const Entry& y) {
    return x.key == y.key && same_value(x.value, y.value);
  });
}

namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  out += '"';
}

void append_text(std::string& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      out += "null";
      return;
    case Node::Kind::boolean:
      out += node.boolean ? "true" : "false";
      return;
    case Node::Kind::integer:
      out += std::to_string(node.integer);
      return;
    case Node::Kind::real:
      out += node.text;
      return;
    case Node::Kind::string:
      append_quoted(out, node.text);
      return;
    case Node::Kind::list: {
      out += '[';
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0) out += ", ";
        append_text(out, node.items[i]);
      }
      out += ']';
      return;
    }
    case Node::Kind::map:
      break;
  }
  out += '{';
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    if (i > 0) out += ", ";
    out += node.entries[i].key;
    out += ": ";
    append_text(out, node.entries[i].value);
  }
  out += '}';
}

}  // namespace

std::string to_text(const Node& node) {
  std::string out;
  append_text(out, node);
  return out;
}

std::size_t count_nodes(const Node& node) {
  constexpr std::size_t short_text = 128;
  std::size_t out = 1 + node.text.size() / short_text;
  for (const Node& item : node.items) out += count_nodes(item);
  for (const Entry& entry : node.entries)
    out += entry.key.size() / short_text + count_nodes(entry.value);
  return out;
}

void mark_expansion(Node& node, ExpansionIndex expansion) {
  if (node.origin.expansion == 0) node.origin.expansion = expansion;
  for (Node& item : node.items) mark_expansion(item, expansion);
  for (Entry& entry : node.entries) mark_expansion(entry.value, expansion);
}

}  // namespace parlor::spec
