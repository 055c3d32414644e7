// Free operations (20.5, G-01 … G-81): grants are data of the state. They are issued, wait for
// their turn, give options, judge the moves made under them, and are used up or lapse.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// ---- Life of a grant

// Nothing of its batch with a smaller step is left (G-20).
bool Cards::grant_ready(int k) const {
  const GrantRecord& own = memory_.grant(k);
  if (own.batch < 0 || own.step == 0) return true;
  const FlowRecord& f = memory_.flow();
  for (int other = 0; other < f.grants; ++other)
    if (const GrantRecord& g = memory_.grant(other);
        g.batch == own.batch && g.source == own.source && g.step < own.step)
      return false;
  return true;
}

int Cards::grant_rank(int k) const {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  return (info.completion == spec::Completion::required ? 4 : 0) + (info.must_change ? 2 : 0) +
         (info.resumes ? 1 : 0);
}

// G-41: for what class an action is taken under this grant.
bool Cards::grant_admits(int k, int action, ActionClass& as_class) const {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  if (!info.actions[action]) return false;
  const ActionClass mapped = p_->flow.class_of[action];
  as_class = info.action_class;
  if (mapped == ActionClass::none || mapped == info.action_class) return true;
  switch (info.action_class) {
    case ActionClass::operation:
      as_class = mapped;
      return mapped == ActionClass::special_activity;
    case ActionClass::limited_operation:
      return mapped == ActionClass::operation;
    case ActionClass::operation_plus_special_activity:
      return mapped == ActionClass::operation || mapped == ActionClass::special_activity;
    default:
      return false;
  }
}

// Grants that give the same option, since they show the move the same: whichever of them it fits is
// used up by it.
bool Cards::same_group(int a, int b) const {
  const GrantRecord &one = memory_.grant(a), &other = memory_.grant(b);
  if (a == b) return true;
  if (one.seat != other.seat || one.as != other.as) return false;
  const GrantInfo &first = p_->flow.grants[one.def], &second = p_->flow.grants[other.def];
  const auto key = [](const auto& entry) { return entry.first; };
  return first.views == second.views &&
         std::ranges::equal(first.context, second.context, {}, key, key) &&
         std::ranges::equal(context_of(a), context_of(b));
}

// Behind the values of the context come those its filter keeps.
std::span<const Value> Cards::context_of(int k) const {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  const Value* const from = memory_.grant_values(k).data();
  const Value* to = from;
  for (std::size_t left = info.context.size(); left > 0; --left)
    to += to->is_list() ? to->payload() + 1 : 1;
  return {from, to};
}

// Calls `use` with the grants that may authorise the move being made, the strongest first, until it
// says true (G-72).
template <class Use>
bool Cards::each_rival(Use use) const {
  const FlowRecord& f = memory_.flow();
  const int lead = move_.grant - 1;
  const auto blocks = [&](int k) { return p_->flow.grants[memory_.grant(k).def].blocks(); };
  for (int rank = 7; rank >= 0; --rank)
    for (int k = 0; k < f.grants; ++k) {
      if (grant_rank(k) != rank || !grant_ready(k) || !same_group(lead, k)) continue;
      ActionClass c{};
      if (blocks(lead) != blocks(k) || !grant_admits(k, move_.action, c) || c != move_.action_class)
        continue;
      if (use(k)) return true;
    }
  return false;
}

// What a whole move is judged by may be the state it began with.
bool Cards::rivals_look_back() const {
  return each_rival([&](int k) {
    const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
    return info.must_change || info.filter_reads_state;
  });
}

void Cards::drop_grant(int k) {
  const GrantRecord gone = memory_.grant(k);
  memory_.drop_grant(k);
  for (int other = 0; other < flow().grants; ++other)
    if (memory_.grant(other).batch == gone.batch && memory_.grant(other).source == gone.source)
      return;
  // The last of its batch: what the batch remembers is forgotten (G-24).
  for (int c = flow().captured - 1; c >= 0; --c)
    if (memory_.captured(c).batch == gone.batch && memory_.captured(c).source == gone.source)
      memory_.drop_captured(c);
}

