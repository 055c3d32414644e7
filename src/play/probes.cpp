#include "play/probes.h"

#include <map>
#include <unordered_map>

#include "base/hash.h"

namespace parlor::play {
namespace {

// Whether `player` can force a win, treating everybody else and chance as adversaries. Where
// something is hidden, what counts is what the player knows: worlds they cannot tell apart get the
// same answer, and it must win in all of them.
class WinSearch {
 public:
  WinSearch(PlayerId player, std::uint64_t most_nodes)
      : player_(player), viewer_(Viewer::player(player)), left_(most_nodes) {}

  // `moves`: how many moves the player may still begin.
  bool wins(const State& state, int moves, std::string* first) {
    if (!state.game().info().hidden_information) return wins_alike({state}, moves, first);
    constexpr int others = 7;
    std::vector<State> worlds{state};
    Rng rng(state.view_hash(viewer_));
    for (int i = 0; i < others; ++i) {
      worlds.push_back(state);
      state.game().resample_hidden(worlds.back().block(), viewer_, rng);
    }
    return wins_all(std::move(worlds), moves, first);
  }
  bool gave_up() const { return left_ == 0; }

 private:
  // Worlds of which the player may be able to tell some apart.
  bool wins_all(std::vector<State> worlds, int moves, std::string* first) {
    std::map<std::uint64_t, std::vector<State>> alike;
    for (State& world : worlds) {
      const bool open = !world.game().info().hidden_information;
      const std::uint64_t seen =
          open ? alike.size()
               : hash_text(canonical(decision_to_json(world, viewer_)), world.view_hash(viewer_));
      alike[seen].push_back(std::move(world));
    }
    return std::ranges::all_of(
        alike, [&](const auto& group) { return wins_alike(group.second, moves, first); });
  }

  // Worlds that the player cannot tell apart.
  bool wins_alike(const std::vector<State>& worlds, int moves, std::string* first) {
    if (left_ < worlds.size()) left_ = 0;
    if (left_ == 0) return false;
    left_ -= worlds.size();
    const Decision decision = worlds.front().decision();
    if (decision.kind == DecisionKind::finished)
      return std::ranges::all_of(worlds, [&](const State& world) { return won(world); });
    const bool mine = decision.player == player_;
    if (mine && decision.starts_move && moves-- == 0) return false;
    OptionList options;
    worlds.front().list_options(options);
    if (!mine) return wins_whatever(worlds, moves);
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto next = after(worlds, i);
      if (next.size() != worlds.size() || !wins_all(std::move(next), moves, nullptr)) continue;
      if (first != nullptr) *first = worlds.front().option_text(options[i], viewer_);
      return true;
    }
    return false;
  }

  // The player's i-th option, taken in every world.
  std::vector<State> after(const std::vector<State>& worlds, std::size_t i) const {
    std::vector<State> out;
    OptionList options;
    for (const State& world : worlds) {
      world.list_options(options);
      State next = world;
      if (i < options.size() && next.apply(options[i])) out.push_back(std::move(next));
    }
    return out;
  }

  bool wins_whatever(const std::vector<State>& worlds, int moves) {
    std::vector<State> next;
    OptionList options;
    for (const State& world : worlds) {
      world.list_options(options);
      if (options.empty()) return false;
      for (const Option option : options) {
        next.push_back(world);
        if (!next.back().apply(option)) return false;
        // One after the other where each is a world of its own: the first that is not won ends it.
        if (world.game().info().hidden_information) continue;
        if (!wins_alike({next.back()}, moves, nullptr)) return false;
        next.clear();
      }
      if (next.size() > left_) left_ = 0;
      if (left_ == 0) return false;
    }
    return next.empty() || wins_all(std::move(next), moves, nullptr);
  }

  bool won(const State& state) const {
    const Outcome outcome = state.outcome();
    return outcome.winners.size() == 1 && outcome.winners[0] == player_;
  }

  PlayerId player_;
  Viewer viewer_;
  std::uint64_t left_;
};

// A position without the counters that would make every turn look new.
std::uint64_t position_key(const State& state) {
  Json view = state.view();
  if (view.is_object())
    for (const char* counter : {"turn", "round", "hash", "turnCount", "moves", "revision"})
      view.erase(counter);
  return hash_text(canonical(view));
}

class RepetitionFinder final : public GameObserver {
 public:
  void on_decision(const State& state, const OptionList& options, std::size_t picked) override {
    const std::uint64_t number = texts_.size();
    texts_.push_back(number < most ? state.option_text(options[picked]) : std::string());
    if (number >= most || !state.decision().starts_move) return;
    auto [entry, fresh] = seen_.try_emplace(position_key(state), Seen{number, number, 0});
    ++entry->second.times;
    if (fresh) return;
    if (entry->second.times > best_.times)
      best_ = {0, entry->second.last, number, entry->second.times, {}};
    entry->second.last = number;
  }

