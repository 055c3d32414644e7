#include "spec/text/short_forms.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/text/lexer.h"
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

}  // namespace

Node first_of_range(const Node& min, const Node& max) {
  const bool has_zero = min.is_integer() && max.is_integer() && min.integer < 0 && max.integer >= 0;
  return has_zero ? Node::of_integer(0, min.origin) : min;
}

namespace {

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
  out.init = first_of_range(out.min, out.max);
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
  } else if (entry.value.is_list()) {
    out.set("type", b.text("enum"));
    out.set("values", entry.value);
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
    } else if (part.key == "winners") {
      result.set("type", Build{{part.key_place, origin.expansion}}.text("win"));
      result.set("players", part.value);
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
  if (Node* scores = value.find("scoring"); scores != nullptr) {
    // One value by itself: `scoring: points`.
    if (scores->is_string()) {
      Node list = Node::of_list(scores->origin);
      list.items.push_back(std::move(*scores));
      *scores = std::move(list);
    }
    if (scores->is_list()) *scores = scoring(std::move(*scores));
  }
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
    // `if` in the place of `when` is told of where conditions are read.
    const bool condition = std::ranges::any_of(
        std::to_array<std::string_view>({"when", "if", "win", "winners", "draw"}),
        [&](std::string_view key) { return entry.value.has(key); });
    if (!known && condition) {
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

// ---- Mappings for lists

// {place: {…}} as [{id: place, …}]; what cannot be one stays for others to complain about.
void make_list(Node& node, const Listed& form) {
  // One entry that is no list, rather than entries by their names, has the key itself.
  if (!node.is_map() || node.entries.empty() || node.has(form.id)) return;
  for (const Entry& entry : node.entries)
    if (!entry.value.is_map() && !entry.value.is_null() && form.alone.empty()) return;
  Node out = Node::of_list(node.origin);
  for (Entry& entry : node.entries) {
    const Build b{{entry.key_place, node.origin.expansion}};
    Node item = b.map({{form.id, b.text(entry.key)}});
    const bool query = form.alone == "domain" && entry.value.has("query");
    if (entry.value.is_map() && !query)
      for (Entry& more : entry.value.entries) item.entries.push_back(std::move(more));
    else if (!entry.value.is_null())
      item.set(form.alone, std::move(entry.value));
    out.items.push_back(std::move(item));
  }
  node = std::move(out);
}

// A marker begins in its first state.
void first_state(Node& lattices) {
  for (Node& lattice : lattices.items) {
    const Node* states = lattice.find("states");
    if (states != nullptr && states->is_list() && !states->items.empty() &&
        !lattice.has("defaultState"))
      lattice.set("defaultState", states->items.front());
  }
}

// $road: {from: cells where governed, choose: 1..2, each: $road.opinion += 1}
void long_targets(Node& targets) {
  for (Node& target : targets.items) {
    if (!target.has("from")) continue;
    Node out = Node::of_map(target.origin);
    Node one = Build{target.origin}.map({{"n", Build{target.origin}.number(1)}});
    for (Entry& entry : target.entries) {
      const Build b{{entry.key_place, target.origin.expansion}};
      if (entry.key == "from") {
        out.set("selector", std::move(entry.value));
      } else if (entry.key == "choose") {
        if (entry.value.is_integer())
          one = b.map({{"n", std::move(entry.value)}});
        else if (auto range = read_range(entry.value))
          one = b.map({{"min", std::move(range->min)}, {"max", std::move(range->max)}});
        else
          one = std::move(entry.value);
      } else if (entry.key == "each" || entry.key == "all") {
        out.set("application", b.text(entry.key == "each" ? "each" : "aggregate"));
        out.set("effects", std::move(entry.value));
      } else {
        out.entries.push_back(std::move(entry));
      }
    }
    out.set("cardinality", std::move(one));
    target = std::move(out);
  }
}

// `crown on next-card`, `crown not on this-card`
void long_overrides(Node& list) {
  for (Node& item : list.items) {
    if (!item.is_string()) continue;
    const auto words = split(item.text);
    const bool no = words.size() == 5 && words[1].is("not");
    if ((words.size() != 4 && !no) || !words[no ? 2 : 1].is("on")) continue;
    const Build b{item.origin};
    const bool active = words[0].is("active");
    Node target = b.map({{"kind", b.text(active ? "active" : "seat")}});
    if (!active) target.set("seat", b.text(words[0].text));
    item = b.map({{"target", std::move(target)},
                  {"eligible", Node::of_boolean(!no, item.origin)},
                  {"windowId", b.text(words[no ? 3 : 2].text)}});
  }
}

// ---- Macros by signature

// `owned(zone point, player who)`: id and params.
Node signature(const Entry& entry, const Origin& origin) {
  const Build b{{entry.key_place, origin.expansion}};
  const std::string_view text = entry.key;
  const std::size_t open = text.find('(');
  Node out = b.map({{"id", b.text(text.substr(0, open))}});
  Node params = b.list({});
  if (open != std::string_view::npos) {
    const auto words = split(text.substr(open + 1, text.size() - open - 1));
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (!words[i].is_word()) continue;
      const bool typed = words[i + 1].is_word();
      Node param = b.map({{"name", b.text(words[typed ? i + 1 : i].text)}});
      if (typed) {
        const auto type = std::ranges::find(signature_types(), words[i].text,
                                            &std::pair<std::string_view, std::string_view>::first);
        param.set("type", b.text(type != signature_types().end() ? type->second : words[i].text));
        ++i;
      }
      params.items.push_back(std::move(param));
    }
  }
  out.set("params", std::move(params));
  return out;
}

Node by_signature(Node value, std::string_view body) {
  if (!value.is_map()) return value;
  Node out = Node::of_list(value.origin);
  for (Entry& entry : value.entries) {
    Node item = signature(entry, value.origin);
    if (entry.value.is_map() && entry.value.has(body))
      for (Entry& more : entry.value.entries) item.entries.push_back(std::move(more));
    else if (entry.value.is_map() && body == "effects")
      item.set(body, Build{entry.value.origin}.list({std::move(entry.value)}));
    else
      item.set(body, std::move(entry.value));
    out.items.push_back(std::move(item));
  }
  return out;
}

// ---- Zones

// `grid(3, 3)`, `hex(radius)`, `rhombus(size, size)`
bool read_board(const Node& value, Node& out) {
  const auto words = split(value.text);
  if (words.size() < 4 || !words[1].is("(") || !words[words.size() - 2].is(")")) return false;
  const Build b{value.origin};
  const bool rhombus = words[0].is("rhombus");
  out.set("macro", b.text(rhombus ? "hex" : words[0].text));
  if (rhombus) out.set("shape", b.text("rhombus"));
  Node args = b.list({});
  for (std::size_t i = 2; i + 2 < words.size(); ++i) {
    if (words[i].kind == Token::Kind::number)
      args.items.push_back(b.number(words[i].number));
    else if (words[i].is_word())
      args.items.push_back(b.map({{"ref", b.text("constant")}, {"name", b.text(words[i].text)}}));
  }
  out.set("args", std::move(args));
  return true;
}

// `hidden stack`, `private`, `public queue per player`
bool read_zone_words(const Node& value, Node& out) {
  const Build b{value.origin};
  std::string_view owner = "none", ordering = "set", visibility;
  const auto words = split(value.text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word == "public" || word == "hidden") {
      visibility = word;
    } else if (word == "private") {
      visibility = "owner";
      owner = "player";
    } else if (word == "stack" || word == "queue" || word == "set") {
      ordering = word;
    } else if (word == "per" && words[i + 1].is("player")) {
      owner = "player";
      ++i;
    } else {
      return false;
    }
  }
  if (visibility.empty()) return false;
  out.set("owner", b.text(owner));
  out.set("visibility", b.text(visibility));
  out.set("ordering", b.text(ordering));
  return true;
}

