// What every viewer knows about tokens. A viewer knows what lies in a place, or knows at least in
// which places a token may be. Both are kept in the state and follow what happens:
//
//   * Who sees a zone knows what lies there, and what it was when it goes on to where they do not
//     see.
//   * Somebody who does not see it follows a token as long as its place tells: drawn from the top,
//     moved together with everything else, or alone in its zone. When somebody else picks one out
//     of a zone, any of those that lay there may be gone; when a zone is shuffled, or a token put
//     somewhere into it, all that is left is that it lies in there.
//   * A revealed token stays known; concealing it turns it face down, but nobody forgets it.
//
// hidden.h makes worlds that fit all this.
#pragma once

#include "kernel/state/memory.h"

namespace parlor::kernel {

class Knowledge {
 public:
  explicit Knowledge(const Memory& memory) : m_(memory), p_(memory.program()) {}

  static std::uint32_t bit_of(const Program& p, int viewer) {
    return std::uint32_t{1} << (viewer < p.players ? viewer : static_cast<int>(max_players));
  }

  // A token has come into being on top of a zone; `everybody` knows the rules that made it.
  void created(TokenId token, bool everybody) const;
  // It was in `from` and is now where its record says (none: out of play). `pickers` chose it.
  void moved(TokenId token, ZoneId from, Taken how, std::uint32_t pickers) const;
  // The same of everything in a zone, which lies on top of another now, so many tokens; false: what
  // comes there has to be followed token by token.
  bool can_follow_openly(ZoneId to) const;
  void moved_openly(ZoneId from, ZoneId to, int count) const;
  // Nobody who does not see the zone knows any more what lies where in it.
  void shuffled(ZoneId zone) const;
  void revealed(TokenId token, std::uint32_t to) const;
  void concealed(TokenId token, std::uint32_t from) const;
  // Something about it has become what only these know, and those who see it.
  void blurred(TokenId token, std::uint32_t knowers) const;

  // Who sees a token where it lies now.
  std::uint32_t seen_by(TokenId token) const;
  bool may_be(TokenId token, int viewer, int place) const {
    return (m_.places(token, viewer)[place >> 3] >> (place & 7) & 1) != 0;
  }
  int place_of(ZoneId zone) const {
    return zone.is_none() ? p_.secrets.places - 1 : p_.zones[zone].place;
  }

 private:
  std::uint32_t sight_of(ZoneId zone) const { return zone.is_none() ? 0 : p_.zones[zone].sight; }
  bool in_cloud(ZoneId zone) const { return !zone.is_none() && p_.zones[zone].count_hidden; }
  std::uint32_t narrow(std::uint32_t mask) const { return Memory::narrow(p_.players, mask); }

  const Memory& m_;
  const Program& p_;
};

}  // namespace parlor::kernel
