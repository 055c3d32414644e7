// What conditions of modifiers ask of a piece.
#include "chess/modifiers/conditions.h"

#include <algorithm>

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

std::optional<std::size_t> column_of(const Engine& engine, const std::string& name) {
  return engine.book().find_attribute(name);
}

namespace {

// What an operand is worth for a piece as it stands now; 0 where it has no such number.
int value_of(const Engine& engine, const Piece& now, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::number:
      return operand.number;
    case Operand::Kind::attribute: {
      const auto column = column_of(engine, operand.attribute);
      return column ? engine.attribute(now, *column) : 0;
    }
    case Operand::Kind::rank:
      return now ? rank_of(now.square) + 1 : 0;
    case Operand::Kind::file:
      return now ? file_of(now.square) + 1 : 0;
  }
  return 0;
}

bool compares(Comparison op, int left, int right) {
  switch (op) {
    case Comparison::equal:
      return left == right;
    case Comparison::not_equal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::less_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_equal:
      return left >= right;
  }
  return false;
}

}  // namespace

bool holds(const Engine& engine, const Piece& piece, const Condition& condition) {
  const Piece now = engine.now(piece);
  const auto part = [&](const Condition& c) { return holds(engine, piece, c); };
  switch (condition.kind) {
    case Condition::Kind::compare:
      return compares(condition.op, value_of(engine, now, condition.left),
                      value_of(engine, now, condition.right));
    case Condition::Kind::type:
      return includes(condition.types, now.type);
    case Condition::Kind::side:
      return piece.side == condition.side;
    case Condition::Kind::on_squares:
      return now && has(condition.squares, now.square);
    case Condition::Kind::all:
      return std::ranges::all_of(condition.parts, part);
    case Condition::Kind::any:
      return std::ranges::any_of(condition.parts, part);
    case Condition::Kind::negation:
      return !holds(engine, piece, condition.parts.front());
  }
  return false;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
