// Decisions inside a move: what can be answered, and answering it.
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {
constexpr std::uint64_t confirm_id = std::uint64_t{1} << 32;

// Slots of a chooseN cursor.
enum : int { c_options, c_selected, c_min, c_max, c_tiers, cursor_slots };
}  // namespace
static_assert(cursor_slots <= 6);

// Options with equal values are one option; the first stays.
void Evaluator::drop_duplicates(Value list) {
  const std::size_t size = list_size(list);
  if (size == 0 || !spend(size * size / 64, 0)) return;
  Value* const items = own_items(list);
  std::size_t kept = 0;
  // Zones are the first names: which of them were there are bits.
  std::uint64_t zones[most_words] = {};
  const std::int64_t most_zones = std::min<std::int64_t>(p_->zone_count, most_words * 64);
  const auto is_zone = [&](Value v) { return v.is_symbol() && v.payload() < most_zones; };
  if (std::all_of(items, items + size, is_zone)) {
    for (std::size_t i = 0; i < size; ++i) {
      const ZoneId z = items[i].as_zone();
      if (!has_zone(zones, z)) items[kept++] = items[i];
      put_zone(zones, z);
    }
    arena_[list.payload()] = Value{kept};
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    bool seen = false;
    for (std::size_t k = 0; k < kept && !seen; ++k) seen = equal_values(items[k], items[i]);
    if (!seen) items[kept++] = items[i];
  }
  arena_[list.payload()] = Value{kept};
}

// The tier of every option (prioritized queries), as a list beside the options. What is in several
// tiers belongs to the first of them.
Value Statements::collect_tiers(NodeId node, Value options) {
  const Node& n = p_->as_written().nodes[node];
  if (n.op != Ex::q_prioritized) return {};
  const Value tiers = make_blank_list(list_size(options));
  if (failed_) return {};
  std::size_t next = 0;
  for (int i = 0; i < n.b; ++i)
    each(p_->extra[n.a + i], [&](Value item) {
      if (next < list_size(options) && equal_values(item, list_at(options, next)))
        own_items(tiers)[next++] = Value::integer(i);
      return true;
    });
  return failed_ ? Value{} : tiers;
}

bool Statements::do_choose(const Instr& i) {
  int chooser = i.c >= 0 ? player(i.c) : active();
  if (chooser < 0) return false;
  // Who was granted an operation as another seat decides in that seat's place (G-42).
  if (move_.grant != 0 && chooser == move_.as) chooser = move_.owner;
  // Where nothing that follows could make the move illegal, a trial only asks whether there is an
  // answer.
  const bool last_of_trial = until_ == Until::nothing_refuses &&
                             safe_behind(frames_.back(), frames_.back().pc - 1) &&
                             callers_are_safe();
  if (last_of_trial && i.op == Op::choose_one) {
    complete_ = has_result(i.b);
    if (failed_) return false;
    return complete_ || refuse(Code::RUN_CHOICE, i.place, "there is nothing to choose from");
  }
  found_first_only_ = first_only_ && i.op == Op::choose_one;
  const Value list = found_first_only_ ? first_result(i.b) : all_results(i);
  if (failed_) return false;
  drop_duplicates(list);
  if (failed_) return false;
  const std::int64_t size = list_size(list);
  if (size > 0 && list_at(list, 0).tag() == Tag::row) {
    fail(Code::RUN_TYPE, i.place, "rows cannot be chosen");
    return false;
  }
  if (i.op == Op::choose_one) {
    if (size == 0) return refuse(Code::RUN_CHOICE, i.place, "there is nothing to choose from");
    slot(i.a) = list;
    header().decision = DecisionKind::choose_one;
  } else {
    const Operand* e = &p_->extra[i.d];  // #min #max ordered $bind
    std::int64_t min = 0, max = 0;
    if (!integer(e[0], min) || !integer(e[1], max)) return false;
    max = std::min(max, size);
    if (min > max || max < 0)
      return refuse(Code::RUN_CHOICE, i.place,
                    "the smallest allowed selection is larger than the largest",
                    Value::integer(min), Value::integer(max));
    if (last_of_trial) return complete_ = true;
    if (max == 0 || (i.c < 0 && min == max && max == size && (e[2] == 0 || max == 1))) {
      slot(e[3]) = max == 0 ? make_list({}) : list;
      return !failed_;
    }
    slot(i.a, c_options) = list;
    slot(i.a, c_selected) = make_list({});
    if (failed_) return false;
    slot(i.a, c_min) = Value::integer(std::max<std::int64_t>(0, min));
    slot(i.a, c_max) = Value::integer(max);
    slot(i.a, c_tiers) = collect_tiers(i.b, list);
    header().decision = DecisionKind::choose_n;
  }
  if (failed_) return false;
  header().decider = chooser;
  --frames_.back().pc;
  yield_ = true;
  return true;
}

