// Triggers: what their declaration leaves to code.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/runaway.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

// What rules know of an event, whether they say which one they wait for or not.
struct Known {
  std::string_view events, name;
  Kind kind;
};
constexpr Known known[] = {{"phaseEnter phaseExit", "$phase", Kind::string},
                           {"actionResolved", "$action", Kind::string},
                           {"tokenEntered varChanged", "$zone", Kind::zone},
                           {"varChanged", "$scope", Kind::string},
                           {"varChanged", "$var", Kind::string},
                           {"varChanged", "$player", Kind::player},
                           {"varChanged", "$oldValue", Kind::unknown},
                           {"varChanged", "$newValue", Kind::unknown}};

void check_variable(Context& cx, const Node& node, const TriggerDef& trigger) {
  const Symbols& s = cx.symbols;
  const bool global = trigger.scope == VarCell::Scope::global;
  Table<VarType> known;
  if (!trigger.scope || global) known.insert(s.global_vars.begin(), s.global_vars.end());
  if (!global) known.insert(s.per_player_vars.begin(), s.per_player_vars.end());
  if (!trigger.scope) known.insert(s.zone_vars.begin(), s.zone_vars.end());
  const std::string& name = *trigger.var;
  if (name.empty() || known.contains(name)) return;
  Diagnostic& d = cx.unknown(Code::VAR_UNKNOWN, node, "variable", name, names_of(known));
  d.suggestion = "this trigger could never fire";
  if (trigger.scope && s.per_player_vars.contains(name))
    d.suggestion = fmt::format("`{}` is a variable of players: write `scope: perPlayer`", name);
  else if (trigger.scope && s.global_vars.contains(name))
    d.suggestion = fmt::format("`{}` is a global variable: write `scope: global`", name);
  else if (trigger.scope && s.zone_vars.contains(name))
    d.suggestion = fmt::format("`{}` is a variable of zones: leave `scope` out", name);
}

// Nobody can be asked while triggers run.
void forbid_choices(Context& cx, const Node& node) {
  for (const Entry& entry : node.entries) {
    if (entry.key == "chooseOne" || entry.key == "chooseN")
      cx.error_at(Code::CHOICE_IN_TRIGGER, {entry.key_place, node.origin.expansion}, cx.path(),
                  "a trigger cannot ask a player to choose")
          .suggestion = "let the trigger push an interrupt phase with an action that asks";
    const auto step = cx.step(entry.key);
    forbid_choices(cx, entry.value);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = cx.step(i);
    forbid_choices(cx, node.items[i]);
  }
}

}  // namespace

void begin(Reading& r, TriggerDef&) {
  const std::string_view event = r.text("event");
  r.cx.scope.declare({"$event", plain(Kind::record), {}});
  for (const Known& one : known)
    if (has_word(one.events, event))
      r.cx.scope.declare({std::string{one.name}, plain(one.kind), {}});
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, TriggerDef& out) {
  Context& cx = r.cx;
  if (field.name == "player") {
    out.player = read_int(cx, node, "a player", 0, cx.symbols.max_players - 1);
    return;
  }
  const std::string text = read_id(cx, node, "the id of a zone");
  const ZoneInfo* zone = find_in(cx.symbols.zones, text.substr(0, text.find(':')));
  if (zone != nullptr && zone->owner == ZoneOwner::player && text.find(':') == std::string::npos)
    cx.error(Code::ZONE_AMBIGUOUS, node,
             fmt::format("every player has a zone `{}`: say whose", text))
        .suggestion =
        fmt::format("name one, e.g. `{}:0`, or leave `zone` out and test $zone", text);
  out.zone = read_zone_id(cx, node);
}

void check(Reading& r, TriggerDef& out) {
  Context& cx = r.cx;
  if (r.given("id") == nullptr) out.id = fmt::format("trigger_{}", cx.items.at);
  if (out.var) {
    const auto step = cx.step("event.var");
    check_variable(cx, *r.said("var"), out);
  }
  r.at("effects", [&](const Node& effects) { forbid_choices(cx, effects); });
  for (const auto* condition : {&out.match, &out.when})
    if (*condition && std::holds_alternative<bool>((*condition)->node) &&
        !std::get<bool>((*condition)->node))
      cx.warning(Code::TRIGGER_NEVER, r.node(),
                 "this trigger can never fire: its condition is false");
}

void lower_triggers(Context& cx) {
  read_section(cx, Section::triggers);
  const auto step = cx.step(section_name(Section::triggers));
  for (const TriggerLoop& loop : find_trigger_loops(cx.game)) {
    const std::size_t first = loop.triggers.front();
    const auto which = cx.step(first);
    cx.warning(Code::TRIGGER_DEPTH_EXCEEDED, cx.doc.find(Section::triggers)->items[first],
               fmt::format("this sets itself off without end: {}; at a depth of {} it is cut off",
                           loop.told, cx.game.metadata.max_trigger_depth))
        .suggestion = "do it only under a condition (`if:`, or `when:` of a trigger)";
  }
}

}  // namespace parlor::spec::lower
