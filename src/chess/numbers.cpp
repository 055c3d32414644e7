// Moves as numbers: from, to and what a pawn becomes, then the two things that are no moves on the
// board, then pieces dropped from the hand (house rules only). A number means the same in plain
// chess and under house rules, which only have more pieces to promote to; castling has the number
// of the king's way, as in its text.
#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/notation.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr std::size_t room = board_squares;
constexpr std::size_t ways = room * room;

// Nothing, then every type but the pawn.
std::size_t promotion_slots(const ChessGame& game) {
  return game.ruled() ? game.book().type_count() - 1 : std::size_t{queen};
}
std::size_t claim_number(const ChessGame& game) {
  return ways * promotion_slots(game);
}

// Nearly all moves: their number is from and to alone.
constexpr bool is_usual(Move move) {
  return move.kind() <= MoveKind::en_passant && move.promotion() == no_type;
}
std::uint32_t unusual_number(const ChessGame& game, Move move) {
  const std::size_t claim = claim_number(game);
  const PieceType promotion = move.promotion();
  if (move.kind() == MoveKind::claim_draw) return static_cast<std::uint32_t>(claim);
  if (move.kind() == MoveKind::pass) return static_cast<std::uint32_t>(claim + 1);
  if (move.kind() == MoveKind::drop)
    return static_cast<std::uint32_t>(claim + 2 + (promotion - 1u) * room + move.to());
  const std::uint32_t slot = promotion == no_type ? 0u : promotion - 1u;
  return static_cast<std::uint32_t>(slot * ways + move.from() * room + written_target(move));
}

}  // namespace

ActionSpace ChessGame::action_space() const {
  const std::size_t drops = ruled_ ? (book_->type_count() - 1) * room : 0;
  return {ActionSpace::Kind::fixed, claim_number(*this) + 2 + drops, true};
}

void ChessGame::action_indices(const StateBlock&, const OptionList& options,
                               std::span<std::uint32_t> out) const {
  const std::span<const Option> all = options.all();
  std::uint32_t together = 0;  // the bits of all of them: where one is unusual, so is this
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Move move{static_cast<std::uint32_t>(all[i].id)};
    out[i] = move.way();
    together |= move.bits;
  }
  if (is_usual(Move{together})) return;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const Move move{static_cast<std::uint32_t>(all[i].id)}; !is_usual(move))
      out[i] = unusual_number(*this, move);
}

std::string ChessGame::action_name(std::size_t index) const {
  const std::size_t claim = claim_number(*this);
  if (index == claim) return "claim-draw";
  if (index == claim + 1) return "pass";
  if (index >= action_space().size) return {};
  if (index > claim) {
    const std::size_t drop = index - claim - 2;
    return fmt::format("{}@{}", book_->type(static_cast<PieceType>(drop / room + 1)).letter,
                       square_name(static_cast<Square>(drop % room)));
  }
  const std::size_t slot = index / ways, from = index % ways / room, to = index % room;
  std::string out = square_name(static_cast<Square>(from)) + square_name(static_cast<Square>(to));
  if (slot != 0)
    out += static_cast<char>(book_->type(static_cast<PieceType>(slot + 1)).letter - 'A' + 'a');
  return out;
}

std::optional<std::size_t> ChessGame::action_named(std::string_view name) const {
  if (name == "claim-draw") return claim_number(*this);
  if (name == "pass") return claim_number(*this) + 1;
  if (name.size() > 2 && name[1] == '@') {
    const PieceType type = book_->type_by_letter(name[0]);
    const Square square = parse_square(name.substr(2));
    if (!ruled_ || type == no_type || name[0] > 'Z' || square == no_square) return std::nullopt;
    return claim_number(*this) + 2 + (type - std::size_t{1}) * room + square;
  }
  const Square from = take_square(name), to = take_square(name);
  if (from == no_square || to == no_square || name.size() > 1) return std::nullopt;
  std::size_t slot = 0;
  if (!name.empty()) {
    const PieceType type = book_->type_by_letter(name[0]);
    if (type == no_type || type == pawn || name[0] < 'a') return std::nullopt;
    slot = type - std::size_t{1};
  }
  if (slot >= promotion_slots(*this)) return std::nullopt;
  return slot * ways + std::size_t{from} * room + to;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
