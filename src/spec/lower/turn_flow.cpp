// Card-driven turn order: who may act on a card, and how. Checked for shape and kept as authored.
#include <algorithm>

#include "spec/lower/events.h"

namespace parlor::spec::lower {

void check_word(Context& cx, const Node& node, std::string_view what,
                std::initializer_list<std::string_view> words) {
  std::vector<std::string> names{words.begin(), words.end()};
  if (std::ranges::none_of(names, [&](const std::string& name) { return node.is(name); }))
    report_word(cx, node, what, names);
}

void check_class(Context& cx, const Node& node) {
  check_word(cx, node, "action class",
             {"pass", "event", "operation", "limitedOperation", "operationPlusSpecialActivity",
              "specialActivity"});
}

void check_duration(Context& cx, const Node& node) {
  check_word(cx, node, "duration", {"turn", "nextTurn", "round", "cycle"});
}

void check_max_param(Context& cx, const Node& node) {
  Fields fields{cx, node, "maxParam"};
  fields.need("name", [&](const Node& n) { read_id(cx, n, "the name of a parameter"); });
  fields.need("max", [&](const Node& n) { read_int(cx, n, "max", 0); });
}

namespace {

void check_actions(Context& cx, const Node& node) {
  each_item(cx, node, "a list of actions", [&](const Node& action) { read_action(cx, action); });
}

void check_monsoon(Context& cx, const Node& node) {
  Fields fields{cx, node, "monsoon"};
  fields.need("restrictedActions", [&](const Node& list) {
    each_item(cx, list, "a list of restricted actions", [&](const Node& item) {
      Fields inner{cx, item, "a restricted action"};
      inner.need("actionId", [&](const Node& n) { read_action(cx, n); });
      inner.maybe("maxParam", [&](const Node& n) { check_max_param(cx, n); });
      inner.maybe("maxParamsTotal", [&](const Node& n) {
        Fields total{cx, n, "maxParamsTotal"};
        total.need("names", [&](const Node& names) { read_strings(cx, names, "a list of names"); });
        total.need("max", [&](const Node& max) { read_int(cx, max, "max", 0); });
      });
      inner.maybe("overrideToken", [&](const Node& n) { read_id(cx, n, "a token"); });
    });
  });
  fields.maybe("blockPivotal", [&](const Node& n) { read_bool(cx, n, "blockPivotal"); });
  fields.maybe("pivotalOverrideToken", [&](const Node& n) { read_id(cx, n, "a token"); });
}

void check_move_selector(Context& cx, const Node& node) {
  Fields fields{cx, node, "a move selector"};
  fields.maybe("actionId", [&](const Node& n) { read_action(cx, n); });
  fields.maybe("actionClass", [&](const Node& n) { check_class(cx, n); });
  fields.maybe("eventCardId", [&](const Node& n) { read_id(cx, n, "the id of a card"); });
  for (const char* key : {"eventCardTagsAll", "eventCardTagsAny"})
    fields.maybe(key, [&](const Node& n) { read_strings(cx, n, "a list of tags"); });
  fields.maybe("paramEquals", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from parameters to values");
  });
}

void check_pivotal(Context& cx, const Node& node) {
  Fields fields{cx, node, "pivotal"};
  fields.need("actionIds", [&](const Node& n) { check_actions(cx, n); });
  for (const char* key : {"requirePreActionWindow", "disallowWhenLookaheadIsCoup"})
    fields.maybe(key, [&](const Node& n) { read_bool(cx, n, key); });
  fields.maybe("interrupt", [&](const Node& n) {
    Fields inner{cx, n, "interrupt"};
    inner.need("precedence", [&](const Node& list) { check_seats(cx, list); });
    inner.maybe("cancellation", [&](const Node& list) {
      each_item(cx, list, "a list of cancellations", [&](const Node& item) {
        Fields rule{cx, item, "a cancellation"};
        rule.need("winner", [&](const Node& move) { check_move_selector(cx, move); });
        rule.need("canceled", [&](const Node& move) { check_move_selector(cx, move); });
      });
    });
  });
}

void check_option_matrix(Context& cx, const Node& node) {
  each_item(cx, node, "a list of rows", [&](const Node& row) {
    Fields fields{cx, row, "a row of optionMatrix"};
    fields.need("first", [&](const Node& first) {
      check_word(cx, first, "first action class",
                 {"event", "operation", "operationPlusSpecialActivity"});
    });
    fields.need("second", [&](const Node& second) {
      each_item(cx, second, "a list of classes", [&](const Node& c) { check_class(cx, c); });
    });
  });
}

void check_pass_rewards(Context& cx, const Node& node) {
  each_item(cx, node, "a list of rewards", [&](const Node& reward) {
    Fields fields{cx, reward, "a pass reward"};
    fields.need("seat", [&](const Node& seat) { read_seat(cx, seat); });
    fields.need("resource", [&](const Node& var) {
      read_var_name(cx, var, cx.symbols.global_vars, "global variable");
    });
    fields.need("amount", [&](const Node& amount) { read_int(cx, amount, "amount"); });
  });
}

void check_turn_flow(Context& cx, const Node& node) {
  Fields fields{cx, node, "turnFlow"};
  fields.need("cardLifecycle", [&](const Node& n) {
    Fields inner{cx, n, "cardLifecycle"};
    for (const char* slot : {"played", "lookahead", "leader"})
      inner.need(slot, [&](const Node& zone) { read_zone_id(cx, zone); });
  });
  fields.need("eligibility", [&](const Node& n) {
    Fields inner{cx, n, "eligibility"};
    inner.need("seats", [&](const Node& list) { check_seats(cx, list); });
    inner.allow({"overrideWindows"});
  });
  fields.need("windows", [&](const Node& n) {
    each_item(cx, n, "a list of windows", [&](const Node& window) {
      Fields inner{cx, window, "a window"};
      inner.need("id", [&](const Node& id) { read_id(cx, id, "the id of a window"); });
      inner.need("duration", [&](const Node& d) { check_duration(cx, d); });
      inner.maybe("usages", [&](const Node& u) { read_strings(cx, u, "a list of usages"); });
    });
  });
  fields.need("actionClassByActionId", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from actions to classes");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      read_action(cx, Node::of_string(entry.key, {entry.key_place, n.origin.expansion}));
      check_class(cx, entry.value);
    }
  });
  fields.need("optionMatrix", [&](const Node& n) { check_option_matrix(cx, n); });
  fields.need("passRewards", [&](const Node& n) { check_pass_rewards(cx, n); });
  fields.need("durationWindows", [&](const Node& n) {
    each_item(cx, n, "a list of durations", [&](const Node& d) { check_duration(cx, d); });
  });
  fields.maybe("freeOperationActionIds", [&](const Node& n) { check_actions(cx, n); });
  fields.maybe("cardSeatOrderMetadataKey",
               [&](const Node& n) { read_id(cx, n, "a key of the cards' metadata"); });
  fields.maybe("cardSeatOrderMapping", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from words on cards to seats");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      read_seat(cx, entry.value);
    }
  });
  fields.maybe("monsoon", [&](const Node& n) { check_monsoon(cx, n); });
  fields.maybe("pivotal", [&](const Node& n) { check_pivotal(cx, n); });
}

}  // namespace

void check_card_driven(Context& cx, const Node& config) {
  Fields fields{cx, config, "cardDriven"};
  fields.need("turnFlow", [&](const Node& n) { check_turn_flow(cx, n); });
  fields.maybe("coupPlan", [&](const Node& n) {
    Fields inner{cx, n, "coupPlan"};
    inner.need("phases", [&](const Node& list) {
      each_item(cx, list, "a list of coup phases", [&](const Node& phase) {
        Fields step{cx, phase, "a coup phase"};
        step.need("id", [&](const Node& id) { read_phase(cx, id); });
        step.allow({"steps"});
      });
    });
    inner.maybe("finalRoundOmitPhases", [&](const Node& list) {
      each_item(cx, list, "a list of phases", [&](const Node& phase) { read_phase(cx, phase); });
    });
    inner.maybe("seatOrder", [&](const Node& list) { check_seats(cx, list); });
    inner.maybe("maxConsecutiveRounds",
                [&](const Node& most) { read_int(cx, most, "maxConsecutiveRounds", 1); });
  });
}

}  // namespace parlor::spec::lower
