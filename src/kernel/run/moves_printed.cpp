// Moves, trials and lists by compiled code, and where the machine goes on behind them.
#include "kernel/legal/trials.h"
#include "kernel/printed/code_pieces.h"
#include "kernel/program/params.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// What is remarked is told once it is certain that the move is made.
struct KeptRemarks final : EventListener {
  std::vector<Event> events;
  KeptRemarks() { only_remarks_ = true; }
  void on_event(const Event& event) override { events.push_back(event); }
};

// Where compiled code leaves off the machine goes on as if it had come there itself.
bool go_on_behind(const Program& p, const PrintedView& view, StateBlock& block,
                  EventListener* remarks) {
  Lease lease(p);
  Machine& machine = lease.machine();
  KeptRemarks kept;
  machine.attach(block, remarks == nullptr ? nullptr : &kept);
  machine.steps_left = *view.work;
  machine.use_compiled_trials();
  if (!machine.go_on_at(*view.help->left) || machine.run(Until::decision) == Run::failed ||
      machine.work_in_doubt())
    return false;
  machine.detach();
  for (const Event& event : kept.events) remarks->on_event(event);
  return true;
}

}  // namespace

bool Statements::go_on_at(const PrintedLeft& left) {
  for (std::size_t k = left.count; k > 0; --k) {
    const LeftFrame& from = left.frames[k - 1];
    push_frame(UnitId(from.unit), from.acting, from.acting);
    if (failed_) return false;
    const auto* const slots = reinterpret_cast<const Value*>(left.slots + from.slots);
    std::copy_n(slots, p_->units[UnitId(from.unit)].slots, &slot(SlotId(0)));
    frames_.back().pc = from.pc;
    frames_.back().trigger_index = from.steps;
  }
  return true;
}

namespace {

bool step_by_machine(PrintedView& v, int unit, int pc, int end, int acting) {
  Lease lease(*static_cast<const Program*>(v.help->program));
  Machine& machine = lease.machine();
  machine.attach(*v.block);
  machine.steps_left = *v.work;
  const bool done = machine.do_some(UnitId(unit), pc, end, acting, v.slots);
  *v.work = machine.steps_left;
  v.base = v.block->data();
  // A text that is kept would have to be tidied away at the end of the move.
  return done && machine.header().text_bytes == 0;
}

}  // namespace

// ---- Trials

namespace {

// Blocks for copies of states, of this thread: those that nobody uses.
std::vector<std::unique_ptr<StateBlock>>& unused_blocks() {
  thread_local std::vector<std::unique_ptr<StateBlock>> blocks;
  return blocks;
}
// A state without the half-made move at its end.
StateBlock* copy_state(const StateBlock& from) {
  auto& unused = unused_blocks();
  if (unused.empty()) unused.push_back(std::make_unique<StateBlock>());
  StateBlock* const to = unused.back().release();
  unused.pop_back();
  const std::size_t size = from.size() - from.as<Header>().vm_bytes;
  to->resize_unset(size);
  std::memcpy(to->data(), from.data(), size);
  to->as<Header>().vm_bytes = 0;
  return to;
}
void forget_state(StateBlock* copied) {
  unused_blocks().emplace_back(copied);
}

// With so much for all trials of a list the interpreter, which gives each half of what is left,
// would come to an answer for every one of them.
std::int64_t work_for_trials(const Program& p, std::int64_t work) {
  return std::min(work_of_instruction * p.options.look_ahead, work) / (4 * Trials::at_most_more);
}

}  // namespace

// ---- What moves and lists ask of one action

// A machine for one question. What it has spent on trials is part of what there is for a whole
// list.
class OneAction {
 public:
  explicit OneAction(PrintedView& v) : v_(v), lease_(program()) {
    machine().attach(*v.block);
    machine().use_compiled_trials();
    machine().steps_left = *v.work;
    machine().begin_listing();
  }
  ~OneAction() { *v_.work = machine().steps_left; }
  OneAction(const OneAction&) = delete;
  OneAction& operator=(const OneAction&) = delete;

  const Program& program() const { return *static_cast<const Program*>(v_.help->program); }
  Machine& machine() { return lease_.machine(); }
  // Whether what it found out is what it would have found out with everything it asks for a list.
  bool certain() {
    v_.help->tries -= machine().spent_on_trials() / Trials::at_most_more;
    return !machine().work_in_doubt() && machine().undecided() == 0 && v_.help->tries >= 0;
  }

