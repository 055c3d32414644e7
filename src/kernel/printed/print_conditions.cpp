// Conditions and filters as C++.
#include <algorithm>

#include "kernel/printed/printer.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

std::string Printer::left_truth(int index) {
  leave_node(index);
  const std::string out = fresh('b');
  line("const int {} = v.calls->test(v, {});", out, index);
  give_up_if(out + " == trouble");
  return fmt::format("({} == yes)", out);
}

// One after the other, until it is decided.
// A few that cost next to nothing are all asked: nobody can foretell which of them decides. False:
// nothing was written.
bool Printer::all_at_once(const Node& n, const std::string& out) {
  constexpr int few = 4;
  if (n.b > few) return false;
  const std::string before = out_;
  const std::size_t troubles = troubles_;
  std::string parts;
  bool cheap = true;
  for (int i = 0; cheap && i < n.b; ++i) {
    cheap = free_of_work(extra(n.a + i));
    if (cheap)
      parts += fmt::format("{}{}",
                           i == 0               ? ""
                           : n.op == Ex::all_of ? " & "
                                                : " | ",
                           truth(extra(n.a + i)));
  }
  cheap = cheap && troubles_ == troubles;
  if (cheap)
    line("const bool {} = {};", out, parts);
  else
    out_ = before;
  return cheap;
}

std::string Printer::all_or_any(const Node& n) {
  const bool all = n.op == Ex::all_of;
  const std::string out = fresh('b');
  if (all_at_once(n, out)) return out;
  line("bool {} = {};", out, all ? "false" : "true");
  line("do {{");
  ++depth_;
  for (int i = 0; i < n.b; ++i) {
    const std::string part = truth(extra(n.a + i));
    line("if ({}{}) break;", all ? "!" : "", part);
  }
  line("{} = {};", out, all ? "true" : "false");
  --depth_;
  line("}} while (false);");
  return out;
}

// Equality of values that are there; texts are compared by the interpreter.
std::string Printer::equal(const Made& left, const Made& right) {
  const auto numeric = [](Kind kind) { return kind == Kind::symbol || kind == Kind::zone; };
  const auto token = [](Kind kind) { return kind == Kind::token || kind == Kind::placed_token; };
  // A word lies in a cell as its number.
  if (!left.cell.empty() && numeric(right.kind))
    return fmt::format("({} == {})", left.cell, right.text);
  if (!right.cell.empty() && numeric(left.kind))
    return fmt::format("({} == {})", left.text, right.cell);
  if (left.kind == Kind::any && right.kind == Kind::any)
    give_up_if(
        fmt::format("{}.tag() == Tag::text || {}.tag() == Tag::text", left.text, right.text));
  if (left.kind == Kind::any || right.kind == Kind::any)
    return fmt::format("({} == {})", as_value(left), as_value(right));
  const bool comparable = left.kind == right.kind || (numeric(left.kind) && numeric(right.kind)) ||
                          (token(left.kind) && token(right.kind));
  return comparable ? fmt::format("({} == {})", left.text, right.text) : "false";
}

std::string Printer::compared(const Node& n, const Made& left, const Made& right) {
  if (n.op == Ex::equal) return equal(left, right);
  if (n.op == Ex::not_equal) return "!" + equal(left, right);
  const std::string a = number(left), b = number(right);
  const char* op = n.op == Ex::less         ? "<"
                   : n.op == Ex::less_equal ? "<="
                   : n.op == Ex::greater    ? ">"
                                            : ">=";
  return fmt::format("({} {} {})", a, op, b);
}

// An attribute that the zone lacks makes a comparison false.
std::string Printer::compare(const Node& n) {
  const auto may_lack = [&](int index) {
    const Ex op = node(index).op;
    return op == Ex::zone_attribute || op == Ex::zone_category;
  };
  if (!may_lack(n.a) && !may_lack(n.b)) {
    const Made left = value(n.a);
    const Made right = value(n.b);
    const std::string out = fresh('b'), holds = compared(n, left, right);
    line("const bool {} = {};", out, holds);
    return out;
  }
  const std::string out = fresh('b');
  line("bool {} = false;", out);
  line("do {{");
  ++depth_;
  Made sides[2];
  for (int i = 0; i < 2; ++i) {
    const int index = i == 0 ? n.a : n.b;
    if (!may_lack(index)) {
      sides[i] = value(index);
      continue;
    }
    sides[i] =
        node(index).op == Ex::zone_attribute ? attribute(node(index)) : category(node(index));
    line("if ({}.is_none()) break;", sides[i].text);
  }
  const std::string holds = compared(n, sides[0], sides[1]);
  line("{} = {};", out, holds);
  --depth_;
  line("}} while (false);");
  return out;
}

