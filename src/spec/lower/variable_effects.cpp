// Effects on variables and on who is active.
#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/lower/effects.h"
#include "spec/lower/names.h"

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

// The variable a reference reads, as {scope, var, …}; nothing for other references.
std::optional<Node> cell_of(const Node& reference) {
  const Node* ref = reference.find("ref");
  const Build b{reference.origin};
  if (ref == nullptr) return std::nullopt;
  if (ref->is("gvar")) return b.map({{"scope", b.text("global")}, {"var", *reference.find("var")}});
  if (ref->is("pvar"))
    return b.map({{"scope", b.text("pvar")},
                  {"player", *reference.find("player")},
                  {"var", *reference.find("var")}});
  if (ref->is("zoneVar"))
    return b.map({{"scope", b.text("zoneVar")},
                  {"zone", *reference.find("zone")},
                  {"var", *reference.find("var")}});
  return std::nullopt;
}

Diagnostic& not_assignable(Context& cx, const Node& target, std::string_view what) {
  Diagnostic& d =
      cx.error(Code::ASSIGNMENT_TARGET, target, fmt::format("{} cannot be assigned", what));
  d.suggestion = "variables, markers and properties of tokens can be";
  return d;
}

// `pay 3 gold to left`: a player stands for the same variable of that player.
std::optional<Node> endpoint_cell(Context& cx, const Node& node, const Node* from) {
  const std::size_t before = cx.errors();
  Node settled = settle(cx, node);
  if (cx.errors() > before) return std::nullopt;
  if (auto cell = cell_of(settled)) return cell;
  const Node who = as_selector(cx, settled);
  if (from != nullptr && (who.is_string() || who.is_integer())) {
    auto same = cell_of(settle(cx, *from));
    if (same && same->has("player")) {
      same->set("player", who);
      return same;
    }
  }
  not_assignable(cx, node, "this is no variable, so it");
  return std::nullopt;
}

VarCell read_endpoint(Context& cx, const Node& node, const Node* from) {
  if (node.has("ref")) {
    const auto cell = endpoint_cell(cx, node, from);
    return cell ? read_endpoint(cx, *cell, nullptr) : VarCell{};
  }
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
  const Node* from = fields.optional("from");
  fields.need("from", [&](const Node& n) { out.from = read_endpoint(cx, n, nullptr); });
  fields.need("to", [&](const Node& n) { out.to = read_endpoint(cx, n, from); });
  fields.need("amount", [&](const Node& n) { out.amount = read_number(cx, n); });
  fields.maybe("min", [&](const Node& n) { out.min = read_number(cx, n); });
  fields.maybe("max", [&](const Node& n) { out.max = read_number(cx, n); });
  fields.maybe("actualBind", [&](const Node& n) {
    out.actual_bind = declare_binding(cx, n, plain(Kind::integer));
  });
  return out;
}

namespace {

// What an assignment of the text notation changes decides which effect it is.
EffectNode assignment(Context& cx, const Node& node, std::string_view key, bool adds) {
  Fields fields{cx, node, adds ? "add" : "set"};
  const Node* target = fields.required("target");
  const Node* amount = fields.required(key);
  if (target == nullptr || amount == nullptr) return SetVar{};
  const std::size_t before = cx.errors();
  const Node meant = settle(cx, *target);
  if (cx.errors() > before) return SetVar{};
  const Build b{node.origin};
  const auto read = [&](std::string_view effect, ReadEffect reader, const Node& body) {
    noted(cx, node, b.map({{effect, body}}));
    return reader(cx, body);
  };
  if (auto cell = cell_of(meant)) {
    cell->set(key, *amount);
    return adds ? read("addVar", read_add_var, *cell) : read("setVar", read_set_var, *cell);
  }
  const Node* ref = meant.find("ref");
  const auto changed = [&](std::string_view to) {
    Node out = b.map({{to, *amount}});
    for (const Entry& entry : meant.entries)
      if (entry.key != "ref") out.set(entry.key, entry.value);
    return out;
  };
  if (ref != nullptr && ref->is("markerState"))
    return adds ? read("shiftMarker", read_shift_marker, changed("delta"))
                : read("setMarker", read_set_marker, changed("state"));
  if (ref != nullptr && ref->is("globalMarkerState"))
    return adds ? read("shiftGlobalMarker", read_shift_global_marker, changed("delta"))
                : read("setGlobalMarker", read_set_global_marker, changed("state"));
  if (ref != nullptr && ref->is("tokenProp")) {
    Node out = changed("value");
    if (adds) out.set("value", b.map({{"op", b.text("+")}, {"left", meant}, {"right", *amount}}));
    return read("setTokenProp", read_set_token_prop, out);
  }
  const bool binding = ref != nullptr && ref->is("binding");
  Diagnostic& d = not_assignable(
      cx, *target,
      binding ? fmt::format("the binding `{}`", meant.find("name")->text) : std::string{"this"});
  if (binding) d.suggestion = "bind another name with `let $new = …`";
  return SetVar{};
}

}  // namespace

EffectNode read_set(Context& cx, const Node& node) {
  return assignment(cx, node, "value", false);
}

EffectNode read_add(Context& cx, const Node& node) {
  return assignment(cx, node, "delta", true);
}

EffectNode read_set_active_player(Context& cx, const Node& node) {
  SetActivePlayer out;
  Fields fields{cx, node, "setActivePlayer"};
  fields.need("player", [&](const Node& n) { out.player = read_player(cx, n); });
  return out;
}

}  // namespace parlor::spec::lower
