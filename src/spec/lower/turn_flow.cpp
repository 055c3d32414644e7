// Card-driven turn order: who may act on a card, and how.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/events.h"

namespace parlor::spec::lower {

void check_word(Context& cx, const Node& node, std::string_view what,
                std::initializer_list<std::string_view> words) {
  std::vector<std::string> names{words.begin(), words.end()};
  if (std::ranges::none_of(names, [&](const std::string& name) { return node.is(name); }))
    report_word(cx, node, what, names);
}

ActionClass read_class(Context& cx, const Node& node) {
  return read_word<ActionClass>(
      cx, node, "action class",
      {{"pass", ActionClass::pass},
       {"event", ActionClass::event},
       {"operation", ActionClass::operation},
       {"limitedOperation", ActionClass::limited_operation},
       {"operationPlusSpecialActivity", ActionClass::operation_plus_special_activity},
       {"specialActivity", ActionClass::special_activity}},
      ActionClass::none);
}

Duration read_duration(Context& cx, const Node& node) {
  return read_word<Duration>(cx, node, "duration",
                             {{"turn", Duration::turn},
                              {"nextTurn", Duration::next_turn},
                              {"round", Duration::round},
                              {"cycle", Duration::cycle}},
                             Duration::turn);
}

MaxParam read_max_param(Context& cx, const Node& node) {
  MaxParam out;
  Fields fields{cx, node, "maxParam"};
  fields.need("name", [&](const Node& n) { out.name = read_id(cx, n, "the name of a parameter"); });
  fields.need("max", [&](const Node& n) { out.max = read_int(cx, n, "max", 0); });
  return out;
}

std::vector<std::string> read_actions(Context& cx, const Node& node) {
  return read_list<std::string>(cx, node, "a list of actions", read_action);
}

std::vector<NamedScalar> read_named_scalars(Context& cx, const Node& node, std::string_view what) {
  std::vector<NamedScalar> out;
  if (!node.is_map()) wrong_shape(cx, node, what);
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    if (auto value = read_scalar(cx, entry.value, "a number, text, true or false"))
      out.push_back({entry.key, std::move(*value)});
  }
  std::ranges::sort(out, {}, &NamedScalar::name);
  return out;
}

const Node* find_in_turn_flow(const Context& cx, std::initializer_list<std::string_view> keys) {
  const Node* node = cx.doc.find(Section::turnOrder);
  const auto enter = [&](std::string_view key) {
    node = node != nullptr ? node->find(key) : nullptr;
  };
  enter("config");
  enter("turnFlow");
  for (const std::string_view key : keys) enter(key);
  return node;
}

