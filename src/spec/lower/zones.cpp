// Zones, the graph of neighbours and the directions of boards.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

std::string base_of(std::string_view id) {
  return std::string{id.substr(0, id.find(':'))};
}

// What stands behind the name of a zone (text/short_forms.cpp) and is none of its words.
void no_zone(Context& cx, const Node& said) {
  Diagnostic& d =
      cx.error(Code::WORD_UNKNOWN, said,
               fmt::format("{} does not say what kind of zone this is", describe(said)));
  if (said.text.find("owner") != std::string::npos)
    d.suggestion =
        "write `private` for a zone of each player that only they see, `public per player` for one "
        "that all see";
  else if (said.text.find('(') != std::string::npos)
    d.suggestion = "boards are `grid(ROWS, COLUMNS)`, `hex(RADIUS)` and `rhombus(ROWS, COLUMNS)`";
  else
    d.suggestion =
        "write `public`, `hidden` or `private`, and if it matters `stack`, `queue` or `set`, and "
        "`per player`";
}

}  // namespace

void read_into(Reading& r, const Node& node, const FieldInfo&, AttributeValue& out) {
  if (node.is_list())
    out = read_strings(r.cx, node, "a list of texts");
  else if (const auto scalar =
               read_scalar(r.cx, node, "a whole number, text, true, false or a list of texts"))
    std::visit([&](const auto& value) { out = value; }, *scalar);
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, ZoneDef& out) {
  if (field.key == "is") return no_zone(r.cx, node);
  // A pile that takes another one when it runs short is a deck.
  if (r.given("behavior") != nullptr)
    r.cx.error(Code::KEYS_EXCLUSIVE, node, "`refillFrom` and `behavior` say the same").suggestion =
        "write `behavior: {type: deck, reshuffleFrom: …}` alone";
  out.deck = DeckBehavior{.reshuffle_from = read_id(r.cx, node, "the id of a zone")};
}

void check(Reading& r, ZoneDef& out) {
  Context& cx = r.cx;
  out.base = base_of(out.base);
  // The order of a deck counts, unless something else is said.
  if (out.deck && r.given("ordering") == nullptr) out.ordering = Ordering::stack;
  if (out.count_hidden && out.visibility == Visibility::visible_to_all)
    r.at("count", [&](const Node& n) {
      cx.error(Code::COUNT_OF_OPEN_ZONE, n, "everybody can count what lies in a public zone")
          .suggestion = "leave `count` out, or give the zone another `visibility`";
    });
  // Out of a bag, where order means nothing, everything is drawn as it comes.
  if (out.deck && out.ordering != Ordering::stack && out.deck->draw_from != DrawFrom::random)
    r.at("behavior", [&](const Node& n) {
      cx.warning(Code::DECK_NOT_STACK, n,
                 fmt::format("the deck `{}` has no `ordering: stack`", out.base))
          .suggestion =
          "its order is hidden from players; write `ordering: stack`, in short `is: hidden stack`";
    });
  for (const Attribute& attribute : out.attributes) {
    constexpr Kind kinds[] = {Kind::integer, Kind::boolean, Kind::string, Kind::list};
    const Kind kind = kinds[attribute.value.index()];
    const auto [at, fresh] = cx.symbols.attributes.emplace(attribute.name, kind);
    if (!fresh && at->second != kind) at->second = Kind::unknown;
  }
  if (!out.base.empty()) cx.symbols.zones.emplace(out.base, ZoneInfo{out.owner, r.broken()});
}

void check(Reading& r, DirectionDef& out) {
  if (out.name == "all" || out.name.starts_with('$'))
    r.cx.error(Code::NAME_RESERVED, r.node(),
               fmt::format("`{}` cannot name a direction", out.name));
}

namespace {

// ---- Neighbours

class Graph {
 public:
  explicit Graph(Context& cx) : cx_(cx) {
    for (std::size_t i = 0; i < cx.game.zones.size(); ++i) index_.emplace(cx.game.zones[i].base, i);
  }

  void read_edges(const Node& zone) {
    const ZoneDef* from = zone_of(zone);
    const Node* list = zone.find("adjacentTo");
    if (from == nullptr || list == nullptr || list->is_null()) return;
    const auto step = cx_.step("adjacentTo");
    each_item(cx_, *list, "a list of neighbours",
              [&](const Node& edge) { read_edge(*from, edge); });
  }

  void read_links(const Node& zone) {
    const ZoneDef* from = zone_of(zone);
    const Node* map = zone.find("directions");
    if (from == nullptr || map == nullptr || map->is_null()) return;
    const auto step = cx_.step("directions");
    if (!map->is_map()) {
      wrong_shape(cx_, *map, "a mapping from directions to zones");
      return;
    }
    for (const Entry& entry : map->entries) {
      const auto inner = cx_.step(entry.key);
      if (read_id(cx_, entry.value, "the id of a zone").empty()) continue;
      if (const auto to = target(entry.value))
        cx_.game.zones[index_.find(from->base)->second].directions.push_back({entry.key, *to});
    }
  }

