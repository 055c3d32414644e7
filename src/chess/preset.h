// The hook surface: what a house rule is and everything it can be asked. A preset is a value: its
// description and the hooks it implements; it is registered in a Rulebook and never edits the
// engine.
//
// How the answers of several presets combine is written next to each hook. Presets are asked in the
// order of the active list (rules/hooks.def): by `order`, then as they were asked for. Hooks marked
// (scope) are asked only if the preset's scope covers the side named; the others are always asked
// and can look at `Engine::scope()` themselves.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "chess/movement.h"
#include "chess/position.h"
#include "game/game.h"
#include "rules/rules.h"

namespace parlor::chess::inline PARLOR_BOARD {

class Engine;

// A piece on the board, as hooks see it. A value: it does not follow later changes.
// (As large as a register, for the same reason as `Decision`.)
struct alignas(8) Piece {
  EntityId id = 0;  // 0: nobody
  Slot slot = 0;
  PieceType type = no_type;
  Side side = white;
  Square square = no_square;
  explicit operator bool() const { return id != 0; }
};

// All moves of one piece: plain target squares, and the few moves that are more than that.
struct MoveSet {
  Square from = no_square;
  Bitboard quiet = 0;
  Bitboard capture = 0;
  Bitboard double_steps = 0;  // of `quiet`: pawn steps that can be answered en passant
  TypeSet promotions = 0;     // if any: moves onto the last rank become promotions to these
  Bitboard last_rank = 0;
  Bitboard may_promote = 0;  // squares before it, where they may become promotions
  std::uint8_t special_count = 0;
  std::array<Move, 6> special;  // castling, en passant, passing

  void add_special(Move move) {
    if (special_count < special.size()) special[special_count++] = move;
  }
  // Drops every move the predicate is true for. Promotions to one square are judged as one move.
  template <class Predicate>
  void remove_if(Predicate predicate) {
    for (Bitboard* set : {&quiet, &capture})
      for (const Square to : squares_of(*set))
        if (predicate(Move{from, to})) *set &= ~bit(to);
    std::uint8_t kept = 0;
    for (std::uint8_t i = 0; i < special_count; ++i)
      if (!predicate(special[i])) special[kept++] = special[i];
    special_count = kept;
  }
  // The squares that mean exactly one move each.
  Bitboard simple() const { return (quiet | capture) & ~promoting(); }
  // Those where a pawn can be promoted.
  Bitboard promoting() const { return promotions != 0 ? last_rank | may_promote : Bitboard{0}; }
  void list(MoveList& out) const;
  std::size_t count() const;
};

// The moves of all pieces of a side, on the stack; left uninitialised beyond `size`.
class MoveSets {
 public:
  MoveSets() {}
  void add(const MoveSet& set) { sets_[size_++] = set; }
  MoveSet* begin() { return sets_.data(); }
  MoveSet* end() { return sets_.data() + size_; }

 private:
  union {
    std::array<MoveSet, board_squares> sets_;
  };
  std::size_t size_ = 0;
};

struct CancelAnswer {
  bool cancel = false;
  std::string reason = {};
  std::string code = {};  // of the refusal; CHESS_MOVE_CANCELLED if it has none of its own
  std::string rule = {};  // whose answer it is; filled in by the engine
  Rejection rejection() const;
};

struct Damage {
  Piece target;
  int amount = 1;
  std::string_view kind;  // "capture", "explosion", "poison", any other
  Piece attacker = {};    // nobody if the damage has no author
  bool is_capture() const { return kind == "capture"; }
};

struct DamageAnswer {
  enum class Kind : std::uint8_t { pass, consume } kind = Kind::pass;
  bool died = false;  // of a consumer
  int amount = 0;     // of a pass: what is left; nothing left means the damage was absorbed
  static DamageAnswer pass(int amount) { return {Kind::pass, false, amount}; }
  static DamageAnswer survived() { return {Kind::consume, false, 0}; }
  static DamageAnswer killed() { return {Kind::consume, true, 0}; }
};

struct Capture {
  Move move;
  Piece attacker;
  Piece target;
};

// A piece that is about to leave the board.
struct Retraction {
  Piece piece;
  std::string_view kind;  // of the damage; "removed" if a rule took the piece away
  Piece attacker = {};
};

// What a move did, for hooks that come after it.
struct MoveEvent {
  Move move;
  Side mover = white;
  Piece piece;                // before the move
  Square landed = no_square;  // where that piece stands now; no_square if it is gone
  Piece target = {};          // of a capture: whom it was aimed at
  bool target_died = false;
  bool promoted = false;
  Piece rook = {};  // castling: before the move
  Square rook_landed = no_square;
  bool turn_passed = true;
  std::vector<std::string> effects = {};  // of describe_move_effect
  bool is_capture() const { return target.id != 0; }
};

// An opinion about whether the game is over.
struct Verdict {
  enum class Kind : std::uint8_t { none, ongoing, terminal } kind = Kind::none;
  Result result = Result::ongoing;
  std::string_view reason = {};
  static Verdict no_opinion() { return {}; }
  static Verdict ongoing() { return {Kind::ongoing, Result::ongoing, {}}; }
  static Verdict win(Side side, std::string_view reason) {
    return {Kind::terminal, win_for(side), reason};
  }
  static Verdict draw(std::string_view reason) { return {Kind::terminal, Result::draw, reason}; }
};

struct Hooks {
  // All are called. Seed or clean up; the preset's state is cleared after on_deactivate.
  std::function<void(Engine&)> on_activate;
  std::function<void(Engine&)> on_deactivate;

