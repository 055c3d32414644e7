// {ref: …}: what a value may read from the state of the game.
#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/lower/readers.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

Type var_type(const std::optional<VarType>& type) {
  if (!type) return {};
  return plain(*type == VarType::integer ? Kind::integer : Kind::boolean);
}

TypedValue gvar_ref(Context& cx, Fields& fields) {
  GvarRef out;
  std::optional<VarType> type;
  fields.need("var", [&](const Node& n) {
    out.var = read_var_name(cx, n, cx.symbols.global_vars, "global variable", &type);
  });
  return {{std::move(out), {}}, var_type(type)};
}

TypedValue pvar_ref(Context& cx, Fields& fields) {
  PvarRef out;
  std::optional<VarType> type;
  fields.need("player", [&](const Node& n) { out.player = read_player(cx, n); });
  fields.need("var", [&](const Node& n) {
    out.var = read_var_name(cx, n, cx.symbols.per_player_vars, "player variable", &type);
  });
  return {{std::move(out), {}}, var_type(type)};
}

TypedValue zone_var_ref(Context& cx, Fields& fields) {
  ZoneVarRef out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.need("var", [&](const Node& n) {
    out.var = read_var_name(cx, n, cx.symbols.zone_vars, "zone variable");
  });
  return {{std::move(out), {}}, plain(Kind::integer)};
}

TypedValue zone_count_ref(Context& cx, Fields& fields) {
  ZoneCountRef out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  return {{std::move(out), {}}, plain(Kind::integer)};
}

TypedValue token_prop_ref(Context& cx, Fields& fields) {
  TokenPropRef out;
  Type type;
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  fields.need("prop", [&](const Node& n) {
    out.prop = read_id(cx, n, "the name of a token property");
    if (const Kind* kind = find_in(cx.symbols.props, out.prop)) {
      type = plain(*kind);
    } else if (out.prop == "id" || out.prop == "type" || out.prop.empty()) {
      type = plain(Kind::string);
    } else {
      auto names = names_of(cx.symbols.props);
      names.insert(names.end(), {"id", "type"});
      cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "token property", out.prop, names);
    }
  });
  return {{std::move(out), {}}, type};
}

TypedValue token_zone_ref(Context& cx, Fields& fields) {
  TokenZoneRef out;
  fields.need("token", [&](const Node& n) { out.token = read_token(cx, n); });
  return {{std::move(out), {}}, plain(Kind::zone)};
}

TypedValue zone_prop_ref(Context& cx, Fields& fields) {
  ZonePropRef out;
  Type type;
  fields.need("zone", [&](const Node& n) { out.zone = read_space(cx, n); });
  fields.need("prop", [&](const Node& n) {
    out.prop = read_id(cx, n, "the name of a zone attribute");
    if (out.prop == "id") {
      type = plain(Kind::zone);
    } else if (out.prop == "category" || out.prop.empty()) {
      type = plain(Kind::string);
    } else if (const Kind* kind = find_in(cx.symbols.attributes, out.prop)) {
      type = plain(*kind);
      if (*kind == Kind::list) {
        cx.error(Code::TYPE_MISMATCH, n, fmt::format("the attribute `{}` is a list", out.prop))
            .suggestion = "ask for one of its items with {op: zonePropIncludes, zone, prop, value}";
        type = {};
      }
    } else {
      auto names = names_of(cx.symbols.attributes);
      names.insert(names.end(), {"id", "category"});
      cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, n, "zone attribute", out.prop, names);
    }
  });
  return {{std::move(out), {}}, type};
}

TypedValue binding_ref(Context& cx, Fields& fields) {
  BindingRef out;
  Type type;
  fields.allow({"displayName"});
  fields.need("name", [&](const Node& n) {
    out.name = read_id(cx, n, "the name of a binding");
    if (out.name.empty()) return;
    type = use_binding(cx, n, out.name, Strictness::strict);
    if (type.kind == Kind::row || type.kind == Kind::record) {
      cx.error(Code::BINDING_KIND, n,
               fmt::format("`{}` holds {}, which is no value", out.name, describe(type)))
          .suggestion = type.kind == Kind::row
                            ? "read one of its fields with {ref: assetField, row, tableId, field}"
                            : "use the event's own bindings, such as $zone or $newValue";
      type = {};
    }
  });
  return {{std::move(out), {}}, type};
}

