// The section `display`: how a page draws the game. The rules never read it, so it is handed on as
// data; here its names and words are checked, so that a misspelt one is no silent default.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

using Names = std::vector<std::string>;

// A mapping from names to mappings: `read` gets the fields of each, and its name.
template <class Read>
void each_named(Context& cx, Fields& fields, std::string_view key, std::string_view what, Code code,
                const Names& names, Read&& read) {
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
      read(inner, base);
    }
  });
}

void point(Context& cx, const Node& node) {
  std::size_t numbers = 0;
  if (!each_item(cx, node, "two whole numbers", [&](const Node& n) {
        read_int(cx, n, "a number of thousandths of a cell", -1'000'000, 1'000'000);
        ++numbers;
      }))
    return;
  if (numbers != 2) wrong_shape(cx, node, "two whole numbers, e.g. [1500, 2000]");
}

void text(Context& cx, Fields& fields, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    fields.maybe(key, [&](const Node& n) { read_string(cx, n, "a text"); });
}

void colors(Context& cx, Fields& fields) {
  fields.maybe("colors", [&](const Node& node) {
    if (!node.is_map()) wrong_shape(cx, node, "a mapping from values to colours");
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      read_string(cx, entry.value, "a colour");
    }
  });
}

void seat(Context& cx, const Node& node) {
  const std::string name = read_id(cx, node, "a seat");
  if (!name.empty() && std::ranges::find(cx.symbols.seats, name) == cx.symbols.seats.end())
    cx.unknown(Code::SEAT_UNKNOWN, node, "seat", name, cx.symbols.seats);
}

void board(Context& cx, const Node& node) {
  Fields fields{cx, node, "how the board is drawn"};
  fields.maybe("style", [&](const Node& n) {
    check_word(cx, n, "style", {"checker", "grid", "lines", "holes", "map", "plain"});
  });
  fields.maybe("orientation", [&](const Node& n) {
    check_word(cx, n, "orientation", {"pointy", "flat"});
  });
  for (const char* flag : {"lines", "gaps"})
    fields.maybe(flag, [&](const Node& n) { read_bool(cx, n, "true or false"); });
  text(cx, fields, {"background"});
  fields.maybe("flip", [&](const Node& list) {
    each_item(cx, list, "a list of seats", [&](const Node& n) { seat(cx, n); });
  });
  fields.maybe("sides", [&](const Node& sides) {
    Fields inner{cx, sides, "the map of sides"};
    for (const char* side : {"top", "bottom", "left", "right"})
      inner.maybe(side, [&](const Node& n) { seat(cx, n); });
  });
}

void cell(Context& cx, Fields& fields) {
  for (const char* key : {"at", "size"}) fields.maybe(key, [&](const Node& n) { point(cx, n); });
  fields.maybe("polygon", [&](const Node& list) {
    each_item(cx, list, "a list of points", [&](const Node& n) { point(cx, n); });
  });
  fields.maybe("form", [&](const Node& n) {
    check_word(cx, n, "form",
               {"square", "circle", "hex", "spike-up", "spike-down", "tray", "area", "town"});
  });
  text(cx, fields, {"color", "label"});
}

void token(Context& cx, Fields& fields) {
  fields.maybe("shape", [&](const Node& n) {
    check_word(cx, n, "shape",
               {"disc", "stone", "mark", "card", "die", "tile", "cube", "ring", "piece"});
  });
  text(cx, fields, {"glyph", "label", "back"});
  fields.maybe("z", [&](const Node& n) { read_int(cx, n, "a number", 0, 9); });
  for (const char* key : {"colorBy", "by"})
    fields.maybe(key, [&](const Node& n) {
      const std::string prop = read_id(cx, n, "a property");
      if (!prop.empty() && !cx.symbols.props.contains(prop))
        cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "property", prop, names_of(cx.symbols.props));
    });
  colors(cx, fields);
}

// Where one clicks to mean an action: a parameter of it, or a step from one in the direction of
// another. Nobody is asked of an action that is not there.
void place(Context& cx, const Node& node, const ActionDef* action) {
  const auto parameter = [&](const Node& n) {
    const std::string name = read_id(cx, n, "a parameter of the action");
    if (name.empty() || action == nullptr) return;
    Names params;
    for (const ParamDef& param : action->params) params.push_back(param.name);
    if (std::ranges::find(params, name) == params.end())
      cx.unknown(Code::BINDING_UNBOUND, n, "parameter", name, params);
  };
  if (!node.is_map()) return parameter(node);
  Fields fields{cx, node, "where one clicks"};
  fields.maybe("step", [&](const Node& list) {
    std::size_t many = 0;
    if (each_item(cx, list, "a place and a direction",
                  [&](const Node& n) {
                    parameter(n);
                    ++many;
                  }) &&
        many != 2)
      wrong_shape(cx, list, "a place and a direction, e.g. [$from, $way]");
  });
}

void action_places(Context& cx, Fields& fields, const std::string& id) {
  const auto found = std::ranges::find(cx.game.actions, id, &ActionDef::id);
  const ActionDef* action = found == cx.game.actions.end() ? nullptr : &*found;
  for (const char* key : {"from", "to", "at"})
    fields.maybe(key, [&](const Node& n) { place(cx, n, action); });
}

}  // namespace

void check_display(Context& cx) {
  const Node* node = cx.doc.find(Section::display);
  if (node == nullptr) return;
  const auto step = cx.step("display");
  const Symbols& known = cx.symbols;
  const Names zones = names_of(known.zones), types = names_of(known.token_types);
  Names markers = names_of(known.markers);
  for (const std::string& name : names_of(known.global_markers)) markers.push_back(name);
  Fields fields{cx, *node, "display"};
  fields.maybe("board", [&](const Node& n) { board(cx, n); });
  each_named(cx, fields, "cells", "zone", Code::ZONE_UNKNOWN, zones,
             [&](Fields& inner, const std::string&) { cell(cx, inner); });
  each_named(cx, fields, "areas", "zone", Code::ZONE_UNKNOWN, zones,
             [&](Fields& inner, const std::string&) {
               inner.maybe("layout", [&](const Node& n) {
                 check_word(cx, n, "layout",
                            {"pile", "fan", "row", "spread", "tray", "dice", "list", "none"});
               });
               inner.maybe("place", [&](const Node& n) {
                 check_word(cx, n, "place", {"center", "side", "seat"});
               });
               text(cx, inner, {"title"});
             });
  each_named(cx, fields, "tokens", "token type", Code::TOKEN_TYPE_UNKNOWN, types,
             [&](Fields& inner, const std::string&) { token(cx, inner); });
  each_named(cx, fields, "cards", "token type", Code::TOKEN_TYPE_UNKNOWN, types,
             [&](Fields& inner, const std::string&) {
               text(cx, inner, {"title", "corner", "body", "cost"});
             });
  each_named(cx, fields, "actions", "action", Code::ACTION_UNKNOWN, known.actions,
             [&](Fields& inner, const std::string& id) { action_places(cx, inner, id); });
  each_named(cx, fields, "markers", "marker", Code::MARKER_UNKNOWN, markers,
             [&](Fields& inner, const std::string&) { colors(cx, inner); });
  each_named(cx, fields, "seats", "seat", Code::SEAT_UNKNOWN, known.seats,
             [&](Fields& inner, const std::string&) {
               text(cx, inner, {"color", "ink"});
             });
}

}  // namespace parlor::spec::lower
