// The worlds of one state and viewer, made again and again by a search: what there is to deal is
// found out once, and so is what a world must agree with to fit. Where tokens alone are dealt, and
// few, each world is kept, with whether it fits. What comes out, and what is drawn for it, is what
// dealing anew would give.
#pragma once

#include <array>

#include "game/worlds.h"
#include "kernel/know/hidden.h"

namespace parlor::kernel {

class KernelGame;

// What a viewer is told by what they may do, or by how the game has ended.
struct Evidence {
  OptionList options;
  Json places;
  std::optional<Outcome> ended;
};

class KeptWorlds {
 public:
  // For those who ask for one world at a time (Game::resample_hidden).
  static KeptWorlds& of_this_thread();

  void look_at(const KernelGame& game, const StateBlock& real, const Eyes& eyes);
  // Makes `world` one of those of the state that was looked at, by the same viewer. False: it may
  // not fit.
  bool deal(const KernelGame& game, const Eyes& eyes, StateBlock& world, Rng& rng);

 private:
  enum class Verdict : std::uint8_t { unknown, fits, contradicts };
  static constexpr std::size_t most_kept = 256, places = 2 * most_kept;
  struct Kept {
    std::uint64_t dealt = 0;  // DealPlan::assigned
    StateBlock block;
    Verdict verdict = Verdict::unknown;
  };

  bool knows(const Program& program, const StateBlock& real, const Eyes& eyes) const;
  bool differ_in_tokens_only(const Program& program) const;
  std::uint16_t& number_of(std::uint64_t dealt);
  Verdict& keep(std::uint64_t dealt, const StateBlock& world);
  Verdict& deal_tokens(const Program& program, const Eyes& eyes, StateBlock& world, Rng& rng);
  Verdict& deal_tokens_only(const Program& program, const Eyes& eyes, StateBlock& world, Rng& rng);
  void carry_out(const Program& program, const Eyes& eyes, StateBlock& world, Rng& rng);
  Verdict& deal_all(const KernelGame& game, const Eyes& eyes, StateBlock& world, Rng& rng);

  // What was looked at, by whom.
  std::uint64_t serial_ = 0;  // of the Program; 0: nothing
  int viewer_ = -1;
  bool sees_all_ = false;
  const Profile* profile_ = nullptr;
  StateBlock real_;
  bool hides_ = false;        // something from the viewer
  bool over_ = false;         // it is how a game has ended
  bool checks_ = false;       // worlds may contradict what the viewer sees
  bool tokens_only_ = false;  // are all that is dealt
  Evidence evidence_;
  DealPlan plan_;

  std::vector<Kept> kept_;  // the first `worlds_` of them
  std::size_t worlds_ = 0;
  std::array<std::uint16_t, places> numbers_{};  // of kept worlds, from 1, by key; 0: free
  Verdict other_ = Verdict::unknown;             // of a world that is not kept
};

// KernelGame::worlds.
class WorldsOfGame final : public Worlds {
 public:
  explicit WorldsOfGame(const KernelGame& game) : game_(game) {}
  void look_at(const StateBlock& real, const Viewer& viewer) override;
  bool deal(StateBlock& world, Rng& rng) override { return kept_.deal(game_, *eyes_, world, rng); }

 private:
  const KernelGame& game_;
  std::optional<Eyes> eyes_;
  KeptWorlds kept_;
};

}  // namespace parlor::kernel
