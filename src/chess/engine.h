// The position with the rules in force: everything a preset may look at or do, and the two
// pipelines, each written down once.
//
// Move query (query.cpp)
//   1 royal set   2 per piece: override | (generator + transforms -> en passant, castling,
//   promotion -> extra moves); then filter_moves   3 self-check filter   4 filter_legal_moves
//   (then: what on_before_move would cancel is not offered)
//
// Move application (apply.cpp)
//   1 on_before_move   2 on_before_capture if a capture   3 otherwise deal_damage("capture")
//   4 mutations   5 half_moves += 1   6 should_advance_turn, flip unless vetoed   7 durations tick
//   8 on_after_move   9 on_turn_start unless vetoed   10 result   11 describe_move_effect
//
// An Engine is a handle: it holds no game state of its own and costs nothing to make.
#pragma once

#include <tl/expected.hpp>

#include "chess/generate.h"
#include "chess/log.h"
#include "chess/preset.h"
#include "game/game.h"

namespace parlor::chess {

struct VisualEffect {
  std::string_view kind;
  Square square = no_square;
  int ttl = 1;  // in half-moves
  Json data = nullptr;
};

struct Fact {
  EntityId id = 0;
  std::string_view attribute;
  std::int64_t value = 0;
  friend bool operator==(const Fact&, const Fact&) = default;
};

class Engine {
 public:
  // `ruled`: the position has room for house rules (position.h).
  Engine(const Rulebook& book, Position& position, bool ruled, EventListener* listener = nullptr)
      : book_(&book), position_(&position), listener_(listener), ruled_(ruled) {}
  // For looking only.
  static Engine viewing(const Rulebook& book, const Position& position, bool ruled) {
    return {book, const_cast<Position&>(position), ruled};
  }

  const Rulebook& book() const { return *book_; }
  const Position& position() const { return *position_; }
  const Board& board() const { return position_->board; }
  Side turn() const { return board().turn; }
  int half_moves() const { return position_->half_moves; }

  bool ruled() const { return ruled_; }
  // How much of a Position is in use, and a copy of that much.
  std::size_t bytes() const { return ruled_ ? ruled_size(book_->attributes().size()) : plain_size; }
  void copy_position(Position& to) const {
    std::memcpy(static_cast<void*>(&to), position_, bytes());
  }

  // ---- Pieces.
  Piece piece_at(Square square) const;
  Piece piece(EntityId id) const;  // nobody if it is not on the board
  // The same piece as it stands now; nobody if it is gone. A piece keeps its row for life.
  Piece now(const Piece& known) const {
    if (!known || position_->id_of[known.slot] != known.id) return {};
    return piece_at(position_->square_of[known.slot]);
  }
  Bitboard pieces(Side side) const { return board().of(side); }

  // ---- Attributes. Columns are numbers of the rulebook; presets use names or `own_attribute`.
  std::size_t own_attribute(
      std::size_t declared) const;  // column of the asking preset's n-th attribute
  bool has_attribute(const Piece& piece, std::size_t column) const;
  int attribute(const Piece& piece, std::size_t column, int otherwise = 0) const;
  void set_attribute(const Piece& piece, std::size_t column, int value);  // kept inside the bounds
  void clear_attribute(const Piece& piece, std::size_t column);

  // ---- The same data as facts: core attributes "type", "colour", "square" and the effective
  // others.
  bool insert(EntityId id, std::string_view attribute, std::int64_t value);
  bool retract(EntityId id, std::string_view attribute);
  std::optional<std::int64_t> get(EntityId id, std::string_view attribute) const;
  bool contains(EntityId id, std::string_view attribute) const {
    return get(id, attribute).has_value();
  }
  std::vector<Fact> all_facts() const;                          // by id, then attribute
  std::vector<std::string_view> effective_piece_attrs() const;  // core first

  // ---- The asking preset's own state and scope.
  std::optional<std::int64_t> state(std::string_view key) const;
  bool set_state(std::string_view key,
                 std::int64_t value);  // false: no room, or the key is too long
  void delete_state(std::string_view key);
  std::vector<std::pair<std::string, std::int64_t>> all_state() const;
  bool in_scope(Side side) const;
  rules::Scope scope() const;
  void set_scope(rules::Scope scope);
  std::string_view self_id() const;

  // ---- The move query.
  void legal_moves(MoveList& out) const;
  std::size_t count_legal_moves() const;
  bool has_legal_move() const { return count_legal_moves() != 0; }
  MoveSet piece_moves(const Piece& piece) const;  // step 2
  Bitboard royals(Side side) const;
  bool self_check_filter(Side side) const;
  // Whether some pseudo-legal capture of `by` reaches the (occupied) square.
  bool attacked(Square square, Side by) const;
  bool in_check(Side side) const;