  // (scope: owner) The first defined answer wins: it replaces generator, transforms, extra moves,
  // en passant, castling and promotion of that piece. Filters still run.
  std::function<std::optional<MoveSet>(const Engine&, const Piece&)> override_piece_moves;
  // (scope: owner) A chain: each wraps what the type's generator and those before it gave.
  std::function<Targets(const Engine&, const Piece&, Targets)> transform_move_generator;
  // (scope: owner) All append; squares that are there already are not doubled.
  std::function<void(const Engine&, const Piece&, MoveSet&)> get_extra_moves;
  // (scope: the side to move) All append moves that no piece on the board makes: drops.
  std::function<void(const Engine&, Side, MoveList&)> offer_moves;
  // (scope: owner) A chain that always runs. It may only take moves away: the engine looks for
  // attackers among the unfiltered moves first.
  std::function<void(const Engine&, const Piece&, MoveSet&)> filter_moves;
  // (scope: the side filtered) Any false lets that side leave its royals attacked.
  std::function<bool(const Engine&, Side)> should_filter_self_check;
  // A chain after the self-check filter; must leave a subset (checked in debug builds).
  std::function<void(const Engine&, Side, MoveList&)> filter_legal_moves;
  // The union of all answers; nothing = no opinion, an empty set = a contribution of nobody.
  std::function<std::optional<Bitboard>(const Engine&, Side)> get_royal_pieces;

  // (scope: mover) The first cancel wins; nothing any preset did for this move remains.
  std::function<CancelAnswer(Engine&, Move)> on_before_move;
  // (scope: mover) The first that returns true has done the whole capture itself, attacker
  // included.
  std::function<bool(Engine&, const Capture&)> on_before_capture;
  // (scope: the target's side) The first consumer decides; others may pass on a reduced amount.
  std::function<DamageAnswer(Engine&, const Damage&)> on_damage;
  // All: the piece has its core attributes; just before a piece's attributes go.
  std::function<void(Engine&, const Piece&)> on_piece_spawn;
  std::function<void(Engine&, const Retraction&)> on_piece_retract;
  // All: after mutations and the change of turn, before the result.
  std::function<void(Engine&, const MoveEvent&)> on_after_move;
  // (scope: new side) All: before its moves are known; not after a vetoed change of turn.
  std::function<void(Engine&, Side)> on_turn_start;
  // The first false vetoes the change of turn. The counter includes the move just made.
  std::function<bool(const Engine&, const MoveEvent&, int half_moves)> should_advance_turn;
  // A terminal verdict wins at once; "ongoing" suppresses the defaults and asking goes on.
  std::function<Verdict(const Engine&)> on_check_game_result;
  // Collected into the move record; empty texts are not.
  std::function<std::string(const Engine&, const MoveEvent&)> describe_move_effect;
};

// A number each piece may carry. Values stay inside the bounds; 32766 is the highest there is.
struct Attribute {
  std::string name;
  std::int16_t low = 0;
  std::int16_t high = 999;
};

// What a rule keeps that a FEN can tell.
struct FenPart {
  // Holdings stand in brackets after the placement, the other kind before the clocks.
  enum class Where : std::uint8_t { nowhere, holdings, before_clock } where = Where::nowhere;
  std::function<std::string(const Engine&)> write = {};
  std::function<bool(Engine&, std::string_view)> read = {};  // false: it makes no sense
};
// Marked with a tilde in FEN: pieces that were pawns.
inline constexpr std::string_view promoted_attribute = "Promoted";

// What a rule means for whoever looks ahead: how good a position looks under it.
struct Appraisal {
  int material = 100;  // what a piece is worth, in percent; below 0: better to be rid of it
  bool captures_forced = false;  // whoever can capture must
  // What a side has beyond its pieces, in hundredths of a pawn.
  std::function<int(const Engine&, Side)> bonus = {};
};

// A number, or a kind of piece, that a rule may be asked for with: `extinction-chess{target:
// knight}`. It is kept in the preset's state under this name, from before on_activate.
struct Parameter {
  std::string name;
  enum class Kind : std::uint8_t { number, piece_type } kind = Kind::number;
  int fallback = 0;  // of a kind of piece: its number
  int low = 0;
  int high = 0;
  std::string help = {};
};

struct Preset {
  rules::Module module;
  std::vector<Attribute> attributes = {};
  Hooks hooks = {};
  std::vector<Parameter> parameters = {};

