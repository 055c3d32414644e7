// Effects that change the table: variables, tokens, markers, phases and timed effects become code.
#include <algorithm>
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {

using namespace spec;

namespace {

const Vars& vars_of(const Program& p, const VarCell& cell) {
  return p.vars(static_cast<int>(cell.scope));
}

// A value that is the number of a player: people are told who that is.
bool gives_player(const Program& p, const spec::Value& value) {
  const auto holds = [](const Vars& vars, const spec::Name& name) {
    const auto found = std::ranges::find(vars, name.text, &VarInfo::name);
    return found != vars.end() && found->player;
  };
  if (const auto* of = std::get_if<GvarRef>(&value.node)) return holds(p.gvars, of->var);
  if (const auto* of = std::get_if<PvarRef>(&value.node)) return holds(p.pvars, of->var);
  if (const auto* of = std::get_if<ZoneVarRef>(&value.node)) return holds(p.zvars, of->var);
  if (const auto* of = std::get_if<ClockRef>(&value.node)) return of->field == "roundStartPlayer";
  if (const auto* of = std::get_if<TokenPropRef>(&value.node)) return names_owner(of->prop);
  return std::holds_alternative<ActivePlayerRef>(value.node);
}

}  // namespace

void Linker::var_cell(const VarCell& cell, std::uint32_t at, Operand& var, Operand& owner,
                      int& dynamic) {
  const auto& vars = vars_of(p_, cell);
  owner = cell.player ? player(*cell.player, at)
          : cell.zone ? zone(*cell.zone, at)
                      : NodeId::none();
  if (owner < 0 && cell.scope != VarCell::Scope::global)
    unsupported(at, fmt::format("it is not said whose `{}` is meant", cell.var.text));
  dynamic = cell.var.kind != Name::Kind::literal;
  if (dynamic)
    var = name_value(cell.var, at);
  else
    var = vars.find(&VarInfo::name, cell.var.text);
  if (var < 0)
    unsupported(at, fmt::format("there is no variable `{}` of this scope", cell.var.text));
}

void Linker::emit_var(Op op, const VarCell& cell, const spec::Value& v, std::uint32_t at) {
  Operand var, owner;
  int dynamic = 0;
  const NodeId node = value(v);
  var_cell(cell, at, var, owner, dynamic);
  emit({op, cell.scope, var, owner, node, dynamic, at});
}

void Linker::emit_goto(int phase, std::uint32_t at) {
  const int skip = emit({.op = Op::skip_if_phase, .b = phase, .place = at});
  emit({.op = Op::goto_phase, .a = phase, .place = at});
  emit({.op = Op::set_phase, .a = phase, .place = at});
  emit({.op = Op::call_enter, .place = at});
  p_.code[skip].a = here();
}

int Linker::effect_kind(const std::string& id, std::uint32_t at) {
  if (const int kind = position_of(p_.effect_kinds, id, &EffectKindInfo::id); kind >= 0)
    return kind;
  unsupported(at, fmt::format("there is no effect `{}`", id));
  return 0;
}

// The filter is asked now, with the bindings there are; that of a reveal that lasts again whenever
// a token arrives. Those are compared by their text, so equal filters are one filter.
void Linker::emit_sight(Op op, NodeId z, NodeId who, const std::optional<TokenFilter>& filter,
                        bool lasting, std::uint32_t at) {
  p_.uses_reveals |= lasting;
  int index = -1;
  const NodeId now = filter ? token_filter(*filter) : NodeId::none();
  if (filter) {
    Query carrier;
    TokensInZoneQuery tokens;
    tokens.filter.push_back(*filter);
    carrier.node = tokens;
    const std::string text = canonical(to_json(carrier));
    index = position_of(p_.reveal_filters, text);
    if (index < 0) {
      index = append(p_.reveal_filters, text);
      p_.reveal_filter_nodes.push_back(token_filter(*filter));
    }
  }
  emit({op, lasting, z, who, now, index, at});
}

void Linker::statement(const SetVar& r, std::uint32_t at) {
  emit_var(Op::set_var, r.cell, r.value, at);
}

void Linker::statement(const AddVar& r, std::uint32_t at) {
  emit_var(Op::add_var, r.cell, r.delta, at);
}

void Linker::statement(const TransferVar& r, std::uint32_t at) {
  std::vector<Operand> numbers(8);
  int dynamic = 0;
  numbers[0] = r.from.scope;
  var_cell(r.from, at, numbers[1], numbers[2], dynamic);
  numbers[3] = dynamic;
  numbers[4] = r.to.scope;
  var_cell(r.to, at, numbers[5], numbers[6], dynamic);
  numbers[7] = dynamic;
  numbers.push_back(value(r.amount));
  numbers.push_back(opt(r.min));
  numbers.push_back(opt(r.max));
  const int first = children(numbers);
  const SlotId actual = result_slot(r.actual_bind);
  emit({.op = Op::transfer_var, .a = first, .b = actual, .place = at});
  emit_result(r.actual_bind, actual, at);
}

void Linker::statement(const ResetVar& r, std::uint32_t at) {
  if (r.cell.var.kind != Name::Kind::literal) {
    unsupported(at, "resetVar needs the name of a variable, written out");
    return;
  }
  const auto& vars = vars_of(p_, r.cell);
  const VarId var = vars.find(&VarInfo::name, r.cell.var.text);
  const VarInfo begin = var.is_none() ? VarInfo{} : vars[var];
  emit_var(Op::set_var, r.cell,
           begin.boolean ? spec::Value{begin.init != 0} : spec::Value{begin.init}, at);
}

void Linker::statement(const SetActivePlayer& r, std::uint32_t at) {
  emit({.op = Op::set_active, .a = player(r.player, at), .place = at});
}

void Linker::statement(const MoveToken& r, std::uint32_t at) {
  const NodeId t = binding(r.token, at);
  NodeId from = zone(r.from, at);
  // "From where it is" needs no check.
  const auto* own = r.from.kind == ZoneSel::Kind::expression
                        ? std::get_if<TokenZoneRef>(&r.from.expr.front().node)
                        : nullptr;
  if (own != nullptr && own->token == r.token) from = {};
  if (r.position == ZonePosition::random) p_.has_chance = true;
  const NodeId to = zone(r.to, at);
  may_refuse(known_.fits(r.to, known_.types_of(r.token)));
  emit({.op = Op::move_token, .x = r.position, .a = t, .b = from, .c = to, .place = at});
}

void Linker::statement(const MoveTokenAdjacent& r, std::uint32_t at) {
  const NodeId t = binding(r.token, at), from = zone(r.from, at);
  const NodeId to = r.direction ? zone(*r.direction, at)
                                : add({.op = Ex::z_missing, .a = symbol("direction"), .place = at});
  may_refuse(r.direction && known_.fits(*r.direction, known_.types_of(r.token)));
  emit({.op = Op::move_adjacent, .a = t, .b = from, .c = to, .place = at});
}

void Linker::statement(const MoveAll& r, std::uint32_t at) {
  const NodeId from = zone(r.from, at), to = zone(r.to, at);
  NodeId where;
  SlotId slot;
  if (r.filter) std::tie(where, slot) = scoped("$token", *r.filter);
  may_refuse(known_.fits(r.to, kinds_.all(), true));
  emit({.op = Op::move_all, .a = from, .b = to, .c = where, .d = slot, .place = at});
}

void Linker::statement(const Draw& r, std::uint32_t at) {
  const NodeId from = zone(r.from, at), to = zone(r.to, at), count = value(r.count);
  may_refuse(known_.fits(r.to, kinds_.all(), true));
  emit({.op = Op::draw, .a = from, .b = to, .c = count, .d = scope_.fresh(2), .place = at});
}

void Linker::statement(const Shuffle& r, std::uint32_t at) {
  p_.has_chance = true;
  const int stream = r.stream.empty() ? -1 : symbol(r.stream);
  p_.uses_streams |= stream >= 0;
  emit({.op = Op::shuffle, .a = zone(r.zone, at), .b = stream, .place = at});
}

void Linker::statement(const CreateToken& r, std::uint32_t at) {
  const int type = type_index(r.type, at);
  if (p_.types.empty()) return;
  std::vector<Operand> pairs;
  for (const PropValue& prop : r.props) {
    const int index = prop_index(prop.prop);
    if (index < 0 || p_.types[type].column[index] < 0)
      unsupported(at, fmt::format("token type `{}` has no property `{}`", r.type, prop.prop));
    else
      pairs.insert(pairs.end(), {index, value(prop.value)});
  }
  if (pairs.size() > 64) unsupported(at, "a token has more than 32 properties");
  const NodeId z = zone(r.zone, at);
  const int first = children(pairs);
  TokenTypes types = kinds_.none();
  types[type] = true;
  may_refuse(known_.fits(r.zone, types));
  emit({.op = Op::create_token, .x = type, .a = z, .b = first, .c = pairs.size() / 2, .place = at});
}

void Linker::statement(const DestroyToken& r, std::uint32_t at) {
  const NodeId t = binding(r.token, at);
  emit({.op = Op::destroy_token, .a = t, .place = at});
}

void Linker::statement(const SetTokenProp& r, std::uint32_t at) {
  const int prop = prop_index(r.prop);
  if (prop < 0) return unsupported(at, fmt::format("no token type has a property `{}`", r.prop));
  const NodeId t = binding(r.token, at);
  emit({.op = Op::set_prop, .x = prop, .a = t, .b = value(r.value), .place = at});
}

void Linker::statement(const Reveal& r, std::uint32_t at) {
  emit_sight(Op::reveal, zone(r.zone, at), player(r.to, at), r.filter, r.lasting, at);
}

void Linker::statement(const Conceal& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  emit_sight(Op::conceal, z, r.from ? player(*r.from, at) : NodeId::none(), r.filter, false, at);
}

void Linker::statement(const Say& r, std::uint32_t at) {
  std::vector<Operand> parts;
  for (const spec::Value& part : r.text) {
    const auto* named = std::get_if<PlayerRef>(&part.node);
    const bool player_told = named != nullptr || gives_player(p_, part);
    const NodeId node = named         ? player(named->player, at)
                        : player_told ? add({.op = Ex::p_slot, .a = value(part), .place = at})
                                      : value(part);
    parts.insert(parts.end(), {player_told ? 1 : 0, node});
  }
  const NodeId to = r.to ? player(*r.to, at) : NodeId::none();
  const int first = children(parts);
  emit({Op::say, 0, first, parts.size() / 2, to, -1, at});
}

void Linker::statement(const SetMarker& r, std::uint32_t at) {
  const int lattice = lattice_index(p_.lattices, r.marker, at);
  if (p_.lattices.empty()) return;
  const NodeId z = zone(r.space, at), state = value(r.state);
  emit({.op = Op::set_marker, .x = lattice, .a = z, .b = state, .place = at});
}

void Linker::statement(const ShiftMarker& r, std::uint32_t at) {
  const NodeId z = zone(r.space, at);
  emit({.op = Op::shift_marker,
        .x = lattice_index(p_.lattices, r.marker, at),
        .a = z,
        .b = value(r.delta),
        .place = at});
}

void Linker::statement(const SetGlobalMarker& r, std::uint32_t at) {
  const NodeId state = value(r.state);
  emit({.op = Op::set_global_marker,
        .x = lattice_index(p_.global_lattices, r.marker, at),
        .b = state,
        .place = at});
}

void Linker::statement(const ShiftGlobalMarker& r, std::uint32_t at) {
  emit({.op = Op::shift_global_marker,
        .x = lattice_index(p_.global_lattices, r.marker, at),
        .b = value(r.delta),
        .place = at});
}

void Linker::statement(const FlipGlobalMarker& r, std::uint32_t at) {
  const NodeId marker = value(r.marker), first = value(r.state_a), second = value(r.state_b);
  emit({.op = Op::flip_global_marker, .a = marker, .b = first, .c = second, .place = at});
}

void Linker::statement(const GotoPhaseExact& r, std::uint32_t at) {
  emit_goto(phase_index(r.phase, at), at);
}

void Linker::statement(const AdvancePhase&, std::uint32_t at) {
  emit({.op = Op::advance, .place = at});
}

void Linker::statement(const EndTurn&, std::uint32_t at) {
  if (p_.phased_rounds) {  // the next turn goes on in the same phase
    emit({.op = Op::end_turn, .place = at});
    return;
  }
  if (p_.phases.size() == 1 || p_.flow.cards) {
    emit({.op = Op::advance, .place = at});
    return;
  }
  emit({.op = Op::call_exit, .place = at});
  emit({.op = Op::end_turn, .place = at});
}

void Linker::statement(const EndRound&, std::uint32_t at) {
  p_.uses_turn_plan = true;
  emit({.op = Op::call_exit, .place = at});
  emit({.op = Op::end_turn, .x = 1, .place = at});
}

void Linker::emit_plan(Op op, const PlayerSel& who, std::uint32_t at) {
  p_.uses_turn_plan = true;
  emit({.op = op, .a = player(who, at), .place = at});
}
void Linker::statement(const ExtraTurn& r, std::uint32_t at) {
  emit_plan(Op::extra_turn, r.player, at);
}
void Linker::statement(const SkipTurn& r, std::uint32_t at) {
  emit_plan(Op::skip_turn, r.player, at);
}
void Linker::statement(const SetStartPlayer& r, std::uint32_t at) {
  emit_plan(Op::set_start, r.player, at);
}
void Linker::statement(const SetTurnOrder& r, std::uint32_t at) {
  p_.uses_turn_plan = true;
  emit({.op = Op::set_order, .x = r.descending, .a = value(r.by), .place = at});
}

void Linker::statement(const PushInterruptPhase& r, std::uint32_t at) {
  emit({.op = Op::call_exit, .place = at});
  emit({.op = Op::push_interrupt,
        .a = phase_index(r.phase, at),
        .b = phase_index(r.resume_phase, at),
        .place = at});
  emit({.op = Op::call_enter, .place = at});
}

void Linker::statement(const PopInterruptPhase&, std::uint32_t at) {
  emit({.op = Op::call_exit, .place = at});
  emit({.op = Op::pop_interrupt, .place = at});
  emit({.op = Op::call_enter, .place = at});
}

void Linker::statement(const StartEffect& r, std::uint32_t at) {
  const NodeId owner = r.owner ? player(*r.owner, at) : NodeId::none(), target = opt(r.target);
  const NodeId from_turn = opt(r.starts_at_turn), from_round = opt(r.starts_at_round);
  const NodeId turn = opt(r.expires_at_turn), round = opt(r.expires_at_round);
  const NodeId until =
      r.expires_at_next_turn_of ? player(*r.expires_at_next_turn_of, at) : NodeId::none();
  const int numbers =
      children({owner, target, from_turn, from_round, turn, round, until, opt(r.charges)});
  emit({.op = Op::start_effect, .x = effect_kind(r.effect, at), .a = numbers, .place = at});
}

void Linker::statement(const EndEffect& r, std::uint32_t at) {
  const NodeId owner = r.owner ? player(*r.owner, at) : NodeId::none();
  emit({.op = Op::end_effect,
        .x = effect_kind(r.effect, at),
        .a = owner,
        .b = opt(r.target),
        .place = at});
}

}  // namespace parlor::kernel
