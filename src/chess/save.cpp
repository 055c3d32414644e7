// Chess states as JSON and back. Version 3. Older ones are migrated on load: version 2 knew no
// switches of rules in the log and only whole numbers as preset state, version 1 had presets as
// texts, no half-moves and no record of lost royals. A damaged save is refused: everything that
// follows from something else in it is worked out again and compared.
#include <algorithm>
#include <charconv>
#include <fmt/core.h>

#include "chess/chess.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr int save_version = 3;
constexpr std::array<std::string_view, 4> result_names{"ongoing", "white", "black", "draw"};

struct Damaged {
  std::string what;
};

// Readers that throw `Damaged`; load_block turns it into a Rejection at the edge.
const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key))
    throw Damaged{fmt::format("`{}` is missing", key)};
  return object[key];
}
std::int64_t integer(const Json& value, std::int64_t low, std::int64_t high, const char* what) {
  if (!value.is_number_integer()) throw Damaged{fmt::format("`{}` is not a whole number", what)};
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) throw Damaged{fmt::format("`{}` is out of range", what)};
  return number;
}
std::string text(const Json& value, const char* what) {
  if (!value.is_string()) throw Damaged{fmt::format("`{}` is not a text", what)};
  return value.get<std::string>();
}
const Json& list(const Json& value, const char* what) {
  if (!value.is_array()) throw Damaged{fmt::format("`{}` is not a list", what)};
  return value;
}
Square square(const Json& value, const char* what) {
  const Square out = parse_square(text(value, what));
  if (out == no_square) throw Damaged{fmt::format("`{}` is not a square", what)};
  return out;
}
std::uint64_t hash_value(const Json& value) {
  const std::string digits = text(value, "hash");
  std::uint64_t out = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, 16);
  if (digits.size() != 16 || failure != std::errc{} || end != digits.data() + digits.size())
    throw Damaged{"`hash` is not a hash"};
  return out;
}

Json castling_json(const Board& board) {
  Json out = Json::array();
  for (const Side side : both_sides)
    for (const Wing wing : {Wing::king_side, Wing::queen_side})
      if (board.can_castle(side, wing))
        out.push_back({{"king", square_name(board.castle_king[side])},
                       {"rook", square_name(board.castle_rook[castle_index(side, wing)])}});
  return out;
}

void load_castling(const Json& saved, Board& board) {
  for (const Json& entry : list(saved, "castling")) {
    const Square king_square = square(member(entry, "king"), "king");
    const Square rook_square = square(member(entry, "rook"), "rook");
    if (board.empty(king_square) || board.empty(rook_square) || king_square == rook_square ||
        board.side_on(king_square) != board.side_on(rook_square))
      throw Damaged{"`castling` names empty squares"};
    const Side side = board.side_on(king_square);
    const int home = first_rank_of(side);
    const Wing wing = rook_square > king_square ? Wing::king_side : Wing::queen_side;
    if (rank_of(king_square) != home || rank_of(rook_square) != home ||
        board.can_castle(side, wing) ||
        (board.castle_king[side] != no_square && board.castle_king[side] != king_square))
      throw Damaged{"`castling` cannot be"};
    board.grant_castling(side, wing, king_square, rook_square);
  }
}

Board load_board(const Json& saved, const Rulebook& book, bool ruled) {
  const std::string fen = text(member(saved, "fen"), "fen");
  // Castling is read from its own member: with several kings the letters alone do not say who.
  std::string without;
  int field = 0;
  for (const char c : fen) {
    if (c == ' ' && ++field == 2) without += " -";
    if (field != 2) without += c;
  }
  auto board = parse_fen(without, book, ruled ? EndRankPawns::welcome : EndRankPawns::refused);
  if (!board) throw Damaged{board.error()};
  load_castling(member(saved, "castling"), *board);
  if (to_fen(*board, book) != fen) throw Damaged{"`fen` and `castling` do not fit"};
  return *board;
}

