// Reads a construct from a game's text as its declaration says (gamedef/declare.h): every field in
// the order in which bindings become visible, with all messages about what is missing, misspelt or
// of the wrong kind.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "spec/gamedef/authored.h"
#include "spec/gamedef/forms.h"
#include "spec/gamedef/language.h"
#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// A construct being read: what was found out about its fields so far.
class Reading {
 public:
  Reading(Context& context, Fields& keys, const Construct& what)
      : cx(context), fields(keys), construct(what), types_(what.fields.size()), outer_(cx.reading) {
    cx.reading = this;
  }
  ~Reading() { cx.reading = outer_; }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  Context& cx;
  Fields& fields;
  const Construct& construct;
  std::optional<Type> result;    // where the declaration does not say what a construct gives
  const Node* called = nullptr;  // the name it stands under, in a mapping of such things

  const Node& node() const { return fields.node(); }
  // What stands under a key; null counts as nothing.
  const Node* given(std::string_view key) const;
  // What stands in a field of this construct, or else of one around it.
  const Node* said(std::string_view field) const;
  std::string_view text(std::string_view field) const;  // empty unless it is text
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
  // The next of these that this one stands in.
  template <class T>
  T* in() const {
    for (const Reading* at = outer_; at != nullptr; at = at->outer_)
      if (at->type_ == &type_mark<T>) return static_cast<T*>(at->out_);
    return nullptr;
  }
  // Whether it has a field, as far as that depends on others: not known where those are wrong.
  enum class Has : std::uint8_t { no, yes, unknown };
  Has has(const FieldInfo& field) const;
  bool broken() const { return cx.errors() > errors_before_; }
  void becomes(const Form& form, void* out) {
    type_ = form.type;
    out_ = out;
  }

 private:
  const FieldInfo* find_field(std::string_view name) const;

  std::vector<Type> types_;
  const Reading* outer_;
  const void* type_ = nullptr;
  void* out_ = nullptr;
  std::size_t errors_before_ = cx.errors();
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
void read_into(Reading& r, const Node& node, const FieldInfo& field, Named<Seen>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, nlohmann::json& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::string& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, bool& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Int& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<std::string>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<bool>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Int>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, Scalar& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, AttributeValue& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Value>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Condition>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Query>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<RowTest>& out);
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<PropValue>& out);

// One of the words of a field.
std::optional<std::string_view> read_enumerator(Reading& r, const Node& node,
                                                const FieldInfo& field);

// ---- What a declaration leaves to code
#define BEGIN(Type) void begin(Reading& r, Type& out);
#define CHECK(Type) void check(Reading& r, Type& out);
#define KEY(Type) void read_key(Reading& r, const Node& n, const FieldInfo& field, Type& out);
#define BY_HAND(Type) void read_by_hand(Reading& r, Type& out);
#include "spec/lower/hooks.def"

// Blames `key` when `min` and `max` are written out and in the wrong order.
void check_bounds_order(Reading& r, std::string_view key, std::string_view consequence);

// ---- Reading by declaration
// All fields of a construct, and what its declaration leaves to code.
void read_construct(Reading& r, const Form& form, void* out);
template <class T>
void read_construct(Reading& r, T& out) {
  read_construct(r, form_of<T>(), &out);
}
// A mapping that is a record of the language (PARLOR_RECORD), with its keys and its place, and the
// name it stands under.
void read_record(Context& cx, const Node& node, const Form& form, void* out,
                 const Node* called = nullptr);
template <class T>
T read_record(Context& cx, const Node& node) {
  T out;
  read_record(cx, node, form_of<T>(), &out);
  return out;
}
// Everything that a game says in a section, into the GameDef.
void read_section(Context& cx, Section section);
// Whether all that a declaration leaves to code is there.
bool has_hooks(const Form& form);
// One field of a construct by itself, for what is read by hand.
bool read_field(Reading& r, std::string_view name, void* construct);
// What stands in a field of a member, or in one without: for hooks, which do something besides.
void read_plainly(Reading& r, const Node& node, const FieldInfo& field, const Form& form, void* to);
template <class Member>
void read_plainly(Reading& r, const Node& node, const FieldInfo& field, Member& member) {
  read_plainly(r, node, field, form_of<Member>(), &member);
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
