#include "play/tree.h"

#include <array>
#include <cmath>

#include "base/hash.h"

namespace parlor::play {
namespace {

constexpr std::size_t most_nodes = 40'000'000;
constexpr std::uint64_t any_draw = ~std::uint64_t{0};

// The k-th option to be tried at a node: a fixed permutation of n that differs from node to node,
// so that no list of tried options is needed.
std::size_t permuted(std::uint32_t salt, std::size_t k, std::size_t n) {
  constexpr std::size_t primes[] = {7919, 104729, 1299709};
  std::size_t stride = primes[0];
  for (const std::size_t prime : primes) {
    stride = prime;
    if (n % prime != 0) break;
  }
  return (mix(salt + 1) % n + k * (stride % n)) % n;
}

// The logarithm of n + 1. Most nodes are visited a few times; they are asked for theirs with every
// visit of their parent.
double log_of_next(std::uint32_t n) {
  static const auto known = [] {
    std::array<double, 1024> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(static_cast<double>(i) + 1);
    return out;
  }();
  return n < known.size() ? known[n] : std::log(static_cast<double>(n) + 1);
}

}  // namespace

SearchTree::SearchTree(const Game& game, const TreeSettings& settings)
    : game_(game),
      settings_(settings),
      resamples_(needs_resampling(game.info())),
      merges_chance_(game.info().hidden_information),
      proves_(game.info().players == 2 && !game.info().has_chance && !resamples_),
      scratch_(game, StateBlock{}) {
  nodes_.reserve(std::min<std::size_t>(settings.iterations * 2 + 16, most_nodes));
}

void SearchTree::begin(Seed seed) {
  rng_ = Rng(seed);
  nodes_.clear();
  kept_root_ = none;
  lowest_ = -1;
  highest_ = 1;
}

void SearchTree::advance(Option option, const State& after) {
  if (!settings_.reuse || resamples_ || kept_root_ == none) return;
  kept_root_ = find_child(kept_root_, option.id);
  if (kept_root_ != none) kept_hash_ = after.hash();
}

std::size_t SearchTree::search(const State& root, PlayerId seat, const std::atomic<bool>* wanted) {
  if (kept_root_ != none && kept_hash_ == root.hash()) {
    keep_subtree(kept_root_);
  } else {
    nodes_.clear();
    nodes_.emplace_back();
  }
  patience_ = {.wanted = wanted};
  if (settings_.milliseconds > 0)
    patience_.until =
        Patience::Clock::now() +
        std::chrono::microseconds(static_cast<std::int64_t>(settings_.milliseconds * 1000));
  std::size_t done = 0;
  for (; settings_.iterations == 0 || done < settings_.iterations; ++done) {
    if (nodes_[0].proof != Proof::none) break;
    if (wanted != nullptr && !wanted->load(std::memory_order_relaxed)) break;
    if (done > 0 && patience_.is_out()) break;
    iterate(root, seat);
  }
  kept_root_ = settings_.reuse && !resamples_ ? 0 : none;
  kept_hash_ = root.hash();
  return done;
}

void SearchTree::root_children(std::vector<RootChild>& out) const {
  out.clear();
  for (auto child = nodes_[0].first_child; child != none; child = nodes_[child].next) {
    const Node& node = nodes_[child];
    out.push_back({Option{node.option}, node.visits,
                   node.visits == 0 ? 0 : node.total / node.visits, node.proof});
  }
}

void SearchTree::iterate(const State& root, PlayerId seat) {
  scratch_.block() = root.block();
  if (resamples_) game_.resample_hidden(scratch_.block(), Viewer::player(seat), rng_);
  path_.clear();
  path_.push_back(0);
  while (descend()) {
  }
  const bool ended = proves_ && scratch_.finished();
  playout_.run(scratch_, rng_, settings_.depth, std::span{returns_}.first(game_.info().players),
               patience_);
  back_up();
  if (ended && proves_) prove();
}

bool SearchTree::descend() {
  const Decision decision = scratch_.decision();
  const std::uint32_t node = path_.back();
  switch (decision.kind) {
    case DecisionKind::finished:
      return false;
    case DecisionKind::chance:
      return descend_chance(node);
    default:
      return resamples_ ? descend_varying(node, decision.player)
                        : descend_fixed(node, decision.player);
  }
}

bool SearchTree::descend_chance(std::uint32_t node) {
  scratch_.list_options(options_);
  if (options_.empty()) return false;
  const Option drawn = options_[draw_option(options_, rng_)];
  const std::uint64_t key = merges_chance_ ? any_draw : drawn.id;
  std::uint32_t child = find_child(node, key);
  if (child == none) child = add_child(node, key, PlayerId::none());
  return enter(child, drawn);
}

bool SearchTree::descend_fixed(std::uint32_t node, PlayerId player) {
  const bool unlisted = nodes_[node].options == 0;
  if (unlisted) {
    scratch_.list_options(options_);
    if (options_.empty()) return false;
    nodes_[node].options = static_cast<std::uint32_t>(options_.size());
  }
  const Node& here = nodes_[node];
  if (here.children >= allowed(here, here.options)) {
    const std::uint32_t child = best_child(node);
    if (child != none) return enter(child, Option{nodes_[child].option});
    if (here.children == here.options) return false;  // everything loses
  }
  if (!unlisted) scratch_.list_options(options_);
  const Option option = options_[permuted(here.salt, here.children, options_.size())];
  enter(add_child(node, option.id, player), option);
  return false;
}

bool SearchTree::descend_varying(std::uint32_t node, PlayerId player) {
  scratch_.list_options(options_);
  if (options_.empty()) return false;
  listed_.assign(options_.size(), 0);
  present_.clear();
  for (auto child = nodes_[node].first_child; child != none; child = nodes_[child].next) {
    const auto found = std::ranges::find(options_, Option{nodes_[child].option});
    if (found == options_.end()) continue;
    listed_[static_cast<std::size_t>(found - options_.begin())] = 1;
    ++nodes_[child].available;
    present_.push_back(child);
  }
  if (present_.size() < allowed(nodes_[node], options_.size())) {
    std::size_t untried = pick_below(rng_, options_.size() - present_.size());
    std::size_t index = 0;
    while (listed_[index] != 0 || untried-- != 0) ++index;
    const std::uint32_t child = add_child(node, options_[index].id, player);
    nodes_[child].available = 1;
    enter(child, options_[index]);
    return false;
  }
  const std::uint32_t child = best_present();
  return child != none && enter(child, Option{nodes_[child].option});
}

// How much a child deserves the next visit, by the logarithm of how often it could have had one.
double SearchTree::worth(const Node& child, double log) const {
  const double visits = child.visits == 0 ? 0.5 : static_cast<double>(child.visits);
  return (child.total / visits - lowest_) * (1.0 / (highest_ - lowest_)) +
         settings_.exploration * std::sqrt(log / visits);
}

std::uint32_t SearchTree::best_child(std::uint32_t node) const {
  const double log = log_of_next(nodes_[node].visits);
  std::uint32_t best = none;
  double best_value = 0;
  for (auto index = nodes_[node].first_child; index != none; index = nodes_[index].next) {
    if (nodes_[index].proof == Proof::loss) continue;
    const double value = worth(nodes_[index], log);
    if (best != none && !(value > best_value)) continue;
    best = index;
    best_value = value;
  }
  return best;
}

std::uint32_t SearchTree::best_present() const {
  std::uint32_t best = none;
  double best_value = 0;
  for (const std::uint32_t index : present_) {
    const double value = worth(nodes_[index], log_of_next(nodes_[index].available));
    if (best != none && !(value > best_value)) continue;
    best = index;
    best_value = value;
  }
  return best;
}

std::uint32_t SearchTree::find_child(std::uint32_t node, std::uint64_t option) const {
  for (auto child = nodes_[node].first_child; child != none; child = nodes_[child].next)
    if (nodes_[child].option == option) return child;
  return none;
}

std::uint32_t SearchTree::add_child(std::uint32_t node, std::uint64_t option, PlayerId chooser) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node child;
  child.option = option;
  child.chooser = chooser;
  child.salt = index;
  child.next = nodes_[node].first_child;
  nodes_.push_back(child);
  nodes_[node].first_child = index;
  ++nodes_[node].children;
  return index;
}

