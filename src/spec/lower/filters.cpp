// Token filters and row filters: tests of one property against a value.
#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/lower/names.h"
#include "spec/lower/readers.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

FilterOp read_filter_op(Context& cx, const Node& node) {
  if (const std::string meant =
          meant_among(SlipOf::filter, node.text, {"eq", "neq", "in", "notIn"});
      !meant.empty()) {
    cx.error(Code::OPERATOR_UNKNOWN, node,
             fmt::format("there is no filter operator `{}`", node.text))
        .alternatives = {meant};
    return meant == "eq" ? FilterOp::eq : meant == "neq" ? FilterOp::neq : FilterOp::not_in;
  }
  for (const std::string_view order : {"<", "<=", ">", ">=", "lt", "lte", "gt", "gte"})
    if (node.is(order)) {
      cx.error(Code::OPERATOR_UNKNOWN, node,
               fmt::format("there is no filter operator `{}`: filters test equality", order))
          .suggestion = "use {query: filter, source: …, bind: $t, where: …} with a condition on $t";
      return FilterOp::eq;
    }
  return read_word<FilterOp>(cx, node, "filter operator",
                             {{"eq", FilterOp::eq},
                              {"neq", FilterOp::neq},
                              {"in", FilterOp::in},
                              {"notIn", FilterOp::not_in}},
                             FilterOp::eq);
}

Value read_operand(Context& cx, const Node& node, FilterOp op, const Type& field) {
  const bool wants_list = op == FilterOp::in || op == FilterOp::not_in;
  if (is_word(node))
    return read_operand(cx, settle(cx, node, wants_list ? list_of(field) : field), op, field);
  TypedValue out = read_value(cx, node);
  if (wants_list && out.type.known() && out.type.kind != Kind::list)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("`in` and `notIn` need a list, but this is {}", describe(out.type)))
        .suggestion = "write […] around it, or use `eq`";
  else if (!wants_list && out.type.kind == Kind::list)
    cx.error(Code::TYPE_MISMATCH, node, "`eq` and `neq` need one value, but this is a list")
        .suggestion = "use `in` or `notIn`";
  else if (!compatible(field, wants_list ? item_of(out.type) : out.type))
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("the property is {}, so it is never {}", describe(field),
                         describe(wants_list ? item_of(out.type) : out.type)));
  return std::move(out.value);
}

Type prop_type(Context& cx, const Node& node, const std::string& prop) {
  if (prop.empty()) return {};
  if (prop == "id") return plain(Kind::string);
  if (const Kind* kind = find_in(cx.symbols.props, prop)) return {*kind};
  Diagnostic& d = cx.unknown(Code::TOKEN_PROP_UNKNOWN, node, "token property", prop,
                             names_of(cx.symbols.props));
  if (prop == "type")
    d.suggestion = "a token's type is {field: {kind: tokenType}, op: …, value: …}";
  if (prop == "zone")
    d.suggestion = "a token's zone is {field: {kind: tokenZone}, op: …, value: …}";
  return {};
}

// The texts a filter looks for, checked when all ways to get one are known.
void note_wanted(Context& cx, const Node& node, const std::string& prop) {
  const auto note = [&](const Node& text) {
    if (text.is_string()) cx.wanted_values.push_back({prop, text.text, text.origin, cx.path()});
  };
  note(node);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = cx.step(i);
    note(node.items[i]);
  }
}

Type read_zone_field(Context& cx, const Node& node, TokenTest& out) {
  out.prop = read_id(cx, node, "a field of zones");
  static const std::vector<std::string> fields{"category", "id",         "isInternal", "ordering",
                                               "owner",    "visibility", "zoneKind"};
  if (!out.prop.empty() && std::ranges::find(fields, out.prop) == fields.end())
    cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, node, "field of zones", out.prop, fields);
  return {out.prop == "isInternal" ? Kind::boolean : Kind::string};
}

Type read_field(Context& cx, const Node& node, TokenTest& out) {
  Type type{Kind::string};
  Fields fields{cx, node, "a filter's field"};
  fields.need("kind", [&](const Node& n) {
    out.field = read_word<TokenTest::Field>(cx, n, "field",
                                            {{"prop", TokenTest::Field::prop},
                                             {"tokenId", TokenTest::Field::token_id},
                                             {"tokenType", TokenTest::Field::token_type},
                                             {"tokenZone", TokenTest::Field::token_zone},
                                             {"zoneProp", TokenTest::Field::zone_prop}},
                                            TokenTest::Field::token_id);
  });
  if (out.field == TokenTest::Field::prop)
    fields.need("prop", [&](const Node& n) {
      out.prop = read_id(cx, n, "the name of a token property");
      type = prop_type(cx, n, out.prop);
    });
  if (out.field == TokenTest::Field::zone_prop)
    fields.need("prop", [&](const Node& n) { type = read_zone_field(cx, n, out); });
  if (out.field == TokenTest::Field::token_zone) type = plain(Kind::zone);
  return type;
}

