// Answers of trials that are kept (V-02): they hold as long as nothing they rest on changes, and no
// longer. Compared with a model that remembers every answer by itself.
#include "kernel/legal/kept_answers.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/rng.h"
#include "kernel/legal/new_positions.h"

namespace parlor::kernel {
namespace {

using Words = std::vector<std::uint64_t>;

Program board(int words, std::size_t features) {
  Program p;
  p.words = words;
  p.players = 2;
  p.features.resize(features);
  p.actions.resize(2);
  p.sums.resize(1);
  return p;
}

struct Modelled {
  Words reads;
  KeptAnswers::Answer answer;
};

class Model {
 public:
  Model(const Program& p, Seed seed) : p_(p), rng_(seed) {
    kept_.begin(p);
    for (int round = 0; round < 2; ++round) {  // numbers are others where room was made
      numbers_.clear();
      for (int player = 0; player < 2; ++player) {
        const std::size_t first = kept_.first_of(1, player);
        EXPECT_EQ(first % 64, 0u);
        for (std::size_t z = 0; z < static_cast<std::size_t>(p.words) * 64; z += 1 + rng_.below(9))
          numbers_.push_back(first + z);
        for (std::uint64_t option = 0; option < 40; ++option)
          numbers_.push_back(kept_.number_of(Option{option << 7}, player));
      }
    }
    EXPECT_EQ(std::set<std::size_t>(numbers_.begin(), numbers_.end()).size(), numbers_.size());
  }

  void try_out() {
    const std::size_t number = numbers_[rng_.below(numbers_.size())];
    const Reads reads(kept_.begin_reads(number));
    EXPECT_FALSE(holds(number)) << "what is being tried out is not known";
    known_.erase(number);
    Words words(kept_.changes().size(), 0);
    const Reads model(words.data());
    for (std::size_t n = rng_.below(6); n > 0; --n) note(reads, model);
    KeptAnswers::Answer answer{.work = static_cast<std::int64_t>(rng_.below(1000)),
                               .gains = {static_cast<std::int64_t>(rng_.below(99))},
                               .holds = rng_.below(8) != 0,
                               .goes_on = rng_.below(2) == 0,
                               .open = rng_.below(2) == 0,
                               .compiled = rng_.below(2) == 0};
    kept_.put(number, answer);
    if (answer.holds) known_[number] = {words, answer};
  }

  // Some zones hold something else, and may be in other features.
  void change() {
    Words words(kept_.changes().size(), 0);
    for (std::size_t n = 1 + rng_.below(3); n > 0; --n) {
      const ZoneId z(rng_.below(static_cast<std::size_t>(p_.words) * 64));
      put_zone(words.data(), z);
      if (p_.features.empty() || rng_.below(4) == 0) continue;
      const int feature = static_cast<int>(rng_.below(p_.features.size()));
      if (feature < Reads::most_features)
        words[static_cast<std::size_t>(Reads::features_at(p_.words))] |= std::uint64_t{1}
                                                                         << feature;
      const auto fact =
          static_cast<std::size_t>(Reads::facts_at(feature, rng_.below(2) == 0, p_.words));
      if (fact < words.size()) put_zone(&words[fact], z);
    }
    std::ranges::copy(words, kept_.changes().begin());
    kept_.change();
    std::erase_if(known_, [&](const auto& known) {
      for (std::size_t w = 0; w < words.size(); ++w)
        if ((known.second.reads[w] & words[w]) != 0) return true;
      return false;
    });
  }

  void compare() {
    std::map<std::size_t, std::int64_t> work;
    for (const std::size_t number : numbers_) {
      const auto found = known_.find(number);
      ASSERT_EQ(holds(number), found != known_.end()) << number;
      if (found == known_.end()) continue;
      const KeptAnswers::Answer& answer = found->second.answer;
      const KeptAnswers::Known& known = kept_.known(number / 64 * 64);
      EXPECT_EQ(known.goes_on >> number % 64 & 1, answer.goes_on ? 1u : 0u);
      EXPECT_EQ(known.open >> number % 64 & 1, answer.open ? 1u : 0u);
      EXPECT_EQ(known.compiled >> number % 64 & 1, answer.compiled ? 1u : 0u);
      EXPECT_EQ(kept_.work(number), answer.work);
      if (answer.goes_on) {
        EXPECT_EQ(kept_.gains(0)[number], answer.gains[0]);
      }
      work[number / 64] += answer.work;
    }
    for (const auto& [block, sum] : work) EXPECT_EQ(kept_.known(block * 64).work, sum);
  }

  std::size_t known() const { return known_.size(); }

 private:
  bool holds(std::size_t number) {
    return (kept_.known(number / 64 * 64).hold >> number % 64 & 1) != 0;
  }

