// Every fixture is played move by move: who decides, what is on offer, what the state is afterwards
// (F-01 … F-81, G-01 … G-97).
#include "kernel/card_fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "game/conformance.h"
#include "rounds.h"

namespace parlor::kernel {
namespace {

std::string bare(std::string text) {
  if (text.ends_with(":none")) text.resize(text.size() - 5);
  return text;
}

Json plain(const Json& value) {
  if (value.is_string()) return bare(value.get<std::string>());
  if (!value.is_array()) return value;
  Json out = Json::array();
  for (const Json& item : value) out.push_back(plain(item));
  return out;
}

Json mark(const Json& option, const char* one, const char* other) {
  return option.contains(one) ? option[one] : option.value(other, Json());
}

// An option as text, the same for what is expected and what is found.
std::string key(const Json& option, bool with_class) {
  if (!option.contains("action"))
    return option.value("confirm", false) ? "confirm" : plain(option["value"]).dump();
  Json out{{"action", option["action"]}, {"params", Json::object()}};
  for (const auto& [name, value] : option["params"].items())
    if (name != "eventDeckId")
      out["params"][name.starts_with('$') ? name.substr(1) : name] = plain(value);
  if (mark(option, "free", "freeOperation") == true) out["free"] = true;
  if (const Json c = mark(option, "class", "actionClass"); with_class && c.is_string())
    out["class"] = c;
  return out.dump();
}

// The game as it stands after some choices.
class Line {
 public:
  explicit Line(const CardFixture& fixture)
      : fixture_(fixture),
        game_(open_fixture(fixture)),
        state_(game_->start(fixture.expected["seed"].get<std::uint64_t>()).value()) {}
  Json now() const { return told(state_); }
  void pick(std::size_t index) {
    OptionList options;
    state_.list_options(options);
    ASSERT_LT(index, options.size());
    ASSERT_TRUE(state_.try_apply(options[index]));
  }
  const CardFixture& fixture() const { return fixture_; }

