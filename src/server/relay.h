// A table is run by one node, and any node may be asked. What concerns a table of another node goes
// there over one line for each pair of nodes, which carries many conversations, each with a number.
//
//   from the node that was asked            from the node that runs the table
//   {"k":"open","c":1,"table","address"}
//   {"k":"text","c":1,"text","lag"}         {"k":"text","c":1,"text"}
//   {"k":"close","c":1}                     {"k":"close","c":1,"code","reason","retryAfterMs"}
//   {"k":"ask","c":2,"request":{…}}         {"k":"reply","c":2,"response":{…}}
//
// Nothing here knows sockets: a line is something that texts can be given to. Everything happens on
// the thread of the sockets.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "server/dialogue.h"
#include "server/router.h"

namespace parlor::server {

inline constexpr std::string_view relay_target = "/internal/relay";
inline constexpr std::size_t longest_relayed = 4 * 1024 * 1024;

class Line {
 public:
  virtual ~Line() = default;
  virtual void send(std::string text) = 0;  // from any thread
  virtual void close() = 0;
};

// The end at the node that was asked.
class RelayAsking {
 public:
  explicit RelayAsking(std::shared_ptr<Line> line) : line_(std::move(line)) {}

  using Number = std::uint64_t;
  Number open(const std::string& table, const std::string& address, std::shared_ptr<Outlet> outlet);
  void say(Number number, std::string_view text, host::Time lag);
  void hang_up(Number number);
  void ask(const HttpRequest& request, Respond respond);

  void on_text(std::string_view text);
  void on_closed();  // everybody is told to come back
  bool idle() const { return outlets_.empty() && asked_.empty(); }

 private:
  std::shared_ptr<Line> line_;
  Number last_ = 0;
  std::map<Number, std::shared_ptr<Outlet>> outlets_;
  std::map<Number, Respond> asked_;
};

// The end at the node that runs the tables.
class RelayAnswering {
 public:
  struct Parts {
    host::Host& host;
    Router& router;
    Gate& gate;
    std::function<void(host::Task)> post;  // onto the thread of the sockets
  };
  RelayAnswering(Parts parts, std::shared_ptr<Line> line)
      : parts_(std::move(parts)), line_(std::move(line)) {}

  void on_text(std::string_view text);
  void on_closed();

 private:
  struct Conversation;
  void open(std::uint64_t number, const Json& message);
  void ask(std::uint64_t number, const Json& message);

  Parts parts_;
  std::shared_ptr<Line> line_;
  std::map<std::uint64_t, std::shared_ptr<Conversation>> open_;
};

// The ways to the other nodes. Lines are made when they are needed.
class Relays {
 public:
  // Makes a line to an address; nothing if that cannot be tried.
  using Connect = std::function<std::shared_ptr<Line>(const std::string& address,
                                                      std::function<void(std::string_view)> on_text,
                                                      std::function<void()> on_closed)>;
  explicit Relays(Connect connect) : connect_(std::move(connect)) {}

  std::shared_ptr<RelayAsking> to(const std::string& address);

 private:
  Connect connect_;
  std::map<std::string, std::shared_ptr<RelayAsking>> by_address_;
};

}  // namespace parlor::server
