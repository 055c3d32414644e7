#include <algorithm>
#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/evaluate.h"
#include "chess/notation.h"
#include "chess/telling.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// Of what the game begins with. Rules that only could be switched on count where they are not
// Parlor's own, so that a state outlives new rules on the shelf.
std::uint64_t fingerprint_of(const Rulebook& book, const std::vector<rules::Activation>& rules,
                             const std::string& fen, bool ruled) {
  std::uint64_t out = hash_text(fen, ruled ? 1 : 0);
  for (const rules::Activation& rule : rules)
    out = hash_combine(out, hash_text(rules::to_text(rule, seat_names())));
  for (std::size_t i = 0; i < book.preset_count(); ++i) {
    const Preset& preset = book.preset(i);
    const rules::Module& module = preset.module;
    const bool active = std::ranges::any_of(
        rules, [&](const rules::Activation& rule) { return rule.id == module.id; });
    if (active || standard_rulebook().find_preset(module.id) == nullptr)
      out = hash_combine(out, hash_text(module.id + "@" + module.version));
  }
  return out;
}

// FIDE writes the en-passant square after every double step; it only counts if a pawn can take.
void drop_idle_en_passant(Board& board) {
  if (board.ep != no_square && en_passant_takers(board, board.turn) == 0)
    board.set_en_passant(no_square, no_square);
}

bool other_in_check(const Rulebook& book, const Board& board) {
  Position position{};
  position.board = board;
  return Engine::viewing(book, position, false).in_check(other(board.turn));
}

