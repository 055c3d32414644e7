// Turns a GameDef into a Program. What this room promises: whatever a GameDef says is in the
// Program or was reported with its place, and equal GameDefs give equal Programs; nobody looks at a
// GameDef again to know what a rule means.
//
// Tables first (link.cpp, link_declarations.cpp), then on demand expressions (link_values.cpp,
// link_conditions.cpp, link_queries.cpp) and effects (link_effects.cpp, link_changes.cpp), then the
// order of one action (pipeline.cpp), phases, triggers and turns (link_turns.cpp), cards
// (link_flow.cpp, link_events.cpp), modules (link_modules.cpp), then plans (plan/plan.h).
#pragma once

#include <set>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "kernel/link/known.h"
#include "kernel/plan/plan.h"
#include "kernel/program/program.h"

namespace parlor::kernel {

// The names visible at a point of the rules and the slots they live in. A frame of names is
// transparent when what is declared inside belongs to the frame around it (`let … in`).
class Scope {
 public:
  SlotId declare(const std::string& name);
  SlotId find(const std::string& name) const;  // none: not visible
  bool declared_here(const std::string& name) const;
  SlotId fresh(int count = 1) {
    const SlotId first(slots_);
    slots_ += count;
    return first;
  }
  void open(bool transparent) { transparent_.push_back(transparent); }
  void close();
  SlotId declare_inner(const std::string& name);  // in the innermost frame, whatever it is
  void declare_at(const std::string& name, SlotId slot) { enter(name, slot, 0); }
  int slots() const { return slots_; }
  // Every name that was ever declared, visible or not.
  const std::vector<std::pair<std::string, SlotId>>& ever() const { return ever_; }
  std::vector<std::pair<std::string, SlotId>> visible() const;

 private:
  struct Entry {
    std::string name;
    SlotId slot = {};
    std::size_t frame;
  };
  void enter(const std::string& name, SlotId slot, std::size_t frame) {
    entries_.push_back({name, slot, frame});
    ever_.emplace_back(name, slot);
  }
  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, SlotId>> ever_;
  std::vector<bool> transparent_{false};
  int slots_ = 0;
};

// A name with placeholders, `$moved@{$space}`: which binding it means is known while playing.
inline bool is_template(const std::string& name) {
  return name.find('{') != std::string::npos;
}

// One lambda per alternative, for std::visit.
template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

// Reports what a GameDef declares and this kernel cannot hold, or that contradicts itself.
void check_declarations(const spec::GameDef& def, int players, Diagnostics& diagnostics);

class Linker {
 public:
  Linker(Program& program, Diagnostics& diagnostics)
      : p_(program), d_(diagnostics), proves_(program.options.plan) {}
  void run();

 private:
  friend class PipelineLinker;

  // ---- Tables
  void link_rules();
  void declare_phases();
  void place_usage();
  void lay_out_token();
  void lay_set_words();
  void link_feature_tests();
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
  void link_shown();
  void link_layout();
  void check_units();
  void find_safe_points();
  void find_refusing_loops(const std::vector<int>& refusals_before);
  void find_units_that_refuse();
  void find_refusals_at_start();
  void find_quick_actions();
  void find_local_trials();
  void find_sum_bounds();

  // ---- The order of one action, phases, triggers, the end
  void link_phases();
  void link_together();
  LimitInfo link_limit(const spec::LimitDef& limit, const spec::ActionDef& def);
  void link_actions();
  void link_action(int index);
  void link_pipeline(int index, const spec::PipelineDef& def);
  void emit_action_end(int action);
  void emit_price(int action);
  std::vector<std::pair<VarId, NodeId>> link_price(int action);
  void link_params(ActionInfo& action, const spec::ActionDef& def);
  void link_event_params(ActionInfo& action);
  void link_card_advance();
  void link_hooks(ActionInfo& action, const spec::ActionDef& def);
  const spec::PhaseDef& phase_def(std::size_t phase) const;
  class OrderOf;
  void link_order_of(ActionInfo& action, const spec::ActionDef& def);
  int link_hook(const spec::HookDef& hook);
  std::vector<HookRef> hooks_at(spec::HookPoint point, const std::string& action);
  NodeId link_gate(const std::string& module);
  void link_module_hooks();
  void pack_params(ActionInfo& action);
  void link_triggers();
  void link_terminal();
  void link_setup();
  void link_advance();

