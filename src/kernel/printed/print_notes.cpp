// What compiled trials whose answers are kept (legal/trials.h) look into: noted beside the
// questions, as the interpreter notes it. Such trials ask nothing but what is local
// (plan/trials.cpp).
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// What lies in this zone is asked for.
void Printer::note_zone(const std::string& z) {
  if (noting_) line("reads.note_zone({});", z);
}

// The number of a feature, and, where only some zones can be in the set, these. Empty: it is none.
std::string Printer::feature_asked(const Node& n, std::string& among) {
  if (n.op == Ex::b_feature) return fmt::format("{}", n.a);
  if (n.op == Ex::b_within || n.op == Ex::b_without) {
    among = words_table(fmt::format("set_{}", n.a), p_.words_of(n.a));
    return fmt::format("{}", n.b);
  }
  if (n.op != Ex::b_player) return "";
  std::string items;
  for (int i = 0; i < p_.players; ++i) items += fmt::format("{}, ", extra(n.a + i));
  return fmt::format("{}[place({})]",
                     table(fmt::format("numbers_of_players_{}", n.a), "std::int16_t", items),
                     who_of(n));
}

// Whether these zones are in the set was asked, and all were or none. `one`: it is a single zone.
void Printer::note_members(int set, const std::string& zones, const std::string& in, bool one) {
  if (!noting_) return;
  const Node& n = node(set);
  if (n.op == Ex::b_words) return;
  if (n.op == Ex::b_keep) return note_members(n.a, zones, in, one);
  if (n.op == Ex::b_not) return note_members(n.a, zones, "!" + in, one);
  std::string among;
  const std::string feature = feature_asked(n, among);
  if (feature.empty())
    line("reads.note_zone{}({});", one ? "" : "s", zones);
  else if (one && among.empty())
    line("reads.note_member<{}>({}, {}, {});", p_.words, feature, zones, in);
  else
    line("reads.note_members({}, {}{}{}, {}{});", feature,
         one ? fmt::format("{}::one({})", zones_type(), zones) : zones, among.empty() ? "" : " & ",
         among, n.op == Ex::b_without ? "!" : "", in);
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

namespace {

// No zone lies beside itself: a walk does not end where it began.
bool steps_lead_away(const Program& p) {
  for (const ZoneId z : p.zones.ids())
    if (std::ranges::binary_search(p.zones[z].neighbours, z)) return false;
  return true;
}

}  // namespace

// A walk through one set to another; the name of whether it comes there. Most come there with their
// first step.
std::string Printer::noting_walk(const Node& n, const std::string& start,
                                 const std::string& through, const std::string& wanted) {
  const std::string out = fresh('b'), walk = fresh('w'), found = fresh('s');
  const auto note_end = [&](const std::string& end) {
    note_members(n.c, end, "true", true);
    if ((n.x & 2) == 0) note_members(n.b, end, "true", true);
  };
  note_zone(start);
  line("bool {} = {};", out, (n.x & 1) != 0 ? fmt::format("{}.has({})", wanted, start) : "false");
  line("const {} {} = {};", zones_type(), found,
       (n.x & 2) != 0 ? wanted : fmt::format("{} & {}", wanted, through));
  line("if (const int {0}_end = {1} ? -1 : beside_in({2}, {3}, {4}); {0}_end >= 0) {{", walk,
       steps_lead_away(p_) ? out : "true", beside_words(), start, found);
  ++depth_;
  line("{} = true;", out);
  note_end(walk + "_end");
  --depth_;
  line("}} else if (!{}) {{", out);
  ++depth_;
  line("const auto {} = walk_noting({}, {}, ZoneId({}), {}, {});", walk, beside_words(), beside(),
       start, through, found);
  line("{} = {}.found;", out, walk);
  line("if ({}.has_way) {{", walk);
  ++depth_;
  note_end(walk + ".end.value");
  note_members(n.b, walk + ".zones", "true", false);
  --depth_;
  line("}} else {{");
  line("  reads.note_zones({}.zones);", walk);
  line("}}");
  --depth_;
  line("}}");
  return out;
}

}  // namespace parlor::kernel
