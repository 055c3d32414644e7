// Announcements: what the effect `say` tells.
#include "kernel/run/machine.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

// Things and places are called as people call them.
std::string told(Machine& machine, const Program& program, Value v) {
  if (v.is_token() && is_in_play(machine, v.payload()))
    return token_label(machine, *program.wording, v.as_token(), true);
  if (v.is_symbol() && v.payload() < program.zone_count)
    return zone_label(program, *program.wording, v.as_zone());
  const Json said = machine.json_of(v);
  return said.is_string() ? said.get<std::string>() : said.dump();
}

}  // namespace

// Everything is computed whoever listens, so that listening changes nothing.
bool Statements::do_say(const Instr& i) {
  const std::uint32_t all = (std::uint32_t{1} << p_->players) - 1;
  const std::uint32_t to = i.c >= 0 ? players(i.c) : all;
  if (failed_) return false;
  std::string text;
  for (int k = 0; k < i.b; ++k) {
    const int part = i.a + 2 * k;
    const NodeId node = p_->extra[part + 1];
    const bool named = p_->extra[part] == 1;  // a player
    const bool computed = named && p_->nodes[node].op == Ex::p_slot;
    Value v = named && !computed ? Value{} : value(computed ? NodeId(p_->nodes[node].a) : node);
    if (failed_) return false;
    if (named && (!computed || (v.is_int() && v.payload() != -1))) {
      const int who = player(node);
      if (who < 0) return false;
      if (listener_ != nullptr) text += seat_label(*p_, who);
    } else if (listener_ != nullptr) {
      text += named && v.is_int() ? "nobody" : told(whole(), *p_, v);
    }
  }
  // What all players are told, everybody is.
  if (listener_ != nullptr)
    report("note", {{"text", std::move(text)}}, to == all ? ~std::uint32_t{0} : to);
  return true;
}

}  // namespace parlor::kernel
