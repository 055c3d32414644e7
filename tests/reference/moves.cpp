// What may be done and how it is done: section 19 of the language, K-01 to K-15.
#include <functional>

#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

const PipelineDef* pipeline_for(Run& run, const ActionDef& action, const Context& c) {
  for (const PipelineDef& pipeline : run.rules().def.pipelines)
    if (pipeline.action == action.id && run.judge(pipeline.applicability, c) != Run::Verdict::no)
      return &pipeline;
  return nullptr;
}

Context context_for(Run& run, const ActionDef& action, const Bindings& names) {
  Context c{run.w.active, run.w.active, names};
  if (run.moving_free()) {  // G-42
    c.active = c.actor = run.grant().as;
    return c;
  }
  int executor = run.w.active;
  if (action.executor.kind != PlayerSel::Kind::binding || names.contains(action.executor.binding))
    executor = run.one_player(action.executor, c);
  c.active = c.actor = executor;
  return c;
}

Bindings bindings_of(const Move& move) {
  Bindings names;
  for (const auto& [name, value] : move.params) names[name] = value;
  names["__freeOperation"] = move.free;
  names["__actionClass"] = move.taken_for == ActionClass::none
                               ? std::string("operation")
                               : std::string(enum_name(move.taken_for));
  return names;
}

// The hooks of an action at one point: the game's own first, then those of modules by id.
std::vector<const HookDef*> hooks_at(const Rules& rules, HookPoint point,
                                     const std::string& action) {
  std::vector<const HookDef*> out;
  for (const HookDef& hook : rules.def.hooks)
    if (hook.point == point &&
        (hook.actions.empty() ||
         std::find(hook.actions.begin(), hook.actions.end(), action) != hook.actions.end()))
      out.push_back(&hook);
  std::stable_sort(out.begin(), out.end(),
                   [](const HookDef* a, const HookDef* b) { return a->module < b->module; });
  return out;
}

bool has_pipeline(const GameDef& def, const std::string& action) {
  return std::any_of(def.pipelines.begin(), def.pipelines.end(),
                     [&](const PipelineDef& p) { return p.action == action; });
}

// Limits that are more than the action's own uses in a turn, a phase or the game (L-05).
bool counts_apart(const LimitDef& limit) {
  return !limit.per.empty() || !limit.shared.empty() || limit.scope == LimitScope::round;
}
std::string limit_key(const ActionDef& action, const LimitDef& limit, const Context& c) {
  std::string out = limit.shared.empty() ? "action " + action.id : limit.shared;
  if (limit.per == "player") return out + " by " + std::to_string(c.actor);
  if (!limit.per.empty()) out += " in " + std::get<std::string>(c.names.at(limit.per).v);
  return out;
}

// How many of an action's parameters, from the first on, must be bound before something can be
// evaluated that reads like this.
std::size_t params_needed(const ActionDef& action, const Json& text) {
  std::size_t needed = 0;
  const auto look = [&](const auto& self, const Json& node) -> void {
    if (node.is_structured())
      for (const Json& part : node) self(self, part);
    if (!node.is_string()) return;
    for (std::size_t i = 0; i < action.params.size(); ++i) {
      const std::string& name = action.params[i].name;
      const std::string bare = name[0] == '$' ? name.substr(1) : name;
      const std::string said = node.get<std::string>();
      if (said == name || said == bare || said == "$" + bare) needed = std::max(needed, i + 1);
    }
  };
  look(look, text);
  return needed;
}

// One question about a move; it can be asked when so many parameters are known.
struct Question {
  std::size_t needs = 0;
  std::function<bool(Run&, const Context&)> ask;
};

