// Move application: the eleven steps of engine.h, and the result of the game.
#include <algorithm>
#include <utility>

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

void move_slot(Position& position, Square from, Square to) {
  const Slot slot = position.slot_on[from];
  position.slot_on[from] = 0;
  position.slot_on[to] = slot;
  position.square_of[slot] = to;
}

void free_slot_on(Position& position, Square square) {
  const Slot slot = position.slot_on[square];
  position.slot_on[square] = 0;
  position.square_of[slot] = 0;
  position.id_of[slot] = 0;
}

}  // namespace

void Engine::finish(Result result, std::string_view reason) {
  position_->result = result;
  position_->reason = {};
  std::copy_n(reason.begin(), std::min(reason.size(), position_->reason.size() - 1),
              position_->reason.begin());
}

// No preset has a say in what a move does: the board knows how to move, the entities follow.
void Engine::plain_apply(Move move, MoveEvent& event) {
  Position& p = *position_;
  event.landed = move.to();
  if (move.kind() == MoveKind::castling) {
    const Wing wing = wing_of(move);
    event.rook = piece_at(move.to());
    const Slot king_slot = p.slot_on[move.from()];
    const Slot rook_slot = p.slot_on[move.to()];
    p.slot_on[move.from()] = p.slot_on[move.to()] = 0;
    event.landed = castled_king(event.mover, wing);
    event.rook_landed = castled_rook(event.mover, wing);
    p.slot_on[event.landed] = king_slot;
    p.slot_on[event.rook_landed] = rook_slot;
    p.square_of[king_slot] = event.landed;
    p.square_of[rook_slot] = event.rook_landed;
  } else {
    const Square victim = move.kind() == MoveKind::en_passant ? move.victim() : move.to();
    if (!board().empty(victim)) {
      event.target = piece_at(victim);
      event.target_died = true;
      free_slot_on(p, victim);
    }
    move_slot(p, move.from(), move.to());
    event.promoted = move.promotion() != no_type;
  }
  make_move(p.board, move);
}

// ---- Steps 2 to 4

void Engine::resolve(Move move, MoveEvent& event) {
  event.landed = move.from();
  if (move.kind() == MoveKind::pass) return;
  if (move.kind() == MoveKind::castling) return castle(move, event);
  if (move.kind() == MoveKind::drop) {
    if (const auto born = spawn_piece(move.promotion(), event.mover, move.to()))
      event.piece = *born;
    event.landed = move.to();
    return;
  }
  event.target = piece_at(move.kind() == MoveKind::en_passant ? move.victim() : move.to());
  if (event.is_capture())
    capture(move, event);
  else
    land(move, event);
}

void Engine::capture(Move move, MoveEvent& event) {
  const bool consumed = ask(Hook::on_before_capture, event.mover, [&](const Hooks& hooks) {
    return hooks.on_before_capture(*this, {move, event.piece, event.target});
  });
  if (!consumed) deal_damage(event.target, 1, "capture", event.piece);
  event.target_died = !now(event.target);
  const Piece attacker = now(event.piece);  // a death rattle may have killed it
  event.landed = attacker ? attacker.square : no_square;
  if (!consumed && event.target_died && attacker && board().empty(move.to())) land(move, event);
}

void Engine::land(Move move, MoveEvent& event) {
  const Piece mover = now(event.piece);
  relocate(mover, move.to());
  event.landed = move.to();
  if (move.promotion() != no_type) {
    set_type(mover, move.promotion());
    event.promoted = true;
  }
}

void Engine::castle(Move move, MoveEvent& event) {
  const Wing wing = wing_of(move);
  event.rook = piece_at(move.to());
  event.landed = castled_king(event.mover, wing);
  event.rook_landed = castled_rook(event.mover, wing);
  Position& p = *position_;
  const Piece king_piece = event.piece;
  p.board.touch(bit(move.from()) | bit(move.to()));
  p.board.remove(move.from());
  p.board.remove(move.to());
  p.slot_on[move.from()] = p.slot_on[move.to()] = 0;
  p.board.put(event.landed, king_piece.type, event.mover);
  p.board.put(event.rook_landed, event.rook.type, event.mover);
  p.slot_on[event.landed] = king_piece.slot;
  p.slot_on[event.rook_landed] = event.rook.slot;
  p.square_of[king_piece.slot] = event.landed;
  p.square_of[event.rook.slot] = event.rook_landed;
}

// ---- Step 6

void Engine::pass_turn() {
  if (turn() == black) ++position_->board.full_move;
  position_->board.pass_turn();
  position_->half_moves = 0;
}

