// What this room promises: planning changes no answer. From the shape of an expression alone it
// finds a quicker way to the same result, the same faults and the same counted work; what it does
// not know stays as it is, and with LinkOptions::plan off nothing is planned at all
// (tests/kernel/planned_test.cpp plays both ways against each other).
//
// The linker calls it while it makes a Program: zone queries become sets (plan.cpp), equal sets one
// (share.cpp), sets rows of steps (tapes.cpp); sums and filters are kept up to date (sums.cpp),
// costly answers remembered (memos.cpp), conditions of numbers laid out (scalars.cpp) or looked up
// (relations.cpp), look-aheads kept (trials.cpp), hopeless selections left out (bounds.cpp), and
// what tokens certainly have is found (given.cpp). These are functions of the Linker
// (link/linker.h). What others ask of it is here.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

// Whether these cannot fault, whatever the state (sure.cpp): a value, a condition on the zone in a
// slot, a zone set, a step of an action's order. No is always a right answer.
bool sure_value(const Program& program, NodeId value);
bool sure_condition(const Program& program, NodeId condition, SlotId zone_slot);
bool sure_set(const Program& program, const ActionInfo& action, NodeId set);
bool sure_statement(const Program& program, const Instr& statement);
bool sure_step(const Program& program, const ActionInfo& action, const Step& step);

}  // namespace parlor::kernel
