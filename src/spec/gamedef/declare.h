// How a construct of the language is declared: once, in its struct.
//
// The struct's members are what the kernel gets. PARLOR_TAG says how the construct is called, what
// it does in one line, and what other languages call it. PARLOR_FIELDS lists its members with what
// each expects in a game's text, in the words of namespace `is`: whether it may be left out, what
// it binds and where that binding is visible. forms.h makes data of this; from that come JSON
// writing and reading, the JSON Schema (encode, decode, schema.cpp), comparing, reading from a
// game's text with all its messages (lower/construct.h), the table of the language (language.h) and
// with it completion, the tables of docs/language.md, the dictionary of the fuzzers and what
// did-you-mean knows.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace parlor::spec {

using Int = std::int64_t;

// What kind of thing a value, a binding or a result of a query is, as far as can be known without
// playing.
enum class Kind : std::uint8_t {
  unknown,  // known only while playing, or already reported as wrong: fits everywhere
  integer,
  boolean,
  string,
  zone,    // text that is a zone id
  token,   // an identity; as text, the token's id
  player,  // a number that is a player
  row,
  list,
  record,  // a trigger's `$event`
};

// What may stand in a field. The second word is how tools and tables name it.
#define PARLOR_EXPECTS(EXPECT)                        \
  EXPECT(value, "value")                              \
  EXPECT(condition, "condition")                      \
  EXPECT(conditions, "list of conditions")            \
  EXPECT(query, "query")                              \
  EXPECT(queries, "list of queries")                  \
  EXPECT(token_query, "query of tokens")              \
  EXPECT(effects, "list of effects")                  \
  EXPECT(zone, "zone")                                \
  EXPECT(space, "zone id or binding")                 \
  EXPECT(player, "player")                            \
  EXPECT(players, "players")                          \
  EXPECT(directions, "directions")                    \
  EXPECT(token, "token binding")                      \
  EXPECT(row, "row binding")                          \
  EXPECT(mention, "binding")                          \
  EXPECT(list_mention, "binding of a list")           \
  EXPECT(binder, "new binding")                       \
  EXPECT(choice, "new binding, chosen")               \
  EXPECT(global_var, "global variable")               \
  EXPECT(player_var, "player variable")               \
  EXPECT(zone_var, "zone variable")                   \
  EXPECT(variable, "variable")                        \
  EXPECT(variables, "list of variables")              \
  EXPECT(zone_attribute, "zone attribute")            \
  EXPECT(cell, "variable cell")                       \
  EXPECT(phase, "phase")                              \
  EXPECT(marker, "marker")                            \
  EXPECT(any_marker, "marker of any kind")            \
  EXPECT(global_marker, "global marker")              \
  EXPECT(global_markers, "list of global markers")    \
  EXPECT(marker_state, "marker state")                \
  EXPECT(global_marker_state, "global marker state")  \
  EXPECT(marker_states, "list of marker states")      \
  EXPECT(token_type, "token type")                    \
  EXPECT(token_prop, "token property")                \
  EXPECT(readable_prop, "token property, id or type") \
  EXPECT(token_props, "properties with values")       \
  EXPECT(zone_prop, "zone attribute, id or category") \
  EXPECT(zone_list_prop, "zone attribute (a list)")   \
  EXPECT(table, "table")                              \
  EXPECT(table_field, "table field")                  \
  EXPECT(timed_effect, "timed effect")                \
  EXPECT(action, "action")                            \
  EXPECT(actions, "list of actions")                  \
  EXPECT(seat, "seat")                                \
  EXPECT(seats, "list of seats")                      \
  EXPECT(phases, "list of phases")                    \
  EXPECT(zone_id, "zone id")                          \
  EXPECT(zone_ids, "list of zone ids")                \
  EXPECT(token_types, "list of token types")          \
  EXPECT(scalar, "number, text, true or false")       \
  EXPECT(data, "mapping")                             \
  EXPECT(list, "list")                                \
  EXPECT(anything, "anything")                        \
  EXPECT(token_filter, "token filter")                \
  EXPECT(zone_filter, "zone filter")                  \
  EXPECT(row_filter, "list of row tests")             \
  EXPECT(numbers, "list of numbers")                  \
  EXPECT(word, "word")                                \
  EXPECT(flag, "true or false")                       \
  EXPECT(flags, "list of true and false")             \
  EXPECT(count, "whole number")                       \
  EXPECT(point, "two whole numbers")                  \
  EXPECT(points, "list of points")                    \
  EXPECT(id, "name")                                  \
  EXPECT(key, "key")                                  \
  EXPECT(text, "text")                                \
  EXPECT(spoken, "text with {names}")                 \
  EXPECT(texts, "list of texts")                      \
  EXPECT(record, "mapping")                           \
  EXPECT(records, "list of mappings")                 \
  EXPECT(grant, "grant")                              \
  EXPECT(derived, "")