 private:
  PrintedView& v_;
  Lease lease_;
};

static bool list_one(PrintedView& v, int action, void* list) {
  OneAction asked(v);
  asked.machine().list_action(action, *static_cast<OptionList*>(list));
  return asked.certain();
}

static int can_take(PrintedView& v, int action) {
  if (v.help->remarks) return trouble;  // the machine tells what could not be found out
  OneAction asked(v);
  const bool can = asked.machine().can_take(action);
  return !asked.certain() || asked.machine().failed() ? trouble : can ? yes : no;
}

static int completes(PrintedView& v, int action, std::uint64_t option, int pipeline) {
  if (v.help->remarks) return trouble;
  OneAction asked(v);
  const ActionInfo& info = asked.program().actions[place(action)];
  const bool can = asked.machine().completes_by(Option{option}, info, pipeline, v.active, v.actor);
  return !asked.certain() || asked.machine().failed() ? trouble : can ? yes : no;
}

PrintedHelp help_of_machine(const Program& p, std::int64_t work, bool remarks) {
  return {.program = &p,
          .copy = copy_state,
          .forget = forget_state,
          .tries = work_for_trials(p, work),
          .remarks = remarks,
          .can = can_take,
          .completes = completes};
}

// A move that may leave off, or give up when something was written already.
static bool make_late(const Program& p, const PrintedFunction& function, PrintedView& view,
                      Option option, EventListener* remarks) {
  StateBlock& block = *view.block;
  std::uint64_t slots[most_move_slots];  // for what the machine carries out in between
  PrintedLeft left;
  PrintedHelp help = help_of_machine(p, *view.work, remarks != nullptr);
  help.left = &left;
  help.step = step_by_machine;
  view.calls = &Machine::leasing_calls;
  view.slots = reinterpret_cast<Value*>(slots);
  view.help = &help;
  if (!function.late) return function.move(view, option.id) == done;
  Lease lease(p);
  lease.block() = block;  // to go back to
  const int answer = function.move(view, option.id);
  if (answer == done) return true;
  if (answer == left_off && go_on_behind(p, view, block, remarks)) return true;
  block = lease.block();
  return false;
}

bool make_printed(const Program& p, StateBlock& block, Option option, EventListener* remarks) {
  const int action = action_of(option);
  if (action >= std::ssize(p.printed_moves) || (option.id & faulted_option) != 0) return false;
  const PrintedFunction* const function = p.printed_moves[action];
  const Header& h = block.as<Header>();
  if (function == nullptr || h.vm_bytes != 0 || h.text_bytes != 0) return false;
  std::int64_t work = work_of_instruction * p.options.budget;
  Mixed mixed{.puts_off = true};
  PrintedView view{.base = block.data(),
                   .work = &work,
                   .block = &block,
                   .var_keys = p.var_keys.data(),
                   .token_keys = p.token_keys.data(),
                   .token_key_count = p.token_keys.size(),
                   .mixed = &mixed};
  if (!function->late && !function->helped) return function->move(view, option.id) == done;
  return make_late(p, *function, view, option, remarks);
}

bool Legality::try_compiled(Option option, const ActionInfo* begun, std::int64_t& budget,
                            Way& way) {
  if (budget <= 0) return false;
  if (begun == nullptr && (frames_.size() != 1 || header().decision != DecisionKind::choose_one ||
                           !templates_.empty() || move_.grant != 0))
    return false;
  const UnitId unit = begun != nullptr ? begun->unit : frames_.back().unit;
  const PrintedFunction* const function = p_->printed_trials[unit];
  if (function == nullptr || header().text_bytes != 0) return false;
  StateBlock* const scratch = copy_state(memory_.block());
  std::int64_t work = budget / Trials::at_most_more;
  PrintedHelp help{.copy = copy_state, .forget = forget_state};
  PrintedView view{.base = scratch->data(),
                   .slots = &slot(SlotId(0)),
                   .work = &work,
                   .calls = &printed_calls,
                   .machine = &whole(),
                   .active = begun != nullptr ? mover() : int{frames_.back().active},
                   .actor = begun != nullptr ? mover() : int{frames_.back().actor},
                   .block = scratch,
                   .var_keys = p_->var_keys.data(),
                   .token_keys = p_->token_keys.data(),
                   .token_key_count = p_->token_keys.size(),
                   .help = &help};
  const int answer = begun != nullptr
                         ? function->trial(view, option.id, -1, Value{})
                         : function->trial(view, 0, frames_.back().pc, option_value(option));
  forget_state(scratch);
  if (answer == trouble) return false;
  budget -= Trials::at_most_more * (budget / Trials::at_most_more - work);
  overcharged_ = true;
  way = answer == yes ? Way::open : Way::dead;
  return true;
}