std::string Printer::quantified(int index) {
  const Node& n = node(index);
  const bool wanted = n.op == Ex::exists;
  const Body ask = [&](const Made& item) {
    const auto test = [&] {
      const std::string holds = n.c < 0 ? "true" : truth(n.c);
      line("if ({}{}) return stop;", wanted ? "" : "!", holds);
    };
    if (n.b >= 0)
      bind(n.b, item, test);
    else
      test();
  };
  // Only zones with a certain attribute can be it.
  const ZoneKey key = p_.zone_keys.empty() ? ZoneKey{} : p_.zone_keys[NodeId(index)];
  const std::string r =
      key.attribute >= 0 ? keyed_zones(key, node(node(n.a).a).a, ask) : loop(n.a, ask);
  give_up_with(r);
  return fmt::format("({} {} stop)", r, wanted ? "==" : "!=");
}

// A list that is known when code is printed, or one of several: nothing but numbers and words.
bool Printer::is_fixed_list(int index) const {
  const Node& n = node(index);
  if (n.op == Ex::if_value) return is_fixed_list(n.b) && is_fixed_list(n.c);
  const Value list = n.op == Ex::constant ? p_.constants[n.a] : Value{};
  if (!list.is_list() || list.payload() < constant_list) return false;
  const auto& items = p_.lists[static_cast<std::size_t>(list.payload() - constant_list)];
  return std::ranges::all_of(items, [&](Value item) {
    return (item.is_int() || item.is_symbol()) && item.tag() == items[0].tag();
  });
}

void Printer::look_in_list(int index, const std::string& item, const std::string& out) {
  const Node& n = node(index);
  if (n.op == Ex::if_value) {
    const std::string first = truth(n.a);
    line("if ({}) {{", first);
    ++depth_;
    look_in_list(n.b, item, out);
    --depth_;
    line("}} else {{");
    ++depth_;
    look_in_list(n.c, item, out);
    --depth_;
    line("}}");
    return;
  }
  const auto& items =
      p_.lists[static_cast<std::size_t>(p_.constants[n.a].payload() - constant_list)];
  spend(static_cast<std::int64_t>(items.size() / 8));
  if (items.empty()) return;
  // Values of one type are compared, texts and tokens by the interpreter.
  give_up_if(fmt::format("!{}.is_{}()", item, items[0].is_int() ? "int" : "symbol"));
  std::string any;
  for (const Value entry : items)
    any += fmt::format("{}{}.bits == {}u", any.empty() ? "" : " || ", item, entry.bits);
  line("{} = {};", out, any);
}

std::string Printer::in_list(int index) {
  const Node& n = node(index);
  const bool known = is_fixed_list(n.b) && (moving_ || node(n.b).op == Ex::constant);
  if (n.x == 1 || !known || node(n.a).op == Ex::zone_attribute || node(n.a).op == Ex::zone_category)
    return left_truth(index);
  const std::string item = as_value(value(n.a)), out = fresh('b');
  line("bool {} = false;", out);
  look_in_list(n.b, item, out);
  return out;
}

std::string Printer::zone_in(int index) {
  const Node& n = node(index);
  if (!can_set(n.b)) return left_truth(index);
  if (node(n.b).op == Ex::b_family) return in_family(n);
  const std::string z = zone(n.a), out = fresh('b');
  const std::string in = member(n.b, z);
  line("const bool {} = {};", out, in);
  note_members(n.b, z, out, true);
  return out;
}

// Whether a set has a zone, or has none.
std::string Printer::some_zone(int index) {
  const Node& n = node(index);
  const char* const wanted = n.op == Ex::no_bit ? "!" : "";
  if (can_scan(n.a)) {
    const std::string r = scan(n.a, [&](const Made&) { line("return stop;"); });
    give_up_with(r);
    return fmt::format("({}({} == stop))", wanted, r);
  }
  if (!can_set(n.a)) return left_truth(index);
  const std::string found = set(n.a), out = fresh('b');
  line("const bool {} = {}{}.any();", out, wanted, found);
  return out;
}

// A row through a zone that is named, in directions that are.
std::string Printer::line_through(int index) {
  const Node& n = node(index);
  if (n.d < 0 || node(n.c).op != Ex::d_list) return left_truth(index);
  std::string ways;
  const std::vector<Value>& directions = p_.lists[node(n.c).a];
  for (const Value d : directions)
    ways += fmt::format("{{{}, {}}}, ", d.payload(), p_.opposite[d.payload()]);
  if (directions.empty()) return left_truth(index);
  const std::string length = integer(n.a), start = zone(n.d), r = fresh('r'), z = fresh('z');
  spend(std::ssize(p_.zones));
  line("const int {} = line_through({}, {}, {}, {}, {}, {}, {}, [&](int {}) -> int {{", r,
       all_steps(), p_.directions.size(), two_way_table(fmt::format("ways_{}", node(n.c).a), ways),
       directions.size(), start, length, p_.zone_count, z);
  ++depth_;
  repeated(any_number, [&] {
    bind(n.x, {z, Kind::zone}, [&] {
      const std::string holds = truth(n.b);
      line("return {} ? yes : no;", holds);
    });
  });
  --depth_;
  line("}});");
  give_up_with(r);
  return fmt::format("({} == yes)", r);
}

