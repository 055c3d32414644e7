// One variable cell: of the game, of a player, or of a zone. Which names there are, and whether a
// player or a zone belongs to it, depends on its scope.
#include <fmt/core.h>

#include "spec/lower/construct.h"

namespace parlor::spec::lower {
namespace {

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

}  // namespace

Type type_of_var(const std::optional<VarType>& type) {
  if (!type) return {};
  switch (*type) {
    case VarType::integer:
      return plain(Kind::integer);
    case VarType::boolean:
      return plain(Kind::boolean);
    case VarType::player:
      return plain(Kind::player);
    case VarType::zone:
      return plain(Kind::zone);
    case VarType::token:
      return plain(Kind::token);
    case VarType::enumeration:
      break;
  }
  return plain(Kind::string);
}

const VarDef* variable_read(const Context& cx, const Value& value) {
  const auto find = [](const std::vector<VarDef>& vars, const Name& name) -> const VarDef* {
    if (name.kind != Name::Kind::literal) return nullptr;
    const auto found = std::ranges::find(vars, name.text, &VarDef::name);
    return found == vars.end() ? nullptr : &*found;
  };
  if (const auto* ref = std::get_if<GvarRef>(&value.node))
    return find(cx.game.global_vars, ref->var);
  if (const auto* ref = std::get_if<PvarRef>(&value.node))
    return find(cx.game.per_player_vars, ref->var);
  if (const auto* ref = std::get_if<ZoneVarRef>(&value.node))
    return find(cx.game.zone_vars, ref->var);
  return nullptr;
}

EnumRead enum_read(const Context& cx, const Value& value) {
  const auto* item = std::get_if<ItemOf>(&value.node);
  const auto* at = item != nullptr ? std::get_if<Arith>(&item->at->node) : nullptr;
  if (at == nullptr || at->op != ArithOp::add) return {};
  const VarDef* var = variable_read(cx, *at->left);
  if (var == nullptr || var->type != VarType::enumeration) return {};
  return {var, &*at->left};
}

void report_text_of(Context& cx, const Node& text, const VarDef& var) {
  if (!text.is_string()) return report_word(cx, text, "value", var.values);
  Diagnostic& d =
      cx.error(Code::WORD_UNKNOWN, text, fmt::format("`{}` is never `{}`", var.name, text.text));
  d.alternatives = did_you_mean(text.text, var.values);
  if (d.alternatives.empty())
    d.suggestion = fmt::format("its values are {}", name_list(var.values));
}

void needs_number(Context& cx, const Node& node, const Type& type) {
  if (type.kind == Kind::boolean)
    cx.error(Code::TYPE_MISMATCH, node, "a true/false variable cannot be counted up or down")
        .suggestion = "use setVar";
  if (type.kind == Kind::string)
    cx.error(Code::TYPE_MISMATCH, node, "a variable of texts cannot be counted up or down")
        .suggestion = "use setVar, or a marker, whose states follow one another";
  if (type.kind == Kind::zone || type.kind == Kind::token)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("a variable that holds {} cannot be counted up or down", describe(type)))
        .suggestion = "use setVar";
}

// Where the scope is not known, neither are the variables.
void read_key(Reading& r, const Node& node, const FieldInfo& field, VarCell& out) {
  if (!enum_from_name<VarCell::Scope>(r.text("scope")) && !node.is_map()) return;
  const ScopeInfo info = info_of(r.cx, out.scope);
  std::optional<VarType> type;
  out.var = read_var_name(r.cx, node, info.declared, info.what, &type);
  r.set_type(field, type_of_var(type));
}

void check(Reading& r, VarCell&) {
  needs_number(r.cx, r.node(), r.type("var"));
}

}  // namespace parlor::spec::lower
