#include "kernel/differential.h"

#include <fmt/core.h>

namespace parlor {

namespace {

// The first place where two values differ, as a JSON pointer with both values.
std::string first_difference(const Json& kernel, const Json& reference, const std::string& path) {
  if (kernel == reference) return "";
  if (kernel.is_object() && reference.is_object()) {
    for (const auto& [key, value] : reference.items()) {
      if (!kernel.contains(key)) return path + "/" + key + " is missing in the kernel";
      const std::string inner = first_difference(kernel[key], value, path + "/" + key);
      if (!inner.empty()) return inner;
    }
    for (const auto& [key, value] : kernel.items())
      if (!reference.contains(key)) return path + "/" + key + " is only in the kernel";
  }
  if (kernel.is_array() && reference.is_array() && kernel.size() == reference.size())
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::string inner =
          first_difference(kernel[i], reference[i], path + "/" + std::to_string(i));
      if (!inner.empty()) return inner;
    }
  return fmt::format("{}: kernel {}, reference {}", path, kernel.dump(), reference.dump());
}

// What both sides can say about a state; the kernel's view may hold more.
Json comparable(const Json& view, const Json& keys) {
  Json out = Json::object();
  for (const auto& [key, value] : keys.items())
    if (view.contains(key)) out[key] = view[key];
  return out;
}

Json outcome_json(const Outcome& outcome) {
  Json winners = Json::array();
  for (const PlayerId winner : outcome.winners) winners.push_back(winner.index());
  return {{"returns", outcome.returns}, {"winners", winners}, {"reason", outcome.reason}};
}

Json decision_json(const Decision& decision) {
  return {{"kind", decision_kind_name(decision.kind)},
          {"player", decision.player.is_none() ? -1 : static_cast<int>(decision.player.index())}};
}

}  // namespace

Comparison compare_play(const Game& game, const reference::ReferenceGame& reference, Seed seed,
                        int max_decisions) {
  Comparison out;
  Rng pick(seed * 2 + 1);
  auto started = game.start(seed);
  if (!started) {
    out.difference = "the kernel does not start: " + started.error().message;
    return out;
  }
  State state = *started;
  auto other = reference.start(seed);
  std::string last = "start";
  OptionList options;
  const auto differs = [&](const std::string& what, const Json& mine, const Json& theirs) {
    const std::string found = first_difference(mine, theirs, what);
    if (!found.empty())
      out.difference = fmt::format("seed {}, after {} decisions (last: {}): {}", seed,
                                   out.decisions, last, found);
    return !found.empty();
  };
  for (;; ++out.decisions) {
    const Json view = reference.view(other);
    if (differs("view", comparable(state.view(), view), view)) return out;
    const Decision decision = reference.decision(other);
    if (differs("decision", decision_json(state.decision()), decision_json(decision))) return out;
    if (decision.kind == DecisionKind::finished) {
      out.finished = true;
      differs("outcome", outcome_json(state.outcome()), outcome_json(reference.outcome(other)));
      return out;
    }
    if (out.decisions >= max_decisions) return out;

    state.list_options(options);
    const auto choices = reference.options(other);
    Json mine = Json::array(), theirs = Json::array();
    for (const Option option : options) mine.push_back(state.option_json(option));
    for (const auto& choice : choices) theirs.push_back(choice.json);
    if (differs("options", mine, theirs)) return out;
    if (choices.empty()) {
      out.difference = "no options in an unfinished state";
      return out;
    }
    const std::size_t index = pick.below(choices.size());
    last = theirs[index].dump();
    reference.apply(other, choices[index]);
    const Applied applied = state.apply(options[index]);
    if (!applied) {
      out.difference = fmt::format("seed {}, after {} decisions: the kernel refuses {}: {}", seed,
                                   out.decisions, last, applied.error().message);
      return out;
    }
  }
}

}  // namespace parlor