// What is asked of an action, in order. Who acts for whom is asked as soon as they are named; of
// the rest, what comes later waits for what comes earlier.
std::vector<Question> questions(const Rules& rules, const ActionDef& action) {
  std::vector<Question> out;
  std::size_t level = 0;
  bool early = true;
  const auto add = [&](std::size_t needs, std::function<bool(Run&, const Context&)> ask) {
    level = std::max(level, needs);
    out.push_back({early ? needs : level, std::move(ask)});
  };
  const auto named = [&](const PlayerSel& who) {
    return who.kind == PlayerSel::Kind::binding ? params_needed(action, who.binding) : 0;
  };
  const bool piped = has_pipeline(rules.def, action.id);
  add(named(action.actor), [&action](Run& run, const Context& c) {
    const auto actors = run.players(action.actor, Context{run.w.active, run.w.active, c.names});
    return std::find(actors.begin(), actors.end(), run.w.active) != actors.end();
  });
  for (const LimitDef& limit : action.limits)
    add(limit.per.empty() || limit.per == "player" ? named(action.executor)
                                                   : params_needed(action, limit.per),
        [&action, limit](Run& run, const Context& c) {
          if (counts_apart(limit))
            return run.w.counts[std::string(enum_name(limit.scope))][limit_key(action, limit, c)] <
                   limit.max;
          const Usage usage = run.w.usage[action.id];
          const Int used = limit.scope == LimitScope::turn    ? usage.turn
                           : limit.scope == LimitScope::phase ? usage.phase
                                                              : usage.game;
          return used < limit.max;
        });
  add(0, [&action](Run& run, const Context&) { return !run.blocked(action); });
  // Who carries it out: from here on that player is meant by `actor`.
  add(named(action.executor), [](Run&, const Context&) { return true; });
  early = false;
  for (const auto* phases : {&rules.def.phases, &rules.def.interrupts})
    for (const PhaseDef& phase : *phases) {
      if (!phase.default_pre ||
          std::find(action.phases.begin(), action.phases.end(), phase.id) == action.phases.end())
        continue;
      add(piped ? 0 : params_needed(action, spec::to_json(*phase.default_pre)),
          [&phase, piped](Run& run, const Context& c) {
            if (run.w.phase != phase.id) return true;
            return piped ? run.judge(phase.default_pre, c) != Run::Verdict::no
                         : run.holds(*phase.default_pre, c);
          });
    }
  if (action.pre)
    add(piped ? 0 : params_needed(action, spec::to_json(*action.pre)),
        [&action, piped](Run& run, const Context& c) {
          return piped ? run.judge(action.pre, c) != Run::Verdict::no : run.holds(*action.pre, c);
        });
  if (piped)
    add(0, [&action](Run& run, const Context& c) {
      const PipelineDef* pipeline = pipeline_for(run, action, c);
      return pipeline && run.judge(pipeline->legality, c) != Run::Verdict::no &&
             (pipeline->partial || run.moving_free() ||
              run.judge(pipeline->cost_validation, c) != Run::Verdict::no);
    });
  for (const HookDef* hook : hooks_at(rules, HookPoint::validate, action.id))
    add(piped ? 0 : action.params.size(),
        [hook](Run& run, const Context& c) { return hook->when && !run.holds(*hook->when, c); });
  Json amounts = Json::array();
  for (const PriceItem& item : action.price) amounts.push_back(spec::to_json(item.amount));
  add(piped ? 0 : params_needed(action, amounts),
      [&action](Run& run, const Context& c) { return run.affordable(action, c); });
  std::stable_sort(out.begin(), out.end(),
                   [](const Question& a, const Question& b) { return a.needs < b.needs; });
  return out;
}

// Goes through the parameters of one action. A fault while not all of them are known leaves one
// move without any in place of all that might have been.
class Enumeration {
 public:
  // `like` may hold what comes before the action's own parameters: which event is played.
  Enumeration(const Rules& rules, const World& world, const Move& like, bool only_one)
      : rules_(rules),
        world_(world),
        action_(*rules.action(like.action)),
        only_one_(only_one),
        given_(like.params.size()),
        params_(has_pipeline(rules.def, action_.id) ? 0 : action_.params.size()),
        questions_(questions(rules, action_)),
        like_(like),
        move_(like) {}

  std::vector<Move> run() {
    if (std::find(action_.phases.begin(), action_.phases.end(), world_.phase) ==
        action_.phases.end())
      return {};
    std::vector<Move> out;
    from(0, out);
    if (fault_) {
      out.push_back(like_);
      out.back().faulted = true;
    }
    return out;
  }
  const std::optional<RuntimeError>& fault() const { return fault_; }

 private:
  void from(std::size_t asked, std::vector<Move>& out) {
    if (only_one_ && (!out.empty() || fault_)) return;
    const std::size_t known = move_.params.size() - given_;
    try {
      Run run(rules_, world_);
      run.begin(move_);
      for (; asked < questions_.size() && questions_[asked].needs <= known; ++asked)
        if (!questions_[asked].ask(run, context_for(run, action_, bindings_of(move_)))) return;
      if (known < params_) return bind(asked, run, out);
    } catch (const RuntimeError& error) {
      if (known == params_)
        out.push_back(move_);
      else if (!fault_)
        fault_ = error;
      return;
    }
    if (can_complete(rules_, world_, move_, {})) out.push_back(move_);
  }

  void bind(std::size_t asked, Run& run, std::vector<Move>& out) {
    const ParamDef& param = action_.params[move_.params.size() - given_];
    List seen;
    for (const Val& item : run.query(param.domain, context_for(run, action_, bindings_of(move_)))) {
      const Val bound(scalar_of(item));
      if (std::find(seen.begin(), seen.end(), bound) != seen.end()) continue;
      seen.push_back(bound);
      move_.params.emplace_back(param.name, bound);
      from(asked, out);
      move_.params.pop_back();
    }
  }

