// Effects on variables and on who is active.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/effects.h"

namespace parlor::spec::lower {
namespace {

VarCell::Scope read_scope(Context& cx, const Node& node) {
  for (const std::string_view slip : {"perPlayer", "player"})
    if (node.is(slip)) {
      cx.error(Code::WORD_UNKNOWN, node, fmt::format("there is no scope `{}`", slip))
          .alternatives = {"pvar"};
      return VarCell::Scope::per_player;
    }
  return read_word<VarCell::Scope>(cx, node, "scope",
                                   {{"global", VarCell::Scope::global},
                                    {"pvar", VarCell::Scope::per_player},
                                    {"zoneVar", VarCell::Scope::zone}},
                                   VarCell::Scope::global);
}

struct ScopeInfo {
  const Table<VarType>& declared;
  std::string_view what;
};

ScopeInfo info_of(const Context& cx, VarCell::Scope scope) {
  switch (scope) {
    case VarCell::Scope::per_player:
      return {cx.symbols.per_player_vars, "player variable"};
    case VarCell::Scope::zone:
      return {cx.symbols.zone_vars, "zone variable"};
    case VarCell::Scope::global:
      break;
  }
  return {cx.symbols.global_vars, "global variable"};
}

Type kind_of(const std::optional<VarType>& type) {
  if (!type) return {};
  return {*type == VarType::integer ? Kind::integer : Kind::boolean, Kind::unknown, {}};
}

void needs_number(Context& cx, const Node& node, const Type& type) {
  if (type.kind == Kind::boolean)
    cx.error(Code::TYPE_MISMATCH, node, "a true/false variable cannot be counted up or down")
        .suggestion = "use setVar";
}

void check_literal(Context& cx, const Node& node, const VarCell& cell) {
  if (!node.is_integer() || cell.var.kind != Name::Kind::literal) return;
  const auto& vars = cell.scope == VarCell::Scope::global       ? cx.game.global_vars
                     : cell.scope == VarCell::Scope::per_player ? cx.game.per_player_vars
                                                                : cx.game.zone_vars;
  const auto found = std::ranges::find(vars, cell.var.text, &VarDef::name);
  if (found == vars.end() || found->type != VarType::integer) return;
  if (node.integer >= found->min && node.integer <= found->max) return;
  cx.warning(Code::NUMBER_RANGE, node,
             fmt::format("`{}` lies between {} and {}, so it becomes {}", found->name, found->min,
                         found->max, std::clamp(Int{node.integer}, found->min, found->max)))
      .suggestion = "correct the number, or the variable's min and max";
}

VarCell read_endpoint(Context& cx, const Node& node) {
  Fields fields{cx, node, "an endpoint of transferVar"};
  Type type;
  VarCell out = read_cell(cx, fields, &type);
  needs_number(cx, node, type);
  return out;
}

}  // namespace

VarCell read_cell(Context& cx, Fields& fields, Type* type) {
  VarCell out;
  bool scope_known = false;
  fields.need("scope", [&](const Node& n) {
    const std::size_t before = cx.errors();
    out.scope = read_scope(cx, n);
    scope_known = cx.errors() == before;
  });
  const ScopeInfo info = info_of(cx, out.scope);
  std::optional<VarType> found;
  fields.need("var", [&](const Node& n) {
    if (scope_known || n.is_map()) out.var = read_var_name(cx, n, info.declared, info.what, &found);
  });
  const auto player = [&](const Node& n) { out.player = read_player(cx, n); };
  const auto zone = [&](const Node& n) { out.zone = read_zone(cx, n); };
  if (!scope_known) fields.allow({"player", "zone"});
  if (scope_known && out.scope == VarCell::Scope::per_player) fields.need("player", player);
  if (scope_known && out.scope == VarCell::Scope::zone) fields.need("zone", zone);
  *type = kind_of(found);
  return out;
}

EffectNode read_set_var(Context& cx, const Node& node) {
  SetVar out;
  Type type;
  Fields fields{cx, node, "setVar"};
  out.cell = read_cell(cx, fields, &type);
  fields.need("value", [&](const Node& n) {
    out.value = read_typed(cx, n, type);
    check_literal(cx, n, out.cell);
  });
  return out;
}

EffectNode read_add_var(Context& cx, const Node& node) {
  AddVar out;
  Type type;
  Fields fields{cx, node, "addVar"};
  out.cell = read_cell(cx, fields, &type);
  needs_number(cx, node, type);
  fields.need("delta", [&](const Node& n) { out.delta = read_number(cx, n); });
  return out;
}

EffectNode read_transfer_var(Context& cx, const Node& node) {
  TransferVar out;
  Fields fields{cx, node, "transferVar"};
  fields.need("from", [&](const Node& n) { out.from = read_endpoint(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_endpoint(cx, n); });
  fields.need("amount", [&](const Node& n) { out.amount = read_number(cx, n); });
  fields.maybe("min", [&](const Node& n) { out.min = read_number(cx, n); });
  fields.maybe("max", [&](const Node& n) { out.max = read_number(cx, n); });
  fields.maybe("actualBind", [&](const Node& n) {
    out.actual_bind = declare_binding(cx, n, plain(Kind::integer));
  });
  return out;
}

EffectNode read_set_active_player(Context& cx, const Node& node) {
  SetActivePlayer out;
  Fields fields{cx, node, "setActivePlayer"};
  fields.need("player", [&](const Node& n) { out.player = read_player(cx, n); });
  return out;
}

}  // namespace parlor::spec::lower
