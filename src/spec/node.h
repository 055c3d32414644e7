// A YAML value with places: what reading a game's text gives, what expansion rewrites, and what
// the checker walks. Plain values, no exceptions; a wrong kind is answered with nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/place.h"

namespace parlor::spec {

struct Entry;

struct Node {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, list, map };

  Kind kind = Kind::null;
  bool quoted = false;   // a string that was written in quotes or as a block
  bool boolean = false;  // Kind::boolean
  union {
    std::int64_t integer = 0;  // Kind::integer
    double real;               // Kind::real
  };
  std::string text;            // Kind::string: the value; real: as written
  std::vector<Node> items;     // Kind::list
  std::vector<Entry> entries;  // Kind::map, in document order, keys unique
  Origin origin;

  static Node of_null(Origin origin);
  static Node of_boolean(bool value, Origin origin);
  static Node of_integer(std::int64_t value, Origin origin);
  static Node of_string(std::string value, Origin origin);
  static Node of_list(Origin origin);
  static Node of_map(Origin origin);

  bool is_null() const { return kind == Kind::null; }
  bool is_boolean() const { return kind == Kind::boolean; }
  bool is_integer() const { return kind == Kind::integer; }
  bool is_real() const { return kind == Kind::real; }
  bool is_string() const { return kind == Kind::string; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  bool is_scalar() const { return !is_list() && !is_map(); }
  bool is(std::string_view word) const { return is_string() && text == word; }

  // Maps. `find` gives nothing for a missing key and for nodes that are no map.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  const Entry* find_entry(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::optional<std::string_view> find_string(std::string_view key) const;
  std::optional<std::int64_t> find_integer(std::string_view key) const;
  std::optional<bool> find_boolean(std::string_view key) const;
  // Adds or replaces; the new key stands where the value stands unless said otherwise.
  Node& set(std::string_view key, Node value);
  void erase(std::string_view key);

  std::optional<std::string_view> as_string() const;
  std::optional<std::int64_t> as_integer() const;
  std::optional<bool> as_boolean() const;
};

struct Entry {
  std::string key;
  Place key_place;
  Node value;
};

// "a string", "a list", … for messages; with the value when that is short.
std::string_view kind_name(Node::Kind kind);
std::string describe(const Node& node);

// Equal values, places aside.
bool same_value(const Node& a, const Node& b);

// The node itself and everything in it, as a measure of the room it takes: long texts count for
// several.
std::size_t count_nodes(const Node& node);

// One-line YAML/JSON-like text of a value, for tests and messages.
std::string to_text(const Node& node);

// Marks a whole tree as brought here by an expansion: every node whose origin has no expansion of
// its own gets `expansion`.
void mark_expansion(Node& node, ExpansionIndex expansion);

}  // namespace parlor::spec
