// Choices of many with a sum that must fit (T-29). The budget of looking ahead is small here: what
// is found out is found out by reasoning about the sum, not by trying sets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Thirty cards for sale, card k costing 1 + k % 7; `effects` is what buying does.
std::string shop(int gold, const std::string& effects, const std::string& sections = "") {
  std::string cards;
  for (int k = 0; k < 30; ++k)
    cards += fmt::format("  - {{createToken: {{type: card, zone: {}, props: {{price: {}}}}}}}\n",
                         "shop", 1 + k % 7);
  return fmt::format(R"(```yaml
metadata: {{id: shop, players: {{min: 2, max: 2}}}}
globalVars: [{{name: gold, type: int, init: {}, min: 0, max: 100}}]
zones:
  - {{id: shop, owner: none, visibility: public, ordering: set}}
  - {{id: sold, owner: none, visibility: public, ordering: set}}
tokenTypes: [{{id: card, props: {{price: int}}}}]
setup:
{}turnStructure: {{phases: [{{id: main}}]}}
actions:
  - {{id: end, phase: [main], effects: [{{advancePhase: {{}}}}]}}
  - id: buy
    phase: [main]
{}
{}
terminal: {{conditions: [{{when: false, result: {{type: draw}}}}]}}
```)",
                     gold, cards, effects, sections);
}

const std::string total =
    "{aggregate: {op: sum, query: {query: binding, name: $set}, bind: $c, valueExpr: {ref: "
    "tokenProp, token: $c, prop: price}}}";
const std::string gold = "{ref: gvar, var: gold}";
const std::string any_set =
    "      - {chooseN: {bind: $set, options: {query: tokensInZone, zone: shop}, min: 0, max: "
    "30}}\n";

std::string buying(const std::string& requirement) {
  return "    effects:\n" + any_set + "      - {require: " + requirement + "}\n";
}

class Shop {
 public:
  explicit Shop(const std::string& text) {
    const spec::CompileResult compiled = spec::compile_text(text, {}, "shop.md");
    if (!compiled.game)
      throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
    kernel::KernelOptions options;
    options.look_ahead = 20'000;
    game_ = *kernel::open_game(*compiled.game, options);
    state_ = game_->start(1).value();
  }
  bool offers_buying() const { return prices("buy").size() == 1; }
  void buy() {
    take([](const Json& o) { return o.value("action", "") == "buy"; });
  }
  // Takes the first card on offer with this price; -1 confirms.
  void take(int price) {
    take(
        [&](const Json& o) { return price < 0 ? o.contains("confirm") : this->price(o) == price; });
  }
  // Of the cards that can be added now, in order; and whether the selection can be confirmed.
  std::vector<int> prices(const std::string& action = "") const {
    std::vector<int> out;
    for (const Json& option : options())
      if (action.empty() ? !option.contains("confirm") : option.value("action", "") == action)
        out.push_back(action.empty() ? price(option) : 0);
    return out;
  }
  bool can_confirm() const {
    for (const Json& option : options())
      if (option.contains("confirm")) return true;
    return false;
  }
  std::uint64_t undecided() const { return game_->undecided_options(); }

 private:
  std::vector<Json> options() const {
    OptionList list;
    state_->list_options(list);
    std::vector<Json> out;
    for (const Option option : list) out.push_back(state_->option_json(option));
    return out;
  }
  int price(const Json& option) const {
    const Json view = state_->view();
    for (const Json& card : view["zones"]["shop:none"])
      if (card["id"] == option.value("value", Json())) return card["props"]["price"].get<int>();
    return 0;
  }
  template <class Wanted>
  void take(const Wanted& wanted) {
    OptionList list;
    state_->list_options(list);
    for (const Option option : list)
      if (wanted(state_->option_json(option))) {
        ASSERT_TRUE(state_->apply(option));
        return;
      }
    ADD_FAILURE() << "not offered";
  }

  std::shared_ptr<const kernel::KernelGame> game_;
  std::optional<State> state_;
};

bool all_at_most(const std::vector<int>& prices, int most) {
  return std::ranges::all_of(prices, [&](int price) { return price <= most; });
}

// Ways of saying that the cards must be affordable.
const std::vector<std::string> ways = {
    buying("{op: '<=', left: " + total + ", right: " + gold + "}"),
    buying("{op: '>=', left: " + gold + ", right: " + total + "}"),
    buying("{op: '>=', left: {op: '-', left: " + gold + ", right: " + total + "}, right: 0}"),
    buying("{op: and, args: [true, {op: '<', left: " + total + ", right: {op: '+', left: " + gold +
           ", right: 1}}]}"),
    "    effects:\n" + any_set + "      - {bindValue: {bind: $total, value: " + total +
        "}}\n      - {require: {op: '<=', left: {ref: binding, name: $total}, right: " + gold +
        "}}\n",
};

TEST(Selections, T29OnlyWhatIsAffordableIsOffered) {
  for (const std::string& way : ways) {
    Shop shop(parlor::shop(9, way));
    ASSERT_TRUE(shop.offers_buying());
    shop.buy();
    EXPECT_EQ(shop.prices().size(), 30u) << way;  // each alone costs at most 7
    shop.take(5);
    EXPECT_FALSE(shop.prices().empty());
    EXPECT_TRUE(all_at_most(shop.prices(), 4)) << way;
    shop.take(3);
    EXPECT_TRUE(all_at_most(shop.prices(), 1)) << way;
    EXPECT_TRUE(shop.can_confirm());
    EXPECT_EQ(shop.undecided(), 0u) << way;
  }
}

TEST(Selections, T29WhatNobodyCanAffordIsNotOffered) {
  const std::string two =
      "    effects:\n      - {chooseN: {bind: $set, options: {query: "
      "tokensInZone, zone: shop}, min: 2, max: 30}}\n      - {require: {op: "
      "'<=', left: " +
      total + ", right: " + gold + "}}\n";
  EXPECT_FALSE(Shop(shop(1, two)).offers_buying());
  EXPECT_TRUE(Shop(shop(2, two)).offers_buying());
  Shop some(shop(3, two));
  some.buy();
  EXPECT_TRUE(all_at_most(some.prices(), 2));  // the other one costs at least 1
  EXPECT_FALSE(some.can_confirm());
  EXPECT_EQ(some.undecided(), 0u);
}

TEST(Selections, T29SumsThatMustBeReached) {
  Shop shop(parlor::shop(0, buying("{op: '>=', left: " + total + ", right: 115}")));
  ASSERT_TRUE(shop.offers_buying());  // all together cost 115
  shop.buy();
  EXPECT_FALSE(shop.can_confirm());
  EXPECT_EQ(shop.prices().size(), 1u);  // the first must be among them, as all others
  EXPECT_EQ(shop.undecided(), 0u);
  EXPECT_FALSE(
      Shop(parlor::shop(0, buying("{op: '>=', left: " + total + ", right: 116}"))).offers_buying());
}

TEST(Selections, T29CountsAreSumsToo) {
  Shop shop(parlor::shop(2, buying("{op: '<=', left: {aggregate: {op: count, query: {query: "
                                   "binding, name: $set}}}, right: " +
                                   gold + "}")));
  shop.buy();
  shop.take(3);
  shop.take(4);
  EXPECT_THAT(shop.prices(), IsEmpty());
  EXPECT_TRUE(shop.can_confirm());
  EXPECT_EQ(shop.undecided(), 0u);
}

TEST(Selections, T29CostsOfAPipelineThatWaitForTheSelection) {
  const std::string pipeline =
      "actionPipelines:\n  - id: buying\n    actionId: buy\n    targeting: "
      "{}\n    atomicity: atomic\n    costEffects: []\n    costValidation: "
      "{op: '<=', left: " +
      total + ", right: " + gold + "}\n    stages:\n      - effects:\n    " + any_set;
  Shop shop(parlor::shop(6, "", pipeline));
  ASSERT_TRUE(shop.offers_buying());
  shop.buy();
  EXPECT_TRUE(all_at_most(shop.prices(), 6));
  shop.take(4);
  EXPECT_TRUE(all_at_most(shop.prices(), 2));
  EXPECT_EQ(shop.undecided(), 0u);
}

// Spends the price of each selected card in turn; each must be affordable when its turn comes.
const std::string one_by_one = "    effects:\n" + any_set + R"(
      - forEach:
          bind: $c
          over: {query: binding, name: $set}
          effects:
            - {require: {op: '>=', left: {ref: gvar, var: gold}, right: {ref: tokenProp, token: $c, prop: price}}}
            - {addVar: {scope: global, var: gold, delta: {op: '-', left: 0, right: {ref: tokenProp, token: $c, prop: price}}}}
)";

TEST(Selections, T29WhatFailsBeforeItsEndIsNoBetterWhenItIsLarger) {
  Shop shop(parlor::shop(9, one_by_one));
  ASSERT_TRUE(shop.offers_buying());
  shop.buy();
  shop.take(5);
  EXPECT_FALSE(shop.prices().empty());
  EXPECT_TRUE(all_at_most(shop.prices(), 4));
  shop.take(3);
  EXPECT_TRUE(all_at_most(shop.prices(), 1));
  EXPECT_TRUE(shop.can_confirm());
  EXPECT_EQ(shop.undecided(), 0u);
}

TEST(Selections, T29WhatFailsAtItsEndMayBeBetterWhenItIsLarger) {
  Shop shop(parlor::shop(
      100, one_by_one + "      - {require: {op: '<=', left: " + gold + ", right: 90}}\n"));
  ASSERT_TRUE(shop.offers_buying());
  shop.buy();
  EXPECT_FALSE(shop.can_confirm());
  EXPECT_FALSE(shop.prices().empty());
  shop.take(5);
  EXPECT_FALSE(shop.can_confirm());
  shop.take(7);
  EXPECT_TRUE(shop.can_confirm());
}

TEST(Selections, T29WhatCannotBeFoundOutIsOfferedAndCounted) {
  // Sums of squares of which no reasoning about bounds knows whether they come to exactly this.
  const std::string exactly =
      "    effects:\n" + any_set +
      "      - {require: {op: '==', left: {op: '*', left: 2, right: " + total + "}, right: 101}}\n";
  Shop shop(parlor::shop(0, exactly));
  EXPECT_TRUE(shop.offers_buying());
  EXPECT_GT(shop.undecided(), 0u);
}

}  // namespace
}  // namespace parlor
