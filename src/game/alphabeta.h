// The one search for two players without chance or secrets: alpha-beta, deepened step by step. What
// it needs to know of a game comes from a Policy; play/alphabeta.cpp has the one for every game,
// chess/search.cpp the one for chess.
//
// A Policy keeps a stack of positions, the root at level 0, and brings
//
//   static constexpr std::size_t levels        how deep the stack is
//   static constexpr std::size_t history_slots
//   static constexpr bool selective            moves may be left out or looked at less deeply
//   int side(level)                            whose decision it is: 0 or 1
//   bool whole(level)                          a move starts here: depth counts whole moves
//   std::optional<Value> ended(level)          the value of a finished game for `side(level)`
//   Value standing(level)                      a guess, for `side(level)`
//   std::uint64_t key(level)                   the same for positions that are the same
//   void list(level, noisy_only, candidates)   every move, or those that change much
//   bool play(level, move)                     makes `level + 1`; false: it cannot be played
//
// and if it is selective
//
//   Value pawn                                 the unit of its values
//   bool in_danger(level)                      a guess is worth nothing here (in check)
//   bool forced(level)                         nobody may stand still here
//   bool repeated(level)                       a draw by repetition or count
//   bool pass(level)                           makes `level + 1` without a move; false: unwise
//   Value stuck(level)                         the value of having no move
//   bool sound(level, move, loss)              it loses no more than that at once
//
// A search that is limited by depth or positions is deterministic.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "game/alphabeta_table.h"

namespace parlor::alphabeta {

// A move that can be played, and what is known of it beforehand.
struct Candidate {
  MoveId move = no_move;
  std::int32_t slot = -1;  // of the history; -1: the policy alone says how good it is
  Value rank = 0;          // of those without a slot: higher first; below 0: probably bad
  Value gain = 0;          // what it takes at once
};

struct Limits {
  int depth = 100;
  std::uint64_t nodes = 0;  // 0: no limit
  std::size_t lines = 1;    // how many of the best moves are wanted
  bool hurry = false;       // a single move need not be thought about
  int stagger = 0;          // helpers begin deeper, so that not all do the same
  const Watch* watch = nullptr;
};

// A root move with what was found behind it.
struct Line {
  Value value = -infinite;
  int depth = 0;              // of the last search that was finished
  int deepest = 0;            // decisions looked ahead
  std::vector<MoveId> moves;  // itself first
};

namespace detail {
// How much less deeply a move is looked at that comes so late in the list.
int reduction(int depth, int number);
}  // namespace detail

template <class Policy>
class Search {
 public:
  Search(Policy& policy, Table& table)
      : policy_(policy),
        table_(&table),
        history_(Policy::history_slots),
        answers_(std::size_t{1} << answer_bits),
        plans_(std::size_t{1} << answer_bits),
        candidates_(Policy::levels),
        lines_(Policy::levels) {}

  void use(Table& table) { table_ = &table; }
  // What was learnt in another game does not help.
  void forget() {
    std::ranges::fill(history_, std::int16_t{0});
    std::ranges::fill(answers_, std::int16_t{0});
    std::ranges::fill(plans_, std::int16_t{0});
  }
  // How many lines were asked for and could be given; the best first.
  const Line& line(std::size_t index) const { return roots_[index].line; }
  std::uint64_t nodes() const { return nodes_; }

  // Searches these moves of level 0, which are tried in this order at first. The best line comes
  // first afterwards; `report(line, index)` hears about each one when a depth is finished. What is
  // returned holds until the next search.
  template <class Report>
  const Line& run(std::span<const MoveId> moves, const Limits& limits, Report&& report) {
    begin(moves, limits);
    const std::size_t wanted = std::min(std::max<std::size_t>(limits.lines, 1), roots_.size());
    for (int depth = 1; depth <= limits.depth; ++depth) {
      for (std::size_t index = 0; index < wanted && !stopped_; ++index) {
        deepen(index, depth + limits.stagger);
        if (!stopped_) report(roots_[index].line, index);
      }
      if (stopped_ || settled(depth)) break;
    }
    return roots_.front().line;
  }
  MoveId best(std::span<const MoveId> moves, const Limits& limits) {
    return run(moves, limits, [](const Line&, std::size_t) {}).moves.front();
  }

