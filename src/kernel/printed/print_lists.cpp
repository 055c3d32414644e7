// What statements of the machine go through, and all subsets of an evaluateSubset, as C++.
#include "kernel/printed/printer.h"

namespace parlor::kernel {

std::string Printer::items_body(int query) {
  begin(-1);
  moving_ = alone_ = true;
  late_ = false;
  unit_ = nullptr;
  static_work_ = token_work_ = 0;
  repeats_ = loops_ = 0;
  pc_ = wrote_from_ = 0;
  const std::string r =
      loop(query, [&](const Made& item) { line("if (!visit({})) return stop;", as_value(item)); });
  line("return {};", r);
  moving_ = alone_ = false;
  if (!fits()) return "";
  const std::string body = std::exchange(out_, {});
  spend_before_all();
  return std::exchange(out_, {}) + body;
}

// Compute has to be a row of bindings: then only the last subset leaves anything behind.
std::string Printer::subsets_body(int pc) {
  const auto code = [&](int at) -> const Instr& { return p_.code[static_cast<std::size_t>(at)]; };
  const Instr &source = code(pc - 1), &next = code(pc);
  if (p_.secrets.shadows || source.op != Op::subset_begin || source.a != next.a) return "";
  if (code(pc + 1).op != Op::clear_slots) return "";
  int end = pc + 2;
  while (code(end).op == Op::bind) ++end;
  const Instr &score = code(end), &back = code(end + 1);
  if (score.op != Op::subset_score || back.op != Op::jump || back.a != pc) return "";

  begin(-1);
  constexpr std::int64_t few = 8;
  carried_.clear();
  subset_size_ = 0;
  if (const Node& size = node(source.c); size.op == Ex::constant)
    if (const Value v = p_.constants[static_cast<std::size_t>(size.a)];
        v.is_int() && v.payload() > 0 && v.payload() <= few)
      subset_size_ = static_cast<std::size_t>(v.payload());
  const bool tokens = of_tokens(source.b);
  line("return each_subset(v, {}, count, {}, {}, best, [&](const {}* subset, bool last,",
       tokens ? "tokens" : "items",
       subset_size_ != 0 ? std::to_string(subset_size_) : std::string("size"),
       work_of_instruction * (end + 2 - pc), tokens ? "Token" : "Value");
  line("    std::int64_t& score) -> int {{");
  ++depth_;
  bound_[next.b] = {"subset", tokens ? Kind::token_list : Kind::list};
  for (int at = pc + 2; at < end; ++at) bound_[code(at).a] = value(code(at).b);
  line("score = {};", integer(score.b));
  line("if (!last) return go_on;");
  for (int at = pc + 2; at < end; ++at)
    line("v.slots[{}] = {};", code(at).a, as_value(bound_[code(at).a]));
  line("return go_on;");
  --depth_;
  line("}});");
  const std::string loop = std::exchange(out_, {});
  if (!fits()) return "";
  if (subset_size_ != 0) give_up_if(fmt::format("size != {}", subset_size_));
  if (tokens) gather_tokens();
  return std::move(out_) + loop;
}

// The tokens that subsets are made of, with the properties that are asked for.
void Printer::gather_tokens() {
  std::string fields;
  for (const int prop : carried_) fields += fmt::format("std::int32_t prop_{}; ", prop);
  line("struct Token {{ int token; {}}};", fields);
  line("Token tokens[most_subset_items];");
  line("for (std::size_t k = 0; k < count; ++k) {{");
  ++depth_;
  give_up_if(fmt::format("!in_play(v, items[k], v.at<std::uint32_t>({}), {}, {})", tokens_offset(),
                         p_.layout.tokens, p_.layout.token_size));
  line("const int t = static_cast<int>(items[k].payload());");
  line("tokens[k].token = t;");
  for (const int prop : std::set<int>(carried_)) {
    bool uniform = true;
    const Made found = cell("t", prop, uniform);
    give_up_if(found.text + " == missing_cell");
    line("tokens[k].prop_{} = {};", prop, found.text);
  }
  --depth_;
  line("}}");
}

// Whether all results of a query are tokens of zones.
bool Printer::of_tokens(int query) const {
  const Node& n = node(query);
  if (n.op == Ex::q_concat) {
    for (int k = 0; k < n.b; ++k)
      if (!of_tokens(extra(n.a + k))) return false;
    return true;
  }
  return has(n.op, trait::tokens);
}

}  // namespace parlor::kernel
