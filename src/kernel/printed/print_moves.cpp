// Whole moves as C++: the code of an action, one statement after the other (print_statements.cpp),
// the end of the move and the way to the next decision (print_ends.cpp). What a move does to a
// state it does by state/writes.h, as the interpreter does. A statement that is not printed is
// where the machine goes on.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// Games whose moves are printed: no trigger hears of changes, moves are made one after the other.
// Whatever else matters is asked statement by statement.
bool Printer::moves_are_plain() const {
  return !p_.secrets.course && !p_.secrets.shadows && !p_.emits_var_events &&
         !p_.emits_token_events && !p_.flow.cards && !p_.flow.events && !p_.simultaneous &&
         !p_.keeps_more && p_.stacking.empty() && p_.natives.empty() &&
         p_.words <= static_cast<int>(most_words) && p_.variant_bits == 0 &&
         !p_.options.explicit_chance &&
         std::ranges::all_of(p_.types, [](const TypeInfo& type) { return type.entry.empty(); });
}

// What state/writes.h asks, as constants.
std::string Printer::shape() const {
  const Layout& at = p_.layout;
  std::string tests, all;
  for (std::size_t type = 0; type < p_.types.size(); ++type) {
    std::string lines;
    for (const TypeInfo::FeatureTest& test : p_.types[type].feature_tests) {
      std::string when;
      if (test.column >= 0) when = fmt::format("own[{}] == {}", test.column, test.cell);
      if (test.more)
        for (const auto& [prop, cell] : p_.features[static_cast<std::size_t>(test.feature)].cells)
          when += fmt::format("{}own[{}] == {}", when.empty() ? "" : " && ",
                              p_.types[type].column[static_cast<std::size_t>(prop)], cell);
      lines += fmt::format("        {}f(&v.ref<std::uint64_t>({}));\n",
                           when.empty() ? "" : "if (" + when + ") ", test.offset);
    }
    if (!lines.empty()) tests += fmt::format("      case {}:\n{}        break;\n", type, lines);
  }
  for (std::size_t k = 0; k < p_.features.size(); ++k)
    all += fmt::format("    f(&v.ref<std::uint64_t>({}));\n",
                       at.features + 8 * k * static_cast<std::size_t>(p_.words));
  return fmt::format(
      "struct Shape {{\n"
      "  static constexpr std::size_t token_count = {0}, tokens = {1}, token_size = {2};\n"
      "  const PrintedView& v;\n"
      "  std::uint64_t& hash() const {{ return v.ref<std::uint64_t>({3}); }}\n"
      "  ZoneRecord& zone(int z) const {{ return v.ref<ZoneRecord>({4} + place(z) * 6); }}\n"
      "  TokenRecord& token(int t) const {{ return v.ref<TokenRecord>(tokens + place(t) * "
      "token_size); }}\n"
      "  static constexpr int columns() {{ return {5}; }}\n"
      "  std::uint64_t key(int t, int part) const {{\n"
      "    return token_key(v.token_keys, v.token_key_count, place(t) * {6} + place(part));\n"
      "  }}\n"
      "  static constexpr bool has_features() {{ return {7}; }}\n"
      "  template <class F>\n"
      "  [[gnu::always_inline]] void each_feature(int t, F&& f) const {{\n"
      "    TokenRecord& record = token(t);\n"
      "    const std::int32_t* own = cells_of(record);\n"
      "    switch (record.type) {{\n{8}      default:\n        break;\n    }}\n"
      "  }}\n"
      "  template <class F>\n"
      "  void every_feature(F&& f) const {{\n{9}  }}\n"
      "  static constexpr bool keeps_more() {{ return false; }}\n"
      "  static void count(int, int, int) {{}}\n"
      "  static void note(int, int) {{}}\n"
      "  static void refresh(int) {{}}\n"
      "}};\n",
      tokens_offset(), at.tokens, at.token_size, offset_in_header(&Header::hash), at.zones,
      p_.columns, p_.columns + 2, !p_.features.empty(), tests, all);
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
  const auto known = move_slots_.find(slot);
  if (unit_ == nullptr || known == move_slots_.end()) {
    unprintable_ = true;  // nobody gave it a value
    return {"Value{}", Kind::any};
  }
  const MoveSlot& about = known->second;
  if (about.kind != Kind::any && always_before(about.first, pc_))
    return {fmt::format("item_{}", slot), about.kind};
  give_up_if(fmt::format("slot_{}.is_none()", slot));
  return {fmt::format("slot_{}", slot), Kind::any};
}

