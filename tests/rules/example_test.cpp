// The native module of examples/, on a game it knows nothing about.
#include <gmock/gmock.h>

#include "../../examples/curfew.cpp"
#include "kernel/module.h"
#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;

TEST(Examples, CurfewForbidsActionsAfterItsRound) {  // M-04, M-11, M-13
  const auto curfew = std::make_shared<examples::Curfew>(1, std::vector<std::string>{"shout"});
  spec::GameDef def = *compile(talk).game;
  ASSERT_TRUE(kernel::extend(def, {curfew}).empty());
  kernel::KernelOptions options;
  options.modules = {curfew};
  const auto game = kernel::open_game(def, options).value();
  EXPECT_THAT(game->info().rules, ::testing::ElementsAre("curfew"));
  State state = *game->start(0);
  EXPECT_TRUE(offers(state, "shout"));
  Heard heard;
  ASSERT_TRUE(make(state, "shout", Json::object(), {}, &heard));
  EXPECT_EQ(heard.count("curfewNear"), 1u);
  EXPECT_EQ(state.view()["globals"]["curfew.taken"], 1);
  EXPECT_EQ(state.view()["modules"]["curfew"]["open"], true);
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_EQ(state.view()["round"], 2);
  EXPECT_FALSE(offers(state, "shout"));
  const Rejection why = refused(state, "shout");
  EXPECT_EQ(why.code, "CURFEW");
  EXPECT_EQ(why.details, (Json{{"round", 2}, {"lastRound", 1}}));
  EXPECT_EQ(state.view()["modules"]["curfew"]["open"], false);
  EXPECT_EQ(state.view()["globals"]["curfew.taken"], 1) << "saying is none of its business";
}

}  // namespace
}  // namespace parlor::rules
