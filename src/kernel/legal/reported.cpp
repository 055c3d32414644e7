// What is told of a move when it is made.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// Parameters that not everybody may know are told to those who may, and left out for the others.
void Legality::report_move(int index) {
  const ActionInfo& action = p_->actions[index];
  const int player = header().active;
  Json params = Json::object(), open = Json::object();
  std::uint32_t seen = ~std::uint32_t{0};
  About about;
  for (std::size_t k = 0; k < action.params.size() && action.pipelines.empty(); ++k) {
    const ParamInfo& param = action.params[k];
    const Value v = slot(param.slot);
    if (v.is_none()) continue;  // an event without branches
    const Secrets& s = p_->secrets;
    const std::uint32_t may = choice_seen_by(v, player, s.any && s.closed_params[index][k],
                                             s.any && s.buried_params[index][k]);
    params[param.name] = json_of(v);
    if (v.is_token())
      about.tokens.push_back(v.as_token());
    else
      about.also &= may;
    if (may == ~std::uint32_t{0}) {
      open[param.name] = params[param.name];
      if (v.is_token()) about.named.push_back(v.as_token());
    }
    seen &= may;
  }
  report("action", {{"action", action.id}, {"player", player}, {"params", std::move(params)}}, seen,
         {{"action", action.id}, {"player", player}, {"params", std::move(open)}, {"hidden", true}},
         about);
}

}  // namespace parlor::kernel
