#include "kernel/know/observers.h"

#include <algorithm>

#include "kernel/know/secrets.h"

namespace parlor::kernel {
namespace {

Seen seen_of(const Json& word) {
  if (word.is_object())
    return word.contains("current") ? seen_of(word["current"]) : Seen::as_declared;
  if (word == "public") return Seen::open;
  if (word == "owner" || word == "seatVisible") return Seen::seat;
  return word == "hidden" ? Seen::hidden : Seen::as_declared;
}

class ProfileReader {
 public:
  ProfileReader(const Program& program, const Json& all) : p_(program), all_(all) {}

  Profile read(const std::string& name, int depth = 0) const {
    Profile out = blank();
    if (name == "omniscient") out.everything = true;
    const auto found = all_.find(name);
    if (found == all_.end() || depth > 16) return out;
    if (const auto base = found->find("extends"); base != found->end() && base->is_string())
      out = read(base->get<std::string>(), depth + 1);
    if (const auto zones = found->find("zones"); zones != found->end()) read_zones(*zones, out);
    if (const auto surfaces = found->find("surfaces"); surfaces != found->end())
      read_surfaces(*surfaces, out);
    return out;
  }

 private:
  // What an observer sees who says nothing else (language 27).
  Profile blank() const {
    Profile out;
    out.tokens.assign(p_.zones.size(), Seen::as_declared);
    out.order = out.tokens;
    out.gvars.assign(p_.gvars.size(), Seen::as_declared);
    out.pvars.assign(p_.pvars.size(), Seen::seat);
    out.global_markers.assign(p_.global_lattices.size(), Seen::open);
    out.metrics.assign(p_.metrics.size(), Seen::hidden);
    return out;
  }

  void read_zones(const Json& zones, Profile& out) const {
    for (std::size_t z = 0; z < p_.zones.size(); ++z) {
      const std::string& base = p_.bases[static_cast<std::size_t>(p_.zones[z].base)].name;
      auto rule = zones.find(base);
      if (rule == zones.end()) rule = zones.find(p_.zones[z].id);
      if (rule == zones.end()) rule = zones.find("_default");
      if (rule == zones.end() || !rule->is_object()) continue;
      // A missing one copies the other.
      const Json tokens = rule->value("tokens", rule->value("order", Json()));
      const Json order = rule->value("order", rule->value("tokens", Json()));
      if (!tokens.is_null()) out.tokens[z] = seen_of(tokens);
      if (!order.is_null()) out.order[z] = seen_of(order);
    }
  }

  template <class NameOf>
  static void read_family(const Json& surfaces, const char* key, std::vector<Seen>& out,
                          NameOf name_of) {
    const auto family = surfaces.find(key);
    if (family == surfaces.end()) return;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!family->is_object() || family->contains("current")) {
        out[i] = seen_of(*family);
        continue;
      }
      auto own = family->find(name_of(i));
      if (own == family->end()) own = family->find("_default");
      if (own != family->end()) out[i] = seen_of(*own);
    }
  }

  void read_surfaces(const Json& surfaces, Profile& out) const {
    read_family(surfaces, "globalVars", out.gvars, [&](std::size_t i) { return p_.gvars[i].name; });
    read_family(surfaces, "perPlayerVars", out.pvars,
                [&](std::size_t i) { return p_.pvars[i].name; });
    read_family(surfaces, "globalMarkers", out.global_markers,
                [&](std::size_t i) { return p_.global_lattices[i].id; });
    read_family(surfaces, "derivedMetrics", out.metrics,
                [&](std::size_t i) { return p_.metrics[i].id; });
    std::vector<Seen> victory{out.standings};
    read_family(surfaces, "victory", victory, [](std::size_t) { return "currentMargin"; });
    out.standings = victory[0];
  }

  const Program& p_;
  const Json& all_;
};

}  // namespace

Profiles read_profiles(const Program& program) {
  Profiles out;
  const auto section = program.def.sections.find("observability");
  if (section == program.def.sections.end() || !section->is_object()) return out;
  const auto observers = section->find("observers");
  if (observers == section->end() || !observers->is_object()) return out;
  const ProfileReader reader(program, *observers);
  for (const auto& [name, unused] : observers->items()) out[name] = reader.read(name);
  return out;
}

Eyes::Eyes(const Program& program, const Profiles& profiles, const Viewer& viewer) : p_(program) {
  all_ = viewer.sees_all() || viewer.profile() == "omniscient";
  if (!viewer.id().is_none() && viewer.id().value < p_.players) player_ = viewer.id().value;
  number_ = player_ >= 0 ? player_ : p_.players;
  bit_ = player_ >= 0 ? std::uint32_t{1} << player_ : spectator_bit;
  const auto found = profiles.find(viewer.profile());
  if (found == profiles.end()) return;
  profile_ = &found->second;
  all_ = all_ || profile_->everything;
}

bool Eyes::judge(Seen seen, bool own, bool declared) const {
  switch (seen) {
    case Seen::open:
      return true;
    case Seen::seat:
      return own;
    case Seen::hidden:
      return false;
    case Seen::as_declared:
      break;
  }
  return declared;
}

bool Eyes::whole_zone(int z) const {
  const ZoneInfo& zone = p_.zones[static_cast<std::size_t>(z)];
  const bool declared = (zone.sight & bit_) != 0;
  if (profile_ == nullptr) return declared;
  return judge(profile_->tokens[static_cast<std::size_t>(z)], player_ >= 0 && zone.owner == player_,
               declared);
}

