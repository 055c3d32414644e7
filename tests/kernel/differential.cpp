#include "kernel/differential.h"

#include <fmt/core.h>
#include <set>

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

class Comparer {
 public:
  Comparer(const Game& game, const reference::ReferenceGame& reference, Seed seed,
           std::size_t tried)
      : game_(game), reference_(reference), seed_(seed), tried_(tried), pick_(seed * 2 + 1) {}

  Comparison run(int max_decisions) {
    auto started = game_.start(seed_);
    std::optional<reference::ReferenceState> other;
    try {
      other = reference_.start(seed_);
    } catch (const std::runtime_error& error) {
      if (started) differ("the reference does not start: " + std::string(error.what()));
      return std::move(out_);
    }
    if (!started) {
      differ("the kernel does not start: " + started.error().message);
      return std::move(out_);
    }
    State state = *started;
    while (same_so_far(state, *other) && !out_.finished && out_.decisions < max_decisions &&
           step(state, *other))
      ++out_.decisions;
    return std::move(out_);
  }

 private:
  using Choices = std::vector<reference::Choice>;

  bool differ(const std::string& what) {
    if (out_.difference.empty())
      out_.difference = fmt::format("seed {}, after {} decisions (last: {}): {}", seed_,
                                    out_.decisions, last_, what);
    return false;
  }
  bool same(const std::string& what, const Json& mine, const Json& theirs) {
    const std::string found = first_difference(mine, theirs, what);
    return found.empty() || differ(found);
  }

  bool same_so_far(const State& state, const reference::ReferenceState& other) {
    const Json view = reference_.view(other);
    const Decision decision = reference_.decision(other);
    if (!same("view", comparable(state.view(), view), view) ||
        !same("decision", decision_json(state.decision()), decision_json(decision)))
      return false;
    out_.finished = decision.kind == DecisionKind::finished;
    return !out_.finished ||
           same("outcome", outcome_json(state.outcome()), outcome_json(reference_.outcome(other)));
  }

  // On a card the order of an action's ways is the kernel's own, so there they are compared as a
  // set and made by what they say.
  bool same_options(const Json& mine, Json& theirs) {
    if (!reference_.rules().flow || mine == theirs) return same("options", mine, theirs);
    Json sorted = mine, sorted_theirs = theirs;
    std::sort(sorted.begin(), sorted.end());
    std::sort(sorted_theirs.begin(), sorted_theirs.end());
    return same("options", sorted, sorted_theirs);
  }

  // Makes one of the options with both. False: they differ, or the rules go wrong over every
  // option.
  bool step(State& state, reference::ReferenceState& other) {
    OptionList options;
    state.list_options(options);
    Choices choices = reference_.options(other);
    Json mine = Json::array(), theirs = Json::array();
    for (const Option option : options) {
      mine.push_back(state.option_json(option));
      mine.back().erase("grant");  // its name is the kernel's own
    }
    for (const auto& choice : choices) theirs.push_back(choice.json);
    if (!same_options(mine, theirs)) return false;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto same_option = [&](const reference::Choice& c) { return c.json == mine[i]; };
      const auto from = choices.begin() + static_cast<std::ptrdiff_t>(i);
      std::iter_swap(from, std::find_if(from, choices.end(), same_option));
    }
    theirs = mine;
    if (choices.empty()) return differ("no options in an unfinished state");
    if (!why_agrees(state, mine)) return false;
    const std::size_t first = pick_.below(choices.size());
    bool made = false;
    for (std::size_t i = 0; i < choices.size() && (!made || i < tried_); ++i) {
      const std::size_t index = (first + i) % choices.size();
      State copy = state;
      reference::ReferenceState copy_of_other = other;
      bool faulted = false;
      if (!try_both(copy, options[index], copy_of_other, choices[index], faulted)) return false;
      if (faulted || made) continue;
      made = true;
      next_ = std::move(copy);
      next_of_other_ = std::move(copy_of_other);
      made_ = theirs[index].dump();
    }
    if (!made) return false;
    state = *next_;
    other = *next_of_other_;
    last_ = made_;
    return true;
  }

  // Both make the option, or both refuse it because of a fault and stay as they are.
  bool try_both(State& state, Option option, reference::ReferenceState& other,
                const reference::Choice& choice, bool& faulted) {
    std::string fault;
    try {
      reference_.apply(other, choice);
    } catch (const std::runtime_error& error) {
      fault = error.what();
    }
    faulted = !fault.empty();
    const State before = state;
    const Applied applied = state.apply(option);
    const std::string text = choice.json.dump();
    if (applied) return !faulted || differ("only the reference refuses " + text + ": " + fault);
    if (!faulted) return differ("only the kernel refuses " + text + ": " + applied.error().message);
    ++out_.faults;
    if (!applied.error().fault) return differ("the fault of " + text + " is called something else");
    return (state == before && state.hash() == before.hash()) ||
           differ("the refusal of " + text + " changed something");
  }

  // No reason against what is listed, and one against what is not.
  bool why_agrees(const State& state, const Json& listed) {
    const bool action = state.decision().kind == DecisionKind::action;
    for (std::size_t i = 0; i < std::min<std::size_t>(listed.size(), 6); ++i) {
      if (std::count(listed.begin(), listed.end(), listed[i]) > 1) continue;
      if (const auto why = state.why_not(listed[i]))
        return differ("why_not refuses the listed " + listed[i].dump() + ": " + why->message);
    }
    int asked = 0;
    for (const Json& request : seen_) {
      if (request.contains("action") != action || asked >= 8) continue;
      if (std::find(listed.begin(), listed.end(), request) != listed.end()) continue;
      if (find_option(state, request)) continue;  // it means one that is listed
      ++asked;
      if (!state.why_not(request))
        return differ("why_not has nothing against " + request.dump() + ", which is not listed");
    }
    for (const Json& request : listed) seen_.insert(request);
    return true;
  }

  const Game& game_;
  const reference::ReferenceGame& reference_;
  Seed seed_;
  std::size_t tried_;
  Rng pick_;
  Comparison out_;
  std::string last_ = "start", made_;
  std::optional<State> next_;
  std::optional<reference::ReferenceState> next_of_other_;
  std::set<Json> seen_;  // every option listed so far
};

}  // namespace

Comparison compare_play(const Game& game, const reference::ReferenceGame& reference, Seed seed,
                        int max_decisions, std::size_t tried) {
  return Comparer(game, reference, seed, tried).run(max_decisions);
}

}  // namespace parlor
