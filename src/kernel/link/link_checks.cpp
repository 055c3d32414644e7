// What the kernel relies on in a GameDef, whoever wrote it: the spec compiler, another tool, or
// somebody with a text editor. Linking begins here, for texts and for compiled games alike; what
// names in the rules mean is checked where they are looked up.
#include <fmt/format.h>
#include <set>

#include "kernel/link/linker.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

namespace {

// As many as the parts of a state and the ids of options have room for.
constexpr std::size_t most_zones = 30'000, most_types = 10'000, most_props = 1'000,
                      most_props_of_a_type = 32, most_actions = (1 << action_bits) - 1,
                      most_phases = 1'000, most_directions = 200, most_params = 40,
                      most_of_anything = 30'000, most_rows = 1 << 20;
constexpr std::size_t most_state_bytes = std::size_t{16} << 20;

class DeclarationCheck {
 public:
  DeclarationCheck(const spec::GameDef& def, int players, Diagnostics& diagnostics)
      : def_(def), players_(players), d_(diagnostics) {}

  void run() {
    players();
    variables("globalVars", def_.global_vars, 1);
    variables("perPlayerVars", def_.per_player_vars, players_);
    zones();
    variables("zoneVars", def_.zone_vars, zone_count_);
    tokens();
    markers("markerLattices", def_.marker_lattices, zone_count_);
    markers("globalMarkerLattices", def_.global_marker_lattices, 1);
    tables();
    turns();
    actions();
    few("triggers", def_.triggers.size(), most_of_anything);
    unique("timedEffects", def_.timed_effects, [](const auto& e) { return e.id; });
    few("terminal.conditions", def_.terminal.conditions.size(), most_of_anything);
    few("terminal.checkpoints", def_.terminal.checkpoints.size(), most_of_anything);
    for (const spec::TimedEffectDef& effect : def_.timed_effects)
      if (effect.charges) within("timedEffects", effect.id, *effect.charges, 0, INT32_MAX);
    if (state_bytes_ > most_state_bytes)
      error(Code::LIMIT_STATE, "zones",
            fmt::format("a state would take {} bytes; there is room for {}", state_bytes_,
                        most_state_bytes));
  }

 private:
  void error(Code code, std::string path, std::string message) {
    Diagnostic diagnostic{.code = code, .message = std::move(message)};
    diagnostic.path = std::move(path);
    d_.add(std::move(diagnostic));
  }
  void few(const std::string& path, std::size_t count, std::size_t most) {
    if (count > most)
      error(Code::LINK_UNSUPPORTED, path,
            fmt::format("{} has {} entries; there is room for {}", path, count, most));
  }
  void within(const std::string& path, const std::string& what, spec::Int n, spec::Int low,
              spec::Int high) {
    if (n < low || n > high)
      error(Code::NUMBER_RANGE, path,
            fmt::format("`{}`: {} is not between {} and {}", what, n, low, high));
  }
  template <class List, class Name>
  void unique(const std::string& path, const List& list, Name name) {
    few(path, list.size(), most_of_anything);
    std::set<std::string> seen;
    for (const auto& item : list)
      if (!seen.insert(name(item)).second)
        error(Code::DUPLICATE_ID, path, fmt::format("there are two `{}`", name(item)));
  }