enum class Expects : std::uint8_t {
#define PARLOR_EXPECT(name, text) name,
  PARLOR_EXPECTS(PARLOR_EXPECT)
#undef PARLOR_EXPECT
};
std::string_view expects_name(Expects expects);

// In what scope a field is read.
enum class ReadIn : std::uint8_t {
  scope,    // sees what is bound around it
  nothing,  // nothing is bound where it begins
  move,     // only what every move has bound
  block,    // sees what is bound around it, and leaves nothing behind
};

// What a field expects in a game's text. Made from the words of `is` below, refined by its own.
struct FieldSpec {
  Expects expects = Expects::value;
  bool required = true;
  Kind wanted = Kind::unknown;      // value: what it must be; binder: what it holds
  bool list = false;                // binder: a list of those
  std::string_view like = {};       // the field whose kind of thing this one has
  std::string_view noun = {};       // in messages: "the name of a stream"
  std::string_view visible = {};    // binder: the fields that see it; empty: what follows
  std::string_view implicit = {};   // a binding a condition sees: `$zone`
  Kind implicit_kind = Kind::zone;  // and what that holds
  std::string_view ended = {};      // why what was bound in this field, or for it, is gone after it
  bool keeps = false;               // what was bound in it stays, apart from the field's binders
  bool itself = false;              // stands for the whole construct: {require: condition}
  std::string_view lacks = {};      // and these fields of it do not
  bool alone = false;               // the same if the construct is no mapping: {say: text}
  std::string_view under = {}, key = {};  // written as {under: {key: …}}
  bool under_needed = false;              // and that mapping has to be there
  bool by_name = false;                   // a mapping from names to what is expected
  Expects names = Expects::text;          // what those are
  std::string_view name_words = {};       // and these, whatever there is
  std::string_view name_noun = {};        // what such a word is called
  std::string_view also = {};             // what others call it, for `is::word`: all the words
  std::string_view yes = {};              // a word for true or false: which one is true
  bool move_to_come = false;              // a condition on it: sees nothing of what is bound here
  ReadIn begins = ReadIn::scope;
  std::string_view depends = {}, on_words = {};  // only where that field is one of these words
  std::string_view instead = {};                 // only where that field is not given
  std::string_view later = {};                   // read after that field
  bool hand = false;                             // read by a function of its own (PARLOR_WRITTEN)
  std::string_view unique = {};      // a list: no two of it are called the same; what they are
  std::string_view none = {};        // a list: what is said of one with nothing in it
  std::string_view shape_hint = {};  // what to write instead of something else altogether
  Int least = std::numeric_limits<Int>::min(), most = std::numeric_limits<Int>::max();
  std::string_view too_small = {}, too_small_hint = {};
  std::string_view about = {};  // one line of help

  constexpr bool binds() const { return expects == Expects::binder || expects == Expects::choice; }

