// Reads a construct from a game's text as its declaration says (gamedef/declare.h): every field in
// the order in which bindings become visible, with all messages about what is missing, misspelt or
// of the wrong kind.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "spec/gamedef/language.h"
#include "spec/gamedef/node_traits.h"
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

std::optional<std::size_t> read_enumerator(Reading& r, const Node& node, const FieldInfo& field);
template <IsEnum E>
void read_into(Reading& r, const Node& node, const FieldInfo& field, E& out) {
  if (const auto value = read_enumerator(r, node, field)) out = static_cast<E>(*value);
}
template <class T>
void read_into(Reading& r, const Node& node, const FieldInfo& field, Box<T>& out) {
  read_into(r, node, field, *out);
}
template <class T>
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::optional<T>& out) {
  read_into(r, node, field, out.emplace());
}
// None or one.
template <class T>
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<T>& out) {
  read_into(r, node, field, out.emplace_back());
}

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
void check(Reading& r, IfValue& out);
void check(Reading& r, ZonesQuery& out);
void check(Reading& r, IntsInRangeQuery& out);
void check(Reading& r, PrioritizedQuery& out);
void read_written(Reading& r, const Node& node, std::string_view key, CreateToken& out);
void read_written(Reading& r, const Node& node, std::string_view key, ChooseN& out);
void read_written(Reading& r, const Node& node, std::string_view key, ZonesQuery& out);
void read_written(Reading& r, const Node& node, std::string_view key, TokensInMapSpacesQuery& out);
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
// Where the value of a field goes.
struct Slot {
  void* to = nullptr;
  void (*read)(Reading& r, const Node& node, const FieldInfo& field, void* to) = nullptr;
};
void read_slots(Reading& r, std::span<const Slot> slots);
// One field by itself, for what is read by hand.
bool read_slot(Reading& r, std::string_view name, const Slot& slot);

template <class Member>
Slot slot_for(Member& member) {
  return {&member, [](Reading& r, const Node& node, const FieldInfo& field, void* to) {
            if constexpr (requires(Member & m) { read_into(r, node, field, m); })
              read_into(r, node, field, *static_cast<Member*>(to));
          }};
}
template <class Member>
bool read_field(Reading& r, std::string_view name, Member& member) {
  return read_slot(r, name, slot_for(member));
}

template <class T>
void read_construct(Reading& r, T& out) {
  if constexpr (requires { T::by_hand; }) {
    read_by_hand(r, out);
  } else {
    std::array<Slot, 16> slots;
    std::size_t count = 0;
    T::fields(out, [&](const char*, auto& member, auto...) { slots[count++] = slot_for(member); });
    if constexpr (requires { T::written; })
      for (std::size_t i = 0; i < T::written.size(); ++i)
        slots[count++] = {&out,
                          [](Reading& rr, const Node& node, const FieldInfo& field, void* to) {
                            read_written(rr, node, field.key, *static_cast<T*>(to));
                          }};
    read_slots(r, {slots.data(), count});
    if constexpr (requires { T::checked; }) check(r, out);
  }
}

// How one shape of a node is recognised and read.
template <class Node>
struct ShapeReader {
  const Construct* construct;
  decltype(Node::node) (*read)(Reading& r);
};

template <class Node>
inline constexpr Family family_of = std::is_same_v<Node, Effect>      ? Family::effect
                                    : std::is_same_v<Node, Condition> ? Family::condition
                                    : std::is_same_v<Node, Value>     ? Family::value
                                                                      : Family::query;

template <class Node>
const std::vector<ShapeReader<Node>>& shape_readers() {
  static const std::vector<ShapeReader<Node>> all = [] {
    std::vector<ShapeReader<Node>> out;
    each_alternative<decltype(Node::node)>([&](auto type) {
      using Shape = typename decltype(type)::type;
      if constexpr (HasFields<Shape>) {
        const auto add = [&](const Tag& tag) {
          const std::string_view name = tag.value.empty() ? tag.key : tag.value;
          out.push_back({find_construct(family_of<Node>, name), [](Reading& r) {
                           Shape shape;
                           read_construct(r, shape);
                           return decltype(Node::node){std::move(shape)};
                         }});
        };
        if constexpr (HasTag<Shape>) add(Shape::tag);
        if constexpr (requires { Shape::variants; })
          for (const Variant& variant : Shape::variants) add(variant.tag);
      }
    });
    return out;
  }();
  return all;
}

// The reader of `{key: name, …}`, or of `{name: {…}}` for an empty key.
template <class Node>
const ShapeReader<Node>* find_shape(std::string_view key, std::string_view name) {
  for (const ShapeReader<Node>& reader : shape_readers<Node>())
    if (reader.construct->name() == name && (key.empty() || reader.construct->tag.key == key))
      return &reader;
  return nullptr;
}

}  // namespace parlor::spec::lower
