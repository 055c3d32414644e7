#include "generate/nodes.h"

namespace parlor::generate {

Value number(Int n) {
  return val(n);
}
Value word(std::string text) {
  return val(std::move(text));
}
Value bound(std::string name) {
  BindingRef ref;
  ref.name = std::move(name);
  return val(std::move(ref));
}
Value arith(ArithOp op, Value left, Value right) {
  Arith node;
  node.op = op;
  node.left = std::move(left);
  node.right = std::move(right);
  return val(std::move(node));
}
Condition compare(CompareOp op, Value left, Value right) {
  Compare node;
  node.op = op;
  node.left = std::move(left);
  node.right = std::move(right);
  return cond(std::move(node));
}
Name named(std::string text) {
  Name name;
  name.text = std::move(text);
  return name;
}
PlayerSel player(PlayerSel::Kind kind) {
  PlayerSel sel;
  sel.kind = kind;
  return sel;
}
PlayerSel player_bound(std::string name) {
  PlayerSel sel;
  sel.kind = PlayerSel::Kind::binding;
  sel.binding = std::move(name);
  return sel;
}
ZoneSel zone(std::string id) {
  ZoneSel sel;
  sel.text = std::move(id);
  return sel;
}
ZoneSel owned(std::string base, PlayerSel::Kind owner) {
  ZoneSel sel;
  sel.kind = ZoneSel::Kind::owned;
  sel.text = std::move(base);
  sel.owner = player(owner);
  return sel;
}
ZoneSel zone_bound(std::string name) {
  ZoneSel sel;
  sel.kind = ZoneSel::Kind::binding;
  sel.text = std::move(name);
  return sel;
}
ZoneSel zone_of_token(std::string token) {
  ZoneSel sel;
  sel.kind = ZoneSel::Kind::expression;
  TokenZoneRef ref;
  ref.token = std::move(token);
  sel.expr.push_back(val(std::move(ref)));
  return sel;
}
VarCell global_cell(std::string var) {
  VarCell cell;
  cell.var = named(std::move(var));
  return cell;
}
VarCell player_cell(std::string var, PlayerSel sel) {
  VarCell cell;
  cell.scope = VarCell::Scope::per_player;
  cell.var = named(std::move(var));
  cell.player = std::move(sel);
  return cell;
}
VarCell zone_cell(std::string var, ZoneSel sel) {
  VarCell cell;
  cell.scope = VarCell::Scope::zone;
  cell.var = named(std::move(var));
  cell.zone = std::move(sel);
  return cell;
}
DirectionSel directions(std::vector<std::string> names) {
  DirectionSel sel;
  if (!names.empty()) sel.kind = DirectionSel::Kind::names;
  sel.names = std::move(names);
  return sel;
}

}  // namespace parlor::generate
