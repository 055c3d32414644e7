#include "table/history.h"

#include <algorithm>
#include <fmt/core.h>

#include "game/switches_rules.h"
#include "table/deeds.h"

namespace parlor::table {
namespace {

// How far the stretch between two positions is from the present.
std::size_t distance(std::size_t from, std::size_t to, std::size_t present) {
  if (present <= from) return from - present;
  return present >= to ? present - to : 0;
}

Rejection differs(std::uint64_t revision) {
  return {Code::SESSION_MISMATCH,
          fmt::format("after log entry {} the state differs from the one recorded", revision),
          {{"revision", revision}}};
}

// Does what an entry of the line did.
bool repeat(const LogEntry& entry, State& state) {
  if (entry.deed == Deed::rules) return set_rules(state, rules_of(entry.content)).has_value();
  state.game().let_decide(state.block(), entry.actor);  // where several decide at once
  return std::ranges::all_of(entry.options,
                             [&](Option option) { return state.try_apply(option).has_value(); });
}

}  // namespace

History::History(State start) {
  states_.emplace(0, std::move(start));
}

std::optional<std::size_t> History::position_at(std::uint64_t revision) const {
  if (revision >= positions_.size()) return std::nullopt;
  const std::size_t position = positions_[revision];
  // What replaced an action since then has a later revision.
  if (position > line_.size() || (position > 0 && line_[position - 1] > revision))
    return std::nullopt;
  return position;
}

tl::expected<std::size_t, Rejection> History::target_of(const LogEntry& entry) const {
  const auto refuse = [](Code code, std::string message) {
    return tl::unexpected(Rejection{code, std::move(message)});
  };
  switch (entry.deed) {
    case Deed::act:
    case Deed::rules:
      return position() + 1;
    case Deed::undo: {
      if (position() == 0) return refuse(Code::UNDO_EMPTY, "there is nothing to take back");
      if (!entry.content.contains("to")) return position() - 1;
      const auto to = entry.content["to"].get<std::uint64_t>();
      const auto target = position_at(to);
      if (!target || *target >= position())
        return refuse(Code::UNDO_EMPTY,
                      fmt::format("taking back cannot lead to what was there at revision {}", to));
      return *target;
    }
    case Deed::redo:
      if (position() == length()) return refuse(Code::REDO_EMPTY, "there is nothing to bring back");
      return position() + 1;
    default:
      return position();
  }
}

void History::follow(const LogEntry& entry) {
  const std::size_t target = target_of(entry).value();
  if (moves_on(entry.deed)) {
    line_.resize(target - 1);  // a new action ends what could be brought back
    states_.erase(states_.lower_bound(target), states_.end());
    line_.push_back(entry.revision);
  }
  positions_.push_back(target);
}

std::uint64_t History::hash_at(std::size_t position, const std::vector<LogEntry>& log) const {
  return position == 0 ? states_.at(0).hash() : log[line_[position - 1] - 1].hash;
}

tl::expected<State, Rejection> History::state_at(std::size_t position,
                                                 const std::vector<LogEntry>& log) {
  auto from = std::prev(states_.upper_bound(position));
  std::size_t at = from->first;
  State state = from->second;
  for (; at < position; ++at) {
    const LogEntry& entry = log[line_[at] - 1];
    if (!repeat(entry, state)) return tl::unexpected(differs(entry.revision));
    if (state.hash() != entry.hash) return tl::unexpected(differs(entry.revision));
    keep(at + 1, state);
    thin_out(position);
  }
  return state;
}

void History::keep(std::size_t position, State state) {
  states_.insert_or_assign(position, std::move(state));
}

void History::remember(std::size_t position, State state) {
  keep(position, std::move(state));
  thin_out(position);
}

// A state goes when its neighbours are close to each other, seen from the present: then bringing it
// back costs less than half as many actions as lie between it and the present.
void History::thin_out(std::size_t present) {
  if (states_.size() < 3) return;
  auto before = states_.begin();
  for (auto at = std::next(before); std::next(at) != states_.end();) {
    const std::size_t from = before->first, to = std::next(at)->first;
    if (2 * (to - from) <= distance(from, to, present)) {
      at = states_.erase(at);
    } else {
      before = at++;
    }
  }
}

}  // namespace parlor::table
