#include <fmt/core.h>

#include "chess/generate.h"
#include "chess/preset.h"

namespace parlor::chess {
namespace {

Targets officer_targets(PieceType type, const Board& board, Square from, Side side) {
  const Bitboard reach = piece_attacks(type, from, board.occupied());
  return {reach & ~board.occupied(), reach & board.of(other(side))};
}

// Without en passant, which the rules of a game add.
Targets plain_pawn_targets(const Board& board, Square from, Side side) {
  const auto forward = [side](Bitboard set) { return side == white ? north(set) : south(set); };
  const Bitboard step = forward(bit(from)) & ~board.occupied();
  const Bitboard twice = rank_of(from) == pawn_rank(side) ? forward(step) & ~board.occupied() : 0;
  return {step | twice, pawn_attacks(side, from) & board.of(other(side))};
}

TypeInfo fide(PieceType type, const char* id, const char* name, char letter,
              const char* white_symbol, const char* black_symbol, int value) {
  TypeInfo info;
  info.id = id;
  info.name = name;
  info.letter = letter;
  info.symbols = {white_symbol, black_symbol};
  info.value = value;
  info.assets = {fmt::format("pieces/white-{}.svg", id), fmt::format("pieces/black-{}.svg", id)};
  if (type == pawn)
    info.targets = plain_pawn_targets;
  else
    info.targets = [type](const Board& board, Square from, Side side) {
      return officer_targets(type, board, from, side);
    };
  return info;
}

}  // namespace

const std::vector<std::string>& seat_names() {
  static const std::vector<std::string> names{"white", "black"};
  return names;
}

Rulebook::Rulebook() : types_(1) {
  types_.push_back(fide(pawn, "pawn", "Pawn", 'P', "♙", "♟", 100));
  types_.push_back(fide(knight, "knight", "Knight", 'N', "♘", "♞", 320));
  types_.push_back(fide(bishop, "bishop", "Bishop", 'B', "♗", "♝", 330));
  types_.push_back(fide(rook, "rook", "Rook", 'R', "♖", "♜", 500));
  types_.push_back(fide(queen, "queen", "Queen", 'Q', "♕", "♛", 900));
  types_.push_back(fide(king, "king", "King", 'K', "♔", "♚", 400));
}

Diagnostics Rulebook::add(Preset preset) {
  Diagnostics out = registry_.add(preset.module);
  std::size_t fresh = 0;
  for (const Attribute& attribute : preset.attributes)
    if (!find_attribute(attribute.name)) ++fresh;
  if (attributes_.size() + fresh > max_attributes || presets_.size() >= 255)
    out.add({.code = Code::RULE_DUPLICATE,
             .message = fmt::format("no room for rule `{}`: at most {} attributes and 255 rules",
                                    preset.module.id, max_attributes)});
  if (out.has_errors()) return out;
  std::uint16_t mask = 0;
  for (const Attribute& attribute : preset.attributes) {
    if (!find_attribute(attribute.name)) attributes_.push_back(attribute);
    mask |= static_cast<std::uint16_t>(1u << *find_attribute(attribute.name));
  }
  presets_.push_back(std::move(preset));
  masks_.push_back(mask);
  return out;
}

std::optional<PieceType> Rulebook::add_type(TypeInfo info) {
  if (types_.size() >= max_types || find_type(info.id) != no_type ||
      type_by_letter(info.letter) != no_type || info.letter < 'A' || info.letter > 'Z' ||
      !info.targets)
    return std::nullopt;
  types_.push_back(std::move(info));
  return static_cast<PieceType>(types_.size() - 1);
}

const Preset* Rulebook::find_preset(std::string_view id) const {
  const auto index = registry_.index_of(id);
  return index ? &presets_[*index] : nullptr;
}

PieceType Rulebook::find_type(std::string_view id) const {
  for (std::size_t type = 1; type < types_.size(); ++type)
    if (types_[type].id == id) return static_cast<PieceType>(type);
  return no_type;
}

PieceType Rulebook::type_by_letter(char letter) const {
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  for (std::size_t type = 1; type < types_.size(); ++type)
    if (types_[type].letter == letter) return static_cast<PieceType>(type);
  return no_type;
}

std::optional<std::size_t> Rulebook::find_attribute(std::string_view name) const {
  for (std::size_t column = 0; column < attributes_.size(); ++column)
    if (attributes_[column].name == name) return column;
  return std::nullopt;
}

}  // namespace parlor::chess
