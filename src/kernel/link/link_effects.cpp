// Effects that steer: branches, loops, bindings and choices become code.
#include <fmt/format.h>

#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;

void exported_names(const Effects& list, std::set<std::string>& out) {
  auto take = [&](const std::string& name) {
    if (!name.empty() && !is_template(name)) out.insert(name);
  };
  auto inner = [&](const Effects& in, const std::string& except) {
    std::set<std::string> names;
    exported_names(in, names);
    names.erase(except);
    out.insert(names.begin(), names.end());
  };
  for (const Effect& e : list)
    std::visit(overloaded{
                   [&](const ChooseOne& c) { take(c.bind); },
                   [&](const ChooseN& c) { take(c.bind); },
                   [&](const BindValue& c) { take(c.bind); },
                   [&](const TransferVar& c) { take(c.actual_bind); },
                   [&](const RemoveByPriority& c) {
                     for (const RemovalGroup& group : c.groups) take(group.count_bind);
                     take(c.remaining_bind);
                   },
                   [&](const EvaluateSubset& c) {
                     take(c.result_bind);
                     take(c.best_subset_bind);
                   },
                   [&](const If& c) {
                     inner(c.then, "");
                     inner(c.otherwise, "");
                   },
                   [&](const Let& c) { inner(c.in, c.bind); },
                   [&](const Reduce& c) { inner(c.in, c.result_bind); },
                   [](const auto&) {},
               },
               e.node);
}

bool makes_templates(const Effects& list) {
  const auto any = [](std::initializer_list<const std::string*> names) {
    return std::ranges::any_of(names, [](const std::string* name) { return is_template(*name); });
  };
  const auto makes = overloaded{
      [&](const ChooseOne& c) { return any({&c.bind}); },
      [&](const ChooseN& c) { return any({&c.bind}); },
      [&](const BindValue& c) { return any({&c.bind}); },
      [&](const TransferVar& c) { return any({&c.actual_bind}); },
      [&](const If& c) { return makes_templates(c.then) || makes_templates(c.otherwise); },
      [&](const Let& c) { return any({&c.bind}) || makes_templates(c.in); },
      [&](const ForEach& c) {
        return any({&c.bind, &c.count_bind}) || makes_templates(c.effects) || makes_templates(c.in);
      },
      [&](const While& c) { return makes_templates(c.effects); },
      [&](const Reduce& c) {
        return any({&c.item_bind, &c.acc_bind, &c.result_bind}) || makes_templates(c.in);
      },
      [&](const RemoveByPriority& c) {
        return any({&c.remaining_bind}) || makes_templates(c.in) ||
               std::ranges::any_of(c.groups, [&](const RemovalGroup& group) {
                 return any({&group.bind, &group.count_bind});
               });
      },
      [&](const EvaluateSubset& c) {
        return any({&c.subset_bind, &c.result_bind, &c.best_subset_bind}) ||
               makes_templates(c.compute) || makes_templates(c.in);
      },
      [&](const RollRandom& c) { return any({&c.bind}) || makes_templates(c.in); },
      [](const auto&) { return false; },
  };
  return std::ranges::any_of(list, [&](const Effect& e) { return std::visit(makes, e.node); });
}

int Linker::emit(Instr instr) {
  p_.code.push_back(instr);
  p_.refuses.push_back(refuses_);
  refuses_ = false;
  return here() - 1;
}

// What a branch may bind gets its slot before the branch, holding what an outer binding of that
// name holds: so it has the right value after either branch.
void Linker::predeclare(const Effects& list, const std::string& except) {
  std::set<std::string> names;
  exported_names(list, names);
  names.erase(except);
  for (const std::string& name : names) {
    if (scope_.declared_here(name)) continue;
    const SlotId outer = scope_.find(name);
    const SlotId slot = scope_.declare(name);
    if (!outer.is_none()) emit({.op = Op::copy_slot, .a = slot, .b = outer});
  }
}

