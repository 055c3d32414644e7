// The storage of a half-made move, and what everything that runs shares: the program, the state,
// frames with their slots, lists, happenings, names; who acts; what went wrong; how much work is
// left; who listens. It evaluates nothing. Between moves nothing of it is left: when code yields it
// is stored at the end of the state's block, and fetched again when the move goes on.
//
// On it stand, each in its room and each knowing only those below it:
//
//   HalfMove     run/half_move.h    storage
//   Evaluator    run/evaluator.h    expressions
//   Doubts       know/doubts.h      what values could be for those who do not know them
//   Statements   run/statements.h   code: variables, tokens, luck, choices
//   Turns        turn/turns.h       phases, rounds, triggers, timed effects, the end
//   Cards        turn/cards.h       card-driven flow, grants, activities
//   Legality     legal/legality.h   what may be done, hooks, looking ahead
//   Machine      run/machine.h      all of it, leased by whoever wants to run something
//
// Where a part has to ask one above it (code that ends a turn, a choice that looks ahead), it says
// so: `whole().pass_turn()`.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "kernel/know/knowledge.h"
#include "kernel/know/observers.h"
#include "kernel/state/reads.h"

namespace parlor::kernel {

class Machine;

enum class Truth : std::uint8_t { no, yes, fault };

// What stopped the machine: enough to write a message later, nothing that allocates. Two things
// can: the rules say no (an empty choice, a broken `require`, a stacking limit, a price), and then
// the move is illegal; or the rules went wrong (a division by zero, a missing property), which is a
// fault and makes nothing illegal.
struct Fault {
  Code code = Code::INTERNAL;
  std::uint32_t place = 0;
  const char* what = "";
  Value first, second;
  bool illegal = false;
  NodeId condition = {};  // the condition that does not hold, if it was one
};

struct Frame {
  std::int32_t pc = 0;
  std::int32_t slot_base = 0;
  UnitId unit = UnitId(0);
  Small<std::int32_t> event_mark = 0;
  std::int32_t event_index = 0, trigger_index = 0;  // where a dispatch stands
  Small<std::int32_t> template_mark = 0;
  Small<std::int16_t> depth = 0;  // of triggers
  Small<std::uint8_t> active = 0, actor = 0;
};

// The frames of a half-made move, the running one last. Their number is bounded, so there is always
// room for one more.
class Frames {
 public:
  static constexpr std::size_t most = 200;
  bool empty() const { return end_ == room_.get(); }
  bool full() const { return size() >= most; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - room_.get()); }
  Frame* data() { return room_.get(); }
  Frame& back() { return end_[-1]; }
  const Frame& back() const { return end_[-1]; }
  Frame& operator[](std::size_t index) { return room_[index]; }
  const Frame& operator[](std::size_t index) const { return room_[index]; }
  void push(const Frame& frame) { *end_++ = frame; }
  void pop() { --end_; }
  void resize(std::size_t size) { end_ = room_.get() + size; }
  void clear() { end_ = room_.get(); }

 private:
  std::unique_ptr<Frame[]> room_ = std::make_unique<Frame[]>(most);
  Frame* end_ = room_.get();
};

// Something triggers may react to.
struct Happening {
  Small<std::int32_t> kind = 0;  // spec::EventKind
  std::int32_t scope = 0;
  std::int32_t subject = 0;  // phase, action, zone; variable's symbol
  std::int32_t owner = -1;   // player or zone of a variable
  Value before, after;
};

// A binding whose name has a placeholder: `$moved@{$space}`. A choice outlives its block: it is a
// parameter of the move from then on, which any other binding of that name hides.
struct TemplateBinding {
  enum Source : std::int32_t { bound = -1, chosen = -2, parameter = -3 };
  Symbol pattern = 0;
  std::int32_t source = bound;  // from 0: what this place among all slots holds
  Value keys[2];
  Value value;
};

// How many there are of each part of a half-made move: the last bytes of a block that holds one.
struct MoveTail {
  Small<std::int32_t> frames = 0, slots = 0, arena = 0, events = 0, templates = 0, origin = 0;
};

// What a value could be for those who do not know it.
struct Doubt {
  std::int64_t low = 0, high = 0;
  std::uint32_t known = ~std::uint32_t{0};  // viewers who know it
  bool wide = false;                        // no bounds are known

  bool any() const { return wide || low != high; }
};

enum class Run : std::uint8_t { done, yielded, failed };

// A selection that is being tried out, and whether anything noticed where it ends. If nothing did
// before the move turned out illegal, no larger selection that begins like it is better (T-29).
struct SelectionWatch {
  SelectionWatch* outer = nullptr;  // of a choice before it
  std::int64_t list = -1;           // -1: not bound yet
  bool noticed = false;
};

// How far `run` goes: to the next decision, to the point where the move is complete, or (looking
// ahead) only to where nothing is left that could make it illegal.
enum class Until : std::uint8_t { decision, move_complete, nothing_refuses };