 private:
  static constexpr std::size_t levels = Policy::levels;
  static constexpr int answer_bits = 16;
  static constexpr int quiet_depth = 10;  // decisions followed beyond the last whole move

  struct Root {
    Line line;
    Value fresh = -infinite;  // of the search under way; none: worse than the best
  };

  // ---- The root

  void begin(std::span<const MoveId> moves, const Limits& limits) {
    limits_ = limits;
    nodes_ = 0;
    stopped_ = false;
    killers_.fill({no_move, no_move});
    for (std::int16_t& value : history_) value /= 2;
    if (rooms_.size() < moves.size()) rooms_.resize(moves.size());
    roots_ = std::span{rooms_}.first(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      roots_[i].line.value = -infinite;
      roots_[i].line.depth = roots_[i].line.deepest = 0;
      roots_[i].line.moves.assign(1, moves[i]);
    }
  }

  // Whether looking deeper cannot help or is not wanted.
  bool settled(int depth) const {
    const Value best = roots_.front().line.value;
    if (std::abs(best) >= decided && limits_.lines <= 1) {
      if (!Policy::selective) return true;
      if (win - std::abs(best) <= depth) return true;  // there is no shorter way
    }
    if (limits_.watch == nullptr) return false;
    return limits_.watch->late() || (limits_.hurry && roots_.size() == 1);
  }

  // A narrow window around the last value first; wider if it was not enough.
  void deepen(std::size_t index, int depth) {
    const Value last = roots_[index].line.value;
    Value margin = infinite;
    if constexpr (Policy::selective)
      if (depth >= 5 && std::abs(last) < decided) margin = policy_.pawn / 4;
    Value alpha = margin == infinite ? -infinite : last - margin;
    Value beta = margin == infinite ? infinite : last + margin;
    while (true) {
      deepest_ = 0;
      const Value value = search_root(index, depth, alpha, beta);
      for (std::size_t i = index + 1; i < roots_.size(); ++i)
        for (std::size_t at = i; at > index && roots_[at].fresh > roots_[at - 1].fresh; --at)
          std::swap(roots_[at], roots_[at - 1]);
      Root& best = roots_[index];
      if (best.fresh > -infinite) {
        best.line.value = best.fresh;
        best.line.depth = stopped_ ? best.line.depth : depth - limits_.stagger;
        best.line.deepest = deepest_;
      }
      if (stopped_ || (value > alpha && value < beta)) break;
      margin = margin < widest_margin() ? 3 * margin : infinite;
      if (value <= alpha) alpha = margin == infinite ? -infinite : value - margin;
      if (value >= beta) beta = margin == infinite ? infinite : value + margin;
    }
    for (std::size_t i = index; i > 0 && roots_[i].line.value > roots_[i - 1].line.value; --i)
      std::swap(roots_[i], roots_[i - 1]);
  }
  Value widest_margin() const {
    if constexpr (Policy::selective) return 5 * policy_.pawn;
    return 0;
  }

  // Late moves of the root are looked at less deeply, too, but not by much.
  int root_reduction([[maybe_unused]] std::size_t number, [[maybe_unused]] int depth) {
    if constexpr (Policy::selective)
      if (number >= 3 && depth >= 4 && !policy_.in_danger(0) && !policy_.in_danger(1))
        return std::clamp(detail::reduction(depth, static_cast<int>(number)) - 1, 0, depth - 2);
    return 0;
  }

