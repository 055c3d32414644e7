// The machine that runs a Program on a state: all its parts together (half_move.h names them), and
// the machines of a thread, leased by whoever wants to run something.
#pragma once

#include "kernel/legal/legality.h"

namespace parlor::kernel {

class Machine final : public Legality {
 public:
  // Runs this program from now on.
  void use(const Program& program) {
    p_ = &program;
    if (kept_room_ < program.kept_sets) make_room();
    drop_frames();
    work_.clear();  // a failure may have left something
    work_tokens_.clear();
    failed_ = yield_ = complete_ = setting_up_ = false;
  }
  // Works on this block from now on; takes a half-made move out of it.
  void attach(StateBlock& block, EventListener* listener = nullptr) {
    memory_.look_at(*p_, block);
    steps_left = work_of_instruction * p_->options.listing;
    listener_ = listener != nullptr && listener->only_remarks() ? nullptr : listener;
    remarks_ = listener;
    trial_ = Trial::none;
    first_only_ = found_first_only_ = false;
    compiled_trials_ = compiled_stretches_ = overcharged_ = in_doubt_ = false;
    watch_ = nullptr;
    reads_ = nullptr;
    stop_at_ = -1;
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
};

inline Machine& HalfMove::whole() {
  return static_cast<Machine&>(*this);
}
inline const Machine& HalfMove::whole() const {
  return static_cast<const Machine&>(*this);
}

// Nothing that comes now can make the move illegal, or it is to stop here.
inline bool Statements::nothing_refuses() const {
  if (frames_.empty()) return false;
  const Frame& frame = frames_.back();
  if (frame.pc == 0 || (frame.pc != stop_at_ && !safe_behind(frame, frame.pc - 1))) return false;
  return frames_.size() == 1 && !whole().move_is_judged() && frame.pc > p_->units[frame.unit].entry;
}

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

// What compiled code that runs in a machine, or makes a move, may ask for.
PrintedHelp help_of_machine(const Program& program, std::int64_t work, bool remarks);
// Makes a move by compiled code, for nobody but those who listen for remarks. False: there is none
// for it, or it is not for compiled code to make, and nothing was changed.
bool make_printed(const Program& program, StateBlock& block, Option option, EventListener* remarks);
// The same for the options of an action selection.
bool list_printed(const Program& program, const StateBlock& block, OptionList& out);

void list_instant(const Program& program, const Header& header, OptionList& out);

// Where an option leads; `compiled`: code is run in stretches, which count more work.
Way look_ahead(const Program& program, const StateBlock& block, Option option, std::int64_t& budget,
               bool compiled = false, SelectionWatch* watch = nullptr);

// An option of an action whose parameters cannot be found because the rules fault on the way.
inline constexpr std::uint64_t faulted_option = std::uint64_t{1} << 63;

// Reading a state never writes to it; the machine just has no const view of a block.
inline StateBlock& readable(const StateBlock& block) {
  return const_cast<StateBlock&>(block);
}

std::string place_path(const Program& program, std::uint32_t place);

std::string_view class_name(ActionClass action_class);

}  // namespace parlor::kernel
