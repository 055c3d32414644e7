// Values as C++.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

std::string Printer::as_value(const Made& made) {
  switch (made.kind) {
    case Kind::any:
      return made.text;
    case Kind::integer:
      return fmt::format("Value::integer({})", made.text);
    case Kind::boolean:
      return fmt::format("Value::boolean({})", made.text);
    case Kind::symbol:
    case Kind::zone:
      return fmt::format("Value::symbol({})", made.text);
    case Kind::token:
    case Kind::placed_token:
      return fmt::format("Value::token(TokenId({}))", made.text);
    case Kind::list:
    case Kind::token_list:
      cannot("a list that the machine would have to know");
      return "Value{}";
  }
  return made.text;
}

bool Printer::has_memo(const Node& n) {
  return has(n.op, trait::memo) && n.d >= 0;
}

UnitId Printer::asked_unit() const {
  return unit_ != nullptr ? UnitId(unit_ - p_.units.data()) : scope_;
}

// A whole move or list may ask the interpreter now and then; what it would have to ask in a loop is
// better left to the interpreter as a whole.
bool Printer::can_ask(int index) const {
  if (stretching_) return unit_ != nullptr;
  const UnitId unit = asked_unit();
  if (!moving_ || alone_ || trying_ || repeats_ > 0 || unit.is_none() ||
      p_.units[unit].slots > most_move_slots)
    return false;
  bool can = true;
  each_part(p_, NodeId(index), [&](NodeId part) {
    const Node& n = p_.nodes[part];
    can = can && n.op != Ex::template_slot && n.op != Ex::named;
    const auto bound = n.op == Ex::slot || n.op == Ex::z_slot ? bound_.find(n.a) : bound_.end();
    if (bound != bound_.end())
      can = can && bound->second.kind != Kind::list && bound->second.kind != Kind::token_list;
  });
  return can;
}

void Printer::leave_node(int index) {
  left_.insert(index);
  if (!can_ask(index) || stretching_) {
    if (stretching_) line("tell_machine(v, at);");
    left_something_ = true;
    if (why_.empty()) why_ = ex_name(node(index).op);
    return;
  }
  helped_ = true;
  asked_because_.emplace(pc_, ex_name(node(index).op));
  // Bindings it makes itself are empty before.
  std::map<int, std::string> slots;
  each_part(p_, NodeId(index), [&](NodeId part) {
    const Node& n = p_.nodes[part];
    const int slot = n.op == Ex::slot || n.op == Ex::z_slot ? n.a.value
                     : n.op == Ex::in_set                   ? n.d.value
                                                            : -1;
    if (slot < 0) return;
    const auto bound = bound_.find(slot);
    slots[slot] = bound != bound_.end()        ? as_value(bound->second)
                  : move_slots_.contains(slot) ? fmt::format("slot_{}", slot)
                                               : std::string("Value{}");
  });
  const int count = slots.empty() ? 0 : slots.rbegin()->first + 1;
  if (count > std::ssize(slots)) line("for (int k = 0; k < {}; ++k) v.slots[k] = {{}};", count);
  for (const auto& [slot, text] : slots) line("v.slots[{}] = {};", slot, text);
  line("v.help->unit = {};", asked_unit().value);
  line("v.help->slot_count = {};", count);
}

Made Printer::left_value(int index) {
  leave_node(index);
  const std::string out = fresh('v');
  line("const Value {} = v.calls->value(v, {});", out, index);
  give_up_if(out + ".is_none()");
  return {out, Kind::any};
}

Made Printer::constant(Value v) {
  switch (v.tag()) {
    case Tag::integer:
      return {fmt::format("std::int64_t{{{}}}", v.payload()), Kind::integer};
    case Tag::boolean:
      return {v.payload() != 0 ? "true" : "false", Kind::boolean};
    case Tag::symbol:
      return {fmt::format("{}", v.payload()),
              v.payload() < p_.zone_count ? Kind::zone : Kind::symbol};
    default:
      return {fmt::format("Value{{{}u}}", v.bits), Kind::any};
  }
}

