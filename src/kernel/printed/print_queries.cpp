// Queries as loops of C++.
#include <algorithm>

#include "kernel/printed/printer.h"
#include "kernel/program/operands.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

namespace {
// What is evaluated without counting any work.
constexpr Ex free_ones[] = {Ex::constant,
                            Ex::slot,
                            Ex::gvar,
                            Ex::pvar,
                            Ex::zvar,
                            Ex::zone_count,
                            Ex::token_prop,
                            Ex::token_id,
                            Ex::token_type,
                            Ex::token_zone,
                            Ex::zone_attribute,
                            Ex::zone_category,
                            Ex::zone_id,
                            Ex::asset_field,
                            Ex::marker_state,
                            Ex::global_marker_state,
                            Ex::active_player,
                            Ex::active_seat,
                            Ex::player_number,
                            Ex::clock,
                            Ex::add,
                            Ex::subtract,
                            Ex::multiply,
                            Ex::divide,
                            Ex::floor_div,
                            Ex::ceil_div,
                            Ex::modulo,
                            Ex::minimum,
                            Ex::maximum,
                            Ex::if_value,
                            Ex::yes,
                            Ex::no,
                            Ex::all_of,
                            Ex::any_of,
                            Ex::not_of,
                            Ex::equal,
                            Ex::not_equal,
                            Ex::less,
                            Ex::less_equal,
                            Ex::greater,
                            Ex::greater_equal,
                            Ex::p_actor,
                            Ex::p_active,
                            Ex::p_left,
                            Ex::p_right,
                            Ex::p_id,
                            Ex::p_slot,
                            Ex::z_const,
                            Ex::z_slot,
                            Ex::z_owned};
}  // namespace

bool Printer::free_of_work(int index) const {
  bool free = true;
  each_part(p_, NodeId(index), [&](NodeId part) {
    free = free && std::ranges::find(free_ones, p_.nodes[part].op) != std::end(free_ones);
  });
  return free;
}

// In the body the slot's name stands for the item. Whoever is left to the interpreter finds it in
// the slot.
void Printer::bind(int slot, const Made& item, const std::function<void()>& body) {
  std::string before;
  before.swap(out_);
  const bool left_before = left_something_;
  left_something_ = false;
  const auto outer = bound_.find(slot) == bound_.end() ? Made{} : bound_[slot];
  bound_[slot] = item;
  body();
  bound_.erase(slot);
  if (!outer.text.empty()) bound_[slot] = outer;
  before.swap(out_);
  if (left_something_) {
    line("v.slots[{}] = {};", slot, as_value(item));
    bindings_.insert(slot);
  }
  out_ += before;
  left_something_ |= left_before;
}

// `call` is everything up to the body.
std::string Printer::repeat(const std::string& call, const std::string& type, Kind kind,
                            const Body& body, const Rounds& rounds) {
  const std::string out = fresh('r'), item = fresh('i');
  line("const int {} = {}[&]([[maybe_unused]] {} {}) -> int {{", out, call, type, item);
  ++depth_;
  const std::size_t troubles = troubles_;
  repeated(rounds, [&] { body({item, kind}); });
  if (troubles_ == troubles && rounds.known) smooth_.insert(out);
  line("return go_on;");
  --depth_;
  line("}});");
  return out;
}

std::string Printer::left_loop(int query, const Body& body) {
  leave_node(query);
  return repeat(fmt::format("each_of(v, {}, ", query), "Value", Kind::any, body);
}

std::string Printer::neighbours(const std::string& zone) {
  std::string items;
  const std::size_t width = (p_.zones.size() + 63) / 64;
  for (const ZoneInfo& info : p_.zones) {
    std::vector<std::uint64_t> words(width, 0);
    for (const ZoneId other : info.neighbours) put_zone(words.data(), other);
    items += "{{";
    for (const std::uint64_t word : words) items += fmt::format("{}u, ", word);
    items += "}}, ";
  }
  return fmt::format("{}[place({})]", table("beside", fmt::format("Zones<{}>", width), items),
                     zone);
}

