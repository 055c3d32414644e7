// Monte Carlo tree search over options. One tree serves all kinds of games:
//
//   * With perfect information and no dice inside the state, the options of a node are always the
//     same, so descending needs no listing of options at all.
//   * Otherwise every iteration starts from a state whose hidden part was resampled from the seat's
//     point of view, and a node holds the options met so far. A child competes only when it is
//     available, and is judged by how often it was (information-set search).
//
// Chance decisions are nodes whose child is drawn by weight. Where information is hidden, all draws
// share one child: the deciding player must not tell apart what they cannot see.
//
// In games of two players without chance or hidden information, results that are certain are
// proved on the way back: a node from which one choice wins is won, one whose every choice loses is
// lost. Lost choices get no further visits, and a root that is proved ends the search.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "game/worlds.h"
#include "play/playout.h"

namespace parlor::play {

struct TreeSettings {
  std::size_t iterations = 1000;  // 0: only time limits
  double milliseconds = 0;        // 0: only iterations limit
  double exploration = 1.0;
  std::size_t wide = 40;     // lists up to this length are explored completely
  double widening = 0.5;     // of longer ones wide + visits^widening options
  std::size_t depth = 2000;  // decisions of a playout
  bool reuse = true;
};

class SearchTree {
 public:
  SearchTree(const Game& game, const TreeSettings& settings);

  void begin(Seed seed);
  // Follows a choice that was really made, so that the next search can build on this one.
  void advance(Option option, const State& after);
  // Gives the number of iterations: fewer than asked for when the root was proved.
  std::size_t search(const State& root, PlayerId seat, const std::atomic<bool>* wanted = nullptr);
  // Another limit on time for the searches to come.
  void limit_time(double milliseconds) { settings_.milliseconds = milliseconds; }

  // What is certain about a choice, for the player who makes it.
  enum class Proof : std::uint8_t { none, win, loss };

  struct RootChild {
    Option option;
    std::uint32_t visits;
    double mean;  // return of the deciding player
    Proof proof;
  };
  // The options tried at the root, in no particular order; valid after `search`.
  void root_children(std::vector<RootChild>& out) const;
  std::size_t node_count() const { return nodes_.size(); }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Node {
    std::uint64_t option = 0;
    double total = 0;  // of the returns of the player who chose this node
    std::uint32_t visits = 0;
    std::uint32_t available = 0;
    std::uint32_t first_child = none;
    std::uint32_t next = none;  // the next child of the same parent
    std::uint32_t options = 0;  // how many the node has; 0: not listed yet
    std::uint32_t children = 0;
    std::uint32_t salt = 0;   // shuffles the order in which options are tried
    std::uint32_t place = 0;  // where the option was listed the last time
    PlayerId chooser;         // none for chance and the root
    Proof proof = Proof::none;
  };

  // The child that deserves the next visit most, of those seen so far; of equals the first. Which
  // is better is mostly luck, and nothing for the processor to guess: numbers that are not negative
  // compare like their bits, which takes no branch.
  struct Best {
    std::uint32_t child = none;
    std::uint64_t worth = 0;  // one more than the bits

    void see(std::uint32_t other, double worth_of_other) {
      const std::uint64_t bits = std::bit_cast<std::uint64_t>(worth_of_other) + 1;
      child = bits > worth ? other : child;
      worth = bits > worth ? bits : worth;
    }
  };

  void look_at(const State& root, PlayerId seat);
  void iterate(const State& root);
  void list_here();
  // Moves `scratch_` and the path one decision on; false when the playout should begin.
  bool descend();
  bool descend_chance(std::uint32_t node);
  bool descend_fixed(std::uint32_t node, PlayerId player);
  bool descend_varying(std::uint32_t node, PlayerId player);
  std::uint32_t pick_untried(std::uint32_t node, std::size_t tried, std::uint64_t first_tried);
  double worth(const Node& child, double log) const;
  std::uint32_t best_child(std::uint32_t node) const;
  std::uint32_t find_child(std::uint32_t node, std::uint64_t option) const;
  std::uint32_t add_child(std::uint32_t node, std::uint64_t option, PlayerId chooser);
  std::uint32_t allowed(const Node& node, std::size_t options) const;
  bool enter(std::uint32_t child, Option option, bool list);
  // Of the node where the path is.
  const OptionList& options() const { return at_root_ ? root_options_ : options_; }
  static bool is_listed(Node& child, const OptionList& options);
  void widen_range(double worth);
  void back_up();
  void prove();
  void forget_proofs();
  Proof proof_of_choices(const Node& node) const;
  void keep_subtree(std::uint32_t root);

  const std::size_t players_;
  TreeSettings settings_;
  bool resamples_;
  bool merges_chance_;
  bool proves_;
  Rng rng_;
  std::vector<Node> nodes_;
  std::vector<Node> spare_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint8_t> listed_;  // per listed option: whether a child exists
  std::unique_ptr<Worlds> worlds_;    // of the root, where they are resampled
  State scratch_;
  OptionList options_;
  bool has_options_ = false;  // those of `scratch_`
  // What the deciding player may do at the root, which is the same in every world that fits.
  OptionList root_options_;
  bool knows_root_ = false, at_root_ = false;
  Patience patience_;
  Returns returns_{};
  double lowest_ = -1;  // range of returns seen, so that `exploration` means the same in every game
  double highest_ = 1;
  double scale_ = 0.5;  // 1 / (highest - lowest)
  std::uint32_t kept_root_ = none;
  std::uint64_t kept_hash_ = 0;
};

}  // namespace parlor::play
