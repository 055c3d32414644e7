// A game that is another game in everything. Tests derive from it and break one thing.
#pragma once

#include <memory>
#include <utility>

#include "game/game.h"
#include "game/thinker.h"

namespace parlor::test {

class Forwarding : public Game {
 public:
  explicit Forwarding(std::shared_ptr<const Game> game) : game_(std::move(game)) {}

  const GameInfo& info() const override { return game_->info(); }
  Applied init(StateBlock& block, Seed seed) const override { return game_->init(block, seed); }
  Decision decision(const StateBlock& block) const override { return game_->decision(block); }
  void list_options(const StateBlock& block, OptionList& out) const override {
    game_->list_options(block, out);
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    return game_->apply(block, option, listener);
  }
  Outcome outcome(const StateBlock& block) const override { return game_->outcome(block); }
  std::uint64_t hash(const StateBlock& block) const override { return game_->hash(block); }
  bool equal(const StateBlock& a, const StateBlock& b) const override { return game_->equal(a, b); }
  Json save_block(const StateBlock& block) const override { return game_->save_block(block); }
  Applied load_block(const Json& saved, StateBlock& block) const override {
    return game_->load_block(saved, block);
  }
  Json view(const StateBlock& block, const Viewer& viewer) const override {
    return game_->view(block, viewer);
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    return game_->describe(block, viewer);
  }
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override {
    return game_->option_text(block, option, viewer);
  }
  std::string option_label(const StateBlock& block, Option option,
                           const Viewer& viewer) const override {
    return game_->option_label(block, option, viewer);
  }
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override {
    return game_->choice_told(before, option, after, viewer);
  }
  std::string value_label(const StateBlock& block, const Json& value,
                          const Viewer& viewer) const override {
    return game_->value_label(block, value, viewer);
  }
  std::string question(const StateBlock& block, const Viewer& viewer) const override {
    return game_->question(block, viewer);
  }
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override {
    return game_->option_json(block, option, viewer);
  }
  std::optional<Option> option_meant(const StateBlock& block,
                                     std::string_view text) const override {
    return game_->option_meant(block, text);
  }
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    return game_->why_not(block, request, viewer);
  }
  Json scene() const override { return game_->scene(); }
  Json stage(const StateBlock& block, const Viewer& viewer) const override {
    return game_->stage(block, viewer);
  }
  Json option_parts(const StateBlock& block, Option option, const Viewer& viewer) const override {
    return game_->option_parts(block, option, viewer);
  }
  Json selection(const StateBlock& block, const Viewer& viewer) const override {
    return game_->selection(block, viewer);
  }
  std::vector<PlayerId> pending(const StateBlock& block) const override {
    return game_->pending(block);
  }
  bool let_decide(StateBlock& block, PlayerId player) const override {
    return game_->let_decide(block, player);
  }
  Decision decision_told(const StateBlock& block, const Viewer& viewer) const override {
    return game_->decision_told(block, viewer);
  }
  ActionSpace action_space() const override { return game_->action_space(); }
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override {
    game_->action_indices(block, options, out);
  }
  std::string action_name(std::size_t index) const override { return game_->action_name(index); }
  std::optional<std::size_t> action_named(std::string_view name) const override {
    return game_->action_named(name);
  }
  std::span<const TensorPart> tensor_parts() const override { return game_->tensor_parts(); }
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override {
    game_->observe(block, viewer, out);
  }
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    game_->resample_hidden(block, viewer, rng);
  }
  void returns(const StateBlock& block, std::span<std::int64_t> out) const override {
    game_->returns(block, out);
  }
  bool standing(const StateBlock& block, std::span<std::int64_t> out) const override {
    return game_->standing(block, out);
  }

 protected:
  const Game& truth() const { return *game_; }

 private:
  std::shared_ptr<const Game> game_;
};

}  // namespace parlor::test
