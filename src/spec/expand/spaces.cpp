#include "spec/expand/spaces.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/build.h"

namespace parlor::spec {
namespace {

struct Space {
  std::string id;
  Node effects;
};

void add_trigger(Expander& expander, const Build& b, Node event, Node effects) {
  Node& triggers = expander.doc.need(Section::triggers);
  triggers.items.push_back(b.map({{"event", std::move(event)}, {"effects", std::move(effects)}}));
}

// `onUse` of all spaces; `onEnter` is a trigger from here on.
std::vector<Space> take_rules(Expander& expander) {
  std::vector<Space> out;
  Node* zones = expander.doc.find(Section::zones);
  if (zones == nullptr) return out;
  for (Node& zone : zones->items) {
    const auto id = zone.find_string("id");
    if (!id) continue;
    if (const Node* enter = zone.find("onEnter")) {
      const Build b{enter->origin};
      add_trigger(expander, b, b.map({{"type", b.text("tokenEntered")}, {"zone", b.text(*id)}}),
                  *enter);
      zone.erase("onEnter");
    }
    if (const Node* use = zone.find("onUse")) {
      out.push_back({std::string{*id}, *use});
      zone.erase("onUse");
    }
  }
  return out;
}

void take_round_rules(Expander& expander) {
  Node* rounds = expander.doc.find(Section::rounds);
  if (rounds == nullptr || !rounds->is_map()) return;
  const Build b{rounds->origin};
  Node effects = b.list({});
  if (const Node* clean = rounds->find("cleanUp")) {
    if (!clean->is_list()) {
      expander.report.error(Code::SHAPE_WRONG, clean->origin, "`cleanUp` is a list of effects",
                            "rounds.cleanUp");
    } else {
      effects.items = clean->items;
    }
  }
  if (const Node* first = rounds->find("startPlayer"))
    effects.items.push_back(Build{first->origin}.map(
        {{"setStartPlayer", Build{first->origin}.map({{"player", *first}})}}));
  rounds->erase("cleanUp");
  rounds->erase("startPlayer");
  if (!effects.items.empty())
    add_trigger(expander, b, b.map({{"type", b.text("roundEnd")}}), std::move(effects));
}

// Games may be played by fewer than there are seats: those who are there are asked who they are.
Node membership(const Build& b, const Node& player, std::string_view team) {
  const Node who = b.text("$_member");
  const Node seat = player.is_integer() ? b.map({{"id", player}}) : player;
  Node same = b.map({{"op", b.text("==")},
                     {"left", b.map({{"ref", b.text("binding")}, {"name", who}})},
                     {"right", b.map({{"ref", b.text("player")}, {"player", seat}})}});
  Node set = b.map({{"setVar", b.map({{"scope", b.text("pvar")},
                                      {"player", who},
                                      {"var", b.text("team")},
                                      {"value", b.text(team)}})}});
  Node asked =
      b.map({{"if", b.map({{"when", std::move(same)}, {"then", b.list({std::move(set)})}})}});
  return b.map({{"forEach", b.map({{"bind", who},
                                   {"over", b.map({{"query", b.text("players")}})},
                                   {"effects", b.list({std::move(asked)})}})}});
}

// {north-south: [north, south], …}: who is in which team can be asked like any variable.
void give_teams(Expander& expander) {
  const Node* teams = expander.doc.find(Section::teams);
  if (teams == nullptr || teams->entries.empty()) return;
  const Build b{teams->origin};
  Node values = b.list({});
  Node set = b.list({});
  for (const Entry& team : teams->entries) {
    const Build at{{team.key_place, teams->origin.expansion}};
    values.items.push_back(at.text(team.key));
    for (const Node& player : team.value.items)
      set.items.push_back(membership(at, player, team.key));
  }
  Node var = b.map({{"name", b.text("team")}, {"type", b.text("enum")}, {"values", values}});
  var.set("material", Node::of_boolean(false, teams->origin));
  expander.doc.need(Section::perPlayerVars).items.push_back(std::move(var));
  Node& setup = expander.doc.need(Section::setup);
  setup.items.insert(setup.items.begin(), set.items.begin(), set.items.end());
}

class Uses {
 public:
  Uses(Expander& expander, std::vector<Space> spaces)
      : expander_(expander), spaces_(std::move(spaces)) {}

  void expand(Node& node, Path& path) {
    each_branch(node, path, [&](Node& child) { expand(child, path); });
    std::vector<Node> out;
    if (std::ranges::none_of(node.items, is_use)) return;
    for (Node& item : node.items) {
      if (is_use(item))
        write_out(item, path, out);
      else
        out.push_back(std::move(item));
    }
    node.items = std::move(out);
  }

 private:
  static bool is_use(const Node& item) {
    return item.is_map() && item.entries.size() == 1 && item.has("use");
  }

  void fail(const Node& at, const Path& path, std::string message, std::string suggestion) {
    expander_.report.error(Code::BUILTIN_INVALID, at.origin, std::move(message), path.text())
        .suggestion = std::move(suggestion);
  }

  // Which of the spaces it is, is asked one after the other.
  void write_out(const Node& item, const Path& path, std::vector<Node>& out) {
    const Node& body = item.entries.front().value;
    const Node* zone = body.find("zone");
    constexpr std::string_view keys[] = {"zone"};
    if (!body.is_map() || zone == nullptr || !zone->is_string())
      return fail(body, path, "`use` needs the binding of a space", "write {use: {zone: $space}}");
    if (!only_keys(body, keys, "`use`", path.text() + ".use", expander_.report)) return;
    if (spaces_.empty())
      return fail(body, path, "no zone has `onUse`, so `use` would never do anything",
                  "say what a space does where it is declared: {id: market, onUse: [gold += 1]}");
    const Build b{{item.origin.place, item.origin.expansion}};
    std::size_t nodes = 0;
    for (const Space& space : spaces_) nodes += 12 + count_nodes(space.effects);
    if (!take_nodes(expander_, nodes, item.origin, path.text())) return;
    for (const Space& space : spaces_) {
      Node here = zone->text.starts_with('$') ? b.map({{"ref", b.text("binding")}, {"name", *zone}})
                                              : *zone;
      Node when =
          b.map({{"op", b.text("==")}, {"left", std::move(here)}, {"right", b.text(space.id)}});
      if (!zone->text.starts_with('$')) {
        if (zone->text == space.id)
          for (const Node& effect : space.effects.items) out.push_back(effect);
        continue;
      }
      out.push_back(b.map({{"if", b.map({{"when", std::move(when)}, {"then", space.effects}})}}));
    }
  }

  Expander& expander_;
  std::vector<Space> spaces_;
};

}  // namespace

void expand_spaces(Expander& expander) {
  take_round_rules(expander);
  give_teams(expander);
  Uses uses{expander, take_rules(expander)};
  const auto visit = [&](Section section) {
    Node* node = expander.doc.find(section);
    if (node == nullptr) return;
    Path path{std::string{section_name(section)}};
    uses.expand(*node, path);
  };
  std::ranges::for_each(rule_sections(), visit);
  visit(Section::effectMacros);
}

}  // namespace parlor::spec
