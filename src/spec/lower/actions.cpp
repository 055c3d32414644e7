// Actions and their pipelines.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

void declare_move_bindings(Context& cx) {
  cx.scope.declare({"__freeOperation", plain(Kind::boolean), {}});
  cx.scope.declare({"__actionClass", plain(Kind::string), {}});
  if (!cx.symbols.has_event_decks) return;
  for (const char* name : {"eventCardId", "eventDeckId", "side", "branch"})
    cx.scope.declare({name, plain(Kind::string), {}});
}

namespace {

void declare_all(Context& cx, const std::vector<Binding>& bindings) {
  for (Binding binding : bindings) {
    binding.origin = {};  // hiding one of these is no mistake
    cx.scope.declare(std::move(binding));
  }
}

void remember(Context& cx, const std::string& action) {
  auto& list = cx.action_bindings[action];
  for (Binding& binding : cx.scope.ever()) list.push_back(std::move(binding));
}

// ---- Pipelines

// Stages come first: what they make is what costs and legality may wait for (undecided until then).
void read_stages(Context& cx, Fields& fields, std::string_view key, PipelineDef& out) {
  cx.scope = {};
  declare_move_bindings(cx);
  fields.need(key, [&](const Node& n) {
    each_item(cx, n, "a list of stages",
              [&](const Node& stage) { out.stages.push_back(read_record<StageDef>(cx, stage)); });
    if (n.is_list() && n.items.empty())
      cx.error(Code::LIST_EMPTY, n, "a pipeline needs at least one stage");
  });
  remember(cx, out.action);
  const std::vector<Binding> made = cx.scope.ever();
  cx.scope = {};
  declare_all(cx, made);
}

void read_accompanying(Context& cx, const Node& node, PipelineDef& out) {
  if (node.is("any")) return;
  out.accompanying_ops.emplace();
  each_item(cx, node, "`any` or a list of actions",
            [&](const Node& n) { out.accompanying_ops->push_back(read_action(cx, n)); });
}

void read_compound_keys(Context& cx, Fields& fields, PipelineDef& out) {
  fields.maybe("accompanyingOps", [&](const Node& n) { read_accompanying(cx, n, out); });
  fields.maybe("compoundParamConstraints", [&](const Node& n) {
    each_item(cx, n, "a list of constraints", [&](const Node& item) {
      out.param_constraints.push_back(read_record<ParamConstraint>(cx, item));
    });
  });
}

PipelineDef read_pipeline(Context& cx, const Node& node) {
  PipelineDef out;
  out.at = cx.place(node);
  Fields fields{cx, node, "an action pipeline"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a pipeline"); });
  fields.need("actionId", [&](const Node& n) { out.action = read_action(cx, n); });
  read_stages(cx, fields, "stages", out);
  fields.maybe("applicability", [&](const Node& n) { out.applicability = read_condition(cx, n); });
  fields.maybe("legality", [&](const Node& n) { out.legality = read_condition(cx, n); });
  fields.maybe("costValidation",
               [&](const Node& n) { out.cost_validation = read_condition(cx, n); });
  fields.maybe("costEffects", [&](const Node& n) { out.cost_effects = read_effects(cx, n); });
  fields.maybe("targeting", [&](const Node& n) { out.targeting = read_data(n); });
  fields.maybe("atomicity", [&](const Node& n) {
    out.partial =
        read_word<bool>(cx, n, "atomicity", {{"atomic", false}, {"partial", true}}, false);
  });
  fields.maybe("linkedWindows", [&](const Node& n) {
    out.linked_windows = read_strings(cx, n, "a list of windows");
  });
  read_compound_keys(cx, fields, out);
  return out;
}

// The older form of the same thing, `operationProfiles` (K-10).
PipelineDef read_profile(Context& cx, const Node& node) {
  PipelineDef out;
  out.at = cx.place(node);
  Fields fields{cx, node, "an operation profile"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a profile"); });
  fields.need("actionId", [&](const Node& n) { out.action = read_action(cx, n); });
  read_stages(cx, fields, "resolution", out);
  fields.maybe("applicability", [&](const Node& n) { out.applicability = read_condition(cx, n); });
  fields.maybe("legality", [&](const Node& n) {
    Fields inner{cx, n, "legality"};
    inner.maybe("when", [&](const Node& when) { out.legality = read_condition(cx, when); });
  });
  fields.maybe("cost", [&](const Node& n) {
    Fields inner{cx, n, "cost"};
    inner.maybe("validate", [&](const Node& v) { out.cost_validation = read_condition(cx, v); });
    inner.maybe("spend", [&](const Node& v) { out.cost_effects = read_effects(cx, v); });
  });
  fields.maybe("targeting", [&](const Node& n) { out.targeting = read_data(n); });
  fields.maybe("partialExecution", [&](const Node& n) {
    Fields inner{cx, n, "partialExecution"};
    inner.need("mode", [&](const Node& mode) {
      out.partial = read_word<bool>(cx, mode, "mode", {{"forbid", false}, {"allow", true}}, false);
    });
  });
  fields.maybe("linkedSpecialActivityWindows", [&](const Node& n) {
    out.linked_windows = read_strings(cx, n, "a list of windows");
  });
  read_compound_keys(cx, fields, out);
  return out;
}

void check_pipelines(Context& cx, const std::map<std::string, const Node*>& nodes) {
  for (const PipelineDef& pipeline : cx.game.pipelines) {
    const auto same = std::ranges::count(cx.game.pipelines, pipeline.action, &PipelineDef::action);
    if (same < 2 || pipeline.applicability) continue;
    const auto node = nodes.find(pipeline.id);
    if (node == nodes.end()) continue;
    cx.error(Code::PIPELINE_AMBIGUOUS, *node->second,
             fmt::format("the action `{}` has several pipelines, so each needs `applicability`",
                         pipeline.action))
        .suggestion = "add `applicability:` with the condition under which this one is used";
  }
}

void lower_pipelines(Context& cx) {
  UniqueIds ids{cx, "pipeline"};
  std::map<std::string, const Node*> nodes;
  const auto add = [&](PipelineDef pipeline, const Node& node) {
    if (const Node* id = node.find("id"); id && !ids.add(pipeline.id, *id)) return;
    nodes.emplace(pipeline.id, &node);
    cx.game.pipelines.push_back(std::move(pipeline));
  };
  each_of_section(cx, Section::actionPipelines,
                  [&](const Node& node) { add(read_pipeline(cx, node), node); });
  each_of_section(cx, Section::operationProfiles,
                  [&](const Node& node) { add(read_profile(cx, node), node); });
  const auto step = cx.step("actionPipelines");
  check_pipelines(cx, nodes);
}

// ---- Actions

void read_params(Context& cx, const Node& node, ActionDef& out) {
  UniqueIds ids{cx, "parameter"};
  each_item(cx, node, "a list of parameters", [&](const Node& item) {
    ParamDef param;
    Type type;
    Fields fields{cx, item, "a parameter"};
    fields.need("domain", [&](const Node& n) {
      TypedQuery query = read_query(cx, n);
      type = query.item;
      param.domain = std::move(query.query);
    });
    fields.need("name", [&](const Node& n) {
      param.name = read_id(cx, n, "the name of a parameter");
      if (ids.add(param.name, n)) cx.scope.declare({param.name, type, n.origin});
    });
    out.params.push_back(std::move(param));
  });
}

void read_phases(Context& cx, const Node& node, ActionDef& out) {
  if (node.is_string()) {
    out.phases.push_back(read_phase(cx, node));
    return;
  }
  UniqueIds ids{cx, "phase"};
  each_item(cx, node, "a list of phases", [&](const Node& n) {
    const std::string phase = read_phase(cx, n);
    if (ids.add(phase, n)) out.phases.push_back(phase);
  });
  if (node.is_list() && node.items.empty())
    cx.error(Code::LIST_EMPTY, node, "an action needs at least one phase");
}

std::vector<std::string> limit_owners(const ActionDef& action) {
  std::vector<std::string> out{"player"};
  for (const ParamDef& param : action.params) out.push_back(param.name);
  return out;
}

// For whom a limit counts by itself: each player, or each zone a parameter names.
std::string read_limit_owner(Context& cx, const Node& node, const ActionDef& action) {
  std::string per = read_id(cx, node, "`player`, or a parameter that is a zone");
  if (per == "player") return per;
  const Binding* binding = cx.scope.find(per);
  const bool param = std::ranges::find(action.params, per, &ParamDef::name) != action.params.end();
  const bool scope = per == "turn" || per == "phase" || per == "round" || per == "game";
  if (!param) {
    Diagnostic& d = cx.error(
        Code::WORD_UNKNOWN, node,
        fmt::format("a limit counts for each `player`, or for each zone of a parameter; `{}` is "
                    "neither",
                    per));
    d.alternatives = did_you_mean(per, limit_owners(action));
    if (scope)
      d.suggestion = fmt::format("how long it counts is its scope: write `scope: {}`", per);
  }
  if (param && binding != nullptr && binding->type.known() && binding->type.kind != Kind::zone)
    cx.error(
        Code::BINDING_KIND, node,
        fmt::format("`{}` holds {}, but a limit counts for zones", per, describe(binding->type)));
  return per;
}

void read_limits(Context& cx, const Node& node, ActionDef& out) {
  if (node.is_integer()) {
    wrong_shape(cx, node, "a list of limits").suggestion =
        fmt::format("write [{{scope: turn, max: {}}}]", node.integer);
    return;
  }
  static const Construct& record = *find_construct(Family::record, LimitDef::record.key);
  each_item(cx, node, "a list of limits", [&](const Node& item) {
    LimitDef limit;
    Fields fields{cx, item, record.name()};
    Reading reading{cx, fields, record};
    read_construct(reading, limit);
    fields.maybe("per", [&](const Node& n) { limit.per = read_limit_owner(cx, n, out); });
    out.limits.push_back(limit);
  });
}

// What the executor pays: {variable: amount}.
void read_price(Context& cx, const Node& node, ActionDef& out) {
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from player variables to amounts");
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const Node name = Node::of_string(entry.key, {entry.key_place, node.origin.expansion});
    std::optional<VarType> type;
    read_var_name(cx, name, cx.symbols.per_player_vars, "player variable", &type);
    if (type == VarType::boolean)
      cx.error(Code::TYPE_MISMATCH, name, fmt::format("nobody can pay with `{}`", entry.key));
    out.price.push_back({entry.key, read_number(cx, entry.value)});
  }
  std::ranges::sort(out.price, {}, &PriceItem::var);
}

bool has_pipeline(const Context& cx, const std::string& action) {
  return std::ranges::find(cx.game.pipelines, action, &PipelineDef::action) !=
         cx.game.pipelines.end();
}

void read_executor(Context& cx, const Node& node, ActionDef& out) {
  out.executor = read_player(cx, node, Many::yes);
  if (out.executor.kind == PlayerSel::Kind::all || out.executor.kind == PlayerSel::Kind::all_other)
    cx.error(Code::PLAYER_SEVERAL, node, "one player executes an action").suggestion =
        "use `actor`, `active`, a seat or a parameter";
  if (out.executor.kind == PlayerSel::Kind::binding && has_pipeline(cx, out.id))
    cx.error(Code::EXECUTOR_OF_PIPELINE, node,
             "the executor of an action with a pipeline cannot depend on a parameter");
}

ActionDef read_action_def(Context& cx, const Node& node) {
  ActionDef out;
  out.at = cx.place(node);
  out.executor.kind = PlayerSel::Kind::actor;
  cx.scope = {};
  declare_move_bindings(cx);
  Fields fields{cx, node, "an action"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of an action"); });
  fields.maybe("params", [&](const Node& n) { read_params(cx, n, out); });
  fields.maybe("actor", [&](const Node& n) { out.actor = read_player(cx, n, Many::yes); });
  fields.maybe("executor", [&](const Node& n) { read_executor(cx, n, out); });
  // Where there is only one phase nobody has to name it.
  if (!node.has("phase") && cx.symbols.phases.size() == 1)
    out.phases.push_back(cx.symbols.phases.front());
  else
    fields.need("phase", [&](const Node& n) { read_phases(cx, n, out); });
  fields.maybe("capabilities", [&](const Node& n) {
    out.capabilities = read_strings(cx, n, "a list of capabilities");
  });
  fields.maybe("tags", [&](const Node& n) { out.tags = read_strings(cx, n, "a list of tags"); });
  const std::size_t mark = cx.scope.mark();
  if (const auto made = cx.action_bindings.find(out.id);
      made != cx.action_bindings.end() && has_pipeline(cx, out.id))
    declare_all(cx, made->second);
  fields.maybe("pre", [&](const Node& n) { out.pre = read_condition(cx, n); });
  cx.scope.leave(mark);
  fields.maybe("price", [&](const Node& n) { read_price(cx, n, out); });
  fields.maybe("cost", [&](const Node& n) { out.cost = read_effects(cx, n); });
  fields.maybe("effects", [&](const Node& n) { out.effects = read_effects(cx, n); });
  fields.maybe("limits", [&](const Node& n) { read_limits(cx, n, out); });
  if (has_pipeline(cx, out.id))
    for (const char* key : {"params", "effects"})
      if (const Node* unused = node.find(key);
          unused != nullptr && !(unused->items.empty() && unused->entries.empty()))
        cx.warning(
              Code::PIPELINE_INSTEAD, *unused,
              fmt::format("`{}` of `{}` are not used: its pipeline says what it does", key, out.id))
            .suggestion = "move them into a stage of the pipeline";
  remember(cx, out.id);
  return out;
}

// The action that plays event cards, if the game has cards but no such action.
void add_event_action(Context& cx) {
  std::vector<const ActionDef*> events;
  for (const ActionDef& action : cx.game.actions)
    if (std::ranges::find(action.capabilities, "cardEvent") != action.capabilities.end())
      events.push_back(&action);
  if (events.size() > 1)
    each_of_section(cx, Section::actions, [&](const Node& node) {
      const Node* id = node.find("id");
      if (id && id->is(events[1]->id))
        cx.error(Code::DUPLICATE_ID, *id, "only one action can have the capability `cardEvent`");
    });
  if (!events.empty() || !cx.symbols.has_event_decks || cx.symbols.phases.empty()) return;
  ActionDef event;
  event.id = "event";
  event.executor.kind = PlayerSel::Kind::actor;
  event.phases = {cx.symbols.phases.front()};
  event.capabilities = {"cardEvent"};
  cx.game.actions.push_back(std::move(event));
}

}  // namespace

void declare_actions(Context& cx) {
  UniqueIds ids{cx, "action"};
  each_of_section(cx, Section::actions, [&](const Node& node) {
    const Node* id = node.find("id");
    if (id == nullptr || !id->is_string()) return;
    const auto step = cx.step("id");
    if (ids.add(id->text, *id)) cx.symbols.actions.push_back(id->text);
  });
  const Node* decks = cx.doc.find(Section::eventDecks);
  cx.symbols.has_event_decks = decks != nullptr && !decks->items.empty();
  if (cx.symbols.has_event_decks &&
      std::ranges::find(cx.symbols.actions, "event") == cx.symbols.actions.end())
    cx.symbols.actions.emplace_back("event");
}

void lower_actions(Context& cx) {
  lower_pipelines(cx);
  each_of_section(cx, Section::actions,
                  [&](const Node& node) { cx.game.actions.push_back(read_action_def(cx, node)); });
  add_event_action(cx);
  cx.scope = {};
}

}  // namespace parlor::spec::lower
