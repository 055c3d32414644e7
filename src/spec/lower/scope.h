// Which bindings are visible at a point of an effect list, and why others are not. Mirrors what
// happens while playing: chooseOne and the like stay visible to the effects that follow, a forEach
// leaves nothing behind, an `if` leaves what both branches made.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
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
  // A choice under a templated name is a parameter of the move: no block's end hides it.
  bool parameter = false;
};

// Bindings in the order they were made, found by name. Large games have lists with thousands of
// them, so a search must not look at each.
class Bindings {
 public:
  void push(Binding binding);
  // The last one that this name means: its own name, or one whose placeholders may become it.
  const Binding* find(std::string_view name) const;
  std::size_t size() const { return list_.size(); }
  const std::vector<Binding>& list() const { return list_; }
  std::vector<Binding> take_from(std::size_t mark);

 private:
  std::vector<Binding> list_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_name_;  // positions, in order
  std::vector<std::size_t> patterns_;  // positions of names with placeholders
};

class Scope {
 public:
  void declare(Binding binding) { bindings_.push(std::move(binding)); }
  const Binding* find(std::string_view name) const;  // the innermost
  std::vector<std::string> visible_names() const;

  std::size_t mark() const { return bindings_.size(); }
  // Ends a block: its bindings are no longer visible; they are handed back.
  std::vector<Binding> leave(std::size_t mark) { return bindings_.take_from(mark); }
  // Ends a block for good: later mentions of its bindings are explained with `why`. What the block
  // made as parameters of the move stays.
  void forget(std::size_t mark, std::string_view why);

  // A binding that ended with its block, with the reason.
  struct Gone {
    Binding binding;
    std::string_view why;
  };
  std::optional<Gone> find_gone(std::string_view name) const;

  // Ends an `if`: what both branches made stays; the rest is kept for later `if`s that ask exactly
  // the same.
  void join(const Node& when, std::vector<Binding> then, std::vector<Binding> otherwise);
  // A branch of an `if` sees what the same branch of the same question made before, from
  // enter_branch to leave_branch.
  void enter_branch(const Node& when, bool then_branch);
  void leave_branch() { recalled_.pop_back(); }

  // Whoever reads in this scope may also mention what a move to come will have bound.
  void leave_open() { open_ = true; }
  bool open() const { return open_; }

  // Everything declared since the scope was made, visible or not; for scopes that see into others.
  std::vector<Binding> ever() const;

 private:
  using Question = std::pair<std::string, bool>;  // the condition as text, and which branch

  Bindings bindings_;
  Bindings gone_;
  std::vector<std::string_view> why_gone_;  // for each of gone_
  std::map<Question, Bindings> remembered_;
  std::vector<Question> recalled_;
  bool open_ = false;
};

// The part of a binding's name before its first {placeholder}: "$moved@" of "$moved@{$space}".
std::string_view fixed_part(std::string_view name);
inline bool has_placeholder(std::string_view name) {
  return name.find('{') != std::string_view::npos;
}

}  // namespace parlor::spec::lower
