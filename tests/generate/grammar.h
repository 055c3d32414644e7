// The walk over the grammar: reads a gene, writes nodes. Names in scope are kept by what they hold,
// so every node refers only to what exists and has the right type.
#pragma once

#include "generate/nodes.h"
#include "generate/random_game.h"

namespace parlor::generate {

// What every random game has. Names are fixed, so genes can refer to them.
struct World {
  int players = 2;
  std::vector<std::string> cells;  // full ids of board zones
  bool second_phase = false;
  bool interrupt = false;
  bool faulty = false;  // rules may go wrong: divide by zero, ask a card for its owner
};

struct Scope {
  std::vector<std::string> ints, players, zones, tokens, token_lists, zone_lists;
};

class Grammar {
 public:
  Grammar(const World& world, const Gene& gene) : world_(world), gene_(gene) {}

  std::uint32_t below(std::uint32_t n);  // 0 when the gene is used up
  bool chance(std::uint32_t n) { return below(n) == n - 1; }
  bool exhausted() const { return at_ >= gene_.size(); }
  std::string fresh() { return "$b" + std::to_string(names_++); }

  Value integer(const Scope& scope, int depth = 3);
  Condition condition(const Scope& scope, int depth = 3);
  PlayerSel one_player(const Scope& scope);
  ZoneSel any_zone(const Scope& scope);    // one zone
  ZoneSel board_zone(const Scope& scope);  // one zone of the board
  Query zones(const Scope& scope, int depth = 2);
  Query tokens(const Scope& scope, int depth = 2);
  Query ints(const Scope& scope);
  Query players(const Scope& scope);
  TokenFilter filter(const Scope& scope, int depth = 2);

  // Effects that may ask (actions), or that never do (everything that runs on its own). Those that
  // do not ask fail only in games that are `faulty`.
  enum class Where { action, quiet };
  Effects effects(Scope& scope, Where where, int depth = 2);

 private:
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }
  Value aggregate(const Scope& scope, int depth);
  Value way_or_index(const Scope& scope, int depth);
  DirectionSel some_directions();
  void quiet_effect(Effects& out, Scope& scope);
  void token_effect(Effects& out, Scope& scope);
  void control_effect(Effects& out, Scope& scope, Where where, int depth);
  void choice_effect(Effects& out, Scope& scope, int depth);
  void turn_effect(Effects& out, Scope& scope);

  const World& world_;
  const Gene& gene_;
  std::size_t at_ = 0;
  int names_ = 0;
};

}  // namespace parlor::generate
