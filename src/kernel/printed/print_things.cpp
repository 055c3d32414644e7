// What zones, tokens and rows are or have, as C++.
#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

namespace {

// A token of a subset: its properties were found, and found to be there, before the first subset.
bool is_carried(const std::string& token) {
  return token.ends_with(".token");
}

}  // namespace

// The property of a token as it lies in its record: its cell, and of what kind. Not uniform: types
// keep it in different ways.
Made Printer::cell(const std::string& token, int prop, bool& uniform) {
  std::set<int> columns;
  std::set<CellType> types;
  std::string items;
  for (const TypeInfo& type : p_.types) {
    const int column = type.column[prop];
    columns.insert(column);
    items += fmt::format("{}, ", column);
    if (column >= 0) types.insert(type.cell[prop]);
  }
  uniform = types.size() == 1;
  if (!uniform) return {};
  const Kind kind = *types.begin() == CellType::integer   ? Kind::integer
                    : *types.begin() == CellType::boolean ? Kind::boolean
                                                          : Kind::any;
  if (is_carried(token)) {
    carried_.insert(prop);
    return {fmt::format("{}.prop_{}", token.substr(0, token.find('.')), prop), kind};
  }
  const std::string record = fmt::format("{} + place({}) * {}", p_.layout.tokens, token,
                                         p_.layout.token_size),
                    out = fresh('c');
  if (columns.size() == 1) {
    line("const auto {} = v.at<std::int32_t>({} + {});", out, record,
         sizeof(TokenRecord) + 4 * static_cast<std::size_t>(*columns.begin()));
  } else {
    const std::string column = table(fmt::format("column_of_prop_{}", prop), "std::int16_t", items);
    line("const int {}_ = {}[v.ref<TokenRecord>({}).type];", out, column, record);
    line(
        "const auto {0} = {0}_ < 0 ? missing_cell : v.at<std::int32_t>({1} + {2} + place({0}_) * "
        "4);",
        out, record, sizeof(TokenRecord));
  }
  return {out, kind};
}

namespace {

// What a cell that is there is worth.
Made worth(const Made& cell) {
  switch (cell.kind) {
    case Kind::integer:
      return {fmt::format("std::int64_t{{{}}}", cell.text), Kind::integer, true};
    case Kind::boolean:
      return {fmt::format("({} != 0)", cell.text), Kind::boolean};
    default:
      return {fmt::format("word_of({})", cell.text), Kind::any, false, cell.text};
  }
}

}  // namespace

Made Printer::token_prop(const Node& n, bool& printed) {
  const std::string t = token(n.a);
  const Made found = cell(t, n.b, printed);
  if (!printed) return {};
  if (!is_carried(t) && !p_.all_have(n.b)) give_up_if(found.text + " == missing_cell");
  return worth(found);
}

Made Printer::field(const Node& n, const std::string& t, bool& printed) {
  printed = true;
  const std::string record = fmt::format("v.ref<TokenRecord>({} + place({}) * {})",
                                         p_.layout.tokens, t, p_.layout.token_size);
  switch (spec::TokenTest::Field{n.a}) {
    case spec::TokenTest::Field::prop: {
      if (n.b < 0) break;
      const Made found = cell(t, n.b, printed);
      if (!printed) return {};
      if (!p_.all_have(n.b)) line("if ({} == missing_cell) break;", found.text);
      return worth(found);
    }
    case spec::TokenTest::Field::token_id:
      return {t, Kind::placed_token};
    case spec::TokenTest::Field::token_type: {
      std::string items;
      for (const TypeInfo& type : p_.types) items += fmt::format("{}, ", type.symbol);
      return {fmt::format("{}[{}.type]", table("symbol_of_type", "std::int32_t", items), record),
              Kind::symbol};
    }
    case spec::TokenTest::Field::token_zone:
      return {fmt::format("int{{{}.zone}}", record), Kind::zone};
    case spec::TokenTest::Field::zone_prop:
      if (n.b == 0) return {fmt::format("int{{{}.zone}}", record), Kind::zone};
      break;
  }
  printed = false;
  return {};
}

