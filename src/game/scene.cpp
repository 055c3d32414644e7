// Scenes, stages and decisions as messages. Events are in told_events.cpp.
#include "game/scene.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/hash.h"

namespace parlor {
namespace {

struct SeatColor {
  std::string_view word, color, ink;
};
// Seats that are called by a colour have it.
constexpr std::array<SeatColor, 16> named_colors{{{"white", "#f6f1e4", "#22201c"},
                                                  {"black", "#2b2a28", "#f6f1e4"},
                                                  {"red", "#c2382e", "#ffffff"},
                                                  {"blue", "#2f66b8", "#ffffff"},
                                                  {"green", "#2e7d4f", "#ffffff"},
                                                  {"yellow", "#e3b62f", "#22201c"},
                                                  {"orange", "#d9772b", "#22201c"},
                                                  {"purple", "#76469b", "#ffffff"},
                                                  {"brown", "#7a5230", "#ffffff"},
                                                  {"grey", "#7d8288", "#ffffff"},
                                                  {"gray", "#7d8288", "#ffffff"},
                                                  {"pink", "#cf5f93", "#22201c"},
                                                  {"x", "#b23a2e", "#ffffff"},
                                                  {"o", "#2c62a8", "#ffffff"},
                                                  {"gold", "#c9a227", "#22201c"},
                                                  {"silver", "#a9b0b7", "#22201c"}}};
// The others, in order: told apart by people who do not tell red from green as well.
constexpr std::array<SeatColor, 8> palette{{{"", "#2f66b8", "#ffffff"},
                                            {"", "#d9772b", "#22201c"},
                                            {"", "#2e7d4f", "#ffffff"},
                                            {"", "#a3408f", "#ffffff"},
                                            {"", "#e3b62f", "#22201c"},
                                            {"", "#c2382e", "#ffffff"},
                                            {"", "#4a4f57", "#ffffff"},
                                            {"", "#59b3c4", "#22201c"}}};

Json seats_json(const Game& game, const Json& own) {
  const GameInfo& info = game.info();
  Json out = Json::array();
  for (std::size_t i = 0; i < info.players; ++i) {
    const std::string name = i < info.seats.size() ? info.seats[i] : std::string();
    const bool number = name.find_first_not_of("0123456789") == std::string::npos;
    const auto named = std::ranges::find(named_colors, name, &SeatColor::word);
    const SeatColor& color = named != named_colors.end() ? *named : palette[i % palette.size()];
    Json seat{{"seat", i},
              {"name", number ? fmt::format("player {}", i) : name},
              {"color", color.color},
              {"ink", color.ink}};
    if (own.is_object() && own.contains(name) && own[name].is_object()) seat.update(own[name]);
    out.push_back(std::move(seat));
  }
  return out;
}

// What a game can be opened with another value of; numbers that may be offered to people have a
// range.
Json constants_json(const Json& parts) {
  Json out = Json::array();
  const Json ranges = parts.value("constantRanges", Json::object());
  const Json constants = parts.value("constants", Json::object());
  for (const auto& [name, value] : constants.items()) {
    Json one{{"name", name}, {"value", value}};
    if (ranges.contains(name)) one.update(ranges[name]);
    out.push_back(std::move(one));
  }
  return out;
}

bool theirs_to_decide(const Game& game, StateBlock& block, const Viewer& viewer) {
  return !viewer.id().is_none() && game.let_decide(block, viewer.id());
}

// Counts down what may still be carried along.
class DecisionWriter {
 public:
  DecisionWriter(const Viewer& viewer, DecisionDetail detail)
      : viewer_(viewer), left_(detail.most) {}

  Json write(const State& state, int depth) {
    const Game& game = state.game();
    if (state.finished()) return nullptr;
    State seen = state;
    const std::vector<PlayerId> pending = game.pending(seen.block());
    const bool theirs = theirs_to_decide(game, seen.block(), viewer_);
    const Decision decision = game.decision_told(seen.block(), viewer_);
    Json out{{"kind", decision_kind_name(decision.kind)},
             {"decider", decision.player.is_none() ? Json("chance") : Json(decision.player.value)},
             {"starts", decision.starts_move},
             {"question", nullptr}};
    if (pending.size() > 1) {
      out["pending"] = Json::array();
      for (const PlayerId player : pending) out["pending"].push_back(player.value);
    }
    if (!theirs && !viewer_.sees_all()) return out;
    if (std::string question = game.question(seen.block(), viewer_); !question.empty())
      out["question"] = std::move(question);
    if (Json selection = game.selection(seen.block(), viewer_); !selection.is_null())
      out.update(selection);
    out["options"] = options(seen, depth);
    return out;
  }

