// Game texts of strangers, looked at in a process of its own: 5 seconds of processor time, 512 MB,
// no files but those of the bundle, no network.
#pragma once

#include <map>
#include <string>

#include "game/game.h"
#include "host/codes.h"

namespace parlor::server {

struct Bundle {
  std::map<std::string, std::string> files;  // name to text
  std::string main;
};

inline constexpr std::size_t most_bundle_files = 32;
inline constexpr std::size_t most_bundle_bytes = 256 * 1024;

// {"files": {"my-game.md": "…"}, "main": "my-game.md"}
tl::expected<Bundle, Rejection> read_bundle(const Json& body);
Json to_json(const Bundle& bundle);

// What the compiler says: {"ok", "diagnostics"}. Reads nothing but the bundle.
Json check_here(const Bundle& bundle);
// The same by a child process with limits (`parlor serve --check-bundle`, which reads the bundle
// from its input). One that does not come back is itself a diagnostic.
Json check_apart(const Bundle& bundle);
// What the child does first.
void limit_this_process();

}  // namespace parlor::server
