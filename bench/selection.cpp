// Choices of many things under a sum (T-29): how long the options of "buy any of thirty cards,
// total price at most your gold" take to list, card by card until nothing more can be paid. 2^30
// sets are none too many. Next to plain tic-tac-toe in the same run, so that the machine cancels
// out:
//
//   bench_selection            milliseconds a list, wanted under 5, and in moves of the plain game
//   bench_selection --lists N  only N lists, to count the instructions of `list_cards`
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "baselines.h"
#include "kernel/kernel.h"
#include "spec/spec.h"

namespace parlor::bench {
namespace {

constexpr int cards = 30;
constexpr int repeats = 3;
constexpr double wanted_ms = 5;

// Card k costs 1 + k % 7. The condition stands where a player's rules would have it.
std::string shop(const char* condition) {
  std::string made;
  for (int k = 0; k < cards; ++k)
    made += fmt::format("  - {{createToken: {{type: card, zone: shop, props: {{price: {}}}}}}}\n",
                        1 + k % 7);
  return fmt::format(R"(```yaml
metadata: {{id: shop, players: {{min: 2, max: 2}}}}
globalVars: [{{name: gold, type: int, init: 60, min: 0, max: 100}}]
zones: [{{id: shop, owner: none, visibility: public, ordering: set}}]
tokenTypes: [{{id: card, props: {{price: int}}}}]
setup:
{}turnStructure: {{phases: [{{id: main}}]}}
actions:
  - id: buy
    phase: [main]
    effects:
      - {{chooseN: {{bind: $set, options: {{query: tokensInZone, zone: shop}}, min: 0, max: {}}}}}
      - {{require: {}}}
terminal: {{conditions: [{{when: false, result: {{type: draw}}}}]}}
```)",
                     made, cards, condition);
}

constexpr const char* sum =
    "{op: '<=', left: {aggregate: {op: sum, query: {query: binding, name: $set}, bind: $c, "
    "valueExpr: {ref: tokenProp, token: $c, prop: price}}}, right: {ref: gvar, var: gold}}";
// Nothing that bounds can see: found out by trying sets, small ones first.
constexpr const char* no_sum =
    "{op: '<=', left: {aggregate: {op: sum, query: {query: binding, name: $set}, bind: $c, "
    "valueExpr: {op: '*', left: {ref: tokenProp, token: $c, prop: price}, right: {ref: tokenProp, "
    "token: $c, prop: price}}}}, right: 300}";

std::vector<State> states_of(const Game& game) {
  State state = game.start(1).value();
  std::vector<State> out{state};
  OptionList options;
  for (;;) {
    state.list_options(options);
    if (options.empty() || !state.apply(options[0])) std::abort();
    if (state.decision().kind != DecisionKind::choose_n) return out;
    out.push_back(state);
    state.list_options(options);
    if (options.size() == 1) return out;  // only to confirm
  }
}

[[gnu::noinline]] std::size_t list_cards(const std::vector<State>& states, OptionList& options,
                                         std::size_t lists) {
  std::size_t listed = 0;
  for (std::size_t i = 0; i < lists; ++i) {
    states[i % states.size()].list_options(options);
    listed += options.size();
  }
  return listed;
}

std::shared_ptr<const kernel::KernelGame> open_shop(const char* condition) {
  const spec::CompileResult compiled = spec::compile_text(shop(condition), {}, "shop.md");
  if (!compiled.game) std::abort();
  return kernel::open_game(*compiled.game).value();
}

void measure(const char* name, const char* condition) {
  const auto game = open_shop(condition);
  const std::vector<State> states = states_of(*game);
  OptionList options;
  double longest = 0, seconds = 0, plain_moves = 0;
  for (const State& state : states) {
    const double begin = cpu_seconds();
    list_cards({state}, options, repeats);
    const double each = (cpu_seconds() - begin) / repeats;
    longest = std::max(longest, each);
    seconds += each;
    const Speed plain = measure_baseline<PlainTicTacToe>(0.005, 1);
    plain_moves += plain.moves_per_second() / static_cast<double>(states.size());
  }
  const double mean = seconds / static_cast<double>(states.size());
  std::printf(
      "%-14s %2zu lists: %.3f ms on average, %.3f ms at most, wanted %.0f: %s; %.0f plain moves "
      "each; "
      "%llu options undecided\n",
      name, states.size(), 1e3 * mean, 1e3 * longest, wanted_ms,
      1e3 * longest < wanted_ms ? "ok" : "LONG", mean * plain_moves,
      static_cast<unsigned long long>(game->undecided_options()));
}

}  // namespace
}  // namespace parlor::bench

int main(int argc, char** argv) {
  using namespace parlor::bench;
  if (argc > 2 && std::string(argv[1]) == "--lists") {
    const auto game = open_shop(sum);
    const auto states = states_of(*game);
    parlor::OptionList options;
    std::printf("%zu options\n", list_cards(states, options, std::strtoull(argv[2], nullptr, 10)));
    return 0;
  }
  measure("sum of prices", sum);
  measure("squares", no_sum);
  return 0;
}
