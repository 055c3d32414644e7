// Whole moves as C++: the code of an action, one statement after the other (print_statements.cpp),
// the end of the move and the way to the next decision (print_ends.cpp). What a move does to a
// state it does by state/writes.h, as the interpreter does. A statement that is not printed is
// where the machine goes on.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// Why no moves of a game are printed, or "". What matters for some of them is asked statement by
// statement.
std::string_view Printer::keeps_all_moves() const {
  if (p_.flow.cards || p_.flow.events) return "event cards decide what comes next";
  if (p_.emits_var_events || p_.emits_token_events) return "a trigger hears of changes";
  if (!p_.natives.empty()) return "rules are in C++";
  if (p_.secrets.course) return "players pick tokens they do not see";
  if (p_.variant_bits != 0) return "an action has variants";
  if (p_.options.explicit_chance) return "chance is a player";
  if (p_.words > static_cast<int>(most_words)) return "there are too many zones";
  return "";
}
bool Printer::moves_are_plain() const {
  return keeps_all_moves().empty();
}

// ---- Slots of the unit

// Whether the statement that gives a slot its value always comes before this one: no way leads
// around it.
bool Printer::always_before(int first, int pc) const {
  for (int at = unit_->entry; at < first; ++at)
    if (const int to = target_of(code(at)); to > first && to <= pc) return false;
  return first < pc;
}

Made Printer::local(int slot) {
  if (stretching_) return this->slot(slot);
  const auto known = move_slots_.find(slot);
  if (unit_ == nullptr || known == move_slots_.end()) {
    cannot("a binding that nothing gives a value");
    return {"Value{}", Kind::any};
  }
  const MoveSlot& about = known->second;
  if (about.kind != Kind::any && always_before(about.first, pc_))
    return {fmt::format("item_{}", slot), about.kind};
  give_up_if(fmt::format("slot_{}.is_none()", slot));
  return {fmt::format("slot_{}", slot), Kind::any};
}

void Printer::assign(int slot, const Made& made) {
  if (stretching_) {
    line("v.slots[{}] = {};", slot, as_value(made));
    return;
  }
  MoveSlot& about = next_slots_[slot];
  const Kind kind = kept_kind(made.kind, p_.tokens_stay);
  if (about.first < 0) {
    about = {pc_, kind};
  } else if (about.kind != kind) {
    about.kind = Kind::any;
  }
  line("slot_{} = {};", slot, as_value(made));
  const auto declared = move_slots_.find(slot);
  if (declared == move_slots_.end() || declared->second.kind == Kind::any) return;
  if (declared->second.kind == kind)
    line("item_{} = {};", slot, made.text);
  else
    cannot("a binding of several kinds");
}
Made Printer::local_or_param(int slot) {
  const auto known = bound_.find(slot);
  return known != bound_.end() ? known->second : local(slot);
}
// ---- Moves

// How many loops are around a statement.
int Printer::loops_around(int pc) const {
  int loops = 0;
  for (int at = unit_->entry; at < unit_->end; ++at)
    if (const int to = target_of(code(at)); to >= 0 && to <= pc && pc <= at) ++loops;
  return loops;
}

Rounds Printer::both(const Rounds& outer, const Rounds& inner) {
  constexpr std::int64_t most = 100'000;
  return {.times = outer.times * inner.times,
          .tokens = outer.tokens || inner.tokens,
          .known = outer.known && inner.known && !(outer.tokens && inner.tokens) &&
                   outer.times * inner.times <= most};
}

bool Printer::spends_before(const Rounds& rounds, std::int64_t work) {
  if (!moving_ || trying_ || stretching_ || !rounds.known || loops_ > most_static_loops)
    return false;
  // As much as it could be, but not so much that nobody has it.
  constexpr std::int64_t many_tokens = 64;
  const std::int64_t all = work * rounds.times * (loops_ == 0 ? 1 : most_rounds());
  if (all * (rounds.tokens ? many_tokens : 1) * goes_round_ > most_before) return false;
  (rounds.tokens ? token_work_ : static_work_) += all;
  return true;
}

