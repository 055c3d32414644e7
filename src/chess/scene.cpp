// Chess for those who draw it: squares are zones, pieces tokens, and what a move did is told in the
// words of all games.
#include "game/scene.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "chess/chess.h"
#include "chess/notation.h"
#include "chess/telling.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

std::string hand_of(Side side) {
  return fmt::format("hand:{}", static_cast<int>(side));
}

Json token_json(const std::string& id, const TypeInfo& type, Side side, Json props, Json badges) {
  return {{"id", id},
          {"type", type.id},
          {"props", std::move(props)},
          {"look",
           {{"label", fmt::format("{} {}", side_name(side), type.id)},
            {"face", type.symbols[side]},
            {"asset", type.assets[side]},
            {"seat", static_cast<int>(side)},
            {"badges", std::move(badges)}}}};
}

Json board_token(const Engine& engine, const Piece& piece) {
  const TypeInfo& type = engine.book().type(piece.type);
  Json props{{"colour", side_name(piece.side)}}, badges = Json::array();
  for (std::size_t column = 0; column < engine.book().attributes().size(); ++column)
    if (engine.has_attribute(piece, column)) {
      const std::string& name = engine.book().attributes()[column].name;
      props[name] = engine.attribute(piece, column);
      badges.push_back(fmt::format("{} {}", name, engine.attribute(piece, column)));
    }
  return token_json(token_name(piece.id), type, piece.side, std::move(props), std::move(badges));
}

bool has_hands(const Engine& engine) {
  bool out = false;
  engine.each_active(
      [&](const Preset& preset) { out = out || preset.fen.where == FenPart::Where::holdings; });
  return out;
}

// The pieces in hand, from the letters that a FEN has for them.
void add_hands(const Engine& engine, Json& zones) {
  if (!has_hands(engine)) return;
  for (const Side side : both_sides) zones[hand_of(side)] = Json::array();
  const std::string fen = to_fen(engine);
  const auto open = fen.find('['), close = fen.find(']');
  if (open == std::string::npos || close == std::string::npos) return;
  std::map<char, int> numbers;
  for (const char letter : fen.substr(open + 1, close - open - 1)) {
    const Side side = letter >= 'a' ? black : white;
    const PieceType type = engine.book().type_by_letter(letter);
    if (type == no_type) continue;
    // Alike pieces in hand are one as good as the other: the last one goes first.
    const std::string id = fmt::format("held_{}_{}", letter, 32 * numbers[letter]++ + type);
    zones[hand_of(side)].push_back(token_json(id, engine.book().type(type), side,
                                              {{"colour", side_name(side)}}, Json::array()));
  }
  const auto number = [](const Json& token) {
    const std::string id = token["id"].get<std::string>();
    return std::stoll(id.substr(id.find_last_not_of("0123456789") + 1));
  };
  for (const Side side : both_sides) {
    Json& held = zones[hand_of(side)];
    std::stable_sort(held.begin(), held.end(),
                     [&](const Json& x, const Json& y) { return number(x) < number(y); });
  }
}

// Where every token is, and as what.
struct Standing {
  std::string zone;
  Json token;
};
std::map<std::string, Standing> tokens_on(const Json& stage) {
  std::map<std::string, Standing> out;
  for (const auto& [zone, content] : stage["zones"].items())
    for (const Json& token : content["tokens"]) out[token["id"].get<std::string>()] = {zone, token};
  return out;
}

// Compares two stages of one game and tells what is different, the moved piece first.
class Difference {
 public:
  Difference(MoveTeller& teller, const Json& before, const Json& after)
      : teller_(teller),
        before_(before),
        after_(after),
        old_(tokens_on(before)),
        now_(tokens_on(after)) {}

  // Also the way of those who did not survive it.
  void tell_moves(const std::string& first_from) {
    for (const bool first : {true, false})
      for (const auto& [id, old] : old_) {
        const auto now = now_.find(id);
        const std::string to = now != now_.end() ? now->second.zone : teller_.died_at(id);
        if (to.empty() || to == old.zone || (old.zone == first_from) != first) continue;
        teller_.tell(
            "tokenMoved",
            Json{{"token", id}, {"type", old.token["type"]}, {"from", old.zone}, {"to", to}});
      }
  }
  bool was_there(const std::string& token) const { return old_.contains(token); }
  void tell_lives() {
    for (const auto& [id, old] : old_)
      if (!now_.contains(id) && !teller_.told_gone(id))
        teller_.tell("tokenDestroyed",
                     Json{{"token", id}, {"type", old.token["type"]}, {"from", old.zone}});
    for (const auto& [id, now] : now_)
      if (!old_.contains(id))
        teller_.tell("tokenCreated",
                     Json{{"token", id}, {"type", now.token["type"]}, {"to", now.zone}});
  }
  void tell_changes() {
    for (const auto& [id, now] : now_) {
      const auto old = old_.find(id);
      if (old == old_.end() || old->second.token == now.token) continue;
      change(id, "type", old->second.token["type"], now.token["type"]);
      Json names = old->second.token["props"];
      names.update(now.token["props"]);
      for (const auto& [name, value] : names.items())
        change(id, name, old->second.token["props"].value(name, Json(nullptr)),
               now.token["props"].value(name, Json(nullptr)));
    }
  }
  void tell_variables() {
    for (const auto& [name, value] : after_["globals"].items())
      variable("global", name, before_["globals"][name], value, nullptr);
    for (std::size_t i = 0; i < after_["players"].size(); ++i)
      for (const auto& [name, value] : after_["players"][i].items())
        variable("perPlayer", name, before_["players"][i][name], value, i);
  }

