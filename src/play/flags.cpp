// When a number is bad enough to be called a defect. Each threshold stands here, once.
#include <fmt/format.h>

#include "play/probes.h"

namespace parlor::play {
namespace {

constexpr double cut_share = 0.02;       // games that do not end
constexpr double looping_share = 0.5;    // of the cut games that were looked at
constexpr double dominant_use = 0.75;    // of the decisions in which there was an alternative
constexpr double dominant_score = 0.85;  // of the specialist, lower end of the interval
constexpr std::uint64_t dominant_cases = 30;
constexpr double seat_excess = 0.15;  // over the fair share, lower end of the interval
constexpr std::uint64_t enough_games = 30;

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

void flag_endless(const Evaluation& evaluation, std::vector<Flag>& flags) {
  const std::uint64_t games = evaluation.random.result.games + evaluation.main.result.games;
  const auto share_of = [](const Study& study) {
    return study.result.games == 0 ? 0.0
                                   : static_cast<double>(study.result.unfinished) /
                                         static_cast<double>(study.result.games);
  };
  const double share = std::max(share_of(evaluation.random), share_of(evaluation.main));
  if (games == 0 || share < cut_share) return;
  const std::size_t looked_at = std::min<std::size_t>(evaluation.cut_games, 5);
  Json evidence{{"cutGames", evaluation.cut_games}, {"games", games}};
  if (static_cast<double>(evaluation.repetitions.size()) >=
      looping_share * static_cast<double>(looked_at)) {
    const Repetition& worst =
        *std::ranges::max_element(evaluation.repetitions, {}, &Repetition::times);
    evidence["repetition"] = {{"game", worst.game},
                              {"first", worst.first},
                              {"second", worst.second},
                              {"times", worst.times},
                              {"between", worst.between}};
    flags.push_back(
        {Code::LOOP_DETECTED,
         fmt::format("{} of {} games did not end; in game {} one position occurred {} times",
                     evaluation.cut_games, games, worst.game, worst.times),
         evidence});
  } else {
    flags.push_back(
        {Code::STALL,
         fmt::format("{} of {} games did not end, without coming back to earlier positions",
                     evaluation.cut_games, games),
         evidence});
  }
}

void flag_stuck(const Evaluation& evaluation, std::vector<Flag>& flags) {
  std::uint64_t stuck = 0;
  for (const Study* study : {&evaluation.random, &evaluation.main}) {
    stuck += study->result.stuck;
    for (const auto& [reason, count] : study->result.outcomes)
      if (reason == "noLegalMoves" || reason == "no-legal-moves" ||
          reason == "error:NO_LEGAL_MOVES")
        stuck += count;
  }
  if (stuck == 0) return;
  const std::uint64_t games = evaluation.random.result.games + evaluation.main.result.games;
  flags.push_back(
      {Code::NO_LEGAL_MOVES,
       fmt::format("{} of {} games reached a position without a legal choice", stuck, games),
       {{"stuckGames", stuck}, {"games", games}}});
}

void flag_faults(const Evaluation& evaluation, std::vector<Flag>& flags) {
  std::map<std::string, FaultTally> faults;
  for (const Study* study : {&evaluation.random, &evaluation.main})
    for (const auto& [place, fault] : study->result.faults) faults[place].add(fault);
  for (const auto& [place, fault] : faults)
    flags.push_back(
        {Code::RULES_FAULT,
         fmt::format("the rules went wrong in {} games: {}: {}", fault.games,
                     fault.rejection.value("code", ""), fault.rejection.value("message", "")),
         {{"games", fault.games},
          {"game", fault.first_game},
          {"seed", fault.seed},
          {"decisions", fault.decisions},
          {"fault", fault.rejection}}});
}

void flag_skipped(const Evaluation& evaluation, std::vector<Flag>& flags) {
  std::map<std::string, SkipTally> skipped;
  for (const Study* study : {&evaluation.random, &evaluation.main})
    for (const auto& [phase, skip] : study->result.skipped) skipped[phase].add(skip);
  for (const auto& [phase, skip] : skipped) {
    std::vector<std::string> reasons;
    for (const Json& action : skip.event.value("actions", Json::array()))
      reasons.push_back(
          fmt::format("`{}`: {}", action.value("action", ""), action.value("reason", "")));
    flags.push_back({Code::PHASE_SKIPPED,
                     fmt::format("phase `{}` was skipped {} times because nothing in it could be "
                                 "carried through ({})",
                                 phase, skip.times, fmt::join(reasons, "; ")),
                     {{"times", skip.times},
                      {"game", skip.first_game},
                      {"seed", skip.seed},
                      {"skipped", skip.event}}});
  }
}

void flag_triggers(const Evaluation& evaluation, std::vector<Flag>& flags) {
  std::map<std::string, SkipTally> cut_off;
  for (const Study* study : {&evaluation.random, &evaluation.main})
    for (const auto& [trigger, cut] : study->result.cut_off) cut_off[trigger].add(cut);
  for (const auto& [trigger, cut] : cut_off)
    flags.push_back({Code::TRIGGER_DEPTH_EXCEEDED,
                     fmt::format("{}: {} times", cut.event.value("message", ""), cut.times),
                     {{"times", cut.times},
                      {"game", cut.first_game},
                      {"seed", cut.seed},
                      {"cutOff", cut.event}}});
}

void flag_dominant(const Evaluation& evaluation, std::vector<Flag>& flags) {
  for (const Specialist& specialist : evaluation.specialists) {
    const auto found = evaluation.main.actions.find(specialist.action);
    if (found == evaluation.main.actions.end() || !dominates(found->second)) continue;
    if (specialist.interval.low < dominant_score) continue;
    const Usage& usage = found->second;
    const double share =
        static_cast<double>(usage.preferred) / static_cast<double>(usage.contested);
    flags.push_back(
        {Code::DOMINANT_ACTION,
         fmt::format(
             "`{}` is chosen in {} of the cases where something else was possible, and choosing it "
             "always scores {} against random play",
             specialist.action, percent(share), percent(specialist.tally.score())),
         {{"action", specialist.action},
          {"chosen", share},
          {"cases", usage.contested},
          {"scoreAgainstRandom", specialist.tally.score()},
          {"interval", {specialist.interval.low, specialist.interval.high}}}});
  }
}

bool flag_trivial(const Evaluation& evaluation, std::vector<Flag>& flags) {
  if (!evaluation.forced_win) return false;
  const ForcedWin& win = *evaluation.forced_win;
  const std::string& seat = evaluation.info.seats.size() > win.player.index()
                                ? evaluation.info.seats[win.player.index()]
                                : std::to_string(win.player.value);
  flags.push_back(
      {Code::TRIVIAL_WIN,
       fmt::format("{} can force a win in {} move{}{}", seat, win.moves, win.moves == 1 ? "" : "s",
                   win.first.empty() ? "" : fmt::format(", beginning with `{}`", win.first)),
       {{"player", win.player.value}, {"moves", win.moves}, {"first", win.first}}});
  return true;
}

void flag_seats(const Evaluation& evaluation, std::vector<Flag>& flags) {
  const auto& metrics = evaluation.metrics;
  const double fair =
      1.0 / static_cast<double>(std::max<std::size_t>(metrics.seat_scores.size(), 1));
  for (std::size_t seat = 0; seat < metrics.seat_scores.size(); ++seat) {
    const Interval interval = metrics.seat_intervals[seat];
    if (evaluation.main.result.seats[seat].games < enough_games) continue;
    if (interval.low < fair + seat_excess * 2 * fair) continue;
    flags.push_back(
        {Code::FIRST_PLAYER_ADVANTAGE,
         fmt::format("seat {} ({}) scores {} (95% interval {} to {}); a fair share is {}", seat,
                     evaluation.info.seats.size() > seat ? evaluation.info.seats[seat] : "",
                     percent(metrics.seat_scores[seat]), percent(interval.low),
                     percent(interval.high), percent(fair)),
         {{"seat", seat},
          {"score", metrics.seat_scores[seat]},
          {"interval", {interval.low, interval.high}},
          {"games", evaluation.main.result.seats[seat].games}}});
  }
}

void flag_unreachable(const Evaluation& evaluation, std::vector<Flag>& flags) {
  const std::uint64_t games = evaluation.random.result.games + evaluation.main.result.games;
  if (evaluation.unreachable_actions.empty() || games < enough_games) return;
  flags.push_back(
      {Code::UNREACHABLE_ACTION,
       fmt::format("never legal in {} games: {}", games, list(evaluation.unreachable_actions)),
       {{"actions", evaluation.unreachable_actions}, {"games", games}}});
}

}  // namespace

bool dominates(const Usage& usage) {
  return usage.contested >= dominant_cases &&
         static_cast<double>(usage.preferred) >=
             dominant_use * static_cast<double>(usage.contested);
}

std::vector<Flag> raise_flags(const Evaluation& evaluation) {
  std::vector<Flag> flags;
  flag_endless(evaluation, flags);
  flag_faults(evaluation, flags);
  flag_skipped(evaluation, flags);
  flag_stuck(evaluation, flags);
  flag_triggers(evaluation, flags);
  flag_dominant(evaluation, flags);
  // Whoever wins by force at once also wins more often: that is one defect, not two.
  if (!flag_trivial(evaluation, flags)) flag_seats(evaluation, flags);
  flag_unreachable(evaluation, flags);
  return flags;
}

Json to_json(const Flag& flag) {
  return {{"code", code_name(flag.code)}, {"message", flag.message}, {"evidence", flag.evidence}};
}

}  // namespace parlor::play
