// What is known of zones and numbers: which zones a name can stand for, how much a value is at
// least and at most, and from that whether a token that arrives somewhere has room.
#include <algorithm>

#include "kernel/link/known.h"
#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;

// ---- Zones

std::vector<ZoneId> Known::zones_from(const ZonesQuery& query) const {
  const Program& p = kinds_->program();
  std::vector<ZoneId> out;
  if (!query.owner.empty()) return out;
  for (const ZoneId z : p.zones.ids()) {
    const bool board = p.zones[z].kind == ZoneKind::board;
    if (p.zones[z].internal || (query.board_only && !board)) continue;
    if (!query.zone_kind.empty() && (query.zone_kind == "board") != board) continue;
    out.push_back(z);
  }
  return out;
}

Known::OfZone Known::of_zone(const spec::Value& value, const std::string& name, ZoneId zone) const {
  if (const auto known = literal(value)) {
    const auto* text = std::get_if<std::string>(&*known);
    return text != nullptr && text->starts_with('$') ? OfZone{} : OfZone{known};
  }
  const auto* ref = std::get_if<ZonePropRef>(&value.node);
  if (ref == nullptr || ref->zone.text != name) return {};
  const Program& p = kinds_->program();
  const ZoneInfo& info = p.zones[zone];
  const ZoneDef& def = p.def.zones[info.base];
  const std::optional<Scalar> lacking;
  if (ref->prop == "id") return Scalar{info.id};
  if (ref->prop == "category") return def.category.empty() ? lacking : Scalar{def.category};
  const auto attribute = std::ranges::find(def.attributes, ref->prop, &Attribute::name);
  if (attribute == def.attributes.end()) return lacking;
  return std::visit(overloaded{[](const std::vector<std::string>&) { return OfZone{}; },
                               [](const auto& has) { return OfZone{Scalar{has}}; }},
                    attribute->value);
}

namespace {

std::optional<bool> compared(CompareOp op, const Scalar& a, const Scalar& b) {
  if (a.index() != b.index()) return std::nullopt;
  if (std::holds_alternative<Int>(a)) return spec::holds(op, std::get<Int>(a), std::get<Int>(b));
  if (op != CompareOp::equal && op != CompareOp::not_equal) return std::nullopt;
  return (a == b) == (op == CompareOp::equal);
}

}  // namespace

// Whether a condition holds of the zone that is called so, as far as that never changes.
std::optional<bool> Known::decided(const Condition& condition, const std::string& name,
                                   ZoneId zone) const {
  const auto among = [&](const std::vector<Condition>& args, bool enough) {
    std::optional<bool> out = !enough;
    for (const Condition& arg : args) {
      const auto one = decided(arg, name, zone);
      if (one == enough) return one;
      if (!one) out.reset();
    }
    return out;
  };
  if (const auto* truth = std::get_if<bool>(&condition.node)) return *truth;
  if (const auto* all = std::get_if<AllOf>(&condition.node)) return among(all->args, false);
  if (const auto* any = std::get_if<AnyOf>(&condition.node)) return among(any->args, true);
  if (const auto* no = std::get_if<Not>(&condition.node)) {
    const auto inner = decided(*no->arg, name, zone);
    return inner ? std::optional<bool>(!*inner) : std::nullopt;
  }
  if (const auto* in = std::get_if<In>(&condition.node)) {
    const auto* set = std::get_if<ListLiteral>(&in->set.node);
    const OfZone item = of_zone(in->item, name, zone);
    if (set == nullptr || !item) return std::nullopt;
    return *item && std::ranges::find(set->items, **item) != set->items.end();
  }
  const auto* compare = std::get_if<Compare>(&condition.node);
  if (compare == nullptr) return std::nullopt;
  const OfZone left = of_zone(compare->left, name, zone),
               right = of_zone(compare->right, name, zone);
  if (!left || !right) return std::nullopt;
  return *left && *right ? compared(compare->op, **left, **right) : false;
}

bool Known::some_zone_satisfies(const Query& query) const {
  const Query* source = &query;
  while (const auto* filter = std::get_if<FilterQuery>(&source->node)) source = &*filter->source;
  const auto* zones = std::get_if<ZonesQuery>(&source->node);
  if (zones == nullptr) return false;
  const Some wanted = results_of(query);
  // What could not be said of a zone by another name is still there.
  const auto* left = std::get_if<ZonesQuery>(&wanted.of.node);
  if (left == nullptr || !left->condition.empty()) return false;
  return wanted.whole && std::ranges::any_of(zones_from(*zones), [&](ZoneId zone) {
           return std::ranges::all_of(wanted.where, [&](const Condition& condition) {
             return decided(condition, "$#", zone).value_or(false);
           });
         });
}

