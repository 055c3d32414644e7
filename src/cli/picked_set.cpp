#include "cli/picked_set.h"

#include <algorithm>

namespace parlor::cli {
namespace {

std::optional<Option> confirming(const State& state, const OptionList& options) {
  for (const Option option : options)
    if (state.option_json(option).value("confirm", false)) return option;
  return std::nullopt;
}

}  // namespace

std::optional<PickedSet> PickedSet::of(const State& state, const Viewer& viewer) {
  if (state.decision().kind != DecisionKind::choose_n) return std::nullopt;
  const Json asked = state.game().selection(state.block(), viewer);
  if (!asked.is_object() || !asked.contains("candidates") || !asked["chosen"].empty())
    return std::nullopt;
  PickedSet out;
  for (std::uint64_t k = 0; k < asked["candidates"].size(); ++k) out.items_.push_back(Option{k});
  out.least_ = asked["min"].get<std::size_t>();
  out.most_ = std::min(asked["max"].get<std::size_t>(), out.items_.size());
  if (out.most_ < 2) return std::nullopt;  // one after the other is any order
  return out;
}

OptionList PickedSet::left() const {
  OptionList out;
  for (const Option item : items_)
    if (!has(item)) out.add(item);
  return out;
}

std::optional<std::vector<Option>> PickedSet::steps(const State& state) const {
  std::vector<Option> out;
  State trial = state;
  OptionList offered;
  for (const Option item : items_) {
    if (!has(item)) continue;
    if (trial.decision().kind != DecisionKind::choose_n) return std::nullopt;
    trial.list_options(offered);
    if (std::ranges::find(offered, item) == offered.end() || !trial.apply(item))
      return std::nullopt;
    out.push_back(item);
  }
  // The rules are told that this is all, unless they know.
  if (trial.decision().kind != DecisionKind::choose_n) return out;
  const Json asked = trial.game().selection(trial.block(), Viewer::everything());
  if (!asked.is_object() || asked["chosen"].size() != out.size()) return out;
  trial.list_options(offered);
  const auto last = confirming(trial, offered);
  if (!last) return std::nullopt;
  out.push_back(*last);
  return out;
}

}  // namespace parlor::cli