// A table of all zones, as values.
Made Printer::attribute(const Node& n) {
  const std::string z = zone(n.a), out = fresh('v');
  std::string items;
  for (std::size_t i = 0; i < p_.zones.size(); ++i) {
    const Value v = p_.zone_attributes[i * p_.attributes.size() + static_cast<std::size_t>(n.b)];
    items += fmt::format("{{{}u}}, ", v.bits);
  }
  line("const Value {} = {}[place({})];", out,
       table(fmt::format("attribute_{}", n.b), "Value", items), z);
  give_up_if(out + ".is_list()");
  return {out, Kind::any};
}

Made Printer::category(const Node& n) {
  const std::string z = zone(n.a), out = fresh('v');
  std::string items;
  for (const ZoneInfo& info : p_.zones)
    items += fmt::format("{{{}u}}, ", info.category < 0 ? 0 : Value::symbol(info.category).bits);
  line("const Value {} = {}[place({})];", out, table("category", "Value", items), z);
  return {out, Kind::any};
}

Made Printer::asset_field(const Node& n) {
  const TableInfo& rows = p_.tables[n.b];
  std::string items;
  for (int row = 0; row < rows.rows; ++row)
    items +=
        fmt::format("{{{}u}}, ", rows.cells[static_cast<std::size_t>(row) * rows.columns.size() +
                                            static_cast<std::size_t>(n.c)]
                                     .bits);
  const Made row = value(n.a);
  const std::string out = fresh('v');
  give_up_if(
      fmt::format("{0}.tag() != Tag::row || ({0}.payload() >> 24) != {1}", as_value(row), n.b));
  line("const Value {} = {}[{}.payload() & 0xffffff];", out,
       table(fmt::format("table_{}_column_{}", n.b, n.c), "Value", items), as_value(row));
  give_up_if(out + ".is_none()");
  return {out, Kind::any};
}

// The state of a marker, by the numbers of a lattice.
Made Printer::named_state(const Node& n) {
  const bool global = n.op == Ex::global_marker_state;
  const LatticeInfo& lattice = global ? p_.global_lattices[n.a] : p_.lattices[n.b];
  std::string items;
  for (const Symbol state : lattice.states) items += fmt::format("{}, ", state);
  const std::string states =
      table(fmt::format("states_{}_{}", global ? "global" : "zone", global ? n.a : n.b),
            "std::int32_t", items);
  const std::string out = fresh('n');
  if (global) {
    line("const auto {} = v.at<std::int16_t>({});", out,
         p_.layout.global_markers + 2 * static_cast<unsigned>(n.a));
  } else {
    line("const auto {}_ = v.at<std::int16_t>({} + place({}) * {});", out,
         p_.layout.markers + 2 * static_cast<unsigned>(n.b), zone(n.a), 2 * p_.lattices.size());
    line("const int {0} = {0}_ == 0 ? {1} : {0}_ - 1;", out, lattice.initial);
  }
  return {fmt::format("{}[place({})]", states, out), Kind::symbol};
}

// What a zone, a token or a row is or has.
Made Printer::of_thing(int index) {
  const Node& n = node(index);
  switch (n.op) {
    case Ex::zone_count: {
      const std::string z = zone(n.a);
      note_zone(z);
      return {fmt::format("std::int64_t{{v.ref<ZoneRecord>({} + place({}) * 6).count}}",
                          p_.layout.zones, z),
              Kind::integer};
    }
    case Ex::token_prop: {
      if (n.b < 0) return left_value(index);
      bool printed = true;
      const Made made = token_prop(n, printed);
      return printed ? made : left_value(index);
    }
    case Ex::token_id:
      return {token(n.a), Kind::placed_token};
    case Ex::token_zone:
      return {fmt::format("int{{v.ref<TokenRecord>({} + place({}) * {}).zone}}", p_.layout.tokens,
                          token(n.a), p_.layout.token_size),
              Kind::zone};
    case Ex::zone_id:
      return {zone(n.a), Kind::zone};
    case Ex::zone_attribute:
    case Ex::zone_category: {
      const Made made = n.op == Ex::zone_attribute ? attribute(n) : category(n);
      give_up_if(made.text + ".is_none()");
      return made;
    }
    case Ex::asset_field:
      return asset_field(n);
    default:  // of markers
      return named_state(n);
  }
}

}  // namespace parlor::kernel
