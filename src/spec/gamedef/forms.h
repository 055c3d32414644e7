// What a GameDef is made of, as data: of every type its members, its items or what it can be.
//
// JSON writing and reading, the schema, the hash of the rules, the table of the language and
// whatever goes through a game are ordinary functions over forms, compiled once. The templates that
// make forms from the declarations (PARLOR_FIELDS) are in forms.cpp alone: made in every source for
// every type, they were half the time it took to compile this folder.
#pragma once

#include <functional>
#include <span>

#include "spec/gamedef/enum_names.h"

namespace parlor::spec {

struct Form;
// Forms name one another in circles: they are asked for when they are needed.
using FormOf = const Form& (*)();

struct Member {
  std::string_view name;
  std::size_t offset = 0;
  FormOf form = nullptr;
  FieldSpec spec = {};
  bool beside = false;  // beside the rules: prose, and where things were written
};

// One of what a node or a choice can be.
struct Alternative {
  FormOf form = nullptr;
  const Tag* tag = nullptr;  // none: literals, arithmetic, comparisons
  std::span<const Variant> variants = {};
  void* (*in)(void* whole) = nullptr;      // the thing itself, where the whole is this one
  void* (*become)(void* whole) = nullptr;  // makes the whole this one, with nothing in it
};

struct Form {
  enum class Sort : std::uint8_t {
    number,
    truth,
    truths,  // a list of them, which has no items to point at
    text,
    word,  // an enumeration
    place,
    data,  // JSON
    player,
    zone,
    name,
    direction,
    filter,
    optional,
    list,
    named,   // things by their names
    box,     // is what is inside it: Box, the items of a ListLiteral, the parts of a ConcatValue
    record,  // a struct with fields
    choice,  // a variant of simple things
    node,    // a variant of constructs with its place: Value, Condition, Query, Effect
  };
  const void* type = nullptr;  // &type_mark<T>
  Sort sort = Sort::record;
  FormOf inside = nullptr;  // optional, list, named, box
  std::span<const std::string_view> words = {};
  std::vector<Member> members = {};
  const Tag* record = nullptr;  // PARLOR_RECORD, where it is one
  std::optional<Gives> gives = std::nullopt;
  std::span<const WrittenKey> written = {};
  bool begun = false, checked = false, by_hand = false;  // PARLOR_BEGUN, PARLOR_CHECKED …
  std::vector<Alternative> alternatives = {};
  std::size_t (*which)(const void*) = nullptr;   // node, choice: its alternative; word: its number
  void (*choose)(void*, std::size_t) = nullptr;  // word
  PlaceId* (*place)(void*) = nullptr;            // node
  // Optional, list, named and box: how many things are inside, and where they lie.
  std::size_t (*count)(const void*) = nullptr;
  void* (*item)(void*, std::size_t) = nullptr;
  void* (*add)(void*) = nullptr;                  // one more, empty
  void* (*insert)(void*, std::size_t) = nullptr;  // list: one more, empty, at this place
  void (*drop)(void*) = nullptr;                  // list: without the last
  void (*clear)(void*, std::size_t) = nullptr;    // list: nothing in it, and room for so many
  const std::string& (*name)(void*, std::size_t) = nullptr;  // named: of a thing inside
  void* (*add_named)(void*, std::string_view) = nullptr;     // named: the thing called so

  // Left out of JSON where it is empty.
  bool may_be_missing() const {
    return sort == Sort::list || sort == Sort::named || sort == Sort::truths ||
           sort == Sort::optional || sort == Sort::text || sort == Sort::place;
  }
};

template <class T>
inline constexpr char type_mark = 0;

// Made in forms.cpp for all types that are part of a GameDef; what is asked for elsewhere and is
// none of its records is named at its end.
template <class T>
const Form& form_of();

// Something in a game, whatever it is.
struct Part {
  const void* at = nullptr;
  const Form* form = nullptr;

  template <class T>
  static Part of(const T& thing) {
    return {&thing, &form_of<T>()};
  }
  template <class T>
  const T* as() const {
    return form->type == &type_mark<T> ? static_cast<const T*>(at) : nullptr;
  }
  bool empty() const;  // of what may be missing
  std::size_t count() const { return form->count(at); }
  // Nothing is changed through what these give.
  Part item(std::size_t index) const {
    return {form->item(const_cast<void*>(at), index), &form->inside()};
  }
  const std::string& name(std::size_t index) const {
    return form->name(const_cast<void*>(at), index);
  }
  Part member(const Member& member) const {
    return {static_cast<const char*>(at) + member.offset, &member.form()};
  }
  PlaceId place() const { return *form->place(const_cast<void*>(at)); }
  const Alternative& alternative() const { return form->alternatives[form->which(at)]; }
  Part chosen() const {
    const Alternative& one = alternative();
    return {one.in(const_cast<void*>(at)), &one.form()};
  }
};

// The JSON of any part, as in the JSON of the whole game.
nlohmann::json encoded(Part part);

// Calls `visit` with everything directly inside a part of the rules. Players, names and literals
// are whole.
void each_part(Part part, const std::function<void(Part)>& visit);

// Calls `visit` with the thing itself where it is of one of these types.
template <class... Types, class Visit>
bool visit_if(Part part, const Visit& visit) {
  const auto is = [&]<class T>(const T* thing) {
    if (thing != nullptr) visit(*thing);
    return thing != nullptr;
  };
  return (is(part.as<Types>()) || ...);
}

// Whether something of this type stands anywhere in a part of the rules.
bool mentions(Part part, const void* type);
template <class Wanted, class T>
bool mentions(const T& part) {
  return mentions(Part::of(part), &type_mark<Wanted>);
}

// ---- Names

// Every text in a part of the rules that a name may stand in.
void each_text(Part part, const std::function<void(const std::string&)>& visit);
// Calls a name otherwise wherever it means what it means around the part: what gives it a meaning
// of its own stays as it is. False: part of another name stands for it.
bool rename(Part part, const std::string& name, const std::string& called);
// What is bound inside is called by numbers, so that parts that differ only in such names are
// equal. False: it is not certain that it means the same.
bool number_names(Part part, int depth = 1);

}  // namespace parlor::spec
