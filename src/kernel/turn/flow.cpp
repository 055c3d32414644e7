// The card-driven turn order: who may act on a card, what a move does to that, and the way from one
// decision to the next (language.md 17.3, 17.4, 18.5, 18.7).
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

std::uint16_t bit(int player) {
  return 1u << player;
}

// What an act counts as for those who come after it (F-15).
ActionClass first_class_of(ActionClass mapped) {
  switch (mapped) {
    case ActionClass::limited_operation:
      return ActionClass::operation;
    case ActionClass::special_activity:
      return ActionClass::operation_plus_special_activity;
    default:
      return mapped;
  }
}

}  // namespace

// ---- Whose turn it is

int Cards::candidate(int n) const {
  const FlowRecord& f = flow();
  for (int k = 0; k < f.seats; ++k) {
    const int seat = f.order[k];
    if ((f.eligible & ~f.acted & bit(seat)) != 0 && n-- == 0) return seat;
  }
  return -1;
}

// In the order of the card, then by number.
int Cards::blocking_owner(int n) const {
  const FlowRecord& f = flow();
  std::uint32_t owners = 0;
  for (int k = 0; k < f.grants; ++k)
    if (const GrantRecord& g = memory_.grant(k); p_->flow.grants[g.def].blocks() && grant_ready(k))
      owners |= 1u << g.seat;
  for (int k = 0; k < f.seats && owners != 0; ++k)
    if ((owners >> f.order[k] & 1) != 0) {
      if (n-- == 0) return f.order[k];
      owners &= ~(1u << f.order[k]);
    }
  for (int seat = 0; owners != 0; ++seat, owners >>= 1)
    if ((owners & 1) != 0 && n-- == 0) return seat;
  return -1;
}

// In an interrupt phase whoever opened it, or was made active there, answers (F-17).
void Cards::update_active() {
  if (interrupted()) return;
  const int seat = first_seat(0);
  if (seat < 0 || seat == header().active) return;
  header().active = seat;
  if (listener_ != nullptr) report("activePlayer", {{"player", seat}});
}

const std::vector<ActionClass>* Cards::row() const {
  const FlowRecord& f = flow();
  if (f.acts != 1 || f.first_class == ActionClass::none || interrupted() || in_coup_phase())
    return nullptr;
  for (const auto& [first, second] : p_->flow.matrix)
    if (first == f.first_class) return &second;
  return nullptr;
}

bool Cards::row_holds() const {
  return row() != nullptr;
}

// ---- After a move

void Cards::reward_pass(int player) {
  for (const RewardInfo& reward : p_->flow.rewards) {
    if (reward.seat != player) continue;
    const VarInfo& var = p_->gvars[reward.var];
    write_var(0, 0, reward.var,
              std::clamp(memory_.gvar(reward.var) + reward.amount, var.min, var.max));
  }
}

// The event of a coup card that lay in play when the game began was carried out (F-41): straight
// into the coup round, and what the event wanted of the card is lost.
bool Cards::leave_for_coup() {
  FlowRecord& f = flow();
  for (int k = f.grants - 1; k >= 0; --k)
    if (memory_.grant(k).source == f.serial) drop_grant(k);
  f.deferred = 0;
  f.next_named = f.next_eligible = 0;
  header().phase = p_->flow.first_coup_phase;
  reset_usage(true, true);
  enter_coup();
  if (listener_ != nullptr) report("phaseEntered", {{"phase", p_->phases[header().phase].id}});
  return true;
}

bool Cards::book_move(const Instr& i) {
  FlowRecord& f = flow();
  const Header& h = header();
  const MoveContext move = move_;
  const FlowInfo& info = p_->flow;
  f.boundaries = f.handed_off = f.was_coup = 0;
  bool counted = true;
  if (move.grant != 0) {
    const GrantRecord& g = memory_.grant(move.grant - 1);
    counted = info.grants_act && info.grants[g.def].resumes;
    consume_grant(move.grant - 1);
  }
  f.move = move_ = {};
  f.broken = 0;
  const bool interrupt = h.origin_phase >= p_->ordinary_phases;
  const bool coup_phase = info.coup_phase[h.origin_phase];
  const int action = move.action;
  const ActionClass mapped = info.class_of[action];
  const bool pass = mapped == ActionClass::pass || p_->actions[action].id == "pass";
  const auto card_goes_on = [&] {
    frames_.back().pc = i.a;
    update_active();
    return true;
  };
  if (interrupt) return card_goes_on();
  if (counted && (pass || !coup_phase)) f.acted |= bit(move.owner);
  if (counted && pass) f.passed |= bit(move.owner);
  if (counted && pass && !coup_phase) reward_pass(move.owner);
  if (counted && !pass && !coup_phase && f.acts < 255 && f.acts++ == 0)
    f.first_class =
        move.made != 0 ? ActionClass::operation_plus_special_activity : first_class_of(mapped);
  if (!coup_phase && !interrupted() && mapped == ActionClass::event && move.grant == 0 &&
      info.first_coup_phase >= 0 && coup_counts()) {
    frames_.back().pc = i.a;
    return leave_for_coup();
  }
  const bool over = !coup_phase && !blocking_grants() && (f.acts >= 2 || candidate(0) < 0);
  return over || card_goes_on();
}

