#include "game/conformance_saves.h"

#include <exception>
#include <fmt/core.h>
#include <limits>

namespace parlor {
namespace {

constexpr std::size_t most_damages = 60;  // per state
constexpr std::size_t decisions_played = 12;

// A state that was loaded from damaged text must still keep the promises as far as a few moves
// show.
std::optional<std::string> unsound(State state, Rng& rng) {
  const auto again = state.game().load(state.save());
  if (!again || !(*again == state))
    return "and the state it gives does not survive saving and loading";
  OptionList options;
  for (std::size_t n = 0; n < decisions_played; ++n) {
    state.list_options(options);
    if (state.finished() != options.empty())
      return "and the state it gives is finished with options, or unfinished without";
    if (options.empty()) {
      if (state.outcome().returns.size() != state.game().info().players)
        return "and the state it gives has no proper outcome";
      return std::nullopt;
    }
    if (!state.apply(options[draw_option(options, rng)]))
      return "and a listed option of the state it gives does not apply";
  }
  return std::nullopt;
}

// Every place in a document as a JSON pointer, parents before children.
void collect(const Json& value, const Json::json_pointer& here,
             std::vector<Json::json_pointer>& out) {
  out.push_back(here);
  if (value.is_object())
    for (const auto& [key, child] : value.items()) collect(child, here / key, out);
  else if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], here / i, out);
}

Json damaged_value(const Json& value, Rng& rng) {
  const Json replacements[] = {nullptr,
                               "damaged",
                               -1,
                               std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::int64_t>::min(),
                               Json::array(),
                               Json::object(),
                               1.5,
                               true,
                               Json::array({Json::object()})};
  if (value.is_number_integer() && rng.below(2) == 0)
    return value.get<std::int64_t>() + (rng.below(2) == 0 ? 1 : 1000);
  return replacements[rng.below(std::size(replacements))];
}

void remove_at(Json& document, const Json::json_pointer& place) {
  Json& parent = document[place.parent_pointer()];
  if (parent.is_object())
    parent.erase(place.back());
  else
    parent.erase(static_cast<std::size_t>(std::stoul(place.back())));
}

std::optional<std::string> try_load(const Game& game, const Json& damaged, const std::string& how,
                                    Rng& rng) {
  try {
    const auto loaded = game.load(damaged);
    if (!loaded) {
      if (loaded.error().code.empty()) return fmt::format("{} was refused without a code", how);
      return std::nullopt;
    }
    if (const auto problem = unsound(*loaded, rng))
      return fmt::format("{} was accepted, {}", how, *problem);
    return std::nullopt;
  } catch (const std::exception& error) {
    return fmt::format("{} threw: {}", how, error.what());
  }
}

// Damage that no game may accept.
std::optional<std::string> accepted_envelope(const Game& game, const Json& saved) {
  std::vector<std::pair<std::string, Json>> damages;
  const auto with = [&](std::string how, const char* key, Json value) {
    Json copy = saved;
    copy[key] = std::move(value);
    damages.emplace_back(std::move(how), std::move(copy));
  };
  with("another format", "format", "something else");
  with("another version", "version", 999);
  with("a version that is no number", "version", "1");
  with("another game", "game", game.info().id + "x");
  with("other rules", "fingerprint", "0");
  for (const Json& state : {Json(nullptr), Json("text"), Json(7), Json::array(), Json::object()})
    with("state " + canonical(state), "state", state);
  damages.emplace_back("null", nullptr);
  damages.emplace_back("a list", Json::array({1, 2}));
  damages.emplace_back("an empty object", Json::object());
  for (const auto& [how, damaged] : damages) {
    try {
      if (game.load(damaged)) return fmt::format("{} was accepted", how);
    } catch (const std::exception& error) {
      return fmt::format("{} threw: {}", how, error.what());
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_damage_accepted(const State& state, Rng& rng) {
  const Game& game = state.game();
  const Json saved = state.save();
  if (auto problem = accepted_envelope(game, saved)) return problem;
  std::vector<Json::json_pointer> places;
  collect(saved["state"], Json::json_pointer{"/state"}, places);
  for (std::size_t n = 0; n < std::min(most_damages, 2 * places.size()); ++n) {
    const auto& place = places[rng.below(places.size())];
    Json damaged = saved;
    std::string how;
    if (rng.below(3) == 0 && places.size() > 1) {
      remove_at(damaged, place);
      how = fmt::format("a save without {}", place.to_string());
    } else {
      const Json value = damaged_value(damaged[place], rng);
      how = fmt::format("a save with {} at {}", canonical(value), place.to_string());
      damaged[place] = value;
    }
    if (damaged == saved) continue;
    if (auto problem = try_load(game, damaged, how, rng)) return problem;
  }
  return std::nullopt;
}

}  // namespace parlor
