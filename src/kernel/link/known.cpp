#include "kernel/link/known.h"

#include <algorithm>

#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;

namespace {

constexpr const char* an_item = "$#";  // no rule can call anything so

// The texts in a part of the rules, one after the other.
std::string texts_in(Part part) {
  std::string out;
  each_text(part, [&](const std::string& text) { out += text + '\n'; });
  return out;
}

bool speaks_of(std::string_view texts, const std::string& name) {
  return texts.find(name.substr(0, name.find('{'))) != std::string_view::npos;
}
template <class T>
bool speaks_of(const T& part, const std::string& name) {
  return speaks_of(std::string_view(texts_in(Part::of(part))), name);
}

// A condition as it is compared with others: what it asks about by this name (none: nothing) called
// otherwise.
std::optional<Condition> comparable(Condition says, const std::string& name,
                                    const std::string& called) {
  if (!name.empty() && !rename(Part::of(says), name, called)) return std::nullopt;
  return number_names(Part::of(says)) ? std::optional(std::move(says)) : std::nullopt;
}

// The parts that `all` have to hold, or of which one is enough.
const std::vector<Condition>* parts_of(const Condition& whole, bool all) {
  const auto* every = std::get_if<AllOf>(&whole.node);
  const auto* some = std::get_if<AnyOf>(&whole.node);
  if (all) return every == nullptr ? nullptr : &every->args;
  return some == nullptr ? nullptr : &some->args;
}
const std::vector<TokenFilter>* parts_of(const TokenFilter& whole, bool all) {
  const auto joined = all ? TokenFilter::Kind::all_of : TokenFilter::Kind::any_of;
  return whole.kind == joined ? &whole.args : nullptr;
}

// What it is made of that holds as a whole only if each of these does.
template <class T>
void conjuncts(const T& whole, std::vector<T>& out) {
  if (const auto* args = parts_of(whole, true))
    for (const T& arg : *args) conjuncts(arg, out);
  else
    out.push_back(whole);
}

// Whether it follows from what is `known`. What says nothing is true.
template <class T>
bool implied(const T& wanted, const auto& known) {
  if (known(wanted) || wanted == T()) return true;
  const auto follows = [&](const T& part) { return implied(part, known); };
  if (const auto* parts = parts_of(wanted, false)) return std::ranges::any_of(*parts, follows);
  if (const auto* parts = parts_of(wanted, true)) return std::ranges::all_of(*parts, follows);
  return false;
}
template <class T>
bool all_implied(const std::vector<T>& wanted, const std::vector<T>& known) {
  const auto is_known = [&](const T& one) { return std::ranges::find(known, one) != known.end(); };
  return std::ranges::all_of(wanted, [&](const T& one) { return implied(one, is_known); });
}

}  // namespace

// A query, the conditions on its results by whatever name, and what is asked of tokens. A name that
// means two things stays out of it.
Known::Some Known::results_of(const Query& query) {
  if (const auto* sort = std::get_if<SortQuery>(&query.node)) return results_of(*sort->source);
  if (const auto* filter = std::get_if<FilterQuery>(&query.node)) {
    Some out = results_of(*filter->source);
    if (const auto where = comparable(filter->where, filter->bind, an_item))
      conjuncts(*where, out.where);
    else
      out.whole = false;
    return out;
  }
  Some out;
  out.of = query;
  if (auto* zones = std::get_if<ZonesQuery>(&out.of.node); zones && !zones->condition.empty())
    if (const auto where = comparable(zones->condition.front(), "$zone", an_item)) {
      conjuncts(*where, out.where);
      zones->condition.clear();
    }
  std::visit(
      [&](auto& tokens) {
        if constexpr (requires { TokenFilter{tokens.filter.front()}; }) {
          for (const TokenFilter& filter : tokens.filter) conjuncts(filter, out.filters);
          tokens.filter.clear();
        }
      },
      out.of.node);
  return out;
}

// ---- What is found out

