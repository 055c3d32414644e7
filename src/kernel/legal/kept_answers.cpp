#include "kernel/legal/kept_answers.h"

#include <algorithm>

namespace parlor::kernel {

void KeptAnswers::begin(const Program& program) {
  p_ = &program;
  const int features = std::min(static_cast<int>(program.features.size()),
                                Reads::features_with_facts(program.words));
  words_ = static_cast<std::size_t>(Reads::facts_at(features, true, program.words));
  zone_words_ = program.words;
  changes_.assign(words_, 0);
  clear(least_room);
}

void KeptAnswers::clear(std::size_t room) {
  used_ = 0;
  known_.assign(room / 64, {});
  since_.assign(room / 64 * words_, 0);
  changed_.assign(room / 64, 0);
  reads_.resize(room * words_);
  zones_.assign(room * zone_words_, 0);
  about_.assign(zone_words_ * 64 * (room / 64), 0);
  work_.assign(room, 0);
  for (std::size_t s = 0; s < gains_.size(); ++s)
    gains_[s].assign(s < p_->sums.size() ? room : 0, 0);
  named_.assign(room, {});
  places_.assign(2 * room, 0);
  table_of_.assign(p_->actions.size() * static_cast<std::size_t>(p_->players), -1);
}

void KeptAnswers::make_room() {
  clear(std::min(2 * room(), most_room));
}

std::size_t KeptAnswers::number_of(Option option, int player) {
  for (;;) {
    const std::uint64_t mask = places_.size() - 1;
    std::uint64_t at = (option.id * 31 + static_cast<std::uint64_t>(player)) * 0x9e3779b97f4a7c15u;
    for (at >>= 40;; ++at) {
      std::uint16_t& place = places_[at & mask];
      if (place == 0) {
        if (used_ == room()) break;
        named_[used_] = {option.id, player};
        place = static_cast<std::uint16_t>(++used_);
      }
      if (const Named& named = named_[place - 1u];
          named.option == option.id && named.player == player)
        return place - 1u;
    }
    make_room();
  }
}

std::size_t KeptAnswers::first_of(int action, int player) {
  const std::size_t place =
                        static_cast<std::size_t>(action) * static_cast<std::size_t>(p_->players) +
                        static_cast<std::size_t>(player),
                    size = p_->words * 64;
  while (table_of_[place] < 0) {
    const std::size_t first = (used_ + 63) / 64 * 64;
    if (first + size > room()) {
      make_room();
      continue;
    }
    table_of_[place] = static_cast<std::int32_t>(first);
    used_ = first + size;
  }
  return static_cast<std::size_t>(table_of_[place]);
}

void KeptAnswers::change() {
  std::uint64_t* since = since_.data();
  for (std::size_t b = 0; b < (used_ + 63) / 64; ++b, since += words_) {
    for (std::size_t w = 0; w < words_; ++w) since[w] |= changes_[w];
    changed_[b] = 1;
  }
  std::fill(changes_.begin(), changes_.end(), 0);
}

// Of words as in Reads, all zones that they name.
template <int W>
Zones<W> KeptAnswers::zones_of(const std::uint64_t* reads) const {
  Zones<W> out = Zones<W>::load(reads);
  for (const std::uint64_t* fact = reads + W + 1; fact != reads + words_; fact += W)
    out = out | Zones<W>::load(fact);
  return out;
}

template <class F>
void KeptAnswers::with_width(const F& f) {
  switch (zone_words_) {
    case 1:
      return f(std::integral_constant<int, 1>());
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    default:
      return f(std::integral_constant<int, most_words>());
  }
}

// Answers that rest on something that changed hold no longer. Most are about other zones.
template <int W>
void KeptAnswers::drop_touched(std::size_t block) {
  std::uint64_t* const since = &since_[block * words_];
  const std::uint64_t* const end = since + words_;
  const std::size_t blocks = known_.size();
  std::uint64_t near = 0, dropped = 0;
  zones_of<W>(since).each([&](int z) {
    near |= about_[static_cast<std::size_t>(z) * blocks + block];
    return true;
  });
  const std::uint64_t* const reads = &reads_[block * 64 * words_];
  for (std::uint64_t left = near & known_[block].hold; left != 0; left &= left - 1) {
    const std::uint64_t* read = reads + static_cast<std::size_t>(std::countr_zero(left)) * words_;
    std::uint64_t touched = 0;
    for (const std::uint64_t* what = since; what != end; ++what, ++read) touched |= *what & *read;
    dropped |= touched != 0 ? left & -left : 0;
  }
  for (; dropped != 0; dropped &= dropped - 1)
    forget(block * 64 + static_cast<std::size_t>(std::countr_zero(dropped)));
  std::fill_n(since, words_, 0);
  changed_[block] = 0;
}

void KeptAnswers::drop(std::size_t block) {
  with_width([&](auto width) { drop_touched<width>(block); });
}

void KeptAnswers::forget(std::size_t number) {
  Known& known = known_[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << (number % 64);
  if ((known.hold & bit) == 0) return;
  known.hold &= ~bit;
  known.work -= work_[number];
}

std::uint64_t* KeptAnswers::begin_reads(std::size_t number) {
  forget(number);
  std::uint64_t* const reads = &reads_[number * words_];
  std::fill_n(reads, words_, 0);
  return reads;
}

void KeptAnswers::put(std::size_t number, const Answer& answer) {
  with_width([&](auto width) {
    const std::uint64_t* const reads = &reads_[number * words_];
    // A feature as a whole is every zone.
    const bool all = reads[Reads::features_at(width)] != 0;
    const Zones<width> zones = all ? Zones<width>::all(true) : zones_of<width>(reads);
    std::uint64_t* const were = &zones_[number * width];
    for (std::size_t w = 0; w < std::size_t{width}; ++w) {
      for (std::uint64_t other = zones.w[w] ^ were[w]; other != 0; other &= other - 1)
        about_[(w * 64 + static_cast<std::size_t>(std::countr_zero(other))) * known_.size() +
               number / 64] ^= std::uint64_t{1} << (number % 64);
      were[w] = zones.w[w];
    }
  });
  forget(number);
  work_[number] = answer.work;
  for (std::size_t s = 0; s < p_->sums.size() && answer.goes_on; ++s)
    gains_[s][number] = answer.gains[s];
  Known& known = known_[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << (number % 64);
  const auto set = [&](std::uint64_t& word, bool on) { word = (word & ~bit) | (on ? bit : 0); };
  set(known.hold, answer.holds);
  set(known.goes_on, answer.goes_on);
  set(known.open, answer.open);
  set(known.compiled, answer.compiled);
  if (answer.holds) known.work += answer.work;
}

}  // namespace parlor::kernel