// Of what changes nothing.
void Printer::spend_before_all() {
  if (static_work_ != 0) give_up_if(fmt::format("!v.spend({})", static_work_));
  if (token_work_ != 0)
    give_up_if(fmt::format("!v.spend({} * std::int64_t{{v.at<std::uint32_t>({})}})", token_work_,
                           tokens_offset()));
}

std::int64_t Printer::most_rounds() const {
  return std::max<std::int64_t>(most_loop_items, 64 * p_.words);
}

// From here on something may have been written: behind the first statement that writes, or, where
// that one is in a loop, from its beginning.
int Printer::first_change() const {
  int first = unit_->end;
  for (int at = unit_->entry; at < unit_->end; ++at)
    if (!has(code(at).op, trait::still)) first = std::min(first, at);
  int from = first + 1;
  for (int at = first; at < unit_->end; ++at)
    if (const int to = target_of(code(at)); to >= 0) from = std::min(from, to);
  return from;
}

// The values an option stands for.
void Printer::bind_parameters(const ActionInfo& action) {
  for (const ParamInfo& param : action.params) {
    Made made{fmt::format("param_{}", param.slot), Kind::integer};
    if (param.kind == ItemKind::zone) made.kind = Kind::zone;
    if (param.kind == ItemKind::symbol) made.kind = Kind::symbol;
    if (param.kind == ItemKind::token)
      made.kind = p_.tokens_stay ? Kind::placed_token : Kind::token;
    if (param.kind == ItemKind::boolean) made.kind = Kind::boolean;
    bound_[param.slot.value] = made;
    params_.emplace_back(param.slot.value, made);
    if (!shadow_of(param.slot.value).is_none()) {
      own_params_.insert(param.slot.value);
      if (param.kind != ItemKind::token) cannot("a parameter that others do not know");
    }
    if (move_slots_.contains(param.slot.value))
      cannot("a parameter that is bound to something else");
  }
}

// What a trigger is told of the event that sets it off. False: more than compiled code knows.
bool Printer::bind_event() {
  for (const TriggerInfo& trigger : p_.triggers) {
    if (trigger.unit != asked_unit()) continue;
    for (std::size_t k = 0; k < std::size(trigger.slots); ++k) {
      if (trigger.slots[k].is_none()) continue;
      if (k != 0 || trigger.event == spec::EventKind::token_entered ||
          trigger.event == spec::EventKind::var_changed)
        return false;
      helped_ = true;
      const Made made{"event", Kind::symbol};
      bound_[trigger.slots[k].value] = made;
      params_.emplace_back(trigger.slots[k].value, made);
    }
  }
  return true;
}

// An option that is only a number stands for so manieth value of its parameter.
void Printer::find_parameter(const ParamInfo& param) {
  const Made& made = params_[0].second;
  line("std::uint64_t ordinal = option >> {};", action_bits);
  line("{} {}{{}};", type_of(made.kind), made.text);
  const std::string r = loop(param.domain.value, [&](const Made& item) {
    if (item.kind != made.kind) cannot("a parameter of several kinds");
    line("{} = {};", made.text, item.text);
    line("if (--ordinal == 0) return stop;");
  });
  give_up_if(r + " != stop");
}

void Printer::read_parameters(const ActionInfo& action) {
  if (!action.packed) return find_parameter(action.params[0]);
  int shift = action_bits;
  for (std::size_t k = 0; k < params_.size(); ++k) {
    const ParamInfo& param = action.params[k];
    const Made& made = params_[k].second;
    line("const std::int64_t {}_ = static_cast<std::int64_t>(option >> {} & {}u) + {};", made.text,
         shift, (std::uint64_t{1} << param.bits) - 1, param.base);
    shift += param.bits;
    if (made.kind == Kind::zone)
      give_up_if(fmt::format("place({}_) >= {}", made.text, p_.zone_count));
    if (made.kind == Kind::symbol)
      give_up_if(fmt::format("place({}_) >= {}", made.text, p_.symbols.size()));
    if (made.kind == Kind::token || made.kind == Kind::placed_token)
      give_up_if(fmt::format("place({}_) >= v.at<std::uint32_t>({})", made.text, tokens_offset()));
    line("[[maybe_unused]] const auto {0} = static_cast<{1}>({0}_);", made.text,
         type_of(made.kind));
  }
}

