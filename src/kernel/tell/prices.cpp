// What can be done now costs so much: a line of a state's description.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "kernel/kernel.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

// "1 gold, 2 wood", with what is in force counted in; empty: nothing, or it depends on what is
// chosen.
std::string price_text(Machine& machine, const Wording& wording, int index, int actor) {
  const Program& p = machine.program();
  const ActionInfo& action = p.actions[static_cast<std::size_t>(index)];
  Machine::Scratch scratch(machine, action.unit, machine.header().active, actor);
  std::string out;
  for (const auto& [var, node] : action.price) {
    std::int64_t amount = 0;
    if (!machine.integer(node, amount)) {
      machine.clear_fault();
      return {};
    }
    amount = std::max<std::int64_t>(0, amount + machine.cost_delta(index, var));
    if (amount != 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", amount,
                         label(wording, p.pvars[static_cast<std::size_t>(var)].name));
  }
  return out;
}

}  // namespace

std::string KernelGame::prices_text(Machine& machine, const StateBlock& block) const {
  const Header& h = block.as<Header>();
  if (h.decision != DecisionKind::action ||
      !std::ranges::any_of(program_->actions, [](const auto& a) { return !a.price.empty(); }))
    return {};
  OptionList options;
  list_options(block, options);
  std::set<std::string> told;
  std::string out;
  for (const Option option : options) {
    std::string id;
    machine.move_params(option, id);
    if (!told.insert(id).second) continue;
    const auto info = std::ranges::find(program_->actions, id, &ActionInfo::id);
    if (info == program_->actions.end() || info->price.empty()) continue;
    const auto index = static_cast<int>(info - program_->actions.begin());
    if (const std::string price = price_text(machine, *wording_, index, h.active); !price.empty())
      out += fmt::format("{} {}: {}", out.empty() ? "  costs:" : ";", label(*wording_, id), price);
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace parlor::kernel
