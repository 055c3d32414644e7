// How much memory things take (V-23), next to what they may take:
//
//   bench_memory [GAMES_FOLDER]
//
// A million states of connect four, each kept as a State of its own; and the compiler at its peak
// over the generated game of large_game.h. Each is done in a process of its own, whose largest
// resident size is what counts, less what a process has that does nothing. Exit 1 where it is more.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "kernel/kernel.h"
#include "large_game.h"
#include "play/dice.h"
#include "spec/spec.h"

namespace parlor::bench {
namespace {

namespace fs = std::filesystem;

// Megabytes (of a million bytes) a process needs at most to do this; below 0: it could not do it.
double peak_of(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0
             ? static_cast<double>(used.ru_maxrss) * 1024 / 1e6
             : -1;
}

// The states of random games at each of their decisions.
bool keep_states(const fs::path& rules, std::size_t count) {
  const spec::CompileResult compiled = spec::compile_file(rules);
  if (!compiled.game) return false;
  const auto game = kernel::open_game(*compiled.game);
  if (!game) return false;
  const auto first = (*game)->start(1);
  if (!first) return false;
  std::vector<State> kept;
  kept.reserve(count);
  State state = *first;
  OptionList options;
  Rng rng(1);
  while (kept.size() < count) {
    kept.push_back(state);
    if (state.finished()) state = *first;
    state.list_options(options);
    if (!state.apply(options[play::pick_option(rng, options)])) return false;
  }
  return true;
}

bool compile_large_game(const fs::path& folder) {
  return spec::compile_file(folder / "game.md").game.has_value();
}

// Prints a line; false: it takes more than it may, or could not be done.
bool report(const char* what, double megabytes, double idle, double most) {
  if (megabytes < 0) {
    std::printf("%s: failed\n", what);
    return false;
  }
  const double taken = megabytes - idle;
  std::printf("%-46s %6.0f MB (at most %.0f)%s\n", what, taken, most,
              taken < most ? "" : "  MISSED");
  return taken < most;
}

int run(const fs::path& games) {
  constexpr std::size_t states = 1'000'000;
  const fs::path folder = fs::temp_directory_path() / fmt::format("parlor-memory-{}", getpid());
  fs::create_directories(folder);
  for (const auto& [name, text] : large_game())
    std::ofstream{folder / name, std::ios::binary} << text;
  const double idle = peak_of([] { return true; });
  const double kept = peak_of([&] { return keep_states(games / "connect-four.md", states); });
  const double compiler = peak_of([&] { return compile_large_game(folder); });
  fs::remove_all(folder);
  const std::string text = fmt::format("the compiler, over {:.1f} MB of text",
                                       static_cast<double>(large_game_bytes()) / 1e6);
  bool met = report("a million states of connect four", kept, idle, 700);
  met = report(text.c_str(), compiler, idle, 300) && met;
  return met ? 0 : 1;
}

}  // namespace
}  // namespace parlor::bench

int main(int count, char** arguments) {
  return parlor::bench::run(count > 1 ? arguments[1] : "games");
}
