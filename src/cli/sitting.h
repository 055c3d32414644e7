// Sitting down to play: who plays, in which session, and where it is kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/opening.h"
#include "cli/sessions.h"
#include "play/agent.h"

namespace parlor::cli {

struct PlayOptions {
  std::string seats = "0";      // --as
  std::string bots = "strong";  // --bots
  bool seats_given = false, bots_given = false;
  std::string moves, load;
  std::string save, resume, id;  // files with sessions, and which one
  bool migrate = false;
};

using Bots = std::vector<std::unique_ptr<play::Agent>>;  // one per seat

// A session and where it is kept.
struct Sitting {
  std::string file;  // empty: nothing is kept
  std::unique_ptr<table::Store> store = {};
  std::unique_ptr<table::Table> table = {};
  std::optional<table::Session> session = {};
};

// Here as everywhere: on failure everything was said already and the value is the exit code.

// --bots: agents as in `parlor sim`, or "strong": the best kind that fits the game and answers
// soon.
tl::expected<Bots, int> make_bots(Context& context, const Game& game, const std::string& text);
// A new session, in a file or only for this evening.
tl::expected<Sitting, int> begin_sitting(Context& context, const GameChoice& choice,
                                         const PlayOptions& options);
// The session that was played last in a file, or the one asked for.
tl::expected<Sitting, int> resume_sitting(Context& context, const PlayOptions& options,
                                          const std::vector<std::string>& include);
// Who sits where is remembered with the session, unless it is said anew.
void recall_seats(const table::Session& session, PlayOptions& options);

}  // namespace parlor::cli
