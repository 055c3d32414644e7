// What a Program printed as C++ (print.h) is made of: how its functions see a state, and what
// they ask the machine for. It needs nothing but the records of a state, so that printed code
// compiles in a moment.
//
// A printed function answers one expression of the Program and changes nothing, or it makes a whole
// move. Where it meets anything out of the ordinary (a binding without a value, a property that is
// missing, a number too large, no work left) it gives up (`trouble`); the machine then evaluates
// the expression as it was written, or puts the state back and makes the move, which says what is
// wrong. So faults, and what is left behind by them, are the interpreter's alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/state_block.h"
#include "kernel/program/spread.h"
#include "kernel/program/value.h"
#include "kernel/state/follows.h"
#include "kernel/state/reads.h"
#include "kernel/state/records.h"
#include "kernel/state/writes.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// Changes whenever something below does that compiled code and machine must agree about.
inline constexpr std::uint32_t printed_interface = 12;

// What functions and the bodies of loops answer. A condition: no or yes.
inline constexpr int no = 0, yes = 1;
inline constexpr int go_on = 0, stop = 1;
inline constexpr int trouble = 2;
// A move: the next decision is reached; a unit that is called: it has come to its end. Or the
// machine goes on at PrintedView::left.
inline constexpr int done = 0, left_off = 1;
// A trial whose answers are kept: what comes last is asked elsewhere (TrialPlan::tail).
inline constexpr int to_tail = 3;

struct PrintedView;

// A list: items lie one after the other in a vector that may move when lists are made meanwhile.
struct PrintedList {
  const std::vector<Value>* in = nullptr;  // null: this is no list
  std::size_t first = 0, size = 0;
};

// What printed code asks the machine for: expressions it leaves to the interpreter, by their nodes.
struct PrintedCalls {
  int (*test)(PrintedView&, int node);
  Value (*value)(PrintedView&, int node);  // none: trouble
  int (*player)(PrintedView&, int node);   // -1: trouble
  int (*zone)(PrintedView&, int node);     // -1: trouble
  int (*filter)(PrintedView&, int node, int token);
  bool (*set)(PrintedView&, int node, std::uint64_t* words);
  // `body` for each result of a query until it says something else than go_on.
  int (*each)(PrintedView&, int node, int (*body)(void*, Value), void* self);
  PrintedList (*list)(PrintedView&, Value list);
  // Only of stretches: how many templated names there are; the machine carries out the statement at
  // this address (go_on: and comes to the next one; stop: it goes on elsewhere; trouble: it
  // failed); it notes what others could think of what the statement there binds.
  std::int64_t (*names)(PrintedView&) = nullptr;
  int (*step)(PrintedView&, int pc) = nullptr;
  void (*note)(PrintedView&, int pc) = nullptr;
  void (*wrote)(PrintedView&) = nullptr;  // the state is another now
  void (*notice_end)(PrintedView&, Value list) = nullptr;
  std::uint32_t (*pickers)(PrintedView&, int token) = nullptr;  // who knows which token this is
  // What triggers hear of: a variable is another than before, a token came into a zone.
  void (*changed)(PrintedView&, int scope, int owner, int var, std::int64_t before,
                  std::int64_t now) = nullptr;
  void (*entered)(PrintedView&, int zone) = nullptr;
};

// Where compiled code leaves off: the frames the machine goes on with, the innermost first, each
// with its slots behind those of the one before.
struct LeftFrame {
  int unit, pc, acting;
  int steps;  // of a settle: how often it has gone on already
  std::size_t slots;
};
struct PrintedLeft {
  static constexpr std::size_t most_frames = 32, most_slots = 2048;
  LeftFrame frames[most_frames];
  std::uint64_t slots[most_slots];
  std::size_t count = 0, used = 0;

  // The slots of one more frame, all empty; null: there is no room for it.
  Value* add(int unit, int pc, int acting, int steps, std::size_t size) {
    if (count == most_frames || used + size > most_slots) return nullptr;
    frames[count++] = {unit, pc, acting, steps, used};
    auto* const first = reinterpret_cast<Value*>(slots + used);
    for (std::size_t k = 0; k < size; ++k) first[k] = Value{};
    used += size;
    return first;
  }
};

// What moves that may leave off, and whoever tries moves out, need of the machine.
struct PrintedHelp {
  PrintedLeft* left = nullptr;
  // The machine carries out the statements of a unit from one address to another, with the slots of
  // the view. False: it failed, or did not get there.
  bool (*step)(PrintedView&, int unit, int pc, int end, int acting) = nullptr;
  const void* program = nullptr;
  // Copies of a state; what is left of the work of trials; whether somebody wants to hear of
  // options that lead nowhere.
  StateBlock* (*copy)(const StateBlock&) = nullptr;
  void (*forget)(StateBlock* copied) = nullptr;
  std::int64_t tries = 0;
  bool remarks = false;
  // Of trials whose answers are kept: what they look into; whether another token than the last one
  // became another.
  const Reads* reads = nullptr;
  bool moved = false;
  // Whether an option of this action can be carried through, by an answer that is kept or a trial.
  int (*kept)(PrintedView&, int action, std::uint64_t option) = nullptr;
  // The same of all options of an action whose only parameter is a zone: the others are taken out
  // of the set. False: it is not known of each.
  bool (*kept_zones)(PrintedView&, int action, std::uint64_t* zones) = nullptr;
  std::uint64_t listing = 0;     // while it is the same, so is the state
  int unit = 0, slot_count = 0;  // where the machine is asked: whose slots
  // Of triggers that set each other off; the phase or action that the last one hears of.
  int trigger_depth = 0, event = 0;
  // The machine lists the options of one action. False: the list is not for compiled code.
  bool (*list)(PrintedView&, int action, void* list) = nullptr;
  // Whether an action has one; trouble: the machine has more to say about it.
  int (*can)(PrintedView&, int action) = nullptr;
  // Whether an option of an action can be carried through by this pipeline.
  int (*completes)(PrintedView&, int action, std::uint64_t option, int pipeline) = nullptr;
};

