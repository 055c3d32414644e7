// Zone sets as C++: words in registers.
#include <algorithm>

#include "kernel/printed/printer.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

// It cannot fault, and no condition is asked to find it.
bool Printer::pure_set(int index) const {
  const Node& n = node(index);
  if (n.op == Ex::b_family)  // values it keeps no set of are left to the interpreter
    return free_of_work(n.b) && extra(n.a) != static_cast<int>(CellType::boolean);
  bool pure = has(n.op, trait::words);
  if (pure)
    each_operand(p_, n, [&](NodeId part) {
      pure = pure && (node(part.value).op == Ex::d_list || pure_set(part.value));
    });
  return pure;
}

// A whole move or list may ask its conditions zone by zone: no machine is there to remember what
// came out. What a trial looks into is noted in another way.
bool Printer::can_set(int index) const {
  if (!moving_ || noting_) return pure_set(index);
  const Node& n = node(index);
  switch (n.op) {
    case Ex::b_if:
      return true;
    case Ex::b_scan:
      return can_scan(index);
    case Ex::b_family:
      return extra(n.a) != static_cast<int>(CellType::boolean);
    default:
      break;
  }
  bool can = has(n.op, trait::words);
  if (can)
    each_operand(p_, n, [&](NodeId part) {
      can = can && (node(part.value).op == Ex::d_list || can_set(part.value));
    });
  return can;
}

std::string Printer::words_table(const std::string& name, const std::uint64_t* words) {
  std::string items;
  for (std::size_t i = 0; i < p_.words; ++i) items += fmt::format("{}u, ", words[i]);
  return fmt::format("{}::load({})", zones_type(), table(name, "std::uint64_t", items));
}

std::string Printer::feature(int index) const {
  return fmt::format("v.at<{}>({})", zones_type(), feature_offset(index));
}

// Whose feature is asked for.
std::string Printer::who_of(const Node& n) const {
  const char* who = n.b == 0 ? "v.active" : "v.actor";
  if (n.b == 2) return fmt::format("({0} == 0 ? {1} : {0} - 1)", who, p_.players - 1);
  if (n.b == 3) return fmt::format("({0} + 1 == {1} ? 0 : {0} + 1)", who, p_.players);
  return who;
}

std::string Printer::feature_offset(int index) const {
  return fmt::format("{}", p_.layout.features + 8 * static_cast<unsigned>(index * p_.words));
}

std::string Printer::player_offset(const Node& n) {
  std::string items;
  for (int i = 0; i < p_.players; ++i) items += feature_offset(extra(n.a + i)) + ", ";
  return fmt::format("{}[place({})]",
                     table(fmt::format("features_of_players_{}", n.a), "std::uint32_t", items),
                     who_of(n));
}

std::string Printer::player_feature(const Node& n) {
  return fmt::format("v.at<{}>({})", zones_type(), player_offset(n));
}

// Whether a zone is in a set: of one that lies in the state only a word is read.
std::string Printer::member(int index, const std::string& z) {
  const Node& n = node(index = made_of(index));
  switch (n.op) {
    case Ex::b_feature:
      return fmt::format("v.has({}, {})", feature_offset(n.a), z);
    case Ex::b_player:
      return fmt::format("v.has({}, {})", player_offset(n), z);
    case Ex::b_not:
      return "!" + member(n.a, z);
    default:
      return fmt::format("{}.has({})", set(index), z);
  }
}

// The set of a property's value.
// Where the set for a value lies; 0: none is kept of it.
std::string Printer::family_offset(const Node& n) {
  const Made wanted = value(n.b);
  const std::string key = fresh('k'), out = fresh('o');
  line("const Value {} = {};", key, as_value(wanted));
  const bool numbers = extra(n.a) == static_cast<int>(CellType::integer);
  std::string chosen;
  for (int i = 0; i < extra(n.a + 1); ++i) {
    const int cell = extra(n.a + 2 + 2 * i), index = extra(n.a + 3 + 2 * i);
    if (!numbers && cell < 0) continue;
    const Value v = numbers ? Value::integer(cell) : Value::symbol(cell);
    chosen += fmt::format("{}.bits == {}u ? {} : ", key, v.bits,
                          p_.layout.features + 8 * static_cast<unsigned>(index * p_.words));
  }
  line("const std::size_t {} = {}0;", out, chosen);
  return out;
}

std::string Printer::family(const Node& n) {
  const std::string at = family_offset(n);
  give_up_if(at + " == 0");
  return fmt::format("v.at<{}>({})", zones_type(), at);
}

// Of a value that no set is kept of only what lies in the zone matters.
std::string Printer::in_family(const Node& n) {
  const Node& set = node(n.b);
  const std::string z = zone(n.a), at = family_offset(set), out = fresh('b');
  note_zone(z);
  line("bool {0} = {1} != 0 && v.at<{2}>({1}).has({3});", out, at, zones_type(), z);
  line("if ({} == 0) {{", at);
  ++depth_;
  const std::string r = tokens(z, set.c, [&](const Made&) { line("return stop;"); });
  give_up_with(r);
  line("{} = {} == stop;", out, r);
  --depth_;
  line("}}");
  return out;
}

