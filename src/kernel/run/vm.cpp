// The loop that runs code, and the statements that change variables and control the flow.
#include "kernel/printed/code.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

// Those that are not done at every turn.
[[gnu::always_inline]] inline bool Statements::step_rarer(const Instr& i) {
  switch (i.op) {
    case Op::say:
      return do_say(i);
    case Op::choose_one:
    case Op::choose_n:
      return do_choose(i);
    case Op::roll:
      return do_roll(i);
    case Op::set_marker:
    case Op::shift_marker:
    case Op::set_global_marker:
    case Op::shift_global_marker:
    case Op::flip_global_marker:
      return step_marker(i);
    case Op::bind_template:
    case Op::alias_template:
    case Op::recall_template:
    case Op::open_names:
    case Op::close_names:
    case Op::drop_name:
      return step_names(i);
    case Op::copy_slot:
    case Op::clear_slots:
    case Op::loop_begin:
    case Op::while_begin:
    case Op::while_next:
    case Op::reduce:
    case Op::remove_begin:
    case Op::remove_group:
    case Op::subset_begin:
    case Op::subset_next:
    case Op::subset_score:
    case Op::subset_end:
    case Op::fail_unless:
    case Op::judge:
    case Op::jump_no:
    case Op::keep_state:
      return step_control(i);
    default:
      return whole().step_turn(i);
  }
}

// One operation. Part of the loop below, and of what compiled code asks for alone.
[[gnu::always_inline]] inline bool Statements::step(const Instr& i) {
  switch (i.op) {
    case Op::set_var:
    case Op::add_var:
      return do_var(i);
    case Op::transfer_var:
      return do_transfer(i);
    case Op::set_active:
      return do_set_active(i);
    case Op::jump:
      frames_.back().pc = i.a;
      return true;
    case Op::jump_unless: {
      const Truth when = test(i.b);
      if (when == Truth::no) frames_.back().pc = i.a;
      return when != Truth::fault;
    }
    case Op::bind: {
      const Value v = value(i.b);
      if (p_->secrets.shadows) note_binding(i);
      slot(i.a) = v;
      return !failed_;
    }
    case Op::ret:
      pop_frame();
      return true;
    case Op::call:
      push_frame(i.a, header().active, header().active);
      return !failed_;
    case Op::advance:
      if (p_->simple_turns)
        whole().do_pass_turn();
      else
        push_frame(p_->advance_unit, header().active, header().active);
      return !failed_;
    case Op::create_token:
      return do_create(i);
    case Op::loop_next:
      return do_loop_next(i);
    case Op::dispatch:
      return whole().do_dispatch();
    case Op::settle:
      return whole().do_settle(i);
    case Op::move_token:
    case Op::move_adjacent:
    case Op::move_all:
    case Op::draw:
    case Op::shuffle:
    case Op::destroy_token:
    case Op::set_prop:
    case Op::reveal:
    case Op::conceal:
      return step_token(i);
    default:
      return step_rarer(i);
  }
}

Run Statements::run(Until until) {
  until_ = until;
  yield_ = complete_ = false;
  if (failed_) return Run::failed;
  return whole().runs_stretches() ? run_code<true>() : run_code<false>();
}

// `stretches`: parts of it are compiled.
template <bool stretches>
inline Run Statements::run_code() {
  const Until until = until_;
  const Instr* code = p_->code.data();
  while (!frames_.empty()) {
    if constexpr (stretches) {
      const PrintedFunction* const stretch = p_->printed_stretches[frames_.back().pc];
      if (stretch != nullptr && move_.grant == 0)
        if (const auto over = run_stretch(*stretch)) return *over;
    }
    const Instr& i = code[frames_.back().pc++];
    if (!spend(work_of_instruction, i.place)) return Run::failed;
    if (!step(i)) return Run::failed;
    if (yield_) return Run::yielded;
    if (complete_) return Run::done;
    if (failed_) return Run::failed;
    if (until == Until::nothing_refuses && nothing_refuses()) return Run::done;
  }
  return Run::done;
}

int Statements::step_in_place(int pc) {
  const std::size_t depth = frames_.size();
  frames_.back().pc = pc + 1;
  if (!step(p_->code[pc]) || failed_) return trouble;
  const bool next = frames_.size() == depth && frames_.back().pc == pc + 1;
  return next && !yield_ && !complete_ ? go_on : stop;
}