void Linker::effects(const Effects& list) {
  for (const Effect& e : list) effect(e);
}

void Linker::maybe(const Effects& list) {
  const Known before = known_;
  ++maybe_;
  effects(list);
  --maybe_;
  known_ = before;
  known_.may_have_done(list);
}

// Their block is over: the names mean what they meant before.
void Linker::forget_names(const Effects& list) {
  for (const std::string& name : done_by(kinds_, {}, list).names) known_.forget(name);
}

// The next statement makes the move illegal where something does not hold, unless it surely does.
// `as_at_start`: that is as it was when the move began.
void Linker::may_refuse(bool sure, bool as_at_start) {
  refuses_ = !sure || !proves_;
  if (refuses_ && as_at_start && proves_ && maybe_ == 0)
    p_.units[current_unit_].refuses_at_start.push_back(here());
}

void Linker::emit_bind(const std::string& bind, NodeId node, std::uint32_t at) {
  if (is_template(bind))
    emit({.op = Op::bind_template, .a = template_of(bind, at), .b = node, .place = at});
  else
    emit({.op = Op::bind, .a = scope_.declare(bind), .b = node, .place = at});
}

SlotId Linker::open_names(bool some, std::uint32_t at) {
  if (!some) return SlotId::none();
  const SlotId mark = scope_.fresh();
  emit({.op = Op::open_names, .a = mark, .place = at});
  return mark;
}

void Linker::close_names(SlotId mark, std::uint32_t at, Op how) {
  if (!mark.is_none()) emit({how, 0, mark, -1, -1, -1, at});
}

SlotId Linker::result_slot(const std::string& bind) {
  if (bind.empty()) return SlotId::none();
  return is_template(bind) ? scope_.fresh() : scope_.declare(bind);
}

void Linker::emit_result(const std::string& bind, SlotId slot, std::uint32_t at) {
  if (is_template(bind)) emit_bind(bind, add({.op = Ex::slot, .a = slot, .place = at}), at);
}

void Linker::emit_alias(const std::string& bind, SlotId slot, std::uint32_t at) {
  if (is_template(bind))
    emit({.op = Op::alias_template, .a = template_of(bind, at), .b = slot, .place = at});
}

// A choice binds a slot; a name with placeholders is bound from there.
void Linker::emit_choice(const std::string& bind, std::uint32_t at, Instr instr) {
  const SlotId slot = result_slot(bind);
  if (instr.op == Op::choose_n)
    p_.extra[instr.d + 3] = slot;
  else
    instr.d = slot;
  p_.choice_names[emit(instr)] = bind;
  if (!is_template(bind)) {
    p_.units[current_unit_].params.emplace_back(symbol(bind), slot);
    return;
  }
  const NodeId chosen = add({.op = Ex::slot, .a = slot, .place = at});
  emit({.op = Op::bind_template, .x = 1, .a = template_of(bind, at), .b = chosen, .place = at});
}

void Linker::statement(const If& e, std::uint32_t at) {
  predeclare(e.then, "");
  predeclare(e.otherwise, "");
  const NodeId when = condition(e.when);
  const int test = emit({.op = Op::jump_unless, .b = when, .place = at});
  const Known before = known_;
  ++maybe_;
  known_.holds(e.when);
  effects(e.then);
  known_ = before;
  if (e.otherwise.empty()) {
    p_.code[test].a = here();
  } else {
    const int skip = emit({.op = Op::jump, .place = at});
    p_.code[test].a = here();
    effects(e.otherwise);
    p_.code[skip].a = here();
    known_ = before;
    known_.may_have_done(e.otherwise);
  }
  known_.may_have_done(e.then);
  --maybe_;
}

void Linker::statement(const Require& e, std::uint32_t at) {
  const NodeId node = condition(e.condition);
  may_refuse(known_.surely(e.condition), known_.as_at_start(e.condition));
  emit({.op = Op::fail_unless, .x = 2, .a = node, .place = at});
}

