#include "kernel/link/touch.h"

#include <algorithm>

#include "kernel/link/linker.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

using namespace spec;

bool any_of_both(const TokenTypes& a, const TokenTypes& b) {
  for (std::size_t t = 0; t < std::min(a.size(), b.size()); ++t)
    if (a[t] && b[t]) return true;
  return false;
}

namespace {

void add_types(TokenTypes& to, const TokenTypes& more) {
  to.resize(std::max(to.size(), more.size()));
  for (std::size_t t = 0; t < more.size(); ++t)
    if (more[t]) to[t] = true;
}
TokenTypes common_types(TokenTypes a, const TokenTypes& b) {
  for (std::size_t t = 0; t < a.size(); ++t) a[t] = a[t] && b[t];
  return a;
}
bool some_type(const TokenTypes& types) {
  return std::ranges::find(types, true) != types.end();
}
bool have_common(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

}  // namespace

bool Touched::nothing() const {
  return !everything && !turn && !markers && !global_markers && !any_variable && !any_prop &&
         variables.empty() && props.empty() && !some_type(places);
}

void Touched::add(const Touched& more) {
  everything |= more.everything;
  turn |= more.turn;
  markers |= more.markers;
  global_markers |= more.global_markers;
  any_variable |= more.any_variable;
  any_prop |= more.any_prop;
  variables.insert(more.variables.begin(), more.variables.end());
  props.insert(more.props.begin(), more.props.end());
  add_types(places, more.places);
}

bool overlap(const Touched& changed, const Touched& read) {
  if (changed.everything) return !read.nothing();
  if (read.everything) return !changed.nothing();
  const auto among = [](bool any, const std::set<std::string>& some, bool other_any,
                        const std::set<std::string>& other) {
    return (any && (other_any || !other.empty())) || (other_any && !some.empty()) ||
           have_common(some, other);
  };
  return (changed.turn && read.turn) || (changed.markers && read.markers) ||
         (changed.global_markers && read.global_markers) ||
         among(changed.any_variable, changed.variables, read.any_variable, read.variables) ||
         among(changed.any_prop, changed.props, read.any_prop, read.props) ||
         any_of_both(changed.places, read.places);
}

// ---- Types of tokens

int TokenKinds::type_called(const std::string& id) const {
  return position_of(p_.types, id, &TypeInfo::id);
}

bool TokenKinds::has_prop(std::size_t type, const std::string& prop) const {
  const int found = position_of(p_.props, prop);
  return found >= 0 && p_.types[type].column[found] >= 0;
}

std::optional<Scalar> literal(const spec::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.node)) return Scalar{*text};
  if (const auto* number = std::get_if<Int>(&value.node)) return Scalar{*number};
  if (const auto* truth = std::get_if<bool>(&value.node)) return Scalar{*truth};
  return std::nullopt;
}

namespace {

// Every part of the rules, however deep.
void each_part_within(Part part, const std::function<void(Part)>& visit) {
  visit(part);
  each_part(part, [&](Part inner) { each_part_within(inner, visit); });
}

}  // namespace

// A property is fixed for a type if every token of it is made with the same literal, and nothing
// ever sets it. Native modules may do what they like.
void TokenKinds::find_fixed() const {
  if (fixed_) return;
  std::vector<std::map<std::string, std::optional<Scalar>>> made(p_.types.size());
  std::vector<bool> seen(p_.types.size());
  fixed_.emplace(p_.types.size());
  for (const TypeInfo& type : p_.types)
    for (const EntryRule& rule : type.entry)
      for (const auto& [prop, value] : rule.set) changing_.insert(p_.props[prop]);
  if (!p_.natives.empty()) changing_.insert(p_.props.begin(), p_.props.end());
  each_part_within(Part::of(p_.def), [&](Part part) {
    if (const auto* set = part.as<SetTokenProp>()) changing_.insert(set->prop);
    const auto* create = part.as<CreateToken>();
    const int type = create == nullptr ? -1 : type_called(create->type);
    if (type < 0) return;
    auto& known = made[type];
    std::map<std::string, std::optional<Scalar>> own;
    for (const PropValue& prop : create->props) own[prop.prop] = literal(prop.value);
    if (!seen[type]) {
      known = std::move(own);
      seen[type] = true;
      return;
    }
    for (auto& [prop, value] : known) {
      const auto again = own.find(prop);
      if (again == own.end() || again->second != value) value.reset();
    }
  });
  for (std::size_t type = 0; type < made.size(); ++type)
    for (const auto& [prop, value] : made[type])
      if (value && !changing_.contains(prop)) (*fixed_)[type][prop] = *value;
}

