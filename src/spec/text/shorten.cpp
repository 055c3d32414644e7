// Long declarations to the short ones that say the same (short_forms.h).
#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <set>

#include "spec/text/lexer.h"
#include "spec/text/short_forms.h"

namespace parlor::spec::text {
namespace {

std::optional<Node> short_variable(const Node& variable) {
  const Node *type = variable.find("type"), *init = variable.find("init"),
             *min = variable.find("min"), *max = variable.find("max");
  if (type == nullptr || init == nullptr) return std::nullopt;
  if (type->is("boolean") && only_has(variable, {"name", "type", "init"}) && init->is_boolean())
    return *init;
  const auto bound = [](const Node* node) -> std::string {
    if (node == nullptr) return {};
    if (node->is_integer()) return std::to_string(node->integer);
    const Node* ref = node->find("ref");
    return ref != nullptr && ref->is("constant") && is_name(node->find("name")->text)
               ? node->find("name")->text
               : std::string{};
  };
  const std::string low = bound(min), high = bound(max), first = bound(init);
  if (!type->is("int") || !only_has(variable, {"name", "type", "init", "min", "max"}) ||
      low.empty() || high.empty() || first.empty())
    return std::nullopt;
  const Node usual = first_of_range(*min, *max);
  return Node::of_string(bound(&usual) == first ? fmt::format("{}..{}", low, high)
                                                : fmt::format("{}..{} = {}", low, high, first),
                         variable.origin);
}

void short_variables(Node& section) {
  if (!section.is_list() || section.items.empty()) return;
  Node out = Node::of_map(section.origin);
  for (const Node& item : section.items) {
    const Node* name = item.find("name");
    if (name == nullptr || !name->is_string() || out.has(name->text)) return;
    Node rest = item;
    rest.erase("name");
    std::optional<Node> small = short_variable(item);
    out.entries.push_back(
        {name->text, item.origin.place, small ? std::move(*small) : std::move(rest)});
  }
  section = std::move(out);
}

void short_token_types(Node& section) {
  if (!section.is_list() || section.items.empty()) return;
  Node out = Node::of_map(section.origin);
  for (const Node& item : section.items) {
    const Node *id = item.find("id"), *props = item.find("props");
    if (id == nullptr || !id->is_string() || !only_has(item, {"id", "props"}) || out.has(id->text))
      return;
    if (props != nullptr &&
        (props->has("props") || props->has("onZoneEntry") || props->has("transitions")))
      return;
    out.entries.push_back(
        {id->text, item.origin.place, props != nullptr ? *props : Node::of_map(item.origin)});
  }
  section = std::move(out);
}

void short_terminal(Node& section) {
  Node* conditions = section.find("conditions");
  if (conditions == nullptr || !conditions->is_list() || conditions->items.empty()) return;
  Node out = Node::of_map(section.origin);
  for (const Node& item : conditions->items) {
    const Node *id = item.find("id"), *when = item.find("when"), *result = item.find("result");
    if (id == nullptr || !id->is_string() || when == nullptr || result == nullptr ||
        !only_has(item, {"id", "when", "result"}))
      return;
    const Node *type = result->find("type"), *player = result->find("player");
    if (type == nullptr || !type->is_string() || type->is("win") != (player != nullptr) ||
        !only_has(*result, {"type", "player"}))
      return;
    for (const std::string_view taken :
         {"conditions", "checkpoints", "margins", "ranking", "scoring"})
      if (id->text == taken) return;
    Node body = Node::of_map(item.origin);
    body.entries.push_back({"when", item.find_entry("when")->key_place, *when});
    body.entries.push_back({type->text, item.find_entry("result")->key_place,
                            player != nullptr ? *player : Node::of_boolean(true, item.origin)});
    if (out.has(id->text)) return;
    out.entries.push_back({id->text, item.origin.place, std::move(body)});
  }
  for (Entry& entry : section.entries)
    if (entry.key != "conditions") out.entries.push_back(std::move(entry));
  section = std::move(out);
}

void short_players(Node& metadata) {
  Node* players = metadata.find("players");
  if (players == nullptr || !only_has(*players, {"min", "max"}) || players->entries.size() != 2)
    return;
  const auto min = players->find_integer("min"), max = players->find_integer("max");
  if (!min || !max) return;
  *players = *min == *max ? Node::of_integer(*min, players->origin)
                          : Node::of_string(fmt::format("{}..{}", *min, *max), players->origin);
}

// dataAssets: [{id: seats, kind: seatCatalog, payload: {seats: [{id: x}, {id: o}]}}]
void short_seats(Node& root) {
  Node* assets = root.find("dataAssets");
  if (assets == nullptr || !assets->is_list() || root.has("seats")) return;
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    const Node& asset = assets->items[i];
    const Node* payload = asset.find("payload");
    const Node* seats = payload != nullptr ? payload->find("seats") : nullptr;
    if (!only_has(asset, {"id", "kind", "payload"}) || !asset.find("id")->is("seats") ||
        !asset.find("kind")->is("seatCatalog") || !only_has(*payload, {"seats"}) ||
        seats == nullptr || !seats->is_list())
      continue;
    Node out = Node::of_list(asset.origin);
    for (const Node& seat : seats->items) {
      if (!only_has(seat, {"id"}) || seat.entries.size() != 1) return;
      out.items.push_back(*seat.find("id"));
    }
    const auto entry = std::ranges::find(root.entries, "dataAssets", &Entry::key);
    Entry added{"seats", i == 0 ? entry->key_place : asset.origin.place, std::move(out)};
    assets->items.erase(assets->items.begin() + static_cast<std::ptrdiff_t>(i));
    if (assets->items.empty())
      *entry = std::move(added);
    else
      root.entries.insert(i == 0 ? entry : entry + 1, std::move(added));
    return;
  }
}

// ---- Mappings for lists

// [{id: place, …}] as {place: {…}}
void make_mapping(Node& node, const Listed& form) {
  if (!node.is_list() || node.items.empty()) return;
  const bool bare = form.path.ends_with("phases") || form.path.ends_with("interrupts");
  if (bare && std::ranges::all_of(node.items, [](const Node& item) {
        return only_has(item, {"id"}) && item.entries.size() == 1;
      })) {
    for (Node& item : node.items) {
      Node id = *item.find("id");
      item = std::move(id);
    }
    return;
  }
  Node out = Node::of_map(node.origin);
  for (const Node& item : node.items) {
    const Entry* id = item.find_entry(form.id);
    if (id == nullptr || !id->value.is_string() || out.has(id->value.text)) return;
    Node rest = item;
    rest.erase(form.id);
    const Node* alone = form.alone.empty() ? nullptr : rest.find(form.alone);
    const bool small = alone != nullptr && rest.entries.size() == 1 && !alone->is_map();
    Node value = small ? *alone : std::move(rest);
    const Place place = id->key_place.known() ? id->key_place : item.origin.place;
    out.entries.push_back({id->value.text, place, std::move(value)});
  }
  node = std::move(out);
}

// A marker begins in its first state.
void drop_first_state(Node& lattices) {
  for (Node& lattice : lattices.items) {
    const Node *states = lattice.find("states"), *first = lattice.find("defaultState");
    if (states != nullptr && first != nullptr && states->is_list() && !states->items.empty() &&
        same_value(states->items.front(), *first))
      lattice.erase("defaultState");
  }
}

void short_targets(Node& targets) {
  for (Node& target : targets.items) {
    const Node *selector = target.find("selector"), *count = target.find("cardinality"),
               *how = target.find("application"), *effects = target.find("effects");
    if (selector == nullptr || count == nullptr || how == nullptr || effects == nullptr ||
        !(how->is("each") || how->is("aggregate")) || target.has("from"))
      continue;
    std::optional<Node> choose;
    const auto n = count->find_integer("n"), min = count->find_integer("min"),
               max = count->find_integer("max");
    if (n && count->entries.size() == 1)
      choose = Node::of_integer(*n, count->origin);
    else if (min && max && count->entries.size() == 2)
      choose = Node::of_string(fmt::format("{}..{}", *min, *max), count->origin);
    if (!choose) continue;
    Node out = Node::of_map(target.origin);
    for (const Entry& entry : target.entries) {
      if (entry.key == "selector")
        out.entries.push_back({"from", entry.key_place, entry.value});
      else if (entry.key == "cardinality" && !(n && *n == 1))
        out.entries.push_back({"choose", entry.key_place, *choose});
      else if (entry.key == "effects")
        out.entries.push_back({how->is("each") ? "each" : "all", entry.key_place, entry.value});
      else if (entry.key != "application" && entry.key != "cardinality")
        out.entries.push_back(entry);
    }
    target = std::move(out);
  }
}

void short_overrides(Node& list) {
  for (Node& item : list.items) {
    const Node *target = item.find("target"), *eligible = item.find("eligible"),
               *window = item.find("windowId");
    if (target == nullptr || eligible == nullptr || window == nullptr || item.entries.size() != 3 ||
        !eligible->is_boolean() || !window->is_string() || !is_name(window->text))
      continue;
    const Node *kind = target->find("kind"), *seat = target->find("seat");
    if (kind == nullptr || (seat != nullptr ? !is_name(seat->text) : !kind->is("active"))) continue;
    item = Node::of_string(fmt::format("{} {}on {}", seat != nullptr ? seat->text : "active",
                                       eligible->boolean ? "" : "not ", window->text),
                           item.origin);
  }
}

// ---- Macros by signature

// `owned(zone point, player who)`, or nothing if it says more than that.
std::optional<std::string> signature_of(const Node& macro) {
  const Node *id = macro.find("id"), *params = macro.find("params");
  if (id == nullptr || !id->is_string() || id->text.find('(') != std::string::npos)
    return std::nullopt;
  if (params == nullptr || !params->is_list() || params->items.empty()) return id->text;
  std::string out;
  for (const Node& param : params->items) {
    const auto name = param.is_string() ? param.as_string() : param.find_string("name");
    if (!name || !is_name(*name)) return std::nullopt;
    std::string text{*name};
    if (param.is_map()) {
      if (!only_has(param, {"name", "type"})) return std::nullopt;
      if (const Node* type = param.find("type")) {
        const auto known = std::ranges::find(
            signature_types(), type->text, &std::pair<std::string_view, std::string_view>::second);
        if (!type->is_string() || known == signature_types().end()) return std::nullopt;
        text = fmt::format("{} {}", known->first, *name);
      }
    }
    out += out.empty() ? text : ", " + text;
  }
  return fmt::format("{}({})", id->text, out);
}

void sign_macros(Node& section, std::string_view body) {
  if (!section.is_list() || section.items.empty()) return;
  Node out = Node::of_map(section.origin);
  for (const Node& macro : section.items) {
    const auto key = signature_of(macro);
    const Node* inside = macro.find(body);
    const Node* exports = macro.find("exports");
    if (!key || inside == nullptr || out.has(*key)) return;
    if (exports != nullptr && (!exports->is_list() || !exports->items.empty())) exports = nullptr;
    Node rest = macro;
    for (const std::string_view said : {"id", "params"}) rest.erase(said);
    if (exports != nullptr) rest.erase("exports");
    const bool small = rest.entries.size() == 1 && !(inside->is_map() && inside->has(body));
    out.entries.push_back({*key, macro.find_entry("id")->key_place, small ? *inside : rest});
  }
  section = std::move(out);
}

// ---- Zones

std::optional<std::string> zone_words(const Node& zone) {
  const Node *owner = zone.find("owner"), *visibility = zone.find("visibility"),
             *ordering = zone.find("ordering");
  if (owner == nullptr || visibility == nullptr || ordering == nullptr) return std::nullopt;
  const bool of_player = owner->is("player");
  if (!of_player && !owner->is("none")) return std::nullopt;
  std::string out;
  if (visibility->is("owner")) {
    if (!of_player) return std::nullopt;
    out = "private";
  } else if (visibility->is("public") || visibility->is("hidden")) {
    out = visibility->text;
  } else {
    return std::nullopt;
  }
  if (ordering->is("stack") || ordering->is("queue"))
    out += " " + ordering->text;
  else if (!ordering->is("set"))
    return std::nullopt;
  if (of_player && !visibility->is("owner")) out += " per player";
  return out;
}

std::optional<std::string> board_words(const Node& zone) {
  const Node *kind = zone.find("macro"), *shape = zone.find("shape"), *args = zone.find("args");
  if (kind == nullptr || !(kind->is("grid") || kind->is("hex")) || args == nullptr ||
      !args->is_list() || !only_has(zone, {"macro", "id", "shape", "args"}))
    return std::nullopt;
  if (shape != nullptr && !shape->is("rhombus")) return std::nullopt;
  std::string out;
  for (const Node& arg : args->items) {
    const Node *ref = arg.find("ref"), *name = arg.find("name");
    std::string text;
    if (arg.is_integer())
      text = std::to_string(arg.integer);
    else if (ref != nullptr && ref->is("constant") && name != nullptr && is_name(name->text))
      text = name->text;
    else
      return std::nullopt;
    out += out.empty() ? text : ", " + text;
  }
  return fmt::format("{}({})", shape != nullptr ? "rhombus" : kind->text, out);
}

void short_zones(Node& section) {
  if (!section.is_list() || section.items.empty()) return;
  Node out = Node::of_map(section.origin);
  for (const Node& item : section.items) {
    const Node *id = item.find("id"), *kind = item.find("macro");
    std::string name;
    if (id != nullptr && id->is_string())
      name = id->text;
    else if (kind != nullptr && (kind->is("grid") || kind->is("hex")))
      name = kind->is("grid") ? "cell" : "hex";
    if (name.empty() || out.has(name)) return;
    const auto words = kind != nullptr ? board_words(item) : zone_words(item);
    Node rest = item;
    rest.erase("id");
    if (words && kind == nullptr)
      for (const std::string_view said : {"owner", "visibility", "ordering"}) rest.erase(said);
    Node value = Node::of_string(words.value_or(""), item.origin);
    if (!words) {
      value = std::move(rest);
    } else if (kind == nullptr && !rest.entries.empty()) {
      Node with = Node::of_map(item.origin);
      with.entries.push_back({"is", item.origin.place, std::move(value)});
      for (Entry& entry : rest.entries) with.entries.push_back(std::move(entry));
      value = std::move(with);
    }
    out.entries.push_back({name, item.origin.place, std::move(value)});
  }
  section = std::move(out);
}

// ---- Data

void short_assets(Node& assets) {
  for (Node& asset : assets.items) {
    const Node *kind = asset.find("kind"), *payload = asset.find("payload");
    if (kind == nullptr || payload == nullptr || !kind->is_string() || !payload->is_map() ||
        !only_has(asset, {"id", "kind", "payload"}))
      continue;
    bool known = false;
    for (const std::string_view name : {"map", "scenario", "seatCatalog", "pieceCatalog"})
      known = known || kind->is(name);
    if (!known) continue;
    Node out = Node::of_map(asset.origin);
    for (const Entry& entry : asset.entries) {
      if (entry.key == "payload")
        out.entries.push_back({kind->text, entry.key_place, entry.value});
      else if (entry.key != "kind")
        out.entries.push_back(entry);
    }
    asset = std::move(out);
  }
}

void drop_empty(Node& node, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const Node* list = node.find(key);
        list != nullptr && list->is_list() && list->items.empty())
      node.erase(key);
}

