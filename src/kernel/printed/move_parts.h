// Pieces of the printer that make moves have in common.
#pragma once

#include "kernel/printed/printer.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

template <class T>
std::size_t offset_in_header(T Header::*member) {
  const Header header{};
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(header.*member)) -
                                  reinterpret_cast<const std::byte*>(&header));
}

inline const char* type_of(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "std::int64_t";
    case Kind::boolean:
      return "bool";
    case Kind::symbol:
    case Kind::zone:
    case Kind::token:
    case Kind::placed_token:
      return "int";
    default:
      return "Value";
  }
}

// What is kept of a kind: a token may go out of play, unless none ever does.
inline Kind kept_kind(Kind kind, bool tokens_stay) {
  if (kind == Kind::list || kind == Kind::token_list) return Kind::any;
  return kind == Kind::placed_token && !tokens_stay ? Kind::token : kind;
}

// Where it goes on when all subsets of an evaluateSubset have been gone through.
inline int behind_subsets(const Program& p, int begin) {
  const auto at = [&](int pc) -> const Instr& { return p.code[static_cast<std::size_t>(pc)]; };
  int pc = begin;
  while (at(pc).op != Op::subset_end || at(pc).a != at(begin).a) ++pc;
  return pc + 1;
}

}  // namespace parlor::kernel