bool TokenKinds::is_fixed(const std::string& prop) const {
  find_fixed();
  for (std::size_t type = 0; type < p_.types.size(); ++type)
    if (has_prop(type, prop) && !(*fixed_)[type].contains(prop)) return false;
  return true;
}

namespace {

// Calls `visit` with every way in which a token is made and, by name, with the words that loops
// around it go through.
using WordLists = std::map<std::string, std::vector<std::string>>;
void each_creation(Part part, const WordLists& words,
                   const std::function<void(const CreateToken&, const WordLists&)>& visit) {
  if (const auto* create = part.as<CreateToken>()) visit(*create, words);
  WordLists inside = words;
  if (const auto* loop = part.as<ForEach>()) {
    inside.erase(loop->bind);
    if (const auto* list = std::get_if<EnumsQuery>(&loop->over.node))
      inside[loop->bind] = list->values;
  }
  each_part(part, [&](Part inner) { each_creation(inner, inside, visit); });
}

}  // namespace

void TokenKinds::find_coup_cards() const {
  find_fixed();
  coup_cards_.emplace();
  any_coup_ = changing_.contains("isCoup") || changing_.contains("cardId");
  each_creation(Part::of(p_.def), {}, [&](const CreateToken& create, const WordLists& words) {
    const auto prop = [&](const char* name) {
      const auto set = std::ranges::find(create.props, name, &PropValue::prop);
      return set == create.props.end() ? nullptr : &set->value;
    };
    const spec::Value *coup = prop("isCoup"), *card = prop("cardId");
    if (coup == nullptr || literal(*coup) == Scalar{false}) return;
    const auto* id = card == nullptr ? nullptr : std::get_if<std::string>(&card->node);
    const auto* name = card == nullptr ? nullptr : std::get_if<BindingRef>(&card->node);
    const auto known = name == nullptr ? words.end() : words.find(name->name);
    if (id != nullptr)
      coup_cards_->insert(*id);
    else if (known != words.end())
      coup_cards_->insert(known->second.begin(), known->second.end());
    else
      any_coup_ = true;  // without `cardId` its name says which card it is
  });
}

bool TokenKinds::may_be_coup(const std::string& card) const {
  if (!coup_cards_) find_coup_cards();
  return any_coup_ || coup_cards_->contains(card);
}

// A field that is missing makes a test false, whatever it asks.
TokenKinds::Through TokenKinds::of_test(const TokenTest& test) const {
  Through out{all(), none()};
  const bool positive = test.op == FilterOp::eq || test.op == FilterOp::in;
  std::vector<Scalar> wanted;
  if (const auto* list = std::get_if<ListLiteral>(&test.value.node))
    wanted = list->items;
  else if (const auto one = literal(test.value))
    wanted = {*one};
  const bool of_type = test.field == TokenTest::Field::token_type;
  if (!of_type && test.field != TokenTest::Field::prop) return out;
  if (!of_type) find_fixed();
  for (std::size_t t = 0; t < p_.types.size(); ++t) {
    if (!of_type && !has_prop(t, test.prop)) {
      out.may[t] = false;
      continue;
    }
    if (wanted.empty()) continue;
    std::optional<Scalar> has;
    if (of_type) {
      has = p_.types[t].id;
    } else if (const auto fixed = (*fixed_)[t].find(test.prop); fixed != (*fixed_)[t].end()) {
      has = fixed->second;
    }
    if (!has) continue;
    out.may[t] = (std::ranges::find(wanted, *has) != wanted.end()) == positive;
    out.must[t] = out.may[t];
  }
  return out;
}

