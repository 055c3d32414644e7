#include "game/conformance.h"

#include <array>
#include <exception>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <map>
#include <ostream>
#include <set>
#include <thread>

#include "base/hash.h"
#include "game/conformance_ends.h"
#include "game/conformance_numbers.h"
#include "game/conformance_saves.h"
#include "game/secrecy.h"
#include "game/streams.h"

namespace parlor {
namespace {

// The indices of at most `most` of `count` things, evenly spread, first and last included.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> out;
  if (count <= most) {
    for (std::size_t i = 0; i < count; ++i) out.push_back(i);
  } else {
    for (std::size_t i = 0; i < most; ++i) out.push_back(i * (count - 1) / (most - 1));
  }
  return out;
}

class CountingListener final : public EventListener {
 public:
  void on_event(const Event&) override { ++count; }
  std::size_t count = 0;
};

// Whole moves counted one decision at a time, or nothing if there are too many.
std::optional<std::uint64_t> count_plainly(const State& state, int depth, std::size_t& budget) {
  OptionList options;
  state.list_options(options);
  std::uint64_t nodes = 0;
  for (const Option option : options) {
    if (budget-- == 0) return std::nullopt;
    State child = state;
    if (!child.apply(option)) continue;
    const Decision next = child.decision();
    const bool complete = next.kind == DecisionKind::finished || next.starts_move;
    const int left = complete ? depth - 1 : depth;
    if (left == 0) {
      ++nodes;
    } else {
      const auto below = count_plainly(child, left, budget);
      if (!below) return std::nullopt;
      nodes += *below;
    }
  }
  return nodes;
}

class Checker {
 public:
  Checker(const Game& game, const ConformanceOptions& options) : game_(game), options_(options) {}

  std::vector<Violation> run() {
    guarded([&] { check_info(); });
    for (std::size_t i = 0; i < options_.games; ++i) {
      seed_ = options_.seed + i;
      picks_.clear();
      guarded([&] { play_game(); });
    }
    picks_.clear();
    guarded([&] { check_some_game_finished(); });
    guarded([&] { check_hidden_was_changed(); });
    guarded([&] { check_hashes_differ(); });
    guarded([&] { check_allocations(); });
    guarded([&] { check_threads(); });
    return std::move(violations_);
  }

 private:
  template <class Body>
  void guarded(Body body) {
    try {
      body();
    } catch (const std::exception& error) {
      violate(Promise::exception, error.what());
    }
  }

  void violate(Promise promise, std::string message) {
    for (const Violation& known : violations_)
      if (known.promise == promise) return;
    violations_.push_back({promise, std::move(message), seed_, picks_});
  }
  void expect(bool holds, Promise promise, std::string_view message) {
    if (!holds) violate(promise, std::string{message});
  }

  void check_info() {
    const GameInfo& info = game_.info();
    expect(!info.id.empty(), Promise::info, "the game has no id");
    expect(info.players >= 1 && info.players <= max_players, Promise::info,
           "too few or too many players");
    expect(info.min_players <= info.players && info.players <= info.max_players, Promise::info,
           "the number of players is outside of what the rules allow");
    expect(info.seats.size() == info.players, Promise::info,
           "there is not one seat name per player");
  }

  void play_game() {
    auto started = game_.start(seed_);
    auto again = game_.start(seed_);
    if (!started || !again) {
      violate(Promise::start, started ? "the second start failed" : started.error().message);
      return;
    }
    State state = std::move(*started);
    State twin = std::move(*again);
    expect(state == twin && state.hash() == twin.hash(), Promise::start,
           "two starts with one seed differ");

    Rng rng{seed_};
    const std::size_t step =
        std::max<std::size_t>(1, options_.max_decisions / options_.deep_states);
    OptionList before;  // of the state before: stale options to be refused
    for (std::size_t n = 0; n < options_.max_decisions; ++n) {
      OptionList options;
      state.list_options(options);
      check_decision(state, options);
      if (const auto problem = find_misnumbered(state, options, met_))
        violate(Promise::numbers, *problem);
      // The first states and then one in `step`, so that short games are looked at completely.
      const bool deep = n < options_.deep_states / 2 || n % step == 0 || state.finished();
      if (deep) check_deeply(state, options, before, rng);
      if (state.finished() || options.empty()) break;
      if (!advance(state, twin, options, rng)) return;
      before = options;
    }
    if (!state.finished()) play_to_end(state, rng);
    finished_ = finished_ || state.finished();
  }