 private:
  const CardFixture& fixture_;
  std::shared_ptr<const KernelGame> game_;
  State state_;
};

// ---- Turn flow

void expect_facts(const Json& wanted, const Json& found) {
  const Json globals = wanted.value("globals", Json::object()),
             cards = wanted.value("cards", Json::object()),
             turnFlow = wanted.value("turnFlow", Json::object());
  for (const char* fact : {"phase", "active"})
    if (wanted.contains(fact)) {
      EXPECT_EQ(wanted[fact], found[fact]);
    }
  for (const auto& [name, value] : globals.items())
    EXPECT_EQ(value, found["globals"][name]) << name;
  for (const auto& [zone, ids] : cards.items()) {
    Json lie = Json::array();
    for (const Json& token : found["zones"][zone]) lie.push_back(token["props"]["cardId"]);
    EXPECT_EQ(ids, lie) << zone;
  }
  for (const auto& [name, value] : turnFlow.items()) {
    if (name == "queued") continue;  // kept as what it comes to
    Json other = found["turnFlow"][name], own = value;
    if (name == "lasting")
      for (Json& entry : other) entry = Json(entry["id"]);
    if (name == "eligible" || name == "acted" || name == "passed") {
      std::sort(own.begin(), own.end());
      std::sort(other.begin(), other.end());
    }
    EXPECT_EQ(own, other) << name;
  }
}

class CardFlow : public testing::TestWithParam<CardFixture> {};

TEST_P(CardFlow, GoesAsExpected) {
  const Json& expected = GetParam().expected;
  Line line(GetParam());
  expect_facts(expected["start"], line.now());
  for (std::size_t n = 0; n < expected["steps"].size(); ++n) {
    SCOPED_TRACE(testing::Message() << "step " << n);
    const Json& step = expected["steps"][n];
    const Json found = line.now();
    ASSERT_TRUE(found["decision"].is_object());
    EXPECT_EQ(step["kind"], found["decision"]["kind"]);
    EXPECT_EQ(step["decider"], found["decision"]["decider"]);
    // An option expected without a class may have one.
    std::set<std::string> wanted, offered;
    std::set<std::string> open;
    for (const Json& option : step["options"]) {
      wanted.insert(key(option, true));
      if (!mark(option, "class", "actionClass").is_string()) open.insert(key(option, false));
    }
    std::size_t pick = 0;
    const auto found_key = [&](const Json& option) {
      return open.contains(key(option, false)) ? key(option, false) : key(option, true);
    };
    const Json& options = found["decision"]["options"];
    for (std::size_t k = 0; k < options.size(); ++k) {
      offered.insert(found_key(options[k]));
      if (step.contains("pick") && found_key(options[k]) == key(step["pick"], true)) pick = k;
    }
    EXPECT_EQ(wanted, offered);
    if (!step.contains("pick") || HasFailure()) return;
    line.pick(pick);
    expect_facts(step.value("after", Json::object()), line.now());
  }
  if (!expected.contains("end")) return;
  const Json found = line.now();
  EXPECT_TRUE(found["decision"].is_null());
  if (expected["end"]["type"] == "win") {
    EXPECT_EQ(Json::array({expected["end"]["winner"]}), found["outcome"]["winners"]);
  }
}

std::string fixture_name(const testing::TestParamInfo<CardFixture>& info) {
  std::string out = info.param.name;
  std::ranges::replace(out, '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Cards, CardFlow, testing::ValuesIn(card_fixtures("flow")), fixture_name);

// ---- Free operations. A line is a list of steps, or another list that is as good (`orElse`).

class FreeLine {
 public:
  explicit FreeLine(const CardFixture& fixture) : line_(fixture) {}

  // Empty: everything was as expected.
  std::string play(const Json& steps) {
    for (const Json& step : steps)
      if (std::string problem = one(step); !problem.empty())
        return "step " + step["n"].dump() + ": " + problem;
    return "";
  }

 private:
  // The class of a free option is told also where it is the action's own.
  Json without_default(Json option) const {
    const Json c = mark(option, "class", "actionClass");
    if (mark(option, "free", "freeOperation") == true && c.is_string() &&
        c == line_.fixture().expected["classes"].value(option["action"].get<std::string>(), "")) {
      option.erase("class");
      option.erase("actionClass");
    }
    return option;
  }
  static bool compound(const Json& option) {
    return mark(option, "class", "actionClass") == "operationPlusSpecialActivity" &&
           mark(option, "free", "freeOperation") != true;
  }

  std::string differs(const Json& step, const Json& decision) const {
    if (!decision.is_object()) return "the game is over";
    if (decision["kind"] != step["kind"]) return "kind " + decision["kind"].dump();
    if (decision["decider"] != step["decider"]) return "decider " + decision["decider"].dump();
    std::set<std::string> wanted, found;
    for (const Json& option : step["options"]) wanted.insert(key(without_default(option), true));
    for (const Json& option : decision["options"]) {
      const std::string own = key(without_default(option), true);
      if (!compound(option) || wanted.contains(own)) found.insert(own);
    }
    for (const Json& may : line_.fixture().expected.value("may", Json::array()))
      if (!wanted.contains(key(may, true))) found.erase(key(may, true));
    return wanted == found ? "" : "options " + decision["options"].dump();
  }

  std::string one(const Json& step) {
    for (;;) {
      const Json decision = line_.now()["decision"];
      const std::string problem = differs(step, decision);
      if (problem.empty()) break;
      const bool inside = decision.is_object() && decision["kind"] != "actionSelection";
      if (inside && decision["options"].size() == 1) {
        line_.pick(0);  // a choice with one answer may be asked or not
        continue;
      }
      if (step["kind"] != "actionSelection" && step["options"].size() == 1) return after(step);
      return problem;
    }
    if (step.contains("pick") && !step["pick"].is_null()) {
      const Json options = line_.now()["decision"]["options"];
      for (std::size_t k = 0; k < options.size(); ++k)
        if (key(without_default(options[k]), true) == key(without_default(step["pick"]), true)) {
          line_.pick(k);
          return after(step);
        }
      return "the pick is not on offer";
    }
    return after(step);
  }

  std::string after(const Json& step) {
    if (!step.contains("after")) return "";
    const auto settled = [&] {
      const Json decision = line_.now()["decision"];
      return decision.is_null() || decision["kind"] == "actionSelection";
    };
    while (!settled() && line_.now()["decision"]["options"].size() == 1) line_.pick(0);
    const Json& wanted = step["after"];
    const Json found = line_.now();
    for (const auto& [name, value] : wanted["globals"].items())
      if (found["globals"][name] != value) return name + " is " + found["globals"][name].dump();
    for (std::size_t p = 0; p < wanted["players"].size(); ++p)
      for (const auto& [name, value] : wanted["players"][p].items())
        if (found["players"][p][name] != value) return name + " of player " + std::to_string(p);
    for (const auto& [zone, tokens] : wanted["zones"].items()) {
      std::multiset<std::string> own, other;
      for (const Json& token : tokens) own.insert(token.dump());
      for (const Json& token : found["zones"][zone + ":none"]) other.insert(token["props"].dump());
      if (own != other) return "zone " + zone;
    }
    if (found["zones"]["played:none"][0]["props"]["cardId"] != wanted["card"]) return "card";
    if (wanted.contains("active") && found["active"] != wanted["active"])
      return "active player " + found["active"].dump();
    return "";
  }

  Line line_;
};

class FreeOperations : public testing::TestWithParam<CardFixture> {};

TEST_P(FreeOperations, GoAsExpected) {
  for (const Json& line : GetParam().expected["lines"]) {
    std::string problem = FreeLine(GetParam()).play(line["steps"]);
    if (!problem.empty() && line.contains("orElse"))
      problem = FreeLine(GetParam()).play(line["orElse"]);
    EXPECT_EQ(problem, "") << line["title"];
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, FreeOperations, testing::ValuesIn(card_fixtures("free")),
                         fixture_name);

// ---- Promises of every game: also these, at random states, with half-made and damaged saves.

class CardConformance : public testing::TestWithParam<CardFixture> {};

TEST_P(CardConformance, KeepsEveryPromise) {
  ConformanceOptions options;
  options.games = test::thorough(2);
  options.max_decisions = 60;
  options.deep_states = 4;
  EXPECT_THAT(check_conformance(*open_fixture(GetParam()), options), testing::IsEmpty());
}

std::vector<CardFixture> all_fixtures() {
  auto out = card_fixtures("flow");
  for (CardFixture& fixture : card_fixtures("free")) out.push_back(std::move(fixture));
  return out;
}

std::string kind_and_name(const testing::TestParamInfo<CardFixture>& info) {
  return info.param.kind + "_" + fixture_name(info);
}

INSTANTIATE_TEST_SUITE_P(Cards, CardConformance, testing::ValuesIn(all_fixtures()), kind_and_name);

}  // namespace
}  // namespace parlor::kernel
