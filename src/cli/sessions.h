// Sessions in a store, as commands use them: which one is meant, whose seat, and what was answered.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/opening.h"
#include "table/store.h"

namespace parlor::cli {

// STORE and --id as given on a command line.
struct SessionPlace {
  std::string store;
  std::string id;                    // empty: the only one there is
  std::vector<std::string> include;  // folders from which the session may name files
};
std::shared_ptr<SessionPlace> add_session_place(CLI::App& app);

// Milliseconds since 1970, from the system.
table::Clock system_clock();
// "2026-11-16 13:05", for people.
std::string time_text(table::Time time);

// A store with one of its sessions. On failure everything was said already.
struct SeatedSession {
  std::unique_ptr<table::Store> store;
  std::unique_ptr<table::Table> table;
  table::Session session;
};
tl::expected<std::unique_ptr<table::Store>, int> open_store(Context& context,
                                                            const std::string& file,
                                                            table::Access access);
tl::expected<std::string, int> choose_session(Context& context, const table::Store& store,
                                              const std::string& wanted);
tl::expected<SeatedSession, int> open_session(Context& context, const SessionPlace& place,
                                              table::Access access);
// Like other files from elsewhere (names_file_outside), a session does not choose what is read: the
// files it names lie in the current folder, in that of the store, or in one of `include`. Said
// already, with the exit code, if one does not.
std::optional<int> session_reads_outside(Context& context, const table::Store& store,
                                         const std::string& id,
                                         const std::vector<std::string>& include);
// The one played last.
tl::expected<std::string, int> latest_session(Context& context, const table::Store& store);
// How a new session is set up; a name or path that was given is found again from any folder.
table::SessionConfig session_config(Context& context, const Opening& opening,
                                    const std::string& id);
// Migrates and says what became of it. Without `to` the first of ID-2, ID-3 … that is free.
tl::expected<table::Migration, int> migrate_session(Context& context, table::Table& table,
                                                    const table::Store& store,
                                                    const std::string& id, const std::string& to);
// Adds what can be done when rules or program are not those a session was played by.
Rejection with_a_way_on(Rejection rejection, const std::string& command);

// What restoring had to do without, on `err`.
void tell_remarks(Context& context, const table::Session& session);

// Seats by number or name, comma-separated; "all" or "none". `flag` is where they were given.
tl::expected<std::vector<PlayerId>, int> read_seats(Context& context, const Game& game,
                                                    std::string_view flag, const std::string& text);
tl::expected<PlayerId, int> read_seat(Context& context, const Game& game, std::string_view flag,
                                      const std::string& text);

// A new id for an action, unlike any other.
std::string fresh_id();
// What an entry did, in words that `act` understands: "place cell=a1"; "undo to 3". Where something
// is hidden, players are told of their own actions what they asked for, and of others' only "act".
std::string deed_text(const table::Session& session, const table::LogEntry& entry,
                      const Viewer& viewer);
// "white wins" or "nobody wins", with the reason.
std::string ending_text(const Game& game, const table::Ending& ending);

}  // namespace parlor::cli
