#include "chess/search.h"

#include <algorithm>
#include <thread>

#include "chess/chess.h"
#include "chess/evaluate.h"
#include "chess/network.h"

namespace parlor::chess::inline PARLOR_BOARD {
// Not unnamed: a class declared in the header holds it.
namespace looking {

using alphabeta::Candidate;
using alphabeta::MoveId;
using alphabeta::Value;

// Chess as the search sees it.
class ChessPolicy {
 public:
  static constexpr std::size_t levels = 128;
  static constexpr std::size_t history_slots = std::size_t{2} * board_squares * board_squares;
  static constexpr bool selective = true;
  static constexpr Value pawn = 100;

  ChessPolicy() : positions_(std::make_unique_for_overwrite<Position[]>(levels)) {}

  void begin(const Engine& root, std::span<const std::uint64_t> past) {
    engines_.clear();
    for (std::size_t i = 0; i < levels; ++i)
      engines_.emplace_back(root.book(), positions_[i], root.ruled());
    root.copy_position(positions_[0]);
    keys_.assign(past.begin(), past.end());
    past_ = past.size();
    keys_.resize(past_ + levels);
    outlook_ = outlook_of(engines_[0]);
    std::ranges::fill(judged_, Judged{});
    arrive(0);
  }

  int side(std::size_t level) const { return positions_[level].board.turn; }
  bool whole(std::size_t) const { return true; }
  std::optional<Value> ended(std::size_t level) const {
    const Result result = positions_[level].result;
    if (result == Result::ongoing) return std::nullopt;
    return worth_of(result, positions_[level].board.turn);
  }
  Value standing(std::size_t level) {
    Judged& known = judged_[key(level) % judged_.size()];
    if (known.key != key(level)) known = {key(level), judge(level)};
    return known.value;
  }
  std::uint64_t key(std::size_t level) const { return keys_[past_ + level]; }
  bool in_danger(std::size_t level) const { return danger_[level]; }

  // Whoever must capture cannot stand still.
  bool forced(std::size_t level) const {
    if (!outlook_.captures_forced) return false;
    MoveList moves;
    engines_[level].legal_moves(moves);
    return !moves.empty() && takes(positions_[level].board, moves[0]);
  }

  // Once before in this search, or twice in the game; or fifty moves without anything happening.
  bool repeated(std::size_t level) const {
    const Board& board = positions_[level].board;
    if (board.clock >= claim_clock && (!danger_[level] || engines_[level].has_legal_move()))
      return true;
    std::size_t back = past_ + level;
    std::size_t left = engines_[level].ruled() ? back : std::min<std::size_t>(board.clock, back);
    int before = 0;
    const std::uint64_t key = keys_[back];
    for (; left != 0; --left)
      if (keys_[--back] == key && (back >= past_ || ++before >= 2)) return true;
    return false;
  }

  // Not where having to move may be bad, or where a turn is more than a move.
  bool pass(std::size_t level) {
    const Board& board = positions_[level].board;
    if (!outlook_.one_move_each || !outlook_.royals_guarded || outlook_.material <= 0) return false;
    const Bitboard weak = board.of(chess::pawn) | board.of(king);
    if ((board.of(board.turn) & ~weak) == 0) return false;
    engines_[level + 1].follow_pass(engines_[level]);
    arrive(level + 1);
    return true;
  }

  Value stuck(std::size_t level) const {
    Position copy;
    engines_[level].copy_position(copy);
    Engine judge(engines_[level].book(), copy, engines_[level].ruled());
    judge.find_result(nullptr);
    return copy.result == Result::ongoing ? 0 : worth_of(copy.result, copy.board.turn);
  }

  bool sound(std::size_t level, MoveId move, Value loss) const {
    const Move made{move};
    if (!outlook_.fide_captures || made.kind() >= MoveKind::castling) return true;
    return exchange_holds(positions_[level].board, made, static_cast<int>(-loss));
  }

  bool play(std::size_t level, MoveId move) {
    if (!engines_[level + 1].follow(engines_[level], Move{move})) return false;
    arrive(level + 1);
    return true;
  }

  void list(std::size_t level, bool noisy_only, std::vector<Candidate>& out) const {
    MoveList moves;
    if (noisy_only)
      engines_[level].noisy_moves(moves);
    else
      engines_[level].legal_moves(moves);
    const Board& board = positions_[level].board;
    for (const Move move : moves) {
      if (takes(board, move)) {
        add_capture(board, move, noisy_only, out);
      } else if (move.promotion() != no_type && move.kind() == MoveKind::normal) {
        const Value value = value_of(move.promotion());
        if (value >= 800)
          out.push_back({move.bits, -1, 1'500'000 + value, value});
        else if (!noisy_only)
          out.push_back({move.bits, -1, -1'000'000 + value, 0});
      } else if (!noisy_only) {
        out.push_back({move.bits,
                       (board.turn * board_squares + move.from()) * board_squares + move.to(), 0,
                       0});
      }
    }
  }

