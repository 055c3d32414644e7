// Which bindings are visible at a point of an effect list, and why others are not. Mirrors what
// happens while playing: chooseOne and the like stay visible to the effects that follow, a forEach
// leaves nothing behind, an `if` leaves what both branches made.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/lower/types.h"
#include "spec/node.h"

namespace parlor::spec::lower {

struct Binding {
  std::string name;
  Type type;
  Origin origin;  // where it was declared; unknown for implicit ones
};

class Scope {
 public:
  void declare(Binding binding);
  const Binding* find(std::string_view name) const;  // the innermost
  std::vector<std::string> visible_names() const;

  std::size_t mark() const { return bindings_.size(); }
  // Ends a block: its bindings are no longer visible; they are handed back.
  std::vector<Binding> leave(std::size_t mark);
  // Ends a block for good: later mentions of its bindings are explained with `why`.
  void forget(std::size_t mark, std::string_view why);

  // A binding that ended with its block, with the reason.
  struct Gone {
    Binding binding;
    std::string_view why;
  };
  const Gone* find_gone(std::string_view name) const;

  // Ends an `if`: what both branches made stays; the rest is kept for later `if`s that ask exactly
  // the same.
  void join(const Node& when, std::vector<Binding> then, std::vector<Binding> otherwise);
  // Begins a branch of an `if`: brings back what the same branch of the same question made before.
  void recall(const Node& when, bool then_branch);

  // Everything declared since the scope was made, visible or not; for scopes that see into others.
  std::vector<Binding> ever() const;

 private:
  struct Remembered {
    const Node* when;
    bool then_branch;
    std::vector<Binding> bindings;
  };

  std::vector<Binding> bindings_;
  std::vector<Gone> gone_;
  std::vector<Remembered> remembered_;
};

// The part of a binding's name before its first {placeholder}: "$moved@" of "$moved@{$space}".
std::string_view fixed_part(std::string_view name);
inline bool has_placeholder(std::string_view name) {
  return name.find('{') != std::string_view::npos;
}

}  // namespace parlor::spec::lower