  // The rest of a long game, of which only the end is looked at: some things are only so there.
  void play_to_end(State& state, Rng& rng) {
    OptionList options, before;
    for (std::size_t n = options_.max_decisions; n < options_.finish_within && !state.finished();
         ++n) {
      state.list_options(options);
      if (options.empty()) return;
      before = options;
      picks_.push_back(draw_option(options, rng));
      if (const auto done = state.apply(options[picks_.back()]); !done)
        return violate(Promise::applies,
                       fmt::format("a listed option failed: {}", done.error().message));
    }
    if (!state.finished()) return;
    state.list_options(options);
    check_decision(state, options);
    check_deeply(state, options, before, rng);
  }

  // One random step of the game and of its twin, which must stay equal.
  bool advance(State& state, State& twin, const OptionList& options, Rng& rng) {
    const std::size_t pick = draw_option(options, rng);
    const State before = state;
    const auto first = state.apply(options[pick]);
    const auto second = twin.apply(options[pick]);
    picks_.push_back(pick);
    if (!first || !second) {
      expect(first.has_value() == second.has_value(), Promise::determinism,
             "the same option was refused once and made once");
      check_refused(before, state, options[pick], (first ? second : first).error());
      return false;
    }
    expect(state == twin && state.hash() == twin.hash() &&
               canonical(state.save()) == canonical(twin.save()),
           Promise::determinism, "the same options led to different states");
    return true;
  }

  // A listed option may be refused only because the rules went wrong, and then nothing changes.
  void check_refused(const State& before, const State& after, Option option,
                     const Rejection& refused) {
    const std::string text = before.option_text(option);
    if (!refused.fault)
      violate(Promise::applies, fmt::format("listed option {} failed: {}", text, refused.message));
    expect(before == after && before.hash() == after.hash(), Promise::applies,
           fmt::format("option {} was refused and changed the state", text));
    if (refused.fault && !options_.faults)
      violate(Promise::sound, fmt::format("the rules go wrong over {}: {}", text, refused.message));
  }

  void check_decision(const State& state, const OptionList& options) {
    const Decision decision = state.decision();
    if (decision.kind == DecisionKind::finished) {
      check_finished(state, options);
      return;
    }
    expect(!options.empty(), Promise::decision, "an unfinished state lists no options");
    const bool chance = decision.kind == DecisionKind::chance;
    expect(chance == decision.player.is_none(), Promise::decision,
           "a decision of chance names a player, or one of a player names none");
    expect(chance || decision.player.index() < game_.info().players, Promise::decision,
           "the decider is not a player of this game");
    expect(options.weights().size() == (chance ? options.size() : 0), Promise::decision,
           "options have weights exactly where chance decides");
    for (const auto weight : options.weights())
      expect(weight > 0, Promise::decision, "an option of chance has weight 0");
    OptionList again;
    state.list_options(again);
    expect(std::ranges::equal(again, options), Promise::decision, "listing twice gives two lists");
  }

