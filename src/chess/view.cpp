// A chess state for people and tools.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "chess/chess.h"
#include "chess/notation.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

Json piece_json(const Engine& engine, const Piece& piece) {
  const TypeInfo& type = engine.book().type(piece.type);
  Json props{{"colour", side_name(piece.side)},
             {"square", square_name(piece.square)},
             {"symbol", type.symbols[piece.side]},
             {"asset", type.assets[piece.side]}};
  for (std::size_t column = 0; column < engine.book().attributes().size(); ++column)
    if (engine.has_attribute(piece, column))
      props[engine.book().attributes()[column].name] = engine.attribute(piece, column);
  return {{"id", piece.id}, {"type", type.id}, {"props", std::move(props)}};
}

Json record_json(const Rulebook& book, const Engine& engine, const MoveRecord& record) {
  if (record.switches_rules())
    return {{"rules", record.effects}, {"hash", fmt::format("{:016x}", record.hash)}};
  Json out{{"move", to_uci(engine, record.move)},
           {"side", side_name(record.side)},
           {"effects", record.effects},
           {"hash", fmt::format("{:016x}", record.hash)}};
  const auto name = [&](PieceType type) {
    return type == no_type ? Json(nullptr) : Json(book.type(type).id);
  };
  out["piece"] = name(record.moved);
  out["captured"] = name(record.captured);
  out["promotion"] = name(record.promotion);
  return out;
}

std::string rank_text(const Engine& engine, int rank) {
  std::string line = fmt::format("{:>{}} ", rank + 1, board_ranks > 9 ? 2 : 1);
  for (int file = 0; file < board_files; ++file) {
    const Piece piece = engine.piece_at(square_at(file, rank));
    line += ' ';
    line += piece                    ? engine.book().type(piece.type).symbols[piece.side]
            : (file + rank) % 2 == 0 ? "·"
                                     : " ";
  }
  return line;
}

