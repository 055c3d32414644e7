// Operations with special activities: section 19.5 of the language, G-90 to G-97.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

bool accompanies(const PipelineDef& activity, const std::string& operation) {
  const auto& operations = activity.accompanying_ops;
  return !operations ||
         std::find(operations->begin(), operations->end(), operation) != operations->end();
}

namespace {

std::set<std::string> as_set(const Bindings& made, const std::string& name) {
  const auto bare = [](const std::string& text) {
    return text.starts_with('$') ? text.substr(1) : text;
  };
  std::set<std::string> out;
  for (const auto& [key, value] : made) {
    if (bare(key) != bare(name)) continue;
    if (const auto* list = std::get_if<List>(&value.v))
      for (const Val& item : *list) out.insert(canonical(json_of(item)));
    else
      out.insert(canonical(json_of(value)));
  }
  return out;
}

}  // namespace

// Activities that may go with an operation, in declaration order; both are pipelines.
std::vector<const ActionDef*> Run::companions(const ActionDef& operation) const {
  const auto pipelined = [&](const std::string& action, const auto& good) {
    return std::any_of(def().pipelines.begin(), def().pipelines.end(),
                       [&](const PipelineDef& p) { return p.action == action && good(p); });
  };
  std::vector<const ActionDef*> out;
  if (!pipelined(operation.id, [](const PipelineDef&) { return true; })) return out;
  for (const ActionDef& action : def().actions)
    if (rules_.mapped(action.id) == ActionClass::special_activity &&
        std::find(action.phases.begin(), action.phases.end(), w.phase) != action.phases.end() &&
        pipelined(action.id, [&](const PipelineDef& p) { return accompanies(p, operation.id); }))
      out.push_back(&action);
  return out;
}

// Which activity, and when; both are asked first.
void Run::ask_for_activity(const ActionDef& operation, const PipelineDef& pipeline) {
  Pending which;
  which.player = mover_;
  for (const ActionDef* action : companions(operation)) which.options.emplace_back(action->id);
  if (bound_by_row(*this)) {  // F-51: listed all the same, and then it is just the operation
    which.last_resort = which.options.size();
    which.options.emplace_back("none");
  }
  for (std::size_t i = 0; i < which.options.size(); ++i) which.addable.push_back(i);
  Pending when;
  when.player = mover_;
  when.options.emplace_back("before");
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
    when.options.emplace_back("during:" + std::to_string(i));
  when.options.emplace_back("after");
  for (std::size_t i = 0; i < when.options.size(); ++i) when.addable.push_back(i);
  const auto which_options = which.options;
  Activity activity;
  activity.action = text_of(which_options[static_cast<std::size_t>(decide(which))]);
  if (activity.action == "none") return;
  activity.place = decide(when) - 1;
  activity.operation = operation.id;
  activity_ = activity;
}

// G-91: a whole move of its own, at this point.
void Run::run_activity(int place, const PhaseDef& origin) {
  if (!activity_ || activity_->place != place) return;
  Move move;
  move.action = activity_->action;
  move.taken_for = ActionClass::special_activity;
  const ActionDef& action = *rules_.action(move.action);
  const Bindings operation_made = std::exchange(made_, {});
  const Bindings operation_chosen = std::exchange(chosen_, {});
  const World operation_start = std::exchange(start_, w);
  const std::vector<Happening> operation_events = std::exchange(events_, {});
  const std::optional<Activity> activity = std::exchange(activity_, std::nullopt);
  if (!fits_season_and_lasting(move, {}, false)) throw Illegal("the activity is not open");
  make(move, action, origin, &activity->operation);
  const Bindings activity_made = std::exchange(made_, operation_made);
  chosen_ = operation_chosen;
  start_ = operation_start;
  events_ = operation_events;
  activity_ = activity;
  activity_->made = activity_made;
}

// G-94
void Run::check_activity() {
  if (!activity_) return;
  for (const PipelineDef& pipeline : def().pipelines) {
    if (pipeline.action != activity_->action || !accompanies(pipeline, activity_->operation))
      continue;
    for (const ParamConstraint& rule : pipeline.param_constraints) {
      const auto mine = as_set(made_, rule.operation_param);
      const auto theirs = as_set(activity_->made, rule.special_activity_param);
      for (const std::string& item : theirs)
        if (mine.contains(item) ? rule.relation == "disjoint" : rule.relation == "subset")
          throw Illegal("operation and activity do not go together");
    }
  }
}

}  // namespace parlor::reference
