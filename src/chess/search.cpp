#include "chess/search.h"

#include <algorithm>

namespace parlor::chess {
namespace {

constexpr int max_line = 64;
constexpr int quiet_depth = 6;  // captures followed beyond the last full ply

// Closer to the centre is better for everybody.
int centre_bonus(Square square) {
  const int file = std::min(file_of(square), 7 - file_of(square));
  const int rank = std::min(rank_of(square), 7 - rank_of(square));
  return 2 * (file + rank);
}

class Searcher {
 public:
  Searcher(const Engine& root, const SearchLimits& limits)
      : root_(root), limits_(limits), began_(std::chrono::steady_clock::now()) {}

  SearchReport run(const std::function<void(const SearchReport&)>& report) {
    SearchReport best;
    for (int depth = 1; depth <= std::min(limits_.depth, max_line - 1); ++depth) {
      std::vector<Move> line;
      const int score = visit(root_, depth, 0, -mate_score, mate_score, line, best.line);
      if (stopped_ && !best.line.empty()) break;
      if (!line.empty()) best.line = line;
      best.depth = depth;
      best.score = score;
      best.nodes = nodes_;
      best.time = elapsed();
      if (report) report(best);
      if (line.empty() || stopped_ || std::abs(score) > mate_bound) break;
    }
    best.nodes = nodes_;
    best.time = elapsed();
    return best;
  }

 private:
  std::chrono::milliseconds elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began_);
  }
  bool out_of_limits() {
    if (limits_.nodes != 0 && nodes_ >= limits_.nodes) stopped_ = true;
    if ((nodes_ & 255) == 0) {
      if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) stopped_ = true;
      if (limits_.time.count() != 0 && elapsed() >= limits_.time) stopped_ = true;
    }
    return stopped_;
  }

  // The score of a finished game for `side`; sooner wins are better.
  static int final_score(Result result, Side side, int ply) {
    if (result == Result::draw) return 0;
    return result == win_for(side) ? mate_score - ply : -mate_score + ply;
  }

  int visit(const Engine& engine, int depth, int ply, int alpha, int beta, std::vector<Move>& line,
            const std::vector<Move>& hint) {
    ++nodes_;
    const Side us = engine.turn();
    if (engine.position().result != Result::ongoing)
      return final_score(engine.position().result, us, ply);
    if (ply != 0 && out_of_limits()) return 0;
    if (ply >= max_line - 1) return evaluate(engine);
    // Whoever is in check may be mated, so that is looked into beyond the last full ply as well.
    const bool quiet_only = depth <= -quiet_depth || (depth <= 0 && !engine.in_check(us));
    if (quiet_only) {
      const int standing = evaluate(engine);
      if (standing >= beta || depth <= -quiet_depth) return standing;
      alpha = std::max(alpha, standing);
    }
    MoveList moves;
    engine.legal_moves(moves);
    if (ply == 0 && !limits_.only.empty())
      moves.remove_if([&](Move move) { return !std::ranges::count(limits_.only, move); });
    if (moves.empty()) return no_move_score(engine, us, ply);
    const Move wanted =
        static_cast<std::size_t>(ply) < hint.size() ? hint[static_cast<std::size_t>(ply)] : Move{};
    std::array<Scored, 1024> order;
    const std::size_t count = sort(engine, moves, wanted, quiet_only, order);
    int best = quiet_only ? alpha : -mate_score - 1;
    for (std::size_t i = 0; i < count; ++i) {
      Position child;
      engine.copy_position(child);
      Engine next(engine.book(), child, engine.ruled());
      if (!next.apply(order[i].move, nullptr, Engine::Purpose::searching)) continue;
      std::vector<Move> below;
      // After a vetoed change of turn the same side goes on.
      const bool same = next.turn() == us;
      const int score = same ? visit(next, depth - 1, ply + 1, alpha, beta, below, hint)
                             : -visit(next, depth - 1, ply + 1, -beta, -alpha, below, hint);
      if (stopped_ && ply != 0) return 0;
      if (stopped_ && !line.empty()) return best;
      if (score > best) {
        best = score;
        line.assign(1, order[i].move);
        line.insert(line.end(), below.begin(), below.end());
      }
      alpha = std::max(alpha, score);
      if (alpha >= beta) break;
    }
    return best;
  }

  // Counting mode leaves open what a side without a move means: ask now.
  static int no_move_score(const Engine& engine, Side us, int ply) {
    Position copy;
    engine.copy_position(copy);
    Engine judge(engine.book(), copy, engine.ruled());
    judge.find_result(nullptr);
    return copy.result == Result::ongoing ? 0 : final_score(copy.result, us, ply);
  }

  struct Scored {
    Move move;
    int score;
  };
  // The last iteration's line first, then captures of the most by the least.
  std::size_t sort(const Engine& engine, const MoveList& moves, Move wanted, bool captures_only,
                   std::array<Scored, 1024>& out) const {
    const Board& board = engine.board();
    std::size_t count = 0;
    for (const Move move : moves) {
      const bool takes = move.kind() == MoveKind::en_passant ||
                         (move.kind() < MoveKind::castling && !board.empty(move.to()));
      if (captures_only && !takes && move.promotion() == no_type) continue;
      int score = 0;
      if (takes && move.kind() != MoveKind::en_passant)
        score += 10 * engine.book().type(board.type_on(move.to())).value -
                 engine.book().type(board.type_on(move.from())).value + 10000;
      if (move.promotion() != no_type) score += engine.book().type(move.promotion()).value;
      if (move == wanted) score += 1'000'000;
      out[count++] = {move, score};
    }
    std::stable_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return count;
  }

  const Engine& root_;
  SearchLimits limits_;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace

int evaluate(const Engine& engine) {
  const Board& board = engine.board();
  int balance = 0;
  for (const Side side : both_sides) {
    int sum = 0;
    for (const Square square : squares_of(board.of(side)))
      sum += engine.book().type(board.type_on(square)).value + centre_bonus(square);
    balance += side == engine.turn() ? sum : -sum;
  }
  return balance;
}

SearchReport search(const Engine& engine, const SearchLimits& limits,
                    const std::function<void(const SearchReport&)>& report) {
  return Searcher(engine, limits).run(report);
}

}  // namespace parlor::chess