// What most pieces of a side have, and who has something else: "Hp 2 each, ♔e1 Hp 3".
std::string attribute_line(const Engine& engine, Side side) {
  const auto& attributes = engine.book().attributes();
  std::vector<std::string> parts;
  std::vector<int> usual(attributes.size());
  for (std::size_t column = 0; column < attributes.size(); ++column) {
    std::map<int, int> values;
    for (const Square square : squares_of(engine.pieces(side)))
      if (const Piece piece = engine.piece_at(square); engine.has_attribute(piece, column))
        ++values[engine.attribute(piece, column)];
    const auto most = std::ranges::max_element(values, {}, &std::pair<const int, int>::second);
    usual[column] =
        most != values.end() && most->second > 1 ? most->first : attributes[column].low - 1;
    if (usual[column] >= attributes[column].low)
      parts.push_back(fmt::format("{} {} each", attributes[column].name, usual[column]));
  }
  for (const Square square : squares_of(engine.pieces(side))) {
    const Piece piece = engine.piece_at(square);
    std::string numbers;
    for (std::size_t column = 0; column < attributes.size(); ++column)
      if (const int value = engine.attribute(piece, column, usual[column]); value != usual[column])
        numbers += fmt::format(" {} {}", attributes[column].name, value);
    if (!numbers.empty())
      parts.push_back(fmt::format("{}{}{}", engine.book().type(piece.type).symbols[side],
                                  square_name(square), numbers));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string attribute_lines(const Engine& engine) {
  std::string out;
  for (const Side side : both_sides)
    if (const std::string line = attribute_line(engine, side); !line.empty())
      out += fmt::format("{}: {}\n", side_name(side), line);
  return out;
}

// The last turn of each side, so that whoever answers a bot also sees what the own move did:
// "last moves: e4d5 (d5 holds with 1 hp), e8f7". The first record is the start of the game.
std::string last_moves(const Engine& engine, std::span<const MoveRecord> records) {
  std::size_t begin = records.size();
  for (int turns = 0; begin > 1; --begin) {
    const bool other_side =
        begin == records.size() || records[begin - 1].side != records[begin].side;
    if (other_side && ++turns > 2) break;
  }
  std::vector<std::string> parts;
  for (const MoveRecord& record : records.subspan(begin)) {
    if (record.switches_rules()) continue;
    parts.push_back(to_uci(engine, record.move));
    if (!record.effects.empty())
      parts.back() += fmt::format(" ({})", fmt::join(record.effects, ", "));
  }
  if (parts.empty()) return {};
  return fmt::format("last {}: {}\n", parts.size() == 1 ? "move" : "moves", fmt::join(parts, ", "));
}

}  // namespace

Json ChessGame::view(const StateBlock& block, const Viewer&) const {
  const Engine engine = this->engine(block);
  const Board& board = engine.board();
  Json pieces = Json::array();
  std::vector<std::string> rows;
  for (int rank = board_ranks - 1; rank >= 0; --rank) {
    std::string row;
    for (int file = 0; file < board_files; ++file) {
      const PieceCode code = board.piece_on[square_at(file, rank)];
      const char letter = code == 0 ? '.' : book_->type(type_of(code)).letter;
      row += code != 0 && side_of(code) == black ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    rows.push_back(std::move(row));
  }
  for (const Square square : squares_of(board.occupied()))
    pieces.push_back(piece_json(engine, engine.piece_at(square)));
  Json players = Json::array();
  for (const Side side : both_sides)
    players.push_back({{"id", static_cast<int>(side)},
                       {"name", side_name(side)},
                       {"inCheck", engine.in_check(side)},
                       {"pieces", count(board.of(side))}});
  Json active = Json::array();
  for (const rules::Activation& rule : engine.active_presets()) {
    Json entry{{"id", rule.id}, {"scope", rules::scope_text(rule.scope, seat_names())}};
    if (rule.scope == rules::Scope{}) entry["scope"] = "both";
    entry["turns"] = rule.turns ? Json(*rule.turns) : Json(nullptr);
    active.push_back(std::move(entry));
  }
  Json log = Json::array();
  const auto records = history(block).records();
  for (std::size_t i = 1; i < records.size(); ++i)
    log.push_back(record_json(*book_, engine, records[i]));
  return {{"phase", position(block).result == Result::ongoing ? "play" : "finished"},
          {"turn", records.size()},
          {"round", board.full_move},
          {"active", static_cast<int>(board.turn)},
          {"globals",
           {{"clock", board.clock},
            {"halfMoves", engine.half_moves()},
            {"repetitions", position(block).repetitions}}},
          {"players", std::move(players)},
          {"zones", {{"board", std::move(pieces)}}},
          {"zoneVars", Json::object()},
          {"markers", Json::object()},
          {"effects", active},
          {"fen", to_fen(engine)},
          {"board", rows},
          {"log", std::move(log)}};
}

std::string ChessGame::describe(const StateBlock& block, const Viewer&) const {
  const Engine engine = this->engine(block);
  std::string out;
  for (int rank = board_ranks - 1; rank >= 0; --rank) out += rank_text(engine, rank) + "\n";
  out += board_ranks > 9 ? "   " : "  ";
  for (int file = 0; file < board_files; ++file) out += {' ', static_cast<char>('a' + file)};
  out += '\n';
  out += attribute_lines(engine);
  std::string rules;
  for (const rules::Activation& rule : engine.active_presets())
    if (rule.id != room_for_rules)
      rules += (rules.empty() ? "" : ", ") + rules::to_text(rule, seat_names());
  if (!rules.empty()) out += fmt::format("rules: {}\n", rules);
  out += last_moves(engine, history(block).records());
  if (position(block).result == Result::ongoing)
    out += fmt::format("{} to move{}\n", side_name(engine.turn()),
                       engine.in_check(engine.turn()) ? ", in check" : "");
  else
    out += fmt::format("{}\n", position(block).reason.data());
  return out + to_fen(engine) + "\n";
}

}  // namespace parlor::chess::inline PARLOR_BOARD
