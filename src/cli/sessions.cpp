#include "cli/sessions.h"

#include <CLI/App.hpp>
#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <iostream>
#include <random>

namespace parlor::cli {
namespace {

// "cell_1_1:none" as people write it.
std::string plain_value(const Json& value) {
  std::string out = value.is_string() ? value.get<std::string>() : canonical(value);
  if (out.ends_with(":none")) out.resize(out.size() - 5);
  return out;
}

std::string choice_text(const Json& chosen) {
  if (!chosen.is_object()) return canonical(chosen);
  if (!chosen.contains("action"))
    return chosen.value("confirm", false) ? "confirm" : plain_value(chosen.value("value", Json{}));
  std::string out = plain_value(chosen["action"]);
  const Json params = chosen.value("params", Json::object());
  for (const auto& [name, value] : params.items())
    out += fmt::format(" {}={}", name.starts_with('$') ? name.substr(1) : name, plain_value(value));
  return out;
}

// What was asked for, which names nothing that whoever asked did not see.
std::string request_text(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (content.is_number()) return "option " + canonical(content);
  if (content.contains("index")) return "option " + canonical(content["index"]);
  return choice_text(content);
}

// What a table says, for people.
std::string in_words(std::string_view deed) {
  if (deed == deed_name(table::Deed::draw_agreed)) return "draw agreed";
  return std::string{deed};
}

std::string joined_seats(const Game& game, const std::vector<PlayerId>& players) {
  std::string out;
  for (const PlayerId player : players) out += (out.empty() ? "" : ", ") + seat_name(game, player);
  return out;
}

// The first of ID-2, ID-3 … that is free.
std::string next_id(const table::Store& store, const std::string& id) {
  const auto listed = store.list();
  for (int number = 2;; ++number) {
    std::string out = fmt::format("{}-{}", id, number);
    const auto same = [&](const table::Listed& one) { return one.id == out; };
    if (!listed || std::ranges::none_of(*listed, same)) return out;
  }
}

void make_absolute(std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    path = std::filesystem::canonical(path, ignored).string();
}

}  // namespace

std::shared_ptr<SessionPlace> add_session_place(CLI::App& app) {
  auto place = std::make_shared<SessionPlace>();
  app.add_option("STORE", place->store, "file with sessions")->required()->type_name("");
  app.add_option("--id", place->id, "which session (default: the only one there is)")
      ->type_name("ID");
  add_include_option(app, place->include);
  return place;
}

table::Clock system_clock() {
  return [] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
}

std::string time_text(table::Time time) {
  // Times of a store may be anything; people only read sensible ones.
  constexpr table::Time year_9999 = 253'402'300'799'000;
  if (time < 0 || time > year_9999) return "?";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(time / 1000)));
}

tl::expected<std::unique_ptr<table::Store>, int> open_store(Context& context,
                                                            const std::string& file,
                                                            table::Access access) {
  auto store = table::sqlite_store(file, access);
  if (!store) return tl::unexpected(fail(context, store.error()));
  return std::move(*store);
}

tl::expected<std::string, int> choose_session(Context& context, const table::Store& store,
                                              const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const auto listed = store.list();
  if (!listed) return tl::unexpected(fail(context, listed.error()));
  if (listed->size() == 1) return listed->front().id;
  if (listed->empty())
    return tl::unexpected(
        fail(context, Rejection{Code::SESSION_UNKNOWN,
                                fmt::format("{}: there is no session in it", store.name())}));
  std::vector<std::string> ids;
  for (const table::Listed& one : *listed) ids.push_back(one.id);
  return tl::unexpected(fail_usage(
      context, fmt::format("{} holds {} sessions: say which with --id", store.name(), ids.size()),
      ids));
}

tl::expected<SeatedSession, int> open_session(Context& context, const SessionPlace& place,
                                              table::Access access) {
  auto store = open_store(context, place.store, access);
  if (!store) return tl::unexpected(store.error());
  const auto id = choose_session(context, **store, place.id);
  if (!id) return tl::unexpected(id.error());
  if (const auto outside = session_reads_outside(context, **store, *id, place.include))
    return tl::unexpected(*outside);
  auto table = std::make_unique<table::Table>(context.catalog, **store, system_clock());
  auto session = table->resume(*id);
  if (!session)
    return tl::unexpected(
        fail(context,
             with_a_way_on(session.error(), fmt::format("parlor session replay {}", place.store))));
  tell_remarks(context, *session);
  return SeatedSession{std::move(*store), std::move(table), std::move(*session)};
}

std::optional<int> session_reads_outside(Context& context, const table::Store& store,
                                         const std::string& id,
                                         const std::vector<std::string>& include) {
  const auto record = store.header(id);
  if (!record) return std::nullopt;  // whoever opens it says why
  Opening opening{record->config.game,
                  record->config.options,
                  record->config.seed,
                  {include.begin(), include.end()}};
  const auto folder = std::filesystem::path{store.name()}.parent_path();
  opening.include.push_back(folder.empty() ? "." : folder);
  if (const auto outside = names_file_outside(context.catalog, opening))
    return fail(context, *outside);
  return std::nullopt;
}

