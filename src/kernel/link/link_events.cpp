// Event cards become units: one for each way to play a card, one for what a coup card does when it
// comes up, one for effects that wait until grants are used up, one for the end of each lasting
// effect. Grants become tables.
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/run/machine.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

namespace {

constexpr int most_listed = 16;  // items of a list that a binding may bring into a grant

// How many values of a grant's record a value may need.
int room_for(const spec::Value& v) {
  if (const auto* list = std::get_if<spec::ListLiteral>(&v.node))
    return std::ssize(list->items) + 1;
  const bool single =
      std::holds_alternative<spec::Int>(v.node) || std::holds_alternative<bool>(v.node) ||
      std::holds_alternative<std::string>(v.node) || std::holds_alternative<spec::Arith>(v.node) ||
      std::holds_alternative<spec::GvarRef>(v.node) ||
      std::holds_alternative<spec::PvarRef>(v.node) ||
      std::holds_alternative<spec::ActiveSeatRef>(v.node) ||
      std::holds_alternative<spec::Aggregate>(v.node);
  return single ? 1 : most_listed + 1;
}

// Whether what a condition says can be changed by effects: rather yes than no.
bool reads_state(spec::Part part) {
  const auto ignore = [](const auto&) {};
  if (spec::visit_if<spec::Query, spec::MarkerStateAllowed, spec::MarkerShiftAllowed,
                     spec::Connected>(part, ignore))
    return true;
  if (part.as<spec::Value>() != nullptr) {
    const spec::Tag* tag = part.alternative().tag;
    if (tag != nullptr && tag->key == spec::BindingRef::tag.key)
      return !spec::visit_if<spec::ZonePropRef, spec::BindingRef, spec::GrantContextRef,
                             spec::CapturedZonesRef>(part.chosen(), ignore);
  }
  bool reads = false;
  spec::each_part(part, [&](spec::Part inner) { reads = reads || reads_state(inner); });
  return reads;
}

}  // namespace

// ---- Grants

