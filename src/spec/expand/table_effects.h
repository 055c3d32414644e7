// What hands do at a table, as effects that are short for others: looking at the top of a pile,
// swapping, cutting, drawing until something turns up, rolling dice (L-10, L-11). And what every
// built-in effect is written with.
#pragma once

#include <map>
#include <optional>

#include "spec/expand/build.h"
#include "spec/expand/walk.h"

namespace parlor::spec {

struct BuiltinTools {
  Expander& expander;

  bool fail(const Node& at, const Path& path, std::string message, std::string suggestion) const;
  bool need(const Node& body, std::string_view what, std::string_view key, const Path& path) const;
  // The key `size`, which must be written out.
  std::optional<std::int64_t> size(const Node& body, std::string_view what, const Path& path) const;
  // Takes so many effects from the budget.
  bool take(std::size_t count, const Node& at, const Path& path) const;
  // A binding no author can collide with; the path makes it different for every use.
  std::string fresh(std::string_view stem, const Path& path) const;
};

bool is_table_effect(const Node& item);

// Tokens with faces: `{id: die, faces: 6}` has the property `face`, a number from 1 to 6; a list
// gives the faces themselves. Declared once, before anything is written out.
struct Die {
  std::vector<Node> faces;
  bool plain = false;  // 1, 2, 3, …
};

class TableEffects : BuiltinTools {
 public:
  explicit TableEffects(Expander& expander);

  std::vector<Node> write_out(std::string_view name, const Node& body, const Path& path,
                              const Build& build) const;
  // {distance: {from, to, most, via?}}, a value: how many steps it is, -1 for more than `most`.
  void measure(Node& value, const Path& path) const;
  // {components: {where}} and {largestComponent: {where}}, values: groups of neighbouring zones.
  void group(Node& value, const Path& path) const;
  // A die that is made without a face lies on its first one.
  void give_face(Node& create) const;

 private:
  using Nodes = std::vector<Node>;
  Nodes sight(std::string_view name, const Node& body, const Path& path, const Build& build) const;
  Nodes peek(const Node& body, const Path& path, const Build& build) const;
  Nodes swap(const Node& body, const Path& path, const Build& build) const;
  Nodes swap_zones(const Node& body, const Path& path, const Build& build) const;
  Nodes cut(const Node& body, const Path& path, const Build& build) const;
  Nodes draw_until(const Node& body, const Path& path, const Build& build) const;
  Nodes roll(const Node& body, const Path& path, const Build& build) const;
  Node roll_one(const Die& die, const Node& token, const Path& path, const Build& build) const;

  void declare_dice();
  bool keys(std::string_view name, const Node& body, std::span<const std::string_view> allowed,
            std::span<const std::string_view> needed, const Path& path) const;

  std::map<std::string, Die, std::less<>> dice_;
};

}  // namespace parlor::spec
