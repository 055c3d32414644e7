// What a state's bytes mean. `Memory` is a view of one block: plain reads, and the single set of
// functions that write game content, which keep the incremental hash and the zone sets up to date.
#pragma once

#include <cstring>
#include <optional>
#include <utility>

#include "base/hash_chains.h"
#include "game/game.h"
#include "kernel/program/program.h"
#include "kernel/state/flow_record.h"
#include "kernel/state/follows.h"
#include "kernel/state/records.h"
#include "kernel/state/writes.h"

namespace parlor::kernel {

struct Header {
  Rng rng;
  std::uint64_t hash = 0;  // of variables, markers, usage and tokens
  std::uint32_t tokens = 0;
  std::uint32_t vm_bytes = 0;  // of a half-made move, after the tokens
  std::int32_t turn = 0, round = 0, turn_in_round = 0;
  Small<std::int16_t> phase = 0, origin_phase = 0;
  Small<std::int16_t> ended_by = 0;     // finished: terminal condition, or -1 nobody can move
  Small<std::int16_t> order_index = 0;  // of fixedOrder; the round began at round_index
  DecisionKind decision = DecisionKind::finished;
  Small<std::uint8_t> decider = 0;
  Small<std::uint8_t> active = 0, round_start = 0;
  Small<std::uint8_t> interrupts = 0, reveals = 0, effects = 0;
  Small<std::uint8_t> winner = 0xff;
  std::uint32_t submitted = 0;  // players, simultaneous order
  std::uint32_t effect_serial = 0;
  std::uint64_t seed = 0;  // only where shuffles have streams of their own
  std::uint32_t stream_uses = 0;
  std::uint32_t text_bytes = 0;  // of texts that tokens keep, after the tokens
  std::int32_t round_index = 0;
  std::uint32_t by_luck = 0;  // only in trials: an order was shuffled that could be another
  // At an action selection of a phase whose options are one zone set: that set
  // (PhaseInfo::instant).
  std::uint64_t instant[instant_words] = {};
};

// Those to whom what arrives in a zone is shown (`reveal … lasting: true`).
struct RevealRecord {
  Stored<ZoneId> zone;
  Small<std::int16_t> filter;  // -1: every token
  std::uint32_t observers;
};
// Turns and rounds that are not reached: numbers that do not fit lie further away than any game.
inline constexpr std::int32_t never = INT32_MAX;
// In games that hide tokens every token's record ends with a ValueRange for each of Secrets::props,
// this in as many bytes as the number of players asks for (Memory::narrow) and, for each viewer,
// the set of places where the token may be (knowledge.h).
struct TokenSight {
  std::uint32_t known;  // viewers who know what lies here
  std::uint32_t shown;  // viewers to whom it was revealed since it came here
};
// The same as states keep it (Memory::narrow).
struct NarrowSight {
  std::uint32_t known, shown;
};
// What a value could be for those who do not know it. Nothing in doubt: low is greater than high.
struct ValueRange {
  std::int32_t low, high;
};
inline constexpr ValueRange no_doubt{1, 0};
struct VarRange {
  std::int64_t low, high;
  std::uint32_t known;  // viewers who know the value, besides those who see the variable
  std::uint32_t spare;
};
// Where Secrets::course, this follows: what was known when the course that is remembered began, and
// for each viewer the set of places where the token may have been then.
struct TokenBefore {
  std::uint32_t known;
};
// Something that happened to tokens which somebody does not see (know/course.h).
struct CourseEvent {
  enum class Kind : std::uint8_t { moved, shuffled, revealed, created, blurred };
  Stored<TokenId> token;    // none: no viewer for whom it is kept knows which
  Stored<ZoneId> from, to;  // none: out of play
  Kind kind;
  std::uint8_t settled;   // 1: a decision came after it
  std::uint32_t viewers;  // who know which token it was; shuffled, blurred: who lost something
  std::uint32_t traced;   // moved: who can tell from where in its zone
};
inline constexpr std::size_t most_course_events = 192;
struct CourseRecord {
  std::uint16_t live;  // 1: the game has begun
  Small<std::uint16_t> events;
  std::uint32_t settled;     // viewers for whom it began at a decision
  std::uint16_t begins[18];  // by viewer: the first event
  CourseEvent event[most_course_events];
};

// What the rules changed about whose turn comes. Players are numbered from 1, so that zero bytes
// are an order nobody changed.
struct TurnPlan {
  Small<std::uint8_t> order[max_players];       // of this round; nobody first: by seats
  Small<std::uint8_t> next_order[max_players];  // of the next one; nobody first: as before
  Small<std::uint8_t> skips[max_players];       // turns that are passed over, by player
  Small<std::uint8_t> extra[max_players];  // turns to come before the order goes on, the next first
  Small<std::uint8_t> next_start;          // who begins the next round
  Small<std::uint8_t> goes_on_after;       // in an extra turn: whose turn the order was at
  Small<std::uint8_t> turn_of;             // while moves are handed in: whose turn it is
  Small<std::uint8_t> round_ends;          // 1: the next turn begins a round
  std::uint8_t spare[4];
};

// What a player hands in under simultaneous order.
inline constexpr std::uint64_t no_submission = ~std::uint64_t{0};
inline constexpr std::uint32_t max_answers = 30;
struct Submission {
  std::uint64_t option;
  std::uint32_t answers;
  std::uint32_t begun;  // 1: the option was chosen
  std::uint64_t answer[max_answers];
};

class Memory {
 public:
  struct Shape;  // what Writes asks

