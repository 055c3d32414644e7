// Agents and everything that lets them play: simulate, evaluate, solve.
#include <fmt/format.h>

#include "game/stepwise.h"
#include "play/agent.h"
#include "play/cfr.h"
#include "play/evaluation.h"
#include "play/simulation.h"
#include "state.h"

namespace parlor::python {
namespace {

using SharedGame = std::shared_ptr<OpenGame>;

// An agent that plays any seat of one game. It is asked about states, not told about games: each
// question is a game of its own to it, unless it needs to know what happened before.
class SeatedAgent {
 public:
  SeatedAgent(SharedGame game, const std::string& text, Seed seed)
      : game_(std::move(game)), text_(text), seed_(seed) {
    auto maker = play::find_agent(text, *game_->game);
    if (!maker) raise(maker.error());
    const py::gil_scoped_release release;
    agent_ = (*maker)();
  }

  std::uint32_t choose(OpenState& state) {
    if (&state.game() != game_->game.get()) throw py::value_error("the state is of another game");
    const Decision decision = state.state().decision();
    if (decision.player.is_none()) throw py::value_error("no player decides here");
    const OptionList& options = state.options();
    const auto& numbers = state.numbers();
    std::size_t index = 0;
    {
      const py::gil_scoped_release release;
      const Seed seed = play::derive_seed(play::derive_seed(seed_, state.seed()), asked_++);
      if (agent_->needs_history()) {
        State past = state.beginning();
        agent_->begin(past, decision.player, seed);
        for (const Option option : state.history()) {
          if (!past.apply(option)) break;
          agent_->observe(option, past);
        }
      } else {
        agent_->begin(state.state(), decision.player, seed);
      }
      index = agent_->choose(state.state(), options);
    }
    return numbers[index];
  }
  const std::string& text() const { return text_; }
  py::tuple parts() const { return py::make_tuple(game_, text_, seed_, asked_); }
  static std::unique_ptr<SeatedAgent> from_parts(const py::tuple& parts) {
    if (parts.size() != 4) throw py::value_error("four things make an agent");
    auto out = std::make_unique<SeatedAgent>(
        py::cast<SharedGame>(parts[0]), py::cast<std::string>(parts[1]), py::cast<Seed>(parts[2]));
    out->asked_ = py::cast<std::uint64_t>(parts[3]);
    return out;
  }

 private:
  SharedGame game_;
  std::string text_;
  Seed seed_;
  std::uint64_t asked_ = 0;
  std::unique_ptr<play::Agent> agent_;
};

py::object simulate(const SharedGame& game, std::vector<std::string> agents, std::uint64_t games,
                    Seed seed, unsigned threads, std::uint64_t max_decisions, bool rotate) {
  play::SimulationOptions options;
  options.agents = std::move(agents);
  options.games = games;
  options.seed = seed;
  options.threads = threads;
  options.max_decisions = max_decisions;
  options.rotate = rotate;
  std::atomic<bool> cancel = false;
  options.cancel = &cancel;
  tl::expected<play::SimulationResult, Diagnostic> result;
  const bool interrupted = run_interruptibly(
      cancel, [&] { result = play::simulate(behind_steps(*game->game), options); });
  if (!result) raise(result.error());
  Json json = play::to_json(*result);
  json["seed"] = seed;
  json["checksum"] = result->checksum;
  py::object out = to_python(json);
  if (interrupted) raise_interrupted(out);
  return out;
}

py::object evaluate(const SharedGame& game, std::uint64_t games, std::vector<std::string> agents,
                    std::size_t iterations, Seed seed, unsigned threads,
                    std::uint64_t max_decisions) {
  play::EvaluationOptions options;
  options.games = games;
  options.agents = std::move(agents);
  options.iterations = iterations;
  options.seed = seed;
  options.threads = threads;
  options.max_decisions = max_decisions;
  std::atomic<bool> cancel = false;
  options.cancel = &cancel;
  tl::expected<play::Evaluation, Diagnostic> result;
  const bool interrupted = run_interruptibly(
      cancel, [&] { result = play::evaluate(behind_steps(*game->game), options); });
  if (!result) raise(result.error());
  py::object out = to_python(play::to_json(*result));
  if (interrupted) raise_interrupted(out);
  return out;
}

py::object solve(const SharedGame& game, std::size_t iterations, bool plus,
                 std::size_t most_nodes) {
  std::atomic<bool> cancel = false;
  play::CfrSettings settings;
  settings.iterations = iterations;
  settings.plus = plus;
  settings.most_nodes = most_nodes;
  settings.cancel = &cancel;
  tl::expected<std::shared_ptr<const play::CfrSolution>, std::string> solution;
  const bool interrupted = run_interruptibly(
      cancel, [&] { solution = play::solve(behind_steps(*game->game), settings); });
  if (!solution && interrupted) {  // before the first iteration: the tree was still being made
    py::dict nothing;
    nothing["iterations"] = 0;
    raise_interrupted(nothing);
  }
  if (!solution)
    raise(Rejection(Code::AGENT_UNFIT, fmt::format("{} cannot be solved: {}", game->game->info().id,
                                                   solution.error())));
  py::dict out;
  out["iterations"] = iterations;
  out["nodes"] = (*solution)->nodes();
  out["informationSets"] = (*solution)->information_sets();
  out["values"] =
      std::vector<double>{(*solution)->value(PlayerId{0u}), (*solution)->value(PlayerId{1u})};
  out["exploitability"] = (*solution)->exploitability();
  if (interrupted) raise_interrupted(out);
  return out;
}

}  // namespace

void bind_play(py::module_& module) {
  py::class_<SeatedAgent>(module, "SeatedAgent")
      .def(py::init<SharedGame, const std::string&, Seed>(), py::arg("game"), py::arg("text"),
           py::arg("seed") = 0)
      .def("choose", &SeatedAgent::choose, py::arg("state"))
      .def_property_readonly("text", &SeatedAgent::text)
      .def(py::pickle([](const SeatedAgent& agent) { return agent.parts(); },
                      &SeatedAgent::from_parts));
  module.def("agent_kinds", [] {
    py::dict out;
    for (const play::AgentKind& kind : play::agent_kinds())
      out[py::str(std::string(kind.name))] = std::string(kind.help);
    return out;
  });
  module.def("simulate", &simulate, py::arg("game"), py::arg("agents"), py::arg("games"),
             py::arg("seed"), py::arg("threads"), py::arg("max_decisions"), py::arg("rotate"));
  module.def("evaluate", &evaluate, py::arg("game"), py::arg("games"), py::arg("agents"),
             py::arg("iterations"), py::arg("seed"), py::arg("threads"), py::arg("max_decisions"));
  module.def("solve", &solve, py::arg("game"), py::arg("iterations"), py::arg("plus"),
             py::arg("most_nodes"));
}

}  // namespace parlor::python
