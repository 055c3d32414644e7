// Nodes back to text: what the parser would read as exactly these nodes, or nothing when they can
// be said in the tree notation alone.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/document.h"
#include "spec/text/parser.h"

namespace parlor::spec::text {

// Everything a game gives a name, by kind: a bare word is written only when one kind claims it.
struct Claims {
  std::set<std::string, std::less<>> game_vars, player_vars, zone_vars, constants, named_sets,
      global_markers, markers, zones, seats, props, attributes, bindings, texts;
  // Properties and attributes that hold texts and those that do not, and bindings that may.
  std::set<std::string, std::less<>> text_members, other_members, text_bindings;

  // How many kinds claim a word; texts aside.
  int count(std::string_view word) const;
  // Whether a property or attribute of this name always holds a text.
  bool holds_text(std::string_view member) const;
};
Claims claims_of(const Sections& sections);

struct PrintContext {
  const Names& names;
  const Claims& claims;
  Params params = {};  // of the macro whose body is printed
};

std::optional<std::string> print_condition(const Node& node, const PrintContext& context,
                                           std::string_view element = {});
std::optional<std::string> print_value(const Node& node, const PrintContext& context,
                                       std::string_view element = {});
std::optional<std::string> print_query(const Node& node, const PrintContext& context);
std::optional<std::string> print_statement(const Node& node, const PrintContext& context);
std::optional<std::string> print_filter(const Node& node, const PrintContext& context);
std::optional<std::string> print_rows(const Node& node, const PrintContext& context);

}  // namespace parlor::spec::text