// The zones from which a step in the direction leads into a set.
std::string Printer::shifted(int direction, const std::string& to) {
  const ShiftInfo& shift = p_.shifts[direction];
  return laid_out(shift.groups, fmt::format("step_{}", direction), to);
}

// Every zone of a set where the group it is in turns it to.
std::string Printer::laid_out(const std::vector<ShiftInfo::Group>& groups, const std::string& name,
                              const std::string& set) {
  std::string out;
  for (std::size_t g = 0; g < groups.size(); ++g)
    out += fmt::format("{}(rotated({}, {}) & {})", g == 0 ? "" : " | ", set, groups[g].turn,
                       words_table(fmt::format("{}_{}", name, g), groups[g].from));
  return groups.empty() ? zones_type() + "::all(false)" : "(" + out + ")";
}

// The zones from which steps lead into `good`, all zones on the way being in `over`.
std::string Printer::ray(int direction, const std::string& over, const std::string& good) {
  const ShiftInfo& shift = p_.shifts[direction];
  if (shift.groups.size() == 1)
    return fmt::format("ray_back({}, {}, {}, {}, {})", over, good, shift.groups[0].turn,
                       shift.longest, words_table(fmt::format("valid_{}", direction), shift.valid));
  const std::string reached = fresh('s'), more = fresh('s');
  line("{} {} = {};", zones_type(), reached, good);
  line("for ({0} {1} = {2}; {1}.any();) {{", zones_type(), more, reached);
  line("  {0} = {1} & {2} & ~{3};", more, over, shifted(direction, more), reached);
  line("  {0} = {0} | {1};", reached, more);
  line("}}");
  return shifted(direction, reached);
}

// Where nothing is kept, a set is what it is made of.
int Printer::made_of(int index) const {
  while (moving_ && node(index).op == Ex::b_keep) index = node(index).a;
  return index;
}

// Along each of some directions.
std::string Printer::all_ways(const Node& n) {
  const std::string type = zones_type();
  const bool every = n.op == Ex::b_step && n.x == 1;
  const std::string first = set(n.a), good = n.op == Ex::b_ray ? set(n.b) : "";
  const std::string out = fresh('s');
  line("{} {} = {}::all({});", type, out, type, every ? "true" : "false");
  const int list = node(n.op == Ex::b_ray ? n.c : n.b).a;
  for (const Value d : p_.lists[list]) {
    const int direction = d.index();
    const std::string from =
        n.op == Ex::b_ray ? ray(direction, first, good) : shifted(direction, first);
    if (every)
      line("{0} = {0} & ({1} | ~{2});", out, from,
           words_table(fmt::format("valid_{}", direction), p_.shifts[direction].valid));
    else
      line("{0} = {0} | {1};", out, from);
  }
  return out;
}

std::string Printer::set(int index) {
  const Node& n = node(index = made_of(index));
  const std::string type = zones_type();
  const auto constant = [&](int set) {
    return words_table(fmt::format("set_{}", set), p_.words_of(set));
  };
  std::string made;
  switch (n.op) {
    case Ex::b_words:
      return constant(n.a);
    case Ex::b_feature:
      return feature(n.a);
    case Ex::b_within:
      made = constant(n.a) + " & " + feature(n.b);
      break;
    case Ex::b_without:
      made = constant(n.a) + " & ~" + feature(n.b);
      break;
    case Ex::b_not:
      made = "~" + set(n.a);
      break;
    case Ex::b_and:
      if (n.x == 1 && !pure_set(n.b)) return on_turn(n);
      [[fallthrough]];
    case Ex::b_or: {
      const std::string left = set(n.a), right = set(n.b);
      made = left + (n.op == Ex::b_and ? " & " : " | ") + right;
      break;
    }
    case Ex::b_player:
      return player_feature(n);
    case Ex::b_active:
      return fmt::format("{}::all(v.active {} {})", type, n.x == 0 ? "==" : "!=", n.a);
    case Ex::b_family:
      return family(n);
    case Ex::b_shift:
      made = shifted(n.b, set(n.a));
      break;
    case Ex::b_step:
    case Ex::b_ray:
      return all_ways(n);
    case Ex::b_if:
      if (moving_ && !noting_) return fmt::format("{}::all({})", type, truth(n.a));
      return left_set(index);
    case Ex::b_scan:
      return moving_ && !noting_ ? scanned(index) : left_set(index);
    default:
      return left_set(index);
  }
  const std::string out = fresh('s');
  line("const {} {} = {};", type, out, made);
  return out;
}

// Asked only while it is that player's turn.
std::string Printer::on_turn(const Node& n) {
  const std::string turn = set(n.a), out = fresh('s');
  line("{0} {1} = {0}::all(false);", zones_type(), out);
  line("if ({}.any()) {{", turn);
  ++depth_;
  line("{} = {};", out, set(n.b));
  --depth_;
  line("}}");
  return out;
}

