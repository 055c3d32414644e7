// What may be done and how it is done: section 19 of the language (without compound moves), K-01 to
// K-15.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

const PipelineDef* pipeline_for(Run& run, const ActionDef& action, const Context& c, bool& any) {
  any = false;
  for (const PipelineDef& pipeline : run.rules().def.pipelines) {
    if (pipeline.action != action.id) continue;
    any = true;
    if (run.judge(pipeline.applicability, c) != Run::Verdict::no) return &pipeline;
  }
  return nullptr;
}

Context context_for(Run& run, const ActionDef& action, const Bindings& names) {
  Context c{run.w.active, run.w.active, names};
  int executor = run.w.active;
  if (action.executor.kind != PlayerSel::Kind::binding || names.contains(action.executor.binding))
    executor = run.one_player(action.executor, c);
  c.active = c.actor = executor;
  return c;
}

Bindings bindings_of(const Move& move) {
  Bindings names;
  for (const auto& [name, value] : move.params) names[name] = value;
  names["__freeOperation"] = false;
  names["__actionClass"] = "operation";
  return names;
}

// Phase, actor and limits: what can be said before parameters are known.
bool gates_open(Run& run, const ActionDef& action) {
  const World& w = run.w;
  if (std::find(action.phases.begin(), action.phases.end(), w.phase) == action.phases.end())
    return false;
  if (action.actor.kind != PlayerSel::Kind::binding) {
    const std::vector<int> actors = run.players(action.actor, Context{w.active, w.active, {}});
    if (std::find(actors.begin(), actors.end(), w.active) == actors.end()) return false;
  }
  const auto used = w.usage.find(action.id);
  for (const LimitDef& limit : action.limits) {
    const Usage usage = used == w.usage.end() ? Usage{} : used->second;
    const Int count = limit.scope == LimitScope::turn    ? usage.turn
                      : limit.scope == LimitScope::phase ? usage.phase
                                                         : usage.game;
    if (count >= limit.max) return false;
  }
  return !run.blocked(action);
}

// The conditions on a move whose parameters are known.
bool conditions_hold(Run& run, const ActionDef& action, const Move& move) {
  const Context c = context_for(run, action, bindings_of(move));
  if (action.actor.kind == PlayerSel::Kind::binding &&
      run.one_player(action.actor, Context{run.w.active, run.w.active, c.names}) != run.w.active)
    return false;
  const PhaseDef* phase = run.rules().phase(run.w.phase);
  bool has_pipeline = false;
  const PipelineDef* pipeline = pipeline_for(run, action, c, has_pipeline);
  if (!run.affordable(action, c)) return false;
  if (!has_pipeline) {
    if (phase->default_pre && !run.holds(*phase->default_pre, c)) return false;
    return !action.pre || run.holds(*action.pre, c);
  }
  return pipeline && run.judge(phase->default_pre, c) != Run::Verdict::no &&
         run.judge(action.pre, c) != Run::Verdict::no &&
         run.judge(pipeline->legality, c) != Run::Verdict::no &&
         (pipeline->partial || run.judge(pipeline->cost_validation, c) != Run::Verdict::no);
}

bool is_legal(const Rules& rules, const World& world, const ActionDef& action, const Move& move) {
  try {
    Run run(rules, world);
    return gates_open(run, action) && conditions_hold(run, action, move) &&
           can_complete(rules, world, move, {});
  } catch (const RuntimeError&) {
    return false;
  }
}

void enumerate(const Rules& rules, const World& world, const ActionDef& action, Move& move,
               std::vector<Move>& out, bool only_one) {
  if (only_one && !out.empty()) return;
  if (move.params.size() == action.params.size()) {
    if (is_legal(rules, world, action, move)) out.push_back(move);
    return;
  }
  const ParamDef& param = action.params[move.params.size()];
  List domain;
  try {
    Run run(rules, world);
    domain = run.query(param.domain, context_for(run, action, bindings_of(move)));
  } catch (const RuntimeError&) {
    return;
  }
  List seen;
  for (const Val& item : domain) {
    const Val bound(scalar_of(item));
    if (std::find(seen.begin(), seen.end(), bound) != seen.end()) continue;
    seen.push_back(bound);
    move.params.emplace_back(param.name, bound);
    enumerate(rules, world, action, move, out, only_one);
    move.params.pop_back();
  }
}

