// Programs that play, on threads of their own.
#include "host/bots.h"

#include <future>

#include "host/simulation.h"
#include "host/threads.h"

namespace parlor::test {
namespace {

struct Thought {
  const char* game;
  const char* agent;
};

// Each would think for hours if it were let.
TEST(Searches, EndWhenTheirDecisionIsGone_S37) {
  for (const Thought& thought : {Thought{"connect-four", "mcts:iters=100000000"},
                                 {"leduc-poker", "ismcts:iters=100000000"},
                                 {"connect-four", "flat:playouts=10000000"},
                                 {"connect-four", "alphabeta:depth=42"},
                                 {"chess", "alphabeta:depth=60"}}) {
    const auto game = test_catalog().open(thought.game, {}).value();
    const auto wanted = std::make_shared<std::atomic<bool>>(true);
    std::promise<void> answered;
    std::future<void> answer = answered.get_future();
    {
      ThreadPool pool{1};
      Bots bots{pool};
      const State state = game->start(1).value();
      bots.choose({.game = game,
                   .state = state,
                   .seat = state.decision().player,
                   .agent = thought.agent,
                   .seed = 1,
                   .wanted = wanted},
                  [&](Bots::Choice) { answered.set_value(); });
      EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout)
          << thought.agent;
      *wanted = false;
    }  // here its thread ends
    EXPECT_EQ(answer.wait_for(std::chrono::seconds(0)), std::future_status::timeout)
        << thought.agent << " answered although nobody asked any more";
  }
}

}  // namespace
}  // namespace parlor::test