// The conjuncts of a condition, with `name` called otherwise.
std::vector<Known::Fact> Known::facts_in(const Condition& condition, const std::string& name,
                                         const std::string& called) const {
  std::vector<Fact> out;
  if (const auto* every = std::get_if<AllOf>(&condition.node)) {
    for (const Condition& arg : every->args)
      for (Fact& fact : facts_in(arg, name, called)) out.push_back(std::move(fact));
    return out;
  }
  if (!name.empty() && speaks_of(condition, called)) return out;
  if (auto says = comparable(condition, name, called))
    out.push_back(
        {std::move(*says), read_by(*kinds_, condition), room_in(condition, name, called)});
  return out;
}

// What holds of each result of a query, by this name.
std::vector<Known::Fact> Known::facts_of_results(const Query& query,
                                                 const std::string& called) const {
  if (const auto* sort = std::get_if<SortQuery>(&query.node))
    return facts_of_results(*sort->source, called);
  if (const auto* zones = std::get_if<ZonesQuery>(&query.node))
    return zones->condition.empty() ? std::vector<Fact>{}
                                    : facts_in(zones->condition.front(), "$zone", called);
  if (const auto* list = std::get_if<BindingQuery>(&query.node)) {
    std::vector<Fact> out;
    for (const OfItems& known : of_items_) {
      if (known.list != list->name || speaks_of(known.fact.says, called)) continue;
      Fact fact = known.fact;
      if (!rename(Part::of(fact.says), an_item, called)) continue;
      if (fact.room && fact.room->zone == an_item) fact.room->zone = called;
      out.push_back(std::move(fact));
    }
    return out;
  }
  const auto* filter = std::get_if<FilterQuery>(&query.node);
  if (filter == nullptr) return {};
  std::vector<Fact> out = facts_of_results(*filter->source, called);
  for (Fact& fact : facts_in(filter->where, filter->bind, called)) out.push_back(std::move(fact));
  return out;
}

void Known::note_some(const Query& query, const std::vector<Condition>& where, const Fact& fact) {
  Some known = results_of(query);
  known.where.insert(known.where.end(), where.begin(), where.end());
  known.reads = fact.reads;
  known.texts = texts_in(Part::of(fact.says));
  some_.push_back(std::move(known));
}

void Known::note(Fact fact) {
  if (const auto* exists = std::get_if<Exists>(&fact.says.node)) {
    std::vector<Condition> where;
    for (const Condition& one : exists->where)
      if (const auto says = comparable(one, exists->bind, an_item)) conjuncts(*says, where);
    note_some(*exists->query, where, fact);
  }
  if (const auto* compare = std::get_if<Compare>(&fact.says.node)) {
    const auto* right = std::get_if<Int>(&compare->right.node);
    const bool several = right != nullptr && !spec::holds(compare->op, 0, *right);
    const auto* aggregate = std::get_if<Aggregate>(&compare->left.node);
    if (several && aggregate != nullptr && aggregate->op == AggregateOp::count)
      note_some(*aggregate->query, {}, fact);
    const auto* count = std::get_if<ZoneCountRef>(&compare->left.node);
    if (several && count != nullptr) note_some(TokensInZoneQuery{count->zone, {}}, {}, fact);
  }
  if (fact.room) rooms_.push_back(*fact.room);
  facts_.push_back(std::move(fact));
}

void Known::narrow_types(const Condition& condition) {
  for (auto& [name, types] : types_) types = kinds_->left_by(condition, name, std::move(types));
}

void Known::holds(const Condition& condition) {
  for (Fact& fact : facts_in(condition, "", "")) note(std::move(fact));
  narrow_types(condition);
}

void Known::exists(const Query& query) {
  Some known = results_of(query);
  known.reads = read_by(*kinds_, query);
  known.texts = texts_in(Part::of(query));
  some_.push_back(std::move(known));
}

