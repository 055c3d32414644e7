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

const auto known_logarithms = [] {
  std::array<double, 1024> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(static_cast<double>(i) + 1);
  return out;
}();

// The logarithm of n + 1. Most nodes are visited a few times; they are asked for theirs with every
// visit of their parent.
double log_of_next(std::uint32_t n) {
  return n < known_logarithms.size() ? known_logarithms[n] : std::log(static_cast<double>(n) + 1);
}

}  // namespace

SearchTree::SearchTree(const Game& game, const TreeSettings& settings)
    : players_(game.info().players),
      settings_(settings),
      resamples_(needs_resampling(game.info())),
      merges_chance_(game.info().hidden_information),
      proves_(players_ == 2 && !game.info().has_chance && !resamples_),
      worlds_(resamples_ ? game.worlds() : nullptr),
      scratch_(game, StateBlock{}) {
  nodes_.reserve(std::min<std::size_t>(settings.iterations * 2 + 16, most_nodes));
}

void SearchTree::begin(Seed seed) {
  rng_ = Rng(seed);
  nodes_.clear();
  kept_root_ = none;
  lowest_ = -1;
  highest_ = 1;
  scale_ = 0.5;
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
  knows_root_ = false;
  if (resamples_) look_at(root, seat);
  std::size_t done = 0;
  for (; settings_.iterations == 0 || done < settings_.iterations; ++done) {
    if (nodes_[0].proof != Proof::none) break;
    if (wanted != nullptr && !wanted->load(std::memory_order_relaxed)) break;
    if (done > 0 && patience_.is_out()) break;
    iterate(root);
  }
  kept_root_ = settings_.reuse && !resamples_ ? 0 : none;
  if (kept_root_ != none) kept_hash_ = root.hash();
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

void SearchTree::look_at(const State& root, PlayerId seat) {
  worlds_->look_at(root.block(), Viewer::player(seat));
  const Decision decision = root.decision();
  knows_root_ = decision.kind != DecisionKind::chance && decision.player == seat;
  if (knows_root_) root.list_options(root_options_);
}

void SearchTree::iterate(const State& root) {
  at_root_ = false;
  if (resamples_)
    at_root_ = worlds_->deal(scratch_.block(), rng_) && knows_root_;
  else
    scratch_.block() = root.block();
  has_options_ = at_root_;
  path_.clear();
  path_.push_back(0);
  while (descend()) {
  }
  const bool ended = proves_ && scratch_.finished();
  if (at_root_) has_options_ = at_root_ = false;
  list_here();
  play_out(scratch_, options_, rng_, settings_.depth, std::span{returns_}.first(players_),
           patience_);
  back_up();
  if (ended && proves_) prove();
}

void SearchTree::list_here() {
  if (!has_options_) scratch_.list_options(options_);
  has_options_ = true;
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
  list_here();
  if (options_.empty()) return false;
  const Option drawn = options_[draw_option(options_, rng_)];
  const std::uint64_t key = merges_chance_ ? any_draw : drawn.id;
  std::uint32_t child = find_child(node, key);
  if (child == none) child = add_child(node, key, PlayerId::none());
  return enter(child, drawn, resamples_);
}

bool SearchTree::descend_fixed(std::uint32_t node, PlayerId player) {
  if (nodes_[node].options == 0) {
    list_here();
    if (options_.empty()) return false;
    nodes_[node].options = static_cast<std::uint32_t>(options_.size());
  }
  const Node& here = nodes_[node];
  if (here.children >= allowed(here, here.options)) {
    const std::uint32_t child = best_child(node);
    if (child != none) return enter(child, Option{nodes_[child].option}, false);
    if (here.children == here.options) return false;  // everything loses
  }
  list_here();
  const Option option = options_[permuted(here.salt, here.children, options_.size())];
  enter(add_child(node, option.id, player), option, true);
  return false;
}

// How much a child deserves the next visit, by the logarithm of how often it could have had one.
inline double SearchTree::worth(const Node& child, double log) const {
  using Two [[gnu::vector_size(2 * sizeof(double))]] = double;  // divided at once
  const double visits = child.visits == 0 ? 0.5 : static_cast<double>(child.visits);
  const Two each = Two{child.total, log} / Two{visits, visits};
  return (each[0] - lowest_) * scale_ + settings_.exploration * std::sqrt(each[1]);
}

// Mostly it is listed where it was the last time.
inline bool SearchTree::is_listed(Node& child, const OptionList& options) {
  const Option option{child.option};
  if (child.place < options.size() && options[child.place] == option) return true;
  const auto found = std::ranges::find(options, option);
  child.place = static_cast<std::uint32_t>(found - options.begin());
  return found != options.end();
}

bool SearchTree::descend_varying(std::uint32_t node, PlayerId player) {
  list_here();
  const OptionList& listed = options();
  if (listed.empty()) return false;
  std::size_t present = 0;
  std::uint64_t first_tried = 0;  // those that are listed among the first
  Best best;
  for (auto index = nodes_[node].first_child; index != none; index = nodes_[index].next) {
    Node& child = nodes_[index];
    if (!is_listed(child, listed)) continue;
    ++present;
    first_tried |= std::uint64_t{1} << (child.place % 64);
    ++child.available;
    best.see(index, worth(child, log_of_next(child.available)));
  }
  if (present >= allowed(nodes_[node], listed.size()))
    return best.child != none && enter(best.child, Option{nodes_[best.child].option}, true);
  const std::uint32_t place = pick_untried(node, present, first_tried);
  const Option option = listed[place];
  const std::uint32_t child = add_child(node, option.id, player);
  nodes_[child].available = 1;
  nodes_[child].place = place;
  enter(child, option, true);
  return false;
}

// The place of an option without a child.
std::uint32_t SearchTree::pick_untried(std::uint32_t node, std::size_t tried,
                                       std::uint64_t first_tried) {
  const OptionList& listed = options();
  std::size_t untried = pick_below(rng_, listed.size() - tried);
  if (listed.size() <= 64) {
    std::uint64_t left = ~first_tried;
    for (; untried != 0; --untried) left &= left - 1;
    return static_cast<std::uint32_t>(std::countr_zero(left));
  }
  listed_.assign(listed.size(), 0);
  for (auto index = nodes_[node].first_child; index != none; index = nodes_[index].next)
    if (is_listed(nodes_[index], listed)) listed_[nodes_[index].place] = 1;
  std::uint32_t place = 0;
  while (listed_[place] != 0 || untried-- != 0) ++place;
  return place;
}

std::uint32_t SearchTree::best_child(std::uint32_t node) const {
  const double log = log_of_next(nodes_[node].visits);
  Best best;
  for (auto index = nodes_[node].first_child; index != none; index = nodes_[index].next)
    if (nodes_[index].proof != Proof::loss) best.see(index, worth(nodes_[index], log));
  return best.child;
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

// `list`: the options there are needed, too.
bool SearchTree::enter(std::uint32_t child, Option option, bool list) {
  const Applied done = list ? scratch_.apply_and_list(option, options_) : scratch_.apply(option);
  has_options_ = list && done;
  at_root_ = false;
  if (done) path_.push_back(child);
  return done.has_value();
}

void SearchTree::widen_range(double worth) {
  lowest_ = std::min(lowest_, worth);
  highest_ = std::max(highest_, worth);
  scale_ = 1.0 / (highest_ - lowest_);
}

void SearchTree::back_up() {
  for (std::size_t i = 0; i < players_; ++i) {
    const auto worth = static_cast<double>(returns_[i]);
    if (worth < lowest_ || worth > highest_) [[unlikely]]
      widen_range(worth);
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
