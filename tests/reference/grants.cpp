// Free operations: section 20.5 of the language, G-01 to G-81.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

// What stands in braces.
void placeholders(const Json& node, std::set<std::string>& out) {
  if (node.is_structured())
    for (const Json& part : node) placeholders(part, out);
  if (!node.is_string()) return;
  const auto text = node.get<std::string>();
  for (std::size_t open = text.rfind('{'); open != std::string::npos;
       open = open == 0 ? std::string::npos : text.rfind('{', open - 1))
    if (const std::size_t close = text.find('}', open); close != std::string::npos)
      out.insert(text.substr(open + 1, close - open - 1));
}

// Names that stand where a zone is wanted.
void zone_names(const Json& node, std::set<std::string>& out) {
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      static const std::set<std::string> places = {"zone", "space", "from", "to", "left", "right"};
      if (places.contains(key) && value.is_string() && value.get<std::string>().starts_with('$'))
        out.insert(value.get<std::string>());
    }
  if (node.is_structured())
    for (const Json& part : node) zone_names(part, out);
}

}  // namespace

bool Run::ready(const Grant& grant) const {
  if (!grant.def->sequence) return true;
  return std::none_of(w.table.grants.begin(), w.table.grants.end(), [&](const Grant& other) {
    return other.batch == grant.batch && other.def->sequence->step < grant.def->sequence->step;
  });
}

bool Run::must_use_a_grant(int player) const {
  return std::any_of(w.table.grants.begin(), w.table.grants.end(), [&](const Grant& grant) {
    return grant.owner == player && grant.blocks() && ready(grant);
  });
}

// G-41: whether it lets this action be made, and as what.
bool Run::admits(const Grant& grant, const std::string& action, ActionClass& taken_for) const {
  const auto& domain =
      grant.def->actions ? grant.def->actions : rules_.flow->free_operation_actions;
  if (!domain || std::find(domain->begin(), domain->end(), action) == domain->end()) return false;
  const ActionClass own = rules_.mapped(action), given = grant.def->operation_class;
  const bool raised = own == ActionClass::operation || own == ActionClass::special_activity;
  taken_for = given;
  if (own == ActionClass::none || own == given) return true;
  if (given == ActionClass::limited_operation) return own == ActionClass::operation;
  if (given == ActionClass::operation_plus_special_activity) return raised;
  taken_for = own;
  return given == ActionClass::operation && own == ActionClass::special_activity;
}

// G-72
const Grant* Run::strongest(const std::vector<Grant>& grants) {
  const auto rank = [](const Grant& grant) {
    return std::tuple(grant.def->completion == Completion::required, grant.def->must_change,
                      grant.def->resumes_flow);
  };
  const Grant* best = nullptr;
  for (const Grant& grant : grants)
    if (!best || rank(grant) > rank(*best)) best = &grant;
  return best;
}

// Grants that give the same option: they show the move the same.
bool Run::alike(const Grant& a, const Grant& b) const {
  return a.id == b.id || (a.owner == b.owner && a.as == b.as && a.context == b.context &&
                          a.def->interpretations == b.def->interpretations);
}

void Run::begin(const Move& move) {
  made_.clear();
  chosen_.clear();
  for (const auto& [name, value] : move.params) made_[name] = value;
  start_ = w;
  mover_ = w.active;
  free_ = move.free;
  applicable_.clear();
  undecided_.clear();
  if (!free_) return;
  const bool must = must_use_a_grant(mover_);
  const auto lead = std::find_if(w.table.grants.begin(), w.table.grants.end(),
                                 [&](const Grant& grant) { return grant.id == move.lead; });
  for (const Grant& grant : w.table.grants) {
    ActionClass taken_for{};
    if (alike(grant, *lead) && grant.owner == mover_ && ready(grant) && (!must || grant.blocks()) &&
        admits(grant, move.action, taken_for) && taken_for == move.taken_for)
      applicable_.push_back(grant);
  }
}

// ---- Issue

