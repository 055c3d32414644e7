// Game texts of strangers, looked at in a process of its own: 5 seconds of processor time, 512 MB,
// no files but those of the bundle, no network.
#pragma once

#include <atomic>
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
// Lets bots play it for a moment: {"ok", "diagnostics", "evaluation"}, the last as `parlor eval
// --json` has it, if the game compiles. Ends early when `stop` is set, with what was seen until
// then.
Json evaluate_here(const Bundle& bundle, const std::atomic<bool>& stop);

// The compiled game as well: {"ok", "diagnostics", "game"}; not if its boards are too large.
Json compile_here(const Bundle& bundle);

enum class Apart : std::uint8_t { check, evaluate, compile };
// The same by a child process with limits (`parlor serve --bundle check`, `evaluate` or
// `compile`, which reads the bundle from its input). One that does not come back is itself a
// diagnostic.
// `program` is the one that is started.
Json do_apart(Apart what, const Bundle& bundle, const std::string& program);
// What the child does first.
void limit_this_process();
// Set when most of the processor time is used up.
const std::atomic<bool>& time_is_short();

}  // namespace parlor::server
