#include "cli/native.h"

#include <CLI/App.hpp>
#include <charconv>
#include <chrono>
#include <fmt/core.h>
#include <iostream>

#include "open/native_code.h"
#include "play/agent.h"

namespace parlor::cli {
namespace {

constexpr double many_decisions = 1e6;

// Decisions of one random game, cut off where nobody would wait for more.
constexpr double longest_game = 1000;
double length_of(const Game& game) {
  auto state = game.start(0);
  if (!state) return 0;
  Rng rng(0);
  OptionList options;
  double length = 0;
  for (; length < longest_game && !state->finished(); ++length) {
    state->list_options(options);
    if (options.empty() || !state->apply(options[rng.below(options.size())])) break;
  }
  return length;
}

// Of "mcts:iters=500"; nothing is searched by those that pick at random.
double iterations_of(const std::string& agent, std::uint64_t usual) {
  if (agent.starts_with("random")) return 0;
  const auto at = agent.find("iters=");
  std::uint64_t given = usual;
  if (at != std::string::npos)
    std::from_chars(agent.data() + at + 6, agent.data() + agent.size(), given);
  return static_cast<double>(given);
}

bool expects_many_decisions(const Game& game, const Workload& workload) {
  double searched = workload.agents.empty() ? static_cast<double>(workload.iterations) : 0;
  for (const std::string& agent : workload.agents)
    searched +=
        iterations_of(agent, workload.iterations) / static_cast<double>(workload.agents.size());
  const auto expected = [&](double length) {
    return static_cast<double>(workload.games) * length * (1 + searched * length / 2);
  };
  // Nobody has to play to know that a few games are few.
  return expected(longest_game) > many_decisions && expected(length_of(game)) > many_decisions;
}

}  // namespace

void add_native_option(CLI::App& app, std::string& native) {
  app.add_flag(
         "--native{yes}", native,
         "run the rules as compiled code, made with the C++ compiler at hand and kept for the "
         "next time: --native, --native=auto where it pays, --native=no")
      ->check(CLI::IsMember({"yes", "auto", "no"}));
}

Native native_of(const std::string& word) {
  return word == "yes" ? Native::yes : word == "auto" ? Native::automatic : Native::no;
}

std::shared_ptr<const Game> make_native(Context& context, std::shared_ptr<const Game> game) {
  const auto begin = std::chrono::steady_clock::now();
  const open::NativeGame native = open::make_native(std::move(game), [&](const std::string& what) {
    context.err << "native: " << what << " …" << std::flush;
  });
  if (native.compiled_now)
    context.err << fmt::format(
        " {:.1f} s\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (!native.trouble.empty())
    context.err << fmt::format("note: not native, the interpreter plays: {}\n", native.trouble);
  return native.game;
}

std::shared_ptr<const Game> make_native(Context& context, std::shared_ptr<const Game> game,
                                        Native native, const Workload& workload) {
  if (native == Native::no ||
      (native == Native::automatic && !expects_many_decisions(*game, workload)))
    return game;
  // Nobody waits for a compiler to hear of a misspelt agent.
  if (!workload.agents.empty() && !play::check_agents(workload.agents, *game)) return game;
  return make_native(context, std::move(game));
}

Catalog native_catalog(Context& context) {
  Catalog out;
  const auto opener = [&context](const std::string& name, const OpenOptions& options) -> Opened {
    auto game = context.catalog.open(name, options);
    if (game) *game = make_native(context, std::move(*game));
    return game;
  };
  for (const std::string& name : context.catalog.names()) out.add(name, opener);
  out.set_file_opener(opener);
  return out;
}

}  // namespace parlor::cli
