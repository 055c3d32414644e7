// Sums over the map that the language has names for (section 22), as ordinary values.
#pragma once

#include "spec/gamedef/authored.h"

namespace parlor::spec::lower {

// A zone and what it weighs, an attribute of it.
struct Weight {
  std::string zone;  // full id
  Int weight = 0;
};
// Which tokens of a zone belong to somebody: those whose property names one of the seats, or whose
// type does where it has no such property.
struct SeatTokens {
  std::vector<std::string> seats;
  std::string prop;
};
// Who controls a zone: who has more tokens there than `theirs`, or than everybody else.
struct Control {
  SeatTokens mine, theirs;
  bool against_all = false;
  std::vector<std::string> blocked_by;  // token types; a zone with one of them is nobody's
};
struct MarkerStates {
  std::string marker;
  MarkerConfig states;
};

class Tallies {
 public:
  Tallies(const GameDef& game, PlaceId at) : game_(game), at_(at) {}

  // Twice the weight where the marker is active, once where it is passive.
  Value marker_total(const std::vector<Weight>& zones, const MarkerStates& states) const;
  // The weight of all zones that are controlled.
  Value controlled_total(const std::vector<Weight>& zones, const Control& control) const;
  // How many tokens of these types (none: any) and these seats (none: any) are in the zones.
  Value token_count(const std::vector<std::string>& zones, const std::vector<std::string>& types,
                    const SeatTokens& whose) const;
  Value sum(std::vector<Value> parts) const;
  Value variable(Name var) const { return of(GvarRef{std::move(var)}); }

 private:
  Value of(ValueNode node) const { return {std::move(node), at_}; }
  Condition of(ConditionNode node) const { return {std::move(node), at_}; }
  TokenFilter test(TokenTest::Field field, std::string prop, std::vector<std::string> in) const;
  std::vector<TokenFilter> of_seats(const SeatTokens& whose) const;
  Value count(const std::string& zone, std::vector<TokenFilter> filter) const;
  Condition controlled(const std::string& zone, const Control& control) const;

  const GameDef& game_;
  PlaceId at_;
};

}  // namespace parlor::spec::lower