void Cards::consume_grant(int k) {
  GrantRecord& g = memory_.grant(k);
  if (listener_ != nullptr)
    report("grantUsed",
           {{"grant", p_->flow.grants[g.def].name}, {"player", int{g.seat}}, {"uses", g.uses - 1}});
  if (--g.uses == 0) drop_grant(k);
}

void Cards::drop_blocking(int player) {
  for (int k = flow().grants - 1; k >= 0; --k) {
    const GrantRecord& g = memory_.grant(k);
    if (g.seat != player || !grant_ready(k) || !p_->flow.grants[g.def].blocks()) continue;
    if (listener_ != nullptr)
      report("grantLapsed", {{"grant", p_->flow.grants[g.def].name}, {"player", player}});
    drop_grant(k);
  }
}

// ---- Issuing

// A value as a state keeps it: a list is its length, then its items.
bool Cards::keep_values(Value v, Value*& next, const Value* end, std::uint32_t place) {
  const auto keep = [&](Value item) {
    if (item.tag() == Tag::text) item = value_of_text(text_of(item));
    if (next == end || item.tag() == Tag::text || item.is_list() || item.tag() == Tag::row) {
      fail(next == end ? Code::RUN_TOO_MANY : Code::RUN_TYPE, place,
           "this cannot be kept until it is needed", item);
      return false;
    }
    *next++ = item;
    return true;
  };
  if (!v.is_list()) return keep(v);
  const std::size_t size = stored_size(v);
  if (next == end) return keep(v);
  *next++ = Value::make(Tag::list, size);
  for (std::size_t k = 0; k < size; ++k)
    if (!keep(list_at(v, k))) return false;
  return true;
}

bool Cards::make_grant(int def, int self, GrantRecord& record) {
  const GrantInfo& info = p_->flow.grants[def];
  const int seat = info.seat == GrantInfo::self ? self : info.seat;
  const int as = info.as == GrantInfo::same ? seat : info.as == GrantInfo::self ? self : info.as;
  record = {def, seat, as, info.step, info.uses, info.batch, flow().serial, flow().issued, 0};
  made_values_.assign(p_->flow.grant_values, Value{});
  Value* next = made_values_.data();
  const Value* const end = next + made_values_.size();
  for (const auto& [key, node] : info.context)
    if (const Value v = value(node); failed_ || !keep_values(v, next, end, info.place))
      return false;
  for (const NodeId node : info.fills)
    if (const Value v = value(node); failed_ || !keep_values(v, next, end, info.place))
      return false;
  made_values_.resize(next - made_values_.data());
  return true;
}

bool Cards::issue_grant(const Instr& i) {
  const GrantInfo& info = p_->flow.grants[i.a];
  FlowRecord& f = flow();
  // A step that could not be issued takes the later ones of a strict batch with it (G-11).
  for (int b = 0; info.batch >= 0 && b < f.broken; ++b)
    if (f.broken_batch[b] == info.batch) return true;
  GrantRecord record;
  if (!make_grant(i.a, active_, record)) return false;
  if (info.viability == spec::Viability::require_usable_at_issue &&
      !(grant_usable(record, made_values_) && steps_before_are_usable(record))) {
    if (info.batch >= 0 && info.strict && f.broken < max_broken)
      f.broken_batch[f.broken++] = info.batch;
    return !failed_;
  }
  if (f.grants >= max_grants) {
    fail(Code::RUN_TOO_MANY, i.place, "too many grants are open", Value::integer(max_grants));
    return false;
  }
  ++f.issued;
  memory_.add_grant(record, made_values_);
  if (listener_ != nullptr)
    report("grantIssued",
           {{"grant", info.name}, {"player", int{record.seat}}, {"uses", int{record.uses}}});
  return true;
}