  void finish() {
    for (ZoneDef& zone : cx_.game.zones) {
      std::ranges::sort(zone.neighbours);
      const auto rest = std::ranges::unique(zone.neighbours);
      zone.neighbours.erase(rest.begin(), rest.end());
    }
    if (twice_ == 0) return;
    const auto& [node, path, from] = first_twice_;
    std::string message =
        fmt::format("`{}` is listed twice as a neighbour of `{}`", base_of(node->text), from);
    if (twice_ > 1) message += fmt::format(", and so are {} others elsewhere", twice_ - 1);
    cx_.warning_at(Code::NEIGHBOUR_TWICE, node->origin, path, std::move(message));
  }

 private:
  ZoneDef* zone_of(const Node& zone) {
    const Node* id = zone.find("id");
    if (id == nullptr || !id->is_string()) return nullptr;
    const auto found = index_.find(base_of(id->text));
    return found == index_.end() ? nullptr : &cx_.game.zones[found->second];
  }

  // The full id of an unowned zone.
  std::optional<std::string> target(const Node& node) {
    const auto found = index_.find(base_of(node.text));
    if (found == index_.end()) {
      cx_.unknown(Code::ZONE_UNKNOWN, node, "zone", base_of(node.text),
                  names_of(cx_.symbols.zones));
      return std::nullopt;
    }
    const ZoneDef& zone = cx_.game.zones[found->second];
    if (zone.owner == ZoneOwner::player) {
      cx_.error(Code::ZONE_AMBIGUOUS, node,
                fmt::format("`{}` belongs to players and has no place on the board", zone.base));
      return std::nullopt;
    }
    return zone.base + ":none";
  }

  void read_edge(const ZoneDef& from, const Node& edge) {
    const Neighbour neighbour = read_record<Neighbour>(cx_, edge);
    if (edge.is_string()) return connect(from, edge, edge, false);  // short form
    const Node* to = edge.find("to");
    const auto step = cx_.step("to");
    if (to != nullptr && !neighbour.to.empty()) connect(from, *to, edge, neighbour.one_way);
  }

  void connect(const ZoneDef& from, const Node& to_node, const Node& edge, bool one_way) {
    const auto to = target(to_node);
    if (!to) return;
    const std::string from_id = from.base + ":none";
    if (from.owner == ZoneOwner::player) {
      cx_.error(Code::ZONE_AMBIGUOUS, edge,
                fmt::format("`{}` belongs to players and cannot have neighbours", from.base));
      return;
    }
    if (*to == from_id) {
      cx_.error(Code::ZONE_SELF_NEIGHBOUR, to_node, "a zone cannot be its own neighbour");
      return;
    }
    if (!seen_.emplace(from_id, *to).second) {
      if (twice_++ == 0) first_twice_ = {&to_node, cx_.path(), from.base};
      return;
    }
    const auto [at, fresh] = one_way_.emplace(std::pair{from_id, *to}, one_way);
    const auto back = one_way_.find({*to, from_id});
    if (fresh && back != one_way_.end() && back->second != one_way)
      cx_.error(Code::NEIGHBOUR_CONTRADICTION, edge,
                fmt::format("`{}` and `{}` disagree whether their edge goes both ways", from.base,
                            base_of(*to)));
    cx_.game.zones[index_.find(from.base)->second].neighbours.push_back(*to);
    if (!one_way) cx_.game.zones[index_.find(base_of(*to))->second].neighbours.push_back(from_id);
  }

