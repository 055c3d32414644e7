// Reads a construct from a game's text as its declaration says (gamedef/declare.h): every field in
// the order in which bindings become visible, with all messages about what is missing, misspelt or
// of the wrong kind.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "spec/gamedef/forms.h"
#include "spec/gamedef/language.h"
#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// A construct being read: what was found out about its fields so far.
class Reading {
 public:
  Reading(Context& context, Fields& keys, const Construct& what)
      : cx(context), fields(keys), construct(what), types_(what.fields.size()) {}

  Context& cx;
  Fields& fields;
  const Construct& construct;
  std::optional<Type> result;  // where the declaration does not say what a construct gives

  const Node& node() const { return fields.node(); }
  // What stands under a key; null counts as nothing.
  const Node* given(std::string_view key) const;
  std::string_view text(std::string_view key) const;  // empty unless it is text
  // Calls `look(node)` at the path of a key, if something stands there.
  template <class Look>
  void at(std::string_view key, Look&& look) {
    if (const Node* found = given(key)) {
      const auto step = cx.step(key);
      look(*found);
    }
  }
  // The kind of thing of a field: what a query gives, what a variable or a value is.
  const Type& type(std::string_view field) const;
  void set_type(const FieldInfo& field, Type type) {
    types_[static_cast<std::size_t>(&field - construct.fields.data())] = std::move(type);
  }
  Type gives() const;

 private:
  std::vector<Type> types_;
};

// ---- What may stand in a field, by the member it becomes
void read_into(Reading& r, const Node& node, const FieldInfo& field, Value& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Condition& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Query& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Effects& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, ZoneSel& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, PlayerSel& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, DirectionSel& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Name& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, TokenFilter& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, VarCell& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, GrantDef& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, nlohmann::json& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::string& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, bool& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Int& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<std::string>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<bool>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Value>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Condition>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Query>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<RowTest>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<PropValue>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field,
               std::vector<RemovalGroup>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<NamedValue>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<NamedScalar>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<NamedSeat>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field,
               std::vector<ActionClassOf>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<TargetDef>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, EventCardDef& out);

// One of the words of a field.
std::optional<std::string_view> read_enumerator(Reading& r, const Node& node,
                                                const FieldInfo& field);

// ---- What a declaration leaves to code: checks of the whole (PARLOR_CHECKED), other ways to say
// something (PARLOR_WRITTEN), fields that depend on one another (PARLOR_READ_BY_HAND)
void check(Reading& r, SetVar& out);
void check(Reading& r, AddVar& out);
void check(Reading& r, CreateToken& out);
void check(Reading& r, SetTokenProp& out);
void check(Reading& r, Reveal& out);
void check(Reading& r, ForEach& out);
void check(Reading& r, Reduce& out);
void check(Reading& r, ChooseOne& out);
void check(Reading& r, ChooseN& out);
void check(Reading& r, RollRandom& out);
void check(Reading& r, FlipGlobalMarker& out);
void check(Reading& r, GotoPhaseExact& out);
void check(Reading& r, PushInterruptPhase& out);
void check(Reading& r, EndRound& out);
void check(Reading& r, ExtraTurn& out);
void check(Reading& r, SkipTurn& out);
void check(Reading& r, SetStartPlayer& out);
void check(Reading& r, SetTurnOrder& out);
void check(Reading& r, In& out);
void check(Reading& r, LineOf& out);
void check(Reading& r, ClockRef& out);
void check(Reading& r, StepRef& out);
void check(Reading& r, ComputedPropRef& out);
void check(Reading& r, IfValue& out);
void check(Reading& r, ZonesQuery& out);
void check(Reading& r, IntsInRangeQuery& out);
void check(Reading& r, PrioritizedQuery& out);
void check(Reading& r, PassReward& out);
void check(Reading& r, PivotalDef& out);
void check(Reading& r, TurnFlowDef& out);
void check(Reading& r, EligibilityOverride& out);
void check(Reading& r, TokenInterpretation& out);
void check(Reading& r, GrantDef& out);
void read_written(Reading& r, const Node& node, std::string_view key, CreateToken& out);
void read_written(Reading& r, const Node& node, std::string_view key, ChooseN& out);
void read_written(Reading& r, const Node& node, std::string_view key, ZonesQuery& out);
void read_written(Reading& r, const Node& node, std::string_view key, TokensInMapSpacesQuery& out);
void read_written(Reading& r, const Node& node, std::string_view key, TurnFlowDef& out);
void read_written(Reading& r, const Node& node, std::string_view key, CoupPlanDef& out);
template <class T>
void read_written(Reading&, const Node&, std::string_view, T&) {}  // for people: `displayName`
void read_by_hand(Reading& r, If& out);
void read_by_hand(Reading& r, Compare& out);
void read_by_hand(Reading& r, Arith& out);
void read_by_hand(Reading& r, Aggregate& out);
void read_by_hand(Reading& r, GlobalMarkersQuery& out);
void read_by_hand(Reading& r, IntsInVarRangeQuery& out);

// Blames `key` when `min` and `max` are written out and in the wrong order.
void check_bounds_order(Reading& r, std::string_view key, std::string_view consequence);

// ---- Reading by declaration
// All fields of a construct, and what its declaration leaves to code.
void read_construct(Reading& r, const Form& form, void* out);
template <class T>
void read_construct(Reading& r, T& out) {
  read_construct(r, form_of<T>(), &out);
}
// A mapping that is a record of the language (PARLOR_RECORD), with its keys and its place.
void read_record(Context& cx, const Node& node, const Form& form, void* out);
template <class T>
T read_record(Context& cx, const Node& node) {
  T out;
  read_record(cx, node, form_of<T>(), &out);
  return out;
}
// One field by itself, for what is read by hand.
bool read_field(Reading& r, std::string_view name, const Form& form, void* member);
template <class Member>
bool read_field(Reading& r, std::string_view name, Member& member) {
  return read_field(r, name, form_of<Member>(), &member);
}

// How one shape of a node is recognised and read.
struct ShapeReader {
  const Construct* construct = nullptr;
  const Alternative* alternative = nullptr;
};
// The reader of `{key: name, …}`, or of `{name: {…}}` for an empty key.
const ShapeReader* find_shape(Family family, std::string_view key, std::string_view name);

template <class Node>
decltype(Node::node) read_shape(Reading& r, const ShapeReader& shape) {
  Node out;
  read_construct(r, shape.alternative->form(), shape.alternative->become(&out));
  return std::move(out.node);
}

}  // namespace parlor::spec::lower
