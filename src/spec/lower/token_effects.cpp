// Effects on tokens and on who may see them.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/effects.h"
#include "spec/lower/names.h"

namespace parlor::spec::lower {
namespace {

Type declared_prop_type(Context& cx, const Node& node, const std::string& prop,
                        const Table<Kind>& declared) {
  if (const Kind* kind = find_in(declared, prop)) return {*kind, Kind::unknown, {}};
  if (!prop.empty())
    cx.unknown(Code::TOKEN_PROP_UNKNOWN, node, "token property", prop, names_of(declared));
  return {};
}

void read_token_props(Context& cx, const Node& node, CreateToken& out) {
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from properties to values");
    return;
  }
  const TokenTypeInfo* type = find_in(cx.symbols.token_types, out.type);
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    Type wanted;
    if (type != nullptr) {
      Node key = Node::of_string(entry.key, {entry.key_place, node.origin.expansion});
      wanted = declared_prop_type(cx, key, entry.key, type->props);
    }
    const Node value = settle(cx, entry.value, wanted);
    cx.note_prop_value(entry.key, value);
    out.props.push_back({entry.key, read_typed(cx, value, wanted)});
  }
}

// {row, tableId}: every property that the table has a field for, except those given themselves.
void read_props_from_row(Context& cx, const Node& node, CreateToken& out) {
  Fields fields{cx, node, "propsFrom"};
  std::string table_id;
  const TableInfo* table = nullptr;
  fields.need("tableId", [&](const Node& n) {
    table_id = read_id(cx, n, "the id of a table");
    table = find_in(cx.symbols.tables, table_id);
    if (table == nullptr && !table_id.empty())
      cx.unknown(Code::TABLE_REFERENCE, n, "table", table_id, names_of(cx.symbols.tables));
  });
  std::string row;
  fields.need("row", [&](const Node& n) { row = read_row(cx, n, table ? table_id : ""); });
  const TokenTypeInfo* type = find_in(cx.symbols.token_types, out.type);
  if (table == nullptr || type == nullptr) return;
  for (const auto& [prop, wanted] : type->props) {
    const Kind* kind = find_in(table->fields, prop);
    const bool given = std::ranges::find(out.props, prop, &PropValue::prop) != out.props.end();
    if (kind == nullptr || given) continue;
    if (*kind != wanted)
      cx.error(Code::TYPE_MISMATCH, node,
               fmt::format("the property `{}` is {}, but the table's field is {}", prop,
                           describe(plain(wanted)), describe(plain(*kind))));
    out.props.push_back({prop, Value{AssetFieldRef{row, table_id, prop}, cx.place(node)}});
  }
}

}  // namespace

EffectNode read_move_token(Context& cx, const Node& node) {
  MoveToken out;
  Fields fields{cx, node, "moveToken"};
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  fields.need("from", [&](const Node& n) { out.from = read_zone(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_zone(cx, n); });
  fields.maybe("position", [&](const Node& n) {
    out.position = read_word<ZonePosition>(cx, n, "position",
                                           {{"top", ZonePosition::top},
                                            {"bottom", ZonePosition::bottom},
                                            {"random", ZonePosition::random}},
                                           out.position);
  });
  return out;
}

EffectNode read_move_token_adjacent(Context& cx, const Node& node) {
  MoveTokenAdjacent out;
  Fields fields{cx, node, "moveTokenAdjacent"};
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  fields.need("from", [&](const Node& n) { out.from = read_zone(cx, n); });
  fields.maybe("direction", [&](const Node& n) { out.direction = read_zone(cx, n); });
  return out;
}

EffectNode read_move_all(Context& cx, const Node& node) {
  MoveAll out;
  Fields fields{cx, node, "moveAll"};
  fields.need("from", [&](const Node& n) { out.from = read_zone(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_zone(cx, n); });
  fields.maybe("filter", [&](const Node& n) {
    if (n.has("prop") && !n.has("left")) {
      wrong_shape(cx, n, "a condition").suggestion =
          "moveAll's filter is a condition on `$token`: {op: \"==\", left: {ref: tokenProp, token: "
          "\"$token\", prop: …}, right: …}";
      return;
    }
    out.filter = read_condition_with(cx, n, "$token", plain(Kind::token));
  });
  return out;
}

EffectNode read_draw(Context& cx, const Node& node) {
  Draw out;
  Fields fields{cx, node, "draw"};
  fields.need("from", [&](const Node& n) { out.from = read_zone(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_zone(cx, n); });
  fields.need("count", [&](const Node& n) {
    out.count = read_number(cx, n);
    if (n.is_integer() && n.integer < 0)
      cx.error(Code::NUMBER_RANGE, n, "nobody can draw fewer than 0 tokens");
  });
  return out;
}

EffectNode read_shuffle(Context& cx, const Node& node) {
  Shuffle out;
  Fields fields{cx, node, "shuffle"};
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("stream",
               [&](const Node& n) { out.stream = read_id(cx, n, "the name of a stream"); });
  return out;
}

EffectNode read_create_token(Context& cx, const Node& node) {
  CreateToken out;
  Fields fields{cx, node, "createToken"};
  fields.need("type", [&](const Node& n) { out.type = read_token_type(cx, n); });
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("props", [&](const Node& n) { read_token_props(cx, n, out); });
  fields.maybe("propsFrom", [&](const Node& n) { read_props_from_row(cx, n, out); });
  std::ranges::sort(out.props, {}, &PropValue::prop);
  return out;
}

EffectNode read_destroy_token(Context& cx, const Node& node) {
  DestroyToken out;
  Fields fields{cx, node, "destroyToken"};
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  return out;
}

EffectNode read_set_token_prop(Context& cx, const Node& node) {
  SetTokenProp out;
  Type type;
  Fields fields{cx, node, "setTokenProp"};
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  fields.need("prop", [&](const Node& n) {
    out.prop = read_id(cx, n, "the name of a token property");
    type = declared_prop_type(cx, n, out.prop, cx.symbols.props);
  });
  fields.need("value", [&](const Node& given) {
    const Node n = settle(cx, given, type);
    cx.note_prop_value(out.prop, n);
    out.value = read_typed(cx, n, type);
  });
  return out;
}

namespace {

const Node* find_binding(const Node& node) {
  if (node.is_string() && node.text.starts_with('$')) return &node;
  for (const Node& item : node.items)
    if (const Node* found = find_binding(item)) return found;
  for (const Entry& entry : node.entries)
    if (const Node* found = find_binding(entry.value)) return found;
  return nullptr;
}

}  // namespace

EffectNode read_reveal(Context& cx, const Node& node) {
  Reveal out;
  Fields fields{cx, node, "reveal"};
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_player(cx, n, Many::yes); });
  fields.maybe("filter", [&](const Node& n) { out.filter = read_token_filter(cx, n); });
  fields.maybe("lasting", [&](const Node& n) { out.lasting = read_bool(cx, n, "lasting"); });
  const Node* filter = node.find("filter");
  if (const Node* binding = out.lasting && filter ? find_binding(*filter) : nullptr)
    cx.error(Code::LASTING_FILTER_BINDING, *binding,
             "a lasting reveal asks its filter when a token arrives; no binding is left then")
        .suggestion = "compare with a fixed value, or reveal the tokens as they come";
  return out;
}

EffectNode read_conceal(Context& cx, const Node& node) {
  Conceal out;
  Fields fields{cx, node, "conceal"};
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("from", [&](const Node& n) { out.from = read_player(cx, n, Many::yes); });
  fields.maybe("filter", [&](const Node& n) { out.filter = read_token_filter(cx, n); });
  return out;
}

}  // namespace parlor::spec::lower