TokenKinds::Through TokenKinds::through(const TokenFilter& filter) const {
  using Sort = TokenFilter::Kind;
  if (filter.kind == Sort::test) return of_test(filter.test);
  Through out{all(), all()};
  if (filter.kind == Sort::any_of) out = {none(), none()};
  for (const TokenFilter& arg : filter.args) {
    const Through one = through(arg);
    for (std::size_t t = 0; t < p_.types.size(); ++t) {
      switch (filter.kind) {
        case Sort::any_of:
          out.may[t] = out.may[t] || one.may[t];
          out.must[t] = out.must[t] || one.must[t];
          break;
        case Sort::none_of:
          out.may[t] = out.may[t] && !one.must[t];
          out.must[t] = out.must[t] && !one.may[t];
          break;
        default:
          out.may[t] = out.may[t] && one.may[t];
          out.must[t] = out.must[t] && one.must[t];
      }
    }
  }
  return out;
}

TokenKinds::Through TokenKinds::through(const std::vector<TokenFilter>& filter) const {
  return filter.empty() ? Through{all(), all()} : through(filter.front());
}

TokenTypes TokenKinds::of(const std::string& name, const KindsOfNames& names) const {
  const auto known = names.find(name);
  return known == names.end() ? all() : known->second;
}

TokenTypes TokenKinds::of(const Query& query, const KindsOfNames& names) const {
  const auto either = [&](const std::vector<Query>& queries) {
    TokenTypes out = none();
    for (const Query& one : queries) add_types(out, of(one, names));
    return out;
  };
  return std::visit(
      overloaded{
          [&](const TokensInZoneQuery& q) { return through(q.filter).may; },
          [&](const TokensInMapSpacesQuery& q) { return through(q.filter).may; },
          [&](const TokensInAdjacentZonesQuery& q) { return through(q.filter).may; },
          [&](const FilterQuery& q) { return left_by(q.where, q.bind, of(*q.source, names)); },
          [&](const SortQuery& q) { return of(*q.source, names); },
          [&](const NextInOrderQuery& q) { return of(*q.source, names); },
          [&](const ConcatQuery& q) { return either(q.sources); },
          [&](const PrioritizedQuery& q) { return either(q.tiers); },
          [&](const BindingQuery& q) { return of(q.name, names); },
          [&](const auto&) { return all(); },
      },
      query.node);
}

TokenTypes TokenKinds::left_by(const Condition& condition, const std::string& name,
                               TokenTypes types) const {
  if (const auto* every = std::get_if<AllOf>(&condition.node))
    for (const Condition& arg : every->args) types = left_by(arg, name, std::move(types));
  // What compares a property of the token is a test of it.
  const auto tested = [&](const spec::Value& of, const spec::Value& with, FilterOp op) {
    const auto* prop = std::get_if<TokenPropRef>(&of.node);
    if (prop == nullptr || prop->token != name || prop->prop == "id") return;
    TokenTest test{.prop = prop->prop, .op = op, .value = with};
    if (prop->prop == "type") test.field = TokenTest::Field::token_type;
    types = common_types(std::move(types), of_test(test).may);
  };
  if (const auto* compare = std::get_if<Compare>(&condition.node);
      compare != nullptr && compare->op == CompareOp::equal) {
    tested(compare->left, compare->right, FilterOp::eq);
    tested(compare->right, compare->left, FilterOp::eq);
  }
  if (const auto* in = std::get_if<In>(&condition.node)) tested(in->item, in->set, FilterOp::in);
  return types;
}

// ---- What is looked at

namespace {

// Collects what the parts of an expression look at, each by itself.
class Reading {
 public:
  explicit Reading(const TokenKinds& kinds) : kinds_(kinds) {}