std::optional<Known::Pattern> Known::pattern_of(const spec::Value& value) const {
  const auto* text = std::get_if<std::string>(&value.node);
  if (text != nullptr) return Pattern{*text, *text};
  if (const auto* name = std::get_if<BindingRef>(&value.node)) {
    const auto known = texts_.find(name->name);
    return known == texts_.end() ? std::nullopt : std::optional(known->second);
  }
  const auto* joined = std::get_if<ConcatValue>(&value.node);
  if (joined == nullptr || joined->parts.size() < 2) return std::nullopt;
  Pattern out;
  if (const auto* first = std::get_if<std::string>(&joined->parts.front().node)) out.first = *first;
  if (const auto* last = std::get_if<std::string>(&joined->parts.back().node)) out.last = *last;
  return out;
}

// The zones that it can be.
Table<ZoneId, bool> Known::zones_of(const ZoneSel& zone) const {
  const Program& p = kinds_->program();
  Table<ZoneId, bool> out(p.zones.size(), true);
  const auto only = [&](const auto& may_be) {
    for (const ZoneId z : out.ids()) out[z] = may_be(z);
  };
  if (zone.kind == ZoneSel::Kind::exact) {
    only([&](ZoneId z) { return p.zones[z].id == zone.text; });
    return out;
  }
  if (zone.kind == ZoneSel::Kind::owned) {
    only([&](ZoneId z) { return p.bases[p.zones[z].base].name == zone.text; });
    return out;
  }
  std::optional<Pattern> pattern;
  if (zone.kind == ZoneSel::Kind::expression) pattern = pattern_of(zone.expr.front());
  if (zone.kind == ZoneSel::Kind::binding) {
    if (const auto known = texts_.find(zone.text); known != texts_.end()) pattern = known->second;
    only([&](ZoneId z) {
      return std::ranges::none_of(facts_, [&](const Fact& fact) {
        return !decided(fact.says, zone.text, z).value_or(true);
      });
    });
  }
  // What ends otherwise may be a selector.
  if (pattern && pattern->last.ends_with(":none"))
    only([&](ZoneId z) {
      const std::string& id = p.zones[z].id;
      return id.starts_with(pattern->first) && id.ends_with(pattern->last);
    });
  return out;
}

// ---- Numbers

void Known::Sum::add(const Sum& other, Int times) {
  base += other.base * times;
  for (const auto& [name, count] : other.names)
    if ((names[name] += count * times) == 0) names.erase(name);
}

std::optional<Known::Sum> Known::sum_of(const spec::Value& value) const {
  constexpr Int most = 1'000'000;
  if (const auto* number = std::get_if<Int>(&value.node))
    return *number >= -most && *number <= most ? std::optional(Sum{*number}) : std::nullopt;
  if (const auto* name = std::get_if<BindingRef>(&value.node)) {
    const auto known = sums_.find(name->name);
    return known != sums_.end() ? known->second : Sum{0, {{name->name, 1}}};
  }
  const auto* arith = std::get_if<Arith>(&value.node);
  if (arith == nullptr) return std::nullopt;
  auto left = sum_of(*arith->left);
  const auto right = sum_of(*arith->right);
  if (!left || !right) return std::nullopt;
  switch (arith->op) {
    case ArithOp::add:
      left->add(*right, 1);
      return left;
    case ArithOp::subtract:
      left->add(*right, -1);
      return left;
    case ArithOp::min:
    case ArithOp::max:
      if (!left->names.empty() || !right->names.empty()) return std::nullopt;
      return Sum{arith->op == ArithOp::min ? std::min(left->base, right->base)
                                           : std::max(left->base, right->base)};
    default:
      return std::nullopt;
  }
}

std::optional<Int> Known::bound_of(const Sum& sum, bool greatest) const {
  Int out = sum.base;
  for (const auto& [name, count] : sum.names) {
    const auto bound = asked_bound(BindingRef{name}, greatest == (count > 0));
    if (!bound) return std::nullopt;
    out += count * *bound;
  }
  return out;
}

