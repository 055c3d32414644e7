// Turns a GameDef into a Program. Tables first (link.cpp), then expressions (link_expressions.cpp)
// and effects (link_effects.cpp) on demand, then actions, phases and triggers (pipeline.cpp, the
// order of one action), then the plans of simple zone queries (plan.cpp).
#pragma once

#include <set>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "kernel/program.h"

namespace parlor::kernel {

// The names visible at a point of the rules and the slots they live in. A frame of names is
// transparent when what is declared inside belongs to the frame around it (`let … in`).
class Scope {
 public:
  int declare(const std::string& name);
  int find(const std::string& name) const;  // -1: not visible
  bool declared_here(const std::string& name) const;
  int fresh(int count = 1) {
    const int first = slots_;
    slots_ += count;
    return first;
  }
  void open(bool transparent) { transparent_.push_back(transparent); }
  void close();
  int declare_inner(const std::string& name);  // in the innermost frame, whatever it is
  void declare_at(const std::string& name, int slot) { entries_.push_back({name, slot, 0}); }
  int slots() const { return slots_; }

 private:
  struct Entry {
    std::string name;
    int slot;
    std::size_t frame;
  };
  std::vector<Entry> entries_;
  std::vector<bool> transparent_{false};
  int slots_ = 0;
};

// One lambda per alternative, for std::visit.
template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

class Linker {
 public:
  Linker(Program& program, Diagnostics& diagnostics) : p_(program), d_(diagnostics) {}
  void run();

 private:
  // ---- Tables
  void link_zones();
  void link_zone_details();
  void link_shifts();
  void link_vars();
  void link_tokens();
  void link_markers();
  void link_tables();
  void link_order();
  void link_effect_kinds();
  void link_certain();
  void link_layout();
  void find_safe_points();
  void find_units_that_fail();

  // ---- The order of one action, phases, triggers, the end
  void link_phases();
  void link_actions();
  void link_action(int index);
  void link_pipeline(int index, const spec::PipelineDef& def);
  void emit_action_end(int action);
  void emit_price(int action);
  std::vector<std::pair<int, int>> link_price(int action);
  void link_params(ActionInfo& action, const spec::ActionDef& def);
  void link_hooks(ActionInfo& action, const spec::ActionDef& def);
  int link_hook(const spec::HookDef& hook);
  std::vector<HookRef> hooks_at(spec::HookPoint point, const std::string& action) const;
  void pack_params(ActionInfo& action);
  void link_triggers();
  void link_terminal();
  void link_setup();
  void link_advance();

  int begin_unit(std::string name);
  void end_unit(int unit);

  // ---- Expressions
  int value(const spec::Value& v);
  // One for each kind of value.
  int expression(spec::Int n, std::uint32_t place);
  int expression(bool b, std::uint32_t place);
  int expression(const std::string& e, std::uint32_t place);
  int expression(const spec::ListLiteral& e, std::uint32_t place);
  int expression(const spec::GvarRef& e, std::uint32_t place);
  int expression(const spec::PvarRef& e, std::uint32_t place);
  int expression(const spec::ZoneVarRef& e, std::uint32_t place);
  int expression(const spec::ZoneCountRef& e, std::uint32_t place);
  int expression(const spec::TokenPropRef& e, std::uint32_t place);
  int expression(const spec::TokenZoneRef& e, std::uint32_t place);
  int expression(const spec::ZonePropRef& e, std::uint32_t place);
  int expression(const spec::BindingRef& e, std::uint32_t place);
  int expression(const spec::AssetFieldRef& e, std::uint32_t place);
  int expression(const spec::MarkerStateRef& e, std::uint32_t place);
  int expression(const spec::GlobalMarkerStateRef& e, std::uint32_t place);
  int expression(const spec::ActivePlayerRef& e, std::uint32_t place);
  int expression(const spec::ActiveSeatRef& e, std::uint32_t place);
  int expression(const spec::PlayerRef& e, std::uint32_t place);
  int expression(const spec::ClockRef& e, std::uint32_t place);
  int expression(const spec::GrantContextRef& e, std::uint32_t place);
  int expression(const spec::CapturedZonesRef& e, std::uint32_t place);
  int expression(const spec::StepRef& e, std::uint32_t place);
  int expression(const spec::EffectModifierRef& e, std::uint32_t place);
  int expression(const spec::Arith& e, std::uint32_t place);
  int expression(const spec::Aggregate& e, std::uint32_t place);
  int expression(const spec::ConcatValue& e, std::uint32_t place);
  int expression(const spec::IfValue& e, std::uint32_t place);
  int condition(const spec::Condition& c);
  int known_member(int item, const spec::Value& set, std::uint32_t place);
  int plain_condition(const spec::Condition& c);
  int query(const spec::Query& q);
  int plain_query(const spec::Query& q);
  int zones_query(const spec::ZonesQuery& q, std::uint32_t place);
  int ints_query(const spec::QueryNode& node, std::uint32_t place);
  int row_query(const spec::AssetRowsQuery& q, std::uint32_t place);
  int token_filter(const spec::TokenFilter& f);
  int player(const spec::PlayerSel& sel, std::uint32_t place);
  int zone(const spec::ZoneSel& sel, std::uint32_t place);
  int directions(const spec::DirectionSel& sel, std::uint32_t place);
  int binding(const std::string& name, std::uint32_t place);
  int token(const std::string& name, std::uint32_t place);
  int name_value(const spec::Name& name, std::uint32_t place);
  int constant(Value v, std::uint32_t place);
  int number(std::int64_t n, std::uint32_t place) { return constant(Value::integer(n), place); }
  int list_of(std::vector<Value> items);
  int children(const std::vector<int>& nodes);
  int add(Node node) {
    p_.nodes.push_back(node);
    return static_cast<int>(p_.nodes.size()) - 1;
  }
  int node(std::uint32_t place, Ex op, int a, int b = -1, int c = -1) {
    return add({op, 0, a, b, c, -1, place});
  }
  int opt(const std::vector<spec::Value>& v) { return v.empty() ? -1 : value(v.front()); }
  int opt(const std::optional<spec::Value>& v) { return v ? value(*v) : -1; }
  // A condition with one name bound for its own use only; gives the node and the slot.
  std::pair<int, int> scoped(const std::string& name, const spec::Condition& c);
  int zone_set(const spec::ZonesQuery& q);
  ItemKind kind_of(const spec::Query& q) const;

