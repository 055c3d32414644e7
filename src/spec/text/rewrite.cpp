#include "spec/text/rewrite.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/text/lexer.h"
#include "spec/text/printing.h"
#include "spec/text/short_forms.h"
#include "spec/text/walk.h"

namespace parlor::spec::text {
namespace {

void replace(Node& node, std::optional<std::string> text) {
  if (!text) return;
  Node out = Node::of_string(std::move(*text), node.origin);
  node = std::move(out);
}

// A rule that was written as a block of text ends with a line break that says nothing.
void tidy(Node& rule) {
  while (rule.is_string() && rule.text.ends_with('\n')) rule.text.pop_back();
}

class Writer : Walk<Writer> {
  friend Walk<Writer>;

 public:
  static constexpr bool in_short_forms = true;

  explicit Writer(const PrintContext& context)
      : Walk<Writer>(context.names, context_.params), context_(context) {}

  void section(Entry& entry) {
    if (entry.key == "setup") return effects(entry.value, true);
    Walk<Writer>::section(entry.key, entry.value);
  }

 private:
  void condition(Node& node, std::string_view element) {
    tidy(node);
    if (reasoned(node) == nullptr && node.is_map())
      replace(node, print_condition(node, context_, element));
    if (node.is_map()) into_condition(node, element);
  }

  void number(Node& node, std::string_view element) {
    tidy(node);
    if (node.is_map()) replace(node, print_value(node, context_, element));
    if (node.is_map()) into_value(node);
  }

  void value(Node& node) {
    if (!node.is_map()) return;
    if (const auto text = print_value(node, context_))
      node = Node::of_string("= " + *text, node.origin);
    else
      into_value(node);
  }

  void filter(Node& node) {
    if (node.is_map()) replace(node, print_filter(node, context_));
    if (node.is_map()) into_filter(node);
  }

  void rows(Node& node) {
    if (node.is_list()) replace(node, print_rows(node, context_));
  }

  void spoken(Node& node) {
    if (!node.is_list()) return;
    std::string text;
    bool written = true;
    for (Node& part : node.items) {
      const auto printed = part.is_map() ? print_value(part, context_) : std::nullopt;
      const bool fits = printed && printed->find_first_of("{}") == std::string::npos;
      written = written && (part.is_string() || fits);
      if (part.is_string()) text += part.text;
      if (fits) text += fmt::format("{{{}}}", *printed);
    }
    if (written) node = Node::of_string(text, node.origin);
    each_item(node, [&](Node& part) { value(part); });
  }

  void query(Node& node) {
    tidy(node);
    const Node* values = node.find("values");
    if (values != nullptr && node.has("query") && node.find("query")->is("enums") &&
        node.entries.size() == 2 && std::ranges::all_of(values->items, &Node::is_string) &&
        !values->items.empty()) {
      Node list = *values;
      node = std::move(list);
      return;
    }
    if (node.is_map()) replace(node, print_query(node, context_));
    if (node.is_map()) into_query(node);
  }

  void effects(Node& node, bool whole_section = false) {
    if (!node.is_list()) return;
    std::vector<Node> out;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      Node& item = node.items[i];
      Node* roll = item.find("rollRandom");
      const Node* in = roll != nullptr ? roll->find("in") : nullptr;
      if (in != nullptr && in->is_list() && i + 1 == node.items.size() &&
          only_has(*roll, {"bind", "min", "max", "in"})) {
        if (auto head = roll_head(*roll)) {
          Node rest = *in;
          out.push_back(Node::of_string("roll " + *head, item.origin));
          effects(rest, true);
          std::ranges::move(rest.items, std::back_inserter(out));
          break;
        }
      }
      effect(item);
      out.push_back(std::move(item));
    }
    node.items = std::move(out);
    // One statement needs no list; a placeholder alone stands for a list of them.
    if (!whole_section && node.items.size() == 1 && node.items.front().is_string() &&
        node.items.front().text.front() != '{') {
      Node alone = std::move(node.items.front());
      node = std::move(alone);
    }
  }