bool Statements::do_some(UnitId unit, int pc, int end, int acting, Value* slots) {
  push_frame(unit, acting, acting);
  if (failed_) return false;
  const int count = p_->units[unit].slots;
  std::copy_n(slots, count, &slot(SlotId(0)));
  frames_.back().pc = pc;
  until_ = Until::decision;
  yield_ = complete_ = false;
  bool fine = true;
  for (bool first = true; fine && !stands_at(end); first = false) {
    const Instr& i = p_->code[frames_.back().pc++];
    fine = (first || spend(work_of_instruction, i.place)) && step(i) && !failed_ && !yield_ &&
           !complete_ && frames_.size() == 1;
  }
  if (fine) std::copy_n(&slot(SlotId(0)), count, slots);
  fine = fine && events_.empty();
  drop_frames();
  return fine;
}

namespace {
constexpr const char* scope_names[] = {"global", "perPlayer", "zone"};
}

static Value value_in(const VarInfo& info, std::int64_t n) {
  return info.boolean ? Value::boolean(n != 0) : Value::integer(n);
}

bool Statements::write_var(int scope, int owner, VarId var, std::int64_t v) {
  const int cell = memory_.cell_of(scope, owner, var);
  const std::int64_t old = memory_.var_cell(cell);
  if (old == v) return false;
  memory_.write_var_cell(cell, v);
  if (!p_->secrets.cells.empty()) shift_range(cell, v - old);
  if (p_->emits_var_events) tell_variable(scope, owner, var, old, v);
  if (listener_ == nullptr) return true;
  const VarInfo& info = p_->vars(scope)[var];
  auto told = [&](std::int64_t n) -> Json {
    if (!info.texts.empty()) return info.texts[n];
    if (info.type == spec::VarType::zone) return n < 0 ? "nowhere" : p_->zones[ZoneId(n)].id;
    if (info.type == spec::VarType::token)
      return n < 0 ? "nothing" : text_of(Value::token(TokenId(n)));
    return json_of(value_in(info, n));
  };
  Json data{
      {"scope", scope_names[scope]}, {"var", info.name}, {"old", told(old)}, {"new", told(v)}};
  if (scope == 1) data["player"] = owner;
  if (scope == 2) data["zone"] = p_->zones[ZoneId(owner)].id;
  // Which token it is only those are told who see it: they find it in their view, others its
  // place.
  if (info.type == spec::VarType::token && p_->secrets.tokens)
    report("varChanged", std::move(data), tools_only());
  else
    report("varChanged", std::move(data), var_sight(cell), nullptr, {.cell = cell});
  return true;
}

void Statements::tell_variable(int scope, int owner, VarId var, std::int64_t before,
                               std::int64_t now) {
  const VarInfo& info = p_->vars(scope)[var];
  happen({spec::EventKind::var_changed, scope, value_of_text(info.name).index(), owner,
          value_in(info, before), value_in(info, now)});
}

bool Statements::do_set_active(const Instr& i) {
  const int who = player(i.a);
  if (who < 0) return false;
  if (listener_ != nullptr && header().active != who) report("activePlayer", {{"player", who}});
  header().active = who;
  return true;
}

bool Statements::do_var(const Instr& i) {
  const Value v = value(i.c);
  if (failed_) return false;
  const int scope = i.x;
  int owner = 0;
  VarId var = i.a;
  if (scope == 1) owner = player(i.b);
  if (scope == 2) owner = zone(i.b).value;
  if (owner < 0 || (i.d == 1 && !find_var(scope, value(i.a), var, i.place))) return false;
  const VarInfo& info = p_->vars(scope)[var];
  const bool thing = info.type == spec::VarType::zone || info.type == spec::VarType::token;
  if (v.is_bool() != info.boolean || (thing && i.d == 1) || (info.boolean && i.op == Op::add_var) ||
      (!info.boolean && !v.is_int())) {
    fail(Code::RUN_TYPE, i.place, "the variable cannot hold this value", value_of_text(info.name),
         v);
    return false;
  }
  const int cell = memory_.cell_of(scope, owner, var);
  std::int64_t n = v.payload();
  if (i.op == Op::add_var) n += memory_.var_cell(cell);
  if (!info.boolean) n = std::clamp(n, info.min, info.max);
  if (p_->secrets.cells.empty()) {
    write_var(scope, owner, var, n);
    return true;
  }
  const Doubt now = var_write_doubt(i, cell);
  write_var(scope, owner, var, n);
  write_range(cell, now);
  return true;
}

