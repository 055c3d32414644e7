// What there is to draw of a game written as data.
#include "game/scene.h"

#include <algorithm>
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/tell/boards.h"
#include "kernel/tell/display.h"
#include "kernel/tell/wording.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {
namespace {

constexpr std::string_view shape_name(DrawnBoard::Shape shape) {
  constexpr std::string_view names[] = {"square", "hex", "points", "graph"};
  return names[static_cast<std::size_t>(shape)];
}
constexpr std::string_view kind_name(ItemKind kind) {
  constexpr std::string_view names[] = {"name", "zone", "token", "player",
                                        "bool", "name", "int",   "name"};
  return names[static_cast<std::size_t>(kind)];
}

// Whether all that a query gives are directions; the kernel keeps these as names.
bool gives_directions(const spec::Query& query) {
  if (const auto* kept = std::get_if<spec::FilterQuery>(&query.node))
    return gives_directions(*kept->source);
  return std::holds_alternative<spec::DirectionsQuery>(query.node);
}

// Adds what the game says of a thing, as far as it is among these keys.
template <class Look>
void add_told(Json& out, const Look* look, std::initializer_list<const char*> keys) {
  if (look == nullptr) return;
  const Json told = spec::encoded(spec::Part::of(*look));
  for (const char* key : keys)
    if (const auto found = told.find(key); found != told.end()) out[key] = *found;
}

class SceneWriter {
 public:
  SceneWriter(const Program& program, const Wording& wording)
      : p_(program),
        wording_(wording),
        display_(display_of(program.def)),
        boards_(drawn_boards(program)) {
    drawn_.resize(p_.zones.size());
    for (const DrawnBoard& board : boards_)
      for (const Cell& cell : board.cells) drawn_[cell.zone] = true;
  }

  Json write() const {
    Json boards = Json::array();
    for (const DrawnBoard& board : boards_) boards.push_back(board_json(board));
    Json out{{"boards", std::move(boards)},
             {"areas", areas()},
             {"tokens", tokens()},
             {"variables",
              {{"globals", variables(p_.gvars)},
               {"players", variables(p_.pvars)},
               {"zones", variables(p_.zvars)}}},
             {"markers", markers()},
             {"actions", actions()},
             {"phases", phases()},
             {"directions", directions()}};
    if (wording_.rounds) out["rounds"] = true;
    if (!display_.seats.empty()) out["seats"] = spec::encoded(spec::Part::of(display_.seats));
    return out;
  }

 private:
  const std::string& zone_id(ZoneId zone) const { return p_.zones[zone].id; }
  std::string base_of(ZoneId zone) const {
    return zone_id(zone).substr(0, zone_id(zone).find(':'));
  }

  // Pieces that go from cell to cell stand on a board of two shades.
  bool has_moves() const {
    return std::ranges::any_of(p_.actions, [](const ActionInfo& action) {
      const auto zones = std::ranges::count(action.params, ItemKind::zone, &ParamInfo::kind);
      return zones >= 1 && action.params.size() >= 2;
    });
  }

  Json board_json(const DrawnBoard& board) const {
    Json cells = Json::array(), edges = Json::array();
    for (const Cell& cell : board.cells) cells.push_back(cell_json(board, cell));
    for (const auto& [a, b] : board.edges) edges.push_back({zone_id(a), zone_id(b)});
    const bool square = board.shape == DrawnBoard::Shape::square;
    Json out{{"id", board.id},
             {"shape", shape_name(board.shape)},
             {"style", square && has_moves()                      ? "checker"
                       : board.shape == DrawnBoard::Shape::graph  ? "map"
                       : board.shape == DrawnBoard::Shape::points ? "lines"
                                                                  : "grid"},
             {"flipFor", Json::array()},
             {"cells", std::move(cells)},
             {"edges", std::move(edges)},
             {"coordinates", {{"columns", board.columns}, {"rows", board.rows}}},
             {"background", nullptr}};
    add_told(out, &display_.board, {"style", "background", "orientation"});
    for (const std::string& name : display_.board.flip)
      if (const Json seat = seat_called(name); !seat.is_null()) out["flipFor"].push_back(seat);
    for (const auto& [side, name] : display_.board.sides)
      if (const Json seat = seat_called(name); !seat.is_null()) out["sides"][side] = seat;
    return out;
  }
  Json seat_called(const std::string& name) const {
    const auto found = std::ranges::find(p_.def.seats, name);
    return found == p_.def.seats.end() ? Json(nullptr) : Json(found - p_.def.seats.begin());
  }