// Seats in the order the card in play names; a card that names none keeps the order before it.
bool Cards::card_order(bool start) {
  FlowRecord& f = flow();
  const FlowInfo& info = p_->flow;
  const auto set = [&](const std::vector<std::uint8_t>& seats) {
    f.seats = std::min<std::size_t>(seats.size(), 16);
    std::fill(std::begin(f.order), std::end(f.order), std::uint8_t{0});
    std::copy_n(seats.begin(), f.seats, f.order);
  };
  if (start) set(info.seats);
  const TokenId top = info.course ? memory_.first(info.played) : TokenId::none();
  if (!info.orders_by_card || top.is_none()) return true;
  const int card = card_of(top);
  if (card < 0) {
    fail(Code::RUN_CARD, 0, "no deck knows the card that is played", Value::token(top));
    return false;
  }
  const CardInfo& played = info.card_infos[card];
  if (played.orders && !played.order.empty()) set(played.order);
  return true;
}

// After a boundary (F-14). Nobody who could play the card: it goes by, and then all can (F-18).
bool Cards::new_card(const Instr& i) {
  FlowRecord& f = flow();
  const auto all = p_->flow.everybody;
  f.eligible = all & ~(f.acted & ~f.passed);
  f.eligible = (f.eligible & ~f.next_named) | f.next_eligible;
  f.next_named = f.next_eligible = 0;
  f.acted = f.passed = 0;
  f.acts = 0;
  f.first_class = ActionClass::none;
  if (!card_order(false)) return false;
  const bool coup = p_->flow.first_coup_phase >= 0 && coup_counts();
  if (candidate(0) < 0 && f.stalled == 0 && !coup && f.boundaries < 200) {
    frames_.back().pc = i.a;
    return true;
  }
  update_active();
  return true;
}

// ---- Coup rounds and phases

void Cards::enter_coup() {
  FlowRecord& f = flow();
  if (!p_->flow.coup_order.empty()) {
    f.seats = p_->flow.coup_order.size();
    std::copy_n(p_->flow.coup_order.begin(), f.seats, f.order);
  }
  f.eligible = p_->flow.everybody;
  f.acted = f.passed = 0;
  f.acts = 0;
  f.first_class = ActionClass::none;
  if (f.seats > 0) header().active = f.order[0];
}

bool Cards::last_coup_round() const {
  const FlowInfo& info = p_->flow;
  return memory_.first(info.lookahead).is_none() &&
         (info.draw.is_none() || memory_.first(info.draw).is_none());
}

// Which phases there are: those of the coup plan while a coup card counts, the others otherwise.
bool Cards::phase_is_there(int phase) const {
  const FlowInfo& info = p_->flow;
  if (phase >= p_->ordinary_phases) return false;
  const bool coup = info.first_coup_phase >= 0 && coup_counts();
  return info.coup_phase[phase] == coup && !(coup && info.omitted[phase] && last_coup_round());
}

bool Cards::next_card_phase(const Instr& i) {
  Header& h = header();
  const bool there = phase_is_there(h.phase);
  int next = -1;
  for (int phase = there ? h.phase + 1 : 0; phase < p_->ordinary_phases && next < 0; ++phase)
    if (phase_is_there(phase)) next = phase;
  if (next < 0) {
    flow().was_coup = p_->flow.coup_phase[h.phase] ? 1 : 0;
    frames_.back().pc = i.a;
    return true;
  }
  if (h.interrupts != 0) {
    auto* stack = memory_.at<std::int16_t>(p_->layout.interrupts);
    std::fill_n(stack, 2 * h.interrupts, std::int16_t{0});
    h.interrupts = 0;
  }
  if (p_->flow.coup_phase[next]) enter_coup();
  return change_phase(next);
}

// After a coup round everything begins anew with the new card (F-42); otherwise as at the end of a
// card.
bool Cards::new_card_turn() {
  FlowRecord& f = flow();
  Header& h = header();
  if (f.was_coup != 0) {
    f.acted = f.passed = 0;
    f.next_named = f.next_eligible = 0;
    if (!card_order(true)) return false;
  }
  const auto all = p_->flow.everybody;
  f.eligible = all & ~(f.acted & ~f.passed);
  f.eligible = (f.eligible & ~f.next_named) | f.next_eligible;
  f.next_named = f.next_eligible = 0;
  f.acted = f.passed = 0;
  f.acts = 0;
  f.first_class = ActionClass::none;
  if (f.was_coup == 0 && !card_order(false)) return false;
  f.was_coup = 0;
  ++h.turn;
  int first = 0;
  while (first + 1 < p_->ordinary_phases && !phase_is_there(first)) ++first;
  if (!phase_is_there(first)) first = 0;
  h.phase = first;
  reset_usage(true, true);
  if (p_->flow.coup_phase[first]) enter_coup();
  if (candidate(0) < 0) f.eligible = all;  // nobody would ever act
  update_active();
  if (listener_ != nullptr) {
    report("turnStarted", {{"turn", h.turn}, {"round", h.round}, {"player", int{h.active}}});
    report("phaseEntered", {{"phase", p_->phases[first].id}});
  }
  return true;
}

