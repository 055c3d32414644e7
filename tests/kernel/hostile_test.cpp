// Rules and saved states that nobody in good faith would write (T-30, T-33): boards of any size,
// steps that go round in circles, numbers at the ends, compiled games and saves with anything in
// them.
#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/conformance.h"
#include "kernel/language.h"
#include "kernel/open.h"
#include "rounds.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

spec::GameDef compiled(const std::string& text) {
  spec::CompileResult result = spec::compile_text(text, {}, "case.md");
  if (!result.game)
    throw std::runtime_error(render(result.diagnostics, result.texts, Colour::never) + text);
  return std::move(*result.game);
}

std::shared_ptr<const kernel::KernelGame> hostile_game(const std::string& sections,
                                                       const std::string& effects) {
  language::Case c;
  c.sections = sections;
  c.effects = effects;
  return open_kernel(compiled(language::game_text(c)));
}

spec::GameDef shipped(const std::string& name, const std::map<std::string, std::string>& set = {}) {
  spec::CompileOptions options;
  options.constants = set;
  auto result = spec::compile_file(test::source_dir() + "/games/" + name + ".md", options);
  if (!result.game) throw std::runtime_error(name);
  return std::move(*result.game);
}

// ---- Boards of more than 256 zones (T-33: sets of zones were four words, whatever the board)

struct BigBoard {
  const char* game;
  const char* size;
};
void PrintTo(const BigBoard& board, std::ostream* out) {
  *out << board.game << " of " << board.size;
}

class BigBoards : public testing::TestWithParam<BigBoard> {};

TEST_P(BigBoards, PlayAsSmallOnesDo) {
  const auto game = open_kernel(shipped(GetParam().game, {{"size", GetParam().size}}));
  ConformanceOptions options;
  options.games = 1;
  options.max_decisions = 4;
  options.deep_states = 1;
  options.max_options = 2;
  options.threads = 1;
  options.finish_within = 0;  // a whole game on such a board takes too long here
  EXPECT_THAT(check_conformance(*game, options), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, BigBoards,
                         testing::Values(BigBoard{"go", "16"}, BigBoard{"go", "17"},
                                         BigBoard{"go", "19"}, BigBoard{"gomoku", "19"},
                                         BigBoard{"hex", "18"}, BigBoard{"hex", "19"}));

// ---- Steps in circles

// a leads to b, b to c, c back to b: from a the circle never comes back to its start.
const std::string circle = R"(
directions: [{name: on}]
zones:
  - {id: a, owner: none, visibility: public, ordering: set, zoneKind: board, directions: {on: b}}
  - {id: b, owner: none, visibility: public, ordering: set, zoneKind: board, directions: {on: c}}
  - {id: c, owner: none, visibility: public, ordering: set, zoneKind: board, directions: {on: b}}
)";

std::int64_t value_after(const std::string& sections, const std::string& effects) {
  const auto game = hostile_game(sections, effects);
  State state = game->start(1).value();
  const auto done = state.apply(find_option(state, Json{{"action", "go"}}).value());
  if (!done) throw std::runtime_error(done.error().code);
  return state.view()["globals"]["t"].get<std::int64_t>();
}

TEST(Circles, ARayIsNoLongerThanTheBoard) {
  EXPECT_EQ(value_after(circle, R"(
- setVar: {scope: global, var: t, value: {aggregate: {op: count, query: {query: ray, zone: a, directions: on}}}})"),
            3);
}

TEST(Circles, ManyStepsAreTakenAtOnce) {
  for (const auto& [steps, zone] : {std::pair{"1", "b:none"},
                                    {"2", "c:none"},
                                    {"3", "b:none"},
                                    {"9007199254740990", "c:none"},
                                    {"9007199254740991", "b:none"}})
    EXPECT_EQ(value_after(circle, fmt::format(R"(
- if:
    when: {{op: "==", left: {{ref: step, zone: a, direction: on, count: {}}}, right: "{}"}}
    then: [{{setVar: {{scope: global, var: t, value: 1}}}}])",
                                              steps, zone)),
              1)
        << steps;
}

TEST(Circles, ALineOnACircleIsAsLongAsOneLikes) {
  EXPECT_EQ(value_after(circle, R"(
- if:
    when: {op: lineOf, length: 100000000, where: {op: "==", left: {zoneCount: $zone}, right: 0}, directions: on}
    then: [{setVar: {scope: global, var: t, value: 1}}]
- if:
    when: {op: lineOf, length: 3, where: {op: "==", left: {zoneCount: $zone}, right: 0}, zone: a, directions: on}
    then: [{addVar: {scope: global, var: t, delta: 2}}])"),
            3);
}

