// What every expansion needs: the document, a place for diagnostics, and budgets.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "spec/document.h"
#include "spec/front.h"
#include "spec/keys.h"

namespace parlor::spec {

struct Expander {
  GameSpecDoc& doc;
  Report& report;
  const FrontLimits& limits;
  std::size_t nodes_left;    // for macros and templates
  std::size_t effects_left;  // for built-ins
  bool exhausted = false;    // nodes were wanted that are not left; it has been said
  std::set<std::tuple<Code, Place>> said = {};

  // Inside expansions the same line may go wrong once per use: true the first time only.
  bool first_time(Code code, const Place& place) { return said.emplace(code, place).second; }
};

// The sections that hold rules: where macros and built-ins may be used.
std::span<const Section> rule_sections();

// Takes so many nodes from the budget; reports once and gives false when there are not as many
// left.
bool take_nodes(Expander& expander, std::size_t count, const Origin& at, const std::string& path);

// Puts values in the place of `{name}` throughout a text. Values go in as they are: what looks like
// a placeholder inside one stays, so that no text grows more than its own placeholders say.
using Fillings = std::vector<std::pair<std::string, std::string>>;
std::string fill_text(std::string_view text, const Fillings& values);

// Reads `{id, …}` entries of a section into (id, index) pairs, reporting entries without a string
// id (`missing`) and, for a second use of an id, `duplicate`; the first definition wins.
std::vector<std::pair<std::string, std::size_t>> declared_ids(Expander& expander, Section section,
                                                              std::string_view what, Code missing,
                                                              Code duplicate);

// Every `from` in a text becomes `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

// Visits what lies directly in `node`, the list's items or the mapping's values in document order,
// with `path` standing at each while it is visited.
template <class AnyNode, class Visit>
void each_child(AnyNode& node, Path& path, Visit visit) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = path.index(i);
    visit(node.items[i]);
  }
  for (auto& entry : node.entries) {
    const auto step = path.key(entry.key);
    visit(entry.value);
  }
}

// The same for those that hold something themselves. Most nodes of a game are scalars, and most
// walks have no business with them.
template <class AnyNode, class Visit>
void each_branch(AnyNode& node, Path& path, Visit visit) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.items[i].is_scalar()) continue;
    const auto step = path.index(i);
    visit(node.items[i]);
  }
  for (auto& entry : node.entries) {
    if (entry.value.is_scalar()) continue;
    const auto step = path.key(entry.key);
    visit(entry.value);
  }
}

}  // namespace parlor::spec