std::string Printer::tokens(const std::string& zone, int filter_node, const Body& body) {
  note_zone(zone);
  const Rounds rounds{.tokens = true};
  const bool paid = spends_before(both(rounds_, rounds), 1);
  const std::string out = repeat(
      fmt::format("each_{}token(v, {}, {}, {}, {}, ", paid ? "paid_" : "", p_.layout.zones,
                  p_.layout.tokens, p_.layout.token_size, zone),
      "int", Kind::placed_token,
      [&](const Made& item) {
        if (filter_node >= 0) {
          const std::string passes = filter(filter_node, item.text);
          line("if (!{}) return go_on;", passes);
        }
        body(item);
      },
      rounds);
  if (!paid) {
    smooth_.erase(out);
    ++troubles_;
  }
  return out;
}

// Of a constant set those whose attribute has a value.
std::string Printer::keyed_zones(const ZoneKey& key, int set_index, const Body& body) {
  const auto& index = p_.zones_by_attribute[key.attribute];
  const Made wanted = value(key.value.value);
  const std::string bits = fresh('k');
  line("const Value {} = {};", bits, as_value(wanted));
  give_up_if(fmt::format("!{0}.is_int() && !{0}.is_bool() && !{0}.is_symbol()", bits));
  std::string items;
  for (const auto& [value_bits, z] : index) items += fmt::format("{{{}u, {}}}, ", value_bits, z);
  items += "{~std::uint64_t{0}, -1}, ";
  const std::string among = words_table(fmt::format("set_{}", set_index), p_.words_of(set_index));
  return repeat(fmt::format("each_keyed({}, {}, {}.bits, ",
                            table(fmt::format("zones_by_{}", key.attribute), "Keyed", items),
                            index.size(), bits),
                "int", Kind::zone,
                [&](const Made& z) {
                  line("if (!{}.has({})) return go_on;", among, z.text);
                  body(z);
                },
                {.times = std::ssize(index)});
}

std::string Printer::zones(int query, const Body& body) {
  const Node& n = node(query);
  const auto& members = p_.set_members[n.a];
  const ZoneKey key = p_.zone_keys.empty() ? ZoneKey{} : p_.zone_keys[NodeId(query)];
  const std::string owners = n.b >= 0 ? players(n.b) : "";
  spend(1 + std::ssize(members));
  const Body keep = [&](const Made& z) {
    if (n.b >= 0 && key.attribute < 0) {
      std::string items;
      for (const ZoneInfo& info : p_.zones) items += fmt::format("{}, ", info.owner);
      const std::string owner =
          table("owner", "std::int8_t", items) + fmt::format("[place({})]", z.text);
      line("if ({0} < 0 || ({1} >> {0} & 1) == 0) return go_on;", owner, owners);
    }
    if (n.c < 0) return body(z);
    std::string holds;
    bind(n.d, z, [&] {
      holds = truth(n.c);
      line("if (!{}) return go_on;", holds);
    });
    body(z);
  };
  if (key.attribute >= 0) return keyed_zones(key, n.a, keep);
  std::string items;
  for (const ZoneId z : members) items += fmt::format("{}, ", z);
  if (members.empty()) items = "0";
  return repeat(
      fmt::format("each_listed({}, {}, ",
                  table(fmt::format("members_{}", n.a), "std::int16_t", items), members.size()),
      "int", Kind::zone, keep, {.times = std::ssize(members)});
}

std::string Printer::rows(int query, const Body& body) {
  const Node& n = node(query);
  const TableInfo& rows = p_.tables[n.a];
  bool printed = rows.rows > 0;
  for (int i = 0; i < n.c; ++i) {
    const auto op = static_cast<spec::FilterOp>(extra(n.b + 3 * i + 1));
    printed = printed && (op == spec::FilterOp::eq || op == spec::FilterOp::neq) &&
              free_of_work(extra(n.b + 3 * i + 2));
  }
  if (!printed) return left_loop(query, body);
  spend(1 + std::int64_t{rows.rows} * (1 + n.c));
  if (n.x != 0) {  // one row, or at most one; where there are others nothing is found at all
    const std::string found = fresh('n');
    line("int {} = 0;", found);
    fitting_rows(n, [&](const Made&) { line("++{};", found); });
    give_up_if(fmt::format("{} {}", found, n.x == 1 ? "!= 1" : "> 1"));
  }
  return fitting_rows(n, body);
}

