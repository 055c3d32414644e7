// Experiments that look for one particular defect of a game. Private to src/play.
#pragma once

#include "play/evaluation.h"

namespace parlor::play {

// A win that some player can force within `moves` moves of their own, whatever the others and
// chance do, in nine of ten starts that were tried. Gives up, finding nothing, when the search
// grows too large.
std::optional<ForcedWin> find_forced_win(const Game& game, int moves, Seed seed);

// Plays games that were cut off once more and looks for positions that come back.
std::vector<Repetition> find_repetitions(const Game& game, const Study& study,
                                         const StudyOptions& options, std::size_t most_games);

// How well "always take this action when possible" does against random players.
Specialist try_specialist(const Game& game, const std::string& action,
                          const EvaluationOptions& options);

// Good players choose it nearly always although there was something else.
bool dominates(const Usage& usage);
std::vector<Flag> raise_flags(const Evaluation& evaluation);

}  // namespace parlor::play
