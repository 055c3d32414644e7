// The language as data, made from the declarations of its constructs (declare.h, written.h): what
// there is, which fields each construct has, what each field expects, what it binds and who sees
// that. The reader, did-you-mean, `parlor language`, the tables of docs/language.md and the
// dictionary of the fuzzers all ask this one table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

enum class Family : std::uint8_t { effect, condition, value, query, record };
std::string_view family_name(Family family);

struct Construct;
struct Form;

struct FieldInfo {
  std::string_view name;    // as other fields of the declaration speak of it, and in JSON
  std::string_view key;     // as written in a game's text; empty: it has no key of its own
  std::string_view inside;  // the key of the mapping it stands in, if it has one of its own
  FieldSpec spec;
  bool member = true;  // false: another way to say what members say (PARLOR_WRITTEN)
  std::vector<std::string_view> words;       // of Expects::word
  std::vector<std::string_view> meant = {};  // what JSON has for each, where it is another word
  std::string_view record = {};              // of Expects::record and records: which record
  const Form* form = nullptr;                // the member, and where it lies
  std::size_t offset = 0;
  const Form* owner = nullptr;  // whose it is: the construct, or a record in it that stands for it
  std::size_t owner_offset = 0;
};

// One step of reading: a field, and whether a block of bindings begins before or ends after it.
struct ReadStep {
  std::uint8_t field = 0;
  bool opens = false, closes = false;
};

struct Construct {
  Family family = Family::effect;
  Tag tag;
  std::vector<FieldInfo> fields;  // members first, in their order
  std::vector<ReadStep> steps;    // what sees a binding comes after it
  std::optional<Gives> gives;
  const Form* form = nullptr;  // none: it has no struct of its own (written.h)

  // What an author writes to get it: "moveToken", "==", "gvar", "an action".
  std::string_view name() const { return tag.value.empty() ? tag.key : tag.value; }
  const FieldInfo* find(std::string_view key, std::string_view inside = {}) const;
  const FieldInfo* field(std::string_view name) const;
  // How a field is written; one of a construct around this one is called what it is called there.
  std::string_view key_of(std::string_view field) const;
};

// All constructs, family by family, in the order of their declarations.
std::span<const Construct> language();
// The construct of a family an author calls so, or none. Records: "an action", "a phase" …
const Construct* find_construct(Family family, std::string_view name);
// "a list of actions" for those.
std::string list_of_records(std::string_view record);
std::string plural(std::string_view noun);
// What stands under a key of a construct, or nothing: `query` for (effect, "forEach", "over").
std::optional<Expects> expected(Family family, std::string_view construct, std::string_view key);

// Where a key is there only in some cases: "where `scope` is `pvar`", "unless `value` is given".
// Empty: always.
std::string only_where(const Construct& construct, const FieldInfo& field);

// The names of a family, and which of them goes by another name elsewhere.
std::vector<std::string> construct_names(Family family, std::string_view key = {});
std::vector<std::string> constructs_called(Family family, std::string_view name,
                                           std::string_view key = {});

// The whole table for editors and other tools, and as rows of Markdown for people.
nlohmann::json language_json();
std::string language_table(Family family);
// Every word an author may write, in order.
std::vector<std::string> language_words();

// Whether blanks in `list` set `word` apart.
bool has_word(std::string_view list, std::string_view word);
std::vector<std::string_view> words_of(std::string_view list);

}  // namespace parlor::spec