int Linker::link_grant(const spec::GrantDef& def, bool fills) {
  const std::uint32_t at = def.at.index;
  GrantInfo info;
  info.id = def.id;
  info.name = def.id.empty() ? place_path(p_, at) : def.id;
  info.place = at;
  auto seat = [&](const std::string& name) {
    const int player = name == "self" ? GrantInfo::self : seat_player(name);
    if (name != "self" && player < 0)
      unsupported(at, fmt::format("nobody plays the seat `{}` of a grant", name));
    return player;
  };
  info.seat = seat(def.seat);
  info.as = def.execute_as.empty() ? GrantInfo::same : seat(def.execute_as);
  info.action_class = def.operation_class;
  info.actions.assign(p_.def.actions.size(), false);
  const auto& ids = def.actions               ? def.actions
                    : p_.def.turn_order.cards ? p_.def.turn_order.cards->flow.free_operation_actions
                                              : std::optional<std::vector<std::string>>{};
  if (ids)
    for (const std::string& id : *ids)
      if (const int action = action_index(id); action >= 0) info.actions[action] = true;
  info.names_bindings = def.zone_bindings.has_value();
  if (def.zone_bindings)
    for (const std::string& name : *def.zone_bindings)
      info.bindings.push_back(name.starts_with('$') ? name.substr(1) : name);
  info.during_monsoon = def.during_monsoon;
  info.uses = std::min<spec::Int>(def.uses, 1000);
  info.viability = def.viability;
  info.completion = def.completion;
  info.must_change = def.must_change;
  info.resumes = def.resumes_flow;
  if (def.sequence) {
    info.batch = symbol(def.sequence->batch);
    info.step = std::min<spec::Int>(def.sequence->step, 10'000);
    info.strict = def.sequence->strict;
  }
  if (!def.captures_as.empty()) info.captures = symbol(def.captures_as);
  if (!def.requires_from.empty()) info.requires_from = symbol(def.requires_from);
  int room = 0;
  std::vector<const spec::NamedValue*> context;  // by name: then equal contexts stand alike
  for (const spec::NamedValue& entry : def.context) context.push_back(&entry);
  std::ranges::sort(context, {}, [](const auto* entry) { return entry->name; });
  for (const spec::NamedValue* entry : context) {
    info.context.emplace_back(symbol(entry->name), value(entry->value));
    room += room_for(entry->value);
  }
  link_grant_filter(def, fills, info);
  room += std::ssize(info.fills) * (most_listed + 1);
  p_.flow.grant_values = std::max(p_.flow.grant_values, room);
  return append(p_.flow.grants, std::move(info));
}

// The filter is asked in slots of its own. Other names in it are those of the move to come, read
// while playing; what a placeholder means is kept when an effect issues the grant (G-06).
void Linker::link_grant_filter(const spec::GrantDef& def, bool fills, GrantInfo& info) {
  if (!def.zone_filter && def.interpretations.empty()) return;
  Scope outer = scope_;
  const int params = param_slots_, touched = touched_params_;
  auto fronts = template_fronts_;
  scope_ = Scope();
  param_slots_ = 0;
  GrantFilter filter{fills ? &outer : nullptr, {}};
  GrantFilter* const around = grant_filter_;
  grant_filter_ = &filter;
  if (def.zone_filter) {
    p_.flow.any_filter = true;
    info.zone_slot = scope_.declare("$zone");
    info.filter = condition(*def.zone_filter);
    info.filter_reads_state = reads_state(spec::Part::of(*def.zone_filter));
  }
  if (!def.interpretations.empty()) {
    int known = position_of(grant_views_, def.interpretations);
    if (known < 0) known = append(grant_views_, def.interpretations);
    info.views = known + 1;
  }
  for (const spec::TokenInterpretation& rule : def.interpretations) {
    p_.flow.any_interpretation = true;
    GrantInfo::Interpretation made{token_filter(rule.when), {}};
    for (const spec::NamedScalar& assign : rule.assign)
      if (const int prop = prop_index(assign.name); prop >= 0)
        made.assign.emplace_back(prop, scalar(assign.value));
    info.interpretations.push_back(std::move(made));
  }
  info.filter_unit =
      p_.units.push_back({fmt::format("filter of a grant"), here(), here(), scope_.slots()});
  info.fills = std::move(filter.fills);
  grant_filter_ = around;
  scope_ = std::move(outer);
  param_slots_ = params;
  touched_params_ = touched;
  template_fronts_ = std::move(fronts);
}

// A name in a grant's filter that the filter does not bind itself.
NodeId Linker::name_of_grant(const std::string& name, std::uint32_t place) {
  if (grant_filter_->granting != nullptr) {
    Scope own = std::move(scope_);
    GrantFilter* const filter = grant_filter_;
    scope_ = *filter->granting;
    grant_filter_ = nullptr;
    const NodeId node = binding(name, place);
    const bool known = p_.nodes[node].op == Ex::slot;
    scope_ = std::move(own);
    grant_filter_ = filter;
    if (known) {
      filter->fills.push_back(node);
      return add({.op = Ex::grant_fill, .a = filter->fills.size() - 1, .place = place});
    }
  }
  return add({.op = Ex::move_name, .a = symbol(name), .place = place});
}

// A text with placeholders: what they stand for is filled in.
NodeId Linker::text_of_grant(const std::string& text, std::uint32_t place) {
  std::vector<Operand> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("{$", at), close = text.find('}', at);
    if (open == std::string::npos || close == std::string::npos || close < open) {
      parts.push_back(constant(text_value(text.substr(at)), place));
      break;
    }
    if (open > at) parts.push_back(constant(text_value(text.substr(at, open - at)), place));
    parts.push_back(binding(text.substr(open + 1, close - open - 1), place));
    at = close + 1;
  }
  if (parts.size() == 1) return parts[0];
  return node(place, Ex::concat, children(parts), parts.size());
}

void Linker::statement(const spec::GrantFreeOperation& e, std::uint32_t at) {
  if (!p_.flow.cards) return unsupported(at, "free operations need the card-driven turn order");
  emit({.op = Op::issue_grant, .a = link_grant(e.grant, true), .place = at});
}

// ---- Special activities (G-97): which, and when, is asked before the operation begins.

