// Conditions: the operators of the game language over the nouns of chess.
#include <algorithm>
#include <fmt/core.h>

#include "chess/modifiers/parser.h"
#include "spec/slips.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {
namespace {

std::vector<std::string> operator_names() {
  std::vector<std::string> out{"and", "or", "not"};
  for (const ComparisonName& entry : comparisons) out.emplace_back(entry.sign);
  return out;
}

}  // namespace

Condition Parser::condition(const Node& node, int depth) {
  if (depth > max_depth) {
    problem(Code::MODIFIER_TOO_DEEP, node,
            fmt::format("conditions may be nested at most {} deep", max_depth));
    return {};
  }
  if (!node.is_map()) {
    spec::lower::wrong_shape(cx(), node, "a condition").suggestion =
        "write {op: \"==\", left: {ref: attribute, name: …}, right: …}, {op: and, args: […]}, "
        "{pieceType: …}, {colour: …}, {squares: […]}, {predicate: …}, {rank: …} or {file: …}";
    return {};
  }
  if (node.has("attribute")) return old_test(node);
  for (const std::string_view key : {"all", "any", "not"})
    if (const spec::Entry* entry = node.find_entry(key)) return old_joint(node, *entry, depth);
  if (const Node* op = node.find("op")) return operation(node, *op, depth);
  return noun(node);
}

std::optional<Comparison> Parser::comparison(const Node& op) {
  for (const ComparisonName& entry : comparisons) {
    if (op.is(entry.sign)) return entry.op;
    if (!op.is(entry.before)) continue;
    hint(op, op.text, std::string(entry.sign));
    return entry.op;
  }
  return std::nullopt;
}

// {op: and|or, args}, {op: not, arg}, {op: "==", left, right}
Condition Parser::operation(const Node& node, const Node& op, int depth) {
  Condition out;
  if (op.is("and") || op.is("or")) {
    Fields fields{cx(), node, op.is("and") ? "`and`" : "`or`"};
    fields.allow({"op"});
    out.kind = op.is("and") ? Condition::Kind::all : Condition::Kind::any;
    fields.need("args", [&](const Node& args) { joined(args, depth, out); });
    return out;
  }
  if (op.is("not")) {
    Fields fields{cx(), node, "`not`"};
    fields.allow({"op"});
    out.kind = Condition::Kind::negation;
    if (const Node* args = node.find("args"); args != nullptr && args->items.size() == 1) {
      fields.allow({"args"});
      hint(*args, "args: […]", "arg: …");
      const auto step = cx().step("args");
      out.parts.push_back(condition(args->items.front(), depth + 1));
    } else {
      fields.need("arg", [&](const Node& arg) { out.parts.push_back(condition(arg, depth + 1)); });
    }
    if (out.parts.empty()) out.kind = Condition::Kind::all;
    return out;
  }
  out.kind = Condition::Kind::compare;
  const auto step = cx().step("op");
  if (const auto found = comparison(op)) {
    out.op = *found;
  } else if (!op.is_string()) {
    spec::lower::wrong_shape(cx(), op, "an operator");
    return out;
  } else {
    Diagnostic& d =
        cx().unknown(Code::OPERATOR_UNKNOWN, op, "condition", op.text, operator_names());
    spec::correct_slip(d, spec::SlipOf::condition, op.text, operator_names());
    return out;
  }
  Fields fields{cx(), node, "a comparison"};
  fields.allow({"op"});
  fields.need("left", [&](const Node& n) { out.left = operand(n); });
  fields.need("right", [&](const Node& n) { out.right = operand(n); });
  return out;
}

void Parser::joined(const Node& args, int depth, Condition& out) {
  spec::lower::each_item(cx(), args, "a list of conditions",
                         [&](const Node& arg) { out.parts.push_back(condition(arg, depth + 1)); });
  if (args.is_list() && args.items.empty())
    cx().error(Code::LIST_EMPTY, args, "the list needs at least one condition");
}

