// Planned queries give what plain evaluation gives, along random play.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
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
  Rng rng(7);
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

// The text of a shipped game with some of it replaced.
GameDef changed(const std::string& name,
                const std::vector<std::pair<std::string, std::string>>& changes) {
  std::ifstream file(std::filesystem::path(test::source_dir()) / "games" / (name + ".md"));
  std::string text(std::istreambuf_iterator<char>(file), {});
  for (const auto& [from, to] : changes) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(name + " has no " + from);
    text.replace(at, from.size(), to);
  }
  spec::CompileResult compiled = spec::compile_text(text);
  if (!compiled.game) throw std::runtime_error(name + " does not compile");
  return *compiled.game;
}

// Rays, steps of steps, ways of one zone and sets that several conditions share, on boards of one,
// two and four words whose cells' names sort as they lie, and on others where they do not.
TEST(KernelPlans, RaysAndWaysOnBoardsOfAllSizes) {
  for (const char* size : {"(5, 6)", "(6, 13)", "(11, 12)"}) {
    SCOPED_TRACE(size);
    expect_same_play(changed("reversi", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3, 60);
  }
  for (const char* size : {"(8, 7)", "(8, 12)", "(12, 12)"}) {
    SCOPED_TRACE(size);
    expect_same_play(changed("english-draughts", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3,
                     60);
    expect_same_play(changed("breakthrough", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3, 60);
  }
}

// On a board that closes in itself a ray ends before its own start, and a row may go round.
TEST(KernelPlans, Rings) {
  GameDef def = n_in_a_row("ring", 1, 9, 4);
  for (spec::ZoneDef& zone : def.zones) zone.directions.clear();
  for (int c = 0; c < 9; ++c)
    for (const auto& [direction, by] : {std::pair{"e", 1}, {"w", 8}})
      def.zones[static_cast<std::size_t>(c)].directions.push_back(
          {direction, fmt::format("cell_0_{}:none", (c + by) % 9)});
  auto owned = [](const char* zone) {
    return exists(tokens_in(zone_in(zone), prop_is("owner", active_player())));
  };
  Query ray{RayQuery{zone_in("$zone"),
                     {DirectionSel::Kind::names, {"e", "w"}, ""},
                     {no_token()},
                     {owned("$zone")},
                     {}},
            {}};
  Condition sees_mine{Exists{Box<Query>(ray), "$end", {owned("$end")}}, {}};
  ActionDef jump = action(
      "see", {"main"}, {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  jump.params.push_back({"$cell", spaces(sees_mine)});
  def.actions.push_back(jump);
  expect_same_play(def, 10, 12);
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