void Linker::emit_activity_choice(int action, std::size_t stages, std::uint32_t at) {
  const auto& activities = p_.flow.activities[action];
  if (activities.empty()) return;
  std::vector<Value> which, when{Value::symbol(symbol("before"))};
  for (const ActivityInfo& activity : activities)
    which.push_back(Value::symbol(p_.actions[activity.action].symbol));
  for (std::size_t k = 0; k < stages; ++k)
    when.push_back(Value::symbol(symbol(fmt::format("during:{}", k))));
  when.push_back(Value::symbol(symbol("after")));
  const SlotId chosen = scope_.fresh(), timing = scope_.fresh();
  p_.units[current_unit_].activity = chosen;
  const int plain =
      emit({.op = Op::jump_unless, .b = node(at, Ex::carries_activity, -1), .place = at});
  const NodeId activity_list = node(at, Ex::q_activities, list_of(std::move(which)));
  p_.choice_names[emit({.op = Op::choose_one,
                        .x = activity_choice,
                        .a = scope_.fresh(1),
                        .b = activity_list,
                        .d = chosen,
                        .place = at})] = "specialActivity";
  const NodeId is_none = node(at, Ex::equal, node(at, Ex::slot, chosen, symbol("specialActivity")),
                              constant(Value::symbol(symbol(no_activity)), at));
  const int none = emit({.op = Op::jump_unless, .b = node(at, Ex::not_of, is_none), .place = at});
  const int times_list = list_of(std::move(when));
  const NodeId times = node(at, Ex::q_values, times_list);
  p_.choice_names[emit(
      {.op = Op::choose_one, .a = scope_.fresh(1), .b = times, .d = timing, .place = at})] =
      "timing";
  std::size_t most = 0;
  for (const auto& list : p_.flow.constraints) most = std::max(most, list.size());
  const SlotId kept = scope_.fresh(most);
  emit({.op = Op::choose_activity,
        .a = chosen,
        .b = timing,
        .c = action,
        .d = children({times_list, kept}),
        .place = at});
  for (const int jump : {plain, none}) p_.code[jump].a = here();
}

void Linker::emit_activity_point(int action, int timing, std::uint32_t at) {
  if (!p_.flow.activities[action].empty())
    emit({.op = Op::activity_point, .a = timing, .b = action, .place = at});
}

// ---- Cards

void Linker::declare_event_params(int card, bool shaded, Symbol branch) {
  const CardInfo& info = p_.flow.card_infos[card];
  const Symbol values[] = {info.symbol, p_.flow.decks[info.deck].symbol,
                           symbol(shaded ? "shaded" : "unshaded"), branch};
  for (int k = 0; k < 4; ++k) {
    const SlotId slot = scope_.declare(event_params[k]);
    if (values[k] >= 0)
      emit({.op = Op::bind, .a = slot, .b = constant(Value::symbol(values[k]), 0)});
  }
}

// What is chosen for a part of a card (F-61). A single thing is asked for by itself; where nothing
// needs to be chosen and nothing can, the target stays out.
void Linker::select_targets(const spec::EventPart& part) {
  for (const spec::TargetDef& target : part.targets) {
    const std::uint32_t at = target.at.index;
    int skip = -1;
    if (target.max == 1) {
      if (target.min == 0) {
        scope_.declare(target.id);
        const NodeId some = node(at, Ex::exists, query(target.selector));
        skip = emit({.op = Op::jump_unless, .b = some, .place = at});
      }
      const Known before = known_;
      if (skip >= 0) known_.exists(target.selector);
      statement(spec::ChooseOne{target.id, target.selector, {}}, at);
      known_ = before;
      known_.chose(target.selector, target.id);
    } else {
      spec::ChooseN choice;
      choice.bind = target.id;
      choice.options = target.selector;
      choice.min = {spec::Int{target.min}, target.at};
      choice.max = {spec::Int{target.max}, target.at};
      statement(choice, at);
    }
    if (skip >= 0) p_.code[skip].a = here();
  }
}

