// The printer itself, for its two sources: printer.cpp has values and conditions,
// print_sentences.cpp the rest.
#pragma once

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/text/convert.h"
#include "spec/text/lexer.h"
#include "spec/text/phrases.h"
#include "spec/text/positions.h"
#include "spec/text/printer.h"

namespace parlor::spec::text {

using Text = std::optional<std::string>;

// How loosely a text holds together: what stands to its left and right may need parentheses.
enum Hold : int { open_ended = 0, by_or, by_and, by_not, by_compare, by_sum, by_product, tight };
struct Printed {
  std::string text;
  int hold = tight;
  bool open = false;  // ends with something that would take in whatever follows it
};
using MaybePrinted = std::optional<Printed>;

inline bool refers(const Node& node, std::string_view kind) {
  const Node* ref = node.find("ref");
  return ref != nullptr && ref->is(kind);
}

inline std::string held(const Printed& printed, int least) {
  return printed.hold < least ? fmt::format("({})", printed.text) : printed.text;
}

// `$c in QUERY`: what is asked in the query must not be taken for a question about the name.
std::string named_source(const Node& query, std::string text, std::string_view name);

// Words the parser reads as something of its own.
inline bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 33> words{
      "if",          "then",        "else",
      "not",         "and",         "or",
      "in",          "any",         "all",
      "no",          "true",        "false",
      "actor",       "active",      "left",
      "right",       "turn",        "round",
      "where",       "from",        "to",
      "of",          "empty",       "occupied",
      "activeSeat",  "step",        "others",
      "grant",       "captured",    "modifier",
      "turnInRound", "playerCount", "roundStartPlayer"};
  return std::ranges::find(words, word) != words.end();
}

class Printer {
 public:
  Printer(const PrintContext& context, std::string_view element) : context_(context) {
    if (!element.empty()) elements_.emplace_back(element);
  }

  MaybePrinted condition(const Node& node);
  MaybePrinted value(const Node& node);
  Text query(const Node& node);
  Text statement(const Node& node);
  Text filter(const Node& node);
  Text rows(const Node& node);

 private:
  Text sum(const Node& node) {
    MaybePrinted out = value(node);
    if (!out) return std::nullopt;
    return held(*out, out->hold == open_ended ? open_ended : by_sum);
  }
  // A bound of a range: what has no end of its own stands in parentheses.
  Text bound(const Node& node) {
    MaybePrinted out = value(node);
    return out ? Text{held(*out, by_sum)} : std::nullopt;
  }
  bool plain_word(std::string_view word) const {
    return is_name(word) && !is_reserved(word) && !is_joint(word) &&
           !context_.params.contains(word) && !context_.names.condition_macros.contains(word) &&
           !context_.names.value_macros.contains(word);
  }
  bool sole(std::string_view word) const {
    return plain_word(word) && context_.claims.count(word) == 1;
  }
  Text word(const Node& node) const {
    if (const Node* param = node.find("param"); param != nullptr && node.entries.size() == 1)
      return context_.params.contains(param->text) ? Text{param->text} : std::nullopt;
    if (!node.is_string()) return std::nullopt;
    if (is_binding(node)) return node.text;
    if (is_name(node.text) && !is_joint(node.text) && !context_.params.contains(node.text))
      return node.text;
    if (is_dotted(node.text)) return node.text;
    return node.text.find('"') == std::string::npos ? Text{fmt::format("\"{}\"", node.text)}
                                                    : std::nullopt;
  }
  Text literal(const std::string& text) const {
    if (context_.claims.count(text) == 0 && plain_word(text) &&
        context_.claims.texts.contains(text))
      return text;
    return quoted(text);
  }
  // Where a text is wanted, things that are none do not claim its word.
  Text wanted_text(const Node& node) {
    const std::string& text = node.text;
    const bool bare = node.is_string() && plain_word(text) &&
                      context_.claims.texts.contains(text) &&
                      !context_.claims.constants.contains(text) &&
                      !context_.claims.global_markers.contains(text) &&
                      !context_.claims.text_bindings.contains("$" + text);
    return bare ? Text{text} : sum(node);
  }
  bool reads_text(const Node& node) const;
  static Text quoted(const std::string& text) {
    if (text.find_first_of("{}\n\\") != std::string::npos) return std::nullopt;
    if (text.find('"') == std::string::npos) return fmt::format("\"{}\"", text);
    return text.find('\'') == std::string::npos ? Text{fmt::format("'{}'", text)} : std::nullopt;
  }
  static bool is_binding(const Node& node) {
    if (!node.is_string() || !node.text.starts_with('$')) return false;
    const auto tokens = split(node.text);
    return tokens.size() == 2 && tokens[0].kind == Token::Kind::binding;
  }
  Text binding(const Node& node) const {
    if (is_binding(node)) return node.text;
    return node.has("param") ? word(node) : std::nullopt;
  }
  Text zone(const Node& node);
  Text player(const Node& node) const {
    if (node.is_integer()) return std::to_string(node.integer);
    if (is_binding(node)) return node.text;
    return word(node);
  }
  Text directions(const Node& node) {
    if (node.is_list()) return list(node);
    if (is_binding(node)) return node.text;
    if (node.is_map() && !node.has("param")) {
      const Text inner = sum(node);
      return inner ? Text{"(" + *inner + ")"} : std::nullopt;
    }
    return word(node);
  }
  Text list(const Node& node);
  Text list_item(const Node& node) const;
  MaybePrinted reference(const Node& node);
  Text member(const Node& owner, const Node& name, bool player_owner);
  Text variable(const Node& node);
  MaybePrinted arithmetic(const Node& node);
  Text aggregate(const Node& node);
  Text concatenation(const Node& parts);
  MaybePrinted joined(const Node& node, std::string_view sign, int hold);
  MaybePrinted comparison(const Node& node, const std::string& op);
  MaybePrinted exists(const Node& node, std::string_view quantifier);
  Text asked_of_element(const Node& node);
  MaybePrinted macro(const Node& node);
  MaybePrinted value_macro(const Node& node);
  Text arguments(const Node& node, const std::vector<MacroParam>& params);
  Text argument(const Node& node, std::string_view type);
  Text phrase(Family family, std::string_view name, const Node& fields);
  bool phrase_parts(const std::vector<Part>& parts, const Node& fields,
                    std::vector<std::string>& used, std::string& out);
  Text phrase_field(const Part& part, const Node& node);
  Text amount(const Node& fields, std::vector<std::string>& used);
  Text cell(const Node& node);
  Text assignment(const std::string& effect, const Node& node);
  Text query_where(const Node& node, const Node* where, std::string_view element);
  Text token_query(const Node& node);
  Text test(const Node& node);
  Text qualified(const Node& node, std::string_view left);
  Text range(const Node& node);
  Text filtered(const Node& node);
  Text several(const Node& list, std::string_view sign);

  const PrintContext& context_;
  std::vector<std::string> elements_;  // empty: one that has a name
};

#define NEED(name, expression)  \
  const auto name = expression; \
  if (!name) return std::nullopt

}  // namespace parlor::spec::text
