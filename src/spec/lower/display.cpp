// The section `display`: how a page draws the game. The rules never read it; its names and words
// are checked all the same, so that a misspelt one is no silent default.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

using Names = std::vector<std::string>;

// A mapping from names to mappings: `read` gets the fields of each, its name, and what to fill.
template <class Look, class Read>
void each_named(Context& cx, Fields& fields, std::string_view key, std::string_view what, Code code,
                const Names& names, Named<Look>& out, Read&& read) {
  fields.maybe(key, [&](const Node& node) {
    if (!node.is_map()) {
      wrong_shape(cx, node, fmt::format("a mapping from each {} to how it is drawn", what));
      return;
    }
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      const std::string base = entry.key.substr(0, entry.key.find(':'));
      if (std::ranges::find(names, base) == names.end())
        cx.unknown(code, Node::of_string(entry.key, {entry.key_place, node.origin.expansion}), what,
                   base, names);
      const std::string how = fmt::format("how a {} is drawn", what);
      Fields inner{cx, entry.value, how};
      read(inner, base, out[entry.key]);
    }
  });
}

LookPoint point(Context& cx, const Node& node) {
  LookPoint out;
  const bool list = each_item(cx, node, "two whole numbers", [&](const Node& n) {
    out.push_back(read_int(cx, n, "a number of thousandths of a cell", -1'000'000, 1'000'000));
  });
  if (list && out.size() != 2) wrong_shape(cx, node, "two whole numbers, e.g. [1500, 2000]");
  return out;
}

void text(Context& cx, Fields& fields, std::string_view key, std::string& out) {
  fields.maybe(key, [&](const Node& n) { out = read_string(cx, n, "a text"); });
}

void word(Context& cx, Fields& fields, std::string_view key, std::string& out,
          std::initializer_list<std::string_view> words) {
  fields.maybe(key, [&](const Node& n) {
    check_word(cx, n, key, {words.begin(), words.end()});
    out = n.is_string() ? n.text : "";
  });
}

void colors(Context& cx, Fields& fields, Named<std::string>& out) {
  fields.maybe("colors", [&](const Node& node) {
    if (!node.is_map()) wrong_shape(cx, node, "a mapping from values to colours");
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      out[entry.key] = read_string(cx, entry.value, "a colour");
    }
  });
}

std::string seat(Context& cx, const Node& node) {
  std::string name = read_id(cx, node, "a seat");
  if (!name.empty() && std::ranges::find(cx.symbols.seats, name) == cx.symbols.seats.end())
    cx.unknown(Code::SEAT_UNKNOWN, node, "seat", name, cx.symbols.seats);
  return name;
}

BoardLook board(Context& cx, const Node& node) {
  BoardLook out;
  Fields fields{cx, node, "how the board is drawn"};
  word(cx, fields, "style", out.style, {"checker", "grid", "lines", "holes", "map", "plain"});
  word(cx, fields, "orientation", out.orientation, {"pointy", "flat"});
  const auto flag = [&](const char* key, std::optional<bool>& into) {
    fields.maybe(key, [&](const Node& n) { into = read_bool(cx, n, "true or false"); });
  };
  flag("lines", out.lines);
  flag("gaps", out.gaps);
  text(cx, fields, "background", out.background);
  fields.maybe("flip", [&](const Node& list) {
    each_item(cx, list, "a list of seats", [&](const Node& n) { out.flip.push_back(seat(cx, n)); });
  });
  fields.maybe("sides", [&](const Node& sides) {
    Fields inner{cx, sides, "the map of sides"};
    for (const char* side : {"top", "bottom", "left", "right"})
      inner.maybe(side, [&](const Node& n) { out.sides[side] = seat(cx, n); });
  });
  return out;
}

void cell(Context& cx, Fields& fields, CellLook& out) {
  fields.maybe("at", [&](const Node& n) { out.at = point(cx, n); });
  fields.maybe("size", [&](const Node& n) { out.size = point(cx, n); });
  fields.maybe("polygon", [&](const Node& list) {
    each_item(cx, list, "a list of points",
              [&](const Node& n) { out.polygon.push_back(point(cx, n)); });
  });
  word(cx, fields, "form", out.form,
       {"square", "circle", "hex", "spike-up", "spike-down", "tray", "area", "town"});
  text(cx, fields, "color", out.color);
  text(cx, fields, "label", out.label);
}

void area(Context& cx, Fields& fields, AreaLook& out) {
  word(cx, fields, "layout", out.layout,
       {"pile", "fan", "row", "spread", "tray", "dice", "list", "none"});
  word(cx, fields, "place", out.place, {"center", "side", "seat"});
  text(cx, fields, "title", out.title);
}