bool has_pipeline(const GameDef& def, const std::string& action) {
  return std::any_of(def.pipelines.begin(), def.pipelines.end(),
                     [&](const PipelineDef& p) { return p.action == action; });
}

// Look-ahead gives up after this many runs; then the move counts as one that can be completed.
constexpr int most_probes = 20'000;

bool completes(const Rules& rules, const World& world, const Move& move, std::vector<int>& answers,
               int& probes) {
  if (++probes > most_probes) return true;
  Run run(rules, world, answers, true);
  Pending pending;
  try {
    run.play(move);
    return true;
  } catch (const FarEnough&) {
    return true;
  } catch (const RuntimeError&) {
    return false;
  } catch (const NeedDecision& need) {
    pending = need.pending;
  }
  std::vector<int> open;
  for (const std::size_t i : pending.addable) open.push_back(static_cast<int>(i));
  if (pending.can_confirm) open.push_back(confirm_answer);
  for (const int answer : open) {
    answers.push_back(answer);
    const bool good = completes(rules, world, move, answers, probes);
    answers.pop_back();
    if (good) return true;
  }
  return false;
}

}  // namespace

bool can_complete(const Rules& rules, const World& world, const Move& move,
                  std::vector<int> answers) {
  int probes = 0;
  return completes(rules, world, move, answers, probes);
}

std::vector<Move> legal_moves(const Rules& rules, const World& world, bool only_one) {
  std::vector<Move> out;
  for (const ActionDef& action : rules.def.actions) {
    Run run(rules, world);
    Move move{action.id, {}};
    try {
      if (!gates_open(run, action)) continue;
    } catch (const RuntimeError&) {
      continue;
    }
    if (has_pipeline(rules.def, action.id)) {
      if (is_legal(rules, world, action, move)) out.push_back(move);
    } else {
      enumerate(rules, world, action, move, out, only_one);
    }
    if (only_one && !out.empty()) break;
  }
  return out;
}

void Run::play_only(const Move& move) {
  chosen_.clear();
  const ActionDef& action = *rules_.action(move.action);
  const PhaseDef& origin = *rules_.phase(w.phase);  // before anything can change it
  Context c = context_for(*this, action, bindings_of(move));
  bool piped = false;
  const PipelineDef* pipeline = pipeline_for(*this, action, c, piped);
  pay(action, c);
  if (!pipeline) {
    effects(action.cost, c);
    events_.clear();  // what happens while paying is not heard by triggers
    effects(action.effects, c);
  } else {
    const bool paid = judge(pipeline->cost_validation, c) != Verdict::no;
    if (paid) effects(pipeline->cost_effects, c);
    events_.clear();
    for (const StageDef& stage : pipeline->stages) {
      if (judge(stage.legality, c) == Verdict::no)
        throw RuntimeError("ILLEGAL_MOVE", "stage " + stage.name + " is not legal");
      if (judge(stage.cost_validation, c) == Verdict::no) {
        if (!pipeline->partial) throw RuntimeError("ILLEGAL_MOVE", "a stage cannot be paid");
        continue;
      }
      effects(stage.effects, c);
    }
  }
  effects(origin.after_effects, c);
  Usage& usage = w.usage[action.id];
  ++usage.turn;
  ++usage.phase;
  ++usage.game;
  const std::vector<Happening> caused = std::move(events_);
  events_.clear();
  for (const Happening& event : caused) dispatch(event, 0);
  Happening resolved;
  resolved.kind = EventKind::action_resolved;
  resolved.action = action.id;
  dispatch(resolved, 0);
}

void Run::play(const Move& move) {
  play_only(move);
  advance_to_decision_point();
}

}  // namespace parlor::reference
