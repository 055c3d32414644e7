// Statements about tokens and luck as C++.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// The cell for a value that a token of this type is to have.
std::string Printer::cell_for(CellType type, const Made& made) {
  const std::string out = fresh('c');
  switch (type) {
    case CellType::integer: {
      const std::string n = number(made);
      line("const std::int32_t {} = cell_of_number({});", out, n);
      break;
    }
    case CellType::boolean: {
      if (made.kind == Kind::boolean) {
        line("const std::int32_t {} = {} ? 1 : 0;", out, made.text);
        return out;
      }
      give_up_if(fmt::format("!{}.is_bool()", as_value(made)));
      line("const std::int32_t {} = static_cast<std::int32_t>({}.payload());", out, as_value(made));
      return out;
    }
    case CellType::symbol:
      line("const std::int32_t {} = cell_of_word({});", out, as_value(made));
      if (made.kind == Kind::symbol || made.kind == Kind::zone || made.kind == Kind::token ||
          made.kind == Kind::placed_token)
        return out;
      break;
  }
  give_up_if(out + " == missing_cell");
  return out;
}

void Printer::create_token(const Instr& i) {
  const std::string z = zone(i.a), cells = fresh('c');
  const TypeInfo& type = p_.types[i.x];
  std::vector<std::string> own(static_cast<std::size_t>(std::max(1, p_.columns)), "missing_cell");
  for (int k = 0; k < i.c; ++k) {
    const auto prop = static_cast<std::size_t>(extra(i.b + 2 * k));
    own[type.column[prop]] = cell_for(type.cell[prop], value(extra(i.b + 2 * k + 1)));
  }
  // So far nothing was written here; the number of tokens is bounded.
  give_up_if(fmt::format("v.at<std::uint32_t>({}) >= {}", tokens_offset(), most_tokens));
  check_stacking(z, zones_meant(i.a), fmt::format("{}", i.x), "true");
  line("const std::int32_t {}[] = {{{}}};", cells, fmt::join(own, ", "));
  line("make_token{}(v, {}, {}, {});", of_shape(), i.x, z, cells);
}

void Printer::set_property(const Instr& i) {
  const std::string t = token(i.a);
  const Made made = value(i.b);
  std::set<CellType> types;
  std::string columns;
  bool everywhere = true;
  for (const TypeInfo& type : p_.types) {
    const int column = type.column[i.x];
    columns += fmt::format("{}, ", column);
    everywhere = everywhere && column >= 0;
    if (column >= 0) types.insert(type.cell[i.x]);
    for (const auto& transition : type.transitions)
      if (transition.prop == i.x) cannot("a property with transitions");
  }
  if (types.size() != 1) return cannot("a property that types keep in different ways");
  const std::string column = fresh('c'), cell = cell_for(*types.begin(), made);
  line("const int {} = {}[Shape{{v}}.token({}).type];", column,
       table(fmt::format("column_of_prop_{}", i.x), "std::int16_t", columns), t);
  if (!everywhere) give_up_if(column + " < 0");
  const bool featured = !p_.features.empty() && p_.feature_of_prop[i.x] != 0;
  line("const {} shape{{v}};", shape_name());
  line("Writes<{}>(shape).write_cell(TokenId({}), {}, {}, {});", shape_name(), t, column, cell,
       featured);
}

void Printer::move_one(const Instr& i) {
  const spec::ZonePosition position{i.x};
  const bool random = position == spec::ZonePosition::random;
  if (random && trying_) return cannot("a random position");
  const std::string t = token(i.a);
  const std::string from = i.b >= 0 ? zone(i.b) : "";
  const std::string to = zone(i.c);
  if (i.b >= 0) give_up_if(fmt::format("Shape{{v}}.token({}).zone != {}", t, from));
  const std::string how = going("by_pick", i.a);
  check_stacking(to, zones_meant(i.c), fmt::format("Shape{{v}}.token({}).type", t),
                 fmt::format("Shape{{v}}.token({}).zone != {}", t, to));
  const std::string comes = fresh('b');
  if (tells_arrivals()) line("const bool {} = Shape{{v}}.token({}).zone != {};", comes, t, to);
  if (random)
    line("place_anywhere<{}>(v, {}, {}, {});", shape_name(), t, to, how);
  else
    line("move_token{}(v, {}, {}, {}, {});", of_shape(), t, to, position == spec::ZonePosition::top,
         how);
  if (tells_arrivals()) line("if ({}) v.calls->entered(v, {});", comes, to);
}