// A list of mappings with the same keys as columns and rows.
void write_table(Node& node) {
  if (node.is_map()) {
    for (Entry& entry : node.entries) write_table(entry.value);
    return;
  }
  if (!node.is_list() || node.items.size() < 3) return;
  std::size_t widest = 0;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (!node.items[i].is_map()) return;
    if (node.items[i].entries.size() > node.items[widest].entries.size()) widest = i;
  }
  const std::vector<Entry> columns = node.items[widest].entries;
  if (columns.size() < 2) return;
  Node rows = Node::of_list(node.origin), names = Node::of_list(node.origin);
  for (const Entry& column : columns)
    names.items.push_back(Node::of_string(column.key, node.origin));
  for (const Node& item : node.items) {
    Node row = Node::of_list(item.origin);
    for (std::size_t i = 0; i < item.entries.size(); ++i) {
      if (item.entries[i].key != columns[i].key) return;
      row.items.push_back(item.entries[i].value);
    }
    rows.items.push_back(std::move(row));
  }
  const Place at = node.origin.place;
  Node out = Node::of_map(node.origin);
  out.entries.push_back({"columns", at, std::move(names)});
  out.entries.push_back({"rows", at, std::move(rows)});
  node = std::move(out);
}

void short_payloads(Node& assets) {
  at_path(assets, "payload.pieceTypes", [](Node& types) {
    for (Node& type : types.items) drop_empty(type, {"statusDimensions", "transitions"});
  });
  at_path(assets, "payload", [](Node& payload) {
    drop_empty(payload, {"outOfPlay", "initializations"});
  });
  for (const std::string_view path : table_paths())
    if (path != "payload.spaces" && path != "payload.pieceTypes")
      at_path(assets, path, write_table);
}

