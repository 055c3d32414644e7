// T-10, T-12: the searches for leaks are worth something only if they find them. Games, sessions
// and agents, each broken on purpose in one thing, and all are caught by the same code that runs on
// the real ones.
#include <gtest/gtest.h>
#include <set>

#include "base/hash.h"
#include "game/scene.h"
#include "games/hidden_games.h"
#include "games/histories.h"
#include "secrecy/agents.h"
#include "secrecy/forwarding.h"
#include "secrecy/sessions.h"

namespace parlor::games {
namespace {

std::string hidden(const std::string& name) {
  return name == "kuhn-poker" ? name : "../tests/games/hidden/" + name;
}

// Something that depends on all of a state.
std::uint64_t whole_truth(const StateBlock& block, const Game& game) {
  return mix(game.hash(block));
}

// ---- Games

enum class GameLeak {
  nothing,
  view,
  others_view,
  describe,
  option_text,
  option_label,
  option_json,
  option_order,
  option_number,
  decision,
  why,
  refusal_hint,
  events,
  events_outside,
  choice_told,
  stage,
  page,
  tensor,
  guess
};

class LeakyGame final : public test::Forwarding {
 public:
  LeakyGame(std::shared_ptr<const Game> game, GameLeak leak)
      : Forwarding(std::move(game)), leak_(leak) {}

  Json view(const StateBlock& block, const Viewer& viewer) const override {
    if (leak_ == GameLeak::others_view && !viewer.id().is_none())
      return truth().view(block,
                          Viewer::player(PlayerId{(viewer.id().value + 1) % info().players}));
    return truth().view(block, eyes(GameLeak::view, viewer));
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    return truth().describe(block, eyes(GameLeak::describe, viewer));
  }
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override {
    return truth().option_text(block, option, eyes(GameLeak::option_text, viewer));
  }
  std::string option_label(const StateBlock& block, Option option,
                           const Viewer& viewer) const override {
    return truth().option_label(block, option, eyes(GameLeak::option_label, viewer));
  }
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override {
    return truth().option_json(block, option, eyes(GameLeak::option_json, viewer));
  }
  void list_options(const StateBlock& block, OptionList& out) const override {
    OptionList all;
    truth().list_options(block, all);
    const std::size_t shift =
        leak_ == GameLeak::option_order && all.weights().empty() ? whole_truth(block, truth()) : 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all.weights().empty())
        out.add(all[(i + shift) % all.size()]);
      else
        out.add(all[i], all.weights()[i]);
  }
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override {
    truth().action_indices(block, options, out);
    if (leak_ == GameLeak::option_number)
      std::ranges::rotate(out, out.begin() + whole_truth(block, truth()) % out.size());
  }
  Decision decision_told(const StateBlock& block, const Viewer& viewer) const override {
    return leak_ == GameLeak::decision ? truth().decision(block)
                                       : truth().decision_told(block, viewer);
  }
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    auto out = truth().why_not(block, request, eyes(GameLeak::why, viewer));
    if (out && leak_ == GameLeak::refusal_hint) out->details["state"] = hash(block);
    return out;
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    Loud loud{listener, leak_, hash(block)};
    return truth().apply(block, option, listener == nullptr ? nullptr : &loud);
  }
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override {
    const Viewer seen = eyes(GameLeak::choice_told, viewer);
    ChoiceTold told = truth().choice_told(before, option, after, seen);
    if (seen.sees_all()) told.label += std::to_string(hash(before));
    return told;
  }
  Json stage(const StateBlock& block, const Viewer& viewer) const override {
    return truth().stage(block, eyes(GameLeak::stage, viewer));
  }
  Json option_parts(const StateBlock& block, Option option, const Viewer& viewer) const override {
    return truth().option_parts(block, option, eyes(GameLeak::page, viewer));
  }
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override {
    truth().observe(block, viewer, out);
    constexpr std::uint64_t shades = 97;
    if (leak_ == GameLeak::tensor && !out.empty())
      out[0] += static_cast<float>(whole_truth(block, truth()) % shades);
  }
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    if (leak_ == GameLeak::guess) rng = Rng(rng.next(), whole_truth(block, truth()));
    truth().resample_hidden(block, viewer, rng);
  }

 private:
  struct Loud : EventListener {
    EventListener* listener;
    GameLeak leak;
    std::uint64_t state;
    Loud(EventListener* to, GameLeak what, std::uint64_t hash)
        : listener(to), leak(what), state(hash) {}
    void on_event(const Event& event) override {
      Event told = event;
      if (leak == GameLeak::events) told.data["state"] = state;
      if (leak == GameLeak::events_outside) told.outside = {{"state", state}};
      if (leak == GameLeak::events_outside) told.seen_by = Audience::nobody();
      listener->on_event(told);
    }
  };

  Viewer eyes(GameLeak leak, const Viewer& viewer) const {
    return leak_ == leak ? Viewer::everything() : viewer;
  }

  GameLeak leak_;
};

