#include "kernel/know/observers.h"

#include <algorithm>

#include "kernel/know/secrets.h"

namespace parlor::kernel {
namespace {

class ProfileReader {
 public:
  explicit ProfileReader(const Program& program) : p_(program) {}

  Profile read(const std::string& name, int depth = 0) const {
    Profile out = blank();
    if (name == "omniscient") out.everything = true;
    const spec::ObserverDef* found = p_.def.observers.find(name);
    if (found == nullptr || depth > 16) return out;
    if (!found->extends.empty()) out = read(found->extends, depth + 1);
    read_zones(found->zones, out);
    read_family(found->global_vars, out.gvars,
                [&](std::size_t i) { return p_.gvars[VarId(i)].name; });
    read_family(found->per_player_vars, out.pvars,
                [&](std::size_t i) { return p_.pvars[VarId(i)].name; });
    read_family(found->global_markers, out.global_markers,
                [&](std::size_t i) { return p_.global_lattices[i].id; });
    read_family(found->metrics, out.metrics, [&](std::size_t i) { return p_.metrics[i].id; });
    std::vector<Seen> victory{out.standings};
    read_family(found->victory, victory, [](std::size_t) { return "currentMargin"; });
    out.standings = victory[0];
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

  void read_zones(const spec::Named<spec::SeenZone>& zones, Profile& out) const {
    for (const ZoneId z : p_.zones.ids()) {
      const spec::SeenZone* rule = zones.find(p_.bases[p_.zones[z].base].name);
      if (rule == nullptr) rule = zones.find(p_.zones[z].id);
      if (rule == nullptr) rule = zones.find("_default");
      if (rule == nullptr) continue;
      if (rule->tokens != Seen::as_declared) out.tokens[z] = rule->tokens;
      if (rule->order != Seen::as_declared) out.order[z] = rule->order;
    }
  }

  template <class NameOf>
  static void read_family(const spec::Named<Seen>& family, std::vector<Seen>& out, NameOf name_of) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Seen* own = family.find(name_of(i));
      if (own == nullptr) own = family.find("_default");
      if (own != nullptr) out[i] = *own;
    }
  }

  const Program& p_;
};

}  // namespace

Profiles read_profiles(const Program& program) {
  Profiles out;
  const ProfileReader reader(program);
  for (const auto& [name, unused] : program.def.observers) out[name] = reader.read(name);
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

bool Eyes::whole_zone(ZoneId z) const {
  const ZoneInfo& zone = p_.zones[z];
  const bool declared = (zone.sight & bit_) != 0;
  if (profile_ == nullptr) return declared;
  return judge(profile_->tokens[z], player_ >= 0 && zone.owner == player_, declared);
}

bool Eyes::see(const Memory& memory, TokenId t) const {
  if (all_) return true;
  if (other_ != nullptr && other_ != &memory && t.index() < other_->header().tokens &&
      see(*other_, t))
    return true;
  const ZoneId z = memory.zone_of(t);
  if (!z.is_none() && whole_zone(z)) return true;
  return p_.secrets.tokens && (memory.sight(t).shown & bit_) != 0;
}

bool Eyes::see_count(ZoneId z) const {
  return all_ || !p_.zones[z].count_hidden || whole_zone(z);
}

bool Eyes::see_order(ZoneId z) const {
  if (all_ || profile_ == nullptr) return true;
  const ZoneInfo& zone = p_.zones[z];
  return judge(profile_->order[z], player_ >= 0 && zone.owner == player_, true);
}

bool Eyes::see_gvar(VarId var) const {
  const bool declared = p_.gvars[var].visibility == spec::Visibility::visible_to_all;
  if (all_ || profile_ == nullptr) return all_ || declared;
  return judge(profile_->gvars[var.index()], false, declared);
}

bool Eyes::see_pvar(int player, VarId var) const {
  const auto visibility = p_.pvars[var].visibility;
  const bool own = player == player_;
  const bool declared = visibility == spec::Visibility::visible_to_all ||
                        (visibility == spec::Visibility::owner && own);
  if (all_ || profile_ == nullptr) return all_ || declared;
  return judge(profile_->pvars[var.index()], own, declared);
}

bool Eyes::see_zvar(ZoneId zone, VarId var) const {
  const auto visibility = p_.zvars[var].visibility;
  const int owner = p_.zones[zone].owner;
  return all_ || visibility == spec::Visibility::visible_to_all ||
         (visibility == spec::Visibility::owner && owner >= 0 && owner == player_);
}

bool Eyes::see_cell(int cell) const {
  const int gvars = p_.gvars.next().value, pvars = p_.pvars.next().value;
  if (cell < gvars) return see_gvar(VarId(cell));
  cell -= gvars;
  if (cell < p_.players * pvars) return see_pvar(cell / pvars, VarId(cell % pvars));
  cell -= p_.players * pvars;
  const int zvars = p_.zvars.next().value;
  return see_zvar(ZoneId(cell / zvars), VarId(cell % zvars));
}

bool Eyes::see_global_marker(int lattice) const {
  return all_ || profile_ == nullptr || judge(profile_->global_markers[lattice], false, true);
}

bool Eyes::see_metric(int metric, bool open) const {
  if (all_ || profile_ == nullptr) return all_ || open;
  return judge(profile_->metrics[metric], false, open);
}

bool Eyes::see_standings(bool open) const {
  if (all_ || profile_ == nullptr) return all_ || open;
  return judge(profile_->standings, false, open);
}

// ---- Who hears what

namespace {

bool sees_zone_ends(const Memory& memory, const Eyes& eyes, TokenId token, ZoneId from) {
  const Program& p = memory.program();
  const auto secret = [&](ZoneId z) {
    return !z.is_none() && p.zones[z].count_hidden && !eyes.whole_zone(z);
  };
  return !secret(from) && !secret(memory.zone_of(token));
}

bool sees_event(const Memory& memory, const Eyes& eyes, std::uint32_t seen, const About& about) {
  const bool as_otherwise = (seen & eyes.bit()) != 0;
  if (about.cell >= 0) return eyes.see_cell(about.cell);
  if (about.marker >= 0) return eyes.see_global_marker(about.marker);
  if (!about.zone.is_none()) return eyes.whole_zone(about.zone) || (about.shown & eyes.bit()) != 0;
  if (about.tokens.empty()) return as_otherwise;
  const bool came_from_sight =
      (!about.from.is_none() && eyes.whole_zone(about.from)) || (about.shown & eyes.bit()) != 0;
  if ((about.also & eyes.bit()) == 0) return false;
  return std::ranges::all_of(about.tokens, [&](TokenId t) {
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
      const Viewer viewer =
          player < 0 ? Viewer::observer(name) : Viewer::player(PlayerId(player), name);
      const Eyes eyes(p, p.observers->profiles, viewer);
      const bool sees = eyes.see_all() || sees_event(memory, eyes, seen, about);
      if (sees) one.seen |= eyes.bit();
      const auto seen_too = [&](TokenId t) { return eyes.see(memory, t); };
      if (sees || std::ranges::all_of(about.named, seen_too)) one.noticed |= eyes.bit();
    }
    through.push_back(std::move(one));
  }
  return Audience::of_bits(seen, std::move(through));
}

}  // namespace parlor::kernel