  void check_finished(const State& state, const OptionList& options) {
    expect(options.empty(), Promise::finished, "a finished state lists options");
    expect(state.decision().player.is_none(), Promise::finished, "a finished state has a decider");
    const Outcome outcome = state.outcome();
    const std::size_t players = game_.info().players;
    expect(outcome.returns.size() == players, Promise::finished,
           "there is not one return per player");
    expect(!outcome.reason.empty(), Promise::finished, "the outcome gives no reason");
    std::set<PlayerId> winners;
    for (const PlayerId winner : outcome.winners)
      expect(winner.index() < players && winners.insert(winner).second, Promise::finished,
             "a winner is not a player, or named twice");
    std::vector<std::int64_t> returns(players, -1);
    game_.returns(state.block(), returns);
    expect(returns == outcome.returns, Promise::finished, "returns() differs from outcome()");
    if (const auto problem = find_misread_end(state, ends_)) violate(Promise::finished, *problem);
    State copy = state;
    expect(!copy.try_apply(Option{0}), Promise::finished, "a finished state accepts an option");
    expect(copy == state, Promise::finished, "refusing an option changed a finished state");
  }

  void check_deeply(const State& state, const OptionList& options, const OptionList& stale,
                    Rng& rng) {
    const std::string saved = canonical(state.save());
    remember(state, saved);
    check_copy(state);
    check_unique(state, options);
    check_found(state, options);
    check_apply(state, options);
    check_refusals(state, options, stale, rng);
    check_save(state, options, saved, rng);
    check_observations(state, rng);
    check_counting(state);
    expect(canonical(state.save()) == saved, Promise::copy, "looking at a state changed it");
  }

  // Equal saves are equal states, whatever way they were reached.
  void remember(const State& state, const std::string& saved) {
    const auto [known, fresh] = seen_.try_emplace(saved, state.hash());
    if (!fresh)
      expect(known->second == state.hash(), Promise::hash,
             "one state, reached twice, has two hashes");
    hashes_.insert(state.hash());
  }

  void check_copy(const State& state) {
    const State copy = state;  // NOLINT(performance-unnecessary-copy-initialization)
    expect(copy == state, Promise::copy, "a copy differs from its original");
    expect(copy.hash() == state.hash(), Promise::hash, "a copy has another hash");
    State other = copy;
    other.block().resize(other.block().size() + 256);  // storage with room to spare
    other = state;
    expect(other == state && other.hash() == state.hash(), Promise::copy,
           "a copy into existing storage differs from its original");
  }

  // For those who see everything and, where something is hidden, as the decider sees them.
  std::vector<Viewer> forms(const State& state) const {
    std::vector<Viewer> out{Viewer::everything()};
    const PlayerId decider = state.decision().player;
    if (game_.info().hidden_information && !decider.is_none())
      out.push_back(Viewer::player(decider));
    return out;
  }

  void check_unique(const State& state, const OptionList& options) {
    for (const Viewer& viewer : forms(state)) check_unique_for(state, options, viewer);
  }

  void check_unique_for(const State& state, const OptionList& options, const Viewer& viewer) {
    std::set<Option> ids;
    std::set<std::string> texts, forms;
    for (const Option option : options) {
      const std::string text = state.option_text(option, viewer);
      const Json form = state.option_json(option, viewer);
      expect(ids.insert(option).second, Promise::unique,
             fmt::format("option id {} is listed twice", option.id));
      expect(!text.empty() && texts.insert(text).second, Promise::unique,
             fmt::format("two options have the text `{}`, or it is empty", text));
      expect(forms.insert(canonical(form)).second, Promise::unique,
             fmt::format("two options have the JSON form {}", canonical(form)));
      expect(form.is_object() && (form.contains("action") || form.contains("value")),
             Promise::unique,
             fmt::format("an option's JSON is neither {{\"action\"}} nor {{\"value\"}}: {}",
                         canonical(form)));
    }
  }