Node zone(const Entry& entry, const Origin& origin) {
  const Build b{{entry.key_place, origin.expansion}};
  Node out = b.map({{"id", b.text(entry.key)}});
  const Node* is = entry.value.is_map() ? entry.value.find("is") : &entry.value;
  if (is != nullptr && is->is_string() && !read_board(*is, out) && !read_zone_words(*is, out))
    out.set("is", *is);  // what is none of the words is told of where zones are read
  for (const Entry& more : entry.value.entries)
    if (more.key != "is") out.set(more.key, more.value);
  return out;
}

// ---- Data

// verrada: {map: {…}} for {kind: map, payload: {…}}
void long_asset(Node& assets) {
  for (Node& asset : assets.items)
    for (const std::string_view kind : {"map", "scenario", "seatCatalog", "pieceCatalog"}) {
      Entry* given = const_cast<Entry*>(asset.find_entry(kind));
      if (given == nullptr || asset.has("kind") || asset.has("payload")) continue;
      const Build b{{given->key_place, asset.origin.expansion}};
      Node payload = std::move(given->value);
      asset.erase(kind);
      asset.set("kind", b.text(kind));
      asset.set("payload", std::move(payload));
    }
}

// A piece that is always the same needs no dimensions and no transitions.
void plain_pieces(Node& types) {
  for (Node& type : types.items)
    for (const std::string_view key : {"statusDimensions", "transitions"})
      if (type.is_map() && type.has("seat") && !type.has(key))
        type.set(key, Node::of_list(type.origin));
}