// A card has the sides that are written.
void drop_side_modes(Node& decks) {
  // `deck` is `deck:none`: nobody owns it.
  for (Node& deck : decks.items)
    for (const std::string_view key : {"drawZone", "discardZone"})
      if (Node* zone = deck.find(key); zone != nullptr && zone->is_string() &&
                                       zone->text.ends_with(":none") && zone->text.size() > 5)
        zone->text.resize(zone->text.size() - 5);
  at_path(decks, "cards", [](Node& cards) {
    for (Node& card : cards.items) {
      const Node* mode = card.find("sideMode");
      if (mode != nullptr && mode->is(card.has("shaded") ? "dual" : "single"))
        card.erase("sideMode");
    }
  });
}

// An action of the only phase there is need not name it; one phase is no list.
void short_phases(Node& actions, std::string_view only_phase) {
  for (Node& action : actions.items) {
    Node* phase = action.find("phase");
    if (phase == nullptr || !phase->is_list() || phase->items.size() != 1) continue;
    if (phase->items.front().is(only_phase)) {
      action.erase("phase");
    } else {
      Node one = phase->items.front();
      *phase = std::move(one);
    }
  }
}

// What must be done is followed by the card going on; grants by their names need not say so.
void drop_going_on(Node& grants) {
  if (!grants.is_map()) return;
  for (Entry& grant : grants.entries) {
    const Node *policy = grant.value.find("completionPolicy"),
               *after = grant.value.find("postResolutionTurnFlow");
    if (policy != nullptr && policy->is("required") && after != nullptr &&
        after->is("resumeCardFlow"))
      grant.value.erase("postResolutionTurnFlow");
  }
}

