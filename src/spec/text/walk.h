// The way through a document to everything that is or may be text, for whoever reads it
// (reader.cpp) and whoever writes it (rewrite.cpp). What is to be done with a condition, a number,
// a value, a query, effects, a filter, a list of rows or what is said is theirs: they have a
// function of that name for each, and come back here (`into_…`) for what lies inside a node that
// stays one.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "spec/report.h"
#include "spec/text/parser.h"
#include "spec/text/positions.h"

namespace parlor::spec::text {

// The parameters a macro declares.
inline std::vector<MacroParam> declared_params(const Node& macro) {
  std::vector<MacroParam> out;
  const Node* params = macro.find("params");
  if (params == nullptr || !params->is_list()) return out;
  for (const Node& param : params->items) {
    const auto name = param.is_string() ? param.as_string() : param.find_string("name");
    // What is one of several words is written as a word.
    const Node* words = param.find("type");
    const auto type =
        words != nullptr && words->has("values") ? "string" : param.find_string("type");
    if (name) out.push_back({std::string{*name}, std::string{type.value_or("")}});
  }
  return out;
}

template <class Self>
class Walk {
 protected:
  Walk(const Names& names, Params& params) : names_(names), params_(params) {}

  void section(std::string_view name, Node& node) {
    const Position* position = positions_of(spec::Family::record, "a game")->find(name);
    if (position == nullptr) return;
    path_ = Path{std::string{name}};
    visit(node, *position);
  }

  void visit(Node& node, const Position& position) {
    switch (position.holds) {
      case Holds::zone_filter:
        if (!node.has("owner") && !node.has("condition"))
          return self().condition(node, position.element);
        if (Node* inner = node.find("condition")) self().condition(*inner, position.element);
        return;
      case Holds::condition:
        return self().condition(node, position.element);
      case Holds::number:
        return self().number(node, position.element);
      case Holds::value:
        return self().value(node);
      case Holds::query:
        return self().query(node);
      case Holds::effects:
        return self().effects(node);
      case Holds::filter:
        return self().filter(node);
      case Holds::rows:
        return self().rows(node);
      case Holds::spoken:
        return self().spoken(node);
      case Holds::node:
        return construct(node, *position.inner);
      case Holds::numbers:
        return each_entry(node, [&](Node& value) { self().number(value, {}); });
      case Holds::values:
        return each_entry(node, [&](Node& value) { self().value(value); });
      case Holds::condition_list:
        return each_item(node, [&](Node& item) { self().condition(item, {}); });
      case Holds::number_list:
        return each_item(node, [&](Node& item) { self().number(item, {}); });
      case Holds::query_list:
        return each_item(node, [&](Node& item) { self().query(item); });
      case Holds::each:
        // What has an id may stand under it (short_forms.h).
        if constexpr (requires { Self::in_short_forms; })
          if (node.is_map())
            return each_entry(node, [&](Node& value) { construct(value, *position.inner); });
        return each_item(node, [&](Node& item) { construct(item, *position.inner); });
    }
  }

  // A mapping: whatever it has where its construct holds something.
  void construct(Node& node, const Positions& positions) {
    if (!node.is_map()) return;
    const bool macro =
        &positions == condition_macro_ || &positions == value_macro_ || &positions == effect_macro_;
    if (macro)
      for (const MacroParam& param : declared_params(node)) params_.emplace(param.name, param.type);
    for (Entry& entry : node.entries)
      if (const Position* position = positions.find(entry.key)) {
        const auto step = path_.key(entry.key);
        visit(entry.value, *position);
      }
    if (macro) params_.clear();
  }

  void into_condition(Node& node, std::string_view element) {
    if (Node* asked = reasoned(node)) {
      const auto step = path_.key("when");
      return self().condition(*asked, element);
    }
    if (node.has("conditionMacro"))
      return arguments(node, "conditionMacro", names_.condition_macros);
    if (const Positions* positions = condition_positions(node)) return construct(node, *positions);
    into_value(node);
  }

  void into_value(Node& node) {
    if (node.has("valueMacro")) return arguments(node, "valueMacro", names_.value_macros);
    if (const Positions* positions = value_positions(node)) return construct(node, *positions);
    if (node.has("ref") || node.has("op")) return;
    for (Entry& entry : node.entries) {
      const auto step = path_.key(entry.key);
      if (entry.key == "concat")
        each_item(entry.value, [&](Node& part) { self().value(part); });
      else if (entry.key == "zoneExpr")
        self().value(entry.value);
      else if (const Positions* inner = positions_of(spec::Family::value, entry.key))
        construct(entry.value, *inner);
    }
  }

  void into_query(Node& node) {
    if (const Positions* positions = query_positions(node)) construct(node, *positions);
  }

  void into_effect(Node& node) {
    if (node.has("macro")) return arguments(node, "macro", names_.effect_macros);
    for (Entry& entry : node.entries) {
      const Positions* positions = positions_of(spec::Family::effect, entry.key);
      if (positions == nullptr) continue;
      const auto step = path_.key(entry.key);
      if (positions->itself)
        visit(entry.value, positions->list.front());
      else if (!positions->alone.empty() && !entry.value.is_map())
        visit(entry.value, *positions->find(positions->alone));
      else
        construct(entry.value, *positions);
    }
  }

  void into_filter(Node& node) {
    for (Entry& entry : node.entries) {
      const auto step = path_.key(entry.key);
      if (entry.key == "args") each_item(entry.value, [&](Node& item) { self().filter(item); });
      if (entry.key == "arg") self().filter(entry.value);
      if (entry.key == "value") self().value(entry.value);
    }
  }

  void each_item(Node& node, auto visit) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const auto step = path_.index(i);
      visit(node.items[i]);
    }
  }

  Path path_{""};

 private:
  Self& self() { return static_cast<Self&>(*this); }

  void each_entry(Node& node, auto visit) {
    for (Entry& entry : node.entries) {
      const auto step = path_.key(entry.key);
      visit(entry.value);
    }
  }

  // What a macro is given is what its parameters take.
  void arguments(Node& node, std::string_view key, const auto& macros) {
    Node* args = node.find("args");
    const Node* id = node.find(key);
    if (args == nullptr || !args->is_map() || !id->is_string()) return;
    const auto macro = macros.find(id->text);
    if (macro == macros.end()) return;
    for (Entry& entry : args->entries) {
      const auto param = std::ranges::find(macro->second, entry.key, &MacroParam::name);
      if (param == macro->second.end()) continue;
      const auto step = path_.key(entry.key);
      argument(entry.value, param->type);
    }
  }

  void argument(Node& node, std::string_view type) {
    if (type == "condition") return self().condition(node, {});
    if (type == "number") return self().number(node, {});
    if (type == "query") return self().query(node);
    if (type == "effects") return self().effects(node);
    if (type == "effect") return self().effect(node);
    if (type == "value" || type.empty()) return self().value(node);
  }

  const Names& names_;
  Params& params_;
  const Positions* condition_macro_ = positions_of(spec::Family::record, "a condition macro");
  const Positions* value_macro_ = positions_of(spec::Family::record, "a value macro");
  const Positions* effect_macro_ = positions_of(spec::Family::record, "an effect macro");
};

}  // namespace parlor::spec::text