void load_pieces(const Json& saved, const Rulebook& book, bool ruled, Position& p) {
  p.next_id = static_cast<EntityId>(integer(member(saved, "nextId"), 0, 65535, "nextId"));
  for (const Json& entry : list(member(saved, "pieces"), "pieces")) {
    const Square at = square(member(entry, "square"), "square");
    const auto slot =
        static_cast<Slot>(integer(member(entry, "slot"), 0, board_squares - 1, "slot"));
    const auto id = static_cast<EntityId>(integer(member(entry, "id"), 1, 65535, "id"));
    if (p.board.empty(at) || p.id_of[slot] != 0 ||
        std::ranges::find(p.id_of, id) != p.id_of.end() || (p.next_id != 0 && id >= p.next_id))
      throw Damaged{"`pieces` do not fit the board"};
    const Slot seated = p.slot_on[at];
    if (p.id_of[seated] != 0 && p.square_of[seated] == at)
      throw Damaged{"two pieces share a square"};
    p.slot_on[at] = slot;
    p.square_of[slot] = at;
    p.id_of[slot] = id;
    if (!entry.contains("attributes")) continue;
    const Json& attributes = entry["attributes"];
    if (!attributes.is_object() || !ruled) throw Damaged{"`attributes` cannot be"};
    for (const auto& [name, value] : attributes.items()) {
      const auto column = book.find_attribute(name);
      if (!column || (p.dispatch.attributes >> *column & 1) == 0)
        throw Damaged{fmt::format("no active rule knows the attribute `{}`", name)};
      const Attribute& bounds = book.attributes()[*column];
      Engine(book, p, ruled)
          .set_attribute({id, slot, p.board.type_on(at), p.board.side_on(at), at}, *column,
                         static_cast<int>(integer(value, bounds.low, bounds.high, "attribute")));
    }
  }
  const auto seats = std::ranges::count_if(p.id_of, [](EntityId id) { return id != 0; });
  if (seats != count(p.board.occupied())) throw Damaged{"`pieces` do not fit the board"};
}

std::vector<rules::Activation> load_presets(const Json& saved) {
  std::vector<rules::Activation> out;
  for (const Json& entry : list(member(saved, "presets"), "presets")) {
    rules::Activation rule{text(member(entry, "id"), "id")};
    const auto scope = integer(member(entry, "scope"), 1, 3, "scope");
    if (scope != 3) rule.scope.seats = static_cast<std::uint16_t>(scope);
    if (const auto turns = integer(member(entry, "turns"), 0, 60000, "turns"); turns != 0)
      rule.turns = static_cast<std::uint32_t>(turns);
    out.push_back(std::move(rule));
  }
  return out;
}

// Without any hook being asked: what they did is in the save.
void restore_presets(const std::vector<rules::Activation>& presets, const Rulebook& book,
                     Position& p) {
  const Diagnostics problems = book.registry().check(presets);
  // A rule may have outlived one it needed, so only names are judged here.
  for (const Diagnostic& problem : problems.all())
    if (problem.code == Code::RULE_UNKNOWN || problem.code == Code::RULE_DUPLICATE)
      throw Damaged{problem.message};
  if (presets.size() > max_active) throw Damaged{"too many `presets`"};
  for (const rules::Activation& rule : presets)
    p.active[p.active_count++] = {static_cast<std::uint8_t>(*book.registry().index_of(rule.id)),
                                  static_cast<std::uint8_t>(rule.scope.seats & 3),
                                  static_cast<std::uint16_t>(rule.turns.value_or(0))};
}

void load_bag(const Json& saved, const Rulebook& book, Position& p) {
  const Json& bag = member(saved, "presetState");
  if (!bag.is_object()) throw Damaged{"`presetState` is not an object"};
  Bag room{p.tail.data() + book.attributes().size() * Position::column_bytes, p.bag_size,
           book.state_bytes()};
  for (const auto& [id, values] : bag.items()) {
    const auto index = book.registry().index_of(id);
    const bool active =
        index && std::ranges::any_of(std::span(p.active).first(p.active_count),
                                     [&](const ActivePreset& a) { return a.preset == *index; });
    if (!active || !values.is_object() || values.empty())
      throw Damaged{fmt::format("state of rule `{}`", id)};
    for (const auto& [key, value] : values.items())
      if (!room.set(static_cast<std::uint8_t>(*index), key, value))
        throw Damaged{fmt::format("state `{}` of rule `{}`", key, id)};
  }
}