TypedValue asset_field_ref(Context& cx, Fields& fields) {
  AssetFieldRef out;
  Type type;
  const TableInfo* table = nullptr;
  fields.need("tableId", [&](const Node& n) {
    out.table = read_id(cx, n, "the id of a table");
    table = find_in(cx.symbols.tables, out.table);
    if (table == nullptr && !out.table.empty())
      cx.unknown(Code::TABLE_REFERENCE, n, "table", out.table, names_of(cx.symbols.tables));
  });
  fields.need("row", [&](const Node& n) { out.row = read_row(cx, n, table ? out.table : ""); });
  fields.need("field", [&](const Node& n) {
    out.field = read_id(cx, n, "the name of a table field");
    if (table == nullptr || out.field.empty()) return;
    const Kind* kind = find_in(table->fields, out.field);
    if (kind == nullptr)
      cx.unknown(Code::TABLE_FIELD_UNKNOWN, n, "field", out.field, names_of(table->fields));
    else
      type = plain(*kind);
    if (table->optional.contains(out.field))
      cx.warning(Code::TABLE_FIELD_OPTIONAL, n, fmt::format("some rows lack `{}`", out.field))
          .suggestion = "give every row a value: without one it reads as 0, false or empty text";
  });
  return {{std::move(out), {}}, type};
}

TypedValue marker_state_ref(Context& cx, Fields& fields) {
  MarkerStateRef out;
  fields.need("space", [&](const Node& n) { out.space = read_space(cx, n); });
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  return {{std::move(out), {}}, plain(Kind::string)};
}

TypedValue global_marker_state_ref(Context& cx, Fields& fields) {
  GlobalMarkerStateRef out;
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, true); });
  return {{std::move(out), {}}, plain(Kind::string)};
}

TypedValue active_player_ref(Context&, Fields&) {
  return {{ActivePlayerRef{}, {}}, plain(Kind::player)};
}
TypedValue active_seat_ref(Context&, Fields&) {
  return {{ActiveSeatRef{}, {}}, plain(Kind::string)};
}

TypedValue player_ref(Context& cx, Fields& fields) {
  PlayerRef out;
  fields.need("player", [&](const Node& n) { out.player = read_player(cx, n); });
  return {{std::move(out), {}}, plain(Kind::player)};
}

TypedValue clock_ref(Context& cx, Fields& fields) {
  std::string_view field;
  fields.need("field", [&](const Node& n) {
    field = read_word<std::string_view>(cx, n, "clock field",
                                        {{"turn", "turn"},
                                         {"round", "round"},
                                         {"turnInRound", "turnInRound"},
                                         {"roundStartPlayer", "roundStartPlayer"},
                                         {"playerCount", "playerCount"}},
                                        "turn");
  });
  const bool who = field == "roundStartPlayer";
  return {ClockRef{std::string(field)}, plain(who ? Kind::player : Kind::integer)};
}

TypedValue grant_context_ref(Context& cx, Fields& fields) {
  GrantContextRef out;
  fields.need("key", [&](const Node& n) { out.key = read_id(cx, n, "a key"); });
  return {{std::move(out), {}}, {}};
}

TypedValue captured_zones_ref(Context& cx, Fields& fields) {
  CapturedZonesRef out;
  fields.need("key", [&](const Node& n) { out.key = read_key(cx, n); });
  return {{std::move(out), {}}, list_of(plain(Kind::zone))};
}

