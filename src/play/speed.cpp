#include "play/speed.h"

#include <ctime>

#include "play/tree.h"

namespace parlor::play {
namespace {

constexpr std::size_t longest_playout = 20'000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Repeats `work` until the time is used up; gives the seconds it really took.
template <class Work>
double spend(double seconds, Work work) {
  const double begin = cpu_seconds();
  double used = 0;
  do {
    work();
    used = cpu_seconds() - begin;
  } while (used < seconds);
  return used;
}

// What is counted of random games.
struct RandomGames {
  double games = 0, decisions = 0, offered = 0;
};
struct CountedRandom : Random {
  RandomGames& counts;

  void applied(Option, std::size_t offered, const State&) {
    counts.offered += static_cast<double>(offered);
    counts.decisions += 1;
  }
};

void measure_playouts(const State& first, double seconds, Seed seed, GameSpeed& speed) {
  State state = first;
  OptionList options;
  Rng rng(seed);
  RandomGames counts;
  const auto play_game = [&] {
    state = first;
    play_on(state, options, longest_playout, CountedRandom{{rng}, counts});
    counts.games += 1;
  };
  // Asking for the time takes as long as a decision or several: of short games a batch is played.
  constexpr double batch = 300;
  const double used = spend(seconds, [&] {
    const double enough = counts.decisions + batch, most = counts.games + batch;
    while (counts.decisions < enough && counts.games < most) play_game();
  });
  speed.playouts_per_second = counts.games / used;
  speed.decisions_per_second = counts.decisions / used;
  speed.mean_length = counts.decisions / counts.games;
  speed.mean_options = counts.decisions == 0 ? 0 : counts.offered / counts.decisions;
}

// On a state from the middle of a typical game, where the most is going on.
void measure_parts(const State& first, double seconds, Seed seed, GameSpeed& speed) {
  State middle = first;
  OptionList options;
  Rng rng(seed);
  for (double i = 0; i < speed.mean_length / 2; ++i) {
    State next = middle;
    next.list_options(options);
    if (options.empty() || !next.apply(options[pick_option(rng, options)]) || next.finished())
      break;
    middle = std::move(next);
  }
  State copy = middle;
  double rounds = 0;
  constexpr int batch = 100;
  double used = spend(seconds, [&] {
    for (int i = 0; i < batch; ++i) copy.block() = middle.block();
    rounds += batch;
  });
  speed.copy_nanoseconds = 1e9 * used / rounds;
  rounds = 0;
  used = spend(seconds, [&] {
    for (int i = 0; i < batch; ++i) middle.list_options(options);
    rounds += batch;
  });
  speed.list_nanoseconds = 1e9 * used / rounds;
  speed.state_bytes = middle.block().size();
}

void measure_search(const State& first, double seconds, Seed seed, GameSpeed& speed) {
  TreeSettings settings;
  settings.iterations = 50;
  settings.reuse = false;
  SearchTree tree(first.game(), settings);
  tree.begin(seed);
  State root = first;
  OptionList options;
  Rng rng(seed);
  while (root.decision().kind == DecisionKind::chance) {
    root.list_options(options);
    if (!root.apply(options[draw_option(options, rng)])) return;
  }
  if (root.finished()) return;
  double iterations = 0;
  const double used = spend(seconds, [&] {
    iterations += static_cast<double>(tree.search(root, root.decision().player));
  });
  speed.mcts_iterations_per_second = iterations / used;
}

}  // namespace

tl::expected<GameSpeed, Rejection> measure_speed(const Game& game, double seconds, Seed seed) {
  const auto first = game.start(seed);
  if (!first) return tl::unexpected(first.error());
  GameSpeed speed;
  measure_playouts(*first, seconds, seed, speed);
  measure_parts(*first, seconds / 4, seed, speed);
  measure_search(*first, seconds, seed, speed);
  return speed;
}

}  // namespace parlor::play
