// GameDefs made by hand, for tests of the kernel that should not depend on the spec compiler.
#pragma once

#include <fmt/format.h>
#include <string>

#include "kernel/kernel.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel::build {

using namespace spec;
using SpecValue = spec::Value;

inline SpecValue num(Int n) {
  return {n, {}};
}
inline SpecValue text(std::string s) {
  return {std::move(s), {}};
}
inline SpecValue yes_no(bool b) {
  return {b, {}};
}
inline Name name(std::string s) {
  return {Name::Kind::literal, std::move(s)};
}
inline PlayerSel who(PlayerSel::Kind kind) {
  return {kind, 0, ""};
}
inline PlayerSel player_id(Int n) {
  return {PlayerSel::Kind::id, n, ""};
}
inline PlayerSel player_in(std::string b) {
  return {PlayerSel::Kind::binding, 0, std::move(b)};
}
inline PlayerSel active() {
  return who(PlayerSel::Kind::active);
}
inline PlayerSel actor() {
  return who(PlayerSel::Kind::actor);
}
inline SpecValue gvar(std::string v) {
  return {GvarRef{name(std::move(v))}, {}};
}
inline SpecValue pvar(PlayerSel p, std::string v) {
  return {PvarRef{std::move(p), name(std::move(v))}, {}};
}
inline SpecValue bound(std::string b) {
  return {BindingRef{std::move(b)}, {}};
}
inline SpecValue active_player() {
  return {ActivePlayerRef{}, {}};
}
inline SpecValue arith(ArithOp op, SpecValue l, SpecValue r) {
  return {Arith{op, Box<SpecValue>(std::move(l)), Box<SpecValue>(std::move(r))}, {}};
}
inline SpecValue plus(SpecValue l, SpecValue r) {
  return arith(ArithOp::add, std::move(l), std::move(r));
}

inline ZoneSel zone(std::string id) {
  return {ZoneSel::Kind::exact, std::move(id), {}, {}};
}
inline ZoneSel zone_in(std::string b) {
  return {ZoneSel::Kind::binding, std::move(b), {}, {}};
}
inline ZoneSel owned(std::string base, PlayerSel p) {
  return {ZoneSel::Kind::owned, std::move(base), std::move(p), {}};
}
inline ZoneSel zone_of_token(std::string b) {
  ZoneSel sel;
  sel.kind = ZoneSel::Kind::expression;
  sel.expr.push_back({TokenZoneRef{std::move(b)}, {}});
  return sel;
}
inline SpecValue zone_count(ZoneSel z) {
  return {ZoneCountRef{std::move(z)}, {}};
}
inline SpecValue token_prop(std::string b, std::string p) {
  return {TokenPropRef{std::move(b), std::move(p)}, {}};
}

inline Condition cmp(CompareOp op, SpecValue l, SpecValue r) {
  return {Compare{op, std::move(l), std::move(r)}, {}};
}
inline Condition eq(SpecValue l, SpecValue r) {
  return cmp(CompareOp::equal, std::move(l), std::move(r));
}
inline Condition less(SpecValue l, SpecValue r) {
  return cmp(CompareOp::less, std::move(l), std::move(r));
}
inline Condition all_of(std::vector<Condition> args) {
  return {AllOf{std::move(args)}, {}};
}
inline Condition truth(bool b) {
  return {b, {}};
}
inline Condition exists(Query q) {
  return {Exists{Box<Query>(std::move(q)), "", {}}, {}};
}

