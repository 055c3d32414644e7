// One variable cell: of the game, of a player, or of a zone. Which names there are, and whether a
// player or a zone belongs to it, depends on its scope.
#include <fmt/core.h>

#include "spec/lower/readers.h"

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

}  // namespace

Type type_of_var(const std::optional<VarType>& type) {
  if (!type) return {};
  return plain(*type == VarType::integer ? Kind::integer : Kind::boolean);
}

void needs_number(Context& cx, const Node& node, const Type& type) {
  if (type.kind == Kind::boolean)
    cx.error(Code::TYPE_MISMATCH, node, "a true/false variable cannot be counted up or down")
        .suggestion = "use setVar";
}

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
  *type = type_of_var(found);
  return out;
}

}  // namespace parlor::spec::lower
