// Random play with random sets of presets that go together (C-63).
#include <algorithm>
#include <bit>
#include <rapidcheck.h>

#include "chess_table.h"

namespace parlor::chess {
namespace {

std::vector<std::string> all_ids() {
  std::vector<std::string> out;
  for (const auto& module : standard_rulebook().registry().get_all()) out.push_back(module.id);
  return out;
}

bool compatible(const std::vector<rules::Activation>& set) {
  return standard_rulebook().registry().check(set).empty();
}

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
  std::string names;
  for (const rules::Activation& rule : set) names += rules::to_text(rule, seat_names()) + " ";
  SCOPED_TRACE(names);
  const auto hashes = play(**game, seed, plies, true);
  ASSERT_EQ(play(**game, seed, plies, false), hashes) << "same seed, same game";
}

TEST(SlowProperty, AllCompatiblePairs) {
  const auto ids = all_ids();
  int pairs = 0;
  for (std::size_t a = 0; a < ids.size(); ++a)
    for (std::size_t b = a; b < ids.size(); ++b) {
      std::vector<rules::Activation> set{{ids[a]}};
      if (a != b) set.push_back({ids[b]});
      if (!compatible(set)) {
        set.push_back({"piece-hp"});
        if (!compatible(set)) continue;
      }
      ++pairs;
      check(set, a * 100 + b, 24);
      if (testing::Test::HasFatalFailure()) return;
    }
  EXPECT_GT(pairs, 300);
}

TEST(Property, RandomSetsWithScopesAndDurations) {
  const auto ids = all_ids();
  EXPECT_TRUE(rc::check("random compatible sets play soundly", [&](std::uint64_t seed) {
    Rng rng{seed};
    std::vector<rules::Activation> set;
    const std::size_t wanted = 2 + rng.below(7);
    for (std::size_t tries = 0; tries < 40 && set.size() < wanted; ++tries) {
      rules::Activation next{ids[rng.below(ids.size())]};
      if (rng.below(4) == 0) next.scope.seats = static_cast<std::uint16_t>(1 + rng.below(2));
      if (rng.below(4) == 0) next.turns = static_cast<std::uint32_t>(1 + rng.below(20));
      set.push_back(next);
      if (!compatible(set)) set.pop_back();
    }
    check(set, seed, 40);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

}  // namespace
}  // namespace parlor::chess
