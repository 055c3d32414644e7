// What a card-driven game remembers beside its world: sections 18.3 and 20 of the language, in
// plain values. Seats are players here; the text of a seat is looked up where the text is read.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/values.h"

namespace parlor::reference {

using spec::ActionClass;

// A free operation somebody may or must make (20.5).
struct Grant {
  const spec::GrantDef* def = nullptr;
  std::string id;     // one of its own, never told
  std::string batch;  // the move that issued it and the name of its batch; its own without one
  Int move = 0;       // that issued it
  int owner = 0, as = 0;
  Int uses = 1;
  Bindings filled;   // what placeholders of its filter meant when it was issued (G-06)
  Bindings context;  // executionContext, frozen when it was issued (G-05)

  bool blocks() const { return def->completion != spec::Completion::optional; }
};

struct Lasting {
  const spec::LastingEffectDef* def = nullptr;
  Int left = 1;  // boundaries, of cards or of coup rounds
};

// One way to play a card.
struct Play {
  const spec::EventCardDef* card = nullptr;
  const spec::EventPart* side = nullptr;
  const spec::EventPart* branch = nullptr;  // or none
};

// Effects of an event that wait for its grants (G-73).
struct Deferred {
  Play play;
  int player = 0;
  Bindings names;
  std::set<std::string> batches;
};

struct Table {
  std::vector<int> order;
  std::set<int> eligible, acted, passed;
  Int acts = 0;  // that were no passes, on this card
  ActionClass first_class = ActionClass::none;
  std::vector<std::pair<int, bool>> queued;  // overrides for the next card
  std::vector<Grant> grants;                 // in order of issue
  std::vector<Lasting> lasting;
  std::vector<Deferred> deferred;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> captured;  // by batch
  Int coup_rounds = 0;                                                              // in a row
  bool stalled = false;
  Int moves = 0, issued = 0;  // so far: they name batches and grants
};

}  // namespace parlor::reference
