// The machine that runs a Program on a state. It owns everything a half-made move needs (frames,
// slots, lists, collected events); when code yields, that is stored at the end of the state's
// block, and fetched again when the move goes on. Between moves nothing of it is left.
#pragma once

#include <array>
#include <string>

#include "kernel/know/knowledge.h"

namespace parlor::kernel {

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
  std::int32_t condition = -1;  // node of the condition that does not hold, if it was one
};

struct Frame {
  std::int32_t pc = 0;
  std::int32_t slot_base = 0;
  std::int32_t unit = 0;
  std::int32_t event_mark = 0;
  std::int32_t event_index = 0, trigger_index = 0;  // where a dispatch stands
  std::int32_t template_mark = 0;
  std::int16_t depth = 0;  // of triggers
  std::uint8_t active = 0, actor = 0;
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
  std::int32_t kind = 0;  // spec::EventKind
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
  std::int32_t frames = 0, slots = 0, arena = 0, events = 0, templates = 0, origin = 0;
};

// What a value could be for those who do not know it.
struct Doubt {
  std::int64_t low = 0, high = 0;
  std::uint32_t known = ~std::uint32_t{0};  // viewers who know it
  bool wide = false;                        // no bounds are known

  bool any() const { return wide || low != high; }
};

class Eyes;

enum class Run : std::uint8_t { done, yielded, failed };

// A selection that is being tried out, and whether anything noticed where it ends. If nothing did
// before the move turned out illegal, no larger selection that begins like it is better (T-29).
struct SelectionWatch {
  SelectionWatch* outer = nullptr;  // of a choice before it
  std::int64_t list = -1;           // -1: not bound yet
  bool noticed = false;
};

// How far `run` goes: to the next decision, or (looking ahead) to the point where the move is
// complete.
enum class Until : std::uint8_t { decision, move_complete };

class Machine {
 public:
  // Runs this program from now on.
  void use(const Program& program) {
    p_ = &program;
    if (kept_room_ < program.kept_sets) make_room();
    drop_frames();
    work_.clear();  // a failure may have left something
    failed_ = yield_ = complete_ = setting_up_ = false;
  }
  // Works on this block from now on; takes a half-made move out of it.
  void attach(StateBlock& block, EventListener* listener = nullptr) {
    memory_.look_at(*p_, block);
    steps_left = work_of_instruction * p_->options.listing;
    listener_ = listener != nullptr && listener->only_remarks() ? nullptr : listener;
    remarks_ = listener;
    trial_ = Trial::none;
    watch_ = nullptr;
    asker_ = nullptr;
    if (veto_) veto_.reset();
    move_ = {};
    if (header().vm_bytes != 0) fetch_move();
  }
  // The attached block is about to change: cuts the half-made move off its end.
  void begin_write() {
    if (const std::uint32_t bytes = header().vm_bytes; bytes != 0) {
      header().vm_bytes = 0;
      memory_.block().resize_unset(memory_.block().size() - bytes);
    }
  }
  // Puts a half-made move into the block.
  void detach() {
    if (!frames_.empty())
      store_move();
    else if (header().text_bytes != 0)
      memory_.tidy_texts();
  }

  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  Header& header() { return memory_.header(); }
  const Header& header() const { return memory_.header(); }
  const Program& program() const { return *p_; }

  // ---- Expressions. On failure `failed()` and the fault say why, and the result is meaningless.
  Value value(int node) {
    const Node& n = p_->nodes[node];
    if (n.op == Ex::constant) return p_->constants[n.a];
    if (n.op == Ex::active_player) return Value::integer(active_);
    if (n.op == Ex::slot)
      if (const Value v = slot(n.a); !v.is_none()) return v;
    return value_of(n);
  }
  Truth test(int node);
  bool integer(int node, std::int64_t& out);  // false: failed
  int zone(int node) {                        // -1: failed
    const Node& n = p_->nodes[static_cast<std::size_t>(node)];
    if (n.op == Ex::z_const) return n.a;
    if (n.op == Ex::z_slot)
      if (const Value v = slot(n.a); v.is_symbol() && v.payload() < p_->zone_count)
        return static_cast<int>(v.payload());
    return zone_rare(n);
  }
  std::uint32_t players(int node);  // 0: failed
  int player(int node);             // -1: failed
  int token(int node);              // -1: failed
  Truth filter(int node, int token);