 private:
  Json options(const State& state, int depth) {
    OptionList list;
    state.list_options(list);
    Json out = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      Json option = state.game().option_parts(state.block(), list[i], viewer_);
      option["index"] = i;
      option["id"] = fmt::format("{:#x}", list[i].id);
      if (!option.contains("label")) option["label"] = state.option_label(list[i], viewer_);
      option["text"] = state.option_text(list[i], viewer_);
      if (!list.weights().empty()) option["weight"] = list.weights()[i];
      out.push_back(std::move(option));
    }
    if (depth > 0) follow(state, list, depth, out);
    return out;
  }
  // Whole moves: what comes after each option, while the same player goes on with the same move.
  void follow(const State& state, const OptionList& list, int depth, Json& out) {
    if (list.size() > left_) return;
    left_ -= list.size();
    const std::vector<State> worlds = worlds_to_look_at(state);
    for (std::size_t i = 0; i < list.size(); ++i) {
      Json then = what_follows(worlds[0], list[i], depth);
      for (std::size_t w = 1; w < worlds.size() && !then.is_null(); ++w)
        if (what_follows(worlds[w], list[i], depth) != then) then = nullptr;
      if (!then.is_null()) out[i]["then"] = std::move(then);
    }
  }
  Json what_follows(const State& state, Option option, int depth) {
    State next = state;
    if (!next.try_apply(option)) return nullptr;
    const Decision after = next.decision();
    if (after.player.is_none() || after.player != state.decision().player || after.starts_move)
      return nullptr;
    Json then = write(next, depth - 1);
    return then.contains("options") ? then : Json(nullptr);
  }
  // Nobody may learn from what follows how dice will fall or what lies where they do not see: such
  // games are looked at in worlds that are made up, and what differs among these is not told.
  std::vector<State> worlds_to_look_at(const State& state) const {
    const GameInfo& info = state.game().info();
    if (!info.hidden_information && (!info.has_chance || info.explicit_chance)) return {state};
    constexpr Seed made_up = 3;
    std::vector<State> out;
    for (Seed dice = 1; dice <= made_up; ++dice) {
      Rng rng(dice);
      out.push_back(state);
      state.game().resample_hidden(out.back().block(), viewer_, rng);
    }
    return out;
  }

  const Viewer& viewer_;
  std::size_t left_;
};

// {"count", "tokens"} whatever a view said.
Json zone_in_shape(const Json& zone) {
  const auto look_like = [](Json tokens) {
    for (Json& token : tokens) {
      if (!token.is_object()) token = {{"id", token}};
      token["id"] = token.contains("id") && token["id"].is_string()
                        ? token["id"]
                        : Json(canonical(token.value("id", Json(nullptr))));
      if (!token.contains("type")) token["type"] = "token";
      if (!token.contains("props")) token["props"] = Json::object();
      if (!token.contains("look"))
        token["look"] = {{"label", token["type"]},
                         {"face", nullptr},
                         {"seat", nullptr},
                         {"badges", Json::array()}};
    }
    return tokens;
  };
  if (zone.is_array()) return {{"count", zone.size()}, {"tokens", look_like(zone)}};
  if (zone.is_number()) return {{"count", zone}, {"tokens", Json::array()}};
  if (zone.is_object())
    return {{"count", zone.value("count", Json(nullptr))},
            {"tokens", look_like(zone.value("visible", Json::array()))}};
  return {{"count", nullptr}, {"tokens", Json::array()}};
}

}  // namespace

Json Game::scene() const {
  Json actions = Json::array();
  for (const std::string& action : info().actions)
    actions.push_back({{"id", action}, {"label", action}, {"params", Json::array()}});
  return {{"boards", Json::array()},
          {"areas", Json::array()},
          {"tokens", Json::object()},
          {"variables",
           {{"globals", Json::array()}, {"players", Json::array()}, {"zones", Json::array()}}},
          {"markers", Json::array()},
          {"actions", std::move(actions)},
          {"phases", Json::array()},
          {"directions", Json::array()}};
}

Json Game::stage(const StateBlock& block, const Viewer& viewer) const {
  const Json seen = view(block, viewer);
  Json out = Json::object();
  const Json usual{{"phase", nullptr},
                   {"turn", 0},
                   {"round", 0},
                   {"active", nullptr},
                   {"globals", Json::object()},
                   {"players", Json::array()},
                   {"zoneVars", Json::object()},
                   {"markers", Json::object()},
                   {"globalMarkers", Json::object()},
                   {"effects", Json::array()}};
  for (const auto& [key, otherwise] : usual.items()) out[key] = seen.value(key, otherwise);
  out["zones"] = Json::object();
  if (seen.contains("zones") && seen["zones"].is_object())
    for (const auto& [id, zone] : seen["zones"].items()) out["zones"][id] = zone_in_shape(zone);
  return out;
}

Json Game::option_parts(const StateBlock& block, Option option, const Viewer& viewer) const {
  const Json json = option_json(block, option, viewer);
  Json refs = Json::array();
  const auto add = [&](const std::string& name, const Json& value) {
    Json ref{{"p", name},
             {"kind", value.is_boolean()  ? "bool"
                      : value.is_number() ? "int"
                                          : "name"}};
    ref["value"] = value;
    refs.push_back(std::move(ref));
  };
  if (json.contains("params") && json["params"].is_object())
    for (const auto& [name, value] : json["params"].items()) add(name, value);
  if (json.contains("value")) add("value", json["value"]);
  return {{"action", json.value("action", Json(nullptr))}, {"refs", std::move(refs)}};
}

Json Game::selection(const StateBlock&, const Viewer&) const {
  return nullptr;
}

Json scene_of(const Game& game) {
  Json out = game.scene();
  const Json own = out.value("seats", Json::object());
  out["format"] = scene_format;
  out["unit"] = scene_unit;
  out["game"] = game.info().id;
  out["name"] = game.info().name;
  out["description"] = game.info().description;
  out["players"] = game.info().players;
  out["seats"] = seats_json(game, own);
  out["constants"] = constants_json(game.parts());
  return out;
}

std::string scene_hash(const Json& scene) {
  return fmt::format("{:016x}", hash_text(canonical(scene)));
}

Json stage_of(const State& state, const Viewer& viewer) {
  return state.game().stage(state.block(), viewer);
}

Json typed_decision(const State& state, const Viewer& viewer, DecisionDetail detail) {
  return DecisionWriter(viewer, detail).write(state, std::clamp(detail.depth, 0, 3));
}

}  // namespace parlor
