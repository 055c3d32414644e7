// Effects that steer: branches, loops, bindings and choices become code.
#include <fmt/format.h>

#include "kernel/linker.h"

namespace parlor::kernel {

using namespace spec;

namespace {
bool is_template(const std::string& name) {
  return name.find('{') != std::string::npos;
}
}  // namespace

bool never_negative(const spec::Value& v) {
  if (const auto* n = std::get_if<Int>(&v.node)) return *n >= 0;
  if (const auto* fold = std::get_if<Aggregate>(&v.node)) return fold->op == AggregateOp::count;
  if (const auto* op = std::get_if<Arith>(&v.node); op != nullptr && op->op == ArithOp::max)
    return never_negative(*op->left) || never_negative(*op->right);
  return std::holds_alternative<ZoneCountRef>(v.node);
}

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

void destroyed_names(const Effects& list, std::set<std::string>& out) {
  for (const Effect& e : list)
    std::visit(overloaded{
                   [&](const DestroyToken& c) { out.insert(c.token); },
                   [&](const If& c) {
                     destroyed_names(c.then, out);
                     destroyed_names(c.otherwise, out);
                   },
                   [&](const ForEach& c) {
                     destroyed_names(c.effects, out);
                     destroyed_names(c.in, out);
                   },
                   [&](const While& c) { destroyed_names(c.effects, out); },
                   [&](const EvaluateSubset& c) {
                     destroyed_names(c.compute, out);
                     destroyed_names(c.in, out);
                   },
                   [&](const Let& c) { destroyed_names(c.in, out); },
                   [&](const Reduce& c) { destroyed_names(c.in, out); },
                   [&](const RemoveByPriority& c) { destroyed_names(c.in, out); },
                   [&](const RollRandom& c) { destroyed_names(c.in, out); },
                   [](const auto&) {},
               },
               e.node);
}

int Linker::emit(Instr instr) {
  p_.code.push_back(instr);
  p_.fallible.push_back(fallible_);
  fallible_ = false;
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
    const int outer = scope_.find(name);
    const int slot = scope_.declare(name);
    if (outer >= 0) emit({Op::copy_slot, 0, slot, outer, -1, -1, 0});
  }
}

void Linker::effects(const Effects& list) {
  for (const Effect& e : list) effect(e);
}

void Linker::emit_bind(const std::string& bind, int node, std::uint32_t at) {
  if (!is_template(bind)) {
    emit({Op::bind, 0, scope_.declare(bind), node, -1, -1, at});
    return;
  }
  const int pattern = binding(bind, at);
  emit({Op::bind_template, 0, p_.nodes[static_cast<std::size_t>(pattern)].a, node, -1, -1, at});
}

// A choice binds a slot; a name with placeholders is bound from there.
void Linker::emit_choice(const std::string& bind, std::uint32_t at, Instr instr) {
  const bool templated = is_template(bind);
  const int slot = templated ? scope_.fresh() : scope_.declare(bind);
  if (instr.op == Op::choose_n)
    p_.extra[static_cast<std::size_t>(instr.d) + 3] = slot;
  else
    instr.d = slot;
  p_.choice_names[emit(instr)] = bind;
  if (!templated) return;
  const int pattern = binding(bind, at);
  const int chosen = add({Ex::slot, 0, slot, -1, -1, -1, at});
  emit({Op::bind_template, 0, p_.nodes[static_cast<std::size_t>(pattern)].a, chosen, -1, -1, at});
}

void Linker::statement(const If& e, std::uint32_t at) {
  predeclare(e.then, "");
  predeclare(e.otherwise, "");
  const int when = condition(e.when);
  const int test = emit({Op::jump_unless, 0, -1, when, -1, -1, at});
  effects(e.then);
  if (e.otherwise.empty()) {
    p_.code[static_cast<std::size_t>(test)].a = here();
    return;
  }
  const int skip = emit({Op::jump, 0, -1, -1, -1, -1, at});
  p_.code[static_cast<std::size_t>(test)].a = here();
  effects(e.otherwise);
  p_.code[static_cast<std::size_t>(skip)].a = here();
}

