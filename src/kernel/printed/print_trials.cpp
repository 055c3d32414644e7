// Trials as C++: whether a move can be carried through, carried out on a copy of the state only as
// far as something may still make it illegal. A choice is a loop over its answers that ends with
// the first that leads on; the function goes on there as it does where a player has answered.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// The refusing loops around a statement are in their last round (Statements::loops_are_over).
// Empty: it is not known.
std::string Printer::loops_are_over(int pc) const {
  std::string out;
  for (int loop = p_.loop_at[pc]; loop >= 0;) {
    const Program::RefusingLoop& info = p_.refusing_loops[loop];
    const int cursor = info.cursor.value;
    const auto known = loop_kinds_.find(cursor);
    if (known == loop_kinds_.end()) return "";
    out +=
        fmt::format("{}{}", out.empty() ? "" : " && ",
                    known->second.second ? fmt::format("!loop_{}.any()", cursor)
                                         : fmt::format("loop_{0}.next >= loop_{0}.size", cursor));
    loop = info.around;
  }
  return out;
}

// Whether nothing behind a statement refuses: always, never (empty), or where this holds.
std::string Printer::safe_behind(int pc) const {
  switch (p_.safe_after[pc]) {
    case Program::Safety::always:
      return "true";
    case Program::Safety::in_last_round:
      return loops_are_over(pc);
    default:
      return "";
  }
}

// Of the last choice that could refuse only is asked whether it has an answer.
void Printer::ask_for_answer(int query) {
  const std::string r = loop(query, [&](const Made&) { line("return stop;"); });
  line("return {0} == trouble ? trouble : {0} == stop ? yes : no;", r);
}

void Printer::try_answers(const Instr& i) {
  const std::string last = safe_behind(pc_);
  if (i.c >= 0) static_cast<void>(player(i.c));
  if (last == "true") return ask_for_answer(i.b);
  if (!last.empty()) {
    line("if ({}) {{", last);
    ++depth_;
    ask_for_answer(i.b);
    --depth_;
    line("}}");
  }
  const auto known = move_slots_.find(i.d);
  const Kind kind = known == move_slots_.end() ? Kind::any : known->second.kind;
  const std::string found = fresh('l'), find = fresh('f');
  line("LoopItems<{}> {};", type_of(kind), found);
  std::vector<Kind> kinds;
  line("const auto {} = [&](std::size_t most) -> int {{", find);
  ++depth_;
  line("{}.size = 0;", found);
  const std::string r = loop(i.b, [&](const Made& item) {
    kinds.push_back(kept_kind(item.kind, p_.tokens_stay));
    if (kind != Kind::any && kinds.back() != kind) cannot("answers of several kinds");
    if (item.kind == Kind::any) give_up_if(item.text + ".tag() == Tag::row");
    give_up_if(fmt::format("!{}.add({})", found, kind != Kind::any ? item.text : as_value(item)));
    line("if ({}.size == most) return stop;", found);
  });
  give_up_with(r);
  // What the machine counts for making the list and for equal answers.
  line("*v.work -= static_cast<std::int64_t>({0}.size * {0}.size / 64 + 2 * {0}.size + 2);", found);
  line("return go_on;");
  --depth_;
  line("}};");
  const bool uniform =
      !kinds.empty() && std::ranges::all_of(kinds, [&](Kind one) { return one == kinds.front(); });
  next_slots_[i.d] = {
      next_slots_.contains(i.d) ? next_slots_[i.d].first : pc_,
      uniform && !(next_slots_.contains(i.d) && next_slots_[i.d].kind != kinds.front())
          ? kinds.front()
          : Kind::any};
  line("return each_way(v, l, {}, {}, [&](Locals& own, {} answer) {{", found, find, type_of(kind));
  line("  own.slot_{} = {};", i.d, as_value({"answer", kind}));
  if (kind != Kind::any) line("  own.item_{} = answer;", i.d);
  line("  return run(v, own, {});", pc_);
  line("}});");
}

