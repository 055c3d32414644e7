#include "game/secrecy.h"

#include <algorithm>
#include <fmt/core.h>

#include "game/scene.h"

namespace parlor {
namespace {

// The first place where two values differ, with both.
std::string difference(const Json& a, const Json& b, const std::string& path = "") {
  if (a == b) return "";
  if (a.is_object() && b.is_object())
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key)) return fmt::format("{}/{} is only in one", path, key);
      if (auto inner = difference(value, b[key], path + "/" + key); !inner.empty()) return inner;
    }
  if (a.is_array() && b.is_array() && a.size() == b.size())
    for (std::size_t i = 0; i < a.size(); ++i)
      if (auto inner = difference(a[i], b[i], fmt::format("{}/{}", path, i)); !inner.empty())
        return inner;
  return fmt::format("{}: {} or {}", path, canonical(a).substr(0, 300),
                     canonical(b).substr(0, 300));
}

Json refusal_told(const std::optional<Rejection>& refusal) {
  return refusal ? to_json(*refusal) : Json(nullptr);
}

Json options_told(const State& state, const Viewer& viewer) {
  OptionList options;
  state.list_options(options);
  std::vector<std::uint32_t> numbers(options.size());
  state.game().action_indices(state.block(), options, numbers);
  Json out = Json::array();
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option option = options[i];
    out.push_back({{"id", option.id},
                   {"number", numbers[i]},
                   {"text", state.option_text(option, viewer)},
                   {"label", state.option_label(option, viewer)},
                   {"json", state.option_json(option, viewer)}});
  }
  return out;
}

// Dice that are seen to fall differ from world to world: nobody foresees them. So may what the
// rules say aloud: it is up to them to tell what is hidden.
Json open_news(const Json& told) {
  Json out = Json::array();
  for (const Json& event : told)
    if (event["kind"] == "rolled" || event["kind"] == "note") out.push_back(event["data"]);
  return out;
}

// Tokens that were seen in passing: they came into a zone this viewer sees into. Those of another
// world may have been others, and lie where nobody sees them again.
Json seen_passing(const Json& told, const State& after, const Viewer& viewer) {
  const Json view = after.view(viewer);
  Json out = Json::array();
  if (!view.contains("zones")) return out;
  for (const Json& event : told) {
    const Json& data = event["data"];
    if (!data.is_object() || !data.contains("token") || !data.contains("to")) continue;
    const auto zone = data["to"].is_string() ? view["zones"].find(data["to"].get<std::string>())
                                             : view["zones"].end();
    if (zone != view["zones"].end() && zone->is_array()) out.push_back(data["token"]);
  }
  return out;
}

// What a learner at this seat gets.
Json numbers_told(const State& state, const Viewer& viewer) {
  if (viewer.id().is_none() || !viewer.profile().empty()) return nullptr;
  std::vector<float> out(tensor_size(state.game()));
  if (!out.empty()) state.game().observe(state.block(), viewer.id(), out);
  return out;
}

State guess(const State& state, const Viewer& viewer, std::uint64_t dice) {
  State out = state;
  Rng rng(dice);
  out.game().resample_hidden(out.block(), viewer, rng);
  return out;
}

// To say what differs, not only that something does.
Json without_check(const State& state) {
  Json out = state.save();
  out.erase("check");
  return out;
}

