// Who looks, resolved for one game: what a viewer sees of zones, variables, markers and metrics.
// The game's own declarations say it; observers that the section `observability` declares may see
// more or less.
#pragma once

#include <map>
#include <string>

#include "game/game.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

using spec::Seen;

struct Profile {
  bool everything = false;
  Table<ZoneId, Seen> tokens, order;
  std::vector<Seen> gvars, pvars, global_markers, metrics;
  Seen standings = Seen::hidden;
};
using Profiles = std::map<std::string, Profile>;
// By name; `default` and `omniscient` are not among them.
Profiles read_profiles(const Program& program);
struct Observers {
  Profiles profiles;
};

class Eyes {
 public:
  Eyes(const Program& program, const Profiles& profiles, const Viewer& viewer);

  bool see_all() const { return all_; }
  int player() const { return player_; }  // -1: somebody who only watches
  int number() const { return number_; }  // among the viewers of Secrets
  std::uint32_t bit() const { return bit_; }
  bool through_observer() const { return profile_ != nullptr; }
  const Profile* profile() const { return profile_; }

  bool see(const Memory& memory, TokenId token) const;
  // What is seen in this state counts as well.
  void remember(const Memory& other) { other_ = &other; }
  bool see_count(ZoneId zone) const;
  bool see_order(ZoneId zone) const;
  bool see_gvar(VarId var) const;
  bool see_pvar(int player, VarId var) const;
  bool see_zvar(ZoneId zone, VarId var) const;
  bool see_cell(int cell) const;  // of a variable, as Memory counts them
  bool see_global_marker(int lattice) const;
  bool see_metric(int metric, bool open) const;
  bool see_standings(bool open) const;
  // Whether somebody who looks has seen it before and can still tell that it is there.
  bool know(const Memory& memory, TokenId token) const {
    return all_ || see(memory, token) ||
           (memory.narrow_known(token) & Memory::narrow(memory.program().players, bit_)) != 0;
  }

  bool whole_zone(ZoneId zone) const;

 private:
  bool judge(Seen seen, bool own, bool declared) const;

  const Program& p_;
  const Profile* profile_ = nullptr;
  const Memory* other_ = nullptr;
  bool all_ = false;
  int player_ = -1, number_ = 0;
  std::uint32_t bit_ = 0;
};

// What an event is about; nothing: those see it who see it without an observer.
struct About {
  std::vector<TokenId> tokens = {};  // where they lie now
  std::vector<TokenId> named = {};   // those of them that everybody else is told
  std::uint32_t also = ~0u;          // who may know the rest of it
  ZoneId from = {};                  // that a token has come from
  ZoneId zone = {};                  // of which something was shown
  std::uint32_t shown = 0;           // to whom it was shown there
  int cell = -1;                     // a variable
  int marker = -1;                   // a global one
};
// Those who may know an event: these, and who sees it through an observer that the rules declare.
Audience audience_of(const Memory& memory, std::uint32_t seen, const About& about);

}  // namespace parlor::kernel
