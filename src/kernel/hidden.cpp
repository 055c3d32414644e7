#include "kernel/hidden.h"

#include <numeric>

#include "kernel/kernel.h"

namespace parlor::kernel {
namespace {

// One end of a move in the rules: which base, and whose zone of it.
struct End {
  int base = -1;  // -1: known only while playing
  std::string owner;
};

End end_of(const Program& p, const Json& selector) {
  const auto base_of = [&p](std::string_view name) {
    const auto found = std::ranges::find(p.bases, name, &BaseInfo::name);
    return found == p.bases.end() ? -1 : static_cast<int>(found - p.bases.begin());
  };
  if (selector.is_string()) {
    const std::string& text = selector.get_ref<const std::string&>();
    const auto colon = text.find(':');
    return {base_of(text.substr(0, colon)),
            colon == std::string::npos ? std::string() : text.substr(colon + 1)};
  }
  if (!selector.is_object() || !selector.contains("base")) return {};
  return {base_of(selector["base"].get_ref<const std::string&>()),
          canonical(selector.value("owner", Json()))};
}

// Which bases exchange unseen tokens, and whether every player's zones of them stay by themselves.
class Flows {
 public:
  explicit Flows(const Program& p) : p_(p), group_(p.bases.size()), crosses_(p.bases.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    walk(to_json(p.def));
    for (const ZoneInfo& zone : p.zones) {
      if (zone.reshuffle_from < 0) continue;
      const ZoneInfo& discard = p.zones[static_cast<std::size_t>(zone.reshuffle_from)];
      join({discard.base, std::to_string(discard.owner)}, {zone.base, std::to_string(zone.owner)});
    }
  }

  bool hideable(int base) const {
    const int zone = p_.bases[static_cast<std::size_t>(base)].zones.front();
    return p_.zones[static_cast<std::size_t>(zone)].visibility != spec::Visibility::visible_to_all;
  }
  int group(int base) const { return group_[static_cast<std::size_t>(base)]; }
  bool crosses(int group) const {
    for (std::size_t base = 0; base < group_.size(); ++base)
      if (group_[base] == group && crosses_[base]) return true;
    return false;
  }

 private:
  void walk(const Json& node) {
    if (node.is_object() && node.contains("from") && node.contains("to"))
      join(end_of(p_, node["from"]), end_of(p_, node["to"]));
    if (node.is_structured())
      for (const Json& part : node) walk(part);
  }

  void join(const End& from, const End& to) {
    const bool one_owner = from.owner == to.owner && from.owner != "\"each\"";
    for (int a = 0; a < static_cast<int>(group_.size()); ++a)
      for (int b = 0; b < static_cast<int>(group_.size()); ++b) {
        if ((from.base >= 0 && from.base != a) || (to.base >= 0 && to.base != b)) continue;
        if (!hideable(a) || !hideable(b)) continue;
        if (!one_owner || from.base < 0 || to.base < 0)
          crosses_[static_cast<std::size_t>(a)] = true;
        const int old = group(b);
        for (int& g : group_)
          if (g == old) g = group(a);
      }
  }

  const Program& p_;
  std::vector<int> group_;
  std::vector<bool> crosses_;
};

// Chance, where it is explicit, decides in the open, except where it gives a token in a hidden zone
// a place or a number; and players may be shown what lies there.
bool has_secrets_of_chance(const Program& p) {
  return p.uses_reveals || std::ranges::any_of(p.code, [](const Instr& i) {
           return i.op == Op::roll ||
                  ((i.op == Op::move_token || i.op == Op::move_adjacent) &&
                   static_cast<spec::ZonePosition>(i.x) == spec::ZonePosition::random);
         });
}

}  // namespace

bool can_see(Machine& machine, const Viewer& viewer, int t) {
  if (viewer.sees_all()) return true;
  const Program& p = machine.program();
  const int z = machine.memory().token(t).zone;
  const ZoneInfo& zone = p.zones[static_cast<std::size_t>(z)];
  const int player = viewer.id().is_none() ? static_cast<int>(max_players) : viewer.id().value;
  if (zone.visibility == spec::Visibility::visible_to_all) return true;
  if (zone.visibility == spec::Visibility::owner && zone.owner == player) return true;
  const auto* records = machine.memory().at<RevealRecord>(p.layout.reveals);
  for (int k = 0; k < machine.header().reveals; ++k) {
    if (records[k].zone != z || ((records[k].observers >> player) & 1) == 0) continue;
    if (records[k].filter < 0) return true;
    const Truth shown =
        machine.filter(p.reveal_filter_nodes[static_cast<std::size_t>(records[k].filter)], t);
    machine.clear_fault();
    if (shown == Truth::yes) return true;
  }
  return false;
}

std::vector<std::vector<int>> mixing_zones(const Program& p) {
  const Flows flows(p);
  std::map<std::pair<int, int>, std::vector<int>> groups;  // by group of bases and owner
  for (int z = 0; z < static_cast<int>(p.zones.size()); ++z) {
    const ZoneInfo& zone = p.zones[static_cast<std::size_t>(z)];
    if (!flows.hideable(zone.base)) continue;
    const int group = flows.group(zone.base);
    groups[{group, flows.crosses(group) ? -1 : zone.owner}].push_back(z);
  }
  // A zone by itself that nobody looks into: everybody knows what is in it, since it is nowhere
  // else, and with explicit chance what was shuffled there has no order yet.
  const bool order_is_open = p.options.explicit_chance && !has_secrets_of_chance(p);
  std::vector<std::vector<int>> out;
  for (auto& [key, zones] : groups)
    if (!order_is_open || zones.size() > 1 ||
        p.zones[static_cast<std::size_t>(zones.front())].visibility != spec::Visibility::hidden)
      out.push_back(std::move(zones));
  return out;
}

// Unseen tokens change places at random, and the numbers still to come are new. The result depends
// on what the player sees and on `rng`, but not on what was hidden before: the unseen tokens are
// taken in the order of their numbers, not of their places.
void KernelGame::resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const {
  const Program& p = *program_;
  if (p.has_chance && !p.options.explicit_chance) {
    block.as<Header>().rng = rng.child();
    if (p.uses_streams) block.as<Header>().seed = rng.next();
  }
  if (mixing_zones_.empty()) return;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(block);
  Memory& memory = machine.memory();
  std::vector<int> unseen;
  std::vector<std::pair<int, int>> places;  // zone, and the token that stays there or -1
  for (const std::vector<int>& zones : mixing_zones_) {
    unseen.clear();
    places.clear();
    for (const int z : zones)
      for (int t = memory.first(z); t >= 0; t = memory.next(t)) {
        const bool seen = can_see(machine, viewer, t);
        places.emplace_back(z, seen ? t : -1);
        if (!seen) unseen.push_back(t);
      }
    if (unseen.size() < 2) continue;
    std::ranges::sort(unseen);
    for (std::size_t k = unseen.size(); k > 1; --k) std::swap(unseen[k - 1], unseen[rng.below(k)]);
    for (const int z : zones)
      while (memory.first(z) >= 0) memory.remove(memory.first(z));
    std::size_t next = 0;
    for (const auto& [z, stays] : places) memory.insert(stays >= 0 ? stays : unseen[next++], z, -1);
  }
  if (p.options.explicit_chance) machine.settle_pools();
  refresh_instant(block);
}

}  // namespace parlor::kernel
