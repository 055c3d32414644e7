// Doing something to a session: one envelope, one answer.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <iostream>

#include "cli/request.h"
#include "cli/session_verbs.h"
#include "cli/sessions.h"

namespace parlor::cli {
namespace {

using table::Deed;

// What the deeds take from the command line, all together.
struct DeedOptions {
  std::shared_ptr<SessionPlace> place;
  std::string seat;       // --as or --seat
  std::string agreed;     // --agreed
  std::string action_id;  // --action-id
  std::optional<std::uint64_t> revision, to;
  std::vector<std::string> words;  // MOVE
  std::vector<std::int64_t> returns;
  std::string winners, reason;
};

std::shared_ptr<DeedOptions> add_deed_options(CLI::App& app) {
  auto options = std::make_shared<DeedOptions>();
  options->place = add_session_place(app);
  app.add_option("--action-id", options->action_id,
                 "id of this action: sent again with the same id it is done once")
      ->type_name("ID");
  app.add_option("--revision", options->revision,
                 "refuse if the session is at another revision by now")
      ->type_name("N");
  return options;
}

void add_actor(CLI::App& app, DeedOptions& options) {
  app.add_option("--as", options.seat, "your seat, by number or name")
      ->required()
      ->type_name("SEAT");
}

void add_agreed(CLI::App& app, DeedOptions& options, const char* help) {
  app.add_option("--agreed", options.agreed, help)->type_name("SEATS");
}

void tell(Context& context, const table::Session& session, const table::Answer& answer,
          const std::string& action_id) {
  const auto ending = session.ending();
  if (context.json) {
    print_json(context, {{"ok", true},
                         {"format", "parlor.session.act.1"},
                         {"session", session.config().id},
                         {"revision", answer.revision},
                         {"action", action_id},
                         {"repeated", answer.repeated},
                         {"events", answer.events},
                         {"viewHash", hash_hex(answer.view_hash)},
                         {"outcome", ending ? table::to_json(*ending) : Json(nullptr)}});
    return;
  }
  const table::LogEntry& entry = session.log()[answer.revision - 1];
  const std::string who =
      entry.actor.is_none() ? "the table" : seat_name(session.game(), entry.actor);
  const Viewer eyes = entry.actor.is_none() ? Viewer::everything() : Viewer::player(entry.actor);
  context.out << fmt::format("{}: {}{}\n", who, deed_text(session, entry, eyes),
                             answer.repeated ? " (done already)" : "");
  if (ending)
    context.out << fmt::format("The game is over: {}.\n", ending_text(session.game(), *ending));
  else
    context.out << fmt::format("Revision {}; {} decides.\n", session.revision(),
                               seat_name(session.game(), session.state().decision().player));
}

int send(Context& context, SeatedSession& seated, const DeedOptions& options, PlayerId actor,
         Deed deed, Json content) {
  const std::string id = options.action_id.empty() ? fresh_id() : options.action_id;
  const auto answer = seated.table->act(seated.session, {.session = seated.session.config().id,
                                                         .action_id = id,
                                                         .actor = actor,
                                                         .deed = deed,
                                                         .content = std::move(content),
                                                         .expected_revision = options.revision});
  if (!answer) return fail(context, answer.error());
  tell(context, seated.session, *answer, id);
  return exit_fine;
}

// Makes the content once the session, and with it the seats, are known.
using Contents = std::function<tl::expected<Json, int>(Context&, const table::Session&, PlayerId)>;

Run deed(std::shared_ptr<DeedOptions> options, Deed what, Contents contents) {
  return [=](Context& context) {
    auto seated = open_session(context, *options->place, table::Access::write);
    if (!seated) return seated.error();
    PlayerId actor;
    const bool seat_acts = what <= Deed::resign;
    if (seat_acts) {
      const auto seat = read_seat(context, seated->session.game(), "--as", options->seat);
      if (!seat) return seat.error();
      actor = *seat;
    }
    auto content = contents(context, seated->session, actor);
    if (!content) return content.error();
    return send(context, *seated, *options, actor, what, std::move(*content));
  };
}

tl::expected<Json, int> seat_numbers(Context& context, const Game& game, std::string_view flag,
                                     const std::string& text) {
  const auto seats = read_seats(context, game, flag, text);
  if (!seats) return tl::unexpected(seats.error());
  Json out = Json::array();
  for (const PlayerId seat : *seats) out.push_back(seat.value);
  return out;
}

// {"agreed"} if anybody did.
tl::expected<Json, int> agreement(Context& context, const Game& game, const DeedOptions& options) {
  Json out = Json::object();
  if (options.agreed.empty()) return out;
  auto seats = seat_numbers(context, game, "--agreed", options.agreed);
  if (!seats) return tl::unexpected(seats.error());
  out["agreed"] = std::move(*seats);
  return out;
}

// {"seat"} if one was named.
Contents about_seat(std::shared_ptr<DeedOptions> options) {
  return [=](Context& context, const table::Session& session, PlayerId) -> tl::expected<Json, int> {
    if (options->seat.empty()) return Json::object();
    const auto seat = read_seat(context, session.game(), "--seat", options->seat);
    if (!seat) return tl::unexpected(seat.error());
    return Json{{"seat", seat->value}};
  };
}

}  // namespace

Run declare_act(CLI::App& app) {
  auto options = add_deed_options(app);
  add_actor(app, *options);
  app.add_option("MOVE", options->words,
                 "an option's number or text, `action param=value …`, or JSON as in a moves file")
      ->required()
      ->type_name("");
  return deed(options, Deed::act,
              [options](Context&, const table::Session& session, PlayerId actor) -> Json {
                const std::string text = fmt::format("{}", fmt::join(options->words, " "));
                // Sent again, the words mean what they meant then.
                if (const auto* done = session.find_action(actor, options->action_id))
                  for (const Json& reading : readings_of(text))
                    if (done->content == reading) return reading;
                return request_of(session.state(), text, Viewer::player(actor));
              });
}

Run declare_undo(CLI::App& app) {
  auto options = add_deed_options(app);
  add_actor(app, *options);
  add_agreed(app, *options, "whose consent you have: seats, or all");
  app.add_option("--to", options->to,
                 "back to this revision (default: before your last whole move)")
      ->type_name("N");
  return deed(options, Deed::undo,
              [options](Context& context, const table::Session& session,
                        PlayerId actor) -> tl::expected<Json, int> {
                auto content = agreement(context, session.game(), *options);
                if (!content) return content;
                const auto to = options->to ? options->to : session.before_last_move_of(actor);
                if (to) (*content)["to"] = *to;
                return content;
              });
}

Run declare_redo(CLI::App& app) {
  auto options = add_deed_options(app);
  add_actor(app, *options);
  add_agreed(app, *options, "whose consent you have: seats, or all");
  return deed(options, Deed::redo,
              [options](Context& context, const table::Session& session, PlayerId) {
                return agreement(context, session.game(), *options);
              });
}

Run declare_resign(CLI::App& app) {
  auto options = add_deed_options(app);
  add_actor(app, *options);
  return deed(options, Deed::resign,
              [](Context&, const table::Session&, PlayerId) -> Json { return Json::object(); });
}

Run declare_timeout(CLI::App& app) {
  auto options = add_deed_options(app);
  app.add_option("--seat", options->seat, "who has no time left")->required()->type_name("SEAT");
  return deed(options, Deed::timeout, about_seat(options));
}

Run declare_draw(CLI::App& app) {
  auto options = add_deed_options(app);
  add_agreed(app, *options, "who agreed: all must");
  return deed(options, Deed::draw_agreed,
              [options](Context& context, const table::Session& session, PlayerId) {
                return agreement(context, session.game(), *options);
              });
}

Run declare_abandon(CLI::App& app) {
  auto options = add_deed_options(app);
  app.add_option("--seat", options->seat, "who left and so loses (default: nobody wins)")
      ->type_name("SEAT");
  return deed(options, Deed::abandoned, about_seat(options));
}

Run declare_adjudicate(CLI::App& app) {
  auto options = add_deed_options(app);
  app.add_option("--returns", options->returns, "what each seat gets, comma-separated")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N,…");
  app.add_option("--winners", options->winners, "seats that won")->type_name("SEATS");
  app.add_option("--reason", options->reason, "why, in a few words")->type_name("TEXT");
  return deed(options, Deed::adjudicated,
              [options](Context& context, const table::Session& session,
                        PlayerId) -> tl::expected<Json, int> {
                Json content{{"returns", options->returns}};
                auto winners = seat_numbers(context, session.game(), "--winners", options->winners);
                if (!winners) return winners;
                if (!winners->empty()) content["winners"] = std::move(*winners);
                if (!options->reason.empty()) content["reason"] = options->reason;
                return content;
              });
}

}  // namespace parlor::cli
