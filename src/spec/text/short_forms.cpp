#include "spec/text/short_forms.h"

#include <algorithm>
#include <array>

#include "spec/expand/build.h"
#include "spec/text/parser.h"

namespace parlor::spec::text {
namespace {

// A bound: a number, or the name of a constant.
Node bound(Node node) {
  const Node* name = node.find("name");
  if (name == nullptr) return node;
  const Build b{node.origin};
  return b.map({{"ref", b.text("constant")}, {"name", *name}});
}

struct Range {
  Node min, max, init;
};

// "0..99", "1..10 = 1"; nothing when it is something else.
std::optional<Range> read_range(const Node& node) {
  if (!node.is_string() || node.text.find("..") == std::string::npos) return std::nullopt;
  static const Names none;
  const std::size_t equals = node.text.find('=');
  const auto part = [&](std::string_view text, Expect expect) {
    return parse(
               {text, expect, none, {}, {}, [&](std::size_t, std::size_t) { return node.origin; }})
        .node;
  };
  const std::string_view text = node.text;
  const auto range = part(text.substr(0, equals), Expect::query);
  if (!range || !range->has("min") || range->has("step")) return std::nullopt;
  Range out{bound(*range->find("min")), bound(*range->find("max")), {}};
  out.init = out.min;
  if (equals == std::string_view::npos) return out;
  const auto init = part(text.substr(equals + 1), Expect::number);
  if (!init) return std::nullopt;
  out.init = bound(*init);
  return out;
}

Node variable(const Entry& entry, const Origin& origin) {
  const Build b{{entry.key_place, origin.expansion}};
  Node out = b.map({{"name", b.text(entry.key)}});
  if (auto range = read_range(entry.value)) {
    out.set("type", b.text("int"));
    out.set("init", std::move(range->init));
    out.set("min", std::move(range->min));
    out.set("max", std::move(range->max));
  } else if (entry.value.is_boolean()) {
    out.set("type", b.text("boolean"));
    out.set("init", entry.value);
  } else if (entry.value.is_map()) {
    for (const Entry& more : entry.value.entries) out.set(more.key, more.value);
  } else {
    out.set("type", entry.value);  // says in its own words that this is no type
  }
  return out;
}

// mark: {owner: player}
Node token_type(const Entry& entry, const Origin& origin) {
  const Build b{{entry.key_place, origin.expansion}};
  Node out = b.map({{"id", b.text(entry.key)}});
  if (entry.value.is_null()) return out;
  if (entry.value.has("props") || entry.value.has("onZoneEntry") ||
      entry.value.has("transitions")) {
    for (const Entry& more : entry.value.entries) out.set(more.key, more.value);
    return out;
  }
  Node props = entry.value;
  for (Entry& prop : props.entries)
    if (prop.value.is("player")) prop.value.text = "int";
  out.set("props", std::move(props));
  return out;
}

// three-in-a-row: {when: …, win: left}
Node terminal_condition(const Entry& entry, const Origin& origin) {
  const Build b{{entry.key_place, origin.expansion}};
  Node out = b.map({{"id", b.text(entry.key)}});
  Node result = b.map({});
  for (const Entry& part : entry.value.entries) {
    if (part.key == "win" || part.key == "draw" || part.key == "score" || part.key == "lossAll") {
      result.set("type", Build{{part.key_place, origin.expansion}}.text(part.key));
      if (part.key == "win") result.set("player", part.value);
    } else {
      out.set(part.key, part.value);
    }
  }
  if (!result.entries.empty()) out.set("result", std::move(result));
  return out;
}

// scoring: [points, {value: coins, method: lowest}]: the score, then what decides between equals.
Node scoring(Node list) {
  Node out = Node::of_map(list.origin);
  Node rest = Node::of_list(list.origin);
  for (Node& item : list.items) {
    const bool first = &item == &list.items.front();
    Node one = item.is_map() && item.has("value")
                   ? std::move(item)
                   : Build{item.origin}.map({{"value", std::move(item)}});
    if (first && !one.has("method")) one.set("method", Node::of_string("highest", one.origin));
    if (first)
      out = std::move(one);
    else
      rest.items.push_back(std::move(one));
  }
  if (!rest.items.empty()) out.set("tieBreaks", std::move(rest));
  return out;
}

Node terminal(Node value) {
  if (Node* scores = value.find("scoring"); scores != nullptr && scores->is_list())
    *scores = scoring(std::move(*scores));
  constexpr std::array<std::string_view, 5> keys{"conditions", "checkpoints", "margins", "ranking",
                                                 "scoring"};
  Node out = Node::of_map(value.origin);
  Node conditions = Node::of_list(value.origin);
  if (const Node* given = value.find("conditions"); given != nullptr && given->is_list())
    conditions = *given;
  const bool list = value.has("conditions");
  bool short_form = false;
  for (Entry& entry : value.entries) {
    const bool known = std::ranges::find(keys, entry.key) != keys.end();
    if (!known && entry.value.has("when")) {
      conditions.items.push_back(terminal_condition(entry, value.origin));
      short_form = true;
    } else if (entry.key != "conditions" || !conditions.is_list()) {
      out.entries.push_back(std::move(entry));
    } else {
      out.entries.push_back({entry.key, entry.key_place, Node{}});
    }
  }
  if (!list && !short_form) return out;
  out.set("conditions", std::move(conditions));
  return out;
}

Node metadata(Node value) {
  Node* players = value.find("players");
  if (players == nullptr) return value;
  const Build b{players->origin};
  if (players->is_integer())
    *players = b.map({{"min", *players}, {"max", *players}});
  else if (auto range = read_range(*players))
    *players = b.map({{"min", std::move(range->min)}, {"max", std::move(range->max)}});
  return value;
}

template <class Make>
Node listed(Node value, Make make) {
  if (!value.is_map()) return value;
  Node out = Node::of_list(value.origin);
  for (const Entry& entry : value.entries) out.items.push_back(make(entry, value.origin));
  return out;
}

}  // namespace

Node long_form(Section section, Node value) {
  switch (section) {
    case Section::globalVars:
    case Section::perPlayerVars:
    case Section::zoneVars:
      return listed(std::move(value), variable);
    case Section::tokenTypes:
      return listed(std::move(value), token_type);
    case Section::terminal:
      return value.is_map() ? terminal(std::move(value)) : value;
    case Section::metadata:
      return value.is_map() ? metadata(std::move(value)) : value;
    default:
      return value;
  }
}

Node seat_catalog(Node seats) {
  const Build b{seats.origin};
  for (Node& seat : seats.items)
    if (seat.is_string()) seat = Build{seat.origin}.map({{"id", seat}});
  Node payload = b.map({{"seats", std::move(seats)}});
  return b.map(
      {{"id", b.text("seats")}, {"kind", b.text("seatCatalog")}, {"payload", std::move(payload)}});
}

}  // namespace parlor::spec::text
