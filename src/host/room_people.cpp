// Who is here, who is away and what that allows, and what people say.
#include <fmt/core.h>

#include "host/room.h"
#include "host/words.h"

namespace parlor::host {

void Room::join(ListenerPtr listener, const JoinRequest& request, Done<int> done) {
  const auto seat = request.watch ? std::nullopt : seat_of(request.caller);
  if (!request.watch && !seat)
    return done(tl::unexpected(Rejection{code::TOKEN_INVALID, "this is not the token of a seat"}));
  if (request.watch && !row_.config.spectators.allowed)
    return done(tl::unexpected(Rejection{code::NOT_ALLOWED, "nobody may watch this table"}));
  const std::size_t place = seat ? seat->index() : spectators();
  Channel& channel = channels_[place];
  channel.expect();
  channel.complete = channel.complete || request.complete;
  if (seat) {
    // Back again: the next decision is theirs.
    SeatLife& life = lives_[place];
    const bool first = channel.listeners().empty();
    life.away_since.reset();
    if (life.stand_in) {
      life.stand_in = false;
      row_changed();
      tell_seats();
    }
    if (first)
      tell_everybody([&](std::size_t) { return Presence{0, static_cast<int>(place), true}; });
  }
  Sync sync = sync_of(place);
  Welcome welcome{.you = seat ? static_cast<int>(place) : nobody,
                  .rev = sync.moment.rev,
                  .seq = sync.seq,
                  .now = services_.timers.now(),
                  .limits = services_.settings.limits_told,
                  .table = facts()};
  const auto text = [&](const Told& told) {
    return std::make_shared<const Frame>(Frame{0, services_.encode(told)});
  };
  say([&channel, listener, since = request.since, done, you = welcome.you, hello = text(welcome),
       everything = text(sync)] {
    channel.add(listener);
    done(you);
    listener->hear(hello);
    const auto missed = since ? channel.missed(*since) : std::nullopt;
    if (!missed) return listener->hear(everything);
    for (const FramePtr& frame : *missed) listener->hear(frame);
  });
  settle();
}

void Room::leave(const Listener* listener) {
  const Time now = services_.timers.now();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (!channels_[i].remove(listener, now)) continue;
    if (i < players() && channels_[i].listeners().empty()) {
      lives_[i].away_since = now;
      tell_everybody([&](std::size_t) { return Presence{0, static_cast<int>(i), false}; });
    }
    return flush();
  }
}

void Room::claim(const ListenerPtr& from, PlayerId seat, const std::string& what,
                 std::optional<int> against) {
  const auto no = [&](Rejection rejection) {
    refuse(from, "", std::move(rejection));
    flush();
  };
  if (auto wrong = not_playing()) return no(std::move(*wrong));
  const Time now = services_.timers.now();
  std::optional<std::size_t> absent;
  Time soonest = -1;
  for (std::size_t i = 0; i < players(); ++i) {
    if (i == seat.index() || row_.seats[i].kind != SeatKind::human || lives_[i].stand_in) continue;
    if (against && static_cast<std::size_t>(*against) != i) continue;
    if (!lives_[i].away_since) continue;
    const Time left = *lives_[i].away_since + row_.config.claims_after() - now;
    if (left <= 0 && !absent) absent = i;
    if (soonest < 0 || left < soonest) soonest = left;
  }
  if (!absent)
    return no({code::CLAIM_TOO_EARLY,
               soonest < 0 ? "nobody is away" : "they have not been away for long enough",
               {{"inMs", soonest < 0 ? Json(nullptr) : Json(soonest)}}});
  if (what == "win") {
    (void)do_deed(envelope(table::Deed::abandoned, {{"seat", *absent}}), {}, {});
  } else if (what == "draw") {
    const std::vector<std::int64_t> even(players(), session_->config().stakes.draw);
    (void)do_deed(envelope(table::Deed::adjudicated, {{"returns", even}, {"reason", "abandoned"}}),
                  {}, {});
  } else if (what == "bot") {
    lives_[*absent].stand_in = true;
    clock_.stop(PlayerId{*absent}, now);
    row_changed();
    tell_seats();
  } else {
    return no({code::REQUEST_INVALID, "a claim is for `win`, `draw` or `bot`"});
  }
  settle();
}

void Room::chat(const ListenerPtr& from, int seat, const std::string& who,
                const std::string& text) {
  const auto no = [&](Rejection rejection) {
    refuse(from, "", std::move(rejection));
    flush();
  };
  const bool watching = seat < 0;
  if (row_.config.chat == ChatRule::off || (watching && row_.config.chat != ChatRule::all))
    return no({code::NOT_ALLOWED, "there is no chat for you at this table"});
  const auto clean = clean_chat(text);
  if (!clean) return no({code::REQUEST_INVALID, "a message has 1 to 500 characters"});
  const std::string bucket = watching ? "watching:" + who : std::to_string(seat);
  if (const auto wait = chat_rate_.take(bucket, services_.timers.now()))
    return no({code::RATE_LIMITED, "not so fast", {{"retryAfterMs", *wait}}});
  ChatRow row{.channel = watching ? "spectators" : "players",
              .author = watching ? who : row_.seats[static_cast<std::size_t>(seat)].name,
              .text = *clean,
              .at = services_.timers.now(),
              .seat = seat};
  constexpr std::size_t most = 200;
  chat_.push_back(row);
  if (chat_.size() > most) chat_.erase(chat_.begin());
  keep(PutChat{row_.id, row});
  // What those who watch say to each other the players see when it is over.
  if (!watching || over()) tell_players([&](std::size_t) { return ChatTold{0, row}; });
  if (heard(spectators()))
    at_channel(spectators(), [this, row] { tell(spectators(), ChatTold{0, row}); });
  else
    channels_[spectators()].skip();
  flush();
}

}  // namespace parlor::host