// G-10: with this grant alone, on an untouched card, its owner could make some move.
bool Run::usable(const Grant& grant) const {
  World alone = w;
  alone.table.grants = {grant};
  alone.table.acted.clear();
  alone.table.passed.clear();
  alone.table.acts = 0;
  alone.table.first_class = ActionClass::none;
  alone.active = grant.owner;
  return !free_moves(rules_, alone, true).empty();
}

void Run::issue(const GrantDef& grant_def, int self, const Context& c, bool from_effect) {
  Table& t = w.table;
  const auto seat = [&](const std::string& text) {
    return text == "self" ? std::optional(self) : rules_.player_of(text);
  };
  const auto owner = seat(grant_def.seat);
  if (!owner) return;
  Grant grant;
  grant.def = &grant_def;
  grant.id = std::to_string(++t.issued);
  grant.move = t.moves;
  grant.owner = *owner;
  grant.as = grant_def.execute_as.empty() ? *owner : seat(grant_def.execute_as).value_or(*owner);
  grant.uses = grant_def.uses;
  grant.batch = "alone " + grant.id;
  if (grant_def.sequence) grant.batch = std::to_string(t.moves) + " " + grant_def.sequence->batch;
  // G-06: placeholders that mean something when an effect issues a grant mean it for good.
  std::set<std::string> filled;
  if (grant_def.zone_filter && from_effect)
    placeholders(spec::to_json(*grant_def.zone_filter), filled);
  for (const std::string& name : filled)
    if (const Val* known = lookup(name, c)) grant.filled[name] = *known;
  for (const NamedValue& entry : grant_def.context)
    grant.context[entry.name] = value(entry.value, c);
  if (broken_.contains(grant.batch)) return;  // G-11
  if (grant_def.viability == Viability::require_usable_at_issue) {
    bool good = usable(grant);
    if (grant_def.sequence && grant_def.sequence->strict)  // G-12
      for (const Grant& earlier : t.grants)
        if (earlier.batch == grant.batch && earlier.def->sequence->step < grant_def.sequence->step)
          good = good && usable(earlier);
    if (!good && grant_def.sequence && grant_def.sequence->strict) broken_.insert(grant.batch);
    if (!good) return;
  }
  t.grants.push_back(grant);
}

void Run::issue_event_grants() {
  if (!played_) return;
  const Context c{played_by_, played_by_, played_names_};
  for (const EventPart* part : {played_->side, played_->branch})
    if (part)
      for (const GrantDef& grant : part->grants) issue(grant, played_by_, c, false);
  if (!waiting_) return;
  for (const Grant& grant : w.table.grants)
    if (grant.batch.starts_with(std::to_string(w.table.moves) + " "))
      waiting_->batches.insert(grant.batch);
  w.table.deferred.push_back(*waiting_);
  waiting_.reset();
}

// ---- What a free move sees

const Val* Run::granted(const std::string& key) const {
  if (!free_ || applicable_.empty()) return nullptr;
  const Bindings& context = (asked_ ? *asked_ : grant()).context;
  const auto found = context.find(key);
  return found == context.end() ? nullptr : &found->second;
}

std::optional<List> Run::captured(const Name& key, const Context& c) const {
  if (!free_ || applicable_.empty()) return std::nullopt;
  const auto batch = w.table.captured.find((asked_ ? *asked_ : grant()).batch);
  if (batch == w.table.captured.end()) return std::nullopt;
  const auto found = batch->second.find(name(key, c));
  if (found == batch->second.end()) return std::nullopt;
  return List(found->second.begin(), found->second.end());
}

// G-56
std::map<std::string, Scalar> Run::seen_props(const Token& token, const std::string& zone) {
  std::map<std::string, Scalar> out = token.props;
  if (!free_ || applicable_.empty() || raw_) return out;
  raw_ = true;
  for (const TokenInterpretation& rule : grant().def->interpretations)
    if (passes(rule.when, token, zone, neutral()))
      for (const NamedScalar& assign : rule.assign) out[assign.name] = assign.value;
  raw_ = false;
  return out;
}

