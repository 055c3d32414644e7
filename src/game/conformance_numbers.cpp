#include "game/conformance_numbers.h"

#include <fmt/core.h>
#include <set>

namespace parlor {

std::optional<std::string> find_misnumbered(const State& state, const OptionList& options,
                                            NumbersMet& met) {
  const Game& game = state.game();
  const ActionSpace space = game.action_space();
  const bool chance = state.decision().kind == DecisionKind::chance;
  std::vector<std::uint32_t> numbers(options.size());
  game.action_indices(state.block(), options, numbers);
  std::set<std::uint32_t> used;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::uint32_t number = numbers[i];
    if (number == no_action) {
      if (space.complete || space.kind == ActionSpace::Kind::fixed)
        return fmt::format("option `{}` has no number", state.option_text(options[i]));
      continue;
    }
    if (!used.insert(number).second) return fmt::format("two options have the number {}", number);
    if (chance) continue;
    if (number >= space.size)
      return fmt::format("number {} is outside of the space of {}", number, space.size);
    const std::string name = game.action_name(number);
    if (const auto found = game.action_named(name); !found || *found != number)
      return fmt::format("number {} is not found by its name `{}`", number, name);
    if (space.kind != ActionSpace::Kind::fixed || name.find('~') != name.npos) continue;
    const std::string text = state.option_text(options[i]);
    const auto [known, fresh] = met.texts.emplace(number, text);
    if (!fresh && known->second != text)
      return fmt::format("number {} means `{}` here and `{}` elsewhere", number, text,
                         known->second);
  }
  return std::nullopt;
}

std::optional<std::string> find_misobserved(const State& state, const State& other,
                                            PlayerId player) {
  const Game& game = state.game();
  const std::size_t size = tensor_size(game);
  constexpr float untouched = -12345;
  std::vector<float> seen(size, untouched), guessed(size, untouched);
  game.observe(state.block(), player, seen);
  game.observe(other.block(), player, guessed);
  std::size_t at = 0;
  for (const TensorPart& part : game.tensor_parts())
    for (std::size_t i = 0; i < part.size(); ++i, ++at) {
      if (!(seen[at] >= part.low && seen[at] <= part.high))
        return fmt::format("`{}` says {} at {}, which is not between {} and {}", part.name,
                           seen[at], i, part.low, part.high);
      if (seen[at] != guessed[at])
        return fmt::format("player {} sees in `{}` at {} something that is hidden", player.value,
                           part.name, i);
    }
  return std::nullopt;
}

}  // namespace parlor