  void look_at(Part part) {
    visit_if<spec::Value>(part, [&](const spec::Value& value) { std::visit(*this, value.node); });
    visit_if<Condition>(part, [&](const Condition& one) { std::visit(*this, one.node); });
    visit_if<Query>(part, [&](const Query& query) { std::visit(*this, query.node); });
    visit_if<PlayerSel>(part, [&](const PlayerSel& player) {
      out.turn |= player.kind != PlayerSel::Kind::id && player.kind != PlayerSel::Kind::binding;
    });
    visit_if<TokenFilter>(part, [&](const TokenFilter& filter) {
      if (filter.kind == TokenFilter::Kind::test && filter.test.field == TokenTest::Field::prop)
        property(filter.test.prop);
    });
    visit_if<ZoneSel>(part, [&](const ZoneSel& zone) {
      out.turn |= zone.kind == ZoneSel::Kind::owned || zone.kind == ZoneSel::Kind::expression;
    });
    each_part(part, [&](Part inner) { look_at(inner); });
  }

  // ---- Values
  void operator()(const GvarRef& ref) { variable(ref.var); }
  void operator()(const PvarRef& ref) { variable(ref.var); }
  void operator()(const ZoneVarRef& ref) { variable(ref.var); }
  void operator()(const ZoneCountRef&) { add_types(out.places, kinds_.all()); }
  void operator()(const TokenZoneRef&) { add_types(out.places, kinds_.all()); }
  void operator()(const TokenAt&) { add_types(out.places, kinds_.all()); }
  void operator()(const TokenPropRef& ref) {
    if (ref.prop != "id" && ref.prop != "type") property(ref.prop);
  }
  void operator()(const ComputedPropRef&) { out.any_prop = true; }
  void operator()(const MarkerStateRef&) { out.markers = true; }
  void operator()(const GlobalMarkerStateRef&) { out.global_markers = true; }
  void operator()(const ActivePlayerRef&) { out.turn = true; }
  void operator()(const ActiveSeatRef&) { out.turn = true; }
  void operator()(const PlayerRef&) { out.turn = true; }
  void operator()(const ClockRef&) { out.everything = true; }
  void operator()(const GrantContextRef&) { out.everything = true; }
  void operator()(const CapturedZonesRef&) { out.everything = true; }
  void operator()(const EffectModifierRef&) { out.everything = true; }

  // ---- Conditions
  void operator()(const MarkerStateAllowed& allowed) { lattice(allowed.marker); }
  void operator()(const MarkerShiftAllowed& allowed) { lattice(allowed.marker); }

  // ---- Queries
  void operator()(const TokensInZoneQuery& query) { tokens(query.filter); }
  void operator()(const TokensInMapSpacesQuery& query) { tokens(query.filter); }
  void operator()(const TokensInAdjacentZonesQuery& query) { tokens(query.filter); }
  void operator()(const TokenZonesQuery&) { add_types(out.places, kinds_.all()); }
  void operator()(const GlobalMarkersQuery&) { out.global_markers = true; }
  void operator()(const GrantContextQuery&) { out.everything = true; }
  void operator()(const CapturedZonesQuery&) { out.everything = true; }
  void operator()(const ActiveEffectsQuery&) { out.everything = true; }

