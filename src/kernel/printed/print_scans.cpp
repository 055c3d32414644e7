// Sets of zones that a condition is asked about one by one, as loops of C++.
#include "kernel/printed/printer.h"

namespace parlor::kernel {

// Only where no machine is there to remember what came out, or to look something up.
bool Printer::can_scan(int index) const {
  if (!moving_) return false;
  const Node* n = &node(made_of(index));
  if (n->op != Ex::b_scan) return false;
  for (; n->op == Ex::b_scan; n = &node(n->b)) {
    if (n->c >= 0 && !can_set(n->c)) return false;
    if (node(n->b).op != Ex::b_scan && !can_set(n->b)) return false;
  }
  return true;
}

// The zones that the condition can hold for, as far as that is known when code is printed
// (plan/relations.cpp); empty: any.
std::string Printer::looked_up(int index) {
  if (p_.scan_key_of.empty()) return "";
  const std::int32_t which = p_.scan_key_of[NodeId(index)];
  if (which < 0) return "";
  const ScanKey& key = p_.scan_keys[which];
  const ZoneRelation& relation = p_.relations[key.relation];
  std::string items;
  for (const std::uint64_t word : relation.zones) items += fmt::format("{}u, ", word);
  const std::string words = table(fmt::format("relation_{}", key.relation), "std::uint64_t", items);
  std::string row = "place(v.active)";
  if (!relation.other.is_none())
    row = fmt::format("({} * {} + place({}))", row, p_.zones.size(),
                      zone_of(slot(relation.other.value)));
  const std::string sets = fresh('w'), out = fresh('s');
  line("const std::uint64_t* const {} = {} + {} * {};", sets, words, row,
       (relation.span + 1) * p_.words);
  line("{0} {1} = {0}::load({2} + {3});", zones_type(), out, sets, relation.span * p_.words);
  for (const NodeId wanted : key.wanted) {
    const std::string n = number(value(wanted.value)), which_set = fresh('n');
    line("const std::int64_t {} = {} - std::int64_t{{{}}};", which_set, n, relation.least);
    line("if ({0} >= 0 && {0} < {1}) {2} = {2} | {3}::load({4} + {0} * {5});", which_set,
         relation.span, out, zones_type(), sets, p_.words);
  }
  return out;
}

// Each zone is asked everything before the next one is.
std::string Printer::scan(int index, const Body& body) {
  std::vector<int> scans;  // the last one asked first
  int at = made_of(index);
  for (; node(at).op == Ex::b_scan; at = node(at).b) scans.push_back(at);
  const std::string among = set(at);
  std::vector<std::string> after;
  for (const int one : scans) after.push_back(node(one).c < 0 ? "" : set(node(one).c));
  const std::string known = looked_up(scans.back());
  return repeat(fmt::format("each_bit({}{}, ", among, known.empty() ? "" : " & " + known), "int",
                Kind::zone,
                [&](const Made& z) {
                  line("if ({} >= {}) return go_on;", z.text, p_.zones.size());  // of the last word
                  for (std::size_t k = scans.size(); k-- > 0;) {
                    bind(node(scans[k]).d, z, [&] {
                      const std::string holds = truth(node(scans[k]).a);
                      line("if (!{}) return go_on;", holds);
                    });
                    if (!after[k].empty()) line("if (!{}.has({})) return go_on;", after[k], z.text);
                  }
                  body(z);
                },
                {.times = p_.zone_count});
}

}  // namespace parlor::kernel
