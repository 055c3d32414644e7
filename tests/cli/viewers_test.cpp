// T-10, T-17, S-10 to S-12: what the program and its sessions tell a viewer is the same in worlds
// that this viewer cannot tell apart.
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "cli/program.h"
#include "game/secrecy.h"
#include "source_dir.h"
#include "table/session.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hidden_names[] = {
    "kuhn-poker",    "leduc-poker", "market",       "texas-holdem", "rock-paper-scissors",
    "guess-the-die", "old-maid",    "bluff-dice",   "thief",        "blind-auction",
    "pairs",         "treasure",    "sealed-orders"};

// The list above is of all games that hide something.
TEST(HiddenNames, LeaveNoneOut) {
  std::set<std::string> there;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/games/hidden"))
    if (entry.path().extension() == ".md") there.insert(entry.path().stem());
  for (const std::string& name : shipped().names())
    if (const auto game = shipped().open(name, {}); game && (*game)->info().hidden_information)
      there.insert(name);
  const std::set<std::string> here(std::begin(hidden_names), std::end(hidden_names));
  EXPECT_EQ(there, here);
}

std::string file_of(const std::string& name) {
  const std::string hidden = source_dir() + "/tests/games/hidden/" + name + ".md";
  return std::filesystem::exists(hidden) ? hidden : name;
}

std::string viewer_argument(const Viewer& viewer) {
  return viewer.id().is_none() ? "spectator" : std::to_string(viewer.id().value);
}

// After some random decisions.
State on_the_way(const Game& game, int decisions, Seed seed) {
  State state = game.start(seed).value();
  Rng rng(seed);
  OptionList options;
  for (int n = 0; n < decisions && !state.finished(); ++n) {
    state.list_options(options);
    EXPECT_TRUE(state.apply(options[draw_option(options, rng)]));
  }
  return state;
}

class ViewersOfTheProgram : public testing::TestWithParam<const char*> {};

TEST_P(ViewersOfTheProgram, AreToldTheSameInWorldsTheyCannotTellApart) {
  const std::string file = file_of(GetParam());
  const auto game = shipped().open(file, {}).value();
  Rng rng(3);
  for (int decisions = 0; decisions < 4; ++decisions) {
    const State state = on_the_way(*game, decisions, 5);
    for (const Viewer& viewer : viewers_of(*game)) {
      State world = state;
      game->resample_hidden(world.block(), viewer, rng);
      for (const bool json : {false, true}) {
        const auto told = [&](const State& which) {
          std::vector<std::string> arguments{"state", file,       "--load",
                                             "-",     "--viewer", viewer_argument(viewer)};
          if (json) arguments.emplace_back("--json");
          return run(arguments, canonical(which.save()), shipped());
        };
        const Result one = told(state), other = told(world);
        ASSERT_EQ(one.exit_code, 0) << one.err;
        EXPECT_EQ(one.out, other.out);
        EXPECT_EQ(one.err, other.err);
        EXPECT_THAT(one.out, Not(HasSubstr(json ? "\"hash\"" : "\nhash ")));
      }
    }
  }
}

// `trace` tells a viewer the decision as they live through it.
TEST_P(ViewersOfTheProgram, AreToldTheSameByATraceThatGoesOnFromThere) {
  const std::string file = file_of(GetParam());
  const auto game = shipped().open(file, {}).value();
  Rng rng(4);
  for (int decisions = 0; decisions < 3; ++decisions) {
    const State state = on_the_way(*game, decisions, 6);
    if (state.finished()) continue;
    for (const Viewer& viewer : viewers_of(*game)) {
      State world = state;
      game->resample_hidden(world.block(), viewer, rng);
      const auto told = [&](const State& which) {
        const Result result = run({"trace", file, "--load", "-", "--viewer",
                                   viewer_argument(viewer), "--max-decisions", "1"},
                                  canonical(which.save()), shipped());
        EXPECT_EQ(result.exit_code, 0) << result.err;
        // What comes after the choice may show something new.
        return result.out.substr(0, result.out.find("\"picked\"")) + result.err;
      };
      EXPECT_EQ(told(state), told(world)) << viewer_argument(viewer);
    }
  }
}