// From the last to the first: each goes on top, so the block keeps its order.
void Printer::move_all(const Instr& i) {
  if (!p_.stacking.empty()) return cannot("how many may stand there");
  const std::string from = fresh('z'), to = fresh('z'), t = fresh('t');
  const std::string from_zone = zone(i.a);
  line("const int {} = {};", from, from_zone);
  const std::string to_zone = zone(i.b);
  line("const int {} = {};", to, to_zone);
  line("if ({} != {}) {{", from, to);
  ++depth_;
  const std::string how = going(i.c < 0 ? "by_place" : i.x != 0 ? "by_face" : "by_pick", -1);
  if (!spends_before({.tokens = true}, 4))
    give_up_if(fmt::format("!v.spend(4 * std::int64_t{{Shape{{v}}.zone({}).count}})", from));
  if (i.c < 0) {
    if (!tells_arrivals())
      line("if (Shape{{v}}.zone({1}).count < 2 || !move_block<{0}>(v, {1}, {2}))", shape_name(),
           from, to);
    line("for (int {0} = Shape{{v}}.zone({1}).tail - 1; {0} >= 0;) {{", t, from);
    line("  const int above = Shape{{v}}.token({}).prev - 1;", t);
    line("  move_token{}(v, {}, {}, true, {});", of_shape(), t, to, how);
    if (tells_arrivals()) line("  v.calls->entered(v, {});", to);
    line("  {} = above;", t);
    line("}}");
  } else {
    const std::string found = fresh('l');
    line("LoopItems<int> {};", found);
    line(
        "for (int {0} = Shape{{v}}.zone({1}).head - 1; {0} >= 0; {0} = Shape{{v}}.token({0}).next "
        "- "
        "1) {{",
        t, from);
    ++depth_;
    repeated({.tokens = true}, [&] {
      bind(i.d, {t, Kind::placed_token}, [&] {
        const std::string holds = truth(i.c);
        line("if (!{}) continue;", holds);
      });
      give_up_if(fmt::format("!{}.add({})", found, t));
    });
    --depth_;
    line("}}");
    line("while ({}.size > 0) {{", found);
    line("  move_token{3}(v, {0}.at(--{0}.size), {1}, true, {2});", found, to, how, of_shape());
    if (tells_arrivals()) line("  v.calls->entered(v, {});", to);
    line("}}");
  }
  --depth_;
  line("}}");
}

// A binding that may hold what somebody does not know has three slots more (Secrets).
SlotId Printer::shadow_of(int slot) const {
  if (!p_.secrets.shadows || unit_ == nullptr) return SlotId::none();
  const auto& slots = p_.secrets.shadows_of_unit[asked_unit()];
  return slot < std::ssize(slots) ? SlotId(slots[static_cast<std::size_t>(slot)]) : SlotId::none();
}

// What a statement binds may be a secret, and its bounds are the machine's to note.
bool Printer::binds_secret(const Instr& i) const {
  switch (i.op) {
    case Op::bind:
    case Op::copy_slot:
    case Op::roll:
    case Op::loop_begin:
      return !shadow_of(i.a).is_none();
    case Op::loop_next:
      return !shadow_of(i.b).is_none();
    default:
      return false;
  }
}

// Whether compiled code can keep what is known of tokens: where what happened to them is
// remembered, or properties are secret, the machine does.
bool Printer::keeps_secrets(const Instr& i) const {
  const Secrets& secrets = p_.secrets;
  if (!secrets.tokens) return true;
  if (secrets.course) return false;
  if (i.op == Op::create_token) return secrets.props.empty();
  return i.op != Op::set_prop || secrets.column_of_prop[i.x] < 0;
}

