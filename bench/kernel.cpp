// Kernel games under uniform random play through the public interface, next to plain-array
// baselines in the same run: moves per second of processor time, and the ratios the project
// promises.
//
//   bench_kernel [SECONDS] [GAMES_FOLDER]
//   bench_kernel --moves GAME MOVES [GAMES_FOLDER [native]]    only that many moves, for
//   bench/instructions.py; native: by compiled code
//   bench_kernel --searches GAME ITERATIONS [GAMES_FOLDER [native]]    only that many iterations of
//   the tree search, and as many random games
#include "kernel/kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "../tests/counting_new.h"
#include "baselines.h"
#include "game/game.h"
#include "open/native_code.h"
#include "play/loop.h"
#include "play/tree.h"
#include "spec/spec.h"

namespace parlor::bench {
namespace {

std::shared_ptr<const Game> open_in(const std::string& folder, const std::string& name) {
  std::filesystem::path path = std::filesystem::path(folder) / (name + ".md");
  if (!std::filesystem::exists(path)) path.replace_extension();  // a folder
  if (!std::filesystem::exists(path)) return nullptr;
  const spec::CompileResult compiled = spec::compile_file(path);
  if (!compiled.game) return nullptr;
  auto game = kernel::open_game(*compiled.game);
  return game ? *game : nullptr;
}

void must_apply(State& state, Option option) {
  const auto applied = state.apply(option);
  if (applied) return;
  std::fprintf(stderr, "%s\n", canonical(to_json(applied.error())).c_str());
  std::abort();
}

constexpr double slice = 0.02;  // seconds

struct Times {
  Speed play;
  double ratio = 0, low = 0, high = 0;  // to the yardstick: the median of all slices, and quartiles
  double list_ns = 0, apply_ns = 0, copy_ns = 0, options = 0;
  double allocations = 0;  // per move, after one game
  std::size_t bytes = 0;
};

// Plays this many moves of random games, each from a copy of the first state. The instructions of
// this function are what bench/instructions.py counts.
[[gnu::noinline]] std::uint64_t play_moves(const Game& game, const State& first, State& state,
                                           OptionList& options, Rng& rng, std::uint64_t moves) {
  std::uint64_t checksum = 0;
  std::int64_t returns[max_players];
  for (std::uint64_t made = 0; made < moves;) {
    state = first;
    for (int length = 0; !state.finished() && made < moves && length < 1000; ++length, ++made) {
      state.list_options(options);
      must_apply(state, options[rng.below(options.size())]);
    }
    game.returns(state.block(), {returns, game.info().players});
    checksum = checksum * 3 + static_cast<std::uint64_t>(returns[0] + 1);
  }
  return checksum;
}

// Whole games for about this long.
Speed play_games(const Game& game, const State& first, State& state, OptionList& options, Rng& rng,
                 double seconds) {
  Speed speed;
  std::int64_t returns[max_players];
  const double begin = cpu_seconds();
  do {
    for (int batch = 0; batch < 20; ++batch) {
      state = first;
      int length = 0;
      while (!state.finished() && ++length < 1000) {
        state.list_options(options);
        must_apply(state, options[rng.below(options.size())]);
        ++speed.moves;
      }
      ++speed.games;
      game.returns(state.block(), {returns, game.info().players});
      speed.checksum = speed.checksum * 3 + static_cast<std::uint64_t>(returns[0] + 1);
    }
    speed.seconds = cpu_seconds() - begin;
  } while (speed.seconds < seconds);
  return speed;
}

// The game and its yardstick in turns, in slices so short that what else the machine does hits
// both; then the parts of a move by themselves, on the states of one long game.
Times measure(const Game& game, Speed (*yardstick)(double), double seconds) {
  Times times;
  Rng rng(1);
  OptionList options;
  const State first = game.start(1).value();
  State state = first;
  // Until every buffer has had its largest content, the hot loop may allocate.
  play_moves(game, first, state, options, rng, 20'000);
  const std::size_t allocated = test::allocation_count;
  play_moves(game, first, state, options, rng, 1000);
  times.allocations = static_cast<double>(test::allocation_count - allocated) / 1000;
  std::vector<double> ratios;
  while (times.play.seconds < seconds || ratios.size() < 5) {
    const double plain = yardstick(slice).moves_per_second();
    const Speed played = play_games(game, first, state, options, rng, slice);
    times.play += played;
    ratios.push_back(played.moves_per_second() / plain);
  }
  std::sort(ratios.begin(), ratios.end());
  times.low = ratios[ratios.size() / 4];
  times.ratio = ratios[ratios.size() / 2];
  times.high = ratios[ratios.size() * 3 / 4];

  std::vector<State> states;
  for (state = first; !state.finished() && states.size() < 64;) {
    states.push_back(state);
    state.list_options(options);
    must_apply(state, options[rng.below(options.size())]);
  }
  const int rounds = 2000;
  std::size_t listed = 0;
  double at = cpu_seconds();
  for (int r = 0; r < rounds; ++r)
    for (const State& s : states) {
      s.list_options(options);
      listed += options.size();
    }
  times.list_ns = 1e9 * (cpu_seconds() - at) / static_cast<double>(listed);
  const auto visits = static_cast<double>(rounds) * static_cast<double>(states.size());
  times.options = static_cast<double>(listed) / visits;
  at = cpu_seconds();
  for (int r = 0; r < rounds; ++r)
    for (const State& s : states) state = s;
  times.copy_ns = 1e9 * (cpu_seconds() - at) / visits;
  std::vector<Option> picks;
  for (const State& s : states) {
    s.list_options(options);
    picks.push_back(options[options.size() / 2]);
  }
  at = cpu_seconds();
  for (int r = 0; r < rounds; ++r)
    for (std::size_t i = 0; i < states.size(); ++i) {
      state = states[i];
      must_apply(state, picks[i]);
    }
  times.apply_ns = 1e9 * (cpu_seconds() - at) / visits - times.copy_ns;
  times.bytes = states[states.size() / 2].block().size();
  return times;
}

void line(const std::string& name, const Times& t, double wanted) {
  std::printf(
      "%-18s %9.0f moves/s  x%.3f (wanted %.2f, middle half %.3f to %.3f) %s  list %5.1f ns/option "
      "(%.1f options)  apply "
      "%6.0f ns  copy %4.0f ns  %zu bytes  %.3f allocations/move\n",
      name.c_str(), t.play.moves_per_second(), t.ratio, wanted, t.low, t.high,
      t.ratio >= wanted ? "ok  " : "LOW ", t.list_ns, t.options, t.apply_ns, t.copy_ns, t.bytes,
      t.allocations);
}

// A little of everything, so that what a thread needs once is not counted.
[[gnu::noinline]] void warm_up(const State& first, State& state, OptionList& options) {
  Rng rng(2);
  for (int made = 0; made < 20;) {
    state = first;
    for (int length = 0; !state.finished() && length < 20; ++length, ++made) {
      state.list_options(options);
      must_apply(state, options[rng.below(options.size())]);
    }
    std::int64_t returns[max_players];
    state.game().returns(state.block(), {returns, state.game().info().players});
  }
}

// Null, and said why: it cannot be had.
std::shared_ptr<const Game> open_for_counting(const std::string& name, const std::string& folder,
                                              bool native) {
  const auto game = open_in(folder, name);
  if (game == nullptr) std::fprintf(stderr, "%s: not found or does not compile\n", name.c_str());
  if (game == nullptr || !native) return game;
  const open::NativeGame made = open::make_native(game);
  if (made.trouble.empty()) return made.game;
  std::fprintf(stderr, "%s\n", made.trouble.c_str());
  return nullptr;
}

// Only `play_moves`, after a warm-up: for tools that count instructions.
int play_only(const std::string& name, std::uint64_t moves, const std::string& folder,
              bool native) {
  const auto game = open_for_counting(name, folder, native);
  if (game == nullptr) return 1;
  const State first = game->start(1).value();
  State state = first;
  OptionList options;
  Rng rng(1);
  warm_up(first, state, options);
  const std::uint64_t warm = play_moves(*game, first, state, options, rng, moves / 2);
  const std::size_t before = test::allocation_count;
  const std::uint64_t then = play_moves(*game, first, state, options, rng, moves - moves / 2);
  const std::size_t allocations = test::allocation_count - before;
  std::printf("%s: %llu moves, %zu allocations in the second half, checksum %llx\n", name.c_str(),
              static_cast<unsigned long long>(moves), allocations,
              static_cast<unsigned long long>(warm ^ then));
  return 0;
}

// The instructions of these two are what bench/instructions.py compares: iterations of small trees
// that begin anew, as `parlor bench` measures them, and random games.
[[gnu::noinline]] void search_trees(play::SearchTree& tree, const State& root,
                                    std::uint64_t iterations) {
  while (iterations > 0) {
    const std::size_t done = tree.search(root, root.decision().player);
    iterations -= std::min<std::uint64_t>(iterations, done);
  }
}

[[gnu::noinline]] void play_to_the_end(const State& first, State& state, OptionList& options,
                                       Rng& rng, std::uint64_t games) {
  constexpr std::uint64_t most = 20'000;
  for (; games > 0; --games) {
    state = first;
    play::play_on(state, options, most, play::Random{rng});
  }
}

// Only those two, after a warm-up, from the first decision of a player.
int search_only(const std::string& name, std::uint64_t iterations, const std::string& folder,
                bool native) {
  const auto game = open_for_counting(name, folder, native);
  if (game == nullptr) return 1;
  State first = game->start(1).value();
  State state = first;
  OptionList options;
  Rng rng(1);
  for (; first.decision().kind == DecisionKind::chance; must_apply(first, options[0]))
    first.list_options(options);
  constexpr std::size_t in_one_tree = 50;
  play::TreeSettings settings;
  settings.iterations = in_one_tree;
  settings.reuse = false;
  play::SearchTree tree(*game, settings);
  tree.begin(1);
  for (int round = 0; round < 4; ++round) tree.search(first, first.decision().player);
  warm_up(first, state, options);
  const double begin = cpu_seconds();
  search_trees(tree, first, iterations);
  const double searched = cpu_seconds();
  play_to_the_end(first, state, options, rng, iterations);
  const double played = cpu_seconds();
  const auto each = static_cast<double>(iterations) * 1e-9;
  std::printf("%s: %.1f ns an iteration, %.1f ns a game, %.2f\n", name.c_str(),
              (searched - begin) / each, (played - searched) / each,
              (played - searched) / (searched - begin));
  return 0;
}

}  // namespace
}  // namespace parlor::bench

int main(int argc, char** argv) {
  using namespace parlor::bench;
  if (argc > 3 && std::string_view(argv[1]) == "--moves")
    return play_only(argv[2], std::strtoull(argv[3], nullptr, 10), argc > 4 ? argv[4] : "games",
                     argc > 5);
  if (argc > 3 && std::string_view(argv[1]) == "--searches")
    return search_only(argv[2], std::strtoull(argv[3], nullptr, 10), argc > 4 ? argv[4] : "games",
                       argc > 5);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
  const std::string folder = argc > 2 ? argv[2] : "games";
  const auto tic_tac_toe = [](double time) { return measure_baseline<PlainTicTacToe>(time); };
  const auto connect_four = [](double time) { return measure_baseline<PlainConnectFour>(time); };
  std::printf("%-18s %9.0f moves/s\n%-18s %9.0f moves/s\n", "plain tic-tac-toe",
              tic_tac_toe(seconds).moves_per_second(), "plain connect four",
              connect_four(seconds).moves_per_second());
  const struct {
    const char* name;
    Speed (*yardstick)(double);
    double wanted;
  } games[] = {{"tic-tac-toe", tic_tac_toe, 0.30},  {"connect-four", connect_four, 0.25},
               {"breakthrough", tic_tac_toe, 0.06}, {"hex", tic_tac_toe, 0.08},
               {"reversi", tic_tac_toe, 0.02},      {"english-draughts", tic_tac_toe, 0.02}};
  for (const auto& entry : games) {
    const auto game = open_in(folder, entry.name);
    if (game == nullptr) {
      std::printf("%-18s not found or does not compile\n", entry.name);
      continue;
    }
    line(entry.name, measure(*game, entry.yardstick, seconds), entry.wanted);
  }
  return 0;
}