// In a strict batch nothing can be used behind a step that cannot (G-12).
bool Cards::steps_before_are_usable(const GrantRecord& record) {
  if (!p_->flow.grants[record.def].strict) return true;
  for (int k = 0; k < flow().grants; ++k)
    if (const GrantRecord earlier = memory_.grant(k);
        record.batch >= 0 && earlier.batch == record.batch && earlier.source == record.source &&
        earlier.step < record.step && !grant_usable(earlier, memory_.grant_values(k)))
      return false;
  return true;
}

// Whether some move could be completed under this grant, if it were its owner's turn on an
// untouched card and nothing else were open (G-10).
bool Cards::grant_usable(const GrantRecord& record, std::span<const Value> values) {
  Lease lease(*p_);
  lease.block() = memory_.block();
  Machine& m = lease.machine();
  m.attach(lease.block());
  m.begin_write();
  while (m.flow().grants > 0) m.memory_.drop_grant(m.flow().grants - 1);
  m.memory_.add_grant(record, values);
  FlowRecord& f = m.flow();
  f.acted = f.passed = 0;
  f.acts = 0;
  f.first_class = ActionClass::none;
  f.move = {};
  m.header().active = record.seat;
  m.header().decision = DecisionKind::action;
  m.steps_left = std::max<std::int64_t>(0, steps_left);
  m.probing_ = true;
  const bool usable = m.move_exists();
  m.probing_ = false;
  steps_left = m.steps_left;
  return usable;
}

// G-13: each grant that the event has to be able to give, by itself, before anything happens.
bool Cards::event_is_viable() {
  const EventMove& event = p_->flow.event_moves[event_];
  for (const int def : event.needs_usable) {
    GrantRecord record;
    {
      Scratch scratch(*this, event.unit, active_, actor_);
      whole().set_event(event_);
      if (!make_grant(def, active_, record)) return false;
    }
    if (!grant_usable(record, made_values_)) return false;
  }
  return true;
}

// ---- The move made under a grant

// The zones a move is about (G-51): those in the named bindings, or in all its parameters.
void Cards::zone_candidates(int k, std::vector<ZoneId>& out) {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  out.clear();
  const auto take = [&](Value v) {
    const auto one = [&](Value item) {
      if (item.is_symbol() && item.payload() < p_->zone_count) out.push_back(item.as_zone());
    };
    for (std::size_t n = 0; v.is_list() && n < stored_size(v); ++n) one(list_at(v, n));
    if (!v.is_list()) one(v);
  };
  const auto wanted = [&](std::string_view name) {
    if (!info.names_bindings) return true;
    if (name.starts_with('$')) name.remove_prefix(1);
    name = name.substr(0, name.find('@'));
    return std::ranges::any_of(info.bindings, [&](const std::string& b) { return b == name; });
  };
  const UnitId unit = whole().unit_of_slots();
  if (!unit.is_none())
    for (const auto& [symbol, at] : p_->units[unit].params)
      if (wanted(p_->name(symbol))) take(slot(at));
  for (const TemplateBinding& binding : templates_)
    if (binding.source <= TemplateBinding::chosen && wanted(p_->name(binding.pattern)))
      take(binding.value);
}

Truth Cards::filter_zone(int k, ZoneId zone) {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  if (info.filter.is_none()) return Truth::yes;
  filter_base_ = base_;
  filter_unit_ = whole().unit_of_slots();
  filter_grant_ = k;
  filter_zone_ = zone;
  filtering_ = true;
  const int owner = memory_.grant(k).seat;
  Truth truth = Truth::no;
  // Legality comes before effects: a whole move is judged as things stood when it began.
  StateBlock& now = memory_.block();
  const bool looks_back = judging_ && info.filter_reads_state && origin_.size() != 0;
  if (looks_back) memory_.look_at(*p_, origin_);
  {
    Scratch scratch(*this, info.filter_unit, owner, owner);
    if (!zone.is_none()) slot(info.zone_slot) = Value::zone(zone);
    truth = test(info.filter);
  }
  if (looks_back) memory_.look_at(*p_, now);
  filtering_ = false;
  // What is not chosen yet does not say no; whatever else goes wrong does.
  if (truth == Truth::fault) {
    const bool undecided = fault_.code == Code::RUN_BINDING_MISSING;
    clear_fault();
    truth = undecided && !judging_ ? Truth::yes : Truth::no;
  }
  return truth;
}

