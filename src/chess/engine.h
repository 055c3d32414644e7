// The position with the rules in force: everything a preset may look at or do, and the two
// pipelines, each written down once.
//
// Move query (query.cpp)
//   1 royal set   2 per piece: override | (generator + transforms -> en passant, castling,
//   promotion -> extra moves); then filter_moves, and offer_moves   3 self-check filter   4
//   filter_legal_moves
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

#include "chess/bag.h"
#include "chess/generate.h"
#include "chess/log.h"
#include "chess/preset.h"
#include "game/game.h"

namespace parlor::chess::inline PARLOR_BOARD {

struct FenExtras;

struct VisualEffect {
  std::string_view kind;
  Square square = no_square;
  int ttl = 1;  // in half-moves
  Json data = nullptr;
  std::string says = {};  // a sentence for people, if there is something to be said
};

struct Fact {
  EntityId id = 0;
  std::string_view attribute;
  std::int64_t value = 0;
  friend bool operator==(const Fact&, const Fact&) = default;
};

// Which active preset is being asked, for as long as it is asked.
class SelfScope {
 public:
  SelfScope(const Engine& engine, std::uint8_t index);
  ~SelfScope();
  SelfScope(const SelfScope&) = delete;
  SelfScope& operator=(const SelfScope&) = delete;

 private:
  const Engine& engine_;
  std::uint8_t saved_;
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
  // Nothing is in force but the rules of FIDE, though others may be added while playing.
  bool by_fide_alone() const;
  // How much of a Position is in use, and a copy of that much.
  std::size_t bytes() const {
    return ruled_ ? ruled_size(book_->attributes().size(), position_->bag_size) : plain_size;
  }
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

  // ---- The asking preset's own state and scope. A value is a whole number, a text, or a list of
  // these. What does not fit into the room there is (Preset::state_bytes) is refused, and so is the
  // move that wanted it.
  std::optional<std::int64_t> state(std::string_view key) const;  // a number
  Json state_value(std::string_view key) const;                   // anything; null: nothing
  bool set_state(std::string_view key, std::int64_t value);
  bool set_state(std::string_view key, const Json& value);
  void delete_state(std::string_view key);
  std::vector<std::pair<std::string, Json>> all_state() const;
  Bag bag() const;  // of all presets
  bool in_scope(Side side) const;
  rules::Scope scope() const;
  void set_scope(rules::Scope scope);
  std::string_view self_id() const;

  // ---- The move query.
  void legal_moves(MoveList& out) const;
  // The same, but moves that neither capture nor promote may be left out.
  void noisy_moves(MoveList& out) const;
  std::size_t count_legal_moves() const;
  bool has_legal_move() const { return count_legal_moves() != 0; }
  MoveSet piece_moves(const Piece& piece) const;       // step 2
  MoveSet unfiltered_moves(const Piece& piece) const;  // before filter_moves
  // The active preset whose filters take this move (one of `unfiltered_moves`) away, if one does.
  std::optional<std::string_view> forbidding_rule(Move move) const;
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
  // Calls `call(const Preset&)` for each in turn, which may ask for its own state and scope.
  template <class Call>
  void each_active(Call call) const {
    for (std::uint8_t i = 0; ruled_ && i < position_->active_count; ++i) {
      const SelfScope self(*this, i);
      call(book_->preset(position_->active[i].preset));
    }
  }
  // All or nothing; the error lists every violation.
  tl::expected<void, Diagnostics> set_active_presets(std::span<const rules::Activation> set);
  // Gives the rules in force what a FEN says beyond the board; the error says what nobody knows.
  tl::expected<void, std::string> read_extras(const FenExtras& extras);
  // Works out dispatch lists and royals anew, e.g. after loading.
  void refresh();

  // ---- Move application.
  enum class Purpose : std::uint8_t {
    full,       // a real move
    searching,  // without what only games need: repetition, whether the next side has a move
    counting,   // neither hash nor draws that end a game whose moves could go on
    probing     // steps 1 to 9, to see what they lead to
  };
  // Plain chess lists all moves in order to know whether there is one: whoever wants them next has
  // them in `next`, where the game goes on. House rules may list others once there is a result, so
  // with them it stays as it is.
  tl::expected<MoveEvent, Rejection> apply(Move move, const History* history,
                                           Purpose purpose = Purpose::full,
                                           MoveList* next = nullptr);
  void find_result(const History* history, Purpose purpose = Purpose::full,
                   MoveList* next = nullptr);  // step 10
  // Comes to where a move leads from another position of the game, for looking ahead; false: it
  // cannot be played. Without house rules nobody asks which piece is which, so the rows of entities
  // are not kept.
  bool follow(const Engine& before, Move move);
  void follow_pass(const Engine& before);  // the same without a move: no rule is asked
  void finish(Result result, std::string_view reason);
  void claim_draw();  // where claimable() allows it
  // Whether a rule cancels the move (why, then), without any trace of asking.
  std::optional<CancelAnswer> cancelled(Move move) const;