namespace {

MonsoonRule read_monsoon_rule(Context& cx, const Node& node) {
  MonsoonRule out;
  Fields fields{cx, node, "a restricted action"};
  fields.need("actionId", [&](const Node& n) { out.action = read_action(cx, n); });
  fields.maybe("maxParam", [&](const Node& n) { out.max_param = read_max_param(cx, n); });
  fields.maybe("maxParamsTotal", [&](const Node& n) {
    Fields total{cx, n, "maxParamsTotal"};
    total.need("names", [&](const Node& names) {
      out.total_names = read_strings(cx, names, "a list of names");
    });
    total.need("max", [&](const Node& max) { out.total_max = read_int(cx, max, "max", 0); });
  });
  fields.maybe("overrideToken",
               [&](const Node& n) { out.override_token = read_id(cx, n, "a token"); });
  return out;
}

MonsoonDef read_monsoon(Context& cx, const Node& node) {
  MonsoonDef out;
  Fields fields{cx, node, "monsoon"};
  fields.need("restrictedActions", [&](const Node& list) {
    out.restricted = read_list(cx, list, "a list of restricted actions", read_monsoon_rule);
  });
  fields.maybe("blockPivotal",
               [&](const Node& n) { out.block_pivotal = read_bool(cx, n, "blockPivotal"); });
  fields.maybe("pivotalOverrideToken",
               [&](const Node& n) { out.pivotal_override_token = read_id(cx, n, "a token"); });
  return out;
}

MoveSelector read_move_selector(Context& cx, const Node& node) {
  MoveSelector out;
  Fields fields{cx, node, "a move selector"};
  fields.maybe("actionId", [&](const Node& n) { out.action = read_action(cx, n); });
  fields.maybe("actionClass", [&](const Node& n) { out.action_class = read_class(cx, n); });
  fields.maybe("eventCardId",
               [&](const Node& n) { out.card = read_id(cx, n, "the id of a card"); });
  fields.maybe("eventCardTagsAll",
               [&](const Node& n) { out.tags_all = read_strings(cx, n, "a list of tags"); });
  fields.maybe("eventCardTagsAny",
               [&](const Node& n) { out.tags_any = read_strings(cx, n, "a list of tags"); });
  fields.maybe("paramEquals", [&](const Node& n) {
    out.params = read_named_scalars(cx, n, "a mapping from parameters to values");
  });
  return out;
}

Cancellation read_cancellation(Context& cx, const Node& node) {
  Cancellation out;
  Fields fields{cx, node, "a cancellation"};
  fields.need("winner", [&](const Node& n) { out.winner = read_move_selector(cx, n); });
  fields.need("canceled", [&](const Node& n) { out.canceled = read_move_selector(cx, n); });
  return out;
}

PivotalDef read_pivotal(Context& cx, const Node& node) {
  PivotalDef out;
  Fields fields{cx, node, "pivotal"};
  fields.need("actionIds", [&](const Node& n) { out.actions = read_actions(cx, n); });
  fields.maybe("requirePreActionWindow", [&](const Node& n) {
    out.before_acts_only = read_bool(cx, n, "requirePreActionWindow");
  });
  fields.maybe("disallowWhenLookaheadIsCoup", [&](const Node& n) {
    out.not_before_coup = read_bool(cx, n, "disallowWhenLookaheadIsCoup");
  });
  fields.maybe("interrupt", [&](const Node& n) {
    Fields inner{cx, n, "interrupt"};
    inner.need("precedence", [&](const Node& list) { out.precedence = read_seats(cx, list); });
    inner.maybe("cancellation", [&](const Node& list) {
      out.cancellations = read_list(cx, list, "a list of cancellations", read_cancellation);
    });
  });
  if (out.actions.size() > 1 && out.precedence.empty() && !node.has("interrupt"))
    cx.error(Code::KEY_MISSING, node, "several pivotal actions need `interrupt.precedence`")
        .suggestion = "say whose comes first: `interrupt: {precedence: [seats]}`";
  return out;
}

MatrixRow read_matrix_row(Context& cx, const Node& node) {
  MatrixRow out;
  Fields fields{cx, node, "a row of optionMatrix"};
  fields.need("first", [&](const Node& n) {
    out.first = read_word<ActionClass>(
        cx, n, "first action class",
        {{"event", ActionClass::event},
         {"operation", ActionClass::operation},
         {"operationPlusSpecialActivity", ActionClass::operation_plus_special_activity}},
        ActionClass::event);
  });
  fields.need("second", [&](const Node& n) {
    out.second = read_list(cx, n, "a list of classes", read_class);
  });
  return out;
}

PassReward read_pass_reward(Context& cx, const Node& node) {
  PassReward out;
  Fields fields{cx, node, "a pass reward"};
  fields.need("seat", [&](const Node& n) { out.seat = read_seat(cx, n); });
  fields.need("resource", [&](const Node& n) {
    out.resource = read_id(cx, n, "the name of a global variable");
    if (out.resource.empty() || cx.symbols.global_vars.contains(out.resource)) return;
    cx.warning(
          Code::VAR_UNKNOWN, n,
          fmt::format("there is no global variable `{}`: this reward adds nothing", out.resource))
        .alternatives = did_you_mean(out.resource, names_of(cx.symbols.global_vars));
  });
  fields.need("amount", [&](const Node& n) { out.amount = read_int(cx, n, "amount"); });
  return out;
}

WindowDef read_window(Context& cx, const Node& node) {
  WindowDef out;
  Fields fields{cx, node, "a window"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a window"); });
  fields.need("duration", [&](const Node& n) { out.duration = read_duration(cx, n); });
  fields.maybe("usages",
               [&](const Node& n) { out.usages = read_strings(cx, n, "a list of usages"); });
  return out;
}

std::vector<ActionClassOf> read_action_classes(Context& cx, const Node& node) {
  std::vector<ActionClassOf> out;
  if (!node.is_map()) wrong_shape(cx, node, "a mapping from actions to classes");
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    ActionClassOf one;
    one.action =
        read_action(cx, Node::of_string(entry.key, {entry.key_place, node.origin.expansion}));
    one.action_class = read_class(cx, entry.value);
    out.push_back(std::move(one));
  }
  std::ranges::sort(out, {}, &ActionClassOf::action);
  return out;
}

std::vector<NamedSeat> read_seat_words(Context& cx, const Node& node) {
  std::vector<NamedSeat> out;
  if (!node.is_map()) wrong_shape(cx, node, "a mapping from words on cards to seats");
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    out.push_back({entry.key, read_seat(cx, entry.value)});
  }
  std::ranges::sort(out, {}, &NamedSeat::word);
  return out;
}