// Of what was chosen everything holds by which it was chosen.
void Known::chose(const Query& from, const std::string& name) {
  std::vector<Fact> facts = facts_of_results(from, name);
  TokenTypes types = kinds_->of(from, types_);
  forget(name);
  types_[name] = std::move(types);
  for (Fact& fact : facts) note(std::move(fact));
}

void Known::selected(const Query& from, const spec::Value& most, const std::string& name) {
  std::vector<Fact> facts = facts_of_results(from, an_item);
  TokenTypes types = kinds_->of(from, types_);
  std::optional<Sum> size = sum_of(most);
  if (!size)
    if (const auto number = bound_of(most, true)) size = Sum{*number};
  forget(name);
  types_[name] = std::move(types);
  if (size && !size->names.contains(name)) sizes_[name] = *size;
  for (Fact& fact : facts) of_items_.push_back({name, std::move(fact)});
}

void Known::bound(const std::string& name, const spec::Value& value) {
  const std::optional<Sum> sum = sum_of(value);
  const std::optional<Pattern> pattern = pattern_of(value);
  std::optional<TokenTypes> types;
  if (const auto* other = std::get_if<BindingRef>(&value.node))
    if (const auto known = types_.find(other->name); known != types_.end()) types = known->second;
  forget(name);
  if (sum && !sum->names.contains(name)) sums_[name] = *sum;
  if (pattern) texts_[name] = *pattern;
  if (types) types_[name] = *types;
}

// The name stands for something else from now on.
void Known::forget(const std::string& name) {
  if (name.empty()) return;
  since_start_.names.insert(name);
  const auto about = [&](const Fact& fact) { return speaks_of(fact.says, name); };
  const auto counts = [&](const auto& entry) { return entry.second.names.contains(name); };
  std::erase_if(facts_, about);
  std::erase_if(some_, [&](const Some& some) { return speaks_of(some.texts, name); });
  std::erase_if(of_items_,
                [&](const OfItems& items) { return items.list == name || about(items.fact); });
  std::erase_if(rooms_, [&](const Room& room) {
    return speaks_of(room.zone, name) || room.most.names.contains(name);
  });
  std::erase_if(sums_, counts);
  std::erase_if(sizes_, counts);
  sums_.erase(name);
  sizes_.erase(name);
  texts_.erase(name);
  types_.erase(name);
}

// What this may have changed is no longer known.
void Known::lose(const Done& done, bool crowded) {
  const auto gone = [&](const Touched& reads) { return overlap(done.changed, reads); };
  std::erase_if(facts_, [&](const Fact& fact) { return gone(fact.reads); });
  std::erase_if(some_, [&](const Some& some) { return gone(some.reads); });
  std::erase_if(of_items_, [&](const OfItems& items) { return gone(items.fact.reads); });
  std::erase_if(rooms_, [&](const Room& room) {
    return done.changed.everything || (!crowded && any_of_both(done.changed.places, room.types));
  });
  for (const std::string& name : done.names) forget(name);
  since_start_.changed.add(done.changed);
}

void Known::may_have_done(const Effects& effects) {
  lose(done_by(*kinds_, types_, effects));
}

void Known::did(const Effect& effect) {
  const Done done = done_by(*kinds_, types_, effect);
  const bool moves = std::holds_alternative<MoveToken>(effect.node) ||
                     std::holds_alternative<MoveTokenAdjacent>(effect.node) ||
                     std::holds_alternative<CreateToken>(effect.node);
  for (Room& room : rooms_)
    if (moves && any_of_both(done.changed.places, room.types))
      ++room.most.base;  // wherever it went
  lose(done, moves);
  if (const auto* require = std::get_if<Require>(&effect.node)) holds(require->condition);
}

// Timed effects that change prices may be used up by it.
void Known::paid(const std::string& variable) {
  Done done;
  done.changed.variables.insert(variable);
  done.changed.everything = kinds_->program().uses_effects;
  lose(done);
}

void Known::lose_all() {
  Done done;
  done.changed.everything = true;
  lose(done);
}

// ---- What follows

