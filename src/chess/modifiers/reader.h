// Reading a modifier file with the reader of the game language: the same nodes and places, the same
// words for what has the wrong shape (spec/lower/shape.h). What is added here are the nouns of
// chess, and the spelling modifiers had before they spoke that language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/json.h"
#include "chess/modifiers/descriptor.h"
#include "chess/modifiers/document.h"
#include "spec/lower/shape.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

using spec::Node;
using spec::lower::Fields;

class Reader {
 public:
  Reader(spec::lower::Context& cx, const Rulebook& book) : cx_(cx), book_(book) {}

 protected:
  spec::lower::Context& cx() { return cx_; }
  const Rulebook& book() const { return book_; }
  Diagnostic& problem(Code code, const Node& node, std::string message) {
    return cx_.error(code, node, std::move(message));
  }
  // Something is written as it was before, and read all the same.
  void hint(const Node& node, const std::string& written, std::string now);
  void hint(const spec::Place& place, const std::string& written, std::string now);

  // A name of the table, in its spelling or in the one before. Nothing: it is none, which is said.
  template <class Table>
  auto named(const Node& node, std::string_view text, const Table& table, Code code,
             std::string_view what) -> std::optional<decltype(table[0].value)> {
    for (const auto& entry : table) {
      if (entry.name != text && dashed(entry.name) != text) continue;
      if (entry.name != text) hint(node, std::string(text), std::string(entry.name));
      return entry.value;
    }
    cx_.unknown(code, node, what, text, names_of(table));
    return std::nullopt;
  }

  int number(Fields& fields, std::string_view key, int low, int high, std::optional<int> otherwise);
  std::string text(Fields& fields, std::string_view key, std::optional<std::string> otherwise = {});
  // The first of the words when the key is missing.
  template <class Enum>
  Enum word(Fields& fields, std::string_view key,
            std::initializer_list<spec::lower::Word<Enum>> words) {
    Enum out = words.begin()->value;
    fields.maybe(key, [&](const Node& node) {
      out = spec::lower::read_word(cx_, node, key, words, words.begin()->value);
    });
    return out;
  }

  PieceType type(const Node& node);
  TypeSet type_set(const Node& node);  // one or a list
  Square square(const Node& node);
  Bitboard squares(const Node& node);  // a list of squares
  std::optional<Side> colour(const Node& node);
  // A place on the board: squares, a predicate (light, dark, centre, edge), a rank or a file. At
  // most one of them is given; nothing if none is.
  std::optional<Bitboard> area(Fields& fields);

 private:
  static std::string dashed(std::string_view name);  // `onTurnStart` as `on-turn-start`
  template <class Table>
  static std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> out;
    for (const auto& entry : table) out.emplace_back(entry.name);
    return out;
  }
  Bitboard predicate(const Node& node);
  Bitboard rank(const Node& node);
  Bitboard file(const Node& node);

  spec::lower::Context& cx_;
  const Rulebook& book_;
};

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