  // ---- Plans
  // A zone set, or -1. With `scans` a part of a conjunction may be left to be asked zone by zone.
  int plan_set(const spec::Condition& c, const std::string& bind, bool scans = false);
  int plan_directions(const spec::Query& q, const std::string& bind, const std::string& item,
                      const spec::Condition& where, bool every, std::uint32_t place);
  int plan_ray(const spec::Query& q, const std::string& bind, const std::string& item,
               const spec::Condition& where, std::uint32_t place);
  void plan_ways(ActionInfo& action, const spec::ActionDef& def);
  int plan_compare(const spec::Compare& c, const std::string& bind, std::uint32_t place);
  int plan_tokens(const spec::TokensInZoneQuery& q, std::uint32_t place);
  int plan_attribute(const spec::ZonePropRef& ref, spec::CompareOp op, const spec::Value& right,
                     std::uint32_t place);
  int plan_walk(const spec::ConnectedZonesQuery& walk, const spec::Condition& where,
                const std::string& bind, std::uint32_t place);
  bool same_player(int a, int b) const;
  int both(int left, int right, std::uint32_t place);
  int plan_query(const spec::Query& q, const std::string& bind);  // zones as a set, or -1
  int plan_steps(const spec::Query& q, const std::string& bind, const std::string& item,
                 const spec::Condition& where, bool every, std::uint32_t place);
  int via_condition(const spec::Condition& c, int& slot);
  int plan_lines(int set, int length, int along, std::uint32_t place);
  int feature(Feature feature);
  void share_sets();  // share.cpp
  void lay_tapes();   // tapes.cpp
  int plan_filtered_directions(const spec::FilterQuery& q, std::uint32_t place);
  int plan_exists_direction(const spec::Exists& c, std::uint32_t place);
  std::vector<std::pair<int, int>> plan_each_way(const spec::DirectionSel& ways,
                                                 const std::string& item,
                                                 const spec::Condition& where,
                                                 const std::string& bind, std::uint32_t place);