  void players() {
    within("metadata", "maxTriggerDepth", def_.metadata.max_trigger_depth, 0, 1'000);
    unique("seats", def_.seats, [](const std::string& seat) { return seat; });
  }

  void variables(const std::string& path, const std::vector<spec::VarDef>& vars,
                 std::size_t owners) {
    unique(path, vars, [](const spec::VarDef& var) { return var.name; });
    state_bytes_ += vars.size() * owners * sizeof(std::int64_t);
    for (const spec::VarDef& var : vars) {
      if (var.type == spec::VarType::boolean) {
        within(path, var.name, var.init, 0, 1);
        if (path == "zoneVars")
          error(Code::TYPE_MISMATCH, path,
                fmt::format("`{}`: variables of zones are numbers", var.name));
      } else if (var.min > var.max) {
        error(Code::BOUNDS_REVERSED, path,
              fmt::format("`{}` lies between {} and {}", var.name, var.min, var.max));
      } else if (var.init < var.min || var.init > var.max) {
        error(Code::INIT_OUTSIDE, path,
              fmt::format("`{}` begins at {}, outside of {} to {}", var.name, var.init, var.min,
                          var.max));
      }
    }
  }

  void zones() {
    unique("zones", def_.zones, [](const spec::ZoneDef& zone) { return zone.base; });
    for (const spec::ZoneDef& zone : def_.zones)
      zone_count_ += zone.owner == spec::ZoneOwner::player ? players_ : 1;
    if (zone_count_ > most_zones)
      error(Code::LIMIT_ZONES, "zones",
            fmt::format("with {} players there are {} zones; there is room for {}", players_,
                        zone_count_, most_zones));
    if (zone_count_ == 0) error(Code::SECTION_MISSING, "zones", "the game has no zones");
    state_bytes_ += zone_count_ * sizeof(ZoneRecord);
    unique("directions", def_.directions, [](const auto& d) { return d.name; });
    few("directions", def_.directions.size(), most_directions);
  }

  void tokens() {
    unique("tokenTypes", def_.token_types, [](const auto& t) { return t.id; });
    few("tokenTypes", def_.token_types.size(), most_types);
    std::set<std::string> props;
    for (const spec::TokenTypeDef& type : def_.token_types) {
      unique("tokenTypes", type.props, [](const spec::PropDef& prop) { return prop.name; });
      few("tokenTypes", type.props.size(), most_props_of_a_type);
      for (const spec::PropDef& prop : type.props) props.insert(prop.name);
    }
    few("tokenTypes", props.size(), most_props);
    for (const spec::StackingConstraint& rule : def_.stacking_constraints)
      for (const std::string& id : rule.piece_types)
        if (std::ranges::find(def_.token_types, id, &spec::TokenTypeDef::id) ==
            def_.token_types.end())
          error(Code::TOKEN_TYPE_UNKNOWN, "stackingConstraints",
                fmt::format("there is no token type `{}`", id));
  }

  void markers(const std::string& path, const std::vector<spec::MarkerLattice>& lattices,
               std::size_t owners) {
    unique(path, lattices, [](const spec::MarkerLattice& lattice) { return lattice.id; });
    state_bytes_ += lattices.size() * owners * sizeof(std::int16_t);
    for (const spec::MarkerLattice& lattice : lattices) {
      few(path, lattice.states.size(), most_of_anything);
      if (std::ranges::find(lattice.states, lattice.default_state) == lattice.states.end())
        error(Code::MARKER_STATE_UNKNOWN, path,
              fmt::format("`{}` has no state `{}`", lattice.id, lattice.default_state));
    }
  }

  void tables() {
    unique("tables", def_.tables, [](const spec::TableDef& table) { return table.id; });
    for (const spec::TableDef& table : def_.tables) {
      unique("tables", table.columns, [](const spec::PropDef& column) { return column.name; });
      few("tables", table.rows.size(), most_rows);
      for (const auto& row : table.rows)
        if (row.size() != table.columns.size()) {
          error(Code::TABLE_INVALID, "tables",
                fmt::format("a row of `{}` has {} fields, not {}", table.id, row.size(),
                            table.columns.size()));
          break;
        }
    }
  }

  void turns() {
    if (def_.phases.empty()) error(Code::SECTION_MISSING, "phases", "the game has no phases");
    few("phases", def_.phases.size() + def_.interrupts.size(), most_phases);
    std::vector<std::string> ids;
    for (const auto* list : {&def_.phases, &def_.interrupts})
      for (const spec::PhaseDef& phase : *list) ids.push_back(phase.id);
    unique("phases", ids, [](const std::string& id) { return id; });
    few("turnOrder.order", def_.turn_order.order.size(), most_of_anything);
  }

  void actions() {
    unique("actions", def_.actions, [](const spec::ActionDef& action) { return action.id; });
    few("actions", def_.actions.size(), most_actions);
    for (const spec::ActionDef& action : def_.actions) {
      unique("actions", action.params, [](const spec::ParamDef& param) { return param.name; });
      few("actions", action.params.size(), most_params);
    }
  }

  const spec::GameDef& def_;
  std::size_t players_;
  Diagnostics& d_;
  std::size_t zone_count_ = 0, state_bytes_ = 0;
};

}  // namespace

void check_declarations(const spec::GameDef& def, int players, Diagnostics& diagnostics) {
  DeclarationCheck(def, players, diagnostics).run();
}

}  // namespace parlor::kernel
