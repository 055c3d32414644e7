// Options and states as numbers: what a game gets that has no table of its own.
#include <algorithm>
#include <charconv>
#include <fmt/core.h>

#include "game/game.h"

namespace parlor {

ActionSpace Game::action_space() const {
  return {ActionSpace::Kind::ordinal, ActionSpace::ordinal_options};
}

void Game::action_indices(const StateBlock&, const OptionList& options,
                          std::span<std::uint32_t> out) const {
  for (std::size_t i = 0; i < options.size(); ++i)
    out[i] = i < ActionSpace::ordinal_options ? static_cast<std::uint32_t>(i) : no_action;
}

std::size_t Game::action_steps() const {
  return 1;
}

void Game::action_paths(const StateBlock& block, const OptionList& options,
                        std::span<std::uint32_t> out) const {
  action_indices(block, options, out);
}

std::string Game::action_name(std::size_t index) const {
  return fmt::format("#{}", index);
}

std::optional<std::size_t> Game::action_named(std::string_view name) const {
  std::size_t index = 0;
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const auto read = std::from_chars(name.data(), name.data() + name.size(), index);
  if (read.ec != std::errc{} || read.ptr != name.data() + name.size()) return std::nullopt;
  if (index >= action_space().size || std::to_string(index) != name) return std::nullopt;
  return index;
}

std::span<const TensorPart> Game::tensor_parts() const {
  return {};
}

void Game::observe(const StateBlock&, PlayerId, std::span<float>) const {}

std::size_t tensor_size(const Game& game) {
  std::size_t out = 0;
  for (const TensorPart& part : game.tensor_parts()) out += part.size();
  return out;
}

namespace {

// The options of a state with their numbers.
struct Numbered {
  OptionList options;
  std::vector<std::uint32_t> numbers;

  explicit Numbered(const State& state) {
    state.list_options(options);
    numbers.resize(options.size());
    state.game().action_indices(state.block(), options, numbers);
  }
};

}  // namespace

std::size_t State::action_index(Option option) const {
  const Numbered all(*this);
  const auto found = std::ranges::find(all.options, option);
  return found == all.options.end()
             ? no_action
             : all.numbers[static_cast<std::size_t>(found - all.options.begin())];
}

std::optional<Option> State::option_of_action(std::size_t index) const {
  const Numbered all(*this);
  const auto found = std::ranges::find(all.numbers, index);
  if (found == all.numbers.end() || index == no_action) return std::nullopt;
  return all.options[static_cast<std::size_t>(found - all.numbers.begin())];
}

}  // namespace parlor