// {columns: [name, cost], rows: [[copper, 0], [silver, 3]]}; what a row leaves out at its end it
// has not.
void read_table(Node& node) {
  if (node.is_map() && !is_table(node)) {
    for (Entry& entry : node.entries) read_table(entry.value);
    return;
  }
  if (!is_table(node)) return;
  const Node& columns = *node.find("columns");
  Node out = Node::of_list(node.origin);
  for (Node& row : node.find("rows")->items) {
    Node item = Node::of_map(row.origin);
    for (std::size_t i = 0; i < row.items.size(); ++i) {
      // `attributes.econ` lies in a mapping of its own; nothing is no value.
      if (row.items[i].is_null()) continue;
      const std::string& column = columns.items[i].text;
      const std::size_t dot = column.find('.');
      const std::string outer = column.substr(0, dot);
      if (dot != std::string::npos && !item.has(outer))
        item.set(outer, Node::of_map(row.items[i].origin));
      Node& into = dot == std::string::npos ? item : *item.find(outer);
      into.entries.push_back({dot == std::string::npos ? column : column.substr(dot + 1),
                              row.items[i].origin.place, std::move(row.items[i])});
    }
    out.items.push_back(std::move(item));
  }
  node = std::move(out);
}

// A deck by its name: what is none of its keys is a card.
void gather_cards(Node& deck) {
  constexpr std::array<std::string_view, 4> keys{"drawZone", "discardZone", "shuffleOnSetup",
                                                 "cards"};
  if (!deck.is_map() || deck.has("cards")) return;
  Node rest = Node::of_map(deck.origin), cards = Node::of_map(deck.origin);
  for (Entry& entry : deck.entries) {
    const bool known = std::ranges::find(keys, entry.key) != keys.end();
    (known || !entry.value.is_map() ? rest : cards).entries.push_back(std::move(entry));
  }
  if (!cards.entries.empty()) rest.set("cards", std::move(cards));
  deck = std::move(rest);
}

// After what must be done the card goes on: nothing else is possible.
void card_goes_on(Node& grants) {
  for (Node& grant : grants.items)
    if (const Node* policy = grant.find("completionPolicy");
        policy != nullptr && policy->is("required") && !grant.has("postResolutionTurnFlow"))
      grant.set("postResolutionTurnFlow", Build{policy->origin}.text("resumeCardFlow"));
}

// phases: [main, upkeep]
void named_phases(Node& phases) {
  for (Node& phase : phases.items)
    if (phase.is_string()) phase = Build{phase.origin}.map({{"id", phase}});
}

}  // namespace

bool only_has(const Node& node, std::initializer_list<std::string_view> keys) {
  return node.is_map() && std::ranges::all_of(node.entries, [&](const Entry& entry) {
           return std::ranges::find(keys, entry.key) != keys.end();
         });
}

