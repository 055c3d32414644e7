// The small vocabulary in which every construct says what it looks like: a mapping with these
// keys, a list of those, one of these words. Mistakes get the same words everywhere.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/keys.h"
#include "spec/lower/context.h"

namespace parlor::spec::lower {

// Integers are exact in every tool that reads them as JSON numbers.
inline constexpr Int max_int = (Int{1} << 53) - 1;

// Reads a mapping key by key; the keys asked for are the keys it may have. When it goes out of
// scope, other keys are errors, and so are required ones that are missing (unless a misspelt key
// explains that). One mapping gets as few diagnostics as it has mistakes.
class Fields {
 public:
  // `what` names the construct in messages: "moveToken", "an action".
  Fields(Context& cx, const Node& node, std::string_view what);
  ~Fields();
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  const Node& node() const { return node_; }

  // The value under a key; null counts as absent.
  const Node* optional(std::string_view key);
  // A required key: `or_else` is one that can stand in its place.
  const Node* required(std::string_view key, std::string_view or_else = {});
  // Keys that are fine but read elsewhere.
  void allow(std::initializer_list<std::string_view> keys);
  void hint(std::string_view text) { keys_.hint(text); }
  // Says nothing more about this mapping: the reason has been reported.
  void give_up() { silent_ = true; }

  // Calls `read(node)` at the key's path. False when there is nothing to read.
  template <std::invocable<const Node&> Read>
  bool need(std::string_view key, Read&& read, std::string_view or_else = {}) {
    return visit(key, required(key, or_else), std::forward<Read>(read));
  }
  template <std::invocable<const Node&> Read>
  bool maybe(std::string_view key, Read&& read) {
    return visit(key, optional(key), std::forward<Read>(read));
  }

 private:
  template <class Read>
  bool visit(std::string_view key, const Node* node, Read&& read) {
    if (node == nullptr) return false;
    const auto step = cx_.step(key);
    read(*node);
    return true;
  }
  bool report_dash(const std::vector<std::string>& missing);

  Context& cx_;
  const Node& node_;
  std::string_view what_;
  Keys keys_;
  bool silent_ = false;
};

// Visits the elements of a list, each at its path. False (and an error) when it is no list.
template <std::invocable<const Node&> Read>
bool each_item(Context& cx, const Node& node, std::string_view what, Read&& read);

// One of several words.
template <class Enum>
struct Word {
  std::string_view text;
  Enum value;
};
template <class Enum>
Enum read_word(Context& cx, const Node& node, std::string_view what,
               std::initializer_list<Word<Enum>> words, Enum otherwise);

Diagnostic& wrong_shape(Context& cx, const Node& node, std::string_view wanted);
void not_a_list(Context& cx, const Node& node, std::string_view what);

// Plain data. A wrong node is reported and answered with the default.
std::string read_string(Context& cx, const Node& node, std::string_view what);
std::string read_id(Context& cx, const Node& node, std::string_view what);  // not empty
bool read_bool(Context& cx, const Node& node, std::string_view what);
Int read_int(Context& cx, const Node& node, std::string_view what, Int least = -max_int,
             Int most = max_int);
std::vector<std::string> read_strings(Context& cx, const Node& node, std::string_view what);
std::optional<Scalar> read_scalar(Context& cx, const Node& node, std::string_view what);
nlohmann::json read_data(const Node& node);  // as it is

// ---- Implementation of the templates

template <std::invocable<const Node&> Read>
bool each_item(Context& cx, const Node& node, std::string_view what, Read&& read) {
  if (!node.is_list()) {
    not_a_list(cx, node, what);
    return false;
  }
  const Context::Items outer = cx.items;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = cx.step(i);
    cx.items = {&node, i};
    if (!cx.torn_off.contains(&node.items[i])) read(node.items[i]);
  }
  cx.items = outer;
  return true;
}

// "there is no owner `al`; use `none` or `player`"
void report_word(Context& cx, const Node& node, std::string_view what,
                 const std::vector<std::string>& words);
// Reports it unless it is one of the words.
void check_word(Context& cx, const Node& node, std::string_view what,
                const std::vector<std::string>& words);

template <class Enum>
Enum read_word(Context& cx, const Node& node, std::string_view what,
               std::initializer_list<Word<Enum>> words, Enum otherwise) {
  for (const auto& word : words)
    if (node.is(word.text)) return word.value;
  std::vector<std::string> names;
  for (const auto& word : words) names.emplace_back(word.text);
  report_word(cx, node, what, names);
  return otherwise;
}

}  // namespace parlor::spec::lower