void Linker::statement(const ForEach& e, std::uint32_t at) {
  const NodeId limit = opt(e.limit);
  const NodeId over = query(e.over);
  const SlotId cursor = scope_.fresh(4);
  const SlotId count = e.count_bind.empty() ? SlotId::none() : scope_.fresh();
  const SlotId names = open_names(is_template(e.bind), at);
  const SlotId templated = names.is_none() ? SlotId::none() : scope_.fresh();
  emit_alias(e.bind, templated, at);
  emit({.op = Op::loop_begin, .a = cursor, .b = over, .c = limit, .place = at});
  const int begin = here();
  scope_.open(false);
  const SlotId bind = names.is_none() ? scope_.declare_inner(e.bind) : templated;
  const int next = emit({.op = Op::loop_next, .a = cursor, .b = bind, .d = count, .place = at});
  // Bindings of one round are gone in the next.
  const int clear = emit({.op = Op::clear_slots, .a = scope_.slots(), .b = 0, .place = at});
  const Known before = known_;
  ++maybe_;
  known_.begin_round(e);
  effects(e.effects);
  --maybe_;
  known_ = before;
  known_.end_rounds(e);
  p_.code[clear].b = scope_.slots() - p_.code[clear].a;
  emit({.op = Op::jump, .a = begin, .place = at});
  scope_.close();
  p_.code[next].c = here();
  loop_ranges_.push_back({begin, here(), cursor});
  close_names(names, at);
  if (e.count_bind.empty()) return;
  const SlotId inner = open_names(is_template(e.count_bind) || makes_templates(e.in), at);
  scope_.open(false);
  if (is_template(e.count_bind))
    emit_result(e.count_bind, count, at);
  else
    emit({.op = Op::copy_slot, .a = scope_.declare_inner(e.count_bind), .b = count, .place = at});
  effects(e.in);
  forget_names(e.in);
  known_.forget(e.count_bind);
  scope_.close();
  close_names(inner, at);
}

void Linker::statement(const While& e, std::uint32_t at) {
  const SlotId cursor = scope_.fresh(2);
  const NodeId limit = value(e.limit);
  emit({.op = Op::while_begin, .a = cursor, .b = limit, .place = at});
  const int begin = here();
  scope_.open(false);
  const int first = scope_.slots();
  const int clear = emit({.op = Op::clear_slots, .a = first, .b = 0, .place = at});
  const NodeId when = condition(e.when);
  const int next = emit({.op = Op::while_next, .a = cursor, .b = when, .place = at});
  known_.may_have_done(e.effects);
  const Known before = known_;
  ++maybe_;
  known_.holds(e.when);
  effects(e.effects);
  --maybe_;
  known_ = before;
  emit({.op = Op::jump, .a = begin, .place = at});
  p_.code[clear].b = scope_.slots() - first;
  scope_.close();
  p_.code[next].c = here();
  loop_ranges_.push_back({begin, here()});
}

void Linker::statement(const Reduce& e, std::uint32_t at) {
  predeclare(e.in, e.result_bind);
  const NodeId limit = opt(e.limit);
  const NodeId over = query(e.over), initial = value(e.initial);
  scope_.open(false);
  const SlotId item = bind_inner(e.item_bind), acc = bind_inner(e.acc_bind);
  const NodeId next = value(e.next);
  scope_.close();
  const SlotId names = open_names(is_template(e.item_bind) || is_template(e.acc_bind), at);
  emit_alias(e.item_bind, item, at);
  emit_alias(e.acc_bind, acc, at);
  scope_.open(true);
  const SlotId result = bind_inner(e.result_bind);
  emit({.op = Op::reduce,
        .a = children({over, initial, next, limit, item, acc}),
        .b = result,
        .c = limit.is_none() ? plan_sum(over, next, item, acc) : -1,
        .place = at});
  for (const std::string& name : {e.item_bind, e.acc_bind, e.result_bind}) known_.forget(name);
  close_names(names, at);
  const SlotId own = open_names(is_template(e.result_bind), at);
  emit_result(e.result_bind, result, at);
  effects(e.in);
  known_.forget(e.result_bind);
  scope_.close();
  close_names(own, at, Op::drop_name);
}