  void check_found(const State& state, const OptionList& options) {
    for (const Viewer& viewer : forms(state))
      for (const std::size_t i :
           spread(options.size(), std::min<std::size_t>(options_.max_options, 6))) {
        const Option option = options[i];
        for (const Json& request : {Json(i), Json(state.option_text(option, viewer)),
                                    state.option_json(option, viewer)}) {
          const auto found = find_option(state, request, viewer);
          expect(found && *found == option, Promise::found,
                 fmt::format("option {} is not found by {}", i, canonical(request)));
          // Tools understand what players say, too.
          const auto by_tool = find_option(state, request);
          expect(by_tool && *by_tool == option, Promise::found,
                 fmt::format("a tool does not find option {} by {}", i, canonical(request)));
          expect(!state.why_not(request, viewer), Promise::found,
                 fmt::format("why_not refuses the listed option {}", canonical(request)));
        }
      }
  }

  void check_apply(const State& state, const OptionList& options) {
    const State original = state;  // NOLINT(performance-unnecessary-copy-initialization)
    for (const std::size_t i : spread(options.size(), options_.max_options)) {
      State first = state, second = state;
      const auto done = first.apply(options[i]);
      if (!done) {
        check_refused(state, first, options[i], done.error());
        continue;
      }
      CountingListener listener;
      const auto heard = second.apply(options[i], &listener);
      expect(heard && first == second && first.hash() == second.hash(), Promise::listener,
             "applying with a listener leads to another state");
      check_apply_and_list(state, options[i], first);
      expect(state == original, Promise::copy, "applying an option to a copy changed the original");
    }
  }

  void check_apply_and_list(const State& state, Option option, const State& after) {
    State at_once = state;
    OptionList listed, next;
    next.add(Option{0}, 1);  // what was there before is gone
    after.list_options(listed);
    expect(at_once.apply_and_list(option, next) && at_once == after &&
               std::ranges::equal(next, listed) &&
               std::ranges::equal(next.weights(), listed.weights()),
           Promise::applies, "applying and listing at once is not one after the other");
  }

  void check_refusals(const State& state, const OptionList& options, const OptionList& stale,
                      Rng& rng) {
    std::vector<Option> wrong{Option{0}, Option{rng.next()}, Option{~std::uint64_t{0}}};
    for (const std::size_t i : spread(stale.size(), 4)) wrong.push_back(stale[i]);
    for (const std::size_t i : spread(options.size(), 2))
      wrong.push_back(Option{options[i].id + 1});
    for (const Option option : wrong) {
      if (std::ranges::find(options, option) != options.end()) continue;
      State copy = state;
      const auto done = copy.try_apply(option);
      expect(!done && !done.error().code.empty(), Promise::refused,
             fmt::format("option {} is not listed but was accepted", option.id));
      expect(copy == state && copy.hash() == state.hash(), Promise::refused,
             fmt::format("refusing option {} changed the state", option.id));
    }
    const Json requests[] = {Json{{"action", "no such action"}},
                             Json{{"value", "no such value"}},
                             Json("?!"),
                             Json(-1),
                             Json(nullptr),
                             Json::array(),
                             Json{{"params", 3}}};
    for (const Json& request : requests) {
      if (find_option(state, request)) continue;
      const auto reason = state.why_not(request);
      expect(reason && !reason->code.empty() && !reason->message.empty(), Promise::refused,
             fmt::format("why_not gives no reason for {}", canonical(request)));
    }
  }

  void check_save(const State& state, const OptionList& options, const std::string& saved,
                  Rng& rng) {
    const auto loaded = game_.load(parse_json(saved).value());
    if (!loaded) {
      violate(Promise::save,
              fmt::format("a saved state does not load: {}", loaded.error().message));
      return;
    }
    OptionList again;
    loaded->list_options(again);
    expect(*loaded == state, Promise::save, "a loaded state differs from the saved one");
    expect(loaded->hash() == state.hash(), Promise::save, "a loaded state has another hash");
    expect(std::ranges::equal(again, options), Promise::save, "a loaded state lists other options");
    expect(canonical(loaded->save()) == saved, Promise::save, "a loaded state saves differently");
    for (const std::size_t i : spread(options.size(), 4)) {
      State from_saved = *loaded, from_original = state;
      const bool same =
          from_saved.apply(options[i]).has_value() == from_original.apply(options[i]).has_value();
      expect(same && from_saved == from_original && from_saved.hash() == from_original.hash(),
             Promise::save, "a loaded state goes on differently");
    }
    if (const auto problem = find_damage_accepted(state, rng))
      violate(Promise::damaged_save, *problem);
  }