// G-54: zones the filter names otherwise are the zone that is asked about.
bool Run::filter_holds(const Grant& grant, const std::string& zone, const Context& c) {
  Context inner = c;
  for (const auto& [name, value] : grant.filled) inner.names[name] = value;
  std::set<std::string> names;
  zone_names(spec::to_json(*grant.def->zone_filter), names);
  if (!zone.empty()) {
    for (const std::string& name : names)
      if (!lookup(fill_in(name, inner), inner)) inner.names[name] = zone;
    inner.names["$zone"] = zone;
  }
  const Grant* outer = std::exchange(asked_, &grant);
  const bool judging = std::exchange(judging_, true);
  const auto restore = [&] {
    asked_ = outer;
    judging_ = judging;
  };
  try {
    const bool good = holds(*grant.def->zone_filter, inner);
    restore();
    return good;
  } catch (...) {
    restore();
    throw;
  }
}

bool Run::net_keeps(const std::string& zone, const Context& c) {
  if (!free_ || judging_ || applicable_.empty()) return true;
  bool keeps = false;
  for (const Grant& grant : applicable_) {
    if (!grant.def->zone_filter) return true;
    try {
      keeps = keeps || filter_holds(grant, zone, c);
    } catch (const RuntimeError& error) {
      if (error.code != "MISSING_BINDING") throw;
      undecided_.insert(zone);
      keeps = true;
    }
  }
  return keeps;
}

// ---- The whole move

std::vector<std::string> Run::zones_of_move(const Grant& grant) const {
  std::vector<std::string> out;
  const auto add = [&](const Val& item) {
    const auto* text = std::get_if<std::string>(&item.v);
    if (!text) return;
    const std::string id = rules_.zones.contains(*text) ? *text : *text + ":none";
    if (rules_.zones.contains(id) && std::find(out.begin(), out.end(), id) == out.end())
      out.push_back(id);
  };
  const auto bare = [](const std::string& name) {
    return name.starts_with('$') ? name.substr(1) : name;
  };
  for (const auto& [name, value] : made_) {
    bool named = !grant.def->zone_bindings;
    if (!named)
      for (const std::string& wanted : *grant.def->zone_bindings)
        named = named || bare(name) == bare(wanted) || bare(name).starts_with(bare(wanted) + "@");
    if (!named) continue;
    add(value);
    if (const auto* list = std::get_if<List>(&value.v))
      for (const Val& item : *list) add(item);
  }
  return out;
}

// G-51, G-52, G-61
bool Run::authorises(const Grant& grant, const Context& c) {
  const std::vector<std::string> zones = zones_of_move(grant);
  if (zones.empty() && grant.def->zone_bindings) return false;
  if (!grant.def->requires_from.empty()) {
    const auto& kept = w.table.captured[grant.batch][grant.def->requires_from];
    if (std::none_of(zones.begin(), zones.end(), [&](const std::string& zone) {
          return std::find(kept.begin(), kept.end(), zone) != kept.end();
        }))
      return false;
  }
  if (!grant.def->zone_filter) return true;
  const auto good = [&](const std::string& zone) {
    try {
      return filter_holds(grant, zone, c);
    } catch (const RuntimeError& error) {
      if (error.code == "MISSING_BINDING") return false;
      throw;
    }
  };
  if (zones.empty()) return good("");
  return std::any_of(zones.begin(), zones.end(), good);
}