void load_log(const Json& saved, const Rulebook& book, StateBlock& block) {
  const Json& log = list(member(saved, "log"), "log");
  for (const Json& entry : log) {
    const auto type = [&](const char* key) {
      return static_cast<std::uint8_t>(
          integer(member(entry, key), 0, static_cast<std::int64_t>(book.type_count()) - 1, key));
    };
    LogFooter footer{.hash = hash_value(member(entry, "hash"))};
    constexpr std::int64_t most = (std::int64_t{1} << (one_word ? 26 : 32)) - 1;
    footer.move = static_cast<std::uint32_t>(integer(member(entry, "move"), 0, most, "move"));
    const Move move{footer.move};
    const auto outside = [](Square square) { return static_cast<int>(square) >= board_squares; };
    if (move.kind() > MoveKind::drop || move.promotion() >= book.type_count() ||
        outside(move.from()) || outside(move.to()) || outside(move.victim()))
      throw Damaged{"`move` is none"};
    if (Move{footer.move}.kind() == MoveKind::claim_draw && &entry != &log.back())
      throw Damaged{"the game went on after a claimed draw"};
    footer.side = static_cast<std::uint8_t>(integer(member(entry, "side"), 0, 1, "side"));
    footer.moved = type("moved");
    footer.captured = type("captured");
    footer.promotion = type("promotion");
    std::vector<std::string> effects;
    for (const Json& effect : list(member(entry, "effects"), "effects")) {
      effects.push_back(text(effect, "effect"));
      if (effects.back().empty() || effects.back().find('\n') != std::string::npos)
        throw Damaged{"`effects`"};
    }
    append_record(block, footer, join_effects(effects));
  }
}

// Version 1 to 2.
void migrate_1(Json& saved) {
  Json presets = Json::array();
  for (const Json& entry : list(member(saved, "presets"), "presets")) {
    const auto rule = rules::parse_activation(text(entry, "preset"), seat_names());
    if (!rule) throw Damaged{rule.error().message};
    presets.push_back(
        {{"id", rule->id}, {"scope", rule->scope.seats & 3}, {"turns", rule->turns.value_or(0)}});
  }
  saved["presets"] = std::move(presets);
  saved["halfMoves"] = 0;
  saved["hadRoyals"] = nullptr;  // worked out from the position
}

Json migrated(Json saved) {
  const auto version = integer(member(saved, "version"), 1, 1'000'000, "version");
  if (version > save_version)
    throw Damaged{fmt::format("version {} of the format is newer than {}, the latest known here",
                              version, save_version)};
  if (version == 1) migrate_1(saved);
  return saved;
}

}  // namespace

