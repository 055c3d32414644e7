// The end of a game as the waist reports it.
#pragma once

#include "kernel/kernel.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

void final_outcome(Machine& machine, Outcome& out);
// A number for the outcome where terminal condition and winner are all there is to it; otherwise
// TellsEnds::no_ending.
std::uint32_t fixed_ending(const Program& program, const Header& finished);
// The same where nothing has to be evaluated: who has won stands in the state, or the score is a
// variable. False: it has to be.
bool plain_returns(const Program& program, const StateBlock& finished, std::span<std::int64_t> out);
void final_returns(Machine& machine, std::span<std::int64_t> out);
// Finds what the rules offer for `standing` besides margins and scoring.
Lead find_lead(const Program& program);
bool standing(Machine& machine, const Lead& lead, std::span<std::int64_t> out);

}  // namespace parlor::kernel
