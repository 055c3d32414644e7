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
inline constexpr FieldSpec seen_of_a_zone =
    is::word.named("visibility").words("public owner=seat hidden");
// Of one thing, or of all of its family by their names.
inline constexpr FieldSpec seen_of_all =
    is::word.named("visibility").words("public seatVisible=seat hidden").by(is::text).optional();
struct SeenZone {
  PARLOR_RECORD("what an observer sees of a zone", "",
                "Whether its tokens and their order are seen.")
  Seen tokens = Seen::as_declared;
  Seen order = Seen::as_declared;
  PARLOR_FIELDS(visit("tokens", self.tokens, seen_of_a_zone.optional());
                visit("order", self.order, seen_of_a_zone.optional());)
  PARLOR_CHECKED
};
// Each by its name; `_default` is for those that are not named.
struct ObserverDef {
  PARLOR_RECORD("an observer", "", "Somebody who sees more or less than a player.")
  std::string description;
  std::string extends;
  Named<SeenZone> zones;  // by base or full id
  Named<Seen> global_vars, per_player_vars, global_markers, metrics, victory;
  PARLOR_FIELDS(
      visit("description", self.description, beside, is::text.named("a description").optional());
      visit("extends", self.extends, is::id.named("the name of an observer").optional());
      visit("zones", self.zones, is::record.by(is::zone.words("_default")).optional());
      visit("globalVars", self.global_vars, seen_of_all.inside("surfaces", "globalVars"));
      visit("perPlayerVars", self.per_player_vars, seen_of_all.inside("surfaces", "perPlayerVars"));
      visit("globalMarkers", self.global_markers, seen_of_all.inside("surfaces", "globalMarkers"));
      visit("derivedMetrics", self.metrics, seen_of_all.inside("surfaces", "derivedMetrics"));
      visit("victory", self.victory, seen_of_all.inside("surfaces", "victory"));)
  // The card in play is told to everybody.
  PARLOR_WRITTEN({"identity", seen_of_all.by_hand().inside("surfaces", "activeCardIdentity")},
                 {"tag", seen_of_all.by_hand().inside("surfaces", "activeCardTag")},
                 {"metadata", seen_of_all.by_hand().inside("surfaces", "activeCardMetadata")},
                 {"annotation", seen_of_all.by_hand().inside("surfaces", "activeCardAnnotation")})
  PARLOR_CHECKED
};