// What was asked of exactly this value.
std::optional<Int> Known::asked_bound(const spec::Value& value, bool greatest) const {
  std::optional<Int> out;
  for (const Fact& fact : facts_) {
    const auto* asked = std::get_if<Compare>(&fact.says.node);
    const auto* right = asked == nullptr ? nullptr : std::get_if<Int>(&asked->right.node);
    if (right == nullptr || asked->left != value) continue;
    const CompareOp op = asked->op;
    std::optional<Int> bound;
    if (op == CompareOp::equal) bound = *right;
    if (op == (greatest ? CompareOp::less_equal : CompareOp::greater_equal)) bound = *right;
    if (op == (greatest ? CompareOp::less : CompareOp::greater))
      bound = greatest ? *right - 1 : *right + 1;
    if (bound && (!out || (greatest ? *bound < *out : *bound > *out))) out = bound;
  }
  return out;
}

// The greatest or the least it can be.
std::optional<Int> Known::bound_of(const spec::Value& value, bool greatest) const {
  if (const auto* number = std::get_if<Int>(&value.node)) return *number;
  if (const auto asked = asked_bound(value, greatest)) return asked;
  if (const auto sum = sum_of(value))
    if (const auto bound = bound_of(*sum, greatest)) return bound;
  if (const auto* variable = std::get_if<GvarRef>(&value.node);
      variable != nullptr && variable->var.kind == Name::Kind::literal)
    for (const VarInfo& info : kinds_->program().gvars)
      if (info.name == variable->var.text && !info.boolean) return greatest ? info.max : info.min;
  const bool counts = std::holds_alternative<ZoneCountRef>(value.node) ||
                      (std::holds_alternative<Aggregate>(value.node) &&
                       std::get<Aggregate>(value.node).op == AggregateOp::count);
  if (counts && !greatest) return 0;
  if (const auto* either = std::get_if<IfValue>(&value.node)) {
    const auto one = bound_of(*either->then, greatest),
               other = bound_of(*either->otherwise, greatest);
    if (!one || !other) return std::nullopt;
    return greatest ? std::max(*one, *other) : std::min(*one, *other);
  }
  const auto* arith = std::get_if<Arith>(&value.node);
  if (arith == nullptr) return std::nullopt;
  const auto left = bound_of(*arith->left, greatest);
  const auto right = bound_of(*arith->right, arith->op == ArithOp::subtract ? !greatest : greatest);
  const auto* by = std::get_if<Int>(&arith->right->node);
  switch (arith->op) {
    case ArithOp::add:
      return left && right ? std::optional(*left + *right) : std::nullopt;
    case ArithOp::subtract:
      return left && right ? std::optional(*left - *right) : std::nullopt;
    case ArithOp::min:
      if (greatest && left && right) return std::min(*left, *right);
      if (greatest) return left ? left : right;
      return left && right ? std::optional(std::min(*left, *right)) : std::nullopt;
    case ArithOp::max:
      if (!greatest && left && right) return std::max(*left, *right);
      if (!greatest) return left ? left : right;
      return left && right ? std::optional(std::max(*left, *right)) : std::nullopt;
    case ArithOp::floor_div:
      if (by == nullptr || *by <= 0 || !left) return std::nullopt;
      return *left >= 0 ? *left / *by : -((-*left + *by - 1) / *by);
    default:
      return std::nullopt;
  }
}

// ---- Room for tokens

std::optional<Known::Room> Known::room_in(const Condition& condition, const std::string& name,
                                          const std::string& called) const {
  const auto* compare = std::get_if<Compare>(&condition.node);
  const auto* count = compare == nullptr ? nullptr : std::get_if<Aggregate>(&compare->left.node);
  const auto* most = compare == nullptr ? nullptr : std::get_if<Int>(&compare->right.node);
  if (count == nullptr || most == nullptr || count->op != AggregateOp::count) return std::nullopt;
  const auto* tokens = std::get_if<TokensInZoneQuery>(&count->query->node);
  const bool bounds = compare->op == CompareOp::less || compare->op == CompareOp::less_equal ||
                      compare->op == CompareOp::equal;
  // Which zone it is must not change meanwhile.
  if (tokens == nullptr || !bounds ||
      (tokens->zone.kind != ZoneSel::Kind::exact && tokens->zone.kind != ZoneSel::Kind::binding))
    return std::nullopt;
  const std::string& zone = tokens->zone.text;
  return Room{!name.empty() && zone == name ? called : zone, kinds_->through(tokens->filter).must,
              Sum{*most - (compare->op == CompareOp::less ? 1 : 0)}};
}