  std::uint64_t key() const;  // of everything that makes positions the same
  // No preset is active, or none that does anything but declare.
  bool board_only() const { return !ruled_ || !position_->dispatch.any_hook; }
  // Of plain chess those that everybody shares; otherwise put together in `own`, and good for one
  // expression.
  const PlainRules& plain_rules(PlainRules&& own = {}) const;
  // Sequences of moves. Draws by claim, by count or for lack of material do not end them.
  std::uint64_t perft(int depth) const;
  // The same by first move.
  std::vector<std::pair<Move, std::uint64_t>> divide(int depth) const;

 private:
  friend class SelfScope;
  friend class SelfCheck;

  bool castles_freely(Side side) const {
    return ruled_ && position_->dispatch.castle_freely[side] != 0;
  }
  bool disturbed() const { return ruled_ && position_->dispatch.disturbed != 0; }
  std::uint32_t asked(Hook hook, Side side) const {
    if (!ruled_) return 0;
    const Dispatch& dispatch = position_->dispatch;
    const std::uint32_t list = dispatch.lists[static_cast<std::size_t>(hook)][side];
    const bool may_sleep = hook == Hook::filter_legal_moves || hook == Hook::offer_moves;
    return may_sleep && position_->bag_size == 0 ? list & ~dispatch.sleepers : list;
  }
  template <class Call>
  bool ask(Hook hook, Side side, Call call) const;  // until `call` returns true

  bool direct() const;  // the plain bitboard generator applies
  bool may_raise_royals(Side side) const {
    if (!ruled_) return false;
    const TypeSet royal = position_->dispatch.royalty_declared[side] != 0
                              ? position_->dispatch.royal_types[side]
                              : types(king);
    return (position_->dispatch.promotions[side] & royal) != 0;
  }
  bool promotes_beyond_fide() const {
    return ruled_ &&
           ((position_->dispatch.promotions[white] | position_->dispatch.promotions[black]) &
            ~fide_types) != 0;
  }
  void movable(MoveSets& out) const;
  void movable_moves(MoveList& out) const;
  void general_moves(MoveList& out) const;
  void add_offered(MoveList& out) const;
  std::size_t count_general() const;
  void filter_offered(MoveList& out) const;
  std::optional<MoveSet> overridden_moves(const Piece& piece) const;
  const MovementSet* moving() const;  // nothing: everybody goes as FIDE has it
  const Reach* reach_of(Side side, PieceType type) const;
  Targets type_targets(const Piece& piece) const;
  void add_pawn_moves(const Piece& piece, MoveSet& out) const;
  void add_castling(const Piece& piece, MoveSet& out) const;
  Bitboard shaped_pieces(Side side) const;  // those about which hooks must be asked
  Bitboard nearby_shaped(Square square, Side by) const;
  // Whether one of `theirs`, which no hook shapes, strikes the square, with so much occupied.
  bool strikes(Square square, Side by, Bitboard occupied, Bitboard theirs) const;
  Bitboard strikers(Square square, Side by, Bitboard theirs) const;
  bool royal_type(Side side, PieceType type) const {
    if (!ruled_ || position_->dispatch.royalty_declared[side] == 0) return type == king;
    return includes(position_->dispatch.royal_types[side], type);
  }

  MoveEvent begin_event(Move move) const;
  tl::expected<MoveEvent, Rejection> apply_steps(Move move, const History* history,
                                                 Purpose purpose);
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
  Verdict default_result(Purpose purpose, MoveList* next) const;
  void note_royals();
  void deactivate(std::size_t index);
  void replace_active(std::span<const rules::Activation> set);
  void set_parameters(std::span<const rules::Activation> set, bool only_given);
  void restore(const Position& saved);
  void update_extra_key();
  bool kept(bool room, std::string_view key);

  const Rulebook* book_;
  Position* position_;
  EventListener* listener_;
  bool ruled_;
  bool probing_ = false;                            // inside the self-check filter
  mutable const MovementSet* movements_ = nullptr;  // of these rules, once asked for
  mutable std::uint64_t movements_key_ = 0;
  mutable std::uint8_t self_ = max_active;  // the active preset being asked
  mutable std::uint8_t depth_ = 0;          // of deaths that cause deaths
  std::string refusal_;                     // what a preset wanted to keep and could not
};

inline SelfScope::SelfScope(const Engine& engine, std::uint8_t index)
    : engine_(engine), saved_(engine.self_) {
  engine.self_ = index;
}
inline SelfScope::~SelfScope() {
  engine_.self_ = saved_;
}

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

}  // namespace parlor::chess::inline PARLOR_BOARD