// A number, {ref: attribute, name}, {ref: rank} or {ref: file}.
Operand Parser::operand(const Node& node) {
  Operand out;
  if (!node.is_map()) {
    out.number = static_cast<int>(
        spec::lower::read_int(cx(), node, "a side of the comparison", -9999, 9999));
    return out;
  }
  Fields fields{cx(), node, "a reference"};
  fields.need("ref", [&](const Node& ref) {
    out.kind = spec::lower::read_word<Operand::Kind>(cx(), ref, "reference",
                                                     {{"attribute", Operand::Kind::attribute},
                                                      {"rank", Operand::Kind::rank},
                                                      {"file", Operand::Kind::file}},
                                                     Operand::Kind::number);
  });
  if (out.kind == Operand::Kind::number) fields.give_up();
  if (out.kind == Operand::Kind::attribute)
    fields.need("name", [&](const Node& name) {
      out.attribute = spec::lower::read_id(cx(), name, "the name of an attribute");
      if (!out.attribute.empty() && !known_attribute(out.attribute))
        problem(Code::MODIFIER_INVALID, name,
                fmt::format("no attribute `{}` is declared or seeded before", out.attribute));
    });
  return out;
}

// What a piece is and where it stands: one thing each.
Condition Parser::noun(const Node& node) {
  Condition out;
  Fields fields{cx(), node, "a condition"};
  int given = 0;
  fields.maybe("pieceType", [&](const Node& n) {
    out.kind = Condition::Kind::type;
    out.types = type_set(n);
    ++given;
  });
  fields.maybe("colour", [&](const Node& n) {
    out.kind = Condition::Kind::side;
    out.side = colour(n).value_or(white);
    ++given;
  });
  if (const auto place = area(fields)) {
    out.kind = Condition::Kind::on_squares;
    out.squares = *place;
    ++given;
  }
  if (given > 1) {
    problem(Code::MODIFIER_INVALID, node, "a condition tests one thing").suggestion =
        "join several with {op: and, args: […]}";
    fields.give_up();
  } else if (given == 0 && node.entries.empty()) {
    problem(Code::MODIFIER_INVALID, node, "the condition says nothing that can be tested");
  }
  return out;
}

// ---- As it was written before

// {attribute, op, value}
Condition Parser::old_test(const Node& node) {
  Condition out;
  out.kind = Condition::Kind::compare;
  Fields fields{cx(), node, "a test of an attribute"};
  Primitive reader;
  attribute(fields, reader);
  out.left.kind = Operand::Kind::attribute;
  out.left.attribute = reader.attribute;
  std::string_view sign = "==";
  fields.maybe("op", [&](const Node& op) {
    for (const ComparisonName& entry : comparisons)
      if (op.is(entry.sign) || op.is(entry.before)) {
        out.op = entry.op;
        sign = entry.sign;
        return;
      }
    cx().unknown(Code::OPERATOR_UNKNOWN, op, "comparison", op.text, operator_names());
  });
  out.right.number = number(fields, "value", -9999, 9999, std::nullopt);
  hint(node, "{attribute, op, value}",
       fmt::format("{{op: \"{}\", left: {{ref: attribute, name: {}}}, right: {}}}", sign,
                   reader.attribute, out.right.number));
  return out;
}

// {all: […]}, {any: […]}, {not: …}
Condition Parser::old_joint(const Node& node, const spec::Entry& entry, int depth) {
  Condition out;
  Fields fields{cx(), node, "a condition"};
  const bool negation = entry.key == "not";
  hint(entry.key_place, fmt::format("{}:", entry.key),
       negation             ? "{op: not, arg: …}"
       : entry.key == "all" ? "{op: and, args: […]}"
                            : "{op: or, args: […]}");
  out.kind = entry.key == "any" ? Condition::Kind::any : Condition::Kind::all;
  fields.need(entry.key, [&](const Node& inner) {
    if (!negation) return joined(inner, depth, out);
    out.kind = Condition::Kind::negation;
    out.parts.push_back(condition(inner, depth + 1));
  });
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
