// Answers of trials (trials.h) by number, with what they rest on (Reads). Sixty-four of them share
// what has changed since one of them was last asked for: then those it touches are dropped, and the
// others still hold. Options of an action whose only parameter is a zone have numbers one behind
// the other, by zone, so which of them are known are words, too.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "game/game.h"
#include "kernel/program/program.h"
#include "kernel/state/reads.h"

namespace parlor::kernel {

class KeptAnswers {
 public:
  // What a trial found out; nothing of it is set by itself, so that many cost nothing.
  struct Answer {
    std::int64_t work;
    std::int64_t gains[most_trial_sums];  // of the kept sums until the tail, if it goes on
    bool holds;
    bool goes_on;  // with the tail; otherwise `open` is all
    bool open;     // it leads on
    bool compiled;
  };
  // The same of sixty-four of them.
  struct Known {
    std::uint64_t hold = 0, goes_on = 0, open = 0, compiled = 0;
    std::int64_t work = 0;  // of all that hold
  };

  // Nothing is known any more; everything else is about states of this Program.
  void begin(const Program& program);

  // The number of an option's answer, and of the first of all options of such an action. Nothing
  // may be known afterwards, and numbers be others: there is room for so many only.
  std::size_t number_of(Option option, int player);
  std::size_t first_of(int action, int player);

  // So much has changed, each word as in Reads: what lies in these zones, the zones of these
  // features, zones that are no longer in a feature or are now.
  std::span<std::uint64_t> changes() { return changes_; }
  void change();

  // The answers from a number that is a multiple of sixty-four.
  const Known& known(std::size_t first) {
    if (changed_[first / 64]) drop(first / 64);
    return known_[first / 64];
  }
  std::int64_t work(std::size_t number) const { return work_[number]; }
  const std::int64_t* gains(int sum) const { return gains_[static_cast<std::size_t>(sum)].data(); }

  // At most so many words say what an answer rests on.
  static constexpr std::size_t most_reads = most_words + 1 + Reads::most_facts;
  // Where a trial notes what it looks into, all of it 0; nothing is known of the option until the
  // answer is there.
  std::uint64_t* begin_reads(std::size_t number);
  void put(std::size_t number, const Answer& answer);

 private:
  static constexpr std::size_t least_room = 256, most_room = 4096;
  struct Named {
    std::uint64_t option = 0;
    int player = -1;  // of a table: nobody
  };

  void clear(std::size_t room);
  void make_room();
  void drop(std::size_t block);
  void forget(std::size_t number);
  template <class F>
  void with_width(const F& f);
  template <int W>
  void drop_touched(std::size_t block);
  template <int W>
  Zones<W> zones_of(const std::uint64_t* reads) const;
  std::size_t room() const { return named_.size(); }

  const Program* p_ = nullptr;
  std::size_t words_ = 0, used_ = 0;  // of what an answer rests on; numbers
  std::size_t zone_words_ = 0;
  std::vector<std::uint64_t> changes_;
  std::vector<Known> known_;           // by sixty-four
  std::vector<std::uint64_t> since_;   // changes since they were last looked at
  std::vector<std::uint8_t> changed_;  // whether there are any
  std::vector<std::uint64_t> reads_;   // by number
  std::vector<std::uint64_t> zones_;   // all zones that these are about, by number
  std::vector<std::uint64_t> about_;   // the same by zone: a bit for each number
  std::vector<std::int64_t> work_;
  std::array<std::vector<std::int64_t>, most_trial_sums> gains_;
  std::vector<Named> named_;
  std::vector<std::uint16_t> places_;   // number + 1 by option and player; 0: free
  std::vector<std::int32_t> table_of_;  // number of the first option by action and player; -1: none
};

}  // namespace parlor::kernel
