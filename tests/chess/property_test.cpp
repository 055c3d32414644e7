// Random play with random sets of presets that go together (C-63).
#include <algorithm>
#include <bit>
#include <rapidcheck.h>

#include "chess_table.h"
#include "rule_sets.h"

namespace parlor::chess {
namespace {

void check_attributes(const Engine& engine) {
  for (const Square square : squares_of(engine.board().occupied())) {
    const Piece piece = engine.piece_at(square);
    for (std::size_t column = 0; column < engine.book().attributes().size(); ++column) {
      if (!engine.has_attribute(piece, column)) continue;
      const Attribute& bounds = engine.book().attributes()[column];
      ASSERT_GE(engine.attribute(piece, column), bounds.low);
      ASSERT_LE(engine.attribute(piece, column), bounds.high);
    }
  }
}

// The board's four ways of saying the same thing agree, and so do the entities (C-01).
void check_consistency(const Position& p) {
  Bitboard all = 0;
  for (Square square = 0; square < 64; ++square) {
    const PieceCode code = p.board.piece_on[square];
    ASSERT_EQ(code != 0, has(p.board.occupied(), square));
    if (code == 0) continue;
    all |= bit(square);
    ASSERT_TRUE(has(p.board.of(side_of(code), type_of(code)), square));
    ASSERT_EQ(p.square_of[p.slot_on[square]], square);
    ASSERT_NE(p.id_of[p.slot_on[square]], 0);
  }
  ASSERT_EQ(p.board.of(white) | p.board.of(black), all);
  ASSERT_EQ(std::ranges::count_if(p.id_of, [](EntityId id) { return id != 0; }),
            std::popcount(all));
}

std::vector<std::uint64_t> play(const ChessGame& game, std::uint64_t seed, int plies, bool look) {
  State state = game.start(seed).value();
  Rng rng{seed};
  OptionList options;
  std::vector<std::uint64_t> hashes;
  for (int ply = 0; ply < plies && !state.finished(); ++ply) {
    state.list_options(options);
    EXPECT_FALSE(options.empty());
    if (options.empty()) break;
    if (look && ply % 7 == 3) {
      State copy = state;
      EXPECT_FALSE(copy.try_apply(Option{Move{0, 0}.bits}));  // nobody stays where they are
      EXPECT_TRUE(copy == state);
    }
    const auto done = state.apply(options[rng.below(options.size())]);
    EXPECT_TRUE(done) << done.error().message;
    hashes.push_back(state.hash());
    if (look) {
      check_attributes(game.engine(state.block()));
      check_consistency(game.position(state.block()));
    }
  }
  if (look) {
    const auto loaded = game.load(state.save());
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (loaded) {
      EXPECT_TRUE(*loaded == state);
    }
  }
  return hashes;
}

void check(const std::vector<rules::Activation>& set, std::uint64_t seed, int plies) {
  ChessConfig config;
  config.rules = set;
  const auto game = ChessGame::open(std::move(config));
  ASSERT_TRUE(game);
  SCOPED_TRACE(names_of(set));
  const auto hashes = play(**game, seed, plies, true);
  ASSERT_EQ(play(**game, seed, plies, false), hashes) << "same seed, same game";
}

TEST(SlowProperty, AllCompatiblePairs) {
  const auto pairs = all_pairs();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    check(pairs[i], i, 24);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(pairs.size(), 300u);
}

TEST(Property, RandomSetsWithScopesAndDurations) {
  EXPECT_TRUE(rc::check("random compatible sets play soundly", [&](std::uint64_t seed) {
    Rng rng{seed};
    check(random_rules(rng, 2 + rng.below(7)), seed, 40);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

// Positions random play reaches with these rules, one after the other.
template <class Visit>
void wander(const ChessGame& game, std::uint64_t seed, int plies, Visit visit) {
  State state = game.start(seed).value();
  Rng rng{seed};
  OptionList options;
  for (int ply = 0; ply < plies && !state.finished(); ++ply) {
    visit(state);
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[rng.below(options.size())]));
  }
}

// Much to capture, castle and promote.
const std::vector<std::string> busy{
    "", "r3k2r/P1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/pPPBBPPP/1R2K2R w Kkq - 0 1",
    "4k3/1P4P1/8/2pP4/8/8/p5p1/4K3 w - c6 0 1",
    "8/5n2/2qk1p2/2p1r3/2bR1P2/2N1K1Q1/1B6/8 w - - 0 1"};

// What is counted is what is listed, and what is counted two moves deep is what one finds move by
// move.
void count_and_list(const std::vector<rules::Activation>& set, std::uint64_t seed, int plies) {
  SCOPED_TRACE(names_of(set));
  const auto game = open_with(set, busy[seed % busy.size()]);
  wander(*game, seed, plies, [&](const State& state) {
    const Engine engine = game->engine(state.block());
    MoveList moves;
    engine.legal_moves(moves);
    ASSERT_EQ(engine.count_legal_moves(), moves.size()) << state.describe();
    ASSERT_EQ(engine.perft(1), moves.size()) << state.describe();
    std::uint64_t below = 0;
    for (const auto& [move, nodes] : engine.divide(2)) below += nodes;
    ASSERT_EQ(engine.perft(2), below) << state.describe();
  });
}

TEST(Property, CountAndListAgreeForEveryRuleSet) {  // C-70
  const auto ids = all_rule_ids();
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t round = 0; round < busy.size(); ++round) {
      std::vector<rules::Activation> set{{ids[i]}};
      if (!compatible(set)) set.push_back({"piece-hp"});
      count_and_list(set, busy.size() * i + round, 16);
      if (testing::Test::HasFatalFailure()) return;
    }
  EXPECT_TRUE(rc::check("for random sets too", [&](std::uint64_t seed) {
    Rng rng{seed};
    count_and_list(random_rules(rng, 2 + rng.below(5)), seed, 12);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(SlowProperty, CountAndListAgreeForEveryPair) {  // C-70
  std::uint64_t seed = 0;
  for (const auto& set : all_pairs()) {
    count_and_list(set, ++seed, 10);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Everything that can be told of a state but the order of the rules. (Where two rules say at the
// same moment how the game ended, the first in the list is right: docs/house-rules.md.)
std::string told(const ChessGame& game, const State& state) {
  const Engine engine = game.engine(state.block());
  std::vector<std::string> moves;
  OptionList options;
  state.list_options(options);
  for (const Option option : options) moves.push_back(state.option_text(option));
  std::ranges::sort(moves);
  std::string out = to_fen(engine.board(), game.book());
  for (const std::string& move : moves) out += " " + move;
  for (const Fact& fact : engine.all_facts())
    out += " " + std::to_string(fact.id) + std::string(fact.attribute) + std::to_string(fact.value);
  return out;
}

// The same game with the rules in both orders.
void compare_orders(std::vector<rules::Activation> set, std::uint64_t seed, int plies) {
  SCOPED_TRACE(names_of(set));
  const std::string& fen = busy[seed % busy.size()];
  const auto game = open_with(set, fen);
  std::ranges::reverse(set);
  const auto other = open_with(set, fen);
  State twin = other->start(seed).value();
  State state = game->start(seed).value();
  Rng rng{seed};
  OptionList options;
  for (int ply = 0; ply < plies; ++ply) {
    ASSERT_EQ(told(*game, state), told(*other, twin)) << state.describe();
    ASSERT_EQ(state.finished(), twin.finished());
    if (state.finished()) break;
    state.list_options(options);
    const std::string move = state.option_text(options[rng.below(options.size())]);
    ASSERT_TRUE(state.apply(find_option(state, move).value()));
    ASSERT_TRUE(twin.apply(find_option(twin, move).value()));
  }
}

TEST(Property, TheOrderOfRulesNeverChangesWhatTheyMean) {  // C-71
  std::uint64_t seed = 0;
  for (const auto& set : all_pairs())
    for (std::size_t round = 0; round < busy.size(); ++round) {
      compare_orders(set, ++seed, 12);
      if (testing::Test::HasFatalFailure()) return;
    }
  EXPECT_TRUE(rc::check("for random sets too", [&](std::uint64_t random) {
    Rng rng{random};
    compare_orders(random_rules(rng, 2 + rng.below(5)), random, 30);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

}  // namespace
}  // namespace parlor::chess
