// The conformance suite passes on a game that keeps its promises, and catches each way of breaking
// one.
#include "game/conformance.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <thread>

#include "counting_new.h"
#include "game/duel.h"
#include "game/duel_state.h"
#include "game/tells_ends.h"

namespace parlor::test {
namespace {

ConformanceOptions counting() {
  ConformanceOptions options;
  options.allocations = [] { return allocation_count; };
  return options;
}

TEST(Conformance, ASoundGameBreaksNoPromise) {
  const Duel duel;
  EXPECT_THAT(check_conformance(duel, counting()), testing::IsEmpty());
}

enum class Fault {
  seats_missing,
  start_counts,
  outside_randomness,
  chance_without_weights,
  option_twice,
  text_twice,
  own_option_refused,
  option_fails,
  rules_go_wrong,
  no_reason,
  copy_unequal,
  hash_of_address,
  hash_constant,
  save_forgets,
  load_accepts_all,
  load_throws,
  listener_matters,
  finished_with_options,
  outcome_without_returns,
  outcome_read_wrongly,
  one_ending_for_all,
  words_of_another_hash,
  view_leaks,
  describe_leaks,
  resample_does_nothing,
  resample_touches_score,
  guess_peeks,
  numbers_twice,
  leaves_number_out,
  tensor_leaks,
  counts_wrongly,
  allocates,
  thread_matters,
  throws
};

// A Duel with one thing wrong.
class BrokenDuel final : public Duel, public TellsEnds {
 public:
  explicit BrokenDuel(Fault fault) : fault_(fault) {
    if (fault == Fault::seats_missing) info_.seats.pop_back();
  }

  Applied init(StateBlock& block, Seed seed) const override {
    return Duel::init(block, broken(Fault::start_counts) ? seed + calls_++ : seed);
  }

  void list_options(const StateBlock& block, OptionList& out) const override {
    const auto& s = block.as<DuelState>();
    if (broken(Fault::chance_without_weights) && s.phase == Phase::coin) {
      out.add(Option{200});
      return;
    }
    Duel::list_options(block, out);
    if (broken(Fault::option_twice) && s.phase == Phase::action) out.add(out[0]);
    if (broken(Fault::option_fails) && s.phase == Phase::action) out.add(Option{102});
    if (broken(Fault::rules_go_wrong) && s.phase == Phase::action) out.add(Option{103});
    if (broken(Fault::finished_with_options) && s.phase == Phase::finished) out.add(Option{1});
  }

  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    if (option.id == 102) return tl::unexpected(Rejection{Code::OPTION_ILLEGAL, "it was a trap"});
    if (option.id == 103)
      return tl::unexpected(
          fault_of(Rejection{Code::RUN_DIVISION_BY_ZERO, "the rules divide by zero"}));
    if (broken(Fault::throws) && option.id == 101) throw std::runtime_error("no");
    if (broken(Fault::allocates)) delete new volatile int{1};
    auto done = Duel::apply(block, option, listener);
    auto& s = block.as<DuelState>();
    if (broken(Fault::outside_randomness)) s.swapped[1] = (calls_++ / 3) % 2;
    if (broken(Fault::listener_matters) && listener != nullptr) s.swapped[0] = 1;
    return done;
  }

  Outcome outcome(const StateBlock& block) const override {
    Outcome out = Duel::outcome(block);
    if (broken(Fault::outcome_without_returns)) out.returns.clear();
    return out;
  }

  std::uint64_t hash(const StateBlock& block) const override {
    if (broken(Fault::hash_of_address)) return reinterpret_cast<std::uintptr_t>(block.data());
    if (broken(Fault::hash_constant)) return 42;
    const std::uint64_t own = Duel::hash(block);
    if (broken(Fault::thread_matters) && std::this_thread::get_id() != made_on_) return own + 1;
    return own;
  }