// What is come to before nothing refuses any more.
std::set<int> Printer::tried_statements() const {
  std::set<int> out;
  std::vector<int> next = {unit_->entry};
  while (!next.empty()) {
    const int pc = next.back();
    next.pop_back();
    if (pc >= unit_->end || !out.insert(pc).second || pc == stop_at_) continue;
    const Instr& i = code(pc);
    if (i.op == Op::settle || i.op == Op::ret) continue;
    if (pc > unit_->entry && safe_behind(pc - 1) == "true") continue;
    if (const int to = target_of(i); to >= 0) next.push_back(to);
    if (i.op != Op::jump && (i.op != Op::choose_one || safe_behind(pc) != "true"))
      next.push_back(pc + 1);
  }
  return out;
}

// A statement of a trial whose answers are kept: zones it writes to are noted whole.
bool Printer::noted_statement(const Instr& i) {
  if (i.op == Op::create_token || i.op == Op::move_token) {
    const std::string z = zone(i.op == Op::create_token ? i.a : i.c);
    note_zone(z);
    // Behind the last token and alone in its zone it is taken away again at no cost.
    line("v.help->moved |= {};",
         i.op == Op::create_token ? fmt::format("Shape{{v}}.zone({}).count != 0", z) : "true");
  }
  if (i.op == Op::destroy_token || i.op == Op::set_prop) line("v.help->moved = true;");
  return statement(i);
}

// Each statement as a block; one that is not printed is where the trial gives up.
void Printer::trial_statements() {
  const std::set<int> there = tried_statements();
  std::set<int> targets;
  for (const int at : there) {
    if (const int to = target_of(code(at)); to >= 0) targets.insert(to);
    if (code(at).op == Op::choose_one) targets.insert(at + 1);
  }
  line("switch (answered) {{");
  for (const int at : there)
    if (code(at).op == Op::choose_one && there.contains(at + 1))
      line("  case {}: goto at_{};", at, at + 1);
  line("  default: break;");
  line("}}");
  for (const int at : there) {
    pc_ = at;
    if (targets.contains(at)) line("at_{}:", at);
    line("{{");
    ++depth_;
    loops_ = loops_around(at);
    repeats_ = 0;
    const std::string safe = at > unit_->entry ? safe_behind(at - 1) : "";
    if (at == stop_at_) {
      line("return to_tail;");
    } else if (safe == "true") {
      line("return yes;");
    } else {
      if (!safe.empty()) line("if ({}) return yes;", safe);
      spend(work_of_instruction);
      if (!(noting_ ? noted_statement(code(at)) : statement(code(at)))) {
        line("return trouble;");
        given_up_.insert(at);
      }
    }
    --depth_;
    line("}}");
  }
}

// Nothing decides whether it comes to a statement that is not printed.
bool Printer::gives_up_early() const {
  for (int at = unit_->entry; at < unit_->end; ++at) {
    if (given_up_.contains(at)) return true;
    if (target_of(code(at)) >= 0 || code(at).op == Op::choose_one) return false;
  }
  return false;
}

// What statements and answers keep, so that each answer can be tried with its own.
std::string Printer::trial_locals() {
  const auto declare = [&](const std::string& type, const std::string& name) {
    line("  {} {}{{}};", type, name);
  };
  line("struct Locals {{");
  for (const auto& [slot, made] : params_) declare(type_of(made.kind), made.text);
  for (const auto& [slot, about] : move_slots_) {
    declare("Value", fmt::format("slot_{}", slot));
    if (about.kind != Kind::any) declare(type_of(about.kind), fmt::format("item_{}", slot));
  }
  for (const auto& [cursor, about] : loop_kinds_)
    declare(about.second ? zones_type() : fmt::format("LoopItems<{}>", type_of(about.first)),
            fmt::format("loop_{}", cursor));
  line("}};");
  return std::exchange(out_, {});
}

// The names of the locals, in whichever place they lie.
void Printer::name_locals() {
  const auto name = [&](const std::string& local) {
    line("[[maybe_unused]] auto& {0} = l.{0};", local);
  };
  for (const auto& [slot, made] : params_) name(made.text);
  for (const auto& [slot, about] : move_slots_) {
    name(fmt::format("slot_{}", slot));
    if (about.kind != Kind::any) name(fmt::format("item_{}", slot));
  }
  for (const auto& [cursor, about] : loop_kinds_) name(fmt::format("loop_{}", cursor));
}

