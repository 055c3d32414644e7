// What there is: zones and the steps between them, variables, tokens, markers, tables.
#include <charconv>
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/state/memory.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// ---- Tables

void Linker::link_zones() {
  struct Made {
    std::string id;
    std::size_t def;
    int owner;
  };
  std::vector<Made> made;
  for (std::size_t i = 0; i < p_.def.zones.size(); ++i) {
    const spec::ZoneDef& def = p_.def.zones[i];
    if (def.owner == spec::ZoneOwner::none)
      made.push_back({def.base + ":none", i, -1});
    else
      for (int player = 0; player < p_.players; ++player)
        made.push_back({fmt::format("{}:{}", def.base, player), i, player});
  }
  std::sort(made.begin(), made.end(), [](const Made& a, const Made& b) { return a.id < b.id; });
  for (const spec::ZoneDef& def : p_.def.zones)
    p_.bases.push_back(
        {def.base, def.owner == spec::ZoneOwner::player,
         std::vector<ZoneId>(def.owner == spec::ZoneOwner::player ? p_.players : 1)});
  for (const Made& m : made) {
    const spec::ZoneDef& def = p_.def.zones[m.def];
    p_.bases[m.def].zones[std::max(0, m.owner)] = ZoneId(symbol(m.id));
    ZoneInfo info;
    info.id = m.id;
    info.base = m.def;
    info.owner = m.owner;
    info.visibility = def.visibility;
    info.ordering = def.ordering;
    info.kind = def.kind;
    info.internal = def.internal;
    info.count_hidden = def.count_hidden;
    p_.zones.push_back(std::move(info));
  }
  p_.zone_count = p_.zones.next().value;
  // Sets of zones are computed with in one, two, four or eight words; larger boards are evaluated
  // plainly, and a set is only the list of its zones.
  p_.words = 1;
  while (p_.zones.size() > 64 * p_.words) p_.words *= 2;
  if (p_.words > most_words) p_.options.plan = false;
}

// Neighbours, steps, attributes: they name other zones, so all zones must be there.
void Linker::link_zone_details() {
  for (const spec::DirectionDef& def : p_.def.directions) {
    p_.directions.push_back(def.name);
    p_.direction_symbols.push_back(symbol(def.name));
  }
  for (const spec::DirectionDef& def : p_.def.directions)
    p_.opposite.push_back(position_of(p_.directions, def.opposite));
  for (const spec::ZoneDef& def : p_.def.zones)
    for (const spec::Attribute& attribute : def.attributes)
      if (std::find(p_.attributes.begin(), p_.attributes.end(), attribute.name) ==
          p_.attributes.end())
        p_.attributes.push_back(attribute.name);
  p_.zone_attributes.resize(p_.zones.size() * p_.attributes.size());
  for (const ZoneId z : p_.zones.ids()) {
    ZoneInfo& info = p_.zones[z];
    const spec::ZoneDef& def = p_.def.zones[info.base];
    if (!def.category.empty()) info.category = symbol(def.category);
    for (const std::string& other : def.neighbours)
      if (const ZoneId to = p_.zone_named(other); !to.is_none()) info.neighbours.push_back(to);
    std::sort(info.neighbours.begin(), info.neighbours.end());
    info.steps.assign(p_.directions.size(), ZoneId::none());
    for (const spec::DirectionLink& link : def.directions) {
      const auto at = std::find(p_.directions.begin(), p_.directions.end(), link.direction);
      if (at != p_.directions.end())
        info.steps[at - p_.directions.begin()] = p_.zone_named(link.to);
    }
    if (def.deck) {
      info.deck = true;
      info.draw_from = def.deck->draw_from;
      p_.has_chance |= info.draw_from == spec::DrawFrom::random;
      const std::string& reserve = def.deck->reshuffle_from;
      info.reshuffle_from = p_.zone_named(reserve);
      for (const BaseInfo& base : p_.bases)
        if (info.reshuffle_from.is_none() && base.name == reserve)
          info.reshuffle_from = base.zones[base.owned ? std::max(0, info.owner) : 0];
    }
    for (const spec::Attribute& attribute : def.attributes) {
      const int column = position_of(p_.attributes, attribute.name);
      Value& cell = p_.zone_attributes[z.index() * p_.attributes.size() + column];
      if (const auto* n = std::get_if<spec::Int>(&attribute.value)) cell = Value::integer(*n);
      if (const auto* b = std::get_if<bool>(&attribute.value)) cell = Value::boolean(*b);
      if (const auto* s = std::get_if<std::string>(&attribute.value)) cell = text_value(*s);
      if (const auto* list = std::get_if<std::vector<std::string>>(&attribute.value)) {
        std::vector<Value> items;
        for (const std::string& s : *list) items.push_back(text_value(s));
        cell = Value::list(constant_list + list_of(std::move(items)));
      }
    }
  }
}