// Where a move shuffles what one sees, few steps of two worlds lead to the same knowledge: it takes
// some games until there is something to compare.
std::string where_it_leaks(const Game& game) {
  Rng rng(std::uint64_t{5});
  for (Seed seed = 1; seed <= 30; ++seed) {
    State state = start(game, seed);
    OptionList options;
    for (int n = 0; n < 12 && !state.finished(); ++n) {
      for (const Viewer& viewer : viewers_of(game))
        if (const auto leak = find_leak(state, viewer, rng, {.others_moves = true}))
          return leak->where;
      state.list_options(options);
      if (!state.apply(options[draw_option(options, rng)])) return "apply";
    }
  }
  return "";
}

struct GameCase {
  GameLeak leak;
  const char* game;
  const char* where;
  const char* name;
};
class LeakyGames : public testing::TestWithParam<GameCase> {};

TEST_P(LeakyGames, AreCaughtWhereTheyLeak) {
  const auto& [leak, name, where, unused] = GetParam();
  EXPECT_EQ(where_it_leaks(LeakyGame(open_shipped(hidden(name)), leak)), where);
}

INSTANTIATE_TEST_SUITE_P(
    Of, LeakyGames,
    testing::Values(GameCase{GameLeak::nothing, "thief", "", "Nothing"},
                    GameCase{GameLeak::nothing, "sealed-orders", "", "NothingSealed"},
                    GameCase{GameLeak::view, "thief", "view", "View"},
                    GameCase{GameLeak::others_view, "thief", "view", "OthersView"},
                    GameCase{GameLeak::describe, "bluff-dice", "describe", "Describe"},
                    GameCase{GameLeak::option_text, "thief", "options", "OptionText"},
                    GameCase{GameLeak::option_label, "thief", "options", "OptionLabel"},
                    GameCase{GameLeak::option_json, "thief", "options", "OptionJson"},
                    GameCase{GameLeak::option_order, "blind-auction", "options", "OptionOrder"},
                    GameCase{GameLeak::option_number, "blind-auction", "options", "OptionNumber"},
                    GameCase{GameLeak::decision, "sealed-orders", "decision", "Decision"},
                    GameCase{GameLeak::why, "thief", "why", "Why"},
                    GameCase{GameLeak::refusal_hint, "guess-the-die", "why", "RefusalHint"},
                    GameCase{GameLeak::events, "guess-the-die", "events", "Events"},
                    GameCase{GameLeak::events_outside, "guess-the-die", "events", "EventsOutside"},
                    GameCase{GameLeak::choice_told, "thief", "told", "ChoiceTold"},
                    GameCase{GameLeak::stage, "thief", "stage", "Stage"},
                    GameCase{GameLeak::page, "thief", "page", "Page"},
                    GameCase{GameLeak::tensor, "kuhn-poker", "numbers", "Tensor"},
                    GameCase{GameLeak::guess, "thief", "guess", "Guess"}),
    [](const auto& info) { return info.param.name; });

// ---- Sessions

using table::ActionEnvelope;
using table::LogEntry;
using table::Session;

enum class SessionLeak {
  nothing,
  observes_all,
  hash_observed,
  view_hash_of_all,
  options_of_others,
  answers_state_hash,
  answers_all_events,
  events_of_others,
  content_of_others,
  true_names_of_choices,
  options_in_log,
  hash_in_log,
  refusals_with_true_options,
  refusals_name_the_deciders_options,
  repeats_for_anybody
};

class LeakyDoor final : public test::Door {
 public:
  LeakyDoor(Session session, SessionLeak leak) : Door(std::move(session)), leak_(leak) {}