  Memory() = default;
  Memory(const Program& program, StateBlock& block) : p_(&program), block_(&block) { rebase(); }
  // Another state from now on.
  void look_at(const Program& program, StateBlock& block) {
    p_ = &program;
    block_ = &block;
    rebase();
    touch();
    mixed_ = {};
  }

  // A number that is never the same again once anything has been written.
  std::uint64_t version() const { return version_; }
  void touch() { ++version_; }
  // What is known about places of tokens since this state was looked at (state/follows.h).
  Mixed& mixed() const { return mixed_; }

  const Program& program() const { return *p_; }
  StateBlock& block() const { return *block_; }
  Header& header() const { return *reinterpret_cast<Header*>(base_); }
  template <class T>
  T* at(std::uint32_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }

  // Only where Program::uses_turn_plan.
  TurnPlan& turn_plan() const { return *at<TurnPlan>(p_->layout.turn_plan); }
  // Whether moves are being handed in: nothing happens before all are there.
  bool collecting() const {
    const Header& h = header();
    return p_->simultaneous && p_->phases[static_cast<std::size_t>(h.phase)].together &&
           h.vm_bytes == 0 && h.decision != DecisionKind::finished &&
           h.decision != DecisionKind::chance;
  }

  std::int64_t gvar(VarId var) const { return at<std::int64_t>(p_->layout.globals)[var.index()]; }
  std::int64_t pvar(int player, VarId var) const {
    return at<std::int64_t>(
        p_->layout.players)[static_cast<std::size_t>(player) * p_->pvars.size() + var.index()];
  }
  std::int64_t zvar(ZoneId zone, VarId var) const {
    return at<std::int64_t>(p_->layout.zone_vars)[zone.index() * p_->zvars.size() + var.index()];
  }
  // Index of a variable's cell among all of them: globals, then players', then zones'.
  int cell_of(int scope, int owner, VarId var) const {
    const int globals = p_->gvars.next().value, per_player = p_->pvars.next().value;
    if (scope == 0) return var.value;
    if (scope == 1) return globals + owner * per_player + var.value;
    return globals + p_->players * per_player + owner * p_->zvars.next().value + var.value;
  }
  std::int64_t var_cell(int cell) const { return at<std::int64_t>(p_->layout.globals)[cell]; }
  void write_var_cell(int cell, std::int64_t value) {
    write_hashed(header().hash, p_->var_keys[static_cast<std::size_t>(cell)],
                 at<std::int64_t>(p_->layout.globals)[cell], value);
    touch();
  }

  int marker(ZoneId zone, int lattice) const {  // -1: never set
    return at<std::int16_t>(p_->layout.markers)[zone.index() * p_->lattices.size() +
                                                static_cast<std::size_t>(lattice)] -
           1;
  }
  int global_marker(int lattice) const {
    return at<std::int16_t>(p_->layout.global_markers)[lattice];
  }
  void write_marker(ZoneId zone, int lattice, int state);
  void write_global_marker(int lattice, int state);
  std::uint32_t usage(std::size_t cell) const { return at<std::uint32_t>(p_->layout.usage)[cell]; }
  void write_usage(std::size_t cell, std::uint32_t value);

