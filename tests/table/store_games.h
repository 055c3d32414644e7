// What the tests of stores share: a catalog, files that go away again, and sessions to put in.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "play/board_games.h"
#include "table/store.h"

namespace parlor::table {

using ConnectFourGame = play::games::NativeGame<play::games::ConnectFour>;

inline Catalog test_catalog() {
  Catalog catalog;
  catalog.add("connect-four", [](const std::string&, const OpenOptions&) -> Opened {
    return std::make_shared<ConnectFourGame>();
  });
  return catalog;
}

inline Clock stopped() {
  return [] { return Time{5}; };
}

// A folder that is removed again, and a file name in it.
struct TemporaryStore {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      fmt::format("parlor-store-{}-{}", getpid(), static_cast<void*>(this));
  std::filesystem::path path = folder / "games.db";
  TemporaryStore() { std::filesystem::create_directories(folder); }
  ~TemporaryStore() { std::filesystem::remove_all(folder); }
};

inline SessionConfig config(const std::string& id) {
  SessionConfig out;
  out.id = id;
  out.game = "connect-four";
  out.seed = 1;
  return out;
}

inline ActionEnvelope next_action(const Session& session) {
  return {.session = session.config().id,
          .action_id = fmt::format("a{}", session.revision()),
          .actor = session.state().decision().player,
          .content = {{"index", session.revision() % 3}}};
}

// Plays on until the game ends or `moves` are made.
inline std::uint64_t play_on(Table& table, Session& session, std::uint64_t moves) {
  for (std::uint64_t i = 0; i < moves && !session.over(); ++i) {
    auto answer = table.act(session, next_action(session));
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    if (!answer) break;
  }
  return session.revision();
}

}  // namespace parlor::table
