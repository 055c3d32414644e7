#include "server/journal.h"

namespace parlor::server {

void Journal::note(std::string_view what, Json facts) {
  facts["at"] = timers_.now();
  facts["event"] = what;
  const std::string line = canonical(facts);
  const std::lock_guard lock{mutex_};
  out_ << line << '\n' << std::flush;
}

}  // namespace parlor::server