  // ---- Cards (link_flow.cpp, link_events.cpp)
  using EventParts = std::vector<const spec::EventPart*>;  // a side, and a branch of it
  void link_flow();
  void link_turn_flow(const spec::TurnFlowDef& def);
  void link_card_slots(const spec::TurnFlowDef& def);
  void link_pivotal(const spec::PivotalDef& def);
  void link_coup_plan(const spec::CoupPlanDef& def);
  void link_activities();
  void find_settled_steps();
  Touched changed_by(std::size_t action) const;
  int seat_player(const std::string& seat) const;
  int seat_on_card(const std::string& word) const;
  int action_index(const std::string& id) const;
  void link_events();
  void link_event_cards();
  void link_event_side(int card, const spec::EventCardDef& def, bool shaded);
  void emit_reveal(ZoneId slot);
  void link_event_move(int card, const spec::EventCardDef& def, bool shaded,
                       const spec::EventPart* branch);
  void link_instruction(int card, const spec::EventCardDef& def);
  int link_deferred(int card, const EventParts& parts);
  void link_overrides(const EventParts& parts, std::uint32_t at);
  void declare_event_params(int card, bool shaded, Symbol branch);
  void select_targets(const spec::EventPart& part);
  void run_targets(const spec::EventPart& part);
  void run_part(const EventParts& parts);
  void set_up_lasting(const EventParts& parts);
  int lasting_info(const spec::LastingEffectDef& def);
  void end_own_unit(UnitId unit);
  int link_grant(const spec::GrantDef& def, bool fills);
  void link_grant_filter(const spec::GrantDef& def, bool fills, GrantInfo& info);
  NodeId name_of_grant(const std::string& name, std::uint32_t place);
  NodeId text_of_grant(const std::string& text, std::uint32_t place);
  void emit_activity_choice(int action, std::size_t stages, std::uint32_t at);
  void emit_activity_point(int action, int timing, std::uint32_t at);

  UnitId begin_unit(std::string name);
  void end_unit(UnitId unit);
  // Where linking stands, to take back statements that turn out to come too early.
  struct Mark {
    std::size_t code, extra, loops;
    Scope scope;
    Known known;
  };
  Mark mark() const;
  void back_to(const Mark& mark);

  // ---- Expressions
  NodeId value(const spec::Value& v);
  // One for each kind of value.
  NodeId expression(spec::Int n, std::uint32_t place);
  NodeId expression(bool b, std::uint32_t place);
  NodeId expression(const std::string& e, std::uint32_t place);
#define PARLOR_EXPRESSION(Value) NodeId expression(const spec::Value& e, std::uint32_t place);
  PARLOR_VALUES(PARLOR_EXPRESSION)
#undef PARLOR_EXPRESSION
  std::pair<NodeId, SlotId> each_number(const std::string& bind, const spec::Value& value);
  NodeId condition(const spec::Condition& c);
  // One for each kind of condition.
  NodeId test(bool b, std::uint32_t place);
#define PARLOR_TEST(Condition) NodeId test(const spec::Condition& c, std::uint32_t place);
  PARLOR_CONDITIONS(PARLOR_TEST)
#undef PARLOR_TEST
  NodeId tests(Ex op, const std::vector<spec::Condition>& args, std::uint32_t place);
  NodeId known_member(NodeId item, const spec::Value& set, std::uint32_t place);
  NodeId query(const spec::Query& q);
  // One for each kind of query.
#define PARLOR_RESULTS(Query) NodeId results(const spec::Query& q, std::uint32_t place);
  PARLOR_QUERIES(PARLOR_RESULTS)
#undef PARLOR_RESULTS
  NodeId several(std::uint32_t place, Ex op, const std::vector<spec::Query>& list, Operand c = {});
  int range_parts(NodeId min, NodeId max, const auto& range);
  NodeId token_filter(const spec::TokenFilter& f);
  NodeId player(const spec::PlayerSel& sel, std::uint32_t place);
  NodeId zone(const spec::ZoneSel& sel, std::uint32_t place);
  NodeId directions(const spec::DirectionSel& sel, std::uint32_t place);
  NodeId binding(const std::string& name, std::uint32_t place);
  int template_of(const std::string& name, std::uint32_t place);
  // The slot of a name that an expression binds, and the expression in which the name means it.
  SlotId bind_inner(const std::string& name);
  NodeId named(const std::string& name, SlotId slot, NodeId node, std::uint32_t place);
  NodeId name_value(const spec::Name& name, std::uint32_t place);
  NodeId constant(Value v, std::uint32_t place);
  NodeId number(std::int64_t n, std::uint32_t place) { return constant(Value::integer(n), place); }
  int list_of(std::vector<Value> items);
  int children(const std::vector<Operand>& operands);
  NodeId add(Node node) { return p_.nodes.push_back(node); }
  NodeId node(std::uint32_t place, Ex op, Operand a = {}, Operand b = {}, Operand c = {},
              Operand d = {}, Aside x = {}) {
    return add({op, x, a, b, c, d, place});
  }
  NodeId opt(const std::vector<spec::TokenFilter>& f) {
    return f.empty() ? NodeId::none() : token_filter(f.front());
  }
  NodeId opt(const std::vector<spec::Value>& v) {
    return v.empty() ? NodeId::none() : value(v.front());
  }
  NodeId opt(const std::optional<spec::Value>& v) { return v ? value(*v) : NodeId::none(); }
  // A condition with one name bound for its own use only; gives the node and the slot.
  std::pair<NodeId, SlotId> scoped(const std::string& name, const spec::Condition& c);
  int zone_set(const spec::ZonesQuery& q);
  ItemKind kind_of(const spec::Query& q) const;