  Value search_root(std::size_t from, int depth, Value alpha, Value beta) {
    Value best = -infinite;
    for (Root& root : roots_.subspan(from)) root.fresh = -infinite;
    for (std::size_t i = from; i < roots_.size(); ++i) {
      Root& root = roots_[i];
      if (!play(0, root.line.moves.front())) continue;
      Value value = best;
      if (best == -infinite) {
        value = below(0, depth, alpha, beta);
      } else {
        const int less = root_reduction(i - from, depth);
        value = below(0, depth - less, alpha, alpha + 1);
        if (value > alpha && less > 0 && !stopped_) value = below(0, depth, alpha, alpha + 1);
        if (value > alpha && value < beta && !stopped_) value = below(0, depth, alpha, beta);
      }
      if (stopped_) break;
      if (best == -infinite || value > alpha) {
        root.fresh = value;
        root.line.moves.resize(1);
        root.line.moves.insert(root.line.moves.end(), lines_[1].begin(), lines_[1].end());
      }
      best = std::max(best, value);
      alpha = std::max(alpha, value);
      if (alpha >= beta) break;
    }
    return best;
  }

  // ---- Below it

  bool play(std::size_t level, MoveId move) {
    played_[level + 1] = move;
    if (!policy_.play(level, move)) return false;
    table_->expect(policy_.key(level + 1));
    return true;
  }

  bool out_of_budget() {
    ++nodes_;
    if (limits_.nodes != 0 && nodes_ >= limits_.nodes) stopped_ = true;
    if (nodes_ % 128 == 0 && limits_.watch != nullptr && limits_.watch->over()) stopped_ = true;
    return stopped_;
  }

  // Sooner wins and later losses are better.
  static Value from_root(Value value, std::size_t level) {
    const auto distance = static_cast<Value>(level);
    return value >= decided ? value - distance : value <= -decided ? value + distance : value;
  }
  static Value from_here(Value value, std::size_t level) {
    const auto distance = static_cast<Value>(level);
    return value >= decided ? value + distance : value <= -decided ? value - distance : value;
  }

  // The value for whoever decides at `level` of what has just been played to `level + 1`.
  Value below(std::size_t level, int depth, Value alpha, Value beta) {
    const int rest = policy_.whole(level + 1) ? depth - 1 : depth;
    if (policy_.side(level + 1) == policy_.side(level)) return visit(level + 1, rest, alpha, beta);
    return -visit(level + 1, rest, -beta, -alpha);
  }

  // What needs no search: the end, or a position that has been there before.
  std::optional<Value> known(std::size_t level) {
    lines_[level].clear();
    deepest_ = std::max(deepest_, static_cast<int>(level));
    if (out_of_budget()) return 0;
    if (const auto end = policy_.ended(level)) return from_root(*end, level);
    if constexpr (Policy::selective)
      if (policy_.repeated(level)) return 0;
    return std::nullopt;
  }

  // What holds while the moves of one position are tried.
  struct Trial {
    std::size_t level;
    int depth;
    Value alpha;
    Value beta;
    bool danger = false;
    bool principal = false;  // the window is open
    bool improving = false;
    Value standing = 0;
    Value best = -infinite;
    MoveId best_move = no_move;
    int tried = 0;
    std::size_t quiet_count = 0;  // of quiets_[level]
  };

  Value visit(std::size_t level, int depth, Value alpha, Value beta, bool may_pass = true) {
    if (const auto value = known(level)) return *value;
    Trial trial{level, depth, alpha, beta};
    if constexpr (Policy::selective) {
      trial.danger = policy_.in_danger(level);
      if (trial.danger && level < 2 * static_cast<std::size_t>(roots_depth())) ++trial.depth;
    }
    if (level + 1 >= levels) return policy_.standing(level);
    if (trial.depth <= 0 && policy_.whole(level)) {
      if constexpr (Policy::selective) return settle(level, 0, alpha, beta);
      return policy_.standing(level);
    }
    trial.principal = beta - alpha > 1;
    const std::uint64_t key = policy_.key(level);
    const auto entry = table_->find(key);
    if (entry && entry->depth >= trial.depth && !trial.principal)
      if (const Value value = from_root(entry->value, level); decides(*entry, value, alpha, beta))
        return value;
    if constexpr (Policy::selective) {
      if (const auto value = look_before(trial, entry, may_pass)) return *value;
      if (!entry && trial.depth >= 4) --trial.depth;  // nothing says where to begin
    }
    list_moves(level, false, entry ? entry->move : no_move);
    try_moves(trial);
    if (stopped_) return 0;
    if (trial.tried == 0) {
      if constexpr (Policy::selective) return from_root(policy_.stuck(level), level);
      return policy_.standing(level);
    }
    const Bound bound = bound_of(trial.best, alpha, beta);
    table_->store(key, {from_here(trial.best, level),
                        bound == Bound::at_most ? no_move : trial.best_move, trial.depth, bound});
    return trial.best;
  }