// How tokens go somewhere. `token`: the one that was picked, by whoever chose it.
std::string Printer::going(const std::string& how, int token) {
  const std::string out = fresh('g');
  std::string picks = "0";
  if (token >= 0 && node(token).op == Ex::slot && !shadow_of(node(token).a).is_none()) {
    if (stretching_) {
      picks = fresh('w');
      line("tell_machine(v, at);");
      line("const std::uint32_t {} = v.calls->pickers(v, {});", picks, token);
    } else {
      if (!own_params_.contains(node(token).a)) cannot("who chose a token");
      picks = "1u << own";
    }
  }
  if (p_.uses_reveals)  // what arrives may have to be shown
    give_up_if(fmt::format("v.ref<std::uint8_t>({}) != 0", offset_in_header(&Header::reveals)));
  line("[[maybe_unused]] const Going {}{{.how = Taken::{}, .picks = {}}};", out, how, picks);
  return out;
}

// What is known of tokens is as it has to be when somebody else looks at the state.
void Printer::catch_up() {
  if (p_.secrets.tokens && !p_.secrets.course && !trying_) line("catch_up<Shape>(v);");
}

// The zones that this may mean.
std::vector<ZoneId> Printer::zones_meant(int index) const {
  const Node& n = node(index);
  if (n.op == Ex::z_const) return {ZoneId(n.a)};
  if (n.op == Ex::z_owned) return p_.bases[n.a].zones;
  const auto all = p_.zones.ids();
  return {all.begin(), all.end()};
}

// Too many of a kind in one zone make the move illegal: with one more of this type, if that holds
// (empty: it is there already).
void Printer::check_stacking(const std::string& z, const std::vector<ZoneId>& zones,
                             const std::string& type, const std::string& comes) {
  std::set<int> rules;
  for (const ZoneId zone : zones)
    if (!p_.stacking_of_zone.empty())
      rules.insert(p_.stacking_of_zone[zone].begin(), p_.stacking_of_zone[zone].end());
  for (const int rule : rules) {
    const StackingInfo& info = p_.stacking[rule];
    std::string holds, types;
    for (const ZoneId zone : p_.zones.ids()) {
      const auto& own = p_.stacking_of_zone[zone];
      holds += std::ranges::find(own, rule) != own.end() ? "true, " : "false, ";
    }
    for (const bool type : info.types) types += type ? "true, " : "false, ";
    const std::string count = fresh('n');
    line("if ({}[place({})]) {{", table(fmt::format("stacking_{}", rule), "bool", holds), z);
    ++depth_;
    give_up_if(fmt::format("!v.spend(Shape{{v}}.zone({}).count)", z));
    const std::string counted = table(fmt::format("stacked_types_{}", rule), "bool", types);
    line("const int {} = count_types<Shape>(v, {}, {}){};", count, z, counted,
         comes.empty() ? "" : fmt::format(" + ({} && {}[{}] ? 1 : 0)", comes, counted, type));
    const std::string over = fmt::format("{} > std::int64_t{{{}}}", count, info.max);
    if (trying_)
      line("if ({}) return no;", over);
    else
      give_up_if(over);
    --depth_;
    line("}}");
  }
}

// What a pile is like, if all zones that are meant are alike.
const ZoneInfo* Printer::pile_of(const std::vector<ZoneId>& zones) const {
  const ZoneInfo* first = nullptr;
  for (const ZoneId z : zones) {
    const ZoneInfo& zone = p_.zones[z];
    if (first == nullptr) first = &zone;
    if (zone.deck != first->deck || zone.draw_from != first->draw_from ||
        zone.reshuffle_from.is_none() != first->reshuffle_from.is_none())
      return nullptr;
  }
  return first;
}