// A state as printed code sees it.
struct PrintedView {
  std::byte* base = nullptr;
  Value* slots = nullptr;
  std::int64_t* work = nullptr;  // what is left of it
  const PrintedCalls* calls = nullptr;
  void* machine = nullptr;
  int active = 0, actor = 0;
  // Only of moves, which have no machine: the state, multipliers of its hash, where the machine
  // goes on, and how many units are called one inside the other.
  StateBlock* block = nullptr;
  const std::uint64_t *var_keys = nullptr, *token_keys = nullptr;
  std::size_t token_key_count = 0;
  int depth = 0;
  Mixed* mixed = nullptr;  // of the whole move
  PrintedHelp* help = nullptr;

  template <class T>
  T at(std::size_t offset) const {
    T out;
    std::memcpy(&out, base + offset, sizeof out);
    return out;
  }
  // The same, to write to.
  template <class T>
  T& ref(std::size_t offset) const {
    return *reinterpret_cast<T*>(base + offset);
  }
  // Whether a zone is in the set that lies there.
  bool has(std::size_t set, int zone) const {
    const auto z = static_cast<std::size_t>(zone);
    return (at<std::uint64_t>(set + z / 64 * 8) >> (z % 64) & 1) != 0;
  }
  // False: there is not as much work left.
  bool spend(std::int64_t amount) { return (*work -= amount) >= 0; }
};

// ---- The functions of a Program
using PrintedTruth = int (*)(PrintedView&);
using PrintedValue = int (*)(PrintedView&, Value& out);
// Who gets the results of a query; false: no more are wanted.
struct PrintedVisit {
  bool (*call)(void*, Value);
  void* self;
  bool operator()(Value item) const { return call(self, item); }
};
using PrintedQuery = int (*)(PrintedView&, PrintedVisit);

// A move, by the option that begins it. Slots are written where the machine goes on.
using PrintedMove = int (*)(PrintedView&, std::uint64_t option);

// Whether a move can be carried through, tried on a copy of the state: yes or no. It begins with
// the option, or goes on where a choice (its code address) was answered.
using PrintedTrial = int (*)(PrintedView&, std::uint64_t option, int answered, Value answer);

// All options of an action selection in a phase, in order.
struct PrintedOptions {
  std::uint64_t *next = nullptr, *end = nullptr;  // room at the end of the list
  void* list = nullptr;
  void (*more)(PrintedOptions&, std::size_t count) = nullptr;  // at least so much room
  void (*close)(PrintedOptions&) = nullptr;                    // no room: the list ends at `next`
  std::size_t left = 0;  // how many there may be, besides whole sets of zones

  bool add(std::uint64_t id) {
    if (left == 0) return false;
    --left;
    make_room(1);
    *next++ = id;
    return true;
  }
  template <int W>
  void add_zones(const Zones<W>& set, std::uint64_t id, int shift, std::int64_t base) {
    make_room(64 * W);
    next = write_zones(next, set, id, shift, base);
  }
  template <int W, std::size_t count>
  void add_ways(const Zones<W> (&may)[count], const std::uint64_t (&ids)[count], int shift) {
    make_room(64 * W * count + 1);
    next = write_ways(next, may, ids, count, shift);
  }
  void make_room(std::size_t count) {
    if (static_cast<std::size_t>(end - next) < count) [[unlikely]]
      more(*this, count);
  }
};
using PrintedListing = int (*)(PrintedView&, PrintedOptions&);

// evaluateSubset: all subsets of `size` of the items, and the first of those with the highest
// score, by the numbers of its items.
inline constexpr std::size_t most_subset_items = 64;
struct PrintedBest {
  std::int64_t score = 0;
  std::size_t items[most_subset_items];
};
using PrintedSubsets = int (*)(PrintedView&, const Value* items, std::size_t count,
                               std::size_t size, PrintedBest& best);

struct Stretch;  // code_stretches.h
// The answer is `done` where the next decision is reached; otherwise the machine goes on.
using PrintedStretch = int (*)(PrintedView&, Stretch&);

struct PrintedFunction {
  // Of subsets the instruction subset_next, of items the one that begins a loop or lets choose, of
  // moves the action, of trials and stretches the unit, of listings the phase, of all others the
  // node.
  int at = -1;
  PrintedTruth truth = nullptr;  // one of the nine
  PrintedValue value = nullptr;
  PrintedQuery query = nullptr;
  PrintedSubsets subsets = nullptr;
  PrintedMove move = nullptr;
  PrintedListing listing = nullptr;
  PrintedTrial trial = nullptr;
  PrintedQuery items = nullptr;
  PrintedStretch stretch = nullptr;
  bool late = false;    // of a move: it may give up, or leave off, once it has written something
  bool helped = false;  // of a move, a list or a stretch: it needs what PrintedHelp has
  // Slots of bindings it makes, which are empty whenever it does not run; of a stretch each behind
  // the statement that makes it.
  const std::int32_t* binds = nullptr;
  int bind_count = 0;
  // Of a stretch: the statements where it is worth while to begin.
  const std::int32_t* entries = nullptr;
  int entry_count = 0;
};

struct PrintedCode {
  std::uint32_t interface = printed_interface;
  std::uint64_t print = 0;  // of the source without what depends on this number
  const PrintedFunction* functions = nullptr;
  std::size_t count = 0;
};

}  // namespace parlor::kernel
