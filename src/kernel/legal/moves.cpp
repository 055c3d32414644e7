// Whole moves as thin functions over decisions.
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// Applies one step of a move; refuses what is not listed.
Applied take(State& state, const Json& request, EventListener* listener) {
  const auto option = find_option(state, request);
  if (!option) {
    state.game().hear_refused(state.block(), request, listener);
    if (auto why = state.why_not(request)) return tl::unexpected(std::move(*why));
    return tl::unexpected(option.error());
  }
  return state.apply(*option, listener);
}

bool inside_move(const State& state) {
  const Decision decision = state.decision();
  return decision.kind == DecisionKind::choose_one || decision.kind == DecisionKind::choose_n;
}

Applied follow(State& state, const Move& move, EventListener* listener) {
  if (auto begun = take(state, {{"action", move.action}, {"params", move.params}}, listener);
      !begun)
    return begun;
  for (const Json& choice : move.choices) {
    if (!inside_move(state))
      return tl::unexpected(
          Rejection(Code::ACTION_PARAMS, "the move has more choices than it needs"));
    if (auto taken = take(state, choice, listener); !taken) return taken;
  }
  return {};
}

}  // namespace

std::vector<LegalMove> legal_moves(const State& state) {
  std::vector<LegalMove> out;
  if (state.decision().kind != DecisionKind::action) return out;
  OptionList options;
  state.list_options(options);
  const auto& game = dynamic_cast<const KernelGame&>(state.game());
  for (const Option option : options) {
    const Json json = state.option_json(option);
    LegalMove legal;
    legal.move.action = json["action"].get<std::string>();
    legal.move.params = json["params"];
    for (const ActionInfo& action : game.program().actions)
      if (action.id == legal.move.action) legal.is_template = !action.pipelines.empty();
    out.push_back(std::move(legal));
  }
  return out;
}

LegalChoices legal_choices(const State& state, const Move& partial) {
  LegalChoices out;
  State trial = state;
  if (auto followed = follow(trial, partial, nullptr); !followed) {
    out.kind = LegalChoices::Kind::illegal;
    out.why = followed.error();
    return out;
  }
  if (!inside_move(trial)) return out;
  out.kind = LegalChoices::Kind::pending;
  out.player = trial.decision().player;
  OptionList legal, raw;
  trial.list_options(legal);
  const auto& game = dynamic_cast<const KernelGame&>(state.game());
  game.list_raw_options(trial.block(), raw);
  for (const Option option : raw) {
    ChoiceOption choice;
    choice.value = trial.option_json(option);
    choice.legal = std::find(legal.begin(), legal.end(), option) != legal.end();
    if (!choice.legal) {
      const auto why = why_dead(game.program(), trial.block(), option);
      choice.reason = why ? why->message : "the move could not be carried through";
    }
    out.options.push_back(std::move(choice));
  }
  return out;
}

Applied apply_move(State& state, const Move& move, EventListener* listener) {
  State trial = state;
  if (auto followed = follow(trial, move, listener); !followed) return followed;
  if (inside_move(trial))
    return tl::unexpected(Rejection(
        Code::ACTION_PARAMS, fmt::format("{} is not complete: a choice is missing", move.action)));
  state = std::move(trial);
  return {};
}

}  // namespace parlor::kernel