  // The parts of a rule that can be said without code. The engine stays on its fastest paths with
  // them, and in whatever order rules are given they mean the same.
  Movement movement = {};  // how pieces go
  std::optional<TypeSet> royal_types =
      {};  // all pieces of these types are royal (for sides in scope)
  TypeSet promotes_also = 0;
  TypeSet promotes_not = 0;
  // Of which types the movement hooks speak; attacks of all others are still looked up directly.
  TypeSet shapes = all_types;
  std::uint8_t reach = std::max(board_files, board_ranks) -
                       1;  // and how far from the piece they can make it capture, in king's steps
  // Whether what its on_after_move, on_piece_retract or on_turn_start do can change who stands
  // where, or who attacks whom. If not, the self-check filter need not try them out.
  bool disturbs = true;
  // Whether its filter_legal_moves and offer_moves have nothing to say while it keeps no state.
  // They are not asked then, and moves can be counted without being listed.
  bool sleeps = false;
  bool castle_freely = false;   // sides in scope may castle out of check and through it
  std::size_t state_bytes = 0;  // of its own state, beyond the kilobyte all rules share
  Appraisal appraisal = {};     // for bots
  FenPart fen = {};
  Json source = nullptr;    // of a rule made from data: that data
  std::string layout = {};  // the set-up this rule is meant for, used when none is asked for
};

// A kind of piece: how it moves, how it is written, what it is worth to a bot. FIDE types are
// registered the same way.
struct TypeInfo {
  std::string id;  // "cannon"
  std::string name;
  char letter = '?';                   // in FEN and SAN, upper case
  std::array<std::string, 2> symbols;  // by side, for terminals
  std::array<std::string, 2> assets;   // by side, for the page
  int value = 100;                     // in hundredths of a pawn
  Ways ways = {};                      // how it goes; or, for what ways cannot say:
  std::function<Targets(const Board&, Square, Side)> targets = {};
};

// All presets, piece types and attributes a game may use. Fill it, then share it read-only.
class Rulebook {
 public:
  Rulebook();  // FIDE types, no presets

  Diagnostics add(Preset preset);
  Diagnostics seal() { return registry_.seal(); }
  // Nothing when the letter or id is taken, or all numbers are used up.
  std::optional<PieceType> add_type(TypeInfo info);

  const rules::Registry& registry() const { return registry_; }
  const Preset& preset(std::size_t index) const { return presets_[index]; }
  std::size_t preset_count() const { return presets_.size(); }
  const Preset* find_preset(std::string_view id) const;
  // The value a text stands for; the error says what is wrong with it.
  tl::expected<int, std::string> parameter_value(const Parameter& parameter,
                                                 const std::string& text) const;
  std::string parameter_text(const Parameter& parameter, std::int64_t value) const;
  // Everything that is wrong with a set of rules: what the registry says, and their parameters.
  Diagnostics check(std::span<const rules::Activation> set) const;

  const TypeInfo& type(PieceType type) const { return types_[type]; }
  std::size_t type_count() const { return types_.size(); }  // numbers 1 .. count-1 are types
  PieceType find_type(std::string_view id) const;           // no_type if there is none
  PieceType type_by_letter(char letter) const;              // of either case

  const std::vector<Attribute>& attributes() const { return attributes_; }
  std::optional<std::size_t> find_attribute(std::string_view name) const;
  std::uint64_t attribute_mask(std::size_t preset) const { return masks_[preset]; }

  // How everybody goes when these presets are in force. The key has two bits, by side, for each
  // preset that says something about it: `movement_bits` of all that are active.
  std::uint64_t movement_bits(std::size_t preset, std::uint8_t scope) const;
  const MovementSet& movements(std::uint64_t key) const;
  std::size_t state_bytes() const { return state_bytes_; }  // room for the state of all presets

 private:
  rules::Registry registry_;
  std::vector<Preset> presets_;
  std::vector<std::uint64_t> masks_;  // attribute columns by preset
  std::vector<TypeInfo> types_;
  std::vector<Attribute> attributes_;
  std::size_t state_bytes_ = usual_state_bytes;
  std::vector<std::size_t> movers_;  // presets that say how pieces go, in order of registration
  // Worked out when first asked for. Copies of a book begin with nothing: they may get more rules.
  struct Worked;
  struct WorkedHolder {
    WorkedHolder();
    WorkedHolder(const WorkedHolder&) : WorkedHolder() {}
    WorkedHolder& operator=(const WorkedHolder&) { return *this = WorkedHolder(); }
    WorkedHolder(WorkedHolder&&) = default;
    WorkedHolder& operator=(WorkedHolder&&) = default;
    std::shared_ptr<Worked> worked;
  };
  WorkedHolder worked_;
};

// The rule that does nothing: a game opened with it has room for others.
inline constexpr std::string_view room_for_rules = "house-rules";

// The rulebook with every preset and piece type that Parlor ships.
const Rulebook& standard_rulebook();
const std::vector<std::string>& seat_names();  // "white", "black"

}  // namespace parlor::chess::inline PARLOR_BOARD
