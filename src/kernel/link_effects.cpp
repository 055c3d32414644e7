#include <fmt/format.h>

#include "kernel/linker.h"

namespace parlor::kernel {

using namespace spec;

namespace {
bool is_template(const std::string& name) {
  return name.find('{') != std::string::npos;
}

// Counts and limits below 0 are errors of the move (K-31); these values cannot be below 0.
bool never_negative(const spec::Value& v) {
  if (const auto* n = std::get_if<Int>(&v.node)) return *n >= 0;
  if (const auto* fold = std::get_if<Aggregate>(&v.node)) return fold->op == AggregateOp::count;
  if (const auto* op = std::get_if<Arith>(&v.node); op != nullptr && op->op == ArithOp::max)
    return never_negative(*op->left) || never_negative(*op->right);
  return std::holds_alternative<ZoneCountRef>(v.node);
}
}  // namespace

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

void Linker::var_cell(const VarCell& cell, std::uint32_t at, int& var, int& owner, int& dynamic) {
  const auto& vars = cell.scope == VarCell::Scope::global       ? p_.gvars
                     : cell.scope == VarCell::Scope::per_player ? p_.pvars
                                                                : p_.zvars;
  owner = cell.player ? player(*cell.player, at) : cell.zone ? zone(*cell.zone, at) : -1;
  dynamic = cell.var.kind != Name::Kind::literal;
  var = dynamic ? name_value(cell.var, at) : var_index(vars, cell.var.text);
  if (var < 0)
    unsupported(at, fmt::format("there is no variable `{}` of this scope", cell.var.text));
}

void Linker::emit_var(Op op, const VarCell& cell, const spec::Value& v, std::uint32_t at) {
  int var = 0, owner = 0, dynamic = 0;
  const int node = value(v);
  var_cell(cell, at, var, owner, dynamic);
  emit({op, static_cast<std::uint16_t>(cell.scope), var, owner, node, dynamic, at});
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
  emit(instr);
  if (!templated) return;
  const int pattern = binding(bind, at);
  const int chosen = add({Ex::slot, 0, slot, -1, -1, -1, at});
  emit({Op::bind_template, 0, p_.nodes[static_cast<std::size_t>(pattern)].a, chosen, -1, -1, at});
}

void Linker::emit_if(const If& e, std::uint32_t at) {
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

void Linker::emit_for_each(const ForEach& e, std::uint32_t at) {
  const int limit = opt(e.limit);
  const int over = query(e.over);
  const int cursor = scope_.fresh(4);
  const int count = e.count_bind.empty() ? -1 : scope_.fresh();
  if (e.limit && !never_negative(*e.limit)) fallible();
  emit({Op::loop_begin, 0, cursor, over, limit, -1, at});
  const int begin = here();
  scope_.open(false);
  const int bind = scope_.declare_inner(e.bind);
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

void Linker::emit_while(const While& e, std::uint32_t at) {
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

void Linker::emit_reduce(const Reduce& e, std::uint32_t at) {
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

void Linker::emit_removal(const RemoveByPriority& e, std::uint32_t at) {
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

void Linker::emit_subset(const EvaluateSubset& e, std::uint32_t at) {
  const int cursor = scope_.fresh(6);
  const int source = query(e.source), size = value(e.subset_size);
  fallible();  // there may be no such subset
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

void Linker::emit_goto(int phase, std::uint32_t at) {
  const int skip = emit({Op::skip_if_phase, 0, -1, phase, -1, -1, at});
  fallible();
  emit({Op::goto_phase, 0, phase, -1, -1, -1, at});
  emit({Op::set_phase, 0, phase, -1, -1, -1, at});
  emit({Op::call_enter, 0, -1, -1, -1, -1, at});
  p_.code[static_cast<std::size_t>(skip)].a = here();
}

void Linker::effect(const Effect& e) {
  const std::uint32_t at = e.at.index;
  std::visit(
      overloaded{
          [&](const SetVar& r) { emit_var(Op::set_var, r.cell, r.value, at); },
          [&](const AddVar& r) { emit_var(Op::add_var, r.cell, r.delta, at); },
          [&](const TransferVar& r) {
            std::vector<int> numbers(8);
            int dynamic = 0;
            numbers[0] = static_cast<int>(r.from.scope);
            var_cell(r.from, at, numbers[1], numbers[2], dynamic);
            numbers[3] = dynamic;
            numbers[4] = static_cast<int>(r.to.scope);
            var_cell(r.to, at, numbers[5], numbers[6], dynamic);
            numbers[7] = dynamic;
            numbers.push_back(value(r.amount));
            numbers.push_back(opt(r.min));
            numbers.push_back(opt(r.max));
            const int first = children(numbers);
            emit({Op::transfer_var, 0, first, slot_for(r.actual_bind), -1, -1, at});
          },
          [&](const SetActivePlayer& r) {
            emit({Op::set_active, 0, player(r.player, at), -1, -1, -1, at});
          },
          [&](const MoveToken& r) {
            const int t = binding(r.token, at);
            int from = zone(r.from, at);
            // "From where it is" needs no check.
            const auto* own = r.from.kind == ZoneSel::Kind::expression
                                  ? std::get_if<TokenZoneRef>(&r.from.expr.front().node)
                                  : nullptr;
            if (own != nullptr && own->token == r.token)
              from = -1;
            else
              fallible();
            if (!p_.stacking.empty()) fallible();
            if (r.position == ZonePosition::random) p_.has_chance = true;
            const int to = zone(r.to, at);
            emit({Op::move_token, static_cast<std::uint16_t>(r.position), t, from, to, -1, at});
          },
          [&](const MoveTokenAdjacent& r) {
            const int t = binding(r.token, at), from = zone(r.from, at);
            const int to = r.direction
                               ? zone(*r.direction, at)
                               : add({Ex::z_missing, 0, static_cast<int>(symbol("direction")), -1,
                                      -1, -1, at});
            fallible();
            emit({Op::move_adjacent, 0, t, from, to, -1, at});
          },
          [&](const MoveAll& r) {
            const int from = zone(r.from, at), to = zone(r.to, at);
            int where = -1, slot = -1;
            if (r.filter) std::tie(where, slot) = scoped("$token", *r.filter);
            if (!p_.stacking.empty()) fallible();
            emit({Op::move_all, 0, from, to, where, slot, at});
          },
          [&](const Draw& r) {
            const int from = zone(r.from, at), to = zone(r.to, at), count = value(r.count);
            if (!p_.stacking.empty() || !never_negative(r.count)) fallible();
            emit({Op::draw, 0, from, to, count, scope_.fresh(2), at});
          },
          [&](const Shuffle& r) {
            p_.has_chance = true;
            const int stream = r.stream.empty() ? -1 : static_cast<int>(symbol(r.stream));
            p_.uses_streams |= stream >= 0;
            emit({Op::shuffle, 0, zone(r.zone, at), stream, -1, -1, at});
          },
          [&](const CreateToken& r) {
            const int type = type_index(r.type, at);
            std::vector<int> pairs;
            for (const PropValue& prop : r.props) {
              const int index = prop_index(prop.prop);
              if (index < 0 ||
                  p_.types[static_cast<std::size_t>(type)].column[static_cast<std::size_t>(index)] <
                      0)
                unsupported(at,
                            fmt::format("token type `{}` has no property `{}`", r.type, prop.prop));
              else
                pairs.insert(pairs.end(), {index, value(prop.value)});
            }
            if (pairs.size() > 64) unsupported(at, "a token has more than 32 properties");
            if (!p_.stacking.empty()) fallible();
            const int z = zone(r.zone, at);
            const int first = children(pairs);
            emit({Op::create_token, static_cast<std::uint16_t>(type), z, first,
                  static_cast<int>(pairs.size() / 2), -1, at});
          },
          [&](const DestroyToken& r) {
            emit({Op::destroy_token, 0, binding(r.token, at), -1, -1, -1, at});
          },
          [&](const SetTokenProp& r) {
            const int prop = prop_index(r.prop);
            if (prop < 0)
              return unsupported(at, fmt::format("no token type has a property `{}`", r.prop));
            for (const TypeInfo& type : p_.types)
              if (type.column[static_cast<std::size_t>(prop)] < 0 || !type.transitions.empty())
                fallible();
            const int t = binding(r.token, at);
            emit({Op::set_prop, static_cast<std::uint16_t>(prop), t, value(r.value), -1, -1, at});
          },
          [&](const Reveal& r) {
            emit_sight(Op::reveal, zone(r.zone, at), player(r.to, at), r.filter, at);
          },
          [&](const Conceal& r) {
            const int z = zone(r.zone, at);
            emit_sight(Op::conceal, z, r.from ? player(*r.from, at) : -1, r.filter, at);
          },
          [&](const If& r) { emit_if(r, at); },
          [&](const Let& r) {
            predeclare(r.in, r.bind);
            const int node = value(r.value);
            scope_.open(true);
            if (is_template(r.bind))
              emit_bind(r.bind, node, at);
            else
              emit({Op::bind, 0, scope_.declare_inner(r.bind), node, -1, -1, at});
            effects(r.in);
            scope_.close();
          },
          [&](const BindValue& r) { emit_bind(r.bind, value(r.value), at); },
          [&](const ForEach& r) { emit_for_each(r, at); },
          [&](const While& r) { emit_while(r, at); },
          [&](const Reduce& r) { emit_reduce(r, at); },
          [&](const RemoveByPriority& r) { emit_removal(r, at); },
          [&](const EvaluateSubset& r) { emit_subset(r, at); },
          [&](const ChooseOne& r) {
            const int options = query(r.options);
            const int chooser = r.chooser ? player(*r.chooser, at) : -1;
            const auto* words = std::get_if<EnumsQuery>(&r.options.node);
            const bool sure = std::holds_alternative<PlayersQuery>(r.options.node) ||
                              (words != nullptr && !words->values.empty()) ||
                              std::holds_alternative<BooleansQuery>(r.options.node);
            if (!sure) fallible();
            emit_choice(r.bind, at, {Op::choose_one, 0, scope_.fresh(1), options, chooser, -1, at});
          },
          [&](const ChooseN& r) {
            const int options = query(r.options);
            const int chooser = r.chooser ? player(*r.chooser, at) : -1;
            const auto* least = std::get_if<Int>(&r.min.node);
            const int min = value(r.min), max = value(r.max);
            if (least == nullptr || *least > 0 || !std::holds_alternative<Int>(r.max.node))
              fallible();
            const int numbers = children({min, max, r.ordered ? 1 : 0, -1});
            emit_choice(r.bind, at,
                        {Op::choose_n, 0, scope_.fresh(6), options, chooser, numbers, at});
          },
          [&](const RollRandom& r) {
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
          },
          [&](const SetMarker& r) {
            const int lattice = lattice_index(p_.lattices, r.marker, at);
            const int z = zone(r.space, at), state = value(r.state);
            if (p_.nodes[static_cast<std::size_t>(state)].op != Ex::constant ||
                !p_.def.marker_lattices[static_cast<std::size_t>(lattice)].constraints.empty())
              fallible();
            emit({Op::set_marker, static_cast<std::uint16_t>(lattice), z, state, -1, -1, at});
          },
          [&](const ShiftMarker& r) {
            const int z = zone(r.space, at);
            emit({Op::shift_marker,
                  static_cast<std::uint16_t>(lattice_index(p_.lattices, r.marker, at)), z,
                  value(r.delta), -1, -1, at});
          },
          [&](const SetGlobalMarker& r) {
            const int state = value(r.state);
            if (p_.nodes[static_cast<std::size_t>(state)].op != Ex::constant) fallible();
            emit({Op::set_global_marker,
                  static_cast<std::uint16_t>(lattice_index(p_.global_lattices, r.marker, at)), -1,
                  state, -1, -1, at});
          },
          [&](const ShiftGlobalMarker& r) {
            emit({Op::shift_global_marker,
                  static_cast<std::uint16_t>(lattice_index(p_.global_lattices, r.marker, at)), -1,
                  value(r.delta), -1, -1, at});
          },
          [&](const FlipGlobalMarker& r) {
            const int marker = value(r.marker), first = value(r.state_a), second = value(r.state_b);
            fallible();
            emit({Op::flip_global_marker, 0, marker, first, second, -1, at});
          },
          [&](const GotoPhaseExact& r) { emit_goto(phase_index(r.phase, at), at); },
          [&](const AdvancePhase&) {
            emit({Op::advance, 0, -1, -1, -1, -1, at});
          },
          [&](const PushInterruptPhase& r) {
            emit({Op::call_exit, 0, -1, -1, -1, -1, at});
            fallible();
            emit({Op::push_interrupt, 0, phase_index(r.phase, at), phase_index(r.resume_phase, at),
                  -1, -1, at});
            emit({Op::call_enter, 0, -1, -1, -1, -1, at});
          },
          [&](const PopInterruptPhase&) {
            emit({Op::call_exit, 0, -1, -1, -1, -1, at});
            fallible();
            emit({Op::pop_interrupt, 0, -1, -1, -1, -1, at});
            emit({Op::call_enter, 0, -1, -1, -1, -1, at});
          },
          [&](const GrantFreeOperation&) {
            unsupported(
                at,
                "free operations need the card-driven turn order, which this kernel does not run");
          },
          [&](const StartEffect& r) {
            const int owner = r.owner ? player(*r.owner, at) : -1, target = opt(r.target);
            const int from_turn = opt(r.starts_at_turn), from_round = opt(r.starts_at_round);
            const int turn = opt(r.expires_at_turn), round = opt(r.expires_at_round);
            const int until =
                r.expires_at_next_turn_of ? player(*r.expires_at_next_turn_of, at) : -1;
            const int numbers = children(
                {owner, target, from_turn, from_round, turn, round, until, opt(r.charges)});
            fallible();
            emit({Op::start_effect, static_cast<std::uint16_t>(effect_kind(r.effect, at)), numbers,
                  -1, -1, -1, at});
          },
          [&](const EndEffect& r) {
            const int owner = r.owner ? player(*r.owner, at) : -1;
            emit({Op::end_effect, static_cast<std::uint16_t>(effect_kind(r.effect, at)), owner,
                  opt(r.target), -1, -1, at});
          },
      },
      e.node);
}

int Linker::effect_kind(const std::string& id, std::uint32_t at) {
  for (std::size_t k = 0; k < p_.effect_kinds.size(); ++k)
    if (p_.effect_kinds[k].id == id) return static_cast<int>(k);
  unsupported(at, fmt::format("there is no effect `{}`", id));
  return 0;
}

// Grants of sight are compared by the filter's text, so equal filters are one filter.
void Linker::emit_sight(Op op, int z, int who, const std::optional<TokenFilter>& filter,
                        std::uint32_t at) {
  p_.uses_reveals = true;
  int index = -1;
  if (filter) {
    Query carrier;
    TokensInZoneQuery tokens;
    tokens.filter.push_back(*filter);
    carrier.node = tokens;
    const std::string text = canonical(to_json(carrier));
    const auto found = std::find(p_.reveal_filters.begin(), p_.reveal_filters.end(), text);
    index = static_cast<int>(found - p_.reveal_filters.begin());
    if (found == p_.reveal_filters.end()) {
      p_.reveal_filters.push_back(text);
      p_.reveal_filter_nodes.push_back(token_filter(*filter));
    }
  }
  emit({op, 0, z, who, index, -1, at});
}

}  // namespace parlor::kernel