// A value of this kind that a half-made move keeps; whatever else it may be only the machine knows.
void Printer::fetch(const std::string& from, Kind kind, const std::string& to) {
  switch (kind) {
    case Kind::integer:
      give_up_if(fmt::format("!{}.is_int()", from));
      break;
    case Kind::boolean:
      give_up_if(fmt::format("!{}.is_bool()", from));
      break;
    case Kind::zone:
      give_up_if(fmt::format("!{0}.is_symbol() || {0}.payload() >= {1}", from, p_.zone_count));
      break;
    case Kind::symbol:
      give_up_if(fmt::format("!{}.is_symbol()", from));
      break;
    case Kind::token:
    case Kind::placed_token:
      give_up_if(fmt::format("!{0}.is_token() || {0}.payload() >= v.at<std::uint32_t>({1})", from,
                             tokens_offset()));
      break;
    default:
      line("{} = {};", to, from);
      return;
  }
  line("{} = static_cast<{}>({}.payload());", to, type_of(kind), from);
}

// What a loop still goes through; of a set only what is to come is kept.
void Printer::fetch_loop(int cursor, Kind kind, bool is_set) {
  const std::string list = fresh('l'), k = fresh('k'), item = fresh('i');
  line("if (v.slots[{}].is_list()) {{", cursor);
  ++depth_;
  line("const PrintedList {} = v.calls->list(v, v.slots[{}]);", list, cursor);
  line("const std::int64_t {}_next = v.slots[{}].payload(), {}_end = v.slots[{}].payload();", list,
       cursor + 1, list, cursor + 2);
  give_up_if(fmt::format("{0}_next < 0 || {0}_end > static_cast<std::int64_t>({0}.size)", list));
  line("for (std::int64_t {0} = {1}; {0} < {2}_end; ++{0}) {{", k, is_set ? list + "_next" : "0",
       list);
  ++depth_;
  line("const Value {0} = (*{1}.in)[{1}.first + place({2})];", item, list, k);
  line("{} {}_{{}};", type_of(kind), item);
  fetch(item, kind, item + "_");
  if (is_set)
    line("loop_{}.put({}_);", cursor, item);
  else
    give_up_if(fmt::format("!loop_{}.add({}_)", cursor, item));
  --depth_;
  line("}}");
  if (!is_set) line("loop_{}.next = place({}_next);", cursor, list);
  --depth_;
  line("}}");
}

// The locals of a move that is half made, from its slots.
void Printer::fetch_locals() {
  for (const auto& [slot, made] : params_)
    fetch(fmt::format("v.slots[{}]", slot), made.kind, made.text);
  for (const auto& [slot, about] : move_slots_) {
    line("slot_{0} = v.slots[{0}];", slot);
    if (about.kind == Kind::any) continue;
    line("if (!slot_{}.is_none()) {{", slot);
    ++depth_;
    fetch(fmt::format("slot_{}", slot), about.kind, fmt::format("item_{}", slot));
    --depth_;
    line("}}");
  }
  for (const auto& [cursor, about] : loop_kinds_) fetch_loop(cursor, about.first, about.second);
  line("switch (answered) {{");
  for (int at = unit_->entry; at < unit_->end; ++at) {
    const auto about = move_slots_.find(code(at).d);
    if (code(at).op != Op::choose_one || about == move_slots_.end()) continue;
    line("  case {}:", at);
    ++depth_;
    line("  slot_{} = answer;", code(at).d);
    if (about->second.kind != Kind::any)
      fetch("answer", about->second.kind, fmt::format("item_{}", code(at).d));
    line("  break;");
    --depth_;
  }
  line("  default: return trouble;");
  line("}}");
}