  Json cell_json(const DrawnBoard& board, const Cell& cell) const {
    const ZoneId z = cell.zone;
    Json tags = Json::array();
    if (p_.zones[z].category >= 0) tags.push_back(p_.text(p_.zones[z].category));
    const std::string base = base_of(cell.zone);
    const std::string called = kernel::label(wording_, base);
    Json out{{"zone", zone_id(cell.zone)},
             {"x", cell.at.x},
             {"y", cell.at.y},
             {"label", called != base              ? called
                       : wording_.cells[z].empty() ? cell.label
                                                   : wording_.cells[z]},
             {"shade", 0},
             {"tags", std::move(tags)}};
    if (board.shape == DrawnBoard::Shape::square) {
      out["row"] = cell.row;
      out["col"] = cell.col;
      out["shade"] = ((cell.at.x + cell.at.y) / scene_unit) & 1;
      // Grooves are narrow, and squares of one shade.
      constexpr int narrow = 200;
      if (has_gaps(p_)) {
        out["size"] = {cell.col % 2 != 0 ? narrow : scene_unit,
                       cell.row % 2 != 0 ? narrow : scene_unit};
        out["shade"] = 0;
      }
    }
    if (board.shape == DrawnBoard::Shape::hex) {
      out["q"] = cell.col;
      out["r"] = cell.row;
      out["shade"] = (((cell.col - cell.row) % 3) + 3) % 3;
    }
    for (const std::string& name : {base, zone_id(cell.zone)})
      add_told(out, display_.cells.find(name), {"form", "size", "polygon", "color", "label"});
    return out;
  }

  Json areas() const {
    Json out = Json::array();
    for (const ZoneId z : p_.zones.ids()) {
      const ZoneInfo& zone = p_.zones[z];
      if (drawn_[z] || zone.internal) continue;
      const std::string_view layout = zone.ordering == spec::Ordering::stack       ? "pile"
                                      : zone.visibility == spec::Visibility::owner ? "fan"
                                      : zone.ordering == spec::Ordering::queue     ? "row"
                                                                                   : "spread";
      const std::string base = base_of(z);
      Json area{{"id", zone.id},
                {"title", zone_label(p_, wording_, z)},
                {"name", kernel::label(wording_, base)},
                {"layout", layout},
                {"owner", zone.owner < 0 ? Json(nullptr) : Json(zone.owner)},
                {"visibility", spec::enum_name(zone.visibility)},
                {"order", spec::enum_name(zone.ordering)},
                {"place", zone.owner >= 0   ? "seat"
                          : boards_.empty() ? "center"
                                            : "side"}};
      add_told(area, display_.areas.find(base), {"layout", "place", "title"});
      out.push_back(std::move(area));
    }
    return out;
  }

  // Something is dealt out and there is no board: tokens are cards.
  bool is_card_game() const {
    return boards_.empty() && std::ranges::any_of(p_.zones, [](const ZoneInfo& zone) {
             return !zone.internal && zone.visibility != spec::Visibility::visible_to_all;
           });
  }

  Json tokens() const {
    Json out = Json::object();
    const int pips = position_of(p_.props, "pips");
    for (std::size_t t = 0; t < p_.types.size(); ++t) {
      const TypeInfo& type = p_.types[t];
      const int owner = owner_property(p_, t);
      const bool owned = owner >= 0 || type.seat >= 0;
      const bool die = pips >= 0 && type.column[pips] >= 0;
      Json look{
          {"shape", die              ? "die"
                    : is_card_game() ? "card"
                    : owned          ? "disc"
                                     : "tile"},
          {"label", kernel::label(wording_, type.id)},
          {"colorBy", owned ? Json{{"seat", owner >= 0 ? Json(p_.props[owner]) : Json("type")}}
                            : Json(nullptr)},
          {"glyph", nullptr},
          {"back", nullptr},
          {"z", owned ? 1 : 0}};
      add_told(look, display_.tokens.find(type.id), {"shape", "glyph", "back", "z"});
      out[type.id] = std::move(look);
    }
    return out;
  }