Made Printer::slot(int slot) {
  if (const auto known = bound_.find(slot); known != bound_.end()) return known->second;
  if (moving_ && !alone_) return local(slot);
  const std::string out = fresh('v');
  line("const Value {} = v.slots[{}];", out, slot);
  give_up_if(out + ".is_none()");
  return {out, Kind::any};
}

std::string Printer::number(const Made& made) {
  if (made.kind == Kind::integer) return made.text;
  if (made.kind == Kind::any) {
    give_up_if(fmt::format("!{}.is_int()", made.text));
    const std::string out = fresh('n');
    line("const std::int64_t {} = {}.payload();", out, made.text);
    return out;
  }
  give_up_if("v.base != nullptr");  // no number ever
  return "std::int64_t{0}";
}

std::string Printer::integer(int index) {
  return number(value(index));
}

std::string Printer::zone_of(const Made& made) {
  if (made.kind == Kind::zone) return made.text;
  const std::string out = fresh('z');
  if (made.kind != Kind::any) {
    give_up_if("v.base != nullptr");  // no zone, or only the interpreter finds it
    return "0";
  }
  give_up_if(fmt::format("!{0}.is_symbol() || {0}.payload() >= {1}", made.text, p_.zone_count));
  line("const int {} = static_cast<int>({}.payload());", out, made.text);
  return out;
}

std::string Printer::zone(int index) {
  const Node& n = node(index);
  switch (n.op) {
    case Ex::z_const:
      return fmt::format("{}", n.a);
    case Ex::z_slot:
      return zone_of(slot(n.a));
    case Ex::z_value:
      return zone_of(value(n.a));
    case Ex::z_owned: {
      std::string items;
      for (const ZoneId z : p_.bases[n.a].zones) items += fmt::format("{}, ", z);
      return fmt::format("{}[place({})]",
                         table(fmt::format("zones_of_base_{}", n.a), "std::int16_t", items),
                         player(n.b));
    }
    default: {
      leave_node(index);
      const std::string out = fresh('z');
      line("const int {} = v.calls->zone(v, {});", out, index);
      give_up_if(out + " < 0");
      return out;
    }
  }
}

std::string Printer::player(int index) {
  const Node& n = node(index);
  const int players = p_.players;
  switch (n.op) {
    case Ex::p_actor:
      return "v.actor";
    case Ex::p_active:
      return "v.active";
    case Ex::p_left:
      return fmt::format("((v.actor + {}) % {})", players - 1, players);
    case Ex::p_right:
      return fmt::format("((v.actor + 1) % {})", players);
    case Ex::p_id:
      return fmt::format("{}", n.a);
    case Ex::p_slot: {
      const std::string who = number(value(n.a)), out = fresh('p');
      give_up_if(fmt::format("{0} < 0 || {0} >= {1}", who, players));
      line("const int {} = static_cast<int>({});", out, who);
      return out;
    }
    default: {
      leave_node(index);
      const std::string out = fresh('p');
      line("const int {} = v.calls->player(v, {});", out, index);
      give_up_if(out + " < 0");
      return out;
    }
  }
}

std::string Printer::players(int index) {
  const std::uint32_t all = (1u << p_.players) - 1;
  switch (node(index).op) {
    case Ex::p_all:
      return fmt::format("{}u", all);
    case Ex::p_others:
      return fmt::format("({}u & ~(1u << v.actor))", all);
    default:
      return fmt::format("(1u << {})", player(index));
  }
}

std::ptrdiff_t Printer::tokens_offset() {
  const Header header{};
  return reinterpret_cast<const std::byte*>(&header.tokens) -
         reinterpret_cast<const std::byte*>(&header);
}