void Linker::link_shifts() {
  const int bits = 64 * p_.words;
  for (std::size_t d = 0; d < p_.directions.size(); ++d) {
    ShiftInfo shift;
    for (const ZoneId z : p_.zones.ids()) {
      if (!p_.options.plan) break;
      const ZoneId to = p_.zones[z].steps[d];
      if (to.is_none()) continue;
      const int turn = (to.value - z.value + bits) % bits;
      auto group = std::find_if(shift.groups.begin(), shift.groups.end(),
                                [&](const ShiftInfo::Group& g) { return g.turn == turn; });
      if (group == shift.groups.end()) {
        shift.groups.emplace_back().turn = turn;
        group = std::prev(shift.groups.end());
      }
      put_zone(group->from, z);
      put_zone(shift.valid, z);
      int steps = 0;
      for (ZoneId at = to; !at.is_none() && steps <= p_.zone_count; at = p_.zones[at].steps[d])
        ++steps;
      if (steps > p_.zone_count) shift.longest = -1;
      if (shift.longest >= 0) shift.longest = std::max(shift.longest, steps);
    }
    p_.shifts.push_back(std::move(shift));
  }
}

void Linker::link_vars() {
  auto take = [&](const std::vector<spec::VarDef>& defs, Vars& out) {
    for (const spec::VarDef& def : defs) {
      symbol(def.name);
      const bool zone = def.type == spec::VarType::zone;
      const std::int64_t most = zone ? p_.zone_count - 1 : def.max;
      out.push_back({def.name, def.type == spec::VarType::boolean, def.init, def.min, most,
                     def.material, def.visibility, def.values, def.type == spec::VarType::player,
                     def.type});
    }
  };
  take(p_.def.global_vars, p_.gvars);
  take(p_.def.per_player_vars, p_.pvars);
  take(p_.def.zone_vars, p_.zvars);
  const std::size_t cells =
      p_.gvars.size() + p_.pvars.size() * p_.players + p_.zvars.size() * p_.zones.size();
  for (std::size_t i = 0; i < cells; ++i) p_.var_keys.push_back(mix(0x766172 + i) | 1);
  for (const std::string& seat : p_.def.seats) p_.seat_symbols.push_back(symbol(seat));
}

void Linker::link_tokens() {
  for (const spec::TokenTypeDef& def : p_.def.token_types)
    for (const spec::PropDef& prop : def.props)
      if (prop_index(prop.name) < 0) p_.props.push_back(prop.name);
  for (const spec::TokenTypeDef& def : p_.def.token_types) {
    TypeInfo info;
    info.id = def.id;
    info.symbol = symbol(def.id);
    info.seat = def.seat.empty() ? -1 : symbol(def.seat);
    info.column.assign(p_.props.size(), -1);
    info.cell.assign(p_.props.size(), CellType::integer);
    for (std::size_t c = 0; c < def.props.size(); ++c) {
      const int prop = prop_index(def.props[c].name);
      info.column[prop] = c;
      info.cell[prop] = def.props[c].type == spec::PropType::integer  ? CellType::integer
                        : def.props[c].type == spec::PropType::string ? CellType::symbol
                                                                      : CellType::boolean;
    }
    p_.columns = std::max<int>(p_.columns, def.props.size());
    p_.types.push_back(std::move(info));
  }
  // Values may name tokens of any type, so they come when all types are known.
  for (std::size_t t = 0; t < p_.types.size(); ++t) {
    const spec::TokenTypeDef& def = p_.def.token_types[t];
    for (const spec::ZoneEntryRule& rule : def.on_zone_entry) {
      EntryRule entry;
      if (rule.zone_kind) entry.kind = rule.zone_kind;
      if (rule.category) entry.category = symbol(*rule.category);
      for (const spec::PropAssign& set : rule.set)
        if (const int prop = prop_index(set.prop); prop >= 0)
          entry.set.emplace_back(prop, scalar(set.value));
      p_.types[t].entry.push_back(std::move(entry));
    }
    for (const spec::PropTransition& transition : def.transitions)
      if (const int prop = prop_index(transition.prop); prop >= 0)
        p_.types[t].transitions.push_back(
            {prop, text_value(transition.from), text_value(transition.to)});
  }
  for (int i = 0; i < 128 * (p_.columns + 2); ++i) p_.token_keys.push_back(mix(i + 0x51ed2701) | 1);
  p_.stacking_of_zone.resize(p_.zones.size());
  for (const spec::StackingConstraint& def : p_.def.stacking_constraints) {
    StackingInfo info{def.id, Table<ZoneId, bool>(p_.zones.size()),
                      std::vector<bool>(p_.types.size()), def.max_count};
    for (const std::string& id : def.zones)
      if (const ZoneId z = p_.zone_named(id); !z.is_none()) {
        info.zones[z] = true;
        p_.stacking_of_zone[z].push_back(p_.stacking.size());
      }
    for (const std::string& id : def.piece_types) info.types[type_index(id, 0)] = true;
    p_.stacking.push_back(std::move(info));
  }
}