 private:
  static Value worth_of(Result result, Side side) {
    if (result == Result::draw) return 0;
    return result == win_for(side) ? alphabeta::win : -alphabeta::win;
  }
  static bool takes(const Board& board, Move move) {
    return move.kind() == MoveKind::en_passant ||
           (move.kind() < MoveKind::castling && !board.empty(move.to()));
  }
  Value value_of(PieceType type) const { return engines_[0].book().type(type).value; }

  // What takes most with least comes first; what loses the exchange comes last.
  void add_capture(const Board& board, Move move, bool noisy_only,
                   std::vector<Candidate>& out) const {
    const bool passing = move.kind() == MoveKind::en_passant;
    const Value taken = passing ? pawn : value_of(board.type_on(move.to()));
    const Value raised = move.promotion() != no_type ? value_of(move.promotion()) : 0;
    const bool holds = !outlook_.fide_captures || exchange_holds(board, move);
    if (noisy_only && !holds) return;
    const Value order = 16 * (taken + raised) - value_of(board.type_on(move.from()));
    out.push_back({move.bits, -1, (holds ? 1'500'000 : -1'500'000) + order, taken + raised});
  }

  int judge(std::size_t level) {
    int out = known_worth(engines_[level], outlook_, pawns_.get());
    if constexpr (one_word)
      if (network_knows(engines_[level], outlook_)) {
        see(level);
        out += sights_[level].judge(positions_[level].board);
      }
    return out;
  }
  // What was seen a few moves before is nearly what is seen here.
  void see(std::size_t level) {
    const Board& board = positions_[level].board;
    std::size_t back = level;
    while (back > 0 && level - back < 6 && !seen_[back]) --back;
    if (seen_[back])
      sights_[level].look(board, positions_[back].board, sights_[back]);
    else
      sights_[level].look(board);
    seen_[level] = true;
  }

  void arrive(std::size_t level) {
    const Engine& engine = engines_[level];
    seen_[level] = false;
    keys_[past_ + level] = engine.key();
    danger_[level] = outlook_.royals_guarded && positions_[level].result == Result::ongoing &&
                     engine.in_check(engine.turn());
  }

  std::unique_ptr<Position[]> positions_;
  std::vector<Engine> engines_;
  std::vector<std::uint64_t> keys_;  // of the game so far, then of the levels
  std::size_t past_ = 0;
  std::array<bool, levels> danger_{};
  // What was judged before.
  struct Judged {
    std::uint64_t key = 0;
    int value = 0;
  };
  std::vector<Judged> judged_ = std::vector<Judged>(std::size_t{1} << 14);
  std::vector<Sight> sights_ = std::vector<Sight>(one_word ? levels : 0);
  std::array<bool, levels> seen_{};  // whose sight is that of the position
  std::unique_ptr<PawnTable> pawns_ = std::make_unique<PawnTable>();
  Outlook outlook_;
};

}  // namespace looking

namespace {

using alphabeta::MoveId;
using alphabeta::Value;

int score_of(Value value) {
  if (value >= alphabeta::decided) return static_cast<int>(mate_score - (alphabeta::win - value));
  if (value <= -alphabeta::decided) return static_cast<int>(-mate_score + (alphabeta::win + value));
  return static_cast<int>(std::clamp<Value>(value, 1 - mate_bound, mate_bound - 1));
}

SearchReport report_of(const alphabeta::Line& line, std::size_t rank) {
  SearchReport out;
  out.depth = line.depth;
  out.deepest = line.deepest;
  out.score = score_of(line.value);
  out.rank = rank;
  for (const MoveId move : line.moves) out.line.push_back(Move{move});
  return out;
}

}  // namespace

struct Analyst::Mind {
  explicit Mind(alphabeta::Table& table) : search(policy, table) {}
  looking::ChessPolicy policy;
  alphabeta::Search<looking::ChessPolicy> search;
};

Analyst::Analyst(std::size_t table_entries, std::size_t threads) : table_(table_entries) {
  set_threads(threads);
}
Analyst::~Analyst() = default;

void Analyst::set_table(std::size_t entries) {
  table_ = alphabeta::Table(entries);
}

void Analyst::set_threads(std::size_t count) {
  minds_.clear();
  for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i)
    minds_.push_back(std::make_unique<Mind>(table_));
}

void Analyst::forget() {
  table_.clear();
  for (const auto& mind : minds_) mind->search.forget();
}

