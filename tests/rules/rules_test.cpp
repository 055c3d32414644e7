#include "rules/rules.h"

#include <gtest/gtest.h>

namespace parlor::rules {
namespace {

const std::vector<std::string> seats{"white", "black"};

Module module(std::string id, std::vector<std::string> needs = {},
              std::vector<std::string> excludes = {}) {
  Module out{.id = std::move(id)};
  out.requires_ids = std::move(needs);
  out.incompatible_with = std::move(excludes);
  return out;
}

std::vector<Code> codes(const Diagnostics& diagnostics) {
  std::vector<Code> out;
  for (const Diagnostic& d : diagnostics.all()) out.push_back(d.code);
  return out;
}

Registry sample() {
  Registry registry;
  EXPECT_TRUE(registry.add(module("hp")).empty());
  EXPECT_TRUE(registry.add(module("heal", {"hp"})).empty());
  EXPECT_TRUE(registry.add(module("one", {}, {"two"})).empty());
  EXPECT_TRUE(registry.add(module("two", {}, {"one"})).empty());
  EXPECT_TRUE(registry.seal().empty());
  return registry;
}

TEST(Activation, TextNamesIdScopeAndTurns) {
  const auto plain = parse_activation("piece-hp", seats);
  ASSERT_TRUE(plain);
  EXPECT_EQ(*plain, (Activation{"piece-hp", Scope{}, std::nullopt}));
  const auto full = parse_activation("piece-hp:black@12", seats);
  ASSERT_TRUE(full);
  EXPECT_EQ(*full, (Activation{"piece-hp", Scope{2}, 12}));
  EXPECT_EQ(to_text(*full, seats), "piece-hp:black@12");
  EXPECT_EQ(parse_activation("a:both", seats)->scope, Scope{});
}

TEST(Activation, BadTextSaysWhatIsWrong) {
  EXPECT_EQ(parse_activation("a:green", seats).error().code, Code::RULE_SCOPE_UNKNOWN);
  EXPECT_EQ(parse_activation("a@0", seats).error().code, Code::RULE_TURNS_INVALID);
  EXPECT_EQ(parse_activation("a@1x", seats).error().code, Code::RULE_TURNS_INVALID);
  EXPECT_EQ(parse_activation("", seats).error().code, Code::RULE_ID_INVALID);
  EXPECT_EQ(parse_activation("Big", seats).error().code, Code::RULE_ID_INVALID);
}

TEST(Registry, RefusesDuplicateIds) {  // C-10, M-01
  Registry registry = sample();
  EXPECT_EQ(codes(registry.add(module("hp"))), std::vector{Code::RULE_DUPLICATE});
  EXPECT_EQ(registry.get_all().size(), 4u);
}

TEST(Registry, RefusesUnknownRelationsAndOneSidedIncompatibility) {  // C-10
  Registry registry = sample();
  EXPECT_EQ(codes(registry.add(module("x", {"nobody"}))), std::vector{Code::RULE_RELATION_UNKNOWN});
  EXPECT_EQ(codes(registry.add(module("x", {}, {"hp"}))), std::vector{Code::RULE_NOT_MUTUAL});
  EXPECT_EQ(registry.get("x"), nullptr);

  Registry open;
  EXPECT_TRUE(open.add(module("a", {"later"}, {"b"})).empty());
  EXPECT_TRUE(open.add(module("b")).empty());
  EXPECT_EQ(codes(open.seal()), (std::vector{Code::RULE_RELATION_UNKNOWN, Code::RULE_NOT_MUTUAL}));
  EXPECT_FALSE(open.sealed());
}

TEST(Registry, ListsEveryViolationOfASet) {  // C-11
  const Registry registry = sample();
  const std::vector<Activation> bad{{"one"}, {"two"}, {"heal"}, {"nope"}, {"one"}};
  EXPECT_EQ(codes(registry.check(bad)),
            (std::vector{Code::RULE_INCOMPATIBLE, Code::RULE_REQUIREMENT_MISSING,
                         Code::RULE_UNKNOWN, Code::RULE_DUPLICATE, Code::RULE_INCOMPATIBLE}));
}

TEST(Registry, ScopesThatDoNotOverlapDoNotClash) {  // C-11
  const Registry registry = sample();
  EXPECT_TRUE(
      registry.check(std::vector<Activation>{{"one", Scope{1}}, {"two", Scope{2}}}).empty());
  EXPECT_FALSE(registry.check(std::vector<Activation>{{"one", Scope{1}}, {"two"}}).empty());
  EXPECT_TRUE(registry.check(std::vector<Activation>{{"heal", Scope{1}}, {"hp"}}).empty());
  EXPECT_FALSE(
      registry.check(std::vector<Activation>{{"heal", Scope{1}}, {"hp", Scope{2}}}).empty());
}

}  // namespace
}  // namespace parlor::rules
