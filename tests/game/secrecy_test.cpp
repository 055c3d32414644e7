// T-10: a game that tells nobody more than they may know passes, and each of many that leak one
// thing is caught, where it leaks.
#include "game/secrecy.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "game/duel.h"
#include "game/duel_state.h"

namespace parlor::test {
namespace {

enum class Leaking {
  nothing,
  view,
  spectators_view,
  hash_in_view,
  describe,
  decision,
  option_ids,
  option_order,
  option_text,
  option_label,
  option_json,
  question,
  why,
  why_to_others,
  event_audience,
  event_outside,
  choice_told,
  guess_peeks
};

int other_cards(const DuelState& s, std::size_t player) {
  int sum = 0;
  for (const auto card : s.hands[player ^ 1]) sum += card;
  return sum;
}

// A Duel that tells somebody one thing too much.
class LeakyDuel final : public Duel {
 public:
  explicit LeakyDuel(Leaking leak) : leak_(leak) {}

  void list_options(const StateBlock& block, OptionList& out) const override {
    const auto& s = block.as<DuelState>();
    OptionList plain;
    Duel::list_options(block, plain);
    const bool cards = s.phase == Phase::play_card;
    const int hidden = other_cards(s, s.active);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      std::size_t k = i;
      if (leaks(Leaking::option_order) && cards) k = (i + hidden) % plain.size();
      Option option = plain[k];
      if (leaks(Leaking::option_ids) && cards) option.id += static_cast<unsigned>(hidden) << 8;
      if (plain.weights().empty())
        out.add(option);
      else
        out.add(option, plain.weights()[k]);
    }
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    option.id &= 0xff;
    Retelling retelling{listener, leak_, other_cards(block.as<DuelState>(), 0)};
    return Duel::apply(block, option, listener == nullptr ? nullptr : &retelling);
  }
  Json view(const StateBlock& block, const Viewer& viewer) const override {
    if (leaks(Leaking::view)) return Duel::view(block, Viewer::everything());
    if (leaks(Leaking::spectators_view) && viewer.id().is_none())
      return Duel::view(block, Viewer::player(PlayerId{0}));
    Json out = Duel::view(block, viewer);
    if (leaks(Leaking::hash_in_view)) out["hash"] = hash(block);
    return out;
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    return Duel::describe(block, leaks(Leaking::describe) ? Viewer::everything() : viewer);
  }
  Decision decision_told(const StateBlock& block, const Viewer& viewer) const override {
    Decision out = Duel::decision_told(block, viewer);
    if (leaks(Leaking::decision) && other_cards(block.as<DuelState>(), 0) % 2 == 1)
      out.kind = DecisionKind::choose_n;
    return out;
  }
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override {
    return hint(block, Leaking::option_text) +
           Duel::option_text(block, Option{option.id & 0xff}, viewer);
  }
  std::string option_label(const StateBlock& block, Option option,
                           const Viewer& viewer) const override {
    return hint(block, Leaking::option_label) +
           Duel::option_text(block, Option{option.id & 0xff}, viewer);
  }
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override {
    Json out = Duel::option_json(block, Option{option.id & 0xff}, viewer);
    if (leaks(Leaking::option_json)) out["hint"] = hint(block, Leaking::option_json);
    return out;
  }
  std::string question(const StateBlock& block, const Viewer&) const override {
    return hint(block, Leaking::question);
  }
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    auto out = Duel::why_not(block, request, viewer);
    const bool decides = viewer.is(decision(block).player);
    if (out && leaks(Leaking::why) && decides) out->message += hint(block, Leaking::why);
    if (out && leaks(Leaking::why_to_others) && !decides)
      out->details["legal"] = Duel::view(block, Viewer::everything());
    return out;
  }
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override {
    ChoiceTold told = Duel::choice_told(before, option, after, viewer);
    told.label.insert(0, hint(before, Leaking::choice_told));
    return told;
  }
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    if (leaks(Leaking::guess_peeks)) return rotate_deck(block, rng);
    Duel::resample_hidden(block, viewer, rng);
  }

 private:
  struct Retelling : EventListener {
    EventListener* listener;
    Leaking leak;
    int hidden;
    Retelling(EventListener* to, Leaking what, int sum) : listener(to), leak(what), hidden(sum) {}
    void on_event(const Event& event) override {
      Event told = event;
      if (leak == Leaking::event_audience) {
        told.data["deck"] = hidden;
        told.seen_by = Audience::everybody();
      }
      if (leak == Leaking::event_outside) told.outside = {{"sum", hidden}};
      listener->on_event(told);
    }
  };

  bool leaks(Leaking leak) const { return leak_ == leak; }
  // Something about the cards the decider does not see.
  std::string hint(const StateBlock& block, Leaking leak) const {
    const auto& s = block.as<DuelState>();
    return leaks(leak) ? std::to_string(other_cards(s, s.active)) : "";
  }

  Leaking leak_;
};

// Where the first leak of some random games is found.
std::string where_it_leaks(const Game& game) {
  Rng rng(std::uint64_t{7});
  for (Seed seed = 1; seed <= 12; ++seed) {
    State state = game.start(seed).value();
    OptionList options;
    while (!state.finished()) {
      for (const Viewer& viewer : viewers_of(game))
        if (const auto leak = find_leak(state, viewer, rng, {.others_moves = true}))
          return leak->where;
      state.list_options(options);
      if (!state.apply(options[draw_option(options, rng)])) return "apply";
    }
  }
  return "";
}

struct LeakCase {
  Leaking leak;
  const char* where;
  const char* name;
};
class Leaks : public testing::TestWithParam<LeakCase> {};

TEST_P(Leaks, AreFoundWhereTheyAre) {
  EXPECT_EQ(where_it_leaks(LeakyDuel(GetParam().leak)), GetParam().where);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Leaks,
    testing::Values(LeakCase{Leaking::nothing, "", "Nothing"},
                    LeakCase{Leaking::view, "view", "View"},
                    LeakCase{Leaking::spectators_view, "view", "SpectatorsView"},
                    LeakCase{Leaking::hash_in_view, "view", "HashInView"},
                    LeakCase{Leaking::describe, "describe", "Describe"},
                    LeakCase{Leaking::decision, "decision", "Decision"},
                    LeakCase{Leaking::option_ids, "options", "OptionIds"},
                    LeakCase{Leaking::option_order, "options", "OptionOrder"},
                    LeakCase{Leaking::option_text, "options", "OptionText"},
                    LeakCase{Leaking::option_label, "options", "OptionLabel"},
                    LeakCase{Leaking::option_json, "options", "OptionJson"},
                    LeakCase{Leaking::question, "question", "Question"},
                    LeakCase{Leaking::why, "why", "Why"},
                    LeakCase{Leaking::why_to_others, "why", "WhyToOthers"},
                    LeakCase{Leaking::event_audience, "events", "EventAudience"},
                    LeakCase{Leaking::event_outside, "events", "EventOutside"},
                    LeakCase{Leaking::choice_told, "told", "ChoiceTold"},
                    LeakCase{Leaking::guess_peeks, "guess", "GuessPeeks"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace parlor::test
