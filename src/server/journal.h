// What a server says about itself: one JSON object a line, without tokens and without anything a
// game hides.
#pragma once

#include <mutex>
#include <ostream>

#include "base/json.h"
#include "host/services.h"

namespace parlor::server {

class Journal {
 public:
  explicit Journal(std::ostream& out, const host::Timers& timers) : out_(out), timers_(timers) {}
  void note(std::string_view what, Json facts = Json::object());

 private:
  std::ostream& out_;
  const host::Timers& timers_;
  std::mutex mutex_;
};

}  // namespace parlor::server
