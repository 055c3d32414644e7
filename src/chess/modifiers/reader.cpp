#include "chess/modifiers/reader.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

void Reader::hint(const Node& node, const std::string& written, std::string now) {
  hint(node.origin.place, written, std::move(now));
}

void Reader::hint(const spec::Place& place, const std::string& written, std::string now) {
  Diagnostic& d = cx_.warning_at(Code::MODIFIER_INVALID, {place}, cx_.path(),
                                 fmt::format("`{}` is how this was written before", written));
  d.suggestion = fmt::format("write `{}`; the next release reads nothing else", now);
}

std::string Reader::dashed(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c >= 'A' && c <= 'Z')
      out += {'-', static_cast<char>(c - 'A' + 'a')};
    else
      out += c;
  return out;
}

int Reader::number(Fields& fields, std::string_view key, int low, int high,
                   std::optional<int> otherwise) {
  int out = otherwise.value_or(low);
  const auto read = [&](const Node& node) {
    out = static_cast<int>(spec::lower::read_int(cx_, node, fmt::format("`{}`", key), low, high));
  };
  if (otherwise)
    fields.maybe(key, read);
  else
    fields.need(key, read);
  return out;
}

std::string Reader::text(Fields& fields, std::string_view key,
                         std::optional<std::string> otherwise) {
  std::string out = otherwise.value_or("");
  const auto read = [&](const Node& node) {
    out = spec::lower::read_string(cx_, node, fmt::format("a text for `{}`", key));
  };
  if (otherwise)
    fields.maybe(key, read);
  else
    fields.need(key, read);
  return out;
}

PieceType Reader::type(const Node& node) {
  const PieceType found = node.is_string() ? book_.find_type(node.text) : no_type;
  if (found != no_type) return found;
  std::vector<std::string> known;
  for (std::size_t i = 1; i < book_.type_count(); ++i)
    known.push_back(book_.type(static_cast<PieceType>(i)).id);
  spec::lower::report_word(cx_, node, "piece type", known);
  return no_type;
}

TypeSet Reader::type_set(const Node& node) {
  TypeSet out = 0;
  if (node.is_list())
    spec::lower::each_item(cx_, node, "a list of piece types",
                           [&](const Node& item) { out |= types(type(item)); });
  else
    out = types(type(node));
  return static_cast<TypeSet>(out & ~1u);
}

Square Reader::square(const Node& node) {
  const Square found = node.is_string() ? parse_square(node.text) : no_square;
  if (found == no_square)
    spec::lower::wrong_shape(cx_, node, "a square").suggestion = "a square is written like e4";
  return found;
}

Bitboard Reader::squares(const Node& node) {
  Bitboard out = 0;
  spec::lower::each_item(cx_, node, "a list of squares", [&](const Node& item) {
    if (const Square found = square(item); found != no_square) out |= bit(found);
  });
  return out;
}

Bitboard Reader::rank(const Node& node) {
  return rank_bb(static_cast<int>(spec::lower::read_int(cx_, node, "`rank`", 1, board_ranks)) - 1);
}

Bitboard Reader::file(const Node& node) {
  if (node.is_string() && node.text.size() == 1 && node.text[0] >= 'a' &&
      node.text[0] < 'a' + board_files)
    return file_bb(node.text[0] - 'a');
  spec::lower::wrong_shape(cx_, node, "a file").suggestion =
      fmt::format("a file is one letter from a to {}", static_cast<char>('a' + board_files - 1));
  return 0;
}

Bitboard Reader::predicate(const Node& node) {
  const std::string& name = node.text;
  if (node.is("light")) return light_squares;
  if (node.is("dark")) return ~light_squares;
  if (node.is("centre")) return centre_squares;
  if (node.is("edge")) return edge_squares;
  if (name.size() == 6 && name.starts_with("rank-") && name[5] >= '1' && name[5] <= '8') {
    hint(node, fmt::format("predicate: {}", name), fmt::format("rank: {}", name[5]));
    return rank_bb(name[5] - '1');
  }
  if (name.size() == 6 && name.starts_with("file-") && name[5] >= 'a' && name[5] <= 'h') {
    hint(node, fmt::format("predicate: {}", name), fmt::format("file: {}", name[5]));
    return file_bb(name[5] - 'a');
  }
  spec::lower::report_word(cx_, node, "predicate of squares", {"light", "dark", "centre", "edge"});
  return 0;
}

std::optional<Bitboard> Reader::area(Fields& fields) {
  std::optional<Bitboard> out;
  int given = 0;
  const auto read = [&](std::string_view key, Bitboard (Reader::*how)(const Node&)) {
    fields.maybe(key, [&](const Node& node) {
      out = (this->*how)(node);
      ++given;
    });
  };
  read("squares", &Reader::squares);
  read("predicate", &Reader::predicate);
  read("rank", &Reader::rank);
  read("file", &Reader::file);
  if (given > 1)
    problem(Code::MODIFIER_INVALID, fields.node(),
            "a place is said with one of `squares`, `predicate`, `rank` and `file`")
        .suggestion = "join several conditions with {op: and, args: […]}";
  return out;
}

std::optional<Side> Reader::colour(const Node& node) {
  if (node.is("white")) return white;
  if (node.is("black")) return black;
  spec::lower::report_word(cx_, node, "colour", {"white", "black"});
  return std::nullopt;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