  // The same but for one thing.
  template <class T>
  constexpr FieldSpec but(T FieldSpec::*what, std::type_identity_t<T> value) const {
    FieldSpec out = *this;
    out.*what = value;
    return out;
  }
  constexpr FieldSpec optional() const { return but(&FieldSpec::required, false); }
  // What the field is called in messages.
  constexpr FieldSpec named(std::string_view name) const { return but(&FieldSpec::noun, name); }
  constexpr FieldSpec a(Kind kind) const { return but(&FieldSpec::wanted, kind); }
  // The same kind of thing as another field: what its query gives, what its variable holds.
  constexpr FieldSpec of(std::string_view field) const { return but(&FieldSpec::like, field); }
  constexpr FieldSpec list_of(std::string_view field) const {
    return of(field).but(&FieldSpec::list, true);
  }
  // A binder that only these fields see; blanks between them.
  constexpr FieldSpec in(std::string_view fields) const { return but(&FieldSpec::visible, fields); }
  constexpr FieldSpec with(std::string_view binding, Kind kind = Kind::zone) const {
    return but(&FieldSpec::implicit, binding).but(&FieldSpec::implicit_kind, kind);
  }
  constexpr FieldSpec ends(std::string_view why) const { return but(&FieldSpec::ended, why); }
  constexpr FieldSpec exports() const { return but(&FieldSpec::keeps, true); }
  constexpr FieldSpec or_alone() const { return but(&FieldSpec::alone, true); }
  // The whole construct. A record's fields become those of the construct, but for some.
  constexpr FieldSpec whole(std::string_view without = {}) const {
    return but(&FieldSpec::itself, true).but(&FieldSpec::lacks, without);
  }
  // In a mapping of its own, which may be missing as a whole; `within`: which may not.
  constexpr FieldSpec inside(std::string_view mapping, std::string_view name) const {
    return but(&FieldSpec::under, mapping).but(&FieldSpec::key, name);
  }
  constexpr FieldSpec within(std::string_view mapping, std::string_view name) const {
    return inside(mapping, name).but(&FieldSpec::under_needed, true);
  }
  // Written under another key than in JSON.
  constexpr FieldSpec called(std::string_view name) const { return inside("", name); }
  // A mapping from such names to what is expected.
  constexpr FieldSpec by(const FieldSpec& of_names) const {
    return but(&FieldSpec::by_name, true)
        .but(&FieldSpec::names, of_names.expects)
        .but(&FieldSpec::name_words, of_names.also)
        .but(&FieldSpec::name_noun, of_names.noun);
  }
  // `written=meant` where JSON has another word.
  constexpr FieldSpec words(std::string_view all) const { return but(&FieldSpec::also, all); }
  constexpr FieldSpec truth(std::string_view word) const { return but(&FieldSpec::yes, word); }
  constexpr FieldSpec of_the_move_to_come() const { return but(&FieldSpec::move_to_come, true); }
  constexpr FieldSpec afresh() const { return but(&FieldSpec::begins, ReadIn::nothing); }
  constexpr FieldSpec in_a_block() const { return but(&FieldSpec::begins, ReadIn::block); }
  constexpr FieldSpec of_a_move() const { return but(&FieldSpec::begins, ReadIn::move); }
  // A key there is only where another field is one of these words, or is not given.
  constexpr FieldSpec where(std::string_view field, std::string_view is_one_of) const {
    return but(&FieldSpec::depends, field).but(&FieldSpec::on_words, is_one_of);
  }
  constexpr FieldSpec unless(std::string_view field) const {
    return but(&FieldSpec::instead, field);
  }
  constexpr FieldSpec after(std::string_view field) const { return but(&FieldSpec::later, field); }
  constexpr FieldSpec by_hand() const { return but(&FieldSpec::hand, true); }
  constexpr FieldSpec once(std::string_view what) const { return but(&FieldSpec::unique, what); }
  constexpr FieldSpec some(std::string_view else_message) const {
    return but(&FieldSpec::none, else_message);
  }
  constexpr FieldSpec hint(std::string_view text) const {
    return but(&FieldSpec::shape_hint, text);
  }
  // A number written out must not be smaller.
  constexpr FieldSpec from(Int number, std::string_view message = {},
                           std::string_view hint = {}) const {
    return but(&FieldSpec::least, number)
        .but(&FieldSpec::too_small, message)
        .but(&FieldSpec::too_small_hint, hint);
  }
  constexpr FieldSpec to(Int number) const { return but(&FieldSpec::most, number); }
  constexpr FieldSpec help(std::string_view line) const { return but(&FieldSpec::about, line); }
};

