#include "spec/lower/tallies.h"

#include <algorithm>

namespace parlor::spec::lower {
namespace {

ZoneSel exactly(const std::string& zone) {
  ZoneSel out;
  out.text = zone;
  return out;
}

}  // namespace

// Halves, so that a map of any size is no deeper than its logarithm.
Value Tallies::sum(std::vector<Value> parts) const {
  if (parts.empty()) return of(Int{0});
  while (parts.size() > 1) {
    std::vector<Value> pairs;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
      pairs.push_back(of(Arith{ArithOp::add, std::move(parts[i]), std::move(parts[i + 1])}));
    if (parts.size() % 2 != 0) pairs.push_back(std::move(parts.back()));
    parts = std::move(pairs);
  }
  return std::move(parts.front());
}

Value Tallies::marker_total(const std::vector<Weight>& zones, const MarkerStates& of_marker) const {
  std::vector<Value> parts;
  for (const auto& [zone, weight] : zones) {
    const auto is = [&](const std::string& state) {
      return of(Compare{CompareOp::equal, of(MarkerStateRef{exactly(zone), of_marker.marker}),
                        of(std::string{state})});
    };
    parts.push_back(of(IfValue{is(of_marker.states.active), of(2 * weight),
                               of(IfValue{is(of_marker.states.passive), of(weight), of(Int{0})})}));
  }
  return sum(std::move(parts));
}

TokenFilter Tallies::test(TokenTest::Field field, std::string prop,
                          std::vector<std::string> in) const {
  ListLiteral list;
  for (std::string& item : in) list.items.emplace_back(std::move(item));
  TokenFilter out;
  out.test = {field, std::move(prop), FilterOp::in, of(std::move(list))};
  out.at = at_;
  return out;
}

std::vector<TokenFilter> Tallies::of_seats(const SeatTokens& whose) const {
  std::vector<std::string> types;
  for (const TokenTypeDef& type : game_.token_types)
    if (std::ranges::find(whose.seats, type.seat) != whose.seats.end() &&
        std::ranges::find(type.props, whose.prop, &PropDef::name) == type.props.end())
      types.push_back(type.id);
  TokenFilter out = test(TokenTest::Field::prop, whose.prop, whose.seats);
  if (!types.empty()) {
    TokenFilter either;
    either.kind = TokenFilter::Kind::any_of;
    either.args = {std::move(out), test(TokenTest::Field::token_type, {}, std::move(types))};
    either.at = at_;
    out = std::move(either);
  }
  return {std::move(out)};
}

Value Tallies::count(const std::string& zone, std::vector<TokenFilter> filter) const {
  Aggregate out;
  out.query = Query{TokensInZoneQuery{exactly(zone), std::move(filter)}, at_};
  return of(std::move(out));
}

Condition Tallies::controlled(const std::string& zone, const Control& control) const {
  const Value mine = count(zone, of_seats(control.mine));
  const Value theirs = control.against_all ? of(Arith{ArithOp::subtract, count(zone, {}), mine})
                                           : count(zone, of_seats(control.theirs));
  Condition more = of(Compare{CompareOp::greater, mine, theirs});
  if (control.blocked_by.empty()) return more;
  Condition free = of(Compare{
      CompareOp::equal, count(zone, {test(TokenTest::Field::token_type, {}, control.blocked_by)}),
      of(Int{0})});
  AllOf both;
  both.args = {std::move(free), std::move(more)};
  return of(std::move(both));
}

Value Tallies::controlled_total(const std::vector<Weight>& zones, const Control& control) const {
  std::vector<Value> parts;
  for (const auto& [zone, weight] : zones)
    parts.push_back(of(IfValue{controlled(zone, control), of(weight), of(Int{0})}));
  return sum(std::move(parts));
}

Value Tallies::token_count(const std::vector<std::string>& zones,
                           const std::vector<std::string>& types, const SeatTokens& whose) const {
  TokenFilter all;
  all.kind = TokenFilter::Kind::all_of;
  all.at = at_;
  if (!types.empty()) all.args.push_back(test(TokenTest::Field::token_type, {}, types));
  if (!whose.seats.empty()) all.args.push_back(of_seats(whose).front());
  std::vector<TokenFilter> filter;
  if (!all.args.empty()) filter.push_back(std::move(all));
  std::vector<Value> parts;
  for (const std::string& zone : zones) parts.push_back(count(zone, filter));
  return sum(std::move(parts));
}

}  // namespace parlor::spec::lower
