// What every token of every state has: what whoever makes it always gives it, and a zone.
// Properties are set to something else, but never taken away, so nobody has to ask whether they are
// there. Saves that say otherwise are no states of the game (state/soundness.cpp).
#include <algorithm>

#include "kernel/link/linker.h"

namespace parlor::kernel {

void Linker::find_given() {
  p_.tokens_stay =
      std::ranges::none_of(p_.code, [](const Instr& i) { return i.op == Op::destroy_token; });
  for (TypeInfo& type : p_.types) type.given.assign(p_.props.size(), true);
  for (const Instr& i : p_.code) {
    if (i.op != Op::create_token) continue;
    std::vector<bool> gives(p_.props.size());
    for (int k = 0; k < i.c; ++k) {
      const int prop = p_.extra[i.b + 2 * k];
      gives[prop] = true;
    }
    std::vector<bool>& given = p_.types[i.x].given;
    for (std::size_t prop = 0; prop < given.size(); ++prop)
      given[prop] = given[prop] && gives[prop];
  }
  for (TypeInfo& type : p_.types)
    for (std::size_t prop = 0; prop < p_.props.size(); ++prop)
      if (type.column[prop] < 0) type.given[prop] = false;
}

}  // namespace parlor::kernel