std::string Printer::placed(const Made& made) {
  if (made.kind == Kind::placed_token) return made.text;
  const std::string out = fresh('t');
  if (made.kind == Kind::token) {
    line("const int {} = {};", out, made.text);
  } else if (made.kind == Kind::any) {
    give_up_if(fmt::format("!{}.is_token()", made.text));
    line("const std::int64_t {}_ = {}.payload();", out, made.text);
    line("const int {0} = static_cast<int>({0}_);", out);
  } else {
    give_up_if("v.base != nullptr");  // no token
    return "0";
  }
  give_up_if(fmt::format("place({}) >= v.at<std::uint32_t>({})", out, tokens_offset()));
  if (!p_.tokens_stay)
    give_up_if(fmt::format("v.ref<TokenRecord>({} + place({}) * {}).zone < 0", p_.layout.tokens,
                           out, p_.layout.token_size));
  return out;
}

std::string Printer::token(int index) {
  return placed(value(index));
}

Made Printer::variable(const Node& n) {
  const Layout& layout = p_.layout;
  std::string at;
  bool boolean = false;
  if (n.op == Ex::gvar) {
    at = fmt::format("{}", layout.globals + 8 * static_cast<unsigned>(n.a));
    boolean = p_.gvars[n.a].boolean;
  } else if (n.op == Ex::pvar) {
    at = fmt::format("{} + place({}) * {}", layout.players + 8 * static_cast<unsigned>(n.a),
                     player(n.b), 8 * p_.pvars.size());
    boolean = p_.pvars[n.a].boolean;
  } else {
    at = fmt::format("{} + place({}) * {}", layout.zone_vars + 8 * static_cast<unsigned>(n.a),
                     zone(n.b), 8 * p_.zvars.size());
  }
  const std::string out = fresh('n');
  line("const auto {} = v.at<std::int64_t>({});", out, at);
  if (boolean) return {fmt::format("({} != 0)", out), Kind::boolean};
  return {out, Kind::integer};
}

Made Printer::arithmetic(const Node& n) {
  const std::string left = integer(n.a), right = integer(n.b), out = fresh('n');
  switch (n.op) {
    case Ex::add:
      line("const std::int64_t {} = {} + {};", out, left, right);
      break;
    case Ex::subtract:
      line("const std::int64_t {} = {} - {};", out, left, right);
      break;
    case Ex::minimum:
      line("const std::int64_t {0} = {1} < {2} ? {1} : {2};", out, left, right);
      return {out, Kind::integer};
    case Ex::maximum:
      line("const std::int64_t {0} = {1} > {2} ? {1} : {2};", out, left, right);
      return {out, Kind::integer};
    case Ex::multiply:
      line("std::int64_t {} = 0;", out);
      give_up_if(fmt::format("__builtin_mul_overflow({}, {}, &{})", left, right, out));
      break;
    default:
      give_up_if(right + " == 0");
      if (n.op == Ex::divide)
        line("const std::int64_t {} = {} / {};", out, left, right);
      else if (n.op == Ex::floor_div)
        line(
            "const std::int64_t {0} = {1} / {2} - ({1} % {2} != 0 && ({1} < 0) != ({2} < 0) ? 1 : "
            "0);",
            out, left, right);
      else if (n.op == Ex::ceil_div)
        line(
            "const std::int64_t {0} = {1} / {2} + ({1} % {2} != 0 && ({1} < 0) == ({2} < 0) ? 1 : "
            "0);",
            out, left, right);
      else
        line(
            "const std::int64_t {0} = {1} % {2} + ({1} % {2} != 0 && ({1} % {2} < 0) != ({2} < 0) "
            "? {2} : 0);",
            out, left, right);
  }
  give_up_if(fmt::format("{0} > max_int || {0} < -max_int", out));
  return {out, Kind::integer};
}

