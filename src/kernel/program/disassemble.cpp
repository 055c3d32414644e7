#include <fmt/format.h>

#include "kernel/program/program.h"
#include "spec/text/said.h"

namespace parlor::kernel {

namespace {
struct OpText {
  const char* name;
  const char* help;
};
constexpr OpText statements[] = {
#define STATEMENT(name, traits, help) {#name, help},
#define EXPRESSION(name, gives, traits, help)
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};
constexpr OpText expressions[] = {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) {#name, help},
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};

template <class T>
std::string operands(const T& i) {
  std::string out;
  if (i.x != 0) out += fmt::format(" x={}", i.x);
  if (i.a >= 0) out += fmt::format(" a={}", i.a);
  if (i.b >= 0) out += fmt::format(" b={}", i.b);
  if (i.c >= 0) out += fmt::format(" c={}", i.c);
  if (i.d >= 0) out += fmt::format(" d={}", i.d);
  return out;
}

std::string at(const Program& p, std::uint32_t place) {
  if (place == 0 || place >= p.def.places.size()) return "";
  return fmt::format("  ; {}:{}", p.def.places[place].file, p.def.places[place].line);
}

// The same, after what the rules say there.
std::string said_at(const Program& p, const spec::Said& rules, std::uint32_t place) {
  const std::string& said = rules.at(place);
  if (said.empty() || place >= p.def.places.size()) return at(p, place);
  return fmt::format("  ; {} ({}:{})", said, p.def.places[place].file, p.def.places[place].line);
}

// What a statement asks: where it goes on, what it goes through, what is chosen from.
NodeId asked_by(const Instr& i) {
  switch (i.op) {
    case Op::jump_unless:
    case Op::choose_one:
    case Op::choose_n:
      return i.b;
    case Op::fail_unless:
      return i.a;
    default:
      return {};
  }
}

// An expression in brackets: its operation and, nested, those it uses.
std::string constant_text(const Program& p, Value v) {
  switch (v.tag()) {
    case Tag::integer:
      return std::to_string(v.payload());
    case Tag::boolean:
      return v.payload() != 0 ? "true" : "false";
    case Tag::symbol:
      return fmt::format("\"{}\"", p.text(v.index()));
    case Tag::list:
      return fmt::format("list{}", v.payload() - constant_list);
    default:
      return "?";
  }
}
}  // namespace

const char* op_name(Op op) {
  return statements[static_cast<std::size_t>(op)].name;
}
const char* ex_name(Ex ex) {
  return expressions[static_cast<std::size_t>(ex)].name;
}

std::string disassemble(const Program& p) {
  std::string out =
      fmt::format("; {}: {} players, {} bytes a state before tokens, {} bytes a token\n",
                  p.def.metadata.id, p.players, p.layout.tokens, p.layout.token_size);
  const spec::Said rules(p.def);
  for (const UnitInfo& unit : p.units) {
    out += fmt::format("\n{}: ({} slots)\n", unit.name, unit.slots);
    for (int pc = unit.entry; pc < unit.end; ++pc) {
      const Instr& i = p.code[pc];
      const NodeId asked = asked_by(i);
      const std::uint32_t place = asked.is_none() ? i.place : p.nodes[asked].place;
      out +=
          fmt::format("  @{:<5} {}{}{}{}\n", pc, op_name(i.op), operands(i),
                      p.refuses[pc] ? "  !" : "", said_at(p, rules, place != 0 ? place : i.place));
    }
  }
  out += "\nactions:\n";
  for (const ActionInfo& action : p.actions) {
    out += fmt::format("  {}:{}", action.id, action.packed ? " packed" : "");
    for (const Step& step : action.order) {
      out += fmt::format("{} {}", &step == action.order.data() ? "" : ",", ask_name(step.ask));
      if (step.ask == Ask::param) {
        const ParamInfo& param = action.params[step.what];
        out += fmt::format(" {} in #{} ({} bits)", param.name, param.domain, param.bits);
      } else if (step.ask == Ask::phase_pre || step.ask == Ask::pre) {
        const std::string& said = rules.at(p.nodes[step.what].place);
        out += fmt::format(" #{}{}{}", step.what, said.empty() ? "" : ": ", said);
      }
    }
    out += "\n";
  }
  out += "\nexpressions:\n";
  for (const NodeId i : p.nodes.ids()) {
    const Node& n = p.nodes[i];
    const std::string shown =
        n.op == Ex::constant ? constant_text(p, p.constants[n.a]) : operands(n);
    out += fmt::format("  #{:<5} {} {}{}\n", i, ex_name(n.op), shown, said_at(p, rules, n.place));
  }
  return out;
}

}  // namespace parlor::kernel