  Json act(const ActionEnvelope& envelope) override {
    if (leak_ == SessionLeak::repeats_for_anybody)
      for (const LogEntry& entry : session_.log())
        if (entry.action_id == envelope.action_id) return session_.entry_for(entry, all());
    Json out = Door::act(envelope);
    const State& state = session_.state();
    if (out.contains("refused")) {
      const bool decides = state.decision().player == envelope.actor;
      if (leak_ == SessionLeak::refusals_with_true_options && decides)
        out["legal"] = decision_to_json(state);
      if (leak_ == SessionLeak::refusals_name_the_deciders_options && !decides)
        out["legal"] = decision_to_json(state, Viewer::player(state.decision().player));
      return out;
    }
    if (leak_ == SessionLeak::answers_state_hash) out["viewHash"] = state.hash();
    if (leak_ == SessionLeak::answers_all_events)
      out["events"] = session_.events_for(session_.log().back(), all());
    return out;
  }
  Json observation(const Viewer& viewer) const override {
    const State& state = session_.state();
    if (leak_ == SessionLeak::observes_all) return session_.observation(all());
    Json out = session_.observation(viewer);
    if (leak_ == SessionLeak::hash_observed) out["hash"] = state.hash();
    if (leak_ == SessionLeak::view_hash_of_all) out["viewHash"] = state.view_hash(all());
    if (leak_ == SessionLeak::options_of_others) out["decision"] = decision_to_json(state);
    return out;
  }
  Json events(const LogEntry& entry, const Viewer& viewer) const override {
    return session_.events_for(entry, leak_ == SessionLeak::events_of_others ? all() : viewer);
  }
  Json entry(const LogEntry& entry, const Viewer& viewer) const override {
    Json out = session_.entry_for(entry, viewer);
    if (leak_ == SessionLeak::content_of_others) out["content"] = entry.content;
    if (leak_ == SessionLeak::true_names_of_choices) out["chosen"] = entry.chosen;
    if (leak_ == SessionLeak::hash_in_log) out["hash"] = entry.hash;
    if (leak_ == SessionLeak::options_in_log) {
      std::uint64_t sum = 0;
      for (const Option option : entry.options) sum = hash_combine(sum, option.id);
      out["options"] = sum;
    }
    return out;
  }

 private:
  static Viewer all() { return Viewer::everything(); }

  SessionLeak leak_;
};

std::string where_sessions_leak(const std::string& name, bool explicit_chance, SessionLeak leak) {
  OpenOptions open;
  open.explicit_chance = explicit_chance;
  const auto game = open_shipped(name, open);
  const test::MakeDoor make = [&](Session session) {
    return std::make_unique<LeakyDoor>(std::move(session), leak);
  };
  Rng rng(std::uint64_t{5});
  test::SessionSearch search;
  for (Seed seed = 1; seed <= 5; ++seed) {
    State state = start(*game, seed);
    OptionList options;
    for (int n = 0; n < 10 && !state.finished(); ++n) {
      if (!state.decision().player.is_none())
        for (const Viewer& viewer : viewers_of(*game))
          if (const auto found = test::find_session_leak(game, state, viewer, rng, search, make))
            return found->where;
      state.list_options(options);
      if (!state.apply(options[draw_option(options, rng)])) return "apply";
    }
  }
  return "";
}

struct SessionCase {
  SessionLeak leak;
  const char* game;
  std::set<std::string> where;
  const char* name;
};
class LeakySessions : public testing::TestWithParam<SessionCase> {};

TEST_P(LeakySessions, AreCaughtWhereTheyLeak) {
  const SessionCase& c = GetParam();
  const std::string name = hidden(c.game);
  const std::string where = where_sessions_leak(name, has_explicit_form(name), c.leak);
  EXPECT_TRUE(c.where.contains(where)) << "found in `" << where << "`";
}

