#include "spec/text/convert.h"

#include <algorithm>
#include <array>

#include "spec/text/positions.h"

namespace parlor::spec::text {

bool asks(const Node& node) {
  const Node* op = node.find("op");
  return node.has("conditionMacro") ||
         (op != nullptr && op->is_string() && is_condition_operator(op->text));
}

namespace {

bool is_ref(const Node& node, std::string_view kind) {
  const Node* ref = node.find("ref");
  return ref != nullptr && ref->is(kind);
}

// {ref: name} that may be a property of the element, or {ref: field, of: element}.
const Node* property(const Node& node, std::string_view element) {
  if (is_ref(node, "name")) return node.find("name");
  const Node* of = node.find("of");
  return is_ref(node, "field") && of->is(element) ? node.find("name") : nullptr;
}

// `zone.category` of the element.
const Node* property_of_zone(const Node& node, std::string_view element) {
  if (!is_ref(node, "field")) return nullptr;
  const Node& of = *node.find("of");
  const Node* outer = of.is_map() ? property(of, element) : nullptr;
  return of.is("zone") || (outer != nullptr && outer->is("zone")) ? node.find("name") : nullptr;
}

std::optional<Node> token_test(const Node& left, std::string_view op, Node value,
                               std::string_view element) {
  const Build b{left.origin};
  Node out = b.map({});
  const Node* name = property(left, element);
  const Node* zone = property_of_zone(left, element);
  if (name == nullptr && zone == nullptr) return std::nullopt;
  if (zone != nullptr)
    out.set("field", b.map({{"kind", b.text("zoneProp")}, {"prop", *zone}}));
  else if (name->is("type"))
    out.set("field", b.map({{"kind", b.text("tokenType")}}));
  else if (name->is("zone"))
    out.set("field", b.map({{"kind", b.text("tokenZone")}}));
  else
    out.set("prop", *name);
  out.set("op", b.text(op));
  if (name != nullptr && name->is("type")) value = plain_text(value);
  out.set("value", std::move(value));
  return out;
}

std::optional<Node> row_test(const Node& left, std::string_view op, Node value,
                             std::string_view element) {
  const Node* name = property(left, element);
  if (name == nullptr) return std::nullopt;
  const Build b{left.origin};
  return b.map({{"field", *name}, {"op", b.text(op)}, {"value", std::move(value)}});
}

using Test = std::optional<Node> (*)(const Node&, std::string_view, Node, std::string_view);

// One comparison with the element's property on its left.
std::optional<Node> single_test(const Node& node, std::string_view element, Test test) {
  const Node* op = node.find("op");
  if (op == nullptr)
    return is_ref(node, "name") || is_ref(node, "field")
               ? test(node, "eq", Node::of_boolean(true, node.origin), element)
               : std::nullopt;
  if (op->is("==")) return test(*node.find("left"), "eq", *node.find("right"), element);
  if (op->is("!=")) return test(*node.find("left"), "neq", *node.find("right"), element);
  if (op->is("in")) return test(*node.find("item"), "in", *node.find("set"), element);
  return std::nullopt;
}

}  // namespace

Node plain_text(const Node& node) {
  if (!is_ref(node, "name")) return node;
  Node out = *node.find("name");
  out.origin = node.origin;
  return out;
}

Node owner_of(const Node& node) {
  Node out = node;
  if (is_ref(node, "binding") || is_ref(node, "name"))
    out = *node.find("name");
  else if (is_ref(node, "player"))
    out = *node.find("player");
  else if (is_ref(node, "activePlayer"))
    out = Node::of_string("active", node.origin);
  out.origin = node.origin;
  return out;
}

Node zone_value(const Build& build, std::string_view zone) {
  const std::size_t colon = zone.find(':');
  const std::string_view owner = zone.substr(colon + 1);
  constexpr std::array<std::string_view, 6> words{"actor", "left",     "right",
                                                  "next",  "previous", "opponent"};
  Node whose;
  if (owner.starts_with('$'))
    whose = build.map({{"ref", build.text("binding")}, {"name", build.text(owner)}});
  else if (owner == "active")
    whose = build.map({{"ref", build.text("activePlayer")}});
  else if (std::ranges::find(words, owner) != words.end())
    whose = build.map({{"ref", build.text("player")}, {"player", build.text(owner)}});
  else
    return build.text(zone);
  return build.map(
      {{"concat", build.list({build.text(zone.substr(0, colon + 1)), std::move(whose)})}});
}

Node fullness(const Build& build, std::string_view word, Node zone) {
  return build.map({{"op", build.text(word == "empty" ? "==" : ">")},
                    {"left", build.map({{"zoneCount", std::move(zone)}})},
                    {"right", build.number(0)}});
}

Node negated(const Build& build, Node value) {
  if (value.is_integer()) return build.number(-value.integer);
  return build.map(
      {{"op", build.text("-")}, {"left", build.number(0)}, {"right", std::move(value)}});
}

std::optional<Node> token_filter(const Node& condition, std::string_view element) {
  const Node* op = condition.find("op");
  const Build b{condition.origin};
  if (op != nullptr && op->is("not")) {
    const Node& arg = *condition.find("arg");
    // `not in` is a test of its own.
    if (arg.find("op") != nullptr && arg.find("op")->is("in"))
      return token_test(*arg.find("item"), "notIn", *arg.find("set"), element);
    auto inner = token_filter(arg, element);
    if (!inner) return std::nullopt;
    return b.map({{"op", *op}, {"arg", std::move(*inner)}});
  }
  if (op == nullptr || !(op->is("and") || op->is("or")))
    return single_test(condition, element, token_test);
  std::vector<Node> args;
  for (const Node& arg : condition.find("args")->items) {
    auto inner = token_filter(arg, element);
    if (!inner) return std::nullopt;
    args.push_back(std::move(*inner));
  }
  return b.map({{"op", *op}, {"args", b.list(std::move(args))}});
}

std::optional<Node> row_filter(const Node& condition, std::string_view element) {
  const Node* op = condition.find("op");
  Node out = Node::of_list(condition.origin);
  const auto add = [&](const Node& part) {
    std::optional<Node> test;
    if (const Node* arg = part.find("arg"); arg != nullptr && arg->has("set"))
      test = row_test(*arg->find("item"), "notIn", *arg->find("set"), element);
    else
      test = single_test(part, element, row_test);
    if (test) out.items.push_back(std::move(*test));
    return test.has_value();
  };
  if (op == nullptr || !op->is("and"))
    return add(condition) ? std::optional{std::move(out)} : std::nullopt;
  for (const Node& arg : condition.find("args")->items)
    if (!add(arg)) return std::nullopt;
  return out;
}

Node joined_filters(const Build& build, Node first, Node second) {
  Node args = build.list({std::move(first)});
  if (const Node* op = second.find("op"); op != nullptr && op->is("and") && second.has("args"))
    for (Node& arg : second.find("args")->items) args.items.push_back(std::move(arg));
  else
    args.items.push_back(std::move(second));
  return build.map({{"op", build.text("and")}, {"args", std::move(args)}});
}

bool filters_tokens(const Node& query) {
  const Node* kind = query.find("query");
  return kind != nullptr && (kind->is("tokensInZone") || kind->is("tokensInMapSpaces") ||
                             kind->is("tokensInAdjacentZones"));
}

std::string_view element_name(const Node& query) {
  const Node* kind = query.find("query");
  if (kind == nullptr) return "$each";
  if (filters_tokens(query)) return "$token";
  constexpr std::array<std::string_view, 8> zones{
      "zones",          "mapSpaces", "adjacentZones", "ray",
      "connectedZones", "step",      "tokenZones",    "capturedSequenceZones"};
  if (std::ranges::find(zones, kind->text) != zones.end()) return "$zone";
  if (kind->is("players")) return "$player";
  if (kind->is("assetRows")) return "$row";
  for (const std::string_view key : {"source", "sources", "tiers"})
    if (const Node* inner = query.find(key))
      return element_name(inner->is_list() && !inner->items.empty() ? inner->items.front()
                                                                    : *inner);
  return "$each";
}

}  // namespace parlor::spec::text
