#include "spec/gamedef/ranges.h"

#include <algorithm>

namespace parlor::spec {
namespace {

template <class... Fs>
struct RangeCases : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
RangeCases(Fs...) -> RangeCases<Fs...>;

constexpr Range nothing_known{};
constexpr Range a_count{0, Range::endless, false};

Int cut(Int n) {
  return std::clamp(n, -Range::endless, Range::endless);
}

bool is_endless(Int n) {
  return n <= -Range::endless || n >= Range::endless;
}

// Both bounds are within 53 bits, so neither sums nor products of halves overflow.
Int times(Int a, Int b) {
  if (a == 0 || b == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  if (is_endless(a) || is_endless(b) || std::abs(a) > Range::endless / std::abs(b))
    return negative ? -Range::endless : Range::endless;
  return a * b;
}

Range either_range(Range a, Range b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), !a.has_zero() && !b.has_zero()};
}

Range both_ranges(Range a, Range b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high), a.without_zero || b.without_zero};
}

// Made of bindings and numbers alone: no change of the state makes it another.
bool lasts(const Value& value) {
  if (const auto* arith = std::get_if<Arith>(&value.node))
    return lasts(*arith->left) && lasts(*arith->right);
  return std::holds_alternative<BindingRef>(value.node) || std::holds_alternative<Int>(value.node);
}

bool names_binding(const Value& value, const std::string& binding) {
  if (const auto* ref = std::get_if<BindingRef>(&value.node)) return ref->name == binding;
  if (const auto* arith = std::get_if<Arith>(&value.node))
    return names_binding(*arith->left, binding) || names_binding(*arith->right, binding);
  return !std::holds_alternative<Int>(value.node) && !std::holds_alternative<GvarRef>(value.node);
}

CompareOp turned(CompareOp op) {
  switch (op) {
    case CompareOp::less:
      return CompareOp::greater;
    case CompareOp::less_equal:
      return CompareOp::greater_equal;
    case CompareOp::greater:
      return CompareOp::less;
    case CompareOp::greater_equal:
      return CompareOp::less_equal;
    default:
      return op;
  }
}

CompareOp denied(CompareOp op) {
  switch (op) {
    case CompareOp::equal:
      return CompareOp::not_equal;
    case CompareOp::not_equal:
      return CompareOp::equal;
    case CompareOp::less:
      return CompareOp::greater_equal;
    case CompareOp::less_equal:
      return CompareOp::greater;
    case CompareOp::greater:
      return CompareOp::less_equal;
    case CompareOp::greater_equal:
      return CompareOp::less;
  }
  return op;
}

// What a number is that stands in this relation to one of these.
Range in_relation(CompareOp op, Range with) {
  switch (op) {
    case CompareOp::equal:
      return with;
    case CompareOp::not_equal:
      return {-Range::endless, Range::endless, with.low == 0 && with.high == 0};
    case CompareOp::less:
      return {-Range::endless, is_endless(with.high) ? with.high : with.high - 1};
    case CompareOp::less_equal:
      return {-Range::endless, with.high};
    case CompareOp::greater:
      return {is_endless(with.low) ? with.low : with.low + 1, Range::endless};
    case CompareOp::greater_equal:
      return {with.low, Range::endless};
  }
  return nothing_known;
}

}  // namespace

Range Known::var_range(const std::vector<VarDef>& vars, const Name& name) const {
  const auto var = std::ranges::find(vars, name.text, &VarDef::name);
  if (name.kind != Name::Kind::literal || var == vars.end()) return nothing_known;
  return {var->min, var->max};
}

Range Known::attribute_range(const std::string& name) const {
  std::optional<Range> out;
  for (const ZoneDef& zone : game_->zones)
    for (const Attribute& attribute : zone.attributes) {
      if (attribute.name != name) continue;
      const auto* n = std::get_if<Int>(&attribute.value);
      if (n == nullptr) return nothing_known;
      out = out ? either_range(*out, Range{*n, *n}) : Range{*n, *n};
    }
  return out.value_or(nothing_known);
}

Range Known::column_range(const AssetFieldRef& field) const {
  const auto table = std::ranges::find(game_->tables, field.table, &TableDef::id);
  if (table == game_->tables.end()) return nothing_known;
  const auto column = std::ranges::find(table->columns, field.field, &PropDef::name);
  const auto index = static_cast<std::size_t>(column - table->columns.begin());
  std::optional<Range> out;
  for (const auto& row : table->rows) {
    const auto* n = index < row.size() ? std::get_if<Int>(&row[index]) : nullptr;
    if (n == nullptr) return nothing_known;
    out = out ? either_range(*out, Range{*n, *n}) : Range{*n, *n};
  }
  return out.value_or(nothing_known);
}

Range Known::clock_range(const std::string& field) const {
  if (field == "playerCount") return {game_->metadata.min_players, game_->metadata.max_players};
  if (field == "roundStartPlayer") return {0, game_->metadata.max_players - 1};
  return {field == "turnInRound" ? 1 : 0, Range::endless};
}

