#include "cli/trial.h"

#include <fmt/format.h>

#include "kernel/kernel.h"
#include "play/simulation.h"

namespace parlor::cli {
namespace {

using Opened = tl::expected<std::shared_ptr<const kernel::KernelGame>, Diagnostics>;

Opened open_for(const spec::GameDef& game, std::size_t players) {
  kernel::KernelOptions options;
  options.players = players;
  return kernel::open_game(game, options);
}

std::size_t most_players(const spec::GameDef& game) {
  return std::min(static_cast<std::size_t>(game.metadata.max_players), max_players);
}

// A refusal as a diagnostic at the place of the rules that it names.
Diagnostic at_its_place(const Json& rejection, Severity severity, std::string message) {
  const Json details = rejection.value("details", Json::object());
  Diagnostic out{find_code(rejection.value("code", "")).value_or(Code::INTERNAL), severity,
                 std::move(message)};
  out.path = details.value("path", "");
  out.span.file = details.value("file", "");
  out.span.line = details.value("line", 0U);
  out.span.column = details.value("column", 0U);
  return out;
}

// What happened with how many players: said once if it always happens, and otherwise with when.
class Collected {
 public:
  void add(Diagnostic diagnostic, std::size_t players) {
    for (auto& [known, when] : list_)
      if (known.code == diagnostic.code && known.path == diagnostic.path &&
          known.span == diagnostic.span && known.severity == diagnostic.severity) {
        if (when.back() != players) when.push_back(players);
        return;
      }
    list_.push_back({std::move(diagnostic), {players}});
  }
  Diagnostics all(std::size_t counts) {
    Diagnostics out;
    for (auto& [diagnostic, when] : list_) {
      if (when.size() < counts)
        diagnostic.message =
            fmt::format("with {} players: {}", fmt::join(when, ", "), diagnostic.message);
      out.add(std::move(diagnostic));
    }
    return out;
  }

 private:
  std::vector<std::pair<Diagnostic, std::vector<std::size_t>>> list_;
};

constexpr Seed seeds_to_start = 3;

}  // namespace

Diagnostics find_opening_problems(const spec::GameDef& game) {
  Collected found;
  const auto least = static_cast<std::size_t>(game.metadata.min_players);
  const std::size_t most = most_players(game);
  for (std::size_t players = least; players <= most; ++players) {
    const Opened opened = open_for(game, players);
    if (!opened) {
      for (const Diagnostic& problem : opened.error().all()) found.add(problem, players);
      continue;
    }
    for (Seed seed = 0; seed < seeds_to_start; ++seed)
      if (const auto started = (*opened)->start(seed); !started)
        found.add(at_its_place(to_json(started.error()), Severity::error,
                               "the game does not start: " + started.error().message),
                  players);
  }
  return found.all(most - least + 1);
}

Diagnostics find_playing_problems(const spec::GameDef& game, std::uint64_t decisions) {
  Collected found;
  const auto least = static_cast<std::size_t>(game.metadata.min_players);
  const std::size_t most = most_players(game);
  const std::uint64_t share = decisions / (most - least + 1) + 1;
  for (std::size_t players = least; players <= most; ++players) {
    const Opened opened = open_for(game, players);
    if (!opened) continue;
    play::SimulationOptions options;
    options.games = 8;
    options.max_decisions = std::min<std::uint64_t>(share, 2000);
    play::SimulationResult sum;
    while (sum.decisions < share && sum.games < share) {
      options.first_game = sum.games;
      const auto played = play::simulate(**opened, options);
      if (!played) break;
      sum.add(*played);
    }
    for (const auto& [place, fault] : sum.faults)
      found.add(
          at_its_place(fault.rejection, Severity::error,
                       fmt::format("the rules went wrong in {} of {} random games: {}", fault.games,
                                   sum.games, fault.rejection.value("message", ""))),
          players);
    for (const auto& [phase, skip] : sum.skipped) {
      const Json actions = skip.event.value("actions", Json::array());
      Diagnostic diagnostic{
          Code::PHASE_SKIPPED, Severity::warning,
          fmt::format("phase `{}` was skipped {} times in {} random games: "
                      "nothing in it could be carried through{}",
                      phase, skip.times, sum.games,
                      actions.empty() ? ""
                                      : fmt::format(" ({}: {})", actions[0].value("action", ""),
                                                    actions[0].value("reason", "")))};
      diagnostic.path = "turnStructure";
      found.add(std::move(diagnostic), players);
    }
    for (const auto& [trigger, cut] : sum.cut_off)
      found.add(at_its_place(cut.event, Severity::warning,
                             fmt::format("{}, {} times in {} random games",
                                         cut.event.value("message", ""), cut.times, sum.games)),
                players);
    if (sum.undecided != 0)
      found.add({Code::RUN_BUDGET, Severity::warning,
                 fmt::format("looking ahead gave up {} times in {} random games; what it could not "
                             "decide was offered",
                             sum.undecided, sum.games)},
                players);
  }
  return found.all(most - least + 1);
}

}  // namespace parlor::cli