void Linker::statement(const RemoveByPriority& e, std::uint32_t at) {
  const SlotId budget_slot = scope_.fresh();
  const NodeId budget = value(e.budget);
  emit({.op = Op::remove_begin, .a = budget_slot, .b = budget, .place = at});
  for (const RemovalGroup& group : e.groups) remove_group(group, budget_slot, at);
  RemoveByPriority alone = e;
  alone.in.clear();
  known_.may_have_done(Effects{Effect{std::move(alone)}});
  if (is_template(e.remaining_bind))
    emit_result(e.remaining_bind, budget_slot, at);
  else if (!e.remaining_bind.empty())
    emit({.op = Op::copy_slot,
          .a = scope_.declare(e.remaining_bind),
          .b = budget_slot,
          .place = at});
  const SlotId names = open_names(makes_templates(e.in), at);
  scope_.open(false);
  effects(e.in);
  forget_names(e.in);
  scope_.close();
  close_names(names, at);
}

// What is removed is bound while it is asked where it goes and where from.
void Linker::remove_group(const RemovalGroup& group, SlotId budget, std::uint32_t at) {
  const NodeId over = query(group.over);
  const SlotId names = open_names(is_template(group.bind), at);
  scope_.open(false);
  const SlotId item = bind_inner(group.bind);
  emit_alias(group.bind, item, at);
  const NodeId to = zone(group.to, at);
  const NodeId from = group.from ? zone(*group.from, at) : NodeId::none();
  scope_.close();
  const SlotId count = result_slot(group.count_bind);
  may_refuse(known_.fits(group.to, known_.types_of(group.over), true));
  emit({.op = Op::remove_group,
        .a = budget,
        .b = children({over, to, from, count, item}),
        .place = at});
  close_names(names, at);
  emit_result(group.count_bind, count, at);
}

void Linker::statement(const EvaluateSubset& e, std::uint32_t at) {
  const SlotId cursor = scope_.fresh(6);
  const NodeId source = query(e.source), size = value(e.subset_size);
  emit({.op = Op::subset_begin, .a = cursor, .b = source, .c = size, .place = at});
  const SlotId own = open_names(is_template(e.subset_bind), at);
  scope_.open(false);
  const SlotId subset = bind_inner(e.subset_bind);
  emit_alias(e.subset_bind, subset, at);
  const SlotId names = open_names(makes_templates(e.compute), at);
  const int begin = here();
  close_names(names, at);
  const int next = emit({.op = Op::subset_next, .a = cursor, .b = subset, .place = at});
  const int first = scope_.slots();
  const int clear = emit({.op = Op::clear_slots, .a = first, .b = 0, .place = at});
  maybe(e.compute);
  const NodeId score = value(e.score);
  emit({.op = Op::subset_score, .a = cursor, .b = score, .place = at});
  emit({.op = Op::jump, .a = begin, .place = at});
  p_.code[clear].b = scope_.slots() - first;
  scope_.close();
  p_.code[next].c = here();
  loop_ranges_.push_back({begin, here()});
  close_names(own, at);
  const SlotId result = result_slot(e.result_bind);
  const SlotId best = result_slot(e.best_subset_bind);
  emit({.op = Op::subset_end, .a = cursor, .b = result, .c = best, .place = at});
  emit_result(e.result_bind, result, at);
  emit_result(e.best_subset_bind, best, at);
  for (const std::string& name : {e.subset_bind, e.result_bind, e.best_subset_bind})
    known_.forget(name);
  const SlotId inner = open_names(makes_templates(e.in), at);
  scope_.open(false);
  effects(e.in);
  forget_names(e.in);
  scope_.close();
  close_names(inner, at);
}