bool Statements::do_transfer(const Instr& i) {
  // Two endpoints of four numbers (scope, variable or #name, #owner, dynamic), then #amount #min
  // #max.
  const Operand* e = &p_->extra[i.a];
  struct End {
    int scope, owner;
    VarId var;
    const VarInfo* info;
    std::int64_t now;
  } ends[2];
  std::int64_t amount = 0, floor = 0, ceiling = 0;
  if (!integer(e[8], amount) || (e[9] >= 0 && !integer(e[9], floor)) ||
      (e[10] >= 0 && !integer(e[10], ceiling)))
    return false;
  for (int k = 0; k < 2; ++k, e += 4) {
    End& end = ends[k];
    end = {e[0], 0, e[1], nullptr, 0};
    if (end.scope == 1) end.owner = player(e[2]);
    if (end.scope == 2) end.owner = zone(e[2]).value;
    if (end.owner < 0 || (e[3] == 1 && !find_var(end.scope, value(e[1]), end.var, i.place)))
      return false;
    end.info = &p_->vars(end.scope)[end.var];
    end.now = memory_.var_cell(memory_.cell_of(end.scope, end.owner, end.var));
    if (end.info->boolean) {
      fail(Code::RUN_TYPE, i.place, "only numbers can be transferred",
           value_of_text(end.info->name));
      return false;
    }
  }
  e = &p_->extra[i.a];
  const std::int64_t available = std::max<std::int64_t>(0, ends[0].now - ends[0].info->min);
  const std::int64_t room = std::max<std::int64_t>(0, ends[1].info->max - ends[1].now);
  std::int64_t actual = std::min({std::max<std::int64_t>(0, amount), available, room});
  if (e[9] >= 0 && actual < std::max<std::int64_t>(0, floor)) actual = std::min(available, room);
  if (e[10] >= 0) actual = std::min(actual, std::max<std::int64_t>(0, ceiling));
  if (i.b >= 0) slot(i.b) = Value::integer(actual);
  const bool same = ends[0].scope == ends[1].scope && ends[0].owner == ends[1].owner &&
                    ends[0].var == ends[1].var;
  if (actual == 0 || same) return true;
  write_var(ends[0].scope, ends[0].owner, ends[0].var, ends[0].now - actual);
  write_var(ends[1].scope, ends[1].owner, ends[1].var, ends[1].now + actual);
  return true;
}

// A condition that may still be undecided, and then does not say no. Once it is decided (in that
// slot, if there is one) it is not asked again.
Truth Statements::judge(NodeId node, bool first_state, SlotId decided) {
  if (!decided.is_none() && !slot(decided).is_none()) return Truth::yes;
  StateBlock& now = memory_.block();
  if (first_state) memory_.look_at(*p_, origin_);
  Truth holds = test(node);
  if (holds == Truth::yes && !decided.is_none()) slot(decided) = Value::boolean(true);
  if (holds == Truth::fault && undecided_binding()) holds = Truth::yes;
  if (first_state) memory_.look_at(*p_, now);
  return holds;
}

bool Statements::step_control(const Instr& i) {
  switch (i.op) {
    case Op::copy_slot:
      if (p_->secrets.shadows) note_binding(i);
      slot(i.a) = slot(i.b);
      return true;
    case Op::clear_slots:
      std::fill_n(&slot(i.a), i.b, Value{});
      return true;
    case Op::loop_begin:
      return begin_loop(i);
    case Op::while_begin: {
      std::int64_t limit = 0;
      if (!integer(i.b, limit)) return false;
      slot(i.a) = Value::integer(limit);
      slot(i.a, 1) = Value::integer(std::ssize(templates_));
      return true;
    }
    case Op::while_next:
      return next_while(i);
    case Op::reduce:
      return do_reduce(i);
    case Op::remove_begin: {
      std::int64_t budget = 0;
      if (!integer(i.b, budget)) return false;
      slot(i.a) = Value::integer(std::max<std::int64_t>(0, budget));
      return true;
    }
    case Op::remove_group:
      return do_remove_group(i);
    case Op::fail_unless:
    case Op::judge: {
      static constexpr const char* reasons[] = {
          "a stage is not legal", "a stage cannot be paid for", "what is required does not hold"};
      if (i.op == Op::judge && i.x == 1 && move_.grant != 0) return true;  // the cost
      const Truth holds = i.op == Op::judge ? judge(i.a, i.b == 1, i.c) : test(i.a);
      if (holds == Truth::no) return refuse_condition(i.place, reasons[i.x], i.a);
      return holds == Truth::yes;
    }
    case Op::jump_no: {
      if (move_.grant != 0) return true;  // costs are not asked of a free operation
      const Truth holds = judge(i.b, i.c == 1, i.d);
      if (holds == Truth::no) frames_.back().pc = i.a;
      return holds != Truth::fault;
    }
    case Op::keep_state:
      if (i.x == 1) origin_ = memory_.block();
      if (i.a >= 0) slot(i.a) = Value::boolean(false);
      return true;
    default:
      return do_subset(i);
  }
}