// What a viewer who cannot tell two worlds apart is told of the same step in both: the same, unless
// they can tell apart where it leads.
std::optional<Leak> compare_steps(const State& one, const State& other, const Viewer& viewer) {
  OptionList mine, theirs;
  one.list_options(mine);
  other.list_options(theirs);
  const std::size_t most = std::min<std::size_t>({mine.size(), theirs.size(), 4});
  for (std::size_t i = 0; i < most; ++i) {
    const auto a = follow(one, {&mine.all()[i], 1}, viewer);
    const auto b = follow(other, {&theirs.all()[i], 1}, viewer);
    if (!a || !b || a->knowledge != b->knowledge) continue;
    if (open_news(a->events) != open_news(b->events)) continue;
    if (seen_passing(a->events, a->after, viewer) != seen_passing(b->events, b->after, viewer))
      continue;
    if (const auto differ = difference(a->events, b->events); !differ.empty())
      return Leak{"events", differ};
    const auto label = [&](const State& before, Option option, const State& after) {
      return before.game().choice_told(before.block(), option, after.block(), viewer);
    };
    const bool own = viewer.is(one.decision().player);
    const ChoiceTold told_a = label(one, mine[i], a->after),
                     told_b = label(other, theirs[i], b->after);
    // Somebody else's options need not stand in the same order in both worlds.
    if (own && told_a != told_b)
      return Leak{"told", fmt::format("{} or {}", told_a.label, told_b.label)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Viewer> viewers_of(const Game& game) {
  std::vector<Viewer> out;
  for (std::size_t p = 0; p < game.info().players; ++p) out.push_back(Viewer::player(PlayerId{p}));
  out.push_back(Viewer::observer());
  for (const std::string& name : game.info().observers) {
    out.push_back(Viewer::observer(name));
    for (std::size_t p = 0; p < game.info().players; ++p)
      out.push_back(Viewer::player(PlayerId{p}, name));
  }
  return out;
}

std::string viewer_name(const Viewer& viewer) {
  if (viewer.sees_all()) return "who sees everything";
  const std::string who =
      viewer.id().is_none() ? "a spectator" : fmt::format("player {}", viewer.id().value);
  return viewer.profile().empty() ? who : fmt::format("{} as {}", who, viewer.profile());
}

std::optional<Followed> follow(const State& before, std::span<const Option> choices,
                               const Viewer& viewer) {
  State after = before;
  EventRecorder heard;
  for (const Option option : choices)
    if (!after.apply(option, &heard)) return std::nullopt;
  Json events = Json::array();
  for (const HeardEvent& event : heard.heard())
    if (Json told = event_told({event.kind, event.data, event.seen_by, event.outside}, viewer);
        !told.is_null())
      events.push_back(std::move(told));
  State knowledge = guess(after, viewer, 5);
  return Followed{std::move(after), std::move(events), std::move(knowledge)};
}

std::vector<Json> probing_requests(const State& state) {
  std::vector<Json> out{"?!",
                        -1,
                        0,
                        nullptr,
                        Json{{"action", "no such action"}},
                        Json{{"value", "no such value"}},
                        Json{{"params", 3}}};
  OptionList options;
  state.list_options(options);
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < options.size() && i < most; ++i) {
    Json form = state.option_json(options[i]);
    out.push_back(form);
    out.push_back(state.option_text(options[i]));
    out.push_back(state.option_label(options[i]));
    for (auto& param : form.contains("params") ? form["params"] : form) {
      Json changed = form;  // another value of the same kind
      if (param.is_string()) param = param.get<std::string>() + "0";
      if (param.is_number_integer()) param = param.get<std::int64_t>() + 1000;
      out.push_back(form);
      form = std::move(changed);
      break;
    }
  }
  for (const std::string& action : state.game().info().actions)
    out.push_back({{"action", action}, {"params", Json::object()}});
  return out;
}

Json everything_told(const State& state, const Viewer& viewer, const std::vector<Json>& requests) {
  State seen = state;
  const Game& game = seen.game();
  const bool decides = !viewer.id().is_none() && game.let_decide(seen.block(), viewer.id());
  Json out{{"view", state.view(viewer)},
           {"hash", state.view_hash(viewer)},
           {"describe", state.describe(viewer)},
           {"decision", decision_to_json(state, viewer)},
           {"question", seen.question(viewer)},
           {"stage", stage_of(state, viewer)},
           {"page", typed_decision(seen, viewer, {.depth = 1, .most = 40})},
           {"selection", game.selection(seen.block(), viewer)},
           {"numbers", numbers_told(state, viewer)},
           {"outcome", state.finished() ? to_json(state.outcome()) : Json(nullptr)}};
  if (decides) out["options"] = options_told(seen, viewer);
  out["why"] = Json::array();
  out["refusals"] = Json::array();
  for (const Json& request : requests) {
    out["why"].push_back(refusal_told(seen.why_not(request, viewer)));
    const auto found = find_option(seen, request, viewer);
    out["refusals"].push_back(found ? Json(found->id) : to_json(found.error()));
  }
  return out;
}

std::optional<Leak> find_leak(const State& state, const Viewer& viewer, Rng& rng,
                              const LeakSearch& search) {
  const std::vector<Json> requests = probing_requests(state);
  const Json told = everything_told(state, viewer, requests);
  const State first = guess(state, viewer, 3);
  for (int i = 0; i < search.worlds; ++i) {
    State world = state;
    world.game().resample_hidden(world.block(), viewer, rng);
    const Json other = everything_told(world, viewer, requests);
    for (const char* where : {"view", "describe", "options", "decision", "question", "outcome",
                              "why", "refusals", "hash", "stage", "page", "selection", "numbers"})
      if (const auto differ = difference(told.value(where, Json()), other.value(where, Json()));
          !differ.empty())
        return Leak{where, differ};
    if (const State again = guess(world, viewer, 3); !(again == first))
      return Leak{"guess", "what is made up depends on what is really there: " +
                               difference(without_check(first), without_check(again))};
    if (search.others_moves || viewer.is(state.decision().player))
      if (auto leak = compare_steps(state, world, viewer)) return leak;
  }
  return std::nullopt;
}

}  // namespace parlor