void Linker::run_targets(const spec::EventPart& part) {
  for (const spec::TargetDef& target : part.targets) {
    const std::uint32_t at = target.at.index;
    if (target.max == 1) {
      const SlotId slot = scope_.find(target.id);
      const int skip = target.min == 0 && !slot.is_none()
                           ? emit({.op = Op::jump_if_unset, .b = slot, .place = at})
                           : -1;
      scope_.open(false);
      maybe(target.effects);
      scope_.close();
      if (skip >= 0) p_.code[skip].a = here();
    } else if (target.each) {
      spec::ForEach loop;
      loop.bind = target.id;
      loop.over = {spec::BindingQuery{target.id}, target.at};
      loop.effects = target.effects;
      statement(loop, at);
    } else {
      scope_.open(false);
      effects(target.effects);
      forget_names(target.effects);
      scope_.close();
    }
  }
}

void Linker::run_part(const EventParts& parts) {
  for (const spec::EventPart* part : parts) run_targets(*part);
  for (const spec::EventPart* part : parts) effects(part->effects);
}

void Linker::set_up_lasting(const EventParts& parts) {
  for (const spec::EventPart* part : parts)
    for (const spec::LastingEffectDef& def : part->lasting) {
      scope_.open(false);
      effects(def.setup);
      forget_names(def.setup);
      scope_.close();
      emit({.op = Op::start_lasting, .a = lasting_info(def), .place = part->at.index});
    }
}

// One record for one authored effect, however many ways lead to it.
int Linker::lasting_info(const spec::LastingEffectDef& def) {
  if (const int known = position_of(lasting_defs_, &def); known >= 0) return known;
  LastingInfo info;
  info.id = def.id;
  info.symbol = symbol(def.id);
  info.duration = def.duration;
  for (const spec::ActionRestriction& r : def.restrictions) {
    RestrictionInfo made;
    made.action = r.action.empty() ? -1 : action_index(r.action);
    made.action_class = r.action_class.value_or(ActionClass::none);
    made.blocked = r.blocked;
    made.limits = r.max_param.has_value();
    if (r.max_param) {
      const std::string& name = r.max_param->name;
      made.limit = {name.starts_with('$') ? name.substr(1) : name, r.max_param->max};
    }
    info.restrictions.push_back(std::move(made));
  }
  p_.flow.lasting.push_back(std::move(info));
  return append(lasting_defs_, &def);
}

// A unit that runs by itself after a move: its events reach triggers.
void Linker::end_own_unit(UnitId unit) {
  if (!p_.def.triggers.empty()) emit({.op = Op::dispatch});
  emit({.op = Op::ret});
  end_unit(unit);
}

// The effects of an event that wait for its grants: they find the event's parameters and targets in
// their first slots.
int Linker::link_deferred(int card, const EventParts& parts) {
  const UnitId unit = begin_unit(fmt::format("deferred {}", p_.flow.card_infos[card].id));
  int room = 4;
  for (const char* name : event_params) scope_.declare(name);
  for (const spec::EventPart* part : parts)
    for (const spec::TargetDef& target : part->targets) {
      scope_.declare(target.id);
      room += target.max == 1 ? 1 : std::min<spec::Int>(target.max, 64) + 1;
    }
  run_part(parts);
  end_own_unit(unit);
  p_.flow.deferred_values = std::max(p_.flow.deferred_values, room);
  return append(p_.flow.deferred, unit);
}