INSTANTIATE_TEST_SUITE_P(
    Of, LeakySessions,
    testing::Values(
        SessionCase{SessionLeak::nothing, "kuhn-poker", {""}, "Nothing"},
        SessionCase{SessionLeak::nothing, "thief", {""}, "NothingOfTheThief"},
        SessionCase{SessionLeak::observes_all, "kuhn-poker", {"observation"}, "ObservesAll"},
        SessionCase{SessionLeak::hash_observed, "kuhn-poker", {"observation"}, "HashObserved"},
        SessionCase{SessionLeak::view_hash_of_all, "kuhn-poker", {"observation"}, "ViewHashOfAll"},
        SessionCase{SessionLeak::options_of_others, "thief", {"observation"}, "OptionsOfOthers"},
        SessionCase{SessionLeak::answers_state_hash,
                    "kuhn-poker",
                    {"answer", "request"},
                    "AnswersStateHash"},
        SessionCase{SessionLeak::answers_all_events,
                    "commented-draw",
                    {"answer", "request"},
                    "AnswersAllEvents"},
        SessionCase{SessionLeak::events_of_others, "commented-draw", {"events"}, "EventsOfOthers"},
        SessionCase{SessionLeak::content_of_others, "sealed-orders", {"log"}, "ContentOfOthers"},
        SessionCase{
            SessionLeak::true_names_of_choices, "commented-draw", {"log"}, "TrueNamesOfChoices"},
        SessionCase{SessionLeak::options_in_log, "sealed-orders", {"log"}, "OptionsInLog"},
        SessionCase{SessionLeak::hash_in_log, "kuhn-poker", {"log"}, "HashInLog"},
        SessionCase{SessionLeak::refusals_with_true_options,
                    "thief",
                    {"request"},
                    "RefusalsWithTrueOptions"},
        SessionCase{SessionLeak::refusals_name_the_deciders_options,
                    "commented-draw",
                    {"request"},
                    "RefusalsNameTheDecidersOptions"},
        SessionCase{
            SessionLeak::repeats_for_anybody, "sealed-orders", {"request"}, "RepeatsForAnybody"}),
    [](const auto& info) { return info.param.name; });

// ---- Agents

enum class Peek {
  nothing,
  hash_of_the_state,
  view_of_everything,
  view_of_the_next,
  saved_state,
  dice_of_the_state,
  worlds_of_another_seat,
  sat_down_with_the_truth,
  tries_the_truth,
  told_nothing_is_hidden,
  choices_of_others
};

class Peeker final : public test::Sitting {
 public:
  Peeker(const Game& game, Peek peek) : peek_(peek), open_(game) {
    fair_ = play::find_agent("flat:playouts=20,depth=20", game).value()();
    if (peek == Peek::told_nothing_is_hidden)
      fooled_ = play::find_agent("flat:playouts=60,depth=20", open_).value()();
  }

  void begin(const State& state, PlayerId seat, Seed seed) override {
    seat_ = seat;
    memory_ = peek_ == Peek::sat_down_with_the_truth ? state.hash() : 0;
    fair_->begin(state, seat, seed);
    if (fooled_) fooled_->begin(State(open_, state.block()), seat, seed);
  }
  void observe(Option option, const State& after) override {
    if (peek_ == Peek::choices_of_others) memory_ = hash_combine(memory_, option.id);
    fair_->observe(option, after);
  }
  std::size_t choose(const State& state, const OptionList& options) override {
    const auto by = [&](std::uint64_t what) { return mix(what) % options.size(); };
    const PlayerId next{(seat_.value + 1) % state.game().info().players};
    switch (peek_) {
      case Peek::nothing:
        break;
      case Peek::hash_of_the_state:
        return by(state.hash());
      case Peek::view_of_everything:
        return by(state.view_hash(Viewer::everything()));
      case Peek::view_of_the_next:
        return by(state.view_hash(Viewer::player(next)));
      case Peek::saved_state: {
        const std::string text = canonical(state.save());
        return by(hash_bytes(std::as_bytes(std::span(text))));
      }
      case Peek::dice_of_the_state: {
        State world = state;
        Rng rng(state.hash());
        world.game().resample_hidden(world.block(), Viewer::player(seat_), rng);
        return by(world.hash());
      }
      case Peek::worlds_of_another_seat: {
        State world = state;
        Rng rng(std::uint64_t{1});
        world.game().resample_hidden(world.block(), Viewer::player(next), rng);
        return by(world.hash());
      }
      case Peek::sat_down_with_the_truth:
      case Peek::choices_of_others:
        return by(memory_);
      case Peek::tries_the_truth:
        return best_in_truth(state, options);
      case Peek::told_nothing_is_hidden:
        return fooled_->choose(State(open_, state.block()), options);
    }
    return fair_->choose(state, options);
  }