// `why` knows no saved states: two seeds that look the same to a viewer after the same moves.
TEST_P(ViewersOfTheProgram, GetTheSameAnswersToWhy) {
  const std::string file = file_of(GetParam());
  const auto game = shipped().open(file, {}).value();
  int compared = 0;
  for (const Viewer& viewer : viewers_of(*game)) {
    std::map<std::string, std::pair<Seed, State>> seen;
    for (Seed seed = 1; seed < 200; ++seed) {
      const State state = game->start(seed).value();
      const auto [found, first] =
          seen.try_emplace(canonical(everything_told(state, viewer, {})), seed, state);
      if (first || found->second.second.view() == state.view()) continue;
      std::vector<Json> requests = probing_requests(state);
      if (requests.size() > 6) requests.erase(requests.begin() + 3, requests.end() - 3);
      for (const Json& request : requests) {
        const auto answer = [&](Seed which) {
          const Result result = run({"why", file, "--seed", std::to_string(which), "--viewer",
                                     viewer_argument(viewer), "--json", canonical(request)},
                                    "", shipped());
          return std::to_string(result.exit_code) + result.out + result.err;
        };
        EXPECT_EQ(answer(found->second.first), answer(seed)) << request;
        ++compared;
      }
      break;
    }
  }
  if (game->start(1).value().view() != game->start(2).value().view()) {
    EXPECT_GT(compared, 0) << "no two deals look the same";
  }
}

INSTANTIATE_TEST_SUITE_P(Games, ViewersOfTheProgram, testing::ValuesIn(hidden_names));

TEST(ViewersOfATrace, GetNoSavedStateAndNoSeed) {
  EXPECT_NE(run({"state", "kuhn-poker", "--viewer", "0", "--save"}, "", shipped()).exit_code, 0);
  const Result trace =
      run({"trace", "kuhn-poker", "--seed", "3", "--viewer", "spectator"}, "", shipped());
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_THAT(trace.out, Not(HasSubstr("\"seed\"")));
  EXPECT_THAT(trace.out, Not(HasSubstr("\"hash\"")));
  EXPECT_THAT(trace.out, HasSubstr("\"viewHash\""));
}

// ---- Sessions that begin in two worlds a viewer cannot tell apart, and are played the same way.

// What sessions tell; those broken on purpose replace one of them.
struct Teller {
  std::function<Json(const table::Session&, const Viewer&)> observation =
      [](const table::Session& session, const Viewer& viewer) {
        return session.observation(viewer);
      };
  std::function<Json(const table::Session&, const table::LogEntry&, const Viewer&)> entry =
      [](const table::Session& session, const table::LogEntry& entry, const Viewer& viewer) {
        return session.entry_for(entry, viewer);
      };
  std::function<Json(const Rejection&, const table::Session&)> refusal =
      [](const Rejection& rejection, const table::Session&) { return to_json(rejection); };
  std::function<Json(const table::Answer&, const table::Session&)> answer =
      [](const table::Answer& answer, const table::Session&) {
        return Json{answer.events, answer.view_hash};
      };
};

struct SessionLeaks {
  std::vector<std::string> found;
  int compared = 0;
};

class SessionPair {
 public:
  SessionPair(std::shared_ptr<const Game> game, const State& state, const State& world)
      : one_(session_of(game, state)), other_(session_of(game, world)) {}

  void compare(const Viewer& viewer, const Teller& teller, Rng& rng, SessionLeaks& out) {
    for (int n = 0; n < 6 && !one_.over() && !other_.over(); ++n) {
      note(out, "observation", teller.observation(one_, viewer),
           teller.observation(other_, viewer));
      const PlayerId actor = one_.state().decision().player;
      // Where the worlds have become different to the viewer, or the choice is another one's whose
      // options differ, there is nothing more to compare.
      if (actor != other_.state().decision().player) return;
      OptionList options, others;
      one_.state().list_options(options);
      other_.state().list_options(others);
      if (options.size() != others.size()) return;
      if (!viewer.id().is_none()) refuse(viewer, teller, n, out);
      const table::ActionEnvelope act =
          envelope(std::to_string(n), actor, {{"index", rng.below(options.size())}});
      const auto here = one_.act(act), there = other_.act(act);
      if (!here || !there) return;
      // What was shown by this move may differ: only what looks the same afterwards is compared.
      if (one_.observation(viewer) != other_.observation(viewer)) return;
      if (viewer.is(actor))
        note(out, "answer", teller.answer(*here, one_), teller.answer(*there, other_));
      note(out, "log", teller.entry(one_, one_.log().back(), viewer),
           teller.entry(other_, other_.log().back(), viewer));
    }
  }