  // What looks at nothing but its parts. Whatever is new has to be put here or above.
  template <class Pure>
    requires(std::same_as<Pure, Int> || std::same_as<Pure, bool> ||
             std::same_as<Pure, std::string> || std::same_as<Pure, ListLiteral> ||
             std::same_as<Pure, ZonePropRef> || std::same_as<Pure, BindingRef> ||
             std::same_as<Pure, AssetFieldRef> || std::same_as<Pure, StepRef> ||
             std::same_as<Pure, Arith> || std::same_as<Pure, Aggregate> ||
             std::same_as<Pure, ItemOf> || std::same_as<Pure, RankOf> ||
             std::same_as<Pure, NumberOf> || std::same_as<Pure, ZoneAt> ||
             std::same_as<Pure, LongestPath> || std::same_as<Pure, ConcatValue> ||
             std::same_as<Pure, IfValue> || std::same_as<Pure, AllOf> ||
             std::same_as<Pure, AnyOf> || std::same_as<Pure, Not> || std::same_as<Pure, Compare> ||
             std::same_as<Pure, In> || std::same_as<Pure, Adjacent> ||
             std::same_as<Pure, Connected> || std::same_as<Pure, ZonePropIncludes> ||
             std::same_as<Pure, LineOf> || std::same_as<Pure, Exists> ||
             std::same_as<Pure, ForAll> || std::same_as<Pure, PlayersQuery> ||
             std::same_as<Pure, EnumsQuery> || std::same_as<Pure, BooleansQuery> ||
             std::same_as<Pure, ZonesQuery> || std::same_as<Pure, AdjacentZonesQuery> ||
             std::same_as<Pure, ConnectedZonesQuery> || std::same_as<Pure, AssetRowsQuery> ||
             std::same_as<Pure, IntsInRangeQuery> || std::same_as<Pure, IntsInVarRangeQuery> ||
             std::same_as<Pure, NextInOrderQuery> || std::same_as<Pure, ConcatQuery> ||
             std::same_as<Pure, PrioritizedQuery> || std::same_as<Pure, BindingQuery> ||
             std::same_as<Pure, StepQuery> || std::same_as<Pure, RayQuery> ||
             std::same_as<Pure, DirectionsQuery> || std::same_as<Pure, FilterQuery> ||
             std::same_as<Pure, SortQuery> || std::same_as<Pure, MapQuery>)
  void operator()(const Pure&) {}

  Touched out;

 private:
  void variable(const Name& name) {
    if (name.kind == Name::Kind::literal)
      out.variables.insert(name.text);
    else
      out.any_variable = true;
  }
  void property(const std::string& prop) {
    if (!kinds_.is_fixed(prop)) out.props.insert(prop);
  }
  void tokens(const std::vector<TokenFilter>& filter) {
    add_types(out.places, kinds_.through(filter).may);
  }
  // Which states a marker may have is said by conditions of its own.
  void lattice(const std::string& marker) {
    out.markers = true;
    for (const MarkerLattice& one : kinds_.program().def.marker_lattices) {
      if (one.id != marker || !asked_.insert(marker).second) continue;
      for (const LatticeConstraint& constraint : one.constraints)
        look_at(Part::of(constraint.when));
    }
  }

  const TokenKinds& kinds_;
  std::set<std::string> asked_;  // markers
};

template <class T>
Touched read_in(const TokenKinds& kinds, const T& part) {
  Reading reading(kinds);
  reading.look_at(Part::of(part));
  return std::move(reading.out);
}

}  // namespace

Touched read_by(const TokenKinds& kinds, const Condition& condition) {
  return read_in(kinds, condition);
}
Touched read_by(const TokenKinds& kinds, const Query& query) {
  return read_in(kinds, query);
}
Touched read_by(const TokenKinds& kinds, const spec::Value& value) {
  return read_in(kinds, value);
}
// ---- What is done

namespace {

class Doing {
 public:
  Doing(const TokenKinds& kinds, const KindsOfNames& names) : kinds_(kinds), names_(names) {}

  void all(const Effects& effects) {
    for (const Effect& effect : effects) one(effect);
  }
  void one(const Effect& effect) { std::visit(*this, effect.node); }