  void note(const Reads& one, const Reads& other) {
    switch (p_.words) {
      case 1:
        return note_some<1>(one, other);
      case 2:
        return note_some<2>(one, other);
      case 4:
        return note_some<4>(one, other);
      default:
        return note_some<8>(one, other);
    }
  }
  template <int W>
  void note_some(const Reads& one, const Reads& other) {
    const ZoneId z(rng_.below(W * 64));
    const int feature = static_cast<int>(rng_.below(p_.features.size() + 1)) - 1;
    const bool in = rng_.below(2) == 0;
    const std::size_t kind = rng_.below(12);
    for (const Reads& reads : {one, other}) {
      if (kind == 0 && feature >= 0)
        reads.note_feature<W>(feature);
      else if (kind < 4)
        reads.note_zone(z);
      else if (kind < 8)
        reads.note_member<W>(feature, z.value, in);
      else
        reads.note_members(feature, Zones<W>::one(z), in);
    }
  }

  const Program& p_;
  Rng rng_;
  KeptAnswers kept_;
  std::vector<std::size_t> numbers_;
  std::map<std::size_t, Modelled> known_;
};

TEST(KernelKeptAnswers, HoldUntilWhatTheyRestOnChanges_V02) {
  for (const int words : {1, 2, 4, 8})
    for (const std::size_t features : {0u, 2u, 5u, 70u}) {
      SCOPED_TRACE(testing::Message() << words << " words, " << features << " features");
      const Program p = board(words, features);
      Model model(p, static_cast<Seed>(words) * 100 + features);
      std::size_t most = 0;
      for (int step = 0; step < 1500; ++step) {
        model.try_out();
        if (step % 5 == 4) model.change();
        if (step % 3 == 0) model.compare();
        most = std::max(most, model.known());
        if (testing::Test::HasFailure()) return;
      }
      EXPECT_GT(most, 10u);
    }
}

// There is room for so many only; numbers stay small, and nothing is taken for another's answer.
TEST(KernelKeptAnswers, ForgetAllWhereThereIsNoRoom) {
  const Program p = board(1, 2);
  KeptAnswers kept;
  kept.begin(p);
  for (std::uint64_t option = 0; option < 20'000; ++option) {
    const std::size_t number = kept.number_of(Option{option}, 0);
    ASSERT_LT(number, 4096u);
    ASSERT_EQ(kept.known(number / 64 * 64).hold >> number % 64 & 1, 0u) << option;
    kept.begin_reads(number);
    kept.put(
        number,
        {.work = 1, .gains = {}, .holds = true, .goes_on = false, .open = true, .compiled = false});
    ASSERT_EQ(kept.number_of(Option{option}, 0), number);
  }
  const std::size_t first = kept.first_of(0, 1);
  EXPECT_EQ(kept.known(first).hold, 0u);
  EXPECT_EQ(kept.first_of(0, 1), first);
}

// What a trial changed itself is no fact of the state it began with.
TEST(KernelKeptAnswers, FactsAreOfZonesThatWereNotWritten) {
  std::uint64_t words[3 + 8] = {};
  const Reads reads(words);
  reads.note_zone(ZoneId(5));
  reads.note_member<2>(1, 5, true);
  reads.note_members(1, Zones<2>::one(5) | Zones<2>::one(70), true);
  reads.note_member<2>(0, 71, false);
  const auto fact = [&](int feature, bool in) {
    return Zones<2>::load(words + Reads::facts_at(feature, in, 2));
  };
  EXPECT_TRUE(reads.has_zone(ZoneId(5)));
  EXPECT_FALSE(fact(1, true).has(5));
  EXPECT_TRUE(fact(1, true).has(70));
  EXPECT_FALSE(fact(1, false).any());
  EXPECT_TRUE(fact(0, false).has(71));
  // There is no room for facts about so many features: the zone is noted whole.
  reads.note_member<2>(Reads::features_with_facts(2), 9, true);
  EXPECT_TRUE(reads.has_zone(ZoneId(9)));
}

// Where they say no there is no such number, whatever was added; they seldom say yes for nothing.
TEST(KernelKeptAnswers, KnownNumbersMissNone_V03) {
  KnownNumbers known;
  known.clear();
  Rng rng(3);
  const auto some = [&] {
    const std::int64_t numbers[] = {rng.between(0, INT32_MAX), rng.between(0, 1000)};
    return mixed_numbers(numbers);
  };
  std::vector<std::uint64_t> added;
  while (!known.full()) {
    added.push_back(some());
    known.add(added.back());
    known.add(added.back());
  }
  EXPECT_GE(added.size(), 4000u);
  for (const std::uint64_t mixed : added) ASSERT_TRUE(known.has(mixed));
  int more = 0;
  for (int n = 0; n < 10'000; ++n) more += known.has(some()) ? 1 : 0;
  EXPECT_LT(more, 5);
  known.clear();
  EXPECT_FALSE(known.has(added[0]));
}

}  // namespace
}  // namespace parlor::kernel