class HalfMove {
 public:
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  Header& header() { return memory_.header(); }
  const Header& header() const { return memory_.header(); }
  const Program& program() const { return *p_; }

  FlowRecord& flow() { return memory_.flow(); }
  const FlowRecord& flow() const { return memory_.flow(); }

  // ---- What went wrong
  bool failed() const { return failed_; }
  const Fault& fault() const { return fault_; }
  void clear_fault() { failed_ = false; }
  // The rules went wrong.
  Value fail(Code code, std::uint32_t place, const char* what, Value first = {}, Value second = {});
  // The rules say no: this is no move. Always false.
  bool refuse(Code code, std::uint32_t place, const char* what, Value first = {},
              Value second = {});
  bool refuse_condition(std::uint32_t place, const char* what, NodeId condition);

  // ---- Lists
  std::size_t list_size(Value list) const;
  std::size_t stored_size(Value list) const;  // the same, and no watch hears of it
  void notice_end(Value list) const;
  Value list_at(Value list, std::size_t index) const;
  std::span<const Value> stored_items(Value list) const;  // as long as no list is made
  void put_at(Value list, std::size_t index, Value item);
  Value* own_items(Value list) { return &arena_[list.handle() + 1]; }  // of one in the arena
  Value make_list(std::span<const Value> items);
  Value make_blank_list(std::size_t size);
  bool take_arena(std::size_t words);

  // Whether there is such a token, or such a word.
  bool exists(Value v) const {
    if (v.is_token()) return v.payload() < memory_.header().tokens;
    return !v.is_symbol() || v.payload() < std::ssize(p_->symbols);
  }

  // ---- Running
  void push_frame(UnitId unit, int active, int actor) {
    const UnitInfo& info = p_->units[unit];
    if (frames_.full() || slot_top_ + info.slots > frame_slots) {
      const int at = frames_.empty() ? 0 : frames_.back().pc - 1;
      fail(Code::RUN_BUDGET, frames_.empty() ? 0 : p_->instr(at).place,
           "effects are nested too deeply");
      return;
    }
    frames_.push({.pc = info.entry,
                  .slot_base = slot_top_,
                  .unit = unit,
                  .event_mark = events_.size(),
                  .event_index = -1,
                  .template_mark = templates_.size(),
                  .active = active,
                  .actor = actor});
    base_ = slot_top_;
    set_players(active, actor);
    if (info.slots == 0) return;
    slot_top_ += info.slots;
    std::fill_n(&slot(SlotId(0)), info.slots, Value{});
  }
  std::size_t depth() const { return frames_.size(); }
  const Frame& frame(std::size_t index) const { return frames_[index]; }
  Value slot_of(const Frame& frame, SlotId slot, int behind = 0) const {
    return slots_.data()[frame.slot_base + slot.value + behind];
  }
  Frame& top() { return frames_.back(); }
  void drop_frames() {
    frames_.clear();
    arena_.clear();
    events_.clear();
    templates_.clear();
    origin_.resize(0);
    base_ = slot_top_ = 0;
  }
  // In units of work, see work_of_instruction.
  std::int64_t steps_left = 0;
  // Takes work from what is left; false: there is not as much, and that is a fault.
  bool spend(std::int64_t work, std::uint32_t place) {
    if ((steps_left -= work) >= 0) [[likely]]
      return true;
    fail(Code::RUN_BUDGET, place, "this takes too many operations");
    return false;
  }

  // ---- Slots of expressions that run outside any frame.
  class Scratch {
   public:
    Scratch(HalfMove& machine, UnitId unit, int active, int actor)
        : machine_(machine),
          base_(machine.base_),
          top_(machine.slot_top_),
          active_(machine.active_),
          actor_(machine.actor_),
          arena_(machine.arena_.size()) {
      machine.base_ = top_;
      if (const int slots = machine.p_->units[unit].slots; slots != 0) {
        machine.slot_top_ += slots;
        std::fill_n(&machine.slot(SlotId(0)), slots, Value{});
      }
      machine.set_players(active, actor);
    }
    ~Scratch() {
      machine_.base_ = base_;
      machine_.slot_top_ = top_;
      machine_.active_ = active_;
      machine_.actor_ = actor_;
      if (machine_.arena_.size() != arena_) machine_.arena_.resize(arena_);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

   private:
    HalfMove& machine_;
    std::int32_t base_, top_;
    std::uint8_t active_, actor_;
    std::size_t arena_;
  };
  // Or so many behind it: loops and choices have several in a row.
  Value& slot(SlotId id, int behind = 0) { return slots_.data()[base_ + id.value + behind]; }
  Value slot(SlotId id, int behind = 0) const { return slots_.data()[base_ + id.value + behind]; }
  int active() const { return active_; }
  int actor() const { return actor_; }
  void set_players(int active, int actor) {
    active_ = static_cast<std::uint8_t>(active);
    actor_ = static_cast<std::uint8_t>(actor);
  }