void Linker::statement(const Let& r, std::uint32_t at) {
  predeclare(r.in, r.bind);
  const NodeId node = value(r.value);
  const SlotId own = open_names(is_template(r.bind), at);
  scope_.open(true);
  if (!own.is_none())
    emit_bind(r.bind, node, at);
  else
    emit({.op = Op::bind, .a = scope_.declare_inner(r.bind), .b = node, .place = at});
  known_.bound(r.bind, r.value);
  effects(r.in);
  known_.forget(r.bind);
  scope_.close();
  close_names(own, at, Op::drop_name);
}

void Linker::statement(const BindValue& r, std::uint32_t at) {
  emit_bind(r.bind, value(r.value), at);
  known_.bound(r.bind, r.value);
}

void Linker::statement(const ChooseOne& r, std::uint32_t at) {
  const NodeId options = query(r.options);
  const NodeId chooser = r.chooser ? player(*r.chooser, at) : NodeId::none();
  may_refuse(known_.has_options(r.options), known_.as_at_start(r.options));
  emit_choice(
      r.bind, at,
      {.op = Op::choose_one, .a = scope_.fresh(1), .b = options, .c = chooser, .place = at});
  known_.chose(r.options, r.bind);
}

void Linker::statement(const ChooseN& r, std::uint32_t at) {
  const NodeId options = query(r.options);
  const NodeId chooser = r.chooser ? player(*r.chooser, at) : NodeId::none();
  const NodeId min = value(r.min), max = value(r.max);
  may_refuse(known_.can_select(r), known_.as_at_start(r.options) && known_.as_at_start(r.min) &&
                                       known_.as_at_start(r.max));
  const int numbers = children({min, max, r.ordered ? 1 : 0, -1});
  emit_choice(r.bind, at,
              {.op = Op::choose_n,
               .a = scope_.fresh(6),
               .b = options,
               .c = chooser,
               .d = numbers,
               .place = at});
  known_.selected(r.options, r.max, r.bind);
}

void Linker::statement(const RollRandom& r, std::uint32_t at) {
  p_.has_chance = true;
  const NodeId min = value(r.min), max = value(r.max);
  // A value bound under that name already, such as a parameter, is used (15.5).
  SlotId given = scope_.find(r.bind);
  if (is_template(r.bind)) {
    given = scope_.fresh();
    emit({.op = Op::recall_template, .a = template_of(r.bind, at), .b = given, .place = at});
  }
  const SlotId names = open_names(is_template(r.bind) || makes_templates(r.in), at);
  scope_.open(false);
  const SlotId slot = bind_inner(r.bind);
  emit({.op = Op::roll, .a = slot, .b = min, .c = max, .d = given, .place = at});
  emit_result(r.bind, slot, at);
  known_.forget(r.bind);
  effects(r.in);
  forget_names(r.in);
  known_.forget(r.bind);
  scope_.close();
  close_names(names, at);
}

namespace {

// Effects made of others, or that name something: their statements note themselves what is known
// behind them.
template <class Effect>
constexpr bool notes_itself =
    std::is_same_v<Effect, If> || std::is_same_v<Effect, Let> ||
    std::is_same_v<Effect, BindValue> || std::is_same_v<Effect, ForEach> ||
    std::is_same_v<Effect, While> || std::is_same_v<Effect, Reduce> ||
    std::is_same_v<Effect, RemoveByPriority> || std::is_same_v<Effect, EvaluateSubset> ||
    std::is_same_v<Effect, ChooseOne> || std::is_same_v<Effect, ChooseN> ||
    std::is_same_v<Effect, RollRandom>;

}  // namespace

void Linker::effect(const Effect& e) {
  std::visit(
      [&](const auto& node) {
        statement(node, e.at.index);
        if (!notes_itself<std::remove_cvref_t<decltype(node)>>) known_.did(e);
      },
      e.node);
}

}  // namespace parlor::kernel