  // ---- What hooks may do.
  // True if the target died.
  bool deal_damage(const Piece& target, int amount, std::string_view kind,
                   const Piece& attacker = {});
  tl::expected<Piece, Rejection> spawn_piece(
      PieceType type, Side side, Square square,
      std::span<const std::pair<std::size_t, int>> attributes = {});
  void remove_piece(const Piece& piece);           // with on_piece_retract
  bool move_piece(const Piece& piece, Square to);  // onto an empty square
  void set_type(const Piece& piece, PieceType type);
  void set_side(const Piece& piece, Side side);
  bool watched() const { return listener_ != nullptr; }
  void emit_effect(const VisualEffect& effect) const;  // nobody listening: nothing happens

  // ---- Presets in force.
  std::vector<rules::Activation> active_presets() const;
  bool is_active(std::string_view preset_id) const;
  // All or nothing; the error lists every violation.
  tl::expected<void, Diagnostics> set_active_presets(std::span<const rules::Activation> set);
  // Works out dispatch lists and royals anew, e.g. after loading.
  void refresh();

  // ---- Move application. `full` is a real move; `counting` leaves out what only games need (log,
  // repetition, whether the next side has a move).
  enum class Purpose : std::uint8_t { full, counting };
  tl::expected<MoveEvent, Rejection> apply(Move move, const History* history,
                                           Purpose purpose = Purpose::full);
  void find_result(const History* history, Purpose purpose = Purpose::full);  // step 10
  void finish(Result result, std::string_view reason);
  void claim_draw();  // where claimable() allows it
  // Whether a rule cancels the move (why, then), without any trace of asking.
  std::optional<std::string> cancelled(Move move) const;

  std::uint64_t key() const;  // of everything that makes positions the same
  // No preset is active, or none that does anything but declare.
  bool board_only() const { return !ruled_ || !position_->dispatch.any_hook; }
  PlainRules plain_rules() const;
  std::uint64_t perft(int depth) const;

 private:
  friend class SelfScope;
  friend class SelfCheck;

  std::uint32_t asked(Hook hook, Side side) const {
    return ruled_ ? position_->dispatch.lists[static_cast<std::size_t>(hook)][side] : 0;
  }
  template <class Call>
  bool ask(Hook hook, Side side, Call call) const;  // until `call` returns true

  bool direct() const;  // the plain bitboard generator applies
  void movable(MoveSets& out) const;
  void general_moves(MoveList& out) const;
  std::size_t count_general() const;
  void filter_offered(MoveList& out) const;
  std::optional<MoveSet> overridden_moves(const Piece& piece) const;
  Targets type_targets(const Piece& piece) const;
  void add_pawn_moves(const Piece& piece, Targets targets, MoveSet& out) const;
  void add_castling(const Piece& piece, MoveSet& out) const;
  Bitboard shaped_pieces(Side side) const;
  Bitboard nearby_shaped(Square square, Side by) const;

  void plain_apply(Move move, MoveEvent& event);
  void resolve(Move move, MoveEvent& event);  // steps 2 to 4
  void capture(Move move, MoveEvent& event);
  void land(Move move, MoveEvent& event);
  void castle(Move move, MoveEvent& event);
  void pass_turn();
  void end_turn(const MoveEvent& event, Purpose purpose);
  bool en_passant_possible() const;  // for the side to move, by its own kind of pawn
  void tick_durations();
  void set_clock(const MoveEvent& event);
  void die(const Piece& piece, std::string_view kind, const Piece& attacker);
  void relocate(const Piece& piece, Square to);
  void vacate(Square square);
  Verdict default_result(bool with_moves) const;
  void note_royals();
  void deactivate(std::size_t index);
  void update_extra_key();
  BagEntry* find_bag(std::uint8_t preset, std::string_view key) const;

  const Rulebook* book_;
  Position* position_;
  EventListener* listener_;
  bool ruled_;
  mutable std::uint8_t self_ = max_active;  // the active preset being asked
  mutable std::uint8_t depth_ = 0;          // of deaths that cause deaths
};

// Which active preset is being asked, for as long as it is asked.
class SelfScope {
 public:
  SelfScope(const Engine& engine, std::uint8_t index) : engine_(engine), saved_(engine.self_) {
    engine.self_ = index;
  }
  ~SelfScope() { engine_.self_ = saved_; }
  SelfScope(const SelfScope&) = delete;
  SelfScope& operator=(const SelfScope&) = delete;

 private:
  const Engine& engine_;
  std::uint8_t saved_;
};

template <class Call>
bool Engine::ask(Hook hook, Side side, Call call) const {
  for (std::uint32_t left = asked(hook, side); left != 0; left &= left - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(left));
    if (index >= position_->active_count) break;  // a hook changed the active set
    const SelfScope self(*this, index);
    if (call(book_->preset(position_->active[index].preset).hooks)) return true;
  }
  return false;
}

// Threefold repetition or fifty moves: the side to move may claim a draw.
bool claimable(const Position& position);

// Puts the pieces of a board into fresh entity rows, in order of the squares.
void seat_pieces(Position& position);

}  // namespace parlor::chess