void Linker::link_markers() {
  auto take = [&](const std::vector<spec::MarkerLattice>& defs, std::vector<LatticeInfo>& out) {
    for (const spec::MarkerLattice& def : defs) {
      LatticeInfo info;
      info.id = def.id;
      symbol(def.id);
      for (const std::string& state : def.states) info.states.push_back(symbol(state));
      info.initial = std::max(0, position_of(def.states, def.default_state));
      out.push_back(std::move(info));
    }
  };
  take(p_.def.marker_lattices, p_.lattices);
  take(p_.def.global_marker_lattices, p_.global_lattices);
  for (const spec::SpaceMarker& marker : p_.def.space_markers) {
    const ZoneId zone = p_.zone_named(marker.space);
    const int lattice = position_of(p_.lattices, marker.marker, &LatticeInfo::id);
    if (zone.is_none() || lattice < 0) continue;
    const int state = position_of(p_.lattices[lattice].states, symbol(marker.state));
    if (state >= 0) p_.initial_markers.push_back({zone, lattice, state});
  }
  for (std::size_t l = 0; l < p_.lattices.size(); ++l) {
    LatticeInfo& info = p_.lattices[l];
    const UnitId unit = begin_unit("marker " + info.id);
    info.unit = unit;
    scope_.declare("$space");
    for (const spec::LatticeConstraint& constraint : p_.def.marker_lattices[l].constraints) {
      LatticeInfo::Constraint made{condition(constraint.when), {}};
      for (std::size_t s = 0; s < p_.def.marker_lattices[l].states.size(); ++s) {
        const auto& allowed = constraint.allowed_states;
        if (std::find(allowed.begin(), allowed.end(), p_.def.marker_lattices[l].states[s]) !=
            allowed.end())
          made.allowed.push_back(s);
      }
      p_.lattices[l].constraints.push_back(std::move(made));
    }
    end_unit(unit);
  }
}

namespace {

// So that rows with a given value are looked up. Lists and missing values are not looked for.
void index_rows(TableInfo& table) {
  const std::size_t columns = table.columns.size();
  table.rows_by_column.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    auto& index = table.rows_by_column[c];
    for (int row = 0; row < table.rows; ++row) {
      const kernel::Value cell = table.cells[row * columns + c];
      if (!cell.is_int() && !cell.is_bool() && !cell.is_symbol()) {
        index.clear();
        break;
      }
      index.emplace_back(cell.bits, row);
    }
    std::sort(index.begin(), index.end());
  }
}

}  // namespace

void Linker::link_tables() {
  for (const spec::TableDef& def : p_.def.tables) {
    TableInfo info;
    info.id = def.id;
    info.rows = std::ssize(def.rows);
    for (const spec::PropDef& column : def.columns) info.columns.push_back(column.name);
    for (const auto& row : def.rows)
      for (const spec::Scalar& cell : row) info.cells.push_back(scalar(cell));
    index_rows(info);
    p_.tables.push_back(std::move(info));
  }
}

}  // namespace parlor::kernel