  // ---- Who listens
  // For those who may know it (bits of an Audience); the others are told `outside`, or nothing.
  // Observers that the rules declare are asked what it is about.
  void report(std::string_view kind, Json data, std::uint32_t seen_by = ~std::uint32_t{0},
              Json outside = nullptr);
  void report(std::string_view kind, Json data, std::uint32_t seen_by, Json outside,
              const About& about);
  // Who may hear what only tools need to know: nobody, where something is hidden.
  std::uint32_t tools_only() const { return p_->secrets.any ? 0 : ~std::uint32_t{0}; }
  EventListener* listener() const { return listener_; }
  // What also those hear who listen only for remarks.
  void remark(std::string_view kind, Json data) {
    if (remarks_ != nullptr)
      remarks_->on_event(Event{kind, std::move(data), Audience::of_bits(tools_only())});
  }

  // From now on the machine only tries things out; native modules are told so. Looking ahead it
  // does not know what luck will bring; rehearsing, the move goes as it will go. Validate hooks are
  // asked only when `asking`, which is rehearsing otherwise: whoever else tries has asked them
  // already.
  enum class Trial : std::uint8_t { none, looking, rehearsing, asking };
  bool trying() const { return trial_ != Trial::none; }
  bool foresees_nothing() const { return trial_ == Trial::looking; }
  void set_trial(Trial trial) { trial_ = trial; }
  void set_watch(SelectionWatch* watch) { watch_ = watch; }
  // From now on what is looked into is noted there; a trial stops at this code address (-1: only
  // where nothing refuses).
  void note_reads(const Reads* reads, int stop_at) {
    reads_ = reads;
    stop_at_ = stop_at;
  }
  bool stands_at(int address) const { return frames_.size() == 1 && frames_.back().pc == address; }

  // ---- The move of a card-driven game that is being made or asked about
  int mover() const { return move_.grant != 0 ? move_.as : memory_.header().active; }
  const MoveContext& move_context() const { return move_; }
  void forget_move() { move_ = {}; }

 protected:
  // The parts above this one.
  Machine& whole();
  const Machine& whole() const;

  void fetch_move();
  void store_move();
  void tidy_lists();
  void keep(Value& held);
  Value keep_list(Value v);
  void call_unit(UnitId unit);
  void pop_frame();
  void load_frame();
  void happen(const Happening& happening) { events_.push_back(happening); }

  const Program* p_ = nullptr;
  Memory memory_;
  EventListener* listener_ = nullptr;
  EventListener* remarks_ = nullptr;

  // Frames have their slots one after the other; behind them is room for expressions that run
  // outside any frame, and for those inside these (markers whose constraints ask after markers).
  static constexpr std::int32_t frame_slots = 1 << 14;
  static constexpr int most_marker_questions = 6;
  std::vector<Value> slots_ =
      std::vector<Value>(frame_slots + (most_marker_questions + 3) * most_slots);
  std::int32_t base_ = 0, slot_top_ = 0;
  std::uint8_t active_ = 0, actor_ = 0;  // saved and restored as one
  Frames frames_;
  std::vector<Value> arena_, tidy_;
  std::vector<Happening> events_;
  std::vector<TemplateBinding> templates_;
  StateBlock origin_;  // the state the move began with, where a condition will be asked about it

  bool failed_ = false;
  Fault fault_;
  MoveContext move_;
  Trial trial_ = Trial::none;
  SelectionWatch* watch_ = nullptr;

  // What lies in this zone was asked for.
  void note_read(ZoneId z) {
    if (reads_ != nullptr) [[unlikely]]
      reads_->note_zone(z);
  }
  const Reads* reads_ = nullptr;
  int stop_at_ = -1;
};

inline std::size_t HalfMove::stored_size(Value list) const {
  if (!list.is_list()) return 0;
  if (list.payload() >= constant_list) return p_->constant_items(list).size();
  return arena_[list.handle()].bits;
}

inline std::size_t HalfMove::list_size(Value list) const {
  if (watch_ != nullptr) [[unlikely]]
    notice_end(list);
  return stored_size(list);
}

inline Value HalfMove::list_at(Value list, std::size_t index) const {
  if (index >= stored_size(list)) return {};
  if (list.payload() >= constant_list) return p_->constant_items(list)[index];
  return arena_[list.handle() + 1 + index];
}

inline std::span<const Value> HalfMove::stored_items(Value list) const {
  if (list.payload() >= constant_list) return p_->constant_items(list);
  const Value* const size = &arena_[list.handle()];
  return {size + 1, static_cast<std::size_t>(size->bits)};
}

inline void HalfMove::load_frame() {
  const Frame& frame = frames_.back();
  base_ = frame.slot_base;
  active_ = frame.active;
  actor_ = frame.actor;
}

inline void HalfMove::pop_frame() {
  const Frame& frame = frames_.back();
  slot_top_ = frame.slot_base;
  templates_.resize(static_cast<std::size_t>(frame.template_mark));
  frames_.pop();
  if (frames_.empty()) {
    arena_.clear();
    base_ = slot_top_ = 0;
  } else {
    load_frame();
  }
}

}  // namespace parlor::kernel