 private:
  // A game of which somebody says that nothing is hidden in it.
  class Open final : public test::Forwarding {
   public:
    explicit Open(const Game& game)
        : Forwarding({std::shared_ptr<const Game>{}, &game}), info_(game.info()) {
      info_.hidden_information = info_.has_chance = false;
    }
    const GameInfo& info() const override { return info_; }

   private:
    GameInfo info_;
  };

  // Goes on in the true world with every option, always taking the first one afterwards.
  std::size_t best_in_truth(const State& state, const OptionList& options) const {
    std::size_t best = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    OptionList list;
    for (std::size_t i = 0; i < options.size(); ++i) {
      State copy = state;
      if (!copy.apply(options[i])) continue;
      for (int n = 0; n < 50 && !copy.finished(); ++n) {
        copy.list_options(list);
        if (!copy.apply(list[0])) break;
      }
      if (!copy.finished()) continue;
      const std::int64_t won = copy.outcome().returns[seat_.index()];
      if (won > most) best = i, most = won;
    }
    return best;
  }

  Peek peek_;
  Open open_;
  PlayerId seat_;
  std::uint64_t memory_ = 0;
  std::unique_ptr<play::Agent> fair_, fooled_;
};

struct PeekCase {
  Peek peek;
  const char* game;
  const char* name;
};
class PeekingBots : public testing::TestWithParam<PeekCase> {};

TEST_P(PeekingBots, AreCaught) {
  const auto game = open_shipped(hidden(GetParam().game));
  test::PeekSearch search;
  const auto found = test::find_peeking(
      *game, [&] { return std::make_unique<Peeker>(*game, GetParam().peek); }, search);
  EXPECT_EQ(found.has_value(), GetParam().peek != Peek::nothing);
}

INSTANTIATE_TEST_SUITE_P(
    Of, PeekingBots,
    testing::Values(PeekCase{Peek::nothing, "thief", "Nothing"},
                    PeekCase{Peek::hash_of_the_state, "blind-auction", "HashOfTheState"},
                    PeekCase{Peek::view_of_everything, "blind-auction", "ViewOfEverything"},
                    PeekCase{Peek::view_of_the_next, "blind-auction", "ViewOfTheNext"},
                    PeekCase{Peek::saved_state, "guess-the-die", "SavedState"},
                    PeekCase{Peek::dice_of_the_state, "guess-the-die", "DiceOfTheState"},
                    PeekCase{Peek::worlds_of_another_seat, "thief", "WorldsOfAnotherSeat"},
                    PeekCase{Peek::sat_down_with_the_truth, "thief", "SatDownWithTheTruth"},
                    PeekCase{Peek::tries_the_truth, "guess-the-die", "TriesTheTruth"},
                    PeekCase{Peek::told_nothing_is_hidden, "guess-the-die", "ToldNothingIsHidden"}),
    [](const auto& info) { return info.param.name; });

// An agent that remembers what others chose unseen shows only after a game that looked the same.
TEST(PeekingBots, WhoRememberWhatWasHiddenAreCaughtAfterwards) {
  OpenOptions open;
  open.explicit_chance = true;
  const auto game = open_shipped(hidden("rock-paper-scissors"), open);
  const State first = start(*game, 1);
  const auto found_with = [&](Peek peek) {
    for (Seed seed = 1; seed <= 8; ++seed) {
      History real{{}, first, 1};
      Rng rng(seed);
      OptionList options;
      for (int n = 0; n < 6 && !real.state.finished(); ++n) {
        real.state.list_options(options);
        const PlayerId seat = real.state.decision().player;
        if (!seat.is_none())
          for (const History& other : histories_like(first, real.options, Viewer::player(seat), 8))
            if (test::find_peeking_after({first, real.options}, {first, other.options}, seat, seed,
                                         [&] { return std::make_unique<Peeker>(*game, peek); }))
              return true;
        real.options.push_back(options[draw_option(options, rng)]);
        if (!real.state.apply(real.options.back())) return false;
      }
    }
    return false;
  };
  EXPECT_FALSE(found_with(Peek::nothing));
  EXPECT_TRUE(found_with(Peek::choices_of_others));
}

}  // namespace
}  // namespace parlor::games