 private:
  void change(const std::string& token, const std::string& prop, const Json& old, const Json& now) {
    if (old == now) return;
    teller_.tell("tokenChanged",
                 Json{{"token", token}, {"prop", prop}, {"old", old}, {"new", now}});
  }
  void variable(const char* scope, const std::string& name, const Json& old, const Json& now,
                const Json& player) {
    if (old == now) return;
    Json data{{"scope", scope}, {"var", name}, {"old", old}, {"new", now}};
    if (!player.is_null()) data["player"] = player;
    teller_.tell("varChanged", std::move(data));
  }

  MoveTeller& teller_;
  const Json& before_;
  const Json& after_;
  std::map<std::string, Standing> old_, now_;
};

Json variable_json(const char* name, const char* label, const char* type, int max, bool show) {
  return {{"name", name}, {"label", label}, {"type", type},
          {"min", 0},     {"max", max},     {"show", show}};
}

Json board_scene() {
  Json cells = Json::array();
  Json columns = Json::array(), rows = Json::array();
  for (int file = 0; file < board_files; ++file)
    columns.push_back(std::string(1, static_cast<char>('a' + file)));
  for (int rank = board_ranks; rank > 0; --rank) rows.push_back(std::to_string(rank));
  for (int rank = board_ranks - 1; rank >= 0; --rank)
    for (int file = 0; file < board_files; ++file)
      cells.push_back({{"zone", square_name(square_at(file, rank))},
                       {"row", board_ranks - 1 - rank},
                       {"col", file},
                       {"x", file * scene_unit},
                       {"y", (board_ranks - 1 - rank) * scene_unit},
                       {"label", square_name(square_at(file, rank))},
                       {"shade", (file + rank + 1) & 1},
                       {"tags", Json::array()}});
  return {{"id", "main"},
          {"shape", "square"},
          {"style", "checker"},
          {"flipFor", Json::array({1})},
          {"cells", std::move(cells)},
          {"edges", Json::array()},
          {"coordinates", {{"columns", std::move(columns)}, {"rows", std::move(rows)}}},
          {"background", nullptr}};
}

// A move for people who read or hear it: "pawn e7 takes d8 becoming queen". Terminals say e7d8q.
std::string move_words(const Engine& here, Move move) {
  if (move.kind() == MoveKind::claim_draw) return "claim a draw";
  if (move.kind() == MoveKind::pass) return "pass";
  if (move.kind() == MoveKind::drop)
    return fmt::format("{} to {}", here.book().type(move.promotion()).id, square_name(move.to()));
  const Piece piece = here.piece_at(move.from());
  std::string out = fmt::format(
      "{} {} {} {}", here.book().type(piece.type).id, square_name(move.from()),
      here.piece_at(written_target(move)) ? "takes" : "to", square_name(written_target(move)));
  if (move.kind() == MoveKind::castling) out = fmt::format("castle {}", to_uci(here, move));
  if (move.kind() == MoveKind::en_passant) out += " en passant";
  if (move.promotion() != no_type)
    out += fmt::format(" becoming {}", here.book().type(move.promotion()).id);
  return out;
}

}  // namespace

Json ChessGame::scene() const {
  Json tokens = Json::object(), areas = Json::array();
  for (std::size_t t = 1; t < book_->type_count(); ++t) {
    const TypeInfo& type = book_->type(static_cast<PieceType>(t));
    tokens[type.id] = {{"shape", "piece"},
                       {"label", type.name.empty() ? type.id : type.name},
                       {"colorBy", {{"seat", "colour"}}},
                       {"glyph", nullptr},
                       {"assets", {type.assets[white], type.assets[black]}},
                       {"back", nullptr},
                       {"z", 1}};
  }
  StateBlock block;
  if (init(block, 0) && has_hands(engine(block)))
    for (const Side side : both_sides)
      areas.push_back({{"id", hand_of(side)},
                       {"title", fmt::format("hand of {}", side_name(side))},
                       {"name", "hand"},
                       {"layout", "tray"},
                       {"owner", static_cast<int>(side)},
                       {"visibility", "public"},
                       {"order", "set"},
                       {"place", "seat"}});
  const auto action = [](const char* id, std::initializer_list<const char*> squares) {
    Json params = Json::array();
    for (const char* name : squares) params.push_back({{"name", name}, {"kind", "zone"}});
    return Json{{"id", id}, {"label", id}, {"params", std::move(params)}};
  };
  return {
      {"boards", Json::array({board_scene()})},
      {"areas", std::move(areas)},
      {"tokens", std::move(tokens)},
      {"variables",
       {{"globals",
         {variable_json("clock", "moves without progress", "int", 150, false),
          variable_json("halfMoves", "moves of this turn", "int", 255, false),
          variable_json("repetitions", "times this position stood", "int", 255, false)}},
        {"players",
         {variable_json("inCheck", "in check", "bool", 1, true),
          variable_json("pieces", "pieces", "int", board_squares, false)}},
        {"zones", Json::array()}}},
      {"markers", Json::array()},
      {"actions",
       {action("move", {"from", "to"}), action("claim-draw", {}), action("pass", {}),
        action("drop", {"to"})}},
      {"phases", {{{"id", "play"}, {"label", "play"}}, {{"id", "finished"}, {"label", "over"}}}},
      {"directions", Json::array()}};
}