bool Eyes::see(const Memory& memory, int t) const {
  if (all_) return true;
  if (other_ != nullptr && other_ != &memory && t < static_cast<int>(other_->header().tokens) &&
      see(*other_, t))
    return true;
  const int z = memory.token(t).zone;
  if (z >= 0 && whole_zone(z)) return true;
  return p_.secrets.tokens && (memory.sight(t).shown & bit_) != 0;
}

bool Eyes::see_count(int z) const {
  return all_ || !p_.zones[static_cast<std::size_t>(z)].count_hidden || whole_zone(z);
}

bool Eyes::see_order(int z) const {
  if (all_ || profile_ == nullptr) return true;
  const ZoneInfo& zone = p_.zones[static_cast<std::size_t>(z)];
  return judge(profile_->order[static_cast<std::size_t>(z)], player_ >= 0 && zone.owner == player_,
               true);
}

bool Eyes::see_gvar(int var) const {
  const bool declared =
      p_.gvars[static_cast<std::size_t>(var)].visibility == spec::Visibility::visible_to_all;
  if (all_ || profile_ == nullptr) return all_ || declared;
  return judge(profile_->gvars[static_cast<std::size_t>(var)], false, declared);
}

bool Eyes::see_pvar(int player, int var) const {
  const auto visibility = p_.pvars[static_cast<std::size_t>(var)].visibility;
  const bool own = player == player_;
  const bool declared = visibility == spec::Visibility::visible_to_all ||
                        (visibility == spec::Visibility::owner && own);
  if (all_ || profile_ == nullptr) return all_ || declared;
  return judge(profile_->pvars[static_cast<std::size_t>(var)], own, declared);
}

bool Eyes::see_zvar(int zone, int var) const {
  const auto visibility = p_.zvars[static_cast<std::size_t>(var)].visibility;
  const int owner = p_.zones[static_cast<std::size_t>(zone)].owner;
  return all_ || visibility == spec::Visibility::visible_to_all ||
         (visibility == spec::Visibility::owner && owner >= 0 && owner == player_);
}

bool Eyes::see_cell(int cell) const {
  const int gvars = static_cast<int>(p_.gvars.size()), pvars = static_cast<int>(p_.pvars.size());
  if (cell < gvars) return see_gvar(cell);
  cell -= gvars;
  if (cell < p_.players * pvars) return see_pvar(cell / pvars, cell % pvars);
  cell -= p_.players * pvars;
  const int zvars = static_cast<int>(p_.zvars.size());
  return see_zvar(cell / zvars, cell % zvars);
}

bool Eyes::see_global_marker(int lattice) const {
  return all_ || profile_ == nullptr ||
         judge(profile_->global_markers[static_cast<std::size_t>(lattice)], false, true);
}

bool Eyes::see_metric(int metric, bool open) const {
  if (all_ || profile_ == nullptr) return all_ || open;
  return judge(profile_->metrics[static_cast<std::size_t>(metric)], false, open);
}

bool Eyes::see_standings(bool open) const {
  if (all_ || profile_ == nullptr) return all_ || open;
  return judge(profile_->standings, false, open);
}

// ---- Who hears what

namespace {

bool sees_zone_ends(const Memory& memory, const Eyes& eyes, int token, int from) {
  const Program& p = memory.program();
  const auto secret = [&](int z) {
    return z >= 0 && p.zones[static_cast<std::size_t>(z)].count_hidden && !eyes.whole_zone(z);
  };
  return !secret(from) && !secret(memory.token(token).zone);
}

bool sees_event(const Memory& memory, const Eyes& eyes, std::uint32_t seen, const About& about) {
  const bool as_otherwise = (seen & eyes.bit()) != 0;
  if (about.cell >= 0) return eyes.see_cell(about.cell);
  if (about.marker >= 0) return eyes.see_global_marker(about.marker);
  if (about.zone >= 0) return eyes.whole_zone(about.zone) || (about.shown & eyes.bit()) != 0;
  if (about.tokens.empty()) return as_otherwise;
  const bool came_from_sight =
      (about.from >= 0 && eyes.whole_zone(about.from)) || (about.shown & eyes.bit()) != 0;
  if ((about.also & eyes.bit()) == 0) return false;
  return std::ranges::all_of(about.tokens, [&](int t) {
    return (came_from_sight || eyes.see(memory, t)) && sees_zone_ends(memory, eyes, t, about.from);
  });
}

}  // namespace

Audience audience_of(const Memory& memory, std::uint32_t seen, const About& about) {
  const Program& p = memory.program();
  if (p.observers == nullptr) return Audience::of_bits(seen);
  std::vector<Audience::Through> through;
  for (const auto& [name, profile] : p.observers->profiles) {
    Audience::Through one{name, 0, 0};
    for (int player = -1; player < p.players; ++player) {
      const Viewer viewer = player < 0
                                ? Viewer::observer(name)
                                : Viewer::player(PlayerId{static_cast<std::size_t>(player)}, name);
      const Eyes eyes(p, p.observers->profiles, viewer);
      const bool sees = eyes.see_all() || sees_event(memory, eyes, seen, about);
      if (sees) one.seen |= eyes.bit();
      const auto seen_too = [&](int t) { return eyes.see(memory, t); };
      if (sees || std::ranges::all_of(about.named, seen_too)) one.noticed |= eyes.bit();
    }
    through.push_back(std::move(one));
  }
  return Audience::of_bits(seen, std::move(through));
}

}  // namespace parlor::kernel
