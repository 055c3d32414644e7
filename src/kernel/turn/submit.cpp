// Simultaneous order (17.5), of a whole game or of a phase (L-02): everybody hands in a move
// against the same state, then the moves are carried out in player order. Until the last one is in,
// nothing of the state changes but the submissions: a move with choices is tried on a copy, from
// its beginning and with the answers given so far, and only the answers are kept.
#include "kernel/kernel.h"
#include "kernel/know/course.h"
#include "kernel/run/machine.h"
#include "kernel/tell/explain.h"

namespace parlor::kernel {

namespace {

constexpr std::uint64_t confirmed = ~std::uint64_t{0};

// An answer as it is remembered: by its value, because by the time the move is carried out the
// options may be others. Texts made while playing have no lasting value; they go by their number.
std::uint64_t answer_code(Machine& machine, Option option) {
  if (machine.is_confirm(option)) return confirmed;
  const Value v = machine.option_value(option);
  if (v.tag() == Tag::text || v.tag() == Tag::list) return (option.id + 1) << 3;
  return v.bits;
}

std::optional<Option> find_answer(Machine& machine, std::uint64_t code) {
  Lease room(machine.program());
  OptionList& options = room.options();
  options.clear();
  machine.list_raw(options);
  for (const Option option : options)
    if (answer_code(machine, option) == code) return option;
  return std::nullopt;
}

// The move with its answers, on the machine's own block: as far as they reach.
Run carry_out(Machine& machine, const Submission& submission) {
  machine.header().decision = DecisionKind::action;
  if (!machine.begin_move(Option{submission.option})) return Run::failed;
  Run run = machine.run(Until::move_complete);
  for (std::uint32_t k = 0; k < submission.answers && run == Run::yielded; ++k) {
    const auto option = find_answer(machine, submission.answer[k]);
    if (!option || !machine.answer(*option)) return Run::failed;
    if (!machine.waits()) run = machine.run(Until::move_complete);
  }
  return run;
}

Submission& submission_of(Machine& machine, int player) {
  return machine.memory().at<Submission>(machine.program().layout.submissions)[player];
}

bool still_legal(Machine& machine, Option wanted) {
  bool found = false;
  machine.each_move([&](Option candidate) { return !(found = candidate == wanted); });
  return found;
}

// The same on a copy of the state.
Run try_out(Lease& trial, const StateBlock& block, const Submission& submission,
            Machine::Trial kind) {
  Machine& machine = trial.machine();
  trial.block() = block;
  machine.attach(trial.block());
  machine.set_trial(kind);
  machine.steps_left = work_of_instruction * machine.program().options.budget;
  return carry_out(machine, submission);
}

// Whether a move that was handed in can still be made, tried on a copy: of one that cannot, no hook
// and no listener ever hears.
bool succeeds(const Program& p, const StateBlock& block, const Submission& submission) {
  Lease trial(p);
  return try_out(trial, block, submission, Machine::Trial::rehearsing) == Run::done;
}

// A move that could be handed in in this state, with random answers. Nothing: there is none.
std::optional<Submission> random_submission(const Program& p, const StateBlock& block, int player,
                                            Rng& rng) {
  Lease lease(p);
  lease.block() = block;
  Machine& machine = lease.machine();
  machine.attach(lease.block());
  machine.header().active = machine.header().decider = player;
  machine.header().decision = DecisionKind::action;
  OptionList options;
  machine.list_moves(options);
  if (options.empty()) return std::nullopt;
  Submission out{options[rng.below(options.size())].id, 0, 1, {}};
  while (out.answers < max_answers) {
    Lease trial(p);
    const Run run = try_out(trial, lease.block(), out, Machine::Trial::rehearsing);
    if (run == Run::done) return out;
    if (run == Run::failed) return std::nullopt;
    trial.machine().detach();
    options.clear();
    trial.machine().list_choices(options);
    if (options.empty()) return std::nullopt;
    const Option chosen = options[rng.below(options.size())];
    out.answer[out.answers++] = answer_code(trial.machine(), chosen);
  }
  return std::nullopt;
}

// Everybody's moves, in player order; what the earlier ones made impossible is skipped. False: the
// rules go wrong over one of them.
bool carry_out_all(Machine& machine, StateBlock& block, StateBlock& room, EventListener* listener) {
  const Program& p = machine.program();
  machine.steps_left = work_of_instruction * p.options.budget;
  for (int player = 0; player < p.players; ++player) {
    const Submission submission = submission_of(machine, player);
    if (submission.option == no_submission) continue;
    machine.header().active = player;
    room = block;  // not moved yet
    if (!still_legal(machine, Option{submission.option}) || !succeeds(p, block, submission) ||
        carry_out(machine, submission) != Run::done) {
      if (machine.failed() && !machine.fault().illegal) return false;
      machine.clear_fault();
      machine.drop_frames();
      block = room;
      machine.attach(block, listener);
      if (listener != nullptr) machine.report("submissionSkipped", {{"player", player}});
      continue;
    }
    machine.drop_frames();
  }
  return true;
}

// After the moves of a phase: what the rules do then, and the next decision.
bool go_on_after(Machine& machine, int phase, int turn) {
  const Program& p = machine.program();
  const UnitId then = p.phases[phase].then;
  Header& h = machine.header();
  if (then.is_none())
    h.active = 0;
  else if (h.phase == phase && h.turn == turn)
    h.active = machine.memory().turn_plan().turn_of;
  // As if they had come in player order: where the game ends here, nothing sets it again.
  h.decider = p.players - 1;
  h.submitted = 0;
  for (int player = 0; player < p.players; ++player) submission_of(machine, player) = {};
  machine.push_frame(then.is_none() ? p.settle_unit : then, h.active, h.active);
  if (!then.is_none()) machine.slot(SlotId(0)) = Value::integer(turn);
  return machine.run(Until::decision) != Run::failed;
}

}  // namespace

// Whether a player's move is missing and there is one to make.
bool KernelGame::may_submit(const StateBlock& block, int player) const {
  const Header& h = block.as<Header>();
  if (((h.submitted >> player) & 1) != 0) return false;
  if (h.active == player) return true;
  Lease lease(*program_);
  lease.block() = block;
  Machine& machine = lease.machine();
  machine.attach(lease.block());
  if (submission_of(machine, player).begun != 0) return true;
  machine.header().active = player;
  machine.header().decision = DecisionKind::action;
  return machine.move_exists();
}

// The player goes on where they stopped: at the beginning of their move, or at a choice in it.
void KernelGame::make_decider(StateBlock& block, int player) const {
  const Program& p = *program_;
  Memory memory(p, block);
  Header& h = memory.header();
  h.active = h.decider = player;
  h.decision = DecisionKind::action;
  const Submission mine = memory.at<Submission>(p.layout.submissions)[player];
  if (mine.begun == 0) return;
  Lease trial(p);
  trial.block() = block;
  trial.machine().attach(trial.block());
  trial.machine().steps_left = p.options.budget;
  if (carry_out(trial.machine(), mine) != Run::yielded) return;
  h.decision = trial.machine().header().decision;
  h.decider = trial.machine().header().decider;
}

bool KernelGame::collecting(const StateBlock& block) const {
  return program_->simultaneous && Memory(*program_, readable(block)).collecting();
}

std::vector<PlayerId> KernelGame::pending(const StateBlock& block) const {
  const Header& h = block.as<Header>();
  // A choice that a move in the making leaves to somebody else comes first.
  if (!collecting(block) || h.decider != h.active) return Game::pending(block);
  std::vector<PlayerId> out;
  for (int player = 0; player < program_->players; ++player)
    if (may_submit(block, player)) out.push_back(PlayerId{player});
  return out;
}

// Who has handed in a move may hand in another one, until all are in (L-02).
bool KernelGame::take_back(StateBlock& block, int player) const {
  Memory memory(*program_, block);
  if (player < 0 || player >= program_->players) return false;
  Submission& mine = memory.at<Submission>(program_->layout.submissions)[player];
  Header& h = memory.header();
  if (((h.submitted >> player) & 1) == 0 || mine.option == no_submission) return false;
  h.submitted &= ~(1u << player);
  mine = {};
  return true;
}

bool KernelGame::let_decide(StateBlock& block, PlayerId player) const {
  if (Game::let_decide(block, player)) return true;
  if (!collecting(block) || block.as<Header>().decider != block.as<Header>().active) return false;
  const auto waiting = pending(block);
  if (std::ranges::find(waiting, player) == waiting.end() && !take_back(block, player.value))
    return false;
  make_decider(block, player.value);
  return true;
}

Decision KernelGame::decision_told(const StateBlock& block, const Viewer& viewer) const {
  const Decision real = decision(block);
  if (!collecting(block) || viewer.sees_all() || viewer.is(real.player)) return real;
  const auto waiting = pending(block);
  return {DecisionKind::action, waiting.empty() ? real.player : waiting.front(), true};
}

// What the others have handed in, or begun to, is nobody's to know.
void KernelGame::hand_in_anew(StateBlock& block, const Eyes& eyes, Rng& rng) const {
  const Program& p = *program_;
  Memory memory(p, block);
  if (!memory.collecting()) return;
  auto* all = memory.at<Submission>(p.layout.submissions);
  for (int player = 0; player < p.players; ++player) {
    if (player == eyes.player()) continue;
    const bool done = ((memory.header().submitted >> player) & 1) != 0;
    if (done && all[player].option != no_submission) {
      if (const auto made = random_submission(p, block, player, rng)) all[player] = *made;
    } else if (!done && all[player].begun != 0) {
      all[player] = {};
      if (memory.header().active == player) make_decider(block, player);
    }
  }
}

// Where the viewer's own answers name tokens by their place, other tokens lie there now.
void Turns::rename_submissions(NewNames& names) {
  if (!p_->simultaneous) return;
  auto* all = memory_.at<Submission>(p_->layout.submissions);
  for (int player = 0; player < p_->players; ++player)
    for (std::uint32_t k = 0; k < all[player].answers; ++k) {
      std::uint64_t& answer = all[player].answer[k];
      if (answer != confirmed) answer = names.meant(Value{answer}).bits;
    }
}

// Where a choice of a move that is being handed in is pending: the move, tried on a copy.
const StateBlock& KernelGame::at_hand(const StateBlock& block, StateBlock& room) const {
  const Header& h = block.as<Header>();
  if (h.decision == DecisionKind::action || !collecting(block)) return block;
  room = block;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(room);
  machine.set_trial(Machine::Trial::rehearsing);
  machine.steps_left = work_of_instruction * program_->options.budget;
  const Submission submission = submission_of(machine, machine.header().active);
  carry_out(machine, submission);
  machine.detach();
  return room;
}

Applied KernelGame::submit(StateBlock& block, Option option, EventListener* listener) const {
  const Program& p = *program_;
  Lease before(p), room(p);
  before.block() = block;
  auto refuse = [&](Machine& machine) -> Applied {
    Rejection rejection = refusal(machine);
    block = before.block();
    return tl::unexpected(std::move(rejection));
  };
  const bool starts = block.as<Header>().decision == DecisionKind::action;
  std::uint64_t code = option.id;
  if (!starts) {
    Lease half(p);
    half.machine().attach(const_cast<StateBlock&>(at_hand(block, room.block())));
    code = answer_code(half.machine(), option);
  }
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(block, listener);
  Header& h = machine.header();
  Submission& mine = submission_of(machine, h.active);
  if (!starts && mine.answers == max_answers) {
    machine.fail(Code::RUN_TOO_MANY, 0, "a simultaneous move asks for too many choices");
    return refuse(machine);
  }
  if (starts)
    mine = {code, 0, 1, {}};
  else
    mine.answer[mine.answers++] = code;
  Lease trial(p);
  const Run run = try_out(trial, block, mine, Machine::Trial::asking);
  if (run == Run::failed) return refuse(trial.machine());
  if (run == Run::yielded) {
    h.decision = trial.machine().header().decision;
    h.decider = trial.machine().header().decider;
    return {};
  }
  h.decision = DecisionKind::action;
  h.submitted |= 1u << h.active;
  if (listener != nullptr) machine.report("submitted", {{"player", int{h.active}}});
  // In player order, whoever came first: equal submissions are equal states.
  for (int player = 0; player < p.players; ++player) {
    if (((h.submitted >> player) & 1) != 0) continue;
    h.active = h.decider = player;
    if (submission_of(machine, player).begun != 0) {
      make_decider(block, player);
      return {};
    }
    if (machine.move_exists()) return {};
    h.submitted |= 1u << player;  // nothing to hand in
    submission_of(machine, player).option = no_submission;
  }
  const int phase = h.phase, turn = h.turn;
  if (!carry_out_all(machine, block, room.block(), listener) || !go_on_after(machine, phase, turn))
    return refuse(machine);
  if (p.secrets.course) Course(machine.memory()).reached_decision();
  machine.detach();
  return {};
}

}  // namespace parlor::kernel