  std::optional<Repetition> found(std::uint64_t game) {
    constexpr std::uint64_t enough = 3;
    if (best_.times < enough) return std::nullopt;
    Repetition repetition = best_;
    repetition.game = game;
    constexpr std::uint64_t shown = 12;
    for (std::uint64_t i = best_.first; i < best_.second && i < best_.first + shown; ++i)
      repetition.between.push_back(texts_[i]);
    return repetition;
  }

 private:
  static constexpr std::uint64_t most = 3000;
  struct Seen {
    std::uint64_t first;
    std::uint64_t last;
    std::uint64_t times;
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::vector<std::string> texts_;
  Repetition best_{};
};

class SpecialistAgent final : public Agent {
 public:
  explicit SpecialistAgent(std::string action) : action_(std::move(action)) {}
  void sit_down(const State&, PlayerId, Seed seed) override { rng_ = Rng(seed); }
  std::size_t decide(const State& state, const OptionList& options) override {
    wanted_.clear();
    if (state.decision().kind == DecisionKind::action)
      for (std::size_t i = 0; i < options.size(); ++i)
        if (action_name(state.option_json(options[i])) == action_) wanted_.push_back(i);
    if (wanted_.empty()) return pick_below(rng_, options.size());
    return wanted_[pick_below(rng_, wanted_.size())];
  }

 private:
  std::string action_;
  Rng rng_;
  std::vector<std::size_t> wanted_;
};

}  // namespace

std::optional<ForcedWin> find_forced_win(const Game& game, int moves, Seed seed) {
  constexpr int starts = 10;
  constexpr int enough = 9;
  constexpr std::uint64_t most_nodes = 20'000;
  for (std::size_t player = 0; player < game.info().players; ++player) {
    for (int own = 1; own <= moves; ++own) {
      int wins = 0;
      std::string first;
      for (int i = 0; i < starts && i - wins <= starts - enough; ++i) {
        const auto state = game.start(derive_seed(seed, static_cast<std::uint64_t>(i)));
        if (!state) break;
        WinSearch search(PlayerId{player}, most_nodes);
        if (!state->finished() && search.wins(*state, own, &first)) ++wins;
        if (search.gave_up()) break;
      }
      if (wins >= enough) return ForcedWin{PlayerId{player}, own, first};
    }
  }
  return std::nullopt;
}

std::vector<Repetition> find_repetitions(const Game& game, const Study& study,
                                         const StudyOptions& options, std::size_t most_games) {
  std::vector<Repetition> found;
  const auto makers = find_agents(options.agents, game);
  if (!makers) return found;
  std::size_t looked_at = 0;
  for (const GameSample& sample : study.games) {
    if (sample.finished || sample.decisions + 1 < options.max_decisions / 2) continue;
    if (looked_at++ == most_games) break;
    GameTable table(game, *makers, options.rotate);
    RepetitionFinder finder;
    if (!table.play(sample.index, options.seed,
                    std::min<std::uint64_t>(options.max_decisions, 3000), &finder))
      continue;
    if (auto repetition = finder.found(sample.index)) found.push_back(std::move(*repetition));
  }
  return found;
}

Specialist try_specialist(const Game& game, const std::string& action,
                          const EvaluationOptions& options) {
  std::vector<AgentMaker> makers{[&action] { return std::make_unique<SpecialistAgent>(action); }};
  const AgentMaker random = find_agent("random", game).value();
  while (makers.size() < game.info().players) makers.push_back(random);
  GameTable table(game, makers, true);
  Specialist specialist{action, {}, {}};
  for (std::uint64_t i = 0; i < options.games; ++i) {
    if (options.cancel != nullptr && *options.cancel) break;
    const auto record = table.play(i, derive_seed(options.seed, 77), options.max_decisions);
    if (!record || !(*record)->finished) continue;
    // The specialist is agent 0: it sits where (seat + i) mod n is 0.
    const std::size_t players = game.info().players;
    const std::size_t seat = (players - i % players) % players;
    specialist.tally.count(*(*record)->outcome, seat, players);
  }
  const Tally& tally = specialist.tally;
  specialist.interval =
      wilson(tally.score() * static_cast<double>(tally.games), static_cast<double>(tally.games));
  return specialist;
}

}  // namespace parlor::play
