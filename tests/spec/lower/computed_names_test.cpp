// L-04: a name that is computed is checked where it is known what it can be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "spec/spec.h"

namespace parlor::spec {
namespace {

using ::testing::HasSubstr;

// What the compiler says about a game whose only action does this.
std::string said_about(const std::string& effects) {
  std::string text = R"(```yaml
metadata: {id: computed, players: 2}
tokenTypes: {unit: {attack: int, defence: int, name: string}}
zones:
  cell: grid(3, 3)
  camp: public
globalVars: {gold: 0..9, stat: [attack, defence], odd: [attack, speed]}
setup: ["create unit in camp with attack = 1, defence = 2, name = orc"]
turnStructure: {phases: [main]}
actions:
  go:
    effects:
      - let $u = first of tokens in camp
)";
  std::istringstream lines{effects};
  for (std::string line; std::getline(lines, line);) text += "      - " + line + "\n";
  text += "terminal: {rich: {when: gold == 9, draw: true}}\n```\n";
  const CompileResult result = compile_text(text, {}, "computed.md");
  std::string out;
  for (const Diagnostic& d : result.diagnostics.all())
    if (d.severity == Severity::error) out += std::string{code_name(d.code)} + ": " + d.message;
  return out;
}

TEST(ComputedNames, OfPropertiesMustBeDeclared) {  // L-04
  EXPECT_EQ(said_about("gold = $u[stat]"), "");
  EXPECT_THAT(said_about("gold = $u[odd]"), HasSubstr("TOKEN_PROP_UNKNOWN: this may be `speed`"));
  EXPECT_THAT(said_about("choose $w from [attack, defense]\n$u[$w] = 3"),
              HasSubstr("TOKEN_PROP_UNKNOWN: this may be `defense`"));
}

TEST(ComputedNames, OfPropertiesMustTakeTheValue) {
  EXPECT_THAT(said_about("choose $w from [attack, name]\n$u[$w] = 3"),
              HasSubstr("TYPE_MISMATCH: this may be `name`, which is text"));
}

TEST(ComputedNames, OfVariablesMustBeDeclared) {
  EXPECT_THAT(said_about("choose $w from [gold, silver]\ngame[$w] += 1"),
              HasSubstr("VAR_UNKNOWN: this may be `silver`"));
}

TEST(ComputedNames, OfDirectionsMustBeDeclared) {
  EXPECT_EQ(said_about("choose $w from [n, e]\ngold = count(ray from cell_1_1 towards $w)"), "");
  EXPECT_THAT(said_about("choose $w from [n, up]\ngold = count(ray from cell_1_1 towards $w)"),
              HasSubstr("DIRECTION_UNKNOWN: this may be `up`"));
}

TEST(ComputedNames, OfZonesMustBeDeclared) {
  EXPECT_THAT(said_about("choose $w from [camp, cave]\ngold = size of ($w)"),
              HasSubstr("ZONE_UNKNOWN: this may be `cave`"));
}

TEST(ComputedNames, VariablesOfZonesAndTokensAreNotCounted) {  // L-06
  const CompileResult result = compile_text(R"(```yaml
metadata: {id: held, players: 2}
tokenTypes: {unit: {n: int}}
zones: {camp: public}
globalVars: {target: zone, marked: token, done: false}
setup: [create unit in camp with n = 1]
turnStructure: {phases: [main]}
actions:
  go: {effects: [target += 1]}
  wrong: {effects: [marked = camp]}
terminal: {over: {when: done and target == nowhere and marked == nothing, draw: true}}
```
)",
                                            {}, "held.md");
  std::string said;
  for (const Diagnostic& d : result.diagnostics.all()) said += d.message + "\n";
  EXPECT_THAT(said, HasSubstr("cannot be counted up or down"));
  EXPECT_THAT(said, HasSubstr("holds a token or `nothing`"));
}

}  // namespace
}  // namespace parlor::spec
