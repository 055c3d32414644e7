// Seats that are played by programs. A search gets a copy of the state and a seat, and answers with
// the number of an option; at most as many run at once as the executor has threads.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "host/codes.h"
#include "host/services.h"
#include "play/agent.h"

namespace parlor::host {

struct BotLimits {
  double milliseconds = 2000;
  double iterations = 20'000;
};

// The agent a table may use, with the server's limits filled in; refused if it asks for more.
tl::expected<std::string, Rejection> limited_agent(const std::string& text, const Game& game,
                                                   const BotLimits& limits);

// What is to be thought about. `wanted` turns false when the answer is no longer of use.
struct Search {
  std::shared_ptr<const Game> game;
  State state;  // its decider is the seat
  PlayerId seat;
  std::string agent;
  Seed seed = 0;
  std::shared_ptr<std::atomic<bool>> wanted;
  bool one_by_one = false;  // never more than one of these at once, whatever the executor has
};

class Bots {
 public:
  explicit Bots(Executor& executor)
      : executor_(executor), one_by_one_(std::make_shared<Strand>(executor)) {}

  struct Choice {
    std::size_t option = 0;
    Time took = 0;  // milliseconds of searching, without waiting for its turn
  };
  // Answers on the executor; not at all if it is no longer wanted.
  void choose(Search search, std::function<void(Choice)> then);
  // Whether the seat would rather have a draw: its mean of random games from here is not above 0.
  void judge_draw(Search search, std::function<void(bool)> then);

  // Anything else that takes long and may wait.
  void run(Task task) { executor_.post(std::move(task)); }

  std::size_t waiting() const { return waiting_; }

 private:
  Choice think(const Search& search);
  play::AgentMaker maker(const Search& search);

  Executor& executor_;
  std::shared_ptr<Strand> one_by_one_;
  std::atomic<std::size_t> waiting_ = 0;
  std::mutex mutex_;
  std::map<std::pair<const Game*, std::string>, play::AgentMaker> prepared_;
};

}  // namespace parlor::host