void Linker::link_event_move(int card, const spec::EventCardDef& def, bool shaded,
                             const spec::EventPart* branch) {
  const spec::EventSide& side = shaded ? *def.shaded : *def.unshaded;
  EventParts parts{&side.part};
  if (branch != nullptr) parts.push_back(branch);
  EventMove move;
  move.card = card;
  move.shaded = shaded;
  move.branch = branch != nullptr ? symbol(branch->id) : -1;
  const bool waits = branch != nullptr && branch->after_grants
                         ? *branch->after_grants
                         : side.part.after_grants.value_or(false);
  bool any = false;
  for (const spec::EventPart* part : parts) any |= !part->effects.empty() || !part->targets.empty();
  const int deferred = waits && any ? link_deferred(card, parts) : -1;
  const int index = p_.flow.event_action;
  const spec::ActionDef& action = p_.def.actions[index];
  move.unit =
      begin_unit(fmt::format("event {} {}{}{}", def.id, shaded ? "shaded" : "unshaded",
                             branch != nullptr ? " " : "", branch != nullptr ? branch->id : ""));
  declare_event_params(card, shaded, move.branch);
  emit({.op = Op::remember_phase, .place = def.at.index});
  emit_price(index);
  effects(action.cost);
  if (!action.cost.empty() || !p_.actions[index].price.empty())
    emit({.op = Op::drop_events, .place = def.at.index});
  effects(action.effects);
  const int skip =
      def.play_condition
          ? emit(
                {.op = Op::jump_unless, .b = condition(*def.play_condition), .place = def.at.index})
          : -1;
  if (skip >= 0) ++maybe_;
  for (const spec::EventPart* part : parts) select_targets(*part);
  std::vector<Operand> chosen;
  for (const char* name : event_params) chosen.push_back(scope_.find(name));
  for (const spec::EventPart* part : parts)
    for (const spec::TargetDef& target : part->targets) chosen.push_back(scope_.find(target.id));
  if (deferred < 0) run_part(parts);
  set_up_lasting(parts);
  for (const spec::EventPart* part : parts)
    for (const spec::GrantDef& grant : part->grants) {
      if (!p_.flow.cards) {
        unsupported(def.at.index, "free operations need the card-driven turn order");
        continue;
      }
      const int info = link_grant(grant, false);
      if (grant.viability == spec::Viability::require_usable_for_event_play)
        move.needs_usable.push_back(info);
      emit({.op = Op::issue_grant, .a = info, .place = def.at.index});
    }
  if (p_.flow.cards) link_overrides(parts, def.at.index);
  if (deferred >= 0)
    emit({.op = Op::defer,
          .a = deferred,
          .b = children(chosen),
          .c = chosen.size(),
          .place = def.at.index});
  if (skip >= 0) p_.code[skip].a = here();
  known_.lose_all();
  emit_action_end(index);
  end_unit(move.unit);
  p_.flow.event_moves.push_back(std::move(move));
}

void Linker::link_overrides(const EventParts& parts, std::uint32_t at) {
  for (const spec::EventPart* part : parts)
    for (const spec::EligibilityOverride& def : part->overrides) {
      OverrideInfo info;
      info.seat = def.seat.empty() ? -1 : seat_player(def.seat);
      if (!def.seat.empty() && info.seat < 0) continue;  // nobody plays it
      info.eligible = def.eligible;
      const auto& windows = p_.def.turn_order.cards->flow.windows;
      const auto window = std::ranges::find(windows, def.window, &spec::WindowDef::id);
      if (window == windows.end() || window->duration > spec::Duration::next_turn) continue;
      info.next = window->duration == spec::Duration::next_turn;
      const int skip =
          def.when ? emit({.op = Op::jump_unless, .b = condition(*def.when), .place = at}) : -1;
      p_.flow.overrides.push_back(info);
      emit({.op = Op::override_seat, .a = p_.flow.overrides.size() - 1, .place = at});
      if (skip >= 0) p_.code[skip].a = here();
    }
}

// F-33: effects and lasting effects happen; overrides, grants, what waits for grants and what
// triggers would make of it do not.
void Linker::link_instruction(int card, const spec::EventCardDef& def) {
  if (!def.unshaded) return;
  const EventParts parts{&def.unshaded->part};
  const UnitId unit = begin_unit(fmt::format("instruction {}", def.id));
  declare_event_params(card, false, -1);
  const int skip =
      def.play_condition
          ? emit(
                {.op = Op::jump_unless, .b = condition(*def.play_condition), .place = def.at.index})
          : -1;
  if (!def.unshaded->part.after_grants.value_or(false)) {
    select_targets(def.unshaded->part);
    run_part(parts);
  }
  set_up_lasting(parts);
  if (skip >= 0) p_.code[skip].a = here();
  emit({.op = Op::drop_events, .place = def.at.index});
  emit({.op = Op::ret, .place = def.at.index});
  end_unit(unit);
  p_.flow.card_infos[card].instruction = unit;
}