// How often a loop goes round at most.
std::optional<Known::Sum> Known::rounds_of(const ForEach& loop) const {
  if (loop.limit) {
    if (auto limit = sum_of(*loop.limit)) return limit;
    if (const auto most = bound_of(*loop.limit, true)) return Sum{*most};
  }
  if (const auto* list = std::get_if<BindingQuery>(&loop.over.node))
    if (const auto size = sizes_.find(list->name); size != sizes_.end()) return size->second;
  return std::nullopt;
}

// How many tokens of these types such effects bring into a zone at most; none: any number.
std::optional<Int> Known::arrivals(const Effects& effects, const KindsOfNames& names,
                                   const TokenTypes& types) const {
  Int out = 0;
  for (const Effect& effect : effects) {
    std::optional<Int> more = 0;
    const auto several = [&](const Effects& inner) {
      const auto some = arrivals(inner, names, types);
      if (some && more)
        *more += *some;
      else
        more.reset();
    };
    if (const auto* either = std::get_if<If>(&effect.node)) {
      several(either->then);
      several(either->otherwise);
    } else {
      const Done done = done_by(*kinds_, names, effect);
      if (done.changed.everything) return std::nullopt;
      if (any_of_both(done.changed.places, types)) {
        if (!std::holds_alternative<MoveToken>(effect.node) &&
            !std::holds_alternative<CreateToken>(effect.node))
          return std::nullopt;
        more = 1;
      }
    }
    if (!more) return std::nullopt;
    out += *more;
  }
  return out;
}

// What the rounds of a loop bring into zones fills them.
void Known::crowd(const ForEach& loop, const std::optional<Sum>& rounds) {
  KindsOfNames names = types_;
  names[loop.bind] = kinds_->of(loop.over, types_);
  std::vector<Room> rooms;
  for (Room& room : rooms_) {
    const auto each = arrivals(loop.effects, names, room.types);
    if (!each || (*each != 0 && !rounds)) continue;
    if (*each != 0) room.most.add(*rounds, *each);
    rooms.push_back(std::move(room));
  }
  rooms_ = std::move(rooms);
  lose(done_by(*kinds_, names, loop.effects), true);
}

void Known::begin_round(const ForEach& loop) {
  std::optional<Sum> before = rounds_of(loop);
  const bool once = before && before->names.empty() && before->base <= 1;
  if (before) before->base -= 1;
  if (!once) crowd(loop, before);
  chose(loop.over, loop.bind);
}

void Known::end_rounds(const ForEach& loop) {
  std::optional<Sum> rounds = rounds_of(loop);
  if (!loop.count_bind.empty()) {
    forget(loop.count_bind);
    rounds = Sum{0, {{loop.count_bind, 1}}};
  }
  crowd(loop, rounds);
  forget(loop.bind);
  if (loop.count_bind.empty()) return;
  facts_.push_back({Compare{CompareOp::greater_equal, BindingRef{loop.count_bind}, Int{0}}, {}});
}

bool Known::fits(const ZoneSel& zone, const TokenTypes& types, bool several) const {
  const Program& p = kinds_->program();
  if (p.stacking.empty()) return true;
  const Table<ZoneId, bool> zones = zones_of(zone);
  const auto is_about = [&](const StackingInfo& rule) {
    return any_of_both(rule.types, types) &&
           std::ranges::any_of(zones.ids(), [&](ZoneId z) { return rule.zones[z] && zones[z]; });
  };
  const bool named = zone.kind == ZoneSel::Kind::exact || zone.kind == ZoneSel::Kind::binding;
  return std::ranges::all_of(p.stacking, [&](const StackingInfo& rule) {
    if (!is_about(rule)) return true;
    return named && !several && std::ranges::any_of(rooms_, [&](const Room& room) {
             if (room.zone != zone.text) return false;
             for (std::size_t t = 0; t < rule.types.size(); ++t)
               if (rule.types[t] && !room.types[t]) return false;
             const auto most = bound_of(room.most, true);
             return most && *most < rule.max;
           });
  });
}

}  // namespace parlor::kernel