// One below the other onto the target, as they come out of a pile.
bool Printer::draw(const Instr& i) {
  const std::vector<ZoneId> sources = zones_meant(i.a);
  const ZoneInfo* const pile = pile_of(sources);
  const bool deck = pile != nullptr && pile->deck;
  // Whoever tries a move out does not know what luck and piles will bring.
  const bool open = std::ranges::all_of(sources, [&](ZoneId z) {
    return p_.zones[z].visibility == spec::Visibility::visible_to_all;
  });
  if (pile == nullptr || i.x != 0 || (trying_ && (deck || !open))) return false;
  const std::string from = fresh('z'), to = fresh('z'), left = fresh('n'), before = fresh('t');
  const std::string from_zone = zone(i.a);
  line("const int {} = {};", from, from_zone);
  const std::string to_zone = zone(i.b), count = integer(i.c);
  line("const int {} = {};", to, to_zone);
  line("if (std::int64_t {0} = {1}; {0} > 0 && {2} != {3}) {{", left, count, from, to);
  ++depth_;
  const std::string how =
      going(deck && pile->draw_from == spec::DrawFrom::random ? "by_pick" : "by_place", -1);
  std::string reserve;
  if (deck && !pile->reshuffle_from.is_none()) {
    std::string reserves;
    for (const ZoneInfo& zone : p_.zones) reserves += fmt::format("{}, ", zone.reshuffle_from);
    reserve =
        fmt::format("{}[place({})]", table("reshuffled_from", "std::int16_t", reserves), from);
  }
  // Each token that is not taken from the top is looked for.
  if (deck && pile->draw_from != spec::DrawFrom::top)
    give_up_if(
        fmt::format("!v.spend({} * std::int64_t{{Shape{{v}}.zone({}).count{}}})", left, from,
                    reserve.empty() ? "" : fmt::format(" + Shape{{v}}.zone({}).count", reserve)));
  if (!reserve.empty()) line("reshuffle<Shape>(v, {}, {}, {});", from, reserve, left);
  line("if (const std::int64_t there = Shape{{v}}.zone({0}).count; {1} > there) {1} = there;", from,
       left);
  line("const TokenId {} = top_of<Shape>(v, {});", before, to);
  line("for (; {0} > 0; --{0}) {{", left);
  ++depth_;
  const char* const which = !deck                                       ? "top_of"
                            : pile->draw_from == spec::DrawFrom::top    ? "top_of"
                            : pile->draw_from == spec::DrawFrom::bottom ? "near_bottom_of"
                                                                        : "any_of";
  line("const TokenId t = {}<Shape>(v, {}, {});", which, from, left);
  line("place_before{}(v, t, {}, {}, {});", of_shape(), to, before, how);
  if (tells_arrivals()) line("v.calls->entered(v, {});", to);
  check_stacking(to, zones_meant(i.b), "", "");
  --depth_;
  line("}}");
  --depth_;
  line("}}");
  return true;
}

bool Printer::shuffle(const Instr& i) {
  if (trying_ || i.b >= 0) return false;
  const std::string z = zone(i.a);
  give_up_if(fmt::format("!v.spend(Shape{{v}}.zone({}).count)", z));
  line("shuffle<Shape>(v, {});", z);
  return true;
}

bool Printer::roll(const Instr& i) {
  if (trying_ || i.d >= 0) return false;
  const std::string min = integer(i.b), max = integer(i.c), out = fresh('n');
  give_up_if(fmt::format("{0} > {1} || {1} - {0} >= 10'000", min, max));
  line("const std::int64_t {} = luck(v).between({}, {});", out, min, max);
  assign(i.a, {out, Kind::integer});
  return true;
}

bool Printer::token_statement(const Instr& i) {
  switch (i.op) {
    case Op::create_token:
      create_token(i);
      return true;
    case Op::destroy_token: {
      const std::string t = token(i.a), how = going("by_pick", i.a);
      line("drop_token{}(v, {}, {});", of_shape(), t, how);
      return true;
    }
    case Op::set_prop:
      set_property(i);
      return true;
    case Op::move_token:
      move_one(i);
      return true;
    case Op::move_all:
      move_all(i);
      return true;
    case Op::draw:
      return draw(i);
    case Op::shuffle:
      return shuffle(i);
    case Op::roll:
      return roll(i);
    default:
      return false;
  }
}

}  // namespace parlor::kernel