inline TokenFilter prop_is(std::string prop, SpecValue v, FilterOp op = FilterOp::eq) {
  TokenFilter f;
  f.test = {TokenTest::Field::prop, std::move(prop), op, std::move(v)};
  return f;
}
inline Query tokens_in(ZoneSel z) {
  return {TokensInZoneQuery{std::move(z), {}}, {}};
}
inline Query tokens_in(ZoneSel z, TokenFilter f) {
  return {TokensInZoneQuery{std::move(z), {std::move(f)}}, {}};
}
inline Query spaces() {
  return {ZonesQuery{true, "", {}, {}}, {}};
}
inline Query spaces(Condition c) {
  return {ZonesQuery{true, "", {}, {std::move(c)}}, {}};
}
inline Query ints(SpecValue min, SpecValue max) {
  return {
      IntsInRangeQuery{Box<SpecValue>(std::move(min)), Box<SpecValue>(std::move(max)), {}, {}, {}},
      {}};
}
inline Query enums(std::vector<std::string> v) {
  return {EnumsQuery{std::move(v)}, {}};
}
inline Query listed(std::string b) {
  return {BindingQuery{std::move(b)}, {}};
}
inline Query players() {
  return {PlayersQuery{}, {}};
}
inline Condition no_token() {
  return eq(zone_count(zone_in("$zone")), num(0));
}
inline SpecValue count(Query q) {
  return {Aggregate{AggregateOp::count, Box<Query>(std::move(q)), "", {}}, {}};
}

inline VarCell global(std::string v) {
  return {VarCell::Scope::global, name(std::move(v)), {}, {}};
}
inline VarCell of_player(PlayerSel p, std::string v) {
  return {VarCell::Scope::per_player, name(std::move(v)), std::move(p), {}};
}

inline Effect set(VarCell c, SpecValue v) {
  return {SetVar{std::move(c), std::move(v)}, {}};
}
inline Effect add(VarCell c, SpecValue v) {
  return {AddVar{std::move(c), std::move(v)}, {}};
}
inline Effect create(std::string type, ZoneSel z, std::vector<PropValue> props = {}) {
  return {CreateToken{std::move(type), std::move(z), std::move(props)}, {}};
}
inline Effect advance() {
  return {AdvancePhase{}, {}};
}
inline Effect go_to(std::string phase) {
  return {GotoPhaseExact{std::move(phase)}, {}};
}
inline Effect bind(std::string b, SpecValue v) {
  return {BindValue{std::move(b), std::move(v)}, {}};
}
inline Effect choose(std::string b, Query q) {
  return {ChooseOne{std::move(b), std::move(q), {}}, {}};
}
inline Effect choose_n(std::string b, Query q, SpecValue min, SpecValue max, bool ordered = false) {
  return {ChooseN{std::move(b), std::move(q), std::move(min), std::move(max), ordered, {}}, {}};
}
inline Effect when(Condition c, Effects then, Effects otherwise = {}) {
  return {If{std::move(c), std::move(then), std::move(otherwise)}, {}};
}
inline Effect for_each(std::string b, Query q, Effects body) {
  return {ForEach{std::move(b), std::move(q), std::move(body), {}, "", {}}, {}};
}
inline Effect move(std::string token, ZoneSel to) {
  return {MoveToken{token, zone_of_token(token), std::move(to), ZonePosition::top}, {}};
}
inline Effect draw(ZoneSel from, ZoneSel to, SpecValue n) {
  return {Draw{std::move(from), std::move(to), std::move(n)}, {}};
}
inline Effect shuffle(ZoneSel z) {
  return {Shuffle{std::move(z), ""}, {}};
}
inline Effect roll(std::string b, Int min, Int max, Effects in) {
  return {RollRandom{std::move(b), num(min), num(max), std::move(in)}, {}};
}

inline VarDef int_var(std::string n, Int init, Int min, Int max) {
  return {std::move(n), VarType::integer, init, min, max, true};
}
inline ActionDef action(std::string id, std::vector<std::string> phases, Effects effects) {
  ActionDef a;
  a.id = std::move(id);
  a.actor = active();
  a.executor = actor();
  a.phases = std::move(phases);
  a.effects = std::move(effects);
  return a;
}
inline TerminalCondition ends(std::string id, Condition c, ResultKind r,
                              std::optional<PlayerSel> p = {}) {
  return {std::move(id), std::move(c), r, std::move(p), {}};
}
inline PhaseDef phase(std::string id) {
  PhaseDef p;
  p.id = std::move(id);
  return p;
}

