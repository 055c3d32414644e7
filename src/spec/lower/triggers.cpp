// Triggers and the end of the game.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/runaway.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

struct EventInfo {
  std::string_view name;
  EventKind kind;
};
constexpr EventInfo events[] = {
    {"phaseEnter", EventKind::phase_enter},         {"phaseExit", EventKind::phase_exit},
    {"turnStart", EventKind::turn_start},           {"turnEnd", EventKind::turn_end},
    {"roundStart", EventKind::round_start},         {"roundEnd", EventKind::round_end},
    {"actionResolved", EventKind::action_resolved}, {"tokenEntered", EventKind::token_entered},
    {"varChanged", EventKind::var_changed}};

void read_var_event(Context& cx, Fields& fields, TriggerDef& out) {
  fields.maybe("scope", [&](const Node& n) {
    out.scope = read_word<VarCell::Scope>(
        cx, n, "scope",
        {{"global", VarCell::Scope::global}, {"perPlayer", VarCell::Scope::per_player}},
        VarCell::Scope::global);
  });
  fields.maybe("var", [&](const Node& n) {
    out.var = read_id(cx, n, "the name of a variable");
    const Symbols& s = cx.symbols;
    Table<VarType> known;
    if (!out.scope || *out.scope == VarCell::Scope::global)
      known.insert(s.global_vars.begin(), s.global_vars.end());
    if (!out.scope || *out.scope == VarCell::Scope::per_player)
      known.insert(s.per_player_vars.begin(), s.per_player_vars.end());
    if (!out.scope) known.insert(s.zone_vars.begin(), s.zone_vars.end());
    if (out.var->empty() || known.contains(*out.var)) return;
    Diagnostic& d = cx.unknown(Code::VAR_UNKNOWN, n, "variable", *out.var, names_of(known));
    d.suggestion = "this trigger could never fire";
    if (out.scope && s.per_player_vars.contains(*out.var))
      d.suggestion =
          fmt::format("`{}` is a variable of players: write `scope: perPlayer`", *out.var);
    else if (out.scope && s.global_vars.contains(*out.var))
      d.suggestion = fmt::format("`{}` is a global variable: write `scope: global`", *out.var);
    else if (out.scope && s.zone_vars.contains(*out.var))
      d.suggestion = fmt::format("`{}` is a variable of zones: leave `scope` out", *out.var);
  });
  fields.maybe("player", [&](const Node& n) {
    out.player = read_int(cx, n, "a player", 0, cx.symbols.max_players - 1);
  });
  cx.scope.declare({"$scope", plain(Kind::string), {}});
  cx.scope.declare({"$var", plain(Kind::string), {}});
  cx.scope.declare({"$player", plain(Kind::player), {}});
  cx.scope.declare({"$zone", plain(Kind::zone), {}});
  cx.scope.declare({"$oldValue", {}, {}});
  cx.scope.declare({"$newValue", {}, {}});
}

std::string read_entered_zone(Context& cx, const Node& node) {
  const std::string text = read_id(cx, node, "the id of a zone");
  const ZoneInfo* zone = find_in(cx.symbols.zones, text.substr(0, text.find(':')));
  if (zone != nullptr && zone->owner == ZoneOwner::player && text.find(':') == std::string::npos)
    cx.error(Code::ZONE_AMBIGUOUS, node,
             fmt::format("every player has a zone `{}`: say whose", text))
        .suggestion =
        fmt::format("name one, e.g. `{}:0`, or leave `zone` out and test $zone", text);
  return read_zone_id(cx, node);
}

void read_event(Context& cx, const Node& node, TriggerDef& out) {
  const Node* type = node.find("type");
  Fields fields{cx, node, "an event"};
  fields.need("type", [&](const Node& n) {
    std::vector<std::string> names;
    for (const EventInfo& event : events) {
      names.emplace_back(event.name);
      if (n.is(event.name)) out.event = event.kind;
    }
    if (std::ranges::none_of(names, [&](const std::string& name) { return n.is(name); })) {
      fields.give_up();
      report_word(cx, n, "event", names);
    }
  });
  cx.scope.declare({"$event", plain(Kind::record), {}});
  // Whatever else the event says cannot be judged.
  if (type == nullptr) fields.allow({"phase", "action", "zone", "scope", "var", "player"});
  switch (out.event) {
    case EventKind::phase_enter:
    case EventKind::phase_exit:
      fields.maybe("phase", [&](const Node& n) { out.phase = read_phase(cx, n); });
      cx.scope.declare({"$phase", plain(Kind::string), {}});
      break;
    case EventKind::action_resolved:
      fields.maybe("action", [&](const Node& n) { out.action = read_action(cx, n); });
      cx.scope.declare({"$action", plain(Kind::string), {}});
      break;
    case EventKind::token_entered:
      fields.maybe("zone", [&](const Node& n) { out.zone = read_entered_zone(cx, n); });
      cx.scope.declare({"$zone", plain(Kind::zone), {}});
      break;
    case EventKind::var_changed:
      read_var_event(cx, fields, out);
      break;
    case EventKind::turn_start:
    case EventKind::turn_end:
    case EventKind::round_start:
    case EventKind::round_end:
      break;
  }
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

TriggerDef read_trigger(Context& cx, const Node& node, std::size_t index) {
  TriggerDef out;
  out.id = fmt::format("trigger_{}", index);
  out.at = cx.place(node);
  cx.scope = {};
  Fields fields{cx, node, "a trigger"};
  fields.maybe("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a trigger"); });
  fields.need("event", [&](const Node& n) { read_event(cx, n, out); });
  fields.maybe("match", [&](const Node& n) { out.match = read_condition(cx, n); });
  fields.maybe("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  fields.need("effects", [&](const Node& n) {
    out.effects = read_effects(cx, n);
    forbid_choices(cx, n);
  });
  for (const auto* condition : {&out.match, &out.when})
    if (*condition && std::holds_alternative<bool>((*condition)->node) &&
        !std::get<bool>((*condition)->node))
      cx.warning(Code::TRIGGER_NEVER, node, "this trigger can never fire: its condition is false");
  return out;
}

}  // namespace

void lower_triggers(Context& cx) {
  UniqueIds ids{cx, "trigger"};
  std::vector<const Node*> nodes;
  each_of_section(cx, Section::triggers, [&](const Node& node) {
    TriggerDef trigger = read_trigger(cx, node, nodes.size());
    nodes.push_back(&node);
    const Node* id = node.find("id");
    ids.add(trigger.id, id && id->is_string() ? *id : node);
    cx.game.triggers.push_back(std::move(trigger));
  });
  cx.scope = {};
  const auto step = cx.step(section_name(Section::triggers));
  for (const TriggerLoop& loop : find_trigger_loops(cx.game)) {
    const auto which = cx.step(loop.triggers.front());
    cx.warning(Code::TRIGGER_DEPTH_EXCEEDED, *nodes[loop.triggers.front()],
               fmt::format("this sets itself off without end: {}; at a depth of {} it is cut off",
                           loop.told, cx.game.metadata.max_trigger_depth))
        .suggestion = "do it only under a condition (`if:`, or `when:` of a trigger)";
  }
}

}  // namespace parlor::spec::lower