// G-50: what queries of the move find at all.
bool Cards::net_allows(ZoneId zone) {
  if (!p_->flow.any_filter || filtering_ || frames_.size() > 1) return true;
  return each_rival([&](int k) { return filter_zone(k, zone) == Truth::yes; });
}

bool Cards::sequence_fits(int k, std::span<const ZoneId> zones) {
  const GrantRecord& g = memory_.grant(k);
  const GrantInfo& info = p_->flow.grants[g.def];
  if (info.requires_from < 0) return true;
  for (int c = 0; c < flow().captured; ++c) {
    const CapturedRecord& captured = memory_.captured(c);
    if (captured.batch != g.batch || captured.source != g.source ||
        captured.key != info.requires_from)
      continue;
    const std::uint64_t* set = memory_.captured_zones(c);
    for (const ZoneId z : zones)
      if (has_zone(set, z)) return true;
  }
  return false;
}

bool Cards::grant_fits(int k) {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  zone_candidates(k, zones_at_);
  if (info.names_bindings && zones_at_.empty()) return false;
  if (!sequence_fits(k, zones_at_)) return false;
  if (info.must_change && !changed_material()) return false;
  if (info.filter.is_none()) return true;
  if (zones_at_.empty()) return filter_zone(k, ZoneId::none()) == Truth::yes;
  return std::ranges::any_of(zones_at_, [&](ZoneId z) { return filter_zone(k, z) == Truth::yes; });
}

void Cards::capture(int k, std::span<const ZoneId> zones) {
  const GrantRecord& g = memory_.grant(k);
  const GrantInfo& info = p_->flow.grants[g.def];
  FlowRecord& f = flow();
  if (info.captures < 0) return;
  int at = 0;
  while (at < f.captured &&
         !(memory_.captured(at).batch == g.batch && memory_.captured(at).source == g.source &&
           memory_.captured(at).key == info.captures))
    ++at;
  if (at == f.captured) {
    if (f.captured >= max_captured) return;
    memory_.add_captured({g.batch, info.captures, g.source, 0});
  }
  std::uint64_t* set = memory_.captured_zones(at);
  std::fill_n(set, p_->words, 0);
  for (const ZoneId z : zones) put_zone(set, z);
}

bool Cards::authorise(const Instr& i) {
  judging_ = true;
  int found = -1;
  each_rival([&](int k) {
    if (!grant_fits(k)) return false;
    found = k;
    return true;
  });
  judging_ = false;
  if (found < 0) return refuse(Code::RUN_GRANT, i.place, "no grant allows the move as it was made");
  move_.grant = found + 1;
  move_.judged = 1;
  zone_candidates(found, zones_at_);
  capture(found, zones_at_);
  flow().move = move_;
  return true;
}

// What the card asks of a whole move: limits on what was chosen, how an activity goes with its
// operation, and what a grant wants of it.
bool Cards::judge_move(const Instr& i) {
  if (frames_.size() > 1) return true;  // an activity is judged with its operation
  if (whole().ask_monsoon(i.a, true) == Truth::no)
    return refuse(Code::RUN_STAGE, i.place, "the season allows less than was chosen");
  if (flow().lasting != 0 && whole().ask_lasting(i.a, true) == Truth::no)
    return refuse(Code::RUN_STAGE, i.place, "a lasting effect allows less than was chosen");
  if (move_.activity >= 0 && !constraints_hold(i)) return false;
  return move_.grant == 0 || authorise(i);
}

bool Cards::move_is_judged() const {
  if (!p_->flow.cards) return false;
  return (may_carry_activity() && !activity_is_settled()) || is_limited(move_.action) ||
         (move_.grant != 0 && !fits_whatever(move_.grant - 1));
}

bool Cards::is_judged_anyway() const {
  if (!p_->flow.cards) return false;
  const bool without = row_holds() && !p_->tries_everything;
  return (may_carry_activity() && !without) || is_limited(move_.action) ||
         (move_.grant != 0 && !fits_whatever(move_.grant - 1));
}