tl::expected<std::string, int> latest_session(Context& context, const table::Store& store) {
  const auto listed = store.list();
  if (!listed) return tl::unexpected(fail(context, listed.error()));
  const table::Listed* latest = nullptr;
  for (const table::Listed& one : *listed)
    if (latest == nullptr || one.updated > latest->updated) latest = &one;
  if (latest != nullptr) return latest->id;
  return tl::unexpected(
      fail(context, Rejection{Code::SESSION_UNKNOWN,
                              fmt::format("{}: there is no session in it", store.name())}));
}

table::SessionConfig session_config(Context& context, const Opening& opening,
                                    const std::string& id) {
  table::SessionConfig config;
  config.id = id.empty() ? fresh_id() : id;
  config.game = opening.game;
  config.options = opening.options;
  config.seed = opening.seed;
  const auto names = context.catalog.names();
  if (std::ranges::find(names, config.game) == names.end()) make_absolute(config.game);
  for (std::string& rule : config.options.rules)
    if (rule.find('/') != rule.npos || rule.ends_with(".md")) make_absolute(rule);
  return config;
}

tl::expected<table::Migration, int> migrate_session(Context& context, table::Table& table,
                                                    const table::Store& store,
                                                    const std::string& id, const std::string& to) {
  const std::string name = to.empty() ? next_id(store, id) : to;
  auto migration = table.migrate(id, name);
  if (!migration) return tl::unexpected(fail(context, migration.error()));
  Json differences = Json::array();
  for (const table::Difference& one : migration->differences)
    differences.push_back({{"revision", one.revision}, {"what", one.what}});
  if (context.json) {
    print_json(context, {{"ok", true},
                         {"format", "parlor.session.migrate.1"},
                         {"session", name},
                         {"from", id},
                         {"carriedOver", migration->carried_over},
                         {"entries", migration->entries},
                         {"differences", differences}});
    return std::move(*migration);
  }
  context.out << fmt::format("Session {}: {} of {} actions of {} by the rules of now.\n", name,
                             migration->carried_over, migration->entries, id);
  for (const table::Difference& one : migration->differences)
    context.out << fmt::format("  action {}: {}\n", one.revision, one.what);
  return std::move(*migration);
}

Rejection with_a_way_on(Rejection rejection, const std::string& command) {
  if (rejection.code == code_name(Code::RULES_CHANGED) ||
      rejection.code == code_name(Code::SESSION_MISMATCH))
    rejection.message += fmt::format(
        "\n`{} --migrate` replays it by those of now, in another session, and says where it "
        "differs",
        command);
  return rejection;
}

void tell_remarks(Context& context, const table::Session& session) {
  for (const std::string& remark : session.remarks()) context.err << "note: " << remark << '\n';
}

tl::expected<std::vector<PlayerId>, int> read_seats(Context& context, const Game& game,
                                                    std::string_view flag,
                                                    const std::string& text) {
  const GameInfo& info = game.info();
  std::vector<std::string> names = info.seats;
  names.resize(info.players);
  for (std::size_t i = 0; i < info.players; ++i) names.push_back(std::to_string(i));
  std::vector<bool> chosen(info.players, false);
  for (std::size_t begin = 0; begin <= text.size() && text != "none" && !text.empty();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (word == "all") {
      chosen.assign(info.players, true);
      continue;
    }
    const auto found = std::ranges::find(names, word);
    if (found == names.end() || word.empty())
      return tl::unexpected(fail_usage(context,
                                       fmt::format("{}: there is no seat `{}`", flag, word),
                                       did_you_mean(word, names)));
    chosen[static_cast<std::size_t>(found - names.begin()) % info.players] = true;
  }
  std::vector<PlayerId> out;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) out.push_back(PlayerId{i});
  return out;
}

tl::expected<PlayerId, int> read_seat(Context& context, const Game& game, std::string_view flag,
                                      const std::string& text) {
  const auto seats = read_seats(context, game, flag, text);
  if (!seats) return tl::unexpected(seats.error());
  if (seats->size() == 1) return seats->front();
  return tl::unexpected(fail_usage(context, fmt::format("{} names one seat", flag)));
}

std::string fresh_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::string deed_text(const table::Session& session, const table::LogEntry& entry,
                      const Viewer& viewer) {
  if (entry.deed == table::Deed::act) {
    if (viewer.sees_all() || !session.game().info().hidden_information)
      return choice_text(entry.chosen);
    return viewer.is(entry.actor) ? request_text(entry.content)
                                  : std::string{deed_name(entry.deed)};
  }
  std::string out = in_words(deed_name(entry.deed));
  if (entry.deed == table::Deed::rules)
    for (const Json& rule : entry.content["rules"]) out += " " + rule.get<std::string>();
  if (entry.content.contains("to")) out += " to " + canonical(entry.content["to"]);
  if (entry.content.contains("seat")) out += " of " + canonical(entry.content["seat"]);
  return out;
}

std::string ending_text(const Game& game, const table::Ending& ending) {
  const Outcome& outcome = ending.outcome;
  const bool shared = outcome.winners.size() > 1 && outcome.winners.size() == game.info().players;
  std::string out = outcome.winners.empty() || shared
                        ? "nobody wins alone"
                        : fmt::format("{} win{}", joined_seats(game, outcome.winners),
                                      outcome.winners.size() == 1 ? "s" : "");
  if (outcome.reason.empty()) return out;
  return fmt::format(
      "{} ({})", out,
      ending.by == table::Ending::By::table ? in_words(outcome.reason) : outcome.reason);
}

}  // namespace parlor::cli
