// What a word of the text notation means: {ref: name, name: gold, of: [$token]} and
// {ref: field, of: $card, name: rank} become the reference the tree notation has for it. Everything
// a word can be is looked at; two claims are an error that lists both, unless only one of them is
// of the kind that is needed.
#pragma once

#include <optional>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// {ref: name} or {ref: field}.
bool is_word(const Node& node);
// The reference or literal a word stands for; reported and nothing when it means nothing. A wanted
// type that is unknown decides nothing.
std::optional<Node> resolve(Context& cx, const Node& word, const Type& wanted = {});
// What a word means, or a node that is none as it stands: that is not copied, and must outlive
// this.
class Settled {
 public:
  explicit Settled(const Node* same) : same_(same) {}
  explicit Settled(Node meant) : meant_(std::move(meant)) {}
  operator const Node&() const { return same_ != nullptr ? *same_ : *meant_; }

 private:
  const Node* same_ = nullptr;
  std::optional<Node> meant_;
};
// The same for nodes that need not be words: others come back as they are.
Settled settle(Context& cx, const Node& node, const Type& wanted = {});
// A reference where a selector is needed, as selectors are written: "$card", "left", "active".
Settled as_selector(Context& cx, const Node& node);
// Keeps what a word turned out to mean, for those who want to know.
Node noted(Context& cx, const Node& word, Node meaning);
// `owner == left` asked of a place: some token there has it. Nothing when it asks no such thing.
std::optional<Node> asked_of_tokens(Context& cx, const Node& condition);

}  // namespace parlor::spec::lower
