// What takes the consent of the others: taking a move back, a draw, a pause, an end, another game.
#include <fmt/core.h>

#include "host/room.h"
#include "host/secrets.h"

namespace parlor::host {

// Every other person answers; whoever is played by a program does not.
std::vector<std::size_t> Room::asked(const Offer& offer) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < players(); ++i) {
    if (i == offer.by.index()) continue;
    const bool person = row_.seats[i].kind == SeatKind::human && !lives_[i].stand_in;
    if (person || offer.kind == OfferKind::draw) out.push_back(i);
  }
  return out;
}

Room::Offer* Room::find_offer(OfferKind kind) {
  const auto found = std::ranges::find(offers_, kind, &Offer::kind);
  return found == offers_.end() ? nullptr : &*found;
}

std::optional<Rejection> Room::offer_refused(PlayerId seat, OfferKind kind) const {
  if (kind == OfferKind::rematch) {
    if (!over()) return Rejection{code::TABLE_STATE, "the game is not over"};
    if (rematch_made_) return Rejection{code::TABLE_STATE, "there is another game already"};
    return std::nullopt;
  }
  if (auto wrong = not_playing()) return wrong;
  if (kind != OfferKind::undo) return std::nullopt;
  if (!row_.config.undo || !session_->undo_allowed())
    return Rejection{Code::UNDO_NOT_ALLOWED, "moves are not taken back at this table"};
  if (!session_->before_last_move_of(seat))
    return Rejection{Code::UNDO_EMPTY, "you have made no move that could be taken back"};
  return std::nullopt;
}

void Room::offer(const ListenerPtr& from, PlayerId seat, OfferKind kind) {
  if (auto wrong = offer_refused(seat, kind)) {
    refuse(from, "", std::move(*wrong));
    return flush();
  }
  // A pause ends as soon as somebody wants to go on.
  if (kind == OfferKind::pause && paused_) {
    pause(false);
    return settle();
  }
  if (const Offer* open = find_offer(kind)) {
    if (open->by != seat) return answer(from, seat, kind, true);
    refuse(from, "", {code::OFFER_OPEN, "you have offered that already"});
    return flush();
  }
  offers_.push_back({kind, seat, {}});
  tell_offers("", "");
  if (kind == OfferKind::draw) ask_bots_for_draw(offers_.back());
  accept_if_agreed(kind);
  settle();
}

void Room::answer(const ListenerPtr& from, PlayerId seat, OfferKind kind, bool yes) {
  Offer* const open = find_offer(kind);
  if (open == nullptr || (open->by == seat && yes)) {
    refuse(from, "",
           {code::OFFER_UNKNOWN, fmt::format("nobody has offered {}", offer_kind_name(kind))});
    return flush();
  }
  if (!yes) {
    drop_offer(kind, open->by == seat ? "withdrawn" : "refused");
    return settle();
  }
  open->agreed.insert(seat.index());
  tell_offers("", "");
  accept_if_agreed(kind);
  settle();
}

void Room::drop_offer(OfferKind kind, const std::string& how) {
  std::erase_if(offers_, [&](const Offer& offer) { return offer.kind == kind; });
  tell_offers(std::string{offer_kind_name(kind)}, how);
}

void Room::accept_if_agreed(OfferKind kind) {
  const Offer* const open = find_offer(kind);
  if (open == nullptr) return;
  for (const std::size_t seat : asked(*open))
    if (!open->agreed.contains(seat)) return;
  const Offer offer = *open;
  drop_offer(kind, "accepted");
  accept(offer);
}

void Room::accept(Offer offer) {
  Json everybody = Json::array();
  for (std::size_t i = 0; i < players(); ++i) everybody.push_back(i);
  switch (offer.kind) {
    case OfferKind::undo: {
      const auto to = session_->before_last_move_of(offer.by);
      if (to)
        (void)do_deed(envelope(table::Deed::undo, {{"to", *to}, {"agreed", everybody}}, offer.by),
                      {}, {});
      break;
    }
    case OfferKind::draw:
      (void)do_deed(envelope(table::Deed::draw_agreed, {{"agreed", everybody}}), {}, {});
      break;
    case OfferKind::abort:
      (void)do_deed(envelope(table::Deed::abandoned, Json::object()), {}, {});
      break;
    case OfferKind::pause:
      pause(true);
      break;
    case OfferKind::rematch:
      make_rematch();
      break;
  }
}

// An offer was made for how things stood: it ends when the one who made it goes on playing.
void Room::offers_after_act(PlayerId actor) {
  for (const OfferKind kind : {OfferKind::undo, OfferKind::draw})
    if (const Offer* open = find_offer(kind); open != nullptr && open->by == actor)
      drop_offer(kind, "withdrawn");
}

void Room::ask_bots_for_draw(const Offer& offer) {
  for (const std::size_t seat : asked(offer)) {
    if (!plays_itself(seat)) continue;
    const std::uint64_t revision = session_->revision();
    Search search{game_, session_->state(),          PlayerId{seat},
                  {},    new_seed(services_.random), std::make_shared<std::atomic<bool>>(true)};
    services_.bots.judge_draw(
        std::move(search), [self = weak_from_this(), seat, revision](bool yes) {
          const auto room = self.lock();
          if (!room) return;
          room->strand_->post([room, seat, revision, yes] {
            if (room->find_offer(OfferKind::draw) == nullptr) return;
            const bool still = room->session_->revision() == revision;
            room->answer(nullptr, PlayerId{seat}, OfferKind::draw, yes && still);
          });
        });
  }
}

// The same people once more, each one seat further.
void Room::make_rematch() {
  rematch_made_ = true;
  TableRow row{.id = new_id(services_.random),
               .config = row_.config,
               .state = TableState::open,
               .creator = row_.creator,
               .invite_hash = row_.invite_hash,
               .created = services_.timers.now(),
               .updated = services_.timers.now(),
               .seats = row_.seats};
  const std::size_t count = players();
  std::vector<RematchTold> told(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    row.seats[next] = row_.seats[i];
    told[i] = {.seq = 0, .table = row.id, .seat = static_cast<int>(next), .seat_token = {}};
    if (row_.seats[i].kind != SeatKind::human) continue;
    told[i].seat_token = new_token(services_.random);
    row.seats[next].token_hash = sha256(told[i].seat_token);
    row.seats[next].ready = true;
  }
  const std::string id = row.id;
  keep(PutTable{row});
  say([this, row] {
    if (services_.added) services_.added(row);
  });
  tell_everybody([&](std::size_t channel) -> Told {
    if (channel < count) return told[channel];
    return RematchTold{.seq = 0, .table = id, .seat = nobody, .seat_token = {}};
  });
}

}  // namespace parlor::host