// ---- The way to the next decision (17.4)

bool Cards::do_card_settle(const Instr& i) {
  Frame& frame = frames_.back();
  FlowRecord& f = flow();
  const bool start = i.x == 1 && frame.trigger_index == 0;
  if (!start && check_terminal()) return end_move(i);
  if (failed_) return false;
  if (f.stalled != 0) return finish_without_moves(i);
  if (blocking_grants()) update_active();  // whoever has to use a grant comes first (G-30)
  const bool there = interrupted() || start || phase_is_there(header().phase);
  const bool somebody = interrupted() || first_seat(0) >= 0;
  if (there && somebody) {
    const bool can_move = whole().move_exists();
    if (failed_) return false;
    if (can_move) return decide_now(i);
  }
  // A game with cards ends when they do; the bound is for rules that go round in circles.
  const int limit = (2 * p_->players * std::ssize(p_->phases) + 2) * (header().tokens + 4);
  if (++frame.trigger_index > limit) return finish_without_moves(i);
  --frame.pc;
  // A grant that cannot be used lapses, and the turn goes on as if it had not been issued (G-81).
  if (there && !interrupted() && blocking_grants()) {
    drop_blocking(header().active);
    move_ = {};
    f.boundaries = f.handed_off = 0;
    if (!in_coup_phase() && !blocking_grants() && (f.acts >= 2 || candidate(0) < 0)) {
      push_frame(p_->flow.lapse_unit, header().active, header().active);
      return !failed_;
    }
    update_active();
    push_frame(p_->flow.release_unit, header().active, header().active);
    return !failed_;
  }
  if (there && in_coup_phase() && candidate(0) >= 0) {
    const int seat = candidate(0);
    f.acted |= bit(seat);
    f.passed |= bit(seat);
    update_active();
    return true;
  }
  if (there && somebody && !in_coup_phase()) whole().remark_skipped_phase();
  push_frame(p_->advance_unit, header().active, header().active);
  return !failed_;
}

bool Cards::end_card_move() {
  if (frames_.size() > 1) {
    finish_activity();
    pop_frame();
    return true;
  }
  if (until_ != Until::decision && !p_->flow.refuses) {
    complete_ = true;
    return true;
  }
  push_frame(p_->flow.flow_unit, header().active, header().active);
  return !failed_;
}

void Cards::override_seat(const OverrideInfo& info) {
  FlowRecord& f = flow();
  const int seat = info.seat < 0 ? int{move_.owner} : info.seat;
  const bool takes_part = std::find(f.order, f.order + f.seats, seat) != f.order + f.seats;
  if (!takes_part) return;
  auto& eligible = info.next ? f.next_eligible : f.eligible;
  if (info.next) f.next_named |= bit(seat);
  if (info.eligible)
    eligible |= bit(seat);
  else
    eligible = eligible & ~bit(seat);
}

bool Cards::step_flow(const Instr& i) {
  switch (i.op) {
    case Op::jump_if_unset:
      if (slot(i.b).is_none()) frames_.back().pc = i.a;
      return true;
    case Op::skip_if_free:
      if (move_.grant != 0) frames_.back().pc = i.a;
      return true;
    case Op::judge_move:
      return judge_move(i);
    case Op::end_move:
      return end_card_move();
    case Op::book_move:
      return book_move(i);
    case Op::cards_out:
      cross_out();
      return true;
    case Op::instruct:
      return instruct();
    case Op::cards_in:
      cross_in();
      return true;
    case Op::new_card:
      return new_card(i);
    case Op::release_deferred:
      return release_deferred();
    case Op::expire_lasting:
      return expire_lasting(i);
    case Op::start_flow:
      flow().eligible = p_->flow.everybody;
      if (!card_order(true)) return false;
      update_active();
      return true;
    case Op::next_card_phase:
      return next_card_phase(i);
    case Op::new_card_turn:
      return new_card_turn();
    case Op::start_lasting:
      return start_lasting(i);
    case Op::issue_grant:
      return issue_grant(i);
    case Op::override_seat:
      override_seat(p_->flow.overrides[i.a]);
      return true;
    case Op::defer:
      return defer(i);
    case Op::choose_activity:
      return choose_activity(i);
    case Op::activity_point:
      return activity_point(i);
    default:
      fail(Code::INTERNAL, i.place, "an operation this machine does not know");
      return false;
  }
}

}  // namespace parlor::kernel