std::string Printer::fitting_rows(const Node& n, const Body& body) {
  const TableInfo& rows = p_.tables[n.a];
  return repeat(
      fmt::format("each_index({}, ", rows.rows), "int", Kind::integer,
      [&](const Made& row) {
        for (int i = 0; i < n.c; ++i) {
          const int column = extra(n.b + 3 * i);
          std::string items;
          for (int r = 0; r < rows.rows; ++r)
            items += fmt::format("{{{}u}}, ",
                                 rows.cells[static_cast<std::size_t>(r) * rows.columns.size() +
                                            static_cast<std::size_t>(column)]
                                     .bits);
          const std::string have = fresh('v');
          line("const Value {} = {}[{}];", have,
               table(fmt::format("table_{}_column_{}", n.a, column), "Value", items), row.text);
          line("if ({}.is_none()) return go_on;", have);
          const Made wanted = value(extra(n.b + 3 * i + 2));
          if (wanted.kind == Kind::any) give_up_if(wanted.text + ".is_list()");
          const bool eq = static_cast<spec::FilterOp>(extra(n.b + 3 * i + 1)) == spec::FilterOp::eq;
          const std::string same = equal({have, Kind::any}, wanted);
          line("if ({}{}) return go_on;", eq ? "!" : "", same);
        }
        body({fmt::format("Value::row({}, {})", n.a, row.text), Kind::any});
      },
      {.times = rows.rows});
}

std::string Printer::concat(const Node& n, const Body& body) {
  const std::string out = fresh('r'), one = fresh('f'), item = fresh('i');
  bool tokens = true;
  for (int i = 0; i < n.b; ++i) {
    const Node& source = node(extra(n.a + i));
    tokens = tokens && source.op == Ex::q_tokens && (source.b < 0 || plain_filter(source.b));
  }
  const std::size_t troubles = troubles_;
  line("const auto {} = [&]([[maybe_unused]] {} {}) -> int {{", one, tokens ? "int" : "Value",
       item);
  ++depth_;
  repeated({.times = n.b, .tokens = tokens, .known = tokens}, [&] {
    body({item, tokens ? Kind::placed_token : Kind::any});
  });
  line("return go_on;");
  --depth_;
  line("}};");
  line("const int {} = [&]() -> int {{", out);
  ++depth_;
  for (int i = 0; i < n.b; ++i) {
    const std::string r = loop(extra(n.a + i), [&](const Made& found) {
      line("if (const int c = {}({}); c != go_on) return c;", one,
           tokens ? found.text : as_value(found));
    });
    line("if ({0} != go_on) return {0};", r);
  }
  line("return go_on;");
  --depth_;
  line("}}();");
  if (troubles_ == troubles && tokens) smooth_.insert(out);
  return out;
}

std::string Printer::numbers(int query, const Body& body) {
  const Node& n = node(query);
  if (extra(n.a + 3) >= 0 && extra(n.a + 4) <= 4) return few_numbers(n, body);
  if (extra(n.a + 3) >= 0 || extra(n.a + 4) != 0) return left_loop(query, body);
  spend(1);
  const std::string low = integer(extra(n.a)), high = integer(extra(n.a + 1));
  const std::string step = extra(n.a + 2) >= 0 ? integer(extra(n.a + 2)) : "1";
  return repeat(fmt::format("each_number(v, {}, {}, {}, ", low, high, step), "std::int64_t",
                Kind::integer, body);
}

// At most so many of a range, and some that must be there.
std::string Printer::few_numbers(const Node& n, const Body& body) {
  spend(1);
  const std::string low = integer(extra(n.a)), high = integer(extra(n.a + 1));
  const std::string step = extra(n.a + 2) >= 0 ? integer(extra(n.a + 2)) : "1";
  const std::string most = integer(extra(n.a + 3)), numbers = fresh('n');
  std::string required = fmt::format("{}, {}", low, high);
  for (int k = 0; k < extra(n.a + 4); ++k)
    required += fmt::format(", {}", integer(extra(n.a + 5 + k)));
  line("std::int64_t {}[most_spread] = {{{}}};", numbers, required);
  return repeat(fmt::format("each_spread(v, {{{}, {}, {}, {}}}, {}, {}, ", low, high, step, most,
                            numbers, 2 + extra(n.a + 4)),
                "std::int64_t", Kind::integer, body);
}

