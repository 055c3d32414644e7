// Somebody who has read docs/server.md and nothing else (S-40 … S-46): tests/server/stranger.py.
#include <cstdlib>
#include <fmt/core.h>

#include "server/running.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

TEST(Stranger, PlaysFromTheDocumentationAlone) {
  Running server;
  const std::string script = source_dir() + "/tests/server/stranger.py";
  const int status =
      std::system(fmt::format("timeout 1500 python3 '{}' {} 2>&1", script, server.port).c_str());
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace parlor::test