// The words in which fields are declared: `visit("count", self.count, is::number)`.
namespace is {
#define PARLOR_EXPECT(name, text) inline constexpr FieldSpec name{Expects::name};
PARLOR_EXPECTS(PARLOR_EXPECT)
#undef PARLOR_EXPECT
inline constexpr FieldSpec number{.expects = Expects::value, .wanted = Kind::integer};
inline constexpr FieldSpec text_value{.expects = Expects::value, .wanted = Kind::string};
}  // namespace is

// How a construct is told apart, in JSON and in a game's text, and what it is.
struct Tag {
  std::string_view key;         // "ref", "op", "query", or the effect's own key
  std::string_view value;       // empty: wrapped as {key: {...}}
  std::string_view about = {};  // one line of help
  std::string_view also = {};   // what other languages call it, blanks between
};

// What a value or a query gives.
struct Gives {
  Kind kind = Kind::unknown;
  std::string_view of = {};  // the kind of thing of this field instead
  bool list = false;
};

// Another name a construct is written with. It has all fields of the construct but these.
struct Variant {
  Tag tag;
  std::string_view without = {};  // blanks between
};

// A key of the game's text that no member has: another way to say what a member says, or something
// for people. `record`: of is::record and is::records, which.
struct WrittenKey {
  std::string_view key;
  FieldSpec spec;
  std::string_view record = {};
};

// Marks a field that stands beside the rules: prose for people, and where things were written. It
// is part of the JSON, but not of what makes two games the same (`rules_hash`).
struct Beside {};
inline constexpr Beside beside{};

// What a field was declared with, from all that `visit` got besides its name and member.
constexpr FieldSpec spec_of() {
  return is::derived;
}
template <class First, class... More>
constexpr FieldSpec spec_of(const First& first, const More&... more) {
  if constexpr (std::is_same_v<First, FieldSpec>)
    return first;
  else
    return spec_of(more...);
}

#define PARLOR_TAG(...) static constexpr Tag tag{__VA_ARGS__};
#define PARLOR_GIVES(...) static constexpr Gives gives{__VA_ARGS__};
#define PARLOR_VARIANTS(...) static constexpr auto variants = std::to_array<Variant>({__VA_ARGS__});
// A mapping of a section, or a part of another construct, that is no node of its own.
#define PARLOR_RECORD(...) static constexpr Tag record{__VA_ARGS__};
// Keys that are written in a game's text besides those of the members. Like members, they may be
// read `by_hand()`: by `read_key(Reading&, const Node&, std::string_view key, Type&)` in lower.
#define PARLOR_WRITTEN(...) \
  static constexpr auto written = std::to_array<WrittenKey>({__VA_ARGS__});
// After its fields are read, `check(Reading&, Type&)` in lower looks at the whole.
#define PARLOR_CHECKED static constexpr bool checked = true;
// Before its fields are read, `begin(Reading&, Type&)` in lower.
#define PARLOR_BEGUN static constexpr bool begun = true;
// Its fields are read by `read_by_hand(Reading&, Type&)` in lower: what it may have depends on what
// it has.
#define PARLOR_READ_BY_HAND static constexpr bool by_hand = true;
#define PARLOR_FIELDS(...)                          \
  using Fields = void; /* it has some */            \
  template <class Self, class Visitor>              \
  static void fields(Self& self, Visitor&& visit) { \
    (void)self;                                     \
    (void)visit;                                    \
    __VA_ARGS__                                     \
  }
// Two of a kind are the same where all that they list is, wherever they were written.
struct Form;
template <class T>
const Form& form_of();  // forms.h
bool same(const Form& form, const void* a, const void* b);
template <class T>
  requires requires { typename T::Fields; }
bool operator==(const T& a, const T& b) {
  return same(form_of<T>(), &a, &b);
}
// One of what a list of constructs names, such as OneOf<void PARLOR_EFFECTS(PARLOR_NEXT)>.
template <class, class... Constructs>
using OneOf = std::variant<Constructs...>;
#define PARLOR_NEXT(Construct) , Construct

}  // namespace parlor::spec