void Printer::assign(int slot, const Made& made) {
  MoveSlot& about = next_slots_[slot];
  const Kind kind = kept_kind(made.kind);
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
    unprintable_ = true;
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

std::int64_t Printer::most_rounds() const {
  return std::max<std::int64_t>(most_loop_items, 64 * p_.words);
}

// From here on something may have been written: behind the first statement that writes, or, where
// that one is in a loop, from its beginning.
int Printer::first_change() const {
  int first = unit_->end;
  for (int at = unit_->entry; at < unit_->end; ++at)
    if (changes_state(code(at).op)) first = std::min(first, at);
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
    if (param.kind == ItemKind::token) made.kind = Kind::token;
    if (param.kind == ItemKind::boolean) made.kind = Kind::boolean;
    bound_[param.slot] = made;
    params_.emplace_back(param.slot, made);
    if (move_slots_.contains(param.slot)) unprintable_ = true;  // something else is bound to it
  }
}

void Printer::read_parameters(const ActionInfo& action) {
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
    if (made.kind == Kind::token)
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
      default:
        unprintable_ = true;
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
    if (i.op != Op::jump && i.op != Op::settle) next.push_back(pc + 1);
  }
  return out;
}

// The machine goes on where a statement stands that is not printed, or where its outermost loop
// begins: what a loop goes through is the machine's, or the printed function's.
void Printer::leave_before(int pc) {
  for (int at = unit_->entry; at < pc; ++at)
    if (code(at).op == Op::loop_begin && code(at + 1).op == Op::loop_next && pc < code(at + 1).c) {
      leave_at_.insert(at);
      return;
    }
  leave_at_.insert(pc);
}

// False: some statement is not printed, which is known now.
bool Printer::statements() {
  const std::set<int> there = reachable();
  std::set<int> targets;
  for (const int at : there)
    if (const int to = target_of(code(at)); to >= 0 && !leave_at_.contains(at)) targets.insert(to);
  for (const int at : there) {
    pc_ = at;
    if (targets.contains(pc_)) line("at_{}:", pc_);
    line("{{");
    ++depth_;
    loops_ = loops_around(pc_);
    repeats_ = 0;
    if (leave_at_.contains(pc_)) {
      leave(pc_);
    } else {
      spend(work_of_instruction);
      if (!statement(code(pc_)) || left_something_ || unprintable_) {
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
  const ActionInfo& action = p_.actions[static_cast<std::size_t>(index)];
  if (!moves_are_plain() || !action.packed || !action.pipelines.empty() || !action.before.empty() ||
      !p_.before_anything.empty() || !action.validate.empty())
    return "";
  unit_ = &p_.units[static_cast<std::size_t>(action.unit)];
  if (unit_->slots > most_move_slots) return "";
  note_slots();
  leave_at_.clear();
  // Several times: first to find out what is printed, and of what kind slots are.
  std::string body;
  for (int fine = 0; fine < 3;) {
    const int depth = depth_;
    begin(-1);
    next_slots_.clear();
    next_loop_kinds_ = loop_kinds_;
    params_.clear();
    late_ = leaves_ = false;
    static_work_ = token_work_ = 0;
    repeats_ = loops_ = 0;
    moving_ = true;
    pc_ = -1;
    wrote_from_ = first_change();
    bind_parameters(action);
    ask_again(action);
    line("[[maybe_unused]] const int acting = v.active;");
    if (left_something_ || unprintable_) return moving_ = false, "";
    const bool printed = statements();
    moving_ = false;
    depth_ = depth;
    body = std::exchange(out_, {});
    if (!printed) {
      if (leave_at_.contains(unit_->entry)) return "";  // nothing would be gained
      note_slots();
      fine = 0;
      continue;
    }
    if (++fine == 3) break;
    for (const auto& [slot, about] : next_slots_) move_slots_[slot] = about;
    loop_kinds_ = next_loop_kinds_;
  }
  return move_head(action) + body + "  return trouble;\n";
}

// Every slot that gets a value, and every loop, of no kind yet.
void Printer::note_slots() {
  move_slots_.clear();
  loop_kinds_.clear();
  for (int at = unit_->entry; at < unit_->end; ++at) {
    const Instr& i = code(at);
    if (i.op == Op::bind || i.op == Op::copy_slot || i.op == Op::roll)
      move_slots_.emplace(i.a, MoveSlot{at, Kind::any});
    if (i.op == Op::loop_next) {
      move_slots_.emplace(i.b, MoveSlot{at, Kind::any});
      if (i.d >= 0) move_slots_.emplace(i.d, MoveSlot{at, Kind::any});
    }
    if (i.op != Op::loop_begin) continue;
    const bool bits = i.c < 0 && node(i.b).op == Ex::q_bits && pure_set(node(i.b).a);
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
  return std::min<std::int64_t>(most, 32'000);
}

// What stands before the statements: it is known only once they are printed.
std::string Printer::move_head(const ActionInfo& action) {
  line("PrintedView v = view;");
  line("std::int64_t work = *view.work - {};", static_work_);
  if (token_work_ != 0)
    line("work -= {} * (std::int64_t{{v.at<std::uint32_t>({})}} + {});", token_work_,
         tokens_offset(), most_new_tokens());
  give_up_if("work < 0");
  line("v.work = &work;");
  line("v.active = v.actor = v.ref<std::uint8_t>({});", offset_in_header(&Header::active));
  read_parameters(action);
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