// ---- Numbers at the ends

TEST(Numbers, ASumThatIsTooLargeIsAFault) {
  const auto game = hostile_game(
      "globalVars: [{name: big, type: int, init: 9007199254740991, min: 0, "
      "max: 9007199254740991}, {name: x, type: int, init: 0, min: 0, max: 9}]",
      R"(
- setVar: {scope: global, var: x, value: {aggregate: {op: sum, query: {query: intsInRange, min: 1, max: 9999},
    bind: $i, valueExpr: {ref: gvar, var: big}}}})");
  State state = game->start(1).value();
  const auto go = find_option(state, Json{{"action", "go"}});
  ASSERT_TRUE(go);
  const auto done = state.apply(*go);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "RUN_TYPE");
}

// A game whose only action takes these parameters.
std::string with_params(const std::string& params) {
  return fmt::format(R"(```yaml
metadata: {{id: many, players: {{min: 2, max: 2}}}}
globalVars: [{{name: v, type: int, init: 9007199254740991, min: 0, max: 9007199254740991}}]
zones: [{{id: z, owner: none, visibility: public, ordering: set}}]
turnStructure: {{phases: [{{id: main}}]}}
actions:
  - {{id: pass, phase: [main], effects: [{{advancePhase: {{}}}}]}}
  - {{id: go, phase: [main], params: [{}], effects: [{{advancePhase: {{}}}}]}}
terminal: {{conditions: [{{when: false, result: {{type: draw}}}}]}}
```)",
                     params);
}

TEST(Options, OfOneDecisionAreLimited) {  // T-33: intsInRange max: 4294967296
  const auto refused = kernel::open_game(
      compiled(with_params("{name: $n, domain: {query: intsInRange, min: 0, max: 4294967296}}")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().all().front().code, Code::LIMIT_OPTIONS);
  // A range that is known only while playing is a fault of the rules: the other action is there.
  const auto computed = open_kernel(compiled(
      with_params("{name: $n, domain: {query: intsInRange, min: 0, max: {ref: gvar, var: v}}}")));
  OptionList options;
  computed->start(1).value().list_options(options);
  EXPECT_GE(options.size(), 1u);
  EXPECT_LE(options.size(), 2u);
  // Many parameters with many values each: the list ends somewhere.
  const auto product = open_kernel(
      compiled(with_params("{name: $a, domain: {query: intsInRange, min: 0, max: 9999}}, "
                           "{name: $b, domain: {query: intsInRange, min: 0, max: 9999}}, "
                           "{name: $c, domain: {query: intsInRange, min: 0, max: 9999}}")));
  product->start(1).value().list_options(options);
  EXPECT_EQ(options.size(), kernel::most_options);
}

TEST(Questions, ThatWouldNeverEndFail) {  // T-30: conditions nested as deeply as the board is large
  const std::string everywhere = "{query: intsInRange, min: 0, max: 99999}";
  // It looks at all of them, so that no loop is the same every time round.
  std::string condition =
      "{op: '==', left: {op: +, left: {op: +, left: {ref: binding, name: $a}, right: {ref: "
      "binding, "
      "name: $b}}, right: {ref: binding, name: $c}}, right: -1}";
  for (const char* name : {"$c", "$b", "$a"})
    condition =
        fmt::format("{{op: exists, query: {}, bind: {}, where: {}}}", everywhere, name, condition);
  std::string text = with_params("");
  text.replace(text.find("{id: go, "), 9, "{id: go, pre: " + condition + ", ");
  const auto game = open_kernel(compiled(text));
  const State state = game->start(1).value();
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 2u) << "the other action is there, and a fault hides nothing (T-23)";
  for (const Option option : options) {
    State copy = state;
    if (const auto done = copy.apply(option); !done) {
      EXPECT_EQ(done.error().code, "RUN_BUDGET");
      EXPECT_TRUE(done.error().fault);
      EXPECT_EQ(copy, state);
    }
  }
}

TEST(Boards, ThatAreMuchTooWideAreNotDrawn) {  // T-33: a cell at col 300000000
  const auto game = hostile_game(R"(
zones:
  - {id: a, owner: none, visibility: public, ordering: set, zoneKind: board, attributes: {row: 0, col: 0}}
  - {id: b, owner: none, visibility: public, ordering: set, zoneKind: board, attributes: {row: 1, col: 300000000}}
  - {id: c, owner: none, visibility: public, ordering: set, zoneKind: board, attributes: {q: -9007199254740991, r: 9007199254740991}}
)",
                                 "- @1");
  EXPECT_LT(game->start(1).value().describe().size(), 4'000u);
}

TEST(Markers, WhoseConstraintsAskAfterThemselvesAreAFault) {
  const auto game = hostile_game(R"(
dataAssets:
  - id: map
    kind: map
    payload:
      spaces: [{id: "north:none", category: land, adjacentTo: []}]
      markerLattices:
        - id: mood
          states: [calm, uneasy]
          defaultState: calm
          constraints:
            - {when: {op: markerStateAllowed, space: $space, marker: mood, state: uneasy}, allowedStates: [uneasy]}
)",
                                 "- setMarker: {space: north, marker: mood, state: uneasy}");
  State state = game->start(1).value();
  OptionList options;
  state.list_options(options);
  for (const Option option : options)
    if (const auto done = state.apply(option); !done) {
      EXPECT_EQ(done.error().code, "RUN_BUDGET");
    }
}

// ---- Compiled games (T-33: they were trusted)

// The codes with which a changed compiled game is refused; none if it opens.
std::vector<std::string> refusals(const std::function<void(Json&)>& change,
                                  const std::string& game = "fuzz/base.md") {
  auto result = spec::compile_file(test::source_dir() + "/" + game);
  Json json = spec::to_json(*result.game);
  change(json);
  const auto def = spec::gamedef_from_json(json);
  if (!def) return {"JSON_INVALID"};
  const auto opened = kernel::open_game(*def);
  std::vector<std::string> out;
  if (!opened)
    for (const Diagnostic& d : opened.error().all()) out.emplace_back(code_name(d.code));
  return out;
}

void set_places(Json& json, std::uint32_t place) {
  if (json.is_object() && json.contains("at") && json["at"].is_number()) json["at"] = place;
  for (Json& inner : json)
    if (inner.is_structured()) set_places(inner, place);
}

// Lines that are not there are not looked for, in what is told of a program either (T-33).
TEST(CompiledGames, MayNameLinesThatAreNotThere) {
  auto result = spec::compile_file(test::source_dir() + "/fuzz/base.md");
  Json json = spec::to_json(*result.game);
  set_places(json, 4'000'000);
  const auto def = spec::gamedef_from_json(json);
  ASSERT_TRUE(def);
  const auto opened = kernel::open_game(*def);
  ASSERT_TRUE(opened);
  EXPECT_FALSE((*opened)->listing().empty());
}

TEST(CompiledGames, AreCheckedLikeTexts) {
  using testing::Contains;
  EXPECT_THAT(refusals([](Json&) {}), IsEmpty());
  EXPECT_THAT(refusals([](Json& g) { g["metadata"]["minPlayers"] = 4294967296; }),
              Contains("PLAYERS_UNSUPPORTED"));
  EXPECT_THAT(refusals([](Json& g) { g["metadata"]["maxPlayers"] = -1; }),
              Contains("PLAYERS_UNSUPPORTED"));
  EXPECT_THAT(refusals([](Json& g) { g["metadata"]["maxTriggerDepth"] = 1 << 30; }),
              Contains("NUMBER_RANGE"));
  EXPECT_THAT(refusals([](Json& g) { g["zones"].push_back(g["zones"][0]); }),
              Contains("DUPLICATE_ID"));
  EXPECT_THAT(refusals([](Json& g) { g["zones"] = Json::array(); }), Contains("SECTION_MISSING"));
  EXPECT_THAT(refusals([](Json& g) { g["phases"] = Json::array(); }), Contains("SECTION_MISSING"));
  EXPECT_THAT(refusals([](Json& g) { g["tokenTypes"] = Json::array(); }),
              Contains("LINK_UNSUPPORTED"));
  EXPECT_THAT(refusals([](Json& g) { g["markerLattices"] = Json::array(); }),
              Contains("LINK_UNSUPPORTED"));
  EXPECT_THAT(refusals([](Json& g) { g["globalVars"][0]["init"] = 1000; }),
              Contains("INIT_OUTSIDE"));
  EXPECT_THAT(refusals([](Json& g) { g["globalVars"][0]["min"] = 1000; }),
              Contains("BOUNDS_REVERSED"));
  EXPECT_THAT(refusals([](Json& g) { g["globalVars"][0]["max"] = ~std::uint64_t{0}; }),
              Contains("JSON_INVALID"));
  EXPECT_THAT(refusals([](Json& g) { g["tables"][0]["rows"][0].erase(0); }),
              Contains("TABLE_INVALID"));
  EXPECT_THAT(refusals([](Json& g) { g["places"][1]["via"] = 1; }), Contains("JSON_INVALID"));
  EXPECT_THAT(refusals([](Json& g) { g["format"] = 7; }), Contains("JSON_INVALID"));
  EXPECT_THAT(refusals([](Json& g) { g["version"] = "1"; }), Contains("JSON_INVALID"));
  const auto many = [](const char* list, std::size_t count, const char* name) {
    return [=](Json& g) {
      const Json one = g[list][0];
      for (std::size_t i = 0; i < count; ++i) {
        g[list].push_back(one);
        g[list].back()[name] = fmt::format("more{}", i);
      }
    };
  };
  EXPECT_THAT(refusals(many("actions", 4096, "id")), Contains("LINK_UNSUPPORTED"));
  EXPECT_THAT(refusals(many("zones", 40'000, "base")), Contains("LIMIT_ZONES"));
  EXPECT_THAT(refusals(many("perPlayerVars", 40'000, "name")), Contains("LINK_UNSUPPORTED"));
}

// Takes a player out of the first effect that names one.
bool take_player(Json& node) {
  if (node.is_object() && node.contains("scope") && node.contains("player")) {
    node.erase("player");
    return true;
  }
  if (node.is_structured())
    for (Json& child : node)
      if (take_player(child)) return true;
  return false;
}

TEST(CompiledGames, AnEffectThatDoesNotSayWhoseVariableItMeansIsRefused) {
  EXPECT_THAT(refusals([](Json& g) { ASSERT_TRUE(take_player(g["actions"])); }),
              testing::Contains("LINK_UNSUPPORTED"));
}

// ---- Saved states

Json sealed(Json save) {
  save["check"] = save_check(save["state"]);
  return save;
}
std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// A state in the middle of a move.
State half_made(const Game& game) {
  State state = game.start(3).value();
  Rng rng{std::uint64_t{3}};
  OptionList options;
  for (int n = 0; n < 2'000; ++n) {
    if (state.decision().kind == DecisionKind::choose_one ||
        state.decision().kind == DecisionKind::choose_n)
      return state;
    if (state.finished()) state = game.start(rng.next()).value();
    state.list_options(options);
    if (!state.apply(options[draw_option(options, rng)])) break;
  }
  throw std::runtime_error("no choice came up");
}

TEST(HostileSaves, AHalfMadeMoveOfAnyBytesIsRefused) {  // T-30: 64 × "7f" crashed, 8 × threw
  const auto game = open_kernel(shipped("backgammon"));
  const Json saved = half_made(*game).save();
  ASSERT_FALSE(saved["state"]["move"].get<std::string>().empty());
  ASSERT_TRUE(game->load(saved));
  for (const int times : {1, 4, 8, 12, 16, 24, 32, 64, 100, 1'000})
    for (const char* byte : {"7f", "ff", "00", "01", "80"}) {
      Json damaged = saved;
      damaged["state"]["move"] = repeated(byte, times);
      ASSERT_FALSE(game->load(damaged)) << byte << " x " << times;
      const auto forged = game->load(sealed(damaged));
      ASSERT_FALSE(forged) << byte << " x " << times;
      EXPECT_EQ(forged.error().code, "STATE_INVALID");
    }
}

TEST(HostileSaves, EveryByteOfAHalfMadeMoveIsLookedAt) {
  const auto game = open_kernel(shipped("backgammon"));
  const State state = half_made(*game);
  const Json saved = state.save();
  const std::string move = saved["state"]["move"];
  for (std::size_t at = 0; at < move.size(); at += test::stride)
    for (const char digit : {'0', '1', '7', '8', 'f'}) {
      Json damaged = saved;
      damaged["state"]["move"].get_ref<std::string&>()[at] = digit;
      if (damaged == saved) continue;
      ASSERT_FALSE(game->load(damaged));
      // With a checksum that fits it may be another sound state; then it can be played.
      const auto loaded = game->load(sealed(damaged));
      if (!loaded) continue;
      State next = *loaded;
      OptionList options;
      next.list_options(options);
      (void)options_to_json(next, options);
      for (const Option option : options) {
        State copy = next;
        (void)copy.apply(option);
      }
    }
}

TEST(HostileSaves, ARandomGeneratorThatGoesRoundInCirclesIsRefused) {
  const auto game = open_kernel(shipped("pig"));
  Json saved = game->start(1).value().save();
  saved["state"]["rng"][1] = "2";
  EXPECT_FALSE(game->load(sealed(saved)));
}

}  // namespace
}  // namespace parlor