// Statements that refuse (Linker::find_refusals_at_start), asked and not done.
Truth Statements::can_be_done(const Instr& i) {
  const auto truth = [&](bool yes) {
    return failed_ ? Truth::fault : yes ? Truth::yes : Truth::no;
  };
  if (i.op == Op::fail_unless) return test(i.a);
  if (i.op == Op::choose_one) return truth(has_result(i.b));
  const Operand* e = &p_->extra[i.d];  // #min #max ordered $bind
  std::int64_t min = 0, max = 0;
  if (!integer(e[0], min) || !integer(e[1], max)) return Truth::fault;
  if (max < 0 || min > max) return Truth::no;
  if (min <= 0) return Truth::yes;
  if (min == 1) return truth(has_result(i.b));
  const std::size_t mark = arena_.size();
  const Value list = collect(i.b);
  if (!failed_) drop_duplicates(list);
  const bool enough = !failed_ && std::cmp_greater_equal(list_size(list), min);
  arena_.resize(mark);
  return truth(enough);
}

// The selection is a list of indices in the cursor, followed by those at the end of the work stack
// that are only being considered.
bool Statements::is_selected(const Instr& i, std::size_t mark, std::int64_t index) const {
  const Value list = slots_[base_ + i.a + c_selected];
  for (std::size_t k = 0; k < list_size(list); ++k)
    if (list_at(list, k).payload() == index) return true;
  return std::find(work_.begin() + mark, work_.end(), index) != work_.end();
}

// Whether option `index` may join the selection.
bool Statements::admissible(const Instr& i, std::size_t mark, std::int64_t index) {
  const auto at = [&](int offset) { return slots_[base_ + i.a + offset]; };
  if (is_selected(i, mark, index)) return false;
  const bool ordered = p_->extra[i.d + 2] != 0;
  const Value list = at(c_selected);
  const std::size_t chosen = list_size(list);
  const std::int64_t last = work_.size() > mark ? work_.back()
                            : chosen > 0        ? list_at(list, chosen - 1).payload()
                                                : -1;
  if (!ordered && index < last) return false;
  const Value tiers = at(c_tiers);
  if (tiers.is_none()) return true;
  const Value options = at(c_options);
  const std::int64_t tier = list_at(tiers, index).payload();
  const int qualifier = p_->as_written().nodes[i.b].c;
  auto quality = [&](std::int64_t k) {
    const Value v = list_at(options, k);
    return qualifier >= 0 && v.is_token() ? seen_prop(v.as_token(), qualifier) : Value{};
  };
  for (std::int64_t k = 0; std::cmp_less(k, list_size(options)); ++k) {
    if (list_at(tiers, k).payload() >= tier) continue;
    if (is_selected(i, mark, k)) continue;
    if (qualifier < 0 || quality(k) == quality(index)) return false;
  }
  return true;
}

// The largest selection that can still be reached with `first`, taking whatever comes.
std::int64_t Statements::reachable(const Instr& i, std::int64_t first) {
  const std::size_t mark = work_.size();
  work_.push_back(first);
  const std::int64_t size = list_size(slot(i.a, c_options));
  for (bool grew = true; grew;) {
    grew = false;
    for (std::int64_t k = 0; k < size; ++k) {
      if (!admissible(i, mark, k)) continue;
      work_.push_back(k);
      grew = true;
    }
  }
  const std::size_t added = work_.size() - mark;
  work_.resize(mark);
  return list_size(slot(i.a, c_selected)) + added;
}