// 20.6
Json Run::material(const World& world) const {
  Json out = Json::array();
  const auto vars = [&](const std::vector<VarDef>& defs, const std::map<std::string, Val>& values) {
    for (const VarDef& var : defs)
      if (const auto found = values.find(var.name); var.material && found != values.end())
        out.push_back(json_of(found->second));
  };
  vars(def().global_vars, world.globals);
  for (const auto& player : world.players) vars(def().per_player_vars, player);
  for (const auto& [zone, values] : world.zone_vars) vars(def().zone_vars, values);
  for (const auto& [id, tokens] : world.zones)
    for (const Token& token : tokens) {
      out.push_back(id + " " + token.id);
      for (const auto& [name, value] : token.props)
        out.push_back(name + canonical(json_of(Val(value))));
    }
  out.push_back(world.next_ordinal);
  for (const auto& [space, states] : world.markers)
    for (const auto& [marker, state] : states)
      if (state != lattice(marker).default_state) out.push_back(space + marker + state);
  out.push_back(world.global_markers);
  for (const auto& [zone, grants] : world.reveals)
    for (const RevealGrant& reveal : grants)
      out.push_back(Json::array({zone, reveal.all, reveal.observers, reveal.filter}));
  for (const Lasting& lasting : world.table.lasting) out.push_back(lasting.def->id);
  for (const Interrupt& interrupt : world.interrupts) out.push_back(interrupt.phase);
  return out;
}

// What can only be said of a complete move; of a free one also which grant it uses (G-72).
void Run::judge_whole(const Move& move, const Context& c) {
  if (!rules_.flow) return;
  Context whole = c;
  for (const auto& [name, value] : made_) whole.names[name] = value;
  if (!fits_season_and_lasting(move, made_, true)) throw Illegal("more than is allowed now");
  used_.reset();
  if (!free_) return;
  whole.active = whole.actor = mover_;
  Run before(rules_, start_);
  before.made_ = made_;
  before.chosen_ = chosen_;
  before.free_ = true;
  before.applicable_ = applicable_;
  for (const std::string& zone : undecided_) {
    const auto mentions = [&](const Val& item) {
      return std::holds_alternative<std::string>(item.v) && std::get<std::string>(item.v) == zone;
    };
    bool chosen = false;
    for (const auto& [name, value] : made_) {
      chosen = chosen || mentions(value);
      if (const auto* list = std::get_if<List>(&value.v))
        chosen = chosen || std::any_of(list->begin(), list->end(), mentions);
    }
    if (chosen && std::none_of(applicable_.begin(), applicable_.end(), [&](const Grant& grant) {
          return !grant.def->zone_filter || before.filter_holds(grant, zone, whole);
        }))
      throw Illegal("a zone no grant allows");
  }
  std::vector<Grant> fitting;
  for (const Grant& grant : applicable_)
    if (before.authorises(grant, whole) &&
        (!grant.def->must_change || material(start_) != material(w)))
      fitting.push_back(grant);
  if (fitting.empty()) throw Illegal("no grant allows this");
  used_ = *strongest(fitting);
}

// One use of it is gone; with the last grant of a batch goes what the batch remembered.
void Run::use_up(const Grant& used) {
  Table& t = w.table;
  if (!used.def->captures_as.empty())
    t.captured[used.batch][used.def->captures_as] = zones_of_move(used);
  for (Grant& grant : t.grants)
    if (grant.id == used.id) --grant.uses;
  std::erase_if(t.grants, [](const Grant& grant) { return grant.uses <= 0; });
  const bool more = std::any_of(t.grants.begin(), t.grants.end(),
                                [&](const Grant& grant) { return grant.batch == used.batch; });
  if (!more) t.captured.erase(used.batch);
}

// G-73
void Run::release_deferred() {
  for (std::size_t i = 0; i < w.table.deferred.size();) {
    const Deferred deferred = w.table.deferred[i];
    const bool open =
        std::any_of(w.table.grants.begin(), w.table.grants.end(),
                    [&](const Grant& g) { return deferred.batches.contains(g.batch); });
    if (open) {
      ++i;
      continue;
    }
    w.table.deferred.erase(w.table.deferred.begin() + static_cast<std::ptrdiff_t>(i));
    free_ = false;
    Context c{deferred.player, deferred.player, deferred.names};
    card_effects(deferred.play, c);
    dispatch_collected();
  }
}

}  // namespace parlor::reference