bool is_table(const Node& node) {
  const Node *columns = node.find("columns"), *rows = node.find("rows");
  return columns != nullptr && rows != nullptr && only_has(node, {"columns", "rows"}) &&
         columns->is_list() && rows->is_list() &&
         std::ranges::all_of(columns->items, &Node::is_string) &&
         std::ranges::all_of(rows->items, [&](const Node& row) {
           return row.is_list() && row.items.size() <= columns->items.size();
         });
}

std::span<const std::string_view> table_paths() {
  static constexpr std::string_view paths[] = {
      "payload.settings", "payload.inventory",    "payload.seatPools", "payload.initialPlacements",
      "payload.spaces",   "payload.spaceMarkers", "payload.pieceTypes"};
  return paths;
}

std::span<const Listed> listed_forms() {
  static constexpr Listed forms[] = {
#define LISTED(path, id, alone) {#path, #id, #alone},
#include "spec/text/short_forms.def"
#undef LISTED
  };
  static const std::vector<Listed> all = [] {
    std::vector<Listed> out;
    for (Listed form : forms) {
      if (form.alone == "\"\"") form.alone = {};
      out.push_back(form);
    }
    return out;
  }();
  return all;
}

void at_path(Node& node, std::string_view path, const std::function<void(Node&)>& visit) {
  if (path.empty()) return visit(node);
  if (node.is_list()) {
    for (Node& item : node.items) at_path(item, path, visit);
    return;
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  if (Node* inner = node.find(path.substr(0, dot)))
    at_path(*inner, path.substr(std::min(dot + 1, path.size())), visit);
}

std::span<const std::pair<std::string_view, std::string_view>> signature_types() {
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"zone", "zoneSelector"},   {"player", "playerSelector"}, {"token", "tokenSelector"},
      {"binding", "bindingName"}, {"word", "string"},           {"number", "number"},
      {"value", "value"},         {"condition", "condition"},   {"query", "query"},
      {"effect", "effect"},       {"effects", "effects"}};
  return types;
}

std::string_view signed_body(std::string_view section) {
  if (section == "conditionMacros") return "condition";
  if (section == "valueMacros") return "value";
  if (section == "effectMacros") return "effects";
  return section == "phaseTemplates" ? "phase" : "";
}

Node long_form(Section section, Node value) {
  const std::string_view name = section_name(section);
  if (const std::string_view body = signed_body(name); !body.empty())
    return by_signature(std::move(value), body);
  if (section == Section::dataAssets) {
    make_list(value, {"dataAssets", "id", ""});
    long_asset(value);
    for (const std::string_view path : table_paths()) at_path(value, path, read_table);
  }
  if (section == Section::eventDecks && value.is_map())
    for (Entry& entry : value.entries) gather_cards(entry.value);
  for (const Listed& form : listed_forms()) {
    const std::size_t dot = std::min(form.path.find('.'), form.path.size());
    if (form.path.substr(0, dot) != name) continue;
    at_path(value, form.path.substr(std::min(dot + 1, form.path.size())), [&](Node& node) {
      const bool named = node.is_map();
      make_list(node, form);
      if (named && form.path.ends_with("freeOperationGrants")) card_goes_on(node);
      if (form.path.ends_with("targets")) long_targets(node);
      if (form.path.ends_with("Lattices")) first_state(node);
      if (form.path.ends_with("phases") || form.path.ends_with("interrupts")) named_phases(node);
    });
  }
  switch (section) {
    case Section::globalVars:
    case Section::perPlayerVars:
    case Section::zoneVars:
      return listed(std::move(value), variable);
    case Section::tokenTypes:
      return listed(std::move(value), token_type);
    case Section::zones:
      return listed(std::move(value), zone);
    case Section::terminal:
      return value.is_map() ? terminal(std::move(value)) : value;
    case Section::metadata:
      return value.is_map() ? metadata(std::move(value)) : value;
    case Section::dataAssets:
      at_path(value, "payload.pieceTypes", plain_pieces);
      return value;
    case Section::eventDecks:
      for (const std::string_view side : {"cards.unshaded", "cards.shaded"})
        for (const std::string_view inside : {"", ".branches"})
          at_path(value, fmt::format("{}{}.eligibilityOverrides", side, inside), long_overrides);
      return value;
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