  static Bound bound_of(Value value, Value alpha, Value beta) {
    return value >= beta ? Bound::at_least : value <= alpha ? Bound::at_most : Bound::exact;
  }
  static bool decides(const Table::Entry& entry, Value value, Value alpha, Value beta) {
    if (entry.bound == Bound::exact) return true;
    return entry.bound == Bound::at_least ? value >= beta : value <= alpha;
  }
  int roots_depth() const { return std::max(roots_.front().line.depth + 1, 4); }

  // Ways to be done before any move is tried: far above the window, or so good that the other side
  // may move twice.
  std::optional<Value> look_before(Trial& trial, const std::optional<Table::Entry>& entry,
                                   bool may_pass) {
    const std::size_t level = trial.level;
    trial.standing = standing_[level] = trial.danger ? -infinite : policy_.standing(level);
    trial.improving = !trial.danger && level >= 2 && trial.standing > standing_[level - 2];
    if (trial.danger || trial.principal || std::abs(trial.beta) >= decided) return std::nullopt;
    // What was found behind it says more than a look.
    if (entry && std::abs(entry->value) < decided &&
        (entry->bound == Bound::exact ||
         (entry->bound == Bound::at_least) == (entry->value > trial.standing)))
      trial.standing = entry->value;
    const Value pawn = policy_.pawn;
    const Value spare = trial.standing - trial.beta;
    if (trial.depth <= 3 && spare + pawn * 2 * (1 + trial.depth) < 0) {
      const Value value = settle(level, 0, trial.alpha, trial.beta);
      if (stopped_) return 0;
      if (value <= trial.alpha) return value;
    }
    if (trial.depth <= 7 && spare >= pawn * 4 / 5 * (trial.depth - (trial.improving ? 1 : 0)) &&
        !policy_.forced(level))
      return trial.standing;
    if (!may_pass || trial.depth < 3 || spare < 0 || !policy_.pass(level)) return std::nullopt;
    played_[level + 1] = no_move;
    const int less = 4 + trial.depth / 4 + static_cast<int>(std::min<Value>(spare / (2 * pawn), 3));
    const Value value = -visit(level + 1, trial.depth - less, -trial.beta, -trial.beta + 1, false);
    if (stopped_) return 0;
    if (value < trial.beta) return std::nullopt;
    return value >= decided ? trial.beta : value;
  }

  void try_moves(Trial& trial) {
    auto& candidates = candidates_[trial.level];
    const Value floor = trial.alpha;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate candidate = take_best(candidates, i);
      if constexpr (Policy::selective) {
        if (left_out(trial, candidate)) continue;
        // What comes later among the quiet ones need not even be put in order.
        if (enough_tried(trial)) drop_quiet(candidates, i + 1);
      }
      if (!play(trial.level, candidate.move)) continue;
      const Value value = value_of(trial, candidate);
      if (stopped_) return;
      ++trial.tried;
      if (value > trial.best) {
        trial.best = value;
        trial.best_move = candidate.move;
        if (value > floor) keep_line(trial.level, candidate.move);
      }
      trial.alpha = std::max(trial.alpha, value);
      if (trial.alpha >= trial.beta) return remember_good(trial, candidate);
      auto& quiets = quiets_[trial.level];
      if (candidate.slot >= 0 && trial.quiet_count < quiets.size())
        quiets[trial.quiet_count++] = candidate.slot;
    }
  }