std::uint32_t SearchTree::allowed(const Node& node, std::size_t options) const {
  if (nodes_.size() >= most_nodes) return node.children;
  if (options <= settings_.wide) return static_cast<std::uint32_t>(options);
  // The root is explored completely when the budget allows: a winning move must not be overlooked.
  if (&node == nodes_.data() && (settings_.iterations == 0 || settings_.iterations >= 4 * options))
    return static_cast<std::uint32_t>(options);
  const double more = std::pow(static_cast<double>(node.visits), settings_.widening);
  return static_cast<std::uint32_t>(
      std::min(options, settings_.wide + static_cast<std::size_t>(more)));
}

bool SearchTree::enter(std::uint32_t child, Option option) {
  if (!scratch_.apply(option)) return false;
  path_.push_back(child);
  return true;
}

void SearchTree::back_up() {
  for (std::size_t i = 0; i < game_.info().players; ++i) {
    lowest_ = std::min(lowest_, static_cast<double>(returns_[i]));
    highest_ = std::max(highest_, static_cast<double>(returns_[i]));
  }
  if (proves_ && (lowest_ < -1 || highest_ > 1)) forget_proofs();
  for (const std::uint32_t index : path_) {
    Node& node = nodes_[index];
    ++node.visits;
    if (!node.chooser.is_none()) node.total += static_cast<double>(returns_[node.chooser.index()]);
  }
}