  const ZoneRecord& zone(ZoneId z) const { return at<ZoneRecord>(p_->layout.zones)[z.value]; }
  TokenRecord& token(TokenId t) const {
    return *at<TokenRecord>(p_->layout.tokens +
                            static_cast<std::uint32_t>(t.value) * p_->layout.token_size);
  }
  std::int32_t* cells(TokenId t) const { return reinterpret_cast<std::int32_t*>(&token(t) + 1); }
  ZoneId zone_of(TokenId t) const { return ZoneId(token(t).zone); }  // none: out of play
  TokenId first(ZoneId z) const { return linked(zone(z).head); }
  TokenId last(ZoneId z) const { return linked(zone(z).tail); }
  TokenId next(TokenId t) const { return linked(token(t).next); }
  TokenId previous(TokenId t) const { return linked(token(t).prev); }
  // All that were ever made.
  IdRange<TokenId> tokens() const { return IdRange<TokenId>(header().tokens); }
  // Those in a zone from the top, each found when the one before it is done with.
  class TokensIn {
   public:
    class Iterator {
     public:
      using value_type = TokenId;
      using difference_type = std::ptrdiff_t;
      Iterator() = default;
      Iterator(const Memory& memory, TokenId at) : memory_(&memory), at_(at) {}
      TokenId operator*() const { return at_; }
      Iterator& operator++() {
        at_ = memory_->next(at_);
        return *this;
      }
      Iterator operator++(int) { return std::exchange(*this, ++Iterator(*this)); }
      bool operator==(const Iterator& other) const { return at_ == other.at_; }

     private:
      const Memory* memory_ = nullptr;
      TokenId at_;
    };
    TokensIn(const Memory& memory, ZoneId z) : memory_(memory), first_(memory.first(z)) {}
    Iterator begin() const { return {memory_, first_}; }
    Iterator end() const { return {memory_, TokenId::none()}; }

   private:
    const Memory& memory_;
    TokenId first_;
  };
  TokensIn tokens_in(ZoneId z) const { return {*this, z}; }
  // Only where Secrets::tokens. Viewers are few, and their masks have a bit for each and three
  // more: for players there are none of, for those who only watch, and for all bits behind them.
  TokenSight sight(TokenId t) const {
    const NarrowSight own = narrow_sight(t);
    return {widen(p_->players, own.known), widen(p_->players, own.shown)};
  }
  void write_sight(TokenId t, TokenSight sight) const {
    write_narrow_sight(t, {narrow(p_->players, sight.known), narrow(p_->players, sight.shown)});
  }
  std::uint32_t narrow_known(TokenId t) const {
    return read_mask(sight_bytes(t), p_->layout.mask_bytes);
  }
  NarrowSight narrow_sight(TokenId t) const {
    const std::uint8_t* from = sight_bytes(t);
    const std::uint32_t width = p_->layout.mask_bytes;
    return {read_mask(from, width), read_mask(from + width, width)};
  }
  void write_narrow_sight(TokenId t, NarrowSight sight) const {
    std::uint8_t* to = sight_bytes(t);
    const std::uint32_t width = p_->layout.mask_bytes;
    write_mask(to, width, sight.known);
    write_mask(to + width, width, sight.shown);
  }
  static std::uint32_t mask_bytes(int players) { return players <= 5 ? 1 : players <= 13 ? 2 : 4; }
  static std::uint32_t narrow(int players, std::uint32_t mask) {
    if (players > 13) return mask;
    return (mask & ((2u << players) - 1)) | (mask >> max_players & 3) << (players + 1);
  }
  static std::uint32_t widen(int players, std::uint32_t bits) {
    if (bits == 0 || players > 13) return bits;
    const std::uint32_t mine = (1u << players) - 1;
    return (bits & mine) | ((bits >> players & 1) != 0 ? 0xffffu & ~mine : 0) |
           ((bits >> (players + 1) & 1) != 0 ? 1u << max_players : 0) |
           ((bits >> (players + 2) & 1) != 0 ? ~((2u << max_players) - 1) : 0);
  }
  ValueRange* ranges(TokenId t) const {
    return reinterpret_cast<ValueRange*>(reinterpret_cast<std::byte*>(&token(t)) +
                                         p_->layout.sight);
  }
  std::uint8_t* sight_bytes(TokenId t) const {
    return reinterpret_cast<std::uint8_t*>(&token(t)) + p_->layout.masks;
  }
  std::uint8_t* places(TokenId t, int viewer) const {
    return reinterpret_cast<std::uint8_t*>(&token(t)) + p_->layout.places +
           static_cast<std::size_t>(viewer) * p_->secrets.set_bytes;
  }
  // What is known of a token as it is saved and hashed: masks first, each in four bytes.
  std::size_t saved_sight_size() const;
  void sight_to_saved(TokenId t, std::byte* to) const;
  bool sight_from_saved(TokenId t, const std::byte* from) const;  // false: no such viewers
  // Only where Secrets::course.
  TokenBefore& before(TokenId t) const {
    return *reinterpret_cast<TokenBefore*>(reinterpret_cast<std::byte*>(&token(t)) +
                                           p_->layout.before);
  }
  std::uint8_t* places_before(TokenId t, int viewer) const {
    return reinterpret_cast<std::uint8_t*>(&before(t) + 1) +
           static_cast<std::size_t>(viewer) * p_->secrets.set_bytes;
  }
  CourseRecord& course() const { return *at<CourseRecord>(p_->layout.course); }
  VarRange& var_range(int number) const { return at<VarRange>(p_->layout.ranges)[number]; }