  // ---- Plans
  // A zone set, or none. With `scans` a part of a conjunction may be left to be asked zone by zone.
  NodeId plan_set(const spec::Condition& c, const std::string& bind, bool scans = false);
  NodeId plan_all(const spec::AllOf& all, const std::string& bind, bool scans, std::uint32_t place);
  NodeId plan_directions(const spec::Query& q, const std::string& bind, const std::string& item,
                         const spec::Condition& where, bool every, std::uint32_t place);
  NodeId plan_ray(const spec::Query& q, const std::string& bind, const std::string& item,
                  const spec::Condition& where, std::uint32_t place);
  void plan_ways(ActionInfo& action, const spec::ActionDef& def);
  NodeId plan_compare(const spec::Compare& c, const std::string& bind, std::uint32_t place);
  NodeId plan_tokens(const spec::TokensInZoneQuery& q, std::uint32_t place);
  // What is wanted of a token: what is known now, and one property compared while playing.
  struct TokenWish {
    Feature fixed;
    int open_prop = -1;
    NodeId open_value = {};
    CellType open_type = CellType::integer;
  };
  std::optional<CellType> common_cell(int prop) const;
  bool want_prop(const spec::TokenTest& test, TokenWish& wish);
  NodeId plan_family(const TokenWish& wish, const spec::TokenFilter& filter, std::uint32_t place);
  NodeId plan_attribute(const spec::ZonePropRef& ref, spec::CompareOp op, const spec::Value& right,
                        std::uint32_t place);
  NodeId plan_walk(const spec::ConnectedZonesQuery& walk, const spec::Condition& where,
                   const std::string& bind, std::uint32_t place);
  bool same_player(NodeId a, NodeId b) const;
  NodeId both(NodeId left, NodeId right, std::uint32_t place);
  NodeId plan_query(const spec::Query& q, const std::string& bind);  // zones as a set, or none
  NodeId plan_steps(const spec::Query& q, const std::string& bind, const std::string& item,
                    const spec::Condition& where, bool every, std::uint32_t place);
  NodeId via_condition(const spec::Condition& c, SlotId& slot);
  int plan_sum(NodeId over, NodeId next, SlotId item, SlotId acc);
  void find_prop_filters();
  void find_given();  // given.cpp
  int seen_filter(NodeId query);
  void find_zone_keys();
  void find_scan_keys();
  void find_memos();
  void lay_scalar_tapes();
  NodeId plan_lines(NodeId set, NodeId length, NodeId along, std::uint32_t place);
  int feature(Feature feature);
  void share_sets();  // share.cpp
  void lay_tapes();   // tapes.cpp
  NodeId plan_filtered_directions(const spec::FilterQuery& q, std::uint32_t place);
  NodeId plan_exists_direction(const spec::Exists& c, std::uint32_t place);
  std::vector<std::pair<int, NodeId>> plan_each_way(const spec::DirectionSel& ways,
                                                    const std::string& item,
                                                    const spec::Condition& where,
                                                    const std::string& bind, std::uint32_t place);

