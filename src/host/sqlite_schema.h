// What the SQLite archive consists of, as the steps it grew by. A step that was released is never
// changed; a new one is added at the end, and old files take the steps they lack when they are
// opened.
#pragma once

#include <array>

namespace parlor::host {

inline constexpr int archive_application_id = 0x50524c54;  // "PRLT"

inline constexpr std::array archive_steps{
    // 1
    "CREATE TABLE handle (id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash BLOB NOT NULL UNIQUE,"
    " created INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE game_table (id TEXT PRIMARY KEY, game TEXT NOT NULL, config TEXT NOT NULL,"
    " visibility TEXT NOT NULL, state TEXT NOT NULL, creator TEXT NOT NULL, invite_hash BLOB NOT "
    "NULL,"
    " created INTEGER NOT NULL, updated INTEGER NOT NULL, result TEXT NOT NULL, clock TEXT NOT "
    "NULL,"
    " deadline INTEGER, epoch INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;"
    "CREATE INDEX table_by_state ON game_table (state, visibility, updated);"
    "CREATE INDEX table_by_deadline ON game_table (deadline);"
    "CREATE TABLE seat (table_id TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL,"
    " handle TEXT NOT NULL, name TEXT NOT NULL, agent TEXT NOT NULL, token_hash BLOB NOT NULL,"
    " ready INTEGER NOT NULL, PRIMARY KEY (table_id, seat)) STRICT, WITHOUT ROWID;"
    // The log of a table's game: how it was begun, and where it ends. A log that lost its end does
    // not look like a shorter one.
    "CREATE TABLE log (table_id TEXT PRIMARY KEY, header TEXT NOT NULL, revision INTEGER NOT NULL,"
    " chain INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE entry (table_id TEXT NOT NULL, revision INTEGER NOT NULL, actor INTEGER NOT NULL,"
    " action_id TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL,"
    " PRIMARY KEY (table_id, revision), UNIQUE (table_id, actor, action_id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot (table_id TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (table_id, revision)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE chat (seq INTEGER PRIMARY KEY, table_id TEXT NOT NULL, channel TEXT NOT NULL,"
    " author TEXT NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"
    "CREATE INDEX chat_of_table ON chat (table_id, seq);",
    // 2: games that people send
    "CREATE TABLE upload (id TEXT PRIMARY KEY, owner TEXT NOT NULL, files TEXT NOT NULL,"
    " compiled TEXT NOT NULL, fingerprint BLOB NOT NULL, created INTEGER NOT NULL,"
    " suspended INTEGER NOT NULL) STRICT, WITHOUT ROWID;"};

}  // namespace parlor::host
