// Looking at a session.
#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/session_verbs.h"
#include "cli/sessions.h"
#include "cli/viewers.h"

namespace parlor::cli {
namespace {

using table::Session;

Json facts(const Session& session) {
  const auto ending = session.ending();
  return {{"session", session.config().id},
          {"game", session.config().game},
          {"revision", session.revision()},
          {"created", session.created()},
          {"updated", session.updated()},
          {"outcome", ending ? table::to_json(*ending) : Json(nullptr)},
          {"remarks", session.remarks()}};
}

void print_facts(Context& context, const Session& session) {
  context.out << fmt::format("Session {}: {}, revision {}, {}\n\n", session.config().id,
                             session.game().info().name, session.revision(),
                             time_text(session.updated()));
}

void print_decision(Context& context, const Session& session, const Viewer& viewer) {
  const Game& game = session.game();
  if (const auto ending = session.ending()) {
    context.out << fmt::format("\nThe game is over: {}.\n", ending_text(game, *ending));
    return;
  }
  State state = session.state();
  if (!viewer.id().is_none()) game.let_decide(state.block(), viewer.id());
  const Decision decision = game.decision_told(state.block(), viewer);
  context.out << fmt::format("\n{} decides", seat_name(game, decision.player));
  if (!viewer.sees_all() && !viewer.is(decision.player)) {
    context.out << ".\n";
    return;
  }
  context.out << ":\n";
  OptionList options;
  state.list_options(options);
  for (std::size_t i = 0; i < options.size(); ++i)
    context.out << fmt::format("  {:>3}  {}\n", i, state.option_text(options[i], viewer));
}

int run_show(Context& context, const SessionPlace& place, const std::string& viewer) {
  const auto seated = open_session(context, place, table::Access::read);
  if (!seated) return seated.error();
  const Session& session = seated->session;
  const auto eyes = read_viewer(context, session.game(), viewer);
  if (!eyes) return eyes.error();
  if (context.json) {
    Json out = facts(session);
    if (!eyes->sees_all()) {
      out["observation"] = session.observation(*eyes);
    } else {
      out["config"] = table::to_json(session.config());
      out["view"] = session.state().view();
      out["decision"] = session.over() ? Json(nullptr) : decision_to_json(session.state());
      out["hash"] = hash_hex(session.state().hash());
    }
    print_json(context, out);
    return exit_fine;
  }
  print_facts(context, session);
  context.out << session.state().describe(*eyes);
  print_decision(context, session, *eyes);
  return exit_fine;
}

int run_log(Context& context, const SessionPlace& place, const std::string& viewer,
            std::uint64_t from) {
  const auto seated = open_session(context, place, table::Access::read);
  if (!seated) return seated.error();
  const Session& session = seated->session;
  const auto eyes = read_viewer(context, session.game(), viewer);
  if (!eyes) return eyes.error();
  Json out = Json::array();
  for (const table::LogEntry& entry : session.log()) {
    if (entry.revision < from) continue;
    if (context.json)
      out.push_back(session.entry_for(entry, *eyes));
    else
      context.out << fmt::format(
          "{:>5}  {}  {:<12} {}\n", entry.revision, time_text(entry.at),
          entry.actor.is_none() ? "the table" : seat_name(session.game(), entry.actor),
          deed_text(session, entry, *eyes));
  }
  if (context.json) {
    print_json(context, {{"entries", out}});
    return exit_fine;
  }
  if (const auto ending = session.ending())
    context.out << fmt::format("The game is over: {}.\n", ending_text(session.game(), *ending));
  return exit_fine;
}

}  // namespace

Run declare_show(CLI::App& app) {
  auto place = add_session_place(app);
  auto viewer = add_viewer_option(app);
  return [=](Context& context) { return run_show(context, *place, *viewer); };
}

Run declare_log(CLI::App& app) {
  auto place = add_session_place(app);
  auto from = std::make_shared<std::uint64_t>(0);
  auto viewer = add_viewer_option(app);
  app.add_option("--from", *from, "only from this revision on")->type_name("N");
  return [=](Context& context) { return run_log(context, *place, *viewer, *from); };
}

}  // namespace parlor::cli