std::string Printer::scanned(int index) {
  const std::string out = fresh('s');
  line("{0} {1} = {0}::all(false);", zones_type(), out);
  const std::string r = scan(index, [&](const Made& z) { line("{}.put({});", out, z.text); });
  give_up_with(r);
  return out;
}

// Kept by the machine as long as the state does not change.
std::string Printer::left_set(int index) {
  leave_node(index);
  const std::string out = fresh('s');
  line("{} {};", zones_type(), out);
  give_up_if(fmt::format("!v.calls->set(v, {}, {}.w)", index, out));
  return out;
}

namespace {

// Directions whose steps together lead to all neighbours of every zone, and nowhere else.
std::vector<std::size_t> ways_to_neighbours(const Program& p) {
  std::vector<std::size_t> ways;
  std::set<std::pair<ZoneId, ZoneId>> steps, wanted;
  for (const ZoneId z : p.zones.ids())
    for (const ZoneId other : p.zones[z].neighbours) wanted.emplace(z, other);
  for (std::size_t d = 0; d < p.shifts.size(); ++d) {
    std::set<std::pair<ZoneId, ZoneId>> led;
    // What a rotation finds are zones from which a step leads into a set.
    for (const ZoneId z : p.zones.ids())
      if (const ZoneId to = p.zones[z].steps[d]; !to.is_none()) led.emplace(to, z);
    if (!std::ranges::includes(wanted, led)) continue;
    ways.push_back(d);
    steps.merge(led);
  }
  return steps == wanted ? ways : std::vector<std::size_t>{};
}

}  // namespace

// What walks ask for what lies beside a set: a few rotations, if that is all there is to it.
std::string Printer::beside() {
  const std::string in_table = fmt::format("BesideInTable{{{}}}", beside_words());
  constexpr std::size_t few = 8;
  std::size_t turns = 0;
  std::string all;
  for (const std::size_t d : ways_to_neighbours(p_))
    for (const ShiftInfo::Group& group : p_.shifts[d].groups) {
      std::string words;
      for (std::size_t i = 0; i < p_.words; ++i) words += fmt::format("{}u, ", group.from[i]);
      all += fmt::format("{}(rotated(set, {}) & {}{{{{{}}}}})", turns++ == 0 ? "" : " | ",
                         group.turn, zones_type(), words);
    }
  if (turns == 0 || turns > few) return in_table;
  tables_.emplace("Beside",
                  fmt::format("struct Beside {{\n  [[gnu::always_inline]] {0} operator()({0} set) "
                              "const {{\n    return {1};\n  }}\n}};",
                              zones_type(), all));
  return "Beside{}";
}

// Whether a walk through one set comes to another.
std::string Printer::reaches(int index) {
  const Node& n = node(index);
  if (!can_set(n.b) || !can_set(n.c)) return left_truth(index);
  const std::string start = zone(n.a), through = set(n.b), wanted = set(n.c);
  if (noting_) return noting_walk(n, start, through, wanted);
  const std::string walk_on = beside(), out = fresh('b'), from = fresh('s');
  line("{0} {1} = {0}::all(false);", zones_type(), from);
  line("{}.put({});", from, start);
  const std::string walk =
      fmt::format("walk_reaches({}, {}, {}, {})", walk_on, from, through,
                  (n.x & 2) != 0 ? wanted : fmt::format("{} & {}", wanted, through));
  line("const bool {} = {}{};", out,
       (n.x & 1) != 0 ? fmt::format("{}.has({}) || ", wanted, start) : "", walk);
  return out;
}

std::string Printer::line_bits(const Node& n) {
  const LineTable& rows = p_.lines[n.c];
  const std::string among = set(n.a), out = fresh('b');
  std::string all = fresh('s');
  line("const {} {} = {} & {};", zones_type(), all, among,
       words_table(fmt::format("set_{}", rows.board), p_.words_of(rows.board)));
  if (!rows.order.empty()) {
    const std::string lie = fresh('s');
    line("const {} {} = {};", zones_type(), lie,
         laid_out(rows.order, fmt::format("lie_{}", n.c), all));
    all = lie;
  }
  line("bool {} = true;", out);
  line("do {{");
  ++depth_;
  for (std::size_t w = 0; w < rows.ways.size(); ++w) {
    const LineTable::Way& way = rows.ways[w];
    const std::string row = fresh('s');
    if (way.turn >= 0) {
      line("const {} {} = {} & rows_from({}, {}, {});", zones_type(), row,
           words_table(fmt::format("starts_{}_{}", n.c, w), way.starts), all, way.turn,
           rows.length);
    } else {
      line("{} {} = {};", zones_type(), row, all);
      for (int k = 1; k < rows.length; ++k)
        line("{0} = {1} & {2};", row, all, shifted(way.direction, row));
    }
    line("if ({}.any()) break;", row);
  }
  line("{} = false;", out);
  --depth_;
  line("}} while (false);");
  return out;
}

}  // namespace parlor::kernel