  // The property of a token, or none when it lacks it.
  Value prop(TokenId t, int property) const;
  static Value decode_cell(CellType type, std::int32_t cell) {
    if (cell == missing_cell) return {};
    if (type == CellType::integer) return Value::integer(cell);
    if (type == CellType::boolean) return Value::boolean(cell != 0);
    if (cell >= first_text_cell) return Value::make(Tag::text, kept_text + cell - first_text_cell);
    return cell >= 0 ? Value::symbol(cell) : Value::token(TokenId(-cell - 1));
  }
  // The cell for a value of this type; missing_cell when it does not fit.
  static std::int32_t encode_cell(CellType type, Value value) {
    switch (type) {
      case CellType::integer:
        return value.is_int() ? cell_of_number(value.payload()) : missing_cell;
      case CellType::boolean:
        return value.is_bool() ? value.index() : missing_cell;
      case CellType::symbol:
        return cell_of_word(value);
    }
    return missing_cell;
  }

  // A new token on top of a zone (none: in none) with these cells, one for each column.
  TokenId create_token(int type, ZoneId z, const std::int32_t* own);
  void insert(TokenId t, ZoneId z, TokenId before);  // a token of the zone; none: at the end
  void insert_top(TokenId t, ZoneId z) { insert(t, z, first(z)); }
  void remove(TokenId t);  // out of its zone, into none
  void write_cell(TokenId t, int property, std::int32_t cell);
  // Puts the tokens of a zone into this order. They are all of its tokens.
  void move_all(ZoneId from, ZoneId z);  // on top, in the order in which it lies
  void reorder(ZoneId z, std::span<const TokenId> order);
  // These tokens, wherever they were, are now what lies in the zone. What lay there before, and
  // the zones they come from, must be refilled or taken out as well.
  void refill(ZoneId z, std::span<const TokenId> order);
  void take_out(TokenId t);

  // ---- Texts that rules put together while playing and tokens keep. They lie behind the tokens,
  // each once: its length in four bytes, then its bytes, filled up to a multiple of four. Cells and
  // values know a text by its place, counted in units of four bytes.
  std::string_view text_at(std::int64_t place) const;
  // The value of a text, kept from now on; none: there is no more room.
  Value keep_text(std::string_view text);
  Value find_text(std::string_view text) const;  // none: not kept
  std::vector<std::string> texts() const;
  // Between moves: drops texts that nothing holds any more, and puts the others into the order in
  // which they are held, so that equal states have equal bytes.
  void tidy_texts();

  FlowRecord& flow() const { return *at<FlowRecord>(p_->layout.flow); }