  void check_observations(const State& state, Rng& rng) {
    for (const Viewer& viewer : viewers_of(game_)) {
      if (const auto leak = find_leak(state, viewer, rng, {.worlds = options_.worlds}))
        violate(leak->where == "guess" ? Promise::guess : Promise::observation,
                fmt::format("{} learns in `{}` what is hidden: {}", viewer_name(viewer),
                            leak->where, leak->message));
      check_guess(state, viewer, rng);
    }
  }

  // Another world is a sound one, and what is hidden differs there.
  void check_guess(const State& state, const Viewer& viewer, Rng& rng) {
    State guess = state;
    game_.resample_hidden(guess.block(), viewer, rng);
    const bool changed = guess.view() != state.view();
    if (!viewer.id().is_none()) {
      if (const auto problem = find_misobserved(state, guess, viewer.id()))
        violate(Promise::tensors, *problem);
      hidden_changed_ = hidden_changed_ || changed;
      expect(!changed || game_.info().hidden_information, Promise::hidden,
             "resample_hidden changes what everybody sees in a game without hidden information");
    }
    const Decision told = game_.decision_told(state.block(), viewer);
    const Decision guessed = game_.decision_told(guess.block(), viewer);
    expect(guessed.kind == told.kind && guessed.player == told.player, Promise::hidden,
           "resample_hidden changes whose decision it is");
    // What a player does not know, somebody who only watches does not know either.
    expect(guess.view(Viewer::observer()) == state.view(Viewer::observer()), Promise::observation,
           fmt::format("a spectator sees something that {} does not", viewer_name(viewer)));
    OptionList theirs;
    guess.list_options(theirs);
    if (theirs.empty()) return;
    const auto done = guess.apply(theirs[0]);
    expect(done || (options_.faults && done.error().fault), Promise::hidden,
           "a resampled state cannot be played on");
  }

  void check_counting(const State& state) {
    if (state.finished()) return;  // positions may be counted beyond draws
    for (const int depth : {1, 2}) {
      const auto fast = game_.count_moves(state.block(), depth);
      if (!fast) return;
      std::size_t budget = 2000;
      const auto plain = count_plainly(state, depth, budget);
      if (plain)
        expect(*fast == *plain, Promise::counting,
               fmt::format("count_moves says {} at depth {}, counting gives {}", *fast, depth,
                           *plain));
    }
  }

  void check_some_game_finished() {
    expect(finished_ || options_.finish_within == 0, Promise::finished,
           fmt::format("none of {} games came to an end within {} decisions", options_.games,
                       options_.finish_within));
  }

  void check_hidden_was_changed() {
    expect(!game_.info().hidden_information || hidden_changed_, Promise::hidden,
           "the game has hidden information, but resample_hidden never changed any of it");
  }

  void check_hashes_differ() {
    expect(hashes_.size() * 2 >= seen_.size(), Promise::hash,
           fmt::format("{} different states have only {} hashes", seen_.size(), hashes_.size()));
  }

  // Plays the same games twice with the same storage; the second time nothing may be allocated.
  void check_allocations() {
    if (!options_.allocations) return;
    seed_ = options_.seed;
    const auto start = game_.start(seed_);
    if (!start) return;
    State state = *start, scratch = *start;
    OptionList options;
    learner_.resize(tensor_size(game_));
    numbers_.resize(1000);
    std::array<std::size_t, 2> counted{};
    for (std::size_t& count : counted) {
      const std::size_t before = options_.allocations();
      for (std::size_t g = 0; g < options_.games; ++g)
        play_hot(*start, state, scratch, options, seed_ + g);
      count = options_.allocations() - before;
    }
    expect(counted[1] == 0, Promise::allocation,
           fmt::format("{} allocations in the hot loop once warm", counted[1]));
  }

