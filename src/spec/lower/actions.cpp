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

bool has_pipeline(const Context& cx, const std::string& action) {
  return std::ranges::find(cx.game.pipelines, action, &PipelineDef::action) !=
         cx.game.pipelines.end();
}

void check_pipelines(Context& cx) {
  each_of_section(cx, Section::actionPipelines, [&](const Node& node) {
    const std::string_view id = node.find_string("id").value_or("");
    const auto one = std::ranges::find(cx.game.pipelines, id, &PipelineDef::id);
    if (one == cx.game.pipelines.end() || one->applicability ||
        std::ranges::count(cx.game.pipelines, one->action, &PipelineDef::action) < 2)
      return;
    cx.error(Code::PIPELINE_AMBIGUOUS, node,
             fmt::format("the action `{}` has several pipelines, so each needs `applicability`",
                         one->action))
        .suggestion = "add `applicability:` with the condition under which this one is used";
  });
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

// Stages come first: what they make is what costs and legality may wait for (undecided until then).
void read_key(Reading& r, const Node& node, const FieldInfo& field, PipelineDef& out) {
  Context& cx = r.cx;
  if (field.name == "targeting") {
    out.targeting = read_data(node);
  } else if (field.name == "accompanyingOps") {
    if (!node.is("any")) read_plainly(r, node, field, out.accompanying_ops);
  } else {
    read_plainly(r, node, field, out.stages);
    remember(cx, out.action);
    const std::vector<Binding> made = cx.scope.ever();
    cx.scope = {};
    declare_all(cx, made);
  }
}

void read_key(Reading& r, const Node& node, const FieldInfo&, ParamDef& out) {
  out.name = read_id(r.cx, node, "the name of a parameter");
  if (!out.name.empty()) r.cx.scope.declare({out.name, r.type("domain"), node.origin});
}

// For whom a limit counts by itself: each player, or each zone a parameter names.
void read_key(Reading& r, const Node& node, const FieldInfo&, LimitDef& out) {
  Context& cx = r.cx;
  out.per = read_id(cx, node, "`player`, or a parameter that is a zone");
  if (out.per == "player") return;
  std::vector<std::string> owners{"player"};
  for (const ParamDef& param : r.in<ActionDef>()->params) owners.push_back(param.name);
  const Binding* binding = cx.scope.find(out.per);
  const bool scope = enum_from_name<LimitScope>(out.per).has_value();
  if (std::ranges::find(owners, out.per) == owners.end()) {
    Diagnostic& d = cx.error(
        Code::WORD_UNKNOWN, node,
        fmt::format("a limit counts for each `player`, or for each zone of a parameter; `{}` is "
                    "neither",
                    out.per));
    d.alternatives = did_you_mean(out.per, owners);
    if (scope)
      d.suggestion = fmt::format("how long it counts is its scope: write `scope: {}`", out.per);
  } else if (binding != nullptr && binding->type.known() && binding->type.kind != Kind::zone) {
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds {}, but a limit counts for zones", out.per,
                         describe(binding->type)));
  }
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, ActionDef& out) {
  Context& cx = r.cx;
  if (field.name == "phase") {
    if (node.is_string())
      out.phases.push_back(read_declared(cx, node, Expects::phase));
    else
      read_plainly(r, node, field, out.phases);
    return;
  }
  const std::size_t mark = cx.scope.mark();
  if (const auto made = cx.action_bindings.find(out.id);
      made != cx.action_bindings.end() && has_pipeline(cx, out.id))
    declare_all(cx, made->second);
  out.pre = read_condition(cx, node);
  cx.scope.leave(mark);
}

void check(Reading& r, ActionDef& out) {
  Context& cx = r.cx;
  // Where there is only one phase nobody has to name it.
  if (!r.node().has("phase") && cx.symbols.phases.size() == 1)
    out.phases.push_back(cx.symbols.phases.front());
  else
    r.fields.required("phase");
  const PlayerSel::Kind executor = out.executor.kind;
  r.at("executor", [&](const Node& node) {
    if (executor == PlayerSel::Kind::all || executor == PlayerSel::Kind::all_other)
      cx.error(Code::PLAYER_SEVERAL, node, "one player executes an action").suggestion =
          "use `actor`, `active`, a seat or a parameter";
    if (executor == PlayerSel::Kind::binding && has_pipeline(cx, out.id))
      cx.error(Code::EXECUTOR_OF_PIPELINE, node,
               "the executor of an action with a pipeline cannot depend on a parameter");
  });
  r.at("price", [&](const Node& node) {
    for (const Entry& entry : node.entries) {
      const VarType* type = find_in(cx.symbols.per_player_vars, entry.key);
      const auto step = cx.step(entry.key);
      if (type != nullptr && *type == VarType::boolean)
        cx.error_at(Code::TYPE_MISMATCH, {entry.key_place, node.origin.expansion}, cx.path(),
                    fmt::format("nobody can pay with `{}`", entry.key));
    }
  });
  if (has_pipeline(cx, out.id))
    for (const char* key : {"params", "effects"})
      if (const Node* unused = r.node().find(key);
          unused != nullptr && !(unused->items.empty() && unused->entries.empty()))
        cx.warning(
              Code::PIPELINE_INSTEAD, *unused,
              fmt::format("`{}` of `{}` are not used: its pipeline says what it does", key, out.id))
            .suggestion = "move them into a stage of the pipeline";
  remember(cx, out.id);
}

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
  read_section(cx, Section::actionPipelines);
  check_pipelines(cx);
  read_section(cx, Section::actions);
  add_event_action(cx);
}

}  // namespace parlor::spec::lower