  // ---- Effects
  void effects(const spec::Effects& list);
  void effect(const spec::Effect& e);
  void maybe(const spec::Effects& list);  // which a jump around them may leave out
  void forget_names(const spec::Effects& list);
  void may_refuse(bool sure, bool as_at_start = false);
  void note_start(const spec::ActionDef& def);
  void emit_var(Op op, const spec::VarCell& cell, const spec::Value& v, std::uint32_t place);
  void var_cell(const spec::VarCell& cell, std::uint32_t place, Operand& var, Operand& owner,
                int& dynamic);
  void emit_choice(const std::string& bind, std::uint32_t place, Instr instr);
  void emit_bind(const std::string& bind, NodeId node, std::uint32_t place);
  // Templated names made between the two are gone afterwards. Nothing is emitted unless `some`.
  SlotId open_names(bool some, std::uint32_t place);
  void close_names(SlotId mark, std::uint32_t place, Op how = Op::close_names);
  // The slot of a name an effect makes; one for a templated name is fresh, and `emit_result` gives
  // the name its value once the slot has one.
  SlotId result_slot(const std::string& bind);
  void emit_result(const std::string& bind, SlotId slot, std::uint32_t place);
  void emit_alias(const std::string& bind, SlotId slot, std::uint32_t place);
  // One for each kind of effect.
#define PARLOR_STATEMENT(Effect) void statement(const spec::Effect& e, std::uint32_t place);
  PARLOR_EFFECTS(PARLOR_STATEMENT)
#undef PARLOR_STATEMENT
  void remove_group(const spec::RemovalGroup& group, SlotId budget, std::uint32_t place);
  void emit_plan(Op op, const spec::PlayerSel& player, std::uint32_t place);
  void emit_goto(int phase, std::uint32_t place);
  void emit_sight(Op op, NodeId zone, NodeId who, const std::optional<spec::TokenFilter>& filter,
                  bool lasting, std::uint32_t place);
  int effect_kind(const std::string& id, std::uint32_t place);
  void predeclare(const spec::Effects& list, const std::string& except);
  int emit(Instr instr);
  int here() const { return static_cast<int>(p_.code.size()); }

  // ---- Names
  Symbol symbol(std::string_view text);
  int phase_index(const std::string& id, std::uint32_t place);
  int prop_index(const std::string& name) const;
  int type_index(const std::string& id, std::uint32_t place);
  int lattice_index(const std::vector<LatticeInfo>& list, const std::string& id,
                    std::uint32_t place);
  Value scalar(const spec::Scalar& s);
  Value text_value(const std::string& text);
  void unsupported(std::uint32_t place, std::string message, Code code = Code::LINK_UNSUPPORTED);

  Program& p_;
  Diagnostics& d_;
  Scope scope_;
  UnitId current_unit_;
  int param_slots_ = 0;     // slots below are parameters of the action being linked
  int touched_params_ = 0;  // how many parameters must be bound for the nodes made since it was 0
  bool refuses_ = false;    // the next statement may make the move illegal
  const bool proves_;       // that statements cannot refuse
  TokenKinds kinds_{p_};
  Known known_{kinds_};  // where the next statement stands
  int maybe_ = 0;        // how many branches and loops are around it
  std::map<std::string, int>
      known_directions_;  // names that stand for one direction while planning
  struct LoopRange {
    int begin, end;
    SlotId cursor = {};  // of a loop_begin
  };
  std::vector<LoopRange> loop_ranges_;     // code between them repeats
  std::set<std::string> template_fronts_;  // of this unit's templated names: `$moved@`
  // The filter of a grant that is being linked.
  struct GrantFilter {
    const Scope* granting;      // names that are kept when the grant is issued; null: none
    std::vector<NodeId> fills;  // their values
  };
  GrantFilter* grant_filter_ = nullptr;
  std::vector<std::vector<spec::TokenInterpretation>> grant_views_;
  std::vector<const spec::LastingEffectDef*> lasting_defs_;
};

// Whether effects give values to templated names.
bool makes_templates(const spec::Effects& list);

// Names that effects leave bound for what follows them.
void exported_names(const spec::Effects& list, std::set<std::string>& out);

// Whether a module is in force for a player; nothing: always, for everybody (link_modules.cpp).
std::optional<spec::Condition> module_in_force(const spec::ModuleInfo& module,
                                               spec::PlayerSel::Kind who);
// Lets everything a module added ask that first.
void bind_modules(spec::GameDef& def);

}  // namespace parlor::kernel