std::string Printer::truth(int index) {
  const Node& n = node(index);
  if (has_memo(n) && index != root_ && !moving_) return left_truth(index);
  switch (n.op) {
    case Ex::yes:
      return "true";
    case Ex::no:
      return "false";
    case Ex::all_of:
    case Ex::any_of:
      return all_or_any(n);
    case Ex::not_of:
      return fmt::format("(!{})", truth(n.a));
    case Ex::exists:
    case Ex::for_all:
      return quantified(index);
    case Ex::in_list:
      return in_list(index);
    case Ex::zone_in:
      return zone_in(index);
    case Ex::adjacent: {
      const std::string left = zone(n.a), right = zone(n.b), out = fresh('b');
      line("const bool {} = {}.has({});", out, neighbours(left), right);
      return out;
    }
    case Ex::any_bit:
    case Ex::no_bit:
      return some_zone(index);
    case Ex::in_set: {
      if (!can_set(n.a)) return left_truth(index);
      const std::string z = zone_of(slot(n.d)), in = member(n.a, z), out = fresh('b');
      line("const bool {} = {};", out, in);
      note_members(n.a, z, out, true);
      return out;
    }
    case Ex::line_bits:
      return can_set(n.a) ? line_bits(n) : left_truth(index);
    case Ex::line_of:
      return line_through(index);
    case Ex::slot:
    case Ex::gvar:
    case Ex::pvar:
    case Ex::token_prop:
    case Ex::if_value: {
      const Made made = value(index);
      if (made.kind == Kind::boolean) return made.text;
      give_up_if(fmt::format("!{}.is_bool()", as_value(made)));
      return fmt::format("({}.payload() != 0)", as_value(made));
    }
    default:
      if (has(n.op, trait::comparison)) return compare(n);
      return moving_ && n.op == Ex::any_connected ? reaches(index) : left_truth(index);
  }
}

// ---- Filters

// What it asks for is printed, and may be asked for every token.
bool Printer::plain_filter(int index) const {
  const Node& n = node(index);
  switch (n.op) {
    case Ex::f_all:
    case Ex::f_any:
      for (int i = 0; i < n.b; ++i)
        if (!plain_filter(extra(n.a + i))) return false;
      return true;
    case Ex::f_not:
      return plain_filter(n.a);
    default:
      return free_of_work(n.c);
  }
}

std::string Printer::filter(int index, const std::string& t) {
  const Node& n = node(index);
  const std::string out = fresh('b');
  switch (n.op) {
    case Ex::f_all:
    case Ex::f_any: {
      const bool all = n.op == Ex::f_all;
      line("bool {} = {};", out, all ? "false" : "true");
      line("do {{");
      ++depth_;
      for (int i = 0; i < n.b; ++i) {
        const std::string part = filter(extra(n.a + i), t);
        line("if ({}{}) break;", all ? "!" : "", part);
      }
      line("{} = {};", out, all ? "true" : "false");
      --depth_;
      line("}} while (false);");
      return out;
    }
    case Ex::f_not: {
      const std::string inner = filter(n.a, t);
      line("const bool {} = !{};", out, inner);
      return out;
    }
    default:
      return filter_test(index, t);
  }
}

// A field that is missing makes the test false, whatever it asks.
std::string Printer::filter_test(int index, const std::string& t) {
  const Node& n = node(index);
  const std::string out = fresh('b'), before = out_;
  const spec::FilterOp op{n.x};
  const bool positive = op == spec::FilterOp::eq || op == spec::FilterOp::in;
  const bool several = op == spec::FilterOp::in || op == spec::FilterOp::not_in;
  const Node& wanted = node(n.c);
  const Value fixed = wanted.op == Ex::constant ? p_.constants[wanted.a] : Value{};
  line("bool {} = false;", out);
  line("do {{");
  ++depth_;
  bool printed = !several || (fixed.is_list() && fixed.payload() >= constant_list);
  const Made have = printed ? field(n, t, printed) : Made{};
  if (printed && several) {
    const auto& items = p_.lists[static_cast<std::size_t>(fixed.payload() - constant_list)];
    spend(static_cast<std::int64_t>(items.size() / 8));
    std::string any;
    for (const Value item : items) {
      if (item.tag() == Tag::text || item.is_list()) printed = false;
      any += fmt::format("{}{}.bits == {}u", any.empty() ? "" : " || ", as_value(have), item.bits);
    }
    line("{} = {}({});", out, positive ? "" : "!", any.empty() ? "false" : any);
  } else if (printed) {
    const Made value_wanted = value(n.c);
    if (value_wanted.kind == Kind::any) give_up_if(value_wanted.text + ".is_list()");
    const std::string same = equal(have, value_wanted);
    line("{} = {}{};", out, positive ? "" : "!", same);
  }
  --depth_;
  line("}} while (false);");
  if (printed) return out;
  out_ = before;  // the interpreter's
  leave_node(index);
  line("const int {} = v.calls->filter(v, {}, {});", out, index, t);
  give_up_if(out + " == trouble");
  return fmt::format("({} == yes)", out);
}

}  // namespace parlor::kernel
