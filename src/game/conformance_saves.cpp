#include "game/conformance_saves.h"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <limits>
#include <map>

namespace parlor {
namespace {

constexpr std::size_t decisions_played = 4;
constexpr std::size_t damages_of_a_kind = 1;  // of one field, of all its occurrences, per state

using Place = Json::json_pointer;

Json sealed(Json save) {
  save["check"] = save_check(save["state"]);
  return save;
}

// A state that was loaded from damaged text must still keep the promises as far as a few moves
// show. Whoever wrote a checksum of their own may have made a position no rule foresaw: there an
// option may be refused, with a code, but nothing else may happen.
std::optional<std::string> unsound(State state, Rng& rng) {
  const auto again = state.game().load(state.save());
  if (!again || !(*again == state) || again->hash() != state.hash())
    return "and the state it gives does not survive saving and loading";
  OptionList options;
  for (std::size_t n = 0; n < decisions_played; ++n) {
    (void)state.view();
    (void)state.describe();
    state.list_options(options);
    if (state.finished() != options.empty())
      return "and the state it gives is finished with options, or unfinished without";
    if (options.empty()) {
      if (state.outcome().returns.size() != state.game().info().players)
        return "and the state it gives has no proper outcome";
      return std::nullopt;
    }
    (void)options_to_json(state, options);
    const State before = state;
    if (const auto done = state.apply(options[draw_option(options, rng)]); !done) {
      if (done.error().code.empty()) return "and an option of it is refused without a code";
      if (!(state == before)) return "and an option that is refused changes the state it gives";
    }
  }
  return std::nullopt;
}

// Every place in a document, by field: list entries are the same field wherever they stand.
using Fields = std::map<std::string, std::vector<Place>>;
void collect(const Json& value, const Place& here, const std::string& field, Fields& out) {
  out[field].push_back(here);
  if (value.is_object())
    for (const auto& [key, child] : value.items())
      collect(child, here / key, fmt::format("{}/{}", field, key), out);
  else if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], here / i, field + "/*", out);
}

bool is_hexadecimal(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Bytes written as text: other bytes, more of them and fewer.
std::string damaged_bytes(const std::string& text, Rng& rng) {
  std::string out = text;
  switch (rng.below(7)) {
    case 0:
      return repeated("7f", 8 << rng.below(5));
    case 1:
      return repeated(rng.below(2) == 0 ? "ff" : "00", std::max<std::size_t>(1, text.size() / 2));
    case 2:
      return text.substr(0, 2 * rng.below(text.size() / 2 + 1));
    case 3:
      return text + repeated("01", 1 + rng.below(64));
    default:
      if (out.empty()) return "00";
      // One byte, or the four of a number.
      for (std::size_t at = rng.below(out.size()), end = at + 1 + 7 * rng.below(2);
           at < std::min(end, out.size()); ++at)
        out[at] = "0123456789abcdef"[rng.below(16)];
      return out;
  }
}

Json damaged_number(const Json& value, Rng& rng) {
  using Limits = std::numeric_limits<std::int64_t>;
  constexpr std::int64_t near[] = {-1000, -3, -2, -1, 1, 2, 3, 1000};
  constexpr std::int64_t far[] = {0,
                                  -1,
                                  1,
                                  255,
                                  256,
                                  32'767,
                                  32'768,
                                  65'535,
                                  65'536,
                                  INT32_MAX,
                                  -1'000,
                                  INT32_MIN,
                                  1LL << 32,
                                  (1LL << 53) + 1,
                                  Limits::max(),
                                  Limits::min()};
  if (value.is_number_unsigned() && rng.below(12) == 0) return ~std::uint64_t{0};
  if (rng.below(2) == 0) return far[rng.below(std::size(far))];
  return static_cast<std::int64_t>(value.get<std::uint64_t>() +
                                   static_cast<std::uint64_t>(near[rng.below(std::size(near))]));
}

// Another value of the same kind: what a reader that looks only at types lets through.
Json well_formed(const Json& value, const Json& elsewhere, Rng& rng) {
  if (value.is_number_integer()) return damaged_number(value, rng);
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_string() && is_hexadecimal(value.get<std::string>()) && rng.below(4) != 0)
    return damaged_bytes(value.get<std::string>(), rng);
  if (value.is_string() && elsewhere.is_string() && rng.below(2) == 0) return elsewhere;
  if (value.is_string()) return value.get<std::string>() + "x";
  Json out = value;
  if (value.is_array() && !value.empty()) {
    const std::size_t at = rng.below(value.size());
    switch (rng.below(4)) {
      case 0:
        out.push_back(value[at]);
        break;
      case 1:
        out.erase(at);
        break;
      case 2:
        std::swap(out[at], out[rng.below(value.size())]);
        break;
      default:
        out = Json::array();
    }
  } else if (value.is_object() && elsewhere.is_object()) {
    return elsewhere;
  }
  return out;
}

Json nonsense(Rng& rng) {
  const Json values[] = {nullptr,
                         "damaged",
                         -1,
                         std::numeric_limits<std::int64_t>::max(),
                         Json::array(),
                         Json::object(),
                         1.5,
                         1e300,
                         true,
                         "",
                         Json::array({Json::object()})};
  return values[rng.below(std::size(values))];
}

void remove_at(Json& document, const Place& place) {
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
  with("an older version", "version", 1);
  with("a version that is no number", "version", "1");
  with("another game", "game", game.info().id + "x");
  with("other rules", "fingerprint", "0");
  with("another checksum", "check", "0");
  with("a checksum that is no text", "check", 7);
  for (const Json& state : {Json(nullptr), Json("text"), Json(7), Json::array(), Json::object()}) {
    with("state " + canonical(state), "state", state);
    damages.emplace_back("vouched state " + canonical(state), sealed(damages.back().second));
  }
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

// One field, damaged in one way: as an accident, which the checksum must notice, and on purpose.
std::optional<std::string> try_damage(const Game& game, const Json& saved, Json damaged,
                                      const std::string& how, Rng& rng) {
  if (damaged == saved) return std::nullopt;
  if (game.load(damaged)) return fmt::format("{} was accepted with the old checksum", how);
  return try_load(game, sealed(std::move(damaged)), how, rng);
}

}  // namespace

std::optional<std::string> find_damage_accepted(const State& state, Rng& rng) {
  const Game& game = state.game();
  const Json saved = state.save();
  if (auto problem = accepted_envelope(game, saved)) return problem;
  Fields fields;
  collect(saved["state"], Place{"/state"}, "", fields);
  for (const auto& [field, places] : fields) {
    const auto any = [&] { return places[rng.below(places.size())]; };
    const auto change = [&](const Place& place, const Json& value) {
      Json damaged = saved;
      damaged[place] = value;
      return try_damage(
          game, saved, std::move(damaged),
          fmt::format("a save with {} at {}", canonical(value).substr(0, 200), place.to_string()),
          rng);
    };
    for (std::size_t n = 0; n < damages_of_a_kind; ++n) {
      const Place place = any();
      if (auto problem = change(place, well_formed(saved[place], saved[any()], rng)))
        return problem;
    }
    if (auto problem = change(any(), nonsense(rng))) return problem;
    if (field.empty()) continue;
    const Place place = any();
    Json damaged = saved;
    remove_at(damaged, place);
    if (auto problem = try_damage(game, saved, std::move(damaged),
                                  fmt::format("a save without {}", place.to_string()), rng))
      return problem;
  }
  return std::nullopt;
}

}  // namespace parlor
