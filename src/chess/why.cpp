// Moves as people write them, and why one cannot be played.
#include <algorithm>
#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/notation.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

std::string name_of(const Engine& engine, const Piece& piece) {
  return fmt::format("the {} on {}", engine.book().type(piece.type).id, square_name(piece.square));
}

// The move meant among those a piece could make if nothing else mattered; promotions may be left
// open.
const Move* meant(const Engine& engine, const MoveList& moves, std::string_view text) {
  const Move* found = std::ranges::find_if(
      moves, [&](Move move) { return to_uci(engine, move).starts_with(text); });
  return found == moves.end() ? nullptr : found;
}

// A house rule in its own words: "knight-immunity: Knights cannot be captured …".
std::string in_words(const Engine& engine, std::string_view id) {
  const rules::Module& rule = engine.book().find_preset(id)->module;
  return fmt::format("{}: {}", id, rule.description.empty() ? rule.name : rule.description);
}

// Of a move the piece could make and that is not legal.
std::string what_forbids(const Engine& engine, Move move) {
  const Side us = engine.turn();
  if (const auto cancelled = engine.cancelled(move)) return cancelled->reason;
  if (const auto rule = engine.forbidding_rule(move)) return in_words(engine, *rule);
  if (has(engine.royals(other(us)), move.to())) return "what is royal there cannot be captured";
  if (engine.self_check_filter(us) && engine.royals(us) != 0)
    return engine.in_check(us) ? fmt::format("{} is in check and would still be", side_name(us))
                               : fmt::format("{} would be in check", side_name(us));
  return "a rule of this game forbids it";
}

// What a pawn may become that goes from here to there: "cannon, queen or rook".
std::string becomes(const Engine& engine, const MoveList& legal, Square from, Square to) {
  std::vector<std::string> names;
  for (const Move move : legal)
    if (move.from() == from && move.to() == to && move.promotion() != no_type)
      names.emplace_back(engine.book().type(move.promotion()).id);
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

// Of a move between two squares.
std::string reason(const Engine& engine, std::string_view text, Square from, Square to) {
  const Piece piece = engine.piece_at(from);
  if (!piece) return fmt::format("there is nothing on {}", square_name(from));
  if (piece.side != engine.turn())
    return fmt::format("{} is not {}'s", name_of(engine, piece), side_name(engine.turn()));
  MoveList legal;
  engine.legal_moves(legal);
  if (const Move* open = meant(engine, legal, text))
    return fmt::format("say what the pawn becomes, as in {}", to_uci(engine, *open));
  MoveList possible;
  engine.unfiltered_moves(piece).list(possible);
  if (const Move* move = meant(engine, possible, text)) return what_forbids(engine, *move);
  if (const std::string others = becomes(engine, legal, from, to); !others.empty())
    return fmt::format("a pawn becomes {} there", others);
  return fmt::format("{} cannot go to {}", name_of(engine, piece), square_name(to));
}

// What a house rule says to the move of a piece that it does not let be played.
std::optional<CancelAnswer> veto(const Engine& engine, std::string_view text) {
  std::string_view rest = text;
  const Square from = take_square(rest);
  const Piece piece = from == no_square ? Piece{} : engine.piece_at(from);
  if (!piece || piece.side != engine.turn()) return std::nullopt;
  MoveList possible;
  engine.unfiltered_moves(piece).list(possible);
  const Move* move = meant(engine, possible, text);
  return move == nullptr ? std::nullopt : engine.cancelled(*move);
}

// Of a text that names no legal move. Of squares more can be said than of SAN.
std::string reason(const Engine& engine, std::string_view text) {
  std::string_view rest = text;
  const Square from = take_square(rest);
  const Square to = take_square(rest);
  if (from == no_square || to == no_square) return parse_move(engine, text).error();
  return fmt::format("{}: {}", text, reason(engine, text, from, to));
}

// What a request asks for, as a text; empty if it is none that could be a move.
std::string written_as(const Rulebook& book, const Json& request) {
  if (request.is_string()) return request.get<std::string>();
  if (!request.is_object()) return {};
  const auto word = [](const Json& of, const char* key) {
    const auto found = of.find(key);
    return found != of.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  const std::string action = word(request, "action");
  const auto params = request.find("params");
  if (action != "move" || params == request.end() || !params->is_object()) return action;
  std::string out = word(*params, "from") + word(*params, "to");
  if (const PieceType type = book.find_type(word(*params, "promotion")); type != no_type)
    out += static_cast<char>(book.type(type).letter - 'A' + 'a');
  return out.empty() ? action : out;
}

}  // namespace

std::optional<Option> ChessGame::option_meant(const StateBlock& block,
                                              std::string_view text) const {
  const auto move = parse_move(engine(block), text);
  if (!move) return std::nullopt;
  return Option{move->bits};
}

std::optional<Rejection> ChessGame::why_not(const StateBlock& block, const Json& request,
                                            const Viewer& viewer) const {
  auto refused = Game::why_not(block, request, viewer);
  if (!refused || refused->code == code_name(Code::GAME_FINISHED)) return refused;
  const std::string written = written_as(*book_, request);
  if (written.empty()) return refused;
  const Engine engine = this->engine(block);
  if (parse_move(engine, written)) {
    if (request.is_string()) return std::nullopt;
    return refused;  // the move is fine, something else in the request is not
  }
  refused->message = reason(engine, written);
  if (const auto cancelled = veto(engine, written)) {
    refused->code = cancelled->rejection().code;
    refused->details["rule"] = cancelled->rule;
  }
  return refused;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