bool Statements::begin_loop(const Instr& i) {
  // Cursor: list, next index, end, number of template bindings outside the loop.
  std::int64_t limit = INT64_MAX;
  if (i.c >= 0 && !integer(i.c, limit)) return false;
  if (limit < 0) {
    fail(Code::RUN_LIMIT, i.place, "a limit cannot be negative", Value::integer(limit));
    return false;
  }
  const Value list = all_results(i);
  if (failed_) return false;
  if (p_->secrets.shadows) note_binding(i);
  slot(i.a) = list;
  slot(i.a, 1) = Value::integer(0);
  slot(i.a, 2) = Value::integer(std::min<std::int64_t>(limit, stored_size(list)));
  slot(i.a, 3) = Value::integer(std::ssize(templates_));
  return true;
}

bool Statements::next_while(const Instr& i) {
  close_names(slot(i.a, 1).payload());
  const Truth when = test(i.b);
  if (when == Truth::fault) return false;
  if (when == Truth::no) {
    frames_.back().pc = i.c;
    return true;
  }
  const std::int64_t left = slot(i.a).payload();
  if (left <= 0) {
    fail(Code::RUN_LIMIT, i.place, "the loop wants more rounds than its limit");
    return false;
  }
  slot(i.a) = Value::integer(left - 1);
  return true;
}

bool Statements::do_loop_next(const Instr& i) {
  Value* cursor = &slot(i.a);
  const std::int64_t index = cursor[1].payload();
  close_names(cursor[3].payload());
  if (index >= cursor[2].payload()) {
    if (watch_ != nullptr) notice_end(cursor[0]);
    slot(i.b) = {};
    if (i.d >= 0) slot(i.d) = Value::integer(index);
    for (int k = 0; k < 4; ++k) cursor[k] = {};
    frames_.back().pc = i.c;
    return true;
  }
  if (p_->secrets.shadows) note_binding(i);
  slot(i.b) = list_at(cursor[0], index);
  cursor[1] = Value::integer(index + 1);
  return true;
}

// What a reduce comes to whose sum is kept, from its first number; false: it has to be gone
// through.
bool Statements::kept_sum(int index, Value& number) const {
  const KeptSum& def = p_->sums[index];
  const SumRecord& kept = memory_.sum(index);
  if (kept.odd != 0 || !number.is_int() || number.payload() < 0 || number.payload() >= def.modulus)
    return false;
  number = Value::integer((number.payload() * def.whole + kept.sum) % def.modulus);
  return true;
}

bool Statements::do_reduce(const Instr& i) {
  const Operand* e = &p_->extra[i.a];  // #over #initial #next #limit $item $acc
  std::int64_t limit = INT64_MAX;
  if (e[3] >= 0 && !integer(e[3], limit)) return false;
  if (limit < 0) {
    fail(Code::RUN_LIMIT, i.place, "a limit cannot be negative", Value::integer(limit));
    return false;
  }
  Value acc = value(e[1]);
  if (failed_) return false;
  if (i.c >= 0 && kept_sum(i.c, acc)) {
    slot(i.b) = acc;
    return true;
  }
  if (limit > 0)
    each(e[0], [&](Value item) {
      slot(e[4]) = item;
      slot(e[5]) = acc;
      acc = value(e[2]);
      return !failed_ && --limit > 0;
    });
  slot(e[4]) = slot(e[5]) = {};
  slot(i.b) = acc;
  return !failed_;
}

bool Statements::do_remove_group(const Instr& i) {
  const Operand* e = &p_->extra[i.b];  // #over #to #from $count $item
  const std::int64_t budget = slot(i.a).payload();
  std::int64_t taken = 0;
  if (budget > 0) {
    const Value list = collect(e[0]);
    for (std::size_t k = 0; !failed_ && k < list_size(list) && taken < budget; ++k, ++taken) {
      const Value item = list_at(list, k);
      slot(e[4]) = item;
      const ZoneId to = zone(e[1]);
      if (to.is_none()) return false;
      const TokenId t = item.is_token() ? item.as_token() : TokenId::none();
      if (t.is_none() || memory_.zone_of(t).is_none()) {
        fail(Code::RUN_TOKEN, i.place, "removeByPriority needs tokens that are in play", item);
        return false;
      }
      const ZoneId from = e[2] >= 0 ? zone(e[2]) : memory_.zone_of(t);
      if (from.is_none()) return false;
      if (from != memory_.zone_of(t)) {
        fail(Code::RUN_TOKEN, i.place, "the token is not in this zone", item, Value::zone(from));
        return false;
      }
      if (!place(t, to, spec::ZonePosition::top, i.place, Taken::by_pick, 0)) return false;
    }
  }
  slot(e[4]) = {};
  slot(i.a) = Value::integer(budget - taken);
  if (e[3] >= 0) slot(e[3]) = Value::integer(taken);
  return !failed_;
}

}  // namespace parlor::kernel
