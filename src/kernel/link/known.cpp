#include "kernel/link/known.h"

#include <algorithm>

#include "kernel/link/linker.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

using namespace spec;

namespace {

constexpr const char* an_item = "$#";  // no rule can call anything so

// Without places in the source, and with `name` called otherwise.
Json plain(const Json& from, const std::string& name, const std::string& called) {
  if (from.is_string())
    return !name.empty() && from.get_ref<const std::string&>() == name ? Json(called) : from;
  if (!from.is_structured()) return from;
  Json out = from.is_array() ? Json::array() : Json::object();
  for (const auto& [key, part] : from.items()) {
    if (from.is_array())
      out.push_back(plain(part, name, called));
    else if (key != "at")
      out[key] = plain(part, name, called);
  }
  return out;
}

// Whether something inside gives the name another meaning. `$zone` is what conditions on zones
// themselves call it.
bool rebinds(const Json& rules, const std::string& name) {
  if (!rules.is_structured()) return false;
  for (const auto& [key, part] : rules.items()) {
    if (rules.is_object() && part.is_string() && key.ends_with("ind") && part == name) return true;
    if (rules.is_object() && name == "$zone" && part.is_structured() && !part.empty() &&
        (key == "condition" || key == "via" || key == "while" || key == "until" ||
         (key == "where" && !rules.contains("bind"))))
      return true;
    if (rebinds(part, name)) return true;
  }
  return false;
}

bool speaks_of(const std::string& text, const std::string& name) {
  return text.find(name.substr(0, name.find('{'))) != std::string::npos;
}

// What a condition is made of that holds as a whole only if each of these does.
void conjuncts(const Json& condition, std::vector<Json>& out) {
  if (condition.is_object() && condition.value("op", "") == "and" && condition.contains("args"))
    for (const Json& part : condition["args"]) conjuncts(part, out);
  else
    out.push_back(condition);
}

}  // namespace

// A query, the conditions on its results by whatever name, and what is asked of tokens. A name that
// means two things stays out of it.
Known::Some Known::results_of(const Json& query) {
  Some out;
  const Json* at = &query;
  const std::string kind = at->value("query", "");
  if (kind == "filter" || kind == "sort") {
    out = results_of((*at)["source"]);
    const std::string bind = at->value("bind", "");
    if (kind == "sort") return out;
    if (rebinds((*at)["where"], bind))
      out.whole = false;
    else
      conjuncts(plain((*at)["where"], bind, an_item), out.where);
    return out;
  }
  out.of = plain(*at, "", "");
  if (kind == "zones" && out.of.contains("condition") && !rebinds(out.of["condition"], "$zone")) {
    for (const Json& condition : out.of["condition"])
      conjuncts(plain(condition, "$zone", an_item), out.where);
    out.of.erase("condition");
  }
  if (kind.starts_with("tokensIn") && out.of.contains("filter")) {
    for (const Json& filter : out.of["filter"]) conjuncts(filter, out.filters);
    out.of.erase("filter");
  }
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
  const Json says = to_json(condition);
  if (!name.empty() && (rebinds(says, name) || speaks_of(says.dump(), called))) return out;
  Json fact = plain(says, name, called);
  std::string text = fact.dump();
  out.push_back({std::move(fact), std::move(text), read_by(*kinds_, condition),
                 room_in(condition, name, called)});
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
      if (known.list != list->name || speaks_of(known.fact.text, called)) continue;
      Fact fact = known.fact;
      fact.says = plain(fact.says, an_item, called);
      fact.text = fact.says.dump();
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

void Known::note(Fact fact) {
  const Json& says = fact.says;
  if (says.is_object()) {
    const std::string op = says.value("op", "");
    const auto some = [&](const Json& query, const std::vector<Json>& where) {
      Some known = results_of(query);
      known.where.insert(known.where.end(), where.begin(), where.end());
      known.reads = fact.reads;
      known.text = fact.text;
      some_.push_back(std::move(known));
    };
    if (op == "exists") {
      std::vector<Json> where;
      const std::string bind = says.value("bind", "");
      for (const Json& one : says.value("where", Json::array()))
        if (!rebinds(one, bind)) conjuncts(plain(one, bind, an_item), where);
      some(says["query"], where);
    }
    const Json right = says.value("right", Json());
    const bool several = right.is_number_integer() &&
                         ((op == ">" && right >= 0) || ((op == ">=" || op == "==") && right > 0));
    const Json left = says.value("left", Json());
    if (several && left.is_object() && left.contains("aggregate") &&
        left["aggregate"].value("op", "") == "count")
      some(left["aggregate"]["query"], {});
    if (several && left.is_object() && left.value("ref", "") == "zoneCount")
      some({{"query", "tokensInZone"}, {"zone", left["zone"]}}, {});
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
  Some known = results_of(to_json(query));
  known.reads = read_by(*kinds_, query);
  known.text = to_json(query).dump();
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
  const auto about = [&](const auto& known) { return speaks_of(known.text, name); };
  const auto counts = [&](const auto& entry) { return entry.second.names.contains(name); };
  std::erase_if(facts_, about);
  std::erase_if(some_, about);
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

bool Known::unchanged(const Touched& reads, const std::string& text) const {
  return !overlap(since_start_.changed, reads) &&
         std::ranges::none_of(since_start_.names,
                              [&](const std::string& name) { return speaks_of(text, name); });
}

// One of several that hold, or that one of them is enough for.
bool Known::implied(const std::vector<Json>& known, const Json& wanted) const {
  if (std::ranges::find(known, wanted) != known.end()) return true;
  const std::string op = wanted.is_object() ? wanted.value("op", "") : "";
  const auto follows = [&](const Json& part) { return implied(known, part); };
  if (op == "or") return std::ranges::any_of(wanted["args"], follows);
  if (op == "and") return std::ranges::all_of(wanted["args"], follows);
  return wanted.is_boolean() && wanted.get<bool>();
}

bool Known::has_some(const Json& query) const {
  const Some wanted = results_of(query);
  return wanted.whole && std::ranges::any_of(some_, [&](const Some& some) {
           return some.of == wanted.of &&
                  std::ranges::all_of(wanted.where,
                                      [&](const Json& one) { return implied(some.where, one); }) &&
                  std::ranges::all_of(wanted.filters,
                                      [&](const Json& one) { return implied(some.filters, one); });
         });
}

bool Known::surely(const Condition& condition) const {
  if (const auto* some = std::get_if<Exists>(&condition.node);
      some != nullptr && some->where.empty() && has_options(*some->query))
    return true;
  std::vector<Json> known;
  for (const Fact& fact : facts_) known.push_back(fact.says);
  return implied(known, plain(to_json(condition), "", ""));
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
  return by_kind || some_zone_satisfies(query) || has_some(to_json(query));
}

// At least so many, and there are as many.
bool Known::can_select(const ChooseN& choice) const {
  const auto least = bound_of(choice.min, true), most = bound_of(choice.max, false);
  if (!least || !most || *most < 0) return false;
  if (*least <= 0) return true;
  return *least == 1 && *most >= 1 && has_options(choice.options);
}

}  // namespace parlor::kernel