SearchReport Analyst::think(const Engine& engine, std::span<const std::uint64_t> past,
                            const SearchLimits& limits, const Report& report, Rng* order) {
  MoveList legal;
  engine.legal_moves(legal);
  std::vector<alphabeta::MoveId> moves;
  for (const Move move : legal)
    if (limits.only.empty() || std::ranges::find(limits.only, move) != limits.only.end())
      moves.push_back(move.bits);
  if (moves.empty()) return {};
  if (order != nullptr)
    for (std::size_t i = moves.size() - 1; i > 0; --i)
      std::swap(moves[i], moves[order->below(static_cast<std::uint32_t>(i + 1))]);

  table_.begin_search();
  alphabeta::Watch done;  // tells the helpers that the answer is there
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < minds_.size(); ++i) {
    minds_[i]->policy.begin(engine, past);
    helpers.emplace_back([&, i] {
      alphabeta::Limits own;
      own.stagger = static_cast<int>(i % 2);
      own.watch = &done;
      minds_[i]->search.best(moves, own);
    });
  }
  Mind& mind = *minds_.front();
  mind.policy.begin(engine, past);
  alphabeta::Limits own{limits.depth, limits.nodes, limits.lines, limits.hurry, 0, limits.watch};
  const auto complete = [&](SearchReport out) {
    out.nodes = mind.search.nodes();
    out.permille_full = table_.permille_full();
    return out;
  };
  const alphabeta::Line& best =
      mind.search.run(moves, own, [&](const alphabeta::Line& line, std::size_t rank) {
        if (report) report(complete(report_of(line, rank)));
      });
  SearchReport out = complete(report_of(best, 0));
  done.stop();
  for (std::thread& helper : helpers) helper.join();
  return out;
}

SearchReport search(const Engine& engine, const SearchLimits& limits) {
  return Analyst(std::size_t{1} << 14).think(engine, {}, limits);
}

// ---- As an agent

namespace {

class ChessThinker final : public Thinker {
 public:
  ChessThinker(const ChessGame& game, std::size_t table_entries)
      : game_(game), analyst_(table_entries) {}

  void forget() override { analyst_.forget(); }
  Option think(const StateBlock& block, const ThinkingLimits& limits, Rng& rng) override {
    alphabeta::Watch watch(limits.wanted);
    if (limits.time.count() != 0) watch.allow(limits.time, limits.time);
    SearchLimits own;
    own.depth = limits.depth;
    own.nodes = limits.nodes;
    own.watch = &watch;
    own.hurry = true;
    const auto past = game_.history(block).past_hashes();
    const SearchReport found = analyst_.think(game_.engine(block), past, own, {}, &rng);
    // Whoever stands worse takes the draw.
    if (claimable(game_.position(block)) && (found.line.empty() || found.score < 0))
      return Option{Move::claim_draw().bits};
    return Option{found.line.empty() ? 0 : found.line.front().bits};
  }

 private:
  const ChessGame& game_;
  Analyst analyst_;
};

}  // namespace

std::unique_ptr<Thinker> ChessGame::thinker(std::size_t table_entries) const {
  return std::make_unique<ChessThinker>(*this, table_entries);
}

// ---- For those who do not know the board

namespace {

ReportOf<Option> as_options(const SearchReport& report) {
  ReportOf<Option> out{report.depth, report.deepest, report.score,
                       report.rank,  report.nodes,   report.permille_full};
  for (const Move move : report.line) out.line.push_back(Option{move.bits});
  return out;
}

class BoardAnalyst final : public AnyAnalyst {
 public:
  BoardAnalyst(std::size_t entries, std::size_t threads) : analyst_(entries, threads) {}

  void set_table(std::size_t entries) override { analyst_.set_table(entries); }
  void set_threads(std::size_t count) override { analyst_.set_threads(count); }
  void forget() override { analyst_.forget(); }
  ReportOf<Option> think(const State& state, const Limits& limits, const Report& report) override {
    const auto& game = static_cast<const ChessGame&>(state.game());
    SearchLimits own{limits.depth, limits.nodes, {}, limits.lines, limits.hurry, limits.watch};
    for (const Option option : limits.only)
      own.only.push_back(Move{static_cast<std::uint32_t>(option.id)});
    const auto past = game.history(state.block()).past_hashes();
    return as_options(
        analyst_.think(game.engine(state.block()), past, own,
                       [&](const SearchReport& found) { report(as_options(found)); }));
  }

 private:
  Analyst analyst_;
};

}  // namespace

std::unique_ptr<AnyAnalyst> ChessGame::analyst(std::size_t entries, std::size_t threads) const {
  return std::make_unique<BoardAnalyst>(entries, threads);
}

}  // namespace parlor::chess::inline PARLOR_BOARD