Json ChessGame::save_block(const StateBlock& block) const {
  const Position& p = position(block);
  const Engine engine = this->engine(block);
  Json pieces = Json::array();
  for (const Square at : squares_of(p.board.occupied())) {
    const Piece piece = engine.piece_at(at);
    Json entry{{"id", piece.id}, {"slot", piece.slot}, {"square", square_name(at)}};
    Json attributes = Json::object();
    for (std::size_t column = 0; column < book_->attributes().size(); ++column)
      if (engine.has_attribute(piece, column))
        attributes[book_->attributes()[column].name] = engine.attribute(piece, column);
    if (!attributes.empty()) entry["attributes"] = std::move(attributes);
    pieces.push_back(std::move(entry));
  }
  Json presets = Json::array();
  Json state = Json::object();
  if (ruled_) {
    for (std::uint8_t i = 0; i < p.active_count; ++i)
      presets.push_back({{"id", book_->preset(p.active[i].preset).module.id},
                         {"scope", p.active[i].scope},
                         {"turns", p.active[i].turns}});
    engine.bag().each([&](std::uint8_t preset, std::string_view key, Json value) {
      state[book_->preset(preset).module.id][std::string(key)] = std::move(value);
    });
  }
  Json log = Json::array();
  for (const MoveRecord& record : history(block).records())
    log.push_back({{"move", record.move.bits},
                   {"side", static_cast<int>(record.side)},
                   {"moved", static_cast<int>(record.moved)},
                   {"captured", static_cast<int>(record.captured)},
                   {"promotion", static_cast<int>(record.promotion)},
                   {"effects", record.effects},
                   {"hash", fmt::format("{:016x}", record.hash)}});
  return {{"version", save_version},
          {"fen", to_fen(p.board, *book_)},
          {"castling", castling_json(p.board)},
          {"pieces", std::move(pieces)},
          {"nextId", p.next_id},
          {"halfMoves", p.half_moves},
          {"hadRoyals", p.had_royals},
          {"result", result_names[static_cast<std::size_t>(p.result)]},
          {"reason", p.reason.data()},
          {"presets", std::move(presets)},
          {"presetState", std::move(state)},
          {"log", std::move(log)}};
}

Applied ChessGame::load_block(const Json& given, StateBlock& block) const {
  try {
    const Json saved = migrated(given);
    block.resize(0);
    block.resize(log_offset_);
    auto& fresh = block.as<Position>();
    fresh.board = load_board(saved, *book_, ruled_);
    const auto presets = load_presets(saved);
    if (!ruled_ && !presets.empty()) throw Damaged{"`presets` in a game without house rules"};
    if (ruled_) restore_presets(presets, *book_, fresh);
    Engine(*book_, fresh, ruled_).refresh();  // which attributes are in use
    load_pieces(saved, *book_, ruled_, fresh);
    if (ruled_) load_bag(saved, *book_, fresh);
    fresh.half_moves = static_cast<std::uint8_t>(
        integer(member(saved, "halfMoves"), 0, ruled_ ? 255 : 0, "halfMoves"));
    Engine(*book_, fresh, ruled_).refresh();
    if (const Json& had = member(saved, "hadRoyals"); !had.is_null())
      fresh.had_royals |= static_cast<std::uint8_t>(integer(had, 0, 3, "hadRoyals"));
    load_log(saved, *book_, block);

    // What follows from the rest must agree with it.
    Engine engine(*book_, block.as<Position>(), ruled_);
    Position& p = block.as<Position>();
    History past = history(block);
    if (past.empty()) throw Damaged{"the log is empty"};
    // Up to version 2 a right to capture a pawn en passant that passed diagonally was not told
    // apart.
    if (member(saved, "version") < 3 && p.board.ep != no_square &&
        file_of(p.board.ep) != file_of(p.board.ep_victim))
      set_last_hash(block, engine.key());
    if (past.last_hash() != engine.key()) throw Damaged{"the log does not lead to the position"};
    // A claim is recorded after the position it was made in, which it does not change.
    const bool claimed = past.last_move().kind() == MoveKind::claim_draw;
    if (claimed) past = past.earlier();
    const History earlier = past.earlier();
    engine.find_result(&earlier);
    if (claimed && (!claimable(p) || past.empty() || past.last_hash() != engine.key()))
      throw Damaged{"no draw could be claimed"};
    if (claimed) engine.claim_draw();
    const std::string result = text(member(saved, "result"), "result");
    const std::string reason = text(member(saved, "reason"), "reason");
    if (result != result_names[static_cast<std::size_t>(p.result)] || reason != p.reason.data())
      throw Damaged{"the result does not fit the position"};
    return {};
  } catch (const Damaged& damage) {
    return tl::unexpected(Rejection{Code::STATE_INVALID, "damaged save: " + damage.what});
  }
}

}  // namespace parlor::chess::inline PARLOR_BOARD