// The path ended at the end of the game: goes up as long as the results are certain.
void SearchTree::prove() {
  if (returns_[0] + returns_[1] != 0 || returns_[0] == 0) return;
  Node& leaf = nodes_[path_.back()];
  if (leaf.chooser.is_none()) return;
  leaf.proof = returns_[leaf.chooser.index()] > 0 ? Proof::win : Proof::loss;
  for (std::size_t i = path_.size() - 1; i > 0; --i) {
    const PlayerId decider = nodes_[path_[i]].chooser;
    Node& node = nodes_[path_[i - 1]];
    const Proof proof = nodes_[path_[i]].proof == Proof::win ? Proof::win : proof_of_choices(node);
    if (proof == Proof::none) return;
    const bool same = node.chooser.is_none() || node.chooser == decider;
    node.proof = same ? proof : proof == Proof::win ? Proof::loss : Proof::win;
  }
}

// Returns are scores here, so a win may not be the best that can be had.
void SearchTree::forget_proofs() {
  proves_ = false;
  for (Node& node : nodes_) node.proof = Proof::none;
}

// A loss if everything that can be chosen loses.
SearchTree::Proof SearchTree::proof_of_choices(const Node& node) const {
  if (node.children < node.options) return Proof::none;
  for (auto child = node.first_child; child != none; child = nodes_[child].next)
    if (nodes_[child].proof != Proof::loss) return Proof::none;
  return Proof::loss;
}

// Copies the part below `root` into the spare arena, breadth first, and swaps the two.
void SearchTree::keep_subtree(std::uint32_t root) {
  if (root == 0) return;
  spare_.clear();
  spare_.push_back(nodes_[root]);
  spare_[0].next = none;
  for (std::uint32_t index = 0; index < spare_.size(); ++index) {
    std::uint32_t old = spare_[index].first_child;  // still an index into the old arena
    if (old == none) continue;
    spare_[index].first_child = static_cast<std::uint32_t>(spare_.size());
    for (; old != none; old = nodes_[old].next) {
      const bool last = nodes_[old].next == none;
      spare_.push_back(nodes_[old]);
      spare_.back().next = last ? none : static_cast<std::uint32_t>(spare_.size());
    }
  }
  nodes_.swap(spare_);
}

}  // namespace parlor::play