// Where a step leads, by zone and direction.
std::string Printer::all_steps() {
  std::string items;
  for (const ZoneInfo& info : p_.zones)
    for (std::size_t d = 0; d < p_.directions.size(); ++d)
      items += fmt::format("{}, ", info.steps.empty() ? ZoneId::none() : info.steps[d]);
  return table("all_steps", "std::int16_t", items.empty() ? "-1" : items);
}

// The number of the direction that a value names: one word.
std::string Printer::direction_of(int index) {
  const Made name = value(index);
  const std::string out = fresh('d'), word = as_value(name);
  std::string items;
  for (const std::int16_t d : p_.direction_of_symbol) items += fmt::format("{}, ", d);
  if (name.kind != Kind::symbol)
    give_up_if(fmt::format("!{0}.is_symbol() || {0}.payload() >= {1}", word,
                           p_.direction_of_symbol.size()));
  line("const int {} = {}[{}.payload()];", out, table("direction_of_symbol", "std::int16_t", items),
       word);
  give_up_if(out + " < 0");
  return out;
}

// So many steps from a zone in a direction that is known or named.
Made Printer::step_to(const Node& n) {
  const std::string from = zone(n.a), count = integer(n.c), out = fresh('z');
  std::string direction;
  if (node(n.b).op != Ex::d_list)
    direction = direction_of(node(n.b).a);
  else if (const auto& all = p_.lists[node(n.b).a]; !all.empty())
    direction = fmt::format("{}", all[0].payload());
  else
    cannot("a step in no direction");
  line("const int {} = walk_steps({}, {}, {}, place({}), {}, {});", out, all_steps(),
       p_.directions.size(), from, direction, count, p_.zone_count);
  give_up_if(out + " < 0");
  return {out, Kind::zone};
}

// The ways one zone may go, direction by direction.
std::string Printer::ways(int query, const Body& body) {
  const Node& n = node(query);
  for (int i = 0; i < n.c; ++i)
    if (!can_set(extra(n.b + 2 * i + 1))) return left_loop(query, body);
  spend(1);
  const std::string z = zone(n.a), out = fresh('r'), one = fresh('f'), item = fresh('i');
  line("const auto {} = [&]([[maybe_unused]] int {}) -> int {{", one, item);
  ++depth_;
  ++repeats_;
  body({item, Kind::symbol});
  --repeats_;
  line("return go_on;");
  --depth_;
  line("}};");
  line("const int {} = [&]() -> int {{", out);
  ++depth_;
  for (int i = 0; i < n.c; ++i) {
    const std::string may = set(extra(n.b + 2 * i + 1));
    line("if ({}.has({}))", may, z);
    line("  if (const int c = {}({}); c != go_on) return c;", one,
         p_.direction_symbols[static_cast<std::size_t>(extra(n.b + 2 * i))]);
  }
  line("return go_on;");
  --depth_;
  line("}}();");
  return out;
}