  Context& cx_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::map<std::pair<std::string, std::string>, bool> one_way_;
  // One board, one warning: whoever lists one neighbour twice mostly lists many.
  struct Twice {
    const Node* node = nullptr;
    std::string path, from;
  };
  Twice first_twice_;
  std::size_t twice_ = 0;
};

// ---- Directions

struct Standard {
  std::string_view name, opposite, group;
};
constexpr Standard grid_directions[] = {{"n", "s", "orthogonal"}, {"ne", "sw", "diagonal"},
                                        {"e", "w", "orthogonal"}, {"se", "nw", "diagonal"},
                                        {"s", "n", "orthogonal"}, {"sw", "ne", "diagonal"},
                                        {"w", "e", "orthogonal"}, {"nw", "se", "diagonal"}};
constexpr Standard hex_directions[] = {{"e", "w", ""}, {"ne", "sw", ""}, {"nw", "se", ""},
                                       {"w", "e", ""}, {"sw", "ne", ""}, {"se", "nw", ""}};

bool knows(const std::vector<DirectionDef>& list, std::string_view name) {
  return std::ranges::find(list, name, &DirectionDef::name) != list.end();
}

void add_standard(std::vector<DirectionDef>& out, std::span<const Standard> list) {
  for (const Standard& direction : list)
    if (!knows(out, direction.name))
      out.push_back({std::string{direction.name}, std::string{direction.opposite},
                     std::string{direction.group}});
}

void read_declared_directions(Context& cx) {
  read_section(cx, Section::directions);
  each_of_section(cx, Section::directions, [&](const Node& node) {
    const Node* opposite = node.find("opposite");
    if (opposite == nullptr || !opposite->is_string() || knows(cx.game.directions, opposite->text))
      return;
    std::vector<std::string> names;
    for (const DirectionDef& direction : cx.game.directions) names.push_back(direction.name);
    cx.unknown(Code::DIRECTION_UNKNOWN, *opposite, "direction", opposite->text, names);
  });
}

// Which board made a zone: "grid", "hex", "lines" or nothing.
std::string_view board_of(const Context& cx, const Node& zone) {
  const Expansion& expansion = cx.doc.source.expansion(zone.origin.expansion);
  return expansion.kind == ExpansionKind::board ? std::string_view{expansion.name} : "";
}

void collect_directions(Context& cx) {
  read_declared_directions(cx);
  auto& out = cx.game.directions;
  const bool declared = !out.empty();
  each_of_section(cx, Section::zones, [&](const Node& zone) {
    const std::string_view board = board_of(cx, zone);
    if (board == "grid") add_standard(out, grid_directions);
    if (board == "hex") add_standard(out, hex_directions);
    const Node* links = zone.find("directions");
    if (links == nullptr || !links->is_map() || board == "grid" || board == "hex") return;
    for (const Entry& link : links->entries) {
      if (knows(out, link.key)) continue;
      if (!declared) {
        out.push_back({link.key, {}, {}});
        continue;
      }
      std::vector<std::string> names;
      for (const DirectionDef& direction : out) names.push_back(direction.name);
      const auto step = cx.step("directions");
      const Node key = Node::of_string(link.key, {link.key_place, zone.origin.expansion});
      cx.unknown(Code::DIRECTION_UNKNOWN, key, "direction", link.key, names);
    }
  });
  for (const DirectionDef& direction : out) cx.symbols.directions.push_back(direction.name);
}

// Without a declaration, the way back tells which direction is the opposite.
void infer_opposites(GameDef& game) {
  std::map<std::string, const ZoneDef*, std::less<>> by_id;
  for (const ZoneDef& zone : game.zones) by_id.emplace(zone.base + ":none", &zone);
  for (DirectionDef& direction : game.directions) {
    if (!direction.opposite.empty()) continue;
    std::set<std::string> back;
    for (const ZoneDef& zone : game.zones)
      for (const DirectionLink& link : zone.directions) {
        if (link.direction != direction.name) continue;
        const auto other = by_id.find(link.to);
        if (other == by_id.end()) continue;
        for (const DirectionLink& reverse : other->second->directions)
          if (reverse.to == zone.base + ":none") back.insert(reverse.direction);
      }
    if (back.size() == 1) direction.opposite = *back.begin();
  }
}

void order_links(GameDef& game) {
  const auto rank = [&](const DirectionLink& link) {
    return std::ranges::find(game.directions, link.direction, &DirectionDef::name) -
           game.directions.begin();
  };
  for (ZoneDef& zone : game.zones) std::ranges::stable_sort(zone.directions, {}, rank);
}

void check_reshuffle(Context& cx, const Node& node) {
  const Node* behavior = node.find("behavior");
  const Node* from = behavior ? behavior->find("reshuffleFrom") : node.find("refillFrom");
  if (from == nullptr || !from->is_string()) return;
  const auto step = cx.step(behavior ? "behavior.reshuffleFrom" : "refillFrom");
  const std::string id = read_zone_id(cx, *from);
  const Node* own = node.find("id");
  if (own == nullptr || !own->is_string()) return;
  for (ZoneDef& zone : cx.game.zones)
    if (zone.base == base_of(own->text) && zone.deck) zone.deck->reshuffle_from = id;
}

}  // namespace

void lower_zones(Context& cx) {
  read_section(cx, Section::zones);
  collect_directions(cx);
  Graph graph{cx};
  each_of_section(cx, Section::zones, [&](const Node& node) {
    graph.read_edges(node);
    graph.read_links(node);
    check_reshuffle(cx, node);
  });
  graph.finish();
  // A game of numbers alone needs no place; the machine has one all the same.
  if (cx.doc.find(Section::zones) == nullptr && cx.game.zones.empty()) {
    ZoneDef nowhere;
    nowhere.base = "nowhere";
    nowhere.internal = true;
    cx.game.zones.push_back(std::move(nowhere));
  }
  infer_opposites(cx.game);
  order_links(cx.game);
}

}  // namespace parlor::spec::lower