  const Rules& rules_;
  const World& world_;
  const ActionDef& action_;
  bool only_one_;
  std::size_t given_, params_;
  std::vector<Question> questions_;
  Move like_, move_;
  std::optional<RuntimeError> fault_;
};

// Look-ahead gives up after this many runs; then the move counts as one that can be completed.
constexpr int most_probes = 20'000;

bool completes(const Rules& rules, const World& world, const Move& move, std::vector<int>& answers,
               std::size_t given, int& probes) {
  if (++probes > most_probes) return true;
  Run run(rules, world, answers, given);
  Pending pending;
  try {
    run.play(move);
    return true;
  } catch (const FarEnough&) {
    return true;
  } catch (const RuntimeError&) {
    return true;  // a fault hides nothing
  } catch (const Illegal&) {
    return run.by_luck();
  } catch (const NeedDecision& need) {
    pending = need.pending;
  }
  std::vector<int> open;
  for (const std::size_t i : pending.addable) open.push_back(static_cast<int>(i));
  if (pending.can_confirm) open.push_back(confirm_answer);
  for (const int answer : open) {
    answers.push_back(answer);
    const bool good = completes(rules, world, move, answers, given, probes);
    answers.pop_back();
    if (good) return true;
  }
  return false;
}

}  // namespace

bool can_complete(const Rules& rules, const World& world, const Move& move,
                  std::vector<int> answers) {
  int probes = 0;
  const std::size_t given = answers.size();
  return completes(rules, world, move, answers, given, probes);
}

std::vector<Move> moves_like(const Rules& rules, const World& world, const Move& like,
                             bool only_one) {
  return Enumeration(rules, world, like, only_one).run();
}

std::vector<Move> legal_moves(const Rules& rules, const World& world, bool only_one) {
  if (rules.flow) return card_moves(rules, world);
  std::vector<Move> out;
  for (const ActionDef& action : rules.def.actions) {
    Move like;
    like.action = action.id;
    std::vector<Move> begun{like};
    if (rules.is_event(action)) {
      begun.clear();
      for (const Run::Playable& playable : Run(rules, world).plays()) {
        begun.push_back(like);
        begun.back().params = playable.params;
      }
    }
    for (const Move& start : begun)
      for (Move& move : moves_like(rules, world, start, only_one)) out.push_back(std::move(move));
    if (only_one && !out.empty()) break;
  }
  return out;
}

Run::Verdict Run::judge_at_start(const std::optional<Condition>& condition, const World& start,
                                 const Context& c) {
  Run before(rules_, start);
  before.chosen_ = chosen_;
  before.free_ = free_;
  before.applicable_ = applicable_;
  return before.judge(condition, c);
}

namespace {

// Whether some name that stages make is read here and not made yet.
bool waits_for_stages(const PipelineDef& pipeline, const Json& text, const Context& c) {
  std::set<std::string> made;
  const auto look = [&](const auto& self, const Json& node, const auto& visit) -> void {
    if (node.is_object())
      for (const auto& [key, value] : node.items()) visit(key, value);
    if (node.is_structured())
      for (const Json& part : node) self(self, part, visit);
  };
  for (const StageDef& stage : pipeline.stages)
    for (const Effect& effect : stage.effects)
      look(look, spec::to_json(effect), [&](const std::string& key, const Json& value) {
        const bool binds = key == "bind" || key.ends_with("Bind");
        if (binds && value.is_string()) made.insert(value.get<std::string>());
      });
  bool waits = false;
  look(look, Json::array({text}), [&](const std::string&, const Json& value) {
    if (!value.is_string()) return;
    const auto name = value.get<std::string>();
    waits = waits || (made.contains(name) && !c.names.contains(name));
  });
  return waits;
}

}  // namespace

// False: whether it is due, or how much, is not known yet.
bool Run::pay_cost(const PipelineDef& pipeline, const World& start, Context& c, bool at_last) {
  const Verdict due = judge_at_start(pipeline.cost_validation, start, c);
  Json text = Json::array();
  if (pipeline.cost_validation) text.push_back(spec::to_json(*pipeline.cost_validation));
  for (const Effect& effect : pipeline.cost_effects) text.push_back(spec::to_json(effect));
  if (!at_last && (due == Verdict::undecided || waits_for_stages(pipeline, text, c))) return false;
  if (due == Verdict::no && !pipeline.partial) throw Illegal("the cost cannot be paid");
  if (due == Verdict::no) return true;
  const std::vector<Happening> heard = events_;
  effects(pipeline.cost_effects, c);
  events_ = heard;  // what happens while paying is not heard by triggers
  return true;
}