bool Engine::follow(const Engine& before, Move move) {
  if (ruled_) {
    before.copy_position(*position_);
    return apply(move, nullptr, Purpose::searching).has_value();
  }
  Position& p = *position_;
  p.board = before.board();
  p.had_royals = before.position().had_royals;
  p.half_moves = 0;
  p.result = Result::ongoing;
  make_move(p.board, move);
  // Legal moves lose no king, and no rule is asked: only dead draws end a game here.
  if (p.board.clock >= automatic_clock)
    finish(Result::draw, "seventy-five-moves");
  else if (insufficient_material(p.board))
    finish(Result::draw, "insufficient-material");
  return true;
}

void Engine::follow_pass(const Engine& before) {
  if (ruled_)
    before.copy_position(*position_);
  else
    position_->board = before.board();
  position_->result = Result::ongoing;
  position_->had_royals = before.position().had_royals;
  position_->board.set_en_passant(no_square, no_square);
  pass_turn();
}

// En-passant rights come only from the last half-move of a turn.
void Engine::end_turn(const MoveEvent& event, Purpose purpose) {
  const Move move = event.move;
  if (move.kind() == MoveKind::double_step && event.landed == move.to())
    position_->board.set_en_passant(passed_square(move.from(), move.to()), move.to());
  pass_turn();
  // A right nobody can use must not tell positions apart (FIDE 9.2.3).
  if (purpose <= Purpose::searching && board().ep != no_square && !en_passant_possible())
    position_->board.set_en_passant(no_square, no_square);
}

bool Engine::en_passant_possible() const {
  for (const Square square : squares_of(board().of(turn(), pawn))) {
    const MoveSet moves = piece_moves(piece_at(square));
    for (std::uint8_t i = 0; i < moves.special_count; ++i)
      if (moves.special[i].kind() == MoveKind::en_passant) return true;
  }
  return false;
}

void Engine::set_clock(const MoveEvent& event) {
  Board& b = position_->board;
  const bool quiet =
      !event.is_capture() && event.piece.type != pawn && event.move.kind() != MoveKind::drop;
  b.clock = quiet ? static_cast<std::uint16_t>(b.clock + 1) : 0;
}

tl::expected<MoveEvent, Rejection> Engine::apply(Move move, const History* history, Purpose purpose,
                                                 MoveList* next) {
  const bool stepwise = ruled_ && (position_->dispatch.pipeline != 0 ||
                                   move.kind() == MoveKind::pass || move.kind() == MoveKind::drop);
  if (!stepwise) {
    MoveEvent event = begin_event(move);
    plain_apply(move, event);
    if (ruled_) note_royals();
    find_result(history, purpose, next);
    return event;
  }
  // Only a real move has to leave everything as it was when it is refused; others are tried on
  // copies.
  if (purpose != Purpose::full) return apply_steps(move, history, purpose);
  Position saved;
  copy_position(saved);
  auto done = apply_steps(move, history, purpose);
  if (!done) restore(saved);
  return done;
}

MoveEvent Engine::begin_event(Move move) const {
  MoveEvent event;
  event.move = move;
  event.mover = turn();
  event.piece = piece_at(move.from());
  return event;
}

Rejection CancelAnswer::rejection() const {
  return Rejection(code.empty() ? std::string(code_name(Code::CHESS_MOVE_CANCELLED)) : code, reason,
                   {{"rule", rule}});
}

tl::expected<MoveEvent, Rejection> Engine::apply_steps(Move move, const History* history,
                                                       Purpose purpose) {
  MoveEvent event = begin_event(move);
  const Side mover = event.mover;
  CancelAnswer answer;
  const bool cancel = ask(Hook::on_before_move, mover, [&](const Hooks& hooks) {  // 1
    answer = hooks.on_before_move(*this, move);
    if (answer.cancel) answer.rule = self_id();
    return answer.cancel;
  });
  if (cancel) return tl::unexpected(answer.rejection());

  position_->board.set_en_passant(no_square, no_square);
  resolve(move, event);  // 2 to 4
  set_clock(event);

  ++position_->half_moves;                                                              // 5
  event.turn_passed = !ask(Hook::should_advance_turn, mover, [&](const Hooks& hooks) {  // 6
    return !hooks.should_advance_turn(*this, event, position_->half_moves);
  });
  if (event.turn_passed) end_turn(event, purpose);
  if (position_->dispatch.durations != 0) tick_durations();  // 7
  ask(Hook::on_after_move, mover, [&](const Hooks& hooks) {  // 8
    hooks.on_after_move(*this, event);
    return false;
  });
  // Nobody may be left who could use the extra move. Who only looks where a move leads need not
  // ask.
  if (!event.turn_passed && purpose != Purpose::probing && !has_legal_move()) {
    event.turn_passed = true;
    end_turn(event, purpose);
  }
  if (event.turn_passed)  // 9
    ask(Hook::on_turn_start, turn(), [&](const Hooks& hooks) {
      hooks.on_turn_start(*this, turn());
      return false;
    });
  if (!refusal_.empty())
    return tl::unexpected(Rejection{Code::CHESS_NO_ROOM, std::exchange(refusal_, {})});
  if (purpose == Purpose::probing) return event;
  note_royals();
  if (purpose != Purpose::counting) update_extra_key();
  find_result(history, purpose);  // 10
  if (purpose == Purpose::full)
    ask(Hook::describe_move_effect, mover, [&](const Hooks& hooks) {  // 11
      if (std::string text = hooks.describe_move_effect(*this, event); !text.empty())
        event.effects.push_back(std::move(text));
      return false;
    });
  return event;
}

