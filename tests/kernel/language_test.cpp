// One test per rule of the language, on the kernel and on the reference evaluator.
#include "kernel/language.h"

#include <gtest/gtest.h>

#include "kernel/open.h"
#include "reference/reference_game.h"
#include "spec/spec.h"

namespace parlor::language {
namespace {

spec::GameDef compiled(const Case& c) {
  const std::string text = game_text(c);
  spec::CompileResult result = spec::compile_text(text, {}, "case.md");
  if (!result.game)
    throw std::runtime_error(render(result.diagnostics, result.texts, Colour::never) + text);
  return *result.game;
}

class ReferencePlayer : public Player {
 public:
  explicit ReferencePlayer(spec::GameDef def) : game_(std::move(def)), state_(game_.start(7)) {}
  Json options() override {
    Json out = Json::array();
    for (const auto& choice : game_.options(state_)) out.push_back(choice.json);
    return out;
  }
  bool finished() override { return game_.decision(state_).kind == DecisionKind::finished; }
  std::optional<std::string> pick(std::size_t index) override {
    try {
      game_.apply(state_, game_.options(state_)[index]);
      return std::nullopt;
    } catch (const std::runtime_error&) {
      return any_fault;
    }
  }
  Json view() override { return game_.view(state_); }
  Outcome outcome() override { return game_.outcome(state_); }

 private:
  reference::ReferenceGame game_;
  reference::ReferenceState state_;
};

class KernelPlayer : public Player {
 public:
  explicit KernelPlayer(spec::GameDef def)
      : game_(open_kernel(std::move(def))), state_(game_->start(7).value()) {}
  Json options() override {
    Json out = Json::array();
    state_.list_options(list_);
    for (const Option option : list_) out.push_back(state_.option_json(option));
    return out;
  }
  bool finished() override { return state_.finished(); }
  std::optional<std::string> pick(std::size_t index) override {
    state_.list_options(list_);
    const Applied applied = state_.apply(list_[index]);
    if (applied) return std::nullopt;
    return applied.error().fault ? applied.error().code : "no fault: " + applied.error().message;
  }
  Json view() override { return state_.view(); }
  Outcome outcome() override { return state_.outcome(); }

 private:
  std::shared_ptr<const kernel::KernelGame> game_;
  State state_;
  OptionList list_;
};

class Language : public testing::TestWithParam<Case> {};

TEST_P(Language, OfTheReference) {
  ReferencePlayer player(compiled(GetParam()));
  EXPECT_EQ(play(GetParam(), player), "") << game_text(GetParam());
}

TEST_P(Language, OfTheKernel) {
  KernelPlayer player(compiled(GetParam()));
  EXPECT_EQ(play(GetParam(), player), "") << game_text(GetParam());
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, Language, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace parlor::language