// An action's number is a place: that of the token in this zone that has it as this property.
struct NumberedPlace {
  PARLOR_RECORD("a numbered place", "", "Which place of the board the number of an action is.")
  std::string zone;
  std::string prop;
  PARLOR_FIELDS(visit("zone", self.zone, is::text); visit("prop", self.prop, is::text);)
};
struct Verbalization {
  PARLOR_RECORD("verbalization", "", "What things are called.")
  Named<std::string> labels;         // of any name: an action, a suit, a zone, a variable
  Named<std::string> tokens;         // by type: a text with {properties}
  Named<std::string> details;        // by type: the same, what follows the name in lists
  Named<std::string> board;          // by type: the same, for its tokens on a board
  Named<Named<std::string>> values;  // by property and value
  Named<NumberedPlace> places;       // by action
  Named<std::string> options;        // by action: a text with {$parameters}
  std::string legend;                // what the picture of the board does not say
  std::vector<std::string> omit;     // variables and zones that only the rules care about
  PARLOR_FIELDS(visit("labels", self.labels, is::text.by(is::text).optional());
                visit("tokens", self.tokens, is::text.by(is::token_type).optional());
                visit("details", self.details, is::text.by(is::token_type).optional());
                visit("board", self.board, is::text.by(is::token_type).optional());
                visit("values", self.values, is::data.by(is::token_prop).optional());
                visit("places", self.places, is::record.by(is::action).optional());
                visit("options", self.options, is::text.by(is::action).optional());
                visit("legend", self.legend, is::text.optional());
                visit("omit", self.omit, is::texts.optional());)
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
  PARLOR_RECORD("how the board is drawn", "", "How cells and the lines between them look.")
  std::string style, orientation, background;
  std::optional<bool> lines, gaps;
  std::vector<std::string> flip;  // seats
  Named<std::string> sides;       // seats, by top, bottom, left and right
  PARLOR_FIELDS(
      visit("style", self.style,
            is::word.named("style").words("checker grid lines holes map plain").optional());
      visit("orientation", self.orientation,
            is::word.named("orientation").words("pointy flat").optional());
      visit("background", self.background, is::text.optional());
      visit("lines", self.lines, is::flag.optional());
      visit("gaps", self.gaps, is::flag.optional()); visit("flip", self.flip, is::seats.optional());
      visit("sides", self.sides,
            is::seat.by(is::word.named("side").words("top bottom left right")).optional());)
};
struct CellLook {
  PARLOR_RECORD("how a zone is drawn", "", "Where a cell lies, and how it looks.")
  LookPoint at, size;
  std::vector<LookPoint> polygon;
  std::string form, color, label;
  PARLOR_FIELDS(visit("at", self.at, is::point.optional());
                visit("size", self.size, is::point.optional());
                visit("polygon", self.polygon, is::points.named("a list of points").optional());
                visit("form", self.form,
                      is::word.named("form")
                          .words("square circle hex spike-up spike-down tray area town")
                          .optional());
                visit("color", self.color, is::text.optional());
                visit("label", self.label, is::text.optional());)
};
struct AreaLook {
  PARLOR_RECORD("how an area is drawn", "", "How a zone beside the board looks.")
  std::string layout, place, title;
  PARLOR_FIELDS(
      visit("layout", self.layout,
            is::word.named("layout").words("pile fan row spread tray dice list none").optional());
      visit("place", self.place, is::word.named("place").words("center side seat").optional());
      visit("title", self.title, is::text.optional());)
};
struct TokenLook {
  PARLOR_RECORD("how a token is drawn", "", "How tokens of a type look.")
  std::string shape, glyph, label, back;
  std::optional<Int> z;
  std::string color_by, by;   // properties
  Named<std::string> colors;  // by value
  PARLOR_FIELDS(visit("shape", self.shape,
                      is::word.named("shape")
                          .words("disc stone mark card die tile cube ring piece")
                          .optional());
                visit("glyph", self.glyph, is::text.optional());
                visit("label", self.label, is::text.optional());
                visit("back", self.back, is::text.optional());
                visit("z", self.z, is::count.from(0).to(9).optional());
                visit("colorBy", self.color_by, is::token_prop.optional());
                visit("by", self.by, is::token_prop.optional());
                visit("colors", self.colors, is::text.by(is::text).optional());)
};
struct CardLook {
  PARLOR_RECORD("how a card is drawn", "", "What stands on cards of a type.")
  std::string title, corner, body, cost;
  PARLOR_FIELDS(visit("title", self.title, is::text.optional());
                visit("corner", self.corner, is::text.optional());
                visit("body", self.body, is::text.optional());
                visit("cost", self.cost, is::text.optional());)
};
// Where one clicks to mean an action: one name is a parameter of it, two are a step from the first
// in the direction of the second.
struct ActionPlaces {
  PARLOR_RECORD("where an action is clicked", "", "Which parameters of an action are places.")
  std::vector<std::string> from, to, at;
  PARLOR_FIELDS(visit("from", self.from, is::id.optional().by_hand());
                visit("to", self.to, is::id.optional().by_hand());
                visit("at", self.at, is::id.optional().by_hand());)
};
struct MarkerLook {
  PARLOR_RECORD("how a marker is drawn", "", "How the states of a marker look.")
  Named<std::string> colors;  // by state
  PARLOR_FIELDS(visit("colors", self.colors, is::text.by(is::text).optional());)
};
struct SeatLook {
  PARLOR_RECORD("how a seat is drawn", "", "The colours of a seat.")
  std::string color, ink;
  PARLOR_FIELDS(visit("color", self.color, is::text.optional());
                visit("ink", self.ink, is::text.optional());)
};
struct Display {
  PARLOR_RECORD("display", "", "How a page draws the game.")
  BoardLook board;
  Named<CellLook> cells;    // by zone: base or full id
  Named<AreaLook> areas;    // by zone
  Named<TokenLook> tokens;  // by type
  Named<CardLook> cards;    // by type
  Named<ActionPlaces> actions;
  Named<MarkerLook> markers;
  Named<SeatLook> seats;
  PARLOR_FIELDS(visit("board", self.board, is::record.optional());
                visit("cells", self.cells, is::record.by(is::zone).optional());
                visit("areas", self.areas, is::record.by(is::zone).optional());
                visit("tokens", self.tokens, is::record.by(is::token_type).optional());
                visit("cards", self.cards, is::record.by(is::token_type).optional());
                visit("actions", self.actions, is::record.by(is::action).optional());
                visit("markers", self.markers, is::record.by(is::any_marker).optional());
                visit("seats", self.seats, is::record.by(is::seat).optional());)
};

}  // namespace parlor::spec