// Some actions are of a class by what they are. The one the compiler adds to play cards need not be
// mentioned.
void check_classes(Context& cx, const Node& node, TurnFlowDef& flow) {
  const Node* declared = node.find("actionClassByActionId");
  if (declared == nullptr || !declared->is_map()) return;
  const auto step = cx.step("actionClassByActionId");
  const auto demand = [&](const std::string& action, ActionClass wanted, std::string_view what) {
    const auto found = std::ranges::find(flow.classes, action, &ActionClassOf::action);
    // A word that is no class has been reported.
    if (found != flow.classes.end() &&
        (found->action_class == wanted || found->action_class == ActionClass::none))
      return;
    const std::string_view name = wanted == ActionClass::pass ? "pass" : "event";
    const Node* given = declared->find(action);
    cx.error(Code::ACTION_CLASS_WRONG, given != nullptr ? *given : *declared,
             fmt::format("{} must be of class `{}`", what, name))
        .suggestion = fmt::format("write `{}: {}`", action, name);
  };
  for (const ActionDef& action : cx.game.actions) {
    if (action.id == "pass") demand("pass", ActionClass::pass, "the action `pass`");
    if (std::ranges::find(action.capabilities, "cardEvent") == action.capabilities.end()) continue;
    const bool added = action.at.index == 0 && declared->find(action.id) == nullptr;
    if (added)
      flow.classes.push_back({action.id, ActionClass::event});
    else
      demand(action.id, ActionClass::event,
             fmt::format("`{}`, which plays event cards,", action.id));
  }
  if (flow.pivotal)
    for (const std::string& action : flow.pivotal->actions)
      if (std::ranges::find(cx.symbols.actions, action) != cx.symbols.actions.end())
        demand(action, ActionClass::event, fmt::format("the pivotal action `{}`", action));
  std::ranges::sort(flow.classes, {}, &ActionClassOf::action);
}

void read_card_lifecycle(Context& cx, const Node& node, TurnFlowDef& out) {
  Fields fields{cx, node, "cardLifecycle"};
  fields.need("played", [&](const Node& n) { out.played = read_zone_id(cx, n); });
  fields.need("lookahead", [&](const Node& n) { out.lookahead = read_zone_id(cx, n); });
  fields.need("leader", [&](const Node& n) { out.leader = read_zone_id(cx, n); });
}

