#include "fuzz/play.h"

#include "fuzz/targets.h"

namespace parlor::fuzz {

void check_refusal(const Rejection& rejection) {
  if (rejection.code.empty() || rejection.code == code_name(Code::INTERNAL))
    broken("every refusal has a code", rejection.code + ": " + rejection.message);
}

void look_at(const State& state) {
  const auto again = state.game().load(state.save());
  if (!again) broken("load(save(s)) equals s", again.error().message);
  if (!(*again == state) || again->hash() != state.hash()) broken("load(save(s)) equals s");
  (void)canonical(state.view());
  (void)state.describe();
  (void)canonical(state.view(Viewer::observer()));
  for (std::size_t p = 0; p < state.game().info().players; ++p) {
    (void)canonical(state.view(Viewer::player(PlayerId{p})));
    (void)state.describe(Viewer::player(PlayerId{p}));
  }
  if (state.finished()) (void)canonical(to_json(state.outcome()));
}

void play_on(State state, std::size_t decisions, Rng& rng) {
  OptionList options;
  for (std::size_t n = 0; n < decisions; ++n) {
    if (n % 4 == 0) look_at(state);
    state.list_options(options);
    if (state.finished() && !options.empty()) broken("a finished state has no options");
    if (options.empty()) return;
    if (options.size() < 300) (void)canonical(options_to_json(state, options));
    const Json nonsense = Json{{"action", "no such"}, {"params", {{"$x", 1}}}};
    if (const auto why = state.why_not(nonsense)) check_refusal(*why);
    const State before = state;
    if (const auto done = state.apply(options[draw_option(options, rng)]); !done) {
      check_refusal(done.error());
      if (!(state == before)) broken("a refusal changes nothing");
    }
  }
}

void play(const Game& game, std::size_t decisions, std::uint64_t seed) {
  auto state = game.start(seed);
  if (!state) return check_refusal(state.error());
  Rng rng{seed};
  play_on(std::move(*state), decisions, rng);
}

}  // namespace parlor::fuzz