// What is asked again when a move begins: where it is not as it was listed, the machine says why.
void Printer::ask_again(const ActionInfo& action) {
  for (const Step& step : action.order) {
    if (step.sure || step.ask == Ask::param || step.ask == Ask::completes) continue;
    switch (step.ask) {
      case Ask::pre:
      case Ask::phase_pre: {
        const bool always = step.ask == Ask::pre;
        line("{}{{", always ? ""
                            : fmt::format("if (v.ref<std::int16_t>({}) == {}) ",
                                          offset_in_header(&Header::phase), step.phase));
        const std::string holds = truth(step.what);
        give_up_if("!" + holds);
        line("}}");
        break;
      }
      case Ask::executor: {
        const std::string who = player(step.what);
        line("v.active = v.actor = {};", who);
        break;
      }
      case Ask::price: {
        const std::string can = can_pay(action);
        give_up_if("!" + can);
        break;
      }
      case Ask::blocked: {
        const std::string is = blocked(action);
        give_up_if(is);
        break;
      }
      default:
        cannot(fmt::format("the step {}", ask_name(step.ask)));
    }
  }
}

// What is come to before the machine goes on.
std::set<int> Printer::reachable() const {
  std::set<int> out;
  std::vector<int> next = {unit_->entry};
  while (!next.empty()) {
    const int pc = next.back();
    next.pop_back();
    if (pc >= unit_->end || !out.insert(pc).second || leave_at_.contains(pc)) continue;
    const Instr& i = code(pc);
    if (const int to = target_of(i); to >= 0) next.push_back(to);
    if (i.op != Op::jump && i.op != Op::settle && i.op != Op::ret) next.push_back(behind(pc));
  }
  return out;
}

// Where the outermost loop over results begins that a statement stands in; -1: in none.
int Printer::listed_loop_around(int pc) const {
  for (int at = unit_->entry; at < pc; ++at)
    if (code(at).op == Op::loop_begin && code(at + 1).op == Op::loop_next && pc < code(at + 1).c)
      return at;
  return -1;
}

// What comes after a statement that leads nowhere else: some the machine carries out with all that
// belongs to them.
int Printer::behind(int pc) const {
  if (code(pc).op == Op::subset_begin) return behind_subsets(p_, pc);
  return whole_loops_.contains(pc) ? code(pc + 1).c.value : pc + 1;
}

// Nothing in the loop asks anybody, or leads out of it.
bool Printer::machine_may_loop(int begin) const {
  const int end = code(begin + 1).c;
  for (int at = begin; at < end; ++at) {
    const Instr& i = code(at);
    if (const int to = target_of(i); to >= 0 && (to < begin || to > end)) return false;
    switch (i.op) {
      case Op::jump:
      case Op::jump_unless:
      case Op::copy_slot:
      case Op::clear_slots:
      case Op::loop_begin:
      case Op::loop_next:
      case Op::set_active:
        break;
      default:
        if (!machine_may_do(i)) return false;
    }
  }
  return true;
}

// The machine carries out the outermost loop around a statement that is not printed: what a loop
// goes through is the machine's, or the printed function's. Or it goes on there, or at the
// statement.
void Printer::leave_before(int pc) {
  left_because_.emplace(pc, why_);
  const int loop = code(pc).op == Op::loop_begin ? pc : listed_loop_around(pc);
  const int outer = loop >= 0 && listed_loop_around(loop) >= 0 ? listed_loop_around(loop) : loop;
  if (outer >= 0 && !whole_loops_.contains(outer) && machine_may_loop(outer))
    whole_loops_.insert(outer);
  else
    leave_at_.insert(outer >= 0 ? outer : pc);
}

void Printer::tell_what_is_left() {
  const auto tell = [&](const std::map<int, std::string>& statements, const char* how) {
    for (const auto& [pc, why] : statements)
      remarks_.push_back(fmt::format("{}: {} at @{}{}{}, {}", unit_->name, op_name(code(pc).op), pc,
                                     why.empty() ? "" : ", for ", why, how));
  };
  tell(left_because_, "is where the interpreter goes on");
  tell(by_machine_because_, "is done by the interpreter");
  for (const auto& [pc, what] : asked_because_)
    remarks_.push_back(fmt::format("{}: {}{} is asked of the interpreter", unit_->name, what,
                                   pc < 0 ? "" : fmt::format(" at @{}", pc)));
}