// Such a grant allows every move that can be made under it (grant_fits).
bool Cards::fits_whatever(int k) const {
  const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
  return !p_->tries_everything && info.filter.is_none() && !info.must_change &&
         !info.names_bindings && info.requires_from < 0;
}

// Whether the season or a lasting effect asks how much was chosen.
bool Cards::is_limited(int action) const {
  if (action < 0) return true;  // nobody says what is being made
  const FlowInfo& info = p_->flow;
  if (info.monsoons && lookahead_is_coup()) {
    const auto rule = std::ranges::find(info.monsoon, action, &MonsoonInfo::action);
    if (rule != info.monsoon.end() && (rule->limits || rule->totals || rule->override_token >= 0))
      return true;
  }
  const ActionClass mapped = info.class_of[action];
  for (int k = 0; k < memory_.flow().lasting; ++k)
    for (const RestrictionInfo& r : info.lasting[memory_.lasting(k).def].restrictions)
      if (r.limits && (r.action < 0 || r.action == action) &&
          (r.action_class == ActionClass::none || r.action_class == mapped))
        return true;
  return false;
}

static bool same_lasting(const Memory& now, const Memory& then) {
  const int count = now.flow().lasting;
  return count == then.flow().lasting &&
         (count == 0 ||
          std::memcmp(&now.lasting(0), &then.lasting(0), count * sizeof(LastingRecord)) == 0);
}

// 20.6: variables that matter, tokens, markers, what is shown, lasting effects, interrupts.
bool Cards::changed_material() const {
  if (origin_.size() == 0) return true;
  const Memory before(*p_, const_cast<StateBlock&>(origin_));
  const Header &now = memory_.header(), &then = before.header();
  if (now.tokens != then.tokens || now.interrupts != then.interrupts || now.reveals != then.reveals)
    return true;
  int cell = 0;
  const auto vars_differ = [&](const Vars& vars, std::size_t owners) {
    bool differ = false;
    for (std::size_t owner = 0; owner < owners; ++owner)
      for (const VarInfo& var : vars) {
        differ |= var.material && memory_.var_cell(cell) != before.var_cell(cell);
        ++cell;
      }
    return differ;
  };
  if (vars_differ(p_->gvars, 1) || vars_differ(p_->pvars, p_->players) ||
      vars_differ(p_->zvars, p_->zones.size()))
    return true;
  const Layout& l = p_->layout;
  const auto bytes_differ = [&](std::uint32_t from, std::uint32_t to) {
    return !std::equal(memory_.at<std::byte>(from), memory_.at<std::byte>(to),
                       before.at<std::byte>(from));
  };
  return bytes_differ(l.markers, l.usage) || bytes_differ(l.zones, l.features) ||
         bytes_differ(l.interrupts, l.ranges) || !same_lasting(memory_, before) ||
         bytes_differ(l.tokens, l.tokens + now.tokens * l.token_size);
}

// ---- What expressions read

Value Cards::grant_value(int k, int index) {
  const std::span<const Value> values = memory_.grant_values(k);
  const Value *at = values.data(), *const end = at + values.size();
  for (; at < end && index > 0; --index) at += at->is_list() ? at->payload() + 1 : 1;
  if (at >= end) return {};
  if (!at->is_list()) return *at;
  return make_list(std::span(at + 1, at->payload()));
}

Value Cards::move_binding(Symbol name) {
  Value found;
  const std::string_view wanted = p_->name(name);
  const auto bare = [](std::string_view text) {
    return text.starts_with('$') ? text.substr(1) : text;
  };
  if (!filter_unit_.is_none())
    for (const auto& [symbol, at] : p_->units[filter_unit_].names)
      if (symbol == name || bare(p_->name(symbol)) == bare(wanted))
        if (const Value v = slots_[filter_base_ + at.value]; !v.is_none()) found = v;
  return found;
}