  // Late moves near the horizon that cannot be expected to matter.
  static bool may_leave_out(const Trial& trial) {
    return trial.tried != 0 && trial.best > -decided && !trial.danger && !trial.principal;
  }
  static bool enough_tried(const Trial& trial) {
    return may_leave_out(trial) && trial.depth <= 7 &&
           trial.tried >= (4 + trial.depth * trial.depth) / (trial.improving ? 1 : 2);
  }
  static void drop_quiet(std::vector<Candidate>& candidates, std::size_t from) {
    const auto begin = candidates.begin() + static_cast<std::ptrdiff_t>(from);
    candidates.erase(
        std::remove_if(begin, candidates.end(), [](const Candidate& c) { return c.slot >= 0; }),
        candidates.end());
  }
  bool left_out(const Trial& trial, const Candidate& candidate) const {
    if (!may_leave_out(trial)) return false;
    const int depth = trial.depth;
    if (candidate.slot < 0)
      return candidate.rank < 0 &&
             (depth <= 3 ||
              (depth <= 7 && !policy_.sound(trial.level, candidate.move, policy_.pawn * depth)));
    if (depth > 6) return false;
    if (trial.standing + policy_.pawn + policy_.pawn * 9 / 10 * depth <= trial.alpha) return true;
    return !policy_.sound(trial.level, candidate.move, policy_.pawn / 2 * depth);
  }

  Value value_of(const Trial& trial, const Candidate& candidate) {
    const std::size_t level = trial.level;
    if (trial.tried == 0) return below(level, trial.depth, trial.alpha, trial.beta);
    int less = 0;
    if constexpr (Policy::selective)
      if (trial.depth >= 3 && trial.tried >= 2 && !trial.danger && !policy_.in_danger(level + 1) &&
          (candidate.slot >= 0 || candidate.rank < 0)) {
        less = detail::reduction(trial.depth, trial.tried) - (trial.principal ? 1 : 0) +
               (trial.improving ? 0 : 1);
        if (candidate.slot >= 0) less -= usual(level, candidate.slot) / 12000;
        less = std::clamp(less, 0, trial.depth - 2);
      }
    Value value = below(level, trial.depth - less, trial.alpha, trial.alpha + 1);
    if (value > trial.alpha && less > 0 && !stopped_)
      value = below(level, trial.depth, trial.alpha, trial.alpha + 1);
    if (value > trial.alpha && value < trial.beta && !stopped_)
      value = below(level, trial.depth, trial.alpha, trial.beta);
    return value;
  }

