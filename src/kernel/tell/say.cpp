// Announcements: what the effect `say` tells.
#include "kernel/run/machine.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {

// Everything is computed whoever listens, so that listening changes nothing.
bool Statements::do_say(const Instr& i) {
  const std::uint32_t all = (std::uint32_t{1} << p_->players) - 1;
  const std::uint32_t to = i.c >= 0 ? players(i.c) : all;
  if (failed_) return false;
  std::string text;
  for (int k = 0; k < i.b; ++k) {
    const auto part = static_cast<std::size_t>(i.a + 2 * k);
    if (p_->extra[part] == 1) {
      const int who = player(p_->extra[part + 1]);
      if (who < 0) return false;
      if (listener_ != nullptr) text += seat_label(*p_, who);
    } else {
      const Value v = value(p_->extra[part + 1]);
      if (failed_) return false;
      if (listener_ == nullptr) continue;
      // Things and places are called as people call them.
      if (v.is_token() && is_in_play(whole(), v.payload())) {
        text += token_label(whole(), *p_->wording, static_cast<int>(v.payload()), true);
        continue;
      }
      if (v.is_symbol() && v.payload() < p_->zone_count) {
        text += zone_label(*p_, *p_->wording, static_cast<int>(v.payload()));
        continue;
      }
      const Json said = json_of(v);
      text += said.is_string() ? said.get<std::string>() : said.dump();
    }
  }
  // What all players are told, everybody is.
  if (listener_ != nullptr)
    report("note", {{"text", std::move(text)}}, to == all ? ~std::uint32_t{0} : to);
  return true;
}

}  // namespace parlor::kernel