// The locals, from the option or from a half-made move, and whoever carries the action out.
std::string Printer::trial_head(const ActionInfo& action) {
  line("PrintedView v = view;");
  line("Locals l;");
  name_locals();
  line("if (answered < 0) {{");
  ++depth_;
  int shift = action_bits;
  for (std::size_t k = 0; k < params_.size(); ++k) {
    const ParamInfo& param = action.params[k];
    const Made& made = params_[k].second;
    line("const std::int64_t {}_ = static_cast<std::int64_t>(option >> {} & {}u) + {};", made.text,
         shift, (std::uint64_t{1} << param.bits) - 1, param.base);
    shift += param.bits;
    const std::string most = made.kind == Kind::zone     ? fmt::format("{}", p_.zone_count)
                             : made.kind == Kind::symbol ? fmt::format("{}", p_.symbols.size())
                             : made.kind == Kind::token || made.kind == Kind::placed_token
                                 ? fmt::format("v.at<std::uint32_t>({})", tokens_offset())
                                 : "";
    if (!most.empty()) give_up_if(fmt::format("place({}_) >= {}", made.text, most));
    line("{0} = static_cast<{1}>({0}_);", made.text, type_of(made.kind));
  }
  for (const Step& step : action.order) {
    if (step.ask != Ask::executor) continue;
    const std::string who = player(step.what);
    line("v.active = v.actor = {};", who);
  }
  --depth_;
  line("}} else {{");
  ++depth_;
  fetch_locals();
  --depth_;
  line("}}");
  line("const int way = Trial::run(v, l, answered);");
  line("return *v.work < 0 ? trouble : way;");
  return std::exchange(out_, {});
}

// Tokens that a parameter names would have to be noted where they lie.
bool Printer::can_note(const ActionInfo& action) const {
  return std::ranges::none_of(action.params,
                              [](const ParamInfo& param) { return param.kind == ItemKind::token; });
}

// Of a trial of what this action begins; empty: not printed.
std::string Printer::trial_body(int index) {
  const ActionInfo& action = p_.actions[static_cast<std::size_t>(index)];
  if (!action.look_ahead || !moves_are_plain() || p_.secrets.any || !action.packed ||
      !action.pipelines.empty())
    return "";
  unit_ = &p_.units[action.unit];
  if (unit_->slots > most_move_slots || (action.trial.local && !can_note(action))) return "";
  trying_ = moving_ = true;
  noting_ = action.trial.local;
  stop_at_ = noting_ ? action.trial.tail : -1;
  note_slots();
  std::string body, head;
  // Several times: first to find out of what kind slots are.
  for (int pass = 0; pass < 3; ++pass) {
    begin(-1);
    next_slots_.clear();
    next_loop_kinds_ = loop_kinds_;
    params_.clear();
    given_up_.clear();
    late_ = false;
    repeats_ = loops_ = 0;
    bind_parameters(action);
    depth_ += 2;
    trial_statements();
    depth_ -= 2;
    body = std::exchange(out_, {});
    pc_ = unit_->entry;
    head = trial_head(action);
    if (!fits()) break;
    if (pass == 2) break;
    for (const auto& [slot, about] : next_slots_) move_slots_[slot] = about;
    loop_kinds_ = next_loop_kinds_;
  }
  const bool noted = std::exchange(noting_, false);
  trying_ = moving_ = false;
  stop_at_ = -1;
  const int depth = std::exchange(depth_, 3);
  name_locals();
  if (noted) line("const Reads reads = *view.help->reads;");
  depth_ = depth;
  const std::string names = std::exchange(out_, {}), locals = trial_locals();
  // Each answer of a choice begins with the view as it was.
  const bool branches = std::ranges::any_of(
      tried_statements(), [&](int pc) { return code(pc).op == Op::choose_one; });
  // Where it would give up before the first choice nothing would be gained.
  if (!fits() || gives_up_early()) {
    remarks_.push_back(fmt::format("trying {} out: {}", action.id,
                                   fits() ? "a statement of the machine's comes first" : why_));
    return "";
  }
  return locals +
         "  struct Trial {\n" +
         fmt::format(
             "    static int run(PrintedView& view, Locals& l, [[maybe_unused]] int answered) {{\n"
             "      PrintedView{} v = view;\n",
             branches ? "" : "&") +
         names + body + "      return trouble;\n    }\n  };\n" + head;
}

}  // namespace parlor::kernel