 private:
  static table::Session session_of(const std::shared_ptr<const Game>& game, const State& state) {
    table::SessionConfig config{.id = "s", .game = game->info().id};
    config.options.players = game->info().players;
    config.start = state.save();
    return table::Session::create(game, config, [] { return table::Time{1}; }).value();
  }
  static table::ActionEnvelope envelope(const std::string& id, PlayerId actor, Json content) {
    return {.session = "s",
            .action_id = id,
            .actor = actor,
            .deed = table::Deed::act,
            .content = std::move(content)};
  }
  void refuse(const Viewer& viewer, const Teller& teller, int n, SessionLeaks& out) {
    for (const Json& nonsense : {Json{{"action", "nothing"}}, Json{{"index", 99'999}}, Json(7.5)}) {
      const auto asked = envelope(std::to_string(n) + "x", viewer.id(), nonsense);
      const auto here = one_.act(asked), there = other_.act(asked);
      if (here || there) continue;
      note(out, "refusal", teller.refusal(here.error(), one_),
           teller.refusal(there.error(), other_));
    }
  }
  static void note(SessionLeaks& out, const char* where, const Json& a, const Json& b) {
    ++out.compared;
    if (a != b) out.found.push_back(where + (": " + a.dump()) + "\nand " + b.dump());
  }

  table::Session one_, other_;
};

SessionLeaks leaks_of_sessions(const std::string& name, const Teller& teller) {
  const std::shared_ptr<const Game> game = shipped().open(file_of(name), {}).value();
  SessionLeaks out;
  Rng rng(8);
  for (int decisions = 0; decisions < 3; ++decisions)
    for (const Viewer& viewer : viewers_of(*game))
      for (Seed seed = 1; seed < 4; ++seed) {
        const State state = on_the_way(*game, decisions, seed);
        if (state.finished()) continue;
        State world = state;
        game->resample_hidden(world.block(), viewer, rng);
        SessionPair(game, state, world).compare(viewer, teller, rng, out);
      }
  return out;
}

class SessionsOfHiddenGames : public testing::TestWithParam<const char*> {};

TEST_P(SessionsOfHiddenGames, TellTheSameWhateverTheOthersHold) {
  const SessionLeaks leaks = leaks_of_sessions(GetParam(), Teller{});
  EXPECT_THAT(leaks.found, testing::IsEmpty());
  EXPECT_GT(leaks.compared, 20);
}

INSTANTIATE_TEST_SUITE_P(Games, SessionsOfHiddenGames, testing::ValuesIn(hidden_names));

// Each tells one thing too many.
TEST(LeakySessions, AreNoticed) {
  std::map<std::string, Teller> broken;
  broken["the hash of the state"].observation = [](const auto& session, const Viewer& viewer) {
    Json out = session.observation(viewer);
    out["hash"] = session.state().hash();
    return out;
  };
  broken["what tools see"].observation = [](const auto& session, const Viewer&) {
    return session.state().view();
  };
  broken["options of others"].observation = [](const auto& session, const Viewer& viewer) {
    Json out = session.observation(viewer);
    out["decision"] = session.over() ? Json(nullptr) : decision_to_json(session.state());
    out["saved"] = session.state().save()["check"];
    return out;
  };
  broken["whole entries"].entry = [](const auto&, const table::LogEntry& entry, const Viewer&) {
    return table::to_json(entry);
  };
  broken["refusals with the state"].refusal = [](const Rejection& rejection, const auto& session) {
    Json out = to_json(rejection);
    out["details"]["state"] = session.state().view();
    return out;
  };
  broken["answers with the hash"].answer = [](const table::Answer& answer, const auto& session) {
    return Json{answer.events, session.state().hash()};
  };
  for (const auto& [what, teller] : broken)
    EXPECT_FALSE(leaks_of_sessions("old-maid", teller).found.empty() &&
                 leaks_of_sessions("kuhn-poker", teller).found.empty())
        << what;
}

}  // namespace
}  // namespace parlor::test