void token(Context& cx, Fields& fields, TokenLook& out) {
  word(cx, fields, "shape", out.shape,
       {"disc", "stone", "mark", "card", "die", "tile", "cube", "ring", "piece"});
  text(cx, fields, "glyph", out.glyph);
  text(cx, fields, "label", out.label);
  text(cx, fields, "back", out.back);
  fields.maybe("z", [&](const Node& n) { out.z = read_int(cx, n, "a number", 0, 9); });
  const auto property = [&](const char* key, std::string& into) {
    fields.maybe(key, [&](const Node& n) {
      into = read_id(cx, n, "a property");
      if (!into.empty() && !cx.symbols.props.contains(into))
        cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "property", into, names_of(cx.symbols.props));
    });
  };
  property("colorBy", out.color_by);
  property("by", out.by);
  colors(cx, fields, out.colors);
}

void card(Context& cx, Fields& fields, CardLook& out) {
  text(cx, fields, "title", out.title);
  text(cx, fields, "corner", out.corner);
  text(cx, fields, "body", out.body);
  text(cx, fields, "cost", out.cost);
}

// A parameter of an action, or a step from one in the direction of another. Nobody is asked of an
// action that is not there.
std::vector<std::string> place(Context& cx, const Node& node, const ActionDef* action) {
  std::vector<std::string> out;
  const auto parameter = [&](const Node& n) {
    const std::string& name = out.emplace_back(read_id(cx, n, "a parameter of the action"));
    if (name.empty() || action == nullptr) return;
    Names params;
    for (const ParamDef& param : action->params) params.push_back(param.name);
    if (std::ranges::find(params, name) == params.end())
      cx.unknown(Code::BINDING_UNBOUND, n, "parameter", name, params);
  };
  if (!node.is_map()) {
    parameter(node);
    return out;
  }
  Fields fields{cx, node, "where one clicks"};
  fields.maybe("step", [&](const Node& list) {
    if (each_item(cx, list, "a place and a direction", parameter) && out.size() != 2)
      wrong_shape(cx, list, "a place and a direction, e.g. [$from, $way]");
  });
  return out;
}

void action_places(Context& cx, Fields& fields, const std::string& id, ActionPlaces& out) {
  const auto found = std::ranges::find(cx.game.actions, id, &ActionDef::id);
  const ActionDef* action = found == cx.game.actions.end() ? nullptr : &*found;
  fields.maybe("from", [&](const Node& n) { out.from = place(cx, n, action); });
  fields.maybe("to", [&](const Node& n) { out.to = place(cx, n, action); });
  fields.maybe("at", [&](const Node& n) { out.at = place(cx, n, action); });
}

}  // namespace

void lower_display(Context& cx) {
  const Node* node = cx.doc.find(Section::display);
  if (node == nullptr) return;
  const auto step = cx.step("display");
  const Symbols& known = cx.symbols;
  const Names zones = names_of(known.zones), types = names_of(known.token_types);
  Names markers = names_of(known.markers);
  for (const std::string& name : names_of(known.global_markers)) markers.push_back(name);
  Display& out = cx.game.display.emplace();
  Fields fields{cx, *node, "display"};
  fields.maybe("board", [&](const Node& n) { out.board = board(cx, n); });
  each_named(cx, fields, "cells", "zone", Code::ZONE_UNKNOWN, zones, out.cells,
             [&](Fields& inner, const std::string&, CellLook& look) { cell(cx, inner, look); });
  each_named(cx, fields, "areas", "zone", Code::ZONE_UNKNOWN, zones, out.areas,
             [&](Fields& inner, const std::string&, AreaLook& look) { area(cx, inner, look); });
  each_named(cx, fields, "tokens", "token type", Code::TOKEN_TYPE_UNKNOWN, types, out.tokens,
             [&](Fields& inner, const std::string&, TokenLook& look) { token(cx, inner, look); });
  each_named(cx, fields, "cards", "token type", Code::TOKEN_TYPE_UNKNOWN, types, out.cards,
             [&](Fields& inner, const std::string&, CardLook& look) { card(cx, inner, look); });
  each_named(cx, fields, "actions", "action", Code::ACTION_UNKNOWN, known.actions, out.actions,
             [&](Fields& inner, const std::string& id, ActionPlaces& places) {
               action_places(cx, inner, id, places);
             });
  each_named(
      cx, fields, "markers", "marker", Code::MARKER_UNKNOWN, markers, out.markers,
      [&](Fields& inner, const std::string&, MarkerLook& look) { colors(cx, inner, look.colors); });
  each_named(cx, fields, "seats", "seat", Code::SEAT_UNKNOWN, known.seats, out.seats,
             [&](Fields& inner, const std::string&, SeatLook& look) {
               text(cx, inner, "color", look.color);
               text(cx, inner, "ink", look.ink);
             });
}

}  // namespace parlor::spec::lower