// {events: {drawZone, cards: {flood: …}}}: the cards stand beside the deck's own keys.
void spread_cards(Node& decks) {
  for (Entry& entry : decks.entries) {
    Node* cards = entry.value.find("cards");
    if (cards == nullptr || !cards->is_map() || cards->entries.empty()) continue;
    bool clear = true;
    for (const Entry& card : cards->entries)
      clear = clear && card.value.is_map() && !entry.value.has(card.key) && card.key != "cards";
    if (!clear) continue;
    std::vector<Entry> spread;
    for (Entry& own : entry.value.entries) {
      if (own.key == "cards")
        std::ranges::move(own.value.entries, std::back_inserter(spread));
      else
        spread.push_back(std::move(own));
    }
    entry.value.entries = std::move(spread);
  }
}

void short_section(Entry& entry, std::string_view only_phase) {
  Node& value = entry.value;
  if (entry.key == "globalVars" || entry.key == "perPlayerVars" || entry.key == "zoneVars")
    short_variables(value);
  if (entry.key == "tokenTypes") short_token_types(value);
  if (entry.key == "terminal") short_terminal(value);
  if (entry.key == "metadata") short_players(value);
  if (entry.key == "zones") short_zones(value);
  if (entry.key == "actions") short_phases(value, only_phase);
  if (entry.key == "dataAssets") short_payloads(value);
  if (entry.key == "eventDecks") drop_side_modes(value);
  if (entry.key == "eventDecks")
    for (const std::string_view side : {"cards.unshaded", "cards.shaded"})
      for (const std::string_view inside : {"", ".branches"})
        at_path(value, fmt::format("{}{}.eligibilityOverrides", side, inside), short_overrides);
  if (const std::string_view body = signed_body(entry.key); !body.empty()) sign_macros(value, body);
  const auto forms = listed_forms();
  for (std::size_t i = forms.size(); i > 0; --i) {
    const Listed& form = forms[i - 1];
    const std::size_t dot = std::min(form.path.find('.'), form.path.size());
    if (form.path.substr(0, dot) != entry.key) continue;
    const std::string_view below = form.path.substr(std::min(dot + 1, form.path.size()));
    if (entry.key == "dataAssets" && below.empty()) short_assets(value);
    at_path(value, below, [&](Node& node) {
      if (form.path.ends_with("targets")) short_targets(node);
      if (form.path.ends_with("Lattices")) drop_first_state(node);
      make_mapping(node, form);
      if (form.path.ends_with("freeOperationGrants")) drop_going_on(node);
    });
  }
  if (entry.key == "eventDecks") spread_cards(value);
}

}  // namespace

void shorten(Node& root, std::string_view only_phase) {
  short_seats(root);
  for (Entry& entry : root.entries) short_section(entry, only_phase);
}

}  // namespace parlor::spec::text