void read_optional_flow(Context& cx, Fields& fields, TurnFlowDef& out) {
  fields.maybe("freeOperationsAreActs", [&](const Node& n) {
    out.free_operations_are_acts = read_bool(cx, n, "freeOperationsAreActs");
  });
  fields.maybe("freeOperationActionIds",
               [&](const Node& n) { out.free_operation_actions = read_actions(cx, n); });
  fields.maybe("cardSeatOrderMetadataKey", [&](const Node& n) {
    out.seat_order_key = read_id(cx, n, "a key of the cards' metadata");
  });
  fields.maybe("cardSeatOrderMapping",
               [&](const Node& n) { out.seat_order_mapping = read_seat_words(cx, n); });
  fields.maybe("monsoon", [&](const Node& n) { out.monsoon = read_monsoon(cx, n); });
  fields.maybe("pivotal", [&](const Node& n) { out.pivotal = read_pivotal(cx, n); });
}

TurnFlowDef read_turn_flow(Context& cx, const Node& node) {
  TurnFlowDef out;
  Fields fields{cx, node, "turnFlow"};
  fields.need("cardLifecycle", [&](const Node& n) { read_card_lifecycle(cx, n, out); });
  fields.need("eligibility", [&](const Node& n) {
    Fields inner{cx, n, "eligibility"};
    inner.need("seats", [&](const Node& list) { out.seats = read_seats(cx, list); });
    inner.allow({"overrideWindows"});
  });
  fields.need("windows", [&](const Node& n) {
    out.windows = read_list(cx, n, "a list of windows", read_window);
  });
  fields.need("actionClassByActionId",
              [&](const Node& n) { out.classes = read_action_classes(cx, n); });
  fields.need("optionMatrix", [&](const Node& n) {
    out.matrix = read_list(cx, n, "a list of rows", read_matrix_row);
  });
  fields.need("passRewards", [&](const Node& n) {
    out.rewards = read_list(cx, n, "a list of rewards", read_pass_reward);
  });
  fields.need("durationWindows",
              [&](const Node& n) { read_list(cx, n, "a list of durations", read_duration); });
  read_optional_flow(cx, fields, out);
  check_classes(cx, node, out);
  return out;
}

CoupPlanDef read_coup_plan(Context& cx, const Node& node) {
  CoupPlanDef out;
  Fields fields{cx, node, "coupPlan"};
  fields.need("phases", [&](const Node& list) {
    each_item(cx, list, "a list of coup phases", [&](const Node& phase) {
      Fields inner{cx, phase, "a coup phase"};
      inner.need("id", [&](const Node& id) { out.phases.push_back(read_phase(cx, id)); });
      inner.need("steps", [&](const Node& steps) {  // said for people, without effect
        if (!steps.is_list())
          not_a_list(cx, steps, "a list of steps");
        else if (steps.items.empty())
          cx.error(Code::LIST_EMPTY, steps, "a coup phase needs at least one step").suggestion =
              "name what happens in it: `steps: [victory]`";
      });
    });
  });
  fields.maybe("finalRoundOmitPhases", [&](const Node& list) {
    out.final_round_omits = read_list<std::string>(cx, list, "a list of phases", read_phase);
  });
  fields.maybe("seatOrder", [&](const Node& list) { out.seat_order = read_seats(cx, list); });
  fields.maybe("maxConsecutiveRounds", [&](const Node& most) {
    out.max_consecutive = read_int(cx, most, "maxConsecutiveRounds", 1);
  });
  return out;
}

}  // namespace

CardDrivenDef read_card_driven(Context& cx, const Node& config) {
  CardDrivenDef out;
  Fields fields{cx, config, "cardDriven"};
  fields.need("turnFlow", [&](const Node& n) { out.flow = read_turn_flow(cx, n); });
  fields.maybe("coupPlan", [&](const Node& n) { out.coup = read_coup_plan(cx, n); });
  return out;
}

}  // namespace parlor::spec::lower