Json parameters_json(const Preset& preset, const Rulebook& book) {
  Json out = Json::array();
  for (const Parameter& parameter : preset.parameters) {
    Json entry{{"name", parameter.name}, {"help", parameter.help}};
    if (parameter.kind == Parameter::Kind::number) {
      entry["default"] = parameter.fallback;
      entry["low"] = parameter.low;
      entry["high"] = parameter.high;
    } else {
      entry["default"] = book.parameter_text(parameter, parameter.fallback);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

// On other boards than 8×8 the rule that belongs to the board is always in force: it says what
// pawns become.
void add_home_rule(std::vector<rules::Activation>& rules) {
  if constexpr (one_word) return;
  const std::string& home = named_layouts().front().rules;
  if (std::ranges::find(rules, home, &rules::Activation::id) == rules.end())
    rules.insert(rules.begin(), {home});
}

void add_options(const Position& position, const MoveList& moves, OptionList& out) {
  auto slots = out.grow(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) slots[i] = Option{moves[i].bits};
  if (claimable(position)) out.add(Option{Move::claim_draw().bits});
}

Diagnostic fen_problem(std::string message) {
  return {.code = Code::CHESS_FEN_INVALID, .message = "FEN: " + std::move(message)};
}

}  // namespace

tl::expected<std::shared_ptr<const ChessGame>, Diagnostics> ChessGame::open(ChessConfig config) {
  std::shared_ptr<ChessGame> game(new ChessGame);
  game->owned_ = config.book;
  game->book_ = config.book ? config.book.get() : &standard_rulebook();
  game->rules_ = std::move(config.rules);
  add_home_rule(game->rules_);
  game->hints_ = std::move(config.hints);
  game->ruled_ = config.house_rules || !game->rules_.empty();
  Diagnostics problems = game->book_->check(game->rules_);

  const std::string fen = config.fen.empty() ? named_layouts().front().fen : config.fen;
  auto board =
      parse_fen(fen, *game->book_, game->ruled_ ? EndRankPawns::welcome : EndRankPawns::refused,
                &game->extras_);
  if (!board)
    problems.add(fen_problem(board.error()));
  else if (!game->ruled_ && other_in_check(*game->book_, *board))
    problems.add(fen_problem(
        fmt::format("{} is in check and it is not their turn", side_name(other(board->turn)))));
  if (problems.has_errors()) return tl::unexpected(std::move(problems));

  if (!game->ruled_) drop_idle_en_passant(*board);
  game->start_ = *board;
  game->fen_ = to_fen(*board, *game->book_, game->extras_);
  game->log_offset_ = game->ruled_
                          ? ruled_size(game->book_->attributes().size(), game->book_->state_bytes())
                          : plain_size;
  game->describe_rules();
  game->list_tensor_parts();
  if (game->extras_.empty()) return game;
  // Only the rules know whether the rest of a FEN makes sense.
  StateBlock trial;
  if (auto done = game->init(trial, 0); !done) {
    problems.add({.code = Code::CHESS_FEN_INVALID, .message = done.error().message});
    return tl::unexpected(std::move(problems));
  }
  return game;
}

void ChessGame::describe_rules() {
  info_.id = "chess";
  info_.name = "Chess";
  info_.description = "FIDE chess, with any number of house rules on top.";
  info_.seats = seat_names();
  info_.actions = {"move", "claim-draw", "pass", "drop"};
  for (const rules::Activation& rule : rules_)
    info_.rules.push_back(rules::to_text(rule, seat_names()));
  info_.fingerprint = fingerprint_of(*book_, rules_, fen_, ruled_);
}

Applied ChessGame::init(StateBlock& block, Seed) const {
  block.resize(log_offset_);
  auto& position = block.as<Position>();
  position.board = start_;
  position.repetitions = 1;
  seat_pieces(position);
  Engine engine(*book_, position, ruled_);
  engine.refresh();
  if (ruled_)
    if (auto done = engine.set_active_presets(rules_); !done)
      return tl::unexpected(Rejection{Code::INTERNAL, done.error().all().front().message});
  if (auto read = engine.read_extras(extras_); !read)
    return tl::unexpected(Rejection{Code::CHESS_FEN_INVALID, "FEN: " + read.error()});
  engine.find_result(nullptr);
  append_record(block, {.hash = engine.key()}, "");
  return {};
}

tl::expected<void, Diagnostics> ChessGame::set_active_presets(
    StateBlock& block, std::span<const rules::Activation> set) const {
  auto& position = block.as<Position>();
  if (position.result != Result::ongoing) {
    Diagnostics problems;
    problems.add({.code = Code::GAME_FINISHED, .message = "the game is over"});
    return tl::unexpected(std::move(problems));
  }
  Engine engine(*book_, position, ruled_);
  const std::uint64_t before = engine.key();
  if (auto done = engine.set_active_presets(set); !done) return done;
  if (engine.key() == before) return {};
  const History past = history(block);
  engine.find_result(&past);
  LogFooter footer{.hash = engine.key(), .move = Move{0, 0, MoveKind::rules}.bits};
  footer.side = position.board.turn;
  std::vector<std::string> names;
  for (const rules::Activation& rule : set) names.push_back(rules::to_text(rule, seat_names()));
  append_record(block, footer, join_effects(names));
  return {};
}

std::vector<std::string> ChessGame::rules_in_force(const StateBlock& block) const {
  std::vector<std::string> out;
  for (const rules::Activation& rule : engine(block).active_presets())
    if (rule.id != room_for_rules) out.push_back(rules::to_text(rule, seat_names()));
  return out;
}

Applied ChessGame::set_rules(StateBlock& block, std::span<const std::string> rules) const {
  if (!ruled_)
    return tl::unexpected(
        Rejection{Code::CHESS_PLAIN_GAME, "this game was opened without room for house rules"});
  // Everything that is wrong, with the first one's code.
  const auto refused = [](const Diagnostics& all) {
    const Diagnostic& first = all.all().front();
    std::string message;
    for (const Diagnostic& d : all.all()) message += (message.empty() ? "" : "; ") + d.message;
    Json details = Json::object();
    if (!first.alternatives.empty()) details["alternatives"] = first.alternatives;
    return tl::unexpected(Rejection{first.code, std::move(message), std::move(details)});
  };
  Diagnostics problems;
  std::vector<rules::Activation> set;
  for (const std::string& text : rules) {
    auto rule = rules::parse_activation(text, seat_names());
    if (rule)
      set.push_back(std::move(*rule));
    else
      problems.add(std::move(rule.error()));
  }
  if (problems.has_errors()) return refused(problems);
  if (auto done = set_active_presets(block, set); !done) return refused(done.error());
  return {};
}

Decision ChessGame::decision(const StateBlock& block) const {
  const Position& p = position(block);
  if (p.result != Result::ongoing) return {};
  return {DecisionKind::action, PlayerId{p.board.turn}, true};
}

void ChessGame::list_options(const StateBlock& block, OptionList& out) const {
  if (position(block).result != Result::ongoing) return;
  MoveList moves;
  engine(block).legal_moves(moves);
  add_options(position(block), moves, out);
}

Applied ChessGame::apply(StateBlock& block, Option option, EventListener* listener) const {
  return carry_out(block, option, listener, nullptr);
}

Applied ChessGame::apply_and_list(StateBlock& block, Option option, EventListener* listener,
                                  OptionList& next) const {
  if (ruled_) return Game::apply_and_list(block, option, listener, next);
  next.clear();
  MoveList moves;
  Applied done = carry_out(block, option, listener, &moves);
  if (const Position& p = position(block); done && p.result == Result::ongoing)
    add_options(p, moves, next);
  return done;
}

Applied ChessGame::carry_out(StateBlock& block, Option option, EventListener* listener,
                             MoveList* next) const {
  auto& p = block.as<Position>();
  const Move move{static_cast<std::uint32_t>(option.id)};
  if (listener != nullptr && listener->only_remarks()) listener = nullptr;  // there are none
  std::optional<MoveTeller> teller;
  if (listener != nullptr) teller.emplace(*listener);
  const StateBlock before = listener != nullptr ? block : StateBlock{};
  Engine engine(*book_, p, ruled_, teller ? &*teller : nullptr);
  LogFooter footer{.hash = 0, .move = move.bits, .side = p.board.turn};
  std::vector<std::string> effects;
  if (move.kind() == MoveKind::claim_draw) {
    engine.claim_draw();
  } else {
    const History past = history(block);
    auto event = engine.apply(move, &past, Engine::Purpose::full, next);
    if (!event) return tl::unexpected(std::move(event.error()));
    footer.moved = event->piece.type;
    footer.captured = event->target.type;
    footer.promotion = event->promoted ? move.promotion() : no_type;
    effects = std::move(event->effects);
  }
  footer.hash = engine.key();
  append_record(block, footer, effects.empty() ? std::string{} : join_effects(effects));
  if (teller) tell(*teller, before, option, block, effects);
  return {};
}

Outcome ChessGame::outcome(const StateBlock& block) const {
  const Position& p = position(block);
  Outcome out;
  out.returns.resize(2);
  returns(block, out.returns);
  if (p.result == Result::white_wins) out.winners = {PlayerId{0}};
  if (p.result == Result::black_wins) out.winners = {PlayerId{1}};
  out.reason = p.reason.data();
  return out;
}

void ChessGame::returns(const StateBlock& block, std::span<std::int64_t> out) const {
  const Result result = position(block).result;
  const int white_return = result == Result::white_wins ? 1 : result == Result::black_wins ? -1 : 0;
  out[0] = white_return;
  out[1] = -white_return;
}

bool ChessGame::standing(const StateBlock& block, std::span<std::int64_t> out) const {
  const Engine here = engine(block);
  const std::int64_t balance = here.turn() == white ? evaluate(here) : -evaluate(here);
  out[0] = balance;
  out[1] = -balance;
  return true;
}

std::uint64_t ChessGame::hash(const StateBlock& block) const {
  const Position& p = position(block);
  return p.result == Result::ongoing ? engine(block).key() : hash_combine(engine(block).key(), 1);
}

std::string ChessGame::option_text(const StateBlock& block, Option option, const Viewer&) const {
  return to_uci(engine(block), Move{static_cast<std::uint32_t>(option.id)});
}

Json ChessGame::option_json(const StateBlock&, Option option, const Viewer&) const {
  const Move move{static_cast<std::uint32_t>(option.id)};
  if (move.kind() == MoveKind::claim_draw)
    return {{"action", "claim-draw"}, {"params", Json::object()}};
  if (move.kind() == MoveKind::pass) return {{"action", "pass"}, {"params", Json::object()}};
  if (move.kind() == MoveKind::drop)
    return {
        {"action", "drop"},
        {"params", {{"piece", book_->type(move.promotion()).id}, {"to", square_name(move.to())}}}};
  Json params{{"from", square_name(move.from())}, {"to", square_name(written_target(move))}};
  if (move.promotion() != no_type) params["promotion"] = book_->type(move.promotion()).id;
  return {{"action", "move"}, {"params", std::move(params)}};
}

std::vector<HookPoint> ChessGame::hook_points() const {
  return {
#define CHESS_HOOK(name, scope, help) {#name, help},
#include "rules/hooks.def"
  };
}

std::vector<OfferedRule> ChessGame::offered_rules() const {
  std::vector<OfferedRule> out;
  for (std::size_t i = 0; i < book_->preset_count(); ++i) {
    const Preset& preset = book_->preset(i);
    OfferedRule rule;
    rule.id = preset.module.id;
    rule.name = preset.module.name;
    rule.description = preset.module.description;
    rule.category = preset.module.category;
    rule.needs = preset.module.requires_ids;
    rule.incompatible_with = preset.module.incompatible_with;
    Json attributes = Json::array();
    for (const Attribute& attribute : preset.attributes) attributes.push_back(attribute.name);
    rule.details = {{"version", preset.module.version}, {"attributes", std::move(attributes)}};
    if (!preset.layout.empty()) rule.details["layout"] = preset.layout;
    if (!preset.parameters.empty()) rule.details["parameters"] = parameters_json(preset, *book_);
    out.push_back(std::move(rule));
  }
  return out;
}

std::optional<std::uint64_t> ChessGame::count_moves(const StateBlock& block, int depth) const {
  return engine(block).perft(depth);
}

std::optional<std::vector<CountedMove>> ChessGame::count_by_move(const StateBlock& block,
                                                                 int depth) const {
  const Engine from = engine(block);
  std::vector<CountedMove> out;
  for (const auto& [move, nodes] : from.divide(depth)) out.push_back({to_uci(from, move), nodes});
  return out;
}

std::vector<std::string> ChessGame::moves_made(const StateBlock& block) const {
  std::vector<std::string> out;
  for (const MoveRecord& record : history(block).records())
    if (record.moved != no_type) out.push_back(to_uci(engine(block), record.move));
  return out;
}

std::string ChessGame::write_move(const StateBlock& block, Option option, bool takes_rook) const {
  const Move move{static_cast<std::uint32_t>(option.id)};
  if (takes_rook && move.kind() == MoveKind::castling)
    return square_name(move.from()) + square_name(move.to());
  return to_uci(engine(block), move);
}

}  // namespace parlor::chess::inline PARLOR_BOARD