  // Only what changes much, until the position is quiet: a guess is worth something then.
  Value settle(std::size_t level, int beyond, Value alpha, Value beta) {
    const bool danger = policy_.in_danger(level) && beyond < 4;
    const bool forced = policy_.forced(level);
    Value best = -infinite;
    if (level + 1 >= levels || beyond >= quiet_depth) return policy_.standing(level);
    const std::uint64_t key = policy_.key(level);
    const auto entry = table_->find(key);
    if (entry && beta - alpha <= 1)
      if (const Value value = from_root(entry->value, level); decides(*entry, value, alpha, beta))
        return value;
    const Value floor = alpha;
    MoveId best_move = no_move;
    if (!danger && !forced) {
      best = policy_.standing(level);
      if (best >= beta) return best;
      alpha = std::max(alpha, best);
    }
    const Value standing = best;
    list_moves(level, !danger, entry ? entry->move : no_move);
    auto& candidates = candidates_[level];
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate candidate = take_best(candidates, i);
      if (standing > -infinite && standing + candidate.gain + 2 * policy_.pawn <= alpha) continue;
      if (!play(level, candidate.move)) continue;
      const Value value = settle_below(level, beyond, alpha, beta);
      if (stopped_) return 0;
      if (value > best) {
        best = value;
        best_move = candidate.move;
        if (value > alpha) keep_line(level, candidate.move);
      }
      alpha = std::max(alpha, value);
      if (alpha >= beta) break;
    }
    if (best > -infinite) {
      table_->store(key, {from_here(best, level), best_move, 0, bound_of(best, floor, beta)});
      return best;
    }
    return danger ? from_root(policy_.stuck(level), level) : policy_.standing(level);
  }
  Value settle_below(std::size_t level, int beyond, Value alpha, Value beta) {
    const bool same = policy_.side(level + 1) == policy_.side(level);
    if (const auto value = known(level + 1)) return same ? *value : -*value;
    if (same) return settle(level + 1, beyond + 1, alpha, beta);
    return -settle(level + 1, beyond + 1, -beta, -alpha);
  }

  // ---- Order

  // The table's move first, then good captures, moves that helped next door, moves that helped
  // elsewhere, and what loses something.
  void list_moves(std::size_t level, bool noisy_only, MoveId first) {
    auto& candidates = candidates_[level];
    candidates.clear();
    policy_.list(level, noisy_only, candidates);
    for (Candidate& candidate : candidates) {
      if (candidate.slot >= 0) candidate.rank = usual(level, candidate.slot);
      if constexpr (Policy::selective)
        if (candidate.slot >= 0) {
          if (candidate.move == killers_[level][0]) candidate.rank = 1'000'000;
          if (candidate.move == killers_[level][1]) candidate.rank = 900'000;
        }
      if (candidate.move == first) candidate.rank = infinite;
    }
  }
  static Candidate take_best(std::vector<Candidate>& candidates, std::size_t from) {
    std::size_t best = from;
    for (std::size_t i = from + 1; i < candidates.size(); ++i)
      if (candidates[i].rank > candidates[best].rank) best = i;
    std::swap(candidates[from], candidates[best]);
    return candidates[from];
  }

  // How often a move has helped, how often as an answer to the move before it, and how often as a
  // continuation of the own move before that.
  int usual(std::size_t level, std::int32_t slot) const {
    int out = history_[static_cast<std::size_t>(slot)] + answers_[after(played_[level], slot)];
    if (level > 0) out += plans_[after(played_[level - 1], slot)];
    return out;
  }
  static std::size_t after(MoveId move, std::int32_t slot) {
    const std::uint64_t pair = std::uint64_t{move} << 32 | static_cast<std::uint32_t>(slot);
    return static_cast<std::size_t>(pair * 0x9e3779b97f4a7c15 >> (64 - answer_bits));
  }
  static void shift(std::int16_t& value, int bonus) {
    value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / 16384);
  }
  void learn(std::size_t level, std::int32_t slot, int bonus) {
    shift(history_[static_cast<std::size_t>(slot)], bonus);
    shift(answers_[after(played_[level], slot)], bonus);
    if (level > 0) shift(plans_[after(played_[level - 1], slot)], bonus);
  }
  void remember_good(const Trial& trial, const Candidate& candidate) {
    if (candidate.slot < 0) return;
    auto& killers = killers_[trial.level];
    if (killers[0] != candidate.move) killers = {candidate.move, killers[0]};
    const int bonus = std::min(16 * trial.depth * trial.depth + 32 * trial.depth + 16, 1200);
    learn(trial.level, candidate.slot, bonus);
    for (std::size_t i = 0; i < trial.quiet_count; ++i)
      learn(trial.level, quiets_[trial.level][i], -bonus);
  }
  void keep_line(std::size_t level, MoveId move) {
    auto& line = lines_[level];
    line.clear();
    line.push_back(move);
    if (level + 1 < levels)
      line.insert(line.end(), lines_[level + 1].begin(), lines_[level + 1].end());
  }

  Policy& policy_;
  Table* table_;
  Limits limits_;
  std::vector<Root> rooms_;  // with lines of earlier searches, to be used again
  std::span<Root> roots_;
  std::vector<std::int16_t> history_;
  std::vector<std::int16_t> answers_;    // to the other side's last move
  std::vector<std::int16_t> plans_;      // after the own move before that
  std::array<MoveId, levels> played_{};  // the move that led to each level
  std::vector<std::vector<Candidate>> candidates_;
  std::vector<std::vector<MoveId>> lines_;  // the best line found below each level
  std::array<std::array<MoveId, 2>, levels> killers_{};
  std::array<std::array<std::int32_t, 64>, levels> quiets_{};  // slots that did not help
  std::array<Value, levels> standing_{};
  std::uint64_t nodes_ = 0;
  int deepest_ = 0;
  bool stopped_ = false;
};

}  // namespace parlor::alphabeta
