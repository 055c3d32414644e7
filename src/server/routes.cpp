// What each route does. The host answers when it is done; bodies are made by src/wire.
#include <charconv>
#include <fmt/core.h>

#include "server/call.h"
#include "server/check.h"
#include "server/rules_text.h"
#include "server/uploads.h"

namespace parlor::server {

// ---- Games.

void Router::games_text(std::function<void(const std::string&)> then) {
  {
    const std::lock_guard lock{mutex_};
    if (!games_text_.empty()) return then(games_text_);
  }
  // Opening all of them takes a second, once, and not on the thread of the sockets.
  host_.services().tables.post([this, then = std::move(then)] {
    Json games = Json::array();
    for (const std::string& name : host_.services().games.names())
      if (const auto game = host_.services().games.open(name, {}))
        games.push_back(wire::game_line(**game));
    std::string text = canonical({{"ok", true}, {"games", std::move(games)}});
    {
      const std::lock_guard lock{mutex_};
      games_text_ = text;
    }
    then(text);
  });
}

void Router::list_games(const std::shared_ptr<Call>& call) {
  games_text([call](const std::string& text) { call->answer_tagged(text); });
}

// The page of a game that was shipped is made once for each number of players.
void Router::show_game(const std::shared_ptr<Call>& call) {
  constexpr std::size_t most_pages = 256;
  OpenOptions options;
  if (const auto players = call->query.find("players"); players != call->query.end())
    options.players =
        static_cast<std::size_t>(std::clamp(std::atoi(players->second.c_str()), 0, 16));
  std::string key = fmt::format("{}/{}", call->stars[0], options.players);
  {
    const std::lock_guard lock{mutex_};
    if (const auto known = pages_.find(key); known != pages_.end())
      return call->answer_tagged(known->second);
  }
  host_.services().tables.post([this, call, options, key = std::move(key)] {
    const auto game = host_.services().games.open(call->stars[0], options);
    if (!game) return call->refuse(game.error());
    Json page = wire::game_page(**game, *host_.services().games.scene(*game));
    page["rulesHtml"] = rules_html(call->stars[0]);
    std::string text = canonical({{"ok", true}, {"game", std::move(page)}});
    if (!host::is_upload(call->stars[0])) {
      const std::lock_guard lock{mutex_};
      if (pages_.size() >= most_pages) pages_.clear();
      pages_[key] = text;
    }
    call->answer_tagged(std::move(text));
  });
}

void Router::try_options(const std::shared_ptr<Call>& call) {
  Json body = call->body;
  body["game"] = call->stars[0];
  auto config = host::table_config_from_json(body);
  if (!config) return call->refuse(config.error());
  host_.services().tables.post([this, call, config = std::move(*config)] {
    const auto game = host_.services().games.open_as_asked(config.game, config.options);
    if (!game) return call->refuse(game.error());
    const host::ScenePtr scene = host_.services().games.scene(*game);
    call->answer(200, {{"ok", true},
                       {"game", wire::game_line(**game)},
                       {"scene", scene->scene},
                       {"sceneHash", scene->hash}});
  });
}

// ---- Handles.

void Router::make_handle(const std::shared_ptr<Call>& call) {
  if (auto refused =
          gate_.refuse(Doing::handle, call->request.address, "", host_.services().timers.now()))
    return call->refuse(*refused);
  const auto name = wire::read_text(call->body, "name");
  if (!name) return call->refuse(name.error());
  host_.make_handle(*name, call->then<host::MadeHandle>(201, [](const host::MadeHandle& made) {
    return Json{{"handle", wire::to_json(made.handle)}, {"token", made.token}};
  }));
}

void Router::rename_handle(const std::shared_ptr<Call>& call) {
  if (!call->caller.handle)
    return call->refuse({host::code::TOKEN_INVALID, "that takes a handle's token"});
  const auto name = wire::read_text(call->body, "name");
  if (!name) return call->refuse(name.error());
  host_.rename_handle(*call->caller.handle, *name,
                      call->then<host::HandleRow>(200, [](const host::HandleRow& handle) {
                        return Json{{"handle", wire::to_json(handle)}};
                      }));
}

void Router::drop_handle(const std::shared_ptr<Call>& call) {
  if (!call->caller.handle)
    return call->refuse({host::code::TOKEN_INVALID, "that takes a handle's token"});
  host_.drop_handle(*call->caller.handle,
                    call->then<bool>(200, [](bool) { return Json::object(); }));
}

// ---- Tables.

void Router::list_tables(const std::shared_ptr<Call>& call) {
  std::vector<host::TableState> states;
  if (const auto wanted = call->query.find("state"); wanted != call->query.end()) {
    const auto state = host::table_state_named(wanted->second);
    if (!state)
      return call->refuse(
          {host::code::REQUEST_INVALID, "`state` is open, playing, finished or abandoned"});
    states = {*state};
  } else {
    states = {host::TableState::open, host::TableState::playing};
  }
  const auto page = host_.list(states, call->query["game"], call->query["after"]);
  if (!page) return call->refuse(page.error());
  Json tables = Json::array();
  for (const host::TableFacts& facts : page->tables) tables.push_back(wire::to_json(facts));
  call->answer_tagged(canonical({{"ok", true},
                                 {"tables", std::move(tables)},
                                 {"next", page->next.empty() ? Json(nullptr) : Json(page->next)}}));
}

void Router::make_table(const std::shared_ptr<Call>& call) {
  if (!call->caller.handle)
    return call->refuse(
        {call->token.empty() ? host::code::TOKEN_MISSING : host::code::TOKEN_INVALID,
         "making a table takes a handle's token"});
  auto wanted = wire::read_table_request(call->body);
  if (!wanted) return call->refuse(wanted.error());
  if (auto refused = gate_.refuse(Doing::table, call->request.address, call->caller.handle->id,
                                  host_.services().timers.now()))
    return call->refuse(*refused);
  host_.make_table(call->caller, wanted->config, wanted->sit,
                   call->then<host::MadeTable>(201, [](const host::MadeTable& made) {
                     Json body{{"table", wire::to_json(made.table)}};
                     if (made.sat.seat >= 0) {
                       body["seat"] = made.sat.seat;
                       body["seatToken"] = made.sat.seat_token;
                     }
                     if (!made.invite.empty()) body["invite"] = made.invite;
                     return body;
                   }));
}

void Router::at_table(const std::shared_ptr<Call>& call,
                      std::function<void(const std::shared_ptr<host::Room>&)> work) {
  host_.at_table(call->stars[0], call->caller, std::move(work),
                 [this, call](const Rejection& rejection) {
                   if (rejection.code != host::code::TABLE_ELSEWHERE)
                     return call->refuse(rejection);
                   const Json address = rejection.details.value("node", Json());
                   if (forward_ && !call->request.relayed && address.is_string())
                     return forward_(address.get<std::string>(), call->request, call->respond);
                   // Where it is stays among the nodes.
                   call->refuse({host::code::TABLE_ELSEWHERE, "the table is moving; ask again"});
                 });
}

namespace {

Json table_body(const host::TableFacts& facts) {
  return {{"table", wire::to_json(facts)}};
}

}  // namespace

void Router::show_table(const std::shared_ptr<Call>& call) {
  at_table(call, [call](const auto& room) {
    call->answer(200, {{"ok", true}, {"table", wire::to_json(room->facts())}});
  });
}

void Router::sit(const std::shared_ptr<Call>& call) {
  const auto seat = wire::read_seat(call->body);
  if (!seat) return call->refuse(seat.error());
  at_table(call, [call, seat = *seat](const auto& room) {
    room->sit(call->caller, seat, call->then<host::Sat>(200, [](const host::Sat& sat) {
      return Json{{"seat", sat.seat}, {"seatToken", sat.seat_token}};
    }));
  });
}

void Router::stand(const std::shared_ptr<Call>& call) {
  at_table(call, [call](const auto& room) {
    room->stand(call->caller, call->then<host::TableFacts>(200, table_body));
  });
}

void Router::ready(const std::shared_ptr<Call>& call) {
  const Json wanted = call->body.value("ready", Json(true));
  if (!wanted.is_boolean())
    return call->refuse({host::code::REQUEST_INVALID, "`ready` is true or false"});
  at_table(call, [call, is_ready = wanted.get<bool>()](const auto& room) {
    room->ready(call->caller, is_ready, call->then<host::TableFacts>(200, table_body));
  });
}

void Router::seat_bot(const std::shared_ptr<Call>& call) {
  const auto seat = wire::read_seat(call->body);
  if (!seat) return call->refuse(seat.error());
  const Json agent = call->body.value("agent", Json("random"));
  if (!*seat || !agent.is_string() || agent.get_ref<const std::string&>().size() > 200)
    return call->refuse({host::code::REQUEST_INVALID, "a bot needs `seat` and `agent`"});
  at_table(call, [call, seat = **seat, agent = agent.get<std::string>()](const auto& room) {
    room->seat_bot(call->caller, seat, agent, call->then<host::TableFacts>(200, table_body));
  });
}

void Router::start_table(const std::shared_ptr<Call>& call) {
  at_table(call, [call](const auto& room) {
    room->start(call->caller, call->then<host::TableFacts>(200, table_body));
  });
}

void Router::kick(const std::shared_ptr<Call>& call) {
  const auto seat = wire::read_seat(call->body);
  if (!seat) return call->refuse(seat.error());
  if (!*seat)
    return call->refuse({host::code::REQUEST_INVALID, "`seat` is missing", {{"field", "seat"}}});
  at_table(call, [call, seat = **seat](const auto& room) {
    room->kick(call->caller, seat, call->then<host::TableFacts>(200, table_body));
  });
}

void Router::show_log(const std::shared_ptr<Call>& call) {
  std::uint64_t from = 0;
  if (const auto asked = call->query.find("from"); asked != call->query.end()) {
    const char* const end = asked->second.data() + asked->second.size();
    if (std::from_chars(asked->second.data(), end, from).ptr != end)
      return call->refuse({host::code::REQUEST_INVALID, "`from` is a revision"});
  }
  at_table(call, [call, from](const auto& room) {
    auto log = room->log_for(call->caller, from);
    if (!log) return call->refuse(log.error());
    (*log)["ok"] = true;
    call->answer(200, std::move(*log));
  });
}

void Router::show_replay(const std::shared_ptr<Call>& call) {
  at_table(call, [call](const auto& room) {
    auto replay = room->replay(call->caller);
    if (!replay) return call->refuse(replay.error());
    call->respond({200, {{"Cache-Control", "no-store"}}, std::move(*replay), "application/jsonl"});
  });
}

// ---- For those who write games.

void Router::check(const std::shared_ptr<Call>& call) {
  const auto bundle = read_bundle(call->body);
  if (!bundle) return call->refuse(bundle.error());
  // In a process of its own, with limits; waiting for it must not hold up tables.
  host_.services().bots.run([this, call, bundle = *bundle] {
    call->answer(200, do_apart(Apart::check, bundle, settings_.program));
  });
}

void Router::upload(const std::shared_ptr<Call>& call) {
  if (!settings_.uploads)
    return call->refuse({host::code::NOT_ALLOWED, "this server takes no games of others"});
  if (!call->caller.handle)
    return call->refuse({host::code::TOKEN_MISSING, "sending a game takes a handle's token"});
  if (auto refused = gate_.refuse(Doing::table, call->request.address, call->caller.handle->id,
                                  host_.services().timers.now()))
    return call->refuse(*refused);
  const auto bundle = read_bundle(call->body);
  if (!bundle) return call->refuse(bundle.error());
  host_.services().bots.run([this, call, bundle = *bundle] {
    auto made = make_upload(bundle, settings_.program, call->caller.handle->id,
                            host_.services().random, host_.services().timers.now());
    if (!made) return call->refuse(made.error());
    host_.services().writer.submit(
        {host::PutUpload{*made}}, [this, call, id = made->id](const Applied& kept) {
          if (!kept) return call->refuse(kept.error());
          host_.services().tables.post([this, call, id] {
            const auto game = host_.services().games.open(id, {});
            if (!game) return call->refuse(game.error());
            call->answer(201, {{"ok", true}, {"game", wire::game_line(**game)}});
          });
        });
  });
}

void Router::evaluate(const std::shared_ptr<Call>& call) {
  const auto bundle = read_bundle(call->body);
  if (!bundle) return call->refuse(bundle.error());
  host_.services().bots.run([this, call, bundle = *bundle] {
    call->answer(200, do_apart(Apart::evaluate, bundle, settings_.program));
  });
}

}  // namespace parlor::server