  static std::string_view type_of(const VarInfo& var) {
    const bool thing = var.type == spec::VarType::zone || var.type == spec::VarType::token;
    if (var.boolean) return "bool";
    if (thing || !var.texts.empty()) return "text";
    return var.player ? "player" : "int";
  }

  Json variables(const Vars& vars) const {
    Json out = Json::array();
    for (const VarInfo& var : vars) {
      Json told{
          {"name", var.name},     {"label", variable_label(wording_, var.name)},
          {"type", type_of(var)}, {"min", var.min},
          {"max", var.max},       {"show", var.material && !wording_.omitted.contains(var.name)}};
      if (const auto* values = wording_.values.find(var.name))
        told["values"] = spec::encoded(spec::Part::of(*values));
      out.push_back(std::move(told));
    }
    return out;
  }

  Json markers() const {
    Json out = Json::array();
    const auto add = [&](const std::vector<LatticeInfo>& lattices, const char* on) {
      for (const LatticeInfo& lattice : lattices) {
        Json states = Json::array();
        for (const Symbol state : lattice.states) states.push_back(p_.text(state));
        Json marker{{"id", lattice.id},
                    {"label", kernel::label(wording_, lattice.id)},
                    {"states", std::move(states)},
                    {"on", on}};
        add_told(marker, display_.markers.find(lattice.id), {"colors"});
        out.push_back(std::move(marker));
      }
    };
    add(p_.lattices, "zone");
    add(p_.global_lattices, "game");
    return out;
  }

  bool is_direction(const std::string& action, const std::string& param) const {
    const auto told = std::ranges::find(p_.def.actions, action, &spec::ActionDef::id);
    if (told == p_.def.actions.end()) return false;
    const auto found = std::ranges::find(told->params, param, &spec::ParamDef::name);
    return found != told->params.end() && gives_directions(found->domain);
  }

  Json actions() const {
    Json out = Json::array();
    for (const ActionInfo& action : p_.actions) {
      Json params = Json::array();
      for (const ParamInfo& param : action.params)
        params.push_back(
            {{"name", param.name},
             {"kind", is_direction(action.id, param.name) ? "direction" : kind_name(param.kind)}});
      out.push_back({{"id", action.id},
                     {"label", kernel::label(wording_, action.id)},
                     {"params", std::move(params)}});
    }
    return out;
  }

  Json phases() const {
    Json out = Json::array();
    for (const PhaseInfo& phase : p_.phases)
      out.push_back({{"id", phase.id}, {"label", kernel::label(wording_, phase.id)}});
    return out;
  }

  // Where a direction leads on paper: as from the first cell that has it.
  Json directions() const {
    std::map<ZoneId, Point> places;
    for (const DrawnBoard& board : boards_)
      for (const Cell& cell : board.cells) places[cell.zone] = cell.at;
    Json out = Json::array();
    for (std::size_t d = 0; d < p_.directions.size(); ++d) {
      Json direction{{"name", p_.directions[d]}, {"dx", 0}, {"dy", 0}};
      for (const auto& [zone, at] : places) {
        const auto& steps = p_.zones[zone].steps;
        if (d >= steps.size() || steps[d].is_none()) continue;
        const auto to = places.find(steps[d]);
        if (to == places.end()) continue;
        direction["dx"] = to->second.x - at.x;
        direction["dy"] = to->second.y - at.y;
        break;
      }
      out.push_back(std::move(direction));
    }
    return out;
  }

  const Program& p_;
  const Wording& wording_;
  const spec::Display& display_;
  std::vector<DrawnBoard> boards_;
  Table<ZoneId, bool> drawn_;
};

}  // namespace

Json KernelGame::scene() const {
  return SceneWriter(*program_, *wording_).write();
}

}  // namespace parlor::kernel
