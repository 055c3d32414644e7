// Card-driven turn order: what its declaration (gamedef/card_driven.h) leaves to code.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/events.h"

namespace parlor::spec::lower {

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

}  // namespace

void check(Reading& r, PivotalDef& out) {
  if (out.actions.size() > 1 && out.precedence.empty() && r.given("interrupt") == nullptr)
    r.cx.error(Code::KEY_MISSING, r.node(), "several pivotal actions need `interrupt.precedence`")
        .suggestion = "say whose comes first: `interrupt: {precedence: [seats]}`";
}

void check(Reading& r, PassReward& out) {
  const auto& known = r.cx.symbols.global_vars;
  if (out.resource.empty() || known.contains(out.resource)) return;
  r.at("resource", [&](const Node& node) {
    r.cx.warning(
            Code::VAR_UNKNOWN, node,
            fmt::format("there is no global variable `{}`: this reward adds nothing", out.resource))
        .alternatives = did_you_mean(out.resource, names_of(known));
  });
}

// Of the windows of eligibility that are declared by hand nothing is needed here, and durations
// that turns may have are only looked at.
void read_key(Reading& r, const Node& node, const FieldInfo&, TurnFlowDef&) {
  each_item(r.cx, node, "a list of durations", [&](const Node& item) {
    const auto& words = EnumNames<Duration>::names;
    check_word(r.cx, item, "duration", {words.begin(), words.end()});
  });
}

void check(Reading& r, TurnFlowDef& out) {
  check_classes(r.cx, r.node(), out);
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, CoupPlanDef& out) {
  std::vector<CoupPhase> phases;
  read_plainly(r, node, field, phases);
  for (CoupPhase& phase : phases) out.phases.push_back(std::move(phase.id));
}

}  // namespace parlor::spec::lower
