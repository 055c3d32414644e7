// What compiled trials whose answers are kept (legal/trials.h) look into: noted beside the
// questions, as the interpreter notes it.
#include <algorithm>

#include "kernel/printed/move_parts.h"
#include "kernel/program/operands.h"

namespace parlor::kernel {

namespace {

// What looks at nothing in the state, or only at what was noted when it was found, or notes it.
constexpr Ex noted_ones[] = {Ex::constant,      Ex::slot,
                             Ex::active_player, Ex::player_number,
                             Ex::zone_count,    Ex::token_prop,
                             Ex::token_zone,    Ex::zone_attribute,
                             Ex::zone_id,       Ex::zone_category,
                             Ex::add,           Ex::subtract,
                             Ex::multiply,      Ex::minimum,
                             Ex::maximum,       Ex::if_value,
                             Ex::yes,           Ex::no,
                             Ex::all_of,        Ex::any_of,
                             Ex::not_of,        Ex::equal,
                             Ex::not_equal,     Ex::less,
                             Ex::less_equal,    Ex::greater,
                             Ex::adjacent,      Ex::greater_equal,
                             Ex::exists,        Ex::for_all,
                             Ex::q_players,     Ex::q_values,
                             Ex::q_adjacent,    Ex::q_tokens,
                             Ex::q_step,        Ex::q_filter,
                             Ex::q_concat,      Ex::q_bits,
                             Ex::q_connected,   Ex::in_set,
                             Ex::zone_in,       Ex::any_connected,
                             Ex::d_list,        Ex::f_all,
                             Ex::f_any,         Ex::f_not,
                             Ex::f_test,        Ex::p_actor,
                             Ex::p_active,      Ex::p_left,
                             Ex::p_right,       Ex::p_id,
                             Ex::p_slot,        Ex::z_const,
                             Ex::z_owned,       Ex::z_slot,
                             Ex::b_words,       Ex::b_feature,
                             Ex::b_within,      Ex::b_without,
                             Ex::b_player,      Ex::b_active,
                             Ex::b_keep,        Ex::b_not,
                             Ex::b_and,         Ex::b_or};

}  // namespace

bool Printer::is_noted(int index) const {
  bool noted = true;
  each_part(p_, NodeId(index), [&](NodeId part) {
    noted = noted && std::ranges::find(noted_ones, p_.nodes[part].op) != std::end(noted_ones);
  });
  return noted;
}

// What lies in this zone is asked for.
void Printer::note_zone(const std::string& z) {
  if (noting_) line("reads.note_zone({});", z);
}

// The number of a feature, and, where only some zones can be in the set, these. Empty: it is none.
std::string Printer::feature_asked(const Node& n, std::string& among) {
  if (n.op == Ex::b_feature) return fmt::format("{}", n.a);
  if (n.op == Ex::b_within || n.op == Ex::b_without) {
    among = words_table(fmt::format("set_{}", n.a),
                        &p_.set_words[static_cast<std::size_t>(n.a * p_.words)]);
    return fmt::format("{}", n.b);
  }
  if (n.op != Ex::b_player) return "";
  std::string items;
  for (int i = 0; i < p_.players; ++i) items += fmt::format("{}, ", extra(n.a + i));
  return fmt::format("{}[place({})]",
                     table(fmt::format("numbers_of_players_{}", n.a), "std::int16_t", items),
                     who_of(n));
}

// Whether these zones are in the set was asked, and all were or none.
void Printer::note_members(int set, const std::string& zones, const std::string& in) {
  if (!noting_) return;
  const Node& n = node(set);
  if (n.op == Ex::b_words) return;
  if (n.op == Ex::b_keep) return note_members(n.a, zones, in);
  if (n.op == Ex::b_not) return note_members(n.a, zones, "!" + in);
  std::string among;
  const std::string feature = feature_asked(n, among);
  if (feature.empty())
    line("reads.note_zones({});", zones);
  else
    line("reads.note_members({}, {}{}{}, {}{});", feature, zones, among.empty() ? "" : " & ", among,
         n.op == Ex::b_without ? "!" : "", in);
}

// The zones in which the answer to a question about the set lies, all of them.
void Printer::note_set(int set) {
  if (!noting_) return;
  const Node& n = node(set);
  switch (n.op) {
    case Ex::b_words:
    case Ex::b_active:
      return;
    case Ex::b_not:
    case Ex::b_keep:
      return note_set(n.a);
    case Ex::b_and:
    case Ex::b_or:
      note_set(n.a);
      return note_set(n.b);
    default: {
      std::string among;
      const std::string feature = feature_asked(n, among);
      if (feature.empty())
        line("reads.note_zones({}::all(true));", zones_type());
      else
        line("reads.note_feature<{}>({});", p_.words, feature);
    }
  }
}

// A walk through one set to another; the name of whether it comes there.
std::string Printer::noting_walk(const Node& n, const std::string& start,
                                 const std::string& through, const std::string& wanted) {
  const std::string out = fresh('b'), walk = fresh('w');
  note_zone(start);
  line("bool {} = {};", out, (n.x & 1) != 0 ? fmt::format("{}.has({})", wanted, start) : "false");
  line("if (!{}) {{", out);
  ++depth_;
  line("const auto {} = walk_noting({}, {}, {}, {});", walk, beside_words(), start, through,
       (n.x & 2) != 0 ? wanted : fmt::format("{} & {}", wanted, through));
  line("{} = {}.found;", out, walk);
  line("if ({}.has_way) {{", walk);
  ++depth_;
  const std::string end = fmt::format("{}::one({}.end)", zones_type(), walk);
  note_members(n.c, end, "true");
  if ((n.x & 2) == 0) note_members(n.b, end, "true");
  note_members(n.b, walk + ".zones", "true");
  --depth_;
  line("}} else {{");
  line("  reads.note_zones({}.zones);", walk);
  line("}}");
  --depth_;
  line("}}");
  return out;
}

}  // namespace parlor::kernel
