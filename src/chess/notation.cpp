#include "chess/notation.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

char small(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

// Classic castling is written by where the king goes.
bool classic_castling(Move move) {
  return file_of(move.from()) == king_file &&
         (file_of(move.to()) == 0 || file_of(move.to()) == board_files - 1);
}

bool takes(const Board& board, Move move) {
  return move.kind() == MoveKind::en_passant ||
         (move.kind() != MoveKind::castling && !board.empty(move.to()));
}

// What must be said about the origin so that no other move of such a piece is meant.
std::string origin(const Engine& engine, Move move, const MoveList& legal) {
  const Board& board = engine.board();
  const PieceType type = board.type_on(move.from());
  bool ambiguous = false;
  bool same_file = false;
  bool same_rank = false;
  for (const Move rival : legal) {
    if (rival.from() == move.from() || rival.to() != move.to() ||
        rival.kind() == MoveKind::castling || board.type_on(rival.from()) != type ||
        takes(board, rival) != takes(board, move))
      continue;
    ambiguous = true;
    same_file = same_file || file_of(rival.from()) == file_of(move.from());
    same_rank = same_rank || rank_of(rival.from()) == rank_of(move.from());
  }
  const std::string square = square_name(move.from());
  const bool pawn_takes = type == pawn && takes(board, move);
  if (!ambiguous) return pawn_takes ? square.substr(0, 1) : "";
  if (!same_file) return square.substr(0, 1);
  if (!same_rank && !pawn_takes) return square.substr(1);
  return square;
}

std::string body(const Engine& engine, Move move, const MoveList& legal) {
  if (move.kind() == MoveKind::pass) return "--";
  if (move.kind() == MoveKind::drop) return to_uci(engine, move);
  if (move.kind() == MoveKind::castling) return wing_of(move) == Wing::king_side ? "O-O" : "O-O-O";
  const PieceType type = engine.board().type_on(move.from());
  std::string out;
  if (type != pawn) out += engine.book().type(type).letter;
  out += origin(engine, move, legal);
  if (takes(engine.board(), move)) out += 'x';
  out += square_name(move.to());
  if (move.promotion() != no_type)
    out += fmt::format("={}", engine.book().type(move.promotion()).letter);
  return out;
}

std::string stripped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '+' && c != '#' && c != '!' && c != '?')
      out += c == '0' && text.starts_with('0') ? 'O' : c;  // 0-0, but not a10
  return out;
}

// Whether `text` (stripped SAN) describes the move, extra or missing origin included.
bool fits(const Engine& engine, Move move, std::string text) {
  if (move.kind() == MoveKind::castling || move.kind() == MoveKind::pass) return false;
  if (move.kind() == MoveKind::drop)  // pawns need no letter
    return move.promotion() == pawn && text == "@" + square_name(move.to());
  const Board& board = engine.board();
  const PieceType type = board.type_on(move.from());
  PieceType wanted = pawn;
  if (!text.empty() && std::isupper(static_cast<unsigned char>(text[0]))) {
    wanted = engine.book().type_by_letter(text[0]);
    text.erase(0, 1);
  }
  PieceType promotion = no_type;
  if (!text.empty() && std::isupper(static_cast<unsigned char>(text.back()))) {
    promotion = engine.book().type_by_letter(text.back());
    text.pop_back();
    if (!text.empty() && text.back() == '=') text.pop_back();
  }
  std::erase(text, 'x');
  std::erase(text, '-');
  const std::string to = square_name(move.to());
  if (!text.ends_with(to)) return false;
  text.resize(text.size() - to.size());
  // What is left says something of the origin, or nothing.
  const std::string from = square_name(move.from());
  if (!text.empty() && text[0] == from[0]) text.erase(0, 1);
  if (!text.empty() && text != from.substr(1)) return false;
  return wanted == type && promotion == move.promotion();
}

}  // namespace

Square written_target(Move move) {
  if (move.kind() != MoveKind::castling || !classic_castling(move)) return move.to();
  return castled_king(rank_of(move.from()) == 0 ? white : black, wing_of(move));
}

std::string to_uci(const Engine& engine, Move move) {
  if (move.kind() == MoveKind::claim_draw) return "claim-draw";
  if (move.kind() == MoveKind::pass) return "pass";
  if (move.kind() == MoveKind::drop)
    return fmt::format("{}@{}", engine.book().type(move.promotion()).letter,
                       square_name(move.to()));
  std::string out = square_name(move.from()) + square_name(written_target(move));
  if (move.promotion() != no_type) out += small(engine.book().type(move.promotion()).letter);
  return out;
}

std::string to_san(const Engine& engine, Move move) {
  if (move.kind() == MoveKind::claim_draw) return "claim-draw";
  MoveList legal;
  engine.legal_moves(legal);
  std::string out = body(engine, move, legal);
  Position after;
  engine.copy_position(after);
  Engine next(engine.book(), after, engine.ruled());
  if (!next.apply(move, nullptr)) return out;
  const std::string_view reason = after.reason.data();
  if (reason == "checkmate") return out + "#";
  return next.in_check(next.turn()) ? out + "+" : out;
}

tl::expected<Move, std::string> parse_move(const Engine& engine, std::string_view text) {
  MoveList legal;
  engine.legal_moves(legal);
  for (const Move move : legal) {
    if (to_uci(engine, move) == text) return move;
    if (move.kind() == MoveKind::castling &&
        square_name(move.from()) + square_name(move.to()) == text)
      return move;
  }
  const std::string wanted = stripped(text);
  for (const Move move : legal)
    if (body(engine, move, legal) == wanted) return move;
  std::vector<Move> found;
  for (const Move move : legal)
    if (fits(engine, move, wanted)) found.push_back(move);
  if (found.size() == 1) return found.front();
  if (found.empty()) return tl::unexpected(fmt::format("`{}` is not a legal move here", text));
  std::string names;
  for (const Move move : found) names += (names.empty() ? "" : ", ") + body(engine, move, legal);
  return tl::unexpected(fmt::format("`{}` fits {} legal moves: {}", text, found.size(), names));
}

}  // namespace parlor::chess::inline PARLOR_BOARD