  struct Visit {
    bool (*call)(void*, Value);
    void* self;
    bool operator()(Value v) const { return call(self, v); }
  };
  // Calls `f(value)` for every result in order until it returns false.
  template <class F>
  void each(int node, F&& f) {
    using Fn = std::remove_reference_t<F>;
    query(node,
          Visit{[](void* self, Value v) { return static_cast<bool>((*static_cast<Fn*>(self))(v)); },
                &f});
  }
  // The same without repetitions.
  template <class F>
  void each_distinct(int node, F&& f) {
    const Value list = collect(node);
    if (failed_) return;
    drop_duplicates(list);
    if (failed_) return;
    for (std::size_t i = 0; i < list_size(list); ++i)
      if (!f(list_at(list, i))) return;
  }
  bool query(int node, Visit visit);  // false: stopped or failed
  // All results as a list of the arena; none: failed.
  Value items_of(int node);
  Value collect(int node);
  // Zone sets (planned.cpp): the options of an action that are such a set, and a set as words.
  void list_bits(int node, std::uint64_t id, int shift, std::int64_t base, OptionList& out);
  bool zone_bits(int node, std::uint64_t* out);
  bool find_instant(int node);  // into the header; false: the set is empty or failed
  bool list_ways(const ActionInfo& action, std::uint64_t id, int shift,
                 OptionList* out);  // null: is there one
  Truth any_bit(int node);

  bool failed() const { return failed_; }
  const Fault& fault() const { return fault_; }
  void clear_fault() { failed_ = false; }
  // The rules went wrong.
  Value fail(Code code, std::uint32_t place, const char* what, Value first = {}, Value second = {});
  // The rules say no: this is no move. Always false.
  bool refuse(Code code, std::uint32_t place, const char* what, Value first = {},
              Value second = {});
  bool refuse_condition(std::uint32_t place, const char* what, int condition);

  // ---- Lists
  std::size_t list_size(Value list) const;
  std::size_t stored_size(Value list) const;  // the same, and no watch hears of it
  void notice_end(Value list) const;
  Value list_at(Value list, std::size_t index) const;
  void put_at(Value list, std::size_t index, Value item);
  Value make_list(std::span<const Value> items);
  Value make_blank_list(std::size_t size);
  bool take_arena(std::size_t words);
  bool equal_values(Value a, Value b) const {
    return a == b || (a.tag() == Tag::text && b.tag() == Tag::text && text_of(a) == text_of(b));
  }
  std::string text_of(Value value) const;  // as `concat` writes it
  Json json_of(Value value) const;
  // From now on values are put into words for this viewer: tokens they do not see are named by
  // their place, "hand:1#2" or {"zone", "place"}. Whoever asks stays where they are meanwhile.
  void set_asker(const Eyes* eyes) { asker_ = eyes; }
  const Eyes* asker() const { return asker_; }
  // Whether an expression may look at something the asker does not see.
  bool hidden_from_asker(int node);
  Value value_of_text(std::string_view text);  // a symbol, a token or text of the arena

  // Whether there is such a token, or such a word.
  bool exists(Value v) const {
    if (v.is_token()) return v.payload() < memory_.header().tokens;
    return !v.is_symbol() || v.payload() < static_cast<std::int64_t>(p_->symbols.size());
  }