  void play_hot(const State& start, State& state, State& scratch, OptionList& options, Seed seed) {
    Rng rng{seed};
    std::uint64_t sum = 0;
    state = start;
    for (std::size_t n = 0; n < options_.max_decisions; ++n) {
      if (state.decision().kind == DecisionKind::finished) break;
      state.list_options(options);
      if (options.empty()) break;
      scratch = state;
      if (numbers_.size() < options.size()) numbers_.resize(options.size());
      game_.action_indices(state.block(), options, numbers_);
      if (const PlayerId decider = state.decision().player; !decider.is_none())
        game_.observe(state.block(), decider, learner_);
      if (!scratch.apply(options[0])) break;
      sum ^= scratch.hash();
      if (!state.apply(options[draw_option(options, rng)])) break;
    }
    sink_ = sum;
  }

  // The hashes of one random game.
  std::uint64_t play_hash(Seed seed) const {
    auto state = game_.start(seed);
    if (!state) return 0;
    Rng rng{seed};
    OptionList options;
    std::uint64_t hash = state->hash();
    for (std::size_t n = 0; n < options_.max_decisions && !state->finished(); ++n) {
      state->list_options(options);
      if (options.empty() || !state->apply(options[draw_option(options, rng)])) break;
      hash = hash_combine(hash, state->hash());
    }
    return hash;
  }

  void check_threads() {
    if (options_.threads < 2) return;
    std::vector<std::uint64_t> alone;
    for (std::size_t g = 0; g < options_.games; ++g) alone.push_back(play_hash(options_.seed + g));
    std::vector<std::vector<std::uint64_t>> together(options_.threads);
    std::vector<std::thread> threads;
    for (auto& mine : together)
      threads.emplace_back([&] {
        try {
          for (std::size_t g = 0; g < options_.games; ++g)
            mine.push_back(play_hash(options_.seed + g));
        } catch (const std::exception&) {
          mine.clear();  // differs from `alone`
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& mine : together)
      expect(mine == alone, Promise::threads,
             "games played on several threads at once go differently");
  }

  const Game& game_;
  const ConformanceOptions& options_;
  std::vector<Violation> violations_;
  Seed seed_ = 0;
  std::vector<std::size_t> picks_;
  std::map<std::string, std::uint64_t> seen_;  // saved text to hash
  std::set<std::uint64_t> hashes_;
  bool hidden_changed_ = false;
  bool finished_ = false;  // some game
  NumbersMet met_;
  EndsMet ends_;
  std::vector<float> learner_;  // buffers of the hot loop
  std::vector<std::uint32_t> numbers_;
  std::uint64_t sink_ = 0;  // keeps the hot loop from being optimised away
};

}  // namespace

std::string_view promise_name(Promise promise) {
  constexpr std::array<std::string_view, 24> names{
      "info",         "start",    "determinism", "decision",    "unique",  "found",
      "applies",      "sound",    "refused",     "copy",        "hash",    "save",
      "damaged save", "listener", "finished",    "observation", "hidden",  "guess",
      "numbers",      "tensors",  "counting",    "allocation",  "threads", "exception"};
  return names[static_cast<std::size_t>(promise)];
}

std::ostream& operator<<(std::ostream& out, const Violation& violation) {
  return out << fmt::format("{}: {} (seed {}, picks [{}])", promise_name(violation.promise),
                            violation.message, violation.seed, fmt::join(violation.picks, ", "));
}

std::vector<Violation> check_conformance(const Game& game, const ConformanceOptions& options) {
  return Checker{game, options}.run();
}

}  // namespace parlor