// All answers the choice itself allows; whether the move can be finished is asked elsewhere.
void Statements::raw_choices(OptionList& out) {
  const Instr& i = p_->code[frames_.back().pc];
  if (i.op == Op::choose_one) {
    const std::size_t size = list_size(slot(i.a));
    for (std::size_t k = 0; k < size; ++k) out.add(Option{k});
    return;
  }
  if (i.op != Op::choose_n) return list_chance(out);
  const std::int64_t count = list_size(slot(i.a, c_selected));
  const std::int64_t size = list_size(slot(i.a, c_options));
  const std::int64_t min = slot(i.a, c_min).payload(), max = slot(i.a, c_max).payload();
  const bool plain = slot(i.a, c_tiers).is_none();
  if (count < max)
    for (std::int64_t k = 0; k < size; ++k) {
      if (!admissible(i, work_.size(), k)) continue;
      if (count + 1 < min) {
        const bool ordered = p_->extra[i.d + 2] != 0;
        const std::int64_t most = !plain    ? reachable(i, k)
                                  : ordered ? size
                                            : count + 1 + (size - 1 - k);
        if (most < min) continue;
      }
      out.add(Option{static_cast<std::uint64_t>(k)});
    }
  if (count >= min) out.add(Option{confirm_id});
}

Statements::Selection Statements::selection() {
  const Instr& i = p_->code[frames_.back().pc];
  return {slot(i.a, c_options), slot(i.a, c_selected), slot(i.a, c_min).payload(),
          slot(i.a, c_max).payload(), p_->extra[i.d + 2] != 0};
}

bool Statements::is_selected(std::size_t index) const {
  return is_selected(p_->code[frames_.back().pc], work_.size(), index);
}

bool Statements::list_hopeful(OptionList& out, bool for_trial) {
  raw_choices(out);
  const std::size_t size = out.size();
  if (!p_->sum_bounds.empty() && header().decision == DecisionKind::choose_n) drop_hopeless(out);
  if (p_->flow.cards && for_trial) whole().drop_hopeless_activities(out);
  return out.size() != size;
}

void Statements::list_choices(OptionList& out) {
  whole().begin_listing();
  const Decision now = decision();
  if (now.kind == DecisionKind::chance || can_answer_safely()) return raw_choices(out);
  Lease lease(*p_);
  OptionList& all = lease.options();
  all.clear();
  list_hopeful(all, false);
  const std::size_t before = out.size();
  const bool activities = whole().is_activity_choice();
  for (const Option option : all) {
    // No activity is an answer only where no activity can be carried through.
    if (activities && out.size() != before && whole().is_no_activity(option)) break;
    if (whole().completes(option)) out.add(option);
  }
  if (out.size() != before) return;
  all.clear();
  raw_choices(all);
  // Bad luck, or a look-ahead that gave up, led to a choice that no answer to leads on. It still
  // has to be answered, and any answer is refused with the reason.
  for (const Option option : all) out.add(option);
}

// Nothing that comes after the answer may make the move illegal: not here, and not where this
// returns to.
bool Statements::can_answer_safely() const {
  const std::int32_t pc = frames_.back().pc;
  // A draw goes on drawing: it may meet a stacking limit itself.
  const bool goes_on = memory_.header().decision == DecisionKind::chance && p_->refuses[pc];
  return !goes_on && safe_behind(frames_.back(), pc) && callers_are_safe();
}

// Where this returns to nothing may make the move illegal, and neither may what is asked of it as a
// whole.
bool Statements::callers_are_safe() const {
  if (whole().move_is_judged()) return false;
  for (std::size_t k = 0; k + 1 < frames_.size(); ++k) {
    const UnitInfo& unit = p_->units[frames_[k].unit];
    const int caller = frames_[k].pc - 1;
    if (caller < unit.entry ? unit.can_refuse : !safe_behind(frames_[k], caller)) return false;
  }
  return true;
}

// The loop and those around it are in their last round.
bool Statements::loops_are_over(const Frame& frame, std::int32_t loop) const {
  for (; loop >= 0; loop = p_->refusing_loops[loop].around) {
    const SlotId cursor = p_->refusing_loops[loop].cursor;
    if (cursor.is_none() ||
        slot_of(frame, cursor, 1).payload() < slot_of(frame, cursor, 2).payload())
      return false;
  }
  return true;
}

bool Statements::is_confirm(Option option) const {
  return option.id == confirm_id;
}

