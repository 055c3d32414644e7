// T-37: undo and restore cost what lies between now and then, not the whole game.
#include "table/history.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/native_game.h"
#include "table/session.h"

namespace parlor::table {
namespace {

// Counts how often it is applied to. Endless.
int applied = 0;
struct Walk {
  std::uint64_t steps;
  static GameInfo info() {
    GameInfo info;
    info.id = "walk";
    return info;
  }
  void start(Rng&) {}
  Decision decision() const { return {DecisionKind::action, PlayerId{0}, true}; }
  void list(OptionList& out) const { out.add(Option{0}), out.add(Option{1}); }
  void apply(std::uint64_t option) {
    ++applied;
    steps += option + 1;
  }
  Outcome outcome() const { return {}; }
  void returns(std::span<std::int64_t>) const {}
  Json view(const Viewer&) const { return {{"steps", steps}}; }
  std::string text(std::uint64_t option) const { return fmt::format("go {}", option); }
};
using WalkGame = play::games::NativeGame<Walk>;

Clock no_clock() {
  return [] { return Time{0}; };
}

struct Walking {
  std::shared_ptr<const WalkGame> game = std::make_shared<WalkGame>();
  Session session = [this] {
    SessionConfig config;
    config.id = "s";
    return Session::create(game, config, no_clock()).value();
  }();
  int sent = 0;

  void act(Deed deed, Json content) {
    const auto answer = session.act({.session = "s",
                                     .action_id = fmt::format("{}", ++sent),
                                     .actor = PlayerId{0},
                                     .deed = deed,
                                     .content = std::move(content)});
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
  }
  void go(int steps) {
    for (int i = 0; i < steps; ++i) act(Deed::act, Json{{"index", i % 2}});
  }
  void back_to(std::uint64_t revision) { act(Deed::undo, Json{{"to", revision}}); }
};

TEST(History, TakingBackCostsNoMoreThanWhatIsTakenBack) {
  for (const int back : {1, 2, 3, 5, 8, 13, 40, 100, 250, 500, 999}) {
    Walking walking;
    walking.go(1000);
    applied = 0;
    walking.back_to(static_cast<std::uint64_t>(1000 - back));
    EXPECT_LE(applied, back) << back;
    EXPECT_EQ(walking.session.state().hash(), walking.session.log()[999 - back].hash);
  }
}

TEST(History, WalkingAllTheWayBackAndForthIsCheap) {
  Walking walking;
  walking.go(512);
  applied = 0;
  for (int i = 0; i < 512; ++i) walking.act(Deed::undo, Json::object());
  EXPECT_LT(applied, 512 * 9);  // n log n; n squared would be 131 000
  applied = 0;
  for (int i = 0; i < 512; ++i) walking.act(Deed::redo, Json::object());
  EXPECT_LT(applied, 512 * 9);
}

TEST(History, RemembersFewStates) {
  for (const int steps : {10, 100, 1000, 5000}) {
    Walking walking;
    const State start = walking.session.state();
    History history{start};
    std::size_t most = 0;
    for (int i = 1; i <= steps; ++i) {
      history.remember(static_cast<std::size_t>(i), start);
      most = std::max(most, history.states_remembered());
    }
    EXPECT_LE(most, 6 + 4 * std::log2(steps)) << steps;
  }
}

TEST(History, RestoringCostsWhatCameAfterTheSnapshot) {
  Walking walking;
  walking.go(1000);
  Record record = walking.session.record();
  walking.go(20);
  for (int i = 0; i < 200; ++i) {
    walking.act(Deed::undo, Json::object());
    walking.act(Deed::redo, Json::object());
  }
  const Snapshot at_1000 = make_snapshot(1000, record.chain, [&] {
    return Session::restore(walking.game, record, no_clock()).value().state();
  }());
  record = walking.session.record();
  record.snapshots = {at_1000};
  applied = 0;
  auto restored = Session::restore(walking.game, record, no_clock());
  ASSERT_TRUE(restored.has_value()) << restored.error().message;
  EXPECT_EQ(applied, 20);
  EXPECT_EQ(restored->state(), walking.session.state());
  record.snapshots.clear();
  applied = 0;
  ASSERT_TRUE(Session::restore(walking.game, record, no_clock()).has_value());
  EXPECT_EQ(applied, 1020) << "every action in force once, whatever was taken back in between";
}

}  // namespace
}  // namespace parlor::table