void Run::run_pipeline(const ActionDef& action, const PipelineDef& pipeline, const PhaseDef& origin,
                       Context& c) {
  const World start = w;
  std::vector<Waiting> waiting;
  for (const auto* condition :
       {&pipeline.applicability, &pipeline.legality, &origin.default_pre, &action.pre})
    waiting.push_back({condition, true});
  const auto decide = [&] {
    std::erase_if(waiting, [&](const Waiting& wait) {
      const Verdict verdict =
          wait.at_the_start ? judge_at_start(*wait.condition, start, c) : judge(*wait.condition, c);
      if (verdict == Verdict::no) throw Illegal("a condition that waited does not hold");
      return verdict == Verdict::yes;
    });
  };
  pay(action, c);
  bool paid = free_ || pay_cost(pipeline, start, c, false);
  run_activity(-1, origin);
  int place = 0;
  for (const StageDef& stage : pipeline.stages) {
    const Verdict legal = judge(stage.legality, c);
    if (legal == Verdict::no) throw Illegal("stage " + stage.name + " is not legal");
    const Verdict due = free_ ? Verdict::yes : judge(stage.cost_validation, c);
    if (due == Verdict::no) {
      if (!pipeline.partial) throw Illegal("a stage cannot be paid");
      run_activity(place++, origin);
      continue;
    }
    if (legal == Verdict::undecided) waiting.push_back({&stage.legality, false});
    if (due == Verdict::undecided) waiting.push_back({&stage.cost_validation, false});
    for (const Effect& e : stage.effects) {
      effects({e}, c);
      decide();
      paid = paid || pay_cost(pipeline, start, c, false);
    }
    run_activity(place++, origin);
  }
  run_activity(place, origin);
  if (!paid) pay_cost(pipeline, start, c, true);
}

// One action from begin to end. `operation`: what it accompanies, if it is an activity.
void Run::make(const Move& move, const ActionDef& action, const PhaseDef& origin,
               const std::string* operation) {
  Context c = context_for(*this, action, bindings_of(move));
  // What listing could not evaluate fails here.
  for (const Question& question : questions(rules_, action))
    if (!question.ask(*this, c)) throw Illegal(action.id + " is not legal");
  const PipelineDef* pipeline = pipeline_for(*this, action, c);
  if (operation && !(pipeline && accompanies(*pipeline, *operation)))
    throw Illegal(action.id + " does not go with " + *operation);
  if (move.compound) ask_for_activity(action, *pipeline);
  if (!pipeline) {
    pay(action, c);
    effects(action.cost, c);
    events_.clear();  // what happens while paying is not heard by triggers
    effects(action.effects, c);
  } else {
    run_pipeline(action, *pipeline, origin, c);
  }
  if (rules_.is_event(action)) play_card(play_of(move), c);
  Context after = c;  // what afterEffects bind, hooks do not see
  effects(origin.after_effects, after);
  for (const HookDef* hook : hooks_at(rules_, HookPoint::apply, action.id)) {
    Context inner = c;
    if (!hook->when || holds(*hook->when, inner)) effects(hook->effects, inner);
  }
  judge_whole(move, c);
  if (move.compound) check_activity();
  free_ = false;
  Usage& usage = w.usage[action.id];
  ++usage.turn;
  ++usage.phase;
  ++usage.game;
  for (const LimitDef& limit : action.limits)
    if (counts_apart(limit))
      ++w.counts[std::string(enum_name(limit.scope))][limit_key(action, limit, c)];
  dispatch_collected();
  Happening resolved;
  resolved.kind = EventKind::action_resolved;
  resolved.action = action.id;
  dispatch(resolved, 0);
}

void Run::play_only(const Move& move) {
  const ActionDef& action = *rules_.action(move.action);
  const PhaseDef& origin = *rules_.phase(w.phase);  // before anything can change it
  if (move.faulted) {
    Move like = move;
    like.faulted = false;
    Enumeration again(rules_, w, like, false);
    again.run();
    throw again.fault().value();
  }
  ++w.table.moves;
  begin(move);
  const int mover = mover_;
  make(move, action, origin, nullptr);
  if (!rules_.flow) return;
  if (given_ && !has_unused_answers()) throw FarEnough{};
  if (used_) use_up(*used_);
  after_move(move, mover, origin.id, used_);
  release_deferred();
  expire_lasting();
}

void Run::play(const Move& move) {
  play_only(move);
  advance_to_decision_point();
}

}  // namespace parlor::reference