// False: some statement is not printed, which is known now.
bool Printer::statements() {
  const std::set<int> there = reachable();
  std::set<int> targets;
  for (const int at : there)
    if (const int to = target_of(code(at)); to >= 0 && !leave_at_.contains(at)) targets.insert(to);
  for (const int at : there) {
    pc_ = at;
    why_.clear();
    if (targets.contains(pc_)) line("at_{}:", pc_);
    line("{{");
    ++depth_;
    loops_ = loops_around(pc_);
    repeats_ = 0;
    if (leave_at_.contains(pc_)) {
      leave(pc_);
    } else {
      spend(work_of_instruction);
      if (!statement(code(pc_)) || !fits()) {
        leave_before(pc_);
        return false;
      }
    }
    --depth_;
    line("}}");
  }
  return true;
}

std::string Printer::move_body(int index) {
  late_ = false;
  const ActionInfo& action = p_.actions[index];
  const bool named = action.packed || (action.params.size() == 1 && !action.params[0].may_repeat);
  unit_ = &p_.units[action.unit];
  std::string_view why = keeps_all_moves();
  if (!named) why = "what is chosen does not fit into the option's number";
  if (!action.pipelines.empty()) why = "it has a pipeline";
  if (!action.before.empty() || !p_.before_anything.empty() || !action.validate.empty())
    why = "a module has a word in it";
  if (unit_->slots > most_move_slots) why = "it has too many names";
  if (why.empty()) return body_of_unit(&action);
  remarks_.push_back(fmt::format("action {}: is begun by the interpreter, {}", action.id, why));
  return "";
}

std::string Printer::unit_body(UnitId index) {
  unit_ = &p_.units[index];
  const std::string body = unit_->slots > most_move_slots ? "" : body_of_unit(nullptr);
  return body.empty() ? nothing_printed : body;
}

// Printed several times: first to find out what is printed, and of what kind slots are. `action`:
// the unit is that of a move.
std::string Printer::body_of_unit(const ActionInfo* action) {
  leave_at_.clear();
  whole_loops_.clear();
  left_because_.clear();
  was_late_ = action == nullptr;
  moving_ = true;
  std::string body = statements_of_unit(action);
  moving_ = false;
  if (!fits()) remarks_.push_back(fmt::format("{}: {}", unit_->name, why_));
  tell_what_is_left();
  if (body.empty()) return "";
  const std::string head = move_head(action);
  return fits() ? head + body + "  return trouble;\n" : "";
}

std::string Printer::statements_of_unit(const ActionInfo* action) {
  note_slots();
  for (int fine = 0;;) {
    const int depth = depth_;
    const bool noted_late = was_late_;
    begin(-1);
    by_machine_because_.clear();
    asked_because_.clear();
    next_slots_.clear();
    next_loop_kinds_ = loop_kinds_;
    params_.clear();
    own_params_.clear();
    late_ = helped_ = leaves_ = false;
    static_work_ = token_work_ = 0;
    repeats_ = loops_ = 0;
    pc_ = -1;
    wrote_from_ = action != nullptr ? first_change() : -1;
    if (action != nullptr) {
      bind_parameters(*action);
      ask_again(*action);
    } else if (!bind_event()) {
      return "";
    }
    line("[[maybe_unused]] const int acting = v.active;");
    if (!fits()) return "";
    const bool printed = statements();
    was_late_ = late_ || action == nullptr;  // whoever calls a unit may leave off
    depth_ = depth;
    std::string body = std::exchange(out_, {});
    if (!printed) {
      left_something_ = unprintable_ = false;
      // Nothing would be gained by a move that begins so.
      if (action != nullptr && leave_at_.contains(unit_->entry)) return "";
      note_slots();
      fine = 0;
      continue;
    }
    // Once more where it turned out otherwise than its loops take it to be.
    if (++fine >= 3 && (noted_late == was_late_ || (fine >= 6 && noted_late))) {
      late_ = late_ || noted_late;
      return body;
    }
    for (const auto& [slot, about] : next_slots_) move_slots_[slot] = about;
    loop_kinds_ = next_loop_kinds_;
  }
}