  void read_outcome(const StateBlock& block, Outcome& out) const override {
    const std::string before = out.reason;
    out = outcome(block);
    if (broken(Fault::outcome_read_wrongly)) out.reason = before;
  }
  std::uint32_t ending(const StateBlock& block) const override {
    const auto& score = block.as<DuelState>().score;
    return broken(Fault::one_ending_for_all) ? 0
                                             : static_cast<std::uint32_t>(score[0] * 4 + score[1]);
  }
  std::size_t hash_words(const StateBlock& block, HashLane lane) const override {
    lane.put(0, hash(block) + (broken(Fault::words_of_another_hash) ? 1 : 0));
    return 1;
  }

  bool equal(const StateBlock& a, const StateBlock& b) const override {
    return broken(Fault::copy_unequal) ? a.data() == b.data() : Duel::equal(a, b);
  }

  Json save_block(const StateBlock& block) const override {
    Json out = Duel::save_block(block);
    if (broken(Fault::save_forgets)) out["swapped"] = {0, 0};
    return out;
  }

  Applied load_block(const Json& saved, StateBlock& block) const override {
    if (broken(Fault::load_throws)) (void)saved.at("deck").at(7);
    if (auto done = Duel::load_block(saved, block); !done && broken(Fault::load_accepts_all))
      return init(block, 1);
    else
      return done;
  }

  Json view(const StateBlock& block, const Viewer& viewer) const override {
    return Duel::view(block, broken(Fault::view_leaks) ? Viewer::everything() : viewer);
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    return Duel::describe(block, broken(Fault::describe_leaks) ? Viewer::everything() : viewer);
  }

  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override {
    if (broken(Fault::text_twice) && option.id <= DuelState::cards) return "a card";
    return Duel::option_text(block, option, viewer);
  }

  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    if (broken(Fault::no_reason)) return std::nullopt;
    if (broken(Fault::own_option_refused)) return Rejection{Code::OPTION_ILLEGAL, "never"};
    return Duel::why_not(block, request, viewer);
  }

  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    if (broken(Fault::resample_does_nothing)) return;
    if (broken(Fault::resample_touches_score)) block.as<DuelState>().active ^= 1;
    if (broken(Fault::guess_peeks)) return rotate_deck(block, rng);
    Duel::resample_hidden(block, viewer, rng);
  }

  std::optional<std::uint64_t> count_moves(const StateBlock& block, int depth) const override {
    const auto count = Duel::count_moves(block, depth);
    return count && broken(Fault::counts_wrongly) ? *count + 1 : count;
  }
  ActionSpace action_space() const override {
    ActionSpace space = Duel::action_space();
    space.complete = true;
    return space;
  }
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override {
    Duel::action_indices(block, options, out);
    if (broken(Fault::numbers_twice)) std::ranges::fill(out, 0u);
    if (broken(Fault::leaves_number_out) && !out.empty()) out[0] = no_action;
  }
  std::span<const TensorPart> tensor_parts() const override {
    static const TensorPart hand{"hand", {1}, "number", 0, 1e6F};
    return broken(Fault::tensor_leaks) ? std::span<const TensorPart>(&hand, 1)
                                       : std::span<const TensorPart>();
  }
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override {
    if (!broken(Fault::tensor_leaks)) return;
    const std::string theirs =
        canonical(Duel::view(block, Viewer::player(PlayerId{1u - viewer.value})));
    out[0] = static_cast<float>(hash_text(theirs) % 1'000'000);
  }

 private:
  bool broken(Fault fault) const { return fault_ == fault; }

  Fault fault_;
  std::thread::id made_on_ = std::this_thread::get_id();
  mutable std::atomic<unsigned> calls_ = 0;
};

