#include "spec/lower/shape.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/slips.h"

namespace parlor::spec::lower {

Fields::Fields(Context& cx, const Node& node, std::string_view what)
    : cx_(cx), node_(node), what_(what), keys_(cx.report, node, what, cx.path()) {}

Fields::~Fields() {
  if (!silent_)
    keys_.check([&](const std::vector<std::string>& missing) { return report_dash(missing); });
}

const Node* Fields::optional(std::string_view key) {
  keys_.allow(key);
  const Node* found = node_.find(key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

const Node* Fields::required(std::string_view key, std::string_view or_else) {
  const Node* found = optional(key);
  if (found == nullptr) keys_.miss(key, or_else);
  return found;
}

void Fields::allow(std::initializer_list<std::string_view> keys) {
  keys_.allow({keys.begin(), keys.size()});
}

// A dash in the middle of an item makes two of it: what the one lacks, the other has.
bool Fields::report_dash(const std::vector<std::string>& missing) {
  const auto [list, at] = cx_.items;
  if (list == nullptr) return false;
  const Node& item = list->items[at];
  const bool body = item.is_map() && item.entries.size() == 1 && &item.entries[0].value == &node_;
  if (&item != &node_ && !body) return false;
  const auto has_what_is_missing = [&](const Node& other) {
    const auto belongs = [&](const Entry& entry) {
      return node_.find(entry.key) == nullptr && keys_.knows(entry.key);
    };
    return other.is_map() && std::ranges::all_of(other.entries, belongs) &&
           std::ranges::any_of(missing, [&](const std::string& key) { return other.has(key); });
  };
  const Node* torn = nullptr;
  if (at + 1 < list->items.size() && has_what_is_missing(list->items[at + 1]))
    torn = &list->items[at + 1];
  else if (at > 0 && !body && !item.entries.empty() && has_what_is_missing(list->items[at - 1]))
    torn = &item;
  if (torn == nullptr || torn->origin.expansion != list->origin.expansion) return false;
  cx_.torn_off.insert(torn);
  const std::string& key = torn->entries.front().key;
  cx_.error_at(
         Code::YAML_DASH, torn->origin, keys_.path(),
         fmt::format("the dash before `{}` begins a new item in the middle of {}", key, what_))
      .suggestion = fmt::format("put blanks in the place of the dash before `{}`", key);
  return true;
}

void not_a_list(Context& cx, const Node& node, std::string_view what) {
  Diagnostic& d = wrong_shape(cx, node, what);
  if (!node.is_map() || node.entries.empty()) return;
  const Entry& first = node.entries.front();
  if (first.value.is_map() && (what == "a list of phases" || what == "a list of parameters"))
    d.suggestion = fmt::format("write each as a list item with its name in it: `- {}: {}`",
                               what == "a list of parameters" ? "name" : "id", first.key);
  else
    d.suggestion = "put it into a list: begin it with `- `";
}

Diagnostic& wrong_shape(Context& cx, const Node& node, std::string_view wanted) {
  return cx.error(Code::SHAPE_WRONG, node,
                  fmt::format("expected {}, but this is {}", wanted, spec::describe(node)));
}

void report_word(Context& cx, const Node& node, std::string_view what,
                 const std::vector<std::string>& words) {
  if (!node.is_string()) {
    Diagnostic& d = wrong_shape(cx, node, fmt::format("the {}", what));
    d.suggestion = fmt::format("use {}", name_list(words, "or"));
    return;
  }
  Diagnostic& d = cx.unknown(Code::WORD_UNKNOWN, node, what, node.text, words);
  correct_slip(d, SlipOf::word, node.text, words);
}

void check_word(Context& cx, const Node& node, std::string_view what,
                const std::vector<std::string>& words) {
  if (std::ranges::none_of(words, [&](const std::string& word) { return node.is(word); }))
    report_word(cx, node, what, words);
}

std::string read_string(Context& cx, const Node& node, std::string_view what) {
  if (node.is_string()) return node.text;
  Diagnostic& d = wrong_shape(cx, node, what);
  if (node.is_integer() || node.is_boolean() || node.is_real())
    d.suggestion = fmt::format("write it in quotes: \"{}\"", to_text(node));
  return {};
}

std::string read_id(Context& cx, const Node& node, std::string_view what) {
  std::string out = read_string(cx, node, what);
  if (out.empty() && node.is_string())
    cx.error(Code::SHAPE_WRONG, node, fmt::format("{} must not be empty", what));
  return out;
}

bool read_bool(Context& cx, const Node& node, std::string_view what) {
  if (node.is_boolean()) return node.boolean;
  Diagnostic& d = wrong_shape(cx, node, fmt::format("true or false for {}", what));
  for (const std::string_view word : {"yes", "on", "no", "off"})
    if (node.is(word))
      d.suggestion = fmt::format("`{}` is text in YAML 1.2; write `{}`", node.text,
                                 word == "yes" || word == "on" ? "true" : "false");
  if (node.is("true") || node.is("false"))
    d.suggestion = fmt::format("drop the quotes: {}", node.text);
  return false;
}

Int read_int(Context& cx, const Node& node, std::string_view what, Int least, Int most) {
  if (!node.is_integer()) {
    Diagnostic& d = wrong_shape(cx, node, fmt::format("a whole number for {}", what));
    if (node.is_string() && !node.text.empty() &&
        std::ranges::all_of(node.text, [](char c) { return c >= '0' && c <= '9'; }))
      d.suggestion = fmt::format("drop the quotes: {}", node.text);
    else if (node.is_string() && node.text.find(" //") != std::string::npos)
      d.suggestion = "a comment begins with `#`, not with `//`";
    return std::clamp<Int>(0, least, most);
  }
  if (node.integer >= least && node.integer <= most) return node.integer;
  const std::string range = most == max_int     ? fmt::format("at least {}", least)
                            : least == -max_int ? fmt::format("at most {}", most)
                                                : fmt::format("from {} to {}", least, most);
  cx.error(Code::NUMBER_RANGE, node,
           fmt::format("{} must be {}, not {}", what, range, node.integer));
  return std::clamp(node.integer, least, most);
}

std::vector<std::string> read_strings(Context& cx, const Node& node, std::string_view what) {
  std::vector<std::string> out;
  each_item(cx, node, what, [&](const Node& item) {
    if (item.is_string())
      out.push_back(item.text);
    else
      read_string(cx, item, "text");
  });
  return out;
}

std::optional<Scalar> read_scalar(Context& cx, const Node& node, std::string_view what) {
  switch (node.kind) {
    case Node::Kind::integer:
      return Scalar{read_int(cx, node, what)};
    case Node::Kind::boolean:
      return Scalar{node.boolean};
    case Node::Kind::string:
      return Scalar{node.text};
    case Node::Kind::real:
      wrong_shape(cx, node, what).suggestion = "only whole numbers exist in rules";
      return std::nullopt;
    default:
      wrong_shape(cx, node, what);
      return std::nullopt;
  }
}

nlohmann::json read_data(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::boolean:
      return node.boolean;
    case Node::Kind::integer:
      return node.integer;
    case Node::Kind::real:
      return node.real;
    case Node::Kind::string:
      return node.text;
    case Node::Kind::list: {
      auto out = nlohmann::json::array();
      for (const Node& item : node.items) out.push_back(read_data(item));
      return out;
    }
    case Node::Kind::map: {
      auto out = nlohmann::json::object();
      for (const Entry& entry : node.entries) out[entry.key] = read_data(entry.value);
      return out;
    }
  }
  return nullptr;
}

}  // namespace parlor::spec::lower