// What a round of a loop destroys is gone in the next round. True if that can only be what the loop
// goes through: then each round finds its own alive.
bool Linker::loop_destroys(const Effects& round, const std::string& item) {
  std::set<std::string> names;
  destroyed_names(round, names);
  destroyed_ |= !names.empty();
  names.erase(item);
  return names.empty();
}

void Linker::statement(const ForEach& e, std::uint32_t at) {
  const int limit = opt(e.limit);
  const int over = query(e.over);
  const int cursor = scope_.fresh(4);
  const int count = e.count_bind.empty() ? -1 : scope_.fresh();
  if (e.limit && !never_negative(*e.limit)) fallible();
  emit({Op::loop_begin, 0, cursor, over, limit, -1, at});
  const int begin = here();
  scope_.open(false);
  const int bind = scope_.declare_inner(e.bind);
  const bool lists = std::holds_alternative<BindingQuery>(e.over.node);
  if (loop_destroys(e.effects, e.bind) && !lists) alive_.insert(bind);
  const int next = emit({Op::loop_next, 0, cursor, bind, -1, count, at});
  // Bindings of one round are gone in the next.
  const int clear = emit({Op::clear_slots, 0, scope_.slots(), 0, -1, -1, at});
  effects(e.effects);
  p_.code[static_cast<std::size_t>(clear)].b =
      scope_.slots() - p_.code[static_cast<std::size_t>(clear)].a;
  emit({Op::jump, 0, begin, -1, -1, -1, at});
  scope_.close();
  p_.code[static_cast<std::size_t>(next)].c = here();
  loop_ranges_.emplace_back(begin, here());
  if (e.count_bind.empty()) return;
  scope_.open(false);
  emit({Op::copy_slot, 0, scope_.declare_inner(e.count_bind), count, -1, -1, at});
  effects(e.in);
  scope_.close();
}

void Linker::statement(const While& e, std::uint32_t at) {
  loop_destroys(e.effects, "");
  const int cursor = scope_.fresh(2);
  const int limit = value(e.limit);
  emit({Op::while_begin, 0, cursor, limit, -1, -1, at});
  const int begin = here();
  scope_.open(false);
  const int first = scope_.slots();
  const int clear = emit({Op::clear_slots, 0, first, 0, -1, -1, at});
  const int when = condition(e.when);
  fallible();  // it may want more rounds than allowed
  const int next = emit({Op::while_next, 0, cursor, when, -1, -1, at});
  effects(e.effects);
  emit({Op::jump, 0, begin, -1, -1, -1, at});
  p_.code[static_cast<std::size_t>(clear)].b = scope_.slots() - first;
  scope_.close();
  p_.code[static_cast<std::size_t>(next)].c = here();
  loop_ranges_.emplace_back(begin, here());
}

void Linker::statement(const Reduce& e, std::uint32_t at) {
  predeclare(e.in, e.result_bind);
  const int limit = opt(e.limit);
  const int over = query(e.over), initial = value(e.initial);
  scope_.open(false);
  const int item = scope_.declare_inner(e.item_bind), acc = scope_.declare_inner(e.acc_bind);
  const int next = value(e.next);
  scope_.close();
  scope_.open(true);
  const int result = scope_.declare_inner(e.result_bind);
  if (e.limit && !never_negative(*e.limit)) fallible();
  emit({Op::reduce, 0, children({over, initial, next, limit, item, acc}), result, -1, -1, at});
  effects(e.in);
  scope_.close();
}

void Linker::statement(const RemoveByPriority& e, std::uint32_t at) {
  const int budget_slot = scope_.fresh();
  const int budget = value(e.budget);
  fallible();
  emit({Op::remove_begin, 0, budget_slot, budget, -1, -1, at});
  for (const RemovalGroup& group : e.groups) {
    const int over = query(group.over);
    const int to = zone(group.to, at);
    const int from = group.from ? zone(*group.from, at) : -1;
    const int count = slot_for(group.count_bind);
    if (group.from || !p_.stacking.empty()) fallible();
    const int numbers = children({over, to, from, count});
    emit({Op::remove_group, 0, budget_slot, numbers, -1, -1, at});
  }
  if (!e.remaining_bind.empty())
    emit({Op::copy_slot, 0, scope_.declare(e.remaining_bind), budget_slot, -1, -1, at});
  scope_.open(false);
  effects(e.in);
  scope_.close();
}