// Whether the move being made declares this name anywhere.
bool Cards::move_will_bind(Symbol name) const {
  if (move_.action < 0) return false;
  const auto bare = [&](Symbol symbol) {
    const std::string_view text = p_->name(symbol);
    return text.starts_with('$') ? text.substr(1) : text;
  };
  const auto in = [&](UnitId unit) {
    return !unit.is_none() && std::ranges::any_of(p_->units[unit].names, [&](const auto& known) {
      return bare(known.first) == bare(name);
    });
  };
  const ActionInfo& action = p_->actions[move_.action];
  return in(action.unit) || std::ranges::any_of(action.pipelines, [&](int pipeline) {
           return in(p_->pipelines[pipeline].unit);
         });
}

Value Cards::flow_value(const Node& n) {
  const int grant = filtering_ ? filter_grant_ : move_.grant - 1;
  switch (n.op) {
    case Ex::action_class: {
      const ActionClass own = move_.action_class;
      return Value::symbol(
          p_->flow.word_of(own == ActionClass::none ? ActionClass::operation : own));
    }
    case Ex::free_operation:
      return Value::boolean(move_.grant != 0);
    case Ex::move_name: {
      const Value v = move_binding(n.a);
      if (!v.is_none()) return v;
      // A name nothing will be bound to is another word for the zone (G-54).
      if (!filter_zone_.is_none() && (judging_ || !move_will_bind(n.a)))
        return Value::zone(filter_zone_);
      return fail(Code::RUN_BINDING_MISSING, n.place, "nothing is bound to this name",
                  Value::symbol(n.a));
    }
    case Ex::grant_fill: {
      const GrantInfo& info = p_->flow.grants[memory_.grant(filter_grant_).def];
      return grant_value(filter_grant_, std::ssize(info.context) + n.a);
    }
    case Ex::grant_context: {
      const Value key = value(n.a);
      if (failed_) return {};
      if (grant >= 0) {
        const auto& context = p_->flow.grants[memory_.grant(grant).def].context;
        for (std::size_t k = 0; k < context.size(); ++k)
          if (key == Value::symbol(context[k].first)) return grant_value(grant, k);
      }
      return fail(Code::RUN_BINDING_MISSING, n.place, "this move has no such context", key);
    }
    default: {
      const Value key = value(n.a);
      if (failed_) return {};
      const std::size_t mark = work_.size();
      for (int c = 0; grant >= 0 && c < flow().captured; ++c) {
        const CapturedRecord& captured = memory_.captured(c);
        const GrantRecord& g = memory_.grant(grant);
        if (captured.batch != g.batch || captured.source != g.source ||
            key != Value::symbol(captured.key))
          continue;
        for (const ZoneId z : p_->zones.ids())
          if (has_zone(memory_.captured_zones(c), z)) work_.push_back(z.value);
      }
      const Value list = make_blank_list(work_.size() - mark);
      for (std::size_t k = mark; !failed_ && k < work_.size(); ++k)
        put_at(list, k - mark, Value::zone(ZoneId(work_[k])));
      work_.resize(mark);
      return list;
    }
  }
}

// G-56: every rule that fits what the token really is assigns, later ones over earlier ones.
Value Evaluator::interpreted(TokenId t, int property) {
  Value v = memory_.prop(t, property);
  interpreting_ = true;
  const GrantInfo& info = p_->flow.grants[memory_.grant(move_.grant - 1).def];
  if (v.is_none()) {
    interpreting_ = false;
    return v;
  }
  for (const GrantInfo::Interpretation& rule : info.interpretations) {
    const auto assigns = std::ranges::find(rule.assign, property, &std::pair<int, Value>::first);
    if (assigns == rule.assign.end()) continue;
    Truth fits = Truth::no;
    {
      Scratch scratch(*this, info.filter_unit, active_, actor_);
      fits = filter(rule.filter, t);
    }
    if (fits == Truth::yes) v = assigns->second;
    if (fits == Truth::fault) clear_fault();
  }
  interpreting_ = false;
  return v;
}

}  // namespace parlor::kernel