// Of a trial whose answers are kept.
static int kept_answer(PrintedView& v, int action, std::uint64_t option) {
  const Program& p = *static_cast<const Program*>(v.help->program);
  std::int64_t budget = v.help->tries * Trials::at_most_more;
  bool compiled = true;
  const Way way = Trials::of_this_thread().look_ahead(
      p, p.actions[place(action)], *v.block, v.help->listing, Option{option}, budget, &compiled);
  v.help->tries = budget / Trials::at_most_more;
  return way == Way::unknown ? trouble : way == Way::open ? yes : no;
}

static bool kept_answers(PrintedView& v, int action, std::uint64_t* zones) {
  const Program& p = *static_cast<const Program*>(v.help->program);
  const ActionInfo& info = p.actions[place(action)];
  const std::span<std::uint64_t> all(zones, static_cast<std::size_t>(p.words));
  std::int64_t budget = v.help->tries * Trials::at_most_more;
  bool compiled = true;
  if (Trials::of_this_thread().look_ahead(p, info, *v.block, v.help->listing, all, budget,
                                          &compiled)) {
    v.help->tries = budget / Trials::at_most_more;
    return true;
  }
  for (std::size_t w = 0; w < all.size(); ++w)
    for (std::uint64_t left = all[w]; left != 0; left &= left - 1) {
      const std::int64_t zone =
          static_cast<std::int64_t>(w) * 64 + std::countr_zero(left) - info.params[0].base;
      const int way = kept_answer(
          v, action,
          static_cast<std::uint64_t>(action) | static_cast<std::uint64_t>(zone) << action_bits);
      if (way == trouble) return false;
      if (way == no) all[w] &= ~(left & -left);
    }
  return true;
}

// A list for which moves may have to be tried out, or the machine be asked.
static int list_with_help(const Program& p, const PrintedFunction& function, PrintedView& view,
                          PrintedOptions& options, const StateBlock& block) {
  std::uint64_t slots[most_move_slots];  // for what the machine is asked
  PrintedHelp help{.program = &p,
                   .copy = copy_state,
                   .forget = forget_state,
                   .tries = work_for_trials(p, *view.work),
                   .kept = kept_answer,
                   .kept_zones = kept_answers,
                   .listing = Trials::next_listing(),
                   .list = list_one,
                   .completes = completes};
  view.calls = &Machine::leasing_calls;
  view.slots = reinterpret_cast<Value*>(slots);
  view.block = &readable(block);
  view.var_keys = p.var_keys.data();
  view.token_keys = p.token_keys.data();
  view.token_key_count = p.token_keys.size();
  view.help = &help;
  return function.listing(view, options);
}

// ---- Room for options, at the end of a list

static inline void close_list(PrintedOptions& o) {
  auto& all = *static_cast<OptionList*>(o.list);
  all.shrink(all.size() - static_cast<std::size_t>(o.end - o.next));
  o.next = o.end = nullptr;
}

static void more_room(PrintedOptions& o, std::size_t count) {
  constexpr std::size_t at_least = 128;
  close_list(o);
  const auto room = static_cast<OptionList*>(o.list)->grow(std::max(count, at_least));
  o.next = &room.data()->id;
  o.end = o.next + room.size();
}

bool list_printed(const Program& p, const StateBlock& block, OptionList& out) {
  const Header& h = block.as<Header>();
  const PrintedFunction* const function = p.printed_lists[h.phase];
  if (function == nullptr) return false;
  std::int64_t work = work_of_instruction * p.options.listing;
  PrintedView view{
      .base = readable(block).data(), .work = &work, .active = h.active, .actor = h.active};
  constexpr std::size_t usual = 256;  // mostly there is no need for more
  const std::size_t before = out.size();
  std::uint64_t* const first = &out.grow(usual).data()->id;
  PrintedOptions options{.next = first,
                         .end = first + usual,
                         .list = &out,
                         .more = more_room,
                         .close = close_list,
                         .left = most_options - 1};
  const int listed = function->helped ? list_with_help(p, *function, view, options, block)
                                      : function->listing(view, options);
  close_list(options);
  if (listed == done) return true;
  out.shrink(before);
  return false;
}

}  // namespace parlor::kernel