Value Statements::option_value(Option option) {
  const Instr& i = p_->code[frames_.back().pc];
  const std::size_t index = option.id;
  if (i.op == Op::choose_one)
    return index < list_size(slot(i.a)) ? list_at(slot(i.a), index) : Value{};
  if (i.op == Op::choose_n)
    return index < list_size(slot(i.a, c_options)) ? list_at(slot(i.a, c_options), index) : Value{};
  if (i.op == Op::draw) return Value::token(TokenId(option.id));
  if (i.op == Op::move_token) return Value::integer(option.id);
  std::int64_t min = 0;
  integer(i.b, min);
  return Value::integer(min + option.id);
}

std::size_t Statements::selected_count() const {
  const Instr& i = p_->code[frames_.back().pc];
  return i.op == Op::choose_n ? list_size(slot(i.a, c_selected)) : 0;
}

Value Statements::selected_at(std::size_t index) const {
  const Instr& i = p_->code[frames_.back().pc];
  const Value place = list_at(slot(i.a, c_selected), index);
  return list_at(slot(i.a, c_options), place.payload());
}

const std::string* Statements::chosen_name() const {
  if (frames_.empty()) return nullptr;
  const auto found = p_->choice_names.find(frames_.back().pc);
  return found == p_->choice_names.end() ? nullptr : &found->second;
}

std::uint32_t Statements::choice_seen_by(Value chosen, int player, bool closed, bool buried) const {
  if (chosen.is_token()) return seen_by(chosen.as_token());
  const std::uint32_t own = std::uint32_t{1} << player;
  if (closed) return own;
  const bool zone = chosen.is_symbol() && chosen.payload() < p_->zone_count;
  if (!buried || !zone) return ~std::uint32_t{0};
  const ZoneInfo& to = p_->zones[chosen.as_zone()];
  return to.count_hidden ? own | to.sight : ~std::uint32_t{0};
}

// Those who do not see the token that was chosen, or may not know the value, are told only that
// something was.
void Statements::tell_choice(const Instr& i, Value chosen) {
  const int player = header().decider;
  const int pc = place_in(p_->code, i);
  const Secrets& secrets = p_->secrets;
  const std::uint32_t seen = choice_seen_by(chosen, player, secrets.any && secrets.closed_code[pc],
                                            secrets.any && secrets.buried_code[pc]);
  About about;
  if (chosen.is_token()) about.tokens = {chosen.as_token()};
  report("chosen", {{"player", player}, {"value", json_of(chosen)}}, seen,
         {{"player", player}, {"hidden", true}}, about);
}

bool Statements::answer(Option option) {
  const Instr& i = p_->code[frames_.back().pc];
  if (header().decision == DecisionKind::chance) return answer_chance(option);
  if (listener_ != nullptr) tell_choice(i, is_confirm(option) ? Value{} : option_value(option));
  if (i.op == Op::choose_one) {
    if (p_->secrets.shadows) note_choice(i.d, slot(i.a), header().decider);
    slot(i.d) = option_value(option);
    slot(i.a) = {};
    ++frames_.back().pc;
    return true;
  }
  if (!is_confirm(option)) {
    const Value before = slot(i.a, c_selected);
    const std::size_t size = list_size(before);
    const Value after = make_blank_list(size + 1);
    if (failed_) return false;
    for (std::size_t k = 0; k < size; ++k) put_at(after, k, list_at(before, k));
    put_at(after, size, Value::integer(static_cast<std::int64_t>(option.id)));
    slot(i.a, c_selected) = after;
    yield_again_ = true;
    return true;
  }
  const Value chosen = slot(i.a, c_selected);
  const Value items = make_blank_list(list_size(chosen));
  if (failed_) return false;
  for (std::size_t k = 0; k < list_size(chosen); ++k)
    own_items(items)[k] = list_at(slot(i.a, c_options), list_at(chosen, k).payload());
  if (p_->secrets.shadows) note_choice(p_->extra[i.d + 3], slot(i.a, c_options), header().decider);
  slot(p_->extra[i.d + 3]) = items;
  if (watch_ != nullptr && watch_->list < 0) watch_->list = items.payload();
  std::fill_n(&slot(i.a), cursor_slots, Value{});
  ++frames_.back().pc;
  return true;
}

Decision Statements::decision() const {
  const Header& h = memory_.header();
  Decision decision;
  decision.kind = h.decision;
  if (h.decision == DecisionKind::finished) return decision;
  if (h.decision != DecisionKind::chance) decision.player = PlayerId{h.decider};
  decision.starts_move = h.decision == DecisionKind::action;
  return decision;
}

}  // namespace parlor::kernel
