#include "secrecy/agents.h"

#include <fmt/core.h>

namespace parlor::test {
namespace {

class Seated final : public Sitting {
 public:
  explicit Seated(std::unique_ptr<play::Agent> agent) : agent_(std::move(agent)) {}
  void begin(const State& state, PlayerId seat, Seed seed) override {
    agent_->begin(state, seat, seed);
  }
  std::size_t choose(const State& state, const OptionList& options) override {
    return agent_->choose(state, options);
  }
  void observe(Option option, const State& after) override { agent_->observe(option, after); }

 private:
  std::unique_ptr<play::Agent> agent_;
};

std::optional<Peeking> differ(std::size_t one, std::size_t other, Seed seed) {
  if (one == other) return std::nullopt;
  return Peeking{
      fmt::format("option {} or {}, depending on what is hidden (seed {})", one, other, seed)};
}

std::size_t sit_through(Sitting& sitting, const Course& course, PlayerId seat, Seed seed) {
  State state = course.start;
  sitting.begin(state, seat, seed);
  OptionList options;
  for (const Option option : course.options) {
    state.list_options(options);
    if (state.decision().player == seat) sitting.choose(state, options);
    if (!state.apply(option)) return options.size();
    sitting.observe(option, state);
  }
  state.list_options(options);
  return sitting.choose(state, options);
}

}  // namespace

MakeSitting sitting(play::AgentMaker maker) {
  return [maker = std::move(maker)] { return std::make_unique<Seated>(maker()); };
}

std::optional<State> world_like(const State& state, PlayerId player) {
  const Json here = state.view();
  State other = state;
  constexpr Seed tries = 30;
  for (Seed seed = 1; seed < tries; ++seed) {
    Rng rng(seed);
    other.game().resample_hidden(other.block(), Viewer::player(player), rng);
    if (other.view() != here) return other;
  }
  return std::nullopt;
}

std::optional<Peeking> find_peeking(const Game& game, const MakeSitting& make, PeekSearch& search) {
  const auto one = make();
  OptionList options, theirs;
  for (Seed seed = 1; seed <= search.games; ++seed) {
    if (search.enough > 0 && search.compared >= search.enough) break;
    auto state = game.start(seed);
    if (!state) return Peeking{state.error().message};
    Rng rng(seed);
    for (int n = 0; n < search.decisions && !state->finished(); ++n) {
      state->list_options(options);
      const PlayerId player = state->decision().player;
      const auto other = options.size() > 1 && !player.is_none() ? world_like(*state, player)
                                                                 : std::optional<State>{};
      if (other) {
        one->begin(*state, player, seed);
        const std::size_t choice = one->choose(*state, options);
        other->list_options(theirs);
        one->begin(*other, player, seed);
        if (auto found = differ(choice, one->choose(*other, theirs), seed)) return found;
        ++search.compared;
      }
      if (const auto done = state->apply(options[draw_option(options, rng)]); !done)
        return Peeking{done.error().message};
    }
  }
  return std::nullopt;
}

std::optional<Peeking> find_peeking_after(const Course& one, const Course& other, PlayerId seat,
                                          Seed seed, const MakeSitting& make) {
  const auto somebody = make();
  const std::size_t choice = sit_through(*somebody, one, seat, seed);
  return differ(choice, sit_through(*somebody, other, seat, seed), seed);
}

}  // namespace parlor::test