  std::optional<std::string> roll_head(const Node& roll) const {
    const Node *min = roll.find("min"), *max = roll.find("max"), *bind = roll.find("bind");
    if (min == nullptr || max == nullptr || bind == nullptr || !bind->is_string())
      return std::nullopt;
    const auto low = print_value(*min, context_), high = print_value(*max, context_);
    if (!low || !high) return std::nullopt;
    return fmt::format("{}..{} as {}", *low, *high, bind->text);
  }

  void effect(Node& node) {
    tidy(node);
    if (!node.is_map()) return;
    if (!node.has("macro") && node.entries.size() == 1 && block(node)) return;
    replace(node, print_statement(node, context_));
    if (node.is_map()) into_effect(node);
    // A block whose head is text already: what stands below it.
    if (node.is_map() && node.entries.size() > 1 && node.entries.front().value.is_string())
      for (Entry& entry : node.entries)
        if (entry.key == "then" || entry.key == "else" || entry.key == "do" || entry.key == "in")
          each_item(entry.value, [&](Node& item) { effect(item); });
  }

  // {if: {when, then, else}} and the like: the head becomes text, the rest stands beside it.
  bool block(Node& node) {
    Entry& first = node.entries.front();
    const std::string key = first.key;
    Node inner = first.value;
    std::optional<std::string> head;
    std::string name = key;
    std::vector<std::string> in_head;
    if (key == "if" && only_has(inner, {"when", "then", "else"}) && inner.has("when")) {
      head = condition_text(*inner.find("when"));
      in_head = {"when"};
    } else if (key == "while" && only_has(inner, {"when", "effects", "limit"}) &&
               inner.has("when")) {
      head = condition_text(*inner.find("when"));
      in_head = {"when"};
    } else if (key == "forEach" &&
               only_has(inner, {"bind", "over", "effects", "limit", "countBind", "in"}) &&
               inner.has("bind") && inner.has("over") && is_binding(*inner.find("bind"))) {
      if (const auto over = query_text(*inner.find("over")))
        head = fmt::format("{} in {}", inner.find("bind")->text,
                           named_source(*inner.find("over"), *over, inner.find("bind")->text));
      in_head = {"bind", "over"};
      name = "for";
    } else if (key == "let" && only_has(inner, {"bind", "value", "in"}) && inner.has("bind") &&
               inner.has("value") && is_binding(*inner.find("bind"))) {
      if (const auto what = print_value(*inner.find("value"), context_))
        head = fmt::format("{} = {}", inner.find("bind")->text, *what);
      in_head = {"bind", "value"};
    } else if (key == "rollRandom" && only_has(inner, {"bind", "min", "max", "in"})) {
      head = roll_head(inner);
      in_head = {"bind", "min", "max"};
      name = "roll";
    }
    if (!head) return false;
    Node out = Node::of_map(node.origin);
    out.entries.push_back({name, first.key_place, Node::of_string(std::move(*head), node.origin)});
    for (Entry& entry : inner.entries) {
      if (std::ranges::find(in_head, entry.key) != in_head.end()) continue;
      if (entry.key == "limit")
        number(entry.value, {});
      else if (entry.value.is_list())
        effects(entry.value);
      if (entry.key == "effects") entry.key = "do";
      if (entry.key == "countBind") entry.key = "count";
      out.entries.push_back(std::move(entry));
    }
    node = std::move(out);
    return true;
  }

  static bool is_binding(const Node& node) {
    if (!node.is_string() || node.text.find(' ') != std::string::npos) return false;
    const auto tokens = split(node.text);
    return tokens.size() == 2 && tokens[0].kind == Token::Kind::binding;
  }
  std::optional<std::string> condition_text(const Node& node) const {
    if (node.is_string()) return node.text;
    return node.is_boolean() ? std::nullopt : print_condition(node, context_);
  }
  std::optional<std::string> query_text(const Node& node) const {
    return node.is_string() ? std::optional{node.text} : print_query(node, context_);
  }

  PrintContext context_;
};

}  // namespace

void write_as_text(Node& root, const PrintContext& context) {
  for (Entry& entry : root.entries) Writer{context}.section(entry);
  shorten(root, context.names.only_phase);
}

}  // namespace parlor::spec::text