Json ChessGame::stage(const StateBlock& block, const Viewer&) const {
  const Engine engine = this->engine(block);
  const Board& board = engine.board();
  Json found = Json::object(), zones = Json::object();
  for (Square square = 0; square < board_squares; ++square) {
    found[square_name(square)] = Json::array();
    if (const Piece piece = engine.piece_at(square))
      found[square_name(square)].push_back(board_token(engine, piece));
  }
  add_hands(engine, found);
  for (const auto& [zone, tokens] : found.items())
    zones[zone] = {{"count", tokens.size()}, {"tokens", tokens}};
  Json players = Json::array(), active = Json::array();
  for (const Side side : both_sides)
    players.push_back({{"inCheck", engine.in_check(side)}, {"pieces", count(board.of(side))}});
  for (const rules::Activation& rule : engine.active_presets())
    active.push_back({{"effect", rules::to_text(rule, seat_names())}});
  return {{"phase", position(block).result == Result::ongoing ? "play" : "finished"},
          {"turn", history(block).records().size()},
          {"round", board.full_move},
          {"active", static_cast<int>(board.turn)},
          {"globals",
           {{"clock", board.clock},
            {"halfMoves", engine.half_moves()},
            {"repetitions", position(block).repetitions}}},
          {"players", std::move(players)},
          {"zones", std::move(zones)},
          {"zoneVars", Json::object()},
          {"markers", Json::object()},
          {"globalMarkers", Json::object()},
          {"effects", std::move(active)}};
}

Json ChessGame::option_parts(const StateBlock& block, Option option, const Viewer& viewer) const {
  const Json json = option_json(block, option, viewer);
  Json out{{"action", json["action"]},
           {"refs", Json::array()},
           {"label", move_words(engine(block), Move{static_cast<std::uint32_t>(option.id)})}};
  for (const auto& [name, value] : json["params"].items()) {
    const bool square = name == "from" || name == "to";
    out["refs"].push_back(
        {{"p", name}, {"kind", square ? "zone" : "type"}, {square ? "zone" : "type", value}});
  }
  if (json["action"] == "move") {
    out["from"] = {{"zone", json["params"]["from"]}};
    out["to"] = {{"zone", json["params"]["to"]}};
    if (const Piece piece =
            engine(block).piece_at(Move{static_cast<std::uint32_t>(option.id)}.from()))
      out["from"]["token"] = token_name(piece.id);
  }
  if (json["action"] == "drop") {
    const Side side = engine(block).turn();
    out["from"] = {{"zone", hand_of(side)}, {"type", json["params"]["piece"]}};
    out["to"] = {{"zone", json["params"]["to"]}};
  }
  return out;
}

void ChessGame::tell(MoveTeller& teller, const StateBlock& before, Option option,
                     const StateBlock& after, const std::vector<std::string>& effects) const {
  const Viewer all = Viewer::everything();
  const Json json = option_json(before, option, all);
  const int player = static_cast<int>(position(before).board.turn);
  const Json was = stage(before, all), is = stage(after, all);
  Difference difference(teller, was, is);
  teller.tell("action",
              Json{{"action", json["action"]}, {"player", player}, {"params", json["params"]}});
  difference.tell_moves(json["params"].value("from", ""));
  teller.tell_heard([&](const std::string& token) { return difference.was_there(token); });
  difference.tell_lives();
  difference.tell_changes();
  difference.tell_variables();
  for (const std::string& effect : effects) teller.tell("note", Json{{"text", effect}});
  if (position(after).result != Result::ongoing) {
    Json data{{"reason", position(after).reason.data()}};
    if (const Outcome end = outcome(after); !end.winners.empty())
      data["winner"] = end.winners.front().value;
    teller.tell("finished", std::move(data));
  } else if (was["active"] != is["active"]) {
    teller.tell("turnStarted",
                Json{{"turn", is["turn"]}, {"round", is["round"]}, {"player", is["active"]}});
  }
}

}  // namespace parlor::chess::inline PARLOR_BOARD