TypedValue step_ref(Context& cx, Fields& fields) {
  StepRef out;
  out.count = Value{Int{1}, {}};
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.need("direction", [&](const Node& n) {
    out.direction = read_directions(cx, n);
    if (out.direction.kind == DirectionSel::Kind::all || out.direction.names.size() > 1)
      cx.error(Code::DIRECTION_SEVERAL, n, "a step goes in one direction").suggestion =
          "use the query {query: step, zone, directions} for several";
  });
  fields.maybe("count", [&](const Node& n) { out.count = read_number(cx, n); });
  return {{std::move(out), {}}, plain(Kind::zone)};
}

TypedValue effect_modifier_ref(Context& cx, Fields& fields) {
  EffectModifierRef out;
  fields.need("name", [&](const Node& n) { out.name = read_id(cx, n, "the name of a modifier"); });
  fields.maybe("target", [&](const Node& n) { out.target.push_back(read_value(cx, n).value); });
  return {{std::move(out), {}}, plain(Kind::integer)};
}

// The texts of the set, written out.
TypedValue named_set_ref(Context& cx, Fields& fields) {
  ListLiteral out;
  fields.need("name", [&](const Node& n) {
    const std::string name = read_id(cx, n, "the name of a set");
    if (const auto* set = find_in(cx.symbols.named_sets, name))
      out.items.assign(set->begin(), set->end());
    else if (!name.empty())
      cx.unknown(Code::NAMED_SET_UNKNOWN, n, "named set", name, names_of(cx.symbols.named_sets));
  });
  return {{std::move(out), {}}, list_of(plain(Kind::string))};
}

using ReadReference = TypedValue (*)(Context&, Fields&);
struct ReferenceKind {
  std::string_view name;
  ReadReference read;
};
constexpr std::array reference_kinds{
    ReferenceKind{"gvar", gvar_ref},
    ReferenceKind{"pvar", pvar_ref},
    ReferenceKind{"zoneVar", zone_var_ref},
    ReferenceKind{"zoneCount", zone_count_ref},
    ReferenceKind{"tokenProp", token_prop_ref},
    ReferenceKind{"tokenZone", token_zone_ref},
    ReferenceKind{"zoneProp", zone_prop_ref},
    ReferenceKind{"binding", binding_ref},
    ReferenceKind{"assetField", asset_field_ref},
    ReferenceKind{"markerState", marker_state_ref},
    ReferenceKind{"globalMarkerState", global_marker_state_ref},
    ReferenceKind{"activePlayer", active_player_ref},
    ReferenceKind{"activeSeat", active_seat_ref},
    ReferenceKind{"player", player_ref},
    ReferenceKind{"clock", clock_ref},
    ReferenceKind{"grantContext", grant_context_ref},
    ReferenceKind{"capturedSequenceZones", captured_zones_ref},
    ReferenceKind{"step", step_ref},
    ReferenceKind{"effectModifier", effect_modifier_ref},
    ReferenceKind{"namedSet", named_set_ref},
};

}  // namespace

TypedValue read_reference(Context& cx, const Node& node) {
  const Node* kind = node.find("ref");
  const std::string what = kind->is_string() ? fmt::format("`{}`", kind->text) : "a reference";
  Fields fields{cx, node, what};
  fields.allow({"ref"});
  for (const auto& entry : reference_kinds)
    if (kind->is(entry.name)) return entry.read(cx, fields);
  fields.give_up();
  if (kind->is("unknown") && node.entries.size() == 1) return {};  // a word that was reported
  const auto step_ref = cx.step("ref");
  if (!kind->is_string()) {
    wrong_shape(cx, *kind, "the kind of reference");
    return {};
  }
  std::vector<std::string> names;
  for (const auto& entry : reference_kinds) names.emplace_back(entry.name);
  Diagnostic& d = cx.unknown(Code::REFERENCE_UNKNOWN, *kind, "reference", kind->text, names);
  correct_slip(d, SlipOf::reference, kind->text, names);
  if (kind->text.starts_with('$'))
    d.suggestion = fmt::format("write {{ref: binding, name: \"{}\"}}", kind->text);
  return {};
}

}  // namespace parlor::spec::lower