// Every slot that gets a value, and every loop, of no kind yet.
void Printer::note_slots() {
  move_slots_.clear();
  loop_kinds_.clear();
  for (int at = unit_->entry; at < unit_->end; ++at) {
    const Instr& i = code(at);
    if (i.op == Op::bind || i.op == Op::copy_slot || i.op == Op::roll)
      move_slots_.emplace(i.a, MoveSlot{at, Kind::any});
    if (i.op == Op::reduce) move_slots_.emplace(i.b, MoveSlot{at, Kind::any});
    if (i.op == Op::choose_one && trying_) move_slots_.emplace(i.d, MoveSlot{at, Kind::any});
    if (i.op == Op::transfer_var && i.b >= 0) move_slots_.emplace(i.b, MoveSlot{at, Kind::any});
    if (i.op == Op::while_begin)
      for (const int slot : {i.a.value, i.a + 1})
        move_slots_.emplace(slot, MoveSlot{at, Kind::any});
    if (i.op == Op::subset_end)
      for (const int slot : {i.b, i.c})
        if (slot >= 0) move_slots_.emplace(slot, MoveSlot{at, Kind::any});
    if (i.op == Op::loop_next) {
      move_slots_.emplace(i.b, MoveSlot{at, Kind::any});
      if (i.d >= 0) move_slots_.emplace(i.d, MoveSlot{at, Kind::any});
    }
    if (binds_secret(i))
      for (int k = 0; k < 3; ++k)
        move_slots_.emplace(shadow_of(i.op == Op::loop_next ? i.b.value : i.a.value).value + k,
                            MoveSlot{at, Kind::any});
    if (i.op != Op::loop_begin) continue;
    const bool bits = i.c < 0 && node(i.b).op == Ex::q_bits && can_set(node(i.b).a);
    loop_kinds_[i.a] = {bits ? Kind::zone : Kind::any, bits};
  }
}

// How many tokens the move makes at most.
std::int64_t Printer::most_new_tokens() const {
  std::int64_t most = 0;
  for (int at = unit_->entry; at < unit_->end; ++at) {
    if (code(at).op != Op::create_token) continue;
    std::int64_t times = 1;
    for (int loops = loops_around(at); loops > 0; --loops) times *= most_rounds();
    most += times;
  }
  return std::min<std::int64_t>(most, most_tokens);
}

// What stands before the statements: it is known only once they are printed.
std::string Printer::move_head(const ActionInfo* action) {
  if (action != nullptr) read_parameters(*action);
  const std::string parameters = std::exchange(out_, {});
  line("PrintedView v = view;");
  if (action == nullptr) give_up_if("++v.depth > most_calls");
  line("std::int64_t work = *view.work - {};", static_work_);
  if (token_work_ != 0)
    line("work -= {} * (std::int64_t{{v.at<std::uint32_t>({})}} + {});", token_work_,
         tokens_offset(), most_new_tokens());
  give_up_if("work < 0");
  line("v.work = &work;");
  if (action != nullptr)
    line("[[maybe_unused]] const int own = v.ref<std::uint8_t>({});",
         offset_in_header(&Header::active));
  // Units that are called begin anew, and are as deep in triggers as whoever set them off says.
  if (action == nullptr && helped_) {
    line("[[maybe_unused]] const int event = v.help->event;");
    line("[[maybe_unused]] const int trigger_depth = v.help->trigger_depth;");
    line("v.help->trigger_depth = 0;");
  } else {
    line("[[maybe_unused]] constexpr int event = 0, trigger_depth = 0;");
  }
  line("v.active = v.actor = v.ref<std::uint8_t>({});", offset_in_header(&Header::active));
  out_ += parameters;
  for (const auto& [slot, about] : move_slots_) {
    line("[[maybe_unused]] Value slot_{};", slot);
    if (about.kind != Kind::any)
      line("[[maybe_unused]] {} item_{}{{}};", type_of(about.kind), slot);
  }
  for (const auto& [cursor, about] : loop_kinds_)
    line("{} loop_{};",
         about.second ? zones_type() : fmt::format("LoopItems<{}>", type_of(about.first)), cursor);
  return std::exchange(out_, {});
}

}  // namespace parlor::kernel
