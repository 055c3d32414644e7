#include "play/agent.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/hash.h"
#include "play/agent_list.h"
#include "play/playout.h"

namespace parlor::play {
namespace {

class RandomAgent final : public Agent {
 public:
  RandomAgent() : Agent(Blind{}) {}
  void sit_down(const State&, PlayerId, Seed) override {}
  std::size_t decide(const State&, const OptionList& options) override {
    return pick_blindly(options);
  }
};

std::string fits_all(const GameInfo&) {
  return {};
}

std::string needs_open_information(const GameInfo& info) {
  return info.hidden_information ? "it hides information; use `ismcts`" : "";
}

std::string needs_open_duel(const GameInfo& info) {
  if (info.players != 2) return fmt::format("it has {} players, not two", info.players);
  if (info.hidden_information) return "it hides information; use `ismcts`";
  return info.has_chance ? "it has chance; use `mcts`" : "";
}

std::string needs_explicit_duel(const GameInfo& info) {
  if (info.players != 2) return fmt::format("it has {} players, not two", info.players);
  if (info.has_chance && !info.explicit_chance)
    return "its chance must show as decisions; open it with explicit chance";
  return {};
}

constexpr std::array greedy_parameters{
    AgentParameter{"samples", 8, 1, 10'000, "looks per option where chance or choices follow"},
};
constexpr std::array flat_parameters{
    AgentParameter{"playouts", 200, 1, 1e9, "random games per decision, shared by the options"},
    AgentParameter{"depth", 2000, 1, 1e9, "decisions after which a playout is judged as it stands"},
};
constexpr std::array tree_parameters{
    AgentParameter{"iters", 1000, 0, 1e9, "iterations per decision; 0: only `ms` limits"},
    AgentParameter{"ms", 0, 0, 1e9, "milliseconds per decision; 0: only `iters` limits"},
    AgentParameter{"move", 0, 0, 1e9,
                   "milliseconds per move with all its choices, each of which may take half of "
                   "what is left; 0: no limit"},
    AgentParameter{"c", 0.7, 0, 100, "exploration, for returns scaled to 0..1"},
    AgentParameter{"wide", 40, 1, 1e9, "option lists up to this length are explored completely"},
    AgentParameter{"widen", 0.5, 0, 1, "longer lists: wide + visits^widen options are explored"},
    AgentParameter{"depth", 2000, 1, 1e9, "decisions after which a playout is judged as it stands"},
    AgentParameter{"reuse", 1, 0, 1,
                   "1: keep the tree from one decision to the next where possible"},
    AgentParameter{"threads", 1, 1, 256, "trees searched side by side; their roots are added up"},
};
constexpr std::array alphabeta_parameters{
    AgentParameter{"depth", 4, 1, 100, "whole moves to look ahead"},
    AgentParameter{"nodes", 0, 0, 1e15, "positions per decision; 0: no limit"},
    AgentParameter{"ms", 0, 0, 1e9, "milliseconds per decision; 0: no limit"},
    AgentParameter{"table", 16, 4, 28, "the transposition table has 2^table entries"},
};
constexpr std::array cfr_parameters{
    AgentParameter{"iters", 1000, 1, 1e9, "iterations of the solver, done once"},
    AgentParameter{"plus", 1, 0, 1, "1: CFR+, 0: plain CFR"},
    AgentParameter{"nodes", 2e6, 1, 1e9, "the largest game tree that is still solved"},
};

constexpr std::array kinds{
    AgentKind{"random", "picks uniformly among the options", {}, fits_all, prepare_random},
    AgentKind{"greedy", "looks one move ahead, at the game's own score or material",
              greedy_parameters, fits_all, prepare_greedy},
    AgentKind{"flat", "plays every option out at random and takes the best mean", flat_parameters,
              fits_all, prepare_flat},
    AgentKind{"mcts", "Monte Carlo tree search (UCT), for perfect information", tree_parameters,
              needs_open_information, prepare_mcts},
    AgentKind{"ismcts", "tree search over information sets, for hidden information",
              tree_parameters, fits_all, prepare_ismcts},
    AgentKind{"alphabeta", "deepening alpha-beta, for two players, perfect information, no chance",
              alphabeta_parameters, needs_open_duel, prepare_alphabeta},
    AgentKind{"cfr", "plays a near-equilibrium found by CFR, for small two-player games",
              cfr_parameters, needs_explicit_duel, prepare_cfr},
};

Diagnostic complain(Code code, std::string message, std::vector<std::string> alternatives = {}) {
  Diagnostic diagnostic{.code = code, .message = std::move(message)};
  diagnostic.alternatives = std::move(alternatives);
  return diagnostic;
}

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

tl::expected<const AgentKind*, Diagnostic> find_kind(std::string_view name) {
  for (const AgentKind& kind : agent_kinds())
    if (kind.name == name) return &kind;
  const auto names = names_of(agent_kinds());
  return tl::unexpected(complain(
      Code::AGENT_UNKNOWN,
      fmt::format("there is no agent `{}`; the agents are {}", name, fmt::join(names, ", ")),
      did_you_mean(name, names)));
}

// One `key=value` of an agent's text.
tl::expected<void, Diagnostic> read_setting(const AgentKind& kind, std::string_view text,
                                            AgentSettings& settings) {
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto names = names_of(kind.parameters);
  const AgentParameter* parameter = nullptr;
  for (const AgentParameter& candidate : kind.parameters)
    if (candidate.name == name) parameter = &candidate;
  if (parameter == nullptr)
    return tl::unexpected(complain(
        Code::AGENT_PARAMETER,
        names.empty() ? fmt::format("agent `{}` has no parameters, so no `{}`", kind.name, name)
                      : fmt::format("agent `{}` has no parameter `{}`; it has {}", kind.name, name,
                                    fmt::join(names, ", ")),
        did_you_mean(name, names)));
  const std::string_view digits =
      equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    return tl::unexpected(
        complain(Code::AGENT_PARAMETER,
                 fmt::format("`{}` of agent `{}` needs a number, as in `{}={}`, not `{}`", name,
                             kind.name, name, parameter->fallback, digits)));
  if (value < parameter->low || value > parameter->high)
    return tl::unexpected(complain(
        Code::AGENT_PARAMETER, fmt::format("`{}` of agent `{}` must be from {} to {}, not {}", name,
                                           kind.name, parameter->low, parameter->high, digits)));
  settings.set(name, value);
  return {};
}

}  // namespace

PreparedAgent prepare_random(const Game&, const AgentSettings&) {
  return AgentMaker([] { return std::make_unique<RandomAgent>(); });
}

const State& Agent::made_up_world(const State& state) {
  if (!world_ || &world_->game() != &state.game()) world_.emplace(state.game(), StateBlock{});
  world_->block() = state.block();
  world_->game().resample_hidden(world_->block(), Viewer::player(seat_), rng_);
  return *world_;
}

void Agent::begin_looking(const State& state, Seed seed) {
  constexpr std::uint64_t worlds = 4711;  // a stream of its own
  guesses_ = needs_resampling(state.game().info());
  if (guesses_) rng_ = Rng(derive_seed(seed, worlds));
  if (needs_history()) decider_ = state.decision().player;
  sit_down(seen_by_seat(state), seat_, seed);
}

std::size_t Agent::choose_in_made_up_world(const State& state, const OptionList& options) {
  const State& seen = made_up_world(state);
  seen.list_options(own_);
  // As many as there are in truth, unless the rules let them depend on what is hidden and no world
  // was found that fits (docs/hidden-information.md).
  return decide(seen, own_.size() == options.size() ? own_ : options);
}

void Agent::observe(Option option, const State& after) {
  if (!needs_history()) return;
  const bool own = decider_ == seat_;
  decider_ = after.decision().player;
  const State& seen = seen_by_seat(after);
  follow(own || &seen == &after ? option : unseen, seen);
}

void Agent::follow(Option, const State&) {}

AgentSettings::AgentSettings(std::span<const AgentParameter> parameters) : parameters_(parameters) {
  for (const AgentParameter& parameter : parameters) values_.push_back(parameter.fallback);
}

double AgentSettings::number(std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return values_[i];
  return 0;
}

std::size_t AgentSettings::count(std::string_view name) const {
  return static_cast<std::size_t>(number(name));
}

bool AgentSettings::set(std::string_view name, double value) {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return values_[i] = value, true;
  return false;
}

std::span<const AgentKind> agent_kinds() {
  return kinds;
}

namespace {

struct AskedAgent {
  const AgentKind* kind;
  AgentSettings settings;
};

tl::expected<AskedAgent, Diagnostic> read_agent(std::string_view text, const Game& game) {
  const auto colon = text.find(':');
  const auto kind = find_kind(text.substr(0, colon));
  if (!kind) return tl::unexpected(kind.error());
  AgentSettings settings((*kind)->parameters);
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    if (auto read = read_setting(**kind, rest.substr(0, comma), settings); !read)
      return tl::unexpected(read.error());
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  if (const std::string why = (*kind)->unfit(game.info()); !why.empty())
    return tl::unexpected(
        complain(Code::AGENT_UNFIT,
                 fmt::format("agent `{}` cannot play {}: {}", (*kind)->name, game.info().id, why)));
  return AskedAgent{*kind, std::move(settings)};
}

tl::expected<void, Diagnostic> check_seats(std::size_t agents, const Game& game) {
  const std::size_t seats = game.info().players;
  if (agents == 1 || agents == seats) return {};
  return tl::unexpected(complain(
      Code::AGENT_SEATS,
      fmt::format("{} has {} seats, but {} agents were given", game.info().id, seats, agents)));
}

}  // namespace

tl::expected<AgentMaker, Diagnostic> find_agent(std::string_view text, const Game& game) {
  const auto asked = read_agent(text, game);
  if (!asked) return tl::unexpected(asked.error());
  auto maker = asked->kind->prepare(game, asked->settings);
  if (!maker)
    return tl::unexpected(
        complain(Code::AGENT_UNFIT, fmt::format("agent `{}` cannot play {}: {}", asked->kind->name,
                                                game.info().id, maker.error())));
  return std::move(*maker);
}

std::vector<std::string> split_agents(std::string_view text) {
  std::vector<std::string> agents;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    const auto equals = piece.find('=');
    const bool setting = equals != std::string_view::npos && piece.find(':') > equals;
    if (setting && !agents.empty()) {
      agents.back() += agents.back().find(':') == std::string::npos ? ':' : ',';
      agents.back() += piece;
    } else {
      agents.emplace_back(piece);
    }
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return agents;
}

tl::expected<void, Diagnostic> check_agents(std::span<const std::string> texts, const Game& game) {
  if (auto fit = check_seats(texts.size(), game); !fit) return fit;
  for (const std::string& text : texts)
    if (const auto asked = read_agent(text, game); !asked) return tl::unexpected(asked.error());
  return {};
}

tl::expected<std::vector<AgentMaker>, Diagnostic> find_agents(std::span<const std::string> texts,
                                                              const Game& game) {
  if (auto fit = check_seats(texts.size(), game); !fit) return tl::unexpected(fit.error());
  std::vector<AgentMaker> makers;
  for (const std::string& text : texts) {
    auto maker = find_agent(text, game);
    if (!maker) return tl::unexpected(maker.error());
    makers.push_back(std::move(*maker));
  }
  while (makers.size() < game.info().players) makers.push_back(makers.front());
  return makers;
}

}  // namespace parlor::play