inline GameDef empty_game(std::string id) {
  GameDef def;
  def.metadata.id = id;
  def.metadata.name = id;
  def.phases.push_back(phase("main"));
  def.places.resize(1);
  return def;
}

// A board of rows x columns with the eight directions.
inline void add_grid(GameDef& def, int rows, int columns) {
  static constexpr struct {
    const char *name, *opposite, *group;
    int row, column;
  } directions[] = {{"n", "s", "orthogonal", -1, 0}, {"ne", "sw", "diagonal", -1, 1},
                    {"e", "w", "orthogonal", 0, 1},  {"se", "nw", "diagonal", 1, 1},
                    {"s", "n", "orthogonal", 1, 0},  {"sw", "ne", "diagonal", 1, -1},
                    {"w", "e", "orthogonal", 0, -1}, {"nw", "se", "diagonal", -1, -1}};
  for (const auto& d : directions) def.directions.push_back({d.name, d.opposite, d.group});
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      ZoneDef zone;
      zone.base = fmt::format("cell_{}_{}", r, c);
      zone.kind = ZoneKind::board;
      zone.attributes = {{"col", Int{c}}, {"row", Int{r}}};
      for (const auto& d : directions) {
        const int row = r + d.row, column = c + d.column;
        if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
        const std::string to = fmt::format("cell_{}_{}:none", row, column);
        zone.directions.push_back({d.name, to});
        if (std::string_view(d.group) == "orthogonal") zone.neighbours.push_back(to);
      }
      std::sort(zone.neighbours.begin(), zone.neighbours.end());
      def.zones.push_back(std::move(zone));
    }
}

inline ZoneDef pile(std::string base, Visibility visibility = Visibility::visible_to_all,
                    ZoneOwner owner = ZoneOwner::none) {
  ZoneDef zone;
  zone.base = std::move(base);
  zone.visibility = visibility;
  zone.owner = owner;
  zone.ordering = Ordering::stack;
  return zone;
}

// n in a row on rows x columns; with gravity a mark falls to the lowest empty cell of its column.
inline GameDef n_in_a_row(std::string id, int rows, int columns, int length, bool gravity = false) {
  GameDef def = empty_game(std::move(id));
  add_grid(def, rows, columns);
  def.token_types.push_back({"mark", {{"owner", PropType::integer}}, "", {}, {}});
  ActionDef place =
      action("place", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  Condition empty = no_token();
  if (gravity) {
    // The cell below, if there is one, holds a mark.
    Query below{StepQuery{zone_in("$zone"), {DirectionSel::Kind::names, {"s"}, "", {}}}, {}};
    Condition filled{
        ForAll{Box<Query>(below), "$below",
               Box<Condition>(cmp(CompareOp::greater, zone_count(zone_in("$below")), num(0)))},
        {}};
    empty = all_of({empty, filled});
  }
  place.params.push_back({"$cell", spaces(empty)});
  def.actions.push_back(std::move(place));
  for (int p = 0; p < 2; ++p) {
    Condition mine = exists(tokens_in(zone_in("$zone"), prop_is("owner", num(p))));
    Condition line{LineOf{{}, {}, num(length), Box<Condition>(mine)}, {}};
    def.terminal.conditions.push_back(
        ends(fmt::format("line{}", p), line, ResultKind::win, player_id(p)));
  }
  def.terminal.conditions.push_back(ends(
      "full", Condition{Not{Box<Condition>(exists(spaces(no_token())))}, {}}, ResultKind::draw));
  return def;
}

inline std::shared_ptr<const KernelGame> open(GameDef def, KernelOptions options = {}) {
  auto game = open_game(std::move(def), options);
  if (game) return *game;
  std::string all;
  for (const Diagnostic& d : game.error().all()) all += d.message + "\n";
  throw std::runtime_error(all);
}

}  // namespace parlor::kernel::build
