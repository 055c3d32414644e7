// How a game is seen, called, drawn and changed by whoever opens it: the sections `observability`,
// `verbalization` and `display`, and the ranges of constants. The rules ask for the first alone,
// and everything has a default.
#pragma once

#include <optional>

#include "spec/gamedef/declare.h"
#include "spec/gamedef/named.h"

namespace parlor::spec {

// What a declared observer sees of one thing.
enum class Seen : std::uint8_t {
  as_declared,  // the observer says nothing about it
  open,
  seat,  // whoever looks through it sees their own
  hidden
};
struct SeenZone {
  Seen tokens = Seen::as_declared;
  Seen order = Seen::as_declared;
  PARLOR_FIELDS(visit("tokens", self.tokens); visit("order", self.order);)
};
// Each by its name; `_default` is for those that are not named.
struct ObserverDef {
  std::string description;
  std::string extends;
  Named<SeenZone> zones;  // by base or full id
  Named<Seen> global_vars, per_player_vars, global_markers, metrics, victory;
  PARLOR_FIELDS(visit("description", self.description, beside); visit("extends", self.extends);
                visit("zones", self.zones); visit("globalVars", self.global_vars);
                visit("perPlayerVars", self.per_player_vars);
                visit("globalMarkers", self.global_markers); visit("derivedMetrics", self.metrics);
                visit("victory", self.victory);)
};

// An action's number is a place: that of the token in this zone that has it as this property.
struct NumberedPlace {
  std::string zone;
  std::string prop;
  PARLOR_FIELDS(visit("zone", self.zone); visit("prop", self.prop);)
};
struct Verbalization {
  Named<std::string> labels;         // of any name: an action, a suit, a zone, a variable
  Named<std::string> tokens;         // by type: a text with {properties}
  Named<std::string> details;        // by type: the same, what follows the name in lists
  Named<std::string> board;          // by type: the same, for its tokens on a board
  Named<Named<std::string>> values;  // by property and value
  Named<NumberedPlace> places;       // by action
  Named<std::string> options;        // by action: a text with {$parameters}
  std::string legend;                // what the picture of the board does not say
  std::vector<std::string> omit;     // variables and zones that only the rules care about
  PARLOR_FIELDS(visit("labels", self.labels); visit("tokens", self.tokens);
                visit("details", self.details); visit("board", self.board);
                visit("values", self.values); visit("places", self.places);
                visit("options", self.options); visit("legend", self.legend);
                visit("omit", self.omit);)
};

// How far whoever opens a game may change one of its constants.
struct ConstantRange {
  Int min = 0;
  Int max = 0;
  PARLOR_FIELDS(visit("min", self.min); visit("max", self.max);)
};

// Points are two numbers, in thousandths of a cell.
using LookPoint = std::vector<Int>;
struct BoardLook {
  std::string style, orientation, background;
  std::optional<bool> lines, gaps;
  std::vector<std::string> flip;  // seats
  Named<std::string> sides;       // seats, by top, bottom, left and right
  PARLOR_FIELDS(visit("style", self.style); visit("orientation", self.orientation);
                visit("background", self.background); visit("lines", self.lines);
                visit("gaps", self.gaps); visit("flip", self.flip); visit("sides", self.sides);)
};
struct CellLook {
  LookPoint at, size;
  std::vector<LookPoint> polygon;
  std::string form, color, label;
  PARLOR_FIELDS(visit("at", self.at); visit("size", self.size); visit("polygon", self.polygon);
                visit("form", self.form); visit("color", self.color); visit("label", self.label);)
};
struct AreaLook {
  std::string layout, place, title;
  PARLOR_FIELDS(visit("layout", self.layout); visit("place", self.place);
                visit("title", self.title);)
};
struct TokenLook {
  std::string shape, glyph, label, back;
  std::optional<Int> z;
  std::string color_by, by;   // properties
  Named<std::string> colors;  // by value
  PARLOR_FIELDS(visit("shape", self.shape); visit("glyph", self.glyph); visit("label", self.label);
                visit("back", self.back); visit("z", self.z); visit("colorBy", self.color_by);
                visit("by", self.by); visit("colors", self.colors);)
};
struct CardLook {
  std::string title, corner, body, cost;
  PARLOR_FIELDS(visit("title", self.title); visit("corner", self.corner); visit("body", self.body);
                visit("cost", self.cost);)
};
// Where one clicks to mean an action: one name is a parameter of it, two are a step from the first
// in the direction of the second.
struct ActionPlaces {
  std::vector<std::string> from, to, at;
  PARLOR_FIELDS(visit("from", self.from); visit("to", self.to); visit("at", self.at);)
};
struct MarkerLook {
  Named<std::string> colors;  // by state
  PARLOR_FIELDS(visit("colors", self.colors);)
};
struct SeatLook {
  std::string color, ink;
  PARLOR_FIELDS(visit("color", self.color); visit("ink", self.ink);)
};
struct Display {
  BoardLook board;
  Named<CellLook> cells;    // by zone: base or full id
  Named<AreaLook> areas;    // by zone
  Named<TokenLook> tokens;  // by type
  Named<CardLook> cards;    // by type
  Named<ActionPlaces> actions;
  Named<MarkerLook> markers;
  Named<SeatLook> seats;
  PARLOR_FIELDS(visit("board", self.board); visit("cells", self.cells); visit("areas", self.areas);
                visit("tokens", self.tokens); visit("cards", self.cards);
                visit("actions", self.actions); visit("markers", self.markers);
                visit("seats", self.seats);)
};

}  // namespace parlor::spec
