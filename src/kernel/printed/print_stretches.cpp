// What the machine runs of a unit in one go, as one function with a switch on where it begins:
// behind an answer, where a unit is entered or returned to, behind a statement that is not printed.
// It works in the slots and lists of the machine. Every statement finds out first whether it can be
// carried out, and then writes; so where it gives up, the machine goes on as if it had come there
// itself, and nothing has to be put back. What is not printed the machine carries out in between.
#include <algorithm>

#include "kernel/printed/code_stretches.h"
#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

namespace {

// Mostly it does not come to the next statement.
bool leads_elsewhere(Op op) {
  switch (op) {
    case Op::choose_one:
    case Op::choose_n:
    case Op::subset_begin:
    case Op::subset_next:
    case Op::subset_score:
    case Op::subset_end:
    case Op::call:
    case Op::call_enter:
    case Op::call_exit:
    case Op::goto_phase:
    case Op::advance:
    case Op::end_turn:
    case Op::emit:
    case Op::dispatch:
    case Op::settle:
    case Op::ret:
    case Op::choose_activity:
    case Op::activity_point:
    case Op::end_move:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Whoever was left to the interpreter found these in their slots, where they are no longer.
void Printer::let_go_of_bindings() {
  for (const int slot : bindings_) line("v.slots[{}] = {{}};", slot);
}

// What others could think that this binding is.
void Printer::note_doubt(int slot) {
  if (shadow_of(slot).is_none()) return;
  line("tell_machine(v, at);");
  line("v.calls->note(v, {});", pc_);
}

void Printer::stretch_loop(const Instr& i) {
  const Node& query = node(i.b);
  std::string limit, list = fresh('l');
  if (i.c >= 0) {
    limit = integer(i.c);
    give_up_if(limit + " < 0");
  }
  line("Value {};", list);
  if (query.op == Ex::q_list) {  // a list that is there is not made once more
    const Made there = value(query.a);
    line("{} = {};", list, as_value(there));
    give_up_if(fmt::format("!{0}.is_list() || listed(v, *at.lists, {0}) >= {1}", list,
                           most_stretch_items));
  } else {
    line("LoopItems<Value> {}_items;", list);
    const std::string r = loop(i.b, [&](const Made& item) {
      give_up_if(fmt::format("!{}_items.add({})", list, as_value(item)));
    });
    give_up_with(r);
    give_up_if(fmt::format("!add_list(v, *at.lists, {0}_items.items, {0}_items.size, {0})", list));
  }
  let_go_of_bindings();
  const std::string size = fresh('n');
  line("std::int64_t {} = static_cast<std::int64_t>(listed(v, *at.lists, {}));", size, list);
  if (i.c >= 0) line("if ({0} > {1}) {0} = {1};", size, limit);
  note_doubt(i.a);
  line("v.slots[{}] = {};", i.a, list);
  line("v.slots[{}] = Value::integer(0);", i.a + 1);
  line("v.slots[{}] = Value::integer({});", i.a + 2, size);
  line("v.slots[{}] = Value::integer({});", i.a + 3, names_ ? "v.calls->names(v)" : "0");
}

void Printer::stretch_round(const Instr& i) {
  const std::string item = fresh('i');
  if (names_) give_up_if(fmt::format("v.calls->names(v) > v.slots[{}].payload()", i.a + 3));
  line("if (v.slots[{}].payload() >= v.slots[{}].payload()) {{", i.a + 1, i.a + 2);
  ++depth_;
  line("if (at.watched) v.calls->notice_end(v, v.slots[{}]);", i.a);
  line("v.slots[{}] = {{}};", i.b);
  if (i.d >= 0) line("v.slots[{}] = v.slots[{}];", i.d, i.a + 1);
  line("for (int k = {}; k < {}; ++k) v.slots[k] = {{}};", i.a, i.a + 4);
  line("goto at_{};", i.c);
  --depth_;
  line("}}");
  line("Value {};", item);
  give_up_if(fmt::format("!next_listed(v, *at.lists, v.slots + {}, {})", i.a, item));
  note_doubt(i.b);
  line("v.slots[{}] = {};", i.b, item);
  line("v.slots[{0}] = Value::integer(v.slots[{0}].payload() + 1);", i.a + 1);
}

// The machine carries out a statement in between, with its slots and lists as they are.
bool Printer::step_in_place(const Instr& i) {
  if (target_of(i) >= 0 || leads_elsewhere(i.op)) return false;
  line("tell_machine(v, at);");
  line("at.stepped = v.calls->step(v, {});", pc_);
  line("v.base = v.block->data();");
  line("if (at.stepped != go_on) return trouble;");
  return true;
}

// What triggers hear of, and luck that players are asked for, is the machine's.
bool Printer::stretch_of_tokens(const Instr& i) {
  if (p_.options.explicit_chance) return false;
  switch (i.op) {
    case Op::move_token:
      if (spec::ZonePosition{i.x} == spec::ZonePosition::random) give_up_if("at.foresees_nothing");
      [[fallthrough]];
    case Op::move_all:
      return true;
    case Op::draw:
      give_up_if("at.foresees_nothing");
      return p_.stacking.empty();
    case Op::create_token:  // records and texts may lie behind the tokens
      give_up_if(
          fmt::format("v.ref<std::uint32_t>({}) != 0", offset_in_header(&Header::text_bytes)));
      return !p_.flow.any();
    case Op::shuffle:
    case Op::roll:
      give_up_if("at.foresees_nothing");
      return true;
    default:
      return true;
  }
}

bool Printer::stretch_statement(const Instr& i) {
  switch (i.op) {
    case Op::move_token:
    case Op::move_all:
    case Op::draw:
    case Op::create_token:
    case Op::destroy_token:
    case Op::set_prop:
    case Op::shuffle:
    case Op::roll:
      if (!stretch_of_tokens(i)) return false;
      break;
    // Names that others may not know: what they could be is noted beside them.
    case Op::loop_begin:
      stretch_loop(i);
      return true;
    case Op::loop_next:
      stretch_round(i);
      return true;
    case Op::bind:
    case Op::copy_slot: {
      const Made made = i.op == Op::bind ? value(i.b) : slot(i.b);
      note_doubt(i.a);
      assign(i.a, made);
      return true;
    }
    case Op::skip_if_free:  // no stretch is of a free operation
      return true;
    case Op::spend_charges:  // the machine knows which effects changed the price
      give_up_if(fmt::format("v.ref<std::uint8_t>({}) != 0", offset_in_header(&Header::effects)));
      return true;
    case Op::advance:
      if (!turn_is_simple()) return false;
      break;
    case Op::settle:
      if (!settles_ || i.b >= 0) return false;
      helped_ = helped_ || settle_helped_;
      line("return settle_here(v, at);");
      return true;
    case Op::emit:  // other things that happened would be told with it
      if (p_.emits_var_events || p_.emits_token_events) return false;
      break;
    case Op::end_turn:  // calls and what happened are the machine's
    case Op::ret:
    case Op::dispatch:
    case Op::drop_events:
      return false;
    default:
      break;
  }
  return printed_statement(i);
}

// Whether nothing that comes may refuse, where a statement begins: what the machine asks behind the
// one before it.
bool Printer::stops_at(int pc) {
  const std::string safe = pc > unit_->entry ? safe_behind(pc - 1) : "";
  if (safe.empty()) return false;
  line("if (at.stops{}) {{", safe == "true" ? "" : " && " + safe);
  line("  at.pc = {};", pc);
  line("  return trouble;");
  line("}}");
  return true;
}

// The way to the next decision, which is the same wherever a move ends.
std::string Printer::settle_body() {
  settles_ = false;
  if (p_.flow.cards || p_.flow.events || p_.words > most_words) return "";
  unit_ = &p_.units[p_.settle_unit];
  begin_stretch(unit_->entry);
  helped_ = false;
  settles_ = settle(code(unit_->entry)) && fits();
  stretching_ = moving_ = alone_ = false;
  settle_helped_ = helped_;
  const std::string body = std::exchange(out_, {});
  give_up_if(fmt::format("!v.spend({})", static_work_));
  return settles_ ? std::exchange(out_, {}) + body + "  return trouble;\n" : "";
}

void Printer::begin_stretch(int pc) {
  begin(-1);
  stretching_ = moving_ = alone_ = true;
  pc_ = pc;
  loops_ = repeats_ = 0;
  static_work_ = token_work_ = 0;
  params_.clear();
  own_params_.clear();
  late_ = false;
}

// The statements of a unit that are printed, each with what it asks and does.
std::string Printer::stretch_body(UnitId index) {
  entries_.clear();
  stretch_bindings_.clear();
  unit_ = &p_.units[index];
  if (p_.words > most_words) return "";
  helped_ = false;
  std::map<int, std::string> printed;
  std::map<std::string, int> left;  // what is the machine's, and how often
  for (int at = unit_->entry; at < unit_->end; ++at) {
    begin_stretch(at);
    const bool helped = helped_;
    const std::size_t remarks = remarks_.size();
    depth_ = 2;
    const bool compiled = stretch_statement(code(at)) && fits();
    if (!compiled) {
      out_.clear();
      bindings_.clear();
      helped_ = helped;
      remarks_.resize(remarks);
      ++left[fmt::format("{}{}", op_name(code(at).op), why_.empty() ? "" : " (" + why_ + ")")];
    }
    if (compiled || step_in_place(code(at))) {
      let_go_of_bindings();
      for (const int slot : bindings_)
        stretch_bindings_.insert(stretch_bindings_.end(), {at, slot});
      const std::string body = std::exchange(out_, {});
      stops_at(at);
      line("at.pc = {};", at);
      if (compiled && !has(code(at).op, trait::still)) line("at.wrote = true;");
      give_up_if(fmt::format("!v.spend({})", work_of_instruction + static_work_));
      printed[at] = std::exchange(out_, {}) + body;
    }
  }
  tell_what_is_left(left);
  depth_ = 1;
  out_.clear();
  entries_ = find_entries(printed);
  const std::string body = entries_.empty() ? "" : stretch_text(printed);
  stretching_ = moving_ = alone_ = false;
  return body;
}

// A line for each unit; of what only steers nothing need be said.
void Printer::tell_what_is_left(const std::map<std::string, int>& left) {
  std::string out;
  for (const auto& [what, times] : left)
    if (what != op_name(Op::ret) && what != op_name(Op::dispatch) && what != op_name(Op::call))
      out += fmt::format("{}{}{}", out.empty() ? "" : ", ", what,
                         times > 1 ? fmt::format(" {} times", times) : "");
  if (!out.empty()) remarks_.push_back(fmt::format("{}: {} by the interpreter", unit_->name, out));
}

// Beginning costs as much as a few statements.
bool Printer::worth_entering(int pc, const std::map<int, std::string>& printed) const {
  int light = 0;
  for (int at = pc, steps = 0; printed.contains(at) && steps < 4; ++steps) {
    const Instr& i = code(at);
    if (!has(i.op, trait::still) || i.op == Op::loop_begin || ++light >= 3) return true;
    at = i.op == Op::jump ? i.a.value : at + 1;
  }
  return false;
}

// Where the machine comes to by itself: the beginning, behind what it carries out, where that
// leads, and where it stands again after the turn has passed.
std::vector<int> Printer::find_entries(const std::map<int, std::string>& printed) const {
  std::set<int> out;
  const auto add = [&](int pc) {
    if (worth_entering(pc, printed)) out.insert(pc);
  };
  for (int at = unit_->entry; at < unit_->end; ++at) add(at);
  return {out.begin(), out.end()};
}

std::string Printer::stretch_text(const std::map<int, std::string>& printed) {
  // What it comes to from its entries.
  std::set<int> there, targets(entries_.begin(), entries_.end());
  std::vector<int> next = entries_;
  while (!next.empty()) {
    const int pc = next.back();
    next.pop_back();
    if (pc >= unit_->end || !there.insert(pc).second || !printed.contains(pc)) continue;
    const Instr& i = code(pc);
    const bool happens = i.op == Op::emit;  // with what follows from it
    if (const int to = happens ? pc + 2 : target_of(i); to >= 0) {
      targets.insert(to);
      next.push_back(to);
    }
    if (i.op != Op::jump && i.op != Op::settle && !happens) next.push_back(pc + 1);
  }
  line("[[maybe_unused]] const int acting = v.active, acting_as = v.actor;");
  line("switch (at.pc) {{");
  for (const int pc : entries_) line("  case {0}: goto at_{0};", pc);
  line("  default: return trouble;");
  line("}}");
  for (const int pc : there) {
    if (targets.contains(pc)) line("at_{}:", pc);
    line("{{");
    const auto body = printed.find(pc);
    if (body != printed.end()) {
      out_ += body->second;
    } else {
      line("  at.pc = {};", pc);
      line("  return trouble;");
    }
    line("}}");
  }
  line("return trouble;");
  return std::exchange(out_, {});
}

}  // namespace parlor::kernel
