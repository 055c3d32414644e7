// One conversation over a socket, without the socket: frames in, frames out.
//
// Everything but `hear` and `dismiss`, which tables call, happens on the thread of the outlet.
#pragma once

#include <atomic>
#include <deque>
#include <memory>

#include "host/host.h"
#include "server/gate.h"
#include "wire/wire.h"

namespace parlor::server {

// Close codes beyond those of the protocol.
enum CloseCode : int {
  close_bad_frame = 4400,
  close_no_hello = 4401,
  close_not_allowed = 4403,
  close_no_table = 4404,
  close_moved = 4410,
  close_draining = 4412,
  close_slow = 4413,
  close_too_many = 4429
};

// The way out. `send`, `close` and `post` may be called by any thread.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void send(host::FramePtr frame) = 0;
  virtual void close(int code, std::string reason, host::Time retry_after) = 0;
  virtual void post(host::Task task) = 0;
  virtual host::Time lag() const = 0;  // half the round trip
};

class RelayAsking;

class Dialogue final : public host::Listener, public std::enable_shared_from_this<Dialogue> {
 public:
  // The way to the node at an address that runs a table; nothing if there is none.
  using Elsewhere = std::function<std::shared_ptr<RelayAsking>(const std::string& address)>;

  Dialogue(host::Host& host, Gate& gate, std::string table, std::string address,
           std::shared_ptr<Outlet> outlet, Elsewhere elsewhere = {});

  void on_text(std::string_view text);
  void on_closed();
  bool greeted() const { return stage_ != Stage::silent; }

  void hear(host::FramePtr frame) override;
  void dismiss(int code, std::string reason, host::Time retry_after) override;

 private:
  enum class Stage : std::uint8_t { silent, joining, joined, relayed, closed };

  void greet(const wire::Hello& hello);
  void join(const wire::Hello& hello, tl::expected<host::Caller, Rejection> caller);
  void take_early();
  void joined(const std::shared_ptr<host::Room>& room, int seat);
  void turned_away(const Rejection& rejection);
  bool relay(const Rejection& rejection);  // false: there is no way there
  void take(const wire::ClientFrame& frame);
  void say(std::string text);
  // On the table's strand, as the seat that was joined.
  void at_room(std::function<void(host::Room&, const host::ListenerPtr&)> work);
  void reject(const std::string& id, const Rejection& why);
  void at_seat(const std::string& id,
               std::function<void(host::Room&, const host::ListenerPtr&, PlayerId seat)> work);
  bool seated(const std::string& id);
  bool too_fast(Doing what, const std::string& id);

  host::Host& host_;
  Gate& gate_;
  const std::string table_, address_;
  const std::shared_ptr<Outlet> outlet_;
  Stage stage_ = Stage::silent;
  const Elsewhere elsewhere_;
  std::string hello_;              // as it came, for another node
  std::deque<std::string> early_;  // what came while joining
  std::shared_ptr<RelayAsking> relay_;
  std::uint64_t relay_number_ = 0;
  std::shared_ptr<host::Room> room_;
  int seat_ = host::nobody;
  std::string who_;    // the handle's name, of those who watch
  std::string token_;  // its hash
  int bad_frames_ = 0;
  std::atomic<std::int64_t> acted_at_ = 0;  // microseconds; 0: no act waits for its answer
};

}  // namespace parlor::server
