// The words of the text notation: `gold >= 3`, `draw 2 from deck to hand:actor`.
//
// A name may contain `-` between two of its characters (`first-player`), so a minus stands between
// blanks. `hand:actor` without blanks is one word, a zone and its owner.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace parlor::spec::text {

struct Token {
  enum class Kind : std::uint8_t { end, number, word, zone, binding, string, symbol, unknown };

  Kind kind = Kind::end;
  std::string_view text;  // as written; of a string: what is between the quotes
  std::size_t begin = 0, end = 0;
  std::int64_t number = 0;

  bool is(std::string_view what) const {
    return (kind == Kind::word || kind == Kind::symbol) && text == what;
  }
  bool is_word() const { return kind == Kind::word; }
};

// All tokens, the last one being `end`. What is none is `unknown`, one character each.
std::vector<Token> split(std::string_view text);

// Words that hold sentences together.
bool is_joint(std::string_view word);
// Players by whose turn it is: words that came later than other names of games.
bool is_turn_word(std::string_view word);
// Whether a text is one plain name.
bool is_name(std::string_view text);
// Names joined by dots, as modules call their things: `economy.measures.row`.
bool is_dotted(std::string_view text);

}  // namespace parlor::spec::text