  void operator()(const SetVar& e) { cell(e.cell); }
  void operator()(const AddVar& e) { cell(e.cell); }
  void operator()(const ResetVar& e) { cell(e.cell); }
  void operator()(const TransferVar& e) {
    cell(e.from);
    cell(e.to);
    name(e.actual_bind);
  }
  void operator()(const SetActivePlayer&) { out.changed.turn = true; }
  void operator()(const MoveToken& e) { arrive(kinds_.of(e.token, names_)); }
  void operator()(const MoveTokenAdjacent& e) { arrive(kinds_.of(e.token, names_)); }
  void operator()(const MoveAll&) { arrive(kinds_.all()); }
  void operator()(const Draw&) { arrive(kinds_.all()); }
  void operator()(const Shuffle&) { add_types(out.changed.places, kinds_.all()); }
  void operator()(const CreateToken& e) {
    TokenTypes type = kinds_.none();
    if (const int t = kinds_.type_called(e.type); t >= 0) type[t] = true;
    arrive(type);
  }
  void operator()(const DestroyToken& e) {
    add_types(out.changed.places, kinds_.of(e.token, names_));
  }
  void operator()(const SetTokenProp& e) { out.changed.props.insert(e.prop); }
  void operator()(const Reveal&) {}
  void operator()(const Conceal&) {}
  void operator()(const Say&) {}
  void operator()(const Require&) {}
  void operator()(const SetMarker&) { out.changed.markers = true; }
  void operator()(const ShiftMarker&) { out.changed.markers = true; }
  void operator()(const SetGlobalMarker&) { out.changed.global_markers = true; }
  void operator()(const ShiftGlobalMarker&) { out.changed.global_markers = true; }
  void operator()(const FlipGlobalMarker&) { out.changed.global_markers = true; }
  void operator()(const If& e) {
    all(e.then);
    all(e.otherwise);
  }
  void operator()(const Let& e) {
    name(e.bind);
    all(e.in);
  }
  void operator()(const BindValue& e) { name(e.bind); }
  void operator()(const ForEach& e) {
    name(e.bind, kinds_.of(e.over, names_));
    name(e.count_bind);
    all(e.effects);
    all(e.in);
  }
  void operator()(const While& e) { all(e.effects); }
  void operator()(const Reduce& e) {
    for (const std::string& bind : {e.item_bind, e.acc_bind, e.result_bind}) name(bind);
    all(e.in);
  }
  void operator()(const RemoveByPriority& e) {
    for (const RemovalGroup& group : e.groups) {
      name(group.bind, kinds_.of(group.over, names_));
      name(group.count_bind);
      arrive(kinds_.of(group.over, names_));
    }
    name(e.remaining_bind);
    all(e.in);
  }
  void operator()(const EvaluateSubset& e) {
    for (const std::string& bind : {e.subset_bind, e.result_bind, e.best_subset_bind}) name(bind);
    all(e.compute);
    all(e.in);
  }
  void operator()(const ChooseOne& e) { name(e.bind, kinds_.of(e.options, names_)); }
  void operator()(const ChooseN& e) { name(e.bind, kinds_.of(e.options, names_)); }
  void operator()(const RollRandom& e) {
    name(e.bind);
    all(e.in);
  }
  // Whatever else there is moves the game on.
  template <class Other>
  void operator()(const Other&) {
    out.changed.everything = true;
  }

  Done out;

 private:
  void cell(const VarCell& cell) {
    if (cell.var.kind == Name::Kind::literal)
      out.changed.variables.insert(cell.var.text);
    else
      out.changed.any_variable = true;
  }
  void name(const std::string& bind) {
    if (bind.empty()) return;
    out.names.insert(bind);
    names_.erase(bind);
  }
  void name(const std::string& bind, TokenTypes types) {
    name(bind);
    names_[bind] = std::move(types);
  }
  // Zones may change tokens that enter them.
  void arrive(const TokenTypes& types) {
    add_types(out.changed.places, types);
    const Program& p = kinds_.program();
    for (std::size_t t = 0; t < types.size(); ++t)
      for (const EntryRule& rule : types[t] ? p.types[t].entry : std::vector<EntryRule>{})
        for (const auto& [prop, value] : rule.set) out.changed.props.insert(p.props[prop]);
  }

  const TokenKinds& kinds_;
  KindsOfNames names_;
};

}  // namespace

Done done_by(const TokenKinds& kinds, const KindsOfNames& names, const Effect& effect) {
  Doing doing(kinds, names);
  doing.one(effect);
  return std::move(doing.out);
}

Done done_by(const TokenKinds& kinds, const KindsOfNames& names, const Effects& effects) {
  Doing doing(kinds, names);
  doing.all(effects);
  return std::move(doing.out);
}

}  // namespace parlor::kernel