void Linker::statement(const EvaluateSubset& e, std::uint32_t at) {
  const int cursor = scope_.fresh(6);
  const int source = query(e.source), size = value(e.subset_size);
  fallible();  // there may be no such subset
  loop_destroys(e.compute, "");
  emit({Op::subset_begin, 0, cursor, source, size, -1, at});
  const int begin = here();
  scope_.open(false);
  const int subset = scope_.declare_inner(e.subset_bind);
  const int next = emit({Op::subset_next, 0, cursor, subset, -1, -1, at});
  const int first = scope_.slots();
  const int clear = emit({Op::clear_slots, 0, first, 0, -1, -1, at});
  effects(e.compute);
  const int score = value(e.score);
  emit({Op::subset_score, 0, cursor, score, -1, -1, at});
  emit({Op::jump, 0, begin, -1, -1, -1, at});
  p_.code[static_cast<std::size_t>(clear)].b = scope_.slots() - first;
  scope_.close();
  p_.code[static_cast<std::size_t>(next)].c = here();
  loop_ranges_.emplace_back(begin, here());
  const int result = scope_.declare(e.result_bind);
  const int best = slot_for(e.best_subset_bind);
  emit({Op::subset_end, 0, cursor, result, best, -1, at});
  scope_.open(false);
  effects(e.in);
  scope_.close();
}

void Linker::statement(const Let& r, std::uint32_t at) {
  predeclare(r.in, r.bind);
  const int node = value(r.value);
  scope_.open(true);
  if (is_template(r.bind))
    emit_bind(r.bind, node, at);
  else
    emit({Op::bind, 0, scope_.declare_inner(r.bind), node, -1, -1, at});
  effects(r.in);
  scope_.close();
}

void Linker::statement(const BindValue& r, std::uint32_t at) {
  emit_bind(r.bind, value(r.value), at);
}

void Linker::statement(const ChooseOne& r, std::uint32_t at) {
  const int options = query(r.options);
  const int chooser = r.chooser ? player(*r.chooser, at) : -1;
  const auto* words = std::get_if<EnumsQuery>(&r.options.node);
  const bool sure = std::holds_alternative<PlayersQuery>(r.options.node) ||
                    (words != nullptr && !words->values.empty()) ||
                    std::holds_alternative<BooleansQuery>(r.options.node);
  if (!sure) fallible();
  emit_choice(r.bind, at, {Op::choose_one, 0, scope_.fresh(1), options, chooser, -1, at});
}

void Linker::statement(const ChooseN& r, std::uint32_t at) {
  const int options = query(r.options);
  const int chooser = r.chooser ? player(*r.chooser, at) : -1;
  const auto* least = std::get_if<Int>(&r.min.node);
  const auto* most = std::get_if<Int>(&r.max.node);
  const int min = value(r.min), max = value(r.max);
  // Only "any number from none on" can always be done.
  if (least == nullptr || *least != 0 || most == nullptr || *most < 0) fallible();
  const int numbers = children({min, max, r.ordered ? 1 : 0, -1});
  emit_choice(r.bind, at, {Op::choose_n, 0, scope_.fresh(6), options, chooser, numbers, at});
}

void Linker::statement(const RollRandom& r, std::uint32_t at) {
  p_.has_chance = true;
  const int min = value(r.min), max = value(r.max);
  // A value bound under that name already, such as a parameter, is used (15.5).
  const int given = scope_.find(r.bind);
  scope_.open(false);
  const int slot = scope_.declare_inner(r.bind);
  if (given >= 0 || !std::holds_alternative<Int>(r.min.node) ||
      !std::holds_alternative<Int>(r.max.node))
    fallible();
  emit({Op::roll, 0, slot, min, max, given, at});
  effects(r.in);
  scope_.close();
}

void Linker::effect(const Effect& e) {
  std::visit([&](const auto& node) { statement(node, e.at.index); }, e.node);
}

}  // namespace parlor::kernel