  // ---- Effects
  void effects(const spec::Effects& list);
  void effect(const spec::Effect& e);
  void emit_var(Op op, const spec::VarCell& cell, const spec::Value& v, std::uint32_t place);
  void var_cell(const spec::VarCell& cell, std::uint32_t place, int& var, int& owner, int& dynamic);
  void emit_choice(const std::string& bind, std::uint32_t place, Instr instr);
  void emit_bind(const std::string& bind, int node, std::uint32_t place);
  // One for each kind of effect.
  void statement(const spec::SetVar& e, std::uint32_t place);
  void statement(const spec::AddVar& e, std::uint32_t place);
  void statement(const spec::TransferVar& e, std::uint32_t place);
  void statement(const spec::SetActivePlayer& e, std::uint32_t place);
  void statement(const spec::MoveToken& e, std::uint32_t place);
  void statement(const spec::MoveTokenAdjacent& e, std::uint32_t place);
  void statement(const spec::MoveAll& e, std::uint32_t place);
  void statement(const spec::Draw& e, std::uint32_t place);
  void statement(const spec::Shuffle& e, std::uint32_t place);
  void statement(const spec::CreateToken& e, std::uint32_t place);
  void statement(const spec::DestroyToken& e, std::uint32_t place);
  void statement(const spec::SetTokenProp& e, std::uint32_t place);
  void statement(const spec::Reveal& e, std::uint32_t place);
  void statement(const spec::Conceal& e, std::uint32_t place);
  void statement(const spec::If& e, std::uint32_t place);
  void statement(const spec::Let& e, std::uint32_t place);
  void statement(const spec::BindValue& e, std::uint32_t place);
  void statement(const spec::ForEach& e, std::uint32_t place);
  void statement(const spec::While& e, std::uint32_t place);
  void statement(const spec::Reduce& e, std::uint32_t place);
  void statement(const spec::RemoveByPriority& e, std::uint32_t place);
  void statement(const spec::EvaluateSubset& e, std::uint32_t place);
  void statement(const spec::ChooseOne& e, std::uint32_t place);
  void statement(const spec::ChooseN& e, std::uint32_t place);
  void statement(const spec::RollRandom& e, std::uint32_t place);
  void statement(const spec::SetMarker& e, std::uint32_t place);
  void statement(const spec::ShiftMarker& e, std::uint32_t place);
  void statement(const spec::SetGlobalMarker& e, std::uint32_t place);
  void statement(const spec::ShiftGlobalMarker& e, std::uint32_t place);
  void statement(const spec::FlipGlobalMarker& e, std::uint32_t place);
  void statement(const spec::GotoPhaseExact& e, std::uint32_t place);
  void statement(const spec::AdvancePhase& e, std::uint32_t place);
  void statement(const spec::PushInterruptPhase& e, std::uint32_t place);
  void statement(const spec::PopInterruptPhase& e, std::uint32_t place);
  void statement(const spec::GrantFreeOperation& e, std::uint32_t place);
  void statement(const spec::StartEffect& e, std::uint32_t place);
  void statement(const spec::EndEffect& e, std::uint32_t place);
  void emit_goto(int phase, std::uint32_t place);
  void emit_sight(Op op, int zone, int who, const std::optional<spec::TokenFilter>& filter,
                  bool lasting, std::uint32_t place);
  int effect_kind(const std::string& id, std::uint32_t place);
  bool loop_destroys(const spec::Effects& round, const std::string& item);
  void predeclare(const spec::Effects& list, const std::string& except);
  int emit(Instr instr);
  int here() const { return static_cast<int>(p_.code.size()); }
  int slot_for(const std::string& bind) { return bind.empty() ? -1 : scope_.declare(bind); }

  // ---- Names
  Symbol symbol(std::string_view text);
  int phase_index(const std::string& id, std::uint32_t place);
  int prop_index(const std::string& name) const;
  int type_index(const std::string& id, std::uint32_t place);
  int zone_index(const std::string& id) const;
  int lattice_index(const std::vector<LatticeInfo>& list, const std::string& id,
                    std::uint32_t place);
  Value scalar(const spec::Scalar& s);
  Value text_value(const std::string& text);
  void unsupported(std::uint32_t place, std::string message);
  static int var_index(const std::vector<VarInfo>& vars, const std::string& name);
  void fallible() { fallible_ = true; }

  Program& p_;
  Diagnostics& d_;
  Scope scope_;
  int current_unit_ = -1;
  int param_slots_ = 0;  // slots below are parameters of the action being linked
  bool touched_params_ = false;
  bool fallible_ = false;  // some node made since the last statement may fail
  // A token may be gone by now, unless it is in one of these slots.
  bool destroyed_ = false;
  std::set<int> alive_;
  std::map<std::string, int>
      known_directions_;  // names that stand for one direction while planning
  std::vector<std::pair<int, int>> loop_ranges_;  // code between them repeats
};

// Counts and limits below 0 are errors of the move (K-31); of these values it is known that they
// are not.
bool never_negative(const spec::Value& v);

// Names of tokens that effects destroy.
void destroyed_names(const spec::Effects& list, std::set<std::string>& out);

// Names that effects leave bound for what follows them.
void exported_names(const spec::Effects& list, std::set<std::string>& out);

}  // namespace parlor::kernel
