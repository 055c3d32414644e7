#include "game/secrecy.h"

#include <algorithm>
#include <fmt/core.h>

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
  Json out = Json::array();
  for (const Option option : options)
    out.push_back({{"id", option.id},
                   {"text", state.option_text(option, viewer)},
                   {"label", state.option_label(option, viewer)},
                   {"json", state.option_json(option, viewer)}});
  return out;
}

class Hearing : public EventListener {
 public:
  void on_event(const Event& event) override { events.push_back({std::string(event.kind), event}); }
  Json told(const Viewer& viewer) const {
    Json out = Json::array();
    for (const auto& [kind, event] : events) {
      Event whole = event;
      whole.kind = kind;  // what the event itself points to may be gone
      if (Json one = event_told(whole, viewer); !one.is_null()) out.push_back(std::move(one));
    }
    return out;
  }
  std::vector<std::pair<std::string, Event>> events;
};

// Dice that everybody sees fall differ from world to world: nobody foresees them.
Json open_rolls(const Json& told) {
  Json out = Json::array();
  for (const Json& event : told)
    if (event["kind"] == "rolled") out.push_back(event["data"]);
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

State guess(const State& state, const Viewer& viewer, std::uint64_t dice) {
  State out = state;
  Rng rng(dice);
  out.game().resample_hidden(out.block(), viewer, rng);
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
    State a = one, b = other;
    Hearing heard_a, heard_b;
    if (!a.apply(mine[i], &heard_a) || !b.apply(theirs[i], &heard_b)) continue;
    if (guess(a, viewer, 5) != guess(b, viewer, 5)) continue;
    const Json told_a = heard_a.told(viewer), told_b = heard_b.told(viewer);
    if (open_rolls(told_a) != open_rolls(told_b)) continue;
    if (seen_passing(told_a, a, viewer) != seen_passing(told_b, b, viewer)) continue;
    if (const auto differ = difference(told_a, told_b); !differ.empty())
      return Leak{"events", differ};
    const auto label = [&](const State& before, Option option, const State& after) {
      return before.game().choice_told(before.block(), option, after.block(), viewer);
    };
    const bool own = viewer.is(one.decision().player);
    const std::string label_a = label(one, mine[i], a), label_b = label(other, theirs[i], b);
    // Somebody else's options need not stand in the same order in both worlds.
    if (own && label_a != label_b) return Leak{"told", fmt::format("{} or {}", label_a, label_b)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Viewer> viewers_of(const Game& game) {
  std::vector<Viewer> out;
  for (std::size_t p = 0; p < game.info().players; ++p) out.push_back(Viewer::player(PlayerId{p}));
  out.push_back(Viewer::observer());
  return out;
}

std::string viewer_name(const Viewer& viewer) {
  if (viewer.sees_all()) return "who sees everything";
  return viewer.id().is_none() ? "a spectator" : fmt::format("player {}", viewer.id().value);
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
                              "why", "refusals", "hash"})
      if (const auto differ = difference(told.value(where, Json()), other.value(where, Json()));
          !differ.empty())
        return Leak{where, differ};
    if (!(guess(world, viewer, 3) == first))
      return Leak{"guess", "what is made up depends on what is really there"};
    if (search.others_moves || viewer.is(state.decision().player))
      if (auto leak = compare_steps(state, world, viewer)) return leak;
  }
  return std::nullopt;
}

}  // namespace parlor
