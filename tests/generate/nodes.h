// Short names for GameDef nodes, for games built in C++.
#pragma once

#include "spec/gamedef/gamedef.h"

namespace parlor::generate {

using namespace parlor::spec;

template <class Node>
Value val(Node node) {
  Value out;
  out.node = std::move(node);
  return out;
}
template <class Node>
Condition cond(Node node) {
  Condition out;
  out.node = std::move(node);
  return out;
}
template <class Node>
Query qry(Node node) {
  Query out;
  out.node = std::move(node);
  return out;
}
template <class Node>
Effect eff(Node node) {
  Effect out{EffectNode(std::move(node)), {}};
  return out;
}

Value number(Int n);
Value word(std::string text);
Value bound(std::string name);
Value arith(ArithOp op, Value left, Value right);
Condition compare(CompareOp op, Value left, Value right);
Name named(std::string text);
PlayerSel player(PlayerSel::Kind kind);
PlayerSel player_bound(std::string name);
ZoneSel zone(std::string id);  // a full id
ZoneSel owned(std::string base, PlayerSel::Kind owner);
ZoneSel zone_bound(std::string name);
ZoneSel zone_of_token(std::string token);
VarCell global_cell(std::string var);
VarCell player_cell(std::string var, PlayerSel player);
VarCell zone_cell(std::string var, ZoneSel zone);
DirectionSel directions(std::vector<std::string> names);  // empty: all

}  // namespace parlor::generate
