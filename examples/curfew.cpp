#include "curfew.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::examples {

Curfew::Curfew(int last_round, std::vector<std::string> actions)
    : last_round_(last_round), actions_(std::move(actions)) {}

spec::ModuleInfo Curfew::info() const {
  spec::ModuleInfo out;
  out.id = "curfew";
  out.version = "1.0.0";
  out.name = "Curfew";
  out.description = fmt::format("Some actions are forbidden after round {}.", last_round_);
  return out;
}

// Only the hooks named here are called: the game pays for nothing else.
kernel::HookPoints Curfew::points() const {
  return {.validate = true, .apply = true, .after = true, .snapshot = true};
}

bool Curfew::concerns(std::string_view action) const {
  return std::ranges::find(actions_, action) != actions_.end();
}

void Curfew::extend(spec::GameDef& game) const {
  game.global_vars.push_back({"curfew.taken", spec::VarType::integer, 0, 0, 1'000'000, true});
}

// What is refused here is not offered either, so bots never try it.
std::optional<Rejection> Curfew::validate(const kernel::ActionView& action) const {
  if (action.round() <= last_round_) return std::nullopt;
  return Rejection("CURFEW", fmt::format("no {} after round {}", action.id(), last_round_),
                   {{"round", action.round()}, {"lastRound", last_round_}});
}

void Curfew::apply(const kernel::ActionView&, kernel::Changes& changes) const {
  changes.add_global("curfew.taken", 1);
}

void Curfew::after(const kernel::ActionView& action,
                   std::vector<kernel::ModuleEvent>& events) const {
  if (action.round() == last_round_)
    events.push_back({"curfewNear", {{"action", action.id()}, {"player", action.player()}}});
}

Json Curfew::snapshot(const kernel::StateView& state) const {
  return {{"open", state.round() <= last_round_}};
}

}  // namespace parlor::examples