Range Known::arithmetic(const Arith& arith) const {
  const Range a = range(*arith.left), b = range(*arith.right);
  switch (arith.op) {
    case ArithOp::add:
      return {cut(a.low + b.low), cut(a.high + b.high)};
    case ArithOp::subtract:
      return {cut(a.low - b.high), cut(a.high - b.low)};
    case ArithOp::multiply: {
      const auto [low, high] = std::minmax(
          {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
      return {low, high, !a.has_zero() && !b.has_zero()};
    }
    case ArithOp::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high), !a.has_zero() && !b.has_zero()};
    case ArithOp::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high), !a.has_zero() && !b.has_zero()};
    case ArithOp::divide:
    case ArithOp::floor_div:
    case ArithOp::ceil_div:
    case ArithOp::modulo:
      // Of numbers that are not negative: no larger than what is divided.
      if (a.low >= 0 && b.low >= 0) return {0, a.high};
      return nothing_known;
  }
  return nothing_known;
}

Range Known::plain_range(const Value& value) const {
  return std::visit(
      RangeCases{
          [](Int n) {
            return Range{n, n};
          },
          [&](const GvarRef& ref) { return var_range(game_->global_vars, ref.var); },
          [&](const PvarRef& ref) { return var_range(game_->per_player_vars, ref.var); },
          [&](const ZoneVarRef& ref) { return var_range(game_->zone_vars, ref.var); },
          [](const ZoneCountRef&) { return a_count; },
          [&](const ZonePropRef& ref) { return attribute_range(ref.prop); },
          [&](const BindingRef& ref) {
            const auto known = bindings_.find(ref.name);
            return known == bindings_.end() ? nothing_known : known->second;
          },
          [&](const AssetFieldRef& ref) { return column_range(ref); },
          [&](const ActivePlayerRef&) { return clock_range("roundStartPlayer"); },
          [&](const PlayerRef&) { return clock_range("roundStartPlayer"); },
          [&](const ClockRef& ref) { return clock_range(ref.field); },
          [&](const Arith& arith) { return arithmetic(arith); },
          [&](const Aggregate& aggregate) {
            if (aggregate.op == AggregateOp::count) return a_count;
            Known inside = *this;
            inside.bind(aggregate.bind, item_range(*aggregate.query));
            const Range item = inside.range(aggregate.value.at(0));
            if (aggregate.op == AggregateOp::sum)
              return Range{item.low < 0 ? -Range::endless : 0, item.high > 0 ? Range::endless : 0};
            return either_range(item, Range{0, 0});  // of nothing it is 0
          },
          [&](const ItemOf& item) { return item_range(*item.query); },
          [](const RankOf&) {
            return Range{1, Range::endless};
          },
          [&](const IfValue& choice) {
            Known yes = *this, no = *this;
            yes.assume(*choice.when, true);
            no.assume(*choice.when, false);
            return either_range(yes.range(*choice.then), no.range(*choice.otherwise));
          },
          [](const auto&) { return nothing_known; },
      },
      value.node);
}

Range Known::range(const Value& value) const {
  Range out = plain_range(value);
  for (const Fact& fact : facts_)
    if (*fact.value == value) out = both_ranges(out, fact.range);
  // A bound of zero that is not reached moves by one.
  if (out.without_zero && out.low == 0) out.low = 1;
  if (out.without_zero && out.high == 0) out.high = -1;
  return out;
}

Range Known::item_range(const Query& query) const {
  return std::visit(RangeCases{
                        [&](const PlayersQuery&) { return clock_range("roundStartPlayer"); },
                        [&](const IntsInRangeQuery& ints) {
                          Range out{range(*ints.min).low, range(*ints.max).high};
                          for (const Value& also : ints.always_include)
                            out = either_range(out, range(also));
                          return out;
                        },
                        [&](const IntsInVarRangeQuery& ints) {
                          return var_range(
                              ints.per_player ? game_->per_player_vars : game_->global_vars,
                              ints.var);
                        },
                        [&](const FilterQuery& filter) {
                          Known inside = *this;
                          inside.bind(filter.bind, item_range(*filter.source));
                          inside.assume(filter.where, true);
                          return inside.range(Value{BindingRef{filter.bind}, {}});
                        },
                        [&](const SortQuery& sort) { return item_range(*sort.source); },
                        [&](const MapQuery& map) {
                          Known inside = *this;
                          inside.bind(map.bind, item_range(*map.source));
                          return inside.range(map.value);
                        },
                        [](const auto&) { return nothing_known; },
                    },
                    query.node);
}

void Known::bind(const std::string& name, Range range) {
  forget(name);
  if (!name.empty() && name.find('{') == std::string::npos) bindings_[name] = range;
}

void Known::forget(const std::string& name) {
  bindings_.erase(name);
  std::erase_if(facts_, [&](const Fact& fact) { return names_binding(*fact.value, name); });
}

void Known::state_changed() {
  std::erase_if(facts_, [](const Fact& fact) { return !lasts(*fact.value); });
}

void Known::compare(const Value& value, CompareOp op, Range with) {
  if (!std::holds_alternative<Int>(value.node)) facts_.push_back({&value, in_relation(op, with)});
}

void Known::assume(const Condition& condition, bool holds) {
  if (const auto* all = std::get_if<AllOf>(&condition.node); all != nullptr && holds) {
    for (const Condition& part : all->args) assume(part, true);
  } else if (const auto* any = std::get_if<AnyOf>(&condition.node); any != nullptr && !holds) {
    for (const Condition& part : any->args) assume(part, false);
  } else if (const auto* no = std::get_if<Not>(&condition.node)) {
    assume(*no->arg, !holds);
  } else if (const auto* relation = std::get_if<Compare>(&condition.node)) {
    const CompareOp op = holds ? relation->op : denied(relation->op);
    const Range left = range(relation->left), right = range(relation->right);
    compare(relation->left, op, right);
    compare(relation->right, turned(op), left);
  }
}

}  // namespace parlor::spec