bool Known::unchanged(const Touched& reads, Part part) const {
  const std::string texts = texts_in(part);
  return !overlap(since_start_.changed, reads) &&
         std::ranges::none_of(since_start_.names,
                              [&](const std::string& name) { return speaks_of(texts, name); });
}

bool Known::has_some(const Some& wanted) const {
  return wanted.whole && std::ranges::any_of(some_, [&](const Some& some) {
           return some.of == wanted.of && all_implied(wanted.where, some.where) &&
                  all_implied(wanted.filters, some.filters);
         });
}

// Whether a condition says that nothing of these satisfies this.
bool Known::says_none(const Condition& condition, const Query& of, const Condition& which) {
  const auto* no = std::get_if<Not>(&condition.node);
  const auto* exists = no == nullptr ? nullptr : std::get_if<Exists>(&no->arg->node);
  // Not of each item something else.
  if (exists == nullptr || speaks_of(*no->arg, an_item)) return false;
  Some none = results_of(*exists->query);
  for (const Condition& one : exists->where) {
    const auto says = comparable(one, exists->bind, an_item);
    if (!says) return false;
    conjuncts(*says, none.where);
  }
  std::vector<Condition> wanted;
  conjuncts(which, wanted);
  return none.whole && none.of == of && none.filters.empty() && none.where == wanted;
}

// Those that satisfy something or, if nothing does, those that satisfy less: there are some if
// there are some of the latter.
bool Known::has_others(const Some& wanted) const {
  const auto* ways = wanted.where.size() == 1 ? parts_of(wanted.where.front(), false) : nullptr;
  if (ways == nullptr || ways->size() != 2 || !wanted.filters.empty()) return false;
  for (const std::size_t first : {0u, 1u}) {
    Some others = wanted;
    others.where.clear();
    conjuncts((*ways)[1 - first], others.where);
    const auto gone = std::erase_if(others.where, [&](const Condition& one) {
      return says_none(one, wanted.of, (*ways)[first]);
    });
    if (gone != 0 && has_some(others)) return true;
  }
  return false;
}

bool Known::has_some(const Query& query) const {
  const Some wanted = results_of(query);
  return has_some(wanted) || (wanted.whole && has_others(wanted));
}

bool Known::surely(const Condition& condition) const {
  if (const auto* some = std::get_if<Exists>(&condition.node);
      some != nullptr && some->where.empty() && has_options(*some->query))
    return true;
  const auto wanted = comparable(condition, "", "");
  return wanted && implied(*wanted, [&](const Condition& one) {
           return std::ranges::find(facts_, one, &Fact::says) != facts_.end();
         });
}

bool Known::has_options(const Query& query) const {
  const auto has = [&](const Query& one) { return has_options(one); };
  const bool by_kind = std::visit(
      overloaded{
          [](const PlayersQuery&) { return true; },
          [](const EnumsQuery& q) { return !q.values.empty(); },
          [](const BooleansQuery& q) { return !q.values.empty(); },
          [&](const ConcatQuery& q) { return std::ranges::any_of(q.sources, has); },
          [&](const PrioritizedQuery& q) { return std::ranges::any_of(q.tiers, has); },
          [&](const MapQuery& q) { return has(*q.source); },
          [&](const SortQuery& q) { return has(*q.source); },
          [&](const TokenZonesQuery& q) { return has(*q.source); },
          [&](const IntsInRangeQuery& q) {
            const auto least = bound_of(*q.min, true), most = bound_of(*q.max, false);
            return q.step.empty() && q.max_results.empty() && least && most && *least <= *most;
          },
          [](const auto&) { return false; },
      },
      query.node);
  return by_kind || some_zone_satisfies(query) || has_some(query);
}

// At least so many, and there are as many.
bool Known::can_select(const ChooseN& choice) const {
  const auto least = bound_of(choice.min, true), most = bound_of(choice.max, false);
  if (!least || !most || *most < 0) return false;
  if (*least <= 0) return true;
  return *least == 1 && *most >= 1 && has_options(choice.options);
}

}  // namespace parlor::kernel
