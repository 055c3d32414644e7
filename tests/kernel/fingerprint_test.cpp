// T-26 where a macro stands, and what it is called, is no rule.
#include <gtest/gtest.h>

#include "spec/spec.h"

namespace parlor::kernel {
namespace {

constexpr const char* frame = R"(
metadata: {id: macros, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
globalVars: [{name: x, type: int, init: 0, min: 0, max: 9}]
turnStructure: {phases: [{id: main}]}
terminal: {conditions: [{when: {op: ">=", left: {ref: gvar, var: x}, right: 9}, result: {type: draw}}]}
)";

std::string macro(const std::string& id, const std::string& name) {
  return "  - {id: " + id + ", params: [], exports: [], effects: [{bindValue: {bind: $" + name +
         ", value: 1}}, {addVar: {scope: global, var: x, delta: {ref: binding, name: $" + name +
         "}}}]}\n";
}
std::string uses(const std::string& first, const std::string& second) {
  return "actions:\n  - {id: go, phase: [main], effects: [{macro: " + first +
         ", args: {}}, {macro: " + second + ", args: {}}, {advancePhase: {}}]}\n";
}

std::uint64_t hash_of(const std::string& sections) {
  const auto compiled = spec::compile_text("```yaml\n" + std::string(frame) + sections + "```\n");
  EXPECT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  return compiled.game ? spec::rules_hash(*compiled.game) : 0;
}

TEST(RulesHash, DoesNotDependOnWhereMacrosStandAndWhatTheyAreCalled) {  // T-26
  const std::string effects = "effectMacros:\n";
  const std::uint64_t plain =
      hash_of(effects + macro("one", "a") + macro("two", "b") + uses("one", "two"));
  EXPECT_EQ(plain, hash_of(uses("one", "two") + effects + macro("two", "b") + macro("one", "a")));
  EXPECT_EQ(plain, hash_of(effects + macro("un", "c") + macro("deux", "d") + uses("un", "deux")));
  EXPECT_EQ(plain, hash_of(effects + macro("one", "a") + uses("one", "one")));
  EXPECT_NE(plain, hash_of(effects + macro("one", "a") +
                           "actions:\n  - {id: go, phase: [main], effects: [{macro: one, args: "
                           "{}}, {advancePhase: {}}]}\n"));
}

TEST(RulesHash, DependsOnNamesThatPlayersSee) {  // T-26
  const std::string choose =
      "actions:\n  - {id: go, phase: [main], params: [{name: NAME, domain: {query: players}}], "
      "effects: [{advancePhase: {}}]}\n";
  const auto named = [&](const std::string& name) {
    std::string text = choose;
    return hash_of(text.replace(text.find("NAME"), 4, name));
  };
  EXPECT_EQ(named("$who"), named("$who"));
  EXPECT_NE(named("$who"), named("$whom"));
}

}  // namespace
}  // namespace parlor::kernel