// A ray whose way is a planned set or nothing, in constant directions or one that is named.
std::string Printer::rays(int query, const Body& body) {
  const Node& n = node(query);
  const int over = extra(n.c), until = extra(n.c + 1), most = extra(n.c + 2), slot = extra(n.c + 3);
  const bool planned = over >= 0 && node(over).op == Ex::in_set && can_set(node(over).a);
  if (over >= 0 && !planned) return left_loop(query, body);
  spend(1);
  const std::string start = zone(n.a);
  std::string limit = fmt::format("{}", p_.zone_count);
  if (most >= 0) {
    const std::string wanted = integer(most);
    limit = fmt::format("({0} < {1} ? {0} : {1})", wanted, p_.zone_count);
  }
  const std::string passable = planned ? set(node(over).a) : "";
  const std::string out = fresh('r'), one = fresh('f'), d = fresh('d'), z = fresh('z');
  line("const auto {} = [&](std::size_t {}) -> int {{", one, d);
  ++depth_;
  ++repeats_;
  line("return each_on_ray({}, {}, {}, {}, {}, [&](int {}, bool& further) -> int {{", all_steps(),
       p_.directions.size(), start, d, limit, z);
  ++depth_;
  const Made item{z, Kind::zone};
  if (planned) {
    line("further = {}.has({});", passable, z);
    if (until >= 0)
      bind(slot, item, [&] {
        line("if (!further) {{");
        ++depth_;
        const std::string holds = truth(until);
        line("if (!{}) return go_on;", holds);
        --depth_;
        line("}}");
      });
    else
      line("if (!further) return go_on;");
  }
  body(item);
  line("return go_on;");
  --depth_;
  line("}});");
  --repeats_;
  --depth_;
  line("}};");
  if (node(n.b).op != Ex::d_list) {
    const std::string direction = direction_of(node(n.b).a);
    line("const int {} = {}(place({}));", out, one, direction);
    return out;
  }
  line("const int {} = [&]() -> int {{", out);
  ++depth_;
  for (const Value direction : p_.lists[node(n.b).a])
    line("if (const int c = {}({}); c != go_on) return c;", one, direction.payload());
  line("return go_on;");
  --depth_;
  line("}}();");
  return out;
}

std::string Printer::beside_words() {
  std::string items;
  for (const std::uint64_t word : p_.neighbour_words) items += fmt::format("{}u, ", word);
  return table("beside_words", "std::uint64_t", items);
}

// A walk through a planned set, or through everything.
std::string Printer::connected(int query, const Body& body) {
  const Node& n = node(query);
  const bool planned = n.c >= 0 && node(n.c).op == Ex::in_set && can_set(node(n.c).a);
  if ((n.c >= 0 && !planned) || p_.neighbour_words.empty()) return left_loop(query, body);
  spend(1);
  const std::string start = zone(n.a);
  const std::string through = planned ? set(node(n.c).a) : zones_type() + "::all(true)";
  return repeat(
      fmt::format("each_connected(v, {}, {}, {}, {}, {}, {}, {}, ", beside_words(), start, through,
                  n.b, (n.x & 1) != 0, (n.x & 2) != 0, noting_ ? "&reads" : "nullptr"),
      "int", Kind::zone, body);
}

std::string Printer::along(int query, const Body& body) {
  const Ex op = node(query).op;
  if (op == Ex::q_connected) return connected(query, body);
  if (op == Ex::q_ways) return ways(query, body);
  return op == Ex::q_ray ? rays(query, body) : left_loop(query, body);
}

std::string Printer::steps(int query, const Body& body) {
  const Node& n = node(query);
  if (node(n.b).op != Ex::d_list) {
    spend(1);
    const std::string from = zone(n.a), direction = direction_of(node(n.b).a);
    return repeat(
        fmt::format("each_listed({} + place({}) * {} + place({}), 1, ", all_steps(), from,
                    p_.directions.size(), direction),
        "int", Kind::zone,
        [&](const Made& z) {
          line("if ({} < 0) return go_on;", z.text);
          body(z);
        },
        Rounds{});
  }
  spend(1);
  const std::string from = zone(n.a);
  const auto& directions = p_.lists[node(n.b).a];
  std::string items;
  for (const ZoneInfo& info : p_.zones)
    for (const Value d : directions)
      items += fmt::format("{}, ", info.steps.empty() ? ZoneId::none() : info.steps[d.payload()]);
  if (items.empty()) items = "-1";
  return repeat(fmt::format("each_listed({} + place({}) * {}, {}, ",
                            table(fmt::format("steps_{}", node(n.b).a), "std::int16_t", items),
                            from, directions.size(), directions.size()),
                "int", Kind::zone,
                [&](const Made& z) {
                  line("if ({} < 0) return go_on;", z.text);
                  body(z);
                },
                {.times = std::ssize(directions)});
}