void check_type_names(Context& cx, const Node& node, const TokenTest& test) {
  if (test.field != TokenTest::Field::token_type) return;
  const auto check = [&](const Node& name) {
    if (name.is_string()) read_declared(cx, name, Expects::token_type);
  };
  check(node);
  for (const Node& item : node.items) check(item);
}

TokenTest read_test(Context& cx, const Node& node) {
  TokenTest out;
  Type type;
  Fields fields{cx, node, "a token filter"};
  if (node.has("field"))
    fields.need("field", [&](const Node& n) { type = read_field(cx, n, out); });
  else
    fields.need("prop", [&](const Node& n) {
      out.prop = read_id(cx, n, "the name of a token property");
      type = prop_type(cx, n, out.prop);
      if (out.prop == "id") {
        out.field = TokenTest::Field::token_id;
        out.prop.clear();
      }
    });
  fields.need("op", [&](const Node& n) { out.op = read_filter_op(cx, n); });
  fields.need("value", [&](const Node& given) {
    const bool list = out.op == FilterOp::in || out.op == FilterOp::not_in;
    const Settled n = settle(cx, given, list ? list_of(type) : type);
    out.value = read_operand(cx, n, out.op, type);
    check_type_names(cx, n, out);
    if (out.field == TokenTest::Field::prop && type.kind == Kind::string)
      note_wanted(cx, n, out.prop);
  });
  return out;
}

// {suit: hearts}: the properties themselves as keys.
bool short_filter(Context& cx, const Node& node) {
  if (node.entries.empty() || std::ranges::any_of(node.entries, [&](const Entry& entry) {
        return !cx.symbols.props.contains(entry.key) || !entry.value.is_scalar();
      }))
    return false;
  const Entry& first = node.entries.front();
  wrong_shape(cx, node, "a token filter").suggestion =
      fmt::format("write {{prop: {}, op: eq, value: {}}}", first.key, to_text(first.value));
  return true;
}

// Nested nodes of the same kind become one, and a single argument stands for itself.
TokenFilter read_group(Context& cx, const Node& node, TokenFilter::Kind kind) {
  TokenFilter out;
  out.kind = kind;
  out.at = cx.place(node);
  Fields fields{cx, node, "a token filter"};
  fields.allow({"op"});
  fields.need("args", [&](const Node& args) {
    each_item(cx, args, "a list of token filters", [&](const Node& arg) {
      TokenFilter inner = read_token_filter(cx, arg);
      if (inner.kind == kind)
        std::ranges::move(inner.args, std::back_inserter(out.args));
      else
        out.args.push_back(std::move(inner));
    });
    if (args.is_list() && args.items.empty())
      cx.error(Code::LIST_EMPTY, args, "a token filter needs at least one argument");
  });
  if (out.args.size() == 1) return TokenFilter{out.args.front()};
  return out;
}

TokenFilter read_negation(Context& cx, const Node& node) {
  TokenFilter out;
  out.kind = TokenFilter::Kind::none_of;
  out.at = cx.place(node);
  Fields fields{cx, node, "a token filter"};
  fields.allow({"op"});
  fields.need("arg", [&](const Node& arg) { out.args.push_back(read_token_filter(cx, arg)); });
  return out;
}

}  // namespace

TokenFilter read_token_filter(Context& cx, const Node& node) {
  if (!node.is_map()) {
    Diagnostic& d = wrong_shape(cx, node, "a token filter");
    d.suggestion = node.is_list() ? "join several filters with {op: and, args: […]}"
                                  : "write {prop: …, op: eq, value: …}";
    return {};
  }
  const Node* op = node.find("op");
  if (op != nullptr && op->is("and")) return read_group(cx, node, TokenFilter::Kind::all_of);
  if (op != nullptr && op->is("or")) return read_group(cx, node, TokenFilter::Kind::any_of);
  if (op != nullptr && op->is("not")) return read_negation(cx, node);
  if (node.has("left") || node.has("right")) {
    wrong_shape(cx, node, "a token filter").suggestion =
        "this is a condition; a token filter is {prop: …, op: eq, value: …}";
    return {};
  }
  if (short_filter(cx, node)) return {};
  TokenFilter out;
  out.test = read_test(cx, node);
  out.at = cx.place(node);
  return out;
}

std::vector<RowTest> read_row_filter(Context& cx, const Node& node, std::string_view table) {
  std::vector<RowTest> out;
  const TableInfo* info = find_in(cx.symbols.tables, table);
  each_item(cx, node, "a list of row tests", [&](const Node& test) {
    RowTest row;
    Type type;
    Fields fields{cx, test, "a row test"};
    fields.need("field", [&](const Node& n) {
      row.field = read_id(cx, n, "the name of a table field");
      if (info == nullptr || row.field.empty()) return;
      if (const Kind* kind = find_in(info->fields, row.field))
        type = {*kind};
      else
        cx.unknown(Code::TABLE_FIELD_UNKNOWN, n, "field", row.field, names_of(info->fields));
    });
    fields.need("op", [&](const Node& n) { row.op = read_filter_op(cx, n); });
    fields.need("value", [&](const Node& n) { row.value = read_operand(cx, n, row.op, type); });
    out.push_back(std::move(row));
  });
  return out;
}

}  // namespace parlor::spec::lower