// The top of the draw pile into an empty slot.
void Linker::emit_reveal(ZoneId slot) {
  const FlowInfo& f = p_.flow;
  if (!f.course || f.draw.is_none()) return;
  const NodeId to = node(0, Ex::z_const, slot), from = node(0, Ex::z_const, f.draw);
  const NodeId empty = node(0, Ex::equal, node(0, Ex::zone_count, to), number(0, 0));
  const int skip = emit({.op = Op::jump_unless, .b = empty});
  emit({.op = Op::draw, .x = 1, .a = from, .b = to, .c = number(1, 0), .d = scope_.fresh(2)});
  p_.code[skip].a = here();
}

// The moves of one side of a card: one for each of its branches, in their order.
void Linker::link_event_side(int card, const spec::EventCardDef& def, bool shaded) {
  const auto& side = shaded ? def.shaded : def.unshaded;
  if (!side) return;
  std::vector<const spec::EventPart*> branches;
  for (const spec::EventPart& branch : side->branches) branches.push_back(&branch);
  std::ranges::stable_sort(branches, {}, [](const auto* part) {
    return std::tuple(!part->order.has_value(), part->order.value_or(0), part->id);
  });
  if (branches.empty()) branches.push_back(nullptr);
  for (const spec::EventPart* branch : branches) link_event_move(card, def, shaded, branch);
}

void Linker::link_event_cards() {
  FlowInfo& f = p_.flow;
  f.instructs = f.cards && f.coup_prop >= 0 && p_.def.actions[f.event_action].id == "event";
  int card = 0;
  for (const spec::EventDeckDef& deck : p_.def.event_decks)
    for (const spec::EventCardDef& def : deck.cards) {
      CardInfo& info = f.card_infos[card];
      info.first_move = std::ssize(f.event_moves);
      for (const bool shaded : {false, true}) link_event_side(card, def, shaded);
      info.moves = std::ssize(f.event_moves) - info.first_move;
      if (f.instructs) link_instruction(card, def);
      ++card;
    }
  for (std::size_t i = 0; i < lasting_defs_.size(); ++i) {
    if (lasting_defs_[i]->teardown.empty()) continue;
    const UnitId unit = begin_unit("end of " + lasting_defs_[i]->id);
    effects(lasting_defs_[i]->teardown);
    end_own_unit(unit);
    f.lasting[i].teardown = unit;
  }
}

void Linker::link_events() {
  FlowInfo& f = p_.flow;
  if (f.event_action >= 0) link_event_cards();
  if (!f.cards && !f.events) return;
  f.expire_unit = begin_unit("lasting effects");
  emit({.op = Op::expire_lasting});
  emit({.op = Op::ret});
  end_unit(f.expire_unit);
  if (!f.cards) return;
  f.boundary_unit = begin_unit("card boundary");
  emit({.op = Op::cards_out});
  emit({.op = Op::instruct});
  emit_reveal(f.lookahead);
  emit({.op = Op::cards_in});
  emit({.op = Op::ret});
  end_unit(f.boundary_unit);
  f.release_unit = begin_unit("deferred effects");
  emit({.op = Op::release_deferred});
  emit({.op = Op::ret});
  end_unit(f.release_unit);
  f.lapse_unit = begin_unit("end of a card");
  const int again = emit({.op = Op::call, .a = f.boundary_unit});
  emit({.op = Op::new_card, .a = again});
  emit({.op = Op::call, .a = f.release_unit});
  emit({.op = Op::call, .a = f.expire_unit});
  emit({.op = Op::ret});
  end_unit(f.lapse_unit);
  f.flow_unit = begin_unit("turn flow");
  const int book = emit({.op = Op::book_move});
  if (!p_.def.triggers.empty()) emit({.op = Op::dispatch});
  emit({.op = Op::call, .a = f.lapse_unit});
  emit({.op = Op::ret});
  p_.code[book].a = here();
  if (!p_.def.triggers.empty()) emit({.op = Op::dispatch});
  emit({.op = Op::call, .a = f.release_unit});
  emit({.op = Op::ret});
  end_unit(f.flow_unit);
}

}  // namespace parlor::kernel
