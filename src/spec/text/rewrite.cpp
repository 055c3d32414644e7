#include "spec/text/rewrite.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/text/lexer.h"
#include "spec/text/positions.h"
#include "spec/text/printing.h"
#include "spec/text/short_forms.h"

namespace parlor::spec::text {
namespace {

void replace(Node& node, std::optional<std::string> text) {
  if (!text) return;
  Node out = Node::of_string(std::move(*text), node.origin);
  node = std::move(out);
}

class Writer {
 public:
  explicit Writer(const PrintContext& context) : context_(context) {}

  void section(Entry& entry) {
    if (const Position* position = find_position("game", entry.key)) visit(entry.value, *position);
  }

 private:
  void visit(Node& node, const Position& position) {
    switch (position.holds) {
      case Holds::condition:
        return condition(node, position.detail);
      case Holds::zoneFilter:
        if (node.has("owner") || node.has("condition")) {
          if (Node* inner = node.find("condition")) condition(*inner, position.detail);
          return;
        }
        return condition(node, position.detail);
      case Holds::number:
        return number(node, position.detail);
      case Holds::value:
        return value(node);
      case Holds::query:
        return query(node);
      case Holds::effects:
        return effects(node, position.construct == "game");
      case Holds::filter:
        if (node.is_map()) replace(node, print_filter(node, context_));
        if (node.is_map()) construct(node, "filter");
        return;
      case Holds::rows:
        if (node.is_list()) replace(node, print_rows(node, context_));
        return;
      case Holds::node:
        return construct(node, position.detail);
      case Holds::numbers:
        for (Entry& entry : node.entries) number(entry.value, {});
        return;
      case Holds::values:
        for (Entry& entry : node.entries) value(entry.value);
        return;
      default:
        break;
    }
    for (Node& item : node.items) {
      if (position.holds == Holds::conditionList)
        condition(item, {});
      else if (position.holds == Holds::numberList)
        number(item, {});
      else if (position.holds == Holds::queryList)
        query(item);
      else if (position.holds == Holds::filterList)
        visit(item, {position.construct, position.key, Holds::filter, {}});
      else
        construct(item, position.detail);
    }
  }

  void construct(Node& node, std::string_view name) {
    if (!node.is_map()) return;
    const bool macro = name == "effectMacro" || name == "conditionMacro" || name == "valueMacro";
    if (macro)
      if (const Node* params = node.find("params"))
        for (const Node& param : params->items) {
          const auto id = param.is_string() ? param.as_string() : param.find_string("name");
          if (id) context_.params.emplace(*id, param.find_string("type").value_or(""));
        }
    for (Entry& entry : node.entries)
      if (const Position* position = find_position(name, entry.key)) visit(entry.value, *position);
    if (macro) context_.params.clear();
  }

  void condition(Node& node, std::string_view element) {
    if (Node* asked = reasoned(node)) return condition(*asked, element);
    if (node.is_map()) replace(node, print_condition(node, context_, element));
    if (!node.is_map()) return;
    if (Node* args = node.find("args"); args != nullptr && node.has("conditionMacro")) return;
    const std::string name = condition_construct(node);
    if (!name.empty()) construct(node, name);
  }

  void number(Node& node, std::string_view element) {
    if (node.is_map()) replace(node, print_value(node, context_, element));
    if (node.is_map()) inside(node);
  }

  void value(Node& node) {
    if (!node.is_map()) return;
    if (const auto text = print_value(node, context_)) {
      node = Node::of_string("= " + *text, node.origin);
      return;
    }
    inside(node);
  }

  // What a value that stays a tree holds.
  void inside(Node& node) {
    if (Node* inner = node.find("aggregate")) return construct(*inner, "value.aggregate");
    if (Node* inner = node.find("if")) return construct(*inner, "value.if");
    construct(node, value_construct(node));
  }

  void query(Node& node) {
    const Node* values = node.find("values");
    if (values != nullptr && query_construct(node) == "query.enums" && node.entries.size() == 2 &&
        std::ranges::all_of(values->items, &Node::is_string) && !values->items.empty()) {
      Node list = *values;
      node = std::move(list);
      return;
    }
    if (node.is_map()) replace(node, print_query(node, context_));
    if (node.is_map()) construct(node, query_construct(node));
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
    if (!node.is_map()) return;
    if (node.has("macro")) {
      if (auto text = print_statement(node, context_)) return replace(node, std::move(text));
      macro_args(node);
      return;
    }
    if (node.entries.size() == 1 && block(node)) return;
    replace(node, print_statement(node, context_));
    if (!node.is_map()) return;
    if (Node* inner = node.find("require")) return condition(*inner, {});
    for (Entry& entry : node.entries) construct(entry.value, "effect." + entry.key);
  }

  void macro_args(Node& node) {
    Node* args = node.find("args");
    const auto macro = context_.names.effect_macros.find(node.find("macro")->text);
    if (args == nullptr || macro == context_.names.effect_macros.end()) return;
    for (Entry& entry : args->entries) {
      const auto param = std::ranges::find(macro->second, entry.key, &MacroParam::name);
      if (param == macro->second.end()) continue;
      if (param->type == "effects") effects(entry.value);
      if (param->type == "condition") condition(entry.value, {});
      if (param->type == "query") query(entry.value);
    }
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