struct Case {
  Fault fault;
  Promise caught_as;
  const char* name;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class BrokenConformance : public testing::TestWithParam<Case> {};

TEST_P(BrokenConformance, IsCaught) {
  const BrokenDuel game{GetParam().fault};
  std::set<Promise> caught;
  for (const Violation& violation : check_conformance(game, counting())) {
    caught.insert(violation.promise);
    EXPECT_FALSE(violation.message.empty());
  }
  EXPECT_TRUE(caught.contains(GetParam().caught_as)) << promise_name(GetParam().caught_as);
}

constexpr Case cases[] = {
    {Fault::seats_missing, Promise::info, "SeatsMissing"},
    {Fault::start_counts, Promise::start, "StartCounts"},
    {Fault::outside_randomness, Promise::determinism, "OutsideRandomness"},
    {Fault::chance_without_weights, Promise::decision, "ChanceWithoutWeights"},
    {Fault::option_twice, Promise::unique, "OptionTwice"},
    {Fault::text_twice, Promise::unique, "TextTwice"},
    {Fault::own_option_refused, Promise::found, "OwnOptionRefused"},
    {Fault::option_fails, Promise::applies, "OptionFails"},
    {Fault::rules_go_wrong, Promise::sound, "RulesGoWrong"},
    {Fault::no_reason, Promise::refused, "NoReason"},
    {Fault::copy_unequal, Promise::copy, "CopyUnequal"},
    {Fault::hash_of_address, Promise::hash, "HashOfAddress"},
    {Fault::hash_constant, Promise::hash, "HashConstant"},
    {Fault::save_forgets, Promise::save, "SaveForgets"},
    {Fault::load_accepts_all, Promise::damaged_save, "LoadAcceptsAll"},
    {Fault::load_throws, Promise::damaged_save, "LoadThrows"},
    {Fault::listener_matters, Promise::listener, "ListenerMatters"},
    {Fault::finished_with_options, Promise::finished, "FinishedWithOptions"},
    {Fault::outcome_without_returns, Promise::finished, "OutcomeWithoutReturns"},
    {Fault::outcome_read_wrongly, Promise::finished, "OutcomeReadWrongly"},
    {Fault::one_ending_for_all, Promise::finished, "OneEndingForAll"},
    {Fault::words_of_another_hash, Promise::finished, "HashedWronglyTogether"},
    {Fault::view_leaks, Promise::observation, "ViewLeaks"},
    {Fault::describe_leaks, Promise::observation, "DescribeLeaks"},
    {Fault::resample_does_nothing, Promise::hidden, "ResampleDoesNothing"},
    {Fault::resample_touches_score, Promise::hidden, "ResampleTouchesTurn"},
    {Fault::guess_peeks, Promise::guess, "GuessPeeks"},
    {Fault::numbers_twice, Promise::numbers, "NumbersTwice"},
    {Fault::leaves_number_out, Promise::numbers, "LeavesANumberOut"},
    {Fault::tensor_leaks, Promise::tensors, "TensorLeaks"},
    {Fault::counts_wrongly, Promise::counting, "CountsWrongly"},
    {Fault::allocates, Promise::allocation, "Allocates"},
    {Fault::thread_matters, Promise::threads, "ThreadMatters"},
    {Fault::throws, Promise::exception, "Throws"},
};
INSTANTIATE_TEST_SUITE_P(EachWay, BrokenConformance, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string{info.param.name}; });

// Every promise of the list is broken by some case above, so none is tested in vain.
TEST(Conformance, EveryPromiseCanFail) {
  std::set<Promise> covered;
  for (const Case& c : cases) covered.insert(c.caught_as);
  EXPECT_EQ(covered.size(), static_cast<std::size_t>(Promise::exception) + 1);
}

TEST(Conformance, AViolationSaysHowToGetThere) {
  const BrokenDuel game{Fault::text_twice};
  const auto violations = check_conformance(game);
  ASSERT_FALSE(violations.empty());
  State state = game.start(violations[0].seed).value();
  OptionList options;
  for (const std::size_t pick : violations[0].picks) {
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[pick]));
  }
  state.list_options(options);
  ASSERT_GE(options.size(), 2u);
  EXPECT_EQ(state.option_text(options[0]), state.option_text(options[1]));
}

}  // namespace
}  // namespace parlor::test
