// Planned queries give what plain evaluation gives, along random play.
#include <filesystem>
#include <gtest/gtest.h>

#include "kernel/builder.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

using namespace build;

// Plays the same random games with and without plans and compares everything on the way.
void expect_same_play(const GameDef& def, int games, int moves) {
  const auto planned = open(def), plain = open(def, {.plan = false});
  Rng rng(std::uint64_t{7});
  OptionList a, b;
  for (int g = 0; g < games; ++g) {
    State left = planned->start(static_cast<Seed>(g)).value(),
          right = plain->start(static_cast<Seed>(g)).value();
    for (int move = 0; move < moves && !left.finished(); ++move) {
      left.list_options(a);
      right.list_options(b);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << left.describe();
      ASSERT_TRUE(planned->consistent(left.block())) << left.describe();
      const Option pick = a[rng.below(a.size())];
      ASSERT_TRUE(left.apply(pick));
      ASSERT_TRUE(right.apply(pick));
      ASSERT_EQ(left.view(), right.view());
    }
    ASSERT_EQ(left.finished(), right.finished());
    if (!left.finished()) continue;
    EXPECT_EQ(to_json(left.outcome()), to_json(right.outcome()));
  }
}

TEST(KernelPlans, NInARow) {
  expect_same_play(n_in_a_row("ttt", 3, 3, 3), 20, 9);
  expect_same_play(n_in_a_row("c4", 6, 7, 4, true), 10, 42);
  expect_same_play(n_in_a_row("wide", 5, 13, 4), 4,
                   65);  // two words, and an irregular order of names
  expect_same_play(n_in_a_row("large", 12, 14, 4), 2, 60);  // four words
}

// A race of stones that asks for neighbours, connections and counts in many shapes.
TEST(KernelPlans, ManyShapes) {
  GameDef def = n_in_a_row("shapes", 5, 5, 9);
  auto mine = [] { return exists(tokens_in(zone_in("$zone"), prop_is("owner", active_player()))); };
  Query beside{StepQuery{zone_in("$zone"), {}}, {}};
  Condition near_mine{Exists{Box<Query>(beside),
                             "$n",
                             {exists(tokens_in(zone_in("$n"), prop_is("owner", active_player())))}},
                      {}};
  Condition all_filled{
      ForAll{Box<Query>(beside), "$n",
             Box<Condition>(cmp(CompareOp::greater, zone_count(zone_in("$n")), num(0)))},
      {}};
  SpecValue row{ZonePropRef{zone_in("$zone"), "row"}, {}};
  ActionDef grow =
      action("grow", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  grow.params.push_back({"$cell", spaces(all_of({no_token(), near_mine}))});
  ActionDef fill =
      action("fill", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  fill.params.push_back(
      {"$cell",
       spaces(all_of(
           {no_token(), {AnyOf{{all_filled, cmp(CompareOp::less_equal, row, num(1))}}, {}}}))});
  ActionDef reach =
      action("reach", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  Query chain{ConnectedZonesQuery{
                  zone("cell_2_2:none"), {{Not{Box<Condition>(mine())}, {}}}, false, false, {}},
              {}};
  reach.params.push_back({"$cell", Query{FilterQuery{Box<Query>(chain), "$zone", no_token()}, {}}});
  def.actions.push_back(grow);
  def.actions.push_back(fill);
  def.actions.push_back(reach);
  expect_same_play(def, 6, 25);
}

TEST(KernelPlans, ShippedGames) {
  int played = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(test::source_dir()) / "games")) {
    if (entry.path().extension() != ".md") continue;
    const spec::CompileResult compiled = spec::compile_file(entry.path());
    if (!compiled.game || !open_game(*compiled.game)) continue;
    SCOPED_TRACE(entry.path().filename().string());
    expect_same_play(*compiled.game, 2, 40);
    ++played;
  }
  EXPECT_GT(played, 5);
}

}  // namespace
}  // namespace parlor::kernel
