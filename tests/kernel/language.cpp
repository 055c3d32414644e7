#include "kernel/language.h"

#include <regex>

namespace parlor::language {

namespace {

// The sections every case has unless it brings its own.
const std::vector<std::pair<std::string, std::string>> usual = {
    {"metadata", "metadata: {id: shown, players: {min: 3, max: 3}}"},
    {"zones", R"(zones:
  - {id: deck, owner: none, visibility: public, ordering: stack}
  - {id: pile, owner: none, visibility: public, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
  - {id: a, owner: none, visibility: public, ordering: set, zoneKind: board, category: town, attributes: {size: 3, tags: [old, dry]}, adjacentTo: [{to: "b:none"}]}
  - {id: b, owner: none, visibility: public, ordering: set, zoneKind: board, category: wood, attributes: {size: 5, tags: []}, adjacentTo: [{to: "c:none"}]}
  - {id: c, owner: none, visibility: public, ordering: set, zoneKind: board, category: town, attributes: {size: 1, tags: [new]}})"},
    {"globalVars", R"(globalVars:
  - {name: x, type: int, init: 0, min: -10, max: 10}
  - {name: y, type: int, init: 0, min: -10, max: 10}
  - {name: t, type: int, init: 0, min: 0, max: 999999999}
  - {name: flag, type: boolean, init: false})"},
    {"perPlayerVars", "perPlayerVars: [{name: p, type: int, init: 1, min: 0, max: 5}]"},
    {"zoneVars", "zoneVars: [{name: z, type: int, init: 0, min: 0, max: 3}]"},
    {"tokenTypes", R"(tokenTypes:
  - {id: card, props: {n: int, kind: string}}
  - {id: man, props: {n: int, kind: string, seen: boolean}, onZoneEntry: [{match: {category: wood}, set: {seen: true}}]})"},
    {"turnStructure", "turnStructure: {phases: [{id: main}]}"},
    {"terminal",
     "terminal: {conditions: [{when: {op: \">=\", left: {ref: gvar, var: x}, right: 10}, result: "
     "{type: draw}}]}"},
};

std::string with_digits(const std::string& text) {
  static const std::regex digit("@([0-9])");
  return std::regex_replace(
      text, digit,
      "{setVar: {scope: global, var: t, value: {op: +, left: {op: '*', left: {ref: gvar, var: t}, "
      "right: 10}, right: $1}}}");
}

bool has_section(const std::string& text, const std::string& name) {
  return text.rfind(name + ":", 0) == 0 || text.find("\n" + name + ":") != std::string::npos;
}

std::string trimmed(const std::string& text) {
  const std::size_t start = text.find_first_not_of('\n');
  return start == std::string::npos ? "" : text.substr(start);
}

}  // namespace

std::string game_text(const Case& c) {
  const std::string own = trimmed(c.sections);
  std::string text;
  for (const auto& [name, section] : usual)
    if (!has_section(own, name)) text += section + "\n";
  if (!own.empty()) text += own + "\n";
  if (!has_section(own, "actions")) {
    text += "actions:\n  - {id: end, phase: [main], effects: [{advancePhase: {}}]}\n";
    if (!c.effects.empty()) {
      text += "  - id: go\n    phase: [main]\n    effects:\n";
      std::string line;
      for (const char ch : trimmed(c.effects) + "\n") {
        if (ch != '\n') {
          line += ch;
          continue;
        }
        if (!line.empty()) text += "      " + line + "\n";
        line.clear();
      }
    }
  }
  return "```yaml\n" + with_digits(text) + "```\n";
}

namespace {

std::string check(const Json& expect, Player& player) {
  const Json view = player.view();
  for (const auto& [key, want] : expect.items()) {
    Json got;
    if (key == "options") {
      got = player.options();
    } else if (key == "reason") {
      got = player.finished() ? Json(player.outcome().reason) : Json("not finished");
    } else if (key == "winners") {
      got = Json::array();
      for (const PlayerId winner : player.outcome().winners) got.push_back(winner.index());
    } else if (key == "places") {
      got = player.outcome().places;
    } else if (key == "returns") {
      got = player.outcome().returns;
    } else {
      const Json::json_pointer pointer(key);
      got = view.contains(pointer) ? view[pointer] : Json("nothing there");
    }
    if (got != want) return key + " is " + got.dump() + ", expected " + want.dump();
  }
  return "";
}

}  // namespace

std::string play(const Case& c, Player& player) {
  Json expect = c.expect;
  const bool illegal = expect.contains("illegal");
  const std::string fault = expect.value("fault", "");
  expect.erase("illegal");
  expect.erase("fault");
  for (std::size_t i = 0; i < c.picks.size(); ++i) {
    Json want = c.picks[i];
    if (want.is_string()) want = Json{{"action", want}, {"params", Json::object()}};
    const Json options = player.options();
    const auto found = std::find(options.begin(), options.end(), want);
    const bool last = i + 1 == c.picks.size();
    if (found == options.end()) {
      if (last && illegal) return check(expect, player);
      return "pick " + want.dump() + " is not among " + options.dump();
    }
    if (last && illegal) return "pick " + want.dump() + " is offered";
    const Json before = player.view();
    const auto refused = player.pick(static_cast<std::size_t>(found - options.begin()));
    if (!last || fault.empty()) {
      if (refused) return "pick " + want.dump() + " is refused: " + *refused;
      continue;
    }
    if (!refused) return "pick " + want.dump() + " is made, expected " + fault;
    if (*refused != fault && *refused != any_fault)
      return "pick " + want.dump() + " is refused with " + *refused + ", expected " + fault;
    if (player.view() != before || player.options() != options)
      return "the refused pick " + want.dump() + " changed something";
  }
  return check(expect, player);
}

std::vector<Case> all_cases() {
  std::vector<Case> out;
  for (const auto& group :
       {value_cases(), query_cases(), effect_cases(), choice_cases(), name_cases(), turn_cases(),
        timed_cases(), text_cases(), legality_cases(), order_cases(), table_cases()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
