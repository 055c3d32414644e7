// Thousands of the same thing: each of these texts once took time that grew with the square or cube
// of its length, or memory that did. They need no more than a moment now.
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

std::string repeat(int count, const std::function<std::string(int)>& line) {
  std::string out;
  for (int i = 0; i < count; ++i) out += line(i);
  return out;
}

std::size_t longest_text(const CompileResult& result) {
  std::size_t out = 0;
  for (const Diagnostic& d : result.diagnostics.all())
    out = std::max({out, d.message.size(), d.suggestion.size()});
  return out;
}

TEST(Crowds, BranchesThatRememberWhatTheyMade) {
  const CompileResult result = compile_effects(repeat(3000, [](int i) {
    return fmt::format(
        "- if: {{ when: true, then: [{{ bindValue: {{ bind: $a{}, value: 1 }} }}] }}\n", i);
  }));
  EXPECT_TRUE(result.game) << rendered(result);
}

TEST(Crowds, BindingsAndTheirUses) {
  const CompileResult result = compile_effects(repeat(4000, [](int i) {
    return fmt::format("- bindValue: {{ bind: $a{}, value: {} }}\n", i,
                       i == 0 ? "1" : fmt::format("{{ ref: binding, name: $a{} }}", i - 1));
  }));
  EXPECT_TRUE(result.game) << rendered(result);
}

TEST(Crowds, NamesNobodyBound) {
  const CompileResult result = compile_effects(repeat(4000, [](int i) {
    return fmt::format("- bindValue: {{ bind: $a{0}, value: {{ ref: binding, name: $b{0} }} }}\n",
                       i);
  }));
  EXPECT_EQ(result.diagnostics.all().size(), 500u);
  EXPECT_LT(longest_text(result), 1000u);
}

TEST(Crowds, MacrosNobodyDeclared) {
  const std::string macros = repeat(4000, [](int i) {
    return fmt::format("  - {{ id: m{0}, effects: [{{ macro: other-{0} }}] }}\n", i);
  });
  const CompileResult result = compile(fmt::format("effectMacros:\n{}", macros));
  EXPECT_EQ(result.diagnostics.all().size(), 500u);
  EXPECT_LT(longest_text(result), 1000u) << "a list of all macros helps nobody";
}

TEST(Crowds, AliasesOfNothing) {
  const std::string aliases =
      repeat(4000, [](int i) { return fmt::format("  k{0}: &a{0} [*b{0}]\n", i); });
  EXPECT_EQ(compile(fmt::format("metadata:\n{}", aliases)).diagnostics.all().size(), 500u);
}

TEST(Crowds, ConstantsAndTheirUses) {
  const std::string constants = repeat(4000, [](int i) { return fmt::format("  k{0}: {0}\n", i); });
  const std::string uses = repeat(
      4000, [](int i) { return fmt::format("  - {{ x: {{ ref: constant, name: k{} }} }}\n", i); });
  const CompileResult result = compile(fmt::format("constants:\n{}setup:\n{}", constants, uses));
  EXPECT_EQ(codes(result).size(), 500u);  // there is no effect `x`
}

// An error is never lost among the warnings that are not shown.
TEST(Crowds, AnErrorAfterThousandsOfWarningsCounts) {
  const CompileResult result = compile_effects(
      repeat(2500, [](int) { return "- setVar: { scope: global, var: pot, value: 999 }\n"; }) +
      "- shuffle: { zone: nowhere }\n");
  EXPECT_FALSE(result.game);
  EXPECT_TRUE(result.diagnostics.has_errors());
}

}  // namespace
}  // namespace parlor::spec::testing
