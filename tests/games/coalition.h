// Coalition as its tests see it: positions written as setup, and short ways to play.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"

namespace parlor::games::coalition {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::StartsWith;
using Strings = std::vector<std::string>;

// A position written as setup effects, on a stack of nothing but grassroots.
class Position {
 public:
  explicit Position(int stack = 30) {
    effect("moveAll: {from: stack, to: aside}");
    if (stack > 0)
      effect(fmt::format(
          "macro: tiles, args: {{kind: grassroots, ressort: none, value: 0, count: {}}}", stack));
  }
  Position& tile(const std::string& cell, const std::string& kind,
                 const std::string& ressort = "none", int value = 0) {
    return effect(
        fmt::format("createToken: {{type: tile, zone: {}, props: {{kind: {}, ressort: {}, value: "
                    "{}, decided: false}}}}",
                    cell, kind, ressort, value));
  }
  Position& pieces(const std::string& cell, int player, int count) {
    return effect(
        fmt::format("draw: {{from: \"supply:{}\", to: \"{}\", count: {}}}", player, cell, count));
  }
  Position& own(int player, const std::string& var, int value) {
    return effect(fmt::format("setVar: {{scope: pvar, player: {{id: {}}}, var: {}, value: {}}}",
                              player, var, value));
  }
  // The card is in the hand, wherever it lay.
  Position& card(int player, const std::string& id) {
    for (const char* zone : {"pile", "row"})
      effect(fmt::format(
          "forEach: {{bind: $card, over: {{query: tokensInZone, zone: economy.measures.{0}, "
          "filter: {{prop: cardId, op: eq, value: {1}}}}}, "
          "effects: [{{setTokenProp: {{token: $card, prop: slot, value: -1}}}}, {{moveToken: "
          "{{token: $card, from: economy.measures.{0}, to: \"economy.measures.hand:{2}\"}}}}]}}",
          zone, id, player));
    return *this;
  }
  Position& effect(const std::string& text) {
    setup_ += fmt::format("  - {{{}}}\n", text);
    return *this;
  }
  std::shared_ptr<const Game> open(OpenOptions options = {}) const {
    const bool economy = !options.rules.empty();
    if (!economy) return open_changed("coalition", {.sections = "setup:\n" + setup_}, options);
    // Cards are dealt at the end of the set-up, so the position is made when the first round
    // begins.
    const std::string trigger =
        "module: {id: zz-position}\ntriggers:\n- id: zz-position.make\n  event: {type: "
        "roundStart}\n"
        "  when: {op: ==, left: {ref: clock, field: round}, right: 1}\n  effects:\n";
    return open_changed("coalition", {.modules = {{"zz-position", trigger + setup_}}}, options);
  }

 private:
  std::string setup_;
};

// The first state of a game that is kept: states do not outlive their games.
inline State begin(std::shared_ptr<const Game> game) {
  static std::vector<std::shared_ptr<const Game>> kept;
  kept.push_back(std::move(game));
  return start(*kept.back());
}

inline OpenOptions with_economy(std::size_t players = 0) {
  OpenOptions options;
  options.rules = {"economy"};
  options.players = players;
  return options;
}

inline std::int64_t var(const State& state, int player, const std::string& name) {
  return state.view()["players"][static_cast<std::size_t>(player)][name].get<std::int64_t>();
}
// A copy: what a loop goes over must outlive the expression that made it.
inline std::vector<Token> tokens_in(const State& state, const std::string& zone) {
  return board_of(state)[zone];
}
inline std::size_t count(const State& state, const std::string& zone) {
  return board_of(state)[zone].size();
}
inline Strings options_of(const State& state, std::string_view action) {
  Strings out;
  for (const std::string& text : option_texts(state))
    if (text == action || text.starts_with(fmt::format("{} ", action))) out.push_back(text);
  return out;
}
inline Json request(std::string action, Json params = Json::object()) {
  return {{"action", std::move(action)}, {"params", std::move(params)}};
}
inline void lay(State& state, const std::string& cell) {
  take(state, request("lay", {{"$cell", cell + ":none"}}));
}
inline void place(State& state, const std::string& cell) {
  take(state, request("place", {{"$cell", cell + ":none"}}));
}
inline void choose(State& state, const Json& value) {
  take(state, {{"value", value}});
}
inline std::string code_of(const State& state, const Json& request) {
  const auto why = state.why_not(request);
  return why ? why->code : "";
}
// Lays the drawn tile at the first place and does the first thing that changes little.
inline void idle(State& state) {
  if (!options_of(state, "lay").empty()) take(state, options_of(state, "lay").back());
  if (state.finished()) return;
  for (const std::string wish : {"skip", "place", "move", "economy.rest"})
    if (const Strings all = options_of(state, wish); !all.empty()) return take(state, all.front());
  FAIL() << "nothing to idle with";
}

// A turn that changes nothing but media and foreign: the tile goes far away.
inline void convert(State& state) {
  if (const Strings all = options_of(state, "lay"); !all.empty()) take(state, all.back());
  take(state, "convert media foreign");
}
inline void round(State& state) {
  convert(state);
  convert(state);
}
inline Position rich() {
  Position position;
  position.own(0, "media", 40).own(1, "media", 40);
  return position;
}

// A hotspot with five neighbours; the sixth place is cell_0_n1, seen from cell_1_n1.
inline Position hotspot() {
  Position position;
  position.tile("cell_1_n1", "hotspot");
  for (const char* cell : {"cell_1_0", "cell_2_n1", "cell_2_n2", "cell_1_n2"})
    position.tile(cell, "grassroots");
  return position;
}

}  // namespace parlor::games::coalition
