// What a game is played with: variables, zones and their directions, tokens, markers, tables.
#pragma once

#include "spec/gamedef/effects.h"

namespace parlor::spec {

enum class Visibility : std::uint8_t {
  visible_to_all,
  owner,
  hidden
};  // JSON: public, owner, hidden

// One of declared texts (`enum`) is kept as its place among them; a player, zone or token as its
// number, -1: none of them.
enum class VarType : std::uint8_t { integer, boolean, enumeration, player, zone, token };
struct VarDef {
  PARLOR_RECORD("a variable", "", "A number, truth, text, player, zone or token that a game keeps.")
  std::string name;
  VarType type = VarType::integer;
  Int init = 0;  // booleans: 0 or 1
  Int min = 0;
  Int max = 1;
  bool material = true;
  Visibility visibility = Visibility::visible_to_all;  // owner: the player, or the zone's owner
  std::vector<std::string> values = {};                // enumeration
  PARLOR_FIELDS(
      visit("name", self.name, is::id.named("the name of a variable"));
      visit("type", self.type, is::word.named("variable type").by_hand()); visit(
          "init", self.init,
          is::scalar.where("type", "int boolean enum player").by_hand().after("values").optional());
      visit("min", self.min, is::count.where("type", "int"));
      visit("max", self.max, is::count.where("type", "int"));
      visit("material", self.material, is::flag.optional());
      visit("visibility", self.visibility, is::word.named("visibility").by_hand().optional());
      visit("values", self.values,
            is::texts.where("type", "enum")
                .once("value")
                .some("a variable needs a value it can have"));)
  PARLOR_CHECKED
};

enum class ZoneOwner : std::uint8_t { none, player };
enum class Ordering : std::uint8_t { stack, queue, set };
enum class ZoneKind : std::uint8_t { board, aux };
enum class DrawFrom : std::uint8_t { top, bottom, random };

using AttributeValue = std::variant<Int, bool, std::string, std::vector<std::string>>;
struct Attribute {
  std::string name;
  AttributeValue value;
  PARLOR_FIELDS(visit("name", self.name); visit("value", self.value);)
};
struct DeckBehavior {
  PARLOR_RECORD("behavior", "", "What makes a zone a deck.")
  DrawFrom draw_from = DrawFrom::top;
  std::string reshuffle_from;  // full zone id or base of an owned zone; empty: never
  PARLOR_FIELDS(visit("drawFrom", self.draw_from, is::word.named("end to draw from").optional());
                visit("reshuffleFrom", self.reshuffle_from,
                      is::id.named("the id of a zone").optional());)
  PARLOR_WRITTEN({"type", is::word.named("behavior").words("deck")})
};
// A step in a named direction: `to` is a full zone id.
struct DirectionLink {
  std::string direction;
  std::string to;
  PARLOR_FIELDS(visit("direction", self.direction); visit("to", self.to);)
};
// A zone or, when owned by players, one zone per player: `<base>:none` or `<base>:<player>`.
struct ZoneDef {
  PARLOR_RECORD("a zone", "", "Where tokens lie, or a memory of positions.")
  std::string base;
  ZoneOwner owner = ZoneOwner::none;
  Visibility visibility = Visibility::visible_to_all;
  Ordering ordering = Ordering::set;
  ZoneKind kind = ZoneKind::aux;
  bool internal = false;
  bool count_hidden = false;  // whoever does not see the tokens is not told how many there are
  std::string category;
  std::vector<Attribute> attributes;    // byte order of names
  std::vector<std::string> neighbours;  // full ids of unowned zones, byte order, already symmetric
  std::vector<DirectionLink> directions;  // in order of GameDef::directions
  std::optional<DeckBehavior> deck;
  PlaceId at;
  PARLOR_FIELDS(visit("base", self.base, is::id.named("the id of a zone").called("id"));
                visit("owner", self.owner, is::word.named("owner").optional());
                visit("visibility", self.visibility, is::word.named("visibility").optional());
                visit("ordering", self.ordering, is::word.named("ordering").optional());
                visit("zoneKind", self.kind, is::word.named("zone kind").optional());
                visit("isInternal", self.internal, is::flag.optional());
                visit("countHidden", self.count_hidden,
                      is::word.named("count")
                          .words("public hidden")
                          .truth("hidden")
                          .called("count")
                          .optional());
                visit("category", self.category, is::text.named("a category").optional());
                visit("attributes", self.attributes, is::scalar.by(is::text).optional());
                visit("neighbours", self.neighbours); visit("directions", self.directions);
                visit("deck", self.deck, is::record.called("behavior").optional());
                visit("at", self.at);)
  PARLOR_WRITTEN({"is", is::text.optional().by_hand()}, {"refillFrom", is::id.optional().by_hand()},
                 {"adjacentTo", is::records.optional(), "a neighbour"},
                 {"directions", is::zone_id.by(is::text).optional()})
  PARLOR_CHECKED
};
// A direction a board knows, and the one that leads back (empty: none). `group` is "orthogonal",
// "diagonal" or empty.
struct DirectionDef {
  PARLOR_RECORD("a direction", "", "A direction a board knows.")
  std::string name;
  std::string opposite;
  std::string group;
  PARLOR_FIELDS(visit("name", self.name, is::id.named("a direction's name").or_alone());
                visit("opposite", self.opposite, is::id.named("a direction").optional());
                visit("group", self.group, is::id.named("a group").optional());)
  PARLOR_CHECKED
};

enum class PropType : std::uint8_t { integer, string, boolean };
struct PropDef {
  std::string name;
  PropType type = PropType::integer;
  PARLOR_FIELDS(visit("name", self.name); visit("type", self.type);)
};
struct PropAssign {
  std::string prop;
  Scalar value;
  PARLOR_FIELDS(visit("prop", self.prop); visit("value", self.value);)
};
struct ZoneEntryRule {
  PARLOR_RECORD("onZoneEntry", "", "What a token has as soon as it lies somewhere.")
  std::optional<ZoneKind> zone_kind;
  std::optional<std::string> category;
  std::vector<PropAssign> set;
  PARLOR_FIELDS(visit("zoneKind", self.zone_kind,
                      is::word.named("zone kind").within("match", "zoneKind").optional());
                visit("category", self.category,
                      is::text.named("a category").within("match", "category").optional());
                visit("set", self.set, is::scalar.by(is::text));)
  PARLOR_CHECKED
};
struct PropTransition {
  PARLOR_RECORD("a transition", "", "What a property of a token may become.")
  std::string prop;
  std::string from, to;
  PARLOR_FIELDS(visit("prop", self.prop, is::id.named("a property"));
                visit("from", self.from, is::text.named("a value"));
                visit("to", self.to, is::text.named("a value"));)
};
struct TokenTypeDef {
  PARLOR_RECORD("a token type", "", "A kind of tokens, and what each of them has.")
  std::string id;
  std::vector<PropDef> props;  // byte order of names
  std::string seat;            // empty: none
  std::vector<ZoneEntryRule> on_zone_entry;
  std::vector<PropTransition> transitions;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a token type"));
                visit("props", self.props,
                      is::word.named("property type")
                          .words("int string boolean player=int")
                          .by(is::text)
                          .by_hand()
                          .optional());
                visit("seat", self.seat, is::text.named("a seat").optional());
                visit("onZoneEntry", self.on_zone_entry,
                      is::records.named("a list of rules").optional());
                visit("transitions", self.transitions, is::records.optional());)
  PARLOR_CHECKED
};