Made Printer::if_value(const Node& n) {
  const std::string when = truth(n.a);
  // Each side by itself: it may need lines of its own, which are only gone through where it is
  // asked for.
  const auto side = [&](int index, std::string& lines) {
    std::string before;
    before.swap(out_);
    ++depth_;
    const Made made = value(index);
    --depth_;
    lines.swap(out_);
    before.swap(out_);
    return made;
  };
  std::string then_lines, else_lines;
  const Made then = side(n.b, then_lines), otherwise = side(n.c, else_lines);
  const bool numbers = then.kind == Kind::integer && otherwise.kind == Kind::integer;
  const std::string out = fresh(numbers ? 'n' : 'v');
  const std::string type = numbers ? "std::int64_t" : "Value";
  const std::string yes_text = numbers ? then.text : as_value(then),
                    no_text = numbers ? otherwise.text : as_value(otherwise);
  if (then_lines.empty() && else_lines.empty()) {
    line("const {} {} = {} ? {} : {};", type, out, when, yes_text, no_text);
  } else {
    line("{} {}{{}};", type, out);
    line("if ({}) {{", when);
    out_ += then_lines;
    line("  {} = {};", out, yes_text);
    line("}} else {{");
    out_ += else_lines;
    line("  {} = {};", out, no_text);
    line("}}");
  }
  return {out, numbers ? Kind::integer : Kind::any};
}

Made Printer::count(const Node& n) {
  const std::string out = fresh('n');
  line("std::int64_t {} = 0;", out);
  if (n.b >= 0) line("if ({}) {{", maybe_seen(n));
  const std::string r = loop(n.a, [&](const Made&) { line("++{};", out); });
  give_up_with(r);
  if (n.b >= 0) line("}}");
  return {out, Kind::integer};
}

// Whether the zone may hold a token with the numbers that are counted.
std::string Printer::maybe_seen(const Node& n) {
  const PropFilter filter = p_.prop_filters[node(n.a).b];
  const std::string numbers = fresh('n'), bit = fresh('b');
  std::string items, small;
  for (int k = 0; k < filter.count; ++k) {
    const std::string number =
        integer(p_.prop_tests[static_cast<std::size_t>(filter.first + k)].value.value);
    items += fmt::format("{}, ", number);
    small += fmt::format("cell_of_number({}) == missing_cell || ", number);
  }
  line("const std::int64_t {}[] = {{{}}};", numbers, items);
  line("const std::size_t {} = seen_bit({});", bit, numbers);
  return fmt::format("{}(v.at<std::uint64_t>({} + {} / 64 * 8) >> ({} % 64) & 1) != 0", small,
                     p_.layout.seen + static_cast<std::size_t>(n.b) * seen_words * 8, bit, bit);
}

// Whether as many small numbers as there can be in the loops inside these are no large one.
bool Printer::stays_small(const Rounds& outer) const {
  if (!rounds_.known || !outer.known) return false;
  const std::int64_t most = rounds_.times / outer.times *
                            (rounds_.tokens && !outer.tokens ? std::int64_t{most_tokens} : 1);
  return most < max_int >> 32;
}

Made Printer::fold(const Node& n) {
  const std::string out = fresh('n');
  line("std::int64_t {} = 0;", out);
  if (n.x != 1) line("bool {}_first = true;", out);
  const Rounds outer = rounds_;
  const std::string r = loop(n.a, [&](const Made& item) {
    bind(n.b, item, [&] {
      const Made made = value(n.c);
      const std::string v = number(made);
      if (n.x == 1) {
        line("{} += {};", out, v);
        if (!made.small || !stays_small(outer))
          give_up_if(fmt::format("{0} > max_int || {0} < -max_int", out));
      } else {
        line("if ({0}_first || {1} {2} {0}) {0} = {1};", out, v, n.x == 2 ? "<" : ">");
        line("{}_first = false;", out);
      }
    });
  });
  give_up_with(r);
  return {out, Kind::integer};
}