  // ---- Running
  void push_frame(int unit, int active, int actor) {
    const UnitInfo& info = p_->units[unit];
    if (frames_.full() || slot_top_ + info.slots > frame_slots) {
      fail(Code::RUN_BUDGET, 0, "effects are nested too deeply");
      return;
    }
    frames_.push({.pc = info.entry,
                  .slot_base = slot_top_,
                  .unit = unit,
                  .event_mark = static_cast<std::int32_t>(events_.size()),
                  .event_index = -1,
                  .template_mark = static_cast<std::int32_t>(templates_.size()),
                  .active = static_cast<std::uint8_t>(active),
                  .actor = static_cast<std::uint8_t>(actor)});
    base_ = slot_top_;
    set_players(active, actor);
    if (info.slots == 0) return;
    slot_top_ += info.slots;
    std::fill_n(&slot(0), info.slots, Value{});
  }
  Run run(Until until);
  std::size_t depth() const { return frames_.size(); }
  const Frame& frame(std::size_t index) const { return frames_[index]; }
  Value slot_of(const Frame& frame, int index) const { return slots_[frame.slot_base + index]; }
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
    Scratch(Machine& machine, int unit, int active, int actor)
        : machine_(machine),
          base_(machine.base_),
          top_(machine.slot_top_),
          active_(machine.active_),
          actor_(machine.actor_),
          arena_(machine.arena_.size()) {
      machine.base_ = top_;
      if (const int slots = machine.p_->units[unit].slots; slots != 0) {
        machine.slot_top_ += slots;
        std::fill_n(&machine.slot(0), slots, Value{});
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
    Machine& machine_;
    std::int32_t base_, top_;
    std::uint8_t active_, actor_;
    std::size_t arena_;
  };
  Value& slot(int index) { return slots_[base_ + index]; }
  Value slot(int index) const { return slots_[base_ + index]; }
  int active() const { return active_; }
  int actor() const { return actor_; }
  void set_players(int active, int actor) {
    active_ = static_cast<std::uint8_t>(active);
    actor_ = static_cast<std::uint8_t>(actor);
  }

  // ---- Decisions (legality.cpp, look_ahead.cpp, choices.cpp)
  struct MoveSink {
    bool (*call)(void*, Option);
    void* self;
  };
  // Every legal option of an action selection, in order; stops when the sink says false.
  void each_move(MoveSink sink);
  void list_moves(OptionList& out);
  bool move_exists();
  // Enters the action of an option into a new frame. False: no such option.
  bool begin_move(Option option);
  void list_choices(OptionList& out);
  bool answer(Option option);  // of a choice or chance decision: binds it, the frame goes on
  void list_raw(OptionList& out) { raw_choices(out); }
  // The same without those that a sum over the selection rules out (bounds.cpp).
  void list_hopeful(OptionList& out);
  // A chooseN took an item and waits for the next: nothing is to be run.
  bool waits() {
    const bool waiting = yield_again_;
    yield_again_ = false;
    return waiting;
  }
  // One step of an action's order, in the slots of the action's unit. `pipeline` and `executor`
  // leave what they found for those that follow.
  Truth ask(int action, const Step& step);
  int pipeline_found() const { return pipeline_; }
  Json move_params(Option option, std::string& action);
  Value option_value(Option option);
  const std::string* chosen_name() const;  // of the pending choice, if it has one
  // What is selected so far where several things are being chosen.
  std::size_t selected_count() const;
  Value selected_at(std::size_t index) const;
  std::pair<std::int64_t, std::int64_t> selection_limits() {
    const Selection now = selection();
    return {now.min, now.max};
  }
  bool is_confirm(Option option) const;
  Decision decision() const;
  // Whether choices and luck can lead to the end of the move, tried on a copy. What the budget of
  // one listing does not suffice to find out counts as yes, and is counted.
  bool completes(Option option);
  void begin_listing() {
    look_ahead_left_ = work_of_instruction * p_->options.look_ahead;
    undecided_ = 0;
    dead_ends_.clear();
  }
  std::uint64_t undecided() const { return undecided_; }
  bool can_answer_safely() const;  // nothing after the pending choice may make the move illegal

  // ---- Cards (flow.cpp, boundary.cpp, card_legality.cpp)
  FlowRecord& flow() { return memory_.flow(); }
  const FlowRecord& flow() const { return memory_.flow(); }
  // A way in which an action can be taken: for what class, and under which grant (place + 1).
  struct Variant {
    ActionClass action_class = ActionClass::none;
    std::uint8_t grant = 0;
  };
  static constexpr std::size_t most_variants = 8 + max_grants;
  struct Variants {
    std::array<Variant, most_variants> list;
    std::size_t count = 0;
    void add(Variant v) {
      if (count < most_variants) list[count++] = v;
    }
  };
  void find_variants(int action, Variants& out) const;
  Variant variant_of(Option option) const;
  std::uint64_t bits_of(Variant v) const {
    return (static_cast<std::uint64_t>(v.action_class) | std::uint64_t{v.grant} << 3)
           << action_bits;
  }
  // From now on expressions belong to this move.
  void consider(int action, Variant variant);
  void forget_move() { move_ = {}; }
  int mover() const { return move_.grant != 0 ? move_.as : memory_.header().active; }
  const MoveContext& move_context() const { return move_; }
  // The n-th seat that may still act on this card, or the n-th that has to use a grant first; -1:
  // there is none.
  int candidate(int n) const;
  int blocking_owner(int n) const;
  int first_seat(int n) const { return blocking_owner(0) >= 0 ? blocking_owner(n) : candidate(n); }
  bool row_holds() const;  // what the second may do is limited
  const std::vector<ActionClass>* row() const;
  bool in_coup_phase() const {
    return p_->flow.coup_phase[static_cast<std::size_t>(memory_.header().phase)];
  }
  bool interrupted() const { return memory_.header().phase >= p_->ordinary_phases; }
  bool is_coup(int token) const;
  bool coup_counts() const;  // the played card brings a coup round
  bool lookahead_is_coup() const;
  int card_of(int token) const;  // -1: no card of a deck
  int event_card() const;        // the card an event can be played of now
  void set_event(int move);      // its parameters into the first slots
  bool grant_ready(int k) const;
  bool grant_admits(int k, int action, ActionClass& as_class) const;
  bool move_is_judged() const;  // something is asked of the whole move when it is complete
  // Removes options that others cancel (F-55); the machine looks at the state they are of.
  void cancel_moves(OptionList& options);
  Value option_param(Option option, const std::string& name);
  bool selects(const SelectorInfo& selector, Option option);
  bool probes_grant() const { return probing_; }

  // ---- Turn flow and the end (turn.cpp, outcome.cpp)
  bool check_terminal();  // true: the game is over, recorded in the header
  // For those who may know it (bits of an Audience); the others are told `outside`, or nothing.
  void report(std::string_view kind, Json data, std::uint32_t seen_by = ~std::uint32_t{0},
              Json outside = nullptr);
  // Who may hear what only tools need to know: nobody, where something is hidden.
  std::uint32_t tools_only() const { return p_->secrets.any ? 0 : ~std::uint32_t{0}; }
  EventListener* listener() const { return listener_; }
  // What also those hear who listen only for remarks.
  void remark(std::string_view kind, Json data) {
    if (remarks_ != nullptr)
      remarks_->on_event(Event{kind, std::move(data), Audience::of_bits(tools_only())});
  }

  void take_pool(int zone);
  void settle_pools();  // pools back into their canonical order
  bool write_var(int scope, int owner, int var, std::int64_t value);
  // At a random position `index` counts from the top; -1: the rng of the state decides.
  bool place(int token, int zone, spec::ZonePosition position, std::uint32_t at, Taken how,
             std::uint32_t pickers, std::int64_t index = -1);

  // ---- What is not known to everybody (doubts.cpp, tokens.cpp)
  Knowledge knowledge() const { return Knowledge(memory_); }
  // What happens while a game is set up, everybody knows: nobody has decided anything yet.
  void set_up() { setting_up_ = true; }
  std::uint32_t seen_by(int token) const {
    return p_->secrets.tokens ? knowledge().seen_by(token) : ~std::uint32_t{0};
  }
  std::uint32_t var_sight(int cell) const {
    return p_->secrets.cell_sight.empty() ? ~std::uint32_t{0}
                                          : p_->secrets.cell_sight[static_cast<std::size_t>(cell)];
  }
  Doubt doubt(int node);
  // Tokens have changed places: whatever a half-made move, an effect or a submission says of one
  // is now said of the token that lies there (hidden.cpp, submit.cpp).
  void rename_tokens(const std::vector<int>& next);
  bool fits_stacking(int zone) {
    const bool fits = stacking_ok(zone, 0);
    clear_fault();
    return fits;
  }
  bool would_end();  // some terminal condition holds
  bool move_blocked(int action, int player) const;
  // What the effects in force add to the price of an action in this variable.
  std::int64_t cost_delta(int action, int var) const;

  // ---- Hooks (hooks.cpp)
  // Whether a validate hook lets the action pass; `why`, if given, gets what it said.
  Truth hook_allows(int action, const HookRef& hook, std::optional<Rejection>* why);
  // From now on the machine only tries things out; native modules are told so. Looking ahead it
  // does not know what luck will bring; rehearsing, the move goes as it will go. Validate hooks are
  // asked only when `asking`, which is rehearsing otherwise: whoever else tries has asked them
  // already.
  enum class Trial : std::uint8_t { none, looking, rehearsing, asking };
  bool trying() const { return trial_ != Trial::none; }
  bool foresees_nothing() const { return trial_ == Trial::looking; }
  void set_trial(Trial trial) { trial_ = trial; }
  void set_watch(SelectionWatch* watch) { watch_ = watch; }
  // What a hook said when it refused the action, if one did.
  std::optional<Rejection>& veto() { return veto_; }
  Json module_snapshots() const;

 private:
  friend class Enumerator;
  template <int W>
  friend class SetPlan;
  friend class Saver;

  void make_room();
  void fetch_move();
  void store_move();
  Value value_of(const Node& n);
  int zone_rare(const Node& n);
  Value arithmetic(const Node& n);
  Value fold(const Node& n);
  Value concat(const Node& n);
  Value zone_attribute(const Node& n);
  Value asset_field(const Node& n);
  Value step_to(const Node& n);
  Value effect_modifier(const Node& n);
  Value value_rare(const Node& n);
  Truth compare(const Node& n);
  Truth without(int operand);
  Truth quantified(const Node& n);
  Truth in_set(const Node& n);
  Truth in_list(const Node& n);
  Truth zone_includes(const Node& n);
  Truth marker_allowed(const Node& n);
  Truth shift_allowed(const Node& n);
  Truth test_rare(const Node& n);
  Truth connected(const Node& n);
  Truth line_of(const Node& n);
  Truth line_bits(const Node& n);
  Truth any_connected(const Node& n);
  Truth zone_in(const Node& n);
  // The feature b_player means: the first of the players' in the extra table, and which player.
  int player_feature(int first, int which) const {
    int who = which == 0 ? active_ : actor_;
    if (which == 2) who = who == 0 ? p_->players - 1 : who - 1;
    if (which == 3) who = who + 1 == p_->players ? 0 : who + 1;
    return p_->extra[first + who];
  }
  Value count_bits(int node);
  bool query_bits(int node, Visit visit);
  template <class F>
  auto with_width(F&& f);
  template <class F>
  auto with_more_words(F& f);
  Truth marker_state_ok(int zone, int lattice, int state);
  Truth filter_test(const Node& n, int token);
  Truth matches(spec::FilterOp op, Value have, int value_node, std::uint32_t place);
  Value field_of(const Node& n, int token);
  bool query_zones(const Node& n, Visit visit);
  bool query_connected(const Node& n, Visit visit);
  bool query_rows(const Node& n, Visit visit);
  bool query_ints(const Node& n, Visit visit);
  bool some_ints(const Node& n, std::int64_t min, std::int64_t max, std::int64_t step,
                 std::int64_t most, Visit visit);
  bool query_ray(const Node& n, Visit visit);
  bool query_ways(const Node& n, Visit visit);
  bool query_next(const Node& n, Visit visit);
  bool query_effects(const Node& n, Visit visit);
  bool query_rare(const Node& n, Visit visit);
  bool each_direction(int node, Visit visit);
  bool all_tokens(int zone, int filter_node, Visit visit);
  int zone_of_value(Value v, std::uint32_t place);
  int zone_of_text(std::string_view text, std::uint32_t place);
  int player_of_value(Value v, std::uint32_t place);
  bool find_var(int scope, Value name, int& var, std::uint32_t place);
  Value template_value(int extra, std::uint32_t place);
  Value find_template(int extra, std::uint32_t place);  // none: nothing has this name, or failed
  bool template_keys(int extra, TemplateBinding& out);
  bool same_key(Value a, Value b) const;
  bool same_name(const TemplateBinding& a, const TemplateBinding& b) const;
  std::string name_of(const TemplateBinding& binding) const;
  void close_names(std::int64_t mark) {  // marks of a saved move may be anything
    if (mark >= 0 && templates_.size() > static_cast<std::size_t>(mark))
      keep_parameters(static_cast<std::size_t>(mark));
  }
  void keep_parameters(std::size_t mark);
  bool open_name(const Node& n);  // of an expression; false: failed

  // Statements; false: failed.
  bool step(const Instr& i);
  bool step_token(const Instr& i);
  bool step_control(const Instr& i);
  bool step_names(const Instr& i);
  Truth judge(int node, bool first_state, int decided);
  bool step_marker(const Instr& i);
  bool step_turn(const Instr& i);
  bool do_var(const Instr& i);
  bool do_transfer(const Instr& i);
  bool do_move_all(const Instr& i);
  bool do_draw(const Instr& i);
  bool do_shuffle(const Instr& i);
  bool do_create(const Instr& i);
  bool do_loop_next(const Instr& i);
  bool do_reduce(const Instr& i);
  bool do_remove_group(const Instr& i);
  bool do_subset(const Instr& i);
  bool do_choose(const Instr& i);
  bool do_roll(const Instr& i);
  bool do_dispatch();
  bool do_reveal(const Instr& i);
  bool do_say(const Instr& i);
  bool match_tokens(int zone, int filter_node, std::vector<int>& out);
  bool remember_reveal(const Instr& i, int zone, std::uint32_t who);
  void forget_reveals(const Instr& i, int zone, std::uint32_t who);
  void report_sight(const Instr& i, int zone, std::uint32_t who, const std::vector<int>& tokens);
  bool arrived(int token);
  void rename_submissions(const std::vector<int>& next);
  void tell_move(int token, int from, std::uint32_t seen);
  std::vector<Value> props_of(int token) const;
  void tell_entry(int token, const std::vector<Value>& before);
  bool is_unseen(Value value) const;   // a token the asker does not see
  int place_in_zone(int token) const;  // counted from 1, the top
  // Doubts about what a slot holds; nothing to do where no binding may hold a secret.
  int shadow_of(int slot) const;
  Doubt slot_doubt(int slot) const;
  void note_doubt(int slot, const Doubt& doubt);
  void note_choice(int slot, Value options, int player);
  void note_params(const ActionInfo& action);
  Doubt prop_doubt(const Node& n);
  Doubt var_doubt(const Node& n);
  Doubt combined(const Node& n);
  bool reads_doubt(int node);
  Doubt var_write_doubt(const Instr& i, int cell);
  void write_range(int cell, const Doubt& doubt);
  void shift_range(int cell, std::int64_t by);
  void blur_prop(int token, int prop, int value_node);
  std::uint32_t pickers_of(int token_node) const;
  bool do_start_effect(const Instr& i);
  void report_effect_end(const EffectRecord& record);
  struct Turn {
    int player;
    int place;  // in a fixed order; -1: there is none
    bool begins_round;
  };
  Turn next_turn() const;
  void take_turn(const Turn& turn);
  bool do_settle(const Instr& i);
  bool do_card_settle(const Instr& i);
  bool decide_now();
  bool finish_without_moves();
  bool step_flow(const Instr& i);
  bool book_move(const Instr& i);
  void reward_pass(int player);
  bool leave_for_coup();
  void cross_out();
  void cross_in();
  bool instruct();
  bool new_card(const Instr& i);
  bool card_order(bool start);
  bool release_deferred();
  bool expire_lasting(const Instr& i);
  bool next_card_phase(const Instr& i);
  bool new_card_turn();
  void enter_coup();
  void update_active();
  void move_card(int token, int zone);
  bool phase_is_there(int phase) const;
  bool last_coup_round() const;
  bool start_lasting(const Instr& i);
  bool defer(const Instr& i);
  bool blocking_grants() const { return blocking_owner(0) >= 0; }
  bool issue_grant(const Instr& i);
  bool make_grant(int def, int self, GrantRecord& record);
  bool keep_values(Value v, Value*& next, const Value* end, std::uint32_t place);
  bool grant_usable(const GrantRecord& record, const Value* values);
  bool event_is_viable();
  void consume_grant(int k);
  void drop_grant(int k);
  void drop_blocking(int player);
  bool judge_move(const Instr& i);
  bool authorise(const Instr& i);
  bool grant_fits(int k);
  bool sequence_fits(int k, std::span<const int> zones);
  void zone_candidates(int k, std::vector<int>& out);
  void capture(int k, std::span<const int> zones);
  bool net_allows(int zone);
  Truth filter_zone(int k, int zone);
  bool same_group(int a, int b) const;
  int grant_rank(int k) const;
  template <class Use>
  bool each_rival(Use use) const;
  bool changed_material() const;
  Value grant_value(int k, int index);  // of its context, then its fills
  Value flow_value(const Node& n);
  Value move_binding(Symbol name);
  Value param_named(const std::string& name);
  std::int64_t amount_of(Value v) const;
  bool has_value(Symbol wanted);
  Truth ask_row(int action) const;
  Truth ask_pivotal(int action);
  Truth ask_monsoon(int action, bool whole);
  Truth ask_lasting(int action, bool whole);
  Truth ask_coup_card(int action) const;
  Value interpreted(int token, int property);
  // A property as the move sees it: a grant may take tokens for something else.
  Value seen_prop(int t, int property) {
    return move_.grant != 0 && p_->flow.any_interpretation && !interpreting_
               ? interpreted(t, property)
               : memory_.prop(t, property);
  }
  bool choose_activity(const Instr& i);
  bool activity_point(const Instr& i);
  void finish_activity();
  bool constraints_hold(const Instr& i);
  int unit_of_slots() const;
  bool run_before_hooks(int action);
  bool report_hook(const HookInfo& hook, int action);
  bool native_apply(const Instr& i);
  bool native_after(const Instr& i);
  void do_pass_turn();
  bool leave_phase_for(const Instr& i);
  bool push_interrupt(const Instr& i);
  bool pop_interrupt(const Instr& i);
  void end_round(const Instr& i);
  bool pay(const Instr& i);
  void spend_charges();
  bool change_phase(int phase);
  void reset_usage(bool turn);
  void call_unit(int unit);
  void end_effects(int kind, int owner, Value target);
  void expire_effects();
  bool binds(const EffectRecord& record, int player) const;
  std::int64_t cost_delta(const EffectRecord& record, int action, int var) const;
  void note_price(int action, int var, std::int64_t amount);
  bool stacking_ok(int zone, std::uint32_t place);
  bool draw_token(int token, int to, const Instr& i, Taken how);
  Truth can_pay(int action);
  Truth choose_pipeline(const ActionInfo& action);
  bool undecided_binding();
  bool bind_params(int action, Option option);
  bool ask_again(int action);
  bool bind_ordinal(int action, Option option);
  void begin_card_move(int action, Option option);
  bool each_rival_must_change() const;
  void list_uncancelled(OptionList& out);
  void report_move(int action);
  void remark_skipped_phase();
  void finish_roll(const Instr& i, std::int64_t min, std::int64_t max, std::int64_t result);
  void tell_choice(const Instr& i, Value chosen);
  // Who may know what a player chose.
  std::uint32_t choice_seen_by(Value chosen, int player, bool closed, bool buried) const;
  void drop_duplicates(Value list);
  Value collect_tiers(int node, Value options);
  bool is_selected(const Instr& i, std::size_t mark, std::int64_t index) const;
  // The pending chooseN as it stands.
  struct Selection {
    Value options, selected;  // lists: the items, and numbers of those that are selected
    std::int64_t min, max;
    bool ordered;
  };
  Selection selection();
  bool is_selected(std::size_t index) const;
  bool weigh(const SumBound& bound, Value options, std::int64_t& rest);
  void drop_hopeless(OptionList& answers);
  bool admissible(const Instr& i, std::size_t mark, std::int64_t index);
  bool is_activity_choice() const;
  bool is_no_activity(Option option);
  std::int64_t reachable(const Instr& i, std::int64_t first);
  void raw_choices(OptionList& out);
  void list_chance(OptionList& out);
  void ask_chance();
  void mix(int zone, int stream);
  bool unseen(int zone) const;
  bool awaits_position(int token, int to) const;
  bool answer_chance(Option option);
  void shuffle_zone(int zone, int stream);
  void apply_entry_rules(int token, int zone);
  std::int32_t cell_for(CellType type, Value value);
  void happen(const Happening& happening) { events_.push_back(happening); }
  void entered(int zone);
  bool trigger_matches(const TriggerInfo& trigger, const Happening& event) const;
  void bind_event(const TriggerInfo& trigger, const Happening& event);
  void pop_frame();
  void load_frame();

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
  std::uint8_t active_ = 0, actor_ = 0;
  Frames frames_;
  std::vector<Value> arena_;
  std::vector<Happening> events_;
  std::vector<TemplateBinding> templates_;
  StateBlock origin_;  // the state the move began with, where a condition will be asked about it
  std::vector<int> work_;
  std::vector<Value> pile_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::int64_t> weights_, left_;  // of the items of a chooseN
  std::vector<Option> hopeful_;
  // Zone sets that several expressions share, by b_keep's number.
  struct KeptSet {
    std::uint64_t stamp = 0;
    std::uint64_t words[most_words];
  };
  std::vector<KeptSet> kept_;
  int kept_room_ = 0;  // its size
  // What a kept set depends on: the state, and whose turn it is to the expression.
  std::uint64_t stamp() const {
    return memory_.version() << 8 | static_cast<std::uint64_t>(active_ << 4 | actor_);
  }

  bool failed_ = false;
  int marker_questions_ = 0;  // constraints of markers being asked, one inside the other
  Fault fault_;
  std::optional<Rejection> veto_;
  std::int64_t look_ahead_left_ = 0;  // of the budget of one listing
  std::uint64_t undecided_ = 0;       // options of one listing that this did not suffice for
  std::vector<Option> dead_ends_;     // some options of one listing that lead nowhere
  int pipeline_ = -1;                 // what Ask::pipeline found
  std::uint64_t changed_prices_ = 0;  // effects, by place, that changed the price being paid
  MoveContext move_;                  // of a card-driven game: the move being made or asked about
  int listing_unit_ = -1;             // whose slots are in use while no frame runs
  bool filtering_ = false;            // a grant's filter is being asked
  bool judging_ = false;              // of a complete move
  int filter_base_ = 0, filter_unit_ = -1;  // slots of the move the filter looks at
  int filter_grant_ = -1, filter_zone_ = -1;
  bool interpreting_ = false;
  bool probing_ = false;            // only what the one grant allows is looked for
  int event_ = -1;                  // event move being asked about
  std::vector<int> zones_at_;       // candidates of a move
  std::vector<Value> made_values_;  // of a grant that is being made
  Trial trial_ = Trial::none;
  SelectionWatch* watch_ = nullptr;
  const Eyes* asker_ = nullptr;
  std::vector<int> matched_;  // tokens a reveal is about
  bool setting_up_ = false;
  bool yield_ = false;
  bool complete_ = false;
  bool yield_again_ = false;  // a chooseN took an item and waits for the next
  Until until_ = Until::decision;
};

// The machine of this thread for this nesting of look-aheads, and a block to work on. Reused, so
// nothing is allocated once warm.
struct Workspace {
  Machine machine;
  StateBlock block;
  OptionList options;
  Workspace* next = nullptr;  // not in use
};
// The workspaces of this thread that nobody uses, as a chain. It is a plain pointer, so that
// reaching it costs nothing; what owns the workspaces is asked only for new ones.
extern constinit thread_local Workspace* unused_workspaces;
Workspace* new_workspace();

class Lease {
 public:
  explicit Lease(const Program& program) : workspace_(unused_workspaces) {
    if (workspace_ == nullptr)
      workspace_ = new_workspace();
    else
      unused_workspaces = workspace_->next;
    workspace_->machine.use(program);
  }
  ~Lease() {
    workspace_->next = unused_workspaces;
    unused_workspaces = workspace_;
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Machine& machine() { return workspace_->machine; }
  StateBlock& block() { return workspace_->block; }
  OptionList& options() { return workspace_->options; }

 private:
  Workspace* workspace_;
};

// Why an option, tried out, leads nowhere (why.cpp); nothing: it leads somewhere, or it is not
// known.
std::optional<Rejection> why_dead(const Program& program, const StateBlock& block, Option option,
                                  const Eyes* asker = nullptr);

void list_instant(const Program& program, const Header& header, OptionList& out);

// Where an option leads, tried on a copy: choices and luck can bring the move to its end, or to a
// fault of the rules, which hides nothing; every way ends in something illegal; or the budget ran
// out before either was found.
enum class Way : std::uint8_t { open, dead, unknown };
Way look_ahead(const Program& program, const StateBlock& block, Option option, std::int64_t& budget,
               SelectionWatch* watch = nullptr);

// An option of an action whose parameters cannot be found because the rules fault on the way.
inline constexpr std::uint64_t faulted_option = std::uint64_t{1} << 63;

// Reading a state never writes to it; the machine just has no const view of a block.
inline StateBlock& readable(const StateBlock& block) {
  return const_cast<StateBlock&>(block);
}

std::string place_path(const Program& program, std::uint32_t place);

std::string_view class_name(ActionClass action_class);

}  // namespace parlor::kernel