  // ---- Records that come and go with the cards: grants, lasting effects, events that wait, zones
  // that were captured. They lie behind the tokens, one kind after the other, as many as there are
  // (open_records.cpp). Adding and dropping moves what lies behind: references end there.
  GrantRecord& grant(int k) const { return *at<GrantRecord>(grant_at(k)); }
  std::span<Value> grant_values(int k) const {
    GrantRecord& own = grant(k);
    return {reinterpret_cast<Value*>(&own + 1), own.values};
  }
  LastingRecord& lasting(int k) const { return *at<LastingRecord>(lasting_at(k)); }
  DeferredRecord& deferred(int k) const { return *at<DeferredRecord>(deferred_at(k)); }
  Value* deferred_values(int k) const { return reinterpret_cast<Value*>(&deferred(k) + 1); }
  CapturedRecord& captured(int k) const { return *at<CapturedRecord>(captured_at(k)); }
  std::uint64_t* captured_zones(int k) const {
    return reinterpret_cast<std::uint64_t*>(&captured(k) + 1);
  }
  void add_grant(GrantRecord record, std::span<const Value> values);
  void add_lasting(LastingRecord record);
  void add_deferred(const DeferredRecord& record, std::span<const Value> values);
  void add_captured(const CapturedRecord& record);
  void drop_grant(int k);
  void drop_lasting(int k);
  void drop_deferred(int k);
  void drop_captured(int k);
  // Everything between tokens and variables as it is saved: with all the room there could be.
  std::vector<std::byte> saved_records() const;
  bool load_records(std::span<const std::byte> saved);  // false: they are not of that form
  // How many of these values hold `wanted` things, each a value or a list with its length before
  // it; nothing if they do not.
  static std::optional<std::size_t> kept_size(std::span<const Value> values, std::size_t wanted);

  std::uint64_t* feature(int f) const {
    return at<std::uint64_t>(p_->layout.features) + static_cast<std::size_t>(f) * p_->words;
  }
  std::uint64_t* seen(int s) const {
    return at<std::uint64_t>(p_->layout.seen) + static_cast<std::size_t>(s) * seen_words;
  }
  SumRecord& sum(int s) const { return at<SumRecord>(p_->layout.sums)[s]; }
  std::uint8_t& pool(ZoneId z) const { return at<std::uint8_t>(p_->layout.pools)[z.value]; }

  // The incremental part of the hash, computed from nothing. Equals header().hash always.
  std::uint64_t content_hash() const;
  std::uint64_t full_hash() const;
  std::size_t hash_words(HashLane lane) const;  // the same as a chain; gives their number
  // The zone sets and sums, computed from nothing, equal those kept; for tests.
  bool features_consistent() const;

  void rebase() { base_ = block_->data(); }
  // Where texts begin.
  std::size_t texts_begin() const { return p_->flow.any() ? open_end() : tokens_end(); }

 private:
  std::uint64_t token_key(TokenId t, int part) const {
    return kernel::token_key(p_->token_keys.data(), p_->token_keys.size(),
                             static_cast<std::size_t>(t.value * (p_->columns + 2) + part));
  }
  std::uint64_t placement(TokenId t) const { return placement_of(token(t)); }
  std::size_t tokens_end() const {
    return p_->layout.tokens + std::size_t{header().tokens} * p_->layout.token_size;
  }
  std::uint32_t open_begin() const {
    return (static_cast<std::uint32_t>(tokens_end()) + 7) / 8 * 8;
  }
  std::uint32_t grant_at(int k) const;
  std::uint32_t lasting_at(int k) const;
  std::uint32_t deferred_at(int k) const;
  std::uint32_t captured_at(int k) const;
  std::uint32_t open_end() const { return captured_at(flow().captured); }
  // So many zero bytes more or less at this place behind the tokens.
  void open_room(std::uint32_t at, std::size_t bytes);
  void close_room(std::uint32_t at, std::size_t bytes);
  void make_room_for_token();
  // Everything that full_hash takes in.
  std::size_t common_words() const;
  template <class Take>
  void each_common_word(const Take& take) const;
  template <class Take>
  void each_other_word(const Take& take) const;
  template <class Visit>
  bool each_text(Visit visit) const;
  bool has_feature(TokenId t, const Feature& wanted) const;
  // A token came into this zone, or what lies there changed otherwise.
  void note_seen(TokenId t, ZoneId z) const;
  void refresh_seen(ZoneId z) const;
  void mark_seen(int s, std::uint64_t* words, TokenId t) const;
  // Into or (sign -1) out of the sums, for a token that is in this zone.
  void count_in_sums(TokenId t, ZoneId z, int sign) const;
  void count_in_sum(const KeptSum& def, SumRecord& record, TokenId t, ZoneId z, int sign) const;

  const Program* p_ = nullptr;
  StateBlock* block_ = nullptr;
  std::byte* base_ = nullptr;
  std::uint64_t version_ = 0;
  mutable Mixed mixed_;
};

}  // namespace parlor::kernel