// Tokens of a subset come with their properties (Printer::cell).
std::string Printer::items_of_subset(const Made& list, const Body& body) {
  const bool tokens = list.kind == Kind::token_list;
  if (subset_size_ != 0)
    spend(1 + static_cast<std::int64_t>(subset_size_));
  else
    give_up_if("!v.spend(1 + static_cast<std::int64_t>(size))");
  const std::string out = fresh('r'), item = fresh('i');
  const std::string call = subset_size_ != 0
                               ? fmt::format("each_of_few<{}>({}, ", subset_size_, list.text)
                               : fmt::format("each_listed({}, size, ", list.text);
  line("const int {} = {}[&]([[maybe_unused]] const {}& {}) {}-> int {{", out, call,
       tokens ? "Token" : "Value", item,
       subset_size_ != 0 ? "__attribute__((always_inline)) " : "");
  ++depth_;
  if (tokens)
    body({item + ".token", Kind::placed_token});
  else
    body({item, Kind::any});
  line("return go_on;");
  --depth_;
  line("}});");
  return out;
}

std::string Printer::bits(int query, const Body& body) {
  const int zones = node(query).a;
  const bool scans = can_scan(zones);
  if (!scans && !can_set(zones)) return left_loop(query, body);
  spend(1);
  note_set(zones);
  if (scans) return scan(zones, body);
  return repeat(fmt::format("each_bit({}, ", set(zones)), "int", Kind::zone, body,
                {.times = p_.zone_count});
}

std::string Printer::listed(int query, const Body& body) {
  const Node& n = node(query);
  const auto& items = p_.lists[n.a];
  if (items.empty()) return left_loop(query, body);
  spend(1 + std::ssize(items));
  std::string bits;
  for (const Value item : items) bits += fmt::format("{{{}u}}, ", item.bits);
  return repeat(fmt::format("each_listed({}, {}, ",
                            table(fmt::format("values_{}", n.a), "Value", bits), items.size()),
                "Value", Kind::any, body, {.times = std::ssize(items)});
}

std::string Printer::items(const Node& n, const Body& body) {
  if (const auto bound = bound_.find(node(n.a).a);
      node(n.a).op == Ex::slot && bound != bound_.end() &&
      (bound->second.kind == Kind::list || bound->second.kind == Kind::token_list))
    return items_of_subset(Made(bound->second), body);
  spend(1);
  const Made list = value(n.a);
  return repeat(fmt::format("each_item(v, {}, ", as_value(list)), "Value", Kind::any, body);
}

std::string Printer::loop(int query, const Body& body) {
  const Node& n = node(query);
  switch (n.op) {
    case Ex::q_players:
      spend(1);
      return repeat(fmt::format("each_index({}, ", p_.players), "std::int64_t", Kind::integer, body,
                    {.times = p_.players});
    case Ex::q_values:
      return listed(query, body);
    case Ex::q_zones:
      return zones(query, body);
    case Ex::q_adjacent:
      spend(1);
      return repeat(fmt::format("each_bit({}, ", neighbours(zone(n.a))), "int", Kind::zone, body,
                    {.times = p_.zone_count});
    case Ex::q_tokens:
      if (n.b >= 0 && !plain_filter(n.b)) return left_loop(query, body);
      spend(1);
      return tokens(zone(n.a), n.b, body);
    case Ex::q_map_tokens: {
      if (n.b >= 0 && !plain_filter(n.b)) return left_loop(query, body);
      spend(1);
      return loop(n.a, [&](const Made& z) {
        const std::string r = tokens(zone_of(z), n.b, body);
        line("if ({0} != go_on) return {0};", r);
      });
    }
    case Ex::q_filter:
      spend(1);
      return loop(n.a, [&](const Made& item) {
        bind(n.b, item, [&] {
          const std::string keep = truth(n.c);
          line("if (!{}) return go_on;", keep);
        });
        body(item);
      });
    case Ex::q_concat:
      spend(1);
      return concat(n, body);
    case Ex::q_list:
      return items(n, body);
    case Ex::q_ints:
      return numbers(query, body);
    case Ex::q_rows:
      return rows(query, body);
    case Ex::q_step:
      return steps(query, body);
    case Ex::q_bits:
      return bits(query, body);
    default:
      return along(query, body);
  }
}

}  // namespace parlor::kernel
