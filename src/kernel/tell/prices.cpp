// What can be done now costs so much: a line of a state's description.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

// "1 gold, 2 wood", with what is in force counted in; empty: nothing, or it is not known yet.
std::string price_text(Machine& machine, const Wording& wording, int index, const Json& params) {
  const Program& p = machine.program();
  const ActionInfo& action = p.actions[index];
  const int active = machine.header().active;
  Machine::Scratch scratch(machine, action.unit, active, active);
  for (const ParamInfo& param : action.params)
    if (params.contains(param.name))
      machine.slot(param.slot) = machine.value_of_json(params[param.name]);
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
                         label(wording, p.pvars[var].name));
  }
  return out;
}

// An action, and what it costs: several where that depends on what is chosen.
struct Priced {
  std::string action;
  std::vector<std::string> prices;
};

}  // namespace

std::string KernelGame::prices_text(Machine& machine, const StateBlock& block) const {
  const Header& h = block.as<Header>();
  if (h.decision != DecisionKind::action ||
      !std::ranges::any_of(program_->actions, [](const auto& a) { return !a.price.empty(); }))
    return {};
  OptionList options;
  list_options(block, options);
  std::vector<Priced> told;
  for (const Option option : options) {
    std::string id;
    const Json params = machine.move_params(option, id);
    const int index = position_of(program_->actions, id, &ActionInfo::id);
    if (index < 0 || program_->actions[index].price.empty()) continue;
    const std::string price = price_text(machine, *wording_, index, params);
    if (price.empty()) continue;
    auto row = std::ranges::find(told, id, &Priced::action);
    if (row == told.end()) row = told.insert(told.end(), {id, {}});
    if (std::ranges::find(row->prices, price) == row->prices.end()) row->prices.push_back(price);
  }
  std::string out;
  for (const Priced& row : told)
    out += fmt::format("{} {}: {}", out.empty() ? "  costs:" : ";", label(*wording_, row.action),
                       fmt::join(row.prices, " or "));
  return out.empty() ? out : out + "\n";
}

}  // namespace parlor::kernel
