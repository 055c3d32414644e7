#include <CLI/App.hpp>
#include <fmt/core.h>

#include "cli/session_verbs.h"

namespace parlor::cli {
namespace {

struct Verb {
  const char* name;
  const char* summary;
  const char* example;
  Run (*declare)(CLI::App&);
};

constexpr Verb verbs[] = {
    {"new", "Begin a session and keep it in STORE, which is made if missing",
     "parlor session new games.db chess --layout chess960:12", declare_new},
    {"list", "The sessions of a store", "parlor session list games.db", declare_list},
    {"show", "The state, or what a player may see of it", "parlor session show games.db --viewer 0",
     declare_show},
    {"act", "Make a move", "parlor session act games.db --as white e2e4", declare_act},
    {"undo", "Take a move back, with the consent of all whose actions go with it",
     "parlor session undo games.db --as white --agreed black", declare_undo},
    {"redo", "Bring an action back that was taken back",
     "parlor session redo games.db --as white --agreed black", declare_redo},
    {"resign", "Give up", "parlor session resign games.db --as black", declare_resign},
    {"timeout", "End it because somebody has no time left",
     "parlor session timeout games.db --seat black", declare_timeout},
    {"draw", "End it by agreement of all", "parlor session draw games.db --agreed all",
     declare_draw},
    {"abandon", "End it because somebody left, or all did",
     "parlor session abandon games.db --seat 1", declare_abandon},
    {"adjudicate", "End it with a result of your own",
     "parlor session adjudicate games.db --returns 1,-1 --winners white", declare_adjudicate},
    {"log", "What was done", "parlor session log games.db", declare_log},
    {"replay", "Replay the log from its beginning and check every state",
     "parlor session replay games.db", declare_replay},
    {"remove", "Forget a session", "parlor session remove games.db --id s1", declare_remove}};

}  // namespace

CommandSpec session_command() {
  return {
      .name = "session",
      .summary = "Games that go on: begin one in a file, act, look, undo, resign, replay",
      .example = "parlor session new games.db connect-four && parlor session act games.db --as 0 3",
      .declare = [](CLI::App& app) -> Run {
        app.require_subcommand(1);
        app.fallthrough(false);
        std::vector<std::pair<CLI::App*, Run>> runs;
        for (const Verb& verb : verbs) {
          CLI::App* sub = app.add_subcommand(verb.name, verb.summary);
          sub->footer(fmt::format("Example:\n  {}", verb.example));
          sub->fallthrough();  // --json belongs to all of them
          runs.emplace_back(sub, verb.declare(*sub));
        }
        return [runs](Context& context) {
          for (const auto& [sub, run] : runs)
            if (sub->parsed()) return run(context);
          return fail_usage(context, "`parlor session` needs to know what to do");
        };
      }};
}

}  // namespace parlor::cli
