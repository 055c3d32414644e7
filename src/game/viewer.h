// Who looks at a game, and who may know of something.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/id.h"

namespace parlor {

using PlayerId = Id<struct PlayerTag, std::uint8_t>;  // 0-based; at most max_players
inline constexpr std::size_t max_players = 16;

// Who looks at a game: a player, somebody who only watches, or a tool that may see everything.
class Viewer {
 public:
  static Viewer everything() {
    Viewer viewer;
    viewer.sees_all_ = true;
    return viewer;
  }
  // `profile` names an observer that the game declares (docs/language.md, "Who sees what"): the
  // player sees through its eyes.
  static Viewer player(PlayerId id, std::string profile = {}) {
    Viewer viewer;
    viewer.player_ = id;
    viewer.profile_ = std::move(profile);
    return viewer;
  }
  // A spectator: sees what everybody may see, or what the game says of the observer of this name.
  static Viewer observer(std::string profile = {}) {
    Viewer viewer;
    viewer.profile_ = std::move(profile);
    return viewer;
  }
  bool sees_all() const { return sees_all_; }
  bool is(PlayerId player) const { return !player.is_none() && player_ == player; }
  PlayerId id() const { return player_; }  // none for spectators and tools
  const std::string& profile() const { return profile_; }

  friend bool operator==(const Viewer&, const Viewer&) = default;

 private:
  Viewer() = default;
  PlayerId player_;
  bool sees_all_ = false;
  std::string profile_;
};

// Some of the players, and perhaps those who only watch.
class Audience {
 public:
  // Those who look through an observer that the game declares may see more than they do otherwise,
  // or less.
  struct Through {
    std::string observer;
    std::uint32_t seen;     // who see it so
    std::uint32_t noticed;  // who, not seeing it, may be told what the others are told
    friend bool operator==(const Through&, const Through&) = default;
  };

  static Audience everybody() { return Audience{~std::uint32_t{0}}; }
  static Audience nobody() { return Audience{0}; }
  // The lowest bits are players; the one above max_players stands for spectators.
  static Audience of_bits(std::uint32_t bits, std::vector<Through> through = {}) {
    return Audience{bits, std::move(through)};
  }
  static std::uint32_t bit_of(const Viewer& viewer) {
    return std::uint32_t{1} << (viewer.id().is_none() ? max_players : viewer.id().index());
  }

  std::uint32_t bits() const { return bits_; }
  const std::vector<Through>& through() const { return through_; }
  bool has(const Viewer& viewer) const {
    if (viewer.sees_all()) return true;
    const Through* const eyes = eyes_of(viewer);
    return ((eyes != nullptr ? eyes->seen : bits_) & bit_of(viewer)) != 0;
  }
  // Whether somebody who is not among them may be told that something happened.
  bool may_notice(const Viewer& viewer) const {
    const Through* const eyes = eyes_of(viewer);
    return eyes == nullptr || (eyes->noticed & bit_of(viewer)) != 0;
  }
  friend bool operator==(const Audience&, const Audience&) = default;

 private:
  explicit Audience(std::uint32_t bits, std::vector<Through> through = {})
      : bits_(bits), through_(std::move(through)) {}
  const Through* eyes_of(const Viewer& viewer) const {
    for (const Through& one : through_)
      if (one.observer == viewer.profile()) return &one;
    return nullptr;
  }

  std::uint32_t bits_;
  std::vector<Through> through_;  // empty: as they see otherwise
};

}  // namespace parlor