// ---- Step 10

Verdict Engine::default_result(Purpose purpose, MoveList* next) const {
  // The side that has just moved is asked last: whoever takes the last royal wins.
  for (const Side side : {turn(), other(turn())})
    if ((position_->had_royals >> side & 1) != 0 && royals(side) == 0)
      return Verdict::win(other(side), "royals-lost");
  if (purpose != Purpose::counting && insufficient_material(board()) && by_fide_alone())
    return Verdict::draw("insufficient-material");
  if (purpose != Purpose::full) return Verdict::no_opinion();
  if (next != nullptr) legal_moves(*next);
  if (next != nullptr ? !next->empty() : has_legal_move()) return Verdict::no_opinion();
  if (in_check(turn())) return Verdict::win(other(turn()), "checkmate");
  return Verdict::draw("stalemate");
}

void Engine::find_result(const History* history, Purpose purpose, MoveList* next) {
  const bool full = purpose == Purpose::full;
  bool suppressed = false;
  Verdict verdict;
  ask(Hook::on_check_game_result, turn(), [&](const Hooks& hooks) {
    verdict = hooks.on_check_game_result(*this);
    suppressed = suppressed || verdict.kind == Verdict::Kind::ongoing;
    return verdict.kind == Verdict::Kind::terminal;
  });
  if (verdict.kind != Verdict::Kind::terminal) {
    if (!suppressed)
      verdict = default_result(purpose, ruled_ ? nullptr : next);
    else if (full && !has_legal_move())
      verdict = Verdict::draw("no-moves");
    else
      verdict = {};
  }
  // Draws that end every game in the end stay, whatever the presets say.
  if (full) {
    // In plain chess nothing before the last capture or pawn move can come back.
    const std::size_t window = ruled_ ? static_cast<std::size_t>(-1) : board().clock;
    const int seen = 1 + (history != nullptr ? history->occurrences(key(), window) : 0);
    position_->repetitions = static_cast<std::uint8_t>(std::min(seen, 255));
    if (verdict.kind == Verdict::Kind::none && seen >= 5)
      verdict = Verdict::draw("fivefold-repetition");
  }
  if (verdict.kind == Verdict::Kind::none && purpose != Purpose::counting &&
      board().clock >= automatic_clock)
    verdict = Verdict::draw("seventy-five-moves");
  if (verdict.kind == Verdict::Kind::terminal) finish(verdict.result, verdict.reason);
}

void Engine::claim_draw() {
  finish(Result::draw, position_->repetitions >= 3 ? "threefold-repetition" : "fifty-moves");
}

bool claimable(const Position& position) {
  return position.result == Result::ongoing &&
         (position.repetitions >= 3 || position.board.clock >= claim_clock);
}

namespace {

// A draw that ends the game although moves could go on.
bool drawn_by_count(const Position& position) {
  const std::string_view reason = position.reason.data();
  return position.result == Result::draw &&
         (reason == "insufficient-material" || reason == "seventy-five-moves" ||
          reason == "fivefold-repetition" || reason == "threefold-repetition" ||
          reason == "fifty-moves");
}

}  // namespace

std::uint64_t Engine::perft(int depth) const {
  if (depth <= 0) return 1;
  if (drawn_by_count(*position_)) {
    std::uint64_t nodes = 0;
    for (const auto& [move, below] : divide(depth)) nodes += below;
    return nodes;
  }
  if (position_->result != Result::ongoing) return 0;
  if (board_only() && direct() && !promotes_beyond_fide())
    return chess::perft(board(), plain_rules(), depth);
  if (depth == 1) return count_legal_moves();
  MoveList moves;
  legal_moves(moves);
  std::uint64_t nodes = 0;
  Position child;
  for (const Move move : moves) {
    copy_position(child);
    Engine engine(*book_, child, ruled_);
    if (engine.apply(move, nullptr, Purpose::counting)) nodes += engine.perft(depth - 1);
  }
  return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> Engine::divide(int depth) const {
  std::vector<std::pair<Move, std::uint64_t>> out;
  Position root;
  copy_position(root);
  if (drawn_by_count(root)) root.result = Result::ongoing;
  const Engine from(*book_, root, ruled_);
  MoveList moves;
  from.legal_moves(moves);
  Position child;
  for (const Move move : moves) {
    from.copy_position(child);
    Engine engine(*book_, child, ruled_);
    if (engine.apply(move, nullptr, Purpose::counting))
      out.emplace_back(move, engine.perft(depth - 1));
  }
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