// What a text of constants and the active player's seat is, if it is always a word of the rules;
// empty: it may be anything.
std::optional<std::string> Printer::text_for(int index, int player) const {
  const Node& n = node(index);
  if (n.op == Ex::active_seat) {
    if (player >= std::ssize(p_.seat_symbols)) return {};
    return p_.text(p_.seat_symbols[place(player)]);
  }
  if (n.op == Ex::constant) {
    const Value v = p_.constants[n.a];
    return v.is_symbol() ? std::optional(p_.text(v.index())) : std::nullopt;
  }
  if (n.op != Ex::concat || n.b == 0) return {};
  std::string out;
  for (int i = 0; i < n.b; ++i) {
    const auto part = text_for(extra(n.a + i), player);
    if (!part) return {};
    out += *part;
  }
  return out;
}

Made Printer::by_active_player(int index) {
  std::string words;
  for (int player = 0; player < p_.players; ++player) {
    const auto text = text_for(index, player);
    const Symbol word = text ? p_.symbol_named(*text) : -1;
    if (word < 0) return {"", Kind::any};
    words += fmt::format("{}, ", word);
  }
  return {fmt::format("{}[place(v.active)]",
                      table(fmt::format("word_of_player_{}", index), "std::int32_t", words)),
          Kind::symbol};
}

Made Printer::clock(const Node& n) {
  const auto of = [](const char* type, std::size_t offset) {
    return Made{fmt::format("std::int64_t{{v.at<{}>({})}}", type, offset), Kind::integer};
  };
  switch (n.a) {
    case 0:
      return of("std::int32_t", offset_in_header(&Header::turn));
    case 1:
      return of("std::int32_t", offset_in_header(&Header::round));
    case 2:
      return of("std::int32_t", offset_in_header(&Header::turn_in_round));
    case 3:
      return of("std::uint8_t", offset_in_header(&Header::round_start));
    default:
      return {fmt::format("std::int64_t{{{}}}", p_.players), Kind::integer};
  }
}

Made Printer::value(int index) {
  const Node& n = node(index);
  if (has_memo(n) && index != root_ && !moving_) return left_value(index);
  switch (n.op) {
    case Ex::constant:
      return constant(p_.constants[n.a]);
    case Ex::slot:
      return slot(n.a);
    case Ex::gvar:
    case Ex::pvar:
    case Ex::zvar:
      return variable(n);
    case Ex::zone_count:
    case Ex::token_prop:
    case Ex::token_id:
    case Ex::token_zone:
    case Ex::zone_id:
    case Ex::zone_attribute:
    case Ex::zone_category:
    case Ex::asset_field:
    case Ex::marker_state:
    case Ex::global_marker_state:
      return of_thing(index);
    case Ex::active_player:
      return {"std::int64_t{v.active}", Kind::integer};
    case Ex::player_number:
      return {fmt::format("std::int64_t{{{}}}", player(n.a)), Kind::integer};
    case Ex::count:
      return count(n);
    case Ex::fold:
      return fold(n);
    case Ex::count_bits: {
      if (!can_set(n.a)) return left_value(index);
      return {fmt::format("std::int64_t{{{}.count()}}", set(n.a)), Kind::integer};
    }
    case Ex::active_seat: {
      const Made seat = by_active_player(index);
      return seat.text.empty() ? left_value(index) : seat;
    }
    case Ex::concat: {
      const Made text = by_active_player(index);
      return text.text.empty() ? left_value(index) : text;
    }
    case Ex::if_value:
      return if_value(n);
    case Ex::clock:
      return clock(n);
    case Ex::effect_modifier:
      return effect_modifier(n);
    case Ex::step_to:
      return step_to(n);
    default:
      if (has(n.op, trait::arithmetic)) return arithmetic(n);
      return has(n.op, trait::plain) ? Made{truth(index), Kind::boolean} : left_value(index);
  }
}

}  // namespace parlor::kernel
