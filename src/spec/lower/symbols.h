// Every name a game declares, gathered before any rule is read, so that rules may mention what
// stands further down.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/gamedef/gamedef.h"
#include "spec/lower/types.h"

namespace parlor::spec::lower {

template <class Info>
using Table = std::map<std::string, Info, std::less<>>;

template <class Info>
std::vector<std::string> names_of(const Table<Info>& table) {
  std::vector<std::string> out;
  for (const auto& [name, info] : table) out.push_back(name);
  return out;
}

template <class Info>
const Info* find_in(const Table<Info>& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

struct ZoneInfo {
  ZoneOwner owner = ZoneOwner::none;
  bool broken = false;  // its declaration has errors: believe whatever is said about it
};
struct MarkerInfo {
  std::vector<std::string> states;
};
struct TableInfo {
  std::set<std::string, std::less<>> optional;  // fields that some rows lack
  Table<Kind> fields;
};
struct TokenTypeInfo {
  Table<Kind> props;
};

struct Symbols {
  std::vector<std::string> seats;
  Table<VarType> global_vars, per_player_vars, zone_vars;
  Table<ZoneInfo> zones;   // by base
  Table<Kind> attributes;  // of any zone; unknown kind when zones disagree
  std::vector<std::string> directions;
  Table<TokenTypeInfo> token_types;
  Table<Kind> props;  // of any token type
  Table<MarkerInfo> markers, global_markers;
  Table<TableInfo> tables;  // by full id
  Table<std::vector<std::string>> named_sets;
  std::vector<std::string> phases, interrupts;
  std::vector<std::string> actions;
  std::vector<std::string> timed_effects;
  bool has_event_decks = false;
  Int max_players = 2;
};

}  // namespace parlor::spec::lower