struct LatticeConstraint {
  PARLOR_RECORD("a marker constraint", "", "Which states a marker may have where.")
  Condition when;  // `$space` bound
  std::vector<std::string> allowed_states;
  PARLOR_FIELDS(visit("when", self.when, is::condition.with("$space"));
                visit("allowedStates", self.allowed_states, is::texts.named("a list of states"));)
};
struct MarkerLattice {
  PARLOR_RECORD("a marker", "", "A marker of spaces, or of the game.")
  std::string id;
  std::vector<std::string> states;
  std::string default_state;
  std::vector<LatticeConstraint> constraints;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a marker"));
                visit("states", self.states,
                      is::texts.named("a list of states")
                          .once("state")
                          .some("a marker needs at least one state"));
                visit("defaultState", self.default_state, is::id.named("the name of a state"));
                visit("constraints", self.constraints);)
  PARLOR_WRITTEN({"constraints", is::records.optional(), "a marker constraint"})
  PARLOR_CHECKED
};
struct SpaceMarker {
  PARLOR_RECORD("a space marker", "", "The state of a marker where the game begins.")
  std::string space, marker, state;
  PARLOR_FIELDS(visit("spaceId", self.space, is::zone_id);
                visit("markerId", self.marker, is::marker);
                visit("state", self.state, is::marker_state.of("markerId"));)
};
struct StackingConstraint {
  PARLOR_RECORD("a stacking constraint", "", "How many pieces of a kind may lie in a space.")
  std::string id, description;
  std::vector<std::string> zones;        // full ids, resolved from the space filter
  std::vector<std::string> piece_types;  // token type ids, resolved from the piece filter
  Int max_count = 0;                     // 0: prohibited
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a constraint"));
                visit("description", self.description, beside,
                      is::text.named("a description").optional());
                visit("zones", self.zones); visit("pieceTypes", self.piece_types);
                visit("maxCount", self.max_count, is::count.from(0).optional());)
  PARLOR_WRITTEN({"spaceFilter", is::record.by_hand(), "a space filter"},
                 {"pieceFilter", is::record.by_hand(), "a piece filter"},
                 {"rule", is::word.named("stacking rule").words("maxCount prohibit")})
  PARLOR_CHECKED
};

struct TableDef {
  std::string id;                         // "<assetId>::<dotted.path>"
  std::vector<PropDef> columns;           // byte order of names
  std::vector<std::vector<Scalar>> rows;  // one value per column; missing ones are not allowed
  PARLOR_FIELDS(visit("id", self.id); visit("columns", self.columns); visit("rows", self.rows);)
};

}  // namespace parlor::spec
