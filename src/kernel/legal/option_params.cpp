// What the options of an action stand for: values of its parameters.
#include "kernel/legal/enumerator.h"

namespace parlor::kernel {

// The values an option stands for, into the slots of the running unit.
bool Legality::bind_params(int index, Option option) {
  const ActionInfo& action = p_->actions[index];
  std::uint64_t code = option.id >> (action_bits + p_->variant_bits);
  if (!action.packed) return action.params.empty() || bind_ordinal(index, option);
  for (const ParamInfo& param : action.params) {
    const Value v = decode(param, code & ((std::uint64_t{1} << param.bits) - 1));
    code >>= param.bits;
    if (!exists(v)) return false;
    slot(param.slot) = v;
  }
  return true;
}

// Finds the tuple with this number again and copies its values into the new frame.
bool Legality::bind_ordinal(int action, Option option) {
  const ActionInfo& info = p_->actions[action];
  const std::int32_t frame = base_;
  bool found = false;
  auto copy = [&](Option) {
    for (const ParamInfo& param : info.params) slots_[frame + param.slot.value] = slot(param.slot);
    found = true;
    return false;
  };
  Enumerator(*this, copy).run_to(action, option);
  load_frame();
  return found;
}

Json Legality::move_params(Option option, std::string& id) {
  const int index = action_of(option);
  Json params = Json::object();
  if (index >= std::ssize(p_->actions)) return params;
  const ActionInfo& action = p_->actions[index];
  id = action.id;
  if (!action.pipelines.empty() || action.params.empty() || (option.id & faulted_option) != 0)
    return params;
  if (index == p_->flow.event_action) {
    const std::uint64_t event = params_of(*p_, option);
    if (event >= p_->flow.event_moves.size()) return params;
    Scratch scratch(*this, action.unit, header().active, header().active);
    set_event(event);
    for (const ParamInfo& param : action.params)
      if (const Value v = slot(param.slot); !v.is_none()) params[param.name] = json_of(v);
    return params;
  }
  const int active = header().active;
  Scratch scratch(*this, action.unit, active, active);
  if (action.packed) {
    std::uint64_t code = option.id >> (action_bits + p_->variant_bits);
    for (const ParamInfo& param : action.params) {
      params[param.name] = json_of(decode(param, code & ((std::uint64_t{1} << param.bits) - 1)));
      code >>= param.bits;
    }
    return params;
  }
  auto copy = [&](Option) { return params = params_json(action), false; };
  Enumerator(*this, copy).run_to(index, option);
  forget_move();
  return params;
}

// The values in the slots.
Json Legality::params_json(const ActionInfo& action) {
  Json out = Json::object();
  for (const ParamInfo& param : action.params) out[param.name] = json_of(slot(param.slot));
  return out;
}

bool Legality::counts_params(Option option) const {
  const int index = action_of(option);
  if (index >= std::ssize(p_->actions) || (option.id & faulted_option) != 0) return false;
  const ActionInfo& action = p_->actions[index];
  return !action.packed && !action.params.empty() && action.pipelines.empty() &&
         index != p_->flow.event_action;
}

void Legality::all_params(Option option, std::vector<std::pair<Option, Json>>& out) {
  const int index = action_of(option);
  const ActionInfo& action = p_->actions[index];
  const int active = header().active;
  Scratch scratch(*this, action.unit, active, active);
  auto add = [&](Option found) { return out.emplace_back(found, params_json(action)), true; };
  Enumerator(*this, add).run_to_all(index, option);
  forget_move();
}

}  // namespace parlor::kernel
