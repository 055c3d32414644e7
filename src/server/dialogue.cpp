#include "server/dialogue.h"

#include <chrono>

#include "server/relay.h"

namespace parlor::server {
namespace {

constexpr int most_bad_frames = 20;
constexpr std::size_t most_early = 16;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // Clang 16 does not find it by itself

std::int64_t microseconds_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int close_code_of(const Rejection& rejection) {
  if (rejection.code == host::code::TABLE_UNKNOWN) return close_no_table;
  if (rejection.code == host::code::NOT_ALLOWED) return close_not_allowed;
  if (rejection.code == host::code::TOKEN_INVALID) return close_no_hello;
  return 1011;
}

}  // namespace

Dialogue::Dialogue(host::Host& host, Gate& gate, std::string table, std::string address,
                   std::shared_ptr<Outlet> outlet, Elsewhere elsewhere)
    : host_(host),
      gate_(gate),
      table_(std::move(table)),
      address_(std::move(address)),
      outlet_(std::move(outlet)),
      elsewhere_(std::move(elsewhere)) {}

void Dialogue::on_text(std::string_view text) {
  if (stage_ == Stage::closed) return;
  if (stage_ == Stage::relayed) return relay_->say(relay_number_, text, outlet_->lag());
  if (stage_ == Stage::joining) {
    if (early_.size() >= most_early) return outlet_->close(close_too_many, "not so fast", 1000);
    early_.emplace_back(text);
    return;
  }
  const auto frame = wire::read_frame(text);
  if (!frame) {
    reject(frame.error().id, frame.error().error);
    if (++bad_frames_ >= most_bad_frames || stage_ == Stage::silent)
      outlet_->close(close_bad_frame, "frames that cannot be read", 0);
    return;
  }
  if (stage_ == Stage::silent) {
    const auto* hello = std::get_if<wire::Hello>(&*frame);
    if (hello == nullptr)
      return outlet_->close(close_no_hello, "the first frame must be `hello`", 0);
    hello_ = text;
    return greet(*hello);
  }
  take(*frame);
}

// Who they are is asked of the archive, which may take a while: not on this thread.
void Dialogue::greet(const wire::Hello& hello) {
  stage_ = Stage::joining;
  host_.services().tables.post([self = shared_from_this(), hello] {
    auto caller = self->host_.caller(hello.token, hello.invite);
    self->outlet_->post([self, hello, caller = std::move(caller)] { self->join(hello, caller); });
  });
}

void Dialogue::join(const wire::Hello& hello, tl::expected<host::Caller, Rejection> caller) {
  if (stage_ == Stage::closed) return;
  if (!caller) return turned_away(caller.error());
  token_ = caller->token_hash;
  who_ = caller->handle ? caller->handle->name : "a spectator";
  host::JoinRequest request{.caller = *caller,
                            .watch = hello.watch,
                            .since = hello.since_seq,
                            .complete = hello.complete};
  const auto self = shared_from_this();
  host_.at_table(
      table_, *caller,
      [self, request](const std::shared_ptr<host::Room>& room) {
        room->join(self, request, [self, room](tl::expected<int, Rejection> seat) {
          self->outlet_->post([self, room, seat] {
            if (seat)
              self->joined(room, *seat);
            else
              self->turned_away(seat.error());
          });
        });
      },
      [self](const Rejection& rejection) {
        self->outlet_->post([self, rejection] { self->turned_away(rejection); });
      });
}

void Dialogue::joined(const std::shared_ptr<host::Room>& room, int seat) {
  room_ = room;
  seat_ = seat;
  if (stage_ == Stage::closed)  // gone while joining
    return room->strand().post([room, self = shared_from_this()] { room->leave(self.get()); });
  stage_ = Stage::joined;
  take_early();
}

void Dialogue::take_early() {
  while (!early_.empty() && stage_ != Stage::closed) {
    const std::string text = std::move(early_.front());
    early_.pop_front();
    on_text(text);
  }
}

bool Dialogue::relay(const Rejection& rejection) {
  const Json address = rejection.details.value("node", Json());
  if (!elsewhere_ || !address.is_string()) return false;
  relay_ = elsewhere_(address.get<std::string>());
  if (!relay_) return false;
  stage_ = Stage::relayed;
  relay_number_ = relay_->open(table_, address_, outlet_);
  relay_->say(relay_number_, hello_, outlet_->lag());
  take_early();
  return true;
}

void Dialogue::turned_away(const Rejection& rejection) {
  if (stage_ == Stage::closed) return;
  if (rejection.code == host::code::TABLE_ELSEWHERE) {
    if (!relay(rejection)) outlet_->close(close_moved, "moved", 500);
    return;
  }
  outlet_->close(close_code_of(rejection), rejection.message, 0);
}

void Dialogue::on_closed() {
  const bool here = stage_ == Stage::joined;
  if (stage_ == Stage::relayed) relay_->hang_up(relay_number_);
  stage_ = Stage::closed;
  if (here)
    room_->strand().post([room = room_, self = shared_from_this()] { room->leave(self.get()); });
  room_.reset();
}

void Dialogue::hear(host::FramePtr frame) {
  // Answers to acts are not counted frames, and their kind stands last.
  if (acted_at_ != 0 && frame->seq == 0 && frame->text.ends_with(R"("t":"ack"})"))
    gate_.note_act(static_cast<double>(microseconds_now() - acted_at_.exchange(0)) / 1000);
  outlet_->send(std::move(frame));
}

void Dialogue::dismiss(int code, std::string reason, host::Time retry_after) {
  outlet_->close(code, std::move(reason), retry_after);
}

void Dialogue::say(std::string text) {
  outlet_->send(std::make_shared<const host::Frame>(host::Frame{0, std::move(text)}));
}

void Dialogue::at_room(std::function<void(host::Room&, const host::ListenerPtr&)> work) {
  room_->strand().post(
      [room = room_, self = shared_from_this(), work = std::move(work)] { work(*room, self); });
}

void Dialogue::reject(const std::string& id, const Rejection& why) {
  say(wire::encode_reject(id, why));
}

// For those who have a seat, not too often.
void Dialogue::at_seat(
    const std::string& id,
    std::function<void(host::Room&, const host::ListenerPtr&, PlayerId seat)> work) {
  if (!seated(id) || too_fast(Doing::act, id)) return;
  at_room([seat = PlayerId{seat_}, work = std::move(work)](
              host::Room& room, const host::ListenerPtr& from) { work(room, from, seat); });
}

bool Dialogue::seated(const std::string& id) {
  if (seat_ >= 0) return true;
  reject(id, {host::code::NOT_ALLOWED, "those who watch do not play"});
  return false;
}

bool Dialogue::too_fast(Doing what, const std::string& id) {
  const auto refused = gate_.refuse(what, address_, token_, host_.services().timers.now());
  if (refused) reject(id, *refused);
  return refused.has_value();
}

void Dialogue::take(const wire::ClientFrame& frame) {
  std::visit(
      Overloaded{[&](const wire::Hello&) {
                   reject("", {host::code::REQUEST_INVALID, "there was a `hello` already"});
                 },
                 [&](const wire::ActFrame& act) {
                   if (!seated(act.id) || too_fast(Doing::act, act.id)) return;
                   acted_at_ = microseconds_now();
                   at_room([seat = PlayerId{seat_}, act, lag = outlet_->lag()](host::Room& room,
                                                                               const auto& from) {
                     room.act(from, seat, {act.id, act.rev, act.content, lag});
                   });
                 },
                 [&](const wire::WhyFrame& why) {
                   if (too_fast(Doing::why, why.id)) return;
                   at_room([number = seat_, why](host::Room& room, const auto& from) {
                     room.why(from, number, why.id, why.request);
                   });
                 },
                 [&](const wire::OfferFrame& offer) {
                   at_seat("", [offer](host::Room& room, const auto& from, PlayerId seat) {
                     room.offer(from, seat, offer.kind);
                   });
                 },
                 [&](const wire::AnswerFrame& answer) {
                   at_seat("", [answer](host::Room& room, const auto& from, PlayerId seat) {
                     room.answer(from, seat, answer.kind, answer.yes);
                   });
                 },
                 [&](const wire::ResignFrame& resign) {
                   at_seat(resign.id, [resign](host::Room& room, const auto& from, PlayerId seat) {
                     room.resign(from, seat, resign.id);
                   });
                 },
                 [&](const wire::ClaimFrame& claim) {
                   at_seat("", [claim](host::Room& room, const auto& from, PlayerId seat) {
                     room.claim(from, seat, claim.what, claim.seat);
                   });
                 },
                 [&](const wire::QueueFrame& queue) {
                   at_seat("", [queue](host::Room& room, const auto& from, PlayerId seat) {
                     room.queue(from, seat, queue.acts);
                   });
                 },
                 [&](const wire::ChatFrame& chat) {
                   at_room([number = seat_, who = who_, chat](host::Room& room, const auto& from) {
                     room.chat(from, number, who, chat.text);
                   });
                 },
                 [&](const wire::PingFrame& ping) {
                   say(wire::encode_pong(ping.c, host_.services().timers.now()));
                 },
                 [&](const wire::SyncFrame&) {
                   if (too_fast(Doing::why, "")) return;
                   at_room([number = seat_](host::Room& room, const auto& from) {
                     room.resync(from, number);
                   });
                 }},
      frame);
}

}  // namespace parlor::server
