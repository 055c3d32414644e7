// A state as numbers, as one player sees it: what tables and networks learn from. Which numbers
// there are follows from the rules; docs/python.md lists them.
//
//   board          planes over the cells of a grid (or the spaces of a map): tokens by type and
//                  owner
//   areas          hands, piles, boxes: how many tokens of each kind, and how many unseen
//   globals, players, zones    variables, scaled by their bounds
//   markers        states of markers, one-hot
//   effects, limits            timed effects in force, how often limited actions were taken
//   clock          phase, turn, round, whose decision of what kind
//   move           where the player is in the middle of a move: the question and what was chosen
#pragma once

#include <set>

#include "kernel/learn/actions.h"
#include "kernel/learn/told.h"

namespace parlor::kernel {

class Tensors {
 public:
  // `start` is a first state (empty: there is none); `lasting`: no tokens come after it.
  Tensors(const Program& program, const ActionNumbers& numbers, const StateBlock& start,
          bool lasting, bool hides, const std::set<int>& varying);

  std::span<const TensorPart> parts() const { return parts_; }
  // Where some part depends on the machine's frames, it has taken the half-made move at hand.
  // `told` is what the viewer may know of the decision.
  void observe(Machine& machine, const Eyes& eyes, const Decision& told,
               std::span<float> out) const;
  // Everything is seen by everybody, and no move is ever half made: the state alone says it all.
  bool plain() const { return plain_; }
  void observe_plain(const Memory& memory, int viewer, const Decision& told,
                     std::span<float> out) const;

 private:
  // A property of a type that shows on the board, one plane for each value; numbers have one plane.
  struct Shown {
    int prop = 0;
    int plane = 0;
    float scale = 1;            // of numbers
    std::vector<Value> values;  // of names; other names have the plane behind these
    bool number = false;
  };
  struct Type {
    int plane = -1;         // the first; -1: it is never shown on the board
    int owner = -1;         // property that names the owner
    int owner_column = -1;  // where it is a number: its cell
    float weight = 1;       // of one token
    std::vector<Shown> shown;
  };
  // How a viewer is shown a token of a type that everybody sees, with nothing but its owner to
  // tell: one addition at a place that two look-ups give.
  struct Quick {
    bool applies = false;
    std::uint32_t owner_at = 0;  // where in the token's record; without owners it does not matter
    float weight = 1;
    std::array<std::uint32_t, max_players + 1> plane{};  // by owner, nobody last: its first number
  };

  void find_types(const StateBlock& start, bool lasting);
  void find_shown(Type& type, int index, const std::vector<TokenId>& tokens, bool lasting,
                  Machine& machine);
  void lay_out_board();
  void find_quick_ways();
  void lay_out_areas(const StateBlock& start, bool lasting, const std::set<int>& varying);
  void lay_out_rest();
  std::size_t add_part(std::string name, std::vector<std::size_t> shape, std::string layout,
                       float low = 0, float high = 1);

  // Who looks at what.
  struct Look {
    const Memory& memory;
    int viewer;
    const Eyes* eyes;  // only where something is hidden
  };

  int relative(int player, int viewer) const {
    return player >= viewer ? player - viewer : player - viewer + p_.players;
  }
  int owner_of(const Memory& memory, const Type& type, TokenId token) const;
  void put_token(const Memory& memory, TokenId token, int cell, int viewer, float* board) const;
  void put_property(const Memory& memory, TokenId token, const Type& type, const Shown& shown,
                    float* column) const;
  std::size_t kind_of(const Memory& memory, TokenId token) const;
  void put_state(const Look& look, const Decision& told, std::span<float> out) const;
  void put_tokens(const Look& look, std::span<float> out) const;
  void put_any_token(const Look& look, TokenId token, float* board, float* areas) const;
  void put_variables(const Look& look, std::span<float> out) const;
  void put_markers(const Look& look, std::span<float> out) const;
  void put_effects(const Memory& memory, int viewer, std::span<float> out) const;
  void put_clock(const Memory& memory, int viewer, const Decision& told,
                 std::span<float> out) const;
  void put_move(Machine& machine, const Eyes& eyes, std::span<float> out) const;
  void mark(Machine& machine, const Eyes& eyes, Value value, float* row) const;

  const Program& p_;
  Told told_;
  bool hides_;
  bool plain_ = false;
  bool has_mask_ = false;
  bool has_variables_ = false, has_markers_ = false, has_effects_ = false;
  std::vector<TensorPart> parts_;
  std::size_t size_ = 0;

  std::vector<Type> types_;
  std::vector<Quick> quick_;   // by viewer and type
  std::vector<Symbol> seats_;  // their names, by player
  int planes_ = 0;
  int unseen_plane_ = -1;
  float most_ = 1;              // of a plane
  Table<ZoneId, int> cell_of_;  // -1: not on the board
  std::size_t cells_ = 0;
  Table<ZoneId, int> area_of_;  // its row if its owner is the viewer, or has none; -1
  std::vector<int> kind_of_;    // by token; empty: kinds are types
  std::vector<std::uint16_t> type_of_kind_;
  std::vector<float> kind_weight_;
  std::size_t kinds_ = 0, area_rows_ = 0;
  std::vector<ZoneId> zones_;  // those that players know of
  std::size_t marker_states_ = 0;
  // First numbers of the parts.
  std::size_t board_ = 0, areas_ = 0, globals_ = 0, players_ = 0, zone_vars_ = 0, markers_ = 0,
              global_markers_ = 0, effects_ = 0, limits_ = 0, clock_ = 0, move_ = 0;
  // The move part: the questions, then for each parameter and for all choices what was chosen.
  std::map<int, int> questions_;                 // by code address
  std::map<UnitId, std::vector<SlotId>> bound_;  // slots that hold what was chosen
  Table<UnitId, int> action_of_unit_;            // -1: of none
  ValueNumbers chosen_;
  std::size_t param_rows_ = 0;
};

}  // namespace parlor::kernel
